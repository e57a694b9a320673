//! What counts as one project.
//!
//! A project is a repository: its worktrees, its subdirectories, and the paths
//! it had before it moved are the same project. For the current or a named
//! folder, worktrees are read from git's files; for others, only what
//! transcripts recorded is used.

use crate::catalog::Catalog;
use crate::session::Session;
use std::borrow::Cow;
use std::path::Path;
use store::{PathCase, find_repository, is_windows_path};

/// The folders that make up a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectScope {
    /// The folders, the named one first.
    pub folders: Vec<String>,
    /// Whether only that folder itself counts, without folders below it.
    pub exact: bool,
    /// How paths are compared.
    pub case: PathCase,
}

impl ProjectScope {
    /// Whether a working directory belongs to the project. A recorded one can contain `..`,
    /// which would lead out of a folder that it begins with.
    pub fn holds(&self, cwd: &str) -> bool {
        let cwd = &*normalized(cwd);
        let rest = |folder: &String| self.case.strip_folder(folder, cwd);
        self.folders.iter().filter_map(rest).any(|rest| !self.exact || rest.is_empty())
    }
}

impl ProjectScope {
    /// Whether a session belongs to the project: by its working directory, and
    /// unless `exact`, by the repository of its worktree and the present name
    /// of its folder.
    pub fn holds_session(&self, session: &Session) -> bool {
        let cwd = session.metadata.cwd.as_ref();
        let others = [session.metadata.original_cwd.as_ref(), session.project.as_ref()];
        let others = others.into_iter().flatten().filter(|_| !self.exact);
        cwd.into_iter().chain(others).any(|place| self.holds(place))
    }
}

impl Catalog {
    /// The project of the current folder or of one that the user named.
    pub fn project_scope(&self, folder: &Path, exact: bool) -> ProjectScope {
        let case = self.stores.options.path_case;
        let named = normalized(&folder.to_string_lossy()).into_owned();
        let mut folders = vec![named.clone()];
        if !exact {
            if let Some(repository) = find_repository(folder) {
                folders.extend(
                    repository.worktrees.iter().map(|path| path.to_string_lossy().into_owned()),
                );
            }
            for (then, now) in &self.stores.options.aliases {
                let is_below = |folder, path| case.strip_folder(folder, path).is_some();
                if is_below(now, &named) || is_below(&named, now) {
                    folders.push(then.clone());
                }
            }
        }
        let mut seen = std::collections::HashSet::new();
        folders.retain(|folder| seen.insert(folder.clone()));
        ProjectScope { folders, exact, case }
    }
}

/// The path without `.` and `..`, computed from its text alone: no path that a transcript
/// names is opened.
fn normalized(path: &str) -> Cow<'_, str> {
    let separators: &[char] = if is_windows_path(path) { &['/', '\\'] } else { &['/'] };
    if !path.split(separators).any(|part| matches!(part, "." | "..")) {
        return Cow::Borrowed(path);
    }
    let separator = if path.starts_with('/') { "/" } else { "\\" };
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split(separators) {
        match part {
            // The first part is the root or a drive, which has no folder above it.
            ".." if parts.len() > 1 => {
                parts.pop();
            }
            "." | ".." => {}
            part => parts.push(part),
        }
    }
    match parts.as_slice() {
        [""] => Cow::Borrowed("/"),
        _ => Cow::Owned(parts.join(separator)),
    }
}

impl Catalog {
    /// The projects whose path contains this text, in any case of letters; with `exact`,
    /// those whose last folder has this name. `None` if no session has one.
    pub fn project_named(&self, name: &str, exact: bool) -> Option<ProjectScope> {
        let wanted = name.to_lowercase();
        let is_named = |path: &&String| {
            let path = path.to_lowercase();
            if exact {
                path.rsplit(['/', '\\']).next() == Some(&wanted)
            } else {
                path.contains(&wanted)
            }
        };
        let sessions = self.all_sessions().sessions;
        let (gone, _) = self.deleted_from_disk();
        let mut folders: Vec<String> = Vec::new();
        for session in sessions.iter().chain(&gone) {
            let places = [&session.project, &session.metadata.cwd, &session.metadata.original_cwd];
            folders.extend(places.into_iter().flatten().filter(is_named).cloned());
        }
        // Of other people, only sums are here, by the keys of projects.
        for sum in
            self.stores.lake().into_iter().flat_map(|lake| &lake.sums).flat_map(|it| &it.days)
        {
            let folder = format!("/{}", sum.project);
            folders.extend(Some(folder).filter(|folder| is_named(&folder)));
        }
        folders.sort();
        folders.dedup();
        let case = self.stores.options.path_case;
        (!folders.is_empty()).then_some(ProjectScope { folders, exact, case })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn project_includes_paths_below_its_folder() {
        let scope = |folder: &str, exact| ProjectScope {
            folders: vec![folder.to_owned()],
            exact,
            case: PathCase::Exact,
        };
        let tidepool = scope("/a/b", false);
        for (cwd, expected) in [
            ("/a/b/../secret", false),
            ("/a/b/c/../../../etc", false),
            ("/a/b/..", false),
            ("/a/b/./c", true),
            ("/a/b/c/..", true),
            ("/x/../a/b", true),
            ("/../a/b/c", true),
            ("/a/b/..c", true),
        ] {
            assert_eq!(tidepool.holds(cwd), expected, "{cwd}");
        }
        let windows = scope(r"C:\a\b", false);
        assert!(windows.holds(r"C:\a\x\..\b") && !windows.holds(r"C:\a\b\../c"));
        let exact = scope("/a/b", true);
        assert!(exact.holds("/a/b") && !exact.holds("/a/b/c"));
        let folded = ProjectScope { case: PathCase::Folded, ..scope("/Users/me/Proj", false) };
        assert!(folded.holds("/users/me/proj/src") && !folded.holds("/users/me/proj/../other"));
    }
}
