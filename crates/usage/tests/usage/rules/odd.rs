//! Malformed lines, damaged lines and other lines: no line is rejected for a malformed
//! member, and unreadable lines are counted.

use super::fixture::{calls, calls_in, summaries, summaries_of_bytes, summarize};
use serde_json::{Value, json};
use testkit::{call, file, tool_result};
use usage::CostMode;

const PLAIN: &str = "m sonnet-5: 1000 in, 100 out = 0.003";

/// A line as the app writes it, as text.
fn plain() -> String {
    call("m", [1000, 100, 0, 0]).to_string()
}

// Rule 7. Never reject a line for a member that is null or malformed.
#[test]
fn malformed_members_never_hide_a_call() {
    let line = call("m", [1000, 100, 0, 0]);
    let table = [
        ("speed", line.clone().usage("speed", Value::Null)),
        ("geography", line.clone().usage("inference_geo", Value::Null)),
        ("tier", line.clone().usage("service_tier", Value::Null)),
        ("tier of another kind", line.clone().usage("service_tier", 7)),
        ("split", line.clone().usage("cache_creation", Value::Null)),
        ("split of another kind", line.clone().usage("cache_creation", "none")),
        ("tools of the server", line.clone().usage("server_tool_use", Value::Null)),
        ("iterations", line.clone().usage("iterations", Value::Null)),
        (
            "iterations of another kind",
            line.clone().usage("iterations", json!({"type": "advisor_message"})),
        ),
        ("something new", line.clone().usage("something_new", json!({"input_tokens": 9}))),
        ("content", line.clone().message("content", Value::Null)),
        ("content in words", line.clone().message("content", "words")),
        ("blocks of another kind", line.clone().message("content", json!([null, 1, "x", [], {}]))),
        ("an id in a tool's input", line.clone().calls_tools(&[("t", "Read")])),
        (
            "a whole call in a tool's input",
            line.clone().message(
                "content",
                json!([{"type": "tool_use", "id": null, "name": null, "input":
                    {"id": null, "usage": {"output_tokens": 9}, "message": {"id": "x"}}}]),
            ),
        ),
        ("cost", line.clone().with("costUSD", Value::Null)),
        ("no session", line.clone().without("sessionId").without("cwd").without("version")),
        ("a session that is a number", line.clone().with("sessionId", 7).with("isSidechain", "x")),
        ("no type", line.clone().without("type")),
        ("a type that is null", line.clone().with("type", Value::Null)),
        ("stop reason", line.clone().message("stop_reason", json!({"odd": [1]}))),
        ("an error of the API", line.clone().with("isApiErrorMessage", true)),
    ];
    for (odd, line) in table {
        assert_eq!(summaries(&[&[line]]), [PLAIN], "{odd}");
    }
}

// Rule 7. `"usage": {` with a space, or with any space JSON allows.
#[test]
fn space_around_usage_changes_nothing() {
    for space in [r#""usage" : {"#, r#""usage": {"#, "\"usage\"\t:\t{", r#""usage" :{ "#] {
        let text = plain().replace(r#""usage":{"#, space);
        assert!(text.contains(space));
        assert_eq!(summaries_of_bytes(text), [PLAIN], "{space}");
    }
    let spaced =
        plain().replace(':', " : ").replace("03 : 04 : 05", "03:04:05").replace(',', " , ");
    assert_eq!(summaries_of_bytes(spaced), [PLAIN]);
}

// Rule 7. A counter that is missing is 0; counts as floats are counts.
#[test]
fn the_valid_part_of_a_count_is_used() {
    let table = [
        (json!(7), 7, 0),
        (json!(7.0), 7, 0),
        (json!(7.9), 7, 1),
        (json!("7"), 7, 1),
        (json!(" 7\t"), 7, 1),
        (json!("\"7\""), 0, 1),
        (json!("seven"), 0, 1),
        (json!(""), 0, 1),
        (json!(-7), 0, 1),
        (json!(1e30), 0, 1),
        (json!(-1e30), 0, 1),
        (json!(u64::MAX), 0, 1),
        (json!(1_000_000_000_000_u64), 1_000_000_000_000, 0),
        (json!(1_000_000_000_001_u64), 0, 1),
        (json!(true), 0, 1),
        (json!([7]), 0, 1),
        (json!({"count": 7}), 0, 1),
        (Value::Null, 0, 0),
    ];
    for (written, expected, odd) in table {
        let found =
            calls(&[&[call("m", [5, 6, 0, 0]).usage("cache_read_input_tokens", written.clone())]]);
        let counters = found.calls[0].counters;
        assert_eq!((counters.input, counters.output), (5, 6), "{written}: the others stand");
        assert_eq!((counters.read, found.tally.odd), (expected, odd), "{written}");
    }
    assert_eq!(
        summaries_of_bytes(
            r#"{"type":"assistant","timestamp":"2026-01-02T00:00:00Z","message":{"id":"m","model":"claude-sonnet-5","usage":{}}}"#
        ),
        ["m sonnet-5:  = 0"]
    );
    for number in ["1e400", "-0", "1E3", "00", "0x7", "1_000", "99999999999999999999999999"] {
        let text = plain().replace("\"input_tokens\":1000", &format!("\"input_tokens\":{number}"));
        assert_eq!(calls_in(&[text.into_bytes()]).calls.len(), 1, "{number}");
    }
}

#[test]
fn sums_of_the_largest_counts_do_not_overflow() {
    let most = 1_000_000_000_000;
    let lines: Vec<_> = (0..50)
        .map(|number| {
            call(&format!("m{number}"), [most; 4]).model("claude-opus-4-1").with("costUSD", 1e25)
        })
        .collect();
    let found = calls(&[&lines]);
    assert_eq!(found.tally.naive.output, 50 * most);
    for mode in [CostMode::Auto, CostMode::Calculate, CostMode::Display] {
        assert_eq!(summarize(&found, mode).len(), 50);
    }
}

// Missing or impossible times: the line counts, is reported, and gets its date from
// other lines.
#[test]
fn lines_without_a_time_are_counted_and_reported() {
    let line = call("m", [1000, 100, 0, 0]);
    for odd in [
        line.clone().without("timestamp"),
        line.clone().with("timestamp", Value::Null),
        line.clone().at(""),
        line.clone().at("2026-13-45T99:00:00Z"),
        line.clone().at("yesterday"),
        line.clone().with("timestamp", 1_767_330_000_000_u64),
    ] {
        let found = calls(&[std::slice::from_ref(&odd)]);
        assert_eq!((found.calls[0].time, found.tally.odd), (None, 1), "{odd}");
        assert_eq!(summaries(&[&[odd]]), [PLAIN]);
    }
    for time in ["0000-01-01T00:00:00Z", "9999-12-30T22:00:00Z", "1970-01-01T00:00:00.000Z"] {
        let found = calls(&[&[line.clone().at(time)]]);
        assert_eq!(found.calls[0].time.unwrap().to_string(), time.replace(".000", ""));
    }
}

// Lines that mention usage and are not calls.
#[test]
fn a_tool_result_that_contains_usage_is_not_a_call() {
    let usage = json!({"input_tokens": 5, "output_tokens": 7});
    let answered = tool_result("t", "done")
        .with("toolUseResult", json!({"usage": usage, "totalTokens": 12, "agentId": "a1"}));
    let others = [
        answered,
        call("m", [1, 1, 0, 0]).with("type", "user"),
        call("m", [1, 1, 0, 0]).with("type", "summary"),
        call("m", [1, 1, 0, 0]).message("usage", Value::Null),
        call("m", [1, 1, 0, 0]).message("usage", "much"),
        call("m", [1, 1, 0, 0]).with("message", json!({"id": "m"})).with("usage", usage.clone()),
        call("m", [1, 1, 0, 0]).with("message", Value::Null).with("x", json!({"usage": usage})),
    ];
    for line in others {
        let found = calls(&[std::slice::from_ref(&line)]);
        assert_eq!(
            (found.calls.len(), found.tally.damaged, found.tally.lines),
            (0, 0, 0),
            "{line}"
        );
    }
}

// Rule 7. A line that cannot be read is counted as a problem and shown. The readable
// objects on it are read.
#[test]
fn damage_is_counted_and_intact_objects_on_the_line_are_read() {
    let one = plain();
    let two = call("n", [1000, 100, 0, 0]).to_string();
    let both = &[PLAIN, "n sonnet-5: 1000 in, 100 out = 0.003"][..];
    let invalid = {
        let mut bytes = one.clone().into_bytes();
        let place = one.find("Certainly").unwrap();
        bytes[place] = 0xff;
        bytes
    };
    let torn = &one[..one.len() / 2 + 200];
    assert!(torn.contains("\"usage\""));
    let table: [(&str, Vec<u8>, &[&str], u64); 12] = [
        ("two glued", format!("{one}{two}\n").into(), both, 0),
        ("two glued with space", format!("{one}  {two}\n").into(), both, 0),
        ("a torn last line", format!("{one}\n{torn}").into(), &[PLAIN], 1),
        ("a torn line that was gone on with", format!("{torn}{two}\n").into(), &both[1..], 1),
        ("NUL bytes before it", format!("\0\0\0{one}\n").into(), &[PLAIN], 0),
        ("a byte order mark", format!("\u{feff}{one}\n").into(), &[PLAIN], 0),
        ("CRLF", format!("{one}\r\n{two}\r\n").into(), both, 0),
        ("no newline at the end", format!("{one}\n{two}").into(), both, 0),
        ("blank lines", format!("\n\n{one}\n \n{two}\n\n").into(), both, 0),
        ("invalid UTF-8", invalid, &[PLAIN], 0),
        ("no JSON", b"\"usage\" is a word\n{\"usage\":\n".to_vec(), &[], 3),
        ("no object", b"[{\"usage\": {}}]\n".to_vec(), &[], 1),
    ];
    for (what, bytes, expected, damaged) in table {
        let found = calls_in(&[bytes]);
        assert_eq!(summarize(&found, CostMode::Auto), expected, "{what}");
        assert_eq!(found.tally.damaged, damaged, "{what}");
    }
}

#[test]
fn a_lone_surrogate_in_an_id_does_not_lose_the_call() {
    let text = plain().replace("\"id\":\"m\"", r#""id":"m\ud800""#);
    assert_eq!(calls_in(&[text.into_bytes()]).calls.len(), 1);
}

#[test]
fn glued_copies_are_streaming_lines_of_one_call() {
    let one = plain();
    let found = calls_in(&[format!("{one}{one}{one}\n").into_bytes()]);
    assert_eq!((found.calls.len(), found.duplicates.streaming), (1, 2));
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let deep = |open: &str, close: &str| open.repeat(200_000) + "1" + &close.repeat(200_000);
    let advice = deep(r#"[{"type":"advisor_message","model":"x","iterations":"#, "}]");
    for (key, value) in [
        ("iterations", advice),
        ("iterations", deep("[", "]")),
        ("cache_creation", deep("{\"a\":", "}")),
        ("input_tokens", deep("[", "]")),
    ] {
        let text = plain().replace("\"usage\":{", &format!("\"usage\":{{\"{key}\":{value},"));
        let found = calls_in(&[text.into_bytes()]);
        assert!(found.calls.len() + usize::try_from(found.tally.damaged).unwrap() > 0, "{key}");
    }
}

#[test]
fn an_empty_file_has_no_usage() {
    let found = calls_in(&[Vec::new(), file(&[])]);
    assert_eq!((found.calls.len(), found.tally), (0, usage::Tally::default()));
}
