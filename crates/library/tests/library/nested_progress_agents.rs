//! Sub-agents that only the progress records of another agent's file have.

use crate::progress_agents::{CWD, counts, found, grepped, index, library, searched};
use library::progress::NoProgress;
use library::session::Session;
use library::sessions::{Part, Selection};
use serde_json::json;
use testkit::{Line, Sandbox, assistant, chained, session_id, tool_result, tool_use, user};

const OUTER: &str = "a1b2c3d";
const INNER: &str = "b2c3d4e";

/// The lines of the inner agent.
fn inner() -> Vec<Line> {
    let edit = json!({"file_path": "/p/gauge.rs", "old_string": "a", "new_string": "b"});
    let plan = json!({"plan": "Dig a channel"});
    let lines = [
        user("Measure the gauge").link("b-1", None),
        tool_use("in-1", "Edit", &edit).link("b-2", Some("b-1")).message("id", "msg_b"),
        tool_result("in-1", "the lantern was lit").link("b-3", Some("b-2")),
        tool_use("in-2", "ExitPlanMode", &plan).link("b-4", Some("b-3")).message("id", "msg_c"),
    ];
    lines.map(|line| line.with("sessionId", session_id(1)).cwd(CWD)).to_vec()
}

/// A session with an agent whose file repeats the lines of an inner agent.
fn store(has_file: bool) -> Sandbox {
    let sandbox = Sandbox::new();
    let own = |line: Line| line.with("sessionId", session_id(1)).cwd(CWD);
    let task = |kind: &str| json!({"subagent_type": kind, "description": "look", "prompt": "Go"});
    let main = chained([
        user("Where is it?"),
        tool_use("t1", "Task", &task("Explore")),
        tool_result("t1", "Found."),
        assistant("There."),
    ]);
    sandbox.session(CWD, &session_id(1), main.into_iter().map(own));
    let mut outer = vec![
        user("Find it").link("a-1", None),
        tool_use("t2", "Task", &task("Plan")).link("a-2", Some("a-1")).message("id", "msg_a"),
    ];
    let repeated = inner().into_iter().map(|line| line.of_agent(INNER).as_progress());
    outer.extend(repeated.map(|line| line.with("parentToolUseID", "t2")));
    outer.push(tool_result("t2", "Measured.").link("a-3", Some("a-2")));
    let outer = outer.into_iter().map(|line| own(line.of_agent(OUTER)));
    sandbox.agent(CWD, &session_id(1), &format!("agent-{OUTER}"), outer);
    if has_file {
        let own = inner().into_iter().map(|line| line.of_agent(INNER));
        sandbox.agent(CWD, &session_id(1), &format!("agent-{INNER}"), own);
    }
    sandbox
}

#[test]
fn inner_agent_is_linked_listed_and_shown_once() {
    for has_file in [false, true] {
        let sandbox = store(has_file);
        let library = library(&sandbox);
        let opened = library.sessions().open_session(&found(&library)).unwrap();
        let agents = opened.agents().agents.iter();
        let agents: Vec<_> =
            agents.map(|agent| (agent.id.as_str(), agent.parent_id.as_deref())).collect();
        let expected = [(OUTER, None), (INNER, Some(OUTER))];
        assert_eq!(agents, expected, "with a file: {has_file}");
        let selection = Selection { part: Part::Agent(INNER.to_owned()), ..Selection::default() };
        let turns = opened.turns(&selection).unwrap();
        let calls: Vec<_> = turns.calls().map(|call| call.tool.to_string()).collect();
        assert_eq!(calls, ["Edit", "ExitPlanMode"], "with a file: {has_file}");
        let outer = Selection { part: Part::Agent(OUTER.to_owned()), ..Selection::default() };
        assert_eq!(opened.turns(&outer).unwrap().calls().count(), 1);
        let calls = opened.calls();
        let calls: Vec<_> = calls
            .calls
            .iter()
            .map(|(agent, call)| (agent.map(|agent| &*calls.agents[agent].id), &*call.tool))
            .collect();
        let expected = [
            (None, "Task"),
            (Some(OUTER), "Task"),
            (Some(INNER), "Edit"),
            (Some(INNER), "ExitPlanMode"),
        ];
        assert_eq!(calls, expected, "with a file: {has_file}");
        let overview = library.prompts().overview(&found(&library));
        assert_eq!(overview.tools.get("Edit").copied(), Some(1));
        assert_eq!(overview.agents, 2);
    }
}

#[test]
fn inner_agent_is_searched_and_grepped_once() {
    for has_file in [false, true] {
        let sandbox = store(has_file);
        let library = library(&sandbox);
        let agent = Some(INNER.to_owned());
        let line = if has_file { 3 } else { 5 };
        let expected = [(agent.clone(), line, 0)];
        assert_eq!(searched(&library, "lantern"), expected, "with a file: {has_file}");
        assert_eq!(searched(&library, &format!("lantern agent:{INNER}")), expected);
        assert_eq!(searched(&library, &format!("lantern agent:{OUTER}")), []);
        assert_eq!(searched(&library, &format!("lantern -agent:{INNER}")), []);
        assert_eq!(grepped(&library, "lantern"), [(agent.clone(), line)]);
        let list = library.catalog().sessions();
        let sessions: Vec<&Session> = list.sessions.iter().collect();
        let (message, _) = library.search().message(&sessions, "b-3", &NoProgress);
        assert_eq!(message.unwrap().agent_id, agent, "with a file: {has_file}");
    }
    let sandbox = store(false);
    let own = [(Some(INNER.to_owned()), 5, 0)];
    assert_eq!(searched(&library(&sandbox), "lantern agent:plan"), own, "by its type");
}

#[test]
fn inner_agent_is_counted_everywhere() {
    for has_file in [false, true] {
        let sandbox = store(has_file);
        assert_eq!(counts(&library(&sandbox)), [2; 5], "with a file: {has_file}");
        library(&sandbox).search().refresh_index(index(), &NoProgress).unwrap();
        assert_eq!(counts(&library(&sandbox)), [2; 5], "with a file: {has_file}, by the index");
    }
}

#[test]
fn inner_agent_is_found_and_opened_by_its_id() {
    let sandbox = store(false);
    let library = library(&sandbox);
    let found = library.catalog().find(INNER, None).unwrap();
    assert_eq!((found.session.id.as_str(), found.id()), (&*session_id(1), INNER));
    let opened = library.sessions().open_session(&found).unwrap();
    assert_eq!(opened.turns(&Selection::default()).unwrap().calls().count(), 2);
    let text = String::from_utf8(opened.own_lines().unwrap()).unwrap();
    assert_eq!(text.lines().filter(|line| !line.is_empty()).count(), 4, "{text}");
    for name in [&*session_id(1), INNER] {
        let found = library.catalog().find(name, None).unwrap();
        let plans = library.sessions().plans(&found).plans;
        let plans: Vec<_> =
            plans.iter().map(|plan| (plan.text.as_str(), plan.agent_id.as_deref())).collect();
        assert_eq!(plans, [("Dig a channel", Some(INNER))], "{name}");
    }
}
