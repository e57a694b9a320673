//! The rows of the list of sessions: chosen, sorted and cut into pages.
//!
//! Everything comes from the metadata of sessions and from what the index stores of
//! them: no transcript is read.

use super::{Marks, SessionChoice, SessionPlaces, listed, resolve_times};
use crate::{Document as _, SessionRowDocument, SessionRowsDocument};
use index::fits;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use library::Library;
use library::catalog::Filter;
use library::facts::SessionSums;
use library::lines::ReadError;
use library::progress::Progress;
use library::search::{IndexError, IndexOptions, Order, Query, SearchOptions};
use library::session::Session;
use library::time_expression::TimeExpressionError;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

/// What a list of sessions is sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SessionSort {
    /// The last modification.
    #[default]
    Changed,
    /// The cost.
    Cost,
    /// The number of turns.
    Turns,
    /// The size of the transcript.
    Size,
    /// The title, ignoring case.
    Title,
}

/// Which sessions to list, in which order, and which page.
#[derive(Debug)]
pub struct SessionRowsOptions<'o> {
    /// Which sessions. Those on disk, unless the choice has another presence or is of
    /// marked ones.
    pub choice: SessionChoice<'o>,
    /// A query in the grammar of `search`; a session matches if one of its texts does.
    pub query: Option<&'o str>,
    /// What to sort by.
    pub sort: SessionSort,
    /// Whether the smallest comes first.
    pub is_ascending: bool,
    /// The most rows.
    pub limit: usize,
    /// The `next` of the page before.
    pub after: Option<&'o str>,
    /// The time.
    pub now: Timestamp,
    /// The zone of dates in the query.
    pub zone: &'o TimeZone,
    /// How to update the index, if the query needs it.
    pub index: IndexOptions,
}

/// Why sessions cannot be listed.
#[derive(Debug, thiserror::Error)]
pub enum SessionRowsError {
    /// The query is invalid, or the index cannot be used.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A date in the query is invalid.
    #[error(transparent)]
    Time(#[from] TimeExpressionError),
    /// The cursor is invalid.
    #[error("invalid cursor {0:?}: pass the `next` of the page before")]
    Cursor(String),
}

/// The sessions that match, a page of them, and what could not be read.
pub fn session_rows(
    library: &Library,
    options: &SessionRowsOptions<'_>,
    marks: &Marks,
    progress: &dyn Progress,
) -> Result<(SessionRowsDocument, Vec<ReadError>), SessionRowsError> {
    let cursor = options.after.map(|text| {
        RowCursor::parse(text, options.sort).ok_or_else(|| SessionRowsError::Cursor(text.into()))
    });
    let cursor = cursor.transpose()?;
    let mut choice = options.choice.clone();
    let query = options.query.map(str::trim).filter(|query| !query.is_empty());
    let mut query = query.map(Query::parse).transpose()?;
    if let Some(query) = &mut query {
        resolve_times(query, &mut choice.filter, options.now, options.zone)?;
    }
    let places = SessionPlaces::of(choice.presence, choice.only_marked);
    let (mut sessions, mut read_errors) = listed(library, places);
    read_errors.extend(choice.retain(library, &mut sessions, marks, progress));
    let counts = marks.counts();
    let (mut is_cut, mut index_complete) = (false, None);
    if let Some(query) = query.filter(|query| query.has_words() || !query.fields.is_empty()) {
        if let Some(is_match) = by_metadata(&query, &counts) {
            sessions.retain(is_match);
        } else {
            let marked: HashSet<String> = counts.keys().map(|id| (*id).to_owned()).collect();
            let search = SearchOptions {
                query: &query,
                filter: &Filter { project: None, ..choice.filter },
                marked: &marked,
                order: Order::Score,
                offset: 0,
                limit: 0,
                around: 0,
                now: options.now,
            };
            let found = library.search().sessions_with_hits(options.index, &search, progress)?;
            let (found, fresh) = found.into_parts();
            (is_cut, index_complete) = (found.is_cut, Some(fresh.gap().is_none()));
            read_errors.extend(fresh.read_errors);
            sessions.retain(|session| found.ids.contains(&session.id));
        }
    }
    let sums = library.usage().session_sums().unwrap_or_default();
    let total = sessions.len();
    let (page, next) = page(&sessions, &sums, options, cursor);
    let row = |session: &Session| {
        let marks = counts.get(session.id.as_str()).copied().unwrap_or_default();
        SessionRowDocument::new(session, sums.get(&session.id), marks)
    };
    let document = SessionRowsDocument {
        schema: SessionRowsDocument::SCHEMA.into(),
        total,
        is_cut,
        index_complete,
        next,
        sessions: page.into_iter().map(row).collect(),
    };
    Ok((document, read_errors))
}

/// The test for queries that ask only about the metadata of sessions; `None` if the
/// index has to answer.
fn by_metadata<'q>(
    query: &'q Query,
    marked: &'q HashMap<&str, usize>,
) -> Option<impl Fn(&Session) -> bool + use<'q>> {
    let is_metadata = |name: &str, value: &str| {
        matches!(name, "session" | "project" | "branch" | "title")
            || (name == "is" && value == "marked")
    };
    let mut fields = query.fields.iter();
    if query.has_words() || !fields.all(|field| is_metadata(field.name, &field.value)) {
        return None;
    }
    let contains = |text: Option<&str>, part: &str| {
        text.is_some_and(|text| text.to_lowercase().contains(&part.to_lowercase()))
    };
    Some(move |session: &Session| {
        query.fields.iter().all(|field| {
            let value = field.value.as_str();
            let holds = match field.name {
                "session" => session.id.starts_with(value),
                "project" => contains(session.project.as_deref(), value),
                "branch" => session
                    .metadata
                    .branch
                    .as_deref()
                    .is_some_and(|branch| fits(&value.to_lowercase(), &branch.to_lowercase())),
                "title" => contains(session.heading(), value),
                _ => marked.contains_key(session.id.as_str()),
            };
            holds != field.is_not
        })
    })
}

/// The value that a session is sorted by. Unknown values come last in either order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SortKey {
    Number(i128),
    Text(String),
}

fn sort_key(session: &Session, sums: Option<&SessionSums>, sort: SessionSort) -> Option<SortKey> {
    let number = match sort {
        SessionSort::Changed => i128::from(session.order().modified.0),
        SessionSort::Cost => sums?.cost.known()?.0,
        SessionSort::Turns => i128::from(sums?.turns?),
        SessionSort::Size => i128::from(session.metadata.bytes),
        SessionSort::Title => {
            let title = session.heading()?.chars().flat_map(char::to_lowercase);
            return Some(SortKey::Text(title.take(LONGEST_KEY).collect()));
        }
    };
    Some(SortKey::Number(number))
}

/// As much of a title as takes part in sorting, so that cursors stay short.
const LONGEST_KEY: usize = 80;

/// A place in a sorted list: the last session of a page and the value that it was
/// sorted by, so that the next page begins behind it even if it has moved since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowCursor {
    key: Option<SortKey>,
    id: String,
}

impl RowCursor {
    fn parse(text: &str, sort: SessionSort) -> Option<Self> {
        let (id, key) = text.split_once('~')?;
        let key = match (key, sort) {
            ("", _) => None,
            (key, SessionSort::Title) => Some(SortKey::Text(key.strip_prefix('=')?.to_owned())),
            (key, _) => Some(SortKey::Number(key.strip_prefix('=')?.parse().ok()?)),
        };
        Some(RowCursor { key, id: id.to_owned() })
    }

    fn text(&self) -> String {
        match &self.key {
            None => format!("{}~", self.id),
            Some(SortKey::Number(number)) => format!("{}~={number}", self.id),
            Some(SortKey::Text(text)) => format!("{}~={text}", self.id),
        }
    }

    /// The order of the list. Sessions with the same value are in the order of their
    /// ids, as in [every list](library::session::ListOrder), so that the order is total.
    fn compare(&self, other: &Self, is_ascending: bool) -> Ordering {
        let by_key = match (&self.key, &other.key) {
            (Some(one), Some(two)) if is_ascending => one.cmp(two),
            (Some(one), Some(two)) => two.cmp(one),
            (one, two) => two.is_some().cmp(&one.is_some()),
        };
        let by_id = if is_ascending { self.id.cmp(&other.id) } else { other.id.cmp(&self.id) };
        by_key.then(by_id)
    }
}

/// The sessions of a page, and the cursor of the next one.
fn page<'s>(
    sessions: &'s [Session],
    sums: &HashMap<String, SessionSums>,
    options: &SessionRowsOptions<'_>,
    after: Option<RowCursor>,
) -> (Vec<&'s Session>, Option<String>) {
    let place = |session: &'s Session| {
        let key = sort_key(session, sums.get(&session.id), options.sort);
        (RowCursor { key, id: session.id.clone() }, session)
    };
    let mut rows: Vec<(RowCursor, &Session)> = sessions.iter().map(place).collect();
    let is_ascending = options.is_ascending;
    rows.sort_by(|(one, _), (two, _)| one.compare(two, is_ascending));
    if let Some(after) = after {
        let start = rows.partition_point(|(row, _)| row.compare(&after, is_ascending).is_le());
        rows.drain(..start);
    }
    let is_last = rows.len() <= options.limit;
    rows.truncate(options.limit);
    let next = rows.last().filter(|_| !is_last).map(|(row, _)| row.text());
    (rows.into_iter().map(|(_, session)| session).collect(), next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use library::session::ListOrder;

    #[test]
    fn sessions_of_one_millisecond_are_in_the_order_of_every_list() {
        let sessions = [(2_000_400, "a"), (2_000_100, "b"), (1_000_000, "c")];
        let place = |(microseconds, id): (i64, &'static str)| {
            let modified = Timestamp::from_microsecond(microseconds).unwrap();
            let order = ListOrder::new(modified, id);
            let key = Some(SortKey::Number(i128::from(order.modified.0)));
            (order, RowCursor { key, id: id.to_owned() })
        };
        for (one, two) in sessions.iter().flat_map(|one| sessions.iter().map(move |two| (one, two)))
        {
            let ((one, one_cursor), (two, two_cursor)) = (place(*one), place(*two));
            assert_eq!(one_cursor.compare(&two_cursor, false), one.cmp(&two), "{one:?} {two:?}");
        }
    }

    #[test]
    fn cursors_are_read_back_as_they_were_written() {
        let cursor = |key: Option<SortKey>| RowCursor { key, id: "3f9c".to_owned() };
        let table = [
            (SessionSort::Cost, None, "3f9c~"),
            (SessionSort::Cost, Some(SortKey::Number(-5)), "3f9c~=-5"),
            (SessionSort::Title, Some(SortKey::Text("a ~= b".to_owned())), "3f9c~=a ~= b"),
            (SessionSort::Title, Some(SortKey::Text(String::new())), "3f9c~="),
        ];
        for (sort, key, text) in table {
            assert_eq!(cursor(key.clone()).text(), text);
            assert_eq!(RowCursor::parse(text, sort), Some(cursor(key)));
        }
        for text in ["", "3f9c", "3f9c~5", "3f9c~=x"] {
            assert_eq!(RowCursor::parse(text, SessionSort::Size), None, "{text}");
        }
    }

    #[test]
    fn unknown_values_come_last_in_either_order() {
        let row =
            |key: Option<i128>| RowCursor { key: key.map(SortKey::Number), id: "x".to_owned() };
        for is_ascending in [false, true] {
            assert_eq!(row(Some(1)).compare(&row(None), is_ascending), Ordering::Less);
            assert_eq!(row(None).compare(&row(Some(1)), is_ascending), Ordering::Greater);
        }
        assert_eq!(row(Some(1)).compare(&row(Some(2)), true), Ordering::Less);
        assert_eq!(row(Some(1)).compare(&row(Some(2)), false), Ordering::Greater);
    }
}
