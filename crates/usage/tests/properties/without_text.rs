//! Lines without text: they count as the lines they are of, and say nothing
//! else.

use crate::reading::{line, record, transcripts};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::path::Path;
use testkit::call;
use usage::{Calls, Fold, Read, read_line, without_text};

/// Everything that is read of the calls in a line, but for where they stand.
fn read(bytes: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    read_line(line(bytes), |read| {
        if let Read::Call(mut call) = read {
            call.offset = 0;
            found.push(format!("{call:?}").replace("Borrowed(", "Owned("));
        }
    });
    found
}

fn kept(bytes: &[u8]) -> Vec<String> {
    without_text(bytes).map(|kept| read(kept.as_bytes())).unwrap_or_default()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn what_is_left_of_a_line_says_the_same_of_its_calls(
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
        prop_assert_eq!(kept(text.as_bytes()), read(text.as_bytes()), "{}", text);
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
            let kept = kept(bytes);
            prop_assert!(kept == read(bytes) || (kept.is_empty() && !is_json), "{:?}", kept);
        }
    }
}

#[test]
fn words_are_left_out_and_tools_and_notices_stay() {
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
    let kept = without_text(line.as_bytes()).unwrap();
    assert!(!kept.contains("secret"), "{kept}");
    assert!(kept.contains(r#""content":[{"type":"tool_use","id":"t1","name":"Bash"}]"#), "{kept}");
    let notice = "Claude AI usage limit reached|1770000000";
    let blocks = json!([{"type": "text", "text": notice}, {"type": "text", "text": "secret"}]);
    let line = call("n", [0; 4]).model("<synthetic>").message("content", blocks).to_string();
    let kept = without_text(line.as_bytes()).unwrap();
    assert!(kept.contains(notice) && !kept.contains("secret"), "{kept}");
}

#[test]
fn what_is_no_call_leaves_nothing() {
    for line in
        ["", "{", "[]", r#"{"type":"user","message":{"usage":{}}}"#, r#"{"type":"assistant"}"#]
    {
        assert_eq!(without_text(line.as_bytes()), None, "{line}");
    }
}

/// All of it in words, but for where lines stand.
fn told(calls: &Calls) -> Vec<String> {
    let name = |name| calls.names.get(name).unwrap_or_default().to_owned();
    let mut told: Vec<String> = calls
        .calls
        .iter()
        .map(|call| {
            let place = &call.place;
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
                call.noted_cost,
                call.file,
                call.is_sidechain,
                call.is_advice,
                call.lines
            );
            format!("{call} {:?} {tools:?}", names.map(name))
        })
        .collect();
    told.extend(calls.naive.iter().map(|(model, sum)| format!("{} {sum:?}", name(*model))));
    told.sort();
    told.push(format!("{:?} {:?}", calls.duplicates, calls.limits));
    told.push(format!("{} {} {:?}", calls.tally.lines, calls.tally.odd, calls.tally.naive));
    told
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
                if let Read::Call(call) = read {
                    whole.note(number, &call);
                }
            });
            if let Some(kept) = without_text(line.bytes) {
                before += line.bytes.len();
                after += kept.len();
                let kept = transcript::Line { bytes: kept.as_bytes(), ..line };
                read_line(kept, |read| match read {
                    Read::Call(call) => slim.note(number, &call),
                    other => panic!("{other:?}"),
                });
            }
        }
    }
    let (whole, slim) = (whole.finish(), slim.finish());
    println!("{} calls, {before} bytes became {after}", whole.calls.len());
    assert!(whole.calls.len() > 1000);
    assert_eq!(told(&slim), told(&whole));
}
