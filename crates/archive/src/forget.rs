//! Taking things out of the archive: the one place where something kept is
//! deleted.

use crate::failure::ArchiveError;
use crate::notes;
use crate::state::FileKey;
use crate::writer::Writer;
use jiff::Timestamp;
use std::path::Path;

/// Takes files out of the archive in a folder, all versions, with every stored
/// byte that only they need. Says how many of them there were.
pub fn forget(folder: &Path, keys: &[FileKey], now: Timestamp) -> Result<usize, ArchiveError> {
    let mut writer = Writer::open(folder)?;
    let there = keys.iter().filter(|key| writer.state.files.contains_key(key)).count();
    writer.forget(keys)?;
    notes::write_synced(&writer, now)?;
    Ok(there)
}
