//! The cost of a call: rates, caches, long prompts, dates, cost modes.

use super::fixture::{calls, summaries, summarize};
use serde_json::{Value, json};
use testkit::{Line, call};
use usage::{CostMode, Pricer, Prices, UnpricedReason};

/// The cost of a call, at a time when all prices apply.
fn cost(line: &Line) -> String {
    let found = calls(&[std::slice::from_ref(line)]);
    summarize(&found, CostMode::Auto)[0].rsplit_once(" = ").unwrap().1.to_owned()
}

/// The cost of a million tokens of each kind, in calls without a long prompt.
fn million_of_each(model: &str, time: &str) -> [String; 5] {
    let usage = |key: &str| {
        let line = call("m", [0, 0, 0, 0]).model(model).at(time);
        match key {
            "5m" | "1h" => line
                .usage("cache_creation", json!({format!("ephemeral_{key}_input_tokens"): 10_000})),
            _ => line.usage(key, 10_000),
        }
    };
    ["input_tokens", "5m", "1h", "cache_read_input_tokens", "output_tokens"].map(|key| {
        // A hundred times ten thousand.
        let cost: String = cost(&usage(key));
        let pico = usage::PicoUsd::parse(&cost).unwrap();
        usage::PicoUsd(pico.0 * 100).decimal()
    })
}

// The table: input, write 5m, write 1h, read, output, in USD per million.
#[test]
fn every_model_of_the_table_has_its_price() {
    let after = "2026-11-01T00:00:00Z";
    let table: [(&[&str], [&str; 5]); 15] = [
        (&["fable-5-1", "mythos-5-1"], ["10", "12.5", "20", "0.25", "50"]),
        (&["fable-5", "mythos-5"], ["10", "12.5", "20", "1", "50"]),
        (&["opus-5-5"], ["4", "5", "8", "0.2", "20"]),
        (&["opus-5", "opus-4-8"], ["5", "6.25", "10", "0.5", "25"]),
        (&["opus-4-7", "opus-4-6"], ["5", "6.25", "10", "0.5", "25"]),
        (&["opus-4-5"], ["5", "6.25", "10", "0.5", "25"]),
        (&["opus-4-1", "opus-4", "3-opus"], ["15", "18.75", "30", "1.5", "75"]),
        (&["sonnet-5-5"], ["2", "2.5", "4", "0.1", "10"]),
        (&["sonnet-5"], ["2", "2.5", "4", "0.2", "10"]),
        (&["sonnet-4-6", "3-7-sonnet", "3-5-sonnet"], ["3", "3.75", "6", "0.3", "15"]),
        (&["sonnet-4-5", "sonnet-4"], ["3", "3.75", "6", "0.3", "15"]),
        (&["haiku-5-5"], ["0.1", "0.125", "0.2", "0.01", "0.5"]),
        (&["haiku-4-5"], ["1", "1.25", "2", "0.1", "5"]),
        (&["3-5-haiku"], ["0.8", "1", "1.6", "0.08", "4"]),
        (&["3-haiku"], ["0.25", "0.3", "0.5", "0.03", "1.25"]),
    ];
    for (models, expected) in table {
        for model in models {
            assert_eq!(million_of_each(&format!("claude-{model}"), after), expected, "{model}");
        }
    }
}

// Cache writes: `ephemeral_5m_input_tokens` × 1.25 of input, `ephemeral_1h_…` × 2;
// no split given → all 5m.
#[test]
fn cache_writes_cost_by_their_lifetime() {
    let written = |split: Value| call("m", [0, 0, 1000, 0]).usage("cache_creation", split);
    let table = [
        (
            "all for an hour",
            json!({"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 1000}),
            "1000 for 1h = 0.004",
        ),
        (
            "all for minutes",
            json!({"ephemeral_5m_input_tokens": 1000, "ephemeral_1h_input_tokens": 0}),
            "1000 for 5m = 0.0025",
        ),
        (
            "both",
            json!({"ephemeral_5m_input_tokens": 400, "ephemeral_1h_input_tokens": 600}),
            "400 for 5m, 600 for 1h = 0.0034",
        ),
        ("no split", json!({}), "1000 for 5m = 0.0025"),
        ("none", Value::Null, "1000 for 5m = 0.0025"),
        (
            "half a split",
            json!({"ephemeral_1h_input_tokens": 600}),
            "400 for 5m, 600 for 1h = 0.0034",
        ),
        ("the other half", json!({"ephemeral_5m_input_tokens": 600}), "1000 for 5m = 0.0025"),
        (
            "a null in it",
            json!({"ephemeral_5m_input_tokens": null, "ephemeral_1h_input_tokens": 1000}),
            "1000 for 1h = 0.004",
        ),
        (
            "more than the whole",
            json!({"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 3000}),
            "3000 for 1h = 0.012",
        ),
    ];
    for (what, split, expected) in table {
        assert_eq!(summaries(&[&[written(split)]]), [format!("m sonnet-5: {expected}")], "{what}");
    }
    assert_eq!(summaries(&[&[call("m", [0, 0, 1000, 0])]]), ["m sonnet-5: 1000 for 5m = 0.0025"]);
}

// Long-context tiers are decided per call on the whole prompt (input + cache read
// + cache write), and then all of the call's tokens move to the upper rate.
#[test]
fn long_prompts_move_all_of_a_call_to_the_upper_rate() {
    let line = |model, tokens| call("m", tokens).model(model).at("2026-10-20T00:00:00Z");
    let hour = |line: Line, count: u64| {
        line.usage("cache_creation_input_tokens", count)
            .usage("cache_creation", json!({"ephemeral_1h_input_tokens": count}))
    };
    let table = [
        // 1 × 3 + 199,999 × 0.3 + 1,000 × 15
        ("at the threshold", line("claude-sonnet-4-5", [1, 1000, 0, 199_999]), "0.0750027"),
        // 2 × 6 + 199,999 × 0.6 + 1,000 × 22.5
        ("one over", line("claude-sonnet-4-5", [2, 1000, 0, 199_999]), "0.1425114"),
        ("by what was read", line("claude-sonnet-4-5", [1, 1000, 0, 200_000]), "0.142506"),
        ("by what was written", line("claude-sonnet-4-5", [0, 0, 200_001, 0]), "1.5000075"),
        ("for an hour", hour(line("claude-sonnet-4", [0, 0, 0, 0]), 200_001), "2.400012"),
        ("for an hour, not over", hour(line("claude-sonnet-4", [0, 0, 0, 0]), 200_000), "1.2"),
        ("output is not part of the prompt", line("claude-sonnet-4-5", [0, 300_000, 0, 0]), "4.5"),
        ("a model without tiers", line("claude-sonnet-4-6", [200_001, 0, 0, 0]), "0.600003"),
        ("another threshold", line("claude-haiku-5-5", [100_000, 0, 0, 0]), "0.01"),
        ("one over that", line("claude-haiku-5-5", [100_001, 0, 0, 0]), "0.0500005"),
        (
            "all three together",
            line("claude-haiku-5-5", [40_000, 1000, 30_000, 30_001]),
            "0.04275005",
        ),
        ("[1m] changes no price", line("claude-sonnet-4-5[1m]", [1000, 0, 0, 0]), "0.003"),
    ];
    for (what, line, expected) in table {
        assert_eq!(cost(&line), expected, "{what}");
    }
    // The limit is per call: two halves of a long prompt are two short ones.
    let halves = [
        line("claude-sonnet-4-5", [150_000, 0, 0, 0]),
        call("n", [150_000, 0, 0, 0]).model("claude-sonnet-4-5"),
    ];
    assert_eq!(
        summaries(&[&halves]).iter().filter(|summary| summary.ends_with("= 0.45")).count(),
        2
    );
}

// Prices are dated (they changed over time).
#[test]
fn prices_apply_from_their_day() {
    let line = |time: &str| call("m", [0, 0, 0, 1_000_000]).model("claude-sonnet-5-5").at(time);
    assert_eq!(cost(&line("2026-10-09T23:59:59.999Z")), "0.2");
    assert_eq!(cost(&line("2026-10-10T00:00:00Z")), "0.1");
    assert_eq!(cost(&line("2025-01-01T00:00:00Z")), "0.2", "by the first there is");
    assert_eq!(cost(&line("never")), "0.1", "by the last there is");
    // The day of a call is that of its first line.
    let lines = [
        line("2026-10-10T00:00:01Z"),
        line("2026-10-09T23:59:59Z").usage("cache_read_input_tokens", 1),
    ];
    assert_eq!(summaries(&[&lines]), ["m sonnet-5-5: 1000000 read = 0.2"]);
}

// Old lines carry costUSD: modes `auto` (use it where present), `calculate`,
// `display`.
#[test]
fn logged_costs_are_used_according_to_the_mode() {
    let line = call("m", [1000, 100, 0, 0]);
    let table = [
        (json!(0.0123), ["0.0123", "0.003", "0.0123"]),
        (json!(1e-5), ["0.00001", "0.003", "0.00001"]),
        (json!(0), ["0", "0.003", "0"]),
        (Value::Null, ["0.003", "0.003", "?"]),
        (json!(-1), ["0.003", "0.003", "?"]),
        (json!("0.5"), ["0.003", "0.003", "?"]),
        (json!(1e300), ["0.003", "0.003", "?"]),
    ];
    for (logged, expected) in table {
        let found = calls(&[&[line.clone().with("costUSD", logged.clone())]]);
        let costs = [CostMode::Auto, CostMode::Calculate, CostMode::Display]
            .map(|mode| summarize(&found, mode)[0].rsplit_once(" = ").unwrap().1.to_owned());
        assert_eq!(costs, expected, "{logged}");
    }
    // It comes from the chosen line, and also prices unknown models.
    let lines = [
        line.clone().with("costUSD", 9).usage("output_tokens", 1),
        line.model("claude-unknown-9").with("costUSD", 0.25),
    ];
    assert_eq!(summaries(&[&lines]), ["m unknown-9: 1000 in, 100 out = 0.25"]);
}

// An unknown model is reported as unknown, never as $0; its tokens count.
#[test]
fn an_unknown_model_is_counted_and_has_no_price() {
    let prices = Prices::embedded();
    for model in ["claude-opus-5-6", "claude-opus-6", "gpt-5-x", "claude-sonnet-45", "claude", ""] {
        let found = calls(&[&[call("m", [1000, 100, 0, 0]).model(model)]]);
        assert_eq!(found.calls[0].counters.output, 100);
        let cost = Pricer::new(&prices, CostMode::Auto).cost(&found.calls[0], &found.names);
        let name = if model.is_empty() { "(none)" } else { model };
        assert_eq!(
            (cost.total, cost.unpriced),
            (None, Some(UnpricedReason::Model(name.to_owned()))),
            "{model}"
        );
    }
    let nameless = call("m", [1000, 100, 0, 0]).message("model", Value::Null);
    assert_eq!(summaries(&[&[nameless]]), ["m (none): 1000 in, 100 out = ?"]);
}

// Model names: strip `[1m]`, a date suffix, cloud prefixes, `-v1:0`, `@date`;
// longest prefix wins.
#[test]
fn names_with_cloud_prefixes_and_dates_have_the_price_of_the_model() {
    let of = |model: &str| cost(&call("m", [1_000_000, 0, 0, 0]).model(model));
    for model in [
        "claude-opus-4-1",
        "claude-opus-4-1-20250805",
        "claude-opus-4-1[1m]",
        "claude-opus-4-1-20250805[1m]",
        "us.anthropic.claude-opus-4-1-20250805-v1:0",
        "eu.anthropic.claude-opus-4-1-20250805-v1:0",
        "global.anthropic.claude-opus-4-1-20250805-v1:0[1m]",
        "anthropic.claude-opus-4-1-v1",
        "claude-opus-4-1@20250805",
        "CLAUDE-OPUS-4-1",
        "opus-4-1",
    ] {
        assert_eq!(of(model), "15", "{model}");
    }
    assert_eq!((of("claude-opus-5-5"), of("claude-opus-5")), ("4".to_owned(), "5".to_owned()));
    assert_eq!(
        (of("claude-opus-4-5-20251101"), of("claude-opus-4-20250514")),
        ("5".to_owned(), "15".to_owned())
    );
    assert_eq!(of("claude-3-5-sonnet-v2@20241022"), "3");
}

// A file given by the user overrides or extends them.
#[test]
fn own_prices_override_and_extend() {
    let mut prices = Prices::embedded();
    let own = "web_search = \"20\"\nbatch = \"0.25\"\n[[price]]\nmodels = [\"claude-sonnet-5\", \"mine\"]\ninput = \"0.000001\"\noutput = \"1\"\nfast = \"1.5\"\n\
        [[price]]\nmodels = [\"mine\"]\nfrom = \"2026-01-02\"\ninput = \"7\"\noutput = \"1\"";
    prices.extend(own).unwrap();
    let of = |line: &Line| {
        let found = calls(&[std::slice::from_ref(line)]);
        Pricer::new(&prices, CostMode::Auto)
            .cost(&found.calls[0], &found.names)
            .total
            .unwrap()
            .decimal()
    };
    let line = call("m", [1, 0, 0, 0]);
    assert_eq!(of(&line), "0.000000000001", "to the last digit");
    assert_eq!(of(&line.clone().model("claude-opus-5")), "0.000005", "others stay");
    assert_eq!(of(&line.clone().model("mine")), "0.000007");
    assert_eq!(of(&line.clone().model("mine").at("2026-01-01T23:59:59Z")), "0.000000000001");
    assert_eq!(
        of(&line.usage("server_tool_use", json!({"web_search_requests": 3}))),
        "0.060000000001"
    );
    let huge = "[[price]]\nmodels = [\"huge\"]\ninput = \"1e17\"\noutput = \"1\"\nfast = \"1e20\"";
    prices.extend(huge).unwrap();
    let found =
        calls(&[&[call("m", [1_000_000_000_000, 0, 0, 0]).model("huge").usage("speed", "fast")]]);
    let cost = Pricer::new(&prices, CostMode::Auto).cost(&found.calls[0], &found.names);
    assert!(cost.total.unwrap().0 > 0, "as much as there is, and no overflow");
}
