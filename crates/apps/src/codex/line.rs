//! Lines of a rollout file, and the objects on them.
//!
//! A line is one object `{timestamp, ordinal?, type, payload}`. Two kinds of damage are read
//! all the same: objects glued together on one line, and an object that was cut off before
//! the next one was appended to it. Both are recognised by how Codex starts an object. Bytes
//! that are not UTF-8 are read with replacement characters.
//!
//! [`peek`] tells the type of a line from its first bytes, where it is written as Codex
//! writes it, without parsing the rest.

use crate::ProblemKind;
use memchr::memmem;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::codex::text::Text;

/// How Codex starts every object of a rollout file. Within a string it would be escaped.
pub(crate) const START: &[u8] = br#"{"timestamp":"#;

/// How often one line is searched for another object: without a limit, a hostile line costs
/// time quadratic in its length.
const MOST_OBJECTS: usize = 16;

/// One object of a rollout file.
#[derive(Deserialize)]
pub(crate) struct Line<'a> {
    #[serde(borrow)]
    pub(crate) timestamp: Option<Text<'a>>,
    #[serde(borrow, rename = "type")]
    pub(crate) kind: Text<'a>,
    #[serde(borrow)]
    pub(crate) payload: Option<&'a RawValue>,
}

/// Gives each object of a line, and each problem of the line, in order.
pub(crate) fn each_object(line: &[u8], mut found: impl FnMut(Result<Line<'_>, ProblemKind>)) {
    if let Some(rest) = each_valid_object(line, &mut found) {
        found(Err(ProblemKind::NotUtf8));
        each_valid_object(String::from_utf8_lossy(rest).as_bytes(), &mut found);
    }
}

/// The same, up to the first object that is not UTF-8: the line from there on.
fn each_valid_object<'a>(
    line: &'a [u8],
    found: &mut impl FnMut(Result<Line<'_>, ProblemKind>),
) -> Option<&'a [u8]> {
    let mut rest = line;
    for number in 0..MOST_OBJECTS {
        let mut stream = serde_json::Deserializer::from_slice(rest).into_iter::<Line<'a>>();
        let next = stream.next();
        let end = stream.byte_offset();
        match next {
            None => return None,
            Some(Ok(object)) => {
                if number == 1 {
                    found(Err(ProblemKind::GluedObjects));
                }
                found(Ok(object));
                rest = rest.get(end..).unwrap_or_default();
                if rest.trim_ascii().is_empty() {
                    return None;
                }
                if !rest.starts_with(START) {
                    found(Err(ProblemKind::NotJson));
                    return None;
                }
            }
            Some(Err(_)) if std::str::from_utf8(rest).is_err() => return Some(rest),
            Some(Err(error)) => {
                found(Err(if error.is_data() {
                    ProblemKind::UnexpectedShape
                } else {
                    ProblemKind::NotJson
                }));
                let after = rest.get(1..).unwrap_or_default();
                match memmem::find(after, START) {
                    Some(start) => rest = after.get(start..).unwrap_or_default(),
                    None => return None,
                }
            }
        }
    }
    found(Err(ProblemKind::TooLarge));
    None
}

impl<'a> Line<'a> {
    /// The type of the payload, if it has one.
    pub(crate) fn payload_kind(&self) -> Option<Text<'a>> {
        #[derive(Deserialize)]
        struct Kind<'a> {
            #[serde(borrow, rename = "type")]
            kind: Text<'a>,
        }
        let json = self.payload?.get();
        let first = json.strip_prefix(r#"{"type":""#).and_then(|rest| {
            let (word, _) = split_word(rest.as_bytes())?;
            rest.get(..word.len())
        });
        match first {
            Some(kind) => Some(Text(kind.into())),
            None => serde_json::from_str::<Kind<'a>>(json).ok().map(|payload| payload.kind),
        }
    }
}

/// What the first bytes of a line tell.
pub(crate) struct Peek<'a> {
    /// The time, as written.
    pub(crate) time: &'a [u8],
    /// The type of the line.
    pub(crate) kind: &'a [u8],
    /// The type of its payload, where the payload starts with it.
    pub(crate) payload: Option<&'a [u8]>,
}

/// Reads the types of a line that starts as Codex writes it.
pub(crate) fn peek(line: &[u8]) -> Option<Peek<'_>> {
    let rest = line.strip_prefix(START)?.strip_prefix(b"\"")?;
    let (time, rest) = split_word(rest)?;
    let rest = rest.strip_prefix(b",")?;
    let rest = match rest.strip_prefix(br#""ordinal":"#) {
        Some(rest) => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            rest.get(digits..)?.strip_prefix(b",")?
        }
        None => rest,
    };
    let (kind, rest) = split_word(rest.strip_prefix(br#""type":""#)?)?;
    let payload = rest
        .strip_prefix(br#","payload":{"type":""#)
        .and_then(split_word)
        .map(|(payload, _)| payload);
    Some(Peek { time, kind, payload })
}

/// Splits a short string without escapes from what comes after its quotation mark.
fn split_word(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    const LONGEST: usize = 80;
    let end = memchr::memchr2(b'"', b'\\', bytes.get(..LONGEST).unwrap_or(bytes))?;
    let (word, rest) = bytes.split_at_checked(end)?;
    Some((word, rest.strip_prefix(b"\"")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> (Vec<String>, Vec<ProblemKind>) {
        let (mut kinds, mut problems) = (Vec::new(), Vec::new());
        each_object(line.as_bytes(), |object| match object {
            Ok(object) => kinds.push(object.kind.into_string()),
            Err(problem) => problems.push(problem),
        });
        (kinds, problems)
    }

    #[test]
    fn one_object_has_no_problem() {
        let (kinds, problems) = read(r#"{"timestamp":"t","type":"a","payload":{}}"#);
        assert_eq!(kinds, ["a"]);
        assert_eq!(problems, []);
    }

    #[test]
    fn glued_objects_are_all_read() {
        let (kinds, problems) = read(concat!(
            r#"{"timestamp":"t","type":"a","payload":{}}"#,
            r#"{"timestamp":"t","type":"b","payload":{}}"#,
            r#"{"timestamp":"t","type":"c","payload":{}}"#,
        ));
        assert_eq!(kinds, ["a", "b", "c"]);
        assert_eq!(problems, [ProblemKind::GluedObjects]);
    }

    #[test]
    fn an_object_after_one_that_was_cut_off_is_read() {
        let (kinds, problems) = read(concat!(
            r#"{"timestamp":"t","type":"a","payload":{"text":"cut"#,
            r#"{"timestamp":"t","type":"b","payload":{}}"#,
        ));
        assert_eq!(kinds, ["b"]);
        assert!(problems.contains(&ProblemKind::NotJson));
    }

    #[test]
    fn a_line_of_very_many_objects_is_not_read_to_its_end() {
        let (kinds, problems) = read(&r#"{"timestamp":"t","type":"a","payload":{}}"#.repeat(100));
        assert_eq!(kinds.len(), MOST_OBJECTS);
        assert!(problems.contains(&ProblemKind::TooLarge));
    }

    #[test]
    fn json_of_another_shape_is_a_problem() {
        assert_eq!(read("[1,2]").1, [ProblemKind::UnexpectedShape]);
        assert_eq!(read(r#"{"type":7}"#).1, [ProblemKind::UnexpectedShape]);
        assert_eq!(read("nonsense").1, [ProblemKind::NotJson]);
    }

    #[test]
    fn peeking_tells_the_types_without_parsing() {
        let line = br#"{"timestamp":"2026-01-01T00:00:00Z","ordinal":12,"type":"event_msg","payload":{"type":"token_count","info":null"#;
        let peeked = peek(line).unwrap();
        assert_eq!(peeked.kind, b"event_msg");
        assert_eq!(peeked.payload, Some(&b"token_count"[..]));
        assert!(peek(br#"{"type":"event_msg"}"#).is_none());
        assert!(peek(br#"{"timestamp":"\u0041","type":"event_msg"}"#).is_none());
    }
}
