//! Finding names and messages in a given set of sessions only.

use library::catalog::FindError;
use library::progress::{NoProgress, Progress};
use library::session::Session;
use library::sessions::Role;
use library::{Library, Options};
use serde_json::json;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use store::RootOrigin;
use testkit::{
    Sandbox, answered, assistant, chained, metadata, session_id, tool_result, tool_use, user,
};

fn library(sandbox: &Sandbox) -> Library {
    let roots = vec![(sandbox.config(), RootOrigin::Flag)];
    Library::open(Options { roots, ..Options::default() })
}

fn titled(sandbox: &Sandbox, number: u32, title: &str) {
    let id = session_id(number);
    let title =
        metadata("custom-title", &[("customTitle", json!(title)), ("sessionId", json!(id))]);
    let mut lines = chained([user("Hello"), assistant("Hi")]);
    lines.push(title);
    let path = sandbox.session("/p", &id, lines);
    sandbox.set_modified(&path, 1_769_000_000 + i64::from(number));
}

#[test]
fn name_is_searched_only_in_the_given_sessions() {
    let sandbox = Sandbox::new();
    titled(&sandbox, 0x1000_0001, "Fix the login");
    titled(&sandbox, 0x1000_0002, "Fix the logout");
    titled(&sandbox, 0x2000_0003, "Plan the login");
    let agent = user("Look").with("isSidechain", true).with("agentId", "abcdef12");
    sandbox.agent("/p", &session_id(0x2000_0003), "agent-abcdef12", [agent]);
    let library = library(&sandbox);
    let list = library.catalog().sessions();
    let among = |numbers: &[u32]| -> Vec<&Session> {
        let is_one = |session: &&Session| numbers.iter().any(|it| session_id(*it) == session.id);
        list.sessions.iter().filter(is_one).collect()
    };
    let (one, two, three) = (0x1000_0001, 0x1000_0002, 0x2000_0003);
    let all = [one, two, three];
    let table: [(&str, &[u32], Option<u32>); 12] = [
        (&session_id(one), &all, Some(one)),
        (&session_id(one), &[two, three], None),
        ("1000", &[one, three], Some(one)),
        ("1000", &all, None),
        ("login", &[one, two], Some(one)),
        ("login", &all, None),
        ("@", &all, Some(three)),
        ("@", &[one, two], Some(two)),
        ("@9", &all, None),
        ("abcdef12", &all, Some(three)),
        ("abcdef12", &[one, two], None),
        ("/p/../x.jsonl", &all, None),
    ];
    for (name, numbers, expected) in table {
        let found =
            library.catalog().find_in(name, &among(numbers)).ok().map(|found| found.session.id);
        assert_eq!(found, expected.map(session_id), "{name} among {numbers:x?}");
    }
    let Err(FindError::NotFound { nearest, .. }) =
        library.catalog().find_in("2000", &among(&[one]))
    else {
        panic!("found")
    };
    assert_eq!(nearest.len(), 1);
    assert!(matches!(
        library.catalog().find_in("1000", &among(&all)),
        Err(FindError::Ambiguous { .. })
    ));
    assert!(matches!(
        library.catalog().find_in(" ", &among(&all)),
        Err(FindError::NotAName { .. })
    ));
}

#[test]
fn message_is_complete_with_calls_and_results() {
    let sandbox = Sandbox::new();
    let mut lines = vec![user("Run it")];
    lines.extend(answered(
        "t1",
        "Bash",
        &json!({"command": "ls"}),
        "out",
        json!({"stdout": "out"}),
    ));
    lines.push(tool_use("t2", "Bash", &json!({"command": "annals ls"})));
    lines.push(tool_result("t2", "recalled"));
    sandbox.session("/p", &session_id(1), chained(lines));
    let library = library(&sandbox);
    let list = library.catalog().sessions();
    let all: Vec<&Session> = list.sessions.iter().collect();
    let parts_of = |id: &str| {
        let (found, read_errors) = library.search().message(&all, id, &NoProgress);
        assert!(read_errors.is_empty());
        let parts = found.map(|found| found.parts).unwrap_or_default().into_iter();
        let parts = parts.map(|it| (it.role, it.tool, it.text, it.is_own_words, it.is_recall));
        parts.collect::<Vec<_>>()
    };
    let bash = || Some("Bash".to_owned());
    let call = (Role::ToolUse, bash(), r#"{"command":"ls"}"#.to_owned(), true, false);
    let answer = (Role::ToolResult, bash(), "out".to_owned(), false, false);
    assert_eq!(parts_of("u1"), [(Role::User, None, "Run it".to_owned(), true, false)]);
    assert_eq!(parts_of("u2"), std::slice::from_ref(&call));
    assert_eq!(parts_of("u3"), std::slice::from_ref(&answer));
    assert_eq!(parts_of("t1"), [call, answer]);
    assert!(parts_of("t2").iter().all(|(.., is_recall)| *is_recall));
    assert!(parts_of("t9").is_empty() && parts_of("").is_empty());
    assert!(library.search().message(&[], "u1", &NoProgress).0.is_none());
}

#[test]
fn message_with_many_calls_reads_its_session_once() {
    const CALLS: usize = 3_000;
    let sandbox = Sandbox::new();
    let id = |number: usize| format!("toolu_{number:06}");
    let calls = (0..CALLS).map(|number| {
        json!({"type": "tool_use", "id": id(number), "name": "Bash", "input": {"command": "ls"}})
    });
    let mut lines = vec![assistant("").message("content", calls.collect::<Vec<_>>())];
    lines.extend((0..CALLS).map(|number| tool_result(&id(number), &"out ".repeat(400))));
    sandbox.session("/p", &session_id(1), chained(lines));
    let library = library(&sandbox);
    let list = library.catalog().sessions();
    let all: Vec<&Session> = list.sessions.iter().collect();
    // Reading it for each call would take a quarter of an hour.
    let (found, _) = library.search().message(&all, "u1", &NoProgress);
    assert_eq!(found.unwrap().parts.len(), CALLS);
}

#[test]
fn repeated_call_is_returned_once() {
    let sandbox = Sandbox::new();
    let result = json!({"type": "tool_result", "tool_use_id": "t1", "content": "out"});
    let lines = [
        tool_use("t1", "Bash", &json!({"command": "ls"})),
        user("").message("content", vec![result; 500]),
    ];
    sandbox.session("/p", &session_id(1), chained(lines));
    let library = library(&sandbox);
    let list = library.catalog().sessions();
    let all: Vec<&Session> = list.sessions.iter().collect();
    let (found, _) = library.search().message(&all, "u2", &NoProgress);
    assert_eq!(found.unwrap().parts.len(), 1);
}

/// Has a deadline, and counts what was read and what was left out.
struct Hurry {
    deadline: Instant,
    read: AtomicU64,
    left_out: AtomicU64,
}

impl Hurry {
    fn within(patience: Duration) -> Hurry {
        let deadline = Instant::now() + patience;
        Hurry { deadline, read: AtomicU64::new(0), left_out: AtomicU64::new(0) }
    }
}

impl Progress for Hurry {
    fn start(&self, _: u64) {}

    fn advance(&self, _: u64) {
        self.read.fetch_add(1, Ordering::Relaxed);
    }

    fn finish(&self) {}

    fn deadline(&self) -> Option<Instant> {
        Some(self.deadline)
    }

    fn leave_out(&self) {
        self.left_out.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn reading_stops_after_the_message_or_at_the_deadline() {
    let sandbox = Sandbox::new();
    for number in 1..=20 {
        titled(&sandbox, number, "One of many");
    }
    let library = library(&sandbox);
    let list = library.catalog().sessions();
    let all: Vec<&Session> = list.sessions.iter().collect();
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let counted = |hurry: &Hurry| {
        (hurry.read.load(Ordering::Relaxed), hurry.left_out.load(Ordering::Relaxed))
    };
    // Its lines have the same ids in all of them.
    let hurry = Hurry::within(Duration::from_mins(10));
    let found = one.install(|| library.search().message(&all, "u1", &hurry).0).unwrap();
    assert_eq!((found.session, counted(&hurry)), (0, (1, 0)));
    let late = Hurry::within(Duration::ZERO);
    assert!(one.install(|| library.search().message(&all, "u1", &late).0).is_none());
    assert_eq!(counted(&late), (0, 20));
}

#[test]
fn unknown_id_error_names_similar_ids() {
    let sandbox = Sandbox::new();
    let uuid = |first: &str, number: u32| format!("{first}-0000-4000-8000-{number:012}");
    let call = |id: &str| tool_use(id, "Bash", &json!({}));
    for session in [1, 2] {
        let lines = [
            user("one").link(&uuid("c052c021", 1), None),
            user("two").link(&uuid("c052c021", 22), Some(&uuid("c052c021", 1))),
            user("three").link(&uuid("c052c0ff", 3), Some(&uuid("c052c021", 22))),
            call("toolu_01AbcdefGhi").link(&uuid("d0000000", session), None),
        ];
        let path = sandbox.session("/p", &session_id(session), lines);
        sandbox.set_modified(&path, 1_769_000_000 - i64::from(session));
    }
    let library = library(&sandbox);
    let list = library.catalog().sessions();
    let all: Vec<&Session> = list.sessions.iter().collect();
    let near = |id: &str| library.search().near_messages(&all, id, &NoProgress);
    let (one, two) = (uuid("c052c021", 1), uuid("c052c021", 22));
    // The second session is a copy; only its last line is new.
    assert_eq!(near("c052c021"), [(0, one.clone()), (0, two.clone())]);
    assert_eq!(near(&uuid("c052c021", 23)), [(0, two), (0, one)]);
    assert_eq!(near("c052").len(), 3);
    assert_eq!(near("d0000000-0000-4000-8000-000000000002x")[0].0, 1);
    assert_eq!(near("toolu_01Abcdefxyz"), [(0, "toolu_01AbcdefGhi".to_owned())]);
    for nothing in ["", "c05", "ffffffff", "toolu_01Bbcdefxyz", "日本語日本語日本語"] {
        assert_eq!(near(nothing), [], "{nothing}");
    }
    assert_eq!(library.search().near_messages(&all, "c052", &Hurry::within(Duration::ZERO)), []);
}
