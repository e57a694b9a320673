//! Tool calls of many sessions: which calls a page shows, and those calls from their
//! sessions; and all of them in figures.

use super::tool_stats::ToolStats;
use crate::ToolCallDocument;
use conversation::{AgentNode, Status, ToolCall};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use library::{CallFact, Filter, Found, Library, Progress, ReadError, Session, SessionCalls, Tier};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;

/// The filter of calls.
#[derive(Clone, Copy, Debug)]
pub struct WantedCalls<'a> {
    /// The tool, the model, the type of agent, the time.
    pub filter: &'a Filter,
    /// The session or sub-agent; `None`: all.
    pub found: Option<&'a Found>,
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
        let wrong = matches!(status, Status::Error | Status::Denied | Status::Interrupted);
        (self.only_errors && wrong) || self.statuses.contains(&status)
    }
}

/// The sessions whose calls a filter admits: all of them, whenever they ended, with those
/// whose transcripts are partly gone.
pub fn sessions_with_calls(library: &Library, filter: &Filter) -> (Vec<Session>, Vec<ReadError>) {
    let list = library.catalog().all_sessions();
    let left = library.catalog().sessions_left(&list);
    let timeless = Filter { since: None, until: None, ..filter.clone() };
    let sessions = list.sessions.into_iter().chain(left);
    (sessions.filter(|session| timeless.admits(session)).collect(), list.troubles)
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
        let known =
            (is_few && self.library.search().knows_calls()).then(|| self.read_known(offset, limit));
        let (total, mut rows, troubles) =
            known.flatten().unwrap_or_else(|| self.read_all(offset, limit, is_newest_first));
        if is_newest_first {
            rows.sort_by_key(|(place, _)| *place);
        }
        rows.truncate(limit);
        (total, rows.into_iter().map(|(_, call)| call).collect(), troubles)
    }

    /// All the calls in figures, and what could not be read.
    pub fn stats(&self, zone: &TimeZone) -> (ToolStats, Vec<ReadError>) {
        let search = self.library.search();
        let (sums, troubles) = search.call_facts(self.sessions, self.progress, |calls| {
            let mut sum = ToolStats::default();
            for call in calls.iter().filter(|call| self.wanted.admits(call)) {
                sum.note(call, zone);
            }
            sum
        });
        let sums = sums.into_iter().map(|(_, sum)| sum);
        (sums.fold(ToolStats::default(), ToolStats::plus), troubles)
    }

    /// The same from the sessions that have calls of the page, if the facts of all calls
    /// say which ones. `None` if a session changed meanwhile.
    fn read_known(&self, offset: usize, limit: usize) -> Option<(usize, Rows, Vec<ReadError>)> {
        let search = self.library.search();
        let enough = offset.saturating_add(limit);
        let (pages, mut troubles) = search.call_facts(self.sessions, self.progress, |calls| {
            let wanted = calls.iter().enumerate().filter(|(_, call)| self.wanted.admits(call));
            let mut places: Vec<_> =
                wanted.map(|(number, call)| (Reverse(call.time), number)).collect();
            let total = places.len();
            places.sort_unstable();
            places.truncate(enough);
            (total, calls.len(), places)
        });
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
        let owners: Vec<&Session> = shown.keys().map(|number| self.sessions[*number]).collect();
        let numbers: BTreeMap<&str, usize> =
            shown.keys().map(|number| (self.sessions[*number].id.as_str(), *number)).collect();
        let (read, unread) =
            search.calls(&owners, Tier::DiskAndArchive, self.progress, |session, calls| {
                let number = *numbers.get(session.id.as_str())?;
                // Written since its facts were derived.
                if counts.get(&number) != Some(&calls.calls.len()) {
                    return None;
                }
                let places = shown.get(&number)?.iter();
                let rows = places.map(|place| {
                    let (agent, call) = call_of(calls, place.2)?;
                    let is_same = call.origin.time == place.0.0;
                    is_same.then(|| (*place, self.document(session, agent, call)))
                });
                rows.collect::<Option<Rows>>()
            });
        let unread: Vec<ReadError> =
            unread.into_iter().filter(|trouble| !troubles.contains(trouble)).collect();
        troubles.extend(unread);
        let rows = read.into_iter().collect::<Option<Vec<Rows>>>()?;
        Some((total, rows.into_iter().flatten().collect(), troubles))
    }

    /// The same by reading all sessions.
    fn read_all(
        &self,
        offset: usize,
        limit: usize,
        is_newest_first: bool,
    ) -> (usize, Rows, Vec<ReadError>) {
        let enough = offset.saturating_add(limit);
        let numbers: BTreeMap<&str, usize> = (0..)
            .zip(self.sessions)
            .map(|(number, session)| (session.id.as_str(), number))
            .collect();
        let (pages, troubles) = self.library.search().calls(
            self.sessions,
            Tier::DiskAndArchive,
            self.progress,
            |session, calls| {
                let own = numbers.get(session.id.as_str()).copied().unwrap_or_default();
                let mut rows: Vec<(CallPlace, _, _)> = Vec::new();
                for number in 0..calls.calls.len() {
                    let Some((agent, call)) = call_of(calls, number) else { continue };
                    let names = CallFact::without_outcome(agent, call);
                    if self.wanted.admits_call(&names, || call.status()) {
                        rows.push(((Reverse(call.origin.time), own, number), agent, call));
                    }
                }
                let total = rows.len();
                if is_newest_first {
                    rows.sort_by_key(|(place, ..)| *place);
                    rows.truncate(enough);
                } else {
                    // Calls without a time stay behind the one before them.
                    let mut before = None;
                    rows.sort_by_cached_key(|(_, _, call)| {
                        before = call.origin.time.or(before);
                        before
                    });
                }
                let rows = rows
                    .into_iter()
                    .map(|(place, agent, call)| (place, self.document(session, agent, call)));
                (total, rows.collect::<Vec<_>>())
            },
        );
        let total = pages.iter().map(|(total, _)| total).sum();
        let mut rows: Rows = pages.into_iter().flat_map(|(_, rows)| rows).collect();
        if is_newest_first {
            rows.sort_by_key(|(place, _)| *place);
        }
        rows.drain(..offset.min(rows.len()));
        (total, rows, troubles)
    }

    fn document(
        &self,
        session: &Session,
        agent: Option<&AgentNode>,
        call: &ToolCall<'_>,
    ) -> ToolCallDocument {
        let output = |name: &str| self.library.catalog().tool_output(session, name);
        ToolCallDocument::new(session, agent, call, output)
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
