//! Copies of a database that changes at chosen moments.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use tempfile::TempDir;

use super::{ATTEMPTS, JOURNAL_MAGIC, Step, copy_database};
use crate::row_store::failure::Failure;
use crate::row_store::snapshot_folder::SnapshotFolder;
use crate::row_store::stamp::{Stamp, beside, find_stamp};

const LIMIT: u64 = 1 << 30;

struct Place {
    root: TempDir,
    folder: SnapshotFolder,
}

impl Place {
    fn new() -> Place {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("theirs")).unwrap();
        let folder = SnapshotFolder::create(&root.path().join("ours")).unwrap();
        Place { root, folder }
    }

    fn database(&self) -> PathBuf {
        self.root.path().join("theirs/rows.db")
    }

    /// A database in WAL mode, with one row in the file and one in the WAL.
    fn connect(&self) -> Connection {
        let connection = Connection::open(self.database()).unwrap();
        connection.pragma_update(None, "journal_mode", "WAL").unwrap();
        connection.pragma_update(None, "wal_autocheckpoint", 0).unwrap();
        connection.execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES (1)").unwrap();
        checkpoint(&connection);
        insert(&connection);
        connection
    }

    fn copy(&self, at: &mut dyn FnMut(Step)) -> Result<Stamp, Failure> {
        copy_database(&self.database(), &self.folder, LIMIT, at)
    }

    /// The rows of the copy.
    fn count(&self) -> i64 {
        let copy = Connection::open(self.folder.database()).unwrap();
        let sound: String = copy.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(sound, "ok");
        copy.query_row("SELECT count(*) FROM t", [], |row| row.get(0)).unwrap()
    }
}

fn insert(connection: &Connection) {
    connection.execute("INSERT INTO t VALUES (zeroblob(9000))", []).unwrap();
}

fn checkpoint(connection: &Connection) {
    let sql = "PRAGMA wal_checkpoint(RESTART)";
    let is_busy: bool = connection.query_row(sql, [], |row| row.get(0)).unwrap();
    assert!(!is_busy);
}

#[test]
fn rows_of_the_wal_are_copied_and_the_stamp_is_that_of_both_files() {
    let place = Place::new();
    let _writer = place.connect();
    let before = find_stamp(&place.database());
    let stamp = place.copy(&mut |_| ()).unwrap();
    assert_eq!(Some(stamp), before);
    assert!(stamp.wal.is_some_and(|wal| wal.bytes > 0));
    assert_eq!(place.count(), 2);
}

#[test]
fn a_transaction_appended_to_the_wal_needs_no_second_copy() {
    for moment in [Step::Opened, Step::DatabaseCopied, Step::Copied] {
        let place = Place::new();
        let writer = place.connect();
        let mut attempts = 0;
        let stamp = place.copy(&mut |step| {
            attempts += usize::from(step == Step::Opened);
            if step == moment {
                insert(&writer);
            }
        });
        assert_eq!(attempts, 1, "{moment:?}");
        assert_ne!(Some(stamp.unwrap()), find_stamp(&place.database()), "the change is noticed");
        assert_eq!(place.count(), 2, "{moment:?}");
    }
}

#[test]
fn a_checkpoint_during_the_copy_makes_it_copy_again() {
    for moment in [Step::Opened, Step::DatabaseCopied, Step::Copied] {
        let place = Place::new();
        let writer = place.connect();
        let mut attempts = 0;
        let copied = place.copy(&mut |step| {
            attempts += usize::from(step == Step::Opened);
            if step == moment && attempts < 3 {
                insert(&writer);
                checkpoint(&writer);
                insert(&writer);
            }
        });
        copied.unwrap();
        assert_eq!(attempts, 3, "{moment:?}");
        assert_eq!(place.count(), 6, "{moment:?}");
    }
}

#[test]
fn a_wal_that_begins_again_makes_it_copy_again() {
    // The database has all pages already, so that only the WAL changes.
    let place = Place::new();
    let writer = place.connect();
    checkpoint(&writer);
    let mut attempts = 0;
    let copied = place.copy(&mut |step| {
        attempts += usize::from(step == Step::Opened);
        if step == Step::DatabaseCopied && attempts == 1 {
            insert(&writer);
        }
    });
    copied.unwrap();
    assert_eq!((attempts, place.count()), (2, 3));
}

#[test]
fn a_database_that_changes_during_every_attempt_is_busy() {
    let place = Place::new();
    let writer = place.connect();
    let mut attempts = 0;
    let copied = place.copy(&mut |step| {
        if step == Step::DatabaseCopied {
            attempts += 1;
            insert(&writer);
            checkpoint(&writer);
        }
    });
    assert!(matches!(copied, Err(Failure::Busy(ATTEMPTS))), "{copied:?}");
    assert_eq!(attempts, ATTEMPTS);
}

#[test]
fn a_replaced_database_is_copied_again() {
    let place = Place::new();
    let writer = place.connect();
    drop(writer);
    let mut is_replaced = false;
    let copied = place.copy(&mut |step| {
        if step == Step::Copied && !is_replaced {
            is_replaced = true;
            let other = place.root.path().join("theirs/other.db");
            fs::copy(place.database(), &other).unwrap();
            fs::rename(other, place.database()).unwrap();
        }
    });
    assert_eq!(Some(copied.unwrap()), find_stamp(&place.database()));
}

#[test]
fn a_rollback_journal_in_use_prevents_the_copy() {
    let place = Place::new();
    let writer = place.connect();
    writer.pragma_update(None, "journal_mode", "DELETE").unwrap();
    writer.execute_batch("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN").unwrap();
    for _ in 0..50 {
        insert(&writer);
    }
    let journal = beside(&place.database(), "-journal");
    assert!(fs::read(&journal).unwrap().starts_with(&JOURNAL_MAGIC));
    let copied = place.copy(&mut |_| ());
    assert!(matches!(copied, Err(Failure::Unfinished)), "{copied:?}");
    writer.execute_batch("ROLLBACK").unwrap();
    place.copy(&mut |_| ()).unwrap();
    assert_eq!(place.count(), 2);
}

#[test]
fn links_and_other_kinds_of_files_are_refused() {
    let place = Place::new();
    drop(place.connect());
    let link = place.root.path().join("theirs/link.db");
    symlink(place.database(), &link).unwrap();
    let with_link = place.root.path().join("theirs/with-link.db");
    fs::copy(place.database(), &with_link).unwrap();
    symlink("/dev/zero", beside(&with_link, "-wal")).unwrap();
    let paths = [link.as_path(), &with_link, place.root.path(), Path::new("/dev/zero")];
    for path in paths {
        let copied = copy_database(path, &place.folder, LIMIT, &mut |_| ());
        assert!(matches!(copied, Err(Failure::Source(_))), "{}: {copied:?}", path.display());
    }
}

#[test]
fn a_database_above_the_limit_is_not_copied() {
    let place = Place::new();
    let _writer = place.connect();
    let bytes = find_stamp(&place.database()).unwrap().bytes();
    let copied = copy_database(&place.database(), &place.folder, bytes - 1, &mut |_| ());
    assert!(matches!(copied, Err(Failure::TooLarge { .. })), "{copied:?}");
    assert!(!place.folder.database().exists());
    copy_database(&place.database(), &place.folder, bytes, &mut |_| ()).unwrap();
}
