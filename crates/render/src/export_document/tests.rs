//! What every page tells alike: agents, and what stands beside the conversation.

use super::*;
use crate::xml::{Document, Rules};
use conversation::View;
use serde_json::{Value, json};

/// A line of a transcript.
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

/// A session that starts an agent, with a branch and a loose piece.
fn session() -> String {
    let mut loose = line("user", "u9", Some("gone"), &json!("Loose words"));
    loose["timestamp"] = json!("2020-01-01T00:00:00Z");
    joined(&[
        loose,
        line("user", "u1", None, &json!("Start")),
        line("assistant", "u2", Some("u1"), &call("t1", "Task")),
        line("user", "u3", Some("u2"), &answer("t1", "done")),
        line("assistant", "u4", Some("u3"), &json!([{"type": "text", "text": "Said"}])),
        line("user", "u5", Some("u4"), &json!("Undone words")),
        line("user", "u6", Some("u4"), &json!("Go on")),
    ])
}

/// An agent's transcript: what it says has the numbers that lines of the session
/// have from the call on, `u2` to `u4`.
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

fn chapter<'a>(said: &'a Conversation<'a>, telling: &'a Turns<'a>) -> Chapter<'a> {
    let turns: Vec<&Turn<'_>> = telling.turns.iter().collect();
    let chain = turns.iter().flat_map(|turn| turn.steps.iter().map(|step| step.node));
    let mut chain: Vec<NodeId> = chain.collect();
    chain.dedup();
    Chapter { said, chain, telling, turns, costs: HashMap::new() }
}

/// Hands over the session with a readable agent at its call, with its branch and
/// loose piece before a line.
fn with_volume<T>(before: Option<&str>, each: impl FnOnce(ExportDocument<'_>) -> T) -> T {
    let text = session();
    let said = Conversation::read(text.as_bytes(), View::App);
    let telling = said.all_turns();
    let own = agent("a");
    let agent_said = Conversation::read_agent(own.as_bytes(), View::App);
    let agent_telling = agent_said.all_turns();
    let left = said.turns_of(&said.branches[0].messages, false);
    let loose = said.turns_of(&said.orphaned_segments[0].messages, false);
    let node = node("a", None, Some("t1"));
    let zone = TimeZone::UTC;
    let persisted = |_: &str| None;
    let mut export =
        ExportDocument::new(Heading::default(), &zone, chapter(&said, &telling), &persisted);
    let before = before.and_then(|uuid| said.graph.find(uuid));
    export.masked = Some(2);
    export.branches = vec![AbandonedBranch {
        number: 1,
        branch: &said.branches[0],
        before,
        chapter: chapter(&said, &left),
    }];
    export.orphans = vec![OrphanSegment {
        segment: &said.orphaned_segments[0],
        before,
        chapter: chapter(&said, &loose),
    }];
    let agents =
        vec![AgentChapter { node: &node, chapter: Ok(chapter(&agent_said, &agent_telling)) }];
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
fn every_page_tells_what_stands_beside_in_one_order() {
    let end = ["Start", "a last", "Said", "Go on", "Loose words", "Undone words"];
    let within = ["Start", "a last", "Said", "Loose words", "Undone words", "Go on"];
    // Nothing is told of `u3` itself: its result stands at its call.
    for (before, expected) in [(None, end), (Some("u3"), end), (Some("u6"), within)] {
        for (name, page) in with_volume(before, |export| pages(&export)) {
            let places = expected.map(|words| page.rfind(words));
            assert!(places.is_sorted() && places[0].is_some(), "{name}, {before:?}:\n{page}");
        }
    }
}

#[test]
fn every_page_says_what_an_agent_was_asked_to_do_and_what_was_masked() {
    let pages = with_volume(None, |export| {
        assert_eq!(export.agents_elsewhere(), Vec::<usize>::new());
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
fn every_message_has_its_id_around_an_agent_with_the_same_numbers() {
    let page = with_volume(None, |export| crate::html_page(&export));
    let ids: Vec<&str> =
        page.split(" id=m-").skip(1).map(|rest| rest.split('>').next().unwrap()).collect();
    assert_eq!(ids, ["u1", "u2", "a2", "a3", "a4", "u4", "u6", "u9", "u5"]);
}

#[test]
fn an_agent_that_can_be_read_is_told_below_one_that_cannot() {
    let own = agent("c");
    let said = Conversation::read_agent(own.as_bytes(), View::App);
    let telling = said.all_turns();
    let because = |reason: &str| Err(Omitted::Because(reason.to_owned()));
    let nodes = [
        node("p", None, Some("gone")),
        node("c", Some("p"), Some("t9")),
        node("d", Some("p"), Some("t8")),
    ];
    let table: [(_, &[usize]); 2] = [
        ([because("torn"), Ok(chapter(&said, &telling)), Err(Omitted::AsAsked)], &[0, 1]),
        ([Err(Omitted::AsAsked), Err(Omitted::AsAsked), because("torn")], &[0]),
    ];
    for (chapters, expected) in table {
        let is_told = chapters[1].is_ok();
        let agents =
            nodes.iter().zip(chapters).map(|(node, chapter)| AgentChapter { node, chapter });
        let agents: Vec<AgentChapter<'_>> = agents.collect();
        with_volume(None, |export| {
            let export = volume_with(export, &agents);
            assert_eq!(export.agents_elsewhere(), expected);
            for (name, page) in pages(&export) {
                assert_eq!(page.contains("c last"), is_told, "{name}:\n{page}");
                let reason = page.contains("torn");
                assert_eq!(reason, is_told, "{name}:\n{page}");
                if name != "xml" {
                    assert!(page.contains("Agents whose calls are not here"), "{name}");
                }
            }
        });
    }
}

fn volume_with<'a>(export: ExportDocument<'a>, agents: &[AgentChapter<'a>]) -> ExportDocument<'a> {
    export.with_agents(agents.to_vec())
}

#[test]
fn xml_tells_an_output_that_is_kept_elsewhere() {
    let marker = "<persisted-output>\nOutput too large. Full output saved to: /x/b1.txt\n\nPreview";
    let text = joined(&[
        line("user", "u1", None, &json!("Start")),
        line("assistant", "u2", Some("u1"), &call("t1", "Bash")),
        line("user", "u3", Some("u2"), &answer("t1", marker)),
    ]);
    let said = Conversation::read(text.as_bytes(), View::App);
    let telling = said.all_turns();
    let zone = TimeZone::UTC;
    let whole = format!("{}the end", "wave\n".repeat(1_000));
    let kept = |name: &str| (name == "b1.txt").then(|| whole.clone());
    let missing = |_: &str| None;
    let tell = |persisted: &dyn Fn(&str) -> Option<String>, rules| {
        let main = chapter(&said, &telling);
        let export = ExportDocument::new(Heading::default(), &zone, main, persisted);
        Document::of(&export, rules).text()
    };
    let page = tell(&kept, Rules::NONE);
    assert!(page.contains(&format!("persisted=\"b1.txt\">{whole}</tool_result>")), "{page}");
    let page = tell(&kept, Rules::ALL);
    assert!(page.contains("<left_out rule=\"results\"") && page.contains("the end<"), "{page}");
    let page = tell(&missing, Rules::ALL);
    assert!(page.contains("Preview</tool_result>"), "{page}");
}

#[test]
fn every_page_says_what_a_command_kept_elsewhere_and_that_it_made_a_picture() {
    let picture = json!([{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}]}]);
    let mut last = line("user", "u3", Some("u2"), &picture);
    last["toolUseResult"] = json!({"stdout": "begin", "persistedOutputPath": "/x/b1.txt"});
    let text = joined(&[
        line("user", "u1", None, &json!("Start")),
        line("assistant", "u2", Some("u1"), &call("t1", "Bash")),
        last,
    ]);
    let said = Conversation::read(text.as_bytes(), View::App);
    let telling = said.all_turns();
    let zone = TimeZone::UTC;
    let export =
        ExportDocument::new(Heading::default(), &zone, chapter(&said, &telling), &|_| None);
    for (name, page) in pages(&export) {
        let kept = if name == "xml" { "persisted=\"b1.txt\"" } else { "kept whole as b1.txt" };
        assert!(page.contains(kept) && page.contains("image"), "{name}:\n{page}");
    }
}
