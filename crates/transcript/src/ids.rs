//! Ids, with a type for each kind, so that a message id cannot be passed as a
//! session id.
//!
//! They borrow from the line where possible. Nothing is validated: real
//! transcripts contain redacted and invented ids, and those must still match.

use crate::value::{LenientRead, Str};
use serde::Deserialize;
use std::fmt;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
        #[serde(transparent, bound(deserialize = "'de: 'a"))]
        pub struct $name<'a>(Str<'a>);

        impl<'a> $name<'a> {
            /// An id with this text.
            pub fn new(text: impl Into<Str<'a>>) -> Self {
                Self(text.into())
            }

            /// The id as written.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// Copies the id, so that it no longer borrows from the line.
            pub fn into_owned(self) -> $name<'static> {
                $name(self.0.into_owned())
            }
        }

        impl<'a> From<$name<'a>> for Str<'a> {
            fn from(id: $name<'a>) -> Self {
                id.0
            }
        }

        impl fmt::Display for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({:?})", stringify!($name), self.as_str())
            }
        }

        impl<'a> LenientRead<'a> for $name<'a> {
            const EXPECTED: &'static str = Str::EXPECTED;

            fn read(raw: &str, context: &mut crate::value::FieldContext<'_>) -> Option<Self> {
                Str::read(raw, context).map(Self)
            }
        }
    )*};
}

ids! {
    /// A session: the name of its transcript file without `.jsonl`.
    SessionId
    /// A line of a transcript. Copies in other files repeat it, and rarely lines of
    /// the same file.
    Uuid
    /// A sub-agent: the part of its file name between `agent-` and `.jsonl`.
    AgentId
    /// An API response (`msg_…`), which can span several lines.
    MessageId
    /// An API request (`req_…`).
    RequestId
    /// A tool call (`toolu_…`); its result has the same id.
    ToolUseId
}
