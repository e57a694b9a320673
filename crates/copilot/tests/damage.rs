//! Lines that are damaged, and lines that someone wrote to do harm.

use app::{ProblemKind, Session, read_whole};
use copilot::Reader;

/// A line with a prompt, whose text is JSON.
fn prompt(text: &str) -> String {
    format!(
        r#"{{"id":"e","timestamp":"2026-01-02T03:04:05Z","type":"user.message","data":{{"content":{text}}}}}"#
    )
}

fn read(lines: &[u8]) -> Session {
    read_whole::<Reader>(lines)
}

fn prompts(session: &Session) -> Vec<&str> {
    session.prompts().collect()
}

#[test]
fn cut_and_glued_lines_are_problems_and_the_rest_is_read() {
    let (one, two) = (prompt(r#""one""#), prompt(r#""second""#));
    let cut = &one[..one.len() - 4];
    let session = read(format!("{cut}\n{one}{two}\n{}\n", prompt(r#""the third""#)).as_bytes());
    assert_eq!(prompts(&session), ["one", "second", "the third"]);
    let problems: Vec<_> = session.problems.iter().map(|problem| problem.kind).collect();
    assert_eq!(problems, [ProblemKind::NotJson, ProblemKind::GluedObjects]);
}

#[test]
fn invalid_utf8_is_read_with_replacement_characters() {
    let line = prompt(r#""a?b""#).into_bytes();
    let line: Vec<u8> =
        line.into_iter().map(|byte| if byte == b'?' { 0xff } else { byte }).collect();
    let session = read(&line);
    assert_eq!(prompts(&session), ["a\u{fffd}b"]);
    assert_eq!(session.problems.iter().map(|p| p.kind).collect::<Vec<_>>(), [ProblemKind::NotUtf8]);
}

#[test]
fn half_surrogates_and_control_characters_are_text() {
    let text = r#""\ud83d \u0000 \u001b[31m \u202e </script>""#;
    let session = read(prompt(text).as_bytes());
    assert_eq!(prompts(&session), ["\u{fffd} \0 \u{1b}[31m \u{202e} </script>"]);
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let deep = "[".repeat(200_000) + &"]".repeat(200_000);
    let line = format!(
        r#"{{"id":"d","type":"tool.execution_start","data":{{"toolCallId":"c","toolName":"t","arguments":{deep}}}}}"#
    );
    let text = format!("{line}\n{}\n", prompt(r#""after""#));
    assert_eq!(prompts(&read(text.as_bytes())), ["after"]);
    let open = format!("{}\n{}\n", "{\"a\":".repeat(200_000), prompt(r#""after""#));
    assert_eq!(prompts(&read(open.as_bytes())), ["after"]);
}

#[test]
fn numbers_beyond_the_type_and_below_zero_do_no_harm() {
    for number in ["18446744073709551615", "99999999999999999999999", "1e400", "-5", "0.5"] {
        let line = format!(
            r#"{{"id":"u{number}","type":"session.usage_record","data":{{"usage":{{"apiCallId":"c","model":"m","inputTokens":{number},"cacheReadTokens":{number},"outputTokens":{number}}}}}}}"#
        );
        let session = read(line.as_bytes());
        let total: u128 =
            session.api_calls.iter().map(|call| u128::from(call.tokens.total())).sum();
        assert!(total <= u128::from(u64::MAX), "{number}");
    }
}

#[test]
fn unknown_kinds_are_kept_and_counted() {
    let line = r#"{"id":"x","type":"session.unheard_of","data":{}}"#;
    let session = read(format!("{line}\n{line}\n").as_bytes());
    assert_eq!(session.unknown.iter().collect::<Vec<_>>(), [("session.unheard_of", 2)]);
}
