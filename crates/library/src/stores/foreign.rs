//! Transcripts outside `projects/`: those of other tools, copies from before a compaction, and a
//! transcript that is itself a root.

use crate::session::UnlistedReason;
use std::path::{Path, PathBuf};
use store::{EntryKind, Files, Folder, SessionFile, is_session_id};

/// The kinds of transcripts outside `projects/`.
pub(crate) const FOREIGN: [UnlistedReason; 2] =
    [UnlistedReason::Foreign, UnlistedReason::PreCompactCopy];

/// The folder of the transcripts outside `projects/`.
pub(crate) fn foreign_folder(config: &Path, unlisted: UnlistedReason) -> Folder {
    Folder::new(config.join(match unlisted {
        UnlistedReason::PreCompactCopy => "pre-compact-session-histories",
        _ => "transcripts",
    }))
}

/// The transcripts outside `projects/`, with their sessions. A folder that is a
/// link is not read.
pub(crate) fn foreign_transcripts(
    files: &Files,
    config: &Path,
    unlisted: UnlistedReason,
) -> Vec<(String, PathBuf)> {
    let folder = foreign_folder(config, unlisted);
    if folder.path.is_symlink() {
        // Listed anyway, so that a record of listed folders shows when a real
        // folder replaces the link.
        let _ = files.list(&folder.path);
        return Vec::new();
    }
    let named = transcripts_in(files, &folder.path).into_iter().map(|path| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let id = match unlisted {
            UnlistedReason::PreCompactCopy => copied_id(&stem).to_owned(),
            _ => stem.into_owned(),
        };
        (id, path)
    });
    named.collect()
}

/// The session of a copy, from its name `<id>-<date>-<time>`.
fn copied_id(stem: &str) -> &str {
    stem.get(..36).filter(|id| is_session_id(id)).unwrap_or(stem)
}

/// The pre-compaction copies, with their sessions.
pub(crate) fn all_pre_compact_copies(files: &Files, config: &Path) -> Vec<(String, PathBuf)> {
    foreign_transcripts(files, config, UnlistedReason::PreCompactCopy)
}

/// The pre-compaction copies of a session.
pub(crate) fn pre_compact_copies(files: &Files, config: &Path, id: &str) -> Vec<PathBuf> {
    let copies = all_pre_compact_copies(files, config).into_iter();
    copies.filter(|(own, _)| own == id).map(|(_, path)| path).collect()
}

/// The session of a transcript that is itself a root.
pub(crate) fn single(files: &Files, path: &Path) -> Option<SessionFile> {
    let id = path.file_stem()?.to_string_lossy().into_owned();
    let folder = store::SessionFolder::find(files, path.with_extension(""));
    Some(SessionFile {
        id,
        path: path.to_owned(),
        folder,
        is_archive_only: files.is_archive_only(path),
    })
}

fn transcripts_in(files: &Files, folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = files
        .list(folder)
        .unwrap_or_default()
        .into_iter()
        .filter(|entry| entry.kind == EntryKind::File)
        .map(|entry| entry.path)
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    paths.sort();
    paths
}
