//! Counts files of lines, and summarizes each call in one line of text.

use testkit::{Line, file};
use usage::{Call, Calls, CostMode, Fold, Pricer, Prices, UsageLine, read_line};

/// The calls in files, numbered in the order of their paths.
pub(crate) fn calls_in(files: &[Vec<u8>]) -> Calls {
    let mut fold = Fold::default();
    for (number, bytes) in (0..).zip(files) {
        for line in transcript::lines(bytes) {
            if !line.bytes.windows(7).any(|window| window == b"\"usage\"") {
                continue;
            }
            read_line(line, |read| match read {
                UsageLine::Call(call) => fold.note(number, &call),
                UsageLine::Other => {}
                UsageLine::Damaged(offset) => fold.note_damage(number, offset),
            });
        }
    }
    let calls = fold.finish();
    let lines: u64 =
        calls.calls.iter().filter(|call| !call.is_advisor_call).map(|call| call.lines).sum();
    let own = calls.calls.iter().filter(|call| !call.is_advisor_call).count() as u64;
    assert_eq!(own + calls.duplicates.total(), calls.tally.lines, "every line has its reason");
    assert!(lines <= calls.tally.lines);
    calls
}

/// The calls in files of lines.
pub(crate) fn calls(files: &[&[Line]]) -> Calls {
    calls_in(&files.iter().map(|lines| file(lines)).collect::<Vec<_>>())
}

/// The calls in files of lines, summarized.
pub(crate) fn summaries(files: &[&[Line]]) -> Vec<String> {
    summarize(&calls(files), CostMode::Auto)
}

/// The calls in one file of raw bytes, summarized.
pub(crate) fn summaries_of_bytes(bytes: impl Into<Vec<u8>>) -> Vec<String> {
    summarize(&calls_in(&[bytes.into()]), CostMode::Auto)
}

/// Each call in one line: id, model, token counts, cost.
pub(crate) fn summarize(calls: &Calls, mode: CostMode) -> Vec<String> {
    let prices = Prices::embedded();
    let mut with = Pricer::new(&prices, mode);
    let lines = calls.calls.iter().map(|call| {
        let cost = with.cost(call, &calls.names).total;
        let cost = cost.map_or_else(|| "?".to_owned(), usage::PicoUsd::decimal);
        format!("{} = {cost}", summary(calls, call))
    });
    lines.collect()
}

fn summary(calls: &Calls, call: &Call) -> String {
    let counters = &call.counters;
    let used = [
        (counters.input, "in"),
        (counters.output, "out"),
        (counters.thinking, "thought"),
        (counters.write_5m, "for 5m"),
        (counters.write_1h, "for 1h"),
        (counters.read, "read"),
        (counters.web_searches, "searches"),
    ];
    let used: Vec<String> = used
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    let model = calls.names.get(call.model).unwrap_or("(none)");
    format!("{} {}: {}", call.id, model.trim_start_matches("claude-"), used.join(", "))
}

/// The tools of a call, with counts.
pub(crate) fn tools(calls: &Calls, call: &Call) -> Vec<String> {
    let tools = call.tools.iter();
    tools
        .map(|(tool, count)| format!("{} {count}", calls.names.get(*tool).unwrap_or_default()))
        .collect()
}

/// A time on 2 January 2026.
pub(crate) fn at(time: &str) -> String {
    format!("2026-01-02T{time}Z")
}
