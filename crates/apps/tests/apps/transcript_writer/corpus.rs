//! Every session of the corpus, if it is available, shown as a transcript and read back.

use crate::transcript_writer::support::{Counts, check, counted};
use apps::transcript_writer::{SourceEntry, SourceSession, write_transcript};
use apps::{App, JsonText, Session, read_whole};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder of the corpus, which lies beside the repository or beside a folder around it.
fn corpus(name: &str) -> Option<PathBuf> {
    let around = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let mut corpora = around.map(|folder| folder.join("shared/corpus").join(name));
    let found = corpora.find(|folder| folder.is_dir());
    if found.is_none() {
        println!("SKIPPED: no corpus/{name} beside the repository");
    }
    found
}

/// The files below a folder, in the order of their paths.
fn files(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Adds up the counts of sessions.
fn add(sum: &mut Counts, other: &Counts) {
    sum.sessions += other.sessions;
    sum.prompts += other.prompts;
    sum.texts += other.texts;
    sum.thinking += other.thinking;
    sum.calls += other.calls;
    sum.results += other.results;
    sum.answered += other.answered;
    sum.generations += other.generations;
    sum.branches += other.branches;
    sum.api_calls += other.api_calls;
    sum.tokens += other.tokens;
    sum.bytes += other.bytes;
    sum.changes.0 += other.changes.0;
    sum.changes.1 += other.changes.1;
    sum.agents.0 += other.agents.0;
    sum.agents.1 += other.agents.1;
}

/// Checks sessions of one file each, and that all of them together count each call once.
fn check_all(app: App, sessions: &[Session]) -> Counts {
    let mut counts = Counts::default();
    let mut transcripts = Vec::new();
    let mut calls: HashMap<&str, u64> = HashMap::new();
    for session in sessions {
        let id = format!("{}:{}", app.name(), session.header.id);
        let entries = SourceEntry::of(session);
        add(&mut counts, &check(app, &id, &session.header, &entries));
        let source = SourceSession::new(app, &id, &session.header, &entries);
        let transcript = write_transcript(&source);
        transcripts.push(transcript.main);
        transcripts.extend(transcript.agents.into_values());
        for call in &session.api_calls {
            let tokens = calls.entry(&call.key).or_default();
            *tokens = call.tokens.total().max(*tokens);
        }
    }
    let together = counted(transcripts.iter().map(Vec::as_slice));
    assert_eq!(together, (calls.len(), calls.values().sum()));
    println!("{}: {counts:?}, together {together:?}", app.name());
    counts
}

#[test]
fn copilot_sessions_are_shown() {
    let Some(root) = corpus("copilot") else { return };
    let events = files(&root).into_iter().filter(|path| path.ends_with("events.jsonl"));
    let read = |path: PathBuf| read_whole::<apps::copilot::Reader>(&fs::read(path).unwrap());
    check_all(App::Copilot, &events.map(read).collect::<Vec<_>>());
}

#[test]
fn gemini_sessions_are_shown() {
    let Some(root) = corpus("gemini") else { return };
    let tmp = root.join(".gemini/tmp");
    let mut sessions = Vec::new();
    for path in files(&tmp) {
        let name = path.strip_prefix(&tmp).ok().and_then(Path::to_str).unwrap();
        let Some(file) = apps::gemini::SessionFile::parse(name) else { continue };
        let bytes = fs::read(&path).unwrap();
        sessions.push(match file.form {
            apps::gemini::FileForm::Log => read_whole::<apps::gemini::Reader>(&bytes),
            apps::gemini::FileForm::Document => apps::gemini::read_document(&bytes),
        });
    }
    check_all(App::Gemini, &sessions);
}

#[test]
fn pi_sessions_are_shown() {
    let Some(root) = corpus("pi") else { return };
    let paths = files(&root.join("sessions"));
    let read = |path: &PathBuf| read_whole::<apps::pi::Reader>(&fs::read(path).unwrap());
    check_all(App::Pi, &paths.iter().map(read).collect::<Vec<_>>());
}

#[test]
fn opencode_sessions_are_shown() {
    let Some(root) = corpus("opencode") else { return };
    let mut sessions = Vec::new();
    let mut rows: BTreeMap<String, Vec<apps::opencode::Row>> = BTreeMap::new();
    let old = root.join("old/opencode");
    for path in files(&old) {
        let name = path.strip_prefix(&old).ok().and_then(Path::to_str).unwrap();
        let Some(file) = apps::opencode::StorageFile::parse(name) else { continue };
        let bytes = fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let of = JsonText::parse(&text).and_then(|object| object.string("sessionID"));
        let session = of.unwrap_or_else(|| file.id.to_owned());
        rows.entry(session).or_default().extend(apps::opencode::Row::from_file(file, &bytes));
    }
    let read = |rows| read_whole::<apps::opencode::Reader>(&apps::opencode::document_of_rows(rows));
    sessions.extend(rows.into_values().map(read));
    for path in files(&root.join("exports")) {
        let text = fs::read_to_string(path).unwrap();
        sessions.extend(JsonText::parse(&text).map(|export| read(export_rows(export))));
    }
    check_all(App::OpenCode, &sessions);
}

/// An export as rows.
fn export_rows(export: JsonText<'_>) -> Vec<apps::opencode::Row> {
    let mut rows = Vec::new();
    let mut add = |table, object: JsonText<'_>, parent: &str| {
        let id = object.string("id").expect("an id");
        let file = apps::opencode::StorageFile { table, parent, id: &id };
        rows.extend(apps::opencode::Row::from_file(file, object.text().as_bytes()));
        id
    };
    let info = export.get("info").expect("a session");
    let session = add(apps::opencode::Table::Session, info, "project");
    for message in export.get("messages").into_iter().flat_map(JsonText::elements) {
        let info = message.get("info").expect("a message");
        let id = add(apps::opencode::Table::Message, info, &session);
        for part in message.get("parts").into_iter().flat_map(JsonText::elements) {
            add(apps::opencode::Table::Part, part, &id);
        }
    }
    rows
}

fn check_codex(name: &str) {
    let Some(root) = corpus(name) else { return };
    let mut files: Vec<apps::codex::RolloutFile> = files(&root)
        .into_iter()
        .filter_map(|path| {
            let name = apps::codex::Name::parse(path.file_name()?.to_str()?)?;
            let mut bytes = fs::read(&path).expect("a readable file");
            if name.is_compressed {
                bytes = apps::codex::decompress(&bytes, 1 << 28).expect("valid zstd data");
            }
            let is_archived = path.to_string_lossy().contains("archived_sessions");
            Some(apps::codex::RolloutFile {
                name,
                is_archived,
                session: read_whole::<apps::codex::Reader>(&bytes),
            })
        })
        .collect();
    let threads = apps::codex::assemble(&mut files);
    let mut counts = Counts::default();
    let mut transcripts = Vec::new();
    let mut keys = HashSet::new();
    let mut tokens = 0;
    for thread in &threads {
        let mut calls: HashMap<(usize, usize), Vec<&apps::ApiCall>> = HashMap::new();
        for file in thread.parts.iter().chain(&thread.undone).map(|part| part.file) {
            for call in &files[file].session.api_calls {
                let known = calls.entry((file, call.entry)).or_default();
                if !known.contains(&call) {
                    known.push(call);
                }
            }
        }
        let entries: Vec<_> = thread
            .entries(&files)
            .map(|entry| SourceEntry {
                entry: entry.entry,
                state: entry.state,
                file: entry.file,
                calls: calls.remove(&(entry.file, entry.number)).unwrap_or_default(),
            })
            .collect();
        for call in entries.iter().flat_map(|entry| &entry.calls) {
            if keys.insert(call.key.clone()) {
                tokens += call.tokens.total();
            }
        }
        let id = format!("codex:{}", thread.id);
        add(&mut counts, &check(App::Codex, &id, &thread.header, &entries));
        let source = SourceSession::new(App::Codex, &id, &thread.header, &entries);
        transcripts.push(write_transcript(&source).main);
    }
    let together = counted(transcripts.iter().map(Vec::as_slice));
    assert_eq!(together, (keys.len(), tokens));
    println!("{name}: {counts:?}, together {together:?}");
}

#[test]
fn codex_threads_are_shown() {
    check_codex("codex");
    check_codex("codex-migrated");
}

#[test]
fn old_codex_files_are_shown() {
    let Some(root) = corpus("codex-old") else { return };
    let paths = files(&root).into_iter();
    let paths = paths.filter(|path| path.extension().is_some_and(|end| end == "jsonl"));
    let read = |path: PathBuf| read_whole::<apps::codex::Reader>(&fs::read(path).unwrap());
    check_all(App::Codex, &paths.map(read).collect::<Vec<_>>());
}
