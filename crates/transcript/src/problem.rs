//! Problems of a line, reported beside its record.
//!
//! No data is dropped because of a problem. It explains which part of a record is
//! missing or unreliable, and where its bytes are.

use std::fmt;

/// A problem at one place of a file.
///
/// ```
/// use transcript::{Reason, entries};
///
/// // A number where every known version writes a string: the other fields remain.
/// let entry = entries(br#"{"type":"tag","uuid":5,"tag":"draft"}"#).next().unwrap();
/// let problem = &entry.problems[0];
/// assert!(matches!(&problem.reason, Reason::WrongType { path, .. } if path == "uuid"));
/// assert_eq!(problem.to_string(), "at byte 0: `uuid` should be a string, found a number");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The byte offset in the file where the affected object or bytes start.
    pub offset: u64,
    /// What is wrong.
    pub reason: Reason,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// Nothing but white space.
    BlankLine,
    /// NUL bytes before the object; a crash during a write leaves them.
    LeadingNuls(usize),
    /// A byte order mark before the object.
    ByteOrderMark,
    /// Several objects on one line: how many.
    SeveralObjects(usize),
    /// Not JSON: the message of the JSON parser.
    NotJson(String),
    /// JSON, but not an object: what it is instead.
    NotAnObject(&'static str),
    /// Bytes that are not UTF-8; decoded text has U+FFFD in their place.
    InvalidUtf8,
    /// Half of a surrogate pair in a string; decoded text has U+FFFD in its place.
    LoneSurrogate {
        /// The field, such as `message.content`.
        path: String,
    },
    /// A field with a type that no known version writes.
    WrongType {
        /// The field, such as `message.content`.
        path: String,
        /// The type it should have.
        expected: &'static str,
        /// The type it has.
        found: &'static str,
    },
    /// The same key twice in one object; the last value counts.
    DuplicateKey {
        /// The field, such as `message.content`.
        path: String,
    },
    /// Blocks within blocks, deeper than this crate follows them; the rest is in
    /// the raw bytes only.
    TooDeep,
    /// The line is larger than [`LARGEST_LINE`](crate::LARGEST_LINE); another line stands for it.
    TooLarge {
        /// Its size.
        bytes: u64,
    },
    /// The last line has no newline and is incomplete: it is still being written,
    /// or its writer was interrupted.
    TornLastLine,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::BlankLine => f.write_str("blank line"),
            Reason::LeadingNuls(1) => f.write_str("a NUL byte before the object"),
            Reason::LeadingNuls(count) => write!(f, "{count} NUL bytes before the object"),
            Reason::ByteOrderMark => f.write_str("byte order mark before the object"),
            Reason::SeveralObjects(count) => write!(f, "{count} objects on one line"),
            Reason::NotJson(why) => write!(f, "not JSON: {why}"),
            Reason::NotAnObject(found) => write!(f, "expected an object, found {found}"),
            Reason::InvalidUtf8 => f.write_str("invalid UTF-8"),
            Reason::LoneSurrogate { path } => write!(f, "lone surrogate in `{path}`"),
            Reason::WrongType { path, expected, found } => {
                write!(f, "`{path}` should be {expected}, found {found}")
            }
            Reason::DuplicateKey { path } => {
                write!(f, "key `{path}` occurs twice; the last one counts")
            }
            Reason::TooDeep => f.write_str("nested too deep to be read whole"),
            Reason::TooLarge { bytes } => {
                write!(f, "too large to be read: {} MiB", bytes >> 20)
            }
            Reason::TornLastLine => f.write_str("the last line is incomplete"),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.reason)
    }
}
