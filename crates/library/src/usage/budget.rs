//! How much of a budget is used, from all calls. Recent spending for callers that cannot
//! wait is in `recent`.

use crate::Usage;
use crate::usage::UsageSource;
use crate::usage::report::{SYNTHETIC, UsageOptions};
use jiff::Timestamp;
use usage::{Budget, BudgetUse, PicoUsd, Pricer};

impl Usage<'_> {
    /// How much of a budget is used. Prices, time zone and weeks are those of the options;
    /// their filter does not apply, because a budget is for all calls.
    pub fn budget_use(
        self,
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
        let mut pricer = Pricer::new(&options.prices, options.mode);
        for call in &source.calls.calls {
            let Some(time) = call.time.filter(|time| *time >= first) else { continue };
            if names.get(call.model) == Some(SYNTHETIC) {
                continue;
            }
            let cost = pricer.cost(call, names).total;
            for (window, used, is_partial) in &mut spent {
                if window.holds(time) {
                    *used = used.plus(cost.unwrap_or_default());
                    // A call that used nothing costs nothing, whatever the model.
                    *is_partial |= cost.is_none() && call.counters.total() > 0;
                }
            }
        }
        let uses = spent
            .into_iter()
            .map(|(window, used, is_partial)| BudgetUse::new(window, used, is_partial, now));
        uses.collect()
    }
}
