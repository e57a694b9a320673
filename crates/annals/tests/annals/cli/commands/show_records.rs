//! `show`: every byte of a transcript comes back, whatever is wrong with it.

use crate::cli::support::run::{annals, exchange, text};
use base64::Engine as _;
use serde_json::Value;
use std::path::Path;
use testkit::{Sandbox, session_id};

/// The bytes of a record.
fn raw(record: &Value) -> Vec<u8> {
    match (record.get("raw"), record.get("raw_base64")) {
        (Some(raw), None) => text(raw).into_bytes(),
        (None, Some(raw)) => base64::engine::general_purpose::STANDARD.decode(text(raw)).unwrap(),
        both => panic!("{both:?}"),
    }
}

/// Asserts that a document of records has all of a file but line ends and what
/// its problems name: blank lines.
pub(crate) fn assert_whole(document: &Value, path: &Path) {
    let file = std::fs::read(path).unwrap();
    let (mut at, mut line) = (0, 1);
    for record in document["records"].as_array().unwrap() {
        let offset = usize::try_from(record["offset"].as_u64().unwrap()).unwrap();
        let gap = &file[at..offset];
        assert!(gap.iter().all(u8::is_ascii_whitespace), "{} lost {gap:?} at {at}", path.display());
        let raw = raw(record);
        line += gap.split(|byte| *byte == b'\n').count() - 1;
        assert_eq!(record["line"], line, "{}", path.display());
        assert!(file[offset..].starts_with(&raw), "{} changed at {offset}", path.display());
        at = offset + raw.len();
    }
    assert!(file[at..].iter().all(u8::is_ascii_whitespace), "{} lost its end", path.display());
}

fn reasons(document: &Value) -> Vec<String> {
    let problems = document["problems"].as_array().unwrap().iter();
    problems
        .map(|problem| {
            format!("{} {} {}", problem["line"], problem["offset"], text(&problem["reason"]))
        })
        .collect()
}

/// A session of one exchange with these bytes between prompt and answer.
fn damaged(sandbox: &Sandbox, bytes: &[u8]) -> std::path::PathBuf {
    let lines = exchange(1, "/home/ada/tidepool", "Hello");
    let file = [
        lines[0].to_string().as_bytes(),
        b"\n",
        bytes,
        b"\n",
        lines[1].to_string().as_bytes(),
        b"\n",
    ]
    .concat();
    sandbox.write(&format!("projects/-home-ada-tidepool/{}.jsonl", session_id(1)), file)
}

#[test]
fn raw_field_is_the_unchanged_line() {
    let sandbox = Sandbox::new();
    let odd = r#"{"type" : "user",  "b":1.0e2,"b":"\u00e9\ud83d\ude00", "message":{"role":"user","content":"Hi"}}"#;
    let path = damaged(&sandbox, odd.as_bytes());
    let answer =
        annals(&sandbox, &["show", &session_id(1), "--view", "all", "--json"]).done().json();
    assert_eq!(answer["records"][1]["raw"], odd);
    assert_whole(&answer, &path);
    let file = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<_> = answer["records"]
        .as_array()
        .unwrap()
        .iter()
        .map(|record| text(&record["raw"]) + "\n")
        .collect();
    assert_eq!(lines.concat(), file);
}

#[test]
fn line_that_is_not_utf8_is_base64() {
    let sandbox = Sandbox::new();
    let path = damaged(
        &sandbox,
        b"{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"caf\xe9\"}}",
    );
    let answer =
        annals(&sandbox, &["show", &session_id(1), "--view", "all", "--json"]).done().json();
    let record = &answer["records"][1];
    assert!(record.get("raw").is_none() && record["raw_base64"].is_string(), "{record}");
    assert_whole(&answer, &path);
    assert_eq!(answer["problems"][0]["line"], 2);
}

#[test]
fn every_problem_has_line_offset_and_reason() {
    let start = exchange(1, "/home/ada/tidepool", "Hello")[0].to_string().len() + 1;
    let cases: [(&[u8], String); 5] = [
        (b"{\"type\":\"user\",\"message\":", format!("2 {start} not JSON")),
        (b"{\"type\":\"mode\"}{\"type\":\"mode\"}", format!("2 {start} 2 objects on one line")),
        (b"\0\0\0{\"type\":\"mode\"}", format!("2 {start} 3 NUL bytes before the object")),
        (b"", format!("2 {start} blank line")),
        (b"[1,2]", format!("2 {start} ")),
    ];
    for (bytes, expected) in cases {
        let sandbox = Sandbox::new();
        let path = damaged(&sandbox, bytes);
        let answer =
            annals(&sandbox, &["show", &session_id(1), "--view", "all", "--json"]).done().json();
        let reasons = reasons(&answer);
        assert_eq!(reasons.len(), 1, "{reasons:?}");
        assert!(reasons[0].starts_with(&expected), "{reasons:?} for {expected}");
        assert_whole(&answer, &path);
        let doctor = annals(&sandbox, &["doctor", "--json"]).done().json();
        assert_eq!(doctor["problems"][0]["path"], path.display().to_string());
        assert_eq!(doctor["problems"][0]["offset"], answer["problems"][0]["offset"]);
        let neighbours = answer["records"].as_array().unwrap();
        assert_eq!(
            (&neighbours[0]["type"], &neighbours[neighbours.len() - 1]["type"]),
            (&"user".into(), &"assistant".into())
        );
    }
}

#[test]
fn torn_last_line_is_reported_and_its_neighbours_are_shown() {
    let sandbox = Sandbox::new();
    let path = sandbox.session(
        "/home/ada/tidepool",
        &session_id(1),
        exchange(1, "/home/ada/tidepool", "Hello"),
    );
    sandbox.append(&path, "{\"type\":\"user\",\"mess");
    let answer =
        annals(&sandbox, &["show", &session_id(1), "--view", "all", "--json"]).done().json();
    assert_eq!(reasons(&answer).len(), 1);
    assert!(
        reasons(&answer)[0].starts_with("3 ")
            && reasons(&answer)[0].ends_with("the last line is incomplete")
    );
    assert_whole(&answer, &path);
}

#[test]
fn raw_option_prints_the_bytes_of_the_file() {
    for bytes in [&b"caf\xe9"[..], b"\0\0{}", b"", b"{\"a\":1}\r", "\u{2028}".as_bytes()] {
        let sandbox = Sandbox::new();
        let path = damaged(&sandbox, bytes);
        sandbox.append(&path, "torn");
        let answer = annals(&sandbox, &["show", &session_id(1), "--raw"]).done();
        assert_eq!(answer.bytes, std::fs::read(&path).unwrap());
    }
}

#[test]
fn huge_line_and_deeply_nested_line_are_shown() {
    let deep =
        format!("{{\"type\":\"mode\",\"deep\":{}{}}}", "[".repeat(10_000), "]".repeat(10_000));
    let long = format!("{{\"type\":\"mode\",\"long\":\"{}\"}}", "x".repeat(5_000_000));
    for line in [deep, long] {
        let sandbox = Sandbox::new();
        let path = damaged(&sandbox, line.as_bytes());
        let answer =
            annals(&sandbox, &["show", &session_id(1), "--view", "all", "--json"]).done().json();
        assert_eq!(answer["records"].as_array().unwrap().len(), 3);
        assert_whole(&answer, &path);
        for command in ["ls", "doctor", "info", "prompts", "agents"] {
            let name = session_id(1);
            let arguments = if matches!(command, "ls" | "doctor") {
                vec![command]
            } else {
                vec![command, &name]
            };
            annals(&sandbox, &arguments).done();
        }
    }
}
