//! Compactions of version 1.0.x: a summary that is a root, without a boundary.

use conversation::{ContextUsage, Conversation, MessageState, NodeId, View};
use serde_json::json;
use testkit::{Line, assistant, attachment, file, system, user};

fn read(lines: &[Line]) -> Conversation<'static> {
    let bytes: &'static [u8] = file(lines).leak();
    Conversation::read(bytes, View::App)
}

fn uuids(conversation: &Conversation<'_>, ids: &[NodeId]) -> String {
    let uuids: Vec<_> =
        ids.iter().map(|id| conversation.graph.node(*id).uuid.to_string()).collect();
    uuids.join(" ")
}

fn generations(conversation: &Conversation<'_>) -> Vec<String> {
    conversation.generations().map(|ids| uuids(conversation, ids)).collect()
}

fn prompt(uuid: &str, parent: Option<&str>) -> Line {
    user(&format!("prompt {uuid}")).link(uuid, parent)
}

fn reply(uuid: &str, parent: &str) -> Line {
    let usage = json!({"input_tokens": 100, "output_tokens": 5});
    let line = assistant("x").link(uuid, Some(parent)).message("id", format!("of {uuid}"));
    line.message("usage", usage)
}

fn summary(uuid: &str) -> Line {
    user("This session is being continued").link(uuid, None).with("isCompactSummary", true)
}

/// Three generations.
fn lines() -> Vec<Line> {
    vec![
        prompt("a", None),
        reply("b", "a"),
        user("look").link("agent", None).with("isSidechain", true),
        summary("s"),
        prompt("c", Some("s")),
        reply("d", "c"),
        system("informational").link("n", Some("d")),
        summary("t"),
        prompt("e", Some("t")),
        reply("f", "e"),
    ]
}

#[test]
fn old_compactions_begin_generations() {
    let found = read(&lines());
    assert_eq!(generations(&found), ["a b", "s c d", "t e f"]);
    assert_eq!((found.branches.len(), found.orphaned_segments.len()), (0, 0));
    assert_eq!(uuids(&found, &found.compactions), "s t");
    let state = |uuid: &str| found.graph.find(uuid).and_then(|id| found.state(id));
    for uuid in ["a", "b", "s", "c", "d"] {
        assert_eq!(state(uuid), Some(MessageState::Compacted), "{uuid}");
    }
    for uuid in ["t", "e", "f"] {
        assert_eq!(state(uuid), Some(MessageState::Live), "{uuid}");
    }
    let compaction = found.compaction(found.compactions[0]);
    assert_eq!(compaction.summary.as_deref(), Some("This session is being continued"));
    assert_eq!((compaction.trigger, compaction.before), (None, None));
}

#[test]
fn context_counts_the_calls_before_old_compactions() {
    let usage = ContextUsage::of(&read(&lines()));
    let calls: Vec<u64> = usage.generations.iter().map(|generation| generation.calls).collect();
    assert_eq!((usage.calls.len(), calls), (3, vec![1, 1, 1]));
}

#[test]
fn a_branch_before_an_old_compaction_is_still_a_branch() {
    let mut lines = lines();
    lines.insert(2, prompt("abandoned", Some("a")));
    lines.insert(3, prompt("instead", Some("a")));
    lines.remove(1);
    let found = read(&lines);
    assert_eq!(generations(&found), ["a instead", "s c d", "t e f"]);
    let branches: Vec<_> =
        found.branches.iter().map(|branch| uuids(&found, &branch.messages)).collect();
    assert_eq!(branches, ["abandoned"]);
}

#[test]
fn summary_with_nothing_before_it_compacts_nothing() {
    let found = read(&[summary("s"), prompt("c", Some("s"))]);
    assert_eq!((generations(&found), found.compactions.len()), (vec!["s c".to_owned()], 0));
}

#[test]
fn root_summary_after_a_boundary_is_the_same_compaction() {
    let found = read(&[
        prompt("a", None),
        reply("b", "a"),
        system("compact_boundary").link("y", None).with("logicalParentUuid", "b"),
        attachment(&json!({"type": "hook_success"})).link("h", Some("y")),
        summary("s"),
        prompt("c", Some("s")),
    ]);
    assert_eq!(generations(&found), ["a b", "s c"]);
    assert_eq!(uuids(&found, &found.compactions), "y");
}

#[test]
fn old_compaction_whose_reply_comes_first_is_read_once() {
    let found = read(&[reply("b", "s"), summary("s")]);
    assert_eq!(generations(&found), ["s b"]);
}
