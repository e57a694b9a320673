//! Which calls are found, and which are the same.

use super::*;

const TURN: &str = "01900001-0000-7000-8000-000000000001";
const NEXT: &str = "01900001-0001-7000-8000-000000000001";

fn line(kind: &str, payload: &str) -> String {
    format!(r#"{{"timestamp":"2026-01-31T12:00:00Z","type":"{kind}","payload":{payload}}}"#) + "\n"
}

fn meta(fields: &str) -> String {
    line("session_meta", &format!("{{{fields}}}"))
}

fn turn(id: &str) -> String {
    line("event_msg", &format!(r#"{{"type":"task_started","turn_id":"{id}"}}"#))
}

fn model(name: &str) -> String {
    line("turn_context", &format!(r#"{{"model":"{name}"}}"#))
}

fn counts(input: u64, output: u64) -> String {
    format!(
        r#"{{"input_tokens":{input},"cached_input_tokens":1,"output_tokens":{output},"reasoning_output_tokens":1,"total_tokens":{}}}"#,
        input + output
    )
}

/// An event after which the thread has used this input, of which the last call used a part.
fn count(total: u64, last: u64) -> String {
    let info = format!(
        r#"{{"total_token_usage":{},"last_token_usage":{}}}"#,
        counts(total, 10),
        counts(last, 10)
    );
    line("event_msg", &format!(r#"{{"type":"token_count","info":{info},"rate_limits":null}}"#))
}

fn record(response: &str, total: u64, last: u64) -> String {
    let payload = format!(
        r#"{{"response_id":"{response}","usage":{},"thread_token_usage":{}}}"#,
        counts(last, 10),
        counts(total, 10)
    );
    line("token_usage_record", &payload)
}

fn output() -> String {
    line("response_item", r#"{"type":"message","role":"assistant","content":[]}"#)
}

fn read(lines: &[String]) -> Vec<RecordedCall> {
    usage_of(lines.concat().as_bytes())
}

fn totals(lines: &[String]) -> Vec<u64> {
    read(lines).iter().map(|call| call.tokens.total()).collect()
}

#[test]
fn cached_input_and_reasoning_are_parts() {
    let calls = read(&[turn(TURN), model("m"), count(100, 100)]);
    assert_eq!(calls.len(), 1);
    assert_eq!(
        calls[0].tokens,
        TokenCounts { input: 99, cache_read: 1, cache_write: 0, output: 10, reasoning: 1 }
    );
    assert_eq!(calls[0].model.as_deref(), Some("m"));
    assert_eq!(calls[0].place.line, 3);
}

#[test]
fn a_total_that_is_written_again_is_not_a_call() {
    let lines =
        [turn(TURN), count(100, 100), count(100, 100), turn(NEXT), count(100, 100), count(150, 50)];
    assert_eq!(totals(&lines), [110, 60]);
}

#[test]
fn events_without_numbers_are_not_calls() {
    let lines = [
        line("event_msg", r#"{"type":"token_count","info":null}"#),
        line("event_msg", r#"{"type":"token_count","info":{"prompt":1,"completion":2}}"#),
        line("event_msg", r#"{"type":"token_count"}"#),
        line("token_usage_record", r#"{"usage":{}}"#),
    ];
    assert_eq!(totals(&lines), [] as [u64; 0]);
}

#[test]
fn without_the_last_call_the_difference_of_totals_counts() {
    let total = |input| {
        let info = format!(r#"{{"total_token_usage":{}}}"#, counts(input, input));
        line("event_msg", &format!(r#"{{"type":"token_count","info":{info}}}"#))
    };
    assert_eq!(totals(&[total(100), total(130)]), [200, 60]);
}

#[test]
fn numbers_that_make_no_sense_are_bounded() {
    let usage = r#"{"input_tokens":5,"cached_input_tokens":9,"output_tokens":-3,"reasoning_output_tokens":4}"#;
    let payload = format!(r#"{{"response_id":"r","usage":{usage}}}"#);
    let calls = read(&[line("token_usage_record", &payload)]);
    assert_eq!(calls[0].tokens, TokenCounts { cache_read: 5, ..TokenCounts::default() });
}

#[test]
fn a_record_and_its_event_are_one_call_in_either_order() {
    for lines in [
        [turn(TURN), record("r", 100, 100), count(100, 100)],
        [turn(TURN), count(100, 100), record("r", 100, 100)],
    ] {
        let calls = read(&lines);
        assert_eq!(calls.len(), 1);
        assert_eq!(calls[0].key, "response:r");
    }
    assert_eq!(totals(&[record("r", 100, 100), record("r", 100, 100)]), [110]);
}

#[test]
fn a_call_has_the_same_key_in_a_fork() {
    let parent = [meta(r#""id":"p""#), turn(TURN), output(), count(100, 100)];
    let legacy = [
        meta(r#""id":"c","forked_from_id":"p""#),
        meta(r#""id":"p""#),
        turn(TURN),
        output(),
        count(100, 100),
        turn(NEXT),
        count(100, 100),
        output(),
        count(150, 50),
    ];
    let migrated = [legacy[0].clone(), turn(TURN), output(), count(100, 100)];
    let of_parent = read(&parent);
    let of_child = read(&legacy);
    assert_eq!(of_child.len(), 2);
    assert_eq!(of_child[0].key, of_parent[0].key);
    assert_eq!(read(&migrated)[0].key, of_parent[0].key);
}

#[test]
fn threads_without_ids_of_turns_are_distinguished_by_the_oldest_thread() {
    let keys = |lines: &[String]| -> Vec<String> {
        read(lines).into_iter().map(|call| call.key).collect()
    };
    let parent = keys(&[meta(r#""id":"p""#), count(100, 100)]);
    let other = keys(&[meta(r#""id":"q""#), count(100, 100)]);
    let child =
        keys(&[meta(r#""id":"c","forked_from_id":"p""#), meta(r#""id":"p""#), count(100, 100)]);
    let migrated =
        keys(&[meta(r#""id":"c","forked_from_id":"p""#), turn("rollout-4"), count(100, 100)]);
    let grandchild = keys(&[
        meta(r#""id":"g","forked_from_id":"c""#),
        meta(r#""id":"c","forked_from_id":"p""#),
        meta(r#""id":"p""#),
        count(100, 100),
    ]);
    assert_ne!(parent, other);
    assert_eq!(parent, child);
    assert_eq!(parent, migrated);
    assert_eq!(parent, grandchild);
}

#[test]
fn a_fork_by_reference_does_not_count_the_total_of_its_base() {
    let start = meta(
        r#""id":"c","forked_from_id":"p","history_base":{"thread_id":"p","end_byte_offset":9}"#,
    );
    let lines = [start.clone(), turn(TURN), count(500, 50), output(), count(560, 60)];
    assert_eq!(totals(&lines), [70]);
    // Its first call has a total that is not its own, too; the model's output tells.
    assert_eq!(totals(&[start, turn(TURN), output(), count(560, 60)]), [70]);
}

#[test]
fn calls_on_damaged_lines_are_found() {
    let first = line("response_item", r#"{"type":"message","role":"user","content":[]}"#);
    let glued = first.trim_end().to_owned() + &count(100, 100);
    assert_eq!(totals(&[glued]), [110]);
    let torn = first[..60].to_owned() + &count(100, 100);
    assert_eq!(totals(&[torn]), [110]);
    let without_break = count(100, 100).trim_end().to_owned();
    assert_eq!(totals(&[without_break]), [110]);
}

#[test]
fn lines_in_another_order_of_fields_are_read() {
    let info = format!(r#"{{"total_token_usage":{0},"last_token_usage":{0}}}"#, counts(100, 10));
    let payload = format!(r#"{{"info":{info},"type":"token_count"}}"#);
    assert_eq!(totals(&[line("event_msg", &payload)]), [110]);
    let turned = format!(r#"{{"type":"event_msg","payload":{payload},"timestamp":"x"}}"#);
    assert_eq!(totals(&[turned]), [110]);
}

#[test]
fn call_has_the_window_that_codex_last_named() {
    let named = |total: u64, window: i64| {
        let window = format!(r#""info":{{"model_context_window":{window},"#);
        count(total, 10).replace(r#""info":{"#, &window)
    };
    let started = r#"{"type":"task_started","model_context_window":272000}"#;
    let lines = [
        meta(r#""id":"t""#),
        count(20, 20),
        named(40, 258_400),
        count(60, 20),
        line("event_msg", started),
        record("r", 80, 20),
        named(100, 0),
    ];
    let windows: Vec<Option<u64>> = read(&lines).iter().map(|call| call.context_window).collect();
    let known = [None, Some(258_400), Some(258_400), Some(272_000)];
    assert_eq!(windows, [&known[..], &[None]].concat(), "0 is not a size");
}
