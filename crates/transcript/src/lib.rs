//! A lossless, typed reader of Claude Code transcripts.
//!
//! A transcript is a JSON Lines file. Many versions of Claude Code, which changes
//! weekly, have written such files, and some of them are damaged. This crate
//! reads all of them: every line gives at least one [`Record`]. Known record
//! types have typed fields. Unknown types and fields stay available in the
//! record's raw bytes. Damage is reported beside the record, as a [`Problem`],
//! and never instead of it.
//!
//! ```
//! use transcript::{Body, entries};
//!
//! let file = br#"{"type":"user","uuid":"u1","message":{"role":"user","content":"hello"}}
//! {"type":"custom-title","customTitle":"Greeting"}
//! "#;
//! let entries: Vec<_> = entries(file).collect();
//! assert_eq!(entries.len(), 2);
//!
//! let Body::User(user) = &entries[0].record.body else { panic!("not a user record") };
//! assert_eq!(user.message.as_ref().unwrap().text(), "hello");
//! assert_eq!((entries[1].line, entries[1].offset), (2, 72));
//! ```
//!
//! # Where to start
//! - [`entries`] reads a whole file, [`lines`] with [`parse_line`] reads one line
//!   at a time, and [`Lines::from_position`] starts in the middle of a file.
//! - [`Record`] is one parsed object: an [`Envelope`] that all types share, and a
//!   [`Body`] of a specific type. A [`Message`] consists of [`Block`]s.
//! - [`RecordKind::of_line`] tells the type of a line without parsing it.
//! - [`text::of_record`] gives the text that a person would search.
//! - [`prompt::typed_prompt`] gives what a person typed.
//! - [`OwnedRecord`] is a record without a lifetime, for caches and threads.
//! - [`DriftReport`] lists what this version of the crate does not know yet.
//!
//! # How a line is parsed
//! There are two parsers. The fast one consists of derived types that borrow from
//! the line; it reads what Claude Code writes. If it fails, the lenient one reads
//! the line field by field: the last of duplicate keys counts, and a value of the
//! wrong type costs only its own field. Both come from one list of fields
//! (`fields.rs`), so they cannot disagree about names.
//!
//! # Compatibility
//! Structs and enums that follow Claude Code's format are `#[non_exhaustive]`:
//! the format gains fields and types with most releases, and so will this crate.
//!
//! Deliberately not here: files, clocks, the environment, printing. The caller
//! brings the bytes.

mod agent_progress;
mod content;
mod drift;
mod fields;
mod ids;
pub mod json;
mod json_cursor;
mod kind;
mod large_line;
mod line;
mod message;
mod nested;
mod owned;
mod parse;
mod problem;
pub mod prompt;
mod record;
pub mod role;
mod salvage;
pub mod text;
mod time;
mod top_level;
mod value;

pub use agent_progress::AgentProgress;
pub use content::{Block, Content, Source, ToolResult, ToolUse};
pub use drift::{DriftFinding, DriftKind, DriftReport};
pub use ids::{AgentId, MessageId, RequestId, SessionId, ToolUseId, Uuid};
pub use json_cursor::JsonCursor;
pub use kind::RecordKind;
pub use large_line::{
    LARGE_LINE_END, LARGEST_LINE, large_line_bytes, large_line_stand_in, without_large_line_marks,
};
pub use line::{Line, LineEnd, Lines, lines};
pub use message::{CacheCreation, Message, ServerToolUse, Usage};
pub use nested::{
    Attachment, CompactMetadata, FileSnapshot, ForkedFrom, Origin, PreservedMessages,
    PreservedSegment, Snapshot, WorktreeState,
};
pub use owned::OwnedRecord;
pub use parse::{Entries, Entry, entries, parse_line};
pub use problem::{Problem, Reason};
pub use record::{
    Assistant, Body, Envelope, LastPrompt, Progress, QueueOperation, Record, System, User,
};
pub use role::Role;
pub use salvage::{SalvagedIds, salvage_ids};
pub use time::parse_timestamp;
pub use value::{Count, Json, Number, Str};

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
