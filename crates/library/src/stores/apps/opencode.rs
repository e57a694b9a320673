//! OpenCode: rows of a database, and the older tree of JSON files.
//!
//! A database is never opened where it lies: [`apps::row_store`] copies it, and the copy is read. One
//! copy is kept as long as the database does not change.

use crate::stores::apps::AppHome;
use crate::stores::apps::app_files::{AppFiles, is_absent, read_folder};
use crate::stores::apps::archived::DOCUMENTS;
use crate::stores::apps::listings::{AppListings, FileContent, SessionListing};
use crate::stores::apps::other_databases::note_other_databases;
use crate::stores::apps::provider::{
    AppSession, Found, Provider, ReadSession, SourceStamp, list_file, stamp_files,
};
use crate::stores::apps::unread::UnreadScope;
use crate::stores::apps::whole::WholeReader;
use ::apps::opencode::{
    Reader, Row, StorageFile, document_of_files, document_of_rows, is_database,
};
use ::apps::row_store::opencode::{Database, ListedSession};
use ::apps::row_store::{Limits, Stamp, find_stamp};
use ::apps::{App, Header, Lineage, read_whole};
use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

#[derive(Debug)]
pub(super) struct OpenCode {
    home: PathBuf,
    files: AppFiles,
    /// A database that a person named, beside those in the folder.
    named: Option<PathBuf>,
    /// Where databases are copied to.
    private: Option<PathBuf>,
    /// Copies of databases, by the paths of those.
    databases: Mutex<HashMap<PathBuf, Database>>,
}

impl OpenCode {
    pub(super) fn new(home: &AppHome, files: AppFiles) -> Self {
        let AppHome { path, database, private, .. } = home.clone();
        OpenCode { home: path, files, named: database, private, databases: Mutex::default() }
    }

    /// Asks the copy of a database, which is made anew if the database changed.
    fn ask<T>(
        &self,
        path: &Path,
        ask: impl FnOnce(&Database) -> Result<T, ::apps::row_store::RowStoreError>,
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

    /// The paths of the databases, of which some may not be regular files.
    fn databases(&self, found: &mut Found) -> Vec<PathBuf> {
        let entries = read_folder(&self.home, found).into_iter();
        let named = entries.filter(|entry| entry.file_name().to_str().is_some_and(is_database));
        let mut paths: Vec<PathBuf> = named.map(|entry| entry.path()).collect();
        paths.extend(self.named.clone());
        paths.sort();
        paths.dedup();
        paths
    }

    /// Whether a path is that of a database.
    fn has_database(&self, path: &Path) -> bool {
        self.named.as_deref() == Some(path)
            || path.file_name().and_then(|name| name.to_str()).is_some_and(is_database)
    }

    /// The sessions of the older tree.
    fn find_files(&self, listings: &AppListings, found: &mut Found) {
        let is_session = |below: &str| StorageFile::parse(below).is_some();
        let paths = self.files.sessions_below(&self.home, "storage/session", found, is_session);
        for (below, path) in paths {
            let Some(file) = StorageFile::parse(&below) else { continue };
            let listed = list_file(App::OpenCode, &self.files, listings, &path, || {
                let row = Row::from_file(file, &self.files.read(&path)?);
                let document = document_of_rows(row.into_iter().collect());
                Ok(read_whole::<Reader>(&document).header.into())
            });
            let session = listed.map(|listed| {
                let (listing, stamp) = listed?;
                let mut session =
                    AppSession::of_file(file.id.to_owned(), listing, path.clone(), stamp);
                session.files.extend(self.files_of(file.id, found));
                let stamp = stamp_files(&self.files, &session.files)?;
                (session.bytes, session.modified) = (stamp.bytes, stamp.modified);
                Some(session)
            });
            found.add(&path, session);
        }
    }

    /// The sessions of a database.
    fn find_rows(&self, listings: &AppListings, path: &Path, found: &mut Found) {
        let Some(stamp) = find_stamp(path) else {
            // Only a database that nobody named may be gone by now.
            if (self.named.as_deref() == Some(path) || !is_absent(path))
                && let Err(error) = self.ask(path, |_| Ok(()))
            {
                found.note(UnreadScope::Store, path, &error);
            }
            return;
        };
        let stamps = [stamp.database].into_iter().chain(stamp.wal);
        let stamps: Vec<index::Stamp> = stamps.map(index::Stamp::from).collect();
        let content = listings.of_file(path, &stamps, || {
            let rows = self.ask(path, Database::sessions)?;
            let gaps = self.ask(path, Database::gaps)?;
            Ok(FileContent { sessions: rows.into_iter().map(listing_of_row).collect(), gaps })
        });
        match content {
            Ok(FileContent { sessions, gaps }) => {
                let sessions = sessions.into_iter().map(|listing| of_row(listing, path, stamp));
                found.sessions.extend(sessions);
                found.note_gaps(path, gaps);
            }
            Err(error) => found.note(UnreadScope::Store, path, &error),
        }
    }

    /// The sessions of databases that are in the archive.
    fn find_documents(&self, listings: &AppListings, found: &mut Found) {
        for (_, path) in self.files.below(&self.home, DOCUMENTS, found) {
            let listed = list_file(App::OpenCode, &self.files, listings, &path, || {
                let mut whole = WholeReader::new(&self.files);
                Ok(whole.read::<Reader>(&path)?.header.into())
            });
            let session = listed.map(|listed| {
                let (listing, stamp) = listed?;
                let id = path.file_stem()?.to_str()?.to_owned();
                Some(AppSession::of_file(id, listing, path.clone(), stamp))
            });
            found.add(&path, session);
        }
    }

    /// The files of a session's messages and of their parts.
    fn files_of(&self, session: &str, found: &mut Found) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let folder = format!("storage/message/{session}");
        for (below, path) in self.files.below(&self.home, &folder, found) {
            if let Some(message) = StorageFile::parse(&below) {
                let folder = format!("storage/part/{}", message.id);
                let parts = self.files.below(&self.home, &folder, found);
                files.push(path);
                files.extend(parts.into_iter().map(|(_, path)| path));
            }
        }
        files
    }

    /// Whether a file is a document that annals made of rows.
    fn is_document(&self, path: &Path) -> bool {
        path.parent() == Some(&*self.home.join(DOCUMENTS))
    }

    /// The document of a session.
    fn document(&self, session: &AppSession) -> io::Result<Vec<u8>> {
        let first = session.files.first().ok_or(io::ErrorKind::NotFound)?;
        if self.has_database(first) {
            let document = self.ask(first, |database| database.document(&session.id))?;
            return document.ok_or_else(|| io::ErrorKind::NotFound.into());
        }
        if self.is_document(first) {
            return self.files.read(first);
        }
        let mut files = Vec::new();
        for path in &session.files {
            let below = path.strip_prefix(&self.home).ok().and_then(Path::to_str);
            files.push((below.unwrap_or_default(), self.files.read(path)?));
        }
        let files = files.iter();
        Ok(document_of_files(
            files.filter_map(|(below, bytes)| Some((StorageFile::parse(below)?, bytes.as_slice()))),
        ))
    }
}

/// What lists need of a session of a database.
fn listing_of_row(row: ListedSession) -> SessionListing {
    let lineage = row.parent.map(|of| Lineage::Agent { of, call: None });
    let header = Header {
        id: row.id,
        title: row.title,
        directory: row.directory,
        version: row.version,
        started: row.created,
        ended: row.updated,
        lineage: lineage.into_iter().collect(),
        ..Header::default()
    };
    SessionListing {
        header,
        is_archived: row.archived.is_some(),
        row_bytes: Some(row.bytes),
        ..SessionListing::default()
    }
}

/// A session of a database.
fn of_row(listing: SessionListing, database: &Path, stamp: Stamp) -> AppSession {
    let header = &listing.header;
    let modified = header.ended.or(header.started).unwrap_or_else(|| stamp.modified());
    let id = header.id.clone();
    let of_file = AppSession::of_file(id, listing, database.to_owned(), stamp.database.into());
    AppSession { modified, ..of_file }
}

impl Provider for OpenCode {
    fn app(&self) -> App {
        App::OpenCode
    }

    fn home(&self) -> &Path {
        &self.home
    }

    fn files(&self) -> &AppFiles {
        &self.files
    }

    fn find(&self, listings: &AppListings) -> Found {
        let mut found = Found::default();
        if self.files.is_disk() {
            let databases = self.databases(&mut found);
            if databases.is_empty() {
                note_other_databases(&self.home, &mut found);
            }
            for path in databases {
                self.find_rows(listings, &path, &mut found);
            }
        } else {
            self.find_documents(listings, &mut found);
        }
        // A session that is in both counts as the database has it.
        self.find_files(listings, &mut found);
        found
    }

    fn stamp(&self, session: &AppSession) -> Option<SourceStamp> {
        let first = session.files.first()?;
        if !self.has_database(first) {
            return stamp_files(&self.files, &session.files);
        }
        // A session changes with its own time; the database with that of every other one.
        find_stamp(first)?;
        Some(SourceStamp { bytes: session.bytes, modified: session.modified })
    }

    fn read(&self, session: &AppSession) -> io::Result<ReadSession> {
        let document = self.document(session)?;
        WholeReader::new(&self.files).read_bytes::<Reader>(&document).map(ReadSession::from)
    }

    fn open_original(&self, session: &AppSession) -> io::Result<Box<dyn io::Read>> {
        match session.files.first() {
            Some(first) if self.is_document(first) => self.files.open(first),
            _ => Ok(Box::new(io::Cursor::new(self.document(session)?))),
        }
    }

    fn files_to_archive(&self, session: &AppSession) -> Option<Vec<PathBuf>> {
        let is_row = session.files.first().is_some_and(|path| self.has_database(path));
        (!is_row).then(|| session.files.clone())
    }

    fn unknown_columns(&self) -> Vec<String> {
        let databases = self.databases(&mut Found::default());
        let asked = databases.into_iter().map(|path| {
            // A database that cannot be read is reported as such.
            self.ask(&path, |database| Ok(database.unknown_columns())).unwrap_or_default()
        });
        asked.flatten().collect()
    }

    fn resume_command(&self, session: &AppSession) -> Vec<OsString> {
        ["opencode", "-s", &session.id].map(OsString::from).to_vec()
    }
}
