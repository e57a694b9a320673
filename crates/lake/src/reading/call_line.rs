//! A call as the line of a transcript, without text.

use crate::rows::{AttributionRow, CallRow};
use serde_json::{Value, json};

/// The tokens of a call, as a transcript has them.
fn tokens(row: &CallRow) -> Value {
    let mut tokens = json!({
        "input_tokens": row.input_tokens,
        "output_tokens": row.output_tokens,
        "cache_read_input_tokens": row.cache_read_tokens,
        "cache_creation_input_tokens":
            row.cache_write_5m_tokens.saturating_add(row.cache_write_1h_tokens),
        "cache_creation": {
            "ephemeral_5m_input_tokens": row.cache_write_5m_tokens,
            "ephemeral_1h_input_tokens": row.cache_write_1h_tokens,
        },
        "output_tokens_details": {"thinking_tokens": row.thinking_tokens},
        "server_tool_use": {"web_search_requests": row.web_searches},
    });
    let mut member = |name: &str, value: &str| tokens[name] = Value::from(value);
    if row.is_fast {
        member("speed", "fast");
    }
    if row.is_us {
        member("inference_geo", "us");
    }
    match (&row.unknown_tier, row.is_batch) {
        (Some(tier), _) => member("service_tier", tier),
        (None, true) => member("service_tier", "batch"),
        (None, false) => {}
    }
    tokens
}

/// The folder of a project and of something in it, as a transcript has it.
pub(crate) fn folder(project: &str, inside: Option<&str>) -> String {
    match inside {
        None => format!("/{project}"),
        Some(path) if path.starts_with('/') => path.to_owned(),
        Some(path) => format!("/{project}/{path}"),
    }
}

/// A line from which the call is counted as it was where it was made. `content` are blocks of
/// its response, such as a tool call.
pub(crate) fn call_line(
    row: &CallRow,
    attribution: Option<&AttributionRow>,
    content: &[Value],
) -> String {
    let inside = attribution.and_then(|own| own.folder.as_deref());
    let mut line = json!({
        "type": "assistant",
        "isSidechain": attribution.is_some_and(|own| own.is_sidechain),
        "sessionId": row.session_id,
        "cwd": folder(&row.project, inside),
        "message": {
            "id": row.id,
            "type": "message",
            "role": "assistant",
            "content": content,
            "usage": tokens(row),
        },
    });
    if let Some(model) = &row.model {
        line["message"]["model"] = Value::from(model.as_str());
    }
    let mut members =
        vec![("requestId", row.request_id.as_ref()), ("version", row.app_version.as_ref())];
    if let Some(own) = attribution {
        let agent_type = own.agent_type.as_ref().filter(|name| *name != UNKNOWN_AGENT);
        members.extend([
            ("gitBranch", own.branch.as_ref()),
            ("agentId", own.agent_id.as_ref()),
            ("attributionAgent", agent_type),
            ("attributionSkill", own.skill.as_ref()),
            ("attributionPlugin", own.plugin.as_ref()),
            ("attributionMcpServer", own.mcp_server.as_ref()),
            ("entrypoint", own.entrypoint.as_ref()),
            ("effort", own.effort.as_ref()),
        ]);
    }
    for (name, value) in members {
        if let Some(value) = value {
            line[name] = Value::from(value.as_str());
        }
    }
    if let Some(time) = row.time {
        line["timestamp"] = Value::from(time.to_string());
    }
    let mut text = line.to_string();
    if let Some(cost) = row.logged_cost_pico {
        // Written as digits: a float would round it.
        text.pop();
        text.push_str(&format!(",\"costUSD\":{}}}", cost.decimal()));
    }
    text
}

/// The type of agents whose type is not recorded.
const UNKNOWN_AGENT: &str = "(unknown)";

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::option;
    use proptest::prelude::*;
    use transcript::{Line, LineEnd};
    use usage::{CostMode, Fold, PicoUsd, Pricer, Prices, UsageLine, read_line};

    fn folded(rows: &[CallRow]) -> usage::Calls {
        let mut fold = Fold::default();
        for row in rows {
            let text = call_line(row, None, &[]);
            let line = Line { number: 1, offset: 0, bytes: text.as_bytes(), end: LineEnd::Newline };
            read_line(line, |read| match read {
                UsageLine::Call(call) => fold.note(0, &call),
                other => panic!("{text} is read as {other:?}"),
            });
        }
        fold.finish()
    }

    prop_compose! {
        fn row()(
            counts in prop::collection::vec(0_u64..1_000_000_000, 7),
            flags in any::<[bool; 3]>(),
            tier in option::of("[a-z]{3,9}"),
            model in prop::sample::select(vec!["claude-opus-4-1-20250805", "claude-sonnet-4-5", "x"]),
            seconds in 1_750_000_000_i64..1_790_000_000,
            cost in option::of(0_i64..1_000_000_000_000),
        ) -> CallRow {
            CallRow {
                session_id: "s1".to_owned(),
                app: "claude".to_owned(),
                project: "h.io/a/b".to_owned(),
                id: "msg_1".to_owned(),
                request_id: Some("req_1".to_owned()),
                time: jiff::Timestamp::from_millisecond(seconds * 1000 + 7).ok(),
                model: Some(model.to_owned()),
                input_tokens: counts[0],
                output_tokens: counts[1],
                thinking_tokens: counts[2].min(counts[1]),
                cache_write_5m_tokens: counts[3],
                cache_write_1h_tokens: counts[4],
                cache_read_tokens: counts[5],
                web_searches: counts[6],
                is_fast: flags[0],
                is_us: flags[1],
                is_batch: flags[2] && tier.is_none(),
                unknown_tier: tier.filter(|tier| tier != "batch" && tier != "standard"),
                is_advisor_call: false,
                logged_cost_pico: cost.map(|cost| PicoUsd(i128::from(cost))),
                cost_pico: None,
                app_version: Some("2.1.0".to_owned()),
                rules: 1,
            }
        }
    }

    proptest! {
        #[test]
        fn a_call_is_counted_as_where_it_was_made(row in row()) {
            let calls = folded(std::slice::from_ref(&row));
            let [call] = &calls.calls[..] else { panic!("{} calls", calls.calls.len()) };
            let counters = &call.counters;
            prop_assert_eq!(
                [counters.input, counters.output, counters.thinking, counters.write_5m,
                    counters.write_1h, counters.read, counters.web_searches],
                [row.input_tokens, row.output_tokens, row.thinking_tokens,
                    row.cache_write_5m_tokens, row.cache_write_1h_tokens, row.cache_read_tokens,
                    row.web_searches]
            );
            let terms = call.terms.clone().unwrap_or_default();
            prop_assert_eq!((terms.is_fast, terms.is_us), (row.is_fast, row.is_us));
            prop_assert_eq!(terms.is_batch, row.is_batch);
            prop_assert_eq!(&terms.unknown_tier, &row.unknown_tier);
            prop_assert_eq!((call.time, call.logged_cost), (row.time, row.logged_cost_pico));
            let prices = Prices::embedded();
            let mut pricer = Pricer::new(&prices, CostMode::Auto);
            let again = folded(&[row.clone(), row]);
            prop_assert_eq!(again.calls.len(), 1, "rows that come twice count once");
            prop_assert_eq!(
                pricer.cost(&again.calls[0], &again.names).total,
                pricer.cost(call, &calls.names).total
            );
        }
    }
}
