//! Lines that are damaged, and lines that someone wrote to do harm.

use app::{EntryKind, ProblemKind, Session, read_whole};
use pi::Reader;

/// A line with a prompt, whose text is JSON.
fn prompt(text: &str) -> String {
    format!(
        r#"{{"type":"message","id":"p","parentId":null,"message":{{"role":"user","content":[{{"type":"text","text":{text}}}]}}}}"#
    )
}

fn read(lines: &[u8]) -> Session {
    read_whole::<Reader>(lines)
}

/// All prompts: each line here is on a separate branch.
fn prompts(session: &Session) -> Vec<&str> {
    let kinds = session.entries.iter().map(|entry| &entry.kind);
    let texts = kinds.filter_map(|kind| match kind {
        EntryKind::Prompt(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
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
        r#"{{"type":"message","id":"d","parentId":null,"message":{{"role":"assistant","content":[{{"type":"toolCall","id":"c","name":"t","arguments":{deep}}}]}}}}"#
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
            r#"{{"type":"message","id":"u{number}","parentId":null,"message":{{"role":"assistant","model":"m","content":[],"usage":{{"input":{number},"output":{number},"cacheRead":{number},"cacheWrite":{number}}}}}}}"#
        );
        let session = read(line.as_bytes());
        let total: u128 =
            session.api_calls.iter().map(|call| u128::from(call.tokens.total())).sum();
        assert!(total <= u128::from(u64::MAX), "{number}");
    }
}

#[test]
fn unknown_kinds_are_kept_and_counted() {
    let line = r#"{"type":"unheard_of","id":"x","parentId":null}"#;
    let session = read(format!("{line}\n{line}\n").as_bytes());
    assert_eq!(session.unknown.iter().collect::<Vec<_>>(), [("unheard_of", 2)]);
}
