//! Finds the project folder of a path.
//!
//! The folder's name is computed, so the number of other projects does not
//! matter. Names that cannot be computed are searched for, and confirmed
//! through the working directory recorded in a transcript: names of long paths
//! (whose hash differed between versions) and of Windows paths (whose case
//! varies).

use crate::encode::{dashed, folder_name, is_long, is_windows_path, long_prefix};
use crate::files::Files;
use crate::folder::{Folder, SessionFile};
use crate::needles;
use crate::platform::{normalized, open_regular};
use crate::raw_text::first_string;
use crate::worktree::find_repository;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// How a project folder matches a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchKind {
    /// The path's own folder name.
    Exact,
    /// The prefix of its long name, confirmed by a recorded working directory.
    Prefix,
    /// The folder name of a parent of the path.
    Parent,
    /// The folder name of another worktree of its repository.
    Worktree,
}

impl MatchKind {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            MatchKind::Exact => "exact",
            MatchKind::Prefix => "prefix",
            MatchKind::Parent => "parent",
            MatchKind::Worktree => "worktree",
        }
    }
}

/// A project folder found for a path.
#[derive(Clone, Debug)]
pub struct ProjectMatch {
    /// The folder.
    pub folder: Folder,
    /// How it was found.
    pub how: MatchKind,
    /// The path that the folder belongs to: the one asked for, a parent, or
    /// another worktree.
    pub path: PathBuf,
    /// The sessions in it that belong to that path, newest first.
    pub sessions: Vec<SessionFile>,
    /// Other working directories recorded in the same folder.
    pub others: Vec<String>,
    /// Whether a transcript in it records exactly that path.
    pub is_confirmed: bool,
}

/// A search for the project folder of a path.
#[derive(Clone, Copy, Debug)]
pub struct ProjectLookup<'a> {
    /// The `projects` folder to look in.
    pub projects: &'a Path,
    /// The name that `CLAUDE_CODE_PROJECT_DIR_NAME` gives the project, if it
    /// applies to the path.
    pub name: Option<&'a str>,
}

impl ProjectLookup<'_> {
    /// Finds the folder of `path`: its own, that of another worktree of its
    /// repository, or that of its nearest parent.
    pub fn find(&self, path: &Path) -> Option<ProjectMatch> {
        if let Some(name) = self.name.filter(|name| is_override(name))
            && let Some(found) = self.open(name, path, MatchKind::Exact)
        {
            return Some(found);
        }
        if let Some(found) = self.find_exact(path) {
            return Some(found);
        }
        let repository = find_repository(path);
        let within = repository.as_ref().map(|repository| repository.current.clone());
        let beside = repository.into_iter().flat_map(|repository| repository.worktrees);
        let beside = beside.filter(|worktree| Some(worktree) != within.as_ref());
        // A parent within the same worktree is nearer than another worktree.
        let (near, far): (Vec<_>, Vec<_>) = ancestors(path)
            .into_iter()
            .partition(|above| within.as_ref().is_some_and(|within| above.starts_with(within)));
        near.into_iter()
            .map(|path| (path, MatchKind::Parent))
            .chain(beside.map(|path| (path, MatchKind::Worktree)))
            .chain(far.into_iter().map(|path| (path, MatchKind::Parent)))
            .find_map(|(path, how)| {
                self.find_exact(&path).map(|found| ProjectMatch { how, ..found })
            })
    }

    /// The folder of exactly this path.
    fn find_exact(&self, path: &Path) -> Option<ProjectMatch> {
        let text = normalized(&path.to_string_lossy());
        if text.is_empty() {
            return None;
        }
        if let Some(found) = self.open(&folder_name(&text), path, MatchKind::Exact) {
            return Some(found);
        }
        if is_long(&text) {
            let (prefix, uncapped) = (long_prefix(&text), dashed(&text));
            let fits = |name: &str| name.starts_with(&prefix) || name == uncapped;
            return self.search(fits, path, MatchKind::Prefix);
        }
        if is_windows_path(&text) {
            let name = folder_name(&text);
            return self.search(|other| other.eq_ignore_ascii_case(&name), path, MatchKind::Exact);
        }
        None
    }

    fn search(
        &self,
        fits: impl Fn(&str) -> bool,
        path: &Path,
        how: MatchKind,
    ) -> Option<ProjectMatch> {
        let mut names: Vec<_> = fs::read_dir(self.projects)
            .ok()?
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| fits(name))
            .collect();
        names.sort();
        names.into_iter().find_map(|name| {
            // Another long path may have the same prefix: only a recorded one
            // confirms.
            self.open(&name, path, how)
                .filter(|found| how != MatchKind::Prefix || found.is_confirmed)
        })
    }

    /// Opens a folder by name, if sessions in it can belong to `path`.
    fn open(&self, name: &str, path: &Path, how: MatchKind) -> Option<ProjectMatch> {
        let folder = Folder::new(self.projects.join(name));
        if !fs::symlink_metadata(&folder.path).ok()?.is_dir() {
            return None;
        }
        let mut sessions = Vec::new();
        let mut others = Vec::new();
        let mut is_confirmed = false;
        for session in folder.list(&Files::disk()).ok()?.sessions {
            let Ok((file, stat)) = open_regular(&session.path) else { continue };
            if stat.bytes == 0 {
                continue;
            }
            let mut head = Vec::new();
            if file.take(16 * 1024).read_to_end(&mut head).is_err() {
                continue;
            }
            match first_string(&head, &needles::CWD) {
                Some(cwd) if is_other_project(&cwd, path, name, how) => {
                    if !others.contains(&cwd) {
                        others.push(cwd);
                    }
                }
                cwd => {
                    is_confirmed |= cwd.is_some_and(|cwd| is_same_path(&cwd, path));
                    sessions.push((stat.modified, session));
                }
            }
        }
        // It has only sessions of another path with the same folder name.
        if sessions.is_empty() && !others.is_empty() {
            return None;
        }
        sessions.sort_by(|one, two| (two.0, &two.1.id).cmp(&(one.0, &one.1.id)));
        let sessions = sessions.into_iter().map(|(_, session)| session).collect();
        Some(ProjectMatch { folder, how, path: path.to_owned(), sessions, others, is_confirmed })
    }
}

/// Whether a recorded working directory is another path that merely shares this
/// folder's name. If its own folder name would be different, the session
/// started elsewhere or the folder was moved, and it belongs here.
fn is_other_project(cwd: &str, path: &Path, name: &str, how: MatchKind) -> bool {
    if is_same_path(cwd, path) {
        return false;
    }
    match how {
        // The hash after the prefix is unknown.
        MatchKind::Prefix => true,
        _ => folder_name(cwd).eq_ignore_ascii_case(name),
    }
}

fn is_same_path(cwd: &str, path: &Path) -> bool {
    let path = normalized(&path.to_string_lossy());
    if is_windows_path(&path) { cwd.eq_ignore_ascii_case(&path) } else { cwd == path }
}

/// The parents of a path, nearest first. A Windows path is split at its own
/// separators, on any system.
fn ancestors(path: &Path) -> Vec<PathBuf> {
    let text = path.to_string_lossy();
    if !is_windows_path(&text) {
        return path.ancestors().skip(1).map(Path::to_owned).collect();
    }
    let mut rest: &str = &text;
    let mut folders = Vec::new();
    while let Some(at) = rest.rfind(['\\', '/']) {
        rest = &rest[..at];
        folders.push(PathBuf::from(rest));
    }
    folders
}

/// Whether Claude Code accepts this folder name from its environment.
fn is_override(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}
