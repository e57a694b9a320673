//! The commands that list things, on the made-up store. `demo_at_widths` has their text.

use crate::cli::support::exercises::{Formats, demo_calls_with_formats};
use crate::cli::support::run::{assert_members, demo, text};

#[test]
fn ls_hidden_shows_the_reason() {
    let answer = demo(&["ls", "--hidden"]).done();
    insta::assert_snapshot!(answer.out, @r"
    SESSION   CHANGED     PROJECT              BRANCH             SIZE  AGENTS  NOTE       TITLE
    3f9c1d7e  20m ago     ~/tidepool           fix/flaky-login   27 kB       2             Fix the flaky login test
    a17e60b2  1d ago      ~/tidepool           tide-table        21 kB                     Tide table endpoint #tides
    5d17fa94  1d ago      ~/tidepool           login            8.2 kB                     Passkeys, in a worktree of their own
    d80a35e1  2d ago      ~/tidepool           main              15 kB                     Plan the move of stations to SQLite (fork)
    c52b8f06  2d ago      ~/tidepool           main              12 kB                     Plan the move of stations to SQLite
    1e0b93c5  3d ago                                               0 B          empty
    f2c80b6d  3d ago      ~/notes                               8.0 kB                     Sourdough log (archived)
    7be4920f  4d ago      ~/tidepool           main             6.3 kB       3             Compare the API docs with the routes
    b93e7f1a  5d ago      C:\Users\ada\ledger  main             8.0 kB                     Import the bank's CSV
    b6f8142c  5d ago      ~/tidepool           main             3.3 kB                     Blank dashboard in Safari, continued
    91d3c7a8  5d ago      ~/tidepool           main             7.7 kB          continued  Blank dashboard in Safari
    ses_demo  5d ago                                             494 B          foreign    Which weekday is the spring equinox this year?
    29f5a8c3  6d ago      ~/a_b                                 4.0 kB                     Convert a plot to PNG
    8d640e2b  7d ago      ~/a-b                                 1.7 kB                     Harmless \u{1b}[2J\u{1b}]0;owned\u{7}title \u{202e}txt.exe
    4ac15d90  7d ago      C:\Users\ada\ledger  main             7.3 kB                     One cent off
    68b0e4d7  8d ago      ~/notes                               4.3 kB                     Five books about the sea
    e4a9d05f  27d ago     ~/tidepool           main             6.3 kB       2             Requests got slow since there are 300 stations. Cache the lookups?
    0c6d7b3a  2025-12-18  ~/tidepool           main             8.6 kB       1             Sketch of a tide table service
    ");
}

#[test]
fn ls_deleted_json_has_presence_and_no_path() {
    let document = demo(&["ls", "--deleted", "--json"]).done().json();
    for session in document["sessions"].as_array().unwrap() {
        assert_eq!(session["presence"], "prompts_only");
        assert!(session["path"].is_null() && session["bytes"] == 0);
    }
}

#[test]
fn projects_are_counted_by_recorded_folders() {
    let answer = demo(&["projects"]).done();
    insta::assert_snapshot!(answer.out, @r"
    PROJECT              CHANGED  SESSIONS  AGENTS    SIZE  LATEST    BRANCHES
    ~/tidepool           20m ago         9       8  108 kB  3f9c1d7e         4
    ~/notes              3d ago          2           12 kB  f2c80b6d         0
    C:\Users\ada\ledger  5d ago          2           15 kB  b93e7f1a         1
    ~/a_b                6d ago          1          4.0 kB  29f5a8c3         0
    ~/a-b                7d ago          1          1.7 kB  8d640e2b         0
    ");
    let document = demo(&["projects", "--json"]).done().json();
    assert_eq!(document["schema"], "annals/projects/1");
}

#[test]
fn where_names_the_folder_of_a_path() {
    let answer = demo(&["where", "/home/ada/tidepool"]).done();
    insta::assert_snapshot!(answer.out, @"
    [ROOT]/projects/-home-ada-tidepool
    matched  the folder's own project
    sessions 10
    latest   3f9c1d7e-5b24-4a86-9c3d-8e71f0a2b645
    ");
}

#[test]
fn where_names_projects_that_share_a_folder() {
    let answer = demo(&["where", "/home/ada/a_b"]).done();
    insta::assert_snapshot!(answer.out, @"
    [ROOT]/projects/-home-ada-a-b
    matched  the folder's own project
    sessions 1
    latest   29f5a8c3-6b0d-4e71-84fa-d2c91e7035b6
    note     /home/ada/a-b shares this folder
    ");
}

#[test]
fn where_understands_windows_paths() {
    let document = demo(&["where", r"c:\users\ADA\ledger", "--json"]).done().json();
    assert_eq!(document["folder"], "C--Users-ada-ledger");
    assert_eq!(document["sessions"], 2);
}

#[test]
fn prompts_of_all_projects_come_newest_first() {
    let answer = demo(&["prompts", "--limit", "4"]).done();
    insta::assert_snapshot!(answer.out, @r#"
    WHEN     SESSION   PROJECT             PROMPT
    20m ago  3f9c1d7e  ~/tidepool          Yes, but in a branch of its own. Commit this one first.
    26m ago  3f9c1d7e  ~/tidepool  queued  Please don't just sleep longer, CI is slow enough already.
    27m ago  3f9c1d7e  ~/tidepool          The login test fails about one time in ten on CI. Find out why and fix it.
    1d ago   a17e60b2  ~/tidepool          Lovely. Open a pull request and call it "Tide tables by station".
    Showing 4 of 31 prompts (--limit 0 shows all)
    "#);
    let document = demo(&["prompts", "--json"]).done().json();
    assert_eq!(document["schema"], "annals/prompts/1");
    let times: Vec<_> = document["prompts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|prompt| text(&prompt["timestamp"]))
        .collect();
    assert!(times.is_sorted_by(|one, two| one >= two), "{times:?}");
}

#[test]
fn home_json_keeps_its_contract() {
    let document = demo(&["--json"]).done().json();
    assert_eq!(document["schema"], "annals/home/1");
    assert_members(
        &document,
        "sessions projects agents bytes expiring prompts_only archive_only roots latest",
    );
}

#[test]
fn every_listing_prints_one_json_object_per_line() {
    let calls =
        [demo_calls_with_formats(Formats::Rows), demo_calls_with_formats(Formats::Lines)].concat();
    for arguments in calls {
        let answer = demo(&[&arguments[..], &["--jsonl"]].concat()).done();
        assert!(!answer.out.is_empty());
        for line in answer.out.lines() {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            assert!(row.is_object(), "{line}");
        }
    }
}
