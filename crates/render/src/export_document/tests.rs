//! Tests that every format places agents, branches and segments alike.

use super::*;
use crate::xml::{Document, Rules};
use conversation::View;
use serde_json::{Value, json};

/// A record of a transcript.
fn line(kind: &str, uuid: &str, parent: Option<&str>, content: &Value) -> Value {
    json!({"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s",
        "timestamp": "2026-01-02T03:04:05.000Z",
        "message": {"role": kind, "id": uuid, "model": "claude-sonnet-5", "content": content}})
}

fn joined(lines: &[Value]) -> String {
    lines.iter().fold(String::new(), |text, line| text + &line.to_string() + "\n")
}

fn call(id: &str, tool: &str) -> Value {
    json!([{"type": "tool_use", "id": id, "name": tool, "input": {"prompt": "Go", "command": "sea"}}])
}

fn answer(id: &str, text: &str) -> Value {
    json!([{"type": "tool_result", "tool_use_id": id, "content": text}])
}

/// A session that starts an agent, with an abandoned branch and an orphaned segment.
fn session() -> String {
    let mut orphan = line("user", "u9", Some("gone"), &json!("Orphan words"));
    orphan["timestamp"] = json!("2020-01-01T00:00:00Z");
    joined(&[
        orphan,
        line("user", "u1", None, &json!("Start")),
        line("assistant", "u2", Some("u1"), &call("t1", "Task")),
        line("user", "u3", Some("u2"), &answer("t1", "done")),
        line("assistant", "u4", Some("u3"), &json!([{"type": "text", "text": "Said"}])),
        line("user", "u5", Some("u4"), &json!("Abandoned words")),
        line("user", "u6", Some("u4"), &json!("Go on")),
    ])
}

/// An agent's transcript whose messages have the same node numbers as the records
/// `u2` to `u4` of the session.
fn agent(name: &str) -> String {
    let id = |number: u8| format!("{name}{number}");
    let text = |words: &str| json!([{"type": "text", "text": format!("{name} {words}")}]);
    let note = |number: u8, parent: Option<String>| {
        json!({"type": "system", "subtype": "turn_duration", "durationMs": 1, "uuid": id(number),
            "parentUuid": parent, "timestamp": "2026-01-02T03:04:05.000Z"})
    };
    joined(&[
        note(0, None),
        note(1, Some(id(0))),
        line("user", &id(2), Some(&id(1)), &json!("Asked")),
        line("assistant", &id(3), Some(&id(2)), &text("first")),
        line("assistant", &id(4), Some(&id(3)), &text("last")),
    ])
}

fn node(id: &str, parent: Option<&str>, call: Option<&str>) -> AgentNode {
    AgentNode {
        id: id.to_owned(),
        parent_id: parent.map(str::to_owned),
        tool_use_id: call.map(str::to_owned),
        description: Some(format!("the errand of {id}")),
        ..AgentNode::default()
    }
}

fn chapter<'a>(conversation: &'a Conversation<'a>, all_turns: &'a Turns<'a>) -> Chapter<'a> {
    let turns: Vec<&Turn<'_>> = all_turns.turns.iter().collect();
    let chain = turns.iter().flat_map(|turn| turn.steps.iter().map(|step| step.node));
    let mut chain: Vec<NodeId> = chain.collect();
    chain.dedup();
    Chapter { conversation, chain, all_turns, turns, costs: HashMap::new() }
}

/// Calls `each` with the session, a readable agent at its call, and its branch and
/// segment before a record.
fn with_export<T>(before: Option<&str>, each: impl FnOnce(ExportDocument<'_>) -> T) -> T {
    let text = session();
    let conversation = Conversation::read(text.as_bytes(), View::App);
    let turns = conversation.all_turns();
    let own = agent("a");
    let agent_conversation = Conversation::read_agent(own.as_bytes(), View::App);
    let agent_turns = agent_conversation.all_turns();
    let branch_turns = conversation.turns_of(&conversation.branches[0].messages);
    let orphan_turns = conversation.turns_of(&conversation.orphaned_segments[0].messages);
    let node = node("a", None, Some("t1"));
    let zone = TimeZone::UTC;
    let persisted = |_: &str| None;
    let mut export =
        ExportDocument::new(Heading::default(), &zone, chapter(&conversation, &turns), &persisted);
    let before = before.and_then(|uuid| conversation.graph.find(uuid));
    export.masked = Some(2);
    export.branches = vec![AbandonedBranch {
        number: 1,
        branch: &conversation.branches[0],
        before,
        chapter: chapter(&conversation, &branch_turns),
    }];
    export.orphans = vec![OrphanSegment {
        segment: &conversation.orphaned_segments[0],
        before,
        chapter: chapter(&conversation, &orphan_turns),
    }];
    let agents =
        vec![AgentChapter { node: &node, chapter: Ok(chapter(&agent_conversation, &agent_turns)) }];
    each(export.with_agents(agents))
}

fn pages(export: &ExportDocument<'_>) -> [(&'static str, String); 4] {
    let page = crate::html_page(export);
    let (_, page) = page.split_once("<main").unwrap();
    let (page, _) = page.split_once("</main>").unwrap();
    [
        ("html", page.to_owned()),
        ("md", crate::markdown_page(export)),
        ("txt", crate::plain_page(export)),
        ("xml", Document::of(export, Rules::ALL).text()),
    ]
}

#[test]
fn every_format_places_branches_and_segments_in_the_same_order() {
    let end = ["Start", "a last", "Said", "Go on", "Orphan words", "Abandoned words"];
    let within = ["Start", "a last", "Said", "Orphan words", "Abandoned words", "Go on"];
    // `u3` has no step: its result is shown at its call.
    for (before, expected) in [(None, end), (Some("u3"), end), (Some("u6"), within)] {
        for (name, page) in with_export(before, |export| pages(&export)) {
            let places = expected.map(|words| page.rfind(words));
            assert!(places.is_sorted() && places[0].is_some(), "{name}, {before:?}:\n{page}");
        }
    }
}

#[test]
fn every_format_shows_agent_descriptions_and_the_number_of_masked_secrets() {
    let pages = with_export(None, |export| {
        assert_eq!(export.unlinked_agents(), Vec::<usize>::new());
        pages(&export)
    });
    for (name, page) in pages {
        assert!(page.contains("the errand of a"), "{name}:\n{page}");
        if matches!(name, "md" | "txt") {
            assert!(page.contains("2 secrets masked"), "{name}:\n{page}");
        }
    }
}

#[test]
fn messages_have_their_ids_around_an_agent_with_the_same_node_numbers() {
    let page = with_export(None, |export| crate::html_page(&export));
    let ids: Vec<&str> =
        page.split(" id=m-").skip(1).map(|rest| rest.split('>').next().unwrap()).collect();
    assert_eq!(ids, ["u1", "u2", "a2", "a3", "a4", "u4", "u6", "u9", "u5"]);
}

#[test]
fn readable_agent_is_shown_below_an_unreadable_one() {
    let own = agent("c");
    let conversation = Conversation::read_agent(own.as_bytes(), View::App);
    let turns = conversation.all_turns();
    let unavailable = |reason: &str| Err(Omitted::Unavailable(reason.to_owned()));
    let nodes = [
        node("p", None, Some("gone")),
        node("c", Some("p"), Some("t9")),
        node("d", Some("p"), Some("t8")),
    ];
    let table: [(_, &[usize]); 2] = [
        (
            [unavailable("torn"), Ok(chapter(&conversation, &turns)), Err(Omitted::ByOption)],
            &[0, 1],
        ),
        ([Err(Omitted::ByOption), Err(Omitted::ByOption), unavailable("torn")], &[0]),
    ];
    for (chapters, expected) in table {
        let is_shown = chapters[1].is_ok();
        let agents =
            nodes.iter().zip(chapters).map(|(node, chapter)| AgentChapter { node, chapter });
        let agents: Vec<AgentChapter<'_>> = agents.collect();
        with_export(None, |export| {
            let export = export_with(export, &agents);
            assert_eq!(export.unlinked_agents(), expected);
            for (name, page) in pages(&export) {
                assert_eq!(page.contains("c last"), is_shown, "{name}:\n{page}");
                let reason = page.contains("torn");
                assert_eq!(reason, is_shown, "{name}:\n{page}");
                if name != "xml" {
                    assert!(page.contains("Agents not linked to a call"), "{name}");
                }
            }
        });
    }
}

fn export_with<'a>(export: ExportDocument<'a>, agents: &[AgentChapter<'a>]) -> ExportDocument<'a> {
    export.with_agents(agents.to_vec())
}

#[test]
fn xml_includes_persisted_output() {
    let marker = "<persisted-output>\nOutput too large. Full output saved to: /x/b1.txt\n\nPreview";
    let text = joined(&[
        line("user", "u1", None, &json!("Start")),
        line("assistant", "u2", Some("u1"), &call("t1", "Bash")),
        line("user", "u3", Some("u2"), &answer("t1", marker)),
    ]);
    let conversation = Conversation::read(text.as_bytes(), View::App);
    let turns = conversation.all_turns();
    let zone = TimeZone::UTC;
    let whole = format!("{}the end", "wave\n".repeat(1_000));
    let persisted = |name: &str| (name == "b1.txt").then(|| whole.clone());
    let missing = |_: &str| None;
    let document = |persisted: &dyn Fn(&str) -> Option<String>, rules| {
        let main = chapter(&conversation, &turns);
        let export = ExportDocument::new(Heading::default(), &zone, main, persisted);
        Document::of(&export, rules).text()
    };
    let page = document(&persisted, Rules::NONE);
    assert!(page.contains(&format!("persisted=\"b1.txt\">{whole}</tool_result>")), "{page}");
    let page = document(&persisted, Rules::ALL);
    assert!(page.contains("<omitted rule=\"results\"") && page.contains("the end<"), "{page}");
    let page = document(&missing, Rules::ALL);
    assert!(page.contains("Preview</tool_result>"), "{page}");
}

#[test]
fn every_format_mentions_persisted_output_and_images_of_a_command() {
    let image = json!([{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}]}]);
    let mut last = line("user", "u3", Some("u2"), &image);
    last["toolUseResult"] = json!({"stdout": "begin", "persistedOutputPath": "/x/b1.txt"});
    let text = joined(&[
        line("user", "u1", None, &json!("Start")),
        line("assistant", "u2", Some("u1"), &call("t1", "Bash")),
        last,
    ]);
    let conversation = Conversation::read(text.as_bytes(), View::App);
    let turns = conversation.all_turns();
    let zone = TimeZone::UTC;
    let export =
        ExportDocument::new(Heading::default(), &zone, chapter(&conversation, &turns), &|_| None);
    for (name, page) in pages(&export) {
        let note = if name == "xml" { "persisted=\"b1.txt\"" } else { "full output in b1.txt" };
        assert!(page.contains(note) && page.contains("image"), "{name}:\n{page}");
    }
}
