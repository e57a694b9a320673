//! The sessions of other coding agents.
//!
//! "Agent" means a sub-agent everywhere in annals, so a coding agent such as Codex or OpenCode is
//! an [`App`] here. Each app has a folder with a reader ([`codex`], [`copilot`], [`gemini`],
//! [`opencode`], [`pi`]), which turns the bytes that the app wrote into a [`Session`]: a
//! [`Header`], the [`Entry`]s in the order of the file, the [`ApiCall`]s that were paid for, and
//! what the reader did not understand.
//!
//! A reader is a [`Read`]: it takes bytes as they are appended and holds the session so far,
//! so that reading on gives the same session as reading the whole file.
//!
//! Most apps write JSON Lines: such a reader is a [`LineReader`] with a [`LineFormat`] that
//! gives a meaning to each line. Rows of an app's live database are read by [`row_store`].
//! [`transcript_writer`] shows a session to the engine as a transcript.
//!
//! Every entry says where its bytes are ([`Place`]): nothing is copied into another format,
//! and the original line can always be shown.
//!
//! Claude Code's transcripts have richer types, in `transcript` and `conversation`.
//!
//! Deliberately not here: which files an app has (`library::apps`), clocks, the environment,
//! printing. Nothing of another app is ever written; only `row_store` opens files.

mod api_call;
mod app;
pub mod codex;
pub mod copilot;
mod entry;
pub mod gemini;
mod header;
mod json_text;
mod line_reader;
pub mod opencode;
pub mod pi;
mod problem;
mod read;
pub mod row_store;
mod session;
pub mod transcript_writer;

pub use api_call::{ApiCall, TokenCounts, parse_usd};
pub use app::App;
pub use entry::{
    CallInput, ChangeKind, Entry, EntryKind, EntryState, FileChange, Place, Workplace,
};
pub use header::{Header, Lineage};
pub use json_text::JsonText;
pub use line_reader::{LineFormat, LineReader};
pub use problem::{Problem, ProblemKind, UnknownKinds};
pub use read::{Read, read_whole};
pub use session::Session;
pub use transcript::large_line_bytes;
