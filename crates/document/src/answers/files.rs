//! What sessions did to files: the list, the history of one, who wrote its lines, and what
//! led to a commit.
//!
//! A surface chooses the sessions ([`sessions_with_calls`](super::sessions_with_calls)) and
//! says from where a path is meant; which moved folders and worktrees that brings along, the
//! order and the page are decided here.

use crate::{
    ChangeDocument, CommitDocument, Document as _, FileDocument, FileHistoryDocument, FilesDocument,
};
use library::Library;
use library::catalog::Filter;
use library::files::{Blame, Change, FileHistory, FileLocations, FilePattern, FileSummary};
use library::lines::ReadError;
use library::progress::Progress;
use library::session::Session;
use std::fmt;
use std::path::Path;

/// The fewest digits of a hash that name a commit.
pub const FEWEST_HASH_DIGITS: usize = 4;

/// Whether a text can be the hash of a commit, or the beginning of one.
pub fn is_commit_hash(text: &str) -> bool {
    (FEWEST_HASH_DIGITS..=64).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A question about files.
#[derive(Clone, Copy)]
pub struct FilesRequest<'r> {
    /// The library.
    pub library: &'r Library,
    /// The sessions.
    pub sessions: &'r [&'r Session],
    /// Which of their calls count.
    pub filter: &'r Filter,
    /// The folder from which paths are meant; `None`: only absolute paths have a meaning.
    pub here: Option<&'r Path>,
    /// Files and folders that moved: old and new path.
    pub moved: &'r [(String, String)],
    /// Receives the progress.
    pub progress: &'r dyn Progress,
}

impl fmt::Debug for FilesRequest<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("FilesRequest").field("here", &self.here).finish_non_exhaustive()
    }
}

/// Which changes of a file, and in which order.
#[derive(Clone, Copy, Debug)]
pub struct FileHistoryOptions {
    /// Also reads.
    pub with_reads: bool,
    /// The newest first, not the oldest.
    pub is_newest_first: bool,
    /// How many to skip.
    pub offset: usize,
    /// The most changes.
    pub limit: usize,
    /// With the diffs.
    pub with_diffs: bool,
}

/// A page of a list, and the offset of the next one.
#[derive(Clone, Debug)]
pub struct Page<T> {
    /// How many there are in all.
    pub total: usize,
    /// The offset of the next page; `None` on the last one.
    pub next: Option<usize>,
    /// Those of this page.
    pub items: Vec<T>,
}

impl<T> Page<T> {
    fn of(mut items: Vec<T>, offset: usize, limit: usize) -> Self {
        let total = items.len();
        items.drain(..offset.min(total));
        items.truncate(limit);
        let next = offset.saturating_add(items.len());
        Page { total, next: (next < total && !items.is_empty()).then_some(next), items }
    }
}

impl Page<FileSummary> {
    /// The document.
    pub fn document(self) -> FilesDocument {
        let files = self.items.into_iter().map(FileDocument::from);
        FilesDocument::new(self.total, self.next, files.collect())
    }
}

/// What happened to a file.
#[derive(Clone, Debug)]
pub struct FileHistoryAnswer {
    /// The file, or all files whose paths end so; none if no session read or changed it.
    pub files: Vec<FileSummary>,
    /// The changes, and reads if they are asked for.
    pub changes: Page<Change>,
    /// Other files of the same name.
    pub others: Vec<String>,
}

impl FileHistoryAnswer {
    /// Whether no call read or changed the file.
    pub fn is_untouched(&self) -> bool {
        self.files.iter().all(FileSummary::is_only_failed)
    }

    /// The document.
    pub fn document(self) -> FileHistoryDocument {
        FileHistoryDocument {
            schema: FileHistoryDocument::SCHEMA.into(),
            files: self.files.into_iter().map(FileDocument::from).collect(),
            total: self.changes.total,
            next: self.changes.next,
            changes: self.changes.items.into_iter().map(ChangeDocument::from).collect(),
        }
    }
}

impl FilesRequest<'_> {
    /// Known moves, and the worktrees around here and around a path.
    fn locations(&self, path: Option<&str>) -> FileLocations {
        let path = path.map(|path| self.here.map_or_else(|| path.into(), |here| here.join(path)));
        // git writes real paths, so the folder is resolved too.
        let folder = path.as_deref().and_then(Path::parent).map(store::real_path);
        let folders: Vec<&Path> = self.here.into_iter().chain(folder.as_deref()).collect();
        self.library.files().locations(self.moved, &folders)
    }

    fn place(&self, path: &str) -> (FileLocations, FilePattern) {
        let locations = self.locations(Some(path));
        let pattern = locations.pattern(path, self.here.unwrap_or(Path::new("/")));
        (locations, pattern)
    }

    /// The present path of a file.
    pub fn present_path(&self, path: &str) -> String {
        self.place(path).1.name().to_owned()
    }

    /// The files, the last changed first.
    pub fn list(&self, offset: usize, limit: usize) -> (Page<FileSummary>, Vec<ReadError>) {
        let locations = self.locations(None);
        let files = self.library.files();
        let (files, read_errors) =
            files.touched(self.sessions, self.filter, &locations, self.progress);
        (Page::of(files, offset, limit), read_errors)
    }

    /// What happened to a file, or to all files whose paths end so.
    pub fn history(
        &self,
        path: &str,
        options: FileHistoryOptions,
    ) -> (FileHistoryAnswer, Vec<ReadError>) {
        let (locations, wanted) = self.place(path);
        let files = self.library.files();
        let (history, read_errors) =
            files.history(self.sessions, self.filter, &locations, &wanted, self.progress);
        let FileHistory { files, mut changes, others } = history;
        changes.retain(|change| options.with_reads || change.touch.is_change());
        if options.is_newest_first {
            changes.reverse();
        }
        let mut changes = Page::of(changes, options.offset, options.limit);
        if !options.with_diffs {
            for change in &mut changes.items {
                change.diff = None;
            }
        }
        (FileHistoryAnswer { files, changes, others }, read_errors)
    }

    /// Who last wrote each line of a file, given its present content.
    pub fn blame(&self, path: &str, today: &str) -> (Blame, Vec<ReadError>) {
        let (locations, wanted) = self.place(path);
        let files = self.library.files();
        files.blame(self.sessions, &locations, &wanted, today, self.progress)
    }

    /// The commits whose hash begins so, with what led to them, the oldest first.
    pub fn commits(&self, hash: &str) -> (Vec<CommitDocument>, Vec<ReadError>) {
        let locations = self.locations(None);
        let files = self.library.files();
        let (origins, read_errors) = files.commits(self.sessions, &locations, hash, self.progress);
        let heading = |id: &str| {
            let session = self.sessions.iter().find(|session| session.id == id);
            session.and_then(|session| session.heading()).map(str::to_owned)
        };
        let commits = origins.iter();
        let commits =
            commits.map(|origin| CommitDocument::new(origin, heading(&origin.session_id)));
        (commits.collect(), read_errors)
    }
}
