//! Decides which files of a root are archived.
//!
//! Everything below `projects`, and the other files of a configuration folder
//! that belong to sessions. Keys, credentials and settings are never archived,
//! wherever they are; links are never followed.

use crate::name::Name;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};
use store::{FileStat, Root, RootKind, is_session_id};

/// The parts of a configuration folder that are archived besides `projects`.
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

/// Where the files of other apps are: `apps/codex/sessions/…`.
const APPS: &str = "apps";

/// Whether a file or folder with this name is never archived.
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

/// A root as the archive sees it: a configuration folder, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveRoot {
    /// Its identity: the real path of the configuration folder, or of the
    /// folder that takes its place.
    pub identity: PathBuf,
    /// The folder with its files on disk.
    disk: PathBuf,
    /// The prefix of their names.
    prefix: PathBuf,
    kind: RootKind,
    only: Option<PathBuf>,
    /// For another app: the files to archive, which the caller names.
    listed: Option<Vec<Candidate>>,
}

impl ArchiveRoot {
    /// The archive root of a store root.
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
        ArchiveRoot { identity, disk, prefix, kind: root.kind, only, listed: None }
    }

    /// A root that is not on this disk: its files get paths below a folder that
    /// does not exist.
    pub fn elsewhere(folder: PathBuf) -> ArchiveRoot {
        let (identity, prefix) = (folder.clone(), PathBuf::new());
        let (kind, only, listed) = (RootKind::Config, None, None);
        ArchiveRoot { identity, disk: folder, prefix, kind, only, listed }
    }

    /// The folder of another app, without files to archive.
    pub fn of_app(app: &str, home: &Path) -> ArchiveRoot {
        let identity = fs::canonicalize(home).unwrap_or_else(|_| home.to_owned());
        let prefix = Path::new(APPS).join(app);
        let (kind, only, listed) = (RootKind::Config, None, Some(Vec::new()));
        ArchiveRoot { identity, disk: home.to_owned(), prefix, kind, only, listed }
    }

    /// Adds a file of another app, and the session that it belongs to, if any. `as_path` is its
    /// path in the archive, below the app's folder; `path` is where its bytes are. A file that
    /// is missing is left out.
    pub fn add_file(&mut self, as_path: &Path, path: PathBuf, session: Option<String>) {
        let Ok(metadata) = fs::symlink_metadata(&path) else { return };
        let name = self.name(as_path).filter(is_archivable);
        if let (true, Some(name), Some(listed)) = (metadata.is_file(), name, &mut self.listed) {
            let stat = FileStat::of(&metadata);
            listed.push(Candidate { name, path, stat, session });
        }
    }

    /// Whether it is the folder of another app.
    pub(crate) fn is_of_app(&self) -> bool {
        self.listed.is_some()
    }

    /// The folder that contains its files.
    pub fn folder(&self) -> &Path {
        &self.disk
    }

    /// Where to restore one of its files: the folder, which may be a link, and
    /// the path below it, which may not contain links.
    pub fn destination(&self, name: &Name) -> Option<(PathBuf, PathBuf)> {
        let path = self.path(name)?;
        let projects = self.disk.join(PROJECTS);
        let folder = if path.starts_with(&projects) { projects } else { self.disk.clone() };
        let below = path.strip_prefix(&folder).ok()?.to_owned();
        Some((folder, below))
    }

    /// The current or former path of a file on disk.
    pub fn path(&self, name: &Name) -> Option<PathBuf> {
        Some(self.disk.join(name.to_path().strip_prefix(&self.prefix).ok()?))
    }

    /// The archive name of a file on disk.
    pub fn name(&self, path: &Path) -> Option<Name> {
        Name::of(&self.prefix.join(path.strip_prefix(&self.disk).ok()?))
    }

    /// Whether a file is archived, judging by its path.
    fn admits(&self, path: &Path) -> bool {
        self.is_plain(path) && self.is_in_part(path)
    }

    /// Whether no component of the path is excluded from archiving.
    fn is_plain(&self, path: &Path) -> bool {
        let below = path.strip_prefix(&self.disk);
        below
            .is_ok_and(|below| below.iter().all(|part| !is_never_archived(&part.to_string_lossy())))
    }

    /// Whether a file belongs to the part of the store that this root covers.
    fn is_in_part(&self, path: &Path) -> bool {
        let is_wanted = match &self.only {
            // A transcript and the folder of the same name, or a folder.
            Some(only) => path.starts_with(only) || path.with_extension("") == *only,
            None => true,
        };
        is_wanted
            && (self.kind != RootKind::Loose
                || path.strip_prefix(&self.disk).is_ok_and(is_of_session))
    }

    /// The files and folders where the scan starts.
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

    /// Scans the root for files to archive.
    pub fn walk(&self) -> RootScan {
        if let Some(listed) = &self.listed {
            return RootScan { files: listed.clone(), ..RootScan::default() };
        }
        let mut walk = RootScan::default();
        let mut folders = Vec::new();
        for start in self.starts() {
            // A store's own folder may be a link to another disk; links below
            // it are not followed.
            let is_top = start.ends_with(PROJECTS) || start == self.disk;
            let found = if is_top { fs::metadata(&start) } else { fs::symlink_metadata(&start) };
            match (found, self.name(&start)) {
                (Ok(found), Some(name)) if found.is_dir() => folders.push((start, name)),
                (Ok(found), _) if found.is_file() => {
                    self.note(start, FileStat::of(&found), &mut walk);
                }
                (Ok(_), _) => walk.links += 1,
                (Err(error), _) if error.kind() == io::ErrorKind::NotFound => {}
                (Err(error), _) => walk.read_errors.push((start, error.to_string())),
            }
        }
        self.descend(folders, &mut walk);
        walk
    }

    /// Scans everything below these folders.
    fn descend(&self, mut folders: Vec<(PathBuf, Name)>, walk: &mut RootScan) {
        while let Some((folder, name)) = folders.pop() {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                // Deleted since it was listed.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => {
                    walk.read_errors.push((folder, error.to_string()));
                    continue;
                }
            };
            for entry in entries.flatten() {
                self.visit(&entry, &name, &mut folders, walk);
            }
        }
    }

    /// Examines an entry of an archived folder.
    fn visit(
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
            walk.read_errors.push((path, "its name is too long to be archived".to_owned()));
            return;
        };
        if kind.is_dir() {
            folders.push((path, name));
        } else if self.is_in_part(&path)
            && let Ok(metadata) = entry.metadata()
        {
            let stat = FileStat::of(&metadata);
            walk.files.push(Candidate { name, path, stat, session: None });
        }
    }

    /// Scans only these paths, and everything below those that are folders:
    /// files in a new folder may be created before the folder is watched.
    pub fn scan_paths(&self, paths: &[PathBuf]) -> RootScan {
        let mut walk = RootScan::default();
        if let Some(listed) = &self.listed {
            let files = listed.iter().filter(|file| paths.contains(&file.path));
            walk.files = files.cloned().collect();
            return walk;
        }
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
            Some(name) => walk.files.push(Candidate { name, path, stat, session: None }),
            None => walk.read_errors.push((path, "its name is too long to be archived".to_owned())),
        }
    }
}

/// Whether a path in a folder of loose files is a transcript or belongs to a
/// session's folder.
fn is_of_session(below: &Path) -> bool {
    let mut parts = below.iter();
    let first = parts.next().map(|part| part.to_string_lossy().into_owned()).unwrap_or_default();
    match parts.next() {
        Some(_) => is_session_id(&first),
        None => Path::new(&first).extension().is_some_and(|end| end == "jsonl"),
    }
}

/// A file to archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its name in the archive.
    pub name: Name,
    /// Where it is.
    pub path: PathBuf,
    /// Its stat.
    pub stat: FileStat,
    /// The session it belongs to, where the caller named it.
    pub(crate) session: Option<String>,
}

impl Candidate {
    /// The session it belongs to, if its name or the caller says so.
    pub fn session(&self) -> Option<&str> {
        self.session.as_deref().or_else(|| session_of(&self.name))
    }

    /// Whether it is a flat agent file, beside the transcripts of a folder.
    pub fn is_flat_agent(&self) -> bool {
        is_flat_agent(&self.name)
    }
}

/// The result of a scan.
#[derive(Debug, Default)]
pub struct RootScan {
    /// The files to archive.
    pub files: Vec<Candidate>,
    /// How many links and other entries that are not files were skipped.
    pub links: usize,
    /// Folders that could not be listed, and why.
    pub read_errors: Vec<(PathBuf, String)>,
}

/// Whether a file with this name can be archived. A manifest may list anything;
/// other names are never restored.
pub(crate) fn is_archivable(name: &Name) -> bool {
    let mut parts = name.components();
    let top = parts.next().unwrap_or_default();
    let has_more = parts.next().is_some();
    let is_below = top == PROJECTS || FOLDERS.contains(&top);
    let is_placed = if has_more { is_below || is_of_app(name) } else { FILES.contains(&top) };
    is_placed && name.components().all(|part| !is_never_archived(part))
}

/// The folder of another app below a root that is not on this disk.
pub fn folder_of_app(root: &Path, app: &str) -> PathBuf {
    root.join(APPS).join(app)
}

/// Whether a name is that of another app's file.
pub(crate) fn is_of_app(name: &Name) -> bool {
    let mut parts = name.components();
    parts.next() == Some(APPS) && parts.nth(1).is_some()
}

/// The session that a file belongs to, judging by its name.
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

/// Whether this is the name of a session's main transcript.
pub fn is_transcript(name: &Name) -> bool {
    let mut parts = name.components();
    parts.next() == Some(PROJECTS)
        && parts.nth(1).and_then(|last| last.strip_suffix(".jsonl")).is_some_and(is_session_id)
        && parts.next().is_none()
}

/// Whether this is the name of a flat agent file, beside the transcripts of a
/// folder.
pub(crate) fn is_flat_agent(name: &Name) -> bool {
    let mut parts = name.components();
    let is_agent = |last: &str| {
        let stem = last.strip_prefix("agent-").and_then(|rest| rest.strip_suffix(".jsonl"));
        stem.is_some()
    };
    parts.next() == Some(PROJECTS) && parts.nth(1).is_some_and(is_agent) && parts.next().is_none()
}
