//! Gemini CLI: `--list-sessions` against the reader of operation logs and documents.

mod generated;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use ::apps::gemini::{FileForm, Reader, SessionFile, is_listed, newest_twin, read_document};
use ::apps::{Session, read_whole};
use anyhow::{Context as _, Result};
use serde_json::Value;

use super::findings::{Findings, first_difference};
use super::programs::GEMINI;
use super::{Bench, files_below};

/// The calls of the corpus's generated sessions, and their tokens.
const GENERATED: (usize, u64) = (14, 14_737);

/// The title that the script's model gives. The program asks for one when it lists.
const GIVEN: &str = "A title by the oracle's model";

pub(super) fn compare(bench: &Bench<'_>, findings: &mut Findings) -> Result<()> {
    let program = bench.programs.find(GEMINI, "lists of Gemini CLI");
    if let Some(corpus) = bench.corpus("gemini") {
        let projects = read_home(&corpus)?;
        let demo = projects.get("demo").context("the corpus has no generated sessions")?;
        let mut keys = BTreeSet::new();
        let calls = demo.iter().flat_map(|stored| &stored.session.api_calls);
        let once: Vec<u64> = calls
            .filter(|call| keys.insert(call.key.clone()))
            .map(|call| call.tokens.total())
            .collect();
        findings.equal("corpus gemini, calls", &once.len(), &GENERATED.0);
        findings.equal("corpus gemini, tokens", &once.iter().sum::<u64>(), &GENERATED.1);
        if let Some(program) = &program {
            compare_lists(bench, program, &corpus, "corpus gemini", findings)?;
        }
    }
    match program {
        Some(program) => generated::compare(bench, &program, findings),
        None => Ok(()),
    }
}

/// A session of a file.
#[derive(Debug)]
struct Stored {
    is_agent: bool,
    session: Session,
}

/// The sessions of a home by project, in the order of their files.
fn read_home(home: &Path) -> Result<BTreeMap<String, Vec<Stored>>> {
    let root = home.join(".gemini/tmp");
    let mut projects: BTreeMap<String, Vec<Stored>> = BTreeMap::new();
    for (name, path) in files_below(&root)? {
        let Some(file) = SessionFile::parse(&name) else { continue };
        let bytes = fs::read(path)?;
        let session = match file.form {
            FileForm::Log => read_whole::<Reader>(&bytes),
            FileForm::Document => read_document(&bytes),
        };
        let stored = Stored { is_agent: file.parent.is_some(), session };
        projects.entry(file.slug.to_owned()).or_default().push(stored);
    }
    Ok(projects)
}

/// Compares the list of each project.
fn compare_lists(
    bench: &Bench<'_>,
    program: &Path,
    home: &Path,
    title: &str,
    findings: &mut Findings,
) -> Result<()> {
    let mut differences = Vec::new();
    let mut count = 0;
    for (slug, stored) in read_home(home)? {
        let folder = OsStr::new("/made-up/project");
        let arguments = [home.as_os_str(), folder, OsStr::new("--slug"), OsStr::new(&slug)];
        let answer = bench.scripts.ask("gemini_oracle.py", ("GEMINI_BIN", program), &arguments)?;
        let listed = answer["listed"].as_array().context("no list of sessions")?;
        count += listed.len();
        let text = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
        let titles: BTreeMap<String, String> =
            listed.iter().map(|row| (text(row, "id"), text(row, "title"))).collect();
        let official: Vec<String> = listed
            .iter()
            .map(|row| format!("{} {}", text(row, "id"), text(row, "title")))
            .collect();
        let own = own_list(&stored).into_iter().map(|(id, title)| {
            // The title that listing gave it is not in the file that annals read.
            let given = titles.get(&id).filter(|title| *title == GIVEN);
            format!("{id} {}", given.cloned().unwrap_or(title))
        });
        let own: Vec<String> = own.collect();
        differences.extend(first_difference(&slug, &own, &official));
        for Stored { session, .. } in &stored {
            let id = &session.header.id;
            let drift = session.unknown.iter();
            differences.extend(drift.map(|(kind, _)| format!("{id}: {kind} is not known")));
        }
    }
    findings.take(&format!("{title}, list"), count, "sessions", &differences);
    Ok(())
}

/// What annals would list, oldest first, with the titles as the program shows them.
fn own_list(stored: &[Stored]) -> Vec<(String, String)> {
    let mut twins: BTreeMap<&str, Vec<&Session>> = BTreeMap::new();
    for Stored { session, .. } in stored.iter().filter(|stored| !stored.is_agent) {
        twins.entry(&session.header.id).or_default().push(session);
    }
    let newest = twins.into_values().filter_map(newest_twin).filter(|session| is_listed(session));
    let mut sessions: Vec<&Session> = newest.collect();
    sessions.sort_by_key(|session| session.header.started);
    let row = |session: &Session| {
        let header = &session.header;
        let title = header.title.as_ref().or(header.first_prompt.as_ref());
        (header.id.clone(), shown_title(title.map_or("", String::as_str)))
    };
    sessions.into_iter().map(row).collect()
}

/// A title as the program shows it: on one line, without letters outside ASCII, and cut.
fn shown_title(title: &str) -> String {
    const LONGEST: usize = 100;
    let line = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let printable = line.chars().filter(|letter| matches!(letter, ' '..='~'));
    let line = printable.collect::<String>().trim().to_owned();
    match line.get(..LONGEST - 3) {
        Some(start) if line.len() > LONGEST => format!("{start}..."),
        _ => line,
    }
}
