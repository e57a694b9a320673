//! Every byte of every session, kept.
//!
//! Claude Code deletes transcripts after some weeks. The archive keeps them: in
//! frames of a mebibyte, compressed, each stored once; named by a manifest whose
//! every line is checked; written so that an interruption at any point leaves
//! what was there before. `docs/archive.md` is its format, and lies in every
//! archive.
//!
//! Deliberately not here: writing below a root (that is `amend`), and deleting
//! anything but what [`forget()`] is told to.

#![expect(clippy::disallowed_methods, reason = "the archive is written here")]

mod archive;
mod failure;
mod forget;
mod frame;
mod layout;
mod ledger;
mod lock;
mod manifest;
mod mend;
mod merge;
mod name;
mod notes;
mod readme;
mod scope;
mod sealed;
mod session;
mod shelf;
mod state;
mod sync;
mod verify;
mod writer;

pub use archive::{Archive, KeptFile};
pub use failure::{ArchiveError, Damage};
pub use forget::forget;
pub use frame::{Frame, Hash};
pub use layout::Layout;
pub use ledger::{
    BadLine, Entry, Fact, Ledger, LedgerError, Mark, Place, RateLimit, RememberedCalls, Window,
};
pub use manifest::BrokenLine;
pub use merge::{Merged, merge};
pub use name::Name;
pub use notes::{VerifyNote, last_sync, last_verify};
pub use scope::{Area, Candidate, Walk, is_transcript, session_of};
pub use sealed::Broken;
pub use session::{KeptSession, owner};
pub use shelf::ArchiveShelf;
pub use state::{FileKey, Generation, RootNumber, Seen, State};
pub use sync::{NewlyKept, Observer, Synced, Wish, sync};
pub use verify::{DamagedFrame, Verified, verify};
