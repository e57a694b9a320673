//! Every kind of damage: no panic, no effect on the lines before and after, and
//! a problem with offset and reason.

use transcript::{Block, Body, Content, RecordKind, entries};

const BEFORE: &str = r#"{"type":"mode","mode":"before"}"#;
const AFTER: &str = r#"{"type":"mode","mode":"after"}"#;

/// Parses `middle` between two good lines. Returns the record types of its entries
/// and its problems; the other lines must be intact.
fn read_between(middle: &[u8]) -> (Vec<String>, Vec<String>) {
    let mut file = format!("{BEFORE}\n").into_bytes();
    file.extend_from_slice(middle);
    file.extend_from_slice(format!("\n{AFTER}\n").as_bytes());
    let found: Vec<_> = entries(&file).collect();

    let mut rebuilt = Vec::new();
    for (number, entry) in found.iter().enumerate() {
        assert_eq!(entry.offset, rebuilt.len() as u64, "entries tile the file");
        rebuilt.extend_from_slice(entry.bytes);
        if found.get(number + 1).is_none_or(|next| next.line != entry.line) {
            rebuilt.push(b'\n');
        }
    }
    assert_eq!(rebuilt, file, "the entries rebuild the file");

    let modes: Vec<_> = found
        .iter()
        .filter_map(|entry| match &entry.record.body {
            Body::Mode(Some(mode)) => Some(mode.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(
        (modes.first().map(String::as_str), modes.last().map(String::as_str)),
        (Some("before"), Some("after"))
    );

    let middle = &found[1..found.len() - 1];
    let kinds = middle.iter().map(|entry| format!("{:?}", entry.record.kind)).collect();
    let problems = middle
        .iter()
        .flat_map(|entry| &entry.problems)
        .map(|problem| {
            format!("{}: {}", problem.offset - (BEFORE.len() as u64 + 1), problem.reason)
        })
        .collect();
    (kinds, problems)
}

fn check(middle: impl AsRef<[u8]>, kinds: &[&str], problems: &[&str]) {
    let (found_kinds, found_problems) = read_between(middle.as_ref());
    assert_eq!(found_kinds, kinds);
    assert_eq!(found_problems, problems);
}

#[test]
fn blank_lines_are_reported() {
    check("", &["Blank"], &["0: blank line"]);
    check("  \t", &["Blank"], &["0: blank line"]);
}

#[test]
fn leading_nuls_do_not_hide_the_object() {
    check(
        b"\0\0\0{\"type\":\"tag\",\"tag\":\"x\"}",
        &["Tag"],
        &["0: 3 NUL bytes before the object"],
    );
    check(b"\0", &["Blank"], &["0: a NUL byte before the object"]);
}

#[test]
fn a_byte_order_mark_is_skipped() {
    check("\u{feff}{\"type\":\"tag\"}", &["Tag"], &["0: byte order mark before the object"]);
}

#[test]
fn carriage_returns_are_accepted() {
    check("{\"type\":\"tag\",\"tag\":\"x\"}\r", &["Tag"], &[]);
}

#[test]
fn two_objects_on_a_line_are_two_records_and_one_problem() {
    check(r#"{"type":"tag"}{"type":"user"}"#, &["Tag", "User"], &["0: 2 objects on one line"]);
    check(r#"{"type":"tag"} {"type":"user"} "#, &["Tag", "User"], &["0: 2 objects on one line"]);
}

#[test]
fn an_incomplete_line_affects_no_other_line() {
    check(
        r#"{"type":"user","message":{"content":"abc"#,
        &["Damaged"],
        &["0: not JSON: EOF while parsing a string"],
    );
    check("total nonsense", &["Damaged"], &["0: not JSON: expected ident"]);
}

#[test]
fn an_object_after_an_incomplete_one_is_recovered() {
    let line = r#"{"type":"user","message":{"content":"abc{"type":"tag","tag":"x"}"#;
    check(line, &["Damaged", "Tag"], &["0: not JSON: expected `,` or `}`"]);
    let line = r#"{"type":"tag"}garbage"#;
    check(line, &["Tag", "Damaged"], &["14: not JSON: expected value"]);
}

#[test]
fn a_line_of_incomplete_objects_is_read_in_bounded_time() {
    let line = r#"{"type":"a"#.repeat(100_000);
    let (kinds, _) = read_between(line.as_bytes());
    assert_eq!(kinds, ["Damaged"]);
}

#[test]
fn a_line_of_a_million_values_gives_a_bounded_number_of_records() {
    for value in ["{}", "1 "] {
        let (kinds, problems) = read_between(value.repeat(1_000_000).as_bytes());
        assert_eq!(kinds.len(), 1_001);
        assert!(problems.last().is_some_and(|last| last.ends_with("too many values on one line")));
    }
}

#[test]
fn values_that_are_not_objects_are_damaged_records() {
    check("[1,2]", &["Damaged"], &["0: expected an object, found a list"]);
    check("5", &["Damaged"], &["0: expected an object, found a number"]);
}

#[test]
fn invalid_utf8_is_replaced_in_text_and_unchanged_in_raw_bytes() {
    let line = b"{\"type\":\"user\",\"message\":{\"content\":\"a\xffb\"}}";
    check(line, &["User"], &["0: invalid UTF-8"]);
    let entry = entries(line).next().expect("an entry");
    assert_eq!(entry.record.message().expect("a message").text(), "a\u{fffd}b");
    assert_eq!(entry.record.raw, line);
}

#[test]
fn a_lone_surrogate_becomes_a_replacement_character() {
    let line = r#"{"type":"user","message":{"content":"a\ud800b"}}"#;
    check(line, &["User"], &["0: lone surrogate in `message.content`"]);
    let entry = entries(line.as_bytes()).next().expect("an entry");
    assert_eq!(entry.record.message().expect("a message").text(), "a\u{fffd}b");
}

#[test]
fn unicode_line_separators_do_not_end_a_line() {
    check(
        "{\"type\":\"user\",\"message\":{\"content\":\"a\u{2028}b\u{2029}\u{85}c\"}}",
        &["User"],
        &[],
    );
}

#[test]
fn the_last_of_duplicate_keys_counts() {
    let line = r#"{"type":"tag","tag":"first","tag":"last"}"#;
    check(line, &["Tag"], &["0: key `tag` occurs twice; the last one counts"]);
    let entry = entries(line.as_bytes()).next().expect("an entry");
    assert!(matches!(&entry.record.body, Body::Tag(Some(tag)) if *tag == "last"));
}

#[test]
fn a_wrong_type_loses_only_its_field() {
    let line = r#"{"type":"user","uuid":5,"cwd":"/x","isMeta":"yes","message":{"role":1,"content":"said"}}"#;
    check(
        line,
        &["User"],
        &[
            "0: `uuid` should be a string, found a number",
            "0: `isMeta` should be true or false, found a string",
            "0: `message.role` should be a string, found a number",
        ],
    );
    let entry = entries(line.as_bytes()).next().expect("an entry");
    assert_eq!(entry.record.message().expect("a message").text(), "said");
    assert_eq!(entry.record.envelope.cwd.as_deref(), Some("/x"));
    check(r#"{"type":7}"#, &["Untyped"], &["0: `type` should be a string, found a number"]);
}

#[test]
fn every_field_accepts_every_json_type_without_panic() {
    let keys = [
        "parentUuid",
        "isSidechain",
        "cwd",
        "sessionId",
        "message",
        "timestamp",
        "snapshot",
        "attachment",
        "content",
        "origin",
        "forkedFrom",
        "compactMetadata",
        "prNumber",
        "durationMs",
        "toolUseResult",
        "leafUuid",
        "worktreeSession",
    ];
    let values = [
        "5",
        "-1.5e300",
        "\"text\"",
        "true",
        "null",
        "[]",
        "{}",
        "[[1]]",
        "{\"type\":3}",
        "\"\\ud800\"",
    ];
    for kind in RecordKind::NAMES {
        for key in keys {
            for value in values {
                let line = format!(r#"{{"type":"{kind}","{key}":{value}}}"#);
                let (kinds, _) = read_between(line.as_bytes());
                assert_eq!(kinds, [format!("{:?}", RecordKind::of_type(kind))], "{line}");
            }
        }
    }
}

#[test]
fn an_unreadable_block_keeps_its_position() {
    let line = r#"{"type":"assistant","message":{"content":[{"type":"text","text":"a"},"stray",{"type":"text","text":7},{"type":"text","text":"b"}]}}"#;
    check(
        line,
        &["Assistant"],
        &[
            "0: `message.content.1` should be an object, found a string",
            "0: `message.content.2.text` should be a string, found a number",
        ],
    );
    let entry = entries(line.as_bytes()).next().expect("an entry");
    let message = entry.record.message().expect("a message");
    assert_eq!(message.blocks().len(), 4);
    assert!(matches!(&message.blocks()[3], Block::Text(text) if *text == "b"));
    assert_eq!(entry.record.raw_blocks().nth(1), Some("\"stray\""));
}

#[test]
fn deep_nesting_is_read_without_recursing() {
    let open = "[".repeat(10_000);
    let close = "]".repeat(10_000);
    check(format!(r#"{{"type":"user","toolUseResult":{open}{close}}}"#), &["User"], &[]);
    check(format!(r#"{{"type":"novel","x":{open}{close}}}"#), &["Unknown"], &[]);
    let (kinds, _) = read_between(
        format!(r#"{{"type":"user","message":{{"content":{open}{close}}}}}"#).as_bytes(),
    );
    assert_eq!(kinds, ["User"]);
    let input = format!(
        r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","input":{open}"deep"{close}}}]}}}}"#
    );
    let entry = entries(input.as_bytes()).next().expect("an entry");
    assert_eq!(transcript::text::of_record(&entry.record)[0].text, "deep");
}

#[test]
fn deeply_nested_tool_results_are_reported_as_a_problem() {
    let open = r#"{"type":"tool_result","content":["#.repeat(10_000);
    let close = "]}".repeat(10_000);
    let (kinds, problems) = read_between(
        format!(r#"{{"type":"user","message":{{"content":[{open}{close}]}}}}"#).as_bytes(),
    );
    assert_eq!(kinds, ["User"]);
    assert_eq!(problems, ["0: nested too deep to be read whole"]);
}

#[test]
fn a_line_of_a_hundred_megabytes_is_parsed() {
    let mut line = br#"{"type":"user","message":{"content":""#.to_vec();
    line.resize(line.len() + 100_000_000, b'x');
    line.extend_from_slice(br#""}}"#);
    let (kinds, problems) = read_between(&line);
    assert_eq!((kinds, problems), (vec!["User".to_owned()], vec![]));
}

#[test]
fn a_last_line_without_newline_is_provisional_if_complete_and_torn_if_not() {
    let whole = format!("{BEFORE}\n{AFTER}");
    let last = entries(whole.as_bytes()).last().expect("an entry");
    assert!(last.provisional && last.problems.is_empty());
    for cut in BEFORE.len() + 2..whole.len() {
        let last = entries(&whole.as_bytes()[..cut]).last().expect("an entry");
        assert!(!last.provisional);
        assert_eq!(last.problems[0].reason.to_string(), "the last line is incomplete");
        assert_eq!(last.problems[0].offset, BEFORE.len() as u64 + 1);
    }
}

#[test]
fn counts_may_be_floats_or_null() {
    let line = r#"{"type":"assistant","message":{"content":[],"usage": {"input_tokens":12.0,"output_tokens":null,"speed":null,"cache_creation":{"ephemeral_1h_input_tokens":3}}}}"#;
    let entry = entries(line.as_bytes()).next().expect("an entry");
    assert!(entry.problems.is_empty());
    let usage = entry.record.message().and_then(|message| message.usage.as_deref()).expect("usage");
    assert_eq!(usage.input_tokens.map(|count| count.0), Some(12));
    assert_eq!(usage.output_tokens, None);
    let negative =
        r#"{"type":"assistant","message":{"usage":{"input_tokens":-1,"output_tokens":7}}}"#;
    let entry = entries(negative.as_bytes()).next().expect("an entry");
    assert_eq!(entry.problems.len(), 1);
    let usage = entry.record.message().and_then(|message| message.usage.as_deref()).expect("usage");
    assert_eq!(usage.output_tokens.map(|count| count.0), Some(7));
}

#[test]
fn simplified_transcripts_are_parsed() {
    let result = r#"{"sessionId":"s","type":"tool_result","message":{"tool_use_id":"t1","content":[{"type":"text","text":"ok"}],"is_error":false,"timestamp":1700000002.5}}"#;
    let entry = entries(result.as_bytes()).next().expect("an entry");
    assert!(entry.problems.is_empty());
    assert_eq!(entry.record.kind, RecordKind::ToolResult);
    assert_eq!(entry.record.time().map(jiff::Timestamp::as_millisecond), Some(1_700_000_002_500));
    assert_eq!(entry.record.message().expect("a message").text(), "ok");

    let snapshot = r#"{"type":"file-history-snapshot","file-snapshot":{"file_path":"/x.py","content":"…","timestamp":1700000003.0}}"#;
    let entry = entries(snapshot.as_bytes()).next().expect("an entry");
    assert!(
        matches!(&entry.record.body, Body::FileHistorySnapshot { file: Some(file), .. } if file.file_path.as_deref() == Some("/x.py"))
    );

    let plain = r#"{"type":"user","timestamp":"2026-01-02T03:04:05.678Z","content":"typed"}"#;
    let entry = entries(plain.as_bytes()).next().expect("an entry");
    assert!(
        matches!(&entry.record.body, Body::User(user) if matches!(&user.content, Some(Content::Text(text)) if *text == "typed"))
    );

    let call = r#"{"type":"tool_use","timestamp":"2026-01-02T03:04:05.678Z","tool_name":"bash","tool_input":{"command":"ls"}}"#;
    let entry = entries(call.as_bytes()).next().expect("an entry");
    assert!(entry.problems.is_empty());
    assert_eq!(transcript::text::of_record(&entry.record)[0].text, "bash\nls");
}

#[test]
fn a_null_leaf_differs_from_an_absent_leaf() {
    let leaf = |line: &str| match entries(line.as_bytes()).next().expect("an entry").record.body {
        Body::LastPrompt(last) => last.leaf_uuid.map(|leaf| leaf.map(|uuid| uuid.to_string())),
        other => panic!("{other:?}"),
    };
    assert_eq!(leaf(r#"{"type":"last-prompt","leafUuid":null,"explicit":true}"#), Some(None));
    assert_eq!(leaf(r#"{"type":"last-prompt"}"#), None);
    assert_eq!(leaf(r#"{"type":"last-prompt","leafUuid":"u"}"#), Some(Some("u".to_owned())));
}

#[test]
fn unknown_members_are_available() {
    let line = r#"{"type":"user","novel":{"a":1},"uuid":"u"}"#;
    let entry = entries(line.as_bytes()).next().expect("an entry");
    assert_eq!(entry.record.unknown_members().collect::<Vec<_>>(), [("novel", r#"{"a":1}"#)]);
}
