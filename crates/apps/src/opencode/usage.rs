//! What API calls used.

use crate::{ApiCall, JsonText, TokenCounts, parse_usd};

/// Input is without the cache. Whether reasoning is part of the output, the total tells;
/// versions that wrote no total counted it in.
fn parse_tokens(tokens: JsonText<'_>) -> TokenCounts {
    let count = |path: &[&str]| tokens.find(path).and_then(JsonText::as_count).unwrap_or_default();
    let counts = TokenCounts {
        input: count(&["input"]),
        cache_read: count(&["cache", "read"]),
        cache_write: count(&["cache", "write"]),
        output: count(&["output"]),
        reasoning: count(&["reasoning"]),
    };
    let with_reasoning =
        TokenCounts { output: counts.output.saturating_add(counts.reasoning), ..counts };
    let is_beside = match tokens.count("total") {
        Some(total) => total >= with_reasoning.total(),
        None => counts.reasoning > counts.output,
    };
    if is_beside { with_reasoning } else { counts }
}

/// The API call of an assistant's message, if it used anything. Its key is equal in every copy
/// of the message: a fork changes only the ids.
pub(crate) fn parse_api_call(data: JsonText<'_>) -> Option<ApiCall> {
    let tokens = parse_tokens(data.get("tokens")?);
    if tokens.total() == 0 {
        return None;
    }
    let time = |key| data.find(&["time", key]).map_or("", JsonText::text);
    let model = data.filled("modelID");
    let TokenCounts { input, cache_read, cache_write, output, reasoning } = tokens;
    Some(ApiCall {
        key: format!(
            "{}:{}:{}:{input}:{cache_read}:{cache_write}:{output}:{reasoning}",
            time("created"),
            time("completed"),
            model.as_deref().unwrap_or_default()
        ),
        entry: 0,
        time: None,
        model,
        agent: None,
        workplace: None,
        tokens,
        context_window: None,
        reported_pico_usd: data.get("cost").and_then(|cost| parse_usd(cost.text())),
    })
}
