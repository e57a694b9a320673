//! Databases that OpenCode wrote, if they are available.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use apps::opencode::Reader;
use apps::row_store::Limits;
use apps::row_store::opencode::Database;
use apps::{EntryState, Session, read_whole};

use crate::row_store::place::{Place, state_of};

fn corpus(name: &str) -> Option<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/opencode");
    let path = corpus.join(name).join("opencode");
    if path.is_dir() {
        return Some(path);
    }
    println!("SKIPPED: no databases of OpenCode beside the repository");
    None
}

/// The sessions of a database, read where it lies.
fn read(folder: &Path) -> BTreeMap<String, Session> {
    let before = state_of(folder);
    let place = Place::new();
    let database = folder.join("opencode.db");
    let taken = Database::take(&database, &place.private(), Limits::default()).unwrap();
    assert_eq!(taken.unknown_columns(), Vec::<String>::new());
    assert_eq!(taken.gaps().unwrap(), []);
    let mut sessions = BTreeMap::new();
    for listed in taken.sessions().unwrap() {
        let document = taken.document(&listed.id).unwrap().unwrap();
        let session = read_whole::<Reader>(&document);
        assert_eq!(session.header.id, listed.id);
        assert_eq!(session.header.title, listed.title);
        assert_eq!(session.header.directory, listed.directory);
        assert_eq!(session.unknown.iter().collect::<Vec<_>>(), []);
        assert!(session.problems.is_empty());
        sessions.insert(listed.id, session);
    }
    drop(taken);
    assert!(state_of(folder) == before);
    sessions
}

#[test]
fn a_database_whose_tables_are_in_the_wal_is_read() {
    let Some(folder) = corpus("generated") else { return };
    let sessions = read(&folder);
    let mut calls = BTreeMap::new();
    let mut stored = 0;
    for session in sessions.values() {
        for call in &session.api_calls {
            stored += 1;
            calls.insert(call.key.clone(), call.tokens.total());
        }
    }
    assert_eq!((stored, calls.len()), (16, 10), "calls copied by forks count once");
    assert_eq!(calls.values().sum::<u64>(), 6231 + 2088 + 1044 + 1046);
    let replayed = |session: &&Session| {
        session.entries.iter().any(|entry| entry.state == EntryState::Replayed)
    };
    assert!(sessions.values().find(replayed).is_some(), "a fork");
}

#[test]
fn an_imported_database_has_the_sessions_of_the_exports() {
    let Some(folder) = corpus("imported") else { return };
    let sessions = read(&folder);
    let exports = folder.join("../../exports");
    let mut names: Vec<String> = fs::read_dir(exports)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    assert_eq!(sessions.keys().cloned().collect::<Vec<_>>(), names);
}
