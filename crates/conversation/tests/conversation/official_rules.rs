//! The rules of the official reader, each with a small transcript, and its handling
//! of damaged and large files.
//!
//! The rules were found by running the reader; `cargo xtask oracle` runs it again.
//! Deliberate differences are listed in `docs/listing.md`.

use conversation::{Conversation, Message, View};

/// The cases of a table: (the rule, the lines, the uuids).
fn cases(table: &str) -> Vec<(&str, String, Vec<&str>)> {
    let blocks = table.split("\n\n").filter(|block| !block.starts_with('#'));
    blocks
        .map(|block| {
            let mut lines: Vec<&str> = block.trim_end().lines().collect();
            let name = lines.remove(0);
            let last = lines.pop().expect("a last line");
            let uuids = last.strip_prefix('=').expect("`=` in the last line");
            let uuids = uuids.split_whitespace().map(|uuid| uuid.trim_matches('"'));
            (name, lines.join("\n") + "\n", uuids.collect())
        })
        .collect()
}

fn uuids(messages: &[Message]) -> Vec<&str> {
    messages.iter().map(|message| &*message.uuid).collect()
}

fn sdk(bytes: &[u8]) -> Vec<String> {
    let messages = Conversation::read(bytes, View::Sdk).messages;
    messages.into_iter().map(|message| message.uuid).collect()
}

#[test]
fn view_sdk_follows_each_rule_of_the_official_reader() {
    let cases = cases(include_str!("official_rules.txt"));
    assert!(cases.len() > 100);
    for (rule, lines, expected) in cases {
        let conversation = Conversation::read(lines.as_bytes(), View::Sdk);
        assert_eq!(uuids(&conversation.messages), expected, "{rule}\n{lines}");
    }
}

#[test]
fn agents_follow_each_rule_of_the_official_reader() {
    let cases = cases(include_str!("official_agent_rules.txt"));
    assert!(cases.len() > 10);
    for (rule, lines, expected) in cases {
        let conversation = Conversation::read_agent(lines.as_bytes(), View::Sdk);
        assert_eq!(uuids(&conversation.messages), expected, "{rule}\n{lines}");
    }
}

const A: &str = r#"{"type":"user","uuid":"a"}"#;
const B: &str = r#"{"type":"assistant","uuid":"b","parentUuid":"a"}"#;
const C: &str = r#"{"type":"user","uuid":"c","parentUuid":"b"}"#;

#[test]
fn control_characters_and_space_before_an_object_are_skipped() {
    for byte in 0..=b' ' {
        if byte != b'\n' {
            let lead = char::from(byte).to_string().repeat(3);
            let text = format!("{lead}{A}\n{lead}{B}\n{lead}{C}\n");
            assert_eq!(sdk(text.as_bytes()), ["a", "b", "c"], "{byte}");
        }
    }
}

#[test]
fn lines_that_are_not_one_json_object_are_ignored() {
    let torn = &C[..C.len() - 1];
    for (name, text, expected) in [
        ("CRLF", format!("{A}\r\n{B}\r\n{C}\r\n"), "a b c"),
        ("blank lines", format!("\n{A}\n\n \t\n{B}\n{C}\n\n"), "a b c"),
        ("a whole last line without its end", format!("{A}\n{B}\n{C}"), "a b c"),
        ("a torn last line", format!("{A}\n{B}\n{torn}"), "a b"),
        ("a byte order mark", format!("\u{feff}{A}\n{B}\n{C}\n"), "b c"),
        ("a no-break space", format!("{A}\n\u{a0}{B}\n{C}\n"), "c"),
        ("NUL bytes behind", format!("{A}\n{B}\n{C}\0\0\n"), "a b"),
        ("NUL bytes alone", format!("{A}\n\0\0\n{B}\n{C}\n"), "a b c"),
        ("two objects", format!("{A}\n{B}{C}\n"), "a"),
        ("a torn one and a whole one", format!("{A}\n{B}\n{torn}{C}\n"), "a b"),
        ("a list", format!("[{A}]\n{B}\n"), "b"),
        ("a key twice", format!("{A}\n{}\n", B.replacen('{', r#"{"uuid":5,"#, 1)), "a b"),
    ] {
        assert_eq!(sdk(text.as_bytes()).join(" "), expected, "{name}");
    }
}

/// A boundary with this metadata.
fn boundary(metadata: &str) -> String {
    format!(
        r#"{{"type":"system","subtype":"compact_boundary","uuid":"z","parentUuid":"b","compactMetadata":{{{metadata}}}}}"#
    )
}

/// A transcript in which `boundary` starts at `offset`, and `d` follows it.
fn large(boundary: &str, offset: usize) -> String {
    let before = format!("{A}\n{B}\n");
    let empty = r#"{"type":"progress","uuid":"p","data":""}"#.len() + 1;
    let padding = "y".repeat(offset - before.len() - empty);
    let end = r#"{"type":"user","uuid":"d","parentUuid":"z"}"#;
    let after = "y".repeat(5 * MEBIBYTE);
    format!(
        "{before}{}\n{boundary}\n{end}\n{}\n",
        format_args!(r#"{{"type":"progress","uuid":"p","data":"{padding}"}}"#),
        format_args!(r#"{{"type":"progress","uuid":"q","data":"{after}"}}"#),
    )
}

const MEBIBYTE: usize = 1024 * 1024;

#[test]
fn large_files_are_read_from_the_last_boundary_that_preserved_nothing() {
    const SOMEWHERE: usize = MEBIBYTE / 2;
    let plain = boundary("");
    let without_uuid = plain.replace(r#""uuid":"z","#, "");
    let long = plain.replacen('{', &format!(r#"{{"x":"{}","#, "y".repeat(256)), 1);
    for (name, boundary, expected) in [
        ("plain", plain.clone(), "d"),
        ("with a space before it", format!(" {plain}"), "d"),
        ("with a NUL before it", format!("\0{plain}"), "a b d"),
        ("its name escaped", plain.replace("t_b", r"t\u005fb"), "a b d"),
        ("its name far behind", long, "a b d"),
        ("no uuid", without_uuid, "d"),
        ("another type", plain.replace("system", "user"), "a b z d"),
        ("an empty list preserved", boundary(r#""preservedSegment":[]"#), "a b d"),
        ("nothing preserved", boundary(r#""preservedSegment":null,"preservedMessages":0"#), "d"),
        (
            "messages preserved",
            boundary(r#""preservedMessages":{"anchorUuid":"z","uuids":["b"]}"#),
            "b d",
        ),
    ] {
        assert_eq!(sdk(large(&boundary, SOMEWHERE).as_bytes()).join(" "), expected, "{name}");
    }
    let small = format!("{A}\n{B}\n{plain}\n{C}\n");
    assert_eq!(sdk(small.as_bytes()), ["a", "b", "c"], "a small file is read as a whole");
    let last = large("{}", SOMEWHERE) + &plain;
    assert_eq!(
        sdk(last.as_bytes()),
        ["a", "b", "d"],
        "an unterminated last line is not a boundary"
    );
}

#[test]
fn boundaries_across_the_edge_of_a_mebibyte_are_missed() {
    let system_first = boundary("");
    let other_first = system_first.replacen('{', r#"{"x":1,"#, 1);
    let length = other_first.len();
    for (boundary, before_edge, expected) in [
        (&other_first, 29, "d"),
        (&other_first, 30, "a b d"),
        (&other_first, length, "a b d"),
        (&other_first, length + 1, "d"),
        (&system_first, 30, "d"),
    ] {
        let text = large(boundary, 2 * MEBIBYTE - before_edge);
        assert_eq!(sdk(text.as_bytes()).join(" "), expected, "{before_edge} {boundary}");
    }
}
