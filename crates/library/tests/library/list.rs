//! One list of all roots: which file is the session, which are its copies, and
//! which sessions the app would not show.

use globset::{Glob, GlobSet, GlobSetBuilder};
use library::catalog::{Filter, SessionList};
use library::session::{Presence, Session, UnlistedReason};
use library::{Library, Options};
use serde_json::json;
use std::path::{Path, PathBuf};
use store::{HiddenReason, RootOrigin, SessionKind, folder_name};
use testkit::{Line, Sandbox, metadata, session_id, user};

const CWD: &str = "/home/ada/tidepool";

fn open(roots: &[PathBuf], options: Options) -> Library {
    let roots = roots.iter().map(|path| (path.clone(), RootOrigin::Flag)).collect();
    Library::open(Options { roots, ..options })
}

fn list(sandbox: &Sandbox) -> SessionList {
    open(&[sandbox.config()], Options::default()).catalog().sessions()
}

fn globs(patterns: &[&str]) -> GlobSet {
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        builder.add(Glob::new(pattern).unwrap());
    }
    builder.build().unwrap()
}

/// Writes a session of a root at `root` below the configuration folder.
fn session_at(
    sandbox: &Sandbox,
    root: &str,
    cwd: &str,
    number: u32,
    modified: i64,
    lines: &[Line],
) -> PathBuf {
    let text: String = lines.iter().map(|line| line.to_string() + "\n").collect();
    let path = sandbox
        .write(&format!("{root}projects/{}/{}.jsonl", folder_name(cwd), session_id(number)), text);
    sandbox.set_modified(&path, modified);
    path
}

fn hello(cwd: &str) -> [Line; 1] {
    [user("hello").cwd(cwd)]
}

fn hidden_line() -> [Line; 1] {
    [user("look").with("isSidechain", true)]
}

/// The path of the only session, and the paths of its copies.
fn settled(list: &SessionList) -> (&Path, Vec<&Path>) {
    let [session] = &list.sessions[..] else { panic!("{:?}", list.sessions) };
    (session.path.as_deref().unwrap(), session.copies.iter().map(PathBuf::as_path).collect())
}

fn ids(sessions: &[Session]) -> Vec<String> {
    sessions.iter().map(|session| session.id.clone()).collect()
}

#[test]
fn the_newest_file_is_the_session_and_the_others_are_copies() {
    let sandbox = Sandbox::new();
    let old = session_at(&sandbox, "", "/a", 1, 100, &hello("/a"));
    let new = session_at(&sandbox, "", "/c", 1, 300, &hello("/c"));
    let middle = session_at(&sandbox, "", "/b", 1, 200, &hello("/b"));
    assert_eq!(settled(&list(&sandbox)), (new.as_path(), vec![middle.as_path(), old.as_path()]));
}

#[test]
fn smallest_path_wins_between_files_of_equal_time() {
    let sandbox = Sandbox::new();
    let [b, a, c] =
        ["/b", "/a", "/c"].map(|cwd| session_at(&sandbox, "", cwd, 1, 100, &hello(cwd)));
    assert_eq!(settled(&list(&sandbox)), (a.as_path(), vec![b.as_path(), c.as_path()]));
}

#[test]
fn a_hidden_file_never_shadows_an_older_listed_one() {
    let sandbox = Sandbox::new();
    let shown = session_at(&sandbox, "", "/a", 1, 100, &hello("/a"));
    let hidden = session_at(&sandbox, "", "/b", 1, 200, &hidden_line());
    let empty = session_at(&sandbox, "", "/c", 1, 300, &[]);
    let list = list(&sandbox);
    assert_eq!(settled(&list), (shown.as_path(), vec![empty.as_path(), hidden.as_path()]));
    assert_eq!(list.listed().count(), 1);
}

#[test]
fn a_pre_compact_copy_never_shadows_the_live_session() {
    for (live, unlisted) in
        [(hello(CWD), None), (hidden_line(), Some(UnlistedReason::Hidden(HiddenReason::Sidechain)))]
    {
        let sandbox = Sandbox::new();
        let path = session_at(&sandbox, "", CWD, 1, 100, &live);
        let copy = sandbox.write(
            &format!("pre-compact-session-histories/{}-20260101-010203.jsonl", session_id(1)),
            user("hello").to_string(),
        );
        sandbox.set_modified(&copy, 900);
        let list = list(&sandbox);
        assert_eq!(settled(&list), (path.as_path(), vec![copy.as_path()]));
        assert_eq!(list.sessions[0].unlisted, unlisted);
    }
}

#[test]
fn pre_compact_copies_replace_a_deleted_session() {
    let sandbox = Sandbox::new();
    let name = |time: &str| format!("pre-compact-session-histories/{}-{time}.jsonl", session_id(1));
    let old = sandbox.write(&name("20260101-010203"), user("hello").to_string());
    let new = sandbox.write(&name("20260102-010203"), user("hello").to_string());
    sandbox.set_modified(&old, 100);
    sandbox.set_modified(&new, 200);
    let list = list(&sandbox);
    assert_eq!(settled(&list), (new.as_path(), vec![old.as_path()]));
    assert_eq!(list.sessions[0].id, session_id(1), "the time is not part of the id");
    assert_eq!(list.sessions[0].unlisted, None);
    assert_eq!(list.sessions[0].metadata.kind, SessionKind::PreCompactCopy);
}

#[test]
fn empty_pre_compact_copy_is_not_listed() {
    for nothing in [Vec::new(), hidden_line().to_vec()] {
        let sandbox = Sandbox::new();
        let name = format!("pre-compact-session-histories/{}-1.jsonl", session_id(1));
        sandbox.write(&name, testkit::file(&nothing));
        let list = list(&sandbox);
        assert_eq!(list.sessions[0].unlisted, Some(UnlistedReason::PreCompactCopy));
        assert_eq!(list.sessions[0].metadata.kind, SessionKind::Interactive);
    }
}

#[test]
fn pre_compact_copy_does_not_replace_an_excluded_session() {
    let sandbox = Sandbox::new();
    session_at(&sandbox, "", "/secret", 1, 100, &hello("/secret"));
    let name = format!("pre-compact-session-histories/{}-1.jsonl", session_id(1));
    sandbox.write(&name, user("hello").cwd("/other").to_string());
    let options = Options { exclude: globs(&["/secret"]), ..Options::default() };
    let library = open(&[sandbox.config()], options);
    assert_eq!(library.catalog().sessions().listed().count(), 0);
}

#[test]
fn transcripts_of_other_tools_are_unlisted_and_found_by_file_name() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "transcripts/ses_abc.jsonl",
        "{\"type\":\"user\",\"timestamp\":\"2026-01-02T03:04:05Z\",\"content\":\"hi there\"}\n",
    );
    let list = list(&sandbox);
    assert_eq!(ids(&list.sessions), ["ses_abc"]);
    assert_eq!(list.sessions[0].unlisted, Some(UnlistedReason::Foreign));
    assert_eq!(list.sessions[0].metadata.first_prompt.as_deref(), Some("hi there"));
}

#[test]
fn the_same_session_in_two_roots_is_one_session() {
    let sandbox = Sandbox::new();
    let here = session_at(&sandbox, "", CWD, 1, 100, &hello(CWD));
    let there = session_at(&sandbox, "backup/", CWD, 1, 200, &hello(CWD));
    session_at(&sandbox, "backup/", CWD, 2, 50, &hello(CWD));
    let roots = [sandbox.config(), sandbox.config().join("backup")];
    let list = open(&roots, Options::default()).catalog().sessions();
    assert_eq!(ids(&list.sessions), [session_id(1), session_id(2)]);
    assert_eq!(list.sessions[0].path.as_deref(), Some(there.as_path()));
    assert_eq!((&list.sessions[0].root, &list.sessions[0].copies), (&roots[1], &vec![here]));
}

#[test]
fn repeated_root_counts_once() {
    let sandbox = Sandbox::new();
    session_at(&sandbox, "", CWD, 1, 100, &hello(CWD));
    let linked = sandbox.link("again", &sandbox.config());
    let library = open(&[sandbox.config(), sandbox.config().join("."), linked], Options::default());
    assert_eq!(library.catalog().roots().len(), 1);
    assert!(library.catalog().sessions().sessions[0].copies.is_empty());
}

#[test]
fn continued_session_is_hidden_only_if_its_continuation_exists() {
    let continued = |next: u32| {
        [
            user("hello"),
            metadata("continued-in", &[("continuedInSessionId", json!(session_id(next)))]),
        ]
    };
    let table = [
        (
            "in the same folder",
            CWD,
            hello(CWD),
            Some(UnlistedReason::Hidden(HiddenReason::Continued)),
        ),
        ("in another folder", "/elsewhere", hello(CWD), None),
        (
            "without a conversation",
            CWD,
            [metadata("custom-title", &[("customTitle", json!("T"))])],
            None,
        ),
    ];
    for (what, cwd, next, expected) in table {
        let sandbox = Sandbox::new();
        session_at(&sandbox, "", CWD, 1, 200, &continued(2));
        session_at(&sandbox, "", cwd, 2, 100, &next);
        let list = list(&sandbox);
        assert_eq!(list.sessions[0].id, session_id(1));
        assert_eq!(list.sessions[0].unlisted, expected, "{what}");
    }
    let sandbox = Sandbox::new();
    session_at(&sandbox, "", CWD, 1, 200, &continued(2));
    assert_eq!(list(&sandbox).listed().count(), 1, "not there at all");
}

#[test]
fn sessions_are_sorted_newest_first_then_by_descending_id() {
    let sandbox = Sandbox::new();
    for (number, modified) in [(1, 100), (2, 300), (3, 200), (4, 300)] {
        session_at(&sandbox, "", &format!("/{number}"), number, modified, &hello(CWD));
    }
    assert_eq!(ids(&list(&sandbox).sessions), [4, 2, 3, 1].map(session_id));
}

#[test]
fn excluded_sessions_do_not_exist() {
    let table: [(&[&str], &[u32]); 4] = [
        (&[], &[1, 2, 3]),
        (&["/home/ada/private"], &[1, 3]),
        (&["/home/ada/private/**"], &[1, 2]),
        (&["**/projects/-home-ada-private*/**"], &[1]),
    ];
    let sandbox = Sandbox::new();
    for (number, cwd) in [(1, CWD), (2, "/home/ada/private"), (3, "/home/ada/private/diary")] {
        session_at(&sandbox, "", cwd, number, 0, &hello(cwd));
    }
    for (patterns, expected) in table {
        let library =
            open(&[sandbox.config()], Options { exclude: globs(patterns), ..Options::default() });
        let mut found = ids(&library.catalog().sessions().sessions);
        found.sort();
        assert_eq!(
            found,
            expected.iter().map(|number| session_id(*number)).collect::<Vec<_>>(),
            "{patterns:?}"
        );
        for number in 1..=3 {
            assert_eq!(
                library.catalog().find(&session_id(number), None).is_ok(),
                expected.contains(&number),
                "{patterns:?} {number}"
            );
        }
    }
}

#[test]
fn moved_project_is_listed_under_its_current_name() {
    let sandbox = Sandbox::new();
    let table = [
        (1, "/old/tide", "/new/tide"),
        (2, "/old/tide/src", "/new/tide/src"),
        (3, "/old/tidepool", "/old/tidepool"),
        (4, "/new/tide", "/new/tide"),
    ];
    for (number, cwd, _) in table {
        session_at(&sandbox, "", cwd, number, 0, &hello(cwd));
    }
    let aliases = vec![("/old/tide".to_owned(), "/new/tide/".to_owned())];
    let library = open(&[sandbox.config()], Options { aliases, ..Options::default() });
    let list = library.catalog().sessions();
    for (number, cwd, today) in table {
        let session =
            list.sessions.iter().find(|session| session.id == session_id(number)).unwrap();
        assert_eq!(
            (session.metadata.cwd.as_deref(), session.project.as_deref()),
            (Some(cwd), Some(today))
        );
    }
    let project = library.catalog().project_scope(Path::new("/new/tide"), false);
    let filter = Filter { project: Some(project), ..Filter::default() };
    let mut admitted: Vec<_> = list
        .sessions
        .iter()
        .filter(|session| filter.admits(session))
        .map(|session| session.id.clone())
        .collect();
    admitted.sort();
    assert_eq!(admitted, [1, 2, 4].map(session_id));
}

#[test]
fn session_in_a_worktree_belongs_to_its_repository() {
    let sandbox = Sandbox::new();
    let state = metadata("worktree-state", &[("worktreeSession", json!({"originalCwd": "/repo"}))]);
    session_at(
        &sandbox,
        "",
        "/repo/.claude/worktrees/x",
        1,
        0,
        &[user("hello").cwd("/repo/.claude/worktrees/x"), state],
    );
    assert_eq!(list(&sandbox).sessions[0].project.as_deref(), Some("/repo"));
}

#[test]
fn unusable_root_is_reported_and_the_others_answer() {
    let sandbox = Sandbox::new();
    session_at(&sandbox, "", CWD, 1, 0, &hello(CWD));
    let roots = vec![
        (sandbox.config().join("nowhere"), RootOrigin::Flag),
        (sandbox.config().join("no-legacy"), RootOrigin::Legacy),
        (sandbox.config(), RootOrigin::Environment),
    ];
    let library = Library::open(Options { roots, ..Options::default() });
    let unusable: Vec<_> =
        library.health().unusable_roots().iter().map(|error| error.path.clone()).collect();
    assert_eq!(unusable, [sandbox.config().join("nowhere")], "nobody asked for the legacy folder");
    assert_eq!(library.catalog().sessions().sessions.len(), 1);
}

#[test]
fn agents_of_both_layouts_are_counted_and_the_calling_session_is_marked() {
    let sandbox = Sandbox::new();
    let id = session_id(1);
    session_at(&sandbox, "", CWD, 1, 0, &hello(CWD));
    session_at(&sandbox, "", CWD, 2, 0, &hello(CWD));
    let line = user("look").with("sessionId", id.as_str()).with("isSidechain", true).to_string();
    sandbox.write("projects/-home-ada-tidepool/agent-f1.jsonl", &line);
    sandbox.write(&format!("projects/-home-ada-tidepool/{id}/subagents/agent-n1.jsonl"), &line);
    sandbox.write(
        &format!("projects/-home-ada-tidepool/{id}/subagents/workflows/wf_1/agent-n2.jsonl"),
        &line,
    );
    let library = open(
        &[sandbox.config()],
        Options { current_session: Some(id.clone()), ..Options::default() },
    );
    let list = library.catalog().sessions();
    let found: Vec<_> = list
        .sessions
        .iter()
        .map(|session| (session.agents, session.is_current, session.presence))
        .collect();
    assert_eq!(found, [(0, false, Presence::Disk), (3, true, Presence::Disk)]);
}

#[test]
fn a_single_transcript_is_a_root_of_one_session() {
    let sandbox = Sandbox::new();
    let path = session_at(&sandbox, "", CWD, 1, 0, &hello(CWD));
    session_at(&sandbox, "", CWD, 2, 0, &hello(CWD));
    let list = open(&[path], Options::default()).catalog().sessions();
    assert_eq!(ids(&list.sessions), [session_id(1)]);
    assert!(list.strays.is_empty());
}

#[test]
fn agents_inside_transcripts_can_be_left_out() {
    let sandbox = Sandbox::new();
    let old = |line: Line| line.with("version", "1.0.3");
    let agent = user("task").link("s1", None).with("isSidechain", true);
    let lines = [old(user("hello").cwd(CWD)), old(agent)];
    session_at(&sandbox, "", CWD, 1, 0, &lines);
    let agents = |without_inline_agents| {
        let options = Options { without_inline_agents, ..Options::default() };
        let list = open(&[sandbox.config()], options).catalog().sessions();
        list.sessions.iter().map(|session| session.agents).collect::<Vec<_>>()
    };
    assert_eq!((agents(false), agents(true)), (vec![1], vec![0]));
}
