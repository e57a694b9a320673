//! Lines that are damaged, and lines that someone wrote to do harm.

use crate::reader_testkit::SampleLines;
use apps::codex::{Reader, usage_of};
use apps::{EntryKind, Session, read_whole};

const LINES: SampleLines = SampleLines {
    before: "",
    prompt: |text| {
        format!(
            r#"{{"timestamp":"2026-01-31T12:00:00Z","type":"event_msg","payload":{{"type":"user_message","message":{text}}}}}"#
        )
    },
    call: |arguments| {
        format!(
            r#"{{"timestamp":"2026-01-31T12:00:00Z","type":"response_item","payload":{{"type":"function_call","call_id":"c","name":"f","arguments":{arguments}}}}}"#
        )
    },
    usage,
    unknown: (r#"{"timestamp":"t","type":"unheard_of","payload":{}}"#, "unheard_of"),
};

fn usage(number: &str) -> String {
    let counts = format!(
        r#"{{"input_tokens":{number},"cached_input_tokens":{number},"output_tokens":{number}}}"#
    );
    format!(
        r#"{{"timestamp":"t","type":"event_msg","payload":{{"type":"token_count","info":{{"total_token_usage":{counts},"last_token_usage":{counts}}}}}}}"#
    )
}

fn prompts(session: &Session) -> Vec<&str> {
    session.prompts().collect()
}

#[test]
fn cut_and_glued_lines_are_problems_and_the_rest_is_read() {
    LINES.check_cut_and_glued_lines::<Reader>();
}

#[test]
fn invalid_utf8_is_read_with_replacement_characters() {
    LINES.check_invalid_utf8::<Reader>();
}

#[test]
fn control_characters_are_text_and_half_surrogates_cost_one_line() {
    let text = format!(
        "{}\n{}\n{}\n",
        (LINES.prompt)(r#""\u0000 \u001b[31m \u202e </script>""#),
        (LINES.prompt)(r#""\ud83d""#),
        (LINES.prompt)(r#""after""#)
    );
    let session = read_whole::<Reader>(text.as_bytes());
    assert_eq!(prompts(&session), ["\0 \u{1b}[31m \u{202e} </script>", "after"]);
    assert_eq!(session.problems.len(), 1);
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    LINES.check_deep_nesting::<Reader>();
    let deep = "[".repeat(200_000) + &"]".repeat(200_000);
    for payload in [deep.clone(), format!(r#"{{"type":"message","role":"user","content":{deep}}}"#)]
    {
        let line = format!(
            r#"{{"timestamp":"2026-01-31T12:00:00Z","type":"response_item","payload":{payload}}}"#
        );
        let text = format!("{line}\n{}\n", (LINES.prompt)(r#""after""#));
        assert_eq!(prompts(&read_whole::<Reader>(text.as_bytes())), ["after"]);
    }
}

#[test]
fn numbers_beyond_the_type_and_below_zero_do_no_harm() {
    LINES.check_numbers::<Reader>();
    for number in ["9223372036854775807", "99999999999999999999999", "1e400", "-5", "0.5"] {
        let line = usage(number);
        let session = read_whole::<Reader>(line.as_bytes());
        assert_eq!(usage_of(line.as_bytes()).len(), session.api_calls.len(), "{number}");
    }
}

#[test]
fn unknown_kinds_are_kept_and_counted() {
    LINES.check_unknown_kinds::<Reader>();
    let lines = [
        r#"{"timestamp":"t","type":"unheard_of","payload":{}}"#,
        r#"{"timestamp":"t","type":"event_msg","payload":{"type":"unheard_of"}}"#,
        r#"{"timestamp":"t","type":"response_item","payload":{"type":"unheard_of"}}"#,
    ];
    let session = read_whole::<Reader>(lines.join("\n").as_bytes());
    let kinds: Vec<_> = session.unknown.iter().collect();
    let expected = ["event_msg/unheard_of", "response_item/unheard_of", "unheard_of"];
    assert_eq!(kinds, expected.map(|kind| (kind, 1)));
    let kept = session.entries.iter().filter(|entry| matches!(entry.kind, EntryKind::Unknown(_)));
    assert_eq!(kept.count(), 3);
}
