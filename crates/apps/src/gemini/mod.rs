//! Reads the sessions of Gemini CLI.
//!
//! Since 0.40 a session is a log of operations, `chats/session-<time>-<id8>.jsonl`. Each line
//! is one of
//! - metadata (`sessionId`, `projectHash`, `startTime`, …), again on every resume;
//! - a message with an `id`; the same id again replaces the message, for instance when its tool
//!   calls have results;
//! - `{"$set":{…}}`, which changes metadata, and with `messages` replaces the history;
//! - `{"$rewindTo":id}`, which drops the history from that message on.
//!
//! [`Reader`] follows the operations and keeps what they drop: messages that the person took
//! back are [`Undone`](crate::EntryState::Undone), messages that a new history does not have are
//! [`Left`](crate::EntryState::Left). All of them were paid for. A compressed history starts with a
//! summary and has the messages it keeps under new ids; they are recognised and shown once. Older versions wrote one JSON
//! document per session: [`read_document`] reads it. Resuming such a document writes a `.jsonl`
//! of the same session beside it: [`newest_twin`] tells which one counts. [`is_listed`] tells
//! whether the program itself shows a session.
//!
//! [`SessionFile`] and [`parse_projects`] know the names of files. A sub-agent has a file of its
//! own in a folder named after its parent; its name is the only place that tells the parent.
//!
//! Deliberately not here: files, clocks, the environment, printing.

mod document;
mod log;
mod message;
mod names;
mod tool_call;

pub use document::{is_listed, newest_twin, read_document, read_document_while};
pub use log::{OperationLog, Reader};
pub use names::{FileForm, SessionFile, parse_projects};
