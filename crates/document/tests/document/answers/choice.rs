//! Where lists of sessions look, and which sessions they show.

use super::support::{CWD, write_session};
use document::answers::{Marks, SessionChoice, SessionKinds, SessionPlaces, listed};
use library::Library;
use library::catalog::Filter;
use library::progress::NoProgress;
use library::session::{Presence, Session};
use serde_json::json;
use std::sync::Arc;
use store::testing::MemoryShelf;
use store::{RootOrigin, SessionKind};
use testkit::{Sandbox, session_id, user};

/// The numbers of sessions.
fn numbers(sessions: &[Session]) -> Vec<u32> {
    let number = |id: &str| (1..10).find(|number| session_id(*number) == id);
    sessions.iter().filter_map(|session| number(&session.id)).collect()
}

/// Sessions 1 and 2 are on disk, 2 is hidden, 3 is archived, and 4 has only a prompt left.
fn store() -> (Sandbox, Library) {
    let sandbox = Sandbox::new();
    write_session(&sandbox, 3, "Mend the clock", &[1]);
    let shelf = MemoryShelf::of(&sandbox.config());
    sandbox.remove_folder(&sandbox.projects());
    write_session(&sandbox, 1, "Where do tides come from?", &[1]);
    sandbox.session(CWD, &session_id(2), [user("look").with("isSidechain", true)]);
    let prompt =
        json!({"display": "gone", "timestamp": 1, "project": CWD, "sessionId": session_id(4)});
    sandbox.write("history.jsonl", format!("{prompt}\n"));
    let library = Library::open(library::Options {
        roots: vec![(sandbox.config(), RootOrigin::Flag)],
        shelf: Some(Arc::new(shelf)),
        ..library::Options::default()
    });
    (sandbox, library)
}

#[test]
fn lists_look_in_the_places_that_are_named_and_are_in_one_order() {
    let (_sandbox, library) = store();
    let table: [(SessionPlaces, &[u32]); 4] = [
        (SessionPlaces::Disk, &[1, 2]),
        (SessionPlaces::DiskAndArchive, &[1, 2, 3]),
        (SessionPlaces::Deleted, &[3, 4]),
        (SessionPlaces::Everywhere, &[1, 2, 3, 4]),
    ];
    for (places, expected) in table {
        let (sessions, read_errors) = listed(&library, places);
        let mut found = numbers(&sessions);
        found.sort_unstable();
        assert_eq!(found, expected, "{places:?}");
        assert!(sessions.is_sorted_by_key(|session| session.order()), "{places:?}");
        assert!(read_errors.is_empty());
    }
}

#[test]
fn presence_decides_where_a_list_looks() {
    let table = [
        (None, false, SessionPlaces::Disk),
        (None, true, SessionPlaces::DiskAndArchive),
        (Some(Presence::Disk), true, SessionPlaces::Disk),
        (Some(Presence::Archive), false, SessionPlaces::Deleted),
        (Some(Presence::PromptsOnly), false, SessionPlaces::Deleted),
        (Some(Presence::Unknown), false, SessionPlaces::DiskAndArchive),
    ];
    for (presence, only_marked, expected) in table {
        assert_eq!(SessionPlaces::of(presence, only_marked), expected, "{presence:?}");
    }
}

#[test]
fn hidden_sessions_are_shown_only_on_request() {
    let (_sandbox, library) = store();
    let shown = |choice: &SessionChoice<'_>| {
        let (mut sessions, _) = listed(&library, SessionPlaces::Everywhere);
        let read_errors = choice.retain(&library, &mut sessions, &Marks::default(), &NoProgress);
        assert!(read_errors.is_empty());
        let mut found = numbers(&sessions);
        found.sort_unstable();
        found
    };
    assert_eq!(shown(&SessionChoice::default()), [1, 3, 4]);
    let with_hidden = SessionChoice { with_hidden: true, ..SessionChoice::default() };
    assert_eq!(shown(&with_hidden), [1, 2, 3, 4]);
    let archived = SessionChoice { presence: Some(Presence::Archive), ..with_hidden.clone() };
    assert_eq!(shown(&archived), [3]);
    let one = Filter { session: Some(session_id(1)), ..Filter::default() };
    assert_eq!(shown(&SessionChoice::of(&one)), [1]);
    let tool = Filter { tool: Some("Bash".to_owned()), ..Filter::default() };
    assert_eq!(shown(&SessionChoice::of(&tool)), [1, 3]);
    assert_eq!(shown(&SessionChoice { only_marked: true, ..with_hidden }), [0; 0]);
    assert!(!SessionKinds::Interactive.admits(SessionKind::Programmatic));
}
