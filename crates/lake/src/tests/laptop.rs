//! A laptop with sessions, reduced to what the protocol sees of it.

use crate::decision::{Decision, Decisions, Sharing};
use crate::local::{DecidedElsewhere, Local, Target, Wanted};
use crate::memory::MemoryOfProcess;
use crate::names::{Audience, Installation, Month, Owner, SessionId, Table};
use crate::private_chains::PrivateChains;
use crate::push::{PushError, PushOptions, PushReport, Pusher};
use crate::segment::{Entry, Format, FormatError, Piece};
use crate::tests::bucket::SteppedBucket;
use crate::{Bucket, ChainName};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Segments as JSON: pairs of an entry and the ids of its rows.
pub(super) struct JsonFormat;

impl Format for JsonFormat {
    type Rows = Vec<String>;

    fn encode(&self, table: Table, pieces: &[Piece<Vec<String>>]) -> Result<Vec<u8>, FormatError> {
        let pairs: Vec<_> = pieces.iter().map(|piece| (&piece.entry, &piece.rows)).collect();
        serde_json::to_vec(&pairs).map_err(|error| FormatError { table, reason: error.to_string() })
    }

    fn decode(&self, table: Table, bytes: &[u8]) -> Result<Vec<Piece<Vec<String>>>, FormatError> {
        let pairs: Vec<(Entry, Vec<String>)> = serde_json::from_slice(bytes)
            .map_err(|error| FormatError { table, reason: error.to_string() })?;
        Ok(pairs.into_iter().map(|(entry, rows)| Piece { entry, rows }).collect())
    }

    fn entries(&self, table: Table, bytes: &[u8]) -> Result<Vec<Entry>, FormatError> {
        Ok(self.decode(table, bytes)?.into_iter().map(|piece| piece.entry).collect())
    }

    /// Here the sum of calls is the list of their ids.
    fn sum_by_day(&self, calls: &[Vec<String>], elsewhere: &[Vec<String>]) -> Vec<String> {
        let elsewhere: BTreeSet<&String> = elsewhere.iter().flatten().collect();
        let calls: BTreeSet<String> = calls.iter().flatten().cloned().collect();
        calls.into_iter().filter(|id| !elsewhere.contains(id)).collect()
    }

    fn is_of_project(&self, piece: &Piece<Vec<String>>, key: &str) -> bool {
        project_of(&piece.entry.session) == key
    }

    fn count(&self, rows: &Vec<String>) -> u64 {
        rows.len() as u64
    }

    fn size(&self, rows: &Vec<String>) -> u64 {
        rows.len() as u64
    }
}

/// The tables that laptops fill here: one that follows what was decided about sessions,
/// and one that does not.
pub(super) const TABLES: [Table; 2] = [Table::Calls, Table::Lines];

/// What a push depends on here.
pub(super) type LocalState =
    (BTreeMap<SessionId, Vec<String>>, BTreeSet<SessionId>, Decisions, u32);

/// What a laptop has.
#[derive(Clone)]
pub(super) struct Laptop {
    pub owner: Owner,
    pub installation: Installation,
    /// The record ids of each session, in order.
    pub sessions: BTreeMap<SessionId, Vec<String>>,
    /// The sessions whose text a rule sends to the private chain.
    pub by_rule: BTreeSet<SessionId>,
    pub decisions: Decisions,
    /// Whether a decision may not have reached all installations of the owner.
    pub is_unapplied: bool,
    /// Whether the last push did not finish.
    pub is_unfinished: bool,
    /// The version of its rules.
    pub rules: u32,
    pub memory: Rc<MemoryOfProcess>,
    /// What was here and in the lake when the last push had finished.
    pub idle: Rc<RefCell<Option<(LocalState, PushReport)>>>,
}

impl Laptop {
    pub(super) fn new(owner: &str, installation: &str) -> Self {
        Laptop {
            owner: owner.parse().unwrap(),
            installation: installation.parse().unwrap(),
            sessions: BTreeMap::new(),
            by_rule: BTreeSet::new(),
            decisions: Decisions::default(),
            is_unapplied: false,
            is_unfinished: false,
            rules: 1,
            memory: Rc::default(),
            idle: Rc::default(),
        }
    }

    /// Pushes, and applies decisions to the owner's other installations if that is due.
    pub(super) async fn push(
        self,
        bucket: SteppedBucket,
        options: PushOptions,
    ) -> Result<PushReport, PushError> {
        let idle = self.idle.take().filter(|_| !self.is_unfinished);
        if let Some((local, report)) = idle
            && local == self.state()
            && report.private == PrivateChains::list(&bucket, &self.owner).await?
        {
            self.idle.replace(Some((local, report.clone())));
            return Ok(report);
        }
        let options = PushOptions {
            collects_always: self.is_unfinished,
            trusts_memory: !self.is_unfinished && options.trusts_memory,
            ..options
        };
        let report = Pusher {
            bucket: &bucket,
            format: &JsonFormat,
            local: &self,
            memory: &*self.memory,
            owner: self.owner.clone(),
            installation: self.installation.clone(),
            options: options.clone(),
        }
        .push()
        .await?;
        if self.is_unapplied {
            let elsewhere = DecidedElsewhere(self.decisions.clone());
            let prefix = ChainName::owner_prefix(&Audience::Private, &self.owner);
            for folder in bucket.folders(&prefix).await? {
                let installation: Installation = folder.parse().unwrap();
                if installation != self.installation {
                    Pusher {
                        bucket: &bucket,
                        format: &JsonFormat,
                        local: &elsewhere,
                        memory: &*self.memory,
                        owner: self.owner.clone(),
                        installation,
                        options: PushOptions { trusts_memory: false, ..options.clone() },
                    }
                    .push()
                    .await?;
                }
            }
        } else {
            self.idle.replace(Some((self.state(), report.clone())));
        }
        Ok(report)
    }
}

impl Laptop {
    /// Loses its memory.
    pub(super) fn forget(&self) {
        self.memory.forget();
        self.idle.replace(None);
    }

    fn state(&self) -> LocalState {
        (self.sessions.clone(), self.by_rule.clone(), self.decisions.clone(), self.rules)
    }
}

/// The key of a session's project.
pub(super) fn project_of(session: &SessionId) -> &'static str {
    if matches!(session.as_str(), "s1" | "s2") { "moons" } else { "tides" }
}

/// The month of a record, which its id begins with.
pub(super) fn month_of(id: &str) -> Month {
    Month::new(2026, id[..2].parse().unwrap()).unwrap()
}

fn digest(ids: &[String]) -> u64 {
    let hash = blake3::hash(ids.join("\n").as_bytes());
    u64::from_le_bytes(hash.as_bytes()[..8].try_into().unwrap())
}

fn line(number: u64) -> usize {
    usize::try_from(number).unwrap()
}

impl Local<Vec<String>> for Laptop {
    fn decisions(&self) -> Decisions {
        self.decisions.clone()
    }

    fn rules(&self) -> u32 {
        self.rules
    }

    fn target(&self, session: &SessionId, table: Table, decision: Option<&Decision>) -> Target {
        match decision.map(|decision| &decision.sharing) {
            _ if table == Table::Days => Target::Undecided,
            Some(Sharing::Forgotten) => Target::Nowhere,
            _ if table == Table::Calls => Target::Audience(Audience::Private),
            Some(Sharing::With(audience)) => Target::Audience(audience.clone()),
            None if self.by_rule.contains(session) => Target::Audience(Audience::Private),
            None => Target::Undecided,
        }
    }

    fn project(&self, session: &SessionId) -> Option<&str> {
        self.sessions.get(session).map(|_| project_of(session))
    }

    fn sessions(&self) -> Vec<SessionId> {
        self.sessions.keys().cloned().collect()
    }

    fn is_outdated(&self, _: Table, entry: &Entry) -> bool {
        let here = self.sessions.get(&entry.session);
        let claimed = here.and_then(|ids| ids.get(..line(entry.to)));
        entry.rules < self.rules && claimed.is_some_and(|ids| digest(ids) == entry.digest)
    }

    fn missing(
        &self,
        session: &SessionId,
        wanted: &[Wanted<'_>],
    ) -> Vec<(Table, Month, Piece<Vec<String>>)> {
        let filled = wanted.iter().filter(|wanted| TABLES.contains(&wanted.table));
        let pieces = filled.flat_map(|wanted| {
            let pieces = self.missing_of(session, &wanted.has).into_iter();
            pieces.map(|(month, piece)| (wanted.table, month, piece))
        });
        pieces.collect()
    }
}

impl Laptop {
    /// The rows of a table that the lake lacks.
    fn missing_of(&self, session: &SessionId, has: &[&Entry]) -> Vec<(Month, Piece<Vec<String>>)> {
        let ids = &self.sessions[session];
        let mut covered = 0;
        loop {
            let next = has.iter().filter(|entry| {
                let (from, to) = (line(entry.from), line(entry.to));
                entry.rules >= self.rules
                    && from <= covered
                    && covered < to
                    && to <= ids.len()
                    && digest(&ids[..to]) == entry.digest
            });
            match next.map(|entry| line(entry.to)).max() {
                Some(to) => covered = to,
                None => break,
            }
        }
        // Months never go back, as in a transcript.
        let mut month = Month::FIRST;
        let mut pieces: Vec<(Month, Piece<Vec<String>>)> = Vec::new();
        for (number, id) in ids.iter().enumerate() {
            month = month.max(month_of(id));
            if number < covered {
                continue;
            }
            let to = number + 1;
            if let Some((_, piece)) = pieces.last_mut().filter(|(last, _)| *last == month) {
                piece.entry.to = to as u64;
                piece.entry.digest = digest(&ids[..to]);
                piece.rows.push(id.clone());
            } else {
                let entry = Entry {
                    session: session.clone(),
                    source: String::new(),
                    from: number as u64,
                    to: to as u64,
                    digest: digest(&ids[..to]),
                    rules: self.rules,
                };
                pieces.push((month, Piece { entry, rows: vec![id.clone()] }));
            }
        }
        pieces
    }
}
