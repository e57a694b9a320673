//! The sessions that are shared, and which of their rows the lake lacks.

use crate::decision::{Decision, Decisions, Sharing};
use crate::local::{Local, Target};
use crate::names::{Audience, Level, Month, SessionId, Table};
use crate::rows::{CallRow, Rows};
use crate::segment::{Entry, Piece};
use crate::shared::call_rows::{self, CallRows};
use crate::shared::claims::{Claims, KnownSources};
use crate::shared::line_rows::LineRows;
use crate::shared::project_key::project_key;
use crate::shared::sharing_rules::{Shared, SharingRules};
use library::{Library, Progress, ReadError, Session, Source, SourceKind, Tier};
use redact::{Redactor, Report};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use usage::Prices;

/// The version of the rules that make rows: of parsing and of masking. Newer rules send
/// rows again.
pub const RULES: u32 = 1;

/// A file whose lines were not sent.
pub type UnreadSource = ReadError;

/// A session that is shared.
#[derive(Debug)]
struct SharedSession {
    shared: Shared,
    project: String,
    calls: Vec<CallRow>,
    /// Its transcripts: the session's and those of agents.
    sources: Vec<Source>,
}

/// All sessions that are shared.
#[derive(Debug)]
pub struct SharedSessions<'l> {
    library: &'l Library,
    redactor: &'l Redactor,
    decisions: Decisions,
    highest_level: Level,
    sessions: BTreeMap<SessionId, SharedSession>,
    known: &'l KnownSources,
    /// The records of the files that were read for this push.
    read: RefCell<HashMap<PathBuf, Claims>>,
    unread: RefCell<Vec<UnreadSource>>,
    masked: RefCell<Report>,
}

impl<'l> SharedSessions<'l> {
    /// Finds the sessions that the rules share.
    pub fn find(
        library: &'l Library,
        rules: &SharingRules,
        decisions: Decisions,
        redactor: &'l Redactor,
        known: &'l KnownSources,
        progress: &dyn Progress,
    ) -> Self {
        let list = library.catalog().all_sessions();
        let shared: Vec<(&Session, SessionId, Shared)> = list
            .sessions
            .iter()
            .filter_map(|session| {
                let folder = session.project.as_deref().or(session.metadata.cwd.as_deref())?;
                Some((session, session.id.parse().ok()?, rules.of_folder(folder)?))
            })
            .collect();
        let found: Vec<&Session> = shared.iter().map(|(session, ..)| *session).collect();
        let sources = library.catalog().sources(&found, Tier::DiskAndArchive);
        let mut keys: HashMap<&str, String> = HashMap::new();
        let mut sessions = BTreeMap::new();
        for ((session, id, shared), mut sources) in shared.into_iter().zip(sources.sessions) {
            let folder = session.project.as_deref().or(session.metadata.cwd.as_deref());
            let project = keys
                .entry(folder.unwrap_or_default())
                .or_insert_with_key(|folder| redactor.mask(&project_key(folder)).into_owned());
            sources.retain(|source| matches!(source.kind, SourceKind::Main | SourceKind::Agent));
            let project = project.clone();
            sessions.insert(id, SharedSession { shared, project, calls: Vec::new(), sources });
        }
        let mut unread = list.read_errors;
        let usage = library.usage().read(false, progress);
        unread.extend(usage.read_errors.iter().cloned());
        let prices = Prices::embedded();
        let mut rows = CallRows::new(&usage, &prices, RULES);
        for call in &usage.calls.calls {
            let id = usage.session_id(call).and_then(|id| id.parse::<SessionId>().ok());
            let Some((id, session)) = id.and_then(|id| sessions.get_mut(&id).map(|s| (id, s)))
            else {
                continue;
            };
            let row = rows.row(call, &id, &session.project);
            session.calls.push(row);
        }
        for session in sessions.values_mut() {
            let key = |row: &CallRow| (row.time, row.id.clone(), row.request_id.clone());
            session.calls.sort_by_cached_key(key);
        }
        SharedSessions {
            library,
            redactor,
            decisions,
            highest_level: rules.highest(),
            sessions,
            known,
            read: RefCell::default(),
            unread: RefCell::new(unread),
            masked: RefCell::default(),
        }
    }

    /// The secrets that were masked in lines so far, by kind.
    pub fn masked(&self) -> Vec<(&'static str, u64)> {
        self.masked.borrow().iter().collect()
    }

    /// The key of a session's project.
    pub fn project(&self, session: &SessionId) -> Option<&str> {
        self.sessions.get(session).map(|session| session.project.as_str())
    }

    /// The files whose lines could not be read.
    pub fn unread(&self) -> Vec<UnreadSource> {
        self.unread.borrow().clone()
    }

    /// What leaves of one session, and for whom.
    pub fn sharing(&self, session: &SessionId) -> Option<(Level, Audience)> {
        let here = self.sessions.get(session)?;
        match self.decisions.get(session).map(|decision| &decision.sharing) {
            Some(Sharing::Forgotten) => None,
            Some(Sharing::With(audience)) => Some((self.highest_level, audience.clone())),
            None => Some((here.shared.level, here.shared.audience.clone())),
        }
    }

    /// The sessions that are shared, in order of their ids.
    pub fn ids(&self) -> impl Iterator<Item = &SessionId> {
        self.sessions.keys()
    }
}

fn source_name(source: &Source) -> &str {
    source.agent_id.as_deref().unwrap_or_default()
}

impl Local<Rows> for SharedSessions<'_> {
    fn decisions(&self) -> Decisions {
        self.decisions.clone()
    }

    fn rules(&self) -> u32 {
        RULES
    }

    fn target(&self, session: &SessionId, table: Table, decision: Option<&Decision>) -> Target {
        let here = self.sessions.get(session);
        match decision.map(|decision| &decision.sharing) {
            // Sums by day are made from calls, not from sessions.
            _ if table == Table::Days => Target::Undecided,
            Some(Sharing::Forgotten) => Target::Nowhere,
            // Single calls are the owner's.
            _ if table.level() == Level::Usage => match here {
                Some(_) => Target::Audience(Audience::Private),
                None => Target::Undecided,
            },
            Some(Sharing::With(audience)) if table.level() <= self.highest_level => {
                Target::Audience(audience.clone())
            }
            Some(Sharing::With(_)) => Target::Undecided,
            None => match here {
                Some(here) if table.level() <= here.shared.level => {
                    Target::Audience(here.shared.audience.clone())
                }
                _ => Target::Undecided,
            },
        }
    }

    fn sessions(&self, table: Table) -> Vec<SessionId> {
        match table {
            Table::Calls | Table::Lines => self.sessions.keys().cloned().collect(),
            Table::Days => Vec::new(),
        }
    }

    fn is_outdated(&self, table: Table, entry: &Entry) -> bool {
        let Some(session) = self.sessions.get(&entry.session) else { return false };
        if entry.rules >= RULES {
            return false;
        }
        match table {
            Table::Calls => call_rows::claims(&session.calls).holds(entry),
            Table::Days => false,
            Table::Lines => {
                // A file with rows of older rules was read, to send them again.
                let read = self.read.borrow();
                let named = session.sources.iter().find(|one| source_name(one) == entry.source);
                named
                    .and_then(|source| read.get(&source.path))
                    .is_some_and(|claims| claims.holds(entry))
            }
        }
    }

    fn missing(
        &self,
        table: Table,
        session: &SessionId,
        has: &[&Entry],
    ) -> Vec<(Month, Piece<Rows>)> {
        let Some(here) = self.sessions.get(session) else { return Vec::new() };
        match table {
            Table::Calls => return call_rows::missing(&here.calls, session, has, RULES),
            Table::Days => return Vec::new(),
            Table::Lines => {}
        }
        let rows = LineRows {
            session,
            project: &here.project,
            redactor: self.redactor,
            rules: RULES,
            masked: &self.masked,
        };
        let mut pieces = Vec::new();
        for source in &here.sources {
            let has: Vec<&Entry> =
                has.iter().filter(|entry| entry.source == source_name(source)).copied().collect();
            let known = self.known.get(&source.path, source.bytes, source.modified);
            if known.is_some_and(|known| known.is_covered(&has, RULES)) {
                continue;
            }
            match rows.missing(self.library.catalog(), source, &has) {
                Ok(missing) => {
                    self.known.keep(&source.path, missing.known);
                    self.read.borrow_mut().insert(source.path.clone(), missing.claims);
                    pieces.extend(missing.pieces);
                }
                Err(error) => self.unread.borrow_mut().push(error),
            }
        }
        pieces
    }
}
