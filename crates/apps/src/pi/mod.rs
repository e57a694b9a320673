//! Reads the sessions of pi.
//!
//! A session is one file, `sessions/--<directory>--/<time>_<id>.jsonl`. The first line is its
//! header; every other line is an entry with an `id` and a `parentId`, so the entries form a
//! tree. The last line's branch is the conversation as it stands; entries on other branches are
//! [`Left`](crate::EntryState::Left). Version 1 had no ids: such a session is one branch.
//!
//! A fork is a new file that starts with copies of entries of another one. They are older than
//! the new file's header, and [`Replayed`](crate::EntryState::Replayed) here. Their calls have the
//! same keys as in the first file: a key consists of what a copy does not change, because ids of
//! entries are short and occur in unrelated sessions too.
//!
//! [`Reader`] reads the file, [`SessionFile`] its name.
//!
//! Deliberately not here: files, clocks, the environment, printing.

mod diff;
mod message;
mod names;
mod tree;

pub use names::SessionFile;
pub use tree::{EntryTree, Reader};
