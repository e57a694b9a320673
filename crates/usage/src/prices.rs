//! The prices of the API, by model and date.
//!
//! Prices are data (`prices.toml`): dated, because they change, and embedded, so that
//! everything works offline. A person's own file overrides them. A model without a row
//! is unknown, and never free. Models of other vendors have a separate table
//! (`other_vendors.rs`), which is read when one of them is looked up.

use crate::money::{PicoUsd, decimal};
use crate::other_vendors;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Deserialize;

/// The prices of one token, in 10⁻¹² USD.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rates {
    /// Prompt tokens outside the cache.
    pub input: i128,
    /// Written to the cache for five minutes.
    pub write_5m: i128,
    /// Written to the cache for an hour.
    pub write_1h: i128,
    /// Read from the cache.
    pub read: i128,
    /// Output.
    pub output: i128,
}

/// A factor on a price, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factor(pub i128);

impl Factor {
    /// A factor that changes nothing.
    pub const ONE: Factor = Factor(1000);

    /// An amount times the factor, to the nearest 10⁻¹² USD.
    pub fn of(self, amount: PicoUsd) -> PicoUsd {
        let product = amount.0.saturating_mul(self.0);
        PicoUsd(product.saturating_add(500 * product.signum()) / 1000)
    }
}

/// The price of a model from a date on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Price {
    /// When it takes effect.
    pub from: Option<Timestamp>,
    /// The prices of a token.
    pub rates: Rates,
    /// The prices in calls with a prompt of more than this many tokens.
    pub long: Option<(u64, Rates)>,
    /// The factor for fast mode.
    pub fast: Option<Factor>,
    /// The factor for processing in the United States.
    pub us: Option<Factor>,
}

/// All prices.
#[derive(Clone, Debug)]
pub struct Prices {
    /// Models with their prices, newest first.
    models: Vec<(String, Vec<Price>)>,
    /// The price of a web search.
    pub web_search: PicoUsd,
    /// The factor for batches.
    pub batch: Factor,
    /// Where the prices come from, and when they were checked.
    sources: Vec<String>,
}

/// An error in a price file.
#[derive(Debug, thiserror::Error)]
pub enum PriceError {
    /// It is not valid TOML, or has unknown fields.
    #[error("{0}")]
    Toml(String),
    /// A price is invalid.
    #[error("invalid price {text:?} for `{what}` of {model}: use a decimal number such as 0.25")]
    InvalidPrice {
        /// The field.
        what: &'static str,
        /// The model.
        model: String,
        /// The text in the file.
        text: String,
    },
    /// A date is invalid.
    #[error("invalid date {0:?}: use YYYY-MM-DD")]
    InvalidDate(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    source: Option<String>,
    checked: Option<String>,
    web_search: Option<String>,
    batch: Option<String>,
    #[serde(default)]
    price: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    models: Vec<String>,
    from: Option<String>,
    input: String,
    output: String,
    write_5m: Option<String>,
    write_1h: Option<String>,
    read: Option<String>,
    fast: Option<String>,
    us: Option<String>,
    long: Option<Long>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Long {
    over: u64,
    input: String,
    output: String,
    write_5m: Option<String>,
    write_1h: Option<String>,
    read: Option<String>,
}

impl Prices {
    /// The prices built into annals.
    pub fn embedded() -> Prices {
        // A test checks that the whole table is readable.
        Prices::parse(include_str!("prices.toml"))
    }

    /// The prices in a text; those before its first error, if it has one.
    pub(crate) fn parse(text: &str) -> Prices {
        let mut prices = Prices {
            models: Vec::new(),
            web_search: PicoUsd::ZERO,
            batch: Factor::ONE,
            sources: Vec::new(),
        };
        let _ = prices.extend(text);
        prices
    }

    /// Adds the prices of a file, which override the present ones.
    pub fn extend(&mut self, text: &str) -> Result<(), PriceError> {
        let table: Table =
            toml::from_str(text).map_err(|error| PriceError::Toml(error.to_string()))?;
        if let Some(price) = table.web_search {
            // The file has the price of a thousand.
            let amount = number("web_search", "all models", &price, 12)?;
            self.web_search = PicoUsd(amount / 1000);
        }
        if let Some(factor) = table.batch {
            self.batch = Factor(number("batch", "all models", &factor, 3)?);
        }
        let mut added: Vec<(String, Vec<Price>)> = Vec::new();
        for row in table.price {
            let from = row.from.as_deref().map(date).transpose()?;
            for model in &row.models {
                let name = normalized_model(model);
                let price = row.price(model, from)?;
                match added.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, prices)) => prices.push(price),
                    None => added.push((name, vec![price])),
                }
            }
        }
        for (name, mut prices) in added {
            prices.sort_by_key(|price| std::cmp::Reverse(price.from));
            self.models.retain(|(known, _)| *known != name);
            self.models.push((name, prices));
        }
        // Longest first, so that the first match is the most specific.
        self.models.sort_by(|(one, _), (two, _)| two.len().cmp(&one.len()).then(one.cmp(two)));
        let source = table.source.unwrap_or_else(|| "a file of prices".to_owned());
        let checked = table.checked.map(|day| format!(", {day}")).unwrap_or_default();
        self.sources.push(format!("{source}{checked}"));
        Ok(())
    }

    /// The price of a model at a time; without a time, the newest.
    pub fn find(&self, model: &str, time: Option<Timestamp>) -> Option<&Price> {
        Prices::at(self.of_model(model)?, time)
    }

    /// The prices of a model, newest first.
    pub fn of_model(&self, model: &str) -> Option<&[Price]> {
        let name = normalized_model(model);
        let found = self.models.iter().find(|(known, _)| {
            name.strip_prefix(known.as_str()).is_some_and(|rest| {
                // `opus-5-5` is not `opus-5`.
                let mut rest = rest.chars();
                match (rest.next(), rest.next()) {
                    (None, _) => true,
                    (Some('-'), Some(next)) => !next.is_ascii_digit(),
                    _ => false,
                }
            })
        });
        let is_exact = found.is_some_and(|(known, _)| *known == name);
        let other = if is_exact { None } else { other_vendors::find_prices(model, &name) };
        other.or(found.map(|(_, prices)| prices.as_slice()))
    }

    /// The prices of exactly this model, newest first.
    pub(crate) fn of_name(&self, name: &str) -> Option<&[Price]> {
        let found = self.models.iter().find(|(known, _)| known == name);
        found.map(|(_, prices)| prices.as_slice())
    }

    /// A text that changes with any price, also of other vendors. What was stored at other
    /// prices is recognised by it.
    pub fn fingerprint(&self) -> String {
        format!("{self:?} {:x}", other_vendors::DIGEST)
    }

    /// All prices, with their models.
    #[cfg(test)]
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &Price)> {
        self.models
            .iter()
            .flat_map(|(model, prices)| prices.iter().map(|price| (model.as_str(), price)))
    }

    /// Where the prices of these models come from, and when they were checked.
    pub fn sources<'m>(&self, models: impl IntoIterator<Item = &'m str>) -> Vec<String> {
        let mut sources = self.sources.clone();
        let is_other =
            |model| other_vendors::find_prices(model, &normalized_model(model)).is_some();
        if models.into_iter().any(is_other) {
            sources.extend(other_vendors::table().sources.iter().cloned());
        }
        sources
    }

    /// The price in effect at a time. The first price also applies to earlier times.
    pub fn at(dated: &[Price], time: Option<Timestamp>) -> Option<&Price> {
        let holds =
            |price: &&Price| price.from.is_none_or(|from| time.is_none_or(|time| time >= from));
        dated.iter().find(holds).or(dated.last())
    }
}

impl Row {
    fn price(&self, model: &str, from: Option<Timestamp>) -> Result<Price, PriceError> {
        let rates = |input: &str, output: &str, others: [&Option<String>; 3]| {
            // Dollars per million tokens are millionths of a dollar per token.
            let whole = |what, text: &str| number(what, model, text, 6);
            let input = whole("input", input)?;
            let other = |what, text: &Option<String>, usual: i128| {
                text.as_deref().map_or(Ok(usual), |text| whole(what, text))
            };
            Ok::<Rates, PriceError>(Rates {
                input,
                output: whole("output", output)?,
                // The API's usual ratios.
                write_5m: other("write_5m", others[0], input * 5 / 4)?,
                write_1h: other("write_1h", others[1], input * 2)?,
                read: other("read", others[2], input / 10)?,
            })
        };
        let factor = |what, text: &Option<String>| {
            text.as_deref().map(|text| number(what, model, text, 3).map(Factor)).transpose()
        };
        let own = [&self.write_5m, &self.write_1h, &self.read];
        let long = self.long.as_ref().map(|long| {
            let own = [&long.write_5m, &long.write_1h, &long.read];
            Ok::<_, PriceError>((long.over, rates(&long.input, &long.output, own)?))
        });
        Ok(Price {
            from,
            rates: rates(&self.input, &self.output, own)?,
            long: long.transpose()?,
            fast: factor("fast", &self.fast)?,
            us: factor("us", &self.us)?,
        })
    }
}

fn number(what: &'static str, model: &str, text: &str, places: i32) -> Result<i128, PriceError> {
    // No price is a billion dollars.
    let number = decimal(text, places).filter(|number| (0..=10_i128.pow(24)).contains(number));
    number.ok_or_else(|| PriceError::InvalidPrice {
        what,
        model: model.to_owned(),
        text: text.to_owned(),
    })
}

fn date(text: &str) -> Result<Timestamp, PriceError> {
    let invalid = || PriceError::InvalidDate(text.to_owned());
    let date: Date = text.parse().map_err(|_| invalid())?;
    date.to_zoned(TimeZone::UTC).map(|zoned| zoned.timestamp()).map_err(|_| invalid())
}

/// The name of a model without cloud prefixes, dates and other suffixes.
pub fn normalized_model(model: &str) -> String {
    let mut name = model.trim().to_lowercase();
    if let Some(at) = name.rfind('/') {
        name.drain(..=at);
    }
    if let Some(at) = name.find('[') {
        name.truncate(at);
    }
    if let Some(at) = name.find("anthropic.") {
        name.drain(..at + "anthropic.".len());
    }
    if let Some(at) = name.find('@') {
        name.truncate(at);
    }
    // `-v1:0`
    if let Some((before, version)) = name.rsplit_once("-v") {
        let (number, minor) = version.split_once(':').unwrap_or((version, "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if digits(number) && digits(minor) {
            name.truncate(before.len());
        }
    }
    if let Some((before, day)) = name.rsplit_once('-')
        && ((day.len() == 8 && day.bytes().all(|byte| byte.is_ascii_digit())) || day == "latest")
    {
        name.truncate(before.len());
    }
    // `opus-4-0` is another name of `opus-4`.
    if let Some(before) = name.strip_suffix("-0") {
        name.truncate(before.len());
    }
    match name.strip_prefix("claude-") {
        // Some apps write `claude-opus-4.6`.
        Some(model) => model.replace('.', "-"),
        None => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn names_lose_cloud_prefixes_and_dates() {
        let table = [
            ("claude-opus-4-5-20251101", "opus-4-5"),
            ("claude-sonnet-4-5[1m]", "sonnet-4-5"),
            ("us.anthropic.claude-sonnet-4-20250514-v1:0", "sonnet-4"),
            ("global.anthropic.claude-opus-5-5-v2:0", "opus-5-5"),
            ("anthropic.claude-3-5-haiku-20241022-v1:0", "3-5-haiku"),
            ("claude-opus-4-1@20250805", "opus-4-1"),
            ("claude-3-7-sonnet-latest", "3-7-sonnet"),
            ("anthropic/claude-sonnet-5", "sonnet-5"),
            (
                "arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-6-v1",
                "opus-4-6",
            ),
            ("opus-5-5", "opus-5-5"),
            ("claude-sonnet-4-0", "sonnet-4"),
            ("github-copilot/claude-opus-4.6", "opus-4-6"),
            ("openai/gpt-5.1-codex", "gpt-5.1-codex"),
        ];
        for (model, expected) in table {
            assert_eq!(normalized_model(model), expected, "{model}");
        }
    }

    #[test]
    fn the_longest_matching_name_is_used_and_never_another_version() {
        let prices = Prices::embedded();
        let input = |model: &str| prices.find(model, None).map(|price| price.rates.input);
        assert_eq!(input("claude-opus-5-5"), Some(4_000_000));
        assert_eq!(input("claude-opus-5"), Some(5_000_000));
        assert_eq!(input("claude-opus-4-20250514"), Some(15_000_000));
        assert_eq!(input("claude-sonnet-5-preview"), Some(2_000_000));
        assert_eq!(input("claude-opus-5-6"), None);
        assert_eq!(input("claude-opus-55"), None);
        assert_eq!(input("mistral-7"), None);
        assert_eq!(input(""), None);
    }

    #[test]
    fn prices_apply_from_their_date() {
        let prices = Prices::embedded();
        let read = |time| prices.find("claude-sonnet-5-5", time).unwrap().rates.read;
        assert_eq!(read(Some(at("2026-10-09T23:59:59Z"))), 200_000);
        assert_eq!(read(Some(at("2026-10-10T00:00:00Z"))), 100_000);
        assert_eq!(read(Some(at("2026-01-01T00:00:00Z"))), 200_000, "the first price");
        assert_eq!(read(None), 100_000);
    }

    #[test]
    fn every_row_of_the_table_is_readable_and_consistent() {
        let prices = Prices::embedded();
        assert_eq!(prices.models.len(), 24);
        assert_eq!(prices.web_search, PicoUsd(10_000_000_000));
        for (model, dated) in &prices.models {
            for price in dated {
                let all = [Some(price.rates), price.long.map(|(_, rates)| rates)];
                for rates in all.into_iter().flatten() {
                    assert!(rates.read < rates.input && rates.input < rates.output, "{model}");
                    assert_eq!(rates.write_1h, rates.input * 2, "{model}");
                }
            }
        }
    }

    #[test]
    fn own_prices_override_and_invalid_ones_are_refused() {
        let mut prices = Prices::embedded();
        prices
            .extend(
                "[[price]]\nmodels = [\"claude-opus-5\", \"mine\"]\ninput = \"1\"\noutput = \"2\"",
            )
            .unwrap();
        let rates = prices.find("mine-large", None).unwrap().rates;
        assert_eq!(
            (rates.input, rates.write_5m, rates.write_1h, rates.read),
            (1_000_000, 1_250_000, 2_000_000, 100_000)
        );
        assert_eq!(prices.find("claude-opus-5", None).unwrap().rates.input, 1_000_000);
        let refused = [
            "nonsense",
            "[[price]]\nmodels=[\"x\"]\ninput=\"-1\"\noutput=\"2\"",
            "[[price]]\nmodels=[\"x\"]\ninput=\"1e99\"\noutput=\"2\"",
            "[[price]]\nmodels=[\"x\"]\ninput=\"1\"\noutput=\"2\"\nfrom=\"soon\"",
            "[[price]]\nmodels=[\"x\"]\ninput=\"1\"\noutput=\"2\"\nwrong=\"3\"",
        ];
        for text in refused {
            assert!(prices.extend(text).is_err(), "{text}");
        }
    }
}
