//! Tool calls of many sessions: which calls a page shows, and those calls from their
//! sessions; and all of them in figures.

use super::tool_stats::ToolStats;
use crate::ToolCallDocument;
use conversation::{AgentNode, Status, ToolCall};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use library::Library;
use library::catalog::{Filter, FoundSession};
use library::facts::CallFact;
use library::lines::ReadError;
use library::progress::Progress;
use library::session::Session;
use library::sessions::SessionCalls;
use library::stores::Tier;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// The filter of calls.
#[derive(Clone, Copy, Debug)]
pub struct WantedCalls<'a> {
    /// The tool, the model, the type of agent, the time.
    pub filter: &'a Filter,
    /// The session or sub-agent; `None`: all.
    pub found: Option<&'a FoundSession>,
    /// Only failed calls.
    pub only_errors: bool,
    /// Only calls with one of these; empty: all.
    pub statuses: &'a [Status],
}

impl WantedCalls<'_> {
    /// Whether a call is wanted, by its facts.
    pub fn admits(&self, call: &CallFact<'_>) -> bool {
        self.admits_call(call, || call.status)
    }

    /// The same, with a status that is found only if it matters.
    fn admits_call(&self, call: &CallFact<'_>, status: impl Fn() -> Status) -> bool {
        let own = self.found.filter(|found| found.id() != found.session.id);
        if own.is_some_and(|own| call.agent_id != Some(own.id())) {
            return false;
        }
        let holds = |wanted: &Option<String>, name: Option<&str>| {
            wanted.as_ref().is_none_or(|wanted| {
                name.is_some_and(|name| name.to_lowercase().contains(&wanted.to_lowercase()))
            })
        };
        if !holds(&self.filter.agent, call.agent_type)
            || !holds(&self.filter.model, call.model)
            || !self.filter.admits_tool(call.tool)
            || !self.filter.admits_time(call.time)
        {
            return false;
        }
        if !self.only_errors && self.statuses.is_empty() {
            return true;
        }
        let status = status();
        (self.only_errors && status.is_failure()) || self.statuses.contains(&status)
    }
}

/// The sessions whose calls a filter admits: all of them, whenever they ended, with those
/// whose transcripts are partly gone.
pub fn sessions_with_calls(library: &Library, filter: &Filter) -> (Vec<Session>, Vec<ReadError>) {
    let list = library.catalog().all_sessions();
    let left = library.catalog().sessions_without_transcript(&list);
    let timeless = Filter { since: None, until: None, ..filter.clone() };
    let sessions = list.sessions.into_iter().chain(left);
    (sessions.filter(|session| timeless.admits(session)).collect(), list.read_errors)
}

/// The calls that are asked for.
pub struct ToolCallsRequest<'r> {
    /// The library.
    pub library: &'r Library,
    /// The sessions.
    pub sessions: &'r [&'r Session],
    /// Which of their calls.
    pub wanted: WantedCalls<'r>,
    /// Receives the progress.
    pub progress: &'r dyn Progress,
}

impl fmt::Debug for ToolCallsRequest<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ToolCallsRequest").field("wanted", &self.wanted).finish()
    }
}

/// The place of a call in the list, newest first: its time, its session, and its number
/// in that session.
type CallPlace = (Reverse<Option<Timestamp>>, usize, usize);

/// The calls of a page, with their places.
type Rows = Vec<(CallPlace, ToolCallDocument)>;

/// The calls of each session that a page may show: how many match, how many there are,
/// and the newest of those that match.
type Places = (usize, usize, Vec<(Reverse<Option<Timestamp>>, usize)>);

impl ToolCallsRequest<'_> {
    /// How many calls there are, those of a page (newest first, or oldest first in each
    /// session), and what could not be read.
    pub fn page(
        &self,
        offset: usize,
        limit: usize,
        is_newest_first: bool,
    ) -> (usize, Vec<ToolCallDocument>, Vec<ReadError>) {
        let is_few = limit < usize::MAX && is_newest_first;
        let owners = self.owners();
        let few = is_few.then(|| self.read_few(&owners, offset, limit)).flatten();
        let (total, mut rows, read_errors) =
            few.unwrap_or_else(|| self.read_all(&owners, offset, limit, is_newest_first));
        if is_newest_first {
            rows.sort_by_key(|(place, _)| *place);
        }
        rows.truncate(limit);
        (total, rows.into_iter().map(|(_, call)| call).collect(), read_errors)
    }

    /// All the calls in figures, and what could not be read.
    pub fn stats(&self, zone: &TimeZone) -> (ToolStats, Vec<ReadError>) {
        let owners = self.owners();
        let (sums, read_errors) =
            self.library.facts().call_facts(self.sessions, self.progress, |session, calls| {
                let mut sum = ToolStats::default();
                let own = calls.iter().filter(|call| owners.owns(session, call));
                for call in own.filter(|call| self.wanted.admits(call)) {
                    sum.note(call, zone);
                }
                sum
            });
        let sums = sums.into_iter().map(|(_, sum)| sum);
        (sums.fold(ToolStats::default(), ToolStats::plus), read_errors)
    }

    /// Which sessions made the calls that several of them have. Calls that one session alone
    /// is asked for are all its own.
    fn owners(&self) -> CallOwners<'_> {
        let mut owners = CallOwners::default();
        if self.wanted.found.is_some() || self.sessions.len() < 2 {
            return owners;
        }
        let (keys, _) =
            self.library.facts().call_facts(self.sessions, self.progress, |_, calls| {
                let keys = calls.iter().filter_map(|call| Some((call.key?, call.is_copy)));
                keys.collect::<Vec<_>>()
            });
        for (number, keys) in keys {
            for (key, is_copy) in keys {
                owners.note(key, is_copy, self.sessions[number]);
            }
        }
        owners
    }

    /// The places of the calls that match, newest first, by session: from the facts of
    /// calls if they are stored, else from the calls.
    fn places(
        &self,
        owners: &CallOwners<'_>,
        enough: usize,
    ) -> (Vec<(usize, Places)>, Vec<ReadError>) {
        let newest = |total: usize, mut places: Vec<_>| {
            let matching = places.len();
            places.sort_unstable();
            places.truncate(enough);
            (matching, total, places)
        };
        if self.library.facts().knows_calls() {
            return self.library.facts().call_facts(
                self.sessions,
                self.progress,
                |session, calls| {
                    let wanted = calls
                        .iter()
                        .enumerate()
                        .filter(|(_, call)| self.wanted.admits(call) && owners.owns(session, call));
                    newest(
                        calls.len(),
                        wanted.map(|(number, call)| (Reverse(call.time), number)).collect(),
                    )
                },
            );
        }
        let numbers = self.numbers();
        let tier = Tier::DiskAndArchive;
        self.library.sessions().calls(self.sessions, tier, self.progress, |own, calls| {
            let session = numbers.get(own.id.as_str()).copied().unwrap_or_default();
            let wanted = (0..calls.calls.len()).filter_map(|number| {
                let (agent, call) = call_of(calls, number)?;
                let names = CallFact::without_outcome(agent, call);
                let is_wanted =
                    owners.owns(own, &names) && self.wanted.admits_call(&names, || call.status());
                is_wanted.then_some((Reverse(call.origin.time), number))
            });
            (session, newest(calls.calls.len(), wanted.collect()))
        })
    }

    /// The numbers of the sessions by their ids.
    fn numbers(&self) -> BTreeMap<&str, usize> {
        (0..).zip(self.sessions).map(|(number, session)| (session.id.as_str(), number)).collect()
    }

    /// The same, reading only the sessions that have calls of the page once it is known
    /// which ones. `None` if a session changed meanwhile.
    fn read_few(
        &self,
        owners: &CallOwners<'_>,
        offset: usize,
        limit: usize,
    ) -> Option<(usize, Rows, Vec<ReadError>)> {
        let enough = offset.saturating_add(limit);
        let (pages, mut read_errors) = self.places(owners, enough);
        let total = pages.iter().map(|(_, (total, ..))| total).sum();
        let mut places: Vec<CallPlace> = Vec::new();
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for (session, (_, count, own)) in pages {
            places.extend(own.into_iter().map(|(time, number)| (time, session, number)));
            counts.insert(session, count);
        }
        places.sort_unstable();
        places.truncate(enough);
        places.drain(..offset.min(places.len()));
        let mut shown: BTreeMap<usize, Vec<CallPlace>> = BTreeMap::new();
        for place in places {
            shown.entry(place.1).or_default().push(place);
        }
        let sessions: Vec<&Session> = shown.keys().map(|number| self.sessions[*number]).collect();
        let numbers = self.numbers();
        let (read, unread) = self.library.sessions().calls(
            &sessions,
            Tier::DiskAndArchive,
            self.progress,
            |session, calls| {
                let number = *numbers.get(session.id.as_str())?;
                // Written since its places were found.
                if counts.get(&number) != Some(&calls.calls.len()) {
                    return None;
                }
                let places = shown.get(&number)?.iter();
                let rows = places.map(|place| {
                    let (_, call) = call_of(calls, place.2)?;
                    let is_same = call.origin.time == place.0.0;
                    is_same.then(|| Some((*place, self.document(session, calls, place.2)?)))?
                });
                rows.collect::<Option<Rows>>()
            },
        );
        let unread: Vec<ReadError> =
            unread.into_iter().filter(|read_error| !read_errors.contains(read_error)).collect();
        read_errors.extend(unread);
        let rows = read.into_iter().collect::<Option<Vec<Rows>>>()?;
        Some((total, rows.into_iter().flatten().collect(), read_errors))
    }

    /// The same by reading all sessions.
    fn read_all(
        &self,
        owners: &CallOwners<'_>,
        offset: usize,
        limit: usize,
        is_newest_first: bool,
    ) -> (usize, Rows, Vec<ReadError>) {
        let enough = offset.saturating_add(limit);
        let numbers = self.numbers();
        let (pages, read_errors) = self.library.sessions().calls(
            self.sessions,
            Tier::DiskAndArchive,
            self.progress,
            |session, calls| {
                let own = numbers.get(session.id.as_str()).copied().unwrap_or_default();
                let mut rows: Vec<(CallPlace, _)> = Vec::new();
                for number in 0..calls.calls.len() {
                    let Some((agent, call)) = call_of(calls, number) else { continue };
                    let names = CallFact::without_outcome(agent, call);
                    if owners.owns(session, &names)
                        && self.wanted.admits_call(&names, || call.status())
                    {
                        rows.push(((Reverse(call.origin.time), own, number), call));
                    }
                }
                let total = rows.len();
                if is_newest_first {
                    rows.sort_by_key(|(place, ..)| *place);
                    rows.truncate(enough);
                } else {
                    // Calls without a time stay behind the one before them.
                    let mut before = None;
                    rows.sort_by_cached_key(|(_, call)| {
                        before = call.origin.time.or(before);
                        before
                    });
                }
                let rows = rows.into_iter().filter_map(|(place, _)| {
                    Some((place, self.document(session, calls, place.2)?))
                });
                (total, rows.collect::<Vec<_>>())
            },
        );
        let total = pages.iter().map(|(total, _)| total).sum();
        let mut rows: Rows = pages.into_iter().flat_map(|(_, rows)| rows).collect();
        if is_newest_first {
            rows.sort_by_key(|(place, _)| *place);
        }
        rows.drain(..offset.min(rows.len()));
        (total, rows, read_errors)
    }

    /// A call by its number.
    fn document(
        &self,
        session: &Session,
        calls: &SessionCalls<'_>,
        number: usize,
    ) -> Option<ToolCallDocument> {
        let (agent, call) = call_of(calls, number)?;
        let output = |name: &str| self.library.sessions().tool_output(session, name);
        Some(ToolCallDocument::new(session, agent, call, calls.turn(number), output))
    }
}

/// The sessions that made calls which several sessions have: a branch copies the lines before
/// it, and versions before 1.0.128 copied a session to resume it. Such a call is one call.
#[derive(Debug, Default)]
struct CallOwners<'s>(HashMap<u64, CallOwner<'s>>);

/// Originals before copies, then the session that was written to least recently.
type CallOwner<'s> = (bool, Timestamp, &'s str);

impl<'s> CallOwners<'s> {
    fn note(&mut self, key: u64, is_copy: bool, session: &'s Session) {
        let owner = (is_copy, session.metadata.modified, session.id.as_str());
        let known = self.0.entry(key).or_insert(owner);
        *known = owner.min(*known);
    }

    /// Whether a call counts in a session that has it.
    fn owns(&self, session: &Session, call: &CallFact<'_>) -> bool {
        let owner = call.key.and_then(|key| self.0.get(&key));
        owner.is_none_or(|(_, _, id)| *id == session.id)
    }
}

/// A call by its number, with the sub-agent that made it.
fn call_of<'c>(
    calls: &'c SessionCalls<'c>,
    number: usize,
) -> Option<(Option<&'c AgentNode>, &'c ToolCall<'c>)> {
    let (agent, call) = calls.calls.get(number)?;
    Some((agent.and_then(|agent| calls.agents.get(agent)), call))
}
