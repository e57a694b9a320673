//! The dimensions that calls are grouped by.

use super::fixture::{CWD, by, open, report, row_texts, rows};
use jiff::civil::Weekday;
use library::usage::Dimension;
use serde_json::json;
use testkit::{Line, Sandbox, call, session_id, user};

fn line(id: &str, output: u64) -> Line {
    call(id, [1, output, 0, 0]).session(&session_id(1))
}

#[test]
fn each_dimension_has_its_values() {
    let sandbox = Sandbox::new();
    let attributed = |line: Line| {
        line.with("gitBranch", "tides")
            .with("version", "2.1.300")
            .with("entrypoint", "sdk-ts")
            .with("effort", "high")
            .with("attributionSkill", "pdf")
            .with("attributionPlugin", "tools")
            .with("attributionMcpServer", "github")
            .cwd("/home/ada/tidepool/src")
            .model("claude-opus-5")
            .at("2026-02-03T04:05:06Z")
    };
    let plain = line("plain", 1)
        .without("gitBranch")
        .without("version")
        .without("cwd")
        .without("timestamp");
    let lines = [
        user("Go").session(&session_id(1)),
        plain.message("model", json!(null)),
        attributed(line("attributed", 2)),
    ];
    sandbox.session(CWD, &session_id(1), lines);
    let table: [(Dimension, [&str; 2]); 14] = [
        (Dimension::Day, ["-: 1 calls, 1 out", "2026-02-03: 1 calls, 2 out"]),
        (Dimension::Week, ["-: 1 calls, 1 out", "2026-02-02: 1 calls, 2 out"]),
        (Dimension::Month, ["-: 1 calls, 1 out", "2026-02: 1 calls, 2 out"]),
        (Dimension::Hour, ["-: 1 calls, 1 out", "2026-02-03 04:00+00:00: 1 calls, 2 out"]),
        (Dimension::Block, ["-: 1 calls, 1 out", "2026-02-03T04:00:00Z: 1 calls, 2 out"]),
        (Dimension::Worktree, ["-: 1 calls, 1 out", "/home/ada/tidepool/src: 1 calls, 2 out"]),
        (Dimension::Model, ["-: 1 calls, 1 out", "claude-opus-5: 1 calls, 2 out"]),
        (Dimension::Branch, ["-: 1 calls, 1 out", "tides: 1 calls, 2 out"]),
        (Dimension::Skill, ["-: 1 calls, 1 out", "pdf: 1 calls, 2 out"]),
        (Dimension::Plugin, ["-: 1 calls, 1 out", "tools: 1 calls, 2 out"]),
        (Dimension::Mcp, ["-: 1 calls, 1 out", "github: 1 calls, 2 out"]),
        (Dimension::Effort, ["-: 1 calls, 1 out", "high: 1 calls, 2 out"]),
        (Dimension::Entrypoint, ["-: 1 calls, 1 out", "sdk-ts: 1 calls, 2 out"]),
        (Dimension::Version, ["-: 1 calls, 1 out", "2.1.300: 1 calls, 2 out"]),
    ];
    for (dimension, expected) in table {
        assert_eq!(row_texts(&sandbox, dimension), expected, "{dimension:?}");
    }
    assert_eq!(row_texts(&sandbox, Dimension::Project), ["/home/ada/tidepool: 2 calls, 3 out"]);
    assert_eq!(row_texts(&sandbox, Dimension::Agent), ["(main): 2 calls, 3 out"]);
    assert_eq!(row_texts(&sandbox, Dimension::Tool), ["-: 2 calls, 3 out"]);
}

#[test]
fn agent_type_comes_from_its_calls_then_from_its_metadata() {
    let sandbox = Sandbox::new();
    let own = format!("projects/-home-ada-tidepool/{}/subagents", session_id(1));
    let agents = |id: &str, output| line(id, output).of_agent(id);
    sandbox.session(
        CWD,
        &session_id(1),
        [
            line("main", 1),
            agents("inline", 2),
            line("charged", 4).with("attributionAgent", "Review"),
        ],
    );
    sandbox.agent(
        CWD,
        &session_id(1),
        "agent-a1",
        [agents("a1", 8), agents("a1b", 16).with("attributionAgent", "Plan")],
    );
    sandbox.agent(CWD, &session_id(1), "agent-a2", [line("not marked", 32)]);
    sandbox.write(&format!("{own}/agent-a1.meta.json"), r#"{"agentType": "Explore"}"#);
    assert_eq!(
        row_texts(&sandbox, Dimension::Agent),
        [
            "(main): 1 calls, 1 out",
            "(unknown): 2 calls, 34 out",
            "Explore: 1 calls, 8 out",
            "Plan: 1 calls, 16 out",
            "Review: 1 calls, 4 out",
        ]
    );
}

#[test]
fn several_dimensions_nest() {
    let sandbox = Sandbox::new();
    let lines = [
        line("a", 1).at("2026-01-02T10:00:00Z"),
        line("b", 2).at("2026-01-02T11:00:00Z").model("claude-opus-5"),
        line("c", 4).at("2026-01-03T10:00:00Z"),
    ];
    sandbox.session(CWD, &session_id(1), lines);
    let report = report(&open(&sandbox), &by(&[Dimension::Day, Dimension::Model]));
    assert_eq!(
        rows(&report),
        [
            "2026-01-02 | claude-opus-5: 1 calls, 2 out",
            "2026-01-02 | claude-sonnet-5: 1 calls, 1 out",
            "2026-01-03 | claude-sonnet-5: 1 calls, 4 out",
        ]
    );
}

#[test]
fn weeks_begin_on_the_chosen_day() {
    let sandbox = Sandbox::new();
    // A Wednesday, the Sunday after it, and the Monday after that.
    let days = ["2025-12-31", "2026-01-04", "2026-01-05"];
    let lines = days.map(|day| line(day, 1).at(&format!("{day}T12:00:00Z")));
    sandbox.session(CWD, &session_id(1), lines);
    let library = open(&sandbox);
    let table: [(Weekday, &[&str]); 4] = [
        (Weekday::Monday, &["2025-12-29: 2 calls, 2 out", "2026-01-05: 1 calls, 1 out"]),
        (Weekday::Sunday, &["2025-12-28: 1 calls, 1 out", "2026-01-04: 2 calls, 2 out"]),
        (Weekday::Saturday, &["2025-12-27: 1 calls, 1 out", "2026-01-03: 2 calls, 2 out"]),
        (Weekday::Wednesday, &["2025-12-31: 3 calls, 3 out"]),
    ];
    for (week_start, expected) in table {
        let mut options = by(&[Dimension::Week]);
        options.week_start = week_start;
        assert_eq!(rows(&report(&library, &options)), expected, "{week_start:?}");
    }
}

// `tool` divides each whole call over the tools it called by largest remainder;
// `(none)` is a row.
#[test]
fn a_call_is_divided_over_the_tools_it_called() {
    let sandbox = Sandbox::new();
    let lines = [
        call("a", [10, 10, 10, 10]).calls_tools(&[("1", "Read"), ("2", "Bash"), ("3", "Edit")]),
        call("b", [0, 9, 0, 0]).calls_tools(&[("4", "Read"), ("5", "Read"), ("6", "Bash")]),
        call("c", [0, 5, 0, 0]),
    ];
    sandbox.session(CWD, &session_id(1), lines);
    let found = report(&open(&sandbox), &by(&[Dimension::Tool]));
    assert_eq!(
        rows(&found),
        [
            "-: 1 calls, 5 out",
            "Bash: 1 calls, 7 out",
            "Edit: 0 calls, 3 out",
            "Read: 1 calls, 9 out"
        ]
    );
    let edit = &found.report.rows[&vec![Some("Edit".to_owned())]].sums;
    assert_eq!((edit.counters.input, edit.counters.write_5m, edit.counters.read), (3, 3, 3));
    // A third of 147,000,000 millionths of a millionth.
    assert_eq!(edit.cost.decimal(), "0.000049");
}

#[test]
fn share_of_an_unpriced_call_has_no_price() {
    let sandbox = Sandbox::new();
    let tools = [("1", "Read"), ("2", "Bash"), ("3", "Edit")];
    let unknown = call("a", [10, 10, 0, 0]).model("claude-unknown-9").calls_tools(&tools);
    sandbox.session(CWD, &session_id(1), [unknown]);
    let found = report(&open(&sandbox), &by(&[Dimension::Tool]));
    assert_eq!(found.report.rows.len(), 3);
    for (tool, row) in &found.report.rows {
        assert_eq!((row.sums.priced, row.sums.unpriced), (0, 1), "{tool:?}");
    }
    assert_eq!(found.unknown_models["claude-unknown-9"], 1);
}

// Rule 8. `<synthetic>` model: no cost, hidden from model lists.
#[test]
fn synthetic_responses_are_in_no_row() {
    let sandbox = Sandbox::new();
    let made_up = line("x", 100).model("<synthetic>").at("2026-05-05T00:00:00Z");
    sandbox.session(CWD, &session_id(1), [line("a", 1), made_up]);
    let library = open(&sandbox);
    let found = report(&library, &by(&[Dimension::Model]));
    assert_eq!(rows(&found), ["claude-sonnet-5: 1 calls, 1 out"]);
    assert_eq!((found.synthetic, found.unknown_models.len()), (1, 0));
    assert_eq!(found.report.total.models.len(), 1);
    assert_eq!(row_texts(&sandbox, Dimension::Block).len(), 1, "and begins no block");
}
