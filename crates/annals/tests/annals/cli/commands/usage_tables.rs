//! How `annals usage` shows its figures: the columns of its tables, blocks, the calendar.

use super::usage::{CWD, json, line, store};
use crate::cli::support::run::{annals, command, run};
use serde_json::{Value, json};
use testkit::{Sandbox, call, session_id, user};

/// Calls of two blocks: one of yesterday, and one that is still active at noon.
fn blocks() -> Sandbox {
    let sandbox = Sandbox::new();
    let yesterday = call("m0", [0, 40_000, 0, 0]).at("2026-01-31T20:10:00Z");
    let today = [line("m1", [0, 5_000, 0, 0], "10:30"), line("m2", [0, 5_000, 0, 0], "11:30")];
    sandbox.session(CWD, &session_id(1), [yesterday.session(&session_id(1))]);
    sandbox.session(CWD, &session_id(2), today.map(|line| line.session(&session_id(2))));
    sandbox
}

#[test]
fn report_by_model_has_no_column_that_repeats_its_key() {
    let sandbox = store();
    let titles = |arguments: &[&str]| {
        let answer = annals(&sandbox, &[&["usage"], arguments].concat()).done();
        answer.out.lines().next().unwrap().to_owned()
    };
    assert!(titles(&["daily"]).contains("MODELS"));
    for arguments in [&["model"][..], &["--by", "day,model"]] {
        assert!(!titles(arguments).contains("MODELS"), "{arguments:?}");
    }
}

#[test]
fn notes_say_nothing_about_zero() {
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), [line("m1", [1000, 100, 0, 0], "08:00")]);
    let answer = annals(&sandbox, &["usage", "model"]).done();
    assert!(
        answer.out.ends_with("\nCosts at API prices, from the transcripts.\n"),
        "{}",
        answer.out
    );
    let damaged = Sandbox::new();
    let path = damaged.session(CWD, &session_id(1), [line("m1", [1, 1, 0, 0], "08:00")]);
    let mut text = std::fs::read_to_string(&path).unwrap();
    text += "{\"type\":\"assistant\",\"message\":{\"usage\":{\"input_tokens\n";
    std::fs::write(&path, text).unwrap();
    let answer = annals(&damaged, &["usage"]).done();
    assert!(
        answer.out.ends_with("\n1 line could not be read (--explain shows details)\n"),
        "{}",
        answer.out
    );
}

#[test]
fn blocks_show_begin_end_time_left_rate_projection_and_share() {
    let sandbox = blocks();
    let answer = annals(&sandbox, &["usage", "block"]).done();
    insta::assert_snapshot!(answer.out, @"
    BEGIN             END    LEFT  CALLS  INPUT  OUTPUT  WRITTEN  READ  TOKENS     RATE     COST  PROJECTED              OF MAX  MODELS
    2026-01-31 20:00  01:00            1      0     40k        0     0     40k           $0.4000             ██████████   100 %  sonnet-5
    2026-02-01 10:00  15:00    3h      2      0     10k        0     0     10k  166/min  $0.1000    $0.4500  ██▌           25 %  sonnet-5
    ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    TOTAL                              3      0     50k        0     0     50k           $0.5000
    Costs at API prices, from the transcripts; days in UTC.
    Active block: 3h left, until 15:00; 166 tokens per minute, $0.1000 per hour; 45k tokens and $0.4500 at its end at this rate.
    Blocks begin with their first call, rounded down to the hour, unless a recorded limit gives the reset time.
    ");
    let document = json(&sandbox, &["block"]);
    let block = |row: usize| document["rows"][row]["block"].clone();
    assert_eq!(
        (block(0)["seconds_left"].clone(), block(0)["share_of_largest"].clone()),
        (Value::Null, json!(1.0))
    );
    assert_eq!(
        (block(1)["seconds_left"].clone(), block(1)["share_of_largest"].clone()),
        (json!(3 * 3600), json!(0.25))
    );
}

#[test]
fn heatmap_shades_each_day_of_the_calendar() {
    let answer = annals(&blocks(), &["usage", "--heatmap"]).done();
    insta::assert_snapshot!(answer.out, @"
        Nov   Dec     Jan     Feb
    Mon · · · · · · · · · · · ·
        · · · · · · · · · · · ·
    Wed · · · · · · · · · · · ·
        · · · · · · · · · · · ·
    Fri · · · · · · · · · · · ·
        · · · · · · · · · · · █
    Sun · · · · · · · · · · · ▒

    · none  ▒ to $0.1000  █ to $0.4000
    2 days with usage since 2025-11-10, $0.5000 in all; most on 2026-01-31: $0.4000.
    ");
    let sandbox = blocks();
    let sunday = annals(&sandbox, &["usage", "--heatmap", "--week-start", "sunday"]).done();
    assert!(sunday.out.lines().nth(1).unwrap().starts_with("Sun "), "{}", sunday.out);
    let since = annals(&sandbox, &["usage", "--heatmap", "--since", "2026-02-01"]).done();
    assert!(since.out.contains("1 day with usage since 2026-02-01"), "{}", since.out);
    assert_eq!(
        json(&sandbox, &["--heatmap"]),
        json(&sandbox, &["daily"]),
        "for programs it is the daily report"
    );
    let empty = annals(&Sandbox::new(), &["usage", "--heatmap"]).done();
    assert_eq!(empty.out, "No usage.\n");
    annals(&sandbox, &["usage", "weekly", "--heatmap"]).complaint(2);
}

/// What a command prints in a terminal of this width; `None` without `script`, which
/// provides the terminal.
fn in_terminal(sandbox: &Sandbox, width: usize, arguments: &str) -> Option<String> {
    let mut terminal = sandbox.command("script");
    let binary = testkit::program!("annals");
    let line = format!("'{binary}' --no-pager --color never {arguments}");
    terminal.args(["-qec", &line, "/dev/null"]).stdin(std::process::Stdio::null());
    terminal.env("COLUMNS", width.to_string()).env("SHELL", "/bin/sh");
    let output = terminal.output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).replace('\r', ""))
}

fn widest(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

#[test]
fn heatmap_fits_a_narrow_terminal() {
    let sandbox = blocks();
    let old = call("m9", [0, 1, 0, 0]).at("2024-02-03T10:00:00Z").session(&session_id(3));
    sandbox.session(CWD, &session_id(3), [old]);
    for width in [30, 60, 80, 120] {
        let Some(text) = in_terminal(&sandbox, width, "usage --heatmap") else { return };
        assert!(text.contains("Mon ") && text.contains('█'), "{text}");
        assert!(widest(&text) <= width, "{width}:\n{text}");
    }
    let whole = run(&mut command(&sandbox, &["usage", "--heatmap"])).done();
    assert_eq!(whole.out.lines().nth(1).unwrap().chars().count(), 4 + 53 * 2 - 1, "{}", whole.out);
}

#[test]
fn tables_fit_a_narrow_terminal_and_leave_two_fifths_to_the_prompt() {
    let sandbox = Sandbox::new();
    let words = "How high does the tide rise in the harbour when the moon is full and near";
    let prompt = user(words).session(&session_id(1)).at("2026-02-01T08:00:00Z");
    sandbox.session(CWD, &session_id(1), [prompt, line("m1", [9, 9, 9, 9], "09:00")]);
    for width in [60, 80, 120] {
        for report in ["turn", "session"] {
            let Some(text) = in_terminal(&sandbox, width, &format!("usage {report}")) else {
                return;
            };
            assert!(widest(&text) <= width, "{width}:\n{text}");
            let shown = &words[..width * 2 / 5 - 2];
            assert!(text.contains(shown), "{shown:?} in {width} columns:\n{text}");
        }
    }
}
