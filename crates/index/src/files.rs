//! The files of an index.

use crate::failure::IndexError;
use crate::page_check::{PageCheck, Trees};
use crate::path_bytes::path_of_row;
use crate::source::{Source, SourceKind, Stamp};
use rusqlite::{Connection, OptionalExtension as _, Row};
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files by id.
pub type FilesById = HashMap<i64, Arc<IndexedFile>>;

/// A file that was indexed.
#[derive(Clone, Debug)]
pub struct IndexedFile {
    /// Its path; the file may no longer exist.
    pub path: PathBuf,
    /// Its kind.
    pub kind: SourceKind,
    /// The session it belongs to.
    pub session: Option<String>,
    /// The sub-agent it belongs to.
    pub agent: Option<String>,
    /// That agent's type.
    pub agent_type: Option<String>,
    /// Whether it is only in the archive, no longer on disk.
    pub is_archive_only: bool,
    /// Its stamp when it was read to its end.
    pub stamp: Option<Stamp>,
    /// The last time in it, in milliseconds.
    pub last: Option<i64>,
    /// The number of prompts typed in it.
    pub prompts: u64,
    /// The session's title.
    pub title: Option<String>,
    /// The working directory.
    pub cwd: Option<String>,
    /// The project recorded in it.
    pub project: Option<String>,
    /// Its last git branch.
    pub branch: Option<String>,
    /// Whether its history is linear: every message is live, except those before its
    /// last compaction.
    pub is_plain: bool,
    /// The offset of the last compaction.
    pub compacted: Option<u64>,
    /// Distinguishes the values of its session that are masked in its texts; `None` if there
    /// are none.
    pub masked: Option<[u8; 16]>,
    /// The session in its row, before a plan is assigned to one.
    given_session: Option<String>,
}

/// Among files with the same text, the file with the smallest value is shown: not a copy,
/// on disk, by path.
#[derive(Clone, Debug)]
pub(crate) struct FileRank {
    pub(crate) precedence: (bool, bool),
    pub(crate) path: PathBuf,
}

impl IndexedFile {
    /// See [`FileRank`].
    pub(crate) fn precedence(&self) -> (bool, bool) {
        (self.kind == SourceKind::Copy, self.is_archive_only)
    }

    /// Among several transcripts of a session, the one with the greatest value is the
    /// main one: on disk, then the newest.
    pub(crate) fn main_precedence(&self) -> (bool, Option<i64>, &Path) {
        (!self.is_archive_only, self.stamp.map(|stamp| stamp.modified), &self.path)
    }

    /// Whether it was indexed from this source, unchanged.
    pub fn is_of(&self, source: &Source) -> bool {
        let session = self.given_session.as_deref();
        self.stamp == Some(source.stamp)
            && source.matches_row(self.kind.name(), session, self.is_archive_only)
    }

    /// The file as a source with this stamp.
    pub fn as_source(&self, stamp: Stamp) -> Source {
        Source {
            path: self.path.clone(),
            kind: self.kind,
            session: self.given_session.clone(),
            agent: self.agent.clone(),
            stamp,
            is_archive_only: self.is_archive_only,
        }
    }
}

const COLUMNS: &str = "id, path, kind, session, agent, is_kept,
    bytes, modified, inode, device, changed, last, prompts, title, cwd, project, branch,
    agent_type, shape IS NOT NULL, compacted, slug, masked";

/// A file with its id and the name of its plan.
fn file(row: &Row<'_>) -> rusqlite::Result<(i64, IndexedFile, Option<String>)> {
    let number = |column| row.get::<_, Option<i64>>(column).map(Option::unwrap_or_default);
    let file = IndexedFile {
        path: path_of_row(row, 1)?.into_owned(),
        kind: SourceKind::of_name(row.get_ref(2)?.as_str()?).unwrap_or(SourceKind::Copy),
        session: row.get(3)?,
        given_session: row.get(3)?,
        agent: row.get(4)?,
        is_archive_only: row.get(5)?,
        stamp: Stamp::of_row(row, 6)?,
        last: row.get(11)?,
        prompts: number(12)?.cast_unsigned(),
        title: row.get(13)?,
        cwd: row.get(14)?,
        project: row.get(15)?,
        branch: row.get(16)?,
        agent_type: row.get(17)?,
        is_plain: row.get(18)?,
        compacted: row.get::<_, Option<i64>>(19)?.map(i64::cast_unsigned),
        masked: row.get(21)?,
    };
    Ok((row.get(0)?, file, row.get(20)?))
}

/// The files of an index, read on demand: one by one, or all at once.
#[derive(Debug, Default)]
pub(crate) struct Files {
    all: OnceCell<FilesById>,
    some: RefCell<HashMap<i64, Option<Arc<IndexedFile>>>>,
    ranks: RefCell<HashMap<i64, Option<Arc<FileRank>>>>,
}

impl Files {
    /// All of them.
    pub(crate) fn all(
        &self,
        connection: &Connection,
        pages: Option<&PageCheck>,
    ) -> Result<&FilesById, IndexError> {
        if self.all.get().is_none() {
            if let Some(pages) = pages {
                pages.trees(&[Trees::Tree("file")])?;
            }
            let _ = self.all.set(read_all(connection)?);
        }
        Ok(self.all.get_or_init(FilesById::default))
    }

    /// One of them.
    pub(crate) fn find(
        &self,
        connection: &Connection,
        pages: Option<&PageCheck>,
        id: i64,
    ) -> Result<Option<Arc<IndexedFile>>, IndexError> {
        if let Some(all) = self.all.get() {
            return Ok(all.get(&id).cloned());
        }
        if let Some(known) = self.some.borrow().get(&id) {
            return Ok(known.clone());
        }
        if let Some(pages) = pages {
            pages.key("file", &[id])?;
        }
        let found = connection
            .prepare_cached(&format!("SELECT {COLUMNS} FROM file WHERE id = ?"))?
            .query_row([id], file)
            .optional()?;
        let found = match found {
            // The session of a plan is known only from all files together.
            Some((_, file, Some(_))) if file.session.is_none() => {
                self.all(connection, pages)?.get(&id).cloned()
            }
            found => found.map(|(_, file, _)| Arc::new(file)),
        };
        self.some.borrow_mut().insert(id, found.clone());
        Ok(found)
    }

    /// The rank of one of them. It is in the first columns of a row: those after the
    /// history are on other pages.
    pub(crate) fn rank(
        &self,
        connection: &Connection,
        id: i64,
    ) -> Result<Option<Arc<FileRank>>, IndexError> {
        if let Some(known) = self.ranks.borrow().get(&id) {
            return Ok(known.clone());
        }
        let found = connection
            .prepare_cached("SELECT kind, is_kept, path FROM file WHERE id = ?")?
            .query_row([id], |row| {
                let kind = SourceKind::of_name(row.get_ref(0)?.as_str()?);
                let is_copy = kind.unwrap_or(SourceKind::Copy) == SourceKind::Copy;
                let path = path_of_row(row, 2)?.into_owned();
                Ok(FileRank { precedence: (is_copy, row.get(1)?), path })
            })
            .optional()?
            .map(Arc::new);
        self.ranks.borrow_mut().insert(id, found.clone());
        Ok(found)
    }

    /// The transcript of a session.
    pub(crate) fn main_transcript(
        connection: &Connection,
        pages: Option<&PageCheck>,
        session: &str,
    ) -> Result<Option<Arc<IndexedFile>>, IndexError> {
        let files = Files::of_session(connection, pages, session, Some(SourceKind::Main))?;
        let main =
            files.into_iter().max_by(|one, two| one.main_precedence().cmp(&two.main_precedence()));
        Ok(main.map(Arc::new))
    }

    /// The files of a session, or those of a kind.
    pub(crate) fn of_session(
        connection: &Connection,
        pages: Option<&PageCheck>,
        session: &str,
        kind: Option<SourceKind>,
    ) -> Result<Vec<IndexedFile>, IndexError> {
        if let Some(pages) = pages {
            pages.trees(&[Trees::Tree("file_session")])?;
        }
        let mut statement = connection.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM file WHERE session = ?1 AND (?2 IS NULL OR kind = ?2)"
        ))?;
        let rows = statement.query_map((session, kind.map(SourceKind::name)), file)?;
        let mut files = Vec::new();
        for row in rows {
            let (id, file, _) = row?;
            if let Some(pages) = pages {
                pages.key("file", &[id])?;
            }
            files.push(file);
        }
        Ok(files)
    }
}

fn read_all(connection: &Connection) -> Result<FilesById, IndexError> {
    let mut statement = connection.prepare(&format!("SELECT {COLUMNS} FROM file"))?;
    let rows = statement.query_map([], file)?.collect::<Result<Vec<_>, _>>()?;
    // A plan belongs to the newest session with this plan name.
    let mut owners: HashMap<&str, &IndexedFile> = HashMap::new();
    for (_, file, slug) in rows.iter().filter(|(_, file, _)| file.session.is_some()) {
        if let Some(slug) = slug {
            let owner = owners.entry(slug).or_insert(file);
            if (file.last, &file.path) > (owner.last, &owner.path) {
                *owner = file;
            }
        }
    }
    let owned: Vec<Option<String>> = rows
        .iter()
        .map(|(_, _, slug)| owners.get(slug.as_deref()?).and_then(|owner| owner.session.clone()))
        .collect();
    let files = rows.into_iter().zip(owned).map(|((id, mut file, _), owner)| {
        file.session = file.session.or(owner);
        (id, Arc::new(file))
    });
    Ok(files.collect())
}
