//! The content of a file as it is today, for a path that the user named.

use std::io::ErrorKind;
use std::path::Path;

/// Larger files are not read.
const MOST_BYTES: u64 = 16 << 20;

/// Why a file has no content to show; printed after its name.
#[derive(Debug, thiserror::Error)]
pub enum ContentError {
    /// There is no such file.
    #[error("does not exist")]
    Missing,
    /// It is a folder.
    #[error("is a folder")]
    Folder,
    /// It is a pipe, a device or similar.
    #[error("is not a regular file")]
    Irregular,
    /// It is too large.
    #[error("is too large: {0} bytes")]
    TooLarge(u64),
    /// It is not text.
    #[error("is not a text file")]
    NoText,
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(std::io::Error),
}

/// The content of a file that the user named. Paths from transcripts are never
/// opened by this.
pub fn read_current_content(path: &Path) -> Result<String, ContentError> {
    let metadata = std::fs::metadata(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => ContentError::Missing,
        _ => ContentError::Unreadable(error),
    })?;
    if metadata.is_dir() {
        return Err(ContentError::Folder);
    }
    if !metadata.is_file() {
        return Err(ContentError::Irregular);
    }
    if metadata.len() > MOST_BYTES {
        return Err(ContentError::TooLarge(metadata.len()));
    }
    let bytes = std::fs::read(path).map_err(ContentError::Unreadable)?;
    if bytes.contains(&0) {
        return Err(ContentError::NoText);
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
