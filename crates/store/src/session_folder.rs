//! A session's folder beside its transcript, and which files may be read from
//! it.
//!
//! Transcripts name files: persisted tool output, plans, backups. Those names
//! are hints written by strangers. Only the final component is used, inside the
//! one folder such a file can be in; regular files only, links are not
//! followed.

use crate::config_files::count_files;
use crate::files::{EntryKind, Files, OpenFile, ShelfStat};
use crate::folder::StrayFile;
use jiff::Timestamp;
use std::borrow::Cow;
use std::io::Read;
use std::path::{Path, PathBuf};
use transcript::{json, parse_timestamp};

/// Sidecars are a line or two; a larger file is not one.
const SIDECAR: u64 = 64 * 1024;

/// `<folder>/<session id>/`: sub-agents, tool results, sidecars.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionFolder {
    path: PathBuf,
}

/// The content of `archived.json`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchivedSidecar {
    /// Whether the session is archived in Claude Code.
    pub archived: bool,
    /// When that was set.
    pub at: Timestamp,
}

impl SessionFolder {
    /// The names of the small files in it that a session's metadata depends on.
    pub const SIDECARS: [&'static str; 2] = ["custom-title.json", "archived.json"];

    /// The session folder at this path, if it is a real folder and not a link.
    pub fn find(files: &Files, path: PathBuf) -> Option<SessionFolder> {
        files.is_folder(&path).then_some(SessionFolder { path })
    }

    /// Wraps a path that is known to be a folder.
    pub(crate) fn known(path: PathBuf) -> SessionFolder {
        SessionFolder { path }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its session's id, which is the folder's name.
    pub fn session_id(&self) -> Cow<'_, str> {
        self.path.file_name().unwrap_or_default().to_string_lossy()
    }

    /// The title in `custom-title.json`.
    pub fn custom_title(&self, files: &Files) -> Option<String> {
        let text = read_small(files, &self.path.join("custom-title.json"))?;
        serde_json::from_str::<serde::de::IgnoredAny>(&text).ok()?;
        let title = json::decode_string(json::member(&text, "customTitle")?)?.text;
        Some(title.trim().to_owned())
    }

    /// Reads `archived.json`.
    pub fn archived(&self, files: &Files) -> Option<ArchivedSidecar> {
        let text = read_small(files, &self.path.join("archived.json"))?;
        serde_json::from_str::<serde::de::IgnoredAny>(&text).ok()?;
        let archived = match json::member(&text, "archived")? {
            "true" => true,
            "false" => false,
            _ => return None,
        };
        let at = json::decode_string(json::member(&text, "at")?)?.text;
        Some(ArchivedSidecar { archived, at: parse_timestamp(&at)? })
    }

    /// The links in it, which are not followed.
    pub fn strays(&self, files: &Files) -> Vec<StrayFile> {
        let mut strays = Vec::new();
        let mut folders = vec![self.path.clone()];
        while let Some(folder) = folders.pop() {
            for entry in files.list_real(&folder) {
                match entry.kind {
                    EntryKind::Link => strays.push(StrayFile {
                        path: entry.path,
                        reason: "a symbolic link, not followed",
                    }),
                    EntryKind::Folder => folders.push(entry.path),
                    EntryKind::File | EntryKind::Other => {}
                }
            }
        }
        strays
    }

    /// Opens the persisted tool output that a transcript names by `hint`.
    pub fn open_tool_result(&self, files: &Files, hint: &str) -> Option<OpenFile> {
        open_hinted(files, &self.path.join("tool-results"), hint)
    }

    /// The tool outputs stored beside the transcript, by name: regular files
    /// only, links are not followed.
    pub fn tool_result_files(&self, files: &Files) -> Vec<(PathBuf, ShelfStat)> {
        let listed = files.list_real(&self.path.join("tool-results")).into_iter();
        let mut outputs: Vec<_> = listed
            .filter(|entry| entry.kind == EntryKind::File)
            .filter_map(|entry| files.find(&entry.path).map(|(stat, _)| (entry.path, stat)))
            .collect();
        outputs.sort_by(|one, two| one.0.cmp(&two.0));
        outputs
    }

    /// Counts the tool outputs stored beside the transcript, and their total
    /// size.
    pub fn count_tool_results(&self, files: &Files) -> (usize, u64) {
        count_files(files, &self.path.join("tool-results"))
    }
}

/// Opens the file in `folder` that a transcript names by `hint`.
pub(crate) fn open_hinted(files: &Files, folder: &Path, hint: &str) -> Option<OpenFile> {
    // Both separators, because transcripts move between systems.
    let name = hint.rsplit(['/', '\\']).next()?;
    if matches!(name, "" | "." | "..") || name.contains('\0') {
        return None;
    }
    if !files.is_folder(folder) {
        return None;
    }
    files.open(&folder.join(name)).ok()
}

/// Reads a small regular file; `None` if it is missing, not regular, too large
/// or not UTF-8.
pub(crate) fn read_small(files: &Files, path: &Path) -> Option<String> {
    read_bounded(files, path, SIDECAR)
}

/// Reads a regular file of at most `limit` bytes.
pub(crate) fn read_bounded(files: &Files, path: &Path, limit: u64) -> Option<String> {
    let file = files.open(path).ok()?;
    if file.stat().bytes > limit {
        return None;
    }
    let mut text = String::new();
    file.take(limit).read_to_string(&mut text).ok()?;
    Some(text)
}
