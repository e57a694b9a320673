//! Keeps a copy of every byte of every session.
//!
//! Claude Code deletes transcripts after some weeks. The archive keeps them: in
//! frames of a mebibyte, compressed, each stored once; listed in a manifest
//! whose every line has a checksum; written so that an interruption at any
//! point leaves the previous state. `docs/archive.md` describes the format, and
//! every archive contains a copy of it.
//!
//! Deliberately not here: writing below a root (that is `amend`), and deleting
//! anything except what [`forget()`] is asked to delete.

#![expect(clippy::disallowed_methods, reason = "the archive is written here")]

mod archive;
mod documents;
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

pub use archive::{Archive, ArchivedFile};
pub use documents::Documents;
pub use failure::{ArchiveError, Damage};
pub use forget::forget;
pub use frame::{Frame, Hash};
pub use layout::Layout;
pub use ledger::{
    DamagedLedgerLine, Entry, Fact, Ledger, LedgerCalls, LedgerError, Mark, MarkTarget, RateLimit,
    RateLimitWindow,
};
pub use manifest::DamagedManifestLine;
pub use merge::{MergeReport, merge};
pub use name::Name;
pub use notes::{VerifyNote, last_sync, last_verify};
pub use scope::{ArchiveRoot, Candidate, RootScan, folder_of_app, is_transcript, session_of};
pub use sealed::SealError;
pub use session::{ArchivedSession, owning_session};
pub use shelf::ArchiveShelf;
pub use state::{FileKey, FileStamp, Generation, RootNumber, State};
pub use sync::{NewlyArchived, SyncOptions, SyncReport, sync};
pub use verify::{DamagedFrame, VerifyReport, verify};
