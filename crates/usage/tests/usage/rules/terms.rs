//! Factors for how a call was answered, and the savings from the cache.

use super::fixture::{calls, summaries};
use serde_json::json;
use testkit::{Line, call};
use usage::{Cost, CostMode, Pricer, Prices, UnpricedReason};

fn cost(line: &Line) -> Cost {
    let found = calls(&[std::slice::from_ref(line)]);
    Pricer::new(&Prices::embedded(), CostMode::Auto).cost(&found.calls[0], &found.names)
}

/// A model, members of `usage`, the cost of a million input tokens, what is unpriced.
type Priced =
    (&'static str, &'static [(&'static str, &'static str)], &'static str, Option<UnpricedReason>);

// `usage.speed == "fast"`: × the model's fast factor. `usage.inference_geo ==
// "us"`: × 1.1 (models from opus-4-6, sonnet-4-6 on). `service_tier` "batch": ×
// 0.5; other unknown tiers: flag.
#[test]
fn factors_are_those_of_the_model() {
    let table: [Priced; 21] = [
        ("claude-opus-5-5", &[("speed", "fast")], "8", None),
        ("claude-opus-5", &[("speed", "fast")], "10", None),
        ("claude-opus-4-8", &[("speed", "fast")], "10", None),
        ("claude-opus-4-7", &[("speed", "fast")], "30", None),
        ("claude-opus-4-6", &[("speed", "fast")], "30", None),
        (
            "claude-opus-4-5",
            &[("speed", "fast")],
            "5",
            Some(UnpricedReason::Fast("claude-opus-4-5".into())),
        ),
        (
            "claude-sonnet-5",
            &[("speed", "fast")],
            "2",
            Some(UnpricedReason::Fast("claude-sonnet-5".into())),
        ),
        ("claude-opus-5", &[("speed", "standard")], "5", None),
        ("claude-opus-5", &[("speed", "slow")], "5", None),
        ("claude-opus-4-6", &[("inference_geo", "us")], "5.5", None),
        ("claude-sonnet-4-6", &[("inference_geo", "us")], "3.3", None),
        ("claude-haiku-5-5", &[("inference_geo", "us")], "0.55", None),
        ("claude-haiku-4-5", &[("inference_geo", "us")], "1.1", None),
        ("claude-opus-4-5", &[("inference_geo", "us")], "5", None),
        ("claude-sonnet-4-5", &[("inference_geo", "us")], "6", None),
        ("claude-opus-5", &[("inference_geo", "global")], "5", None),
        ("claude-opus-5", &[("inference_geo", "not_available")], "5", None),
        ("claude-opus-5", &[("service_tier", "batch")], "2.5", None),
        (
            "claude-opus-5",
            &[("service_tier", "priority")],
            "5",
            Some(UnpricedReason::Tier("priority".into())),
        ),
        ("claude-opus-5", &[("speed", "fast"), ("inference_geo", "us")], "11", None),
        (
            "claude-opus-4-7",
            &[("speed", "fast"), ("inference_geo", "us"), ("service_tier", "batch")],
            "16.5",
            None,
        ),
    ];
    for (model, terms, expected, unpriced) in table {
        let line = call("m", [1_000_000, 0, 0, 0]).model(model).at("2026-11-01T00:00:00Z");
        let line = terms.iter().fold(line, |line, (key, value)| line.usage(key, *value));
        let cost = cost(&line);
        assert_eq!(cost.total.unwrap().decimal(), expected, "{model} {terms:?}");
        assert_eq!(cost.unpriced, unpriced, "{model} {terms:?}");
    }
}

#[test]
fn factors_apply_to_every_kind_of_token() {
    let line = call("m", [1000, 100, 1000, 1000]).model("claude-opus-5").usage("speed", "fast");
    // 2 × (1,000 × 5 + 100 × 25 + 1,000 × 6.25 + 1,000 × 0.5) millionths
    assert_eq!(cost(&line).total.unwrap().decimal(), "0.0285");
}

// `server_tool_use.web_search_requests`: $10 per 1,000. No factor applies.
#[test]
fn web_searches_cost_a_cent_each() {
    let line = call("m", [1000, 100, 0, 0])
        .usage("server_tool_use", json!({"web_search_requests": 3, "web_fetch_requests": 9}));
    assert_eq!(
        summaries(&[std::slice::from_ref(&line)]),
        ["m sonnet-5: 1000 in, 100 out, 3 searches = 0.033"]
    );
    let fast = line.model("claude-opus-5").usage("speed", "fast").usage("service_tier", "batch");
    assert_eq!(cost(&fast).total.unwrap().decimal(), "0.0375");
}

#[test]
fn thinking_is_part_of_the_output_and_costs_nothing_extra() {
    let line = call("m", [0, 100, 0, 0]);
    let thought =
        |count: u64| line.clone().usage("output_tokens_details", json!({"thinking_tokens": count}));
    assert_eq!(summaries(&[&[thought(60)]]), ["m sonnet-5: 100 out, 60 thought = 0.001"]);
    assert_eq!(summaries(&[&[thought(600)]]), ["m sonnet-5: 100 out, 100 thought = 0.001"]);
}

#[test]
fn a_cost_is_the_sum_of_its_parts_times_its_factors() {
    let line = call("m", [1000, 100, 0, 500])
        .model("claude-opus-5")
        .usage("inference_geo", "us")
        .usage("cache_creation_input_tokens", 30)
        .usage(
            "cache_creation",
            json!({"ephemeral_5m_input_tokens": 10, "ephemeral_1h_input_tokens": 20}),
        )
        .usage("server_tool_use", json!({"web_search_requests": 1}));
    let found = calls(&[&[line]]);
    let prices = Prices::embedded();
    let mut with = Pricer::new(&prices, CostMode::Auto);
    let cost = with.cost(&found.calls[0], &found.names);
    let parts: Vec<String> = with
        .parts(&found.calls[0], &cost)
        .iter()
        .map(|part| {
            format!(
                "{} {} × {} = {}",
                part.what,
                part.count,
                part.rate.decimal(),
                part.amount.decimal()
            )
        })
        .collect();
    assert_eq!(
        parts,
        [
            "input 1000 × 0.000005 = 0.005",
            "cache write 5m 10 × 0.00000625 = 0.0000625",
            "cache write 1h 20 × 0.00001 = 0.0002",
            "cache read 500 × 0.0000005 = 0.00025",
            "output 100 × 0.000025 = 0.0025",
            "web search 1 × 0.01 = 0.01",
        ]
    );
    let factors: Vec<(&str, i128)> =
        cost.factors.iter().map(|(why, factor)| (*why, factor.0)).collect();
    assert_eq!(factors, [("us", 1100)]);
    assert_eq!(cost.total.unwrap().decimal(), "0.01881375");
}

// Cache economics: money saved by the cache, against uncached prices.
#[test]
fn cache_savings_are_gains_of_reads_minus_extra_cost_of_writes() {
    let table = [
        (call("m", [1000, 100, 0, 0]), "0"),
        // 1,000,000 × (2 − 0.2)
        (call("m", [0, 0, 0, 1_000_000]), "1.8"),
        // 1,000,000 × (2 − 2.5)
        (call("m", [0, 0, 1_000_000, 0]), "-0.5"),
        (call("m", [0, 0, 1_000_000, 1_000_000]), "1.3"),
        (
            call("m", [0, 0, 1_000_000, 0])
                .usage("cache_creation", json!({"ephemeral_1h_input_tokens": 1_000_000})),
            "-2",
        ),
        (call("m", [0, 0, 0, 1_000_000]).model("claude-opus-5").usage("speed", "fast"), "9"),
        (call("m", [0, 0, 0, 1_000_000]).model("claude-unknown-9"), "0"),
    ];
    for (line, expected) in table {
        assert_eq!(cost(&line).saved.decimal(), expected, "{line}");
    }
}
