//! Small facts about the archive itself: when it was last written, and when it
//! was last found whole. Each is one sealed line in a file of its own.

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

impl SyncNote {
    /// Whether the line it names is missing from a manifest: then others may be
    /// too.
    pub(crate) fn is_lost(&self, content: &ManifestContent) -> bool {
        !content.knows(&self.manifest)
    }
}

pub(crate) fn write_synced(writer: &Writer, now: Timestamp) -> Result<(), ArchiveError> {
    // That lines are lost stays known.
    let manifest = writer.lost_line().unwrap_or(writer.last()).to_owned();
    write(&writer.layout().synced(), &SyncNote { at: now, manifest })
}

/// The note of the last sync.
pub(crate) fn read_synced(layout: &Layout) -> Result<Option<SyncNote>, String> {
    read(&layout.synced())
}

/// Lets the note of the last sync name the manifest's last line, so that one who
/// finds the manifest written anew knows that none were lost.
pub(crate) fn follow(writer: &Writer) -> Result<(), ArchiveError> {
    match read_synced(writer.layout()) {
        Ok(Some(note)) if note.manifest != writer.last() => write_synced(writer, note.at),
        _ => Ok(()),
    }
}

pub(crate) fn write_verified(layout: &Layout, note: &VerifyNote) -> Result<(), ArchiveError> {
    // Several may verify at once.
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

/// Reads a note: none if there is no such file, an error in words if it does not
/// hold.
pub(crate) fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<Option<T>, String> {
    let bytes = match read_file(path) {
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
    remove(&layout.verified())
}

/// When the archive in a folder was last synced.
pub fn last_sync(folder: &Path) -> Option<Timestamp> {
    read_synced(&Layout::new(folder)).ok().flatten().map(|note| note.at)
}

/// How it went when it was last verified.
pub fn last_verify(folder: &Path) -> Option<VerifyNote> {
    read(&Layout::new(folder).verified()).ok().flatten()
}
