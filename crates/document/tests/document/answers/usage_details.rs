//! What usage rests on.

use super::support::{CWD, assert_reads_back, library, now, write_session};
use document::answers::{self, UsageRequest};
use jiff::tz::TimeZone;
use library::catalog::Filter;
use library::progress::NoProgress;
use library::usage::{Dimension, UsageOptions};
use serde_json::json;
use testkit::{Sandbox, call, chained, session_id, user};
use usage::Budget;

fn options(filter: Filter) -> UsageOptions {
    UsageOptions::new(Vec::new(), filter, TimeZone::UTC)
}

/// A session with a call of a skill. The calls of the kit are of Friday, 2 January 2026.
fn write_skill_session(sandbox: &Sandbox, number: u32, skill: &str) {
    let id = session_id(number);
    let answer = call("msg_skill", [10, 20, 0, 0]).with("attributionSkill", skill);
    let lines = chained(vec![user("Read this"), answer]);
    sandbox.session(CWD, &id, lines.into_iter().map(|line| line.with("sessionId", id.clone())));
}

#[test]
fn calls_are_counted_by_weekday_and_hour() {
    let sandbox = Sandbox::new();
    write_session(&sandbox, 1, "Where do tides come from?", &[100, 50]);
    let library = library(&sandbox);
    let hours = answers::usage_hours(&library, &options(Filter::default()), &NoProgress);
    assert_reads_back(&hours);
    assert_eq!(hours.sessions, 1);
    assert_eq!(hours.cells.iter().map(|cell| cell.calls).sum::<u64>(), 2);
    assert!(hours.cells.iter().all(|cell| cell.weekday == 4));
    // Eleven hours further east, some of that Friday is Saturday.
    let mut east = options(Filter::default());
    east.zone = TimeZone::fixed(jiff::tz::offset(11));
    let moved = answers::usage_hours(&library, &east, &NoProgress);
    let hour = |cell: &document::UsageHourDocument| {
        (i32::from(cell.weekday) * 24 + i32::from(cell.hour)).rem_euclid(7 * 24)
    };
    assert_eq!(hour(&moved.cells[0]), hour(&hours.cells[0]) + 11);
}

#[test]
fn installed_agents_and_skills_without_calls_in_the_period_are_unused() {
    let sandbox = Sandbox::new();
    sandbox.write("agents/reviewer.md", "---\nname: reviewer\n---\n");
    sandbox.write("skills/pdf/SKILL.md", "");
    sandbox.write("skills/xlsx/SKILL.md", "");
    write_skill_session(&sandbox, 1, "pdf");
    let library = library(&sandbox);
    let names = |items: &[document::UnusedItemDocument]| -> Vec<String> {
        items.iter().map(|item| item.name.clone()).collect()
    };
    let all = answers::unused(&library, &options(Filter::default()), &NoProgress);
    assert_reads_back(&all);
    assert_eq!(
        (names(&all.agents), names(&all.skills)),
        (vec!["reviewer".to_owned()], vec!["xlsx".to_owned()])
    );
    assert_eq!(all.skills[0].last_used_on, None);
    let since = Some("2026-01-05T00:00:00Z".parse().unwrap());
    let later =
        answers::unused(&library, &options(Filter { since, ..Filter::default() }), &NoProgress);
    assert_eq!(names(&later.skills), ["pdf", "xlsx"]);
    assert_eq!(later.skills[0].last_used_on.as_deref(), Some("2026-01-02"));
}

#[test]
fn one_call_is_explained_by_its_id() {
    let sandbox = Sandbox::new();
    write_session(&sandbox, 1, "Where do tides come from?", &[100]);
    let library = library(&sandbox);
    let (found, _) =
        answers::usage_calls(&library, "msg_1_0", &options(Filter::default()), &NoProgress);
    assert_reads_back(&found);
    assert_eq!(found.calls.len(), 1);
    let (none, _) =
        answers::usage_calls(&library, "msg_unknown", &options(Filter::default()), &NoProgress);
    assert!(none.calls.is_empty());
}

#[test]
fn an_explained_report_has_the_figures_of_claude_code() {
    let sandbox = Sandbox::new();
    write_session(&sandbox, 1, "Where do tides come from?", &[100]);
    let model = r#"{"inputTokens":1,"outputTokens":2,"cacheReadInputTokens":3,"cacheCreationInputTokens":4}"#;
    sandbox.write(
        "stats-cache.json",
        format!(r#"{{"lastComputedDate":"2026-01-03","modelUsage":{{"claude-x":{model}}}}}"#),
    );
    let library = library(&sandbox);
    let request = |explains| UsageRequest {
        options: UsageOptions::new(vec![Dimension::Model], Filter::default(), TimeZone::UTC),
        limit: None,
        budget: Budget::default(),
        now: now(),
        compares: false,
        with_models: false,
        explains,
    };
    let (bare, _) = answers::usage(&library, &request(false), &NoProgress);
    assert!(bare.explain.reconciled.is_none());
    let (explained, _) = answers::usage(&library, &request(true), &NoProgress);
    let caches = explained.explain.reconciled.unwrap().stats_cache;
    assert_eq!(caches.len(), 1);
    assert_eq!(
        (caches[0].model.as_str(), caches[0].claimed_tokens, caches[0].counted_tokens),
        ("claude-x", 10, 0)
    );
}

#[test]
fn rows_of_equal_cost_are_in_the_order_of_their_tokens_then_of_their_keys() {
    let sandbox = Sandbox::new();
    // Without a price, every call costs the same.
    for (number, output) in [(1, 5), (2, 500), (3, 50), (4, 50)] {
        let answer =
            call(&format!("msg_{number}"), [1, output, 0, 0]).message("model", "claude-nova-9");
        let lines = chained([user("Sail"), answer]).into_iter();
        let lines = lines.map(|line| line.with("sessionId", session_id(number)));
        sandbox.session(CWD, &session_id(number), lines);
    }
    let library = library(&sandbox);
    let request = |limit| UsageRequest {
        options: UsageOptions::new(vec![Dimension::Session], Filter::default(), TimeZone::UTC),
        limit,
        budget: Budget::default(),
        now: now(),
        compares: false,
        with_models: true,
        explains: false,
    };
    for limit in [None, Some(usize::MAX), Some(2)] {
        let request = request(limit);
        let (document, _) = answers::usage(&library, &request, &NoProgress);
        let source = answers::read_usage(&library, &request, &NoProgress, &NoProgress);
        let answer = answers::UsageAnswer::new(&library, &source, &request, &NoProgress);
        let keys: Vec<_> = document.rows.iter().map(|row| row.key["session"].clone()).collect();
        let expected = [2, 3, 4, 1].map(|number| Some(session_id(number)));
        assert_eq!(keys, expected[..limit.unwrap_or(4).min(4)], "{limit:?}");
        let values = answer.rows.iter().map(|row| row.values[0].clone());
        assert_eq!(values.collect::<Vec<_>>(), keys);
        assert_eq!(answer.total, 4);
    }
}

#[test]
fn limits_are_those_of_the_period() {
    let sandbox = Sandbox::new();
    let text = json!([{"type": "text", "text": "Claude AI usage limit reached|1767380400"}]);
    let notice = call("limit", [0, 0, 0, 0])
        .model("<synthetic>")
        .at("2026-01-02T10:00:00Z")
        .message("content", text);
    sandbox.session(CWD, &session_id(1), [notice]);
    let library = library(&sandbox);
    let limits =
        |filter: Filter| answers::usage_limits(&library, &filter, &NoProgress).limits.len();
    assert_eq!(limits(Filter::default()), 1);
    let since = Some("2026-01-03T00:00:00Z".parse().unwrap());
    assert_eq!(limits(Filter { since, ..Filter::default() }), 0);
}
