//! The rules of the views, one by one.

use conversation::{Conversation, MessageState, View};
use serde_json::{Value, json};
use testkit::{Line, assistant, metadata, tool_result, tool_use, user};

fn file(lines: &[Line]) -> Vec<u8> {
    lines.iter().fold(String::new(), |text, line| text + &line.to_string() + "\n").into_bytes()
}

fn uuids(lines: &[Line], view: View) -> Vec<String> {
    let bytes = file(lines);
    Conversation::read(&bytes, view).messages.into_iter().map(|message| message.uuid).collect()
}

fn states(lines: &[Line], view: View) -> Vec<(String, &'static str)> {
    let bytes = file(lines);
    let conversation = Conversation::read(&bytes, view);
    let states = conversation.graph.ids().filter_map(|id| {
        let state = conversation.state(id).map(MessageState::name)?;
        Some((conversation.graph.node(id).uuid.to_string(), state))
    });
    states.collect()
}

fn checkpoint(members: &[(&str, Value)]) -> Line {
    metadata("last-prompt", members)
}

/// A prompt and its answer, then a second prompt in two versions.
fn rewound() -> Vec<Line> {
    vec![
        user("one").link("a", None),
        assistant("answer").link("b", Some("a")).with("message", answer("m1")),
        user("two").link("c", Some("b")),
        assistant("abandoned").link("d", Some("c")).with("message", answer("m2")),
    ]
}

fn answer(id: &str) -> Value {
    json!({"id": id, "role": "assistant", "content": [{"type": "text", "text": "x"}]})
}

#[test]
fn a_rewind_is_followed_by_the_app_and_ignored_by_the_official_reader() {
    let mut lines = rewound();
    lines.push(checkpoint(&[("leafUuid", json!("b")), ("explicit", json!(true))]));
    assert_eq!(uuids(&lines, View::App), ["a", "b"]);
    assert_eq!(uuids(&lines, View::Sdk), ["a", "b", "c", "d"]);
    let states = states(&lines, View::App);
    let expected = [("a", "live"), ("b", "live"), ("c", "abandoned"), ("d", "abandoned")];
    assert_eq!(states, expected.map(|(uuid, state)| (uuid.to_owned(), state)));
    let bytes = file(&lines);
    let branches = Conversation::read(&bytes, View::App).branches;
    assert_eq!((branches.len(), branches[0].messages.len()), (1, 2));
}

#[test]
fn a_rewind_to_the_start_shows_nothing_and_loses_nothing() {
    let mut lines = rewound();
    lines.push(checkpoint(&[("leafUuid", Value::Null), ("explicit", json!(true))]));
    assert_eq!(uuids(&lines, View::App), Vec::<String>::new());
    assert!(states(&lines, View::App).iter().all(|(_, state)| *state == "abandoned"));
}

#[test]
fn a_checkpoint_that_is_not_a_rewind_yields_to_later_lines() {
    let mut lines = rewound();
    lines.insert(2, checkpoint(&[("leafUuid", json!("b"))]));
    assert_eq!(uuids(&lines, View::App), ["a", "b", "c", "d"]);
    // But not to another branch.
    let mut lines = rewound();
    lines.push(user("elsewhere").link("x", None));
    lines.push(checkpoint(&[("leafUuid", json!("d"))]));
    assert_eq!(uuids(&lines, View::App), ["a", "b", "c", "d"]);
}

#[test]
fn a_later_compaction_cancels_a_checkpoint() {
    let mut lines = rewound();
    lines.push(checkpoint(&[("leafUuid", json!("b")), ("explicit", json!(true))]));
    lines.push(boundary("z", &json!({})));
    lines.push(user("summary").link("s", Some("z")).with("isCompactSummary", true));
    assert_eq!(uuids(&lines, View::App), ["s"]);
    let states = states(&lines, View::App);
    assert!(states.contains(&("d".to_owned(), "compacted")), "{states:?}");
}

fn boundary(uuid: &str, metadata: &Value) -> Line {
    user("x")
        .link(uuid, None)
        .with("type", "system")
        .with("subtype", "compact_boundary")
        .with("logicalParentUuid", "d")
        .with("compactMetadata", metadata.clone())
}

#[test]
fn preserved_messages_are_below_their_anchor() {
    let mut lines = rewound();
    let metadata = json!({"preservedMessages": {"anchorUuid": "s", "uuids": ["c", "d"]}});
    lines.push(boundary("z", &metadata));
    lines.push(user("summary").link("s", Some("z")));
    lines.push(user("more").link("e", Some("s")));
    assert_eq!(uuids(&lines, View::Sdk), ["s", "c", "d", "e"]);
}

#[test]
fn parallel_calls_are_put_back_into_the_chain() {
    let call = |uuid: &str, parent: &str, id: &str| {
        let content = json!([{"type": "tool_use", "id": id, "name": "Bash", "input": {}}]);
        let message = json!({"id": "m1", "role": "assistant", "content": content});
        tool_use(id, "Bash", &json!({})).link(uuid, Some(parent)).with("message", message)
    };
    let lines = [
        user("go").link("a", None),
        call("b", "a", "t1"),
        call("c", "b", "t2"),
        tool_result("t1", "one").link("d", Some("b")),
        tool_result("t2", "two").link("e", Some("c")),
        assistant("done").link("f", Some("e")).with("message", answer("m2")),
    ];
    assert_eq!(uuids(&lines, View::Sdk), ["a", "b", "c", "d", "e", "f"]);
    assert_eq!(uuids(&lines, View::App), ["a", "b", "c", "d", "e", "f"]);
}

#[test]
fn a_line_with_a_missing_parent_is_adopted_by_the_app_or_orphaned() {
    let near = [
        user("one").link("a", None).at("2026-01-02T03:00:00.000Z"),
        assistant("two").link("b", Some("gone")).at("2026-01-02T03:00:04.000Z"),
    ];
    assert_eq!(uuids(&near, View::App), ["a", "b"]);
    assert_eq!(uuids(&near, View::Sdk), ["b"]);
    let far = [
        user("one").link("a", Some("gone")).at("2026-01-02T03:00:00.000Z"),
        user("two").link("b", None).at("2026-01-02T04:00:00.000Z"),
    ];
    assert_eq!(uuids(&far, View::App), ["b"]);
    assert_eq!(states(&far, View::App)[0], ("a".to_owned(), "orphaned"));
}

#[test]
fn progress_lines_are_bridged_in_the_app() {
    let lines = [
        user("one").link("a", None),
        user("x")
            .link("p", Some("a"))
            .with("type", "progress")
            .with("data", json!({"type": "hook_progress"})),
        assistant("two").link("b", Some("p")),
    ];
    assert_eq!(uuids(&lines, View::App), ["a", "b"]);
}

#[test]
fn queued_commands_that_the_model_received_are_messages() {
    let queued = |uuid: &str, parent: &str, source: Option<&str>| {
        let mut attachment = json!({"type": "queued_command", "prompt": "also"});
        if let Some(source) = source {
            attachment["source_uuid"] = json!(source);
        }
        user("x").link(uuid, Some(parent)).with("type", "attachment").with("attachment", attachment)
    };
    let answered = [
        user("one").link("a", None),
        queued("q", "a", Some("s")),
        assistant("two").link("b", Some("q")),
    ];
    assert_eq!(uuids(&answered, View::Sdk), ["a", "s", "b"]);
    let said_again =
        [user("one").link("a", None), queued("q", "a", None), user("also").link("b", Some("q"))];
    assert_eq!(uuids(&said_again, View::Sdk), ["a", "b"]);
}

#[test]
fn cycles_and_children_before_parents_are_handled() {
    let cycle = [user("one").link("a", Some("b")), assistant("two").link("b", Some("a"))];
    assert_eq!(uuids(&cycle, View::Sdk).len() + uuids(&cycle, View::App).len(), 0);
    assert_eq!(states(&cycle, View::App).len(), 2, "nothing is unreachable");
    let backwards = [assistant("two").link("b", Some("a")), user("one").link("a", None)];
    assert_eq!(uuids(&backwards, View::Sdk), ["a", "b"]);
}

#[test]
fn an_empty_file_is_an_empty_conversation() {
    assert!(Conversation::read(b"", View::App).messages.is_empty());
    assert!(Conversation::read(b"\n{}\n[1]\n{\"type\":\"user\"", View::Sdk).messages.is_empty());
}

#[test]
fn lines_of_agents_teams_and_the_app_itself_are_not_shown() {
    let lines = [
        user("one").link("a", None),
        user("meta").link("b", Some("a")).with("isMeta", true),
        user("from a channel")
            .link("c", Some("b"))
            .with("isMeta", true)
            .with("origin", json!({"kind": "channel"})),
        user("team").link("d", Some("c")).with("teamName", "t"),
        user("two").link("e", Some("d")),
        user("side").link("f", Some("e")).with("isSidechain", true),
    ];
    assert_eq!(uuids(&lines, View::Sdk), ["a", "c", "e"]);
}

#[test]
fn lines_before_preserved_messages_are_compacted_not_abandoned() {
    let mut lines = rewound();
    let metadata = json!({"preservedMessages": {"anchorUuid": "s", "uuids": ["c", "d"]}});
    lines.push(boundary("z", &metadata));
    lines.push(user("summary").link("s", Some("z")));
    lines.push(user("more").link("e", Some("s")));
    let states = states(&lines, View::App);
    for (uuid, state) in [("a", "compacted"), ("b", "compacted"), ("c", "live"), ("e", "live")] {
        assert!(states.contains(&(uuid.to_owned(), state)), "{uuid} in {states:?}");
    }
    let bytes = file(&lines);
    let conversation = Conversation::read(&bytes, View::App);
    let generations: Vec<Vec<String>> = conversation
        .generations()
        .map(|ids| ids.iter().map(|id| conversation.graph.node(*id).uuid.to_string()).collect())
        .collect();
    assert_eq!(
        generations,
        [["a", "b", "c", "d"].as_slice(), &["z", "s", "c", "d", "e"]],
        "preserved lines are in both"
    );
    assert_eq!(conversation.branches, []);
}

#[test]
fn compactions_that_name_each_other_as_parent_end() {
    let lines = [
        boundary("y", &json!({})).with("logicalParentUuid", "z"),
        user("one").link("a", Some("y")),
        boundary("z", &json!({})).with("logicalParentUuid", "a"),
        user("two").link("b", Some("z")),
    ];
    let bytes = file(&lines);
    assert!(Conversation::read(&bytes, View::App).generations().count() <= 3);
}
