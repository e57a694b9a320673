//! What `doctor` finds.

use crate::sessions::shown;
use crate::{Document, Keyword, Moment};
use library::apps::AppReport;
use library::archive::ArchiveReport;
use library::health::{Diagnosis, ExpiringSession};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use store::{RECOMMENDED_RETENTION_DAYS, Root, RootError};
use transcript::Reason;

/// The state of the stores: damage, retention, drift of the format, stale caches.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DoctorDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The stores.
    pub roots: Vec<RootDocument>,
    /// What is in them.
    pub counts: DoctorCountsDocument,
    /// When Claude Code deletes sessions.
    pub retention: RetentionDocument,
    /// The archive.
    pub archive: DoctorArchiveDocument,
    /// Damage and files that could not be read.
    pub problems: Vec<DoctorProblemDocument>,
    /// Records and fields that annals does not know.
    pub drift: Vec<DriftItemDocument>,
    /// Sessions with several transcripts.
    pub copies: Vec<CopiedSessionDocument>,
    /// Project folders that several working directories share.
    pub collisions: Vec<CollisionDocument>,
    /// Files that do not belong where they are.
    pub strays: Vec<StrayFileDocument>,
    /// Caches of Claude Code that disagree with the files.
    pub caches: Vec<StaleCacheDocument>,
    /// The sessions of other apps.
    #[serde(default)]
    pub apps: Vec<AppReportDocument>,
    /// The annals programs that `annals setup` installed. Only `annals doctor` lists them, for
    /// one configuration folder.
    #[serde(default)]
    pub programs: Vec<InstalledProgramDocument>,
}

impl Document for DoctorDocument {
    const SCHEMA: &'static str = "annals/doctor/1";
    const COMMAND: &'static str = "`annals doctor`";
}

/// What annals finds of another app.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AppReportDocument {
    /// The app.
    pub app: Keyword,
    /// Its folder.
    pub path: String,
    /// Its sessions, sub-agents with separate files included.
    pub sessions: usize,
    /// Lines with problems, by what is wrong with them.
    pub problems: BTreeMap<String, u64>,
    /// Kinds of lines, parts and columns that annals does not know.
    pub unknown: BTreeMap<String, u64>,
    /// Sessions that cannot be read: path and reason.
    pub unreadable: Vec<UnreadableDocument>,
}

/// A file that cannot be read.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UnreadableDocument {
    /// The file.
    pub path: String,
    /// Why.
    pub reason: String,
}

impl From<AppReport> for AppReportDocument {
    fn from(report: AppReport) -> Self {
        let unreadable = report.unreadable.into_iter();
        let problems = report.problems.into_iter();
        AppReportDocument {
            app: report.app.name().into(),
            path: shown(&report.home),
            sessions: report.sessions,
            problems: problems.map(|(name, count)| (name.to_owned(), count)).collect(),
            unknown: report.unknown,
            unreadable: unreadable
                .map(|(path, reason)| UnreadableDocument { path: shown(&path), reason })
                .collect(),
        }
    }
}

/// An annals program that Claude Code or a timer runs.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct InstalledProgramDocument {
    /// The part of setup: `hooks`, `statusline`, `mcp` or `timer`.
    pub part: Keyword,
    /// The program, as it is written there.
    pub program: String,
    /// How it compares with the running program: `same`, `other` or `missing`.
    pub state: Keyword,
}

/// A store.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RootDocument {
    /// Its path.
    pub path: String,
    /// Its kind.
    pub kind: Option<Keyword>,
    /// How annals found it.
    pub found_by: Option<Keyword>,
    /// Sessions in it that Claude Code lists.
    pub sessions: usize,
    /// Why it cannot be used.
    pub error: Option<String>,
}

/// What is in the stores.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DoctorCountsDocument {
    /// Sessions that Claude Code lists.
    pub sessions: usize,
    /// Sessions that it hides.
    pub hidden: usize,
    /// Sub-agents.
    pub agents: usize,
    /// Transcripts.
    pub files: usize,
    /// Their lines.
    pub lines: u64,
    /// Their size.
    pub bytes: u64,
}

/// When Claude Code deletes sessions.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RetentionDocument {
    /// After how many days.
    pub days: Option<u64>,
    /// What decides that.
    pub source: Option<Keyword>,
    /// The settings file.
    pub settings: Option<String>,
    /// What is wrong with it.
    pub problem: Option<String>,
    /// The same for other stores.
    pub others: Vec<OtherRetentionDocument>,
    /// The setting that annals recommends.
    pub advice: String,
    /// Sessions that will be deleted soon.
    pub expiring: Vec<ExpiringSessionDocument>,
}

/// When Claude Code deletes sessions of another store.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OtherRetentionDocument {
    /// After how many days.
    pub days: u64,
    /// What decides that.
    pub source: Keyword,
    /// The settings file.
    pub settings: String,
    /// What is wrong with it.
    pub problem: Option<String>,
}

/// A session that Claude Code will delete soon.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ExpiringSessionDocument {
    /// The session's id.
    pub id: String,
    /// Its title.
    pub title: Option<String>,
    /// Its transcript.
    pub path: Option<String>,
    /// When that was last modified.
    pub modified_at: Moment,
    /// When it will be deleted.
    pub deleted_at: Moment,
    /// Whether the archive has all of it.
    pub is_archived: bool,
    /// The settings file that decides this.
    pub settings: String,
}

impl ExpiringSessionDocument {
    /// A session that Claude Code will delete soon.
    pub fn new(expiring: &ExpiringSession, is_archived: bool) -> Self {
        ExpiringSessionDocument {
            id: expiring.session.id.clone(),
            title: expiring.session.heading().map(str::to_owned),
            path: expiring.session.path.as_deref().map(shown),
            modified_at: expiring.session.metadata.modified.into(),
            deleted_at: expiring.deleted_at.into(),
            is_archived,
            settings: shown(&expiring.settings),
        }
    }
}

/// The archive.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DoctorArchiveDocument {
    /// Its folder.
    pub folder: Option<String>,
    /// Whether there is one.
    pub exists: bool,
    /// Why it cannot be read.
    pub error: Option<String>,
    /// Sessions in it.
    pub sessions: usize,
    /// The size of all versions of their files.
    pub bytes: u64,
    /// The space they take.
    pub stored_bytes: u64,
    /// Files on disk that it does not have in their present state.
    pub not_archived_files: usize,
    /// The size of these.
    pub not_archived_bytes: u64,
    /// The sessions these belong to.
    pub not_archived_sessions: usize,
    /// The last sync.
    pub synced_at: Option<Moment>,
    /// The last verification.
    pub verified_at: Option<Moment>,
    /// Whether that found no damage.
    pub was_intact: Option<bool>,
    /// Damaged lines of the ledger.
    pub damaged_ledger_lines: usize,
}

const DAMAGE: &str = "damage";
const NOT_READ: &str = "not_read";

/// Damage, or a file that could not be read.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DoctorProblemDocument {
    /// `damage`; or `not_read`: a file cannot be read, or a part of it is too large to be read.
    pub kind: Keyword,
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: Option<u64>,
    /// Where the problem is, in bytes from the start of the file.
    pub offset: Option<u64>,
    /// What is wrong.
    pub reason: String,
}

impl DoctorProblemDocument {
    /// Whether a file has something that does not belong there.
    pub fn is_damage(&self) -> bool {
        self.kind == DAMAGE
    }
}

/// Something in transcripts that annals does not know.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DriftItemDocument {
    /// What it is.
    pub kind: Keyword,
    /// Its name.
    pub name: String,
    /// How often it occurs.
    pub count: u64,
    /// The first version of Claude Code that wrote it.
    pub first_version: Option<String>,
    /// Where it occurs.
    pub example: String,
}

/// A session with several transcripts.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CopiedSessionDocument {
    /// The session's id.
    pub id: String,
    /// The transcript that counts.
    pub path: Option<String>,
    /// The others.
    pub copies: Vec<String>,
}

/// A project folder that several working directories share.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CollisionDocument {
    /// The project folder.
    pub folder: String,
    /// The working directories.
    pub cwds: Vec<String>,
}

/// A file that does not belong where it is.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StrayFileDocument {
    /// The file.
    pub path: String,
    /// Why not.
    pub reason: Keyword,
}

/// A cache of Claude Code that disagrees with the files.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StaleCacheDocument {
    /// The cache.
    pub path: String,
    /// How it disagrees, in words.
    pub disagrees: String,
}

/// The setting that decides how long Claude Code keeps sessions, as annals
/// recommends it.
pub fn retention_advice() -> String {
    format!("\"cleanupPeriodDays\": {RECOMMENDED_RETENTION_DAYS}")
}

impl DoctorDocument {
    /// A diagnosis of these stores.
    pub fn new(
        roots: &[Root],
        unusable: &[RootError],
        diagnosis: &Diagnosis,
        archive: &ArchiveReport,
    ) -> Self {
        let list = &diagnosis.list;
        let usable = roots.iter().map(|root| RootDocument {
            path: shown(&root.path),
            kind: Some(root.kind.name().into()),
            found_by: Some(root.origin.name().into()),
            sessions: list.listed().filter(|session| session.root == root.path).count(),
            error: None,
        });
        let unusable = unusable.iter().map(|error| RootDocument {
            path: shown(&error.path),
            kind: None,
            found_by: None,
            sessions: 0,
            error: Some(error.reason.clone()),
        });
        let damage = diagnosis.damage.iter().map(|damage| DoctorProblemDocument {
            kind: match damage.reason {
                // It may be whole, and annals does not look.
                Reason::TooLarge { .. } => NOT_READ,
                _ => DAMAGE,
            }
            .into(),
            path: shown(&damage.path),
            line: Some(damage.line),
            offset: Some(damage.offset),
            reason: damage.reason.to_string(),
        });
        let unlisted = diagnosis.unlisted.iter().map(|unlisted| DoctorProblemDocument {
            kind: DAMAGE.into(),
            path: shown(&unlisted.path),
            line: None,
            offset: None,
            reason: format!("{} more problems in this file", unlisted.count),
        });
        let read_errors = diagnosis.read_errors.iter().chain(&list.read_errors);
        let read_errors = read_errors.map(|read_error| DoctorProblemDocument {
            kind: NOT_READ.into(),
            path: shown(&read_error.path),
            line: None,
            offset: None,
            reason: read_error.reason.clone(),
        });
        let drift = diagnosis.drift.findings().map(|(kind, name, finding)| DriftItemDocument {
            kind: kind.name().into(),
            name: name.to_owned(),
            count: finding.count,
            first_version: finding.first_version.clone(),
            example: finding.example.clone(),
        });
        let several = list.sessions.iter().filter(|session| !session.copies.is_empty());
        let copies = several.map(|session| CopiedSessionDocument {
            id: session.id.clone(),
            path: session.path.as_deref().map(shown),
            copies: session.copies.iter().map(|path| shown(path)).collect(),
        });
        let collisions = diagnosis.collisions.iter().map(|collision| CollisionDocument {
            folder: shown(&collision.folder),
            cwds: collision.cwds.clone(),
        });
        let strays = list.strays.iter().map(|stray| StrayFileDocument {
            path: shown(&stray.path),
            reason: stray.reason.into(),
        });
        DoctorDocument {
            schema: Self::SCHEMA.into(),
            roots: usable.chain(unusable).collect(),
            counts: DoctorCountsDocument {
                sessions: list.listed().count(),
                hidden: list.sessions.len() - list.listed().count(),
                agents: diagnosis.agents,
                files: diagnosis.files,
                lines: diagnosis.lines,
                bytes: diagnosis.bytes,
            },
            retention: RetentionDocument::new(diagnosis, archive),
            archive: DoctorArchiveDocument::from(archive),
            problems: damage.chain(unlisted).chain(read_errors).collect(),
            drift: drift.collect(),
            copies: copies.collect(),
            collisions: collisions.collect(),
            strays: strays.collect(),
            caches: stale_caches(diagnosis),
            apps: diagnosis.apps.iter().cloned().map(AppReportDocument::from).collect(),
            programs: Vec::new(),
        }
    }
}

impl RetentionDocument {
    fn new(diagnosis: &Diagnosis, archive: &ArchiveReport) -> Self {
        let first = diagnosis.retention.first();
        let others = diagnosis.retention.iter().skip(1).map(|other| OtherRetentionDocument {
            days: other.days,
            source: other.source.name().into(),
            settings: shown(&other.settings),
            problem: other.problem.clone(),
        });
        let expiring = diagnosis.expiring.iter().map(|expiring| {
            let is_archived =
                archive.exists && !archive.not_archived.sessions.contains(&expiring.session.id);
            ExpiringSessionDocument::new(expiring, is_archived)
        });
        RetentionDocument {
            days: first.map(|first| first.days),
            source: first.map(|first| first.source.name().into()),
            settings: first.map(|first| shown(&first.settings)),
            problem: first.and_then(|first| first.problem.clone()),
            others: others.collect(),
            advice: retention_advice(),
            expiring: expiring.collect(),
        }
    }
}

impl From<&ArchiveReport> for DoctorArchiveDocument {
    fn from(archive: &ArchiveReport) -> Self {
        DoctorArchiveDocument {
            folder: archive.folder.as_deref().map(shown),
            exists: archive.exists,
            error: archive.error.clone(),
            sessions: archive.sessions,
            bytes: archive.bytes,
            stored_bytes: archive.stored_bytes,
            not_archived_files: archive.not_archived.files,
            not_archived_bytes: archive.not_archived.bytes,
            not_archived_sessions: archive.not_archived.sessions.len(),
            synced_at: archive.synced_at.map(Moment),
            verified_at: archive.verified.as_ref().map(|note| note.at.into()),
            was_intact: archive.verified.as_ref().map(|note| note.whole),
            damaged_ledger_lines: archive.bad_facts,
        }
    }
}

/// How Claude Code's caches disagree with the files.
fn stale_caches(diagnosis: &Diagnosis) -> Vec<StaleCacheDocument> {
    let indexes = diagnosis.indexes.iter().map(|index| StaleCacheDocument {
        path: shown(&index.path),
        disagrees: format!(
            "{} of its sessions are gone, {} are missing from it, {} changed since",
            index.gone, index.missing, index.outdated
        ),
    });
    let stats = diagnosis.stats.iter().map(|stats| {
        let counted =
            stats.claims.total_sessions.map_or_else(|| "?".to_owned(), |count| count.to_string());
        let date = stats.claims.last_computed_date.as_deref().unwrap_or("an unknown day");
        StaleCacheDocument {
            path: shown(&stats.config.join("stats-cache.json")),
            disagrees: format!(
                "it counted {counted} sessions up to {date}; there are {}",
                stats.sessions
            ),
        }
    });
    indexes.chain(stats).collect()
}
