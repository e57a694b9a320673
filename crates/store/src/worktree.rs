//! Which folders are worktrees of one git repository.
//!
//! Read from git's own small files, for a folder the person is in or names.
//! Git itself is never started: a repository can make it run programs.

use crate::files::Files;
use crate::session_folder::read_small;
use std::fs;
use std::path::{Path, PathBuf};

/// A repository and its worktrees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    /// The main worktree: where `.git` is a folder; of a bare repository, that
    /// repository itself.
    pub main: PathBuf,
    /// All worktrees, the main one first; only itself for a submodule.
    pub worktrees: Vec<PathBuf>,
    /// The worktree the asked-for path lies in.
    pub current: PathBuf,
}

/// The repository a path lies in, if any.
pub fn find_repository(path: &Path) -> Option<Repository> {
    let current =
        path.ancestors().find(|folder| fs::symlink_metadata(folder.join(".git")).is_ok())?;
    let dot_git = current.join(".git");
    let common = if dot_git.is_dir() {
        Some(dot_git)
    } else {
        let text = read_small(&Files::disk(), &dot_git)?;
        common_folder(&resolve(current, text.strip_prefix("gitdir:")?.trim()))
    };
    let Some(common) = common else {
        // A submodule: a repository by itself.
        let current = current.to_owned();
        return Some(Repository {
            main: current.clone(),
            worktrees: vec![current.clone()],
            current,
        });
    };
    // What lies around a bare repository is not its own.
    let is_bare = common.file_name().is_none_or(|name| name != ".git");
    let main = if is_bare { common.clone() } else { common.parent()?.to_owned() };
    let mut worktrees = if is_bare { Vec::new() } else { vec![main.clone()] };
    let mut linked: Vec<_> = fs::read_dir(common.join("worktrees"))
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let dot_git = read_small(&Files::disk(), &entry.path().join("gitdir"))?;
            let dot_git = resolve(&entry.path(), dot_git.trim());
            Some(dot_git.parent()?.to_owned())
        })
        .collect();
    linked.sort();
    worktrees.extend(linked);
    Some(Repository { main, worktrees, current: current.to_owned() })
}

/// The repository's own folder, from the folder it keeps for a worktree. Only
/// worktrees say so; submodules do not.
fn common_folder(own: &Path) -> Option<PathBuf> {
    let common = read_small(&Files::disk(), &own.join("commondir"))?;
    Some(resolve(own, common.trim()))
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
