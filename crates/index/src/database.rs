//! The file itself: opening it, setting it aside, one writer at a time.

use crate::failure::IndexError;
use crate::schema::{self, APPLICATION, MIGRATIONS};
use rusqlite::{Connection, OpenFlags};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long to wait for somebody's short transaction.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long it can take until what readers share is there again.
const A_MOMENT: Duration = Duration::from_millis(20);

/// Where the index is.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) folder: PathBuf,
}

/// The right to write, for one process at a time.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Place {
    pub(crate) fn database(&self) -> PathBuf {
        self.folder.join("index.db")
    }

    fn beside(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("index.db{ending}"))
    }

    /// Takes the right to write; `None` if somebody else has it.
    pub(crate) fn lock(&self) -> io::Result<Option<Lock>> {
        if !self.folder.is_dir() {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        }
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(self.beside(".lock"))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Lock { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Opens the index for writing, making it if there is none. Whoever calls has
    /// the lock.
    pub(crate) fn open_to_write(&self, memory: usize) -> Result<Connection, IndexError> {
        let path = self.database();
        if !path.exists() {
            // Nobody else is to read it: SQLite's own files get its permissions.
            OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(&path)?;
        }
        // One that came from elsewhere may be open to all.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(&path, flags)?;
        connection.busy_timeout(PATIENCE)?;
        check(&connection)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "secure_delete", "ON")?;
        connection.pragma_update(None, "temp_store", "MEMORY")?;
        let cache = i64::try_from(memory / 4 / 1024).unwrap_or(i64::MAX);
        connection.pragma_update(None, "cache_size", -cache)?;
        schema::migrate(&mut connection)?;
        connection.set_prepared_statement_cache_capacity(64);
        Ok(connection)
    }

    /// Whether somebody is writing it.
    fn is_written(&self) -> bool {
        self.lock().is_ok_and(|lock| lock.is_none())
    }

    /// Opens the index for reading; `None` if there is none.
    pub(crate) fn open_to_read(&self) -> Result<Option<Connection>, IndexError> {
        self.open_to_read_within(PATIENCE)
    }

    /// The same, for whoever waits no longer than this.
    pub(crate) fn open_to_read_within(
        &self,
        patience: Duration,
    ) -> Result<Option<Connection>, IndexError> {
        let path = self.database();
        if fs::metadata(&path).map_or(true, |found| found.len() == 0) {
            return Ok(None);
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let begun = Instant::now();
        let connection = loop {
            let connection = Connection::open_with_flags(&path, flags)?;
            connection.busy_timeout(patience)?;
            let error = match check(&connection) {
                Ok(()) => break connection,
                Err(error) if error.is_unwritable() => error,
                Err(error) => return Err(error),
            };
            drop(connection);
            // Whoever closes it last takes away what readers share, and for a moment
            // it cannot be opened. Where nothing can be written that does not pass.
            let is_written = self.is_written();
            if begun.elapsed() < if is_written { patience } else { patience.min(A_MOMENT) } {
                std::thread::sleep(A_MOMENT / 8);
                continue;
            }
            if is_written {
                return Err(error);
            }
            // SQLite cannot share it then; nobody writes either.
            let uri = format!("file:{}?immutable=1", escaped(&path));
            let flags = flags | OpenFlags::SQLITE_OPEN_URI;
            let connection = Connection::open_with_flags(uri, flags)?;
            check(&connection)?;
            break connection;
        };
        if schema::version(&connection)? < MIGRATIONS.len() {
            return Ok(None);
        }
        connection.set_prepared_statement_cache_capacity(64);
        Ok(Some(connection))
    }

    /// Puts a file that is no index of ours out of the way; the last such one is
    /// kept.
    pub(crate) fn set_aside(&self) -> io::Result<PathBuf> {
        let aside = self.beside(".set-aside");
        fs::rename(self.database(), &aside)?;
        for ending in ["-wal", "-shm"] {
            match fs::remove_file(self.beside(ending)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(aside)
    }

    /// Removes the index and what was set aside.
    pub(crate) fn remove(&self) -> io::Result<()> {
        for ending in ["", "-wal", "-shm", ".set-aside"] {
            match fs::remove_file(self.beside(ending)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Whether it is an index of ours, of a shape that this program knows.
fn check(connection: &Connection) -> Result<(), IndexError> {
    let application: i32 =
        connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let version = schema::version(connection)?;
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if application != APPLICATION && (application != 0 || version != 0 || tables != 0) {
        return Err(IndexError::Foreign);
    }
    if version > MIGRATIONS.len() {
        return Err(IndexError::Newer);
    }
    Ok(())
}

/// A path in a URI.
fn escaped(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt as _;
    let mut text = String::new();
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => {
                text.push(char::from(*byte));
            }
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}
