//! What API calls used.

use crate::{ApiCall, JsonText, TokenCounts};

/// The tokens of a usage object. Input includes what was read from and written to the cache;
/// output includes reasoning.
fn parse_tokens(usage: JsonText<'_>) -> TokenCounts {
    let count = |key| usage.count(key).unwrap_or_default();
    let (read, write) = (count("cacheReadTokens"), count("cacheWriteTokens"));
    TokenCounts {
        input: count("inputTokens").saturating_sub(read).saturating_sub(write),
        cache_read: read,
        cache_write: write,
        output: count("outputTokens"),
        reasoning: count("reasoningTokens"),
    }
}

/// The call that a `session.usage_record` reports.
pub(crate) fn parse_record(data: JsonText<'_>, event_id: &str) -> Option<ApiCall> {
    let usage = data.get("usage")?;
    let key = usage.filled("apiCallId").or_else(|| {
        usage.find(&["accounting", "usageId"])?.as_string().map(std::borrow::Cow::into_owned)
    });
    Some(ApiCall {
        key: key.unwrap_or_else(|| event_id.to_owned()),
        entry: 0,
        time: None,
        model: usage.filled("model"),
        agent: None,
        workplace: None,
        tokens: parse_tokens(usage),
        context_window: None,
        reported_pico_usd: None,
    })
}

/// The sums of a `session.shutdown`: one per model.
pub(crate) fn parse_shutdown(data: JsonText<'_>, session: &str) -> Vec<ApiCall> {
    let models = data.get("modelMetrics").into_iter().flat_map(JsonText::members);
    let calls = models.filter_map(|(model, metrics)| {
        let tokens = parse_tokens(metrics.get("usage")?);
        (tokens.total() > 0).then(|| ApiCall {
            key: format!("shutdown:{session}:{model}"),
            entry: 0,
            time: None,
            model: Some(model.into_owned()),
            agent: None,
            workplace: None,
            tokens,
            context_window: None,
            reported_pico_usd: None,
        })
    });
    calls.collect()
}
