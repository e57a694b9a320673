//! Deletes files from the archive: the only code that deletes archived content.

use crate::failure::ArchiveError;
use crate::notes;
use crate::state::FileKey;
use crate::writer::Writer;
use jiff::Timestamp;
use std::path::Path;

/// Deletes all versions of files from the archive in a folder, with every
/// stored byte that only they need. Returns how many of the files were
/// archived.
pub fn forget(folder: &Path, keys: &[FileKey], now: Timestamp) -> Result<usize, ArchiveError> {
    let mut writer = Writer::open(folder)?;
    let there = keys.iter().filter(|key| writer.state.files.contains_key(key)).count();
    writer.forget(keys)?;
    notes::write_synced(&writer, now)?;
    Ok(there)
}
