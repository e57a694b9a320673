//! Reads rows of another program's SQLite database, also while that program writes it.
//!
//! SQLite cannot open a live database without a trace: even a read-only connection creates
//! `-shm` and `-wal` beside a database in WAL mode, and one opened as `immutable` does not see
//! the rows that are only in the WAL. So annals never opens the database where it lies. A
//! [`Snapshot`] copies the database and its WAL into a private folder, reads the copy, and deletes
//! it when it is dropped.
//!
//! # Copying
//! - Links, folders, pipes and devices are refused. The `-shm` file is never read; SQLite builds
//!   it again from the WAL.
//! - A copy is used only if it is one state of the database. SQLite appends to a WAL and begins it
//!   again only after its pages are in the database, and every frame has a checksum. So the copy
//!   is one state if neither the database nor the first 32 bytes of the WAL changed meanwhile;
//!   transactions appended to the WAL do not matter. Otherwise everything is copied again, and
//!   after a few attempts [`Failure::Busy`] is returned. A database that is not in WAL mode is not
//!   copied while it has a rollback journal in use ([`Failure::Unfinished`]).
//! - Modification times have the resolution of the system's clock tick. A file changed less than
//!   a few ticks ago is copied after a short wait, so that a later change has another time.
//! - The bytes are copied by the system from one open file to another (`copy_file_range` on Linux).
//!   File systems that can share blocks (Btrfs, XFS, bcachefs) then copy nothing; others copy at
//!   the speed of the disk cache. Large databases are not treated in another way, because no part
//!   of one can be left out; [`Limits::copy_bytes`] bounds them. A caller that has results for a
//!   [`Stamp`] compares it with [`find_stamp`], which takes two `lstat` calls, and copies only if
//!   it differs.
//!
//! # The copy
//! - A new folder with mode 0700 in the given private folder, and files with mode 0600: the
//!   copy has everything that the original has, also the tables that are never read.
//! - A process that is killed leaves its copy behind. While a snapshot exists, its process holds a
//!   lock (`flock`) on the file `lock` in its folder; the system releases it when the process ends.
//!   Every [`Snapshot::take`] first deletes the folders whose lock is free. A second lock on the
//!   private folder prevents that a folder is deleted before its owner has locked it. No process
//!   ids are stored, so none can be reused.
//!
//! # Reading
//! The content is not trusted: no views, triggers, virtual tables or generated columns are read,
//! functions in the schema do not run, extensions cannot be loaded, and an authorizer denies every
//! table and column that the app's list ([`Schema`]) does not have. Of tables that the list does not
//! name, only the owner and the time of each row are read, and of those without an owner only
//! whether there is a row, to notice that the app writes sessions where annals does not look for
//! them. The length of values, the
//! number and size of rows, and the steps of a query are bounded. A missing optional column is
//! left out, because schemas change; one that every known version has is reported, and so are
//! columns that are not in the list.
//!
//! Deliberately not here: where databases are, what the rows mean (that is the app's reader),
//! and keeping results.

#![expect(clippy::disallowed_methods, reason = "the copy of a database is written here")]

mod copy;
mod failure;
pub mod opencode;
mod permission;
mod platform;
mod snapshot;
mod snapshot_folder;
mod stamp;
mod table;

pub use failure::{Failure, RowStoreError};
pub use snapshot::{Cell, Limits, ShortValue, Snapshot, Value};
pub use stamp::{Stamp, find_stamp};
pub use table::{Schema, Table};
