//! What the ledger remembers of usage.

use crate::cli::support::run::{annals, session};
use archive::{Entry, Fact, Ledger, LedgerCalls, RateLimit, RateLimitWindow};
use jiff::Timestamp;
use serde_json::json;
use testkit::{Sandbox, call, session_id};

fn at(time: &str) -> Timestamp {
    time.parse().unwrap()
}

fn note(sandbox: &Sandbox, facts: impl IntoIterator<Item = Fact>) {
    let at = at("2026-01-30T00:00:00Z");
    let entries: Vec<Entry> = facts.into_iter().map(|fact| Entry { at, fact }).collect();
    let mut ledger = Ledger::open(sandbox.annals_home().join("ledger")).unwrap();
    ledger.append(&entries).unwrap();
}

fn limit(window: RateLimitWindow, used_percent: f64, resets: Option<&str>, seen: &str) -> Fact {
    let (resets_at, seen_at) = (resets.map(at), at(seen));
    Fact::RateLimit(RateLimit { window, used_percent, resets_at, seen_at })
}

#[test]
fn limits_are_shown_with_their_last_known_level() {
    let sandbox = Sandbox::new();
    let notice = json!([{"type": "text", "text": "Claude AI usage limit reached|1769860800"}]);
    let reached = call("m1", [0; 4]).model("<synthetic>").message("content", notice);
    let reached = reached.at("2026-01-31T10:00:00Z");
    sandbox.session("/home/ada/tidepool", &session_id(1), [reached]);
    let resets = Some("2026-01-31T12:00:00Z");
    note(
        &sandbox,
        [
            limit(RateLimitWindow::FiveHours, 97.4, resets, "2026-01-31T09:30:00Z"),
            limit(RateLimitWindow::FiveHours, 12.0, resets, "2026-01-31T08:00:00Z"),
            limit(RateLimitWindow::SevenDays, 40.0, None, "2026-01-31T10:30:00Z"),
        ],
    );
    insta::assert_snapshot!(annals(&sandbox, &["usage", "limits"]).done().out, @"
    WHEN                 RESETS               NOTICE
    2026-01-31 09:30:00  2026-01-31 12:00:00  97 % of five hours used
    2026-01-31 10:00:00  2026-01-31 12:00:00  Claude AI usage limit reached|1769860800
    2026-01-31 10:30:00                       40 % of seven days used
    ");
    let limits = annals(&sandbox, &["usage", "limits", "--json"]).done().json()["limits"].clone();
    assert_eq!(
        (&limits[0]["window"], &limits[0]["used_percent"]),
        (&json!("five_hour"), &json!(97.4))
    );
    assert_eq!((&limits[1]["window"], limits[1]["path"].is_string()), (&json!(null), true));
}

#[test]
fn usage_counts_calls_of_deleted_transcripts_except_with_root() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    let line = call("m1", [10, 20, 0, 0]).session(&session_id(9)).to_string();
    let lines = vec![usage::without_text(line.as_bytes()).unwrap()];
    let session = session_id(9);
    note(&sandbox, [Fact::Calls(LedgerCalls { session, agent: None, agent_type: None, lines })]);
    let outputs = |arguments: &[&str]| {
        let arguments = [&["usage", "session", "--json"], arguments].concat();
        let rows = annals(&sandbox, &arguments).done().json()["rows"].clone();
        let rows = rows.as_array().unwrap().clone().into_iter();
        let gone = rows.filter(|row| row["key"]["session"] == session_id(9));
        gone.map(|row| row["output_tokens"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(outputs(&[]), [20]);
    let config = sandbox.config();
    assert!(outputs(&["--root", config.to_str().unwrap()]).is_empty());
    let explained = annals(&sandbox, &["usage", "--explain", "m1"]).done().out;
    assert!(explained.contains("ledger.jsonl"), "{explained}");
}
