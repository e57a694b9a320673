//! OpenCode: rows of a database, and the older tree of JSON files.
//!
//! A database is never opened where it lies: [`row_store`] copies it, and the copy is read. One
//! copy is kept as long as the database does not change.

use super::head::read_regular;
use super::provider::{AppSession, Found, Provider, ReadSession, SourceStamp, stamp_files};
use super::walk::files_below;
use ::app::{App, Header, Lineage, read_whole};
use ::opencode::{Reader, StorageFile, document_of_files, is_database};
use row_store::opencode::{Database, ListedSession};
use row_store::{Limits, Stamp, find_stamp};
use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

#[derive(Debug)]
pub(super) struct OpenCode {
    home: PathBuf,
    /// Where databases are copied to.
    private: Option<PathBuf>,
    /// Copies of databases, by the paths of those.
    databases: Mutex<HashMap<PathBuf, Database>>,
}

impl OpenCode {
    pub(super) fn new(home: PathBuf, private: Option<PathBuf>) -> Self {
        OpenCode { home, private, databases: Mutex::default() }
    }

    /// Asks the copy of a database, which is made anew if the database changed.
    fn ask<T>(
        &self,
        path: &Path,
        ask: impl FnOnce(&Database) -> Result<T, row_store::RowStoreError>,
    ) -> io::Result<T> {
        let private = self.private.as_deref();
        let private = private.ok_or_else(|| io::Error::other("no folder for a copy of it"))?;
        let mut databases = self.databases.lock().unwrap_or_else(PoisonError::into_inner);
        let is_fresh =
            databases.get(path).is_some_and(|copy| find_stamp(path) == Some(copy.stamp()));
        if !is_fresh {
            let copy =
                Database::take(path, private, Limits::default()).map_err(io::Error::other)?;
            databases.insert(path.to_owned(), copy);
        }
        let copy = databases.get(path).ok_or(io::ErrorKind::NotFound)?;
        ask(copy).map_err(io::Error::other)
    }

    /// The paths of the databases.
    fn databases(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&self.home).into_iter().flatten().flatten();
        let named = entries.filter(|entry| entry.file_name().to_str().is_some_and(is_database));
        let mut paths: Vec<PathBuf> = named.map(|entry| entry.path()).collect();
        paths.sort();
        paths
    }

    /// The sessions of the older tree.
    fn find_files(&self, found: &mut Found) {
        for (below, path) in files_below(&self.home, "storage/session") {
            let Some(file) = StorageFile::parse(&below) else { continue };
            let bytes = match read_regular(&path) {
                Ok(bytes) => bytes,
                Err(error) => {
                    found.errors.push((path, error.to_string()));
                    continue;
                }
            };
            let header =
                read_whole::<Reader>(&document_of_files([(file, bytes.as_slice())])).header;
            let of_messages = self.files_of(file.id);
            let files: Vec<PathBuf> = [path].into_iter().chain(of_messages).collect();
            let Some(stamp) = stamp_files(&files) else { continue };
            found.sessions.push(AppSession {
                id: file.id.to_owned(),
                parent: parent_of(&header),
                header,
                files,
                bytes: stamp.bytes,
                modified: stamp.modified,
                inline_agents: Vec::new(),
                is_programmatic: false,
                is_archived: false,
            });
        }
    }

    /// The files of a session's messages and of their parts.
    fn files_of(&self, session: &str) -> Vec<PathBuf> {
        let mut files = Vec::new();
        for (below, path) in files_below(&self.home, &format!("storage/message/{session}")) {
            if let Some(message) = StorageFile::parse(&below) {
                let parts = files_below(&self.home, &format!("storage/part/{}", message.id));
                files.push(path);
                files.extend(parts.into_iter().map(|(_, path)| path));
            }
        }
        files
    }

    /// The document of a session.
    fn document(&self, session: &AppSession) -> io::Result<Vec<u8>> {
        let first = session.files.first().ok_or(io::ErrorKind::NotFound)?;
        if is_database_path(first) {
            let document = self.ask(first, |database| database.document(&session.id))?;
            return document.ok_or_else(|| io::ErrorKind::NotFound.into());
        }
        let mut files = Vec::new();
        for path in &session.files {
            let below = path.strip_prefix(&self.home).ok().and_then(Path::to_str);
            files.push((below.unwrap_or_default(), read_regular(path)?));
        }
        let files = files.iter();
        Ok(document_of_files(
            files.filter_map(|(below, bytes)| Some((StorageFile::parse(below)?, bytes.as_slice()))),
        ))
    }
}

fn is_database_path(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(is_database)
}

/// The session that started this one.
fn parent_of(header: &Header) -> Option<String> {
    header.lineage.iter().find_map(|lineage| match lineage {
        Lineage::Agent { of, .. } => Some(of.clone()),
        _ => None,
    })
}

/// A session of a database.
fn of_row(row: ListedSession, database: &Path, stamp: Stamp) -> AppSession {
    let header = Header {
        id: row.id.clone(),
        title: row.title,
        directory: row.directory,
        version: row.version,
        started: row.created,
        ended: row.updated,
        ..Header::default()
    };
    AppSession {
        id: row.id,
        modified: header.ended.or(header.started).unwrap_or_else(|| stamp.modified()),
        header,
        files: vec![database.to_owned()],
        bytes: 0,
        parent: row.parent,
        inline_agents: Vec::new(),
        is_programmatic: false,
        is_archived: row.archived.is_some(),
    }
}

impl Provider for OpenCode {
    fn app(&self) -> App {
        App::OpenCode
    }

    fn home(&self) -> &Path {
        &self.home
    }

    fn find(&self) -> Found {
        let mut found = Found::default();
        for path in self.databases() {
            let rows = self.ask(&path, |database| Ok((database.sessions()?, database.stamp())));
            match rows {
                Ok((rows, stamp)) => {
                    let sessions = rows.into_iter().map(|row| of_row(row, &path, stamp));
                    found.sessions.extend(sessions);
                }
                Err(error) => found.errors.push((path, error.to_string())),
            }
        }
        // A session that is in both counts as the database has it.
        self.find_files(&mut found);
        found
    }

    fn stamp(&self, session: &AppSession) -> Option<SourceStamp> {
        let first = session.files.first()?;
        if !is_database_path(first) {
            return stamp_files(&session.files);
        }
        // A session changes with its own time; the database with that of every other one.
        find_stamp(first)?;
        Some(SourceStamp { bytes: session.bytes, modified: session.modified })
    }

    fn read(&self, session: &AppSession) -> io::Result<ReadSession> {
        Ok(read_whole::<Reader>(&self.document(session)?).into())
    }

    fn original(&self, session: &AppSession) -> io::Result<Vec<u8>> {
        self.document(session)
    }

    fn resume_command(&self, session: &AppSession) -> Vec<OsString> {
        ["opencode", "-s", &session.id].map(OsString::from).to_vec()
    }
}
