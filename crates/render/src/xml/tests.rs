//! Tests of complete documents, read back by an XML parser.

use super::*;
use crate::export_document::{Chapter, Heading};
use conversation::{Conversation, View};
use jiff::tz::TimeZone;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::HashMap;

/// A chain of `user` and `assistant` messages.
fn transcript(messages: &[Value]) -> Vec<u8> {
    let mut text = String::new();
    for (number, message) in messages.iter().enumerate() {
        let parent = number.checked_sub(1).map(|parent| format!("u{parent}"));
        let line = json!({
            "type": message["role"], "uuid": format!("u{number}"), "parentUuid": parent,
            "sessionId": "s", "timestamp": "2026-01-20T10:00:00.000Z", "message": message,
        });
        text += &format!("{line}\n");
    }
    text.into_bytes()
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn assistant(id: &str, blocks: &Value) -> Value {
    let usage = json!({"input_tokens": 1, "output_tokens": 2, "cache_read_input_tokens": 3,
        "cache_creation_input_tokens": 4});
    json!({"role": "assistant", "id": id, "model": "m", "usage": usage, "content": blocks})
}

fn called(id: &str, tool: &str, input: &Value) -> Value {
    assistant(id, &json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]))
}

fn answered(id: &str, text: &str, failed: bool) -> Value {
    let block =
        json!({"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed});
    json!({"role": "user", "content": [block]})
}

fn document_of<T>(bytes: &[u8], title: &str, rules: Rules, each: impl FnOnce(&Document) -> T) -> T {
    let conversation = Conversation::read(bytes, View::App);
    let turns = conversation.all_turns();
    let main = Chapter {
        conversation: &conversation,
        chain: conversation.full_chain().0,
        all_turns: &turns,
        turns: turns.turns.iter().collect(),
        costs: HashMap::new(),
    };
    let heading = Heading { title: title.to_owned(), ..Heading::default() };
    let zone = TimeZone::UTC;
    let export = ExportDocument::new(heading, &zone, main, &|_| None);
    each(&Document::of(&export, rules))
}

fn text_of(messages: &[Value], rules: Rules) -> String {
    document_of(&transcript(messages), "", rules, Document::text)
}

fn elements<'x>(document: &'x roxmltree::Document<'x>, name: &str) -> Vec<String> {
    let named = document.descendants().filter(|node| node.has_tag_name(name));
    named.map(|node| node.text().unwrap_or_default().to_owned()).collect()
}

/// The document after the meta element.
fn body(text: &str) -> &str {
    text.split_once("<meta").and_then(|(_, rest)| rest.split_once("/>\n")).expect("a meta").1
}

#[test]
fn usage_is_written_once_per_response() {
    let messages = [
        user("Hello"),
        assistant("a", &json!([{"type": "thinking", "thinking": "Hm.", "signature": "s"}])),
        assistant("a", &json!([{"type": "text", "text": "First."}])),
        assistant("b", &json!([{"type": "text", "text": "Second."}])),
    ];
    assert_eq!(
        body(&text_of(&messages, Rules::ALL)),
        "<user turn=\"1\" time=\"2026-01-20T10:00:00Z\">Hello</user>\n\
         <thinking>Hm.</thinking>\n\
         <assistant>First.</assistant>\n\
         <usage model=\"m\" input=\"1\" output=\"2\" cache_read=\"3\" cache_write=\"4\"/>\n\
         <assistant>Second.</assistant>\n\
         <usage input=\"1\" output=\"2\" cache_read=\"3\" cache_write=\"4\"/>\n\
         </session>\n"
    );
}

#[test]
fn each_rule_marks_its_omissions_and_can_be_switched_off() {
    let file = "let tide = 1;\n".repeat(20);
    let path = format!("/home/{}/tide.rs", ["deep"; 20].join("/"));
    let reminder = format!("<system-reminder>{}</system-reminder>", "Mind the tide. ".repeat(10));
    let docs = |text: &str| format!("{text}\n{reminder}");
    let twice = |tool: &str, input: Value, text: String| {
        vec![
            user("Go"),
            called("c1", tool, &input),
            answered("c1", &text, false),
            called("c2", tool, &input),
            answered("c2", &text, false),
        ]
    };
    let once = |tool: &str, input: Value, text: String| {
        vec![user("Go"), called("c1", tool, &input), answered("c1", &text, false)]
    };
    let look = json!({"command": "ls ~/.claude/projects"});
    let waves = "wave\n".repeat(400);
    let echo = vec![
        user("Go"),
        assistant("a", &json!([{"type": "text", "text": "I look."}])),
        assistant(
            "a",
            &json!([{"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "c1", "name": "LS", "input": {}}]),
        ),
    ];
    let table = [
        (Rule::Discovery, once("Bash", look, "a.jsonl".to_owned())),
        (Rule::Docs, twice("LS", json!({}), docs("x"))),
        (Rule::Reads, twice("Read", json!({"file_path": "tide.rs"}), file)),
        (Rule::Parameters, once("Write", json!({"content": "x".repeat(2000)}), String::new())),
        (Rule::Parameters, once("Read", json!({"file_path": path}), String::new())),
        (Rule::Results, once("Bash", json!({"command": "sea"}), waves)),
        (Rule::Echo, echo),
    ];
    for (rule, messages) in table {
        let (on, off) =
            (text_of(&messages, Rules::ALL), text_of(&messages, Rules::ALL.without(rule)));
        let mark = format!("<omitted rule=\"{}\"", rule.name());
        let is_marked = |text: &str| text.contains(&mark) || text.contains("cut=\"path\"");
        assert!(is_marked(&on) && !is_marked(&off), "{rule:?}\n{on}\n{off}");
        let all = text_of(&messages, Rules::NONE);
        assert_eq!(body(&off), body(&all), "{rule:?} alone had something to do");
        roxmltree::Document::parse(&on).unwrap();
    }
}

#[test]
fn program_output_is_written_once_and_without_colours() {
    let output = format!(
        "<local-command-stdout>\u{1b}[1m{}\u{1b}[0m\u{7}</local-command-stdout>",
        "sea ".repeat(80)
    );
    let text = text_of(&[user("Go"), user(&output), user(&output)], Rules::ALL);
    let notice = format!(
        "<notice kind=\"local-command-stdout\" id=\"n1\">{}\\u{{7}}</notice>",
        "sea ".repeat(80)
    );
    assert_eq!(text.matches(&notice).count(), 1, "{text}");
    assert!(
        text.contains("<omitted rule=\"docs\" same_as=\"n1\" lines=\"1\" bytes=\"321\"/></notice>"),
        "{text}"
    );
}

#[test]
fn failures_and_changed_files_are_kept_under_every_rule() {
    let deep = format!("/home/{}/tide.rs", ["deep"; 20].join("/"));
    let log: String = (0..900)
        .map(|n| if n % 300 == 7 { format!("myERRORs {n}\n") } else { format!("wave {n}\n") })
        .collect();
    let edit = json!({"file_path": deep, "old_string": "a".repeat(3000), "new_string": "b"});
    let messages = [
        user("Go"),
        called("c1", "Edit", &edit),
        answered("c1", "Done.", false),
        called("c2", "Bash", &json!({"command": "sea"})),
        answered("c2", &log, true),
    ];
    let text = text_of(&messages, Rules::ALL);
    assert!(text.contains(&deep), "{text}");
    for number in [7, 307, 607] {
        assert!(text.contains(&format!("myERRORs {number}\n")), "{text}");
    }
    assert!(!text.contains("wave 500\n"), "{text}");
    assert!(text.contains("status=\"error\""), "{text}");
}

#[test]
fn parts_are_documents_and_contain_everything_once() {
    let messages: Vec<Value> = (0..200)
        .map(|n| if n == 50 { user(&"x".repeat(9000)) } else { user(&format!("prompt {n}")) })
        .collect();
    let bytes = transcript(&messages);
    let (whole, parts, size) = document_of(&bytes, "t", Rules::ALL, |document| {
        (document.text(), document.parts(500), document.bytes())
    });
    assert_eq!(size, whole.len() as u64);
    assert!(parts.len() > 5, "{}", parts.len());
    let mut prompts = Vec::new();
    for (number, part) in (1..).zip(&parts) {
        let parsed = roxmltree::Document::parse(&part.content).unwrap();
        let root = parsed.root_element();
        assert_eq!(root.attribute("part"), Some(number.to_string().as_str()));
        assert_eq!(root.attribute("parts"), Some(parts.len().to_string().as_str()));
        assert!(root.first_element_child().unwrap().has_tag_name("meta"));
        let own = elements(&parsed, "user");
        let is_large = own.iter().any(|text| text.len() == 9000);
        assert_eq!(part.is_oversize, is_large);
        assert_eq!(root.attribute("oversize").is_some(), is_large);
        assert!(is_large && own.len() == 1 || part.content.len() <= 2000);
        prompts.extend(own);
    }
    assert_eq!(prompts, elements(&roxmltree::Document::parse(&whole).unwrap(), "user"));
}

#[test]
fn elements_across_a_split_are_continued() {
    let open = |name: &str| Element::new("agent").attribute("id", name).open();
    let entry = |text: &str| Item::Entry(Element::new("user").with_text(text).finish());
    let items = vec![
        open("outer"),
        entry(&"a".repeat(300)),
        open("inner"),
        entry(&"b".repeat(300)),
        entry(&"c".repeat(300)),
        Item::Close,
        open("empty"),
        Item::Close,
        entry(&"d".repeat(300)),
        Item::Close,
        entry("e"),
    ];
    let document = Document { meta: String::new(), items };
    let parts = document.parts(140);
    let shapes: Vec<String> = parts
        .iter()
        .map(|part| {
            let parsed = roxmltree::Document::parse(&part.content).unwrap();
            let names = parsed.descendants().filter_map(|node| {
                let continued = if node.attribute("continued").is_some() { "+" } else { "" };
                let letter = node.text().unwrap_or_default().trim().chars().next();
                match node.attribute("id") {
                    Some(id) => Some(format!("{id}{continued}")),
                    None => letter.filter(|_| node.has_tag_name("user")).map(String::from),
                }
            });
            names.collect::<Vec<_>>().join(" ")
        })
        .collect();
    assert_eq!(shapes, ["outer a", "outer+ inner b", "outer+ inner+ c", "outer+ empty d e"]);
}

proptest! {
    #[test]
    fn any_text_is_read_back_by_an_xml_parser(
        texts in proptest::collection::vec(any::<String>(), 1..6),
        wild in "[\\x00-\\x20&<>\"'\\]\u{fffe}\u{ffff}\u{202e}\u{e0041}a-c]{0,60}",
    ) {
        let mut messages = vec![user(&format!("start {wild}"))];
        for (number, text) in texts.iter().enumerate() {
            let id = format!("c{number}{wild}");
            let input = json!({text.as_str(): text, "command": wild, "file_path": [text, wild]});
            messages.push(called(&id, text, &input));
            messages.push(answered(&id, &format!("{text}{wild}"), true));
            messages.push(assistant(&id, &json!([{"type": "text", "text": format!("say {text}{wild}")},
                {"type": "thinking", "thinking": text, "signature": ""},
                {"type": wild, "text": text}])));
        }
        let bytes = transcript(&messages);
        for rules in [Rules::ALL, Rules::NONE] {
            document_of(&bytes, &wild, rules, |document| {
                for part in document.parts(100).into_iter().chain(document.parts(u64::MAX)) {
                    let parsed = roxmltree::Document::parse(&part.content);
                    prop_assert!(parsed.is_ok(), "{:?}\n{}", parsed, part.content);
                }
                let text = document.text();
                let parsed = roxmltree::Document::parse(&text).unwrap();
                let shown: Vec<String> = texts.iter().map(|text| {
                    crate::untrusted::text(&format!("say {text}{wild}")).replace(['\u{fffe}'], "\\u{fffe}")
                        .replace(['\u{ffff}'], "\\u{ffff}")
                }).collect();
                prop_assert_eq!(elements(&parsed, "assistant"), shown);
                Ok(())
            })?;
        }
    }
}
