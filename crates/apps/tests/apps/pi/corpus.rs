//! Sessions that pi wrote, if they are available.

use std::fs;
use std::path::Path;

use apps::pi::{Reader, SessionFile};
use apps::{EntryKind, EntryState, Session, read_whole};

/// Every session with its path; none where there is no corpus.
fn sessions() -> Vec<(String, Session)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/pi/sessions");
    let mut found = Vec::new();
    for folder in fs::read_dir(root).into_iter().flatten().flatten() {
        for file in fs::read_dir(folder.path()).into_iter().flatten().flatten() {
            let path = file.path().to_string_lossy().into_owned();
            let bytes = fs::read(file.path()).expect("a readable file");
            let session = read_whole::<Reader>(&bytes);
            let name = SessionFile::parse(&path).expect("the name of a session");
            assert_eq!(name.id, session.header.id);
            assert_eq!(session.unknown.iter().collect::<Vec<_>>(), [], "{path}");
            assert!(session.problems.is_empty(), "{path}");
            found.push((path, session));
        }
    }
    if found.is_empty() {
        println!("SKIPPED: no sessions of pi beside the repository");
    }
    found
}

#[test]
fn usage_is_exact() {
    for (path, session) in sessions() {
        let sum: u64 = session.api_calls.iter().map(|call| call.tokens.total()).sum();
        let found = (session.api_calls.len(), sum);
        if path.contains("--home-dev-demo--") {
            assert_eq!(found, (6, 6_519));
        } else if path.contains("auth-go") {
            assert_eq!(found, (107, 6_413_241));
        }
    }
}

#[test]
fn an_abandoned_branch_is_left() {
    for (path, session) in sessions() {
        let left = session.entries.iter().filter(|entry| entry.state == EntryState::Left);
        let prompts = left.filter(|entry| matches!(entry.kind, EntryKind::Prompt(_))).count();
        assert_eq!(prompts, usize::from(path.contains("a9642bdf")), "{path}");
    }
}

#[test]
fn recorded_diffs_are_unified() {
    let mut diffs = 0;
    for (path, session) in sessions() {
        for entry in &session.entries {
            let EntryKind::Result { changes, .. } = &entry.kind else { continue };
            for change in changes.iter().filter(|change| change.content.is_none()) {
                assert!(change.diff.is_some(), "{path}: {}", change.path);
                diffs += 1;
            }
        }
    }
    assert!(diffs == 0 || diffs == 26, "{diffs}");
}
