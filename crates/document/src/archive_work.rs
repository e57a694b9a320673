//! Reports of the archive commands: sync, verify, restore, export, import, forget.

use crate::sessions::shown;
use crate::{Document, Keyword};
use archive::{NewlyArchived, VerifyReport};
use library::archive::{ForgetPlan, ForgetReport, RestoredSession, SyncReport, TransferReport};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What a sync archived. With `--jsonl` there is a row for every file instead, written as soon as it is archived.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ArchiveSyncDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// Files that were looked at.
    pub files: usize,
    /// The size of these.
    pub bytes: u64,
    /// Files that were new or had changed.
    pub changed: usize,
    /// Files that were rewritten, not only appended to; the earlier versions stay.
    pub rewritten: usize,
    /// New bytes.
    pub new_bytes: u64,
    /// The space these take.
    pub stored_bytes: u64,
    /// Links and other things that are not files, which were skipped.
    pub skipped_links: usize,
    /// Files that were left out: excluded, forgotten or too old.
    pub excluded: usize,
    /// Damaged frames that were stored again from disk.
    pub repaired_frames: usize,
    /// Files that were removed for their age (`--max-age`).
    pub expired_files: usize,
    /// Sessions that were removed for their age.
    pub expired_sessions: Vec<String>,
    /// Files that could not be archived.
    pub problems: Vec<FileProblemDocument>,
}

impl Document for ArchiveSyncDocument {
    const SCHEMA: &'static str = "annals/archive-sync/1";
    const COMMAND: &'static str = "`annals archive sync`";

    fn row(generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(generator.subschema_for::<ArchivedFileDocument>())
    }
}

impl From<&SyncReport> for ArchiveSyncDocument {
    fn from(kept: &SyncReport) -> Self {
        let synced = &kept.synced;
        let problems = synced.read_errors.iter().map(|(path, reason)| FileProblemDocument {
            path: shown(path),
            reason: reason.clone(),
        });
        ArchiveSyncDocument {
            schema: Self::SCHEMA.into(),
            files: synced.files,
            bytes: synced.bytes,
            changed: synced.changed,
            rewritten: synced.rewritten,
            new_bytes: synced.new_bytes,
            stored_bytes: synced.stored_bytes,
            skipped_links: synced.links,
            excluded: synced.unwanted,
            repaired_frames: synced.mended,
            expired_files: kept.expired_files,
            expired_sessions: kept.expired_sessions.clone(),
            problems: problems.collect(),
        }
    }
}

/// A file that was just archived.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ArchivedFileDocument {
    /// The file.
    pub path: String,
    /// The number of the version.
    pub version: u32,
    /// Its size.
    pub bytes: u64,
    /// How much of that is new.
    pub new_bytes: u64,
}

impl From<&NewlyArchived> for ArchivedFileDocument {
    fn from(file: &NewlyArchived) -> Self {
        ArchivedFileDocument {
            path: shown(&file.path),
            version: file.generation,
            bytes: file.bytes,
            new_bytes: file.new_bytes,
        }
    }
}

/// What is wrong with a file.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FileProblemDocument {
    /// The file.
    pub path: String,
    /// What is wrong.
    pub reason: String,
}

/// Whether the archive is undamaged.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ArchiveVerifyDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// Whether there is no damage.
    pub is_intact: bool,
    /// Whether every frame was decompressed and checked (`--deep`).
    pub is_deep: bool,
    /// Files in the archive.
    pub files: usize,
    /// Frames that hold them.
    pub frames: usize,
    /// Lines of the manifest.
    pub lines: usize,
    /// Bytes that were checked.
    pub stored_bytes: u64,
    /// Bytes that an interrupted sync left; the next one removes them.
    pub unused_bytes: u64,
    /// Damaged lines of the manifest.
    pub damaged_lines: Vec<DamagedLineDocument>,
    /// Damaged frames.
    pub damaged_frames: Vec<DamagedFrameDocument>,
    /// Other damaged files of the archive.
    pub damaged_files: Vec<FileProblemDocument>,
    /// Archived files that the damage affects.
    pub affected_files: Vec<String>,
    /// Sessions that the damage affects.
    pub affected_sessions: Vec<String>,
    /// How many sessions it does not affect.
    pub intact_sessions: usize,
}

impl Document for ArchiveVerifyDocument {
    const SCHEMA: &'static str = "annals/archive-verify/1";
    const COMMAND: &'static str = "`annals archive verify`";
}

/// A damaged line of the manifest.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DamagedLineDocument {
    /// The line, from 1.
    pub line: u64,
    /// What is wrong.
    pub reason: String,
    /// The file it is about.
    pub name: Option<String>,
    /// Whether its content could be recovered; the next sync writes it again.
    pub is_repaired: bool,
}

/// A damaged frame.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DamagedFrameDocument {
    /// The file it is in.
    pub path: String,
    /// Where it begins, in bytes.
    pub offset: u64,
    /// What is wrong.
    pub reason: String,
}

impl ArchiveVerifyDocument {
    /// What was found, with what is wrong with the ledger.
    pub fn new(verified: &VerifyReport, is_deep: bool, ledger: Vec<FileProblemDocument>) -> Self {
        let others = verified.others.iter().map(|(path, reason)| FileProblemDocument {
            path: shown(path),
            reason: reason.clone(),
        });
        let lines = verified.broken.iter().map(|broken| DamagedLineDocument {
            line: broken.line,
            reason: broken.reason.clone(),
            name: broken.name.as_ref().map(ToString::to_string),
            is_repaired: broken.is_mended,
        });
        let frames = verified.damaged.iter().map(|frame| DamagedFrameDocument {
            path: shown(&frame.path),
            offset: frame.at,
            reason: frame.damage.to_string(),
        });
        ArchiveVerifyDocument {
            schema: Self::SCHEMA.into(),
            is_intact: verified.is_whole() && ledger.is_empty(),
            is_deep,
            files: verified.files,
            frames: verified.frames,
            lines: verified.lines,
            stored_bytes: verified.stored,
            unused_bytes: verified.left_over,
            damaged_lines: lines.collect(),
            damaged_frames: frames.collect(),
            damaged_files: others.chain(ledger).collect(),
            affected_files: verified.touched.iter().map(|key| key.1.to_string()).collect(),
            affected_sessions: verified.touched_sessions.iter().cloned().collect(),
            intact_sessions: verified.whole_sessions.len(),
        }
    }
}

/// What was restored.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ArchiveRestoreDocument<'a> {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The session.
    pub session_id: Cow<'a, str>,
    /// Its transcript.
    pub transcript: Option<String>,
    /// Files that were written.
    pub written: Vec<String>,
    /// Files that were already there.
    pub already_there: Vec<String>,
    /// The size of what was written.
    pub bytes: u64,
    /// Files that could not be restored.
    pub damaged: Vec<String>,
}

impl Document for ArchiveRestoreDocument<'_> {
    const SCHEMA: &'static str = "annals/archive-restore/1";
    const COMMAND: &'static str = "`annals archive restore`";
}

impl<'a> ArchiveRestoreDocument<'a> {
    /// What was restored of a session.
    pub fn new(session_id: &'a str, restored: &RestoredSession) -> Self {
        ArchiveRestoreDocument {
            schema: Self::SCHEMA.into(),
            session_id: session_id.into(),
            transcript: restored.transcript.as_deref().map(shown),
            written: restored.placed.written.iter().map(|path| shown(path)).collect(),
            already_there: restored.placed.same.iter().map(|path| shown(path)).collect(),
            bytes: restored.placed.bytes,
            damaged: restored.not_restored.iter().map(|(name, _)| name.clone()).collect(),
        }
    }
}

/// What was copied from one archive to another.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ArchiveTransferDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// Files that were looked at.
    pub files: usize,
    /// Files that were new or had new versions.
    pub changed: usize,
    /// Versions that were copied.
    pub versions: usize,
    /// The size of these.
    pub bytes: u64,
    /// Facts of the ledger that were copied.
    pub facts: usize,
    /// Sessions that were left out because they were forgotten.
    pub forgotten: Vec<String>,
    /// Sessions that were forgotten in one archive and are still in the other.
    pub still_archived: Vec<String>,
    /// Lines of the manifest that could not be read.
    pub damaged_lines: usize,
    /// Files that could not be copied.
    pub damaged: Vec<DamagedCopyDocument>,
}

impl Document for ArchiveTransferDocument {
    const SCHEMA: &'static str = "annals/archive-transfer/1";
    const COMMAND: &'static str = "`annals archive export`, `annals archive import`";
}

/// A file that could not be copied.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DamagedCopyDocument {
    /// The file's path below the store.
    pub name: String,
    /// What is wrong.
    pub reason: String,
}

impl From<&TransferReport> for ArchiveTransferDocument {
    fn from(carried: &TransferReport) -> Self {
        let merged = &carried.merged;
        let damaged = merged.damaged.iter().map(|(key, reason)| DamagedCopyDocument {
            name: key.1.to_string(),
            reason: reason.clone(),
        });
        ArchiveTransferDocument {
            schema: Self::SCHEMA.into(),
            files: merged.files,
            changed: merged.changed,
            versions: merged.generations,
            bytes: merged.bytes,
            facts: carried.facts,
            forgotten: carried.forgotten.iter().cloned().collect(),
            still_archived: carried.still_archived.iter().cloned().collect(),
            damaged_lines: carried.broken_lines,
            damaged: damaged.collect(),
        }
    }
}

/// What was removed from the archive.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ArchiveForgetDocument<'a> {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The session.
    pub session_id: Cow<'a, str>,
    /// Files that were removed.
    pub files: usize,
    /// API calls that still count (`--keep-usage`).
    pub calls_kept: usize,
    /// Sessions that hold some of the same text and stay.
    pub shares_text_with: Vec<Cow<'a, str>>,
}

impl Document for ArchiveForgetDocument<'_> {
    const SCHEMA: &'static str = "annals/archive-forget/1";
    const COMMAND: &'static str = "`annals archive forget`";
}

impl<'a> ArchiveForgetDocument<'a> {
    /// What was forgotten.
    pub fn new(forgetting: &'a ForgetPlan, forgotten: &ForgetReport) -> Self {
        let relatives = forgetting.relatives.iter();
        ArchiveForgetDocument {
            schema: Self::SCHEMA.into(),
            session_id: forgetting.id.as_str().into(),
            files: forgotten.files,
            calls_kept: forgotten.calls,
            shares_text_with: relatives.map(|it| it.session_id.as_str().into()).collect(),
        }
    }
}
