//! The prices of models of other vendors than Anthropic.
//!
//! They apply to exactly the models they name: a longer name is another model, often with
//! another price, and an unknown model stays unknown. The table is read when the first such model
//! is looked up, because most people's sessions have none.

use crate::prices::{Price, Prices};
use std::sync::OnceLock;

const TEXT: &str = include_str!("other_vendor_prices.toml");

/// Changes with the table.
pub(crate) const DIGEST: u64 = digest(TEXT.as_bytes());

/// The whole table.
pub(crate) fn table() -> &'static Prices {
    static TABLE: OnceLock<Prices> = OnceLock::new();
    TABLE.get_or_init(|| Prices::parse(TEXT))
}

/// The prices of a model, newest first. `name` is the model's name without prefixes and suffixes.
pub(crate) fn find_prices(model: &str, name: &str) -> Option<&'static [Price]> {
    // Most models are Claude's, and `<synthetic>` is not a model.
    if name.is_empty() || name.starts_with('<') || model.contains("claude") {
        return None;
    }
    table().of_name(name).or_else(|| table().of_name(without_date(name)?))
}

/// `gpt-5` for `gpt-5-2025-08-07`.
fn without_date(name: &str) -> Option<&str> {
    let (model, date) = name.split_at_checked(name.len().checked_sub("-2025-08-07".len())?)?;
    let is_date = date.bytes().enumerate().all(|(at, byte)| match at {
        0 | 5 | 8 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    is_date.then_some(model)
}

/// FNV-1a, which can be computed when annals is built.
const fn digest(bytes: &[u8]) -> u64 {
    let mut digest = 0xcbf2_9ce4_8422_2325_u64;
    let mut at = 0;
    while at < bytes.len() {
        digest = (digest ^ bytes[at] as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    digest
}

#[cfg(test)]
mod tests {
    use super::{TEXT, without_date};
    use crate::prices::{Prices, Rates, normalized_model};
    use jiff::Timestamp;

    /// Input, cache write, cache read and output, in dollars per million tokens.
    fn find(model: &str, day: &str) -> Option<[String; 4]> {
        let prices = Prices::embedded();
        let time: Timestamp = format!("{day}T12:00:00Z").parse().unwrap();
        let Rates { input, write_5m, read, output, .. } = prices.find(model, Some(time))?.rates;
        // A token costs a million picodollars per dollar and million tokens.
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let dollars = |rate: i128| (rate as f64 / 1e6).to_string();
        Some([dollars(input), dollars(write_5m), dollars(read), dollars(output)])
    }

    #[test]
    fn models_cost_what_their_vendor_lists() {
        let now = "2026-11-18";
        let table = [
            ("gpt-5", now, "1.25 1.25 0.125 10"),
            ("gpt-5-2025-08-07", now, "1.25 1.25 0.125 10"),
            ("gpt-5-codex", now, "1.25 1.25 0.125 10"),
            ("gpt-5-mini", now, "0.25 0.25 0.025 2"),
            ("gpt-5-pro", now, "15 15 15 120"),
            ("gpt-5.1-codex", now, "1.25 1.25 0.125 10"),
            ("gpt-5.1-codex-max", now, "1.25 1.25 0.125 10"),
            ("gpt-5.1-codex-mini", now, "0.25 0.25 0.025 2"),
            ("gpt-5.2-codex", now, "1.75 1.75 0.175 14"),
            ("gpt-5.4", now, "2.5 2.5 0.25 15"),
            ("openai/gpt-5.4-mini", now, "0.75 0.75 0.075 4.5"),
            ("gpt-5.5", now, "5 5 0.5 30"),
            ("gpt-5.6-sol", "2026-08-20", "5 6.25 0.5 30"),
            ("gpt-5.6-sol", "2026-08-21", "4 5 0.4 20"),
            ("gpt-5.6-terra", now, "2 2.5 0.2 12"),
            ("gpt-5.6-luna", now, "0.2 0.25 0.02 1.2"),
            ("codex-mini-latest", now, "1.5 1.5 0.375 6"),
            ("o3", now, "2 2 0.5 8"),
            ("o4-mini-2025-04-16", now, "1.1 1.1 0.275 4.4"),
            ("gemini-2.5-pro", now, "1.25 1.25 0.125 10"),
            ("gemini-2.5-flash", now, "0.3 0.3 0.03 2.5"),
            ("google/gemini-3-pro-preview", now, "2 2 0.2 12"),
            ("gemini-3-flash-preview", now, "0.5 0.5 0.05 3"),
            ("gemini-4-argon", "2026-12-01", "4 4 0.2 20"),
            ("grok-4.5", now, "2 2 0.3 6"),
            ("kimi-k3", now, "3 3 0.3 15"),
            ("MiniMax-M2", now, "0.3 0.375 0.03 1.2"),
            ("glm-4.6", now, "0.6 0.6 0.11 2.2"),
        ];
        for (model, day, expected) in table {
            let found = find(model, day).map(|rates| rates.join(" "));
            assert_eq!(found.as_deref(), Some(expected), "{model} on {day}");
        }
    }

    #[test]
    fn a_longer_name_is_another_model_and_stays_unknown() {
        for model in [
            "gpt-5-ultra",
            "gpt-5.4-pro-max",
            "o3-deep-research",
            "gpt-4o-2024-05-13-audio",
            "gemini-2.5-flash-image",
            "gemini-2.5-flash-preview-tts",
            "gemini-pro-latest",
            "glm-4.7-free",
            "deepseek-v4-flash-free",
            "grok-code-fast-1",
            "moonshotai/kimi-k2-instruct",
            "codex-auto-review",
            "fake-1",
            "<synthetic>",
            "(none)",
            "2025-08-07",
            "-2025-08-07",
        ] {
            assert_eq!(find(model, "2026-11-18"), None, "{model}");
        }
    }

    #[test]
    fn every_row_states_all_prices_under_a_plain_name() {
        let table: toml::Table = TEXT.parse().unwrap();
        let rows = table["price"].as_array().unwrap();
        let mut names = std::collections::HashSet::new();
        for row in rows {
            let long = row.get("long").into_iter();
            for rates in std::iter::once(row).chain(long) {
                for key in ["input", "write_5m", "write_1h", "read", "output"] {
                    assert!(rates.get(key).is_some_and(toml::Value::is_str), "{key} of {row:?}");
                }
            }
            for model in row["models"].as_array().unwrap() {
                let model = model.as_str().unwrap();
                assert_eq!(normalized_model(model), model.to_lowercase(), "found by its name");
                let from = row.get("from").and_then(toml::Value::as_str);
                assert!(names.insert((model, from)), "{model} twice");
            }
        }
        let parsed = super::table();
        assert!(names.iter().all(|(model, _)| parsed.of_name(&model.to_lowercase()).is_some()));
        let long = |model: &str| parsed.of_name(model).unwrap()[0].long.unwrap();
        let (over, rates) = long("gemini-2.5-pro");
        assert_eq!((over, rates.input, rates.output), (200_000, 2_500_000, 15_000_000));
        let (over, rates) = long("gpt-5.5");
        assert_eq!((over, rates.read, rates.output), (272_000, 1_000_000, 45_000_000));
    }

    #[test]
    fn rates_are_plausible() {
        for (model, price) in super::table().all() {
            let all = [Some(price.rates), price.long.map(|(_, rates)| rates)];
            for rates in all.into_iter().flatten() {
                assert!(rates.read <= rates.input && rates.input < rates.output, "{model}");
                assert!(
                    rates.write_5m >= rates.read && rates.write_5m <= 2 * rates.input,
                    "{model}"
                );
            }
        }
    }

    #[test]
    fn own_prices_override_and_the_source_is_named_where_it_is_used() {
        let mut prices = Prices::embedded();
        let claude = prices.sources(["claude-opus-5"]);
        assert_eq!(claude.len(), 1);
        let both = prices.sources(["claude-opus-5", "gpt-5"]);
        assert!(both.len() == 2 && both[1].contains("litellm"), "{both:?}");
        prices.extend("[[price]]\nmodels=[\"gpt-5\"]\ninput=\"3\"\noutput=\"4\"").unwrap();
        let input = |model| prices.find(model, None).map(|price| price.rates.input);
        assert_eq!(input("gpt-5"), Some(3_000_000));
        assert_eq!(input("gpt-5-mini"), Some(250_000), "a separate model");
    }

    #[test]
    fn only_a_date_is_cut() {
        assert_eq!(without_date("gpt-5-2025-08-07"), Some("gpt-5"));
        for name in ["gpt-5", "gpt-5-2025-08-0x", "gpt-5_2025-08-07", "é2025-08-07", ""] {
            assert_eq!(without_date(name), None, "{name}");
        }
    }
}
