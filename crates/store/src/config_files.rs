//! Files of a configuration folder that belong to sessions: plans and backups.
//!
//! Transcripts name them by slug and by file name. As everywhere, a name is a
//! hint: of it only the final component is used, inside the one folder such a
//! file can lie in.

use crate::files::{EntryKind, Files, OpenFile};
use crate::session_folder::open_hinted;
use jiff::Timestamp;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The plan file a slug names, if there is one. A slug alone does not make a
/// plan: it stands on most lines of most sessions.
pub fn find_plan(files: &Files, config: &Path, slug: &str) -> Option<PathBuf> {
    let folder = config.join("plans");
    open_hinted(files, &folder, &format!("{slug}.md"))?;
    // OpenFile, so the final component is a plain name.
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
    /// Its size.
    pub bytes: u64,
}

/// A plan is something a person reads; more is none.
const LARGEST_PLAN: u64 = 4 * 1024 * 1024;

impl PlanFile {
    /// Its text. What is not UTF-8 in it is replaced.
    pub fn read(&self, files: &Files) -> io::Result<String> {
        let file = files.open(&self.path)?;
        if file.stat().bytes > LARGEST_PLAN {
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

/// Opens the backup of a file that a transcript names, for a session.
pub fn open_backup(files: &Files, config: &Path, session_id: &str, name: &str) -> Option<OpenFile> {
    crate::folder::is_session_id(session_id).then_some(())?;
    open_hinted(files, &config.join("file-history").join(session_id), name)
}

/// File backups of a session: how many, and how large.
pub fn count_backups(files: &Files, config: &Path, session_id: &str) -> (usize, u64) {
    if !crate::folder::is_session_id(session_id) {
        return (0, 0);
    }
    count_files(files, &config.join("file-history").join(session_id))
}

/// The regular files in a folder: how many, and how large together.
pub(crate) fn count_files(files: &Files, folder: &Path) -> (usize, u64) {
    files
        .list_real(folder)
        .into_iter()
        .filter(|entry| entry.kind == EntryKind::File)
        .filter_map(|entry| files.find(&entry.path))
        .fold((0, 0), |(count, bytes), (stat, _)| (count + 1, bytes + stat.bytes))
}
