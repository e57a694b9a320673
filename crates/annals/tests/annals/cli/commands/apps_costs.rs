//! Costs that other apps recorded themselves: which part of a cost they are, and when they count.

use crate::cli::support::run::annals;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use testkit::{Sandbox, call, session_id};

/// Calls of OpenCode with these models and recorded costs, in its older tree of files. Each call
/// has 1,000 tokens of input and 100 of output.
fn write_opencode(sandbox: &Sandbox, calls: &[(&str, Value)]) {
    let storage = sandbox.home().join(".local/share/opencode/storage");
    let write = |path: &Path, value: &Value| {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, value.to_string()).unwrap();
    };
    write(
        &storage.join("session/kelp/ses_1.json"),
        &json!({"id": "ses_1", "projectID": "kelp", "directory": "/work/kelp", "title": "Tide",
            "version": "1.1.65", "time": {"created": 1_769_860_800_000_u64,
            "updated": 1_769_860_900_000_u64}}),
    );
    for (number, (model, cost)) in calls.iter().enumerate() {
        let created = 1_769_860_800_000 + 1000 * number;
        write(
            &storage.join(format!("message/ses_1/msg_{number}.json")),
            &json!({"id": format!("msg_{number}"), "sessionID": "ses_1", "role": "assistant",
                "time": {"created": created, "completed": created + 10}, "modelID": model,
                "cost": cost, "tokens": {"total": 1100, "input": 1000, "output": 100,
                "reasoning": 0, "cache": {"read": 0, "write": 0}}}),
        );
    }
}

/// A session of pi with one call that cost half a dollar.
fn write_pi(sandbox: &Sandbox) {
    let folder = sandbox.home().join(".pi/agent/sessions/--work-kelp--");
    fs::create_dir_all(&folder).unwrap();
    let time = "2026-01-31T12:00:00.000Z";
    let lines = [
        json!({"type": "session", "version": 3, "id": "s-1", "timestamp": time, "cwd": "/work/kelp"}),
        json!({"id": "a", "parentId": null, "timestamp": time, "type": "message",
            "message": {"role": "user", "content": [{"type": "text", "text": "Count"}]}}),
        json!({"id": "b", "parentId": "a", "timestamp": time, "type": "message",
            "message": {"role": "assistant", "content": [], "model": "m-1",
            "usage": {"input": 10, "output": 5, "cacheRead": 0, "cacheWrite": 0,
            "totalTokens": 15, "cost": {"total": 0.5}}, "stopReason": "stop"}}),
    ];
    let text: String = lines.iter().map(|line| line.to_string() + "\n").collect();
    fs::write(folder.join("2026-01-31T12-00-00-000Z_s-1.jsonl"), text).unwrap();
}

/// Costs and reported costs by a dimension, and of the total.
fn costs(sandbox: &Sandbox, arguments: &[&str]) -> Vec<(String, Value, Value)> {
    let document = annals(sandbox, &[&["usage", "--json"], arguments].concat()).done().json();
    let rows = document["rows"].as_array().unwrap().iter();
    let of =
        |name: String, sums: &Value| (name, sums["cost_usd"].clone(), sums["reported_usd"].clone());
    let mut costs: Vec<_> = rows
        .map(|row| {
            let key = row["key"].as_object().unwrap().values().next().unwrap();
            of(key.as_str().unwrap().to_owned(), row)
        })
        .collect();
    costs.sort_by(|one, two| one.0.cmp(&two.0));
    costs.push(of("total".to_owned(), &document["total"]));
    costs
}

#[test]
fn report_says_which_part_of_its_cost_other_apps_reported() {
    let sandbox = Sandbox::new();
    // What Claude Code logged is a cost like any other.
    let logged = call("m1", [1000, 100, 0, 0]).session(&session_id(1)).with("costUSD", 2);
    sandbox.session("/work/kelp", &session_id(1), [logged]);
    write_opencode(&sandbox, &[("gpt-5.1", json!(0.25)), ("gpt-5.1", Value::Null)]);
    write_pi(&sandbox);
    let row = |app: &str, cost: &str, reported: Value| (app.to_owned(), json!(cost), reported);
    // A call without a cost: 1,000 × 1.25 + 100 × 10 millionths.
    let expected = [
        row("claude", "2", Value::Null),
        row("opencode", "0.25225", json!("0.25")),
        row("pi", "0.5", json!("0.5")),
        row("total", "2.75225", json!("0.75")),
    ];
    // Without an index, while it is built, and from it.
    for _ in 0..3 {
        assert_eq!(costs(&sandbox, &["--by", "app"]), expected);
        annals(&sandbox, &["search", "Count", "--json"]).done();
    }
    let note = "$0.7500 of the cost is as reported by OpenCode and pi, not calculated from prices.";
    for by in ["app", "tool"] {
        let table = annals(&sandbox, &["usage", "--by", by]).done().out;
        assert!(table.contains(note), "{table}");
    }
    let table = annals(&sandbox, &["usage", "--cost", "calculate"]).done().out;
    assert!(!table.contains("as reported"), "{table}");
    let alone = annals(&sandbox, &["usage", "--app", "claude"]).done().out;
    assert!(!alone.contains("as reported"), "{alone}");
    let csv = annals(&sandbox, &["usage", "--by", "app", "--csv"]).done().out;
    assert!(csv.lines().any(|line| line.starts_with("pi,") && line.ends_with(",0.5")), "{csv}");
}

#[test]
fn details_of_a_session_say_where_its_cost_comes_from() {
    let sandbox = Sandbox::new();
    write_opencode(&sandbox, &[("gpt-5.1", json!(0.25)), ("gpt-5.1", Value::Null)]);
    write_pi(&sandbox);
    let info = |id: &str| annals(&sandbox, &["info", id]).done().out;
    let of_pi = info("pi:s-1");
    assert!(of_pi.contains("$0.5000 (as reported by pi)"), "{of_pi}");
    let mixed = info("opencode:ses_1");
    assert!(mixed.contains("($0.2500 as reported by OpenCode, the rest at API prices)"), "{mixed}");
    let document = annals(&sandbox, &["info", "opencode:ses_1", "--json"]).done().json();
    assert_eq!(
        (&document["cost_usd"], &document["reported_usd"]),
        (&json!("0.25225"), &json!("0.25"))
    );
}

#[test]
fn recorded_cost_of_zero_does_not_make_a_call_free() {
    let sandbox = Sandbox::new();
    write_opencode(&sandbox, &[("gpt-5.1", json!(0)), ("kelp-unknown-1", json!(0))]);
    let row = |model: &str, cost: Value| (model.to_owned(), cost, Value::Null);
    let expected = [
        row("gpt-5.1", json!("0.00225")),
        row("kelp-unknown-1", Value::Null),
        row("total", json!("0.00225")),
    ];
    for _ in 0..3 {
        assert_eq!(costs(&sandbox, &["--by", "model"]), expected);
        annals(&sandbox, &["search", "tide", "--json"]);
    }
    let table = annals(&sandbox, &["usage", "--by", "model"]).done().out;
    assert!(table.contains("kelp-unknown-1: price unknown"), "{table}");
    assert!(!table.contains("as reported"), "{table}");
}
