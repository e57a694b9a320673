//! Lists and aggregates over all sessions.

use super::support::{CWD, INDEX, assert_reads_back, build_index, library, now, write_session};
use document::answers::{
    self, HomeOptions, Marks, SearchRequest, SessionChoice, SessionRowsOptions, SessionSort,
    UsageRequest,
};
use jiff::tz::TimeZone;
use library::Library;
use library::catalog::Filter;
use library::facts::TotalCost;
use library::progress::NoProgress;
use library::search::{Order, Query};
use library::usage::{Dimension, UsageOptions};
use std::time::Instant;
use testkit::{Sandbox, call, session_id, user};
use usage::Budget;

fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    write_session(&sandbox, 1, "Where do tides come from?", &[100, 50]);
    write_session(&sandbox, 2, "Mend the clock", &[500]);
    write_session(&sandbox, 3, "Ask the moon about tides", &[1, 1, 1]);
    sandbox
}

fn options<'o>(query: Option<&'o str>, zone: &'o TimeZone) -> SessionRowsOptions<'o> {
    SessionRowsOptions {
        choice: SessionChoice::default(),
        query,
        sort: SessionSort::Changed,
        is_ascending: false,
        limit: 200,
        after: None,
        now: now(),
        zone,
        index: INDEX,
    }
}

/// The last digits of the ids of rows.
fn ids(library: &Library, options: &SessionRowsOptions<'_>) -> Vec<char> {
    let (rows, read_errors) =
        answers::session_rows(library, options, &Marks::default(), &NoProgress).unwrap();
    assert!(read_errors.is_empty());
    assert_reads_back(&rows);
    rows.sessions.iter().map(|row| row.id.chars().last().unwrap()).collect()
}

#[test]
fn rows_have_the_figures_of_the_index() {
    let sandbox = store();
    let library = library(&sandbox);
    let zone = TimeZone::UTC;
    let bare =
        answers::session_rows(&library, &options(None, &zone), &Marks::default(), &NoProgress);
    assert_eq!(bare.unwrap().0.sessions[0].output_tokens, None);
    build_index(&library);
    let library = library.reopened();
    let (rows, _) =
        answers::session_rows(&library, &options(None, &zone), &Marks::default(), &NoProgress)
            .unwrap();
    let row = rows.sessions.iter().find(|row| row.id == session_id(1)).unwrap();
    assert_eq!(row.output_tokens, Some(150));
    assert_eq!(row.context_peak, Some(11 + 100 + 2000));
    assert_eq!(row.turns, Some(1));
    assert_eq!(row.title.as_deref(), Some("Where do tides come from?"));
    assert_eq!(row.project.as_deref(), Some(CWD));
    let sums = library.usage().read_session_sums(&NoProgress);
    assert_eq!(row.cost_usd, sums[&session_id(1)].cost.known().map(usage::PicoUsd::decimal));
}

#[test]
fn costs_are_the_same_with_and_without_an_index() {
    let sandbox = store();
    let unpriced = call("msg_4", [1, 2, 3, 4]).message("model", "claude-nova-9");
    let lines = [user("Sail"), unpriced].map(|line| line.with("sessionId", session_id(4)));
    sandbox.session(CWD, &session_id(4), lines);
    write_session(&sandbox, 5, "Rest", &[]);
    // Of this session, only an agent is left.
    let lines = [user("look"), call("msg_6", [1, 2, 3, 4])];
    let lines = lines.map(|line| line.with("sessionId", session_id(6)).of_agent("a1"));
    sandbox.agent(CWD, &session_id(6), "agent-a1", lines);
    let bare = library(&sandbox);
    let without = bare.usage().read_session_sums(&NoProgress);
    build_index(&bare);
    let indexed = bare.reopened();
    let with = indexed.usage().session_sums().unwrap();
    assert_eq!(with, indexed.usage().read_session_sums(&NoProgress));
    let cost = |number: u32| without[&session_id(number)].cost;
    assert_eq!((cost(4), cost(5)), (TotalCost::Unknown, TotalCost::NoCalls));
    assert!(matches!((cost(1), cost(6)), (TotalCost::Known(_), TotalCost::Known(_))));
    for number in 1..=6 {
        let sums = &with[&session_id(number)];
        assert_eq!(sums.cost, cost(number), "{number}");
        assert_eq!((sums.messages.is_some(), sums.turns.is_some()), (number < 6, number < 6));
    }
    let texts = [4, 5].map(|number| document::session_cost(with.get(&session_id(number))));
    assert_eq!(texts, ["unknown", ""]);
}

#[test]
fn rows_are_sorted_and_paged_without_gaps_or_repetition() {
    let sandbox = store();
    let library = library(&sandbox);
    build_index(&library);
    let library = library.reopened();
    let zone = TimeZone::UTC;
    let table = [
        (SessionSort::Changed, false, ['3', '2', '1']),
        (SessionSort::Changed, true, ['1', '2', '3']),
        (SessionSort::Cost, false, ['2', '1', '3']),
        (SessionSort::Size, false, ['3', '1', '2']),
        (SessionSort::Title, true, ['3', '2', '1']),
    ];
    for (sort, is_ascending, expected) in table {
        let whole = SessionRowsOptions { sort, is_ascending, ..options(None, &zone) };
        assert_eq!(ids(&library, &whole), expected, "{sort:?}");
        let mut after: Option<String> = None;
        for (at, id) in expected.iter().enumerate() {
            let page = SessionRowsOptions {
                sort,
                is_ascending,
                limit: 1,
                after: after.as_deref(),
                ..options(None, &zone)
            };
            assert_eq!(ids(&library, &page), [*id], "{sort:?}");
            let (rows, _) =
                answers::session_rows(&library, &page, &Marks::default(), &NoProgress).unwrap();
            assert_eq!(rows.total, 3);
            assert_eq!(rows.next.is_some(), at < 2);
            after = rows.next;
        }
    }
}

#[test]
fn queries_choose_sessions_by_words_and_by_metadata() {
    let sandbox = store();
    let library = library(&sandbox);
    let zone = TimeZone::UTC;
    let table: [(&str, &[char]); 6] = [
        ("tides", &['3', '1']),
        ("title:CLOCK", &['2']),
        ("project:tidepool -title:moon", &['2', '1']),
        ("tool:Bash clock", &[]),
        ("since:2026-01-09 tides", &[]),
        ("  ", &['3', '2', '1']),
    ];
    for (query, expected) in table {
        assert_eq!(ids(&library, &options(Some(query), &zone)), expected, "{query}");
    }
    for query in ["is:nothing", "since:never"] {
        let options = options(Some(query), &zone);
        assert!(answers::session_rows(&library, &options, &Marks::default(), &NoProgress).is_err());
    }
}

#[test]
fn facets_count_the_texts_that_a_search_finds() {
    let sandbox = store();
    let library = library(&sandbox);
    let zone = TimeZone::UTC;
    let query = Query::parse("tides OR done").unwrap();
    let filter = Filter::default();
    let request = SearchRequest {
        text: "tides OR done",
        query: &query,
        filter: &filter,
        order: Order::Score,
        offset: 0,
        limit: 50,
        around: 0,
        now: now(),
        started: Instant::now(),
        index: INDEX,
    };
    let facets =
        answers::facets(&library, &request, &zone, &Marks::default(), &NoProgress).unwrap();
    assert_reads_back(&facets);
    let count = |values: &[document::FacetDocument], value: &str| {
        values.iter().find(|facet| facet.value == value).map(|facet| facet.count)
    };
    assert_eq!(count(&facets.kinds, "prompt"), Some(2));
    assert_eq!(count(&facets.projects, CWD), Some(facets.counted));
    assert_eq!(count(&facets.days, "2026-01-02"), Some(facets.counted));
    let total =
        answers::search(&library, &request, &Marks::default(), &NoProgress, |_, _, hits| {
            assert_eq!(hits.hits.len(), facets.counted);
            hits.total
        });
    assert_eq!(total.unwrap(), Some(facets.total));
}

#[test]
fn usage_is_compared_with_the_period_before() {
    let sandbox = store();
    let library = library(&sandbox);
    let since = "2026-01-03T00:00:00Z".parse().unwrap();
    let until = "2026-01-05T00:00:00Z".parse().unwrap();
    let filter = Filter { since: Some(since), until: Some(until), ..Filter::default() };
    let request = UsageRequest {
        options: UsageOptions::new(vec![Dimension::Day], filter, TimeZone::UTC),
        limit: None,
        budget: Budget::default(),
        now: now(),
        compares: true,
        with_models: false,
        explains: false,
    };
    let (document, _) = answers::usage(&library, &request, &NoProgress);
    assert_reads_back(&document);
    assert_eq!(document.total.calls, 0);
    let previous = document.previous.unwrap();
    assert_eq!(previous.since.to_string(), "2026-01-01T00:00:00.000Z");
    assert_eq!(previous.total.calls, 6);
    assert_eq!(previous.total.output_tokens, 653);
}

#[test]
fn home_has_an_overview_only_if_it_is_asked_for() {
    let sandbox = store();
    let library = library(&sandbox);
    let zone = TimeZone::UTC;
    let everything = library::catalog::Filter::default();
    let options = |with_overview| HomeOptions {
        now: now(),
        zone: &zone,
        filter: &everything,
        max_age: None,
        budget: Budget::default(),
        with_overview,
    };
    let bare = answers::home(&library, &options(false), &Marks::default(), &NoProgress).document;
    assert!(!assert_reads_back(&bare).contains("overview"));
    let home = answers::home(&library, &options(true), &Marks::default(), &NoProgress).document;
    assert_reads_back(&home);
    let overview = home.overview.unwrap();
    assert_eq!(overview.days.len(), 1);
    assert_eq!((overview.days[0].date.as_str(), overview.days[0].calls), ("2026-01-02", 6));
    assert_eq!(overview.models[0].output_tokens, 653);
    assert_eq!(overview.latest.len(), 3);
    // All calls are of last week: 2 January was a Friday, and it is Saturday the 10th.
    assert_eq!(overview.cost_last_week_usd, overview.days[0].cost_usd);
    assert_eq!(overview.cost_yesterday_usd, "0");
}
