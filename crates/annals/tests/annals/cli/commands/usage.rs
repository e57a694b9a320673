//! `annals usage` from outside: its contract, its formats, what it refuses.

use crate::cli::support::run::{Answer, annals, assert_members, text};
use serde_json::{Value, json};
use testkit::{Line, Sandbox, call, session_id, user};

pub(crate) const CWD: &str = "/home/ada/tidepool";

const KINDS: [&str; 19] = [
    "daily",
    "weekly",
    "monthly",
    "hourly",
    "session",
    "turn",
    "project",
    "worktree",
    "model",
    "branch",
    "agent",
    "skill",
    "plugin",
    "mcp",
    "tool",
    "effort",
    "entrypoint",
    "version",
    "block",
];

pub(crate) fn line(id: &str, tokens: [u64; 4], time: &str) -> Line {
    call(id, tokens).session(&session_id(1)).at(&format!("2026-02-01T{time}:00Z"))
}

/// Calls of two models on one day, one of them streamed, one of an unknown
/// model, an agent's, a fork of all.
pub(crate) fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    let own = [
        user("How high is the tide?").session(&session_id(1)).at("2026-02-01T08:00:00Z"),
        line("m1", [1000, 1, 2000, 3000], "08:01"),
        line("m1", [1000, 100, 2000, 3000], "08:02").calls_tools(&[("t1", "Read"), ("t2", "Bash")]),
        line("m2", [10, 50, 0, 0], "09:00")
            .model("claude-opus-5")
            .usage("cache_creation", json!({"ephemeral_1h_input_tokens": 400}))
            .usage("output_tokens_details", json!({"thinking_tokens": 20}))
            .usage("server_tool_use", json!({"web_search_requests": 2})),
    ];
    let agents = line("m3", [5, 7, 0, 0], "10:00").model("claude-unknown-9").of_agent("a1");
    sandbox.session(CWD, &session_id(1), &own);
    sandbox.agent(CWD, &session_id(1), "agent-a1", [agents]);
    let forked = own.map(|line| line.forked_into(&session_id(2)));
    sandbox.session(CWD, &session_id(2), forked);
    sandbox
}

pub(crate) fn json(sandbox: &Sandbox, arguments: &[&str]) -> Value {
    annals(sandbox, &[&["usage"], arguments, &["--json"]].concat()).done().json()
}

/// The keys and costs of rows.
fn rows(document: &Value, key: &str) -> Vec<(Value, Value)> {
    let rows = document["rows"].as_array().unwrap().iter();
    rows.map(|row| (row["key"][key].clone(), row["cost_usd"].clone())).collect()
}

const SUMS: &str = "calls input_tokens output_tokens thinking_tokens cache_write_5m_tokens \
    cache_write_1h_tokens cache_read_tokens web_searches cost_usd cost_complete cache_hit_rate";

#[test]
fn usage_json_keeps_its_contract() {
    let sandbox = store();
    let document = json(&sandbox, &["model"]);
    assert_members(&document, "schema timezone group_by rows total unknown_models explain");
    assert_eq!(document["schema"], "annals/usage/1");
    assert_eq!(document["timezone"], "UTC");
    assert_eq!(document["group_by"], json!(["model"]));
    assert_eq!(document["unknown_models"], json!(["claude-unknown-9"]));
    assert_members(&document["total"], SUMS);
    let rows = document["rows"].as_array().unwrap();
    for row in rows {
        assert_members(row, SUMS);
        assert_members(&row["key"], "model");
    }
    let expected = json!({
        "key": {"model": "claude-opus-5"},
        "calls": 1,
        "input_tokens": 10,
        "output_tokens": 50,
        "thinking_tokens": 20,
        "cache_write_5m_tokens": 0,
        "cache_write_1h_tokens": 400,
        "cache_read_tokens": 0,
        "web_searches": 2,
        // 10 × 5 + 50 × 25 + 400 × 10 millionths, and two cents
        "cost_usd": "0.0253",
        "cost_complete": true,
        "cache_hit_rate": 0.0,
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&rows[0][name], value, "{name}");
    }
    // 1,000 × 2 + 100 × 10 + 2,000 × 2.5 + 3,000 × 0.2 millionths
    assert_eq!(
        (&rows[1]["key"]["model"], &rows[1]["cost_usd"]),
        (&"claude-sonnet-5".into(), &"0.0086".into())
    );
    assert_eq!(rows[1]["cache_hit_rate"], 0.5);
    assert_eq!(document["total"]["cost_usd"], "0.0339");
    assert_eq!(document["total"]["calls"], 3);
}

#[test]
fn every_report_has_the_same_total() {
    let sandbox = store();
    let expected = json(&sandbox, &[])["total"].clone();
    for kind in KINDS {
        let document = json(&sandbox, &[kind]);
        assert_eq!(document["total"], expected, "{kind}");
        let sum = |name: &str| -> u64 {
            document["rows"].as_array().unwrap().iter().map(|row| row[name].as_u64().unwrap()).sum()
        };
        for name in ["calls", "input_tokens", "output_tokens", "cache_read_tokens", "web_searches"]
        {
            assert_eq!(sum(name), expected[name].as_u64().unwrap(), "{kind} {name}");
        }
        let answer = annals(&sandbox, &["usage", kind]).done();
        assert!(
            answer.out.contains("TOTAL") && answer.out.contains("$0.0339 + ?"),
            "{}",
            answer.out
        );
    }
}

#[test]
fn unknown_model_is_never_free() {
    let sandbox = store();
    let document = json(&sandbox, &["model"]);
    let unknown = &document["rows"][2];
    assert_eq!(unknown["key"]["model"], "claude-unknown-9");
    assert_eq!((&unknown["cost_usd"], &unknown["cost_complete"]), (&Value::Null, &false.into()));
    assert_eq!((&unknown["input_tokens"], &unknown["output_tokens"]), (&5.into(), &7.into()));
    assert_eq!(document["total"]["cost_complete"], false);
    let answer = annals(&sandbox, &["usage", "model"]).done();
    let row = answer.out.lines().find(|line| line.starts_with("claude-unknown-9")).unwrap();
    assert!(row.ends_with(" ?") && !row.contains('$'), "{row}");
    assert!(answer.out.contains("? 1 call to claude-unknown-9: price unknown"), "{}", answer.out);
    let tools = Sandbox::new();
    let both = call("m", [1, 1, 0, 0])
        .model("claude-unknown-9")
        .calls_tools(&[("1", "Read"), ("2", "Bash")]);
    tools.session(CWD, &session_id(1), [both]);
    let answer = annals(&tools, &["usage", "tool"]).done();
    for row in answer.out.lines().skip(1).take(4).filter(|row| !row.starts_with('─')) {
        assert!(row.contains('?') && !row.contains('$'), "{row}");
    }
    for row in json(&tools, &["tool"])["rows"].as_array().unwrap() {
        assert_eq!((&row["cost_usd"], &row["cost_complete"]), (&Value::Null, &false.into()));
    }
}

#[test]
fn table_shows_totals_savings_and_missing_prices() {
    let answer = annals(&store(), &["usage", "--by", "day,model"]).done();
    insta::assert_snapshot!(answer.out, @"
    DAY         MODEL             CALLS  INPUT  OUTPUT  WRITTEN  READ  TOKENS   HIT         COST
    2026-02-01  claude-opus-5         1     10      50      400     0     460   0 %  $0.0253      ██████████
    2026-02-01  claude-sonnet-5       1   1.0k     100     2.0k  3.0k    6.1k  50 %  $0.0086      ███▍
    2026-02-01  claude-unknown-9      1      5       7        0     0      12   0 %   ?
    ────────────────────────────────────────────────────────────────────────────────────────────────────────
    TOTAL                             3   1.0k     157     2.4k  3.0k    6.6k  47 %  $0.0339 + ?
    Costs at API prices, from the transcripts; days in UTC. Caching saved $0.0024.
    ? 1 call to claude-unknown-9: price unknown (--prices FILE adds prices)
    ");
}

#[test]
fn rows_can_be_grouped_by_several_dimensions() {
    let sandbox = store();
    let document = json(&sandbox, &["--by", "agent,model"]);
    assert_eq!(document["group_by"], json!(["agent", "model"]));
    let keys: Vec<String> =
        document["rows"].as_array().unwrap().iter().map(|row| row["key"].to_string()).collect();
    assert_eq!(
        keys,
        [
            r#"{"agent":"(main)","model":"claude-opus-5"}"#,
            r#"{"agent":"(main)","model":"claude-sonnet-5"}"#,
            r#"{"agent":"(unknown)","model":"claude-unknown-9"}"#,
        ]
    );
    let answer = annals(&sandbox, &["usage", "--by", "agent,weather"]);
    assert!(answer.complaint(2).contains("weather"));
}

#[test]
fn csv_has_every_figure() {
    let answer = annals(&store(), &["usage", "--by", "day,tool", "--csv"]).done();
    insta::assert_snapshot!(answer.out, @r#"
    key,calls,input_tokens,output_tokens,thinking_tokens,cache_write_5m_tokens,cache_write_1h_tokens,cache_read_tokens,web_searches,total_tokens,cost_usd,cost_complete,cache_hit_rate,cache_saved_usd,cache_expired_tokens,cache_expired_usd,reported_usd
    2026-02-01 | (none),2,15,57,20,0,400,0,2,472,0.0253,false,0.0,-0.002,0,0,
    2026-02-01 | Bash,1,500,50,0,1000,0,1500,0,3050,0.0043,true,0.5,0.0022,0,0,
    2026-02-01 | Read,0,500,50,0,1000,0,1500,0,3050,0.0043,true,0.5,0.0022,0,0,
    "#);
}

#[test]
fn jsonl_has_one_line_per_row() {
    let answer = annals(&store(), &["usage", "model", "--jsonl"]).done();
    let rows: Vec<Value> =
        answer.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 3);
    for row in &rows {
        assert_members(row, SUMS);
    }
}

/// The answer with a file of prices.
fn with_prices(prices: &str) -> Answer {
    let sandbox = store();
    let path = sandbox.home().join("prices.toml");
    std::fs::write(&path, prices).unwrap();
    annals(&sandbox, &["usage", "model", "--prices", path.to_str().unwrap(), "--json"])
}

#[test]
fn prices_file_overrides_embedded_prices() {
    let document = with_prices(
        "[[price]]\nmodels = [\"claude-unknown-9\"]\ninput = \"1\"\noutput = \"2\"\n[[price]]\nmodels = [\"opus-5\"]\ninput = \"0\"\noutput = \"0\"\n",
    )
    .done()
    .json();
    assert_eq!(
        rows(&document, "model"),
        [
            ("claude-opus-5".into(), "0.02".into()),
            ("claude-sonnet-5".into(), "0.0086".into()),
            ("claude-unknown-9".into(), "0.000019".into()),
        ]
    );
    assert_eq!(
        (&document["unknown_models"], &document["total"]["cost_complete"]),
        (&json!([]), &true.into())
    );
}

#[test]
fn unusable_prices_are_refused() {
    let table = [
        ("nonsense", "invalid price file"),
        ("[[price]]\nmodels = [\"x\"]\ninput = 1\noutput = \"2\"\n", "input"),
        (
            "[[price]]\nmodels = [\"x\"]\ninput = \"-1\"\noutput = \"2\"\n",
            "invalid price \"-1\" for `input` of x",
        ),
        (
            "[[price]]\nmodels = [\"x\"]\ninput = \"1\"\noutput = \"2\"\nfrom = \"soon\"\n",
            "\"soon\"",
        ),
        (
            "[[price]]\nmodels = [\"x\"]\ninput = \"1\"\noutput = \"2\"\ncolour = \"blue\"\n",
            "colour",
        ),
    ];
    for (prices, words) in table {
        let answer = with_prices(prices);
        let complaint = answer.complaint(2);
        assert!(complaint.contains("prices.toml") && complaint.contains(words), "{complaint}");
    }
    let answer = annals(&store(), &["usage", "--prices", "/nowhere/prices.toml"]);
    let complaint = answer.complaint(2);
    assert!(
        complaint.contains("/nowhere/prices.toml") && complaint.contains("No such file"),
        "{complaint}"
    );
}

#[test]
fn cost_option_selects_logged_or_calculated_costs() {
    let sandbox = Sandbox::new();
    let noted = line("m1", [1000, 100, 0, 0], "08:00").with("costUSD", 0.5);
    sandbox.session(CWD, &session_id(1), [noted, line("m2", [1000, 100, 0, 0], "09:00")]);
    let total = |arguments: &[&str]| {
        let total = json(&sandbox, arguments)["total"].clone();
        (text(&total["cost_usd"]), total["cost_complete"].as_bool().unwrap())
    };
    assert_eq!(total(&[]), ("0.503".to_owned(), true));
    assert_eq!(total(&["--cost", "auto"]), ("0.503".to_owned(), true));
    assert_eq!(total(&["--cost", "calculate"]), ("0.006".to_owned(), true));
    assert_eq!(total(&["--cost", "display"]), ("0.5".to_owned(), false));
    annals(&sandbox, &["usage", "--cost", "guess"]).complaint(2);
    let answer = annals(&sandbox, &["usage", "--cost", "display"]).done();
    assert!(answer.out.contains("calls of which the app noted no cost"), "{}", answer.out);
}

#[test]
fn turn_report_shows_the_most_expensive_prompts() {
    let document = json(&store(), &["turn"]);
    assert_eq!(document["group_by"], json!(["session", "turn"]));
    let rows = document["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!(
        (&rows[0]["prompt"], &rows[0]["calls"]),
        (&"How high is the tide?".into(), &3.into())
    );
}

#[test]
fn days_follow_the_time_zone_and_repeated_hours_are_distinct() {
    let sandbox = Sandbox::new();
    let at = |id: &str, time: &str| call(id, [0, 1, 0, 0]).at(time);
    sandbox.session(
        CWD,
        &session_id(1),
        [
            at("a", "2026-10-24T21:30:00Z"),
            at("b", "2026-10-25T00:30:00Z"),
            at("c", "2026-10-25T01:30:00Z"),
        ],
    );
    let days = |zone: &str| rows(&json(&sandbox, &["--timezone", zone]), "day").len();
    assert_eq!((days("Europe/Berlin"), days("UTC"), days("Asia/Tokyo")), (2, 2, 1));
    let document = json(&sandbox, &["hourly", "--timezone", "Europe/Berlin"]);
    assert_eq!(
        (&document["timezone"], document["rows"].as_array().unwrap().len()),
        (&"Europe/Berlin".into(), 3)
    );
    let answer = annals(&sandbox, &["usage", "hourly", "--timezone", "Europe/Berlin"]).done();
    for hour in ["2026-10-24 23:00 ", "2026-10-25 02:00+02:00 ", "2026-10-25 02:00+01:00 "] {
        assert!(answer.out.contains(hour), "{}", answer.out);
    }
    let sunday = json(&sandbox, &["weekly", "--week-start", "sunday"]);
    assert_eq!(sunday["rows"].as_array().unwrap().len(), 2);
    annals(&sandbox, &["usage", "--timezone", "Mars/Olympus"]).complaint(2);
}

#[test]
fn filters_select_calls_and_limit_selects_rows() {
    let sandbox = store();
    let calls = |arguments: &[&str]| json(&sandbox, arguments)["total"]["calls"].clone();
    assert_eq!(calls(&["--model", "opus"]), 1);
    assert_eq!(calls(&["--tool", "Bash"]), 1);
    assert_eq!(calls(&["--git-branch", "nowhere"]), 0);
    assert_eq!(calls(&["--project", CWD]), 3);
    assert_eq!(calls(&["--until", "2026-01-31"]), 0);
    assert_eq!(calls(&["--exclude", "/home/ada/**"]), 0);
    let document = json(&sandbox, &["model", "--limit", "1"]);
    assert_eq!(rows(&document, "model").len(), 1);
    assert_eq!(document["total"]["calls"], 3, "the total is of all");
}

#[test]
fn no_index_is_accepted() {
    let sandbox = store();
    assert_eq!(json(&sandbox, &["--no-index"]), json(&sandbox, &[]));
}

#[test]
fn an_empty_store_has_no_usage() {
    let sandbox = Sandbox::new();
    assert_eq!(annals(&sandbox, &["usage"]).done().out, "No usage.\n");
    let document = json(&sandbox, &[]);
    assert_eq!((&document["rows"], &document["total"]["calls"]), (&json!([]), &0.into()));
    assert_eq!(
        (&document["total"]["cost_usd"], &document["total"]["cost_complete"]),
        (&"0".into(), &true.into())
    );
    assert_eq!(annals(&sandbox, &["usage", "--csv"]).done().out.lines().count(), 1);
    annals(&sandbox, &["usage", "--explain"]).done();
}
