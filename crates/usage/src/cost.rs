//! What a call would cost, line by line.

use crate::fold::Call;
use crate::line::Counters;
use crate::money::PicoUsd;
use crate::names::{Name, Names};
use crate::prices::{Factor, Price, Prices, Rates};
use std::collections::HashMap;

/// Whose word is taken for what a call cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CostMode {
    /// What the app noted, where it did; the prices otherwise.
    #[default]
    Auto,
    /// The prices.
    Calculate,
    /// Only what the app noted.
    Display,
}

/// Why a cost is not the whole of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unpriced {
    /// No price of the model is known.
    Model(String),
    /// A tier whose price is not known; the standard one was taken.
    Tier(String),
    /// Fast answers of a model that has no price for them; the standard one was
    /// taken.
    Fast(String),
    /// The app noted no cost, and only that was asked for.
    NotNoted,
}

/// One part of a cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// What is paid for.
    pub what: &'static str,
    /// How many.
    pub count: u64,
    /// What one costs, before factors.
    pub rate: PicoUsd,
    /// What all of them cost, before factors.
    pub amount: PicoUsd,
}

/// What a call costs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The whole; none where nothing is known.
    pub total: Option<PicoUsd>,
    /// What tokens cost; none where the app's word was taken.
    pub rates: Option<Rates>,
    /// Factors on the tokens: (why, factor).
    pub factors: Vec<(&'static str, Factor)>,
    /// Whether the upper rates of long prompts hold.
    pub is_long: bool,
    /// What the cache saved against its absence; less than nothing where it was
    /// written and not read.
    pub saved: PicoUsd,
    /// What a token written anew costs more than one read from the cache.
    pub rewrite_rate: PicoUsd,
    /// Why it is not the whole.
    pub unpriced: Option<Unpriced>,
}

/// Prices calls, looking each model up once.
#[derive(Debug)]
pub struct Pricer<'p> {
    prices: &'p Prices,
    mode: CostMode,
    models: HashMap<Name, Option<&'p [Price]>>,
    /// The model that was asked for last, which mostly is the next one too.
    last: Option<(Name, Option<&'p [Price]>)>,
}

impl<'p> Pricer<'p> {
    /// One that takes this word for it.
    pub fn new(prices: &'p Prices, mode: CostMode) -> Self {
        Pricer { prices, mode, models: HashMap::new(), last: None }
    }

    /// What a call costs.
    pub fn cost(&mut self, call: &Call, names: &Names) -> Cost {
        let found = self.found(call.model, names);
        let price = found.and_then(|dated| Prices::at(dated, call.time));
        let mut cost = price.map(|price| self.calculated(call, names, price)).unwrap_or_default();
        if price.is_none() {
            let model = names.get(call.model).unwrap_or("(none)");
            cost.unpriced = Some(Unpriced::Model(model.to_owned()));
        }
        match (self.mode, call.noted_cost) {
            (CostMode::Calculate, _) | (CostMode::Auto, None) => {}
            (CostMode::Auto | CostMode::Display, Some(noted)) => {
                cost.total = Some(noted);
                cost.rates = None;
                cost.factors.clear();
                cost.unpriced = None;
            }
            (CostMode::Display, None) => {
                cost.total = None;
                cost.rates = None;
                cost.unpriced = Some(Unpriced::NotNoted);
            }
        }
        cost
    }

    fn found(&mut self, model: Name, names: &Names) -> Option<&'p [Price]> {
        if let Some((last, found)) = self.last
            && last == model
        {
            return found;
        }
        let prices = self.prices;
        let look_up = || names.get(model).and_then(|model| prices.of_model(model));
        let found = *self.models.entry(model).or_insert_with(look_up);
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

    /// What the cost of a call is made of; nothing where the app's word was taken.
    pub fn parts(&self, call: &Call, cost: &Cost) -> Vec<Part> {
        let Some(rates) = &cost.rates else { return Vec::new() };
        let searches = ("web search", call.counters.web_searches, self.prices.web_search.0);
        let counted = priced_tokens(&call.counters, rates).into_iter().chain([searches]);
        let paid = counted.filter(|(_, count, _)| *count > 0);
        paid.map(|(what, count, rate)| {
            let amount = PicoUsd(i128::from(count).saturating_mul(rate));
            Part { what, count, rate: PicoUsd(rate), amount }
        })
        .collect()
    }

    /// What is paid more or less for how the call was answered.
    fn factors(
        &self,
        call: &Call,
        names: &Names,
        price: &Price,
    ) -> (Vec<(&'static str, Factor)>, Option<Unpriced>) {
        let mut factors = Vec::new();
        let mut unpriced = None;
        let Some(terms) = &call.terms else { return (factors, unpriced) };
        let model = || names.get(call.model).unwrap_or("(none)").to_owned();
        if terms.is_fast {
            match price.fast {
                Some(factor) => factors.push(("fast", factor)),
                None => unpriced = Some(Unpriced::Fast(model())),
            }
        }
        if terms.is_us {
            factors.extend(price.us.map(|factor| ("us", factor)));
        }
        if terms.is_batch {
            factors.push(("batch", self.prices.batch));
        }
        if let Some(tier) = &terms.unknown_tier {
            unpriced = Some(Unpriced::Tier(tier.clone()));
        }
        (factors, unpriced)
    }
}

/// The tokens that are paid for: (what they are, how many, what one costs).
fn priced_tokens(counters: &Counters, rates: &Rates) -> [(&'static str, u64, i128); 5] {
    [
        ("input", counters.input, rates.input),
        ("cache write 5m", counters.write_5m, rates.write_5m),
        ("cache write 1h", counters.write_1h, rates.write_1h),
        ("cache read", counters.read, rates.read),
        ("output", counters.output, rates.output),
    ]
}

/// What reading from the cache saved, less what writing to it cost more.
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
