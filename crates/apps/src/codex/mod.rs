//! Reads the sessions of Codex: command line, desktop and VS Code.
//!
//! Codex writes one thread into one rollout file, or into several after an undo. [`Reader`]
//! reads one file, [`assemble()`] joins files to threads, [`usage_of`] reads only what was paid
//! for. [`Name`] takes the names of files apart, [`decompress`] reads compressed ones, and
//! [`parse_session_index`] gives the names of threads.
//!
//! ```
//! use apps::{EntryKind, read_whole};
//!
//! let file = br#"{"timestamp":"2026-01-31T12:00:00Z","type":"session_meta","payload":{"id":"t1","cwd":"/work"}}
//! {"timestamp":"2026-01-31T12:00:01Z","type":"event_msg","payload":{"type":"user_message","message":"Hello"}}
//! "#;
//! let session = read_whole::<apps::codex::Reader>(file);
//! assert_eq!(session.header.id, "t1");
//! assert_eq!(session.entries[1].kind, EntryKind::Prompt("Hello".to_owned()));
//! ```
//!
//! There are two forms of files. In the legacy form, events repeat the items that are sent to
//! the model. In the paginated form, lines are numbered and `item_completed` events hold the
//! items. Codex can rewrite a file from the first form to the second; both give the same
//! conversation and the same API calls.
//!
//! Deliberately not here: files, databases, clocks, the environment, printing. The caller
//! brings the bytes.

mod assemble;
mod compressed;
mod content;
mod header;
mod line;
mod name;
mod outcome;
mod patch;
mod reader;
mod replay;
mod session_index;
mod text;
mod usage;
mod workplace;

pub use assemble::{Part, RolloutFile, Thread, ThreadEntry, assemble};
pub use compressed::{DecompressError, Decompressed, decompress};
pub use header::HeaderReader;
pub use name::{Name, find_visible};
pub use reader::Reader;
pub use session_index::parse_session_index;
pub use usage::{RecordedCall, UsageReader, follow_forks, usage_of};
