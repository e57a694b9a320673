//! Which files of a root are kept.
//!
//! Everything below `projects`, and what else of a configuration folder belongs
//! to sessions. Keys, credentials and settings are never kept, wherever they
//! lie; links are never followed.

use crate::name::Name;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};
use store::{FileStat, Root, RootKind, is_session_id};

/// What of a configuration folder is kept besides `projects`.
const FOLDERS: [&str; 8] = [
    "plans",
    "file-history",
    "todos",
    "tasks",
    "paste-cache",
    "image-cache",
    "transcripts",
    "pre-compact-session-histories",
];
const FILES: [&str; 1] = ["history.jsonl"];
const PROJECTS: &str = "projects";

/// Whether a file or folder of this name is never kept.
fn is_never_archived(name: &str) -> bool {
    let is_key = Path::new(name).extension().is_some_and(|end| end.eq_ignore_ascii_case("key"));
    is_key
        || matches!(
            name,
            ".credentials.json"
                | ".claude.json"
                | "settings.json"
                | "settings.local.json"
                | "shell-snapshots"
                | "session-env"
        )
}

/// A root as the archive sees it: a configuration folder, of which there may be
/// only a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveRoot {
    /// What it is known by: the real path of the configuration folder, or of
    /// what stands in for one.
    pub identity: PathBuf,
    /// Where its files are.
    disk: PathBuf,
    /// What stands before their names.
    prefix: PathBuf,
    kind: RootKind,
    only: Option<PathBuf>,
}

impl ArchiveRoot {
    /// The area of a root.
    pub fn of(root: &Root) -> ArchiveRoot {
        let path = &root.path;
        let named = |path: &Path| path.file_name().map(PathBuf::from).unwrap_or_default();
        let is_projects = |path: &Path| named(path) == Path::new(PROJECTS);
        let above = |path: &Path| path.parent().unwrap_or(path).to_owned();
        let mut only = None;
        let (disk, prefix) = match root.kind {
            RootKind::Config => (path.clone(), PathBuf::new()),
            RootKind::Projects if is_projects(path) => (above(path), PathBuf::new()),
            RootKind::Projects => (path.clone(), PathBuf::from(PROJECTS)),
            RootKind::Project | RootKind::Loose | RootKind::Transcript => {
                let is_file = root.kind == RootKind::Transcript;
                let folder = if is_file { above(path) } else { path.clone() };
                only = is_file.then(|| path.with_extension(""));
                if is_projects(&above(&folder)) {
                    only = only.or(Some(folder.clone()));
                    (above(&above(&folder)), PathBuf::new())
                } else {
                    let prefix = Path::new(PROJECTS).join(named(&folder));
                    (folder, prefix)
                }
            }
        };
        let identity = fs::canonicalize(&disk).unwrap_or_else(|_| disk.clone());
        ArchiveRoot { identity, disk, prefix, kind: root.kind, only }
    }

    /// An area that is nowhere on this disk: its files get paths below a folder
    /// that is not there.
    pub fn elsewhere(folder: PathBuf) -> ArchiveRoot {
        let (identity, prefix) = (folder.clone(), PathBuf::new());
        ArchiveRoot { identity, disk: folder, prefix, kind: RootKind::Config, only: None }
    }

    /// The folder its files are in.
    pub fn folder(&self) -> &Path {
        &self.disk
    }

    /// Where a file of it belongs: the folder that may be a link, and the path
    /// below it, on which nothing may be.
    pub fn destination(&self, name: &Name) -> Option<(PathBuf, PathBuf)> {
        let path = self.path(name)?;
        let projects = self.disk.join(PROJECTS);
        let folder = if path.starts_with(&projects) { projects } else { self.disk.clone() };
        let below = path.strip_prefix(&folder).ok()?.to_owned();
        Some((folder, below))
    }

    /// Where a file of it is, or was, on disk.
    pub fn path(&self, name: &Name) -> Option<PathBuf> {
        Some(self.disk.join(name.to_path().strip_prefix(&self.prefix).ok()?))
    }

    /// The name of a file on disk.
    pub fn name(&self, path: &Path) -> Option<Name> {
        Name::of(&self.prefix.join(path.strip_prefix(&self.disk).ok()?))
    }

    /// Whether a file is kept, by its path alone.
    fn admits(&self, path: &Path) -> bool {
        self.is_plain(path) && self.is_in_part(path)
    }

    /// Whether nothing on the way to a file is never kept.
    fn is_plain(&self, path: &Path) -> bool {
        let below = path.strip_prefix(&self.disk);
        below
            .is_ok_and(|below| below.iter().all(|part| !is_never_archived(&part.to_string_lossy())))
    }

    /// Whether a file is in the part of a store that this is.
    fn is_in_part(&self, path: &Path) -> bool {
        let is_wanted = match &self.only {
            // A transcript, and its folder of the same name; or a folder.
            Some(only) => path.starts_with(only) || path.with_extension("") == *only,
            None => true,
        };
        is_wanted
            && (self.kind != RootKind::Loose
                || path.strip_prefix(&self.disk).is_ok_and(is_of_session))
    }

    /// The files and folders where looking begins.
    fn starts(&self) -> Vec<PathBuf> {
        let whole = self.prefix.as_os_str().is_empty();
        match self.kind {
            RootKind::Config => {
                let names = FOLDERS.iter().chain(&FILES).chain(std::iter::once(&PROJECTS));
                names.map(|name| self.disk.join(name)).collect()
            }
            RootKind::Projects if whole => vec![self.disk.join(PROJECTS)],
            RootKind::Transcript => {
                let Some(only) = &self.only else { return Vec::new() };
                vec![only.clone(), only.with_extension("jsonl")]
            }
            RootKind::Project if whole => self.only.iter().cloned().collect(),
            _ => vec![self.disk.clone()],
        }
    }

    /// The files to keep, and what is in the way of keeping more.
    pub fn walk(&self) -> RootScan {
        let mut walk = RootScan::default();
        let mut folders = Vec::new();
        for start in self.starts() {
            // A store's own folder may be a link to another disk; what lies in
            // it may not.
            let is_top = start.ends_with(PROJECTS) || start == self.disk;
            let found = if is_top { fs::metadata(&start) } else { fs::symlink_metadata(&start) };
            match (found, self.name(&start)) {
                (Ok(found), Some(name)) if found.is_dir() => folders.push((start, name)),
                (Ok(found), _) if found.is_file() => {
                    self.note(start, FileStat::of(&found), &mut walk);
                }
                (Ok(_), _) => walk.links += 1,
                (Err(error), _) if error.kind() == io::ErrorKind::NotFound => {}
                (Err(error), _) => walk.troubles.push((start, error.to_string())),
            }
        }
        self.descend(folders, &mut walk);
        walk
    }

    /// Looks at everything below these folders.
    fn descend(&self, mut folders: Vec<(PathBuf, Name)>, walk: &mut RootScan) {
        while let Some((folder, name)) = folders.pop() {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                // Gone since it was listed.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => {
                    walk.troubles.push((folder, error.to_string()));
                    continue;
                }
            };
            for entry in entries.flatten() {
                self.meet(&entry, &name, &mut folders, walk);
            }
        }
    }

    /// Looks at an entry of a folder that is kept.
    fn meet(
        &self,
        entry: &DirEntry,
        folder: &Name,
        folders: &mut Vec<(PathBuf, Name)>,
        walk: &mut RootScan,
    ) {
        let Ok(kind) = entry.file_type() else { return };
        let part = entry.file_name();
        if !kind.is_dir() && !kind.is_file() {
            walk.links += 1;
            return;
        }
        if is_never_archived(&part.to_string_lossy()) {
            return;
        }
        let path = entry.path();
        let Some(name) = folder.below(&part) else {
            walk.troubles.push((path, "its name is too long to be kept".to_owned()));
            return;
        };
        if kind.is_dir() {
            folders.push((path, name));
        } else if self.is_in_part(&path)
            && let Ok(metadata) = entry.metadata()
        {
            walk.files.push(Candidate { name, path, stat: FileStat::of(&metadata) });
        }
    }

    /// Looks at these paths alone; at folders with everything below them, of
    /// which nobody may have told: a folder is new before it is watched.
    pub fn scan_paths(&self, paths: &[PathBuf]) -> RootScan {
        let mut walk = RootScan::default();
        let mut folders = Vec::new();
        for path in paths {
            let is_below = self.starts().iter().any(|start| path.starts_with(start));
            let Ok(metadata) = fs::symlink_metadata(path) else { continue };
            if is_below && metadata.is_file() {
                self.note(path.clone(), FileStat::of(&metadata), &mut walk);
            } else if is_below && metadata.is_dir() && self.is_plain(path) {
                folders.extend(self.name(path).map(|name| (path.clone(), name)));
            }
        }
        self.descend(folders, &mut walk);
        walk
    }

    fn note(&self, path: PathBuf, stat: FileStat, walk: &mut RootScan) {
        if !self.admits(&path) {
            return;
        }
        match self.name(&path) {
            Some(name) => walk.files.push(Candidate { name, path, stat }),
            None => walk.troubles.push((path, "its name is too long to be kept".to_owned())),
        }
    }
}

/// Whether a path of a folder of loose files is a transcript or lies in a
/// session's folder.
fn is_of_session(below: &Path) -> bool {
    let mut parts = below.iter();
    let first = parts.next().map(|part| part.to_string_lossy().into_owned()).unwrap_or_default();
    match parts.next() {
        Some(_) => is_session_id(&first),
        None => Path::new(&first).extension().is_some_and(|end| end == "jsonl"),
    }
}

/// A file to keep.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its name in the archive.
    pub name: Name,
    /// Where it is.
    pub path: PathBuf,
    /// How it looks.
    pub stat: FileStat,
}

impl Candidate {
    /// Whether it is an agent beside the transcripts of a folder.
    pub fn is_flat_agent(&self) -> bool {
        is_flat_agent(&self.name)
    }
}

/// What a look at a root found.
#[derive(Debug, Default)]
pub struct RootScan {
    /// The files to keep.
    pub files: Vec<Candidate>,
    /// How many links and other things that are no files were passed by.
    pub links: usize,
    /// What could not be listed, and why.
    pub troubles: Vec<(PathBuf, String)>,
}

/// Whether a file of this name can be one that is kept. A manifest may name
/// anything; what it names outside of this is not given back.
pub(crate) fn is_archivable(name: &Name) -> bool {
    let mut parts = name.components();
    let top = parts.next().unwrap_or_default();
    let has_more = parts.next().is_some();
    let is_below = top == PROJECTS || FOLDERS.contains(&top);
    let is_placed = if has_more { is_below } else { FILES.contains(&top) };
    is_placed && name.components().all(|part| !is_never_archived(part))
}

/// The session a file belongs to, by its name.
pub fn session_of(name: &Name) -> Option<&str> {
    let mut parts = name.components();
    let top = parts.next()?;
    let next = match top {
        PROJECTS => parts.nth(1)?,
        "file-history" | "tasks" | "image-cache" | "todos" | "pre-compact-session-histories" => {
            parts.next()?
        }
        _ => return None,
    };
    let own = next.get(..36).filter(|id| is_session_id(id))?;
    let behind = &next[36..];
    let fits = match top {
        PROJECTS => behind.is_empty() || behind == ".jsonl",
        "todos" | "pre-compact-session-histories" => true,
        _ => behind.is_empty(),
    };
    fits.then_some(own)
}

/// Whether a name is that of a session's main transcript.
pub fn is_transcript(name: &Name) -> bool {
    let mut parts = name.components();
    parts.next() == Some(PROJECTS)
        && parts.nth(1).and_then(|last| last.strip_suffix(".jsonl")).is_some_and(is_session_id)
        && parts.next().is_none()
}

/// Whether a name is that of an agent beside the transcripts of a folder.
pub(crate) fn is_flat_agent(name: &Name) -> bool {
    let mut parts = name.components();
    let is_agent = |last: &str| {
        let stem = last.strip_prefix("agent-").and_then(|rest| rest.strip_suffix(".jsonl"));
        stem.is_some()
    };
    parts.next() == Some(PROJECTS) && parts.nth(1).is_some_and(is_agent) && parts.next().is_none()
}
