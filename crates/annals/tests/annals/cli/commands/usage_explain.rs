//! How usage comes about: `--explain`, one call, limits, blocks.

use crate::cli::commands::usage::{CWD, json, line, store};
use crate::cli::support::run::{annals, assert_members, command, filtered, run};
use serde_json::{Value, json};
use testkit::{Sandbox, session_id};

#[test]
fn explanation_accounts_for_every_line() {
    let explain = &json(&store(), &[])["explain"];
    assert_members(explain, "lines calls duplicates");
    assert_eq!((&explain["lines"], &explain["calls"]), (&7.into(), &3.into()));
    assert_eq!(
        explain["duplicates"],
        json!({"streaming": 1, "fork": 3, "resume_copy": 0, "replay": 0, "progress": 0})
    );
    assert_eq!(explain["naive"]["output_tokens"], 309);
}

#[test]
fn explain_shows_how_figures_are_computed() {
    let sandbox = store();
    let state = testkit::metadata("cost-state", &[("totalCostUSD", 0.03.into())]);
    sandbox.append(
        &sandbox.projects().join(format!("-home-ada-tidepool/{}.jsonl", session_id(1))),
        format!("{state}\n{{\"usage\": broken\n"),
    );
    let cache = json!({"lastComputedDate": "2026-01-31", "modelUsage": {"claude-opus-5": {"inputTokens": 4, "outputTokens": 5, "cacheReadInputTokens": 0, "cacheCreationInputTokens": 0}}});
    sandbox.write("stats-cache.json", cache.to_string());
    let answer = annals(&sandbox, &["usage", "--explain"]).done();
    let out = answer.out.replace(&sandbox.config().display().to_string(), "[ROOT]");
    insta::assert_snapshot!(out, @"
    Lines and calls
    WHAT                                               COUNT
    lines about calls                                      7
    calls                                                  3
    … synthetic, not counted                               0
    … advisor calls, recorded in lines of other calls      0
    repeated while streaming                               1
    copied by forks                                        3
    copied by resumed sessions                             0
    replayed                                               0
    repeated as progress                                   0
    unreadable lines                                       1
    lines with implausible counts or times                 0

    Unreadable or partly readable lines
    [ROOT]/projects/-home-ada-tidepool/00000001-0000-4000-8000-000000000001.jsonl at byte 2285

    Compared with a plain sum of all lines
    WHAT                 CALLS  PLAIN SUM  EXCESS
    input                1,015      4,025   297 %
    output                 157        309    97 %
    cache written        2,400      8,800   267 %
    cache read           3,000     12,000   300 %
    cost           $0.0339 + ?    $0.0430

    No price known
    model claude-unknown-9: 1 call

    Compared with Claude Code's own cost-state
    SESSION                                   APP   ANNALS  DIFFERENCE
    00000001-0000-4000-8000-000000000001  $0.0300  $0.0339     $0.0039

    Compared with Claude Code's stats-cache.json
    MODEL          CLAIMED  COUNTED  COMPUTED
    claude-opus-5        9      460  2026-01-31

    Prices: https://platform.claude.com/docs/en/about-claude/pricing, 2026-11-01
    ");
    let document = json(&sandbox, &["--explain"]);
    assert_eq!(document["explain"]["damaged_lines"], 1);
    let session = &document["explain"]["reconciled"]["sessions"][0];
    assert_eq!(
        (&session["logged_usd"], &session["counted_usd"], &session["difference_usd"]),
        (&"0.03".into(), &"0.0339".into(), &"0.0039".into())
    );
}

#[test]
fn explain_a_call_shows_its_lines_and_its_price() {
    let sandbox = store();
    let answer = annals(&sandbox, &["usage", "--explain", "m1"]).done();
    insta::assert_snapshot!(filtered(&sandbox, &answer.out), @r#"
    m1
    claude-sonnet-5 · req_m1

       WHEN                 OUTPUT  TOTAL  NOTE  LINE
       2026-02-01 08:01:00       1  6,001        [ROOT]/claude/projects/-home-ada-tidepool/00000001-0000-4000-8000-000000000001.jsonl at byte 333
       2026-02-01 08:02:00     100  6,100        [ROOT]/claude/projects/-home-ada-tidepool/00000001-0000-4000-8000-000000000001.jsonl at byte 894
       2026-02-01 08:01:00       1  6,001  fork  [ROOT]/claude/projects/-home-ada-tidepool/00000002-0000-4000-8000-000000000002.jsonl at byte 452
    →  2026-02-01 08:02:00     100  6,100  fork  [ROOT]/claude/projects/-home-ada-tidepool/00000002-0000-4000-8000-000000000002.jsonl at byte 1103

    PART            COUNT   USD EACH     USD
    input           1,000   0.000002   0.002
    cache write 5m  2,000  0.0000025   0.005
    cache read      3,000  0.0000002  0.0006
    output            100    0.00001   0.001
    = 0.0086 USD
    "#);
    for id in ["m1", "req_m1", "line_m1"] {
        let document = json(&sandbox, &["--explain", id]);
        assert_eq!(document["schema"], "annals/call/1");
        let call = &document["calls"][0];
        assert_eq!((&call["call"], &call["cost_usd"]), (&"m1".into(), &"0.0086".into()), "{id}");
        let lines = call["lines"].as_array().unwrap();
        let chosen: Vec<bool> =
            lines.iter().map(|line| line["is_chosen"].as_bool().unwrap()).collect();
        // The fork repeats the winning line at a greater path.
        assert_eq!(chosen, [false, false, false, true], "{id}");
        assert_eq!(lines[2]["is_fork"], true);
    }
}

#[test]
fn every_call_under_an_id_is_explained() {
    let sandbox = Sandbox::new();
    let advice =
        json!([{"type": "advisor_message", "model": "claude-opus-5", "input_tokens": 1000}]);
    sandbox.session(
        CWD,
        &session_id(1),
        [
            line("m1", [1, 2, 0, 0], "08:00").usage("iterations", advice),
            line("m1", [3, 4, 0, 0], "09:00").with("requestId", "other"),
        ],
    );
    let document = json(&sandbox, &["--explain", "m1"]);
    let rows: Vec<String> = document["calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|call| format!("{} {} {}", call["call"], call["request"], call["cost_usd"]))
        .collect();
    assert_eq!(
        rows,
        [
            r#""m1" "req_m1" "0.000022""#,
            r#""m1#claude-opus-5" "req_m1" "0.005""#,
            r#""m1" "other" "0.000046""#,
        ]
    );
}

#[test]
fn unknown_call_is_not_found() {
    for arguments in [
        &["usage", "--explain", "m9"][..],
        &["usage", "--explain", "m9", "--json"],
        &["usage", "--explain", "m"],
    ] {
        let answer = annals(&store(), arguments);
        assert!(answer.complaint(1).contains("no call matches"), "{arguments:?}");
    }
    annals(&store(), &["usage", "--explain", "m1", "--csv"]).complaint(2);
}

#[test]
fn limits_are_listed_with_when_they_reset() {
    let sandbox = Sandbox::new();
    let notice = |id: &str, time: &str, words: &str| {
        line(id, [0, 0, 0, 0], time)
            .model("<synthetic>")
            .message("content", json!([{"type": "text", "text": words}]))
    };
    let lines = [
        notice("l1", "08:00", "Claude AI usage limit reached|1769950800"),
        notice("l2", "09:00", "You've hit your weekly limit · resets Monday"),
        notice("l3", "10:00", "No response requested."),
    ];
    let forked = lines.clone().map(|line| line.forked_into(&session_id(2)));
    sandbox.session(CWD, &session_id(1), lines);
    sandbox.session(CWD, &session_id(2), forked);
    let document = json(&sandbox, &["limits"]);
    assert_eq!(document["schema"], "annals/limits/1");
    let limits = document["limits"].as_array().unwrap();
    assert_eq!(limits.len(), 2, "copies say nothing new");
    assert_eq!(limits[0]["resets_at"], "2026-02-01T13:00:00.000Z");
    assert_eq!(
        (&limits[1]["resets_at"], &limits[1]["timestamp"]),
        (&Value::Null, &"2026-02-01T09:00:00.000Z".into())
    );
    let answer = annals(&sandbox, &["usage", "limits"]).done();
    assert!(answer.out.contains("weekly limit"), "{}", answer.out);
    assert_eq!(annals(&sandbox, &["usage", "limits", "--csv"]).done().out.lines().count(), 3);
    assert_eq!(annals(&sandbox, &["usage"]).done().out, "No usage.\n", "nothing of it is usage");
    let answer = annals(&Sandbox::new(), &["usage", "limits"]).done();
    assert_eq!(answer.out, "No limits reached in the recorded sessions.\n");
}

#[test]
fn uncountable_lines_are_reported() {
    let sandbox = Sandbox::new();
    let odd = line("m1", [1, 1, 0, 0], "08:00").usage("input_tokens", -5);
    let path = sandbox.session(CWD, &session_id(1), [odd]);
    sandbox.append(&path, "{\"usage\": broken\n");
    let answer = run(&mut command(&sandbox, &["usage"])).done();
    assert!(
        answer.out.contains("1 line could not be read, 1 had implausible counts or times"),
        "{}",
        answer.out
    );
}

#[test]
fn active_block_shows_rate_and_projection() {
    let sandbox = Sandbox::new();
    // The clock says twelve.
    sandbox.session(
        CWD,
        &session_id(1),
        [
            line("m0", [0, 1, 0, 0], "01:00"),
            line("m1", [0, 500, 0, 0], "10:00"),
            line("m2", [0, 700, 0, 0], "11:00"),
        ],
    );
    let document = json(&sandbox, &["block"]);
    let blocks: Vec<&Value> =
        document["rows"].as_array().unwrap().iter().map(|row| &row["block"]).collect();
    assert_eq!(blocks.len(), 2);
    assert_eq!(
        (&blocks[0]["is_active"], &blocks[0]["projected_tokens"]),
        (&false.into(), &Value::Null)
    );
    assert_eq!(
        blocks[1],
        &json!({
            "start": "2026-02-01T10:00:00Z",
            "end": "2026-02-01T15:00:00Z",
            "first_at": "2026-02-01T10:00:00Z",
            "last_at": "2026-02-01T11:00:00Z",
            "is_active": true,
            "seconds_left": 10800,
            "anchor": "guessed",
            "tokens_per_minute": 20,
            "cost_per_hour_usd": "0.012",
            "projected_tokens": 6000,
            "projected_cost_usd": "0.06",
            "share_of_largest": 1.0,
        })
    );
    let answer = annals(&sandbox, &["usage", "block"]).done();
    let note = "Active block: 3h left, until 15:00; 20 tokens per minute, $0.0120 per hour; 6.0k tokens and $0.0600 at its end at this rate.";
    assert!(answer.out.contains(note), "{}", answer.out);
}
