//! Sessions that Copilot CLI wrote, if they are available.

use std::fs;
use std::path::{Path, PathBuf};

use apps::copilot::{FileRole, Reader, SessionFile, parse_workspace};
use apps::{EntryKind, Session, read_whole};

fn corpus() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/copilot");
    if path.is_dir() {
        return Some(path);
    }
    println!("SKIPPED: no sessions of Copilot CLI beside the repository");
    None
}

fn total(session: &Session) -> u64 {
    session.api_calls.iter().map(|call| call.tokens.total()).sum()
}

#[test]
fn real_sessions_have_nothing_unknown_and_names() {
    let Some(root) = corpus() else { return };
    let mut count = 0;
    for folder in fs::read_dir(root.join("session-state")).unwrap().flatten() {
        let id = folder.file_name().into_string().unwrap();
        let name = format!("session-state/{id}/events.jsonl");
        assert_eq!(SessionFile::parse(&name).map(|file| file.role), Some(FileRole::Events));
        let bytes = fs::read(root.join(&name)).unwrap();
        let mut session = read_whole::<Reader>(&bytes);
        assert_eq!(session.unknown.iter().collect::<Vec<_>>(), [], "{id}");
        assert!(session.problems.is_empty());
        assert_eq!(session.header.id, id);
        let workspace = fs::read(folder.path().join("workspace.yaml")).unwrap();
        let workspace = parse_workspace(&workspace);
        assert_eq!(workspace.id.as_deref(), Some(id.as_str()));
        assert_eq!(workspace.cwd, session.header.directory);
        workspace.complete(&mut session.header);
        assert_eq!(session.header.title, None, "the names here repeat the prompts");
        count += 1;
    }
    assert_eq!(count, 6);
}

#[test]
fn two_resumes_are_counted_once_with_records_and_without() {
    let Some(root) = corpus() else { return };
    let path = "session-state/62ce310d-1165-489f-b8e0-8681ec945edb/events.jsonl";
    let text = fs::read_to_string(root.join(path)).unwrap();
    let mut sums: Vec<u64> = Vec::new();
    let mut without_records = String::new();
    for line in text.lines().filter(|line| !line.contains("\"session.usage_record\"")) {
        without_records.push_str(line);
        without_records.push('\n');
        if line.contains("\"session.shutdown\"") {
            let session = read_whole::<Reader>(without_records.as_bytes());
            sums.push(session.api_calls.iter().map(|c| c.tokens.total() - c.tokens.output).sum());
        }
    }
    assert_eq!(sums, [3_006, 5_015, 6_021]);
    let session = read_whole::<Reader>(text.as_bytes());
    assert_eq!(session.api_calls.len(), 6);
    assert_eq!(total(&session), total(&read_whole::<Reader>(without_records.as_bytes())));
}

#[test]
fn a_rewind_leaves_the_first_turns() {
    let Some(root) = corpus() else { return };
    let read = |name| read_whole::<Reader>(&fs::read(root.join("rewind").join(name)).unwrap());
    let (before, after) = (read("before.jsonl"), read("after.jsonl"));
    assert!(after.prompts().count() < before.prompts().count());
    let starts: Vec<_> = before.prompts().take(after.prompts().count()).collect();
    assert_eq!(starts, after.prompts().collect::<Vec<_>>());
}

#[test]
fn a_sub_agent_and_a_written_file_are_found() {
    let Some(root) = corpus() else { return };
    let read = |id: &str| {
        let folder = root.join("session-state");
        let mut folders = fs::read_dir(folder).unwrap().flatten();
        let found = folders.find(|f| f.file_name().to_str().unwrap().starts_with(id));
        read_whole::<Reader>(&fs::read(found.unwrap().path().join("events.jsonl")).unwrap())
    };
    let session = read("9cb614fa");
    assert_eq!(session.api_calls.iter().filter(|call| call.agent.is_some()).count(), 1);
    let started = |kind: &EntryKind| matches!(kind, EntryKind::AgentStart { call: Some(call), .. } if call == "call_fake-fb2b89-10");
    assert!(session.entries.iter().any(|entry| started(&entry.kind)));
    let changes = |kind: &EntryKind| match kind {
        EntryKind::Result { changes, .. } => changes.clone(),
        _ => Vec::new(),
    };
    let session = read("797934f0");
    let changes: Vec<_> = session.entries.iter().flat_map(|e| changes(&e.kind)).collect();
    assert_eq!(changes.len(), 1);
    assert!(changes[0].diff.as_deref().is_some_and(|diff| diff.contains("+some notes")));
}
