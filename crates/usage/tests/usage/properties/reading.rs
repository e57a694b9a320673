//! Reading a line: the cursor gives the same result as the parser with whole values, and
//! no input breaks it.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use testkit::{PlainLine, call};
use transcript::{Line, LineEnd, RecordKind, parse_line};
use usage::{CallLine, UsageLine, read_line};

pub(crate) fn line(bytes: &[u8]) -> Line<'_> {
    Line { number: 1, offset: 0, bytes, end: LineEnd::Newline }
}

/// The result of the cursor, in the form of the reference implementation.
fn by_cursor(bytes: &[u8]) -> Vec<Option<PlainLine>> {
    let mut found = Vec::new();
    read_line(line(bytes), |read| match read {
        UsageLine::Call(call) => found.push(Some(plain(&call))),
        UsageLine::Other => found.push(None),
        UsageLine::Damaged(_) => {}
    });
    found
}

fn plain(call: &CallLine<'_>) -> PlainLine {
    let text = |text: &Option<std::borrow::Cow<'_, str>>| text.as_deref().map(str::to_owned);
    let counts = |used: &usage::Counters| {
        [
            used.input,
            used.output,
            used.thinking,
            used.write_5m,
            used.write_1h,
            used.read,
            used.web_searches,
        ]
    };
    let (terms, origin) = (&call.terms, &call.origin);
    PlainLine {
        message_id: text(&call.message_id),
        request_id: text(&call.request_id),
        uuid: text(&call.uuid),
        time: call.time,
        model: text(&call.model),
        counts: counts(&call.counters),
        terms: [terms.is_fast, terms.is_us, terms.is_batch],
        tier: terms.unknown_tier.clone(),
        advice: call
            .advisor_calls
            .iter()
            .map(|it| (it.model.clone(), counts(&it.counters)))
            .collect(),
        tools: call.tools.iter().map(|(id, name)| (id.to_string(), name.to_string())).collect(),
        is_sidechain: origin.is_sidechain || origin.is_progress,
        copy: [origin.is_fork, origin.is_background, origin.is_progress],
        file: 0,
        offset: 0,
    }
}

/// The result from whole values of the parser's records.
fn by_parser(bytes: &[u8]) -> Vec<Option<PlainLine>> {
    let records = parse_line(line(bytes)).map(|entry| entry.record);
    let readable = records.filter(|it| !matches!(it.kind, RecordKind::Damaged | RecordKind::Blank));
    readable
        .map(|record| {
            let value: Value = serde_json::from_slice(record.raw).unwrap_or_default();
            PlainLine::read(&value)
        })
        .collect()
}

/// Any value.
fn odd() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e13..1e13).prop_map(Value::from),
        "[a-z0-9 \"\\\\\n\t\u{0}\u{7f}é😀]{0,6}".prop_map(Value::from),
        "-?[0-9]{0,14}(\\.[0-9]{1,3})?".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let key = prop_oneof![Just("usage".to_owned()), Just("id".to_owned()), "[a-z\"]{0,4}"];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..4)
                .prop_map(|members| members.into_iter().collect::<Map<_, _>>().into()),
        ]
    })
    .boxed()
}

fn usually(usual: impl Strategy<Value = Value> + 'static) -> BoxedStrategy<Option<Value>> {
    prop_oneof![8 => usual.prop_map(Some), 1 => odd().prop_map(Some), 1 => Just(None)].boxed()
}

fn one_of(words: &'static [&'static str]) -> BoxedStrategy<Value> {
    prop::sample::select(words).prop_map(Value::from).boxed()
}

fn count() -> BoxedStrategy<Value> {
    (0_u64..5000).prop_map(Value::from).boxed()
}

/// An object of these members, as far as present, in the given order.
fn object(members: Vec<(&'static str, Option<Value>)>) -> Value {
    let there = members.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    there.collect::<Map<_, _>>().into()
}

fn split() -> BoxedStrategy<Value> {
    (usually(count()), usually(count()))
        .prop_map(|(minutes, hour)| {
            object(vec![
                ("ephemeral_5m_input_tokens", minutes),
                ("ephemeral_1h_input_tokens", hour),
            ])
        })
        .boxed()
}

fn counts() -> BoxedStrategy<Vec<(&'static str, Option<Value>)>> {
    (usually(count()), usually(count()), usually(count()), usually(count()), usually(split()))
        .prop_map(|(input, output, written, read, split)| {
            vec![
                ("input_tokens", input),
                ("output_tokens", output),
                ("cache_creation_input_tokens", written),
                ("cache_read_input_tokens", read),
                ("cache_creation", split),
            ]
        })
        .boxed()
}

fn iteration() -> BoxedStrategy<Value> {
    let kind = one_of(&["advisor_message", "message", "fallback_message"]);
    let advised = (counts(), usually(kind), usually(one_of(&["claude-opus-5"])), usually(odd()));
    advised
        .prop_map(|(mut members, kind, model, iterations)| {
            members.extend([("type", kind), ("model", model), ("iterations", iterations)]);
            object(members)
        })
        .boxed()
}

fn usage_object() -> BoxedStrategy<Value> {
    let terms = (
        usually(one_of(&["fast", "standard"])),
        usually(one_of(&["us", "global", ""])),
        usually(one_of(&["standard", "batch", "priority", ""])),
    );
    let more = (
        usually(prop::collection::vec(iteration(), 0..3).prop_map(Value::from)),
        usually(count().prop_map(|count| json!({"web_search_requests": count}))),
        usually(count().prop_map(|count| json!({"thinking_tokens": count}))),
    );
    (counts(), terms, more, odd())
        .prop_map(|(mut members, terms, more, odd)| {
            members.extend([
                ("speed", terms.0),
                ("inference_geo", terms.1),
                ("service_tier", terms.2),
                ("iterations", more.0),
                ("server_tool_use", more.1),
                ("output_tokens_details", more.2),
                ("new", Some(odd)),
            ]);
            object(members)
        })
        .boxed()
}

fn block() -> BoxedStrategy<Value> {
    let kind = usually(one_of(&["tool_use", "server_tool_use", "text", "thinking"]));
    let names = (usually(one_of(&["t1", "t2", ""])), usually(one_of(&["Read", "Bash"])));
    (kind, names, odd())
        .prop_map(|(kind, (id, name), input)| {
            object(vec![
                ("type", kind),
                ("id", id),
                ("name", name),
                ("input", Some(input.clone())),
                ("text", Some(input)),
            ])
        })
        .boxed()
}

fn message() -> BoxedStrategy<Value> {
    (
        usually(one_of(&["m1", "m2", ""])),
        usually(one_of(&["claude-opus-5", "<synthetic>", ""])),
        usually(prop::collection::vec(block(), 0..3).prop_map(Value::from)),
        usually(usage_object()),
    )
        .prop_map(|(id, model, content, usage)| {
            object(vec![("id", id), ("model", model), ("content", content), ("usage", usage)])
        })
        .boxed()
}

fn common_members() -> BoxedStrategy<Vec<(&'static str, Option<Value>)>> {
    (
        usually(message()),
        usually(one_of(&["r1", "r2", ""])),
        usually(one_of(&["u1", ""])),
        usually(one_of(&["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.678+01:00", "2026-99-99"])),
    )
        .prop_map(|(message, request, uuid, time)| {
            vec![("message", message), ("requestId", request), ("uuid", uuid), ("timestamp", time)]
        })
        .boxed()
}

pub(crate) fn record() -> BoxedStrategy<Value> {
    let kind = usually(one_of(&["assistant", "assistant", "progress", "user", "system"]));
    let inner = usually(common_members().prop_map(|members| json!({"message": object(members)})));
    let marks =
        (usually(any::<bool>().prop_map(Value::from)), odd(), usually(one_of(&["bg", "daemon"])));
    (common_members(), kind, inner, marks, odd())
        .prop_map(|(mut members, kind, data, marks, odd)| {
            members.extend([
                ("type", kind),
                ("data", data),
                ("isSidechain", marks.0),
                ("forkedFrom", Some(marks.1)),
                ("sessionKind", marks.2),
                ("toolUseResult", Some(odd.clone())),
                ("usage", Some(odd)),
            ]);
            object(members)
        })
        .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn cursor_and_parser_give_the_same_result(record in record(), spaced: bool) {
        let text = if spaced {
            serde_json::to_string_pretty(&record).unwrap().replace('\n', " ")
        } else {
            record.to_string()
        };
        prop_assert_eq!(by_cursor(text.as_bytes()), by_parser(text.as_bytes()), "{}", text);
    }

    #[test]
    fn glued_records_are_read_one_by_one(records in prop::collection::vec(record(), 1..4)) {
        let text: String = records.iter().map(ToString::to_string).collect();
        prop_assert_eq!(by_cursor(text.as_bytes()), by_parser(text.as_bytes()), "{}", text);
    }

    #[test]
    fn arbitrary_bytes_do_not_break_the_cursor(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read_line(line(&bytes), drop);
        let object = [b"{\"usage\":", bytes.as_slice(), b"}"].concat();
        read_line(line(&object), drop);
    }

    #[test]
    fn damage_does_not_break_the_cursor(
        record in record(),
        cut in any::<prop::sample::Index>(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let mut bytes = record.to_string().into_bytes();
        for (place, byte) in flips {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        read_line(line(&bytes[..cut.index(bytes.len())]), drop);
        read_line(line(&bytes), drop);
    }
}

/// A truncated line is damaged or not a call; it is never a partial call.
#[test]
fn a_truncated_line_is_never_a_call() {
    let text = call("m", [1, 2, 3, 4]).calls_tools(&[("t", "Read")]).to_string();
    for end in 0..text.len() {
        read_line(line(&text.as_bytes()[..end]), |read| {
            assert!(!matches!(read, UsageLine::Call(_)), "{}", &text[..end]);
        });
    }
}

/// The transcripts below a directory.
pub(crate) fn transcripts(folder: PathBuf) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "jsonl") {
                found.push(path);
            }
        }
    }
    found
}

#[test]
fn cursor_and_parser_give_the_same_result_on_every_real_line() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/claude");
    if !corpus.is_dir() {
        println!("SKIPPED: no real transcripts at {}", corpus.display());
        return;
    }
    let mut compared = 0;
    for path in transcripts(corpus) {
        let bytes = std::fs::read(&path).unwrap();
        for line in transcript::lines(&bytes) {
            if line.bytes.windows(7).any(|window| window == b"\"usage\"") {
                let quick = by_cursor(line.bytes);
                assert_eq!(quick, by_parser(line.bytes), "{} at {}", path.display(), line.offset);
                compared += quick.iter().flatten().count();
            }
        }
    }
    println!("{compared} lines compared");
    assert!(compared > 1000);
}
