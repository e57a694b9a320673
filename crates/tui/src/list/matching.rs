//! Which rows are shown, in which order.
//!
//! Without a query: the rows of the scope, sorted. With one: rows whose title, project,
//! branch, tag or prompts contain all words, then sessions with hits in their contents, best
//! first, then rows that match by letters. A query with fields, quotes or exclusions is
//! answered by the index alone.

use crate::work::{Row, RowPresence, SessionHit};
use document::answers::SessionSort;
use frizbee::{CaseMatching, Config, Matcher};
use jiff::{SignedDuration, Timestamp};
use std::collections::{HashMap, HashSet};

/// What the person chose to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// Whether only the project that the person is in is shown.
    pub(crate) is_here: bool,
    /// Whether only what a person wrote is searched.
    pub(crate) is_mine: bool,
    /// Whether hits in sub-agents count.
    pub(crate) with_agents: bool,
    /// Whether sessions of programs and empty ones are shown.
    pub(crate) with_folded: bool,
    /// What rows are sorted by; `None`: best match, or newest.
    pub(crate) sort: Option<SessionSort>,
    /// Changed within this number of days; 0: ever.
    pub(crate) days: u16,
}

impl Choice {
    pub(crate) fn since(self, now: Timestamp) -> Option<Timestamp> {
        let span = SignedDuration::from_hours(24 * i64::from(self.days));
        (self.days > 0).then(|| now.checked_sub(span).ok()).flatten()
    }

    /// The next sort order.
    pub(crate) fn next_sort(&mut self) {
        self.sort = match self.sort {
            None => Some(SessionSort::Changed),
            Some(SessionSort::Changed) => Some(SessionSort::Cost),
            Some(SessionSort::Cost) => Some(SessionSort::Turns),
            Some(SessionSort::Turns) => Some(SessionSort::Size),
            Some(SessionSort::Size) => Some(SessionSort::Title),
            Some(SessionSort::Title) => None,
        };
    }

    /// The next time span.
    pub(crate) fn next_days(&mut self) {
        self.days = match self.days {
            0 => 1,
            1 => 7,
            7 => 14,
            14 => 30,
            _ => 0,
        };
    }
}

/// A row that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    /// The place among all rows.
    pub(crate) row: usize,
    /// The place among the hits in contents.
    pub(crate) hit: Option<usize>,
}

/// The rows that are shown, and how many others are folded away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Matched {
    pub(crate) shown: Vec<Shown>,
    pub(crate) folded: usize,
}

/// Chooses and sorts rows. `hits` are those of the query, best first.
pub(crate) fn matched(
    rows: &[Row],
    query: &str,
    hits: &[SessionHit],
    choice: Choice,
    now: Timestamp,
) -> Matched {
    let since = choice.since(now);
    let query = query.trim();
    let by_id: HashMap<&str, usize> =
        hits.iter().enumerate().map(|(place, hit)| (hit.session.as_str(), place)).collect();
    let mut folded = 0;
    let mut possible: Vec<Shown> = Vec::with_capacity(rows.len());
    for (place, row) in rows.iter().enumerate() {
        let hit = by_id.get(row.id.as_str()).copied();
        if (choice.is_here && !row.is_here) || since.is_some_and(|since| row.modified < since) {
            continue;
        }
        // A session that only the archive has is shown as if it were on disk.
        let is_folded = row.is_folded || row.presence == RowPresence::PromptsOnly;
        if is_folded && !choice.with_folded && hit.is_none() {
            folded += 1;
            continue;
        }
        possible.push(Shown { row: place, hit });
    }
    let mut shown = if query.is_empty() {
        possible
    } else {
        let shown = by_query(rows, query, possible, choice);
        folded = 0;
        shown
    };
    if let Some(sort) = choice.sort {
        shown.sort_by(|one, two| order(&rows[one.row], &rows[two.row], sort));
    }
    Matched { shown, folded }
}

/// Whether a query says more than words: only the index understands it.
fn has_grammar(query: &str) -> bool {
    query.contains('"')
        || query.contains(" OR ")
        || query.split_whitespace().any(|word| {
            word.starts_with('-')
                || word.ends_with('*')
                || word.split_once(':').is_some_and(|(name, value)| {
                    !value.is_empty()
                        && library::search::FIELDS.iter().any(|(known, _)| *known == name)
                })
        })
}

fn by_query(rows: &[Row], query: &str, possible: Vec<Shown>, choice: Choice) -> Vec<Shown> {
    let has_hit = |shown: &Shown| shown.hit.is_some();
    if has_grammar(query) {
        let mut shown: Vec<Shown> = possible.into_iter().filter(has_hit).collect();
        shown.sort_by_key(|shown| shown.hit);
        return shown;
    }
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let contains_all = |text: &str| {
        let text = text.to_lowercase();
        words.iter().all(|word| text.contains(word.as_str()))
    };
    let (mut strong, rest): (Vec<Shown>, Vec<Shown>) = possible.into_iter().partition(|shown| {
        let row = &rows[shown.row];
        contains_all(&row.haystack) || row.id.starts_with(query)
    });
    // The title says more than a prompt.
    strong.sort_by_key(|shown| {
        let row = &rows[shown.row];
        (!contains_all(row.title.as_deref().unwrap_or_default()), shown.row)
    });
    let (mut found, rest): (Vec<Shown>, Vec<Shown>) = rest.into_iter().partition(has_hit);
    found.sort_by_key(|shown| shown.hit);
    strong.extend(found);
    if !choice.is_mine {
        strong.extend(by_letters(rows, &words, &rest));
    }
    strong
}

/// How much of the best score a match by letters must have: others are chance.
const WEAKEST: u32 = 14;

/// Rows that have the letters of all words in order, best first.
fn by_letters(rows: &[Row], words: &[String], possible: &[Shown]) -> Vec<Shown> {
    let config = Config::default().casing(CaseMatching::Ignore);
    let mut scores: HashMap<usize, u32> = HashMap::new();
    let mut alive: HashSet<usize> = (0..possible.len()).collect();
    let haystacks: Vec<&str> =
        possible.iter().map(|shown| rows[shown.row].haystack.as_str()).collect();
    for word in words {
        // Short words match by letters nearly everywhere.
        let length = u32::try_from(word.chars().count()).unwrap_or(u32::MAX);
        if length < 3 {
            return Vec::new();
        }
        let found = Matcher::new(word, &config).match_list(&haystacks);
        let mut seen = HashSet::new();
        for found in found.iter().filter(|found| u32::from(found.score) >= length * WEAKEST) {
            let place = usize::try_from(found.index).unwrap_or(usize::MAX);
            seen.insert(place);
            *scores.entry(place).or_default() += u32::from(found.score);
        }
        alive.retain(|place| seen.contains(place));
    }
    let mut matched: Vec<usize> = alive.into_iter().collect();
    matched.sort_by_key(|place| (std::cmp::Reverse(scores.get(place).copied()), *place));
    matched.into_iter().map(|place| possible[place]).collect()
}

/// The order of two rows; unknown values come last.
fn order(one: &Row, two: &Row, sort: SessionSort) -> std::cmp::Ordering {
    let newest = one.order().cmp(&two.order());
    let title = |row: &Row| row.title.as_deref().map(str::to_lowercase);
    match sort {
        SessionSort::Changed => newest,
        SessionSort::Cost => two.cost.cmp(&one.cost).then(newest),
        SessionSort::Turns => two.turns.cmp(&one.turns).then(newest),
        SessionSort::Size => two.bytes.cmp(&one.bytes).then(newest),
        SessionSort::Title => match (title(one), title(two)) {
            (Some(one), Some(two)) => one.cmp(&two).then(newest),
            (one, two) => two.is_some().cmp(&one.is_some()).then(newest),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Choice = Choice {
        is_here: false,
        is_mine: false,
        with_agents: true,
        with_folded: false,
        sort: None,
        days: 0,
    };

    fn row(id: &str, title: &str, days_ago: i64) -> Row {
        let now = crate::testing::now();
        Row {
            id: id.to_owned(),
            title: Some(title.to_owned()),
            haystack: format!("{title} tidepool main"),
            modified: now.checked_sub(SignedDuration::from_hours(24 * days_ago)).unwrap(),
            is_here: id != "elsewhere",
            ..Row::default()
        }
    }

    fn rows() -> Vec<Row> {
        let mut rows = vec![
            row("flaky", "Fix the flaky login test", 0),
            row("tide", "Tide table endpoint", 1),
            row("elsewhere", "Sourdough", 2),
            row("program", "Nightly report", 3),
        ];
        rows[3].is_folded = true;
        rows[1].cost = Some(5);
        rows
    }

    fn ids(query: &str, hits: &[&str], choice: Choice) -> Vec<String> {
        let rows = rows();
        let hits: Vec<SessionHit> = hits
            .iter()
            .map(|id| SessionHit { session: (*id).to_owned(), ..SessionHit::default() })
            .collect();
        let matched = matched(&rows, query, &hits, choice, crate::testing::now());
        matched.shown.iter().map(|shown| rows[shown.row].id.clone()).collect()
    }

    #[test]
    fn rows_are_chosen_by_what_a_person_switched_on() {
        assert_eq!(ids("", &[], ALL), ["flaky", "tide", "elsewhere"]);
        assert_eq!(ids("", &[], Choice { is_here: true, ..ALL }), ["flaky", "tide"]);
        assert_eq!(ids("", &[], Choice { days: 1, ..ALL }), ["flaky", "tide"]);
        let with_folded = Choice { with_folded: true, ..ALL };
        assert_eq!(ids("", &[], with_folded), ["flaky", "tide", "elsewhere", "program"]);
        let by_cost = Choice { sort: Some(SessionSort::Cost), ..ALL };
        assert_eq!(ids("", &[], by_cost), ["tide", "flaky", "elsewhere"]);
        let by_title = Choice { sort: Some(SessionSort::Title), ..ALL };
        assert_eq!(ids("", &[], by_title), ["flaky", "elsewhere", "tide"]);
    }

    #[test]
    fn words_in_titles_come_before_hits_and_hits_before_letters() {
        assert_eq!(ids("flaky test", &[], ALL), ["flaky"]);
        assert_eq!(ids("test", &["elsewhere", "tide"], ALL), ["flaky", "elsewhere", "tide"]);
        assert_eq!(ids("sourdogh", &[], ALL), ["elsewhere"]);
        assert_eq!(ids("tidetable", &[], ALL), ["tide"]);
        assert_eq!(ids("zz", &[], ALL), Vec::<String>::new());
    }

    #[test]
    fn rows_of_the_same_millisecond_are_in_the_order_of_every_list() {
        let mut rows = [row("a", "Tide", 0), row("b", "Tide", 0), row("c", "Tide", 1)];
        let later = SignedDuration::from_micros(300);
        rows[0].modified = rows[1].modified.checked_add(later).unwrap();
        for sort in [SessionSort::Changed, SessionSort::Cost, SessionSort::Title] {
            let mut ids: Vec<&Row> = rows.iter().collect();
            ids.sort_by(|one, two| order(one, two, sort));
            let ids: Vec<&str> = ids.iter().map(|row| row.id.as_str()).collect();
            assert_eq!(ids, ["b", "a", "c"], "{sort:?}");
        }
    }

    #[test]
    fn queries_with_grammar_are_answered_by_hits_alone() {
        for query in ["tide -flaky", "\"tide table\"", "tool:Bash", "tide OR flaky", "tid*"] {
            assert_eq!(ids(query, &["elsewhere"], ALL), ["elsewhere"], "{query}");
        }
    }

    #[test]
    fn a_folded_session_with_a_hit_is_shown() {
        assert_eq!(ids("report", &["program"], ALL), ["program"]);
    }
}
