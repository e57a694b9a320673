//! Whether two spellings of a path name the same folder.
//!
//! Folders that exist are compared by their real paths. This is for folders that are gone, and
//! for paths that other systems recorded: only their text is left.

use crate::is_windows_path;

/// How paths of this system are compared. Windows paths, which come from data, are always
/// compared as Windows does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathCase {
    /// Upper and lower case are different.
    Exact,
    /// Upper and lower case are the same, as file systems of macOS usually have it.
    Folded,
}

impl Default for PathCase {
    /// The usual comparison of this system.
    fn default() -> Self {
        if cfg!(target_os = "macos") { PathCase::Folded } else { PathCase::Exact }
    }
}

impl PathCase {
    /// The rest of `path` after `folder`, if `path` is that folder or lies below it.
    pub fn strip_folder<'a>(self, folder: &str, path: &'a str) -> Option<&'a str> {
        const SEPARATORS: [char; 2] = ['/', '\\'];
        let is_windows = is_windows_path(folder);
        let folder = folder.trim_end_matches(SEPARATORS);
        let rest = if is_windows || self == PathCase::Folded {
            strip(folder, path, |one, two| {
                let are_separators = SEPARATORS.contains(&one) && SEPARATORS.contains(&two);
                one.to_lowercase().eq(two.to_lowercase()) || (is_windows && are_separators)
            })?
        } else {
            path.strip_prefix(folder)?
        };
        (rest.is_empty() || rest.starts_with(SEPARATORS)).then_some(rest)
    }
}

/// The rest of `path` after characters that match those of `folder`.
fn strip<'a>(folder: &str, path: &'a str, matches: impl Fn(char, char) -> bool) -> Option<&'a str> {
    let mut rest = path.chars();
    let is_below = folder.chars().all(|one| rest.next().is_some_and(|two| matches(one, two)));
    is_below.then_some(rest.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_below_a_folder_is_found_as_its_system_compares_paths() {
        use PathCase::{Exact, Folded};
        let table = [
            (Exact, "/a/b", "/a/b", Some("")),
            (Exact, "/a/b", "/a/b/c", Some("/c")),
            (Exact, "/a/b/", "/a/b/c", Some("/c")),
            (Exact, "/a/b", "/a/bc", None),
            (Exact, "/a/b", "/a", None),
            (Exact, "/", "/x", Some("/x")),
            (Exact, "/Users/me/Proj", "/users/me/proj/x", None),
            (Folded, "/Users/me/Proj", "/users/me/proj/x", Some("/x")),
            (Folded, "/Users/me/Ärger", "/Users/me/ärger", Some("")),
            (Folded, "/Users/me/Proj", "/users/me/projx", None),
            (Folded, "/Users/me/Proj", "/users/me", None),
            // Only Windows takes both for a separator.
            (Folded, "/a/b", r"/a\b", None),
            (Exact, r"C:\Users\me", r"c:\users\ME\p", Some(r"\p")),
            (Exact, r"C:\Users\me", "C:/Users/me/p", Some("/p")),
            (Exact, "C:/Users/me", r"C:\Users\me", Some("")),
            (Exact, r"C:\Users\Ärger", r"C:\Users\ärger\p", Some(r"\p")),
            (Exact, r"\\server\share", r"\\Server\Share\p", Some(r"\p")),
            (Exact, r"C:\Users\me", "/c/Users/me", None),
        ];
        for (case, folder, path, expected) in table {
            assert_eq!(case.strip_folder(folder, path), expected, "{case:?} {folder} {path}");
        }
    }
}
