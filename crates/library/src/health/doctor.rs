//! Problems in the stores, unknown records, and sessions that will be deleted.

use crate::catalog::list::SessionList;
use crate::health::Health;
use crate::lines::damage::{Damage, LISTED_DAMAGE, UnlistedDamage};
use crate::lines::scan::{ReadError, scan};
use crate::progress::Progress;
use crate::session::{Session, UnlistedReason};
use crate::stores::Tier;
use crate::stores::apps::original::AppReport;
use jiff::{SignedDuration, Timestamp};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use store::{
    Folder, Retention, SessionKind, StatsCache, read_retention, read_sessions_index,
    read_stats_cache,
};
use transcript::{DriftReport, LineEnd, large_line_bytes, parse_line};

/// A session the cleanup will delete soon.
#[derive(Clone, Debug)]
pub struct ExpiringSession {
    /// The session.
    pub session: Session,
    /// When it may be deleted: the app deletes when it starts.
    pub deleted_at: Timestamp,
    /// The settings file that decides it.
    pub settings: PathBuf,
}

/// A folder that several working directories share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderCollision {
    /// The folder.
    pub folder: PathBuf,
    /// The working directories that map to it.
    pub cwds: Vec<String>,
}

/// How a `sessions-index.json` disagrees with its folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexReport {
    /// The file.
    pub path: PathBuf,
    /// Sessions it names that do not exist.
    pub gone: usize,
    /// Sessions it does not name.
    pub missing: usize,
    /// Sessions that changed since it was written.
    pub outdated: usize,
}

/// How `stats-cache.json` disagrees with the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatsReport {
    /// The configuration folder.
    pub config: PathBuf,
    /// What it claims.
    pub claims: StatsCache,
    /// The number of sessions.
    pub sessions: usize,
}

/// Everything the doctor found.
#[derive(Debug)]
pub struct Diagnosis {
    /// The sessions, and what could not be listed.
    pub list: SessionList,
    /// How long each root keeps its transcripts.
    pub retention: Vec<Retention>,
    /// Sessions that will be deleted within a week, soonest first.
    pub expiring: Vec<ExpiringSession>,
    /// Damage, by file and offset: at most the first thousand of a file.
    pub damage: Vec<Damage>,
    /// The files with more.
    pub unlisted: Vec<UnlistedDamage>,
    /// Records and fields that this version does not know.
    pub drift: DriftReport,
    /// Folders that several working directories share.
    pub collisions: Vec<FolderCollision>,
    /// Stale indexes.
    pub indexes: Vec<IndexReport>,
    /// Stale statistics.
    pub stats: Vec<StatsReport>,
    /// Files read, transcripts and agents.
    pub files: usize,
    /// Lines read.
    pub lines: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Sub-agents found.
    pub agents: usize,
    /// Other apps.
    pub apps: Vec<AppReport>,
    /// What could not be read.
    pub read_errors: Vec<ReadError>,
}

/// The result for one file.
#[derive(Default)]
struct ScannedFile {
    path: PathBuf,
    lines: u64,
    bytes: u64,
    damage: Vec<Damage>,
    unlisted: u64,
    drift: DriftReport,
}

impl Health {
    /// Reads every transcript and reports.
    pub fn diagnose(&self, now: Timestamp, progress: &dyn Progress) -> Diagnosis {
        let mut list = self.catalog.sessions();
        let folders = list.sessions.iter().flat_map(Session::folders);
        let strays: Vec<_> = folders.flat_map(|folder| folder.strays(&self.stores.disk)).collect();
        list.strays.extend(strays);
        let histories = self.catalog.histories(Tier::Disk);
        list.read_errors.extend(histories.read_errors);
        let agents = self.agent_files(&list);
        let mut paths: Vec<PathBuf> =
            list.sessions.iter().filter_map(|session| session.path.clone()).collect();
        paths.extend(list.sessions.iter().flat_map(|session| session.copies.iter().cloned()));
        paths.extend(agents.iter().cloned());
        let mut paths = each_once(paths);
        // Other apps have separate reports: what they wrote is not Claude Code's.
        paths.retain(|path| !self.stores.is_of_app(path));
        let (scanned, read_errors) = scan(
            &self.stores.disk,
            &paths,
            progress,
            |path| ScannedFile { path: path.to_owned(), ..ScannedFile::default() },
            |file, line| {
                file.lines += 1;
                let size = large_line_bytes(line.bytes).unwrap_or(line.bytes.len() as u64);
                file.bytes += size + u64::from(line.end == LineEnd::Newline);
                let number = line.number;
                for entry in parse_line(line) {
                    // A damaged line is damage, not an unknown format.
                    if entry.problems.is_empty() {
                        file.drift.observe(&entry.record);
                    }
                    for problem in entry.problems {
                        if file.damage.len() == LISTED_DAMAGE {
                            file.unlisted += 1;
                            continue;
                        }
                        file.damage.push(Damage {
                            path: file.path.clone(),
                            line: number,
                            offset: problem.offset,
                            reason: problem.reason,
                        });
                    }
                }
                true
            },
        );
        let mut read_errors = read_errors;
        if let Ok(index) = self.memory.index()
            && let Err(error) = index.examine()
            && error.needs_rebuild()
        {
            let reason = format!("{error}; the next search builds a new one");
            read_errors.push(ReadError { path: index.path(), reason });
        }
        let mut drift = DriftReport::default();
        let (mut lines, mut bytes) = (0, 0);
        let (mut damage, mut unlisted) = (histories.damage, histories.unlisted);
        for file in scanned {
            lines += file.lines;
            bytes += file.bytes;
            damage.extend(file.damage);
            if file.unlisted > 0 {
                unlisted.push(UnlistedDamage { path: file.path, count: file.unlisted });
            }
            drift.merge(file.drift);
        }
        damage.sort_by(|one, two| (&one.path, one.offset).cmp(&(&two.path, two.offset)));
        let configs = || self.stores.disk_roots().filter_map(store::Root::config);
        Diagnosis {
            apps: self.stores.apps().reports(),
            retention: configs().map(read_retention).collect(),
            expiring: self.expiring(&list.sessions, now, SignedDuration::from_hours(7 * 24)),
            collisions: collisions(&list.sessions),
            indexes: self.indexes(&list.sessions),
            stats: configs()
                .filter_map(|config| {
                    let claims = read_stats_cache(config)?;
                    let sessions =
                        list.sessions.iter().filter(|session| session.root == config).count();
                    Some(StatsReport { config: config.to_owned(), claims, sessions })
                })
                .collect(),
            files: paths.len(),
            agents: agents.len() + inline_agents(&list),
            lines,
            bytes,
            damage,
            unlisted,
            drift,
            read_errors,
            list,
        }
    }

    /// The sessions that will be deleted within a time span from now, soonest
    /// first.
    pub fn expiring(
        &self,
        sessions: &[Session],
        now: Timestamp,
        within: SignedDuration,
    ) -> Vec<ExpiringSession> {
        let retentions: HashMap<&std::path::Path, Retention> = self
            .stores
            .disk_roots()
            .filter_map(|root| Some((root.config()?, read_retention(root.config()?))))
            .collect();
        let mut expiring: Vec<ExpiringSession> = sessions
            .iter()
            .filter(|session| {
                // Claude Code deletes only its own files, and losing an
                // empty file does not matter.
                let foreign = matches!(
                    session.unlisted,
                    Some(UnlistedReason::Foreign | UnlistedReason::PreCompactCopy)
                ) || session.metadata.kind == SessionKind::PreCompactCopy;
                !foreign && session.metadata.hidden != Some(store::HiddenReason::Empty)
            })
            .filter_map(|session| {
                let retention = retentions.get(session.root.as_path())?;
                let deleted_at = retention.deletes_at(session.metadata.modified)?;
                (deleted_at <= now.checked_add(within).ok()?).then(|| ExpiringSession {
                    session: session.clone(),
                    deleted_at,
                    settings: retention.settings.clone(),
                })
            })
            .collect();
        expiring.sort_by(|one, two| {
            (one.deleted_at, &one.session.id).cmp(&(two.deleted_at, &two.session.id))
        });
        expiring
    }
}

impl Health {
    /// How many sub-agents there are, those of hidden sessions included: with files on
    /// disk, or without separate files.
    pub fn count_agents(&self, list: &SessionList) -> usize {
        self.agent_files(list).len() + inline_agents(list)
    }
}

/// How many sub-agents have no files.
fn inline_agents(list: &SessionList) -> usize {
    list.sessions.iter().map(|session| session.inline_agents.count()).sum()
}

impl Health {
    /// The files of all sub-agents whose sessions are not excluded.
    fn agent_files(&self, list: &SessionList) -> Vec<PathBuf> {
        let mut agents = self.catalog.all_agents(Tier::Disk);
        agents.retain(|agent| {
            let hidden = agent.session_id.as_ref().is_some_and(|id| list.excluded.contains(id));
            !hidden
        });
        each_once(agents.into_iter().map(|agent| agent.path).collect())
    }

    /// The folders of roots, without roots that are one transcript.
    fn whole_folders(&self) -> impl Iterator<Item = Folder> {
        let roots = self.stores.disk_roots().filter(|root| root.transcript().is_none());
        roots.flat_map(|root| root.folders(&self.stores.disk).unwrap_or_default().0)
    }

    fn indexes(&self, sessions: &[Session]) -> Vec<IndexReport> {
        let mut reports = Vec::new();
        for folder in self.whole_folders() {
            let Some(path) = folder.list(&self.stores.disk).ok().and_then(|listing| listing.index)
            else {
                continue;
            };
            let Some(index) = read_sessions_index(&path) else { continue };
            let there: BTreeMap<&str, i64> = sessions
                .iter()
                .filter(|session| {
                    session.path.as_ref().is_some_and(|path| path.parent() == Some(&folder.path))
                })
                .map(|session| (session.id.as_str(), session.metadata.modified.as_millisecond()))
                .collect();
            let named: BTreeSet<&str> = index.sessions.iter().map(|(id, _)| id.as_str()).collect();
            reports.push(IndexReport {
                path,
                gone: named.iter().filter(|id| !there.contains_key(*id)).count(),
                missing: there.keys().filter(|id| !named.contains(*id)).count(),
                outdated: index
                    .sessions
                    .iter()
                    .filter(|(id, claimed)| {
                        there.get(id.as_str()).is_some_and(|real| *claimed != Some(*real))
                    })
                    .count(),
            });
        }
        reports
    }
}

/// Roots may overlap: each file counts once.
fn each_once(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut seen = HashSet::new();
    paths.retain(|path| seen.insert(std::fs::canonicalize(path).unwrap_or_else(|_| path.clone())));
    paths
}

/// Folders whose name stands for several recorded working directories.
fn collisions(sessions: &[Session]) -> Vec<FolderCollision> {
    let mut folders: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
    for session in sessions {
        let (Some(path), Some(cwd), Some(name)) =
            (&session.path, &session.metadata.cwd, &session.folder)
        else {
            continue;
        };
        if store::folder_name(cwd) == *name
            && let Some(folder) = path.parent()
        {
            folders.entry(folder.to_owned()).or_default().insert(cwd.clone());
        }
    }
    folders
        .into_iter()
        .filter(|(_, cwds)| cwds.len() > 1)
        .map(|(folder, cwds)| FolderCollision { folder, cwds: cwds.into_iter().collect() })
        .collect()
}
