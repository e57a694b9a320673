//! Roots: the folders and files that contain a person's sessions.

use crate::files::{EntryKind, Files, is_not_found};
use crate::folder::{
    Folder, SessionPlaces, StrayFile, folders_with, is_session_id, project_folders, session_places,
};
use crate::session_folder::SessionFolder;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The kind of a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootKind {
    /// A configuration folder, with `projects/` in it.
    Config,
    /// A `projects` folder itself.
    Projects,
    /// One project folder.
    Project,
    /// A backup: a folder of loose `*.jsonl`.
    Loose,
    /// A single transcript.
    Transcript,
}

impl RootKind {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            RootKind::Config => "configuration folder",
            RootKind::Projects => "projects folder",
            RootKind::Project => "project folder",
            RootKind::Loose => "folder of transcripts",
            RootKind::Transcript => "transcript",
        }
    }
}

/// Where the path of a root came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootOrigin {
    /// Passed with `--root`.
    Flag,
    /// Listed in the configuration file.
    Configuration,
    /// `CLAUDE_CONFIG_DIR`.
    Environment,
    /// `~/.claude`.
    Home,
    /// `$XDG_CONFIG_HOME/claude`, where 1.0.28 to 1.0.4x wrote.
    Legacy,
    /// The built-in demo store.
    Demo,
    /// A configuration folder that a shelf has files of.
    Archive,
    /// Laid out from a team's lake.
    Lake,
    /// The sessions of another app, shown as transcripts.
    App,
}

impl RootOrigin {
    /// The origin as shown in reports.
    pub fn name(self) -> &'static str {
        match self {
            RootOrigin::Flag => "--root",
            RootOrigin::Configuration => "configuration",
            RootOrigin::Environment => "CLAUDE_CONFIG_DIR",
            RootOrigin::Home => "~/.claude",
            RootOrigin::Legacy => "legacy folder",
            RootOrigin::Demo => "--demo",
            RootOrigin::Archive => "archive",
            RootOrigin::Lake => "--lake",
            RootOrigin::App => "another app",
        }
    }
}

/// A folder or file with sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// Where it is.
    pub path: PathBuf,
    /// Its kind.
    pub kind: RootKind,
    /// Where its path came from.
    pub origin: RootOrigin,
    /// Whether it is gone from disk and only on the shelf.
    pub is_archive_only: bool,
}

/// A root that cannot be used, and why.
#[derive(Clone, Debug, thiserror::Error)]
#[error("cannot read {}: {reason}", path.display())]
pub struct RootError {
    /// Its path.
    pub path: PathBuf,
    /// What is wrong.
    pub reason: String,
    /// Whether it does not exist.
    pub missing: bool,
}

impl Root {
    /// A configuration folder that a shelf has files of.
    pub fn archived(path: PathBuf) -> Root {
        let is_archive_only = fs::metadata(&path).is_err_and(|error| is_not_found(&error));
        Root { path, kind: RootKind::Config, origin: RootOrigin::Archive, is_archive_only }
    }

    /// Opens a root and determines its kind.
    pub fn open(files: &Files, path: &Path, origin: RootOrigin) -> Result<Root, RootError> {
        let (kind, is_archive_only) = kind_of(files, path).map_err(|error| RootError {
            path: path.to_owned(),
            reason: match error.kind() {
                io::ErrorKind::NotFound => "no such file or folder".to_owned(),
                io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
                _ => error.to_string(),
            },
            missing: error.kind() == io::ErrorKind::NotFound,
        })?;
        Ok(Root { path: path.to_owned(), kind, origin, is_archive_only })
    }

    /// The configuration folder, if it is one: history, plans and settings are
    /// there.
    pub fn config(&self) -> Option<&Path> {
        (self.kind == RootKind::Config).then_some(&self.path)
    }

    /// The `projects` folder, if it has one.
    pub fn projects(&self) -> Option<PathBuf> {
        match self.kind {
            RootKind::Config => Some(self.path.join("projects")),
            RootKind::Projects => Some(self.path.clone()),
            RootKind::Project | RootKind::Loose | RootKind::Transcript => None,
        }
    }

    /// Whether files of any name count as sessions in it.
    pub fn is_loose(&self) -> bool {
        self.kind == RootKind::Loose
    }

    /// The transcript, if the root is a single file.
    pub fn transcript(&self) -> Option<&Path> {
        (self.kind == RootKind::Transcript).then_some(&self.path)
    }

    /// Its folders that contain a transcript with this id.
    pub fn folders_with(&self, files: &Files, id: &str) -> io::Result<Vec<Folder>> {
        match self.projects() {
            Some(projects) => match folders_with(files, &projects, id) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
                found => found,
            },
            None => Ok(self.folders(files)?.0),
        }
    }

    /// Where the files of a session are in its folders; nowhere for a single
    /// transcript.
    pub fn session_places(&self, files: &Files, id: &str) -> SessionPlaces {
        if self.kind == RootKind::Transcript {
            return SessionPlaces::default();
        }
        // A root that cannot be listed has no sessions to find.
        if let Some(projects) = self.projects() {
            return session_places(files, &projects, id).unwrap_or_default();
        }
        let folders = vec![self.own_folder()];
        let own = folders.iter().filter(|_| is_session_id(id));
        let own = own.filter_map(|it| SessionFolder::find(files, it.path.join(id)));
        SessionPlaces { session_folders: own.collect(), folders }
    }

    /// Its folders of transcripts, and stray files among them.
    pub fn folders(&self, files: &Files) -> io::Result<(Vec<Folder>, Vec<StrayFile>)> {
        if let Some(projects) = self.projects() {
            return match project_folders(files, &projects) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Default::default()),
                found => found,
            };
        }
        // The folder of an app exists only as long as there are sessions to show in it.
        if self.origin == RootOrigin::App && !files.is_folder(&self.path) {
            return Ok(Default::default());
        }
        Ok((vec![self.own_folder()], Vec::new()))
    }

    /// The folder with its transcripts, if it has no `projects` folder.
    fn own_folder(&self) -> Folder {
        let mut folder = Folder::new(match self.kind {
            RootKind::Transcript => self.path.parent().unwrap_or(Path::new(".")).to_owned(),
            _ => self.path.clone(),
        });
        folder.loose = self.is_loose();
        folder
    }
}

/// The kind of a path, and whether only the shelf has it.
fn kind_of(files: &Files, path: &Path) -> io::Result<(RootKind, bool)> {
    let (is_file, is_folder, is_archive_only) = match fs::metadata(path) {
        Ok(metadata) => (metadata.is_file(), metadata.is_dir(), false),
        Err(error) if is_not_found(&error) && files.is_archive_only(path) => (true, false, true),
        Err(error) if is_not_found(&error) && files.is_folder(path) => (false, true, true),
        Err(error) => return Err(error),
    };
    if is_file {
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            return Ok((RootKind::Transcript, is_archive_only));
        }
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a transcript: its name does not end in .jsonl",
        ));
    }
    if !is_folder {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "neither a file nor a folder"));
    }
    // It may be a link: that is the person's own setup.
    if path.join("projects").is_dir() || files.is_folder(&path.join("projects")) {
        return Ok((RootKind::Config, is_archive_only));
    }
    let (mut named, mut loose, mut projects) = (false, false, false);
    for entry in files.list(path)? {
        let name = entry.name().to_string_lossy();
        if entry.kind == EntryKind::File
            && let Some(stem) = name.strip_suffix(".jsonl")
        {
            named |= is_session_id(stem) || stem.starts_with("agent-");
            // `history.jsonl` is in configuration folders that have no projects
            // yet.
            loose |= !matches!(stem, "history");
        } else if entry.kind == EntryKind::Folder && !is_session_id(&name) {
            projects |= holds_transcripts(files, &entry.path);
        }
    }
    let kind = if named {
        RootKind::Project
    } else if projects {
        RootKind::Projects
    } else if loose {
        RootKind::Loose
    } else {
        RootKind::Config
    };
    Ok((kind, is_archive_only))
}

fn holds_transcripts(files: &Files, path: &Path) -> bool {
    let entries = files.list(path).unwrap_or_default();
    entries.iter().any(|entry| {
        entry.name().to_string_lossy().strip_suffix(".jsonl").is_some_and(is_session_id)
    })
}
