//! Files of lines, counted and told in one sentence a call.

use testkit::{Line, file};
use usage::{Call, Calls, CostMode, Fold, Pricer, Prices, Read, read_line};

/// The calls in files, numbered in the order of their paths.
pub(crate) fn calls_in(files: &[Vec<u8>]) -> Calls {
    let mut fold = Fold::default();
    for (number, bytes) in (0..).zip(files) {
        for line in transcript::lines(bytes) {
            if !line.bytes.windows(7).any(|window| window == b"\"usage\"") {
                continue;
            }
            read_line(line, |read| match read {
                Read::Call(call) => fold.note(number, &call),
                Read::Other => {}
                Read::Damaged(offset) => fold.note_damage(number, offset),
            });
        }
    }
    let calls = fold.finish();
    let lines: u64 = calls.calls.iter().filter(|call| !call.is_advice).map(|call| call.lines).sum();
    let own = calls.calls.iter().filter(|call| !call.is_advice).count() as u64;
    assert_eq!(own + calls.duplicates.total(), calls.tally.lines, "every line has its reason");
    assert!(lines <= calls.tally.lines);
    calls
}

/// The calls in files of lines.
pub(crate) fn calls(files: &[&[Line]]) -> Calls {
    calls_in(&files.iter().map(|lines| file(lines)).collect::<Vec<_>>())
}

/// What was counted in files of lines.
pub(crate) fn told(files: &[&[Line]]) -> Vec<String> {
    tell(&calls(files), CostMode::Auto)
}

/// What was counted in one file of raw text.
pub(crate) fn told_raw(bytes: impl Into<Vec<u8>>) -> Vec<String> {
    tell(&calls_in(&[bytes.into()]), CostMode::Auto)
}

/// Calls in one sentence each: the id, the model, what was used, what it costs.
pub(crate) fn tell(calls: &Calls, mode: CostMode) -> Vec<String> {
    let prices = Prices::embedded();
    let mut with = Pricer::new(&prices, mode);
    let told = calls.calls.iter().map(|call| {
        let cost = with.cost(call, &calls.names).total;
        let cost = cost.map_or_else(|| "?".to_owned(), usage::PicoUsd::decimal);
        format!("{} = {cost}", sentence(calls, call))
    });
    told.collect()
}

fn sentence(calls: &Calls, call: &Call) -> String {
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

/// The tools of a call, with how often.
pub(crate) fn tools(calls: &Calls, call: &Call) -> Vec<String> {
    let tools = call.tools.iter();
    tools
        .map(|(tool, count)| format!("{} {count}", calls.names.get(*tool).unwrap_or_default()))
        .collect()
}

/// A moment of the second of January 2026.
pub(crate) fn at(time: &str) -> String {
    format!("2026-01-02T{time}Z")
}
