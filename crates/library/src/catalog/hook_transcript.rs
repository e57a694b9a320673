//! Transcripts that a program names: only what lies where Claude Code puts them
//! is taken.
//!
//! What a hook is told comes from outside. Of a path only two names are used, that
//! of the project's folder and that of the transcript, both below the `projects`
//! folder of a root that is known; neither may be a link.

use crate::{Catalog, Library};
use jiff::{SignedDuration, Timestamp};
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use store::{Root, flat_agent, is_session_id, read_retention};

/// A place where a transcript is, or may soon be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookTranscript {
    /// The session, by the name of the file.
    pub id: String,
    /// The transcript, as its root calls it.
    pub transcript: PathBuf,
    /// Whether it is there: a session that starts has written nothing yet.
    pub exists: bool,
    /// The configuration folder, where plans and backups are.
    pub config: Option<PathBuf>,
}

/// Why a path is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HookTranscriptError {
    /// It is relative, or leads through `..`.
    #[error("the path is not plain and absolute")]
    NotPlain,
    /// It is no transcript by its name.
    #[error("the file's name is no session id with .jsonl")]
    NotATranscript,
    /// It is not where transcripts are.
    #[error("the path is not in a project's folder of a known store")]
    Elsewhere,
    /// It, or the folder it is in, is a link or something else that is no file.
    #[error("the path leads over a link or to something that is no regular file")]
    NotAFile,
}

impl Catalog<'_> {
    /// Takes the path of a transcript from outside.
    pub fn hook_transcript(self, path: &Path) -> Result<HookTranscript, HookTranscriptError> {
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
        let found = self.library.disk_roots().find_map(|root| Some((root, folder_of(root, path)?)));
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

    /// The transcript of a session, wherever it is: every folder of projects is
    /// asked for it.
    pub fn hook_transcript_of(self, id: &str) -> Option<HookTranscript> {
        if !is_session_id(id) {
            return None;
        }
        let folders = self
            .library
            .disk_roots()
            .filter_map(|root| root.folders_with(&self.library.disk, id).ok())
            .flatten();
        let paths = folders.map(|folder| folder.path.join(format!("{id}.jsonl")));
        paths.filter_map(|path| self.hook_transcript(&path).ok()).find(|found| found.exists)
    }

    /// Everything of some sessions that can be kept: files, and folders with all
    /// that is in them. What is not there is left out. Plans come all together: only
    /// reading everything would tell whose they are.
    pub fn files_to_archive(self, sessions: &[HookTranscript]) -> Vec<PathBuf> {
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
            let flat = self.library.named_in(folder, |name| name.starts_with("agent-")).into_iter();
            paths.extend(flat.filter(|path| {
                let agent = flat_agent(&self.library.disk, path).and_then(|agent| agent.session_id);
                agent.is_some_and(|id| ids.contains(id.as_str()))
            }));
        }
        for config in configs {
            for folder in ["todos", "pre-compact-session-histories"] {
                let is_own = |name: &str| name.get(..36).is_some_and(|id| ids.contains(id));
                paths.extend(self.library.named_in(&config.join(folder), is_own));
            }
            paths.push(config.join("plans"));
        }
        paths.retain(|path| fs::symlink_metadata(path).is_ok_and(|it| it.is_file() || it.is_dir()));
        paths
    }

    /// The transcripts that the cleanup deletes within a span from now. Only their
    /// times are looked at.
    pub fn expiring_transcripts(
        self,
        now: Timestamp,
        within: SignedDuration,
    ) -> Vec<HookTranscript> {
        let mut expiring = Vec::new();
        for root in self.library.disk_roots() {
            let Some(config) = root.config() else { continue };
            let retention = read_retention(config);
            let folders =
                root.folders(&self.library.disk).map(|(folders, _)| folders).unwrap_or_default();
            let listed = folders.iter().filter_map(|folder| folder.list(&self.library.disk).ok());
            for file in listed.flat_map(|listing| listing.sessions) {
                let Some((stat, _)) = self.library.disk.find(&file.path) else { continue };
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

impl Library {
    /// What in a folder has a name that is wanted.
    fn named_in(&self, folder: &Path, is_wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
        let listed = self.disk.list(folder).unwrap_or_default().into_iter();
        let wanted = listed.filter(|entry| is_wanted(&entry.name().to_string_lossy()));
        wanted.map(|entry| entry.path).collect()
    }
}

/// The project's folder that a path lies in, as its root calls it: a transcript is
/// two names below `projects`, which itself may be reached over the person's links.
fn folder_of(root: &Root, path: &Path) -> Option<PathBuf> {
    let projects = root.projects()?;
    let real = fs::canonicalize(&projects).ok()?;
    let below = path.strip_prefix(&projects).or_else(|_| path.strip_prefix(&real)).ok()?;
    let mut parts = below.components();
    let folder = parts.next()?;
    parts.next()?;
    parts.next().is_none().then(|| projects.join(folder))
}
