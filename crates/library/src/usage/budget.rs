//! How much of a budget is used, from all calls. Recent spending for callers that cannot
//! wait is in `recent`.

use crate::usage::report::UsageOptions;
use crate::usage::{Usage, UsageSource};
use crate::window_limit::SYNTHETIC;
use jiff::Timestamp;
use usage::{Budget, BudgetUse, Call, PicoUsd, Pricer};

impl Usage {
    /// How much of a budget is used. Prices, time zone and weeks are those of the options;
    /// their filter does not apply, because a budget is for all calls.
    pub fn budget_use(
        &self,
        source: &UsageSource,
        budget: Budget,
        options: &UsageOptions,
        now: Timestamp,
    ) -> Vec<BudgetUse> {
        let mut spent: Vec<_> = budget
            .windows(now, &options.zone, options.week_start)
            .into_iter()
            .map(|window| (window, PicoUsd::ZERO, false))
            .collect();
        let Some(first) = spent.iter().map(|(window, ..)| window.start).min() else {
            return Vec::new();
        };
        let names = &source.calls.names;
        let mut add = |call: &Call, cost: PicoUsd, has_cost: bool| {
            let Some(time) = call.time.filter(|time| *time >= first) else { return };
            if names.get(call.model) == Some(SYNTHETIC) {
                return;
            }
            for (window, used, is_partial) in &mut spent {
                if window.holds(time) {
                    *used = used.plus(cost);
                    *is_partial |= !has_cost;
                }
            }
        };
        if let Some(groups) = &source.groups {
            for group in &groups.groups {
                add(&group.call, group.sums.cost, group.has_cost);
            }
        } else {
            let mut pricer = Pricer::new(&options.prices, options.mode);
            // Only what counts is priced.
            let recent = |call: &&Call| call.time.is_some_and(|time| time >= first);
            for call in source.calls.calls.iter().filter(recent) {
                let cost = pricer.cost(call, names).total;
                // A call that used nothing costs nothing, whatever the model.
                let has_cost = cost.is_some() || call.counters.total() == 0;
                add(call, cost.unwrap_or_default(), has_cost);
            }
        }
        for group in &source.sums {
            add(&group.call, group.sums.cost, group.has_cost);
        }
        let uses = spent
            .into_iter()
            .map(|(window, used, is_partial)| BudgetUse::new(window, used, is_partial, now));
        uses.collect()
    }
}
