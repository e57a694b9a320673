//! Facts about transcripts, for callers that would otherwise read the files; valid while
//! a file's stamp is unchanged.

use crate::database::IndexFolder;
use crate::failure::IndexError;
use crate::listing::{self, FileSnapshot};
use crate::page_check::{PageCheck, Trees};
use crate::path_bytes::{self, path_of_row};
use crate::rows::BlockClass;
use crate::source::{SourceKind, Stamp};
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use transcript::Role;

/// Facts about transcripts from the index.
#[derive(Debug, Default)]
pub struct Memo {
    files: Vec<MemoFile>,
    by_path: OnceLock<HashMap<OsString, usize>>,
    snapshot: Option<FileSnapshot>,
}

/// A kind of name that occurs in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// Models that answered.
    Models,
    /// Tools that were called.
    Tools,
}

/// Facts about one transcript.
#[derive(Debug)]
pub struct MemoFile {
    id: i64,
    /// Its path; the file may no longer exist.
    pub path: PathBuf,
    /// Its kind.
    pub kind: SourceKind,
    /// The session it belongs to.
    pub session: Option<String>,
    /// The sub-agent it belongs to.
    pub agent: Option<String>,
    /// Whether it is only in the archive, no longer on disk.
    pub is_archive_only: bool,
    /// Its stamp when it was read to its end.
    pub stamp: Option<Stamp>,
}

/// The prompts and turns of one transcript.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PromptCounts {
    /// The number of prompts typed in it.
    pub prompts: u64,
    /// The number of turns of its session, if known.
    pub turns: Option<u64>,
}

impl NameKind {
    /// The names that occur in files, by their paths.
    pub(crate) fn read(self, folder: &IndexFolder) -> Result<NamesByFile, IndexError> {
        let mut names = NamesByFile::new();
        let Some(connection) = folder.open_to_read()? else { return Ok(names) };
        if let Some(pages) = PageCheck::open(folder, &connection)? {
            pages.trees(&[Trees::Tree("block"), Trees::Table("file"), Trees::Table("name")])?;
        }
        let rows = match self {
            NameKind::Models => {
                "SELECT DISTINCT file, model AS name FROM block WHERE model IS NOT NULL"
            }
            NameKind::Tools => {
                "SELECT DISTINCT file, tool AS name FROM block
                 WHERE tool IS NOT NULL AND (what >> 4) & 15 = ?1"
            }
        };
        let mut statement = connection.prepare(&format!(
            "SELECT file.path, name.text FROM ({rows}) AS spoken
             JOIN file ON file.id = spoken.file JOIN name ON name.id = spoken.name"
        ))?;
        let mut rows = match self {
            NameKind::Models => statement.query([])?,
            NameKind::Tools => statement.query([BlockClass::role_number(Role::ToolUse)])?,
        };
        while let Some(row) = rows.next()? {
            let path = path_of_row(row, 0)?.into_owned();
            names.entry(path).or_default().push(row.get(1)?);
        }
        Ok(names)
    }
}

/// Names by the paths of the files they occur in.
pub type NamesByFile = HashMap<PathBuf, Vec<String>>;

impl Memo {
    pub(crate) fn open(
        folder: &IndexFolder,
        key: Option<&str>,
    ) -> Result<Option<Memo>, IndexError> {
        let Some(connection) = folder.open_to_read()? else { return Ok(None) };
        connection.execute_batch("BEGIN")?;
        if let Some(pages) = PageCheck::open(folder, &connection)? {
            pages.trees(&["file", "listing", "folder"].map(Trees::Table))?;
        }
        let mut statement = connection.prepare(
            "SELECT path, kind, session, agent, is_kept, bytes, modified, inode, device, changed,
             id FROM file WHERE kind IN ('main', 'agent', 'copy') ORDER BY id",
        )?;
        let rows = statement.query_map([], |row| {
            Ok(MemoFile {
                id: row.get(10)?,
                path: path_of_row(row, 0)?.into_owned(),
                kind: SourceKind::of_name(row.get_ref(1)?.as_str()?).unwrap_or(SourceKind::Copy),
                session: row.get(2)?,
                agent: row.get(3)?,
                is_archive_only: row.get(4)?,
                stamp: Stamp::of_row(row, 5)?,
            })
        })?;
        let files = rows.collect::<Result<_, _>>()?;
        let snapshot = key.map(|key| listing::read(&connection, key)).transpose()?.flatten();
        Ok(Some(Memo { files, by_path: OnceLock::new(), snapshot }))
    }

    /// The packed folds of the API calls of files, by their positions; `None` for a file
    /// that the index has read again since.
    pub(crate) fn folds(
        &self,
        folder: &IndexFolder,
        numbers: &[usize],
    ) -> Result<Vec<Option<Vec<u8>>>, IndexError> {
        let Some(connection) = folder.open_to_read()? else {
            return Ok(vec![None; numbers.len()]);
        };
        connection.execute_batch("BEGIN")?;
        let pages = PageCheck::open(folder, &connection)?;
        let mut statement = connection.prepare(
            "SELECT fold, path, bytes, modified, inode, device, changed
             FROM used JOIN file ON file.id = used.file WHERE used.file = ?",
        )?;
        let mut folds = Vec::with_capacity(numbers.len());
        for number in numbers {
            let file = &self.files[*number];
            if let Some(pages) = &pages {
                pages.key("used", &[file.id])?;
                pages.key("file", &[file.id])?;
            }
            let mut rows = statement.query([file.id])?;
            let fold = match rows.next()? {
                Some(row) => {
                    let path = row.get_ref(1)?.as_blob().unwrap_or_default();
                    let is_same = Stamp::of_row(row, 2)? == file.stamp
                        && *path == *path_bytes::of(&file.path);
                    is_same.then(|| row.get(0)).transpose()?
                }
                None => None,
            };
            folds.push(fold);
        }
        Ok(folds)
    }

    /// The prompts and turns of all files, in their order; zero for a file that the index
    /// has read again since. They are in the last columns of a row, behind the history of
    /// a file, which takes many pages: only callers that need them should wait for that.
    pub(crate) fn prompt_counts(
        &self,
        folder: &IndexFolder,
    ) -> Result<Vec<PromptCounts>, IndexError> {
        let mut counts = vec![PromptCounts::default(); self.files.len()];
        let Some(connection) = folder.open_to_read()? else { return Ok(counts) };
        if let Some(pages) = PageCheck::open(folder, &connection)? {
            pages.trees(&[Trees::Table("file")])?;
        }
        let mut statement = connection.prepare(
            "SELECT id, bytes, modified, inode, device, changed, prompts, turns FROM file",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let Some(place) = self.position_of(row.get(0)?) else { continue };
            if Stamp::of_row(row, 1)? == self.files[place].stamp {
                let prompts = row.get::<_, Option<i64>>(6)?.unwrap_or_default().cast_unsigned();
                let turns = row.get::<_, Option<u32>>(7)?.map(u64::from);
                counts[place] = PromptCounts { prompts, turns };
            }
        }
        Ok(counts)
    }

    /// The snapshot of the folders that the files were found in.
    pub fn file_snapshot(&self) -> Option<&FileSnapshot> {
        self.snapshot.as_ref()
    }

    /// The position of a file among the files, by its id in a snapshot.
    pub fn position_of(&self, id: i64) -> Option<usize> {
        self.files.binary_search_by_key(&id, |file| file.id).ok()
    }

    /// The files.
    pub fn files(&self) -> &[MemoFile] {
        &self.files
    }

    /// The facts about a file, if its stamp is unchanged.
    pub fn find(&self, path: &Path, stamp: &Stamp) -> Option<&MemoFile> {
        self.number(path, stamp).map(|number| &self.files[number])
    }

    /// The position of a file, if its stamp is unchanged.
    pub fn number(&self, path: &Path, stamp: &Stamp) -> Option<usize> {
        let by_path = self.by_path.get_or_init(|| {
            // Not by paths, which are hashed and compared name by name.
            let paths = self.files.iter().map(|file| file.path.as_os_str().to_owned());
            paths.zip(0..).collect()
        });
        let number = *by_path.get(path.as_os_str())?;
        Some(number).filter(|number| self.files[*number].stamp.as_ref() == Some(stamp))
    }
}
