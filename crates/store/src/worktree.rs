//! Which folders are worktrees of one git repository.
//!
//! Read from git's own small files, for a folder the person is in or names.
//! Git itself is never started: a repository can make it run programs.

use crate::session_folder::read_small;
use std::fs;
use std::path::{Path, PathBuf};

/// A repository and its worktrees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    /// The main worktree: where `.git` is a folder.
    pub main: PathBuf,
    /// All worktrees, the main one first.
    pub worktrees: Vec<PathBuf>,
    /// The worktree the asked-for path lies in.
    pub current: PathBuf,
}

/// The repository a path lies in, if any.
pub fn find_repository(path: &Path) -> Option<Repository> {
    let current =
        path.ancestors().find(|folder| fs::symlink_metadata(folder.join(".git")).is_ok())?;
    let dot_git = current.join(".git");
    let common = if dot_git.is_dir() { dot_git } else { common_folder(current, &dot_git)? };
    let main = common.parent()?.to_owned();
    let mut worktrees = vec![main.clone()];
    let mut linked: Vec<_> = fs::read_dir(common.join("worktrees"))
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let dot_git = read_small(&entry.path().join("gitdir"))?;
            let dot_git = resolve(&entry.path(), dot_git.trim());
            Some(dot_git.parent()?.to_owned())
        })
        .collect();
    linked.sort();
    worktrees.extend(linked);
    Some(Repository { main, worktrees, current: current.to_owned() })
}

/// The repository's own folder, from the `.git` file of a worktree.
fn common_folder(worktree: &Path, dot_git: &Path) -> Option<PathBuf> {
    let text = read_small(dot_git)?;
    let own = resolve(worktree, text.strip_prefix("gitdir:")?.trim());
    let common = read_small(&own.join("commondir"));
    let common = common.as_deref().map_or("../..", str::trim);
    Some(resolve(&own, common))
}

/// Joins a path and takes out its `..`, without asking the file system.
fn resolve(base: &Path, path: &str) -> PathBuf {
    let mut resolved = PathBuf::new();
    for component in base.join(path).components() {
        match component {
            std::path::Component::ParentDir => {
                resolved.pop();
            }
            std::path::Component::CurDir => {}
            other => resolved.push(other),
        }
    }
    resolved
}
