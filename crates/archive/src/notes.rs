//! Notes about the archive itself: when it was last synced, and when it was
//! last verified. Each is one sealed line in its own file.

use crate::failure::ArchiveError;
use crate::layout::{Layout, UNFINISHED, read_file, remove, replace, replace_from};
use crate::manifest::ManifestContent;
use crate::sealed::{seal, unseal};
use crate::writer::Writer;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The last sync.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SyncNote {
    pub(crate) at: Timestamp,
    /// The manifest's last line at that time.
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
    /// The damaged frames.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) damaged: Vec<String>,
}

impl SyncNote {
    /// Whether the line it names is missing from the manifest: then others may
    /// be missing too.
    pub(crate) fn is_lost(&self, content: &ManifestContent) -> bool {
        !content.knows(&self.manifest)
    }
}

pub(crate) fn write_synced(writer: &Writer, now: Timestamp) -> Result<(), ArchiveError> {
    // Keep the record that lines were lost.
    let manifest = writer.lost_line().unwrap_or(writer.last()).to_owned();
    write(&writer.layout().synced(), &SyncNote { at: now, manifest })
}

/// The note of the last sync.
pub(crate) fn read_synced(layout: &Layout) -> Result<Option<SyncNote>, String> {
    read(&layout.synced())
}

/// Updates the last sync's note to the manifest's last line, so that a
/// rewritten manifest is not mistaken for one that lost lines.
pub(crate) fn follow(writer: &Writer) -> Result<(), ArchiveError> {
    match read_synced(writer.layout()) {
        Ok(Some(note)) if note.manifest != writer.last() => write_synced(writer, note.at),
        _ => Ok(()),
    }
}

pub(crate) fn write_verified(layout: &Layout, note: &VerifyNote) -> Result<(), ArchiveError> {
    // Several processes may verify at once.
    let path = layout.verified();
    let beside = path.with_extension(format!("{}{UNFINISHED}", std::process::id()));
    replace_from(&beside, &path, sealed(note).as_bytes())
}

fn write(path: &Path, note: &impl Serialize) -> Result<(), ArchiveError> {
    replace(path, sealed(note).as_bytes())
}

fn sealed(note: &impl Serialize) -> String {
    let text = serde_json::to_string(note).unwrap_or_default();
    seal(text.get(1..).unwrap_or_default()) + "\n"
}

/// Reads a note: `None` if the file is missing, an error message if it is
/// invalid.
pub(crate) fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<Option<T>, String> {
    let bytes = match read_file(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let line = bytes.strip_suffix(b"\n").ok_or("its last line is incomplete")?;
    let rest = unseal(line).map_err(|broken| broken.to_string())?;
    serde_json::from_str(&format!("{{{rest}")).map(Some).map_err(|error| error.to_string())
}

/// Removes the note of the last verification, whose result is outdated.
pub(crate) fn forget_verified(layout: &Layout) -> Result<(), ArchiveError> {
    remove(&layout.verified())
}

/// When the archive in a folder was last synced.
pub fn last_sync(folder: &Path) -> Option<Timestamp> {
    read_synced(&Layout::new(folder)).ok().flatten().map(|note| note.at)
}

/// The result of the last verification.
pub fn last_verify(folder: &Path) -> Option<VerifyNote> {
    read(&Layout::new(folder).verified()).ok().flatten()
}
