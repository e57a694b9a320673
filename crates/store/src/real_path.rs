//! One spelling for a path: links and `..` resolved where the path exists.

use crate::is_windows_path;
use std::path::{Path, PathBuf};

/// The path without links, relative parts and `..`. A path that does not exist
/// is only made absolute; a Windows path, which comes from data, stays as it is.
pub fn real_path(path: &Path) -> PathBuf {
    if is_windows_path(&path.to_string_lossy()) {
        return path.to_owned();
    }
    std::fs::canonicalize(path)
        .or_else(|_| std::path::absolute(path))
        .unwrap_or_else(|_| path.to_owned())
}
