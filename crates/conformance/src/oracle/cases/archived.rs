//! Archived sessions: what the small file must say, and what a person must do
//! later to bring the session back.

use std::time::Duration;

use crate::oracle::line::{Line, assistant, last_prompt, padding, text_block, user, user_blocks};
use crate::oracle::store::{CHANGED, Store};

const FILE: &str = "archived.json";

/// Archived a moment after the time of the first line.
const ARCHIVED: &str = r#"{"archived":true,"at":"2026-01-02T03:04:06.000Z","by":"user"}"#;

const LATER: &str = "2026-01-02T03:05:00.000Z";

const IMAGE: &str = r#"{"type":"image","source":{"type":"base64","data":"AA"}}"#;

pub(super) fn add(store: &mut Store) {
    let base = user("hello");
    store
        .add("sidecar archived", &[&base])
        .beside(FILE, r#"{"archived":true,"at":1790000000000,"by":"user"}"#);
    store.add("archived", &[&base]).beside(FILE, r#"{"archived":true,"at":1,"by":"x"}"#);
    store.add("archived no at", &[&base]).beside(FILE, r#"{"archived":true}"#);
    store.add("archived bad", &[&base]).beside(FILE, "{");
    store
        .add(
            "archived prompt then older",
            &[&base, &user("later").with("timestamp", LATER), &user("older")],
        )
        .beside(FILE, ARCHIVED);
    store
        .add(
            "archived later in head only",
            &[&user("later").with("timestamp", LATER), &padding(70_000)],
        )
        .beside(FILE, ARCHIVED);
    store
        .add(
            "archived later in cut tail",
            &[&base, &padding(70_000), &user(&"z".repeat(70_000)).with("timestamp", LATER)],
        )
        .beside(FILE, ARCHIVED);
    store
        .add("archived extra", &[&base])
        .beside(FILE, r#"{"archived":true,"at":"2026-01-02T03:04:06.000Z","by":"x","foo":1}"#);
    for at in [
        "1767323044678",
        "1767323045678",
        "1767323046678",
        r#""2026-01-02T03:04:04.000Z""#,
        r#""2026-01-02T03:04:06.000Z""#,
        "null",
        r#""x""#,
    ] {
        let text = format!(r#"{{"archived":true,"at":{at},"by":"user"}}"#);
        store.add(&format!("archived at {at}"), &[&base]).beside(FILE, &text);
    }
    store.add("archived false", &[&base]).beside(FILE, r#"{"archived":false,"at":1767323046678}"#);
    store
        .add("archived as text", &[&base])
        .beside(FILE, r#"{"archived":"true","at":1767323046678}"#);
    store
        .add("archived, changed much later", &[&base])
        .beside(FILE, ARCHIVED)
        .changed(CHANGED + Duration::from_secs(100_000_000));
    for (name, line) in what_comes_later() {
        store.add(&format!("archived then {name}"), &[&base, &line]).beside(FILE, ARCHIVED);
    }
    for (name, line) in damaged() {
        store.add(&format!("archived then {name}"), &[&base, &line]).beside(FILE, ARCHIVED);
    }
}

/// Whole lines after the archiving, some of which bring a session back.
fn what_comes_later() -> Vec<(&'static str, Line)> {
    let later = |text| user(text).with("timestamp", LATER);
    let blocks = |blocks: &str| user_blocks(blocks).with("timestamp", LATER);
    let attachment = |json: &str| {
        let line = Line::of("attachment").with_json("attachment", json);
        line.with("timestamp", LATER).with("uuid", "x")
    };
    let image = format!("[{IMAGE}]");
    vec![
        ("a prompt", later("later")),
        ("an answer", assistant("x").with("timestamp", LATER)),
        ("meta", later("later").with("isMeta", true)),
        ("a command", later("<command-name>/x</command-name>")),
        ("a tag", later("<foo>x")),
        ("bash", later("<bash-input>x</bash-input>")),
        ("an image", blocks(r#"[{"type":"image"}]"#)),
        ("a tool result", blocks(r#"[{"type":"tool_result","tool_use_id":"x","content":"y"}]"#)),
        ("a sidechain", later("later").with("isSidechain", true)),
        ("a last prompt", last_prompt("x").with("timestamp", LATER)),
        (
            "a queue operation",
            Line::of("queue-operation")
                .with("operation", "enqueue")
                .with("content", "x")
                .with("timestamp", LATER),
        ),
        ("an interruption", later("[Request interrupted by user]")),
        ("a compact summary", later("later").with("isCompactSummary", true)),
        ("a queued command", attachment(r#"{"type":"queued_command","prompt":"qc"}"#)),
        ("an image of a sidechain", blocks(&image).with("isSidechain", true)),
        ("a document", blocks(r#"[{"type":"document"}]"#)),
        ("an image and a tag", blocks(&format!("[{IMAGE},{}]", text_block("<foo>")))),
        ("nothing", later("")),
        ("no blocks", blocks("[]")),
        (
            "a command and words",
            blocks(&format!(
                "[{},{}]",
                text_block("<command-name>/x</command-name>"),
                text_block("hi")
            )),
        ),
        ("a task notification", later("x").with_json("origin", r#"{"kind":"task-notification"}"#)),
        ("a human origin", later("x").with_json("origin", r#"{"kind":"human"}"#)),
        (
            "a tool result and words",
            blocks(&format!(
                r#"[{{"type":"tool_result","tool_use_id":"a","content":"c"}},{}]"#,
                text_block("hi")
            )),
        ),
        ("a team's prompt", later("x").with("teamName", "t")),
        ("a prompt of the SDK", later("x").with("promptSource", "sdk")),
        ("a prompt of the system", later("x").with("promptSource", "system")),
        (
            "a queued notification",
            attachment(
                r#"{"type":"queued_command","prompt":"qc","commandMode":"task-notification"}"#,
            ),
        ),
        (
            "a queued prompt",
            attachment(r#"{"type":"queued_command","prompt":"qc","commandMode":"prompt"}"#),
        ),
        (
            "a queued command of a sidechain",
            attachment(r#"{"type":"queued_command","prompt":"qc"}"#).with("isSidechain", true),
        ),
        ("what only the transcript shows", later("x").with("isVisibleInTranscriptOnly", true)),
        ("a prompt at that time", user("x").with("timestamp", "2026-01-02T03:04:06.000Z")),
        ("a bad time", user("x").with("timestamp", "bad")),
        ("a caveat", later("Caveat: x")),
    ]
}

/// A prompt after the archiving, in lines that are not as they should be.
fn damaged() -> Vec<(&'static str, String)> {
    let prompt = user("x").with("timestamp", LATER).to_string();
    let mode = Line::of("mode");
    let time = r#""timestamp":"2026-01-02T03:05:00.000Z""#;
    vec![
        ("a glued prompt", format!("{mode}{prompt}")),
        ("a prompt with something glued to it", format!("{prompt}{mode}")),
        ("a spaced prompt", prompt.replace(r#"":""#, r#"": ""#)),
        ("a torn prompt", prompt.chars().take(prompt.len() - 5).collect()),
        ("a carriage return", format!("{prompt}\r")),
        ("no time", prompt.replace(time, r#""q":1"#)),
    ]
}
