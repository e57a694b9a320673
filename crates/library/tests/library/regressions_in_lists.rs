//! Former bugs in lists, titles and reports, each test named after the fact it
//! broke.

use globset::{Glob, GlobSet, GlobSetBuilder};
use jiff::Timestamp;
use library::catalog::Filter;
use library::progress::NoProgress;
use library::{Library, Options};
use serde_json::json;
use std::path::PathBuf;
use store::RootOrigin;
use testkit::{Sandbox, metadata, session_id, tool_use, user};

const CWD: &str = "/home/ada/tidepool";
const FOLDER: &str = "projects/-home-ada-tidepool";

fn open(roots: &[PathBuf], exclude: GlobSet) -> Library {
    let roots = roots.iter().map(|path| (path.clone(), RootOrigin::Flag)).collect();
    Library::open(Options { roots, exclude, ..Options::default() })
}

/// People type the words of a title as they read them.
#[test]
fn title_words_are_found_as_written() {
    let sandbox = Sandbox::new();
    let titles = ["Étude in blue", "Mend foo.rs", "Don't panic"];
    for (number, title) in (1..).zip(titles) {
        let title = metadata("custom-title", &[("customTitle", json!(title))]);
        sandbox.session(CWD, &session_id(number), [user("hello"), title]);
    }
    let library = open(&[sandbox.config()], GlobSet::empty());
    let names = ["Étude", "étude", "ÉTUDE", "foo.rs", "Don't", "blue"];
    let missed: Vec<_> =
        names.into_iter().filter(|name| library.catalog().find(name, None).is_err()).collect();
    assert_eq!(missed, Vec::<&str>::new());
}

/// A backup beside the live store holds every agent a second time.
#[test]
fn an_agent_of_a_session_in_two_roots_is_not_ambiguous() {
    let sandbox = Sandbox::new();
    for root in ["", "backup/"] {
        let folder = format!("{root}{FOLDER}");
        sandbox.write(&format!("{folder}/{}.jsonl", session_id(1)), user("hello").to_string());
        let agent = format!("{folder}/{}/subagents/agent-a1.jsonl", session_id(1));
        sandbox.write(&agent, user("x").to_string());
    }
    let library = open(&[sandbox.config(), sandbox.config().join("backup")], GlobSet::empty());
    let found = library.catalog().find("a1", None).map(|found| found.session.id);
    assert_eq!(found.unwrap(), session_id(1));
}

#[test]
fn tool_called_by_an_agent_beside_the_transcript_counts_for_its_session() {
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), [user("hello")]);
    let line = tool_use("t", "Bash", &json!({})).with("sessionId", session_id(1));
    sandbox.write(&format!("{FOLDER}/agent-f1.jsonl"), line.to_string());
    let library = open(&[sandbox.config()], GlobSet::empty());
    let mut sessions = library.catalog().sessions().sessions;
    let filter = Filter { tool: Some("Bash".to_owned()), ..Filter::default() };
    library.prompts().retain_by_content(&mut sessions, &filter, &NoProgress);
    assert_eq!(sessions.len(), 1);
}

/// The transcript is excluded by its working directory; its agents are below
/// it.
#[test]
fn agents_of_an_excluded_session_do_not_exist() {
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), [user("hello")]);
    sandbox.write(&format!("{FOLDER}/{}/subagents/agent-a1.jsonl", session_id(1)), "{broken\n");
    let exclude = GlobSetBuilder::new().add(Glob::new(CWD).unwrap()).build().unwrap();
    let library = open(&[sandbox.config()], exclude);
    let found = library.health().diagnose(Timestamp::UNIX_EPOCH, &NoProgress);
    assert_eq!((found.agents, found.damage), (0, Vec::new()));
}

/// The app deletes only its own files; those of other tools and copies stay.
#[test]
fn the_cleanup_deletes_nothing_outside_projects() {
    let sandbox = Sandbox::new();
    let copy = format!("pre-compact-session-histories/{}-20260101-010203.jsonl", session_id(2));
    for name in ["transcripts/ses_1.jsonl", &copy] {
        let path = sandbox.write(name, user("hello").to_string());
        sandbox.set_modified(&path, 0);
    }
    let library = open(&[sandbox.config()], GlobSet::empty());
    let found =
        library.health().diagnose(Timestamp::from_second(1_800_000_000).unwrap(), &NoProgress);
    let expiring: Vec<_> = found.expiring.into_iter().map(|expiring| expiring.session.id).collect();
    assert_eq!(expiring, Vec::<String>::new());
}

#[test]
fn unreadable_history_is_reported() {
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), [user("hello")]);
    let path = sandbox.pipe("history.jsonl");
    let library = open(&[sandbox.config()], GlobSet::empty());
    let (prompts, read_errors) = library.prompts().prompts(&Filter::default(), &NoProgress);
    assert_eq!(prompts.len(), 1, "the others still answer");
    assert_eq!(
        read_errors.into_iter().map(|read_error| read_error.path).collect::<Vec<_>>(),
        [path]
    );
}
