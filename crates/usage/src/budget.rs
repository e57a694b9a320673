//! Budgets: what may be spent in a calendar day, week and month.
//!
//! Deliberately not here: the clock, and where the limits are configured.

use crate::money::PicoUsd;
use jiff::civil::Weekday;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, Zoned};

/// A calendar period with a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetPeriod {
    /// A day.
    Day,
    /// A week.
    Week,
    /// A month.
    Month,
}

impl BudgetPeriod {
    /// All of them, the shortest first.
    pub const ALL: [BudgetPeriod; 3] = [BudgetPeriod::Day, BudgetPeriod::Week, BudgetPeriod::Month];

    /// Its name in reports and in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            BudgetPeriod::Day => "day",
            BudgetPeriod::Week => "week",
            BudgetPeriod::Month => "month",
        }
    }

    /// The start and the end of the period around a time.
    fn bounds(self, now: &Zoned, week_start: Weekday) -> Result<(Zoned, Zoned), jiff::Error> {
        let today = now.start_of_day()?;
        let (first, length) = match self {
            BudgetPeriod::Day => (today, 1.day()),
            BudgetPeriod::Week => {
                let back = i64::from(today.date().weekday().since(week_start));
                (today.checked_sub(back.days())?, 1.week())
            }
            BudgetPeriod::Month => (today.first_of_month()?, 1.month()),
        };
        let next = first.date().checked_add(length)?;
        // A day may begin later than midnight.
        Ok((first.start_of_day()?, next.to_zoned(now.time_zone().clone())?.start_of_day()?))
    }
}

/// The limits in US dollars; `None` where there is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// For a calendar day.
    pub day: Option<PicoUsd>,
    /// For a calendar week.
    pub week: Option<PicoUsd>,
    /// For a calendar month.
    pub month: Option<PicoUsd>,
}

/// The current period of a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetWindow {
    /// The period.
    pub period: BudgetPeriod,
    /// What may be spent in it.
    pub limit: PicoUsd,
    /// When it began.
    pub start: Timestamp,
    /// When it ends.
    pub end: Timestamp,
}

impl Budget {
    /// The limit for a period.
    pub fn limit_mut(&mut self, period: BudgetPeriod) -> &mut Option<PicoUsd> {
        match period {
            BudgetPeriod::Day => &mut self.day,
            BudgetPeriod::Week => &mut self.week,
            BudgetPeriod::Month => &mut self.month,
        }
    }

    /// Whether there is no limit at all.
    pub fn is_empty(&self) -> bool {
        *self == Budget::default()
    }

    /// The current periods that have a limit, the shortest first.
    pub fn windows(
        self,
        now: Timestamp,
        zone: &TimeZone,
        week_start: Weekday,
    ) -> Vec<BudgetWindow> {
        let now = now.to_zoned(zone.clone());
        let limits = [self.day, self.week, self.month];
        let windows = BudgetPeriod::ALL.into_iter().zip(limits).filter_map(|(period, limit)| {
            // Only a time at the edge of the calendar has no bounds.
            let (start, end) = period.bounds(&now, week_start).ok()?;
            let (start, end) = (start.timestamp(), end.timestamp());
            Some(BudgetWindow { period, limit: limit?, start, end })
        });
        windows.collect()
    }
}

impl BudgetWindow {
    /// Whether a call at this time counts.
    pub fn holds(&self, time: Timestamp) -> bool {
        self.start <= time && time < self.end
    }
}

/// How much of a budget is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetUse {
    /// The current period.
    pub window: BudgetWindow,
    /// What was spent in it so far.
    pub used: PicoUsd,
    /// Whether more was spent: some calls have no price, or were not read.
    pub is_partial: bool,
    /// What will be spent at its end, if spending goes on as since its start; `None` in
    /// the first twenty-fourth of the period, which is too short for a rate.
    pub projected: Option<PicoUsd>,
}

impl BudgetUse {
    /// The use of a budget at a time.
    pub fn new(window: BudgetWindow, used: PicoUsd, is_partial: bool, now: Timestamp) -> Self {
        let seconds =
            |from: Timestamp, to: Timestamp| i128::from(to.duration_since(from).as_secs());
        let whole = seconds(window.start, window.end);
        let elapsed = seconds(window.start, now).min(whole);
        let is_long_enough = elapsed > 0 && elapsed.saturating_mul(24) >= whole;
        let projected = is_long_enough.then(|| PicoUsd(used.0.saturating_mul(whole) / elapsed));
        BudgetUse { window, used, is_partial, projected }
    }

    /// The used share of the limit.
    pub fn used_share(&self) -> f64 {
        share(self.used, self.window.limit)
    }

    /// The share of the limit that will be used at the end of the period.
    pub fn projected_share(&self) -> Option<f64> {
        self.projected.map(|projected| share(projected, self.window.limit))
    }

    /// Whether more than the limit was spent.
    pub fn is_exceeded(&self) -> bool {
        self.used > self.window.limit
    }

    /// Whether more than the limit will be spent, if spending goes on like this.
    pub fn will_be_exceeded(&self) -> bool {
        self.is_exceeded() || self.projected.is_some_and(|projected| projected > self.window.limit)
    }
}

#[expect(clippy::cast_precision_loss, reason = "a share")]
fn share(part: PicoUsd, whole: PicoUsd) -> f64 {
    part.0 as f64 / whole.0.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOLLAR: i128 = 1_000_000_000_000;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn dollars(amount: i128) -> PicoUsd {
        PicoUsd(amount * DOLLAR)
    }

    #[test]
    fn periods_are_those_of_the_calendar_in_the_time_zone() {
        let budget =
            Budget { day: Some(dollars(1)), week: Some(dollars(2)), month: Some(dollars(3)) };
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let bounds = |now: &str, week_start| {
            let windows = budget.windows(at(now), &zone, week_start);
            windows
                .iter()
                .map(|window| {
                    let shown = |time: Timestamp| time.to_string()[..16].to_owned();
                    format!(
                        "{} {} {}",
                        window.period.name(),
                        shown(window.start),
                        shown(window.end)
                    )
                })
                .collect::<Vec<_>>()
        };
        // The clock goes forward on Sunday, 29 March: that day has 23 hours.
        assert_eq!(
            bounds("2026-03-29T12:00:00Z", Weekday::Monday),
            [
                "day 2026-03-28T23:00 2026-03-29T22:00",
                "week 2026-03-22T23:00 2026-03-29T22:00",
                "month 2026-02-28T23:00 2026-03-31T22:00",
            ]
        );
        assert_eq!(
            bounds("2026-03-29T12:00:00Z", Weekday::Sunday)[1],
            "week 2026-03-28T23:00 2026-04-04T22:00"
        );
    }

    #[test]
    fn only_periods_with_a_limit_are_reported() {
        let budget = Budget { week: Some(dollars(2)), ..Budget::default() };
        let windows = budget.windows(at("2026-02-01T12:00:00Z"), &TimeZone::UTC, Weekday::Monday);
        assert_eq!(windows.len(), 1);
        assert_eq!(windows[0].period, BudgetPeriod::Week);
        assert!(Budget::default().is_empty() && !budget.is_empty());
    }

    #[test]
    fn projection_extends_the_spending_so_far_to_the_end_of_the_period() {
        let budget = Budget { day: Some(dollars(20)), ..Budget::default() };
        let of = |now: &str, used| {
            let window = budget.windows(at(now), &TimeZone::UTC, Weekday::Monday)[0];
            BudgetUse::new(window, dollars(used), false, at(now))
        };
        let table = [
            ("2026-02-01T00:59:59Z", 5, None, false, false),
            ("2026-02-01T01:00:00Z", 1, Some(24), false, true),
            ("2026-02-01T12:00:00Z", 10, Some(20), false, false),
            ("2026-02-01T12:00:00Z", 11, Some(22), false, true),
            ("2026-02-01T12:00:00Z", 20, Some(40), false, true),
            ("2026-02-01T00:10:00Z", 21, None, true, true),
        ];
        for (now, used, projected, is_exceeded, will_be) in table {
            let state = of(now, used);
            assert_eq!(state.projected, projected.map(dollars), "{now} {used}");
            assert_eq!((state.is_exceeded(), state.will_be_exceeded()), (is_exceeded, will_be));
        }
        assert!((of("2026-02-01T12:00:00Z", 5).used_share() - 0.25).abs() < 1e-9);
    }
}
