//! A folder with a database, and a private folder for copies.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use apps::row_store::opencode::Database;
use apps::row_store::{Limits, RowStoreError};
use rusqlite::Connection;
use tempfile::TempDir;

pub(crate) const SCHEMA: &str = "
    CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text, title text,
        share_url text, time_created integer, time_updated integer);
    CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, data text);
    CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, data text);
    CREATE TABLE account (id text, access_token text);
    INSERT INTO account VALUES ('a', 'secret-token');";

pub(crate) struct Place {
    root: TempDir,
}

impl Place {
    pub(crate) fn new() -> Place {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("theirs")).unwrap();
        Place { root }
    }

    pub(crate) fn theirs(&self) -> PathBuf {
        self.root.path().join("theirs")
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.theirs().join("opencode.db")
    }

    pub(crate) fn private(&self) -> PathBuf {
        self.root.path().join("ours/snapshots")
    }

    /// A connection in WAL mode whose rows stay in the WAL.
    pub(crate) fn connect(&self) -> Connection {
        connect(&self.database())
    }

    /// A database with this content and without a WAL.
    pub(crate) fn write(&self, sql: &str) {
        let connection = Connection::open(self.database()).unwrap();
        connection.execute_batch(sql).unwrap();
    }

    pub(crate) fn take(&self) -> Result<Database, RowStoreError> {
        self.take_within(Limits::default())
    }

    pub(crate) fn take_within(&self, limits: Limits) -> Result<Database, RowStoreError> {
        Database::take(&self.database(), &self.private(), limits)
    }

    /// The copies that exist now.
    pub(crate) fn copies(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.private()).unwrap().map(|entry| entry.unwrap().path());
        let mut copies: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
        copies.sort();
        copies
    }
}

pub(crate) fn connect(database: &Path) -> Connection {
    let connection = Connection::open(database).unwrap();
    connection.pragma_update(None, "journal_mode", "WAL").unwrap();
    connection.pragma_update(None, "wal_autocheckpoint", 0).unwrap();
    connection
}

/// Adds a session with one prompt.
pub(crate) fn add_session(connection: &Connection, id: &str) {
    let sql = format!(
        "BEGIN;
         INSERT INTO session VALUES ('{id}', NULL, '/kelp', 'Fish of {id}', NULL, 1000, 2000);
         INSERT INTO message VALUES ('msg_{id}', '{id}', 1500, '{{\"role\": \"user\"}}');
         INSERT INTO part VALUES ('prt_{id}', 'msg_{id}', '{id}',
             '{{\"type\": \"text\", \"text\": \"Count.\"}}');
         COMMIT"
    );
    connection.execute_batch(&sql).unwrap();
}

type FileState = (Vec<u8>, u64, u32, SystemTime, i64, i64);

/// Everything about a folder's files that a reader could change.
pub(crate) fn state_of(folder: &Path) -> BTreeMap<PathBuf, FileState> {
    let state = |path: &Path| {
        let stat = fs::symlink_metadata(path).unwrap();
        let content = if stat.is_file() { fs::read(path).unwrap() } else { Vec::new() };
        let changed = (stat.ctime(), stat.ctime_nsec());
        (content, stat.ino(), stat.mode(), stat.modified().unwrap(), changed.0, changed.1)
    };
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.chain([folder.to_owned()]);
    files.map(|path| (path.clone(), state(&path))).collect()
}
