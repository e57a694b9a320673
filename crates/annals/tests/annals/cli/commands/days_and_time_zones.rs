//! Days: inclusive, in the zone; `ls` by last change, everything else by the
//! record's own time.

use crate::cli::support::run::{annals, exchange, modified, session};
use testkit::{Sandbox, session_id};

const CWD: &str = "/home/ada/tidepool";

/// Sessions changed around the turns of days; it is 2026-02-01 12:00 in UTC.
fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    let moments = [
        "2026-01-18T00:00:00Z",
        "2026-01-30T23:59:59Z",
        "2026-01-31T00:00:00Z",
        "2026-01-31T23:59:59Z",
        "2026-02-01T00:00:00Z",
        "2026-02-01T11:30:00Z",
    ];
    for (moment, number) in moments.iter().zip(1..) {
        let path = session(&sandbox, number, CWD, "Hello");
        modified(&sandbox, &path, moment);
    }
    sandbox
}

#[test]
fn day_filters_are_inclusive_and_use_the_time_zone() {
    let sandbox = store();
    let table: [(&[&str], &[u32]); 14] = [
        (&["--since", "2026-01-31"], &[3, 4, 5, 6]),
        (&["--until", "2026-01-31"], &[1, 2, 3, 4]),
        (&["--since", "2026-01-31", "--until", "2026-01-31"], &[3, 4]),
        (&["--since", "yesterday", "--until", "yesterday"], &[3, 4]),
        (&["--since", "today"], &[5, 6]),
        (&["--since", "1d"], &[3, 4, 5, 6]),
        (&["--since", "2w"], &[1, 2, 3, 4, 5, 6]),
        (&["--since", "13d"], &[2, 3, 4, 5, 6]),
        (&["--since", "1h"], &[6]),
        (&["--since", "2026-02-01T00:00:01Z"], &[6]),
        // In Tokyo it is nine hours later.
        (&["--since", "2026-02-01", "--timezone", "Asia/Tokyo"], &[4, 5, 6]),
        (&["--until", "2026-01-31", "--timezone", "Asia/Tokyo"], &[1, 2, 3]),
        (&["--since", "today", "--timezone", "America/Los_Angeles"], &[6]),
        (&["--since", "2026-02-02", "--until", "2026-01-01"], &[]),
    ];
    for (arguments, expected) in table {
        let ids = annals(&sandbox, &[&["ls", "--json"], arguments].concat()).done().ids();
        let expected: Vec<_> = expected.iter().map(|number| session_id(*number)).collect();
        assert_eq!(ids, expected, "{arguments:?}");
    }
}

#[test]
fn prompts_are_filtered_by_their_time() {
    let sandbox = Sandbox::new();
    let lines = exchange(1, CWD, "Early").into_iter().map(|line| line.at("2026-01-10T23:30:00Z"));
    let path = sandbox.session(CWD, &session_id(1), lines);
    modified(&sandbox, &path, "2026-01-31T00:00:00Z");
    let count = |arguments: &[&str]| {
        let document =
            annals(&sandbox, &[&["prompts", "--json"], arguments].concat()).done().json();
        document["prompts"].as_array().unwrap().len()
    };
    assert_eq!(count(&["--since", "2026-01-10", "--until", "2026-01-10"]), 1);
    assert_eq!(count(&["--since", "2026-01-11"]), 0);
    assert_eq!(count(&["--since", "2026-01-11", "--timezone", "Asia/Tokyo"]), 1);
    assert_eq!(count(&["00000001", "--since", "2026-01-11"]), 0);
    let shown = |arguments: &[&str]| {
        let document =
            annals(&sandbox, &[&["show", "00000001", "--json"], arguments].concat()).done().json();
        document["records"].as_array().unwrap().len()
    };
    assert_eq!(shown(&["--until", "2026-01-10"]), 2);
    assert_eq!(shown(&["--until", "2026-01-09"]), 0);
}

#[test]
fn time_zone_is_named_beside_times_of_day() {
    let sandbox = store();
    for arguments in [&["info", "00000001"][..], &["show", "00000001"]] {
        let text =
            annals(&sandbox, &[arguments, &["--timezone", "Asia/Tokyo"]].concat()).done().out;
        assert!(text.contains("Asia/Tokyo") && text.contains("12:04:05"), "{text}");
    }
}

#[test]
fn impossible_timestamp_is_not_an_error() {
    let sandbox = Sandbox::new();
    for (number, seconds) in [(1, 0), (2, 253_402_300_799 - 86_400 * 2), (3, -62_135_596_800 / 64)]
    {
        let path = session(&sandbox, number, CWD, "Hello");
        sandbox.set_modified(&path, seconds);
    }
    for arguments in
        [&["ls"][..], &["doctor"], &[], &["ls", "--json"], &["ls", "--since", "999999d"]]
    {
        let answer = annals(&sandbox, arguments);
        assert!(matches!(answer.code, 0 | 2), "{arguments:?} {answer:?}");
    }
}
