//! View `app`, rule by rule, as in section 4 of FORMAT.md; each test quotes its rule.
//! Rules shared with view `sdk` are tested in both. More in `views.rs`.

use conversation::{Conversation, View};
use serde_json::{Value, json};
use testkit::{Line, assistant, attachment, file, metadata, system, tool_result, tool_use, user};

fn uuids(lines: &[Line], view: View) -> String {
    let bytes = file(lines);
    let messages = Conversation::read(&bytes, view).messages;
    messages.into_iter().map(|message| message.uuid).collect::<Vec<_>>().join(" ")
}

/// The messages of both views.
fn both(lines: &[Line]) -> [String; 2] {
    [View::App, View::Sdk].map(|view| uuids(lines, view))
}

fn prompt(uuid: &str, parent: Option<&str>) -> Line {
    user("x").link(uuid, parent)
}

fn reply(uuid: &str, parent: &str) -> Line {
    assistant("x").link(uuid, Some(parent)).message("id", format!("of {uuid}"))
}

/// Two exchanges: a b, c d.
fn exchanges() -> Vec<Line> {
    vec![prompt("a", None), reply("b", "a"), prompt("c", Some("b")), reply("d", "c")]
}

fn checkpoint(members: &[(&str, Value)]) -> Line {
    metadata("last-prompt", members)
}

fn at(line: Line, second: &str) -> Line {
    line.at(&format!("2026-01-02T03:00:{second}Z"))
}

/// A compaction without a parent.
fn boundary(uuid: &str, metadata: Value) -> Line {
    system("compact_boundary").link(uuid, None).with("compactMetadata", metadata)
}

/// "the newest `last-prompt` with a `leafUuid` names the leaf: `explicit:true`
/// binds, `leafUuid:null` with explicit means rewound to nothing; otherwise the
/// last non-sidechain line of the file replaces it if it descends from it; a
/// later `compact_boundary` cancels it"
#[test]
fn the_newest_checkpoint_names_the_leaf() {
    let explicit = |leaf: Value| checkpoint(&[("leafUuid", leaf), ("explicit", json!(true))]);
    let plain = |leaf: Value| checkpoint(&[("leafUuid", leaf)]);
    let compacted = || {
        let summary = prompt("s", Some("z")).with("isCompactSummary", true);
        vec![boundary("z", json!({})), summary]
    };
    let table = [
        ("none", vec![], "a b c d"),
        ("a rewind", vec![explicit(json!("b"))], "a b"),
        ("the newest of two", vec![explicit(json!("a")), explicit(json!("b"))], "a b"),
        ("taken back", vec![explicit(json!("a")), explicit(json!("d"))], "a b c d"),
        (
            "one without a leaf says nothing",
            vec![explicit(json!("b")), checkpoint(&[("lastPrompt", json!("x"))])],
            "a b",
        ),
        ("rewound to nothing", vec![explicit(Value::Null)], ""),
        ("null alone says nothing", vec![plain(Value::Null)], "a b c d"),
        ("a leaf nobody has", vec![explicit(json!("gone"))], "a b c d"),
        ("superseded by a descendant", vec![plain(json!("b"))], "a b c d"),
        ("and by what came after it", vec![plain(json!("d")), prompt("e", Some("d"))], "a b c d e"),
        ("not by another branch", vec![plain(json!("d")), prompt("e", Some("b"))], "a b c d"),
        (
            "nor by an agent's line",
            vec![plain(json!("d")), prompt("e", Some("d")).with("isSidechain", true)],
            "a b c d",
        ),
        ("cancelled by a compaction", [vec![explicit(json!("b"))], compacted()].concat(), "s"),
        (
            "rewound to nothing, and cancelled",
            [vec![explicit(Value::Null)], compacted()].concat(),
            "s",
        ),
        ("not by an earlier one", [compacted(), vec![explicit(json!("b"))]].concat(), "a b"),
    ];
    for (what, more, expected) in table {
        assert_eq!(uuids(&[exchanges(), more].concat(), View::App), expected, "{what}");
    }
}

/// "`preservedMessages{anchorUuid, uuids}` (all present, not empty): chain the
/// uuids below the anchor, move the anchor's other children below the last. Else
/// `preservedSegment{headUuid, anchorUuid, tailUuid}`: head below anchor, the
/// anchor's other children below tail."
#[test]
fn preserved_lines_are_put_below_their_anchor() {
    let messages = |uuids: Value| json!({"preservedMessages": {"anchorUuid": "s", "uuids": uuids}});
    let segment = |head: &str, tail: &str| json!({"preservedSegment": {"headUuid": head, "anchorUuid": "s", "tailUuid": tail}});
    let table = [
        ("some", messages(json!(["c", "d"])), "s c d e f"),
        ("one", messages(json!(["b"])), "s b e f"),
        ("in another order", messages(json!(["d", "c"])), "s d c e f"),
        ("one of them missing", messages(json!(["c", "gone"])), "s e f"),
        ("none", messages(json!([])), "s e f"),
        ("a range", segment("b", "d"), "s b c d e f"),
        ("a range of one", segment("d", "d"), "s d e f"),
        ("nothing", json!({}), "s e f"),
    ];
    for (what, metadata, expected) in table {
        let lines = [
            exchanges(),
            vec![
                boundary("z", metadata).with("logicalParentUuid", "d"),
                prompt("s", Some("z")).with("isCompactSummary", true),
                prompt("e", Some("s")),
                reply("f", "e"),
            ],
        ]
        .concat();
        assert_eq!(both(&lines), [expected, expected], "{what}");
    }
}

/// Rule 1 of `sdk`, which `app` does not have: "If the file is over 5 MiB,
/// everything before each `compact_boundary` that has no preserved data is
/// dropped."
#[test]
fn only_the_official_reader_drops_compacted_lines_of_large_files() {
    let lines = |padding: usize| {
        let large = metadata("file-history-snapshot", &[("x", "x".repeat(padding).into())]);
        let rest = [boundary("z", json!({})), prompt("e", Some("d")), reply("f", "e"), large];
        [exchanges(), rest.to_vec()].concat()
    };
    assert_eq!(both(&lines(1_000)), ["a b c d e f", "a b c d e f"]);
    assert_eq!(both(&lines(5 * 1024 * 1024)), ["a b c d e f", "e f"]);
}

/// "Parallel recovery: for each message.id on the chain, off-chain assistant
/// lines of the same id and the `tool_result` lines that answer them (by
/// `parentUuid`, by `sourceToolAssistantUUID`, by `tool_use` id; the last two only
/// with the same `isSidechain` and `agentId`, and only if they answer a call still
/// open); siblings by timestamp, then results by timestamp, inserted after that
/// id's last on-chain line."
#[test]
fn parallel_calls_are_recovered() {
    let call = |uuid: &str, parent: &str, id: &str| {
        tool_use(id, "Bash", &json!({})).link(uuid, Some(parent)).message("id", "of both")
    };
    let result = |uuid: &str, parent: &str, id: &str| tool_result(id, "x").link(uuid, Some(parent));
    // The chain runs over the second call; the first one's result is elsewhere.
    let with = |more: Vec<Line>| {
        let calls = vec![prompt("a", None), call("b", "a", "t1"), call("c", "b", "t2")];
        let end = vec![result("r2", "c", "t2"), reply("e", "r2")];
        [calls, more, end].concat()
    };
    let table = [
        ("by its parent", vec![result("r1", "b", "t1")], "a b c r1 r2 e"),
        (
            "by the line it names",
            vec![result("r1", "a", "t1").with("sourceToolAssistantUUID", "b")],
            "a b c r1 r2 e",
        ),
        ("by its call", vec![result("r1", "a", "t1")], "a b c r1 r2 e"),
        (
            "not of another side",
            vec![result("r1", "a", "t1").with("isSidechain", true)],
            "a b c r2 e",
        ),
        ("not of another agent", vec![result("r1", "a", "t1").with("agentId", "x")], "a b c r2 e"),
        ("not of a call that is answered", vec![result("r1", "a", "t2")], "a b c r2 e"),
        (
            "not one that follows nothing",
            vec![tool_result("t1", "x").link("r1", None)],
            "a b c r2 e",
        ),
        (
            "in the order of their times",
            vec![
                at(call("s1", "b", "t3"), "09"),
                at(call("s2", "b", "t4"), "08"),
                at(result("r4", "s2", "t4"), "07"),
                at(result("r3", "s1", "t3"), "06"),
                at(result("r1", "b", "t1"), "05"),
            ],
            "a b c s2 s1 r1 r3 r4 r2 e",
        ),
    ];
    for (what, more, expected) in table {
        assert_eq!(both(&with(more)), [expected, expected], "{what}");
    }
}

/// "A `queued_command` attachment on the chain that an assistant line follows
/// becomes a user message; its uuid is `attachment.source_uuid` if given and
/// unused, else the attachment's own."
#[test]
fn queued_commands_become_messages() {
    let queued = |source: Option<&str>| {
        let mut command = json!({"type": "queued_command", "prompt": "also"});
        if let Some(source) = source {
            command["source_uuid"] = json!(source);
        }
        attachment(&command).link("q", Some("b"))
    };
    let table = [
        ("under its own name", vec![queued(None), reply("e", "q")], "a b q e"),
        ("under the name it would have", vec![queued(Some("n")), reply("e", "q")], "a b n e"),
        ("became a message after all", vec![queued(None), prompt("e", Some("q"))], "a b e"),
        ("an agent's", vec![queued(None).with("isSidechain", true), reply("e", "q")], "a b e"),
    ];
    for (what, more, expected) in table {
        let lines = [exchanges()[..2].to_vec(), more].concat();
        assert_eq!(both(&lines), [expected, expected], "{what}");
    }
}

/// "Progress lines are bridged out."
#[test]
fn progress_lines_are_not_part_of_the_chain() {
    let progress = |uuid: &str, parent: Option<&str>| {
        user("").link(uuid, parent).with("type", "progress").with("data", json!({}))
    };
    let table = [
        ("one", vec![progress("p", Some("b")), prompt("c", Some("p"))], "a b c"),
        (
            "several",
            vec![progress("p", Some("b")), progress("q", Some("p")), prompt("c", Some("q"))],
            "a b c",
        ),
        (
            "written after what follows them",
            vec![prompt("c", Some("q")), progress("q", Some("p")), progress("p", Some("b"))],
            "a b c",
        ),
        ("the last line", vec![progress("p", Some("b"))], "a b"),
        ("a root", vec![progress("p", None), prompt("c", Some("p"))], "c"),
    ];
    for (what, more, expected) in table {
        let lines = [exchanges()[..2].to_vec(), more].concat();
        let bytes = file(&lines);
        let found = Conversation::read(&bytes, View::App);
        assert_eq!(uuids(&lines, View::App), expected, "{what}");
        let on_chain = found.chain.iter().map(|id| &*found.graph.node(*id).uuid);
        assert!(on_chain.into_iter().all(|uuid| uuid != "p" && uuid != "q"), "{what}");
    }
}

/// "A missing parent falls back to the nearest earlier line within 5 s on the
/// same side."
#[test]
fn a_missing_parent_falls_back_to_the_line_before_it() {
    let side = |line: Line| line.with("isSidechain", true);
    let orphan = |second: &str| at(prompt("o", Some("gone")), second);
    let table = [
        ("at once", vec![at(prompt("a", None), "00.000"), orphan("00.000")], "a o"),
        ("in five seconds", vec![at(prompt("a", None), "00.000"), orphan("05.000")], "a o"),
        ("later", vec![at(prompt("a", None), "00.000"), orphan("05.001")], "o"),
        (
            "the nearest of two",
            vec![
                at(prompt("a", None), "00.000"),
                at(prompt("b", None), "01.000"),
                orphan("02.000"),
            ],
            "b o",
        ),
        (
            "of an agent's and its own",
            vec![
                at(prompt("a", None), "00.000"),
                side(at(prompt("s", None), "01.000")),
                orphan("02.000"),
            ],
            "a o",
        ),
        (
            "near an agent's line alone",
            vec![
                at(prompt("a", None), "00.000"),
                side(at(prompt("s", None), "08.000")),
                orphan("09.000"),
            ],
            "o",
        ),
        ("nothing before it", vec![orphan("00.000"), at(prompt("a", Some("o")), "01.000")], "o a"),
        (
            "no time",
            vec![prompt("a", None), prompt("o", Some("gone")).with("timestamp", Value::Null)],
            "o",
        ),
        ("a root is not an orphan", vec![prompt("a", None), prompt("o", None)], "o"),
    ];
    for (what, lines, expected) in table {
        assert_eq!(uuids(&lines, View::App), expected, "{what}");
        assert!(!uuids(&lines, View::Sdk).starts_with("a o"), "{what}: the sdk has no such rule");
    }
}

/// "a later line with the same uuid replaces the earlier one"
#[test]
fn the_last_line_with_a_uuid_replaces_the_earlier_ones() {
    let lines = [
        prompt("a", None),
        reply("b", "a"),
        user("first").link("c", Some("b")),
        user("second").link("c", Some("a")),
        reply("d", "c"),
    ];
    assert_eq!(both(&lines), ["a c d", "a c d"]);
    let bytes = file(&lines);
    let turns = Conversation::read(&bytes, View::App).turns();
    let prompts: Vec<_> = turns.turns.iter().filter_map(|turn| turn.prompt()).collect();
    assert_eq!(prompts, ["x", "second"]);
}

/// "children may precede parents", "a missing parent or a cycle ends it", and
/// the leaf is "the last in the file from which a walk up reaches a
/// user/assistant line"
#[test]
fn the_leaf_is_the_last_line_that_leads_to_a_message() {
    let note = |uuid: &str, parent: Option<&str>| system("informational").link(uuid, parent);
    let briefing = attachment(&json!({"type": "fork_briefing"})).link("k", Some("d"));
    let with = |more: Vec<Line>| [exchanges(), more].concat();
    let table = [
        ("children before parents", exchanges().into_iter().rev().collect(), "a b c d"),
        ("the last of several roots", with(vec![prompt("e", None), reply("f", "e")]), "e f"),
        ("a note beside it", with(vec![note("n", None)]), "a b c d"),
        ("a note behind it", with(vec![note("n", Some("d")), prompt("e", Some("n"))]), "a b c d e"),
        ("an earlier end that is last", with(vec![prompt("e", Some("b"))]), "a b e"),
        ("a line of the app", with(vec![prompt("m", Some("b")).with("isMeta", true)]), "a b"),
        ("a briefing", with(vec![prompt("e", Some("b")), briefing]), "a b e"),
        (
            "an agent's line",
            with(vec![prompt("s", Some("b")).with("isSidechain", true)]),
            "a b c d",
        ),
        ("an agent's root", with(vec![prompt("s", None).with("isSidechain", true)]), "a b c d"),
        ("a team's line", with(vec![prompt("t", Some("b")).with("teamName", "blue")]), "a b c d"),
        ("a ring elsewhere", with(vec![prompt("y", Some("z")), prompt("z", Some("y"))]), "a b c d"),
    ];
    for (what, lines, expected) in table {
        assert_eq!(both(&lines), [expected, expected], "{what}");
    }
}

/// "Drop `isMeta` (unless origin.kind is channel, observer, observer-activity,
/// slack-ping, voice-call or peer), sidechain and team lines. `isCompactSummary`
/// stays."
#[test]
fn lines_of_the_app_agents_and_teams_are_not_shown() {
    let from = |kind: &str| {
        prompt("e", Some("d")).with("isMeta", true).with("origin", json!({"kind": kind}))
    };
    let shown = ["channel", "observer", "observer-activity", "slack-ping", "voice-call", "peer"];
    for kind in shown {
        let lines = [exchanges(), vec![from(kind), reply("f", "e")]].concat();
        assert_eq!(both(&lines), ["a b c d e f", "a b c d e f"], "{kind}");
    }
    let hidden = [
        prompt("e", Some("d")).with("isMeta", true),
        from("human"),
        from("task-notification"),
        prompt("e", Some("d")).with("isSidechain", true),
        prompt("e", Some("d")).with("teamName", "blue"),
    ];
    for line in hidden {
        let lines = [exchanges(), vec![line.clone(), reply("f", "e")]].concat();
        assert_eq!(both(&lines), ["a b c d f", "a b c d f"], "{line}");
    }
    let summary = prompt("e", Some("d")).with("isCompactSummary", true);
    let lines = [exchanges(), vec![summary, reply("f", "e")]].concat();
    assert_eq!(both(&lines), ["a b c d e f", "a b c d e f"]);
}

/// "Sub-agents in this view: the leaf is the last user/assistant line of the
/// agent's file, a plain walk up, nothing filtered, no recovery". The app's view adds
/// its own rules for every chain: parallel calls, progress and missing parents.
#[test]
fn an_agents_conversation_is_the_ancestors_of_its_last_message() {
    let side = |line: Line| line.with("isSidechain", true).with("agentId", "a1");
    let call = |uuid: &str, parent: &str, id: &str| {
        side(tool_use(id, "Bash", &json!({})).link(uuid, Some(parent)).message("id", "of both"))
    };
    let lines = [
        side(prompt("a", None)),
        call("b", "a", "t1"),
        call("c", "b", "t2"),
        side(tool_result("t1", "x").link("r1", Some("b"))),
        side(tool_result("t2", "x").link("r2", Some("c"))),
        side(prompt("m", Some("r2")).with("isMeta", true)),
        side(reply("d", "m")),
        side(system("informational").link("n", None)),
    ];
    let bytes = file(&lines);
    let shown = [View::App, View::Sdk].map(|view| {
        let messages = Conversation::read_agent(&bytes, view).messages.into_iter();
        messages.map(|message| message.uuid).collect::<Vec<_>>().join(" ")
    });
    assert_eq!(shown, ["a b c r1 r2 m d", "a b c r2 m d"]);
}
