//! Lines without text count like the original lines, and contain nothing else.

use super::reading::{line, record, transcripts};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::path::Path;
use testkit::call;
use usage::{Calls, Fold, UsageLine, read_line, without_text};

/// Everything read from the calls in a line, except their offsets.
fn read(bytes: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    read_line(line(bytes), |read| {
        if let UsageLine::Call(mut call) = read {
            call.offset = 0;
            found.push(format!("{call:?}").replace("Borrowed(", "Owned("));
        }
    });
    found
}

fn read_stripped(bytes: &[u8]) -> Vec<String> {
    without_text(bytes).map(|stripped| read(stripped.as_bytes())).unwrap_or_default()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_stripped_line_has_the_same_calls(
        records in prop::collection::vec(record(), 1..3),
        spaced: bool,
    ) {
        let text: String = records
            .iter()
            .map(|record| {
                if spaced {
                    serde_json::to_string_pretty(record).unwrap().replace('\n', " ")
                } else {
                    record.to_string()
                }
            })
            .collect();
        prop_assert_eq!(read_stripped(text.as_bytes()), read(text.as_bytes()), "{}", text);
    }

    #[test]
    fn damaged_lines_count_the_same_or_not_at_all(
        record in record(),
        cut in any::<prop::sample::Index>(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let mut bytes = record.to_string().into_bytes();
        for (place, byte) in flips {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        for bytes in [&bytes[..cut.index(bytes.len())], &bytes] {
            let is_json = serde_json::from_slice::<Value>(bytes).is_ok();
            let stripped = read_stripped(bytes);
            prop_assert!(stripped == read(bytes) || (stripped.is_empty() && !is_json), "{:?}", stripped);
        }
    }
}

#[test]
fn text_is_removed_and_tools_and_notices_stay() {
    let line = call("m", [1, 2, 3, 4])
        .message(
            "content",
            json!([
                {"type": "text", "text": "secret"},
                {"type": "thinking", "thinking": "secret", "signature": "secret"},
                {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "secret"}},
            ]),
        )
        .with("toolUseResult", "secret")
        .with("forkedFrom", json!({"sessionId": "s", "messageUuid": "u", "note": "secret"}))
        .with("costUSD", json!(["secret"]))
        .to_string();
    let stripped = without_text(line.as_bytes()).unwrap();
    assert!(!stripped.contains("secret"), "{stripped}");
    assert!(
        stripped.contains(r#""content":[{"type":"tool_use","id":"t1","name":"Bash"}]"#),
        "{stripped}"
    );
    let notice = "Claude AI usage limit reached|1770000000";
    let blocks = json!([{"type": "text", "text": notice}, {"type": "text", "text": "secret"}]);
    let line = call("n", [0; 4]).model("<synthetic>").message("content", blocks).to_string();
    let stripped = without_text(line.as_bytes()).unwrap();
    assert!(stripped.contains(notice) && !stripped.contains("secret"), "{stripped}");
}

#[test]
fn a_line_that_is_not_a_call_gives_nothing() {
    for line in
        ["", "{", "[]", r#"{"type":"user","message":{"usage":{}}}"#, r#"{"type":"assistant"}"#]
    {
        assert_eq!(without_text(line.as_bytes()), None, "{line}");
    }
}

/// All details as text, except the offsets of lines.
fn details(calls: &Calls) -> Vec<String> {
    let name = |name| calls.names.get(name).unwrap_or_default().to_owned();
    let mut details: Vec<String> = calls
        .calls
        .iter()
        .map(|call| {
            let place = &call.attribution;
            let names = [
                call.model,
                place.session,
                place.cwd,
                place.branch,
                place.version,
                place.entrypoint,
                place.effort,
                place.agent,
                place.skill,
                place.plugin,
                place.mcp,
            ];
            let tools: Vec<_> =
                call.tools.iter().map(|(tool, count)| (name(*tool), *count)).collect();
            let call = format!(
                "{} {:?} {:?} {:?} {:?} {:?} {} {} {} {}",
                call.id,
                call.request,
                call.time,
                call.counters,
                call.terms,
                call.logged_cost,
                call.file,
                call.is_sidechain,
                call.is_advisor_call,
                call.lines
            );
            format!("{call} {:?} {tools:?}", names.map(name))
        })
        .collect();
    details.extend(calls.naive.iter().map(|(model, sum)| format!("{} {sum:?}", name(*model))));
    details.sort();
    details.push(format!("{:?} {:?}", calls.duplicates, calls.limits));
    details.push(format!("{} {} {:?}", calls.tally.lines, calls.tally.odd, calls.tally.naive));
    details
}

#[test]
fn real_transcripts_count_the_same_without_their_text() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/claude");
    if !corpus.is_dir() {
        println!("SKIPPED: no real transcripts at {}", corpus.display());
        return;
    }
    let (mut whole, mut slim) = (Fold::default(), Fold::default());
    let (mut before, mut after) = (0, 0);
    let mut paths = transcripts(corpus);
    paths.sort();
    for (number, path) in (0..).zip(&paths) {
        let bytes = std::fs::read(path).unwrap();
        for line in transcript::lines(&bytes) {
            if !line.bytes.windows(7).any(|window| window == b"\"usage\"") {
                continue;
            }
            read_line(line, |read| {
                if let UsageLine::Call(call) = read {
                    whole.note(number, &call);
                }
            });
            if let Some(stripped) = without_text(line.bytes) {
                before += line.bytes.len();
                after += stripped.len();
                let stripped = transcript::Line { bytes: stripped.as_bytes(), ..line };
                read_line(stripped, |read| match read {
                    UsageLine::Call(call) => slim.note(number, &call),
                    other => panic!("{other:?}"),
                });
            }
        }
    }
    let (whole, slim) = (whole.finish(), slim.finish());
    println!("{} calls, {before} bytes became {after}", whole.calls.len());
    assert!(whole.calls.len() > 1000);
    assert_eq!(details(&slim), details(&whole));
}
