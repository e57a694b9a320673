//! The content of the archive.

use crate::table::{Column, columns};
use crate::{Document, Keyword, Moment};
use library::archive::ArchiveReport;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The sessions in the archive, newest first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ArchiveDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// How many sessions match, before `--limit`.
    pub total: usize,
    /// The archive as a whole.
    pub archive: ArchiveSummaryDocument,
    /// The sessions.
    pub sessions: Vec<ArchivedSessionDocument>,
}

impl Document for ArchiveDocument {
    const SCHEMA: &'static str = "annals/archive/1";
    const COMMAND: &'static str = "`annals archive ls`";
    const ROWS: Option<&'static str> = Some("sessions");
    const COLUMNS: &'static [Column] = &columns([
        "id",
        "presence",
        "files",
        "versions",
        "bytes",
        "modified_at",
        "archived_at",
        "project",
        "title",
    ]);
}

/// The archive as a whole.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ArchiveSummaryDocument {
    /// Files in the archive.
    pub files: usize,
    /// The size of all versions of them.
    pub bytes: u64,
    /// The space they take.
    pub stored_bytes: u64,
    /// `bytes` / `stored_bytes`.
    pub ratio: f64,
    /// Sessions that only the archive has.
    pub deleted_from_disk: usize,
    /// Sessions that may be on disk or not: not everything that their app has can be read.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unknown_on_disk: usize,
    /// Files on disk that the archive does not have in their present state.
    pub not_archived_files: usize,
    /// The size of these.
    pub not_archived_bytes: u64,
    /// The last sync.
    pub synced_at: Option<Moment>,
    /// The last verification.
    pub verified_at: Option<Moment>,
    /// Whether that found no damage.
    pub was_intact: Option<bool>,
}

impl ArchiveSummaryDocument {
    /// The archive, with the number of its files, of sessions deleted from disk, and of those
    /// that may be on disk.
    pub fn new(files: usize, gone: usize, unknown: usize, report: &ArchiveReport) -> Self {
        ArchiveSummaryDocument {
            files,
            bytes: report.bytes,
            stored_bytes: report.stored_bytes,
            ratio: compression_ratio(report.bytes, report.stored_bytes),
            deleted_from_disk: gone,
            unknown_on_disk: unknown,
            not_archived_files: report.not_archived.files,
            not_archived_bytes: report.not_archived.bytes,
            synced_at: report.synced_at.map(Moment),
            verified_at: report.verified.as_ref().map(|note| note.at.into()),
            was_intact: report.verified.as_ref().map(|note| note.whole),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl ArchivedSessionDocument {
    /// Whether only the archive has it.
    pub fn is_deleted(&self) -> bool {
        self.presence == "archive"
    }
}

/// How many bytes become one stored byte.
pub fn compression_ratio(bytes: u64, stored: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a ratio is shown with one decimal")]
    let ratio = if stored == 0 { 0.0 } else { bytes as f64 / stored as f64 };
    // One decimal in JSON too: more would be noise.
    (ratio * 10.0).round() / 10.0
}

/// A session in the archive.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ArchivedSessionDocument {
    /// The session's id.
    pub id: String,
    /// `disk`; `archive`: only the archive has it; `unknown`: not everything that its app has can be read.
    pub presence: Keyword,
    /// Its files.
    pub files: usize,
    /// The most versions that one of them has.
    pub versions: usize,
    /// The size of their newest versions.
    pub bytes: u64,
    /// When its transcript was last modified.
    pub modified_at: Moment,
    /// When something of it was last archived.
    pub archived_at: Moment,
    /// Its project.
    pub project: Option<String>,
    /// Its title.
    pub title: Option<String>,
}

/// The files of a session in the archive, one entry for each version.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ArchiveFilesDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The session.
    pub session_id: String,
    /// How many versions there are.
    pub total: usize,
    /// The versions.
    pub files: Vec<ArchivedVersionDocument>,
}

impl Document for ArchiveFilesDocument {
    const SCHEMA: &'static str = "annals/archive-files/1";
    const COMMAND: &'static str = "`annals archive ls SESSION`";
    const ROWS: Option<&'static str> = Some("files");
    const COLUMNS: &'static [Column] = &columns([
        "name",
        "root",
        "version",
        "is_newest",
        "is_on_disk",
        "bytes",
        "modified_at",
        "archived_at",
    ]);
}

/// A version of a file in the archive.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ArchivedVersionDocument {
    /// The file's path below the store.
    pub name: String,
    /// The store.
    pub root: String,
    /// The number of the version, for `--version`.
    pub version: u32,
    /// Whether it is the newest version.
    pub is_newest: bool,
    /// Whether the file is still on disk.
    pub is_on_disk: bool,
    /// Its size.
    pub bytes: u64,
    /// When the file was modified.
    pub modified_at: Moment,
    /// When the version was archived.
    pub archived_at: Moment,
}
