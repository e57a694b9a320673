//! The cost of a call, and its parts.

use crate::fold::Call;
use crate::line::Counters;
use crate::money::PicoUsd;
use crate::names::{Name, Names};
use crate::prices::{Factor, Price, Prices, Rates};
use std::collections::HashMap;

/// Where costs come from: logged by the app, or calculated from prices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CostMode {
    /// The logged cost if there is one, else the calculated one.
    #[default]
    Auto,
    /// Always the calculated cost.
    Calculate,
    /// Only the logged cost.
    Display,
}

/// Why a cost is missing or incomplete.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnpricedReason {
    /// The price of the model is unknown.
    Model(String),
    /// The price of the service tier is unknown; the standard price was used.
    Tier(String),
    /// The model has no price for fast mode; the standard price was used.
    Fast(String),
    /// The app logged no cost, and only logged costs were requested.
    NotLogged,
}

/// One part of a cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostPart {
    /// What is paid for: a kind of tokens, or web searches.
    pub what: &'static str,
    /// How many.
    pub count: u64,
    /// The price of one, before factors.
    pub rate: PicoUsd,
    /// The price of all of them, before factors.
    pub amount: PicoUsd,
}

/// The cost of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The total; `None` if unknown.
    pub total: Option<PicoUsd>,
    /// The prices of tokens; `None` for a logged cost.
    pub rates: Option<Rates>,
    /// The factors on the token prices: (reason, factor).
    pub factors: Vec<(&'static str, Factor)>,
    /// Whether the higher rates for long prompts apply.
    pub is_long: bool,
    /// What the cache saved compared with no cache; negative if it was written and not
    /// read.
    pub saved: PicoUsd,
    /// How much more a token costs when written again instead of read from the cache.
    pub rewrite_rate: PicoUsd,
    /// Why it is missing or incomplete.
    pub unpriced: Option<UnpricedReason>,
}

impl Cost {
    /// Whether it was logged with the call, not calculated.
    pub fn is_logged(&self) -> bool {
        self.total.is_some() && self.rates.is_none()
    }
}

/// Calculates the costs of calls; each model is looked up once.
#[derive(Debug)]
pub struct Pricer<'p> {
    prices: &'p Prices,
    mode: CostMode,
    models: HashMap<Name, Option<&'p [Price]>>,
    /// The last model looked up, which is mostly the next one too.
    last: Option<(Name, Option<&'p [Price]>)>,
}

impl<'p> Pricer<'p> {
    /// A pricer with these prices and this mode.
    pub fn new(prices: &'p Prices, mode: CostMode) -> Self {
        Pricer { prices, mode, models: HashMap::new(), last: None }
    }

    /// The cost of a call.
    pub fn cost(&mut self, call: &Call, names: &Names) -> Cost {
        let found = self.prices_of(call.model, names);
        let price = found.and_then(|dated| Prices::at(dated, call.time));
        let mut cost = price.map(|price| self.calculated(call, names, price)).unwrap_or_default();
        if price.is_none() {
            let model = names.get(call.model).unwrap_or("(none)");
            cost.unpriced = Some(UnpricedReason::Model(model.to_owned()));
        }
        match (self.mode, call.logged_cost) {
            (CostMode::Calculate, _) | (CostMode::Auto, None) => {}
            (CostMode::Auto | CostMode::Display, Some(logged)) => {
                cost.total = Some(logged);
                cost.rates = None;
                cost.factors.clear();
                cost.unpriced = None;
            }
            (CostMode::Display, None) => {
                cost.total = None;
                cost.rates = None;
                cost.unpriced = Some(UnpricedReason::NotLogged);
            }
        }
        cost
    }

    fn prices_of(&mut self, model: Name, names: &Names) -> Option<&'p [Price]> {
        if let Some((last, found)) = self.last
            && last == model
        {
            return found;
        }
        let prices = self.prices;
        let find_prices = || names.get(model).and_then(|model| prices.of_model(model));
        let found = *self.models.entry(model).or_insert_with(find_prices);
        self.last = Some((model, found));
        found
    }

    fn calculated(&self, call: &Call, names: &Names, price: &Price) -> Cost {
        let counters = &call.counters;
        let long = price.long.filter(|(over, _)| counters.prompt() > *over);
        let rates = long.map_or(price.rates, |(_, rates)| rates);
        let (factors, unpriced) = self.factors(call, names, price);
        let scaled =
            |amount: PicoUsd| factors.iter().fold(amount, |amount, (_, factor)| factor.of(amount));
        let amount = |count: u64, rate: i128| PicoUsd(i128::from(count).saturating_mul(rate));
        let tokens = priced_tokens(counters, &rates)
            .into_iter()
            .fold(PicoUsd::ZERO, |sum, (_, count, rate)| sum.plus(amount(count, rate)));
        let searches = amount(counters.web_searches, self.prices.web_search.0);
        Cost {
            total: Some(scaled(tokens).plus(searches)),
            rates: Some(rates),
            saved: scaled(saved(call, &rates)),
            rewrite_rate: scaled(PicoUsd(rewrite_rate(call, &rates))),
            factors,
            is_long: long.is_some(),
            unpriced,
        }
    }

    /// The parts of the cost of a call; empty for a logged cost.
    pub fn parts(&self, call: &Call, cost: &Cost) -> Vec<CostPart> {
        let Some(rates) = &cost.rates else { return Vec::new() };
        let searches = ("web search", call.counters.web_searches, self.prices.web_search.0);
        let counted = priced_tokens(&call.counters, rates).into_iter().chain([searches]);
        let paid = counted.filter(|(_, count, _)| *count > 0);
        paid.map(|(what, count, rate)| {
            let amount = PicoUsd(i128::from(count).saturating_mul(rate));
            CostPart { what, count, rate: PicoUsd(rate), amount }
        })
        .collect()
    }

    /// The factors for how the call was answered.
    fn factors(
        &self,
        call: &Call,
        names: &Names,
        price: &Price,
    ) -> (Vec<(&'static str, Factor)>, Option<UnpricedReason>) {
        let mut factors = Vec::new();
        let mut unpriced = None;
        let Some(terms) = &call.terms else { return (factors, unpriced) };
        let model = || names.get(call.model).unwrap_or("(none)").to_owned();
        if terms.is_fast {
            match price.fast {
                Some(factor) => factors.push(("fast", factor)),
                None => unpriced = Some(UnpricedReason::Fast(model())),
            }
        }
        if terms.is_us {
            factors.extend(price.us.map(|factor| ("us", factor)));
        }
        if terms.is_batch {
            factors.push(("batch", self.prices.batch));
        }
        if let Some(tier) = &terms.unknown_tier {
            unpriced = Some(UnpricedReason::Tier(tier.clone()));
        }
        (factors, unpriced)
    }
}

/// The tokens that are paid for: (kind, count, price of one).
fn priced_tokens(counters: &Counters, rates: &Rates) -> [(&'static str, u64, i128); 5] {
    [
        ("input", counters.input, rates.input),
        ("cache write 5m", counters.write_5m, rates.write_5m),
        ("cache write 1h", counters.write_1h, rates.write_1h),
        ("cache read", counters.read, rates.read),
        ("output", counters.output, rates.output),
    ]
}

/// The savings from reading the cache, minus the extra cost of writing it.
fn saved(call: &Call, rates: &Rates) -> PicoUsd {
    let counters = &call.counters;
    let times = |count: u64, rate: i128| i128::from(count).saturating_mul(rate);
    let gained = times(counters.read, rates.input - rates.read);
    let for_minutes = times(counters.write_5m, rates.write_5m - rates.input);
    let for_an_hour = times(counters.write_1h, rates.write_1h - rates.input);
    PicoUsd(gained.saturating_sub(for_minutes).saturating_sub(for_an_hour))
}

fn rewrite_rate(call: &Call, rates: &Rates) -> i128 {
    let write = if call.counters.write_1h > 0 { rates.write_1h } else { rates.write_5m };
    write - rates.read
}
