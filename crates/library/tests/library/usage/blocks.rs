//! Five-hour blocks of a store, and caches that expired in it.

use super::fixture::{CWD, by, open, report, rows};
use library::usage::Dimension;
use serde_json::json;
use testkit::{Line, Sandbox, call, session_id};
use usage::blocks::Anchor;

fn at(time: &str) -> String {
    format!("2026-01-{time}:00Z")
}

fn limit(text: &str, time: &str) -> Line {
    call("limit", [0, 0, 0, 0])
        .model("<synthetic>")
        .at(&at(time))
        .message("content", json!([{"type": "text", "text": text}]))
}

/// One session with calls at these times.
fn store(times: &[&str], more: &[Line]) -> Sandbox {
    let sandbox = Sandbox::new();
    let lines = times.iter().map(|time| call(time, [0, 1, 0, 0]).at(&at(time)));
    sandbox.session(CWD, &session_id(1), lines.chain(more.iter().cloned()));
    sandbox
}

// Start = first call floored to the UTC hour; a new block when a call comes more
// than 5 h after the start or more than 5 h after the last.
#[test]
fn blocks_begin_at_the_hour_of_their_first_call() {
    let sandbox = store(&["02T10:30", "02T12:00", "02T15:00", "02T15:01", "03T23:59"], &[]);
    let found = report(&open(&sandbox), &by(&[Dimension::Block]));
    assert_eq!(
        rows(&found),
        [
            "2026-01-02T10:00:00Z: 3 calls, 3 out",
            "2026-01-02T15:00:00Z: 1 calls, 1 out",
            "2026-01-03T23:00:00Z: 1 calls, 1 out",
        ]
    );
    assert!(found.blocks.iter().all(|block| block.anchor == Anchor::Guessed));
}

#[test]
fn blocks_span_all_sessions() {
    let sandbox = store(&["02T10:30"], &[]);
    sandbox.session(
        "/elsewhere",
        &session_id(2),
        [call("other", [0, 2, 0, 0]).at(&at("02T09:59"))],
    );
    let found = report(&open(&sandbox), &by(&[Dimension::Block]));
    assert_eq!(rows(&found), ["2026-01-02T09:00:00Z: 2 calls, 3 out"]);
}

// When a reset is recorded, the block is anchored on it.
#[test]
fn limit_with_a_reset_time_anchors_its_block() {
    let reset = at("02T13:20").parse::<jiff::Timestamp>().unwrap().as_second();
    let notice = limit(&format!("Claude AI usage limit reached|{reset}"), "02T12:00");
    let sandbox = store(&["02T08:10", "02T10:30", "02T13:19", "02T13:20"], &[notice]);
    let found = report(&open(&sandbox), &by(&[Dimension::Block]));
    assert_eq!(
        rows(&found),
        [
            "2026-01-02T08:00:00Z: 1 calls, 1 out",
            "2026-01-02T08:20:00Z: 2 calls, 2 out",
            "2026-01-02T13:00:00Z: 1 calls, 1 out",
        ]
    );
    let anchors: Vec<Anchor> = found.blocks.iter().map(|block| block.anchor).collect();
    assert_eq!(anchors, [Anchor::Guessed, Anchor::Recorded, Anchor::Guessed]);
    let words = store(&["02T10:30"], &[limit("You've hit your limit · resets 4pm", "02T12:00")]);
    let found = report(&open(&words), &by(&[Dimension::Block]));
    assert_eq!(found.blocks[0].anchor, Anchor::Guessed, "no moment is guessed from words");
}

// Active if the last call is under 5 h old and the end is ahead.
#[test]
fn the_last_block_is_active_for_a_while() {
    let sandbox = store(&["02T10:30", "02T11:30"], &[]);
    let found = report(&open(&sandbox), &by(&[Dimension::Block]));
    let block = found.blocks[0];
    let active = |time: &str| block.is_active(at(time).parse().unwrap());
    assert!(active("02T11:30") && active("02T14:59") && !active("02T15:00") && !active("04T12:00"));
    // Burn rate = tokens / (last − first); projection linear to the end.
    assert_eq!(block.per_minute(6_000), Some(100));
    assert_eq!(block.projected(6_000), Some(27_000));
}

/// What was written again in a session of these calls.
fn expired(calls: &[(&str, [u64; 4], bool)]) -> (u64, String) {
    let sandbox = Sandbox::new();
    let lines = calls.iter().map(|(time, tokens, hour)| {
        let line = call(time, *tokens).at(&at(time));
        if *hour {
            line.usage("cache_creation", json!({"ephemeral_1h_input_tokens": tokens[2]}))
        } else {
            line
        }
    });
    sandbox.session(CWD, &session_id(1), lines);
    let total = report(&open(&sandbox), &by(&[])).report.total.sums;
    (total.expired_tokens, total.expired.decimal())
}

// Cache economics: money lost to expired caches.
#[test]
fn expired_cache_costs_the_write_minus_the_read() {
    let first = [0, 1, 100_000, 0];
    let again = [0, 1, 100_500, 0];
    // 100,000 × (2.5 − 0.2) millionths
    assert_eq!(
        expired(&[("02T10:00", first, false), ("02T10:06", again, false)]),
        (100_000, "0.23".to_owned())
    );
    assert_eq!(expired(&[("02T10:00", first, false), ("02T10:05", again, false)]).0, 0, "not yet");
    assert_eq!(
        expired(&[("02T10:00", first, true), ("02T10:59", again, true)]).0,
        0,
        "an hour's lives"
    );
    // 100,000 × (4 − 0.2) millionths
    assert_eq!(
        expired(&[("02T10:00", first, true), ("02T11:01", again, true)]),
        (100_000, "0.38".to_owned())
    );
    let read = [0, 1, 500, 100_000];
    assert_eq!(
        expired(&[("02T10:00", first, false), ("02T12:00", read, false)]).0,
        0,
        "it was read"
    );
    assert_eq!(
        expired(&[("02T10:00", [0, 1, 900, 0], false), ("02T12:00", again, false)]).0,
        0,
        "too small"
    );
    assert_eq!(
        expired(&[("02T10:00", first, false), ("02T12:00", [0, 1, 300, 0], false)]).0,
        300,
        "no more than was written"
    );
}

#[test]
fn files_and_models_have_separate_caches() {
    let sandbox = Sandbox::new();
    let line =
        |id: &str, time: &str| call(id, [0, 1, 100_000, 0]).at(&at(time)).session(&session_id(1));
    sandbox.session(
        CWD,
        &session_id(1),
        [line("a", "02T10:00"), line("b", "02T12:00").model("claude-opus-5")],
    );
    sandbox.agent(CWD, &session_id(1), "agent-a1", [line("c", "02T13:00").of_agent("a1")]);
    assert_eq!(report(&open(&sandbox), &by(&[])).report.total.sums.expired_tokens, 0);
}
