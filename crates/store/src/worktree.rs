//! Finds the worktrees of a git repository, and the branch that is checked out.
//!
//! Reads git's own small files, for a folder that the person is in or names.
//! Never starts git: a repository can make it run programs.

use crate::files::Files;
use crate::session_folder::read_small;
use std::fs;
use std::path::{Path, PathBuf};

/// A repository and its worktrees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    /// The main worktree, where `.git` is a folder; for a bare repository, the
    /// repository itself.
    pub main: PathBuf,
    /// All worktrees, the main one first; a submodule has only itself.
    pub worktrees: Vec<PathBuf>,
    /// The worktree that contains the requested path.
    pub current: PathBuf,
}

/// The repository that contains a path, if any.
pub fn find_repository(path: &Path) -> Option<Repository> {
    let current = worktree_around(path)?;
    let own = own_folder(current)?;
    let common = if own == current.join(".git") { Some(own) } else { common_folder(&own) };
    let Some(common) = common else {
        // A submodule is a separate repository.
        let current = current.to_owned();
        return Some(Repository {
            main: current.clone(),
            worktrees: vec![current.clone()],
            current,
        });
    };
    // The folder around a bare repository is not its worktree.
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

/// The branch that is checked out at a path; for a detached commit, its first
/// digits.
pub fn find_branch(path: &Path) -> Option<String> {
    let own = own_folder(worktree_around(path)?)?;
    let head = read_small(&Files::disk(), &own.join("HEAD"))?;
    let head = head.trim();
    if let Some(reference) = head.strip_prefix("ref:") {
        let reference = reference.trim();
        let branch = reference.strip_prefix("refs/heads/").unwrap_or(reference);
        return (!branch.is_empty()).then(|| branch.to_owned());
    }
    let is_commit = head.len() >= 40 && head.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_commit.then(|| head[..7].to_owned())
}

/// The worktree that contains a path.
fn worktree_around(path: &Path) -> Option<&Path> {
    path.ancestors().find(|folder| fs::symlink_metadata(folder.join(".git")).is_ok())
}

/// Git's folder for a worktree: its `.git`, or the folder that this file names.
fn own_folder(worktree: &Path) -> Option<PathBuf> {
    let dot_git = worktree.join(".git");
    if dot_git.is_dir() {
        return Some(dot_git);
    }
    let text = read_small(&Files::disk(), &dot_git)?;
    Some(resolve(worktree, text.strip_prefix("gitdir:")?.trim()))
}

/// The repository's folder, from git's folder for a worktree. Worktrees name
/// it; submodules do not.
fn common_folder(own: &Path) -> Option<PathBuf> {
    let common = read_small(&Files::disk(), &own.join("commondir"))?;
    Some(resolve(own, common.trim()))
}

/// Joins a path and resolves its `..`, without using the file system.
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
