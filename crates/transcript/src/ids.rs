//! The names things go by: one type each, so that a message id cannot be handed
//! where a session id is meant.
//!
//! They borrow from the line where they can. Nothing is validated here: real
//! transcripts hold redacted and invented ids, and those must still link.

use crate::value::{Lenient, Str};
use serde::Deserialize;
use std::fmt;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
        #[serde(transparent, bound(deserialize = "'de: 'a"))]
        pub struct $name<'a>(Str<'a>);

        impl<'a> $name<'a> {
            /// Takes any text as an id.
            pub fn new(text: impl Into<Str<'a>>) -> Self {
                Self(text.into())
            }

            /// The id as written.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The same id, no longer borrowing from the line.
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

        impl<'a> Lenient<'a> for $name<'a> {
            const EXPECTED: &'static str = Str::EXPECTED;

            fn read(raw: &str, at: &mut crate::value::Place<'_>) -> Option<Self> {
                Str::read(raw, at).map(Self)
            }
        }
    )*};
}

ids! {
    /// A session: the stem of its transcript's file name.
    SessionId
    /// A line of a transcript. Not unique across files, rarely even within one.
    Uuid
    /// A sub-agent: what stands between `agent-` and `.jsonl`.
    AgentId
    /// An API response (`msg_…`), spread over several lines.
    MessageId
    /// An API request (`req_…`).
    RequestId
    /// A tool call (`toolu_…`), shared by the call and its result.
    ToolUseId
}
