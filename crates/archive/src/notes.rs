//! Small facts about the archive itself: when it was last written, and when it
//! was last found whole. Each is one sealed line in a file of its own.

use crate::failure::ArchiveError;
use crate::layout::{Layout, replace};
use crate::sealed::{seal, unseal};
use crate::writer::Writer;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The last sync.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SyncNote {
    pub(crate) at: Timestamp,
    /// The manifest's last line then.
    pub(crate) manifest: String,
}

/// The last verification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerifyNote {
    /// When.
    pub at: Timestamp,
    /// Whether every frame was decompressed.
    pub deep: bool,
    /// Whether nothing was damaged.
    pub whole: bool,
    /// The frames that were.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) damaged: Vec<String>,
}

pub(crate) fn write_synced(writer: &Writer, now: Timestamp) -> Result<(), ArchiveError> {
    let path = writer.layout().synced();
    let mut note = SyncNote { at: now, manifest: writer.last().to_owned() };
    if writer.is_cut() {
        // It goes on telling that lines are missing.
        let before = read::<SyncNote>(&path).ok().flatten();
        note.manifest = before.map_or(note.manifest, |before| before.manifest);
    }
    write(&path, &note)
}

/// Lets the note of the last sync name the manifest's last line, so that one who
/// finds the manifest written anew knows that none were lost.
pub(crate) fn follow(writer: &Writer) -> Result<(), ArchiveError> {
    match read::<SyncNote>(&writer.layout().synced()) {
        Ok(Some(note)) if note.manifest != writer.last() => write_synced(writer, note.at),
        _ => Ok(()),
    }
}

pub(crate) fn write_verified(layout: &Layout, note: &VerifyNote) -> Result<(), ArchiveError> {
    write(&layout.verified(), note)
}

fn write(path: &Path, note: &impl Serialize) -> Result<(), ArchiveError> {
    let text = serde_json::to_string(note).unwrap_or_default();
    replace(path, (seal(text.get(1..).unwrap_or_default()) + "\n").as_bytes())
}

/// Reads a note: none if there is no such file, an error in words if it does not
/// hold.
pub(crate) fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<Option<T>, String> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let line = bytes.strip_suffix(b"\n").ok_or("it has no end")?;
    let rest = unseal(line).map_err(|broken| broken.to_string())?;
    serde_json::from_str(&format!("{{{rest}")).map(Some).map_err(|error| error.to_string())
}

/// Takes away the note of the last verification: what it found is so no longer.
pub(crate) fn forget_verified(layout: &Layout) -> Result<(), ArchiveError> {
    let path = layout.verified();
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(ArchiveError::io("remove", &path)(error))
        }
        _ => Ok(()),
    }
}

/// When the archive in a folder was last synced.
pub fn last_sync(folder: &Path) -> Option<Timestamp> {
    read::<SyncNote>(&Layout::new(folder).synced()).ok().flatten().map(|note| note.at)
}

/// How it went when it was last verified.
pub fn last_verify(folder: &Path) -> Option<VerifyNote> {
    read(&Layout::new(folder).verified()).ok().flatten()
}
