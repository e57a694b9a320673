//! The sizes of models' context windows.
//!
//! They are data (`windows.toml`), dated as the prices are. A model without a row is unknown:
//! a share of a guessed window would be a wrong figure that looks like a right one.
//!
//! Deliberately not here: what a transcript or the app itself says of a window. That wins over
//! this table; `library` decides.

use crate::prices::normalized_model;
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::OnceLock;

/// The window of models whose name ends in `[1m]`.
const MILLION: u64 = 1_000_000;

#[derive(Deserialize)]
struct Table {
    window: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    models: Vec<String>,
    tokens: u64,
    long: Option<u64>,
}

/// The smallest window of a model that holds a call with a prompt of this many tokens; `None`
/// if the model is unknown, or none of its windows is that large.
pub fn context_window(model: &str, largest_prompt: u64) -> Option<u64> {
    let is_million = model.trim().to_lowercase().ends_with("[1m]");
    let known = table().get(normalized_model(model).as_str()).copied();
    let (tokens, long) = if is_million { (MILLION, None) } else { known? };
    [Some(tokens), long].into_iter().flatten().find(|window| largest_prompt <= *window)
}

/// The windows of each model: the usual one, and the long one if there is one.
fn table() -> &'static HashMap<String, (u64, Option<u64>)> {
    static TABLE: OnceLock<HashMap<String, (u64, Option<u64>)>> = OnceLock::new();
    TABLE.get_or_init(|| {
        // A test checks that the table is readable.
        let table = toml::from_str::<Table>(include_str!("windows.toml"));
        let rows = table.map(|table| table.window).unwrap_or_default();
        let models = rows.into_iter().flat_map(|Row { models, tokens, long }| {
            models.into_iter().map(move |model| (model, (tokens, long)))
        });
        models.collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_of_current_models_are_those_that_claude_code_reports() {
        let million = "opus-4-7 opus-4-8 opus-5 opus-5-5 sonnet-5 sonnet-5-5 haiku-5-5 fable-5 \
                       fable-5-1 mythos-5-1";
        for model in million.split_whitespace() {
            let name = format!("claude-{model}");
            assert_eq!(context_window(&name, 9_000), Some(1_000_000), "{name}");
        }
        for model in ["opus-4-5", "opus-4-6", "sonnet-4-5", "sonnet-4-6", "haiku-4-5"] {
            let name = format!("claude-{model}");
            assert_eq!(context_window(&name, 9_000), Some(200_000), "{name}");
        }
    }

    #[test]
    fn window_is_found_by_every_spelling_of_a_model_and_by_no_other_name() {
        let table = [
            ("claude-opus-4-5-20251101", Some(200_000)),
            ("us.anthropic.claude-sonnet-4-20250514-v1:0", Some(200_000)),
            ("github-copilot/claude-opus-4.7", Some(1_000_000)),
            ("claude-3-5-haiku-20241022", Some(200_000)),
            ("claude-haiku-4-5[1m]", Some(1_000_000)),
            ("claude-opus-9[1M]", Some(1_000_000)),
            ("claude-opus-5-6", None),
            ("claude-opus-5-preview", None),
            ("claude", None),
            ("gpt-5.1-codex", None),
            ("<synthetic>", None),
            ("", None),
        ];
        for (model, expected) in table {
            assert_eq!(context_window(model, 9_000), expected, "{model}");
        }
    }

    #[test]
    fn window_that_a_call_exceeded_is_the_long_one_or_unknown() {
        let table = [
            ("claude-sonnet-4-5", 200_000, Some(200_000)),
            ("claude-sonnet-4-5", 200_001, Some(1_000_000)),
            ("claude-sonnet-4-5", 1_000_001, None),
            ("claude-opus-4-5", 200_001, None),
            ("claude-opus-5-5", 1_000_001, None),
            ("claude-opus-4-6[1m]", 1_000_001, None),
        ];
        for (model, prompt, expected) in table {
            assert_eq!(context_window(model, prompt), expected, "{model} at {prompt}");
        }
    }

    #[test]
    fn every_row_is_readable_and_names_each_model_once() {
        let parsed: Table = toml::from_str(include_str!("windows.toml")).unwrap();
        let mut names = std::collections::HashSet::new();
        for row in &parsed.window {
            assert!(row.tokens > 0 && row.long.is_none_or(|long| long > row.tokens));
            for model in &row.models {
                assert_eq!(normalized_model(model), *model, "found by its name");
                assert!(names.insert(model), "{model} twice");
            }
        }
        assert_eq!(table().len(), names.len());
    }
}
