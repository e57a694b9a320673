//! Sub-agents that only progress records have, followed.

use crate::watch::event::{Event, EventKind};
use crate::watch::follower::{Follower, WatchScope};
use crate::watch::tests::{CWD, open};
use serde_json::json;
use std::path::PathBuf;
use store::WatchedChange;
use testkit::{Line, Sandbox, assistant, session_id, tool_result, tool_use, user};

const AGENT: &str = "a1b2c3d";

/// The events of agents: which agent, and what happened.
fn of_agents(events: &[Event]) -> Vec<String> {
    let events = events.iter().filter_map(|event| {
        let agent = event.agent_id.as_deref()?;
        let text = match &event.what {
            EventKind::AgentStarted(agent) => {
                let kind = agent.meta.agent_type.as_deref().unwrap_or("-");
                format!("started {kind}, parent {:?}", agent.meta.parent_agent_id)
            }
            EventKind::AgentEnded(outcome) => format!("ended {}", outcome.name()),
            EventKind::Message(message) => {
                let turn = message.turn.map(|turn| turn.to_string()).unwrap_or_default();
                format!("message {} in turn {turn}", message.uuid)
            }
            EventKind::CallStarted(called) => format!("call {}", called.id),
            EventKind::CallEnded(called) => format!("result {}", called.id),
            EventKind::Retracted(retracted) => format!("retracted {:?}", retracted.uuids),
            other => format!("{other:?}"),
        };
        Some(format!("{agent}: {text}"))
    });
    events.collect()
}

fn own(line: Line) -> Line {
    line.with("sessionId", session_id(1)).cwd(CWD)
}

fn task(id: &str, kind: &str) -> Line {
    tool_use(id, "Task", &json!({"subagent_type": kind, "description": "look", "prompt": "Go"}))
}

/// The lines of an agent.
fn lines(agent: &str) -> Vec<Line> {
    let link = |line: Line, number: u8| {
        let parent = (number > 1).then(|| format!("{agent}-{}", number - 1));
        line.link(&format!("{agent}-{number}"), parent.as_deref()).of_agent(agent)
    };
    let read = tool_use("in-1", "Read", &json!({"file_path": "/p/gauge.rs"}));
    let lines = [user("Find it"), read, tool_result("in-1", "the lantern was lit")];
    let lines = lines.into_iter().zip(1..).map(|(line, number)| own(link(line, number)));
    lines.collect()
}

fn repeated(agent: &str, call: &str) -> Vec<String> {
    let lines = lines(agent).into_iter();
    let lines = lines.map(|line| own(line.as_progress().with("parentToolUseID", call)));
    lines.map(|line| format!("{line}\n")).collect()
}

/// A session that has just started an agent.
fn session_with_a_task() -> (Sandbox, PathBuf) {
    let sandbox = Sandbox::new();
    let begin = [user("Where?").link("u1", None), task("t1", "Explore").link("u2", Some("u1"))];
    let path = sandbox.session(CWD, &session_id(1), begin.map(own));
    (sandbox, path)
}

#[test]
fn agent_in_progress_records_has_a_lane() {
    let (sandbox, path) = session_with_a_task();
    let library = open(&sandbox);
    let session = library.catalog().find_id(&session_id(1)).unwrap();
    let mut follower = Follower::new(library.watch(), WatchScope::Session(Box::new(session)));
    assert_eq!(of_agents(&follower.begin()), Vec::<String>::new());
    let changed = WatchedChange::Files([path.clone()].into());
    let lines = repeated(AGENT, "t1");
    sandbox.append(&path, lines[..2].concat());
    let expected = [
        "started Explore, parent None",
        "message a1b2c3d-1 in turn 1",
        "message a1b2c3d-2 in turn 1",
        "call in-1",
    ];
    let of_agent = |texts: &[&str]| -> Vec<String> {
        texts.iter().map(|text| format!("{AGENT}: {text}")).collect()
    };
    assert_eq!(of_agents(&follower.changed(&changed)), of_agent(&expected));
    // A line that is repeated again is not reported again.
    sandbox.append(&path, [lines[1].as_str(), lines[2].as_str()].concat());
    let expected = ["message a1b2c3d-3 in turn 1", "result in-1"];
    assert_eq!(of_agents(&follower.changed(&changed)), of_agent(&expected));
    let end = own(tool_result("t1", "Found.").link("u3", Some("u2")));
    sandbox.append(&path, format!("{end}\n"));
    assert_eq!(of_agents(&follower.changed(&changed)), of_agent(&["ended done"]));
    // A follower that begins later reports the same, as the past.
    let session = library.catalog().find_id(&session_id(1)).unwrap();
    let mut later = Follower::new(library.watch(), WatchScope::Session(Box::new(session)));
    let events = later.begin();
    assert_eq!(of_agents(&events).len(), 7, "{:?}", of_agents(&events));
    assert!(events.iter().filter(|event| event.agent_id.is_some()).all(|event| event.is_past));
}

#[test]
fn agent_with_a_file_has_one_lane() {
    let (sandbox, path) = session_with_a_task();
    let library = open(&sandbox);
    let session = library.catalog().find_id(&session_id(1)).unwrap();
    let mut follower = Follower::new(library.watch(), WatchScope::Session(Box::new(session)));
    follower.begin();
    sandbox.append(&path, repeated(AGENT, "t1").concat());
    follower.changed(&WatchedChange::Files([path.clone()].into()));
    let file = sandbox.agent(CWD, &session_id(1), &format!("agent-{AGENT}"), lines(AGENT));
    let events = of_agents(&follower.changed(&WatchedChange::Files([file].into())));
    assert!(events[0].contains("retracted"), "{events:?}");
    let messages = events.iter().filter(|event| event.contains("message"));
    assert_eq!(messages.count(), 3, "{events:?}");
    // From now on, the progress records say nothing new.
    let again = own(assistant("More").link("a1b2c3d-4", Some("a1b2c3d-3")).of_agent(AGENT));
    let again = own(again.as_progress().with("parentToolUseID", "t1"));
    sandbox.append(&path, format!("{again}\n"));
    let events = follower.changed(&WatchedChange::Files([path].into()));
    assert_eq!(of_agents(&events), Vec::<String>::new());
}

#[test]
fn agent_in_progress_records_of_an_agent_has_a_lane_below_it() {
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), [own(user("Where?").link("u1", None))]);
    let outer = own(task("t2", "Plan").link("b-1", None).of_agent("b2c3d4e")).to_string() + "\n";
    let outer = outer + &repeated(AGENT, "t2").concat();
    sandbox.agent(CWD, &session_id(1), "agent-b2c3d4e", [outer.trim_end()]);
    let library = open(&sandbox);
    let session = library.catalog().find_id(&session_id(1)).unwrap();
    let mut follower = Follower::new(library.watch(), WatchScope::Session(Box::new(session)));
    let events = of_agents(&follower.begin());
    let started = format!("{AGENT}: started Plan, parent Some(\"b2c3d4e\")");
    assert!(events.contains(&started), "{events:?}");
    assert!(events.contains(&format!("{AGENT}: message a1b2c3d-3 in turn 1")), "{events:?}");
}
