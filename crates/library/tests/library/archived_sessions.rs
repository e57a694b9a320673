//! Files that are gone from disk and in the archive give the same answers.

use library::catalog::{FindError, FoundSession, ProjectScope};
use library::progress::NoProgress;
use library::session::{Presence, UnlistedReason};
use library::stores::Tier;
use library::{Library, Options};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::testing::{MemoryShelf, PanickingShelf};
use store::{PathCase, RootOrigin, SessionKind, Shelf, folder_name};
use testkit::{Line, Sandbox, assistant, call, metadata, session_id, tool_result, tool_use, user};

const CWD: &str = "/home/ada/tidepool";
const FOLDER: &str = "projects/-home-ada-tidepool";
const INLINE: &str = "aaaaaaaa-0000-4000-8000-00000000000a";

/// A library of one root.
fn open(root: &Path, origin: RootOrigin, shelf: impl Shelf + 'static) -> Library {
    Library::open(Options {
        roots: vec![(root.to_owned(), origin)],
        shelf: Some(Arc::new(shelf)),
        ..Options::default()
    })
}

fn named(sandbox: &Sandbox, shelf: impl Shelf + 'static) -> Library {
    open(&sandbox.config(), RootOrigin::Flag, shelf)
}

fn own(number: u32, lines: impl IntoIterator<Item = Line>) -> Vec<Line> {
    lines.into_iter().map(|line| line.session(&session_id(number))).collect()
}

/// A store in which one session has a file of every kind, and another shares
/// lines with it.
fn rich() -> Sandbox {
    let sandbox = Sandbox::new();
    let ask = json!({"subagent_type": "Explore", "description": "look", "prompt": "look there"});
    let persisted = json!({"persistedOutputPath": "/x/tool-results/big.txt"});
    let lines = [
        user("Measure the tide").link("u1", None).with("slug", "calm-sea"),
        tool_use("t1", "Task", &ask).link("u2", Some("u1")),
        tool_result("t1", "done")
            .link("u3", Some("u2"))
            .with("toolUseResult", json!({"agentId": "a1"})),
        tool_use("t2", "Bash", &json!({"command": "ls"})).link("u4", Some("u3")),
        tool_result("t2", "<persisted-output>")
            .link("u5", Some("u4"))
            .with("toolUseResult", persisted),
        call("msg_1", [10, 20, 30, 40]).link("u6", Some("u5")),
        user("inline").link(INLINE, None).with("isSidechain", true),
        metadata("custom-title", &[("customTitle", json!("Harbour lights"))]),
    ];
    let path = sandbox.session(CWD, &session_id(1), own(1, lines));
    sandbox.set_modified(&path, 1_700_000_000);
    let fork = [
        user("Measure the tide").link("u1", None),
        call("msg_1", [10, 20, 30, 40]).link("u6", Some("u1")).forked_into(&session_id(2)),
        call("msg_2", [1, 2, 3, 4]).link("v1", Some("u6")),
    ];
    sandbox.session(CWD, &session_id(2), own(2, fork));
    let agent = |name: &str, id: &str| {
        let lines = [user("look there"), call(id, [5, 6, 7, 8]).of_agent("a1")];
        sandbox.agent(CWD, &session_id(1), name, own(1, lines));
    };
    agent("agent-a1", "msg_a1");
    agent("workflows/wf_1/agent-a2", "msg_a2");
    let below = format!("{FOLDER}/{}", session_id(1));
    sandbox.write(&format!("{below}/subagents/agent-a1.meta.json"), r#"{"agentType":"Explore"}"#);
    sandbox.write(&format!("{below}/workflows/wf_1.json"), r#"{"workflowName":"tide"}"#);
    sandbox.write(&format!("{below}/tool-results/big.txt"), "much output");
    let flat = own(1, [user("flat"), call("msg_b1", [9, 9, 9, 9]).of_agent("b1")]);
    sandbox.write(&format!("{FOLDER}/agent-b1.jsonl"), testkit::file(&flat));
    sandbox.write("plans/calm-sea.md", "# The plan");
    sandbox.write(&format!("file-history/{}/x@v1", session_id(1)), "before");
    let history = json!({"display": "Measure the tide", "timestamp": 1_767_323_045_678_u64,
        "project": CWD, "sessionId": session_id(1)});
    sandbox.write("history.jsonl", format!("{history}\n"));
    sandbox
}

/// Everything the library returns for a session, as text that does not show
/// where it was read from.
fn answers_of(library: &Library, name: &str) -> String {
    let found = library.catalog().find(name, None).unwrap();
    let session = &found.session;
    let (prompts, read_errors) = library.prompts().prompts_of(&found);
    let (calls, unread) =
        library.sessions().calls(&[session], Tier::DiskAndArchive, &NoProgress, |_, calls| {
            let calls = calls.calls.iter().map(|(agent, call)| format!("{agent:?} {}", call.tool));
            calls.collect::<Vec<_>>()
        });
    let mut lines = 0;
    let each = |_: transcript::Line<'_>| {
        lines += 1;
        Ok::<_, ()>(true)
    };
    library.sessions().read_records(found.path().unwrap(), each).unwrap().unwrap();
    let opened = library.sessions().open_session(&found).unwrap();
    let answers = format!(
        "{found:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{prompts:?}\n{calls:?}\n{:?}\n{:?}\n{lines} {}\n{read_errors:?} {unread:?}",
        library.prompts().overview(&found),
        library.sessions().agents(&found),
        opened.agents(),
        library.sessions().plans(&found),
        library.sessions().tool_output(session, "/x/tool-results/big.txt"),
        library.catalog().relatives(&found),
        opened.bytes().len(),
    );
    answers
        .replace("presence: Archive", "presence: Disk")
        .replace("is_archive_only: true", "is_archive_only: false")
}

fn presence(library: &Library, name: &str) -> (String, Presence) {
    let found = library.catalog().find(name, None).unwrap();
    (found.id().to_owned(), found.session.presence)
}

/// The totals of all calls in all files.
fn used(library: &Library) -> (usize, usize, Vec<String>, usize) {
    let mut source = library.usage().read(true, &NoProgress);
    assert!(source.read_errors.is_empty(), "{:?}", source.read_errors);
    library.usage().name_agents(&mut source, &NoProgress);
    let calls = source.calls.calls.iter().map(|call| {
        let session = source.session(call).map(|session| session.heading().map(str::to_owned));
        format!("{:?} {:?} {:?}", call.counters, session, source.agent_type(call))
    });
    let mut calls: Vec<String> = calls.collect();
    calls.sort();
    (source.files.len(), calls.len(), calls, library.usage().lines("msg_1", &NoProgress).0.len())
}

#[test]
fn archived_session_answers_as_on_disk() {
    let sandbox = rich();
    let shelf = MemoryShelf::of(&sandbox.config());
    let library = || named(&sandbox, shelf.clone());
    let plain = Library::open(Options {
        roots: vec![(sandbox.config(), RootOrigin::Flag)],
        ..Options::default()
    });
    let names = [session_id(1), session_id(2), "a1".to_owned(), "b1".to_owned()];
    let before: Vec<String> = names.iter().map(|name| answers_of(&plain, name)).collect();
    let totals = used(&plain);
    assert!(before[0].contains("much output") && before[0].contains("# The plan"));
    assert!(before[0].contains("wf_1") && before[0].contains("relation: Fork"));
    assert!(before[0].contains("backups: (1, 6)"));
    assert_eq!((totals.0, totals.1), (5, 6), "{totals:?}");
    let compare = |what: &str| {
        for (name, before) in names.iter().zip(&before) {
            assert_eq!(&answers_of(&library(), name), before, "{what}: {name}");
        }
        assert_eq!(used(&library()), totals, "{what}");
    };
    compare("everything is on disk");
    sandbox.remove_folder(&sandbox.config().join(FOLDER));
    assert_eq!(presence(&library(), &session_id(1)).1, Presence::Archive);
    compare("the project folder is gone");
    sandbox.remove_folder(&sandbox.config());
    compare("the root is gone");
    assert!(library().health().unusable_roots().is_empty());
    assert!(
        library().catalog().sessions().sessions.is_empty()
            && library().catalog().sessions().read_errors.is_empty()
    );
}

#[test]
fn sessions_on_disk_are_listed_and_found_without_the_archive() {
    let sandbox = rich();
    let library = open(&sandbox.config(), RootOrigin::Home, PanickingShelf);
    assert_eq!(library.catalog().sessions().listed().count(), 2);
    assert_eq!(library.health().unusable_roots().len(), 0);
    let scope = ProjectScope {
        folders: vec![CWD.to_owned()],
        exact: false,
        case: PathCase::Exact,
        within: None,
    };
    assert!(library.catalog().find("@", Some(&scope)).is_ok());
    // Their folders are on disk too, so the archive is not asked for more.
    for name in [&session_id(1), "00000001", "a1"] {
        assert_eq!(presence(&library, name).1, Presence::Disk, "{name}");
    }
    assert!(
        library.health().diagnose(jiff::Timestamp::UNIX_EPOCH, &NoProgress).read_errors.is_empty()
    );
    let tried = Library::open(Options {
        roots: vec![
            (sandbox.config(), RootOrigin::Home),
            (sandbox.config().join("no-legacy"), RootOrigin::Legacy),
        ],
        shelf: Some(Arc::new(PanickingShelf)),
        ..Options::default()
    });
    assert_eq!(
        tried.catalog().sessions().listed().count(),
        2,
        "places that are only tried are not asked for"
    );
}

#[test]
fn archived_session_is_found_by_all_its_names() {
    let sandbox = rich();
    let shelf = MemoryShelf::of(&sandbox.config());
    sandbox.remove_folder(&sandbox.projects());
    let library = named(&sandbox, shelf);
    let path = sandbox.config().join(FOLDER).join(session_id(1) + ".jsonl");
    let agent = path.with_extension("").join("subagents/agent-a1.jsonl");
    let (path, agent) = (path.to_str().unwrap(), agent.to_str().unwrap());
    let table = [
        (session_id(1).as_str(), session_id(1)),
        ("00000001", session_id(1)),
        ("harbour", session_id(1)),
        ("a1", "a1".to_owned()),
        ("b1", "b1".to_owned()),
        (INLINE, INLINE.to_owned()),
        (path, session_id(1)),
        (agent, "a1".to_owned()),
        ("@1", session_id(2)),
    ]
    .map(|(name, id)| (name.to_owned(), id));
    for (name, id) in table {
        assert_eq!(presence(&library, &name), (id, Presence::Archive), "{name}");
    }
    let error = library.catalog().find("0000000", None).unwrap_err();
    assert!(matches!(error, FindError::Ambiguous { candidates, .. } if candidates.len() == 2));
    assert!(
        matches!(library.catalog().find(&session_id(3), None), Err(FindError::NotFound { nearest, .. }) if nearest.len() == 2)
    );
}

#[test]
fn sessions_on_disk_win_over_archived_ones_for_a_name() {
    let sandbox = Sandbox::new();
    let titled = |number, title: &str| {
        let title = metadata("custom-title", &[("customTitle", json!(title))]);
        sandbox.session(CWD, &session_id(number), [user("hello"), title])
    };
    let gone = titled(0x10, "quiet sea");
    titled(0x11, "quiet harbour");
    titled(0x12, "storm");
    let history = json!({"display": "hello", "timestamp": 1, "sessionId": session_id(0x10)});
    sandbox.write("history.jsonl", format!("{history}\n"));
    let shelf = MemoryShelf::of(&sandbox.config());
    sandbox.remove(&gone);
    let library = named(&sandbox, shelf);
    let ambiguous = |name: &str| match library.catalog().find(name, None) {
        Err(FindError::Ambiguous { candidates, .. }) => candidates.len(),
        other => panic!("{other:?}"),
    };
    assert_eq!(presence(&library, "quiet"), (session_id(0x11), Presence::Disk));
    assert_eq!(presence(&library, "sea"), (session_id(0x10), Presence::Archive));
    assert_eq!(presence(&library, "00000010"), (session_id(0x10), Presence::Archive));
    assert_eq!(ambiguous("0000001"), 2, "those on disk");
    sandbox.remove(&sandbox.projects().join(folder_name(CWD)).join(session_id(0x12) + ".jsonl"));
    assert_eq!(presence(&library, "0000001"), (session_id(0x11), Presence::Disk));
}

#[test]
fn file_on_disk_wins_over_its_archived_copy() {
    let sandbox = Sandbox::new();
    let id = session_id(1);
    let newer = sandbox.session("/a", &id, [user("newer")]);
    let same = sandbox.session("/b", &id, [user("as it was")]);
    let shelf = MemoryShelf::of(&sandbox.config());
    sandbox.remove(&newer);
    sandbox.write(
        same.strip_prefix(sandbox.config()).unwrap().to_str().unwrap(),
        user("as it is").to_string(),
    );
    sandbox.set_modified(&same, 100);
    let library = named(&sandbox, shelf);
    let list = library.catalog().all_sessions();
    let [session] = &list.sessions[..] else { panic!("{:?}", list.sessions) };
    let found = (session.path.as_ref(), session.presence, session.heading());
    assert_eq!(found, (Some(&same), Presence::Disk, Some("as it is")));
    assert_eq!(session.copies, [newer], "the archived file of the same path is not a copy");
    assert!(library.catalog().deleted_from_disk().0.is_empty());
}

#[test]
fn deleted_session_is_archived_or_prompts_only() {
    let sandbox = Sandbox::new();
    let paths = [1, 2].map(|number| sandbox.session(CWD, &session_id(number), [user("hello")]));
    let entry = |number: u32| {
        let id = session_id(number);
        json!({"display": "hi", "timestamp": 1_000_000 * number, "sessionId": id}).to_string()
    };
    sandbox.write("history.jsonl", [1, 2, 3].map(entry).join("\n"));
    let shelf = MemoryShelf::of(&sandbox.config());
    sandbox.remove(&paths[0]);
    let library = named(&sandbox, shelf);
    let (gone, read_errors) = library.catalog().deleted_from_disk();
    assert!(read_errors.is_empty());
    let gone: Vec<_> = gone.into_iter().map(|session| (session.id, session.presence)).collect();
    let (kept, remembered) = (Presence::Archive, Presence::PromptsOnly);
    assert_eq!(gone, [(session_id(1), kept), (session_id(3), remembered)]);
    let only = library.catalog().prompts_only(&library.catalog().sessions()).0;
    assert_eq!(only.len(), 1, "an archived session is not prompts only");
    assert_eq!((&only[0].id, only[0].presence), (&session_id(3), remembered));
}

#[test]
fn archived_roots_count_unless_roots_are_given() {
    let sandbox = rich();
    let elsewhere = PathBuf::from("/home/ada/of-another-machine/.claude");
    let shelf = MemoryShelf::of(&sandbox.config()).moved_to(&elsewhere);
    sandbox.remove_folder(&sandbox.projects());
    let kept = |origin| {
        let library = open(&sandbox.config(), origin, shelf.clone());
        let roots: Vec<_> = library
            .archive()
            .archived_roots()
            .iter()
            .map(|root| (root.path.clone(), root.origin))
            .collect();
        (
            roots,
            library.catalog().deleted_from_disk().0.len(),
            library.usage().read(false, &NoProgress).files.len(),
        )
    };
    for origin in [RootOrigin::Flag, RootOrigin::Demo] {
        assert_eq!(kept(origin), (Vec::new(), 1, 0), "the history still remembers one");
    }
    for origin in [RootOrigin::Home, RootOrigin::Environment, RootOrigin::Configuration] {
        assert_eq!(kept(origin), (vec![(elsewhere.clone(), RootOrigin::Archive)], 2, 5));
    }
    let library = open(&sandbox.config(), RootOrigin::Home, shelf.clone());
    let text = answers_of(&library, "harbour");
    assert!(text.contains("# The plan") && text.contains("much output"));
    let nothing = Library::open(Options {
        roots: vec![(sandbox.config().join("nowhere"), RootOrigin::Home)],
        shelf: Some(Arc::new(shelf)),
        ..Options::default()
    });
    assert_eq!((nothing.catalog().roots().len(), nothing.health().unusable_roots().len()), (0, 1));
    assert_eq!(presence(&nothing, "harbour"), (session_id(1), Presence::Archive));
}

#[test]
fn root_from_the_archive_has_only_archived_sessions() {
    let (here, other) = (Sandbox::new(), Sandbox::new());
    let path = other.session(CWD, &session_id(1), [user("kept, and still on disk")]);
    let gone = other.session(CWD, &session_id(3), [user("kept")]);
    let shelf = MemoryShelf::of(&other.config());
    other.session(CWD, &session_id(2), [user("never kept")]);
    other.remove(&gone);
    let library = open(&here.config(), RootOrigin::Home, shelf);
    assert!(library.catalog().sessions().sessions.is_empty());
    let list = library.catalog().all_sessions();
    let mut found: Vec<_> = list
        .sessions
        .iter()
        .map(|session| (session.path.clone().unwrap(), session.presence))
        .collect();
    found.sort_by(|one, two| one.0.cmp(&two.0));
    assert_eq!(found, [(path, Presence::Disk), (gone, Presence::Archive)]);
}

#[test]
fn root_under_another_path_counts_its_calls_once() {
    let sandbox = Sandbox::new();
    // Only their places distinguish these.
    let nameless = || call("", [1, 2, 3, 4]).without("uuid").without("requestId");
    let gone = sandbox.session(CWD, &session_id(1), [nameless()]);
    sandbox.session(CWD, &session_id(2), [nameless()]);
    let shelf = MemoryShelf::of(&sandbox.config());
    let link = sandbox.link("../linked", &sandbox.config());
    let library = open(&link, RootOrigin::Home, shelf);
    let count = || library.usage().read(false, &NoProgress).calls.calls.len();
    assert_eq!(count(), 2);
    sandbox.remove(&gone);
    assert_eq!(count(), 2);
}

#[test]
fn pre_compact_copy_replaces_its_session_unless_archived() {
    let sandbox = Sandbox::new();
    let live = sandbox.session(CWD, &session_id(1), [user("live")]);
    let copy = |number: u32| {
        let name = format!("pre-compact-session-histories/{}-1.jsonl", session_id(number));
        sandbox.write(&name, user("copied").to_string())
    };
    let copies = [copy(1), copy(2)];
    let sealed = named(&sandbox, PanickingShelf);
    sandbox.remove(&copies[1]);
    assert_eq!(
        sealed.catalog().sessions().listed().count(),
        1,
        "with its session there, nobody is asked"
    );
    copy(2);
    let shelf = MemoryShelf::of(&sandbox.config());
    sandbox.remove(&live);
    let library = named(&sandbox, shelf);
    let mut sessions = library.catalog().sessions().sessions;
    sessions.sort_by(|one, two| one.id.cmp(&two.id));
    let found: Vec<_> =
        sessions.iter().map(|session| (session.unlisted, session.metadata.kind)).collect();
    assert_eq!(
        found,
        [
            (Some(UnlistedReason::PreCompactCopy), SessionKind::Interactive),
            (None, SessionKind::PreCompactCopy),
        ]
    );
    let all = library.catalog().all_sessions();
    let first = all.sessions.iter().find(|session| session.id == session_id(1)).unwrap();
    assert_eq!((first.presence, first.heading()), (Presence::Archive, Some("live")));
    assert_eq!(first.copies, [copies[0].clone()]);
    assert_eq!(presence(&library, &session_id(1)), (session_id(1), Presence::Archive));
    assert_eq!(presence(&library, &session_id(2)), (session_id(2), Presence::Disk));
}

#[test]
fn remaining_agents_lead_to_the_archived_session() {
    let sandbox = rich();
    let shelf = MemoryShelf::of(&sandbox.config());
    sandbox.remove(&sandbox.config().join(FOLDER).join(session_id(1) + ".jsonl"));
    let library = named(&sandbox, shelf);
    for name in ["a1", "b1"] {
        let FoundSession { session, agent, .. } = library.catalog().find(name, None).unwrap();
        assert_eq!((session.id, session.presence), (session_id(1), Presence::Archive));
        assert!(!agent.unwrap().is_archive_only, "it is on disk");
    }
    sandbox.agent(CWD, &session_id(1), "agent-a3", own(1, [assistant("new")]));
    let found = library.catalog().find(&session_id(1), None).unwrap();
    assert_eq!(
        library.sessions().agents(&found).files.len(),
        4,
        "those on disk and those that are kept"
    );
}

#[test]
fn unreadable_archive_entries_are_reported() {
    #[derive(Debug)]
    struct Damaged(MemoryShelf);
    impl Shelf for Damaged {
        fn roots(&self) -> Vec<PathBuf> {
            self.0.roots()
        }
        fn entries(&self, folder: &Path) -> Vec<store::ShelfEntry> {
            self.0.entries(folder)
        }
        fn find(&self, path: &Path) -> Option<store::ShelfStat> {
            self.0.find(path)
        }
        fn open(&self, _: &Path) -> std::io::Result<Box<dyn store::ShelfFile>> {
            Err(std::io::Error::other("its pieces do not fit"))
        }
    }
    let sandbox = Sandbox::new();
    let path = sandbox.session(CWD, &session_id(1), [user("hello")]);
    let shelf = Damaged(MemoryShelf::of(&sandbox.config()));
    sandbox.remove(&path);
    let library = named(&sandbox, shelf);
    let list = library.catalog().all_sessions();
    // It is listed, but its content is unknown.
    assert_eq!(list.sessions[0].id, session_id(1));
    assert_eq!(list.sessions[0].heading(), None);
    assert_eq!(
        list.read_errors[0].to_string(),
        format!("{}: its pieces do not fit", path.display())
    );
}
