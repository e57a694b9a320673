//! Sub-agents whose lines the progress records of a session repeat.

use conversation::{
    AgentFile, AgentScan, Conversation, Evidence, Graph, NodeId, Outcome, View, link_agents,
};
use serde_json::json;
use testkit::{Line, assistant, chained, file, tool_result, tool_use, user};

/// The lines of the agent `a1`, which calls a tool.
fn agent() -> [Line; 3] {
    [
        user("Look at the tide").link("a-1", None),
        tool_use("in-1", "Read", &json!({"file_path": "/p/tide.rs"})).link("a-2", Some("a-1")),
        tool_result("in-1", "high water").link("a-3", Some("a-2")),
    ]
}

/// The progress record that repeats a line of the agent.
fn progress(line: &Line) -> Line {
    line.clone().as_progress().with("parentToolUseID", "t1")
}

/// A session that starts the agent `a1`; with progress records, or with records in their
/// place that repeat nothing.
fn session(has_progress: bool) -> Vec<u8> {
    let task = json!({"subagent_type": "Explore", "description": "look", "prompt": "Another text"});
    let mut lines = vec![user("Where is the tide?"), tool_use("t1", "Task", &task)];
    lines.extend(agent().iter().map(|line| {
        let other = json!({"type": "bash_progress"});
        if has_progress { progress(line) } else { progress(line).with("data", other) }
    }));
    lines.extend([tool_result("t1", "It is high."), assistant("High water.")]);
    file(&chained(lines))
}

fn scan(bytes: &[u8]) -> AgentScan {
    let mut scan = AgentScan::default();
    for entry in transcript::entries(bytes) {
        scan.note(entry.line, &entry.record, true);
    }
    scan
}

fn uuids(graph: &Graph<'_>, lines: &[NodeId]) -> Vec<String> {
    lines.iter().map(|line| graph.node(*line).uuid.to_string()).collect()
}

#[test]
fn agent_in_progress_records_is_linked_at_its_call() {
    let agents = link_agents(&scan(&session(true)), Vec::new());
    let [agent] = &agents[..] else { panic!("{agents:?}") };
    assert_eq!((agent.id.as_str(), agent.file), ("a1", None));
    assert_eq!(agent.tool_use_id.as_deref(), Some("t1"));
    assert_eq!(agent.evidence, Some(Evidence::Progress));
    assert_eq!(agent.kind.as_deref(), Some("Explore"), "from the call");
    assert_eq!((agent.lines, agent.calls), (3, 1));
    assert_eq!(agent.outcome, Some(Outcome::Done), "its answer is the result of the call");
    assert!(link_agents(&scan(&session(false)), Vec::new()).is_empty());
}

#[test]
fn agent_with_a_file_is_not_in_progress_records_too() {
    let own = AgentFile { id: "a1".to_owned(), ..AgentFile::default() };
    let mut notes = AgentScan::default();
    for entry in transcript::entries(&file(&agent())) {
        notes.note(entry.line, &entry.record, false);
    }
    let agents = link_agents(&scan(&session(true)), vec![(own, notes)]);
    assert_eq!(agents.iter().map(|agent| agent.file).collect::<Vec<_>>(), [Some(0)]);
}

#[test]
fn lines_in_progress_records_are_an_agent_beside_the_conversation() {
    let (with, without) = (session(true), session(false));
    for view in [View::App, View::Sdk] {
        let [one, two] = [&with, &without].map(|bytes| Conversation::read(bytes, view));
        assert_eq!(uuids(&one.graph, &one.chain), uuids(&two.graph, &two.chain), "{view:?}");
        assert_eq!(one.messages.len(), two.messages.len(), "{view:?}");
        assert!(one.branches.is_empty() && one.orphaned_segments.is_empty(), "{view:?}");
        assert!(two.inline_agents().is_empty());
    }
    let read = Conversation::read(&with, View::App);
    let agents = read.inline_agents();
    let [(id, lines)] = &agents[..] else { panic!("{agents:?}") };
    assert_eq!(id, "a1");
    assert_eq!(uuids(&read.graph, lines), ["a-1", "a-2", "a-3"]);
    let turns = read.inline_turns(lines);
    let calls: Vec<_> = turns.calls.all().iter().map(|call| call.tool.to_string()).collect();
    assert_eq!((turns.turns.len(), calls), (1, vec!["Read".to_owned()]));
    let official = Conversation::read(&with, View::Sdk);
    assert!(official.inline_agents().is_empty(), "the official reader does not read them");
}

#[test]
fn line_in_a_progress_record_never_replaces_a_line_of_the_session() {
    let mut bytes = session(true);
    // An agent that claims the uuid of the session's first prompt.
    let claim = progress(&user("forged").link("u1", None)).link("u9", Some("u7"));
    bytes.extend(file(&[claim]));
    let read = Conversation::read(&bytes, View::App);
    let first = read.graph.find("u1").unwrap();
    assert!(!read.graph.node(first).is_sidechain);
    assert_eq!(uuids(&read.graph, &read.chain)[0], "u1");
}
