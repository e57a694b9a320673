//! Where branches, orphaned segments and agents stand.

use conversation::{AgentNode, Conversation, NodeId, View, agents_without_calls};
use testkit::{Line, assistant, file, system, tool_result, tool_use, user};

/// The branches and orphaned segments of a transcript, with the uuid each stands
/// before.
fn placed(lines: &[Line]) -> Vec<(String, Option<String>)> {
    let bytes = file(lines);
    let conversation = Conversation::read(&bytes, View::App);
    let (chain, turns) = (conversation.full_chain().0, conversation.all_turns());
    let placed = conversation.place_annotations(&chain, &turns);
    let uuid = |id: NodeId| conversation.graph.node(id).uuid.to_string();
    let orphans = placed.orphans.iter().map(|orphan| {
        let first = orphan.segment.messages.first().copied().map(uuid);
        (format!("orphan {}", first.unwrap_or_default()), orphan.before.map(uuid))
    });
    let branches = placed
        .branches
        .iter()
        .map(|branch| (format!("branch {}", branch.number), branch.before.map(uuid)));
    orphans.chain(branches).collect()
}

fn at(name: &str, before: Option<&str>) -> (String, Option<String>) {
    (name.to_owned(), before.map(str::to_owned))
}

#[test]
fn a_branch_stands_before_the_message_that_follows_the_record_it_left_from() {
    let lines = [
        user("One").link("a", None),
        assistant("Yes").link("b", Some("a")),
        user("Dropped").link("x", Some("b")),
        user("Two").link("c", Some("b")),
        assistant("Yes").link("d", Some("c")),
    ];
    assert_eq!(placed(&lines), [at("branch 1", Some("c"))]);
}

#[test]
fn a_branch_from_the_beginning_stands_before_the_first_message() {
    let lines = [
        user("Dropped").link("x", None),
        user("One").link("a", None),
        assistant("Yes").link("b", Some("a")),
    ];
    assert_eq!(placed(&lines), [at("branch 1", Some("a"))]);
}

#[test]
fn a_branch_skips_records_that_are_not_shown() {
    // The answer of a call is shown at the call and has no separate step.
    let lines = [
        user("One").link("a", None),
        tool_use("t1", "Read", &serde_json::json!({})).link("b", Some("a")),
        user("Dropped").link("x", Some("b")),
        tool_result("t1", "text").link("c", Some("b")),
        system("turn_duration").link("n", Some("c")),
        assistant("Done").link("d", Some("n")),
    ];
    assert_eq!(placed(&lines), [at("branch 1", Some("d"))]);
}

#[test]
fn an_orphaned_segment_stands_where_the_file_has_it() {
    // An hour apart: a line soon after another is taken to follow it.
    let lines = [
        user("One").link("a", None),
        user("Stray").link("o", Some("gone")),
        assistant("Yes").link("b", Some("a")),
        user("Two").link("c", Some("b")),
        assistant("Yes").link("d", Some("c")),
        user("Late").link("p", Some("missing")),
        system("turn_duration").link("n", Some("d")),
        user("Three").link("e", Some("d")),
    ];
    let hourly = |(hour, line): (usize, Line)| line.at(&format!("2026-01-02T{hour:02}:00:00Z"));
    let lines: Vec<Line> = lines.into_iter().enumerate().map(hourly).collect();
    assert_eq!(placed(&lines), [at("orphan o", Some("b")), at("orphan p", Some("e"))]);
}

#[test]
fn the_branch_that_is_shown_is_not_placed() {
    let lines = [
        user("One").link("a", None),
        user("Dropped").link("x", Some("a")),
        user("Two").link("b", Some("a")),
    ];
    let bytes = file(&lines);
    let conversation = Conversation::read(&bytes, View::App);
    let chain = conversation.chain_of_branch(&conversation.branches[0]);
    let turns = conversation.turns_of(&chain);
    assert!(conversation.place_annotations(&chain, &turns).branches.is_empty());
}

fn agent(id: &str, parent: Option<&str>, call: Option<&str>, group: Option<&str>) -> AgentNode {
    AgentNode {
        id: id.to_owned(),
        parent_id: parent.map(str::to_owned),
        tool_use_id: call.map(str::to_owned),
        workflow: group.map(|_| "run".to_owned()),
        phase: group.map(str::to_owned),
        ..AgentNode::default()
    }
}

#[test]
fn agents_without_a_shown_call_come_last_by_workflow_and_phase() {
    let agents = [
        agent("called", None, Some("t1"), None),
        agent("weigh-1", None, None, Some("weigh")),
        agent("orphaned", None, Some("t9"), None),
        agent("count-1", None, None, Some("count")),
        agent("weigh-2", None, None, Some("weigh")),
        agent("below", Some("called"), Some("g1"), None),
    ];
    let nodes: Vec<&AgentNode> = agents.iter().collect();
    let ids = |places: Vec<usize>| {
        places.into_iter().map(|place| nodes[place].id.as_str()).collect::<Vec<_>>()
    };
    let grouped = ["weigh-1", "weigh-2", "orphaned", "count-1"];
    // Folded agents take those below them along.
    assert_eq!(ids(agents_without_calls(&nodes, ["t1"], |_| None)), grouped);
    // An agent that is shown has its own at its calls.
    let calls = |place: usize| Some(if place == 0 { vec!["g1"] } else { Vec::new() });
    assert_eq!(ids(agents_without_calls(&nodes, ["t1"], calls)), grouped);
    // Where the call is missing there too, nothing gets lost.
    let with_below = ["weigh-1", "weigh-2", "orphaned", "below", "count-1"];
    assert_eq!(ids(agents_without_calls(&nodes, ["t1"], |_| Some(Vec::new()))), with_below);
}
