//! Search for words: the hits, and what they have in common.

use super::Marks;
use crate::{FacetsDocument, HitsDocument};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use library::Library;
use library::catalog::Filter;
use library::progress::Progress;
use library::search::{
    Freshness, IndexError, IndexOptions, Order, Query, SearchAnswer, SearchOptions,
};
use library::time_expression::{DayEdge, TimeExpressionError, parse_time};
use std::collections::HashSet;
use std::time::Instant;

/// A search, and how much of it to answer with.
#[derive(Debug)]
pub struct SearchRequest<'o> {
    /// The query as typed.
    pub text: &'o str,
    /// The query, without its time fields ([`resolve_times`]).
    pub query: &'o Query,
    /// Further conditions.
    pub filter: &'o Filter,
    /// How hits are ordered.
    pub order: Order,
    /// How many hits to skip.
    pub offset: usize,
    /// The most hits; `usize::MAX`: all, and each names all sessions that have the
    /// same text.
    pub limit: usize,
    /// How many texts before and after a hit.
    pub around: usize,
    /// The time.
    pub now: Timestamp,
    /// When the request was asked.
    pub started: Instant,
    /// How to update the index.
    pub index: IndexOptions,
}

/// Takes the time fields out of a query and adds them to a filter.
pub fn resolve_times(
    query: &mut Query,
    filter: &mut Filter,
    now: Timestamp,
    zone: &TimeZone,
) -> Result<(), TimeExpressionError> {
    if let Some(since) = query.take("since") {
        let since = parse_time(&since, DayEdge::Start, now, zone)?;
        filter.since = Some(since).max(filter.since);
    }
    if let Some(until) = query.take("until") {
        let until = parse_time(&until, DayEdge::End, now, zone)?;
        filter.until = Some(filter.until.map_or(until, |other| other.min(until)));
    }
    Ok(())
}

/// Searches for words. `each` is called as soon as there is an answer; if that is
/// preliminary, again when the index is whole, and only the last result is returned.
pub fn search<T>(
    library: &Library,
    request: &SearchRequest<'_>,
    marks: &Marks,
    progress: &dyn Progress,
    mut each: impl FnMut(&SearchAnswer, &Freshness, HitsDocument<'_>) -> T,
) -> Result<T, IndexError> {
    let marked: HashSet<String> = marks.sessions().map(str::to_owned).collect();
    let options = request.options(&marked);
    library.search().query(request.index, &options, progress, |answer, fresh| {
        let took = request.started.elapsed();
        let names_all = request.limit == usize::MAX;
        let document = HitsDocument::new(request.text, &answer, names_all, fresh, took);
        each(&answer, fresh, document)
    })
}

/// Counts the hits of a search by project, role, tool, model, state and day, from the
/// index alone.
pub fn facets(
    library: &Library,
    request: &SearchRequest<'_>,
    zone: &TimeZone,
    marks: &Marks,
    progress: &dyn Progress,
) -> Result<FacetsDocument, IndexError> {
    let marked: HashSet<String> = marks.sessions().map(str::to_owned).collect();
    let options = request.options(&marked);
    let facets = library.search().facets(request.index, &options, zone, progress)?;
    let (facets, fresh) = facets.into_parts();
    Ok(FacetsDocument::new(request.text, &facets, &fresh))
}

impl<'o> SearchRequest<'o> {
    fn options(&self, marked: &'o HashSet<String>) -> SearchOptions<'o> {
        SearchOptions {
            query: self.query,
            filter: self.filter,
            marked,
            order: self.order,
            offset: self.offset,
            limit: self.limit,
            around: self.around,
            now: self.now,
        }
    }
}
