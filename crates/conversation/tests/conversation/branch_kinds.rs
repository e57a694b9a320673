//! Why a branch was abandoned: each kind, and the evidence it needs.

use conversation::{BranchKind, Conversation, View};
use serde_json::{Value, json};
use testkit::{Line, assistant, file, metadata, tool_result, tool_use, user};

/// The branches: (kind, messages, whether it is minor).
fn branches(lines: &[Line]) -> Vec<(&'static str, String, bool)> {
    let bytes = file(lines);
    let conversation = Conversation::read(&bytes, View::App);
    let uuid = |id| conversation.graph.node(id).uuid.to_string();
    let row = |branch: &conversation::Branch| {
        let messages: Vec<String> = branch.messages.iter().copied().map(uuid).collect();
        (branch.kind.name(), messages.join(" "), branch.is_minor())
    };
    conversation.branches.iter().map(row).collect()
}

fn prompt(uuid: &str, parent: &str) -> Line {
    user(&format!("prompt {uuid}")).link(uuid, Some(parent))
}

fn reply(uuid: &str, parent: &str) -> Line {
    assistant("x").link(uuid, Some(parent)).message("id", format!("of {uuid}"))
}

fn command(name: &str, uuid: &str, parent: &str) -> Line {
    user(&format!("<command-name>/{name}</command-name>")).link(uuid, Some(parent))
}

fn output(uuid: &str, parent: &str) -> Line {
    user("<local-command-stdout>Bye!</local-command-stdout>").link(uuid, Some(parent))
}

fn caveat(uuid: &str, parent: &str) -> Line {
    user("Caveat").link(uuid, Some(parent)).with("isMeta", true)
}

/// A prompt and its answer.
fn beginning() -> Vec<Line> {
    vec![user("one").link("a", None), reply("b", "a")]
}

fn after_beginning(lines: Vec<Line>) -> Vec<Line> {
    [beginning(), lines].concat()
}

/// A second turn, which is then abandoned.
fn second() -> Vec<Line> {
    vec![prompt("c", "b"), reply("d", "c")]
}

fn leaf(uuid: Value, flags: &[&str]) -> Line {
    let line = metadata("last-prompt", &[("leafUuid", uuid)]);
    flags.iter().fold(line, |line, flag| line.with(flag, true))
}

#[test]
fn resumed_session_after_exit_is_not_a_rewind() {
    let exit = |name| vec![caveat("m", "b"), command(name, "c", "m"), output("d", "c")];
    let resumed = || vec![prompt("g", "b"), reply("h", "g")];
    for name in ["exit", "quit"] {
        assert_eq!(
            branches(&after_beginning([exit(name), resumed()].concat())),
            [("exit", "m c d".to_owned(), true)],
            "{name}"
        );
    }
    let long = vec![command("exit", "e", "d"), output("f", "e")];
    assert_eq!(
        branches(&after_beginning([second(), long, resumed()].concat())),
        [("exit", "c d e f".to_owned(), false)],
        "a turn before the exit stays in sight"
    );
    let other = vec![command("cost", "c", "b"), output("d", "c")];
    assert_eq!(
        branches(&after_beginning([other, resumed()].concat())),
        [("edit", "c d".to_owned(), false)],
        "another command"
    );
}

#[test]
fn chains_written_at_the_same_time_are_parallel() {
    let lines = after_beginning(vec![
        prompt("c", "b"),
        prompt("g", "b"),
        reply("d", "c"),
        reply("h", "g"),
        prompt("e", "d"),
        prompt("i", "h"),
    ]);
    assert_eq!(branches(&lines), [("parallel", "c d e".to_owned(), false)]);
    let lines = after_beginning(vec![
        prompt("c", "b"),
        reply("d", "c"),
        prompt("g", "b"),
        reply("h", "g"),
        prompt("e", "d"),
        reply("f", "e"),
    ]);
    assert_eq!(branches(&lines), [("parallel", "g h".to_owned(), false)], "the first goes on");
}

#[test]
fn late_lines_of_a_branch_that_stopped_do_not_make_it_parallel() {
    let late_result = after_beginning(vec![
        prompt("c", "b"),
        tool_use("t", "Bash", &json!({})).link("d", Some("c")).message("id", "of d"),
        prompt("g", "b"),
        tool_result("t", "interrupted").link("e", Some("d")),
        reply("h", "g"),
    ]);
    assert_eq!(branches(&late_result), [("edit", "c d e".to_owned(), false)]);
    let written_late = after_beginning(vec![
        prompt("c", "b").at("2026-01-02T04:00:00Z"),
        prompt("g", "b").at("2026-01-02T04:00:09Z"),
        reply("d", "c").at("2026-01-02T04:00:05Z"),
        reply("h", "g").at("2026-01-02T04:00:19Z"),
    ]);
    assert_eq!(branches(&written_late), [("edit", "c d".to_owned(), false)]);
    let left_late = after_beginning(vec![
        prompt("g", "b"),
        reply("h", "g"),
        command("exit", "c", "b"),
        prompt("i", "h"),
        reply("j", "i"),
    ]);
    assert_eq!(branches(&left_late), [("exit", "c".to_owned(), true)], "the other process left");
}

#[test]
fn recorded_rewind_outweighs_everything_else() {
    let third = || vec![prompt("e", "d"), command("exit", "f", "e")];
    for (name, record) in [
        ("explicit", leaf(json!("b"), &["explicit"])),
        ("rewound", leaf(json!("b"), &["rewound"])),
        ("the first message that was cut", leaf(json!("h"), &["rewound"]).with("cutUuid", "c")),
    ] {
        let again = vec![record, prompt("g", "b"), reply("h", "g"), leaf(json!("h"), &[])];
        let lines = after_beginning([second(), third(), again].concat());
        assert_eq!(branches(&lines), [("edit", "c d e f".to_owned(), false)], "{name}");
    }
    let only_rewound = [second(), third(), vec![leaf(json!("b"), &["explicit"])]].concat();
    assert_eq!(branches(&after_beginning(only_rewound)), [("rewind", "c d e f".to_owned(), false)]);
    // The record of an earlier rewind says nothing about a later branch.
    let earlier =
        vec![leaf(json!("b"), &["explicit"]), command("exit", "c", "b"), prompt("g", "b")];
    let lines = after_beginning([earlier, vec![reply("h", "g"), leaf(json!("h"), &[])]].concat());
    assert_eq!(branches(&lines), [("exit", "c".to_owned(), true)]);
}

#[test]
fn new_prompt_inside_an_answer_is_a_rewind() {
    let lines = after_beginning(
        [second(), vec![reply("e", "d"), prompt("f", "e"), prompt("g", "d"), reply("h", "g")]]
            .concat(),
    );
    assert_eq!(branches(&lines), [("rewind", "e f".to_owned(), false)]);
}

#[test]
fn cleared_conversation_without_an_answer_is_not_an_edit() {
    let cleared = vec![command("clear", "c", "b"), output("d", "c")];
    let next = || vec![prompt("g", "b"), reply("h", "g")];
    let lines = after_beginning([cleared.clone(), next()].concat());
    assert_eq!(branches(&lines), [("retry", "c d".to_owned(), true)]);
    let answered = [cleared, vec![reply("e", "d")], next()].concat();
    assert_eq!(branches(&after_beginning(answered)), [("edit", "c d e".to_owned(), false)]);
}

#[test]
fn branch_without_evidence_is_unexplained() {
    let answered_again =
        after_beginning([second(), vec![prompt("e", "d"), reply("g", "c")]].concat());
    assert_eq!(branches(&answered_again), [("unexplained", "d e".to_owned(), false)]);
    // The recorded position is the older chain, though nobody went back to it.
    let newer = after_beginning([second(), vec![leaf(json!("d"), &[])]].concat());
    let newer = [newer, vec![prompt("g", "b"), reply("h", "g")]].concat();
    assert_eq!(branches(&newer), [("unexplained", "g h".to_owned(), false)]);
}

#[test]
fn every_kind_has_its_name() {
    let names = [
        (BranchKind::Edit, "edit"),
        (BranchKind::Rewind, "rewind"),
        (BranchKind::Exit, "exit"),
        (BranchKind::Parallel, "parallel"),
        (BranchKind::Unexplained, "unexplained"),
        (BranchKind::Retry, "retry"),
    ];
    for (kind, name) in names {
        assert_eq!(kind.name(), name);
    }
}
