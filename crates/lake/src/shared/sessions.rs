//! The sessions that are shared, and which of their rows the lake lacks.

use crate::decision::{Decision, Decisions, Sharing};
use crate::local::{Local, Target, Wanted};
use crate::names::{Audience, Level, Month, SessionId, Table};
use crate::rows::Rows;
use crate::segment::{Entry, Piece};
use crate::shared::call_rows::{CallRows, SessionCalls};
use crate::shared::claims::{Claims, KnownSession, KnownSessions, first_bytes};
use crate::shared::project_key::project_key;
use crate::shared::session_masking::{SessionMasking, version_of, with_values};
use crate::shared::session_rows::{HasByTable, MissingRows, SessionRows};
use crate::shared::sharing_rules::{Shared, SharingRules};
use library::Library;
use library::catalog::Source;
use library::lines::ReadError;
use library::progress::Progress;
use library::search::SourceKind;
use library::session::Session;
use library::sessions::TranscriptReader;
use library::stores::Tier;
use library::usage::UsageSource;
use redact::{Redactor, Report};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;
use usage::Prices;

/// The version of the rules that make rows: of parsing and of masking. Newer rules send
/// rows again. What rows say is higher (`with_values`).
pub const RULES: u32 = 3;

/// A file whose lines were not sent.
pub type UnreadSource = ReadError;

/// A session that is shared.
#[derive(Debug)]
struct SharedSession {
    shared: Shared,
    project: String,
    /// The folder of the project, masked.
    folder: String,
    /// None if only calls of it are here: its transcript is gone, or only an agent's is there.
    session: Option<Session>,
    /// The places of its calls in the usage, in order of time.
    calls: Vec<u32>,
    /// The digest of the stamps of its transcripts: the session's and those of agents.
    stamps: u64,
}

/// All sessions that are shared.
#[derive(Debug)]
pub struct SharedSessions<'l> {
    library: &'l Library,
    /// Of texts that belong to no session, and of sessions without values.
    masking: Rc<SessionMasking>,
    maskings: RefCell<HashMap<SessionId, Rc<SessionMasking>>>,
    decisions: Decisions,
    highest_level: Level,
    sessions: BTreeMap<SessionId, SharedSession>,
    usage: UsageSource,
    prices: Prices,
    known: &'l KnownSessions,
    reader: RefCell<TranscriptReader<'l>>,
    /// What is here of tables that have rows of older rules in the lake.
    outdated: RefCell<HashMap<(SessionId, Table, String), Claims>>,
    unread: RefCell<Vec<UnreadSource>>,
    masked: RefCell<Report>,
}

impl<'l> SharedSessions<'l> {
    /// Finds the sessions that the rules share.
    pub fn find(
        library: &'l Library,
        rules: &SharingRules,
        decisions: Decisions,
        redactor: &Arc<Redactor>,
        known: &'l KnownSessions,
        progress: &dyn Progress,
    ) -> Self {
        let list = library.catalog().all_sessions();
        let listed: HashSet<String> =
            list.sessions.iter().map(|session| session.id.clone()).collect();
        let mut unread = list.read_errors;
        let folder_of = |session: &Session| {
            session.project.clone().or_else(|| session.metadata.cwd.clone()).unwrap_or_default()
        };
        let shared: Vec<(Session, SessionId, Shared)> = list
            .sessions
            .into_iter()
            .filter_map(|session| {
                let shared = rules.of_folder(&folder_of(&session))?;
                let id = session.id.parse().ok()?;
                Some((session, id, shared))
            })
            .collect();
        let found: Vec<&Session> = shared.iter().map(|(session, ..)| session).collect();
        let sources = library.catalog().sources(&found, Tier::DiskAndArchive);
        let masking = SessionMasking::new(redactor, RULES);
        let names = &masking.names;
        let mut keys: BTreeMap<String, String> = BTreeMap::new();
        let mut sessions = BTreeMap::new();
        for ((session, id, shared), mut sources) in shared.into_iter().zip(sources.sessions) {
            let folder = folder_of(&session);
            let key = keys.entry(folder.clone()).or_insert_with_key(|folder| project_key(folder));
            let (project, folder) = (names.mask(key), names.mask(&folder));
            sources.retain(|source| matches!(source.kind, SourceKind::Main | SourceKind::Agent));
            let here = SharedSession {
                shared,
                project,
                folder,
                session: Some(session),
                calls: Vec::new(),
                stamps: stamps_of(&sources),
            };
            sessions.insert(id, here);
        }
        // The types of agents are in files beside their transcripts, which usage at level
        // `usage` does not need.
        let with_sessions = rules.highest() > Level::Usage;
        let usage = library.usage().read(with_sessions, progress);
        unread.extend(usage.read_errors.iter().cloned());
        for (place, call) in (0_u32..).zip(&usage.calls.calls) {
            let Some(id) = usage.session_id(call) else { continue };
            let Ok(session) = id.parse::<SessionId>() else { continue };
            let cwd = usage.calls.names.get(call.attribution.cwd).unwrap_or_default();
            if let Some(here) = sessions.get_mut(&session) {
                if here.session.is_some() || rules.of_folder(cwd).is_some() {
                    here.calls.push(place);
                }
                continue;
            }
            // Without a transcript, the folder of each call decides. A session that has one is
            // not here because the rules do not share it.
            let Some(shared) = rules.of_folder(cwd).filter(|_| !listed.contains(id)) else {
                continue;
            };
            let key = keys.entry(cwd.to_owned()).or_insert_with_key(|folder| project_key(folder));
            let here = SharedSession {
                shared,
                project: names.mask(key),
                folder: names.mask(cwd),
                session: None,
                calls: vec![place],
                stamps: 0,
            };
            sessions.insert(session, here);
        }
        let calls = &usage.calls.calls;
        for session in sessions.values_mut() {
            session.calls.sort_by_cached_key(|place| {
                let call = usize::try_from(*place).ok().and_then(|place| calls.get(place));
                call.map(|call| (call.time, call.id.clone(), call.request.clone()))
            });
        }
        SharedSessions {
            library,
            masking: Rc::new(masking),
            maskings: RefCell::default(),
            decisions,
            highest_level: rules.highest(),
            sessions,
            usage,
            prices: Prices::embedded(),
            known,
            reader: RefCell::new(library.sessions().transcript_reader()),
            outdated: RefCell::default(),
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

/// The digest of the stamps of files.
fn stamps_of(sources: &[Source]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    for source in sources {
        hasher.update(source.path.as_os_str().as_encoded_bytes());
        hasher.update(&[0]);
        hasher.update(&source.bytes.to_le_bytes());
        hasher.update(&source.modified.as_nanosecond().to_le_bytes());
    }
    first_bytes(&hasher.finalize())
}

impl SharedSession {
    fn calls_of<'s>(&'s self, session: &'s SessionId, folder: &'s str) -> SessionCalls<'s> {
        SessionCalls { session, project: &self.project, folder, places: &self.calls }
    }
}

impl SharedSessions<'_> {
    /// How a session is masked. Reads what is new in its files for values. At level `usage`
    /// nothing leaves of them but names, which are masked by themselves.
    fn masking(&self, id: &SessionId, here: &SharedSession) -> Rc<SessionMasking> {
        if let Some(known) = self.maskings.borrow().get(id) {
            return Rc::clone(known);
        }
        let Some(session) = here.session.as_ref().filter(|_| self.has_names(id)) else {
            return Rc::clone(&self.masking);
        };
        let base = &self.masking.redactor;
        let redactor = self.library.sessions().session_redactor(base, session);
        let masking = if Arc::ptr_eq(base, &redactor) {
            Rc::clone(&self.masking)
        } else {
            Rc::new(SessionMasking::new(&redactor, RULES))
        };
        self.maskings.borrow_mut().insert(id.clone(), Rc::clone(&masking));
        masking
    }

    /// The rules that make rows of a session. Files are only read if they changed.
    fn rules_of(&self, id: &SessionId, here: &SharedSession) -> u32 {
        if here.session.is_none() || !self.has_names(id) {
            return self.masking.rules;
        }
        let known = self.known.get(id, here.stamps).map(|known| known.rules);
        match known.filter(|rules| version_of(*rules) == RULES) {
            Some(rules) => rules,
            None => self.masking(id, here).rules,
        }
    }

    /// Whether more than calls leaves of a session.
    fn has_names(&self, id: &SessionId) -> bool {
        self.sharing(id).is_some_and(|(level, _)| level > Level::Usage)
    }

    fn call_rows<'s>(&'s self, masking: &'s SessionMasking, rules: u32) -> CallRows<'s> {
        let SharedSessions { usage, prices, .. } = self;
        CallRows { source: usage, prices, names: &masking.names, rules }
    }

    /// The missing rows of calls. What they are known by has no names in it.
    fn missing_calls(
        &self,
        id: &SessionId,
        here: &SharedSession,
        table: Table,
        has: &[&Entry],
    ) -> Vec<(Month, Piece<Rows>)> {
        let rows = self.call_rows(&self.masking, self.rules_of(id, here));
        if rows.is_covered(table, &here.calls_of(id, &here.folder), has) {
            return Vec::new();
        }
        let masking = self.masking(id, here);
        let folder = masking.names.mask(&here.folder);
        let rows = self.call_rows(&masking, masking.rules);
        rows.missing(table, &here.calls_of(id, &folder), has)
    }

    /// The missing rows of tables that are made from transcripts. A session that did not
    /// change and that the lake has is not read.
    fn missing_from_transcripts(
        &self,
        id: &SessionId,
        here: &SharedSession,
        has: &HasByTable<'_>,
    ) -> Vec<(Table, Month, Piece<Rows>)> {
        let has_text = has.contains_key(&Table::Lines) || has.contains_key(&Table::Blocks);
        let known = self.known.get(id, here.stamps).filter(|known| known.has_text == has_text);
        if known.is_some_and(|known| {
            let rules = self.rules_of(id, here);
            has.iter().all(|(table, has)| known.is_covered(*table, has, rules))
        }) {
            return Vec::new();
        }
        let Some(session) = &here.session else { return Vec::new() };
        let masking = self.masking(id, here);
        let rows = SessionRows {
            session,
            id,
            project: &here.project,
            folder: &masking.names.mask(&here.folder),
            has_text,
            redactor: &masking.redactor,
            names: &masking.names,
            rules: masking.rules,
            masked: &self.masked,
        };
        match rows.missing(&mut self.reader.borrow_mut(), has) {
            Ok(missing) => {
                let MissingRows { pieces, known, outdated } = missing;
                let (stamps, rules) = (here.stamps, masking.rules);
                self.known.keep(id, KnownSession { stamps, has_text, rules, claims: known });
                let mut all = self.outdated.borrow_mut();
                for ((table, source), claims) in outdated {
                    all.insert((id.clone(), table, source), claims);
                }
                pieces
            }
            Err(errors) => {
                self.unread.borrow_mut().extend(errors);
                Vec::new()
            }
        }
    }
}

impl Local<Rows> for SharedSessions<'_> {
    fn decisions(&self) -> Decisions {
        self.decisions.clone()
    }

    fn rules(&self) -> u32 {
        with_values(RULES, 0)
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
            // Above the highest level nothing is added, but what the lake has follows.
            Some(Sharing::With(audience)) => Target::Audience(audience.clone()),
            None => match here {
                Some(here) if table.level() <= here.shared.level => {
                    Target::Audience(here.shared.audience.clone())
                }
                _ => Target::Undecided,
            },
        }
    }

    fn project(&self, session: &SessionId) -> Option<&str> {
        SharedSessions::project(self, session)
    }

    fn sessions(&self) -> Vec<SessionId> {
        let mut sessions: Vec<(&SessionId, &SharedSession)> = self.sessions.iter().collect();
        // Neighbours in time go into the same segments.
        let created = |here: &SharedSession| here.session.as_ref()?.metadata.created;
        sessions.sort_by_key(|(_, here)| created(here));
        sessions.into_iter().map(|(id, _)| id.clone()).collect()
    }

    fn is_outdated(&self, table: Table, entry: &Entry) -> bool {
        let Some(here) = self.sessions.get(&entry.session) else { return false };
        if entry.rules >= self.rules_of(&entry.session, here) {
            return false;
        }
        match table {
            Table::Days => false,
            Table::Calls | Table::Attributions => {
                let rows = self.call_rows(&self.masking, self.masking.rules);
                rows.holds(table, &here.calls_of(&entry.session, &here.folder), entry)
            }
            // The row of a session is made anew whenever it is read.
            Table::Sessions => here.session.is_some(),
            _ => {
                let key = (entry.session.clone(), table, entry.source.clone());
                self.outdated.borrow().get(&key).is_some_and(|claims| claims.holds(entry))
            }
        }
    }

    fn missing(
        &self,
        session: &SessionId,
        wanted: &[Wanted<'_>],
    ) -> Vec<(Table, Month, Piece<Rows>)> {
        let Some(here) = self.sessions.get(session) else { return Vec::new() };
        let mut missing = Vec::new();
        let mut from_transcripts = HasByTable::new();
        for Wanted { table, has } in wanted {
            match table {
                _ if table.level() > self.highest_level => {}
                Table::Days => {}
                Table::Calls | Table::Attributions => {
                    let pieces = self.missing_calls(session, here, *table, has);
                    missing.extend(pieces.into_iter().map(|(month, piece)| (*table, month, piece)));
                }
                _ => drop(from_transcripts.insert(*table, has.clone())),
            }
        }
        if !from_transcripts.is_empty() {
            missing.extend(self.missing_from_transcripts(session, here, &from_transcripts));
        }
        missing
    }
}
