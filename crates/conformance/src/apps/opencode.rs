//! OpenCode: `export` against the documents and the reader.
//!
//! Two things are compared for every session: that the document which annals makes of rows or
//! files holds what the program exports, value by value, and that the reader's entries say the
//! same, part by part.

mod generated;
mod parts;
mod server;
mod store;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::Bench;
use super::findings::{Findings, first_difference};
use super::programs::{OPENCODE, OPENCODE_JSON};
use store::{Stored, read_database, read_tree};

/// Calls and tokens of the corpus `generated`, copies in forks not counted.
const GENERATED: (usize, u64) = (10, 10_409);

pub(super) fn compare(bench: &Bench<'_>, findings: &mut Findings) -> Result<()> {
    let corpus = bench.corpus("opencode");
    let current = bench.programs.find(OPENCODE, "the databases of OpenCode");
    if let (Some(program), Some(corpus)) = (&current, &corpus) {
        for name in ["generated", "imported"] {
            let data = corpus.join(name).join("opencode");
            let sessions = read_database(&data, &bench.folder("opencode-copy")?)?;
            let title = format!("corpus opencode/{name}");
            compare_sessions(bench, program, &data, &sessions, None, &title, findings)?;
            if name == "generated" {
                let mut keys = BTreeSet::new();
                let calls = sessions.iter().flat_map(|stored| &stored.session.api_calls);
                let once: Vec<u64> = calls
                    .filter(|call| keys.insert(&call.key))
                    .map(|call| call.tokens.total())
                    .collect();
                findings.equal("corpus opencode/generated, calls", &once.len(), &GENERATED.0);
                findings.equal(
                    "corpus opencode/generated, tokens",
                    &once.iter().sum::<u64>(),
                    &GENERATED.1,
                );
            }
        }
    }
    let older = bench.programs.find(OPENCODE_JSON, "the JSON trees of OpenCode");
    if let (Some(program), Some(corpus)) = (&older, &corpus) {
        let data = corpus.join("old/opencode");
        let sessions = read_tree(&data)?;
        let title = "corpus opencode/old";
        let project = project_folder(bench, &data)?;
        compare_sessions(bench, program, &data, &sessions, Some(&project), title, findings)?;
    }
    if let Some(program) = &current {
        generated::compare_server(bench, program, findings)?;
    }
    for (name, program) in [("opencode", current), ("opencode-json", older)] {
        if let Some(program) = program {
            generated::compare(bench, name, &program, findings)?;
        }
    }
    Ok(())
}

/// A folder that the older program takes for the project of a tree: it keeps the project's id
/// in the repository.
fn project_folder(bench: &Bench<'_>, data: &Path) -> Result<std::path::PathBuf> {
    let folder = bench.folder("opencode-project")?;
    let status = Command::new("git").args(["init", "--quiet"]).arg(&folder).status()?;
    anyhow::ensure!(status.success(), "git init ended with {status}");
    let mut projects = fs::read_dir(data.join("storage/session"))?;
    let project = projects.next().context("a tree without sessions")??.file_name();
    fs::write(folder.join(".git/opencode"), project.as_encoded_bytes())?;
    Ok(folder)
}

/// Compares all sessions of a folder with their exports.
fn compare_sessions(
    bench: &Bench<'_>,
    program: &Path,
    data: &Path,
    sessions: &[Stored],
    project: Option<&Path>,
    title: &str,
    findings: &mut Findings,
) -> Result<()> {
    let mut differences = Vec::new();
    for stored in sessions {
        let id = &stored.session.header.id;
        let mut arguments = Vec::new();
        if let Some(project) = project {
            arguments.extend([OsStr::new("--cwd"), project.as_os_str()]);
        }
        arguments.extend([data.as_os_str(), OsStr::new("export"), OsStr::new(id)]);
        let export =
            bench.scripts.ask("opencode_oracle.py", ("OPENCODE_BIN", program), &arguments)?;
        let own = parts::export_of_document(&stored.document);
        let messages = |export: &serde_json::Value| -> Vec<String> {
            let messages = export["messages"].as_array().into_iter().flatten();
            messages.map(serde_json::Value::to_string).collect()
        };
        let name = format!("{id}, rows");
        differences.extend(first_difference(&name, &messages(&own), &messages(&export)));
        let facts = parts::facts_of(&export["info"]);
        differences.extend(first_difference(id, &parts::own_facts(&stored.session), &facts));
        let (own, official) = (parts::own_rows(&stored.session), parts::official_rows(&export));
        let name = format!("{id}, entries");
        differences.extend(first_difference(&name, &own, &official));
        let drift = stored.session.unknown.iter();
        differences.extend(drift.map(|(kind, _)| format!("{id}: {kind} is not known")));
    }
    findings.take(title, sessions.len(), "sessions", &differences);
    Ok(())
}
