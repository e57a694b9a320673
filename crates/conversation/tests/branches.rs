//! What is not in the conversation: branches, generations, lost pieces, and
//! input that is out to hang whoever reads it.

use conversation::{Branch, BranchKind, Conversation, NodeId, State, View};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use testkit::{Line, assistant, attachment, file, metadata, system, tool_result, tool_use, user};

fn read(lines: &[Line]) -> Conversation<'static> {
    let bytes: &'static [u8] = file(lines).leak();
    Conversation::read(bytes, View::App)
}

fn uuids(said: &Conversation<'_>, ids: &[NodeId]) -> Vec<String> {
    ids.iter().map(|id| said.graph.node(*id).uuid.to_string()).collect()
}

/// The lines of each state.
fn states(said: &Conversation<'_>) -> BTreeMap<&'static str, String> {
    let mut states: BTreeMap<&str, String> = BTreeMap::new();
    for id in said.graph.ids() {
        if let Some(state) = said.state(id).map(State::name) {
            let line = states.entry(state).or_default();
            *line += &format!(" {}", said.graph.node(id).uuid);
        }
    }
    states
}

fn asked(text: &str, uuid: &str, parent: Option<&str>) -> Line {
    user(text).link(uuid, parent)
}

/// An answer that is a response of its own.
fn said(uuid: &str, parent: &str) -> Line {
    assistant("x").link(uuid, Some(parent)).message("id", format!("of {uuid}"))
}

fn rewound_to(leaf: Value) -> Line {
    metadata("last-prompt", &[("leafUuid", leaf), ("explicit", json!(true))])
}

/// A prompt and its answer.
fn beginning() -> Vec<Line> {
    vec![asked("one", "a", None), said("b", "a")]
}

/// (kind, the line it left after, its messages, its first prompt, its prompts)
type Told = (BranchKind, Option<String>, Vec<String>, Option<String>, usize);

fn told(said: &Conversation<'_>, branch: &Branch) -> Told {
    let from = branch.from.map(|id| said.graph.node(id).uuid.to_string());
    let messages = uuids(said, &branch.messages);
    (branch.kind, from, messages, branch.prompt.clone(), branch.prompts)
}

fn branches(said: &Conversation<'_>) -> Vec<Told> {
    said.branches.iter().map(|branch| told(said, branch)).collect()
}

fn branch(kind: BranchKind, from: &str, messages: &str, prompt: &str, prompts: usize) -> Told {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let messages = messages.split_whitespace().map(str::to_owned).collect();
    (kind, some(from), messages, some(prompt), prompts)
}

#[test]
fn branches_are_edits_rewinds_or_attempts() {
    let undone = || vec![asked("two", "c", Some("b")), said("d", "c")];
    let second = || vec![asked("three", "e", Some("d")), said("f", "e")];
    let caveat = || user("Caveat").link("m", Some("b")).with("isMeta", true);
    let table = [
        (
            "a prompt in other words",
            [undone(), vec![asked("2", "g", Some("b")), said("h", "g")]].concat(),
            branch(BranchKind::Edit, "b", "c d", "two", 1),
        ),
        (
            "with a line of the app between",
            [undone(), vec![caveat(), asked("2", "g", Some("m")), said("h", "g")]].concat(),
            branch(BranchKind::Edit, "b", "c d", "two", 1),
        ),
        (
            "gone back, nothing said since",
            [undone(), second(), vec![rewound_to(json!("b"))]].concat(),
            branch(BranchKind::Rewind, "b", "c d e f", "two", 2),
        ),
        (
            "gone back into the middle of an answer",
            [undone(), second(), vec![said("g", "c"), rewound_to(json!("g"))]].concat(),
            branch(BranchKind::Rewind, "c", "d e f", "three", 1),
        ),
        (
            "gone back to nothing",
            vec![rewound_to(Value::Null)],
            branch(BranchKind::Rewind, "", "a b", "one", 1),
        ),
        (
            "begun anew",
            vec![asked("1", "g", None), said("h", "g")],
            branch(BranchKind::Edit, "", "a b", "one", 1),
        ),
        ("answered again", vec![said("g", "a")], branch(BranchKind::Attempt, "a", "b", "", 0)),
    ];
    for (what, lines, expected) in table {
        let said = read(&[beginning(), lines].concat());
        assert_eq!(branches(&said), [expected], "{what}");
        assert_eq!(said.lost, [], "{what}");
        let kind = said.branches[0].kind;
        assert_eq!(kind.is_real(), kind != BranchKind::Attempt);
    }
}

#[test]
fn what_a_person_did_comes_before_what_the_app_tried() {
    let said = read(&[
        asked("one", "a", None),
        said("tried", "a"),
        said("b", "a"),
        asked("undone", "c", Some("b")),
        asked("two", "d", Some("b")),
        said("e", "d"),
    ]);
    assert_eq!(
        branches(&said),
        [
            branch(BranchKind::Edit, "b", "c", "undone", 1),
            branch(BranchKind::Attempt, "a", "tried", "", 0)
        ]
    );
    assert_eq!(
        states(&said),
        BTreeMap::from([("live", " a b d e".to_owned()), ("undone", " tried c".to_owned())])
    );
}

#[test]
fn every_version_of_a_prompt_is_a_branch_of_its_own() {
    let version = |n: u32| {
        let (prompt, answer) = (format!("p{n}"), format!("q{n}"));
        [asked(&format!("version {n}"), &prompt, Some("b")), said(&answer, &prompt)]
    };
    let lines: Vec<Line> = beginning().into_iter().chain((1..=4).flat_map(version)).collect();
    let found = read(&lines);
    let expected: Vec<Told> = (1..=3)
        .map(|n| branch(BranchKind::Edit, "b", &format!("p{n} q{n}"), &format!("version {n}"), 1))
        .collect();
    assert_eq!(branches(&found), expected);
}

#[test]
fn a_branch_that_left_a_branch_is_one_of_its_own() {
    let found = read(&[
        asked("one", "a", None),
        said("b", "a"),
        asked("two", "c", Some("b")),
        said("d", "c"),
        asked("within", "e", Some("d")),
        said("f", "e"),
        asked("within, anew", "g", Some("d")),
        said("h", "g"),
        asked("live", "i", Some("b")),
        said("j", "i"),
    ]);
    assert_eq!(
        branches(&found),
        [
            branch(BranchKind::Edit, "b", "c d g h", "two", 2),
            branch(BranchKind::Edit, "d", "e f", "within", 1),
        ]
    );
    let lines = |number: usize| uuids(&found, &found.alternative(&found.branches[number]));
    assert_eq!(lines(0), ["a", "b", "c", "d", "g", "h"]);
    assert_eq!(lines(1), ["a", "b", "c", "d", "e", "f"]);
}

#[test]
fn an_alternative_is_the_whole_conversation_had_the_branch_been_kept() {
    let call = |uuid: &str, parent: &str, id: &str| {
        tool_use(id, "Bash", &json!({})).link(uuid, Some(parent)).message("id", "of both")
    };
    let lines = [
        beginning(),
        vec![
            asked("two", "c", Some("b")),
            call("d", "c", "t1"),
            call("e", "d", "t2"),
            tool_result("t1", "x").link("f", Some("d")),
            tool_result("t2", "x").link("g", Some("e")),
            said("h", "g"),
            asked("live", "i", Some("b")),
            said("j", "i"),
        ],
    ]
    .concat();
    let found = read(&lines);
    assert_eq!(branches(&found), [branch(BranchKind::Edit, "b", "c d e f g h", "two", 1)]);
    let chain = found.alternative(&found.branches[0]);
    assert_eq!(uuids(&found, &chain), ["a", "b", "c", "d", "e", "f", "g", "h"]);
    let telling = found.tell_lines(&chain, false);
    let prompts: Vec<_> = telling.turns.iter().map(|turn| turn.prompt().unwrap_or("")).collect();
    assert_eq!(prompts, ["one", "two"]);
    assert!(telling.calls.all().iter().all(|call| call.answer.is_some()));
}

#[test]
fn parallel_calls_and_notes_of_the_app_are_no_branches() {
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
                said("h", "g"),
            ],
        ),
        (
            "results in another order",
            vec![
                call("b", "a", "t1"),
                call("c", "b", "t2"),
                result("e", "c", "t2"),
                result("f", "b", "t1"),
                said("h", "e"),
            ],
        ),
        (
            "calls side by side",
            vec![
                call("b", "a", "t1"),
                call("c", "a", "t2"),
                result("e", "b", "t1"),
                result("f", "c", "t2"),
                said("h", "f"),
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
                said("h", "m"),
            ],
        ),
        ("notes after the end", vec![said("b", "a"), system("turn_duration").link("n", Some("b"))]),
    ];
    for (what, lines) in table {
        let found = read(&[vec![asked("go", "a", None)], lines].concat());
        assert_eq!(found.branches, [], "{what}");
        assert_eq!(found.lost, [], "{what}");
        assert!(!states(&found).contains_key("undone"), "{what}");
    }
}

/// A compaction, and its summary.
fn compacted(uuid: &str, before: Option<&str>, kept: Value) -> Vec<Line> {
    let boundary = system("compact_boundary")
        .link(uuid, None)
        .with("logicalParentUuid", before)
        .with("compactMetadata", kept);
    let summary = user("In short").link(&format!("{uuid}-sum"), Some(uuid));
    vec![boundary, summary.with("isCompactSummary", true)]
}

/// The lines of each generation.
fn generations(said: &Conversation<'_>) -> Vec<String> {
    said.generations().map(|ids| uuids(said, ids).join(" ")).collect()
}

#[test]
fn each_compaction_begins_a_generation() {
    let lines = [
        beginning(),
        compacted("y", Some("b"), json!({"trigger": "auto"})),
        vec![asked("two", "c", Some("y-sum")), said("d", "c")],
        // One that does not say what it came after.
        compacted("z", None, json!({})),
        vec![asked("three", "e", Some("z-sum")), said("f", "e")],
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
fn preserved_messages_stand_in_both_generations() {
    let kept = json!({"preservedMessages": {"anchorUuid": "z-sum", "uuids": ["c", "d"]}});
    let segment =
        json!({"preservedSegment": {"headUuid": "c", "anchorUuid": "z-sum", "tailUuid": "d"}});
    for metadata in [kept, segment] {
        let found = read(
            &[
                beginning(),
                vec![asked("two", "c", Some("b")), said("d", "c")],
                compacted("z", Some("d"), metadata.clone()),
                vec![asked("three", "e", Some("z-sum")), said("f", "e")],
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
        vec![asked("undone", "c", Some("b")), asked("two", "d", Some("b")), said("e", "d")],
        compacted("z", Some("e"), json!({})),
        vec![asked("three", "f", Some("z-sum"))],
    ]
    .concat();
    let found = read(&lines);
    assert_eq!(generations(&found), ["a b d e", "z z-sum f"]);
    assert_eq!(branches(&found), [branch(BranchKind::Edit, "b", "c", "undone", 1)]);
}

#[test]
fn what_follows_something_missing_is_lost_and_named() {
    let at = |line: Line, hour: u32| line.at(&format!("2026-01-02T{hour:02}:00:00Z"));
    let found = read(&[
        at(asked("loose", "a", Some("gone")), 1),
        at(said("b", "a"), 2),
        at(asked("edited within", "c", Some("a")), 3),
        at(asked("one", "d", None), 4),
        at(said("e", "d"), 5),
        at(said("f", "also gone"), 6),
        at(system("informational").link("n", Some("never there")), 7),
        at(asked("two", "g", Some("e")), 8),
        at(asked("of an agent", "h", Some("nowhere")), 9).with("isSidechain", true),
    ]);
    let lost: Vec<_> = found
        .lost
        .iter()
        .map(|lost| (lost.missing.as_str(), uuids(&found, &lost.messages).join(" ")))
        .collect();
    assert_eq!(lost, [("gone", "a b c".to_owned()), ("also gone", "f".to_owned())]);
    assert_eq!(
        states(&found),
        BTreeMap::from([("live", " d e g".to_owned()), ("lost", " a b c f".to_owned())])
    );
    assert_eq!(found.branches, []);
}

#[test]
fn agents_within_the_file_are_nobodys_branches() {
    let side = |line: Line| line.with("isSidechain", true);
    let found = read(&[
        asked("one", "a", None),
        side(asked("look", "s", None)),
        side(said("t", "s")),
        side(asked("leap", "u", Some("a"))),
        said("b", "a"),
    ]);
    assert_eq!((branches(&found), found.lost.len()), (vec![], 0));
    assert_eq!(states(&found), BTreeMap::from([("live", " a b".to_owned())]));
    let agents: Vec<_> = found
        .inline_agents()
        .into_iter()
        .map(|(id, lines)| (id, uuids(&found, &lines).join(" ")))
        .collect();
    assert_eq!(agents, [("s".to_owned(), "s t".to_owned()), ("u".to_owned(), "u".to_owned())]);
}

#[test]
fn what_stands_before_a_hole_is_lost_and_not_undone() {
    // The conversation begins with a line whose parent is missing; nobody went
    // back behind what stands before it.
    let bytes = file(&[
        user("first").link("a", None).at("2026-01-01T00:00:00Z"),
        user("more").link("b", Some("a")).at("2026-01-01T00:00:01Z"),
        user("later").link("c", Some("gone")).at("2026-01-02T00:00:00Z"),
        assistant("end").link("d", Some("c")).at("2026-01-02T00:00:01Z"),
    ]);
    let said = Conversation::read(&bytes, View::App);
    assert_eq!(said.branches, []);
    let lost: Vec<_> = said.lost.iter().map(|lost| (&*lost.missing, lost.messages.len())).collect();
    assert_eq!(lost, [("gone", 2)]);
}

#[test]
fn objects_that_share_a_line_are_said_in_the_app() {
    let lines = file(&[user("first").link("a", None)]);
    let glued = format!(
        "{}{}{}\n",
        String::from_utf8_lossy(&lines),
        user("second").link("b", Some("a")),
        assistant("answer").link("c", Some("b"))
    );
    let uuids = |view| {
        let said = Conversation::read(glued.as_bytes(), view);
        said.messages.into_iter().map(|message| message.uuid).collect::<Vec<_>>()
    };
    assert_eq!(uuids(View::App), ["a", "b", "c"]);
    assert_eq!(uuids(View::Sdk), ["a"], "to the official reader such a line is none");
}

#[test]
fn a_command_of_the_app_is_no_branch() {
    let bytes = file(&[
        user("go").link("a", None),
        assistant("ok").link("b", Some("a")),
        user("/compact").link("c", Some("b")),
        user("on").link("d", Some("b")),
    ]);
    let said = Conversation::read(&bytes, View::App);
    let kinds: Vec<_> = said.branches.iter().map(|branch| branch.kind.name()).collect();
    assert_eq!(kinds, ["attempt"]);
}
