//! What can be wrong with a line, said beside its record.
//!
//! A problem is never a reason to drop data: it explains what a reader will
//! miss or should not trust, and where to look.

use std::fmt;

/// One thing wrong with the bytes at `offset`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where the damaged piece starts in the file.
    pub offset: u64,
    /// What is wrong with it.
    pub reason: Reason,
}

/// Why a line is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// Nothing but white space.
    BlankLine,
    /// NUL bytes before the object, as a crash during a write leaves them.
    LeadingNuls(usize),
    /// A byte order mark before the object.
    ByteOrderMark,
    /// Several objects on one line.
    Glued(usize),
    /// Not JSON; what the parser said.
    NotJson(String),
    /// JSON, but not an object.
    NotAnObject(&'static str),
    /// Bytes that are not UTF-8; shown as U+FFFD in decoded text.
    InvalidUtf8,
    /// Half of a surrogate pair in a string; shown as U+FFFD in decoded text.
    LoneSurrogate {
        /// The field, as `message.content`.
        path: String,
    },
    /// A field of another type than it has in every known version.
    WrongType {
        /// The field, as `message.content`.
        path: String,
        /// What it should be.
        expected: &'static str,
        /// What it is.
        found: &'static str,
    },
    /// The same key twice in one object; the last one counts.
    DuplicateKey {
        /// The field, as `message.content`.
        path: String,
    },
    /// Blocks within blocks, deeper than anybody goes; what lies there is in the
    /// raw bytes only.
    TooDeep,
    /// The last line has no newline and is not whole: being written, or cut.
    TornLastLine,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::BlankLine => f.write_str("blank line"),
            Reason::LeadingNuls(1) => f.write_str("a NUL byte before the object"),
            Reason::LeadingNuls(count) => write!(f, "{count} NUL bytes before the object"),
            Reason::ByteOrderMark => f.write_str("byte order mark before the object"),
            Reason::Glued(count) => write!(f, "{count} objects on one line"),
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
            Reason::TornLastLine => f.write_str("the last line is incomplete"),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.reason)
    }
}
