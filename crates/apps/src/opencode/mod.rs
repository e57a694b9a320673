//! Reads the sessions of OpenCode.
//!
//! OpenCode keeps rows in a database (`opencode.db`, or `opencode-<channel>.db`); before 1.2.0
//! it kept a tree of JSON files below `storage`. Neither is a file per session, so a session is
//! first made into a **document**, which [`Reader`] reads and an archive keeps.
//!
//! # The document
//! JSON Lines in UTF-8, one row per line, every line ended by a line break:
//! ```text
//! {"table":"session","id":"ses_1","parent_id":null,"directory":"/kelp","title":"Fish","time_created":1767322800000,…}
//! {"table":"message","id":"msg_1","session_id":"ses_1","time_created":1767322801000,…,"data":{"role":"user",…}}
//! {"table":"part","id":"prt_1","message_id":"msg_1","session_id":"ses_1",…,"data":{"type":"text","text":"Count."}}
//! ```
//! - `table` comes first; then come the columns in the order of the query, under their own
//!   names. Integers, reals and `null` are written as such.
//! - Columns that hold JSON (`data`, `revert`, `model`, `metadata`, `permission`,
//!   `summary_diffs`) are written as that JSON, without white space between its tokens; if they
//!   do not hold JSON, as a string. All other text is a string.
//! - The session's row comes first, then its messages by time and id, each followed by its parts
//!   by id. Parts without a message come last.
//!
//! The same rows give the same bytes. A file of the older tree becomes the row that the database
//! would have: its ids become columns (`sessionID` is `session_id`), what is left of a message or
//! part is `data`, and the times of a session and a message become `time_created` and
//! `time_updated`. [`document_of_rows`] and [`document_of_files`] make documents.
//!
//! # Queries
//! ```sql
//! SELECT … FROM session WHERE id = ?1;
//! SELECT … FROM message WHERE session_id = ?1;
//! SELECT … FROM part WHERE session_id = ?1;
//! ```
//! No other table is read for a session; accounts, credentials and shares have separate tables, which
//! are never read. Columns came and went between versions: those that `row_store` lists are
//! selected where they exist, and columns that are not in its list are reported.
//!
//! # What a session means
//! - A fork copies messages under new ids and without a link. Copies are older than the
//!   session; they are [`Replayed`](crate::EntryState::Replayed), and their calls have the keys of
//!   the originals.
//! - `revert` names the message, or the part, from which on the conversation is
//!   [`Undone`](crate::EntryState::Undone). OpenCode deletes those rows later.
//! - Reasoning is beside the output in newer versions and part of it in older ones; the total
//!   tells.
//!
//! Deliberately not here: files, SQL, clocks, the environment, printing.

mod document;
mod names;
mod part;
mod rows;
mod usage;

pub use document::{Row, Table, Value, document_of_files, document_of_rows};
pub use names::{StorageFile, is_database};
pub(crate) use part::unknown_part;
pub use rows::{Reader, RowLog};
pub(crate) use usage::parse_api_call;
