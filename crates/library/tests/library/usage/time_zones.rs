//! Days, hours and months in a time zone, right at midnight and across both
//! changes of the clock.

use super::fixture::{CWD, by, open, report, rows};
use jiff::tz::TimeZone;
use library::usage::Dimension;
use testkit::{Sandbox, call, session_id};

/// The rows of calls at these moments.
fn row_texts(zone: &str, by_what: Dimension, moments: &[&str]) -> Vec<String> {
    let sandbox = Sandbox::new();
    let lines = moments.iter().map(|moment| call(moment, [0, 1, 0, 0]).at(moment));
    sandbox.session(CWD, &session_id(1), lines);
    let mut options = by(&[by_what]);
    options.zone = TimeZone::get(zone).unwrap();
    let rows = rows(&report(&open(&sandbox), &options)).into_iter();
    rows.map(|row| row.split(" calls").next().unwrap().to_owned()).collect()
}

#[test]
fn a_day_begins_at_midnight_in_the_zone() {
    let around = [
        "2026-01-01T22:59:59.999Z",
        "2026-01-01T23:00:00Z",
        "2026-01-02T22:59:59.999Z",
        "2026-01-02T23:00:00Z",
    ];
    assert_eq!(
        row_texts("Europe/Berlin", Dimension::Day, &around),
        ["2026-01-01: 1", "2026-01-02: 2", "2026-01-03: 1"]
    );
    assert_eq!(row_texts("UTC", Dimension::Day, &around), ["2026-01-01: 2", "2026-01-02: 2"]);
    assert_eq!(
        row_texts(
            "Asia/Kathmandu",
            Dimension::Day,
            &["2026-01-01T18:14:59Z", "2026-01-01T18:15:00Z"]
        ),
        ["2026-01-01: 1", "2026-01-02: 1"]
    );
    assert_eq!(
        row_texts(
            "America/Los_Angeles",
            Dimension::Month,
            &["2026-01-01T07:59:59Z", "2026-01-01T08:00:00Z"]
        ),
        ["2025-12: 1", "2026-01: 1"]
    );
}

#[test]
fn a_day_that_has_no_midnight_begins_later_and_ends_at_the_next_one() {
    let around = [
        "2026-09-06T03:59:59Z",
        "2026-09-06T04:00:00Z",
        "2026-09-07T02:59:59Z",
        "2026-09-07T03:00:00Z",
        "2026-09-07T03:30:00Z",
    ];
    assert_eq!(
        row_texts("America/Santiago", Dimension::Day, &around),
        ["2026-09-05: 1", "2026-09-06: 2", "2026-09-07: 2"]
    );
}

#[test]
fn the_day_on_which_the_clock_goes_forward_has_23_hours() {
    let day = [
        "2026-03-28T22:59:59Z",
        "2026-03-28T23:00:00Z",
        "2026-03-29T21:59:59Z",
        "2026-03-29T22:00:00Z",
    ];
    assert_eq!(
        row_texts("Europe/Berlin", Dimension::Day, &day),
        ["2026-03-28: 1", "2026-03-29: 2", "2026-03-30: 1"]
    );
    let hours = ["2026-03-29T00:59:59Z", "2026-03-29T01:00:00Z"];
    assert_eq!(
        row_texts("Europe/Berlin", Dimension::Hour, &hours),
        ["2026-03-29 01:00+01:00: 1", "2026-03-29 03:00+02:00: 1"]
    );
}

#[test]
fn the_day_on_which_the_clock_goes_back_has_25_hours_and_none_twice() {
    let day = [
        "2026-10-24T21:59:59Z",
        "2026-10-24T22:00:00Z",
        "2026-10-25T22:59:59Z",
        "2026-10-25T23:00:00Z",
    ];
    assert_eq!(
        row_texts("Europe/Berlin", Dimension::Day, &day),
        ["2026-10-24: 1", "2026-10-25: 2", "2026-10-26: 1"]
    );
    let hours = [
        "2026-10-24T23:30:00Z",
        "2026-10-25T00:30:00Z",
        "2026-10-25T01:30:00Z",
        "2026-10-25T02:30:00Z",
    ];
    let mut rows = row_texts("Europe/Berlin", Dimension::Hour, &hours);
    rows.sort();
    assert_eq!(
        rows,
        [
            "2026-10-25 01:00+02:00: 1",
            "2026-10-25 02:00+01:00: 1",
            "2026-10-25 02:00+02:00: 1",
            "2026-10-25 03:00+01:00: 1",
        ]
    );
}

#[test]
fn weeks_follow_the_time_zone() {
    // Sunday evening in UTC, Monday in Tokyo.
    let moment = ["2026-03-01T20:00:00Z"];
    assert_eq!(row_texts("UTC", Dimension::Week, &moment), ["2026-02-23: 1"]);
    assert_eq!(row_texts("Asia/Tokyo", Dimension::Week, &moment), ["2026-03-02: 1"]);
}

#[test]
fn first_and_last_representable_days_work() {
    let ends = ["-009999-01-02T01:59:59Z", "0000-01-01T00:00:00Z", "9999-12-30T22:00:00Z"];
    for dimension in
        [Dimension::Day, Dimension::Week, Dimension::Month, Dimension::Hour, Dimension::Block]
    {
        let rows = row_texts("Pacific/Kiritimati", dimension, &ends);
        assert!(!rows.is_empty(), "{dimension:?}");
    }
}
