//! What the doctor found, as JSON.

use crate::context::Context;
use jiff::Timestamp;
use library::{ArchiveReport, Diagnosis};
use render::json::{serialize_moment, serialize_optional_moment};
use serde::Serialize;
use store::RECOMMENDED_RETENTION_DAYS;

#[derive(Serialize)]
pub(super) struct Document {
    pub(super) schema: &'static str,
    pub(super) roots: Vec<RootDocument>,
    pub(super) counts: Counts,
    pub(super) retention: RetentionDocument,
    pub(super) archive: ArchiveDocument,
    pub(super) problems: Vec<ProblemDocument>,
    pub(super) drift: Vec<DriftDocument>,
    pub(super) copies: Vec<CopiesDocument>,
    pub(super) collisions: Vec<CollisionDocument>,
    pub(super) strays: Vec<StrayDocument>,
    pub(super) caches: Vec<CacheDocument>,
}

#[derive(Serialize)]
pub(super) struct RootDocument {
    pub(super) path: String,
    pub(super) kind: Option<&'static str>,
    pub(super) found_by: Option<&'static str>,
    pub(super) sessions: usize,
    pub(super) error: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Counts {
    pub(super) sessions: usize,
    pub(super) hidden: usize,
    pub(super) agents: usize,
    pub(super) files: usize,
    pub(super) lines: u64,
    pub(super) bytes: u64,
}

#[derive(Serialize)]
pub(super) struct RetentionDocument {
    pub(super) days: Option<u64>,
    pub(super) source: Option<&'static str>,
    pub(super) settings: Option<String>,
    pub(super) problem: Option<String>,
    pub(super) others: Vec<OtherRetention>,
    pub(super) advice: String,
    pub(super) expiring: Vec<ExpiringDocument>,
}

/// The retention of a store beside the first.
#[derive(Serialize)]
pub(super) struct OtherRetention {
    pub(super) days: u64,
    pub(super) source: &'static str,
    pub(super) settings: String,
    pub(super) problem: Option<String>,
}

#[derive(Serialize)]
pub(super) struct ExpiringDocument {
    pub(super) id: String,
    pub(super) title: Option<String>,
    pub(super) path: Option<String>,
    #[serde(serialize_with = "serialize_moment")]
    pub(super) modified_at: Timestamp,
    #[serde(serialize_with = "serialize_moment")]
    pub(super) deleted_at: Timestamp,
    /// Whether the archive has all of it.
    pub(super) is_kept: bool,
    pub(super) settings: String,
}

#[derive(Serialize)]
pub(super) struct ArchiveDocument {
    pub(super) folder: Option<String>,
    pub(super) exists: bool,
    pub(super) error: Option<String>,
    pub(super) sessions: usize,
    pub(super) bytes: u64,
    pub(super) stored_bytes: u64,
    pub(super) not_kept_files: usize,
    pub(super) not_kept_bytes: u64,
    pub(super) not_kept_sessions: usize,
    #[serde(serialize_with = "serialize_optional_moment")]
    pub(super) synced_at: Option<Timestamp>,
    #[serde(serialize_with = "serialize_optional_moment")]
    pub(super) verified_at: Option<Timestamp>,
    /// Whether it was whole then.
    pub(super) was_whole: Option<bool>,
    pub(super) damaged_ledger_lines: usize,
}

impl ArchiveDocument {
    fn new(archive: &ArchiveReport) -> Self {
        ArchiveDocument {
            folder: archive.folder.as_deref().map(shown),
            exists: archive.exists,
            error: archive.error.clone(),
            sessions: archive.sessions,
            bytes: archive.bytes,
            stored_bytes: archive.stored_bytes,
            not_kept_files: archive.not_archived.files,
            not_kept_bytes: archive.not_archived.bytes,
            not_kept_sessions: archive.not_archived.sessions.len(),
            synced_at: archive.synced_at,
            verified_at: archive.verified.as_ref().map(|note| note.at),
            was_whole: archive.verified.as_ref().map(|note| note.whole),
            damaged_ledger_lines: archive.bad_facts,
        }
    }
}

#[derive(Serialize)]
pub(super) struct ProblemDocument {
    pub(super) path: String,
    pub(super) line: Option<u64>,
    pub(super) offset: Option<u64>,
    pub(super) reason: String,
}

#[derive(Serialize)]
pub(super) struct DriftDocument {
    pub(super) kind: &'static str,
    pub(super) name: String,
    pub(super) count: u64,
    pub(super) first_version: Option<String>,
    pub(super) example: String,
}

#[derive(Serialize)]
pub(super) struct CopiesDocument {
    pub(super) id: String,
    pub(super) path: Option<String>,
    pub(super) copies: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct CollisionDocument {
    pub(super) folder: String,
    pub(super) cwds: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct StrayDocument {
    pub(super) path: String,
    pub(super) reason: &'static str,
}

#[derive(Serialize)]
pub(super) struct CacheDocument {
    pub(super) path: String,
    pub(super) disagrees: String,
}

/// The one setting that decides what is kept.
pub(super) fn advice() -> String {
    format!("\"cleanupPeriodDays\": {RECOMMENDED_RETENTION_DAYS}")
}

fn shown(path: &std::path::Path) -> String {
    path.to_string_lossy().into_owned()
}

impl Document {
    pub(super) fn new(context: &Context, diagnosis: &Diagnosis, archive: &ArchiveReport) -> Self {
        let list = &diagnosis.list;
        let usable = context.library.roots().iter().map(|root| RootDocument {
            path: shown(&root.path),
            kind: Some(root.kind.name()),
            found_by: Some(root.origin.name()),
            sessions: list.listed().filter(|session| session.root == root.path).count(),
            error: None,
        });
        let unusable = context.library.health().unusable_roots().iter().map(|error| RootDocument {
            path: shown(&error.path),
            kind: None,
            found_by: None,
            sessions: 0,
            error: Some(error.reason.clone()),
        });
        let retention = diagnosis.retention.first();
        let damage = diagnosis.damage.iter().map(|damage| ProblemDocument {
            path: shown(&damage.path),
            line: Some(damage.line),
            offset: Some(damage.offset),
            reason: damage.reason.to_string(),
        });
        let troubles =
            diagnosis.troubles.iter().chain(&list.troubles).map(|trouble| ProblemDocument {
                path: shown(&trouble.path),
                line: None,
                offset: None,
                reason: trouble.reason.clone(),
            });
        Document {
            schema: "annals/doctor/1",
            roots: usable.chain(unusable).collect(),
            counts: Counts {
                sessions: list.listed().count(),
                hidden: list.sessions.len() - list.listed().count(),
                agents: diagnosis.agents,
                files: diagnosis.files,
                lines: diagnosis.lines,
                bytes: diagnosis.bytes,
            },
            retention: RetentionDocument {
                days: retention.map(|retention| retention.days),
                source: retention.map(|retention| retention.source.name()),
                settings: retention.map(|retention| shown(&retention.settings)),
                problem: retention.and_then(|retention| retention.problem.clone()),
                others: diagnosis
                    .retention
                    .iter()
                    .skip(1)
                    .map(|other| OtherRetention {
                        days: other.days,
                        source: other.source.name(),
                        settings: shown(&other.settings),
                        problem: other.problem.clone(),
                    })
                    .collect(),
                advice: advice(),
                expiring: diagnosis
                    .expiring
                    .iter()
                    .map(|expiring| ExpiringDocument {
                        id: expiring.session.id.clone(),
                        title: expiring.session.heading().map(str::to_owned),
                        path: expiring.session.path.as_deref().map(shown),
                        modified_at: expiring.session.metadata.modified,
                        deleted_at: expiring.deleted_at,
                        is_kept: archive.exists
                            && !archive.not_archived.sessions.contains(&expiring.session.id),
                        settings: shown(&expiring.settings),
                    })
                    .collect(),
            },
            archive: ArchiveDocument::new(archive),
            problems: damage.chain(troubles).collect(),
            drift: diagnosis
                .drift
                .findings()
                .map(|(kind, name, finding)| DriftDocument {
                    kind: kind.name(),
                    name: name.to_owned(),
                    count: finding.count,
                    first_version: finding.first_version.clone(),
                    example: finding.example.clone(),
                })
                .collect(),
            copies: list
                .sessions
                .iter()
                .filter(|session| !session.copies.is_empty())
                .map(|session| CopiesDocument {
                    id: session.id.clone(),
                    path: session.path.as_deref().map(shown),
                    copies: session.copies.iter().map(|path| shown(path)).collect(),
                })
                .collect(),
            collisions: diagnosis
                .collisions
                .iter()
                .map(|collision| CollisionDocument {
                    folder: shown(&collision.folder),
                    cwds: collision.cwds.clone(),
                })
                .collect(),
            strays: list
                .strays
                .iter()
                .map(|stray| StrayDocument { path: shown(&stray.path), reason: stray.reason })
                .collect(),
            caches: caches(diagnosis),
        }
    }
}

/// How the app's caches disagree with what is there.
fn caches(diagnosis: &Diagnosis) -> Vec<CacheDocument> {
    let indexes = diagnosis.indexes.iter().map(|index| CacheDocument {
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
        CacheDocument {
            path: shown(&stats.config.join("stats-cache.json")),
            disagrees: format!(
                "it counted {counted} sessions up to {date}; there are {}",
                stats.sessions
            ),
        }
    });
    indexes.chain(stats).collect()
}
