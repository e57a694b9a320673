//! Transcripts named by a hook: only paths where Claude Code puts transcripts
//! are accepted.
//!
//! Hook input comes from outside. Only two names of a path are used, that of
//! the project folder and that of the transcript, both below the `projects`
//! folder of a known root; neither may be a link.

use crate::catalog::Catalog;
use jiff::{SignedDuration, Timestamp};
use std::collections::{BTreeSet, HashSet};
use std::path::{Component, Path, PathBuf};
use std::{fs, io};
use store::{Root, flat_agent, is_session_id, read_retention};

/// Where a transcript is, or may soon be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookTranscript {
    /// The session, from the file name.
    pub id: String,
    /// The transcript, below the root's own path.
    pub transcript: PathBuf,
    /// Whether it exists: a session that just started has written nothing yet.
    pub exists: bool,
    /// The configuration folder, where plans and backups are.
    pub config: Option<PathBuf>,
}

/// Why a path is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HookTranscriptError {
    /// It is relative, or contains `.` or `..`.
    #[error("the path is not absolute, or contains `.` or `..`")]
    NotPlain,
    /// Its name is not that of a transcript.
    #[error("the file name is not a session id with .jsonl")]
    NotATranscript,
    /// It is not where transcripts are.
    #[error("the path is not in a project folder of a known store")]
    Elsewhere,
    /// It, or its folder, is a link, or it is not a regular file.
    #[error("the path contains a link, or is not a regular file")]
    NotAFile,
}

impl Catalog {
    /// Checks the path of a transcript that comes from outside.
    pub fn hook_transcript(&self, path: &Path) -> Result<HookTranscript, HookTranscriptError> {
        let is_plain =
            |part: Component<'_>| matches!(part, Component::RootDir | Component::Normal(_));
        let as_written: PathBuf = path.components().collect();
        if !path.is_absolute()
            || !path.components().all(is_plain)
            || as_written.as_os_str() != path.as_os_str()
        {
            return Err(HookTranscriptError::NotPlain);
        }
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let id = name.strip_suffix(".jsonl").filter(|id| is_session_id(id));
        let id = id.ok_or(HookTranscriptError::NotATranscript)?.to_owned();
        let found = self.stores.disk_roots().find_map(|root| Some((root, folder_of(root, path)?)));
        let (root, folder) = found.ok_or(HookTranscriptError::Elsewhere)?;
        let is_missing = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
        let is_folder = match fs::symlink_metadata(&folder) {
            Ok(metadata) if metadata.is_dir() => true,
            Err(error) if is_missing(&error) => false,
            _ => return Err(HookTranscriptError::NotAFile),
        };
        let transcript = folder.join(name);
        let exists = match fs::symlink_metadata(&transcript) {
            Ok(metadata) if is_folder && metadata.is_file() => true,
            Err(error) if is_missing(&error) => false,
            _ => return Err(HookTranscriptError::NotAFile),
        };
        Ok(HookTranscript { id, transcript, exists, config: root.config().map(Path::to_owned) })
    }

    /// The transcript of a session, in any project folder of any root.
    pub fn hook_transcript_of(&self, id: &str) -> Option<HookTranscript> {
        if !is_session_id(id) {
            return None;
        }
        let folders = self
            .stores
            .disk_roots()
            .filter_map(|root| root.folders_with(&self.stores.disk, id).ok())
            .flatten();
        let paths = folders.map(|folder| folder.path.join(format!("{id}.jsonl")));
        paths.filter_map(|path| self.hook_transcript(&path).ok()).find(|found| found.exists)
    }

    /// Everything of some sessions that can be archived: files, and folders
    /// with all their contents. Missing ones are left out. All plans are
    /// included: finding their owners would mean reading everything.
    pub fn files_to_archive(&self, sessions: &[HookTranscript]) -> Vec<PathBuf> {
        let ids: HashSet<&str> = sessions.iter().map(|session| session.id.as_str()).collect();
        let folders: BTreeSet<&Path> =
            sessions.iter().filter_map(|session| session.transcript.parent()).collect();
        let configs: BTreeSet<&Path> =
            sessions.iter().filter_map(|session| session.config.as_deref()).collect();
        let mut paths = Vec::new();
        for session in sessions {
            paths.push(session.transcript.clone());
            paths.push(session.transcript.with_extension(""));
            if let Some(config) = &session.config {
                let own = ["file-history", "tasks", "image-cache"];
                paths.extend(own.map(|folder| config.join(folder).join(&session.id)));
            }
        }
        for folder in folders {
            let flat = self.named_in(folder, |name| name.starts_with("agent-")).into_iter();
            paths.extend(flat.filter(|path| {
                let agent = flat_agent(&self.stores.disk, path).and_then(|agent| agent.session_id);
                agent.is_some_and(|id| ids.contains(id.as_str()))
            }));
        }
        for config in configs {
            for folder in ["todos", "pre-compact-session-histories"] {
                let is_own = |name: &str| name.get(..36).is_some_and(|id| ids.contains(id));
                paths.extend(self.named_in(&config.join(folder), is_own));
            }
            paths.push(config.join("plans"));
        }
        paths.retain(|path| fs::symlink_metadata(path).is_ok_and(|it| it.is_file() || it.is_dir()));
        paths
    }

    /// The transcripts that the cleanup will delete within this time. Only
    /// their modification times are read.
    pub fn expiring_transcripts(
        &self,
        now: Timestamp,
        within: SignedDuration,
    ) -> Vec<HookTranscript> {
        let mut expiring = Vec::new();
        for root in self.stores.disk_roots() {
            let Some(config) = root.config() else { continue };
            let retention = read_retention(config);
            let folders =
                root.folders(&self.stores.disk).map(|(folders, _)| folders).unwrap_or_default();
            let listed = folders.iter().filter_map(|folder| folder.list(&self.stores.disk).ok());
            for file in listed.flat_map(|listing| listing.sessions) {
                let Some((stat, _)) = self.stores.disk.find(&file.path) else { continue };
                let is_due = retention.deletes_at(stat.modified).zip(now.checked_add(within).ok());
                if stat.bytes > 0 && is_due.is_some_and(|(deleted, soon)| deleted <= soon) {
                    expiring.push(HookTranscript {
                        id: file.id,
                        transcript: file.path,
                        exists: true,
                        config: Some(config.to_owned()),
                    });
                }
            }
        }
        expiring
    }
}

impl Catalog {
    /// The entries of a folder with a wanted name.
    fn named_in(&self, folder: &Path, is_wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
        let listed = self.stores.disk.list(folder).unwrap_or_default().into_iter();
        let wanted = listed.filter(|entry| is_wanted(&entry.name().to_string_lossy()));
        wanted.map(|entry| entry.path).collect()
    }
}

/// The project folder that a path lies in, below the root's own path: a
/// transcript is two names below `projects`, and the path to `projects` may
/// contain the user's own links.
fn folder_of(root: &Root, path: &Path) -> Option<PathBuf> {
    let projects = root.projects()?;
    let real = fs::canonicalize(&projects).ok()?;
    let below = path.strip_prefix(&projects).or_else(|_| path.strip_prefix(&real)).ok()?;
    let mut parts = below.components();
    let folder = parts.next()?;
    parts.next()?;
    parts.next().is_none().then(|| projects.join(folder))
}
