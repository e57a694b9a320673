//! The content of a project folder.

use crate::files::{EntryKind, Files};
use crate::session_folder::SessionFolder;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, open, statat};
use std::collections::HashMap;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// A folder of transcripts: one of `projects/`, or one that was passed
/// directly.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Folder {
    /// Where it is.
    pub path: PathBuf,
    /// Its name.
    pub name: String,
    /// Whether files with any name count as sessions, as in a backup.
    pub loose: bool,
}

/// A transcript with its session's id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionFile {
    /// The session's id: the stem of the file's name.
    pub id: String,
    /// Where it is.
    pub path: PathBuf,
    /// The session's own folder beside it.
    pub folder: Option<SessionFolder>,
    /// Whether it is gone from disk and only on the shelf.
    pub is_archive_only: bool,
}

/// Something in a store that is not a session, and why.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StrayFile {
    /// Where it is.
    pub path: PathBuf,
    /// Why it is not a session.
    pub reason: &'static str,
}

/// The content of a project folder.
#[derive(Clone, Debug, Default)]
pub struct FolderListing {
    /// Main transcripts.
    pub sessions: Vec<SessionFile>,
    /// Flat `agent-*.jsonl` files beside them.
    pub agents: Vec<PathBuf>,
    /// Session folders whose transcript Claude Code's cleanup deleted.
    pub orphans: Vec<SessionFolder>,
    /// Everything else.
    pub strays: Vec<StrayFile>,
    /// The stale `sessions-index.json`.
    pub index: Option<PathBuf>,
}

impl Folder {
    /// A folder of `projects/`.
    pub fn new(path: PathBuf) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Folder { path, name, loose: false }
    }

    /// Lists the folder. Links are not followed.
    pub fn list(&self, files: &Files) -> io::Result<FolderListing> {
        let mut listing = FolderListing::default();
        let mut folders = Vec::new();
        for entry in files.list(&self.path)? {
            let name = entry.name().to_string_lossy().into_owned();
            let path = entry.path;
            match entry.kind {
                EntryKind::Link => {
                    listing
                        .strays
                        .push(StrayFile { path, reason: "a symbolic link, not followed" });
                }
                EntryKind::Folder => folders.push((name, path)),
                EntryKind::Other => {
                    listing.strays.push(StrayFile { path, reason: "not a regular file" });
                }
                EntryKind::File => {
                    if let Some(stem) = name.strip_suffix(".jsonl") {
                        self.sort_transcript(stem, path, entry.is_archive_only, &mut listing);
                    } else if name == "sessions-index.json" {
                        listing.index = Some(path);
                    } else {
                        listing.strays.push(StrayFile { path, reason: "not a transcript" });
                    }
                }
            }
        }
        sort_folders(folders, &mut listing);
        Ok(listing)
    }

    fn sort_transcript(
        &self,
        stem: &str,
        path: PathBuf,
        is_archive_only: bool,
        listing: &mut FolderListing,
    ) {
        if stem.starts_with("agent-") {
            listing.agents.push(path);
        } else if is_session_id(stem) || self.loose {
            let id = stem.to_owned();
            listing.sessions.push(SessionFile { id, path, folder: None, is_archive_only });
        } else {
            listing.strays.push(StrayFile { path, reason: "its name is not a session id" });
        }
    }

    /// Finds a session of this folder by its id, without listing the folder.
    pub fn find_session(&self, files: &Files, id: &str) -> Option<SessionFile> {
        // Ids also come from transcripts: none may lead out of this folder.
        if id.is_empty() || id.starts_with('.') || id.contains(['/', '\\', '\0']) {
            return None;
        }
        let path = self.path.join(format!("{id}.jsonl"));
        let (_, is_archive_only) = files.find(&path)?;
        let folder = SessionFolder::find(files, self.path.join(id));
        Some(SessionFile { id: id.to_owned(), path, folder, is_archive_only })
    }
}

/// Where the files of a session are below a `projects` folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionPlaces {
    /// The project folders with a transcript of it.
    pub folders: Vec<Folder>,
    /// Its own folders, with or without a transcript beside them.
    pub session_folders: Vec<SessionFolder>,
}

/// The folders below a `projects` folder that contain a transcript with this
/// id. Only that one name is checked in each, so large folders cost nothing
/// extra.
pub(crate) fn folders_with(files: &Files, projects: &Path, id: &str) -> io::Result<Vec<Folder>> {
    if !is_session_id(id) {
        return Ok(Vec::new());
    }
    if files.shelf().is_some() {
        let (mut folders, _) = project_folders(files, projects)?;
        folders.retain(|folder| files.find(&folder.path.join(format!("{id}.jsonl"))).is_some());
        return Ok(folders);
    }
    let mut folders = Vec::new();
    each_with(projects, [&format!("/{id}.jsonl")], |path, _, _| folders.push(Folder::new(path)))?;
    folders.sort();
    Ok(folders)
}

/// The same, and the session's own folders, both from one pass.
pub(crate) fn session_places(
    files: &Files,
    projects: &Path,
    id: &str,
) -> io::Result<SessionPlaces> {
    let mut places = SessionPlaces::default();
    if !is_session_id(id) {
        return Ok(places);
    }
    if files.shelf().is_some() {
        places.folders = folders_with(files, projects, id)?;
        let (folders, _) = project_folders(files, projects)?;
        let paths = folders.into_iter().map(|folder| folder.path.join(id));
        places.session_folders.extend(paths.filter_map(|path| SessionFolder::find(files, path)));
        return Ok(places);
    }
    let names = [&format!("/{id}.jsonl"), &format!("/{id}")];
    each_with(projects, names, |path, name, kind| {
        if name == 0 {
            places.folders.push(Folder::new(path));
        } else if kind.is_dir() {
            places.session_folders.push(SessionFolder::known(path.join(id)));
        }
    })?;
    places.folders.sort();
    places.session_folders.sort_by(|one, two| one.path().cmp(two.path()));
    Ok(places)
}

/// Passes on the real folders on disk that contain one of these names, which begin with
/// `/`, with the number of the name and the type of the file. A store has hundreds of
/// folders: paths are resolved from the folder they share.
fn each_with<const N: usize>(
    projects: &Path,
    names: [&String; N],
    mut found: impl FnMut(PathBuf, usize, FileType),
) -> io::Result<()> {
    let base = open(projects, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let mut path = Vec::new();
    for entry in fs::read_dir(projects)? {
        let entry = entry?;
        path.clear();
        path.extend_from_slice(entry.file_name().as_bytes());
        let folder = path.len();
        for (number, name) in names.iter().enumerate() {
            path.truncate(folder);
            path.extend_from_slice(name.as_bytes());
            if let Ok(stat) = statat(&base, path.as_slice(), AtFlags::SYMLINK_NOFOLLOW)
                && entry.file_type()?.is_dir()
            {
                found(entry.path(), number, FileType::from_raw_mode(stat.st_mode));
            }
        }
    }
    Ok(())
}

/// Assigns session folders to their sessions, and collects the others.
fn sort_folders(folders: Vec<(String, PathBuf)>, listing: &mut FolderListing) {
    let places: HashMap<String, usize> = listing
        .sessions
        .iter()
        .enumerate()
        .map(|(place, session)| (session.id.clone(), place))
        .collect();
    for (name, path) in folders {
        let folder = SessionFolder::known(path);
        if let Some(session) = places.get(&name).map(|place| &mut listing.sessions[*place]) {
            session.folder = Some(folder);
        } else if is_session_id(&name) {
            listing.orphans.push(folder);
        } else if name != "memory" {
            let path = folder.path().to_owned();
            listing.strays.push(StrayFile { path, reason: "not a session folder" });
        }
    }
}

/// Whether a name is a session id: a UUID of any version, in any case.
pub fn is_session_id(name: &str) -> bool {
    name.len() == 36
        && name.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// The folders below a `projects/` folder. Links to folders do not count.
pub(crate) fn project_folders(
    files: &Files,
    projects: &Path,
) -> io::Result<(Vec<Folder>, Vec<StrayFile>)> {
    let mut folders = Vec::new();
    let mut strays = Vec::new();
    for entry in files.list(projects)? {
        let path = entry.path;
        match entry.kind {
            EntryKind::Folder => folders.push(Folder::new(path)),
            EntryKind::Link => {
                strays.push(StrayFile { path, reason: "a symbolic link, not followed" });
            }
            EntryKind::File | EntryKind::Other => {
                strays.push(StrayFile { path, reason: "not in a project folder" });
            }
        }
    }
    folders.sort();
    Ok((folders, strays))
}
