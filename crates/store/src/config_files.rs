//! Files of a configuration folder that belong to sessions: plans and backups.
//!
//! Transcripts name them by slug and by file name. As everywhere, a name is a
//! hint: of it only the final component is used, inside the one folder such a
//! file can lie in.

use crate::platform::{FileStat, open_regular, real_folder};
use crate::session_folder::open_hinted;
use jiff::Timestamp;
use std::fs::{self, File};
use std::io::{self, Read as _};
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

/// A file in a configuration folder's `plans`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its slug: what its name begins with.
    pub slug: String,
    /// The sub-agent whose plan it is.
    pub agent_id: Option<String>,
    /// When it was last modified.
    pub modified: Timestamp,
}

/// A plan is something a person reads; more is none.
const LARGEST_PLAN: u64 = 4 * 1024 * 1024;

impl PlanFile {
    /// Its text. What is not UTF-8 in it is replaced.
    pub fn read(&self) -> io::Result<String> {
        let (file, stat) = open_regular(&self.path)?;
        if stat.bytes > LARGEST_PLAN {
            return Err(io::Error::other("it is too large for a plan"));
        }
        let mut bytes = Vec::new();
        file.take(LARGEST_PLAN).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// The plan files of a configuration folder, by name: `<slug>.md`, and
/// `<slug>-agent-<id>.md` for sub-agents. Regular files only. Whoever looks for
/// one compares names, so that nothing a transcript says becomes a path.
pub fn plan_files(config: &Path) -> Vec<PlanFile> {
    let mut files: Vec<PlanFile> = real_folder(&config.join("plans"))
        .filter_map(|entry| {
            let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            let name = entry.file_name();
            let stem = name.to_str()?.strip_suffix(".md").filter(|stem| !stem.is_empty())?;
            let (slug, agent_id) = match stem.split_once("-agent-") {
                Some((slug, agent)) => (slug, Some(agent.to_owned())),
                None => (stem, None),
            };
            Some(PlanFile {
                path: entry.path(),
                slug: slug.to_owned(),
                agent_id,
                modified: FileStat::of(&metadata).modified,
            })
        })
        .collect();
    files.sort_by(|one, two| one.path.cmp(&two.path));
    files
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
