//! Brings the lake in line with what is shared, and says what left.

use super::idle::Idle;
use super::lake_access::{LakeAccess, installation};
use super::progress::{ReadingProgress, SendingProgress};
use super::push_state::{PushState, read_decisions, write_decisions};
use super::readers::readers;
use super::{failure, idle, push_record, wrong};
use document::{
    Document as _, LakeFailure, LakeLevel, LakeMachine, LakeMaskedDocument, LakePushDocument,
    LakeRowsDocument, LakeSettings,
};
use globset::{Glob, GlobMatcher, GlobSet, GlobSetBuilder};
use lake::{
    Audience, Bucket, Chain, ChainName, DecidedElsewhere, DryRun, Format as _, Installation,
    KnownSessions, Level, Memory, NoMemory, ObjectBucket, ParquetFormat, PrivateChains,
    PushOptions, PushReport, Pusher, SegmentName, SessionId, ShareRule, SharedSessions, Sharing,
    SharingRules, Table, Verified,
};
use library::progress::NoProgress;
use library::{Library, Options};
use redact::Redactor;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::RootOrigin;

/// The key with which secrets are masked on this machine.
const MASKING_KEY: &str = "redaction.key";

/// What a push is asked to do.
#[derive(Clone, Copy, Debug)]
pub(super) struct PushRequest {
    pub(super) is_dry_run: bool,
    pub(super) with_rows: bool,
}

/// Pushes, and records how that ended.
pub(super) async fn run(
    settings: &LakeSettings,
    machine: &LakeMachine,
    request: PushRequest,
) -> Result<LakePushDocument, LakeFailure> {
    let result = push(settings, machine, request).await;
    if !request.is_dry_run {
        push_record::record(machine, &result)?;
    }
    result
}

async fn push(
    settings: &LakeSettings,
    machine: &LakeMachine,
    request: PushRequest,
) -> Result<LakePushDocument, LakeFailure> {
    let access = LakeAccess::check(settings)?;
    let installation = own_installation(settings)?;
    let bucket = access.open(settings)?;
    // Before anything is read: what changes meanwhile is seen by the next push.
    let local = idle::local_state(settings, machine, &access.owner)?;
    if !request.is_dry_run
        && let Some(idle) = Idle::read(machine, &local)
    {
        let private = PrivateChains::list(&bucket, &access.owner).await;
        let private =
            private.map_err(|error| failure(format!("cannot push to {}: {error}", access.url)))?;
        if idle.holds(&private) {
            return Ok(nothing_new(&access, &idle));
        }
    }
    let place = format!("{} {} {installation}", access.url, access.owner);
    let mut state = PushState::read(machine, place);
    let decisions = read_decisions(machine)?;
    let rules = sharing_rules(settings, &access)?;
    let library = open_library(machine)?;
    let redactor = Arc::new(Redactor::new(redact::Level::Strict, masking_key(machine)?));
    let sources = std::mem::take(&mut state.sources);
    let reading = ReadingProgress::default();
    let shared =
        SharedSessions::find(&library, &rules, decisions.clone(), &redactor, &sources, &reading);
    let push = Push { access: &access, installation: &installation, shared: &shared };
    if request.is_dry_run {
        let dry = DryRun::new(&bucket);
        // Nothing is remembered: it did not happen.
        let report = push.push(&dry, &NoMemory, PushOptions::default()).await?;
        let mut document = push.document(&report, true);
        if request.with_rows {
            document.rows = rows(&dry.into_created())?;
        }
        return Ok(document);
    }
    let was_unfinished = state.is_unfinished;
    state.is_unfinished = true;
    Idle::remove(machine)?;
    state.write(machine)?;
    let sending = SendingProgress::new(&bucket);
    let options = PushOptions {
        collects_always: was_unfinished,
        trusts_memory: !was_unfinished,
        ..PushOptions::default()
    };
    let report = push.push(&sending, &state, options).await?;
    let has_decided = state.applied != decisions;
    if has_decided {
        push.apply_elsewhere(&bucket, &state, &DecidedElsewhere(decisions.clone())).await?;
    }
    let document = push.document(&report, false);
    drop(shared);
    state.sources = sources;
    state.applied = decisions;
    state.is_unfinished = false;
    state.prune();
    state.write(machine)?;
    // Writing to the chains of other installations changed them; the next push reads them.
    if document.unread.is_empty() && !has_decided {
        Idle::write(machine, local, &report, document.sessions)?;
    }
    Ok(document)
}

/// The answer when nothing changed since the last push.
fn nothing_new(access: &LakeAccess, idle: &Idle) -> LakePushDocument {
    LakePushDocument {
        schema: LakePushDocument::SCHEMA.into(),
        url: access.url.to_string(),
        is_dry_run: false,
        sessions: idle.sessions,
        bytes: 0,
        leaves: Vec::new(),
        deleted: 0,
        masked: Vec::new(),
        has_old_rules: idle.has_old_rules,
        has_left: idle.has_left,
        unread: Vec::new(),
        rows: Vec::new(),
    }
}

/// What a push would change.
pub(super) struct Compared {
    /// Rows that the lake lacks, sums by day left out.
    pub(super) rows: u64,
    /// Sessions that have some.
    pub(super) sessions: u64,
    /// Objects that would go.
    pub(super) deleted: u64,
}

/// Compares what is shared here with what the lake has. Sends nothing.
pub(super) async fn compare(
    settings: &LakeSettings,
    machine: &LakeMachine,
    bucket: &ObjectBucket,
    verified: &Verified,
) -> Result<Compared, LakeFailure> {
    let access = LakeAccess::check(settings)?;
    let installation = own_installation(settings)?;
    let rules = sharing_rules(settings, &access)?;
    let library = open_library(machine)?;
    let redactor = Arc::new(Redactor::new(redact::Level::Strict, masking_key(machine)?));
    let known = KnownSessions::default();
    let decisions = read_decisions(machine)?;
    let shared = SharedSessions::find(&library, &rules, decisions, &redactor, &known, &NoProgress);
    let push = Push { access: &access, installation: &installation, shared: &shared };
    let report = push.push(&DryRun::new(bucket), &verified.memory, PushOptions::default()).await?;
    let new = report.segments.iter().filter(|it| it.segment.name.table != Table::Days);
    let rows = new.clone().map(|it| it.segment.rows).sum();
    let sessions: BTreeSet<&SessionId> = new.flat_map(|it| &it.sessions).collect();
    Ok(Compared { rows, sessions: sessions.len() as u64, deleted: report.deleted })
}

/// A decision about one session.
#[derive(Clone, Debug)]
pub(super) struct DecisionRequest {
    pub(super) session: String,
    /// Who it is for; the lake forgets it if there are no readers.
    pub(super) audience: Option<String>,
    /// Refuse if others cannot read it now.
    pub(super) only_if_shared: bool,
}

/// Decides who a session is for, and pushes. The decision is kept even if the storage does
/// not answer; the next push applies it.
pub(super) async fn decide(
    settings: &LakeSettings,
    machine: &LakeMachine,
    request: &DecisionRequest,
) -> Result<LakePushDocument, LakeFailure> {
    let access = LakeAccess::check(settings)?;
    let session: SessionId = request.session.parse().map_err(failure)?;
    let sharing = match &request.audience {
        None => Sharing::Forgotten,
        Some(text) => Sharing::With(text.parse::<Audience>().map_err(failure)?),
    };
    let rules = sharing_rules(settings, &access)?;
    let library = open_library(machine)?;
    let here = library.catalog().find_id(session.as_str());
    let folder = here.and_then(|session| session.project.or(session.metadata.cwd));
    let shares_more = sharing != Sharing::Forgotten && !request.only_if_shared;
    if shares_more {
        access.check_text(settings)?;
        if folder.as_ref().is_some_and(|folder| rules.readers_of_text(folder).is_none()) {
            return Err(failure(format!(
                "session {session} is in a folder that the lake does not take\nhint: annals lake \
                 status lists the folders, and lake.projects in the configuration sets them"
            )));
        }
    }
    let mut decisions = read_decisions(machine)?;
    // What was decided on another machine is replaced, not ignored.
    let chain = ChainName {
        audience: Audience::Private,
        owner: access.owner.clone(),
        installation: own_installation(settings)?,
    };
    let head = Chain::new(&access.open(settings)?, chain).head().await;
    if let Ok(head) = &head {
        decisions.merge(&head.manifest.decisions);
    }
    let known = decisions.get(&session).map(|known| known.sharing.clone());
    if known == Some(Sharing::Forgotten) && sharing != Sharing::Forgotten {
        return Err(failure(format!(
            "session {session} was forgotten, and the lake never takes it again"
        )));
    }
    let by_rule = || folder.as_ref().and_then(|folder| rules.readers_of_text(folder));
    let readers = match known {
        Some(Sharing::With(audience)) => Some(audience),
        _ => by_rule(),
    };
    if request.only_if_shared && readers.is_none_or(|readers| readers == Audience::Private) {
        return Err(failure(format!("session {session} is not shared with anyone")));
    }
    decisions.decide(session, sharing);
    write_decisions(machine, &decisions)?;
    let request = PushRequest { is_dry_run: false, with_rows: false };
    run(settings, machine, request).await.map_err(|error| {
        let message = format!(
            "the decision is kept, but could not be applied yet: {}\nhint: annals lake push \
             applies it",
            error.message
        );
        LakeFailure { message, ..error }
    })
}

struct Push<'a, 'l> {
    access: &'a LakeAccess,
    installation: &'a Installation,
    shared: &'a SharedSessions<'l>,
}

impl Push<'_, '_> {
    async fn push<B: Bucket, M: Memory>(
        &self,
        bucket: &B,
        memory: &M,
        options: PushOptions,
    ) -> Result<PushReport, LakeFailure> {
        let pusher = Pusher {
            bucket,
            format: &ParquetFormat,
            local: self.shared,
            memory,
            owner: self.access.owner.clone(),
            installation: self.installation.clone(),
            options,
        };
        pusher.push().await.map_err(|error| self.failed(error))
    }

    /// Takes decisions to the chains of the owner's other installations.
    async fn apply_elsewhere<B: Bucket, M: Memory>(
        &self,
        bucket: &B,
        memory: &M,
        decided: &DecidedElsewhere,
    ) -> Result<(), LakeFailure> {
        let prefix = ChainName::owner_prefix(&Audience::Private, &self.access.owner);
        for folder in bucket.folders(&prefix).await.map_err(|error| self.failed(error))? {
            let Ok(installation) = folder.parse::<Installation>() else { continue };
            if installation == *self.installation {
                continue;
            }
            let pusher = Pusher {
                bucket,
                format: &ParquetFormat,
                local: decided,
                memory,
                owner: self.access.owner.clone(),
                installation,
                options: PushOptions::default(),
            };
            pusher.push().await.map_err(|error| self.failed(error))?;
        }
        Ok(())
    }

    fn failed(&self, error: impl std::fmt::Display) -> LakeFailure {
        failure(format!("cannot push to {}: {error}", self.access.url))
    }

    fn document(&self, report: &PushReport, is_dry_run: bool) -> LakePushDocument {
        let mut leaves: BTreeMap<(Table, Audience), LakeRowsDocument> = BTreeMap::new();
        let mut sessions: BTreeMap<(Table, Audience), BTreeSet<&SessionId>> = BTreeMap::new();
        for written in &report.segments {
            let table = written.segment.name.table;
            let place = (table, written.audience.clone());
            let row = leaves.entry(place.clone()).or_insert_with(|| LakeRowsDocument {
                table: table.as_str().into(),
                level: level_of(table.level()),
                audience: written.audience.to_string(),
                readers: readers(&self.access.url, &written.audience),
                sessions: 0,
                projects: Vec::new(),
                rows: 0,
                bytes: 0,
            });
            row.rows += written.segment.rows;
            row.bytes += written.segment.bytes;
            sessions.entry(place).or_default().extend(&written.sessions);
        }
        for (place, row) in &mut leaves {
            let sessions = sessions.remove(place).unwrap_or_default();
            row.sessions = sessions.len() as u64;
            let projects = sessions.iter().filter_map(|session| self.shared.project(session));
            let projects: BTreeSet<&str> = projects.collect();
            row.projects = projects.into_iter().map(str::to_owned).collect();
        }
        let masked = self.shared.masked().into_iter();
        LakePushDocument {
            schema: LakePushDocument::SCHEMA.into(),
            url: self.access.url.to_string(),
            is_dry_run,
            sessions: self.shared.ids().filter(|id| self.shared.sharing(id).is_some()).count()
                as u64,
            bytes: leaves.values().map(|row| row.bytes).sum(),
            leaves: leaves.into_values().collect(),
            deleted: report.deleted,
            masked: masked
                .map(|(rule, count)| LakeMaskedDocument { rule: rule.to_owned(), count })
                .collect(),
            has_old_rules: report.has_old_rules,
            has_left: report.has_left,
            unread: self.shared.unread().iter().map(ToString::to_string).collect(),
            rows: Vec::new(),
        }
    }
}

fn level_of(level: Level) -> LakeLevel {
    match level {
        Level::Usage => LakeLevel::Usage,
        Level::Metadata => LakeLevel::Metadata,
        Level::Text => LakeLevel::Text,
    }
}

fn lake_level(level: LakeLevel) -> Level {
    match level {
        LakeLevel::Usage => Level::Usage,
        LakeLevel::Metadata => Level::Metadata,
        LakeLevel::Text => Level::Text,
    }
}

/// The rows of new segments, as objects.
fn rows(created: &BTreeMap<String, Vec<u8>>) -> Result<Vec<serde_json::Value>, LakeFailure> {
    let mut found = Vec::new();
    for (name, bytes) in created {
        let Some((chain, segment)) = name.split_once("/d/") else { continue };
        let segment: SegmentName = segment.parse().map_err(failure)?;
        for piece in ParquetFormat.decode(segment.table, bytes).map_err(failure)? {
            for row in piece.rows.to_json() {
                found.push(serde_json::json!({
                    "for": chain, "table": segment.table.as_str(), "row": row,
                }));
            }
        }
    }
    Ok(found)
}

fn own_installation(settings: &LakeSettings) -> Result<Installation, LakeFailure> {
    installation(settings)?.ok_or_else(|| {
        failure("this home has no id in the lake\nhint: run annals lake init URL first")
    })
}

fn masking_key(machine: &LakeMachine) -> Result<[u8; 32], LakeFailure> {
    let path = Path::new(&machine.data_home).join(MASKING_KEY);
    let cannot = |reason: String| failure(format!("cannot read {}: {reason}", path.display()));
    let bytes = std::fs::read(&path).map_err(|error| cannot(error.to_string()))?;
    bytes.as_slice().try_into().map_err(|_| cannot("it does not have 32 bytes".to_owned()))
}

pub(super) fn open_library(machine: &LakeMachine) -> Result<Library, LakeFailure> {
    let mut exclude = GlobSetBuilder::new();
    for pattern in &machine.exclude {
        exclude.add(Glob::new(pattern).map_err(failure)?);
    }
    let exclude: GlobSet = exclude.build().map_err(failure)?;
    let roots = machine.roots.iter().map(|root| (PathBuf::from(root), RootOrigin::Flag));
    Ok(Library::open(Options {
        roots: roots.collect(),
        exclude,
        home: Some(PathBuf::from(&machine.data_home)),
        own_only: true,
        // A shared session is read whole anyway, and its agents are found then.
        without_inline_agents: true,
        ..Options::default()
    }))
}

/// The settings as rules.
pub(super) fn sharing_rules(
    settings: &LakeSettings,
    access: &LakeAccess,
) -> Result<SharingRules, LakeFailure> {
    let glob = |setting: &str, pattern: &String| -> Result<GlobMatcher, LakeFailure> {
        let path = match (pattern.strip_prefix("~/"), &settings.home) {
            (Some(rest), Some(home)) => format!("{home}/{rest}"),
            _ => pattern.clone(),
        };
        let glob = Glob::new(&path).map_err(|error| wrong(setting, error))?;
        Ok(glob.compile_matcher())
    };
    let globs = |setting: &str, patterns: &[String]| -> Result<Vec<GlobMatcher>, LakeFailure> {
        patterns.iter().map(|pattern| glob(setting, pattern)).collect()
    };
    let mut shares = Vec::new();
    for rule in &settings.share {
        shares.push(ShareRule {
            folders: glob("lake.share.project", &rule.project)?,
            level: lake_level(rule.level),
            audience: rule.with.parse().map_err(|error| wrong("lake.share.with", error))?,
        });
    }
    Ok(SharingRules {
        projects: globs("lake.projects", &settings.projects)?,
        allowed: globs("lake.projects", &settings.allowed_projects)?,
        exclude: globs("lake.exclude", &settings.exclude)?,
        level: Some(lake_level(settings.level)),
        shares,
        highest_level: Some(lake_level(access.highest_level(settings))),
    })
}
