//! Bytes of a Claude Code transcript → lines → typed records.
//!
//! A transcript is JSON Lines, written by many versions of a program that
//! changes weekly, sometimes damaged. This crate reads all of it: every line
//! gives at least one [`Record`], known kinds are typed, unknown kinds and
//! fields stay reachable through the record's raw bytes, and what is wrong with
//! a line is said beside the record ([`Problem`]) and never instead of it.
//!
//! ```
//! let bytes = br#"{"parentUuid":null,"type":"user","uuid":"u1","message":{"role":"user","content":"hello"}}
//! {"type":"custom-title","customTitle":"Greeting"}
//! "#;
//! let entries: Vec<_> = transcript::entries(bytes).collect();
//! assert_eq!(entries.len(), 2);
//! let transcript::Body::User(user) = &entries[0].record.body else { panic!() };
//! assert_eq!(user.message.as_ref().unwrap().text(), "hello");
//! assert_eq!(entries[1].offset, 90);
//! ```
//!
//! Parsing has two tiers. The fast one is derived, borrowed types: it takes
//! what Claude Code writes. On any error in it, a field-by-field reader over the
//! ordered (key, value) pairs takes the line: the last duplicate key wins, and a
//! wrong type costs that field alone. Both are generated from one list of fields
//! (`fields.rs`), so they cannot disagree about names.
//!
//! Deliberately not here: files, clocks, environment, printing. The caller
//! brings bytes.

mod cursor;
mod drift;
mod fields;
mod ids;
pub mod json;
mod kind;
mod line;
mod message;
mod parse;
mod parts;
mod problem;
pub mod prompt;
mod record;
pub mod role;
pub mod text;
mod time;
mod value;
mod wide;

pub use cursor::Cursor;
pub use drift::{Drift, DriftKind, Finding};
pub use ids::{AgentId, MessageId, RequestId, SessionId, ToolUseId, Uuid};
pub use kind::RecordKind;
pub use line::{Line, LineEnd, Lines, lines};
pub use message::{
    Block, CacheCreation, Content, Message, ServerToolUse, Source, ToolResult, ToolUse, Usage,
};
pub use parse::{Entries, Entry, entries, parse_line};
pub use parts::{
    Attachment, CompactMetadata, FileSnapshot, ForkedFrom, PreservedMessages, PreservedSegment,
    Snapshot, WorktreeState,
};
pub use problem::{Problem, Reason};
pub use record::{
    Assistant, Body, Envelope, LastPrompt, Progress, QueueOperation, Record, System, User,
};
pub use role::Role;
pub use time::parse_timestamp;
pub use value::{Count, Json, Number, Str};
