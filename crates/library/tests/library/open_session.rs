//! An open session can be shared between threads, builds each view once, and
//! gives the same answers as the library does without opening it.

use library::progress::NoProgress;
use library::sessions::{
    AgentConversation, OpenError, OpenSession, Part, Selection, SelectionError, TurnNumber,
    TurnRange, View,
};
use library::stores::Tier;
use library::{Library, Options};
use serde_json::json;
use std::fs::File;
use std::io::Write as _;
use std::sync::Arc;
use store::RootOrigin;
use store::limits::LARGEST_LINE;
use testkit::{
    Line, Sandbox, assistant, chained, metadata, session_id, system, tool_result, tool_use, user,
};

const CWD: &str = "/home/ada/tidepool";
const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

fn library(sandbox: &Sandbox) -> Library {
    let roots = vec![(sandbox.config(), RootOrigin::Flag)];
    Library::open(Options { roots, ..Options::default() })
}

fn open(library: &Library, name: &str) -> OpenSession {
    library.sessions().open_session(&library.catalog().find(name, None).unwrap()).unwrap()
}

fn line(line: Line, uuid: &str, parent: Option<&str>) -> Line {
    line.link(uuid, parent).cwd(CWD).with("sessionId", session_id(1))
}

/// The same for an answer, which is a separate response.
fn answer(it: Line, uuid: &str, parent: Option<&str>) -> Line {
    line(it, uuid, parent).message("id", format!("m-{uuid}"))
}

/// Two generations, a branch, an orphaned segment, an agent in a separate file
/// and one written into the transcript.
fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    let side = |it: Line, uuid: &str, parent| line(it, uuid, parent).with("isSidechain", true);
    let task = json!({"subagent_type": "Explore", "description": "look", "prompt": "Survey"});
    let plan = json!({"plan": "# Dig a moat"});
    let lines = [
        line(user("Look at the tides"), "a1", None),
        answer(tool_use("t1", "Task", &task), "a2", Some("a1")),
        line(tool_result("t1", "Sandy."), "a3", Some("a2"))
            .with("toolUseResult", json!({"agentId": "shore"})),
        line(system("compact_boundary"), "b1", None).with("logicalParentUuid", "a3"),
        line(user("We spoke of tides."), "b2", Some("b1")).with("isCompactSummary", true),
        line(user(&format!("Use {SECRET}")), "c1", Some("b2")),
        answer(tool_use("t2", "ExitPlanMode", &plan), "c2", Some("c1")),
        line(user("Never mind"), "d1", Some("c2")),
        side(user("Count crabs"), "s1", None),
        side(assistant("Seven."), "s2", Some("s1")).message("id", "m-s2"),
        line(user("A stray remark"), "o1", Some("gone")).at("2026-01-02T09:00:00Z"),
        line(user("Thank you"), "e1", Some("c2")),
        answer(assistant("Gladly."), "e2", Some("e1")),
    ];
    sandbox.session(CWD, &session_id(1), lines);
    let shore = chained([
        user("Survey"),
        tool_use("g1", "Grep", &json!({"pattern": SECRET})),
        tool_result("g1", "none"),
        assistant("Sandy."),
    ]);
    let shore = shore.into_iter().map(|line| line.with("isSidechain", true).cwd(CWD));
    sandbox.agent(CWD, &session_id(1), "agent-shore", shore);
    sandbox
}

fn prompts(session: &OpenSession, selection: &Selection) -> Vec<String> {
    let selected = session.turns(selection).unwrap();
    selected.selected().iter().filter_map(|turn| turn.prompt().map(str::to_owned)).collect()
}

#[test]
fn an_opened_session_can_be_shared_and_kept() {
    fn is_shared<T: Send + Sync + 'static>() {}
    is_shared::<OpenSession>();
    let sandbox = store();
    let session = Arc::new(open(&library(&sandbox), &session_id(1)));
    let counts = [(); 4].map(|()| {
        let session = Arc::clone(&session);
        std::thread::spawn(move || session.conversation(View::App).messages.len())
    });
    let counts = counts.map(|thread| thread.join().unwrap());
    assert_eq!(counts, [counts[0]; 4]);
}

#[test]
fn every_view_is_made_once() {
    let sandbox = store();
    let session = open(&library(&sandbox), &session_id(1));
    let address = |view| std::ptr::from_ref(session.conversation(view)).addr();
    assert_eq!(address(View::App), address(View::App));
    assert_eq!(address(View::Sdk), address(View::Sdk));
    assert_ne!(address(View::App), address(View::Sdk));
    assert!(std::ptr::eq(session.agents(), session.agents()));
    assert!(std::ptr::eq(session.plans(), session.plans()));
    let shore = session.agents().find("shore").unwrap();
    let own = || session.agent_conversation(shore, View::App).unwrap().conversation();
    assert!(std::ptr::eq(own(), own()));
}

#[test]
fn a_selection_names_a_part_and_a_range_of_its_turns() {
    let sandbox = store();
    let library = library(&sandbox);
    let session = open(&library, &session_id(1));
    let used = format!("Use {SECRET}");
    let inline = session.agents().agents.iter().find(|agent| agent.file.is_none()).unwrap();
    let table = [
        (Part::Present, vec![used.as_str(), "Thank you"]),
        (Part::Whole, vec!["Look at the tides", &used, "Thank you"]),
        (Part::Generation(1), vec!["Look at the tides"]),
        (Part::Generation(2), vec![&used, "Thank you"]),
        (Part::AbandonedBranch(1), vec![&used, "Never mind"]),
        (Part::Agent("shore".to_owned()), vec!["Survey"]),
        (Part::Agent(inline.id.clone()), vec!["Count crabs"]),
    ];
    for (part, expected) in table {
        assert_eq!(prompts(&session, &Selection::of(part.clone())), expected, "{part:?}");
    }
    let ranges = [
        (
            TurnRange { from: Some(TurnNumber::Main(2)), ..TurnRange::default() },
            vec![used.as_str(), "Thank you"],
        ),
        (
            TurnRange { to: Some(TurnNumber::Main(1)), ..TurnRange::default() },
            vec!["Look at the tides"],
        ),
        (TurnRange { last: Some(1), ..TurnRange::default() }, vec!["Thank you"]),
        (
            TurnRange { mentioning: Some("TIDES".into()), ..TurnRange::default() },
            vec!["Look at the tides"],
        ),
    ];
    for (range, expected) in ranges {
        let selection = Selection { range: range.clone(), ..Selection::of(Part::Whole) };
        assert_eq!(prompts(&session, &selection), expected, "{range:?}");
        assert!(!selection.is_whole() && !session.turns(&selection).unwrap().is_complete());
    }
    let mut found = session.found().clone();
    found.inline_agent = Some(inline.id.clone());
    let agent = library.sessions().open_session(&found).unwrap();
    assert_eq!(prompts(&agent, &Selection::of(Part::Whole)), ["Count crabs"]);
    assert!(agent.turns(&Selection::default()).unwrap().annotations().branches.is_empty());
}

#[test]
fn a_selection_of_something_that_is_not_there_says_so() {
    let sandbox = store();
    let session = open(&library(&sandbox), &session_id(1));
    let (three, two) = (TurnNumber::Main(3), TurnNumber::Main(2));
    let reversed = TurnRange { from: Some(three), to: Some(two), ..TurnRange::default() };
    let beyond = TurnRange { from: Some(TurnNumber::Main(99)), ..TurnRange::default() };
    let there = "the session has turns 1 to 3".to_owned();
    let segments = session.conversation(View::App).orphaned_segments.len();
    let early = TurnRange::only(TurnNumber::Branch { branch: 1, turn: 9 });
    let no_turn = |number, there: &str| SelectionError::NoTurn { number, there: there.to_owned() };
    let absent = TurnRange { mentioning: Some("desert".to_owned()), ..TurnRange::default() };
    let all = TurnRange::default();
    let table = [
        (Part::AbandonedBranch(2), &all, SelectionError::NoBranch { number: 2, count: 1 }),
        (Part::AbandonedBranch(0), &all, SelectionError::NoBranch { number: 0, count: 1 }),
        (Part::Generation(3), &all, SelectionError::NoGeneration { number: 3, last: 2 }),
        (Part::Agent("x".to_owned()), &all, SelectionError::NoAgent("x".to_owned())),
        (Part::Whole, &reversed, SelectionError::ReversedRange { from: three, to: two }),
        (Part::Whole, &beyond, no_turn(TurnNumber::Main(99), &there)),
        (
            Part::AbandonedBranch(1),
            &early,
            no_turn(
                TurnNumber::Branch { branch: 1, turn: 9 },
                "abandoned branch 1 has turns 1 to b1.1",
            ),
        ),
        (Part::OrphanedSegment(7), &all, SelectionError::NoSegment { number: 7, count: segments }),
        (Part::Whole, &absent, SelectionError::NotMentioned("desert".to_owned())),
    ];
    for (part, range, expected) in table {
        let selection = Selection { range: range.clone(), ..Selection::of(part) };
        assert_eq!(session.turns(&selection).unwrap_err(), expected);
    }
}

#[test]
fn messages_of_a_selection_are_those_of_its_turns() {
    let sandbox = store();
    let session = open(&library(&sandbox), &session_id(1));
    let uuids = |part| {
        let selected = session.turns(&Selection::of(part)).unwrap();
        selected.messages().into_iter().map(|message| message.uuid).collect::<Vec<_>>()
    };
    assert_eq!(uuids(Part::Present), ["b2", "c1", "c2", "e1", "e2"]);
    assert_eq!(uuids(Part::Whole), ["a1", "a2", "a3", "b2", "c1", "c2", "e1", "e2"]);
    assert_eq!(uuids(Part::Generation(1)), ["a1", "a2", "a3"]);
    assert_eq!(uuids(Part::Agent("shore".to_owned())), ["u1", "u2", "u3", "u4"]);
    assert_eq!(uuids(Part::Agent("s1".to_owned())), ["s1", "s2"]);
}

#[test]
fn calls_plans_and_agents_are_those_of_the_library() {
    let sandbox = store();
    let library = library(&sandbox);
    let found = library.catalog().find(&session_id(1), None).unwrap();
    let session = library.sessions().open_session(&found).unwrap();
    let named = |calls: &library::sessions::SessionCalls<'_>| {
        let agent = |number: &Option<usize>| number.map(|number| calls.agents[number].id.clone());
        let calls = calls.calls.iter();
        calls.map(|(number, call)| (agent(number), call.tool.to_string())).collect::<Vec<_>>()
    };
    let (expected, _) = library.sessions().calls(
        &[&found.session],
        Tier::DiskAndArchive,
        &NoProgress,
        |_, calls| named(calls),
    );
    assert_eq!([named(&session.calls())], *expected);
    assert_eq!(named(&session.calls()).len(), 3);
    assert_eq!(session.plans().plans, library.sessions().plans(&found).plans);
    assert_eq!(session.plans().plans.len(), 1);
    let ids = |tree: &library::sessions::AgentTree| {
        tree.agents.iter().map(|agent| agent.id.clone()).collect::<Vec<_>>()
    };
    assert_eq!(ids(session.agents()), ids(&library.sessions().agents(&found)));
    let agent = open(&library, "shore");
    assert_eq!(agent.own_agent().map(|agent| agent.id.as_str()), Some("shore"));
    assert_eq!(ids(agent.agents()), [""; 0]);
    assert_eq!(named(&agent.calls()), [(None, "Grep".to_owned())]);
}

#[test]
fn secrets_are_masked_once_for_every_view() {
    let sandbox = store();
    let redactor = redact::Redactor::new(redact::Level::Standard, [7; 32]);
    let library = library(&sandbox).masking(Arc::new(redactor));
    let session = open(&library, &session_id(1));
    assert!(!String::from_utf8_lossy(session.bytes()).contains(SECRET));
    let masked = session.masked().iter().map(|masked| masked.line).collect::<Vec<_>>();
    assert_eq!(masked, [6]);
    let shore = session.agents().find("shore").unwrap();
    let own = session.agent_conversation(shore, View::App).unwrap();
    assert_eq!(own.masked().len(), 1);
    assert!(matches!(own, AgentConversation::File { view, .. }
        if !String::from_utf8_lossy(view.bytes()).contains(SECRET)));
}

#[test]
fn a_session_without_a_transcript_is_not_opened() {
    let sandbox = Sandbox::new();
    let lines = [user("Survey").with("isSidechain", true)];
    sandbox.agent(CWD, &session_id(1), "agent-shore", lines);
    sandbox.session(
        CWD,
        &session_id(2),
        [metadata("custom-title", &[("customTitle", "x".into())])],
    );
    let library = library(&sandbox);
    let mut found = library.catalog().find(&session_id(2), None).unwrap();
    found.session.path = None;
    assert_eq!(library.sessions().open_session(&found).unwrap_err(), OpenError::NoTranscript);
    assert_eq!(OpenError::NoTranscript.reason(), "the transcript was deleted");
}

#[test]
fn a_transcript_that_shrank_since_it_was_listed_is_not_opened() {
    let sandbox = store();
    let library = library(&sandbox);
    let found = library.catalog().find(&session_id(1), None).unwrap();
    sandbox.session(CWD, &session_id(1), [user("short")]);
    let error = library.sessions().open_session(&found).unwrap_err();
    assert!(error.reason().contains("shrank"), "{error}");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the sandbox appends no holes")]
fn session_with_a_line_that_is_too_large_is_opened_with_the_lines_around_it() {
    let sandbox = Sandbox::new();
    let before = [
        line(user("Look at the tides"), "a1", None),
        answer(assistant("They are high."), "a2", Some("a1")),
    ];
    let path = sandbox.session(CWD, &session_id(1), before);
    let mut file = File::options().append(true).open(&path).unwrap();
    let size = file.metadata().unwrap().len();
    file.set_len(size + LARGEST_LINE as u64 + 1).unwrap();
    let after = line(user("And now?"), "b1", Some("a2"));
    write!(file, "\n{after}\n").unwrap();
    let library = library(&sandbox);
    assert_eq!(
        prompts(&open(&library, &session_id(1)), &Selection::default()),
        ["Look at the tides", "And now?"]
    );
    let large: Vec<String> =
        library.health().large_lines().iter().map(ToString::to_string).collect();
    assert_eq!(large, ["line 3 is too large: 64 MiB (limit 64 MiB)"]);
}
