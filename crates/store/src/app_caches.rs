//! Caches that Claude Code left behind: never trusted, only compared.

use crate::files::Files;
use crate::session_folder::read_bounded;
use std::path::Path;
use transcript::json;

/// A cache may hold thousands of sessions.
const LARGEST: u64 = 64 << 20;

/// The content of a `sessions-index.json` (2.1.0 to 2.1.20).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionsIndex {
    /// The sessions it lists, with their modification time in milliseconds
    /// since the epoch.
    pub sessions: Vec<(String, Option<i64>)>,
}

/// Reads a `sessions-index.json`; `None` if it is not one.
pub fn read_sessions_index(path: &Path) -> Option<SessionsIndex> {
    let text = read_bounded(&Files::disk(), path, LARGEST)?;
    serde_json::from_str::<serde::de::IgnoredAny>(&text).ok()?;
    let sessions = json::elements(json::member(&text, "entries")?)
        .filter_map(|entry| {
            let id = json::decode_string(json::member(entry, "sessionId")?)?.text.into_owned();
            #[expect(clippy::cast_possible_truncation, reason = "milliseconds within the calendar")]
            let modified = json::member(entry, "fileMtime")
                .and_then(|number| number.parse::<f64>().ok())
                .map(|number| number as i64);
            Some((id, modified))
        })
        .collect();
    Some(SessionsIndex { sessions })
}

/// The content of `stats-cache.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatsCache {
    /// The last day it counted.
    pub last_computed_date: Option<String>,
    /// The sessions it counted.
    pub total_sessions: Option<u64>,
    /// The messages it counted.
    pub total_messages: Option<u64>,
    /// Models, with the tokens counted for each.
    pub models: Vec<(String, u64)>,
}

/// The tokens of each model, from an object keyed by model name.
fn model_tokens(usage: &str) -> Vec<(String, u64)> {
    const COUNTS: [&str; 4] =
        ["inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens"];
    let models = json::Members::new(usage.as_bytes()).filter_map(|(model, counts)| {
        let counts = usage.get(counts)?;
        let tokens = COUNTS.iter().filter_map(|key| json::member(counts, key)?.parse().ok());
        Some((String::from_utf8_lossy(model).into_owned(), tokens.fold(0, u64::saturating_add)))
    });
    models.collect()
}

/// Reads the `stats-cache.json` of a configuration folder.
pub fn read_stats_cache(config: &Path) -> Option<StatsCache> {
    let text = read_bounded(&Files::disk(), &config.join("stats-cache.json"), LARGEST)?;
    serde_json::from_str::<serde::de::IgnoredAny>(&text).ok()?;
    let number = |key| json::member(&text, key).and_then(|number| number.parse().ok());
    Some(StatsCache {
        last_computed_date: json::member(&text, "lastComputedDate")
            .and_then(json::decode_string)
            .map(|decoded| decoded.text.into_owned()),
        total_sessions: number("totalSessions"),
        total_messages: number("totalMessages"),
        models: json::member(&text, "modelUsage").map(model_tokens).unwrap_or_default(),
    })
}
