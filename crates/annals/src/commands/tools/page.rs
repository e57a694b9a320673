//! A page of tool calls: which calls it shows, and those calls from their sessions.

use super::Wanted;
use crate::context::Context;
use crate::failure::report_read_errors;
use conversation::{AgentNode, ToolCall};
use document::ToolCallDocument;
use jiff::Timestamp;
use library::{CallFact, Progress, ReadError, Session, SessionCalls, Tier};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The calls that are asked for.
pub(super) struct Request<'r> {
    pub(super) context: &'r Context,
    pub(super) sessions: &'r [&'r Session],
    pub(super) wanted: &'r Wanted<'r>,
    pub(super) progress: &'r dyn Progress,
}

/// The place of a call in the list, newest first: its time, its session, and its number
/// in that session.
type CallPlace = (Reverse<Option<Timestamp>>, usize, usize);

/// The calls of a page, with their places.
type Rows = Vec<(CallPlace, ToolCallDocument)>;

/// The calls of each session that a page may show: how many match, how many there are,
/// and the newest of those that match.
type Places = (usize, usize, Vec<(Reverse<Option<Timestamp>>, usize)>);

impl Request<'_> {
    /// How many calls there are, and those of a page: newest first, or oldest first in each
    /// session.
    pub(super) fn page(
        &self,
        offset: usize,
        limit: usize,
        is_newest_first: bool,
    ) -> (usize, Vec<ToolCallDocument>) {
        let is_few = limit < usize::MAX && is_newest_first;
        let few = is_few.then(|| self.read_few(offset, limit)).flatten();
        let (total, mut rows, read_errors) =
            few.unwrap_or_else(|| self.read_all(offset, limit, is_newest_first));
        report_read_errors(&read_errors);
        if is_newest_first {
            rows.sort_by_key(|(place, _)| *place);
        }
        rows.truncate(limit);
        (total, rows.into_iter().map(|(_, call)| call).collect())
    }

    /// The places of the calls that match, newest first, by session: from the facts of
    /// calls if they are stored, else from the calls.
    fn places(&self, enough: usize) -> (Vec<(usize, Places)>, Vec<ReadError>) {
        let newest = |total: usize, mut places: Vec<_>| {
            let matching = places.len();
            places.sort_unstable();
            places.truncate(enough);
            (matching, total, places)
        };
        let search = self.context.library.search();
        if search.knows_calls() {
            return search.call_facts(self.sessions, self.progress, |calls| {
                let wanted = calls.iter().enumerate().filter(|(_, call)| self.wanted.admits(call));
                newest(
                    calls.len(),
                    wanted.map(|(number, call)| (Reverse(call.time), number)).collect(),
                )
            });
        }
        let numbers = self.numbers();
        let tier = Tier::DiskAndArchive;
        search.calls(self.sessions, tier, self.progress, |session, calls| {
            let session = numbers.get(session.id.as_str()).copied().unwrap_or_default();
            let wanted = (0..calls.calls.len()).filter_map(|number| {
                let (agent, call) = call_of(calls, number)?;
                let names = CallFact::without_outcome(agent, call);
                let is_wanted = self.wanted.admits_call(&names, || call.status());
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
    fn read_few(&self, offset: usize, limit: usize) -> Option<(usize, Rows, Vec<ReadError>)> {
        let enough = offset.saturating_add(limit);
        let (pages, mut read_errors) = self.places(enough);
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
        let numbers = self.numbers();
        let search = self.context.library.search();
        let (read, unread) =
            search.calls(&owners, Tier::DiskAndArchive, self.progress, |session, calls| {
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
            });
        let unread: Vec<ReadError> =
            unread.into_iter().filter(|read_error| !read_errors.contains(read_error)).collect();
        read_errors.extend(unread);
        let rows = read.into_iter().collect::<Option<Vec<Rows>>>()?;
        Some((total, rows.into_iter().flatten().collect(), read_errors))
    }

    /// The same by reading all sessions.
    fn read_all(
        &self,
        offset: usize,
        limit: usize,
        is_newest_first: bool,
    ) -> (usize, Rows, Vec<ReadError>) {
        let enough = offset.saturating_add(limit);
        let numbers = self.numbers();
        let (pages, read_errors) = self.context.library.search().calls(
            self.sessions,
            Tier::DiskAndArchive,
            self.progress,
            |session, calls| {
                let own = numbers.get(session.id.as_str()).copied().unwrap_or_default();
                let mut rows: Vec<(CallPlace, _)> = Vec::new();
                for number in 0..calls.calls.len() {
                    let Some((agent, call)) = call_of(calls, number) else { continue };
                    let names = CallFact::without_outcome(agent, call);
                    if self.wanted.admits_call(&names, || call.status()) {
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
        let output = |name: &str| self.context.library.catalog().tool_output(session, name);
        Some(ToolCallDocument::new(session, agent, call, calls.turn(number), output))
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
