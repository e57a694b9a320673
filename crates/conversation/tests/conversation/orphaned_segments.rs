//! Orphaned segments: where the gap is, and how the ids of damaged lines close it.

use conversation::{Conversation, GapPlace, MessageState, StepKind, View};
use testkit::{Line, assistant, user};

fn text(lines: &[String]) -> Vec<u8> {
    lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect()
}

fn at(line: &Line, hour: u32) -> String {
    line.clone().at(&format!("2026-01-02T{hour:02}:00:00Z")).to_string()
}

fn prompt(uuid: &str, parent: Option<&str>, hour: u32) -> String {
    at(&user(&format!("prompt {uuid}")).link(uuid, parent), hour)
}

fn reply(uuid: &str, parent: &str, hour: u32) -> String {
    at(&assistant("x").link(uuid, Some(parent)).message("id", format!("of {uuid}")), hour)
}

/// A line whose content a redactor broke.
fn broken(line: &str) -> String {
    line.replacen("\"content\":", "\"content\":[REDACTED],", 1)
}

/// The segments: (gaps, missing record, messages).
fn segments(conversation: &Conversation<'_>) -> Vec<(String, String, String)> {
    let uuid = |id| conversation.graph.node(id).uuid.to_string();
    let segments = conversation.orphaned_segments.iter().map(|segment| {
        let gaps = segment.gaps.iter().map(|gap| {
            let line = gap.damaged_line.map(|line| format!(" {line}")).unwrap_or_default();
            format!("{}{line}", gap.place.name())
        });
        let messages: Vec<String> = segment.messages.iter().copied().map(uuid).collect();
        (gaps.collect::<Vec<_>>().join(", "), segment.missing.clone(), messages.join(" "))
    });
    segments.collect()
}

fn row(gaps: &str, missing: &str, messages: &str) -> (String, String, String) {
    (gaps.to_owned(), missing.to_owned(), messages.to_owned())
}

fn chain(conversation: &Conversation<'_>) -> String {
    let uuids = conversation.chain.iter().map(|id| conversation.graph.node(*id).uuid.to_string());
    uuids.collect::<Vec<_>>().join(" ")
}

#[test]
fn gap_is_before_a_segment_with_a_missing_parent() {
    let bytes = text(&[
        prompt("x", Some("gone"), 1),
        reply("y", "x", 2),
        prompt("a", None, 3),
        reply("b", "a", 4),
    ]);
    let found = Conversation::read(&bytes, View::App);
    assert_eq!(segments(&found), [row("before", "gone", "x y")]);
}

#[test]
fn gap_is_after_a_segment_that_goes_back_to_a_root() {
    let bytes = text(&[
        prompt("a", None, 1),
        reply("b", "a", 2),
        prompt("c", Some("gone"), 3),
        reply("d", "c", 4),
    ]);
    let found = Conversation::read(&bytes, View::App);
    assert_eq!(segments(&found), [row("after", "gone", "a b")]);
    assert_eq!(found.orphaned_segments[0].gaps[0].place, GapPlace::After);
}

#[test]
fn ids_of_a_damaged_line_close_the_gap() {
    let bytes = text(&[
        prompt("a", None, 1),
        broken(&reply("b", "a", 2)),
        prompt("c", Some("b"), 3),
        reply("d", "c", 4),
    ]);
    let found = Conversation::read(&bytes, View::App);
    assert_eq!((chain(&found), segments(&found).len()), ("a b c d".to_owned(), 0));
    assert_eq!(found.branches, []);
    let messages: Vec<&str> = found.messages.iter().map(|message| &*message.uuid).collect();
    assert_eq!(messages, ["a", "c", "d"], "a damaged line is not a message");
    let state = found.graph.find("a").and_then(|id| found.state(id));
    assert_eq!(state, Some(MessageState::Live));
    let turns = found.turns();
    let notices: Vec<String> = turns
        .turns
        .iter()
        .flat_map(|turn| &turn.steps)
        .filter_map(|step| match &step.kind {
            StepKind::Notice(kind, text) => Some(format!("{kind}: {text}")),
            _ => None,
        })
        .collect();
    assert_eq!(notices, ["damaged: line 2 of the transcript cannot be read"]);
    let official = Conversation::read(&bytes, View::Sdk);
    assert_eq!(chain(&official), "c d", "the official reader does not know the line");
}

#[test]
fn several_damaged_lines_in_a_row_close_the_gap() {
    let bytes = text(&[
        prompt("a", None, 1),
        broken(&reply("b", "a", 2)),
        broken(&prompt("c", Some("b"), 3)),
        reply("d", "c", 4),
    ]);
    let found = Conversation::read(&bytes, View::App);
    assert_eq!((chain(&found), segments(&found).len()), ("a b c d".to_owned(), 0));
}

#[test]
fn gap_is_at_the_damaged_line_if_its_parent_cannot_be_read() {
    let cut = |line: &str| line.split_once(',').map(|(_, rest)| rest.to_owned());
    let bytes = text(&[
        prompt("a", None, 1),
        cut(&reply("b", "a", 2)).expect("a line with several members"),
        prompt("c", Some("b"), 3),
        reply("d", "c", 4),
    ]);
    let found = Conversation::read(&bytes, View::App);
    assert_eq!(segments(&found), [row("after 2", "b", "a")]);
}

#[test]
fn damaged_line_inside_a_segment_is_named() {
    let bytes = text(&[
        prompt("x", Some("gone"), 1),
        broken(&reply("y", "x", 2)),
        prompt("z", Some("y"), 3),
        prompt("a", None, 5),
        reply("b", "a", 6),
    ]);
    let found = Conversation::read(&bytes, View::App);
    assert_eq!(segments(&found), [row("before, inside 2", "gone", "x z")]);
}

#[test]
fn damaged_lines_that_nobody_names_change_nothing() {
    let intact = [prompt("a", None, 1), reply("b", "a", 2)];
    for damaged in [
        broken(&prompt("c", Some("b"), 3)),
        broken(&prompt("c", None, 3)),
        "{\"uuid\":\"c\"".to_owned(),
        "not JSON".to_owned(),
        // Its uuid is that of an intact line.
        broken(&prompt("b", Some("c"), 3)),
    ] {
        let bytes = text(&[&intact[..], std::slice::from_ref(&damaged)].concat());
        let found = Conversation::read(&bytes, View::App);
        assert_eq!(chain(&found), "a b", "{damaged}");
        assert_eq!((found.branches.len(), found.orphaned_segments.len()), (0, 0), "{damaged}");
    }
}

#[test]
fn torn_last_line_is_not_part_of_the_conversation() {
    let mut bytes = text(&[prompt("a", None, 1), prompt("c", Some("b"), 3)]);
    bytes.extend(broken(&reply("b", "a", 2)).into_bytes());
    let found = Conversation::read(&bytes, View::App);
    assert_eq!(segments(&found), [row("after", "b", "a")]);
}

#[test]
fn damaged_lines_that_name_each_other_end_the_walk() {
    let bytes = text(&[
        broken(&reply("x", "y", 1)),
        broken(&reply("y", "x", 2)),
        broken(&reply("z", "z", 2)),
        prompt("a", Some("y"), 3),
        prompt("b", Some("z"), 9),
    ]);
    let found = Conversation::read(&bytes, View::App);
    assert_eq!(chain(&found), "b");
}
