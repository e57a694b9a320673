//! Everything outside the current conversation: branches, generations and orphaned
//! segments.

use conversation::{Branch, BranchKind, Conversation, MessageState, NodeId, View};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use testkit::{Line, assistant, attachment, file, metadata, system, tool_result, tool_use, user};

fn read(lines: &[Line]) -> Conversation<'static> {
    let bytes: &'static [u8] = file(lines).leak();
    Conversation::read(bytes, View::App)
}

fn uuids(conversation: &Conversation<'_>, ids: &[NodeId]) -> Vec<String> {
    ids.iter().map(|id| conversation.graph.node(*id).uuid.to_string()).collect()
}

/// The lines of each state.
fn states(conversation: &Conversation<'_>) -> BTreeMap<&'static str, String> {
    let mut states: BTreeMap<&str, String> = BTreeMap::new();
    for id in conversation.graph.ids() {
        if let Some(state) = conversation.state(id).map(MessageState::name) {
            let line = states.entry(state).or_default();
            *line += &format!(" {}", conversation.graph.node(id).uuid);
        }
    }
    states
}

fn prompt(text: &str, uuid: &str, parent: Option<&str>) -> Line {
    user(text).link(uuid, parent)
}

/// An answer in a separate response.
fn reply(uuid: &str, parent: &str) -> Line {
    assistant("x").link(uuid, Some(parent)).message("id", format!("of {uuid}"))
}

fn rewound_to(leaf: Value) -> Line {
    metadata("last-prompt", &[("leafUuid", leaf), ("explicit", json!(true))])
}

/// A prompt and its answer.
fn beginning() -> Vec<Line> {
    vec![prompt("one", "a", None), reply("b", "a")]
}

/// (kind, the line before it, its messages, its first prompt, its prompts)
type BranchRow = (BranchKind, Option<String>, Vec<String>, Option<String>, usize);

fn branch_row(conversation: &Conversation<'_>, branch: &Branch) -> BranchRow {
    let from = branch.from.map(|id| conversation.graph.node(id).uuid.to_string());
    let messages = uuids(conversation, &branch.messages);
    (branch.kind, from, messages, branch.prompt.clone(), branch.prompts)
}

fn branches(conversation: &Conversation<'_>) -> Vec<BranchRow> {
    conversation.branches.iter().map(|branch| branch_row(conversation, branch)).collect()
}

fn branch(kind: BranchKind, from: &str, messages: &str, prompt: &str, prompts: usize) -> BranchRow {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let messages = messages.split_whitespace().map(str::to_owned).collect();
    (kind, some(from), messages, some(prompt), prompts)
}

#[test]
fn branches_are_edits_rewinds_or_retries() {
    let abandoned = || vec![prompt("two", "c", Some("b")), reply("d", "c")];
    let second = || vec![prompt("three", "e", Some("d")), reply("f", "e")];
    let caveat = || user("Caveat").link("m", Some("b")).with("isMeta", true);
    let table = [
        (
            "a prompt in other words",
            [abandoned(), vec![prompt("2", "g", Some("b")), reply("h", "g")]].concat(),
            branch(BranchKind::Edit, "b", "c d", "two", 1),
        ),
        (
            "with a line of the app between",
            [abandoned(), vec![caveat(), prompt("2", "g", Some("m")), reply("h", "g")]].concat(),
            branch(BranchKind::Edit, "b", "c d", "two", 1),
        ),
        (
            "gone back, no message since",
            [abandoned(), second(), vec![rewound_to(json!("b"))]].concat(),
            branch(BranchKind::Rewind, "b", "c d e f", "two", 2),
        ),
        (
            "gone back into the middle of an answer",
            [abandoned(), second(), vec![rewound_to(json!("c"))]].concat(),
            branch(BranchKind::Rewind, "c", "d e f", "three", 1),
        ),
        (
            "gone back to nothing",
            vec![rewound_to(Value::Null)],
            branch(BranchKind::Rewind, "", "a b", "one", 1),
        ),
        (
            "begun anew",
            vec![prompt("1", "g", None), reply("h", "g")],
            branch(BranchKind::Edit, "", "a b", "one", 1),
        ),
        ("answered again", vec![reply("g", "a")], branch(BranchKind::Retry, "a", "b", "", 0)),
    ];
    for (what, lines, expected) in table {
        let conversation = read(&[beginning(), lines].concat());
        assert_eq!(branches(&conversation), [expected], "{what}");
        assert_eq!(conversation.orphaned_segments, [], "{what}");
        let branch = &conversation.branches[0];
        assert_eq!(branch.is_minor(), branch.kind == BranchKind::Retry);
    }
}

#[test]
fn branches_by_a_person_come_before_retries_by_the_app() {
    let conversation = read(&[
        prompt("one", "a", None),
        reply("tried", "a"),
        reply("b", "a"),
        prompt("abandoned", "c", Some("b")),
        prompt("two", "d", Some("b")),
        reply("e", "d"),
    ]);
    assert_eq!(
        branches(&conversation),
        [
            branch(BranchKind::Edit, "b", "c", "abandoned", 1),
            branch(BranchKind::Retry, "a", "tried", "", 0)
        ]
    );
    assert_eq!(
        states(&conversation),
        BTreeMap::from([("live", " a b d e".to_owned()), ("abandoned", " tried c".to_owned())])
    );
}

#[test]
fn every_version_of_a_prompt_is_a_separate_branch() {
    let version = |n: u32| {
        let (question, answer) = (format!("p{n}"), format!("q{n}"));
        [prompt(&format!("version {n}"), &question, Some("b")), reply(&answer, &question)]
    };
    let lines: Vec<Line> = beginning().into_iter().chain((1..=4).flat_map(version)).collect();
    let found = read(&lines);
    let expected: Vec<BranchRow> = (1..=3)
        .map(|n| branch(BranchKind::Edit, "b", &format!("p{n} q{n}"), &format!("version {n}"), 1))
        .collect();
    assert_eq!(branches(&found), expected);
}

#[test]
fn a_branch_of_a_branch_is_a_separate_branch() {
    let found = read(&[
        prompt("one", "a", None),
        reply("b", "a"),
        prompt("two", "c", Some("b")),
        reply("d", "c"),
        prompt("within", "e", Some("d")),
        reply("f", "e"),
        prompt("within, anew", "g", Some("d")),
        reply("h", "g"),
        prompt("live", "i", Some("b")),
        reply("j", "i"),
    ]);
    assert_eq!(
        branches(&found),
        [
            branch(BranchKind::Edit, "b", "c d g h", "two", 2),
            branch(BranchKind::Edit, "d", "e f", "within", 1),
        ]
    );
    let lines = |number: usize| uuids(&found, &found.chain_of_branch(&found.branches[number]));
    assert_eq!(lines(0), ["a", "b", "c", "d", "g", "h"]);
    assert_eq!(lines(1), ["a", "b", "c", "d", "e", "f"]);
}

#[test]
fn chain_of_a_branch_is_the_whole_conversation_along_that_branch() {
    let call = |uuid: &str, parent: &str, id: &str| {
        tool_use(id, "Bash", &json!({})).link(uuid, Some(parent)).message("id", "of both")
    };
    let lines = [
        beginning(),
        vec![
            prompt("two", "c", Some("b")),
            call("d", "c", "t1"),
            call("e", "d", "t2"),
            tool_result("t1", "x").link("f", Some("d")),
            tool_result("t2", "x").link("g", Some("e")),
            reply("h", "g"),
            prompt("live", "i", Some("b")),
            reply("j", "i"),
        ],
    ]
    .concat();
    let found = read(&lines);
    assert_eq!(branches(&found), [branch(BranchKind::Edit, "b", "c d e f g h", "two", 1)]);
    let chain = found.chain_of_branch(&found.branches[0]);
    assert_eq!(uuids(&found, &chain), ["a", "b", "c", "d", "e", "f", "g", "h"]);
    let turns = found.turns_of(&chain);
    let prompts: Vec<_> = turns.turns.iter().map(|turn| turn.prompt().unwrap_or("")).collect();
    assert_eq!(prompts, ["one", "two"]);
    assert!(turns.calls.all().iter().all(|call| call.answer.is_some()));
}

#[test]
fn parallel_calls_and_records_of_the_app_are_not_branches() {
    let call = |uuid: &str, parent: &str, id: &str| {
        tool_use(id, "Bash", &json!({})).link(uuid, Some(parent)).message("id", "of all")
    };
    let result = |uuid: &str, parent: &str, id: &str| tool_result(id, "x").link(uuid, Some(parent));
    let hook = |uuid: &str, parent: &str| {
        attachment(&json!({"type": "hook_success"})).link(uuid, Some(parent))
    };
    let progress = |uuid: &str, parent: &str| {
        user("").link(uuid, Some(parent)).with("type", "progress").with("data", json!({}))
    };
    let table = [
        (
            "results that follow their calls",
            vec![
                call("b", "a", "t1"),
                call("c", "b", "t2"),
                call("d", "c", "t3"),
                result("e", "b", "t1"),
                result("f", "c", "t2"),
                result("g", "d", "t3"),
                reply("h", "g"),
            ],
        ),
        (
            "results in another order",
            vec![
                call("b", "a", "t1"),
                call("c", "b", "t2"),
                result("e", "c", "t2"),
                result("f", "b", "t1"),
                reply("h", "e"),
            ],
        ),
        (
            "calls side by side",
            vec![
                call("b", "a", "t1"),
                call("c", "a", "t2"),
                result("e", "b", "t1"),
                result("f", "c", "t2"),
                reply("h", "f"),
            ],
        ),
        (
            "hooks and progress beside and between",
            vec![
                call("b", "a", "t1"),
                hook("k", "b"),
                progress("p", "b"),
                progress("q", "p"),
                result("e", "k", "t1"),
                hook("l", "e"),
                hook("m", "e"),
                reply("h", "m"),
            ],
        ),
        (
            "notes after the end",
            vec![reply("b", "a"), system("turn_duration").link("n", Some("b"))],
        ),
    ];
    for (what, lines) in table {
        let found = read(&[vec![prompt("go", "a", None)], lines].concat());
        assert_eq!(found.branches, [], "{what}");
        assert_eq!(found.orphaned_segments, [], "{what}");
        assert!(!states(&found).contains_key("abandoned"), "{what}");
    }
}

/// A compaction, and its summary.
fn compacted(uuid: &str, before: Option<&str>, metadata: Value) -> Vec<Line> {
    let boundary = system("compact_boundary")
        .link(uuid, None)
        .with("logicalParentUuid", before)
        .with("compactMetadata", metadata);
    let summary = user("In short").link(&format!("{uuid}-sum"), Some(uuid));
    vec![boundary, summary.with("isCompactSummary", true)]
}

/// The lines of each generation.
fn generations(conversation: &Conversation<'_>) -> Vec<String> {
    conversation.generations().map(|ids| uuids(conversation, ids).join(" ")).collect()
}

#[test]
fn each_compaction_begins_a_generation() {
    let lines = [
        beginning(),
        compacted("y", Some("b"), json!({"trigger": "auto"})),
        vec![prompt("two", "c", Some("y-sum")), reply("d", "c")],
        // A compaction that does not name the line before it.
        compacted("z", None, json!({})),
        vec![prompt("three", "e", Some("z-sum")), reply("f", "e")],
    ]
    .concat();
    let found = read(&lines);
    assert_eq!(generations(&found), ["a b", "y y-sum c d", "z z-sum e f"]);
    assert_eq!(uuids(&found, &found.compactions), ["y", "z"]);
    let counted = [0, 1, 3, 4].map(|number| found.generation(number).map(<[NodeId]>::len));
    assert_eq!(counted, [None, Some(2), Some(4), None]);
    assert_eq!(
        states(&found),
        BTreeMap::from([
            ("live", " z z-sum e f".to_owned()),
            ("compacted", " a b y y-sum c d".to_owned())
        ])
    );
    assert_eq!(found.branches, []);
}

#[test]
fn preserved_messages_are_in_both_generations() {
    let messages = json!({"preservedMessages": {"anchorUuid": "z-sum", "uuids": ["c", "d"]}});
    let segment =
        json!({"preservedSegment": {"headUuid": "c", "anchorUuid": "z-sum", "tailUuid": "d"}});
    for metadata in [messages, segment] {
        let found = read(
            &[
                beginning(),
                vec![prompt("two", "c", Some("b")), reply("d", "c")],
                compacted("z", Some("d"), metadata.clone()),
                vec![prompt("three", "e", Some("z-sum")), reply("f", "e")],
            ]
            .concat(),
        );
        assert_eq!(generations(&found), ["a b c d", "z z-sum c d e f"], "{metadata}");
        assert_eq!(found.branches, [], "{metadata}");
    }
}

#[test]
fn a_branch_before_a_compaction_is_still_a_branch() {
    let lines = [
        beginning(),
        vec![prompt("abandoned", "c", Some("b")), prompt("two", "d", Some("b")), reply("e", "d")],
        compacted("z", Some("e"), json!({})),
        vec![prompt("three", "f", Some("z-sum"))],
    ]
    .concat();
    let found = read(&lines);
    assert_eq!(generations(&found), ["a b d e", "z z-sum f"]);
    assert_eq!(branches(&found), [branch(BranchKind::Edit, "b", "c", "abandoned", 1)]);
}

#[test]
fn messages_below_a_missing_parent_are_an_orphaned_segment() {
    let at = |line: Line, hour: u32| line.at(&format!("2026-01-02T{hour:02}:00:00Z"));
    let found = read(&[
        at(prompt("loose", "a", Some("gone")), 1),
        at(reply("b", "a"), 2),
        at(prompt("edited within", "c", Some("a")), 3),
        at(prompt("one", "d", None), 4),
        at(reply("e", "d"), 5),
        at(reply("f", "also gone"), 6),
        at(system("informational").link("n", Some("never there")), 7),
        at(prompt("two", "g", Some("e")), 8),
        at(prompt("of an agent", "h", Some("nowhere")), 9).with("isSidechain", true),
    ]);
    let orphaned: Vec<_> = found
        .orphaned_segments
        .iter()
        .map(|segment| (segment.missing.as_str(), uuids(&found, &segment.messages).join(" ")))
        .collect();
    assert_eq!(orphaned, [("gone", "a b c".to_owned()), ("also gone", "f".to_owned())]);
    assert_eq!(
        states(&found),
        BTreeMap::from([("live", " d e g".to_owned()), ("orphaned", " a b c f".to_owned())])
    );
    assert_eq!(found.branches, []);
}

#[test]
fn agents_within_the_file_are_not_branches() {
    let side = |line: Line| line.with("isSidechain", true);
    let found = read(&[
        prompt("one", "a", None),
        side(prompt("look", "s", None)),
        side(reply("t", "s")),
        side(prompt("leap", "u", Some("a"))),
        reply("b", "a"),
    ]);
    assert_eq!((branches(&found), found.orphaned_segments.len()), (vec![], 0));
    assert_eq!(states(&found), BTreeMap::from([("live", " a b".to_owned())]));
    let agents: Vec<_> = found
        .inline_agents()
        .into_iter()
        .map(|(id, lines)| (id, uuids(&found, &lines).join(" ")))
        .collect();
    assert_eq!(agents, [("s".to_owned(), "s t".to_owned()), ("u".to_owned(), "u".to_owned())]);
}

#[test]
fn messages_before_a_missing_parent_are_orphaned_not_abandoned() {
    // The conversation begins with a line whose parent is missing; nobody rewound
    // past the lines before it.
    let bytes = file(&[
        user("first").link("a", None).at("2026-01-01T00:00:00Z"),
        user("more").link("b", Some("a")).at("2026-01-01T00:00:01Z"),
        user("later").link("c", Some("gone")).at("2026-01-02T00:00:00Z"),
        assistant("end").link("d", Some("c")).at("2026-01-02T00:00:01Z"),
    ]);
    let conversation = Conversation::read(&bytes, View::App);
    assert_eq!(conversation.branches, []);
    let orphaned: Vec<_> = conversation
        .orphaned_segments
        .iter()
        .map(|segment| (&*segment.missing, segment.messages.len()))
        .collect();
    assert_eq!(orphaned, [("gone", 2)]);
}

#[test]
fn objects_that_share_a_line_are_shown_in_the_app() {
    let lines = file(&[user("first").link("a", None)]);
    let glued = format!(
        "{}{}{}\n",
        String::from_utf8_lossy(&lines),
        user("second").link("b", Some("a")),
        assistant("answer").link("c", Some("b"))
    );
    let uuids = |view| {
        let conversation = Conversation::read(glued.as_bytes(), view);
        conversation.messages.into_iter().map(|message| message.uuid).collect::<Vec<_>>()
    };
    assert_eq!(uuids(View::App), ["a", "b", "c"]);
    assert_eq!(uuids(View::Sdk), ["a"], "to the official reader such a line is none");
}

#[test]
fn a_command_of_the_app_is_not_a_branch() {
    let bytes = file(&[
        user("go").link("a", None),
        assistant("ok").link("b", Some("a")),
        user("/compact").link("c", Some("b")),
        user("on").link("d", Some("b")),
    ]);
    let conversation = Conversation::read(&bytes, View::App);
    let kinds: Vec<_> = conversation.branches.iter().map(|branch| branch.kind.name()).collect();
    assert_eq!(kinds, ["retry"]);
}
