//! What the corpora used, against figures that were found independently of annals.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

use super::home::Home;
use crate::apps::Bench;
use crate::apps::findings::Findings;

/// Tokens of the calls in `codex` that no record identifies, without repetitions and replays.
const WITHOUT_RECORDS: u64 = 92_687_894;

/// Calls with a record in `codex`, and their tokens.
const RECORDS: (usize, u64) = (16, 17_272);

/// Tokens of `codex-migrated`, without repetitions and replays.
const MIGRATED: u64 = 19_127_937;

pub(super) fn compare_truths(bench: &Bench<'_>, findings: &mut Findings) -> Result<()> {
    let (Some(before), Some(after)) = (bench.corpus("codex"), bench.corpus("codex-migrated"))
    else {
        return Ok(());
    };
    let (before, after) = (Home::read(&before)?, Home::read(&after)?);
    let calls = calls_once(&before);
    let recorded = |key: &&String| key.starts_with("response:");
    let sum = |calls: Vec<(&String, &(String, u64))>| calls.iter().map(|(_, call)| call.1).sum();
    let (with, without): (Vec<_>, Vec<_>) = calls.iter().partition(|(key, _)| recorded(key));
    findings.equal("corpus codex, tokens without records", &sum(without), &WITHOUT_RECORDS);
    findings.equal("corpus codex, calls with records", &with.len(), &RECORDS.0);
    findings.equal("corpus codex, tokens with records", &sum(with), &RECORDS.1);
    let migrated = calls_once(&after);
    findings.equal("corpus codex-migrated, tokens", &sum(migrated.iter().collect()), &MIGRATED);
    // The originals of the migrated threads alone: a call that a thread outside them holds
    // first would otherwise count there.
    let names: BTreeSet<&str> = after.threads.iter().map(|thread| thread.id.as_str()).collect();
    let mut originals = before;
    originals.files.retain(|file| names.contains(file.name.thread.as_str()));
    let differences: Vec<String> = calls_once(&originals)
        .iter()
        .filter(|(key, call)| migrated.get(*key).map(|call| call.1) != Some(call.1))
        .map(|(key, call)| {
            format!("{key}: {} tokens, after migration {:?}", call.1, migrated.get(key))
        })
        .collect();
    findings.take("usage before and after migration", migrated.len(), "calls", &differences);
    Ok(())
}

/// The calls of a home by key, each once, with the thread that holds it first and its tokens.
pub(super) fn calls_once(home: &Home) -> BTreeMap<String, (String, u64)> {
    let mut calls = BTreeMap::new();
    for file in &home.files {
        for call in &file.session.api_calls {
            let value = || (file.name.thread.clone(), call.tokens.total());
            calls.entry(call.key.clone()).or_insert_with(value);
        }
    }
    calls
}
