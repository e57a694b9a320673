//! The present path of a recorded one, and which paths a pattern matches.
//!
//! A file keeps its history when its project moves (aliases, and `moved`
//! options), and is one file in all worktrees of its repository. Worktrees are
//! known from git's files, for the current and named folders; from what a
//! session records; and by the folder in which the app creates them. This
//! module compares strings only: it opens no path.

use crate::files::TouchedFiles;
use std::path::Path;
use store::{PathCase, find_repository, is_windows_path};

/// Where the app creates worktrees, below the repository.
const OWN_WORKTREES: &str = "/.claude/worktrees/";

/// Folders or files whose paths have changed.
#[derive(Clone, Debug, Default)]
pub struct FileLocations {
    /// Moves: (old, new); the first that matches counts.
    moved: Vec<(String, String)>,
    /// Worktrees, each with the main one.
    worktrees: Vec<(String, String)>,
    /// How paths are compared.
    case: PathCase,
}

impl TouchedFiles {
    /// All known moves: those that the user gives, the configured aliases, and
    /// the worktrees of the repositories of these folders.
    pub fn locations(&self, moved: &[(String, String)], folders: &[&Path]) -> FileLocations {
        let moved = moved.iter().chain(&self.stores.options.aliases).cloned().collect();
        let mut worktrees = Vec::new();
        for repository in folders.iter().filter_map(|folder| find_repository(folder)) {
            let mut all = repository.worktrees.iter().map(|path| path.to_string_lossy());
            let Some(main) = all.next() else { continue };
            worktrees.extend(all.map(|path| (path.into_owned(), main.clone().into_owned())));
        }
        FileLocations { moved, worktrees, case: self.stores.options.path_case }
    }
}

impl FileLocations {
    /// The present path of a recorded one. `own` are worktrees that the
    /// recording session mentions.
    pub(crate) fn current_path(
        &self,
        path: &str,
        cwd: Option<&str>,
        own: &[(String, String)],
    ) -> String {
        let path = tidy(&absolute(path, cwd));
        let path = self.renamed(&self.moved, &path).unwrap_or(path);
        let main = in_repository(&path)
            .or_else(|| self.renamed(&self.worktrees, &path))
            .or_else(|| self.renamed(own, &path));
        // The repository itself may have moved.
        main.map_or(path, |main| self.renamed(&self.moved, &main).unwrap_or(main))
    }

    /// A path under the new name of the first of these places that contains it.
    fn renamed(&self, places: &[(String, String)], path: &str) -> Option<String> {
        places.iter().find_map(|(then, now)| {
            let rest = self.case.strip_folder(then, path)?;
            Some(format!("{}{rest}", now.trim_end_matches(['/', '\\'])))
        })
    }

    /// The pattern for a path that the user typed: the file of that name in the
    /// current folder, or, unless the path is absolute, any path that ends with
    /// it.
    pub fn pattern(&self, path: &str, here: &Path) -> FilePattern {
        let is_absolute = is_absolute_path(path);
        let absolute = absolute(path, here.to_str());
        let mut exact = vec![self.current_path(&absolute, None, &[])];
        if !is_windows_path(&absolute)
            && let Ok(real) = std::fs::canonicalize(&absolute)
        {
            exact.push(self.current_path(&real.to_string_lossy(), None, &[]));
        }
        let ending = tidy(path);
        let ending = (!is_absolute && !ending.starts_with("..")).then_some(ending);
        FilePattern { exact, ending }
    }

    /// The names under which a file may have been recorded: its present one,
    /// and those from before it was renamed.
    pub(crate) fn names(&self, wanted: &FilePattern) -> Vec<String> {
        let own = wanted.exact.iter().chain(&wanted.ending);
        let mut names: Vec<String> = own.filter_map(|path| Some(last(path)?.to_owned())).collect();
        for (then, now) in &self.moved {
            if last(now).is_some_and(|now| names.iter().any(|name| name == now)) {
                names.extend(last(then).map(str::to_owned));
            }
        }
        names.sort();
        names.dedup();
        names
    }
}

/// The file, or files, that the user named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePattern {
    /// The full paths it may have.
    exact: Vec<String>,
    /// The end of its path.
    ending: Option<String>,
}

impl FilePattern {
    /// The name of the file.
    pub fn name(&self) -> &str {
        self.exact.first().map(String::as_str).unwrap_or_default()
    }

    /// Whether a path is exactly this file.
    pub(crate) fn is_exactly(&self, path: &str) -> bool {
        self.exact.iter().any(|exact| exact == path)
    }

    /// The paths that match: only the exact file if it is among them.
    pub fn choose<'p>(&self, paths: impl Iterator<Item = &'p str> + Clone) -> Vec<&'p str> {
        let exact = paths.clone().filter(|path| self.is_exactly(path));
        let mut chosen: Vec<&str> = exact.collect();
        if chosen.is_empty()
            && let Some(ending) = &self.ending
        {
            chosen = paths.filter(|path| ends_with(path, ending)).collect();
        }
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    }
}

/// Whether a path is absolute, on this or another platform.
pub fn is_absolute_path(path: &str) -> bool {
    Path::new(path).is_absolute() || is_windows_path(path)
}

/// The last component of a path.
pub(crate) fn last(path: &str) -> Option<&str> {
    components(path).next_back()
}

fn components(path: &str) -> impl DoubleEndedIterator<Item = &str> {
    let is_windows = is_windows_path(path);
    let separates = move |character| character == '/' || (is_windows && character == '\\');
    path.split(separates).filter(|part| !part.is_empty())
}

/// Whether a path ends with another, component by component.
fn ends_with(path: &str, ending: &str) -> bool {
    let mut path = components(path).rev();
    let mut ending = ending.split(['/', '\\']).rev().filter(|part| !part.is_empty()).peekable();
    ending.peek().is_some() && ending.all(|part| path.next() == Some(part))
}

fn absolute(path: &str, cwd: Option<&str>) -> String {
    if path.starts_with('/') || is_windows_path(path) {
        return path.to_owned();
    }
    match cwd {
        Some(cwd) => format!("{}/{path}", cwd.trim_end_matches('/')),
        None => path.to_owned(),
    }
}

/// A path without `.`, `..` and empty components.
fn tidy(path: &str) -> String {
    let is_absolute = path.starts_with('/');
    let separator = if is_windows_path(path) { "\\" } else { "/" };
    let mut parts: Vec<&str> = Vec::new();
    for part in components(path) {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            ".." if is_absolute => {}
            part => parts.push(part),
        }
    }
    let tidy = parts.join(separator);
    // A share of a server begins with two backslashes.
    let is_share = path.starts_with(r"\\");
    match (is_absolute, is_share) {
        (true, _) => format!("/{tidy}"),
        (false, true) => format!(r"\\{tidy}"),
        (false, false) => tidy,
    }
}

/// The path in the repository of a file in one of the app's worktrees.
fn in_repository(path: &str) -> Option<String> {
    let (repository, rest) = path.split_once(OWN_WORKTREES)?;
    let (_, rest) = rest.split_once('/')?;
    (!repository.is_empty()).then(|| format!("{repository}/{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(one, two)| ((*one).to_owned(), (*two).to_owned())).collect()
    }

    #[test]
    fn recorded_path_becomes_the_present_path() {
        let places = FileLocations {
            moved: pairs(&[
                ("/old/tidepool", "/new/tidepool"),
                ("/new/tidepool/a.rs", "/new/b.rs"),
            ]),
            worktrees: pairs(&[("/wt/feature", "/new/tidepool")]),
            case: PathCase::Exact,
        };
        let own = pairs(&[("/tmp/tree", "/old/tidepool")]);
        let table = [
            ("/new/tidepool/src/x.rs", None, "/new/tidepool/src/x.rs"),
            ("/old/tidepool/src/x.rs", None, "/new/tidepool/src/x.rs"),
            ("/old/tidepool2/x.rs", None, "/old/tidepool2/x.rs"),
            ("/wt/feature/src/x.rs", None, "/new/tidepool/src/x.rs"),
            ("/tmp/tree/x.rs", None, "/new/tidepool/x.rs"),
            ("/old/tidepool/.claude/worktrees/w/x.rs", None, "/new/tidepool/x.rs"),
            ("/r/.claude/worktrees/w/x.rs", None, "/r/x.rs"),
            ("/r/.claude/worktrees/x.rs", None, "/r/.claude/worktrees/x.rs"),
            ("/new/tidepool/a.rs", None, "/new/b.rs"),
            ("src/./../x.rs", Some("/old/tidepool/"), "/new/tidepool/x.rs"),
            ("../x.rs", Some("/"), "/x.rs"),
            ("x.rs", None, "x.rs"),
            (r"C:\p\x.rs", Some("/home"), r"C:\p\x.rs"),
            (r"src\x.rs", Some(r"C:\p"), r"C:\p\src\x.rs"),
            ("../x.rs", Some(r"C:\p\src"), r"C:\p\x.rs"),
            (r"\\server\share\.\x.rs", None, r"\\server\share\x.rs"),
        ];
        for (path, cwd, expected) in table {
            assert_eq!(places.current_path(path, cwd, &own), expected, "{path}");
        }
    }

    #[test]
    fn path_matches_the_exact_file_or_else_all_with_that_ending() {
        let all = ["/a/src/main.rs", "/b/src/main.rs", "/b/xsrc/main.rs", r"C:\p\src\main.rs"];
        let table: [(&str, &[&str]); 7] = [
            ("/a/src/main.rs", &["/a/src/main.rs"]),
            ("/c/src/main.rs", &[]),
            ("src/main.rs", &["/a/src/main.rs"]),
            (
                "./main.rs",
                &["/a/src/main.rs", "/b/src/main.rs", "/b/xsrc/main.rs", r"C:\p\src\main.rs"],
            ),
            ("b/src/main.rs", &["/b/src/main.rs"]),
            ("../src/main.rs", &[]),
            ("main", &[]),
        ];
        for (path, expected) in table {
            let wanted = FileLocations::default().pattern(path, Path::new("/a"));
            assert_eq!(wanted.choose(all.iter().copied()), expected, "{path}");
        }
    }

    #[test]
    fn renamed_file_is_searched_under_both_names() {
        let places = FileLocations {
            moved: pairs(&[("/p/old.rs", "/p/new.rs")]),
            ..FileLocations::default()
        };
        let wanted = places.pattern("/p/new.rs", Path::new("/"));
        assert_eq!(places.names(&wanted), ["new.rs", "old.rs"]);
    }
}
