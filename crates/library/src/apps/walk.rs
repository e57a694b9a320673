//! Listing the files below an app's folder.

use std::fs;
use std::path::{Path, PathBuf};

/// How many folders deep files are looked for.
const DEPTH: usize = 5;

/// The regular files below a folder of an app, each with its path below `base`, whose parts are
/// separated by `/`. Links are not followed, and names that are not text are left out.
pub(super) fn files_below(base: &Path, folder: &str) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let mut folders = vec![(folder.to_owned(), base.join(folder), 0)];
    while let Some((name, path, depth)) = folders.pop() {
        for entry in fs::read_dir(&path).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let Ok(own) = entry.file_name().into_string() else { continue };
            let below = format!("{name}/{own}");
            if kind.is_dir() && depth < DEPTH {
                folders.push((below, entry.path(), depth + 1));
            } else if kind.is_file() {
                found.push((below, entry.path()));
            }
        }
    }
    found.sort();
    found
}
