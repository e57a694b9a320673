//! The index file: opening it, locking it for one writer, moving it out of the way.

use crate::daily_check;
use crate::failure::IndexError;
use crate::page_digests::{DigestKeeper, PageDigests};
use crate::platform;
use crate::schema::{self, APPLICATION, MIGRATIONS};
use crate::seal::{self, Seal, SealAtEnd, SealState};
use rusqlite::hooks::Wal;
use rusqlite::{Connection, OpenFlags, ffi};
use std::fs::{self, File, TryLockError};
use std::io;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long to wait for another process's short transaction.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// How long the shared-memory file may be missing after another process closed the
/// index.
const REOPEN_DELAY: Duration = Duration::from_millis(20);

/// How many pages the write-ahead log has before it is copied to the file.
const LOG_PAGES: i32 = 1000;

/// The folder of the index.
#[derive(Clone, Debug)]
pub(crate) struct IndexFolder {
    pub(crate) path: PathBuf,
}

/// The write lock, held by one process at a time.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

/// The index, opened for writing. The order of the fields is that of the end: the connection
/// is closed, then the file is sealed.
pub(crate) struct WriteConnection {
    connection: Connection,
    _seal: SealAtEnd,
}

impl Deref for WriteConnection {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

impl DerefMut for WriteConnection {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

impl IndexFolder {
    pub(crate) fn database(&self) -> PathBuf {
        self.path.join("index.db")
    }

    pub(crate) fn beside(&self, ending: &str) -> PathBuf {
        self.path.join(format!("index.db{ending}"))
    }

    /// Whether there are pages in the write-ahead log that the file may lack.
    pub(crate) fn has_log(&self) -> bool {
        fs::metadata(self.beside("-wal")).is_ok_and(|log| log.len() > 0)
    }

    /// Takes the write lock; `None` if another process has it.
    pub(crate) fn lock(&self) -> io::Result<Option<Lock>> {
        if !self.path.is_dir() {
            platform::create_private_folder(&self.path)?;
        }
        let file = platform::private_file().open(self.beside(".lock"))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Lock { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Opens the index for writing, and creates it if needed. The caller must hold the
    /// lock.
    pub(crate) fn open_to_write(&self, memory: usize) -> Result<WriteConnection, IndexError> {
        let path = self.database();
        let is_new = fs::metadata(&path).map_or(true, |found| found.len() == 0);
        // Before anything here changes the file.
        let state = Seal::state(self);
        if !path.exists() {
            // Only the owner may read it; SQLite gives its other files the same permissions.
            platform::private_file().open(&path)?;
        }
        // A file copied from elsewhere may be readable by everyone. Only then, because the
        // change is one that a seal shows.
        if !platform::is_private(&fs::metadata(&path)?) {
            Seal::remove(self)?;
            platform::make_private(&path)?;
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(&path, flags)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        check(&connection)?;
        match state {
            SealState::Broken if !is_new => return Err(seal::changed()),
            SealState::Unsealed if !is_new => seal::check_structure(&connection)?,
            _ => {}
        }
        let digests = match state {
            SealState::Intact => PageDigests::read(self),
            SealState::Unsealed | SealState::Broken => None,
        };
        Seal::remove(self)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        let digests = keep_digests(self, &mut connection, digests)?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "secure_delete", "ON")?;
        connection.pragma_update(None, "temp_store", "MEMORY")?;
        let cache = i64::try_from(memory / 4 / 1024).unwrap_or(i64::MAX);
        connection.pragma_update(None, "cache_size", -cache)?;
        schema::migrate(&mut connection)?;
        connection.set_prepared_statement_cache_capacity(64);
        let seal = SealAtEnd { folder: self.clone(), digests };
        Ok(WriteConnection { connection, _seal: seal })
    }

    /// Whether a process is writing the index.
    fn is_being_written(&self) -> bool {
        self.lock().is_ok_and(|lock| lock.is_none())
    }

    /// Opens the index for reading; `None` if there is no index.
    pub(crate) fn open_to_read(&self) -> Result<Option<Connection>, IndexError> {
        self.open_to_read_within(BUSY_TIMEOUT)
    }

    /// The same, with this timeout.
    pub(crate) fn open_to_read_within(
        &self,
        timeout: Duration,
    ) -> Result<Option<Connection>, IndexError> {
        let path = self.database();
        if fs::metadata(&path).map_or(true, |found| found.len() == 0) {
            return Ok(None);
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let begun = Instant::now();
        let connection = loop {
            let connection = Connection::open_with_flags(&path, flags)?;
            connection.busy_timeout(timeout)?;
            let error = match check(&connection) {
                Ok(()) => break connection,
                Err(error) if error.is_unwritable() => error,
                Err(error) => return Err(error),
            };
            drop(connection);
            // The last process to close the index removes the shared-memory file, and for
            // a moment the index cannot be opened. On a read-only disk that does not pass.
            let is_being_written = self.is_being_written();
            if begun.elapsed() < if is_being_written { timeout } else { timeout.min(REOPEN_DELAY) }
            {
                std::thread::sleep(REOPEN_DELAY / 8);
                continue;
            }
            if is_being_written {
                return Err(error);
            }
            // Another process has just moved a damaged file away.
            if !path.exists() {
                return Ok(None);
            }
            // SQLite cannot share the file then, but nobody writes it either.
            let uri = format!("file:{}?immutable=1", escaped(&path));
            let flags = flags | OpenFlags::SQLITE_OPEN_URI;
            let connection = Connection::open_with_flags(uri, flags)?;
            check(&connection)?;
            break connection;
        };
        if schema::version(&connection)? < MIGRATIONS.len() {
            return Ok(None);
        }
        seal::check(self, &connection)?;
        if timeout == BUSY_TIMEOUT {
            daily_check::check_if_due(self, &connection)?;
        }
        connection.set_prepared_statement_cache_capacity(64);
        Ok(Some(connection))
    }

    /// Moves an unusable file out of the way, replacing the last one moved.
    pub(crate) fn set_aside(&self) -> io::Result<PathBuf> {
        let aside = self.beside(".set-aside");
        fs::rename(self.database(), &aside)?;
        for ending in ["-wal", "-shm", ".seal", ".digests"] {
            match fs::remove_file(self.beside(ending)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(aside)
    }

    /// Removes the index and any file set aside.
    pub(crate) fn remove(&self) -> io::Result<()> {
        for ending in ["", "-wal", "-shm", ".seal", ".digests", ".checked", ".set-aside"] {
            match fs::remove_file(self.beside(ending)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Keeps the digests of pages with every commit. SQLite then leaves it to us when to copy the
/// log to the file.
fn keep_digests(
    folder: &IndexFolder,
    connection: &mut Connection,
    digests: Option<PageDigests>,
) -> Result<Arc<Mutex<DigestKeeper>>, IndexError> {
    let keeper = Arc::new(Mutex::new(DigestKeeper::new(folder, digests)));
    if folder.has_log() {
        connection.busy_timeout(Duration::ZERO)?;
        let is_busy: bool =
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        // Readers that are still at work keep the log of an earlier writer.
        if is_busy {
            keeper.lock().unwrap_or_else(PoisonError::into_inner).give_up();
        }
    }
    let kept = keeper.clone();
    connection.wal_hook(Some(move |log: &mut Wal, pages| {
        let absorbed = kept.lock().unwrap_or_else(PoisonError::into_inner).absorb();
        if let Ok(Some(page)) = absorbed {
            let error = ffi::Error::new(ffi::SQLITE_CORRUPT);
            let text = format!("page {page} is not as annals wrote it");
            return Err(rusqlite::Error::SqliteFailure(error, Some(text)));
        }
        if pages >= LOG_PAGES {
            // Readers may keep some of it.
            let _ = log.checkpoint();
        }
        Ok(())
    }))?;
    Ok(keeper)
}

/// Checks that the file is an annals index with a known schema version.
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
        return Err(IndexError::Newer(schema::find_writer(connection)));
    }
    Ok(())
}

/// A path, escaped for a URI.
fn escaped(path: &Path) -> String {
    let mut text = String::new();
    for byte in platform::bytes_of(path.as_os_str()) {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => {
                text.push(char::from(*byte));
            }
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}
