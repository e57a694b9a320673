//! What counts as one project.
//!
//! A project is a repository: its worktrees, its subdirectories, and the paths
//! it had before it moved are the same project. For the current or a named
//! folder, worktrees are read from git's files; for others, only what
//! transcripts recorded is used.

use crate::catalog::Catalog;
use crate::session::Session;
use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use store::{PathCase, find_repository, is_windows_path, real_path};

/// The folders that make up a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectScope {
    /// The folders, the named one first.
    pub folders: Vec<String>,
    /// Whether only that folder itself counts, without folders below it.
    pub exact: bool,
    /// How paths are compared.
    pub case: PathCase,
    /// The project that this one narrows: what belongs here must belong there too.
    pub within: Option<Arc<ProjectScope>>,
}

impl ProjectScope {
    /// Whether a working directory belongs to the project. A recorded one can contain `..`,
    /// which would lead out of a folder that it begins with.
    pub fn holds(&self, cwd: &str) -> bool {
        self.holds_one_of(Some(cwd), &[])
    }

    /// Whether something belongs to the project by its working directory, or unless `exact`
    /// by one of the other folders that it is known by.
    pub fn holds_one_of(&self, cwd: Option<&str>, others: &[Option<&str>]) -> bool {
        let is_here = |place: &str| {
            let place = &*normalized(place);
            let rest = |folder: &String| self.case.strip_folder(folder, place);
            self.folders.iter().filter_map(rest).any(|rest| !self.exact || rest.is_empty())
        };
        let usable = others.iter().copied().flatten().filter(|_| !self.exact);
        cwd.into_iter().chain(usable).any(is_here)
            && self.within.as_ref().is_none_or(|scope| scope.holds_one_of(cwd, others))
    }

    /// Whether a session belongs to the project: by its working directory, and
    /// unless `exact`, by the repository of its worktree and the present name
    /// of its folder.
    pub fn holds_session(&self, session: &Session) -> bool {
        let others = [session.metadata.original_cwd.as_deref(), session.project.as_deref()];
        self.holds_one_of(session.metadata.cwd.as_deref(), &others)
    }

    /// What belongs to both projects; `None` if no folder can.
    fn narrowing(self, scope: Option<&ProjectScope>) -> Option<Self> {
        let Some(scope) = scope else { return Some(self) };
        let is_in = |inner: &ProjectScope, outer: &ProjectScope| {
            inner.folders.iter().any(|folder| outer.holds(folder))
        };
        let has_both = is_in(&self, scope) || is_in(scope, &self);
        has_both.then(|| ProjectScope { within: Some(Arc::new(scope.clone())), ..self })
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
        ProjectScope { folders, exact, case, within: None }
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

/// The project that a person or a program asks for.
#[derive(Clone, Copy, Debug)]
pub struct NamedProject<'n> {
    /// Its folder, its name, or a part of its path.
    pub name: &'n str,
    /// Whether only the folder itself counts, or the whole name of the last folder.
    pub exact: bool,
    /// The folder of the person who asks, if relative paths mean something to them.
    pub here: Option<&'n Path>,
    /// The project that the answer must not leave.
    pub within: Option<&'n ProjectScope>,
}

impl NamedProject<'_> {
    /// Whether it is a path; otherwise it is a name or a part of one.
    fn is_path(&self) -> bool {
        if self.name.starts_with('/') || is_windows_path(self.name) {
            return true;
        }
        self.here.is_some_and(|here| {
            let mut parts = Path::new(self.name).components();
            let is_one = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
            !is_one || here.join(self.name).is_dir()
        })
    }
}

impl Catalog {
    /// The project that is asked for: that of a path, otherwise the projects whose path
    /// contains this text, in any case of letters; with `exact`, those whose last folder has
    /// this name. `None` if no session has one, or if it is outside of the other project.
    pub fn project_of(&self, named: NamedProject<'_>) -> Option<ProjectScope> {
        if !named.is_path() {
            return self.project_named(named);
        }
        let given = match named.here {
            Some(here) if !is_windows_path(named.name) => here.join(named.name),
            _ => PathBuf::from(named.name),
        };
        let mut scope = self.project_scope(&real_path(&given), named.exact);
        // Sessions may have recorded the path of a link. Above a link, `..` leads elsewhere.
        let has_parent = given.components().any(|part| part == Component::ParentDir);
        let given = given.to_string_lossy();
        let given = normalized(given.trim_end_matches('/')).into_owned();
        if !has_parent && !given.is_empty() && !scope.folders.contains(&given) {
            scope.folders.push(given);
        }
        scope.narrowing(named.within)
    }

    fn project_named(&self, named: NamedProject<'_>) -> Option<ProjectScope> {
        let NamedProject { name, exact, within, .. } = named;
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
        let is_within =
            |session: &&Session| within.is_none_or(|scope| scope.holds_session(session));
        for session in sessions.iter().chain(&gone).filter(is_within) {
            let places = [&session.project, &session.metadata.cwd, &session.metadata.original_cwd];
            folders.extend(places.into_iter().flatten().filter(is_named).cloned());
        }
        // Of other people, only sums are here, by the keys of projects.
        for sum in
            self.stores.lake().into_iter().flat_map(|lake| &lake.sums).flat_map(|it| &it.days)
        {
            let folder = format!("/{}", sum.project);
            let is_within = within.is_none_or(|scope| scope.holds(&folder));
            folders.extend(Some(folder).filter(|folder| is_within && is_named(&folder)));
        }
        folders.sort();
        folders.dedup();
        let case = self.stores.options.path_case;
        let within = within.cloned().map(Arc::new);
        (!folders.is_empty()).then_some(ProjectScope { folders, exact, case, within })
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
            within: None,
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

    #[test]
    fn narrowed_project_never_leaves_the_other_one() {
        let scope = |folder: &str, exact| ProjectScope {
            folders: vec![folder.to_owned()],
            exact,
            case: PathCase::Exact,
            within: None,
        };
        let outer = scope("/a/b", false);
        for (folder, inside, outside) in
            [("/a/b/c", "/a/b/c/d", "/a/b"), ("/a", "/a/b", "/a/x"), ("/a/b", "/a/b/c", "/a")]
        {
            let both = scope(folder, false).narrowing(Some(&outer)).unwrap();
            assert!(both.holds(inside) && !both.holds(outside), "{folder}");
        }
        assert_eq!(scope("/x", false).narrowing(Some(&outer)), None);
        assert_eq!(scope("/a", true).narrowing(Some(&outer)), None);
        // A worktree is of its repository, wherever it is.
        let both = scope("/wt", false).narrowing(Some(&outer));
        assert_eq!(both, None);
        let both = ProjectScope { within: Some(Arc::new(outer)), ..scope("/wt", false) };
        assert!(both.holds_one_of(Some("/wt/x"), &[Some("/a/b")]));
        assert!(!both.holds("/wt/x"));
    }
}
