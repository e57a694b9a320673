//! Files of a configuration folder that belong to sessions: plans and backups.
//!
//! Transcripts name them by slug and by file name. As everywhere, such a name
//! is only a hint: its final component is used, inside the one folder that such
//! a file can be in.

use crate::files::{EntryKind, Files, OpenFile};
use crate::session_folder::open_hinted;
use jiff::Timestamp;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The plan file that a slug names, if it exists. A slug alone does not mean
/// that there is a plan: most lines of most sessions have one.
pub fn find_plan(files: &Files, config: &Path, slug: &str) -> Option<PathBuf> {
    let folder = config.join("plans");
    open_hinted(files, &folder, &format!("{slug}.md"))?;
    // It could be opened, so the final component is a plain name.
    let name = slug.rsplit(['/', '\\']).next()?;
    Some(folder.join(format!("{name}.md")))
}

/// A file in a configuration folder's `plans`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its slug: the beginning of its file name.
    pub slug: String,
    /// The sub-agent whose plan it is.
    pub agent_id: Option<String>,
    /// When it was last modified.
    pub modified: Timestamp,
    /// Its size.
    pub bytes: u64,
}

/// Plans are written for people to read; a larger file is not a plan.
const LARGEST_PLAN: u64 = 4 * 1024 * 1024;

impl PlanFile {
    /// Its text, with invalid UTF-8 replaced.
    pub fn read(&self, files: &Files) -> io::Result<String> {
        let file = files.open(&self.path)?;
        if file.stat().bytes > LARGEST_PLAN {
            return Err(io::Error::other("too large for a plan file"));
        }
        let mut bytes = Vec::new();
        file.take(LARGEST_PLAN).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// The plan files of a configuration folder, by name: `<slug>.md`, and
/// `<slug>-agent-<id>.md` for sub-agents. Regular files only. To find one,
/// callers compare names, so that nothing in a transcript becomes a path.
pub fn plan_files(files: &Files, config: &Path) -> Vec<PlanFile> {
    let mut plans: Vec<PlanFile> = files
        .list_real(&config.join("plans"))
        .into_iter()
        .filter(|entry| entry.kind == EntryKind::File)
        .filter_map(|entry| {
            let (stat, _) = files.find(&entry.path)?;
            let stem =
                entry.name().to_str()?.strip_suffix(".md").filter(|stem| !stem.is_empty())?;
            let (slug, agent_id) = match stem.split_once("-agent-") {
                Some((slug, agent)) => (slug, Some(agent.to_owned())),
                None => (stem, None),
            };
            Some(PlanFile {
                slug: slug.to_owned(),
                agent_id,
                modified: stat.modified,
                bytes: stat.bytes,
                path: entry.path,
            })
        })
        .collect();
    plans.sort_by(|one, two| one.path.cmp(&two.path));
    plans
}

/// Opens a session's backup of a file, by the name in the transcript.
pub fn open_backup(files: &Files, config: &Path, session_id: &str, name: &str) -> Option<OpenFile> {
    crate::folder::is_session_id(session_id).then_some(())?;
    open_hinted(files, &config.join("file-history").join(session_id), name)
}

/// Counts a session's file backups, and their total size.
pub fn count_backups(files: &Files, config: &Path, session_id: &str) -> (usize, u64) {
    if !crate::folder::is_session_id(session_id) {
        return (0, 0);
    }
    count_files(files, &config.join("file-history").join(session_id))
}

/// Counts the regular files in a folder, and their total size.
pub(crate) fn count_files(files: &Files, folder: &Path) -> (usize, u64) {
    files
        .list_real(folder)
        .into_iter()
        .filter(|entry| entry.kind == EntryKind::File)
        .filter_map(|entry| files.find(&entry.path))
        .fold((0, 0), |(count, bytes), (stat, _)| (count + 1, bytes + stat.bytes))
}
