//! The list of a home, and each of its threads.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use ::apps::codex::Thread;
use ::apps::{Header, Lineage};
use anyhow::{Context as _, Result};
use serde_json::Value;

use super::home::Home;
use super::items;
use crate::apps::Bench;
use crate::apps::findings::{Findings, first_difference};

/// A file of the corpus that no program wrote. Codex does not take it for a thread.
const SYNTHETIC: &str = "019fc8be-3658-7ca3-9e29-000000000000";

/// Where a home is, and how the program knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Databases {
    /// The scripts copy the home and leave the program's databases out, because they hold paths
    /// of another place. Names are gone then, and undone threads are shown without the part
    /// of the older file that they begin with.
    Rebuilt,
    /// The home was made here, with its databases.
    Present,
}

/// Compares the list of a home and all conversations in it.
pub(super) fn compare_home(
    bench: &Bench<'_>,
    program: &Path,
    root: &Path,
    title: &str,
    databases: Databases,
    findings: &mut Findings,
) -> Result<()> {
    let ask = |arguments: &[&str]| -> Result<Value> {
        let mut all = vec![root.as_os_str()];
        if databases == Databases::Present {
            all.insert(0, OsStr::new("--in-place"));
        }
        all.extend(arguments.iter().map(OsStr::new));
        bench.scripts.ask("codex_oracle.py", ("CODEX_BIN", program), &all)
    };
    let home = Home::read(root)?;
    let mut listed = BTreeMap::new();
    for (is_archived, arguments) in [(false, &["list"][..]), (true, &["list", "--archived"])] {
        let list = ask(arguments)?;
        for row in list["threads"].as_array().context("no list of threads")? {
            let id = row["id"].as_str().context("a thread without an id")?;
            listed.insert(id.to_owned(), (is_archived, row.clone()));
        }
    }
    let mut differences = Vec::new();
    for thread in &home.threads {
        match listed.get(&thread.id) {
            Some((is_archived, row)) => {
                let official = official_row(row, *is_archived);
                let mut own = own_row(&home, thread);
                for (own, official) in own.iter_mut().zip(&official) {
                    if is_known_exception(own, thread, databases) || is_same_moment(own, official) {
                        own.clone_from(official);
                    }
                }
                differences.extend(first_difference(&thread.id, &own, &official));
            }
            // The program lists no thread in which nobody typed anything. annals does:
            // something may have been paid for in it.
            None if thread.header.first_prompt.is_none() || thread.id == SYNTHETIC => {}
            None => differences.push(format!("{}: only annals lists it", thread.id)),
        }
    }
    let missing = listed.keys().filter(|id| home.thread(id).is_none());
    differences.extend(missing.map(|id| format!("{id}: only the program lists it")));
    findings.take(&format!("{title}, list"), listed.len(), "threads", &differences);

    let mut differences = Vec::new();
    for (id, (_, row)) in &listed {
        let Some(thread) = home.thread(id) else { continue };
        let answer = ask(&["read", id])?;
        let turns = answer["result"]["thread"]["turns"].as_array();
        let turns = turns.with_context(|| format!("cannot read {id}: {answer}"))?;
        if is_lost(row, turns) {
            println!("  {id}: the program shows no turn of a migrated sub-agent, annals does");
            continue;
        }
        let fork = answer["result"]["thread"]["forkedFromId"].as_str();
        if fork != own_fork(thread) {
            let own = own_fork(thread);
            differences
                .push(format!("{id}: annals has a fork of {own:?}, the program of {fork:?}"));
        }
        let official = items::official(turns);
        let mut own = items::own(&home.files, thread, &official);
        if databases == Databases::Rebuilt && thread.files.len() > 1 {
            let lacking = own.len().saturating_sub(official.rows.len());
            println!(
                "  {id}: without its database the program shows an undone thread without its base"
            );
            own.drain(..lacking);
        }
        if let Some(difference) = first_difference(id, &own, &official.rows) {
            fs::write(bench.work.join(format!("{id}.annals")), own.join("\n"))?;
            fs::write(bench.work.join(format!("{id}.program")), official.rows.join("\n"))?;
            differences.push(difference);
        }
    }
    findings.take(&format!("{title}, conversations"), listed.len(), "threads", &differences);
    Ok(())
}

fn own_fork(thread: &Thread) -> Option<&str> {
    thread.header.lineage.iter().find_map(|lineage| match lineage {
        Lineage::Fork { of } => Some(of.as_str()),
        _ => None,
    })
}

/// After a migration the program shows no turn of a sub-agent, though the file holds them.
fn is_lost(row: &Value, turns: &[Value]) -> bool {
    turns.is_empty() && row["historyMode"] == "paginated" && row["source"]["subAgent"].is_object()
        || turns.is_empty() && row["source"]["subAgent"].is_string()
}

/// Whether both say when a thread was created, within a second: the program takes the time of
/// its id, and the first line is written a little later.
fn is_same_moment(own: &str, official: &str) -> bool {
    let seconds = |row: &str| row.strip_prefix("created: ")?.parse::<i64>().ok();
    let difference = seconds(own).zip(seconds(official)).map(|(own, official)| own - official);
    matches!(difference, Some(-1..=1))
}

/// Whether the program is known to tell another fact than annals.
fn is_known_exception(row: &str, thread: &Thread, databases: Databases) -> bool {
    let lineage = &thread.header.lineage;
    let is_agent = lineage.iter().any(|line| matches!(line, Lineage::Agent { .. }));
    let is_fork = lineage.iter().any(|line| matches!(line, Lineage::Fork { .. }));
    let has_base = lineage.iter().any(|line| matches!(line, Lineage::Base { .. }));
    let is_rebuilt = databases == Databases::Rebuilt;
    match row.split(':').next() {
        // A sub-agent that begins with its parent's history is listed with the first words of
        // the parent; annals shows what the parent asked.
        // Of a fork by reference it shows the first words of the fork or of its base, depending
        // on how its database came about; annals shows those of the conversation.
        Some("preview") => is_agent && is_fork || has_base,
        Some("name") => is_rebuilt,
        // An undone thread counts as created when its newest file was.
        Some("created") => thread.files.len() > 1,
        // Agents without a nickname have the name of their task in annals.
        Some("agent") => {
            is_agent
                && thread.header.source.as_deref() == Some("subagent")
                && row == "agent: review"
        }
        _ => false,
    }
}

/// The facts of a list as rows with names.
fn rows(facts: [(&str, Option<String>); 10]) -> Vec<String> {
    facts
        .into_iter()
        .map(|(name, value)| format!("{name}: {}", value.unwrap_or_default()))
        .collect()
}

fn official_row(row: &Value, is_archived: bool) -> Vec<String> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let source = text(&row["source"]).unwrap_or_else(|| "subagent".to_owned());
    rows([
        ("archived", Some(is_archived.to_string())),
        ("name", text(&row["name"])),
        ("preview", text(&row["preview"]).map(|text| text.trim().to_owned())),
        ("folder", text(&row["cwd"])),
        ("branch", text(&row["gitInfo"]["branch"])),
        ("repository", text(&row["gitInfo"]["originUrl"])),
        ("version", text(&row["cliVersion"])),
        ("source", Some(source)),
        ("created", row["createdAt"].as_i64().map(|seconds| seconds.to_string())),
        ("agent", text(&row["agentNickname"])),
    ])
}

fn own_row(home: &Home, thread: &Thread) -> Vec<String> {
    let header = &thread.header;
    let Header { title, first_prompt, directory, branch, repository, version, .. } = header.clone();
    rows([
        ("archived", Some(thread.is_archived.to_string())),
        ("name", home.names.get(&thread.id).cloned().or(title)),
        ("preview", first_prompt.map(|text| text.trim().to_owned())),
        ("folder", directory),
        ("branch", branch),
        ("repository", repository),
        ("version", version),
        ("source", header.source.clone()),
        ("created", header.started.map(|time| time.as_second().to_string())),
        ("agent", header.agent_name.clone()),
    ])
}
