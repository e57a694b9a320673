//! Lines that are damaged, and lines that someone wrote to do harm.

use app::{EntryKind, ProblemKind, Session, read_whole};
use codex::{Reader, usage_of};

/// A line with a prompt, whose text is JSON.
fn prompt(text: &str) -> String {
    let payload = format!(r#"{{"type":"user_message","message":{text}}}"#);
    format!(r#"{{"timestamp":"2026-01-31T12:00:00Z","type":"event_msg","payload":{payload}}}"#)
}

fn prompts(session: &Session) -> Vec<&str> {
    session.prompts().collect()
}

#[test]
fn cut_and_glued_lines_are_problems_and_the_rest_is_read() {
    let (one, two) = (prompt(r#""one""#), prompt(r#""two""#));
    let cut = &one[..one.len() - 4];
    let text = format!("{cut}\n{one}{two}\n{}\n", prompt(r#""three""#));
    let session = read_whole::<Reader>(text.as_bytes());
    assert_eq!(prompts(&session), ["one", "two", "three"]);
    let problems: Vec<_> = session.problems.iter().map(|problem| problem.kind).collect();
    assert_eq!(problems, [ProblemKind::NotJson, ProblemKind::GluedObjects]);
}

#[test]
fn invalid_utf8_is_read_with_replacement_characters() {
    let line = [prompt(r#""before""#), prompt(r#""a?b""#)].concat().into_bytes();
    let line: Vec<u8> =
        line.into_iter().map(|byte| if byte == b'?' { 0xff } else { byte }).collect();
    let session = read_whole::<Reader>(&line);
    assert_eq!(prompts(&session), ["before", "a\u{fffd}b"]);
    let problems: Vec<_> = session.problems.iter().map(|problem| problem.kind).collect();
    assert!(problems.contains(&ProblemKind::NotUtf8), "{problems:?}");
}

#[test]
fn control_characters_are_text_and_half_surrogates_cost_one_line() {
    let text = format!(
        "{}\n{}\n{}\n",
        prompt(r#""\u0000 \u001b[31m \u202e </script>""#),
        prompt(r#""\ud83d""#),
        prompt(r#""after""#)
    );
    let session = read_whole::<Reader>(text.as_bytes());
    assert_eq!(prompts(&session), ["\0 \u{1b}[31m \u{202e} </script>", "after"]);
    assert_eq!(session.problems.len(), 1);
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let deep = "[".repeat(200_000) + &"]".repeat(200_000);
    for payload in [
        deep.clone(),
        format!(r#"{{"type":"function_call","call_id":"c","name":"f","arguments":{deep}}}"#),
        format!(r#"{{"type":"message","role":"user","content":{deep}}}"#),
    ] {
        let line = format!(
            r#"{{"timestamp":"2026-01-31T12:00:00Z","type":"response_item","payload":{payload}}}"#
        );
        let text = format!("{line}\n{}\n", prompt(r#""after""#));
        let session = read_whole::<Reader>(text.as_bytes());
        assert_eq!(prompts(&session), ["after"]);
    }
}

#[test]
fn numbers_beyond_the_type_and_below_zero_do_no_harm() {
    for number in ["9223372036854775807", "99999999999999999999999", "1e400", "-5", "0.5"] {
        let counts = format!(
            r#"{{"input_tokens":{number},"cached_input_tokens":{number},"output_tokens":{number}}}"#
        );
        let line = format!(
            r#"{{"timestamp":"t","type":"event_msg","payload":{{"type":"token_count","info":{{"total_token_usage":{counts},"last_token_usage":{counts}}}}}}}"#
        );
        let session = read_whole::<Reader>(line.as_bytes());
        let total: u128 =
            session.api_calls.iter().map(|call| u128::from(call.tokens.total())).sum();
        assert!(total <= u128::from(u64::MAX), "{number}");
        assert_eq!(usage_of(line.as_bytes()).len(), session.api_calls.len(), "{number}");
    }
}

#[test]
fn unknown_kinds_are_kept_and_counted() {
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
