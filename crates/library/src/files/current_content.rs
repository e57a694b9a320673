//! The content of a file as it is today, for whoever names one.

use std::io::ErrorKind;
use std::path::Path;

/// Larger files are not looked at.
const MOST_BYTES: u64 = 16 << 20;

/// Why the content of a file is not known; said after its name.
#[derive(Debug, thiserror::Error)]
pub enum NoContent {
    /// There is no such file.
    #[error("does not exist")]
    Missing,
    /// It is a folder.
    #[error("is a folder")]
    Folder,
    /// It is a pipe, a device or the like.
    #[error("is no regular file")]
    Irregular,
    /// It is too large.
    #[error("is too large: {0} bytes")]
    TooLarge(u64),
    /// It is no text.
    #[error("is no text")]
    NoText,
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(std::io::Error),
}

/// The content of a file that somebody named. Nothing that a transcript names is
/// opened by this.
pub fn content_today(path: &Path) -> Result<String, NoContent> {
    let facts = std::fs::metadata(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => NoContent::Missing,
        _ => NoContent::Unreadable(error),
    })?;
    if facts.is_dir() {
        return Err(NoContent::Folder);
    }
    if !facts.is_file() {
        return Err(NoContent::Irregular);
    }
    if facts.len() > MOST_BYTES {
        return Err(NoContent::TooLarge(facts.len()));
    }
    let bytes = std::fs::read(path).map_err(NoContent::Unreadable)?;
    if bytes.contains(&0) {
        return Err(NoContent::NoText);
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
