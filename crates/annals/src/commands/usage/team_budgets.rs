//! The budgets of teams, from the administrator's table.

use super::budget::NamedBudget;
use crate::context::Context;
use library::catalog::Filter;
use library::progress::NoProgress;
use library::usage::{Dimension, UsageOptions, UsageSource};
use usage::{Budget, BudgetUse, PicoUsd};

/// How much of its budget each team has used in this month.
pub(super) fn of_teams(
    context: &Context,
    source: &UsageSource,
    options: &UsageOptions,
) -> Vec<NamedBudget> {
    let mut budgets = Vec::new();
    let mut spent = None;
    for (team, limit) in options.teams.budgets() {
        let budget = Budget { month: Some(limit), ..Budget::default() };
        for window in budget.windows(context.settings.now, &options.zone, options.week_start) {
            let report = spent.get_or_insert_with(|| {
                let filter = Filter {
                    since: Some(window.start),
                    until: Some(window.end),
                    ..Filter::default()
                };
                let by = vec![Dimension::Team];
                let options = UsageOptions { by, filter, ..options.clone() };
                context.library.usage().report(source, &options, &NoProgress)
            });
            let row = report.report.rows.get(&vec![Some(team.to_owned())]);
            let (used, is_partial) =
                row.map_or((PicoUsd::ZERO, false), |row| (row.sums.cost, row.sums.unpriced > 0));
            let used = BudgetUse::new(window, used, is_partial, context.settings.now);
            budgets.push(NamedBudget { team: Some(team.to_owned()), used });
        }
    }
    budgets
}
