//! Files of a configuration folder that belong to sessions: plans and backups.
//!
//! Transcripts name them by slug and by file name. As everywhere, a name is a
//! hint: of it only the final component is used, inside the one folder such a
//! file can lie in.

use crate::platform::real_folder;
use crate::session_folder::open_hinted;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// The plan file a slug names, if there is one. A slug alone does not make a
/// plan: it stands on most lines of most sessions.
pub fn find_plan(config: &Path, slug: &str) -> Option<PathBuf> {
    let folder = config.join("plans");
    open_hinted(&folder, &format!("{slug}.md"))?;
    // Opened, so the final component is a plain name.
    let name = slug.rsplit(['/', '\\']).next()?;
    Some(folder.join(format!("{name}.md")))
}

/// Opens the backup of a file that a transcript names, for a session.
pub fn open_backup(config: &Path, session_id: &str, name: &str) -> Option<File> {
    crate::folder::is_session_id(session_id).then_some(())?;
    open_hinted(&config.join("file-history").join(session_id), name)
}

/// File backups of a session: how many, and how large.
pub fn backups(config: &Path, session_id: &str) -> (usize, u64) {
    if !crate::folder::is_session_id(session_id) {
        return (0, 0);
    }
    count_files(&config.join("file-history").join(session_id))
}

/// The regular files in a folder: how many, and how large together.
pub(crate) fn count_files(folder: &Path) -> (usize, u64) {
    real_folder(folder)
        .filter_map(|entry| entry.metadata().ok())
        .filter(fs::Metadata::is_file)
        .fold((0, 0), |(count, bytes), metadata| (count + 1, bytes + metadata.len()))
}
