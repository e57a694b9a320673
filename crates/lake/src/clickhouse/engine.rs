//! ClickHouse as the engine behind `--lake`.
//!
//! The server says which sessions a question needs; their lines come onto this machine and are
//! laid out like those of the embedded engine, whose code makes the rest of the answer. What
//! was brought stays, with a fingerprint of the objects it came from, and is brought again
//! only if that changes. What the reader may not see any more has no fingerprint and goes.

use super::candidates::{OwnedSession, candidates, for_audience, tables};
use super::client::{EngineClient, EngineError, Parameter};
use super::row_queries::owned_rows;
use super::schema::CANARY;
use crate::cache_files::write_whole;
use crate::names::{Audience, ManifestNumber, Month, Owner, SegmentName, SessionId, Table};
use crate::reading::{Engine, Scope, View, ViewFolder};
use crate::rows::Rows;
use crate::segment::{Entry, Format as _, Piece};
use crate::segment_file::ParquetFormat;
use document::LakeQuestion;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::PathBuf;

/// Sessions are asked for in groups of this size.
const AT_ONCE: usize = 200;
/// Whose the sums of other people are: the server does not say.
const OTHERS: &str = "others";

/// Why a server cannot answer.
#[derive(Debug, thiserror::Error)]
pub enum ReadEngineError {
    /// A request failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The folder on this machine cannot be written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The folder.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// The account belongs to somebody else.
    #[error(
        "the engine knows you as {user:?}, but lake.owner is {owner:?}\nhint: use the account of that name"
    )]
    OtherAccount {
        /// The user of the server.
        user: String,
        /// The owner.
        owner: String,
    },
    /// The engine does not have what is asked for.
    #[error(
        "the engine has nothing private above usage, and does not say who is in a team; the objects of the lake do"
    )]
    NotThere,
}

/// The engine.
#[derive(Debug)]
pub struct ClickHouse {
    /// The server, as the reader.
    pub client: EngineClient,
    /// Who reads.
    pub owner: Owner,
    /// The folder on this machine for everything that is read.
    pub folder: PathBuf,
    /// The time.
    pub now: Timestamp,
}

/// What was brought of a session.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
struct Brought {
    /// By table: which objects its rows came from.
    fingerprints: BTreeMap<Table, String>,
    segments: BTreeSet<SegmentName>,
}

type BroughtSessions = BTreeMap<Owner, BTreeMap<SessionId, Brought>>;

impl ClickHouse {
    /// Whether the server can answer this. Text that is private never leaves the bucket, and
    /// whose sums are a team's is hidden.
    pub fn can_answer(question: &LakeQuestion, scope: &Scope) -> bool {
        match scope {
            Scope::Mine => false,
            Scope::Team(_) => !question.is_usage(),
            Scope::Org => true,
        }
    }

    async fn check_account(&self) -> Result<(), ReadEngineError> {
        let user = self.client.text("SELECT currentUser()", &[]).await?;
        let user = user.trim_end().to_owned();
        if user == self.owner.as_str() {
            return Ok(());
        }
        Err(ReadEngineError::OtherAccount { user, owner: self.owner.to_string() })
    }

    /// The reader's calls, and the sums of others.
    async fn usage(&self, folder: &ViewFolder) -> Result<View, ReadEngineError> {
        let mut usable: BTreeMap<Owner, BTreeSet<SegmentName>> = BTreeMap::new();
        let own = format!("owner = currentUser() AND object != '{CANARY}'");
        let calls =
            owned_rows(&self.client, Table::Calls, ["owner", "session_id"], &own, &[]).await?;
        let own = usable.entry(self.owner.clone()).or_default();
        for group in calls {
            let Some((_, session)) = group.names() else { continue };
            own.insert(self.keep(folder, Some(&session), group.rows)?);
        }
        let days = owned_rows(&self.client, Table::Days, ["''", "''"], "NOT is_mine", &[]).await?;
        if let (false, Ok(others)) = (days.is_empty(), OTHERS.parse::<Owner>()) {
            let names = usable.entry(others).or_default();
            for group in days {
                names.insert(self.keep(folder, None, group.rows)?);
            }
        }
        self.view_of(folder, &LakeQuestion::Usage, &usable)
    }

    /// The sessions that a question needs, and those that were brought before.
    async fn sessions(
        &self,
        folder: &ViewFolder,
        question: &LakeQuestion,
        audience: &Audience,
    ) -> Result<View, ReadEngineError> {
        let state = folder.path().join("brought.json");
        let known = fs::read(&state).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let known: BroughtSessions = known.unwrap_or_default();
        let mut wanted = candidates(&self.client, question, audience).await?;
        for (owner, sessions) in &known {
            wanted.extend(sessions.keys().map(|session| (owner.clone(), session.clone())));
        }
        let fingerprints = self.fingerprints(audience, &wanted).await?;
        let mut brought = BroughtSessions::new();
        let mut missing: BTreeSet<OwnedSession> = BTreeSet::new();
        for ((owner, session), fingerprints) in fingerprints {
            let before = known.get(&owner).and_then(|sessions| sessions.get(&session));
            let own = brought.entry(owner.clone()).or_default();
            if let Some(before) = before.filter(|before| before.fingerprints == fingerprints) {
                own.insert(session, before.clone());
            } else {
                let new = Brought { fingerprints, segments: BTreeSet::new() };
                own.insert(session.clone(), new);
                missing.insert((owner, session));
            }
        }
        self.fetch(folder, audience, &missing, &mut brought).await?;
        let usable = brought.iter().map(|(owner, sessions)| {
            let names = sessions.values().flat_map(|brought| brought.segments.iter().cloned());
            (owner.clone(), names.collect())
        });
        let view = self.view_of(folder, question, &usable.collect())?;
        let bytes = serde_json::to_vec(&brought).unwrap_or_default();
        write_whole(&state, &bytes).map_err(|source| self.io_error(source))?;
        Ok(view)
    }

    /// Which objects the rows of sessions come from. A session that the reader may not see
    /// has none.
    async fn fingerprints(
        &self,
        audience: &Audience,
        wanted: &BTreeSet<OwnedSession>,
    ) -> Result<BTreeMap<OwnedSession, BTreeMap<Table, String>>, ReadEngineError> {
        let mut found: BTreeMap<OwnedSession, BTreeMap<Table, String>> = BTreeMap::new();
        let ids: BTreeSet<&SessionId> = wanted.iter().map(|(_, session)| session).collect();
        let ids: Vec<&SessionId> = ids.into_iter().collect();
        for some in ids.chunks(AT_ONCE) {
            let parameters = asked_for(audience, some);
            for table in tables() {
                let statement = format!(
                    "SELECT owner, session_id, count(), sum(cityHash64(object)) FROM {}.{}_all \
                     WHERE {} GROUP BY owner, session_id",
                    self.client.url().database(),
                    table.as_str(),
                    condition(),
                );
                for row in self.client.lines(&statement, &parameters).await? {
                    let [owner, session, count, sum] = &row[..] else { continue };
                    let (Ok(owner), Ok(session)) = (owner.parse(), session.parse()) else {
                        continue;
                    };
                    let session: OwnedSession = (owner, session);
                    if wanted.contains(&session) {
                        let own = found.entry(session).or_default();
                        own.insert(table, format!("{count} {sum}"));
                    }
                }
            }
        }
        Ok(found)
    }

    /// Brings the rows of sessions.
    async fn fetch(
        &self,
        folder: &ViewFolder,
        audience: &Audience,
        missing: &BTreeSet<OwnedSession>,
        brought: &mut BroughtSessions,
    ) -> Result<(), ReadEngineError> {
        let ids: BTreeSet<&SessionId> = missing.iter().map(|(_, session)| session).collect();
        let ids: Vec<&SessionId> = ids.into_iter().collect();
        for some in ids.chunks(AT_ONCE) {
            let parameters = asked_for(audience, some);
            for table in tables() {
                let place = ["owner", "session_id"];
                let groups =
                    owned_rows(&self.client, table, place, condition(), &parameters).await?;
                for group in groups {
                    let Some(names) = group.names().filter(|it| missing.contains(it)) else {
                        continue;
                    };
                    let (owner, session) = names;
                    let name = self.keep(folder, Some(&session), group.rows)?;
                    let own = brought.entry(owner).or_default().entry(session).or_default();
                    own.segments.insert(name);
                }
            }
        }
        Ok(())
    }

    /// Keeps rows as a segment, from which stores are laid out.
    fn keep(
        &self,
        folder: &ViewFolder,
        session: Option<&SessionId>,
        rows: Rows,
    ) -> Result<SegmentName, ReadEngineError> {
        let table = rows.table();
        let session = session.cloned().or_else(|| "sums".parse().ok());
        let session = session.ok_or_else(|| self.client.unexpected("no session"))?;
        let to = rows.len() as u64;
        let entry = Entry { session, source: String::new(), from: 0, to, digest: 0, rules: 0 };
        let bytes = ParquetFormat
            .encode(table, &[Piece { entry, rows }])
            .map_err(|error| self.client.unexpected(&error.to_string()))?;
        let name = SegmentName::of(ManifestNumber::FIRST, table, Month::FIRST, &bytes);
        folder.segments().keep(&name, &bytes).map_err(|source| self.io_error(source))?;
        Ok(name)
    }

    fn view_of(
        &self,
        folder: &ViewFolder,
        question: &LakeQuestion,
        usable: &BTreeMap<Owner, BTreeSet<SegmentName>>,
    ) -> Result<View, ReadEngineError> {
        let usable = usable.iter().map(|(owner, names)| (owner, names.clone())).collect();
        let view = folder.view(question, &self.owner, &usable, Vec::new(), self.now);
        view.map_err(|source| self.io_error(source))
    }

    fn io_error(&self, source: io::Error) -> ReadEngineError {
        ReadEngineError::Io { path: self.folder.clone(), source }
    }
}

/// The rows of some sessions for some readers.
fn condition() -> &'static str {
    "audience = {audience:String} AND session_id IN {sessions:Array(String)} AND object != 'canary'"
}

fn asked_for(audience: &Audience, sessions: &[&SessionId]) -> [Parameter; 2] {
    let sessions = sessions.iter().map(|session| session.as_str());
    [for_audience(audience), Parameter::texts("sessions", sessions)]
}

impl Engine for ClickHouse {
    type Error = ReadEngineError;

    async fn view(&self, question: &LakeQuestion, scope: &Scope) -> Result<View, ReadEngineError> {
        if !Self::can_answer(question, scope) {
            return Err(ReadEngineError::NotThere);
        }
        self.check_account().await?;
        let folder = ViewFolder::new(&self.folder, question, scope);
        match scope.audience() {
            Some(audience) if !question.is_usage() => {
                self.sessions(&folder, question, &audience).await
            }
            _ => self.usage(&folder).await,
        }
    }
}
