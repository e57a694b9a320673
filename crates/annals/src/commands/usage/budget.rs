//! Budgets in text: the table of `usage` and `usage --check`, and the line of the home page.

use crate::configuration::Dollars;
use crate::context::Context;
use crate::failure::CliError;
use document::{BudgetDocument, BudgetsDocument};
use render::{Column, Style, Table};
use usage::{Budget, BudgetPeriod, BudgetUse, PicoUsd};

/// A limit given as `PERIOD=USD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PeriodLimit {
    period: BudgetPeriod,
    limit: Dollars,
}

/// Parses `day=20`.
pub(super) fn parse_limit(text: &str) -> Result<PeriodLimit, String> {
    let wrong = || "use day=USD, week=USD or month=USD".to_owned();
    let (name, limit) = text.split_once('=').ok_or_else(wrong)?;
    let period = BudgetPeriod::ALL.into_iter().find(|period| period.name() == name.trim());
    Ok(PeriodLimit { period: period.ok_or_else(wrong)?, limit: Dollars::parse(limit.trim())? })
}

/// The configured budget with the limits of the command line.
pub(super) fn with_limits(mut budget: Budget, limits: &[PeriodLimit]) -> Budget {
    for given in limits {
        *budget.limit_mut(given.period) = Some(given.limit.0);
    }
    budget
}

/// A budget of everything, or of one team.
#[derive(Clone, Debug)]
pub(super) struct NamedBudget {
    pub(super) team: Option<String>,
    pub(super) used: BudgetUse,
}

impl From<BudgetUse> for NamedBudget {
    fn from(used: BudgetUse) -> Self {
        NamedBudget { team: None, used }
    }
}

impl NamedBudget {
    fn document(&self) -> BudgetDocument {
        BudgetDocument { team: self.team.clone(), ..BudgetDocument::from(&self.used) }
    }

    fn name(&self) -> String {
        let period = self.used.window.period.name();
        self.team.as_ref().map_or(period.to_owned(), |team| format!("{team}, {period}"))
    }
}

/// `usage --check`: prints the budgets; exit 3 if one is exceeded.
pub(super) fn check(context: &Context, budgets: &[NamedBudget]) -> anyhow::Result<()> {
    let rows = budgets.iter().map(NamedBudget::document).collect();
    context.output.rows(rows, BudgetsDocument::new, || named_table(context, budgets))?;
    if budgets.iter().any(|budget| budget.used.is_exceeded()) {
        return Err(CliError::OverBudget.into());
    }
    Ok(())
}

/// The error for `--check` without a budget.
pub(super) fn no_budget() -> CliError {
    CliError::Misuse(
        "no budget to check\nhint: pass --budget day=20, or add [budget] to config.toml".to_owned(),
    )
}

/// The budgets as a table; nothing if there are none.
pub(super) fn table(context: &Context, uses: &[BudgetUse]) -> String {
    let budgets: Vec<NamedBudget> = uses.iter().copied().map(NamedBudget::from).collect();
    named_table(context, &budgets)
}

fn named_table(context: &Context, budgets: &[NamedBudget]) -> String {
    if budgets.is_empty() {
        return String::new();
    }
    let mut table = Table::new(vec![
        Column::new("BUDGET").style(Style::Accent),
        Column::new("USED").decimal().style(Style::Good),
        Column::new("LIMIT").decimal(),
        Column::new("SHARE").right(),
        Column::new("").style(Style::Dim).drop_order(2),
        Column::new("PROJECTED").decimal(),
        Column::new("").right().style(Style::Dim).drop_order(1),
        Column::new("").style(Style::Bad),
    ]);
    for budget in budgets {
        let used = &budget.used;
        table.row([
            budget.name(),
            amount(used),
            render::money(used.window.limit),
            render::percent(used.used_share()),
            render::bar(used.used_share(), 10),
            projected(used).map(render::money).unwrap_or_default(),
            projected(used).and(used.projected_share()).map(render::percent).unwrap_or_default(),
            state(used).to_owned(),
        ]);
    }
    table.render(context.output.width(), context.output.paint)
}

/// The budgets in one sentence, for the home page.
pub(crate) fn line(uses: &[BudgetUse]) -> (Style, String) {
    let one = |used: &BudgetUse| {
        let projected = projected(used).map(|cost| format!(", projected {}", render::money(cost)));
        let state = state(used);
        let state = if state.is_empty() { String::new() } else { format!(" ({state})") };
        format!(
            "{} {} of {}{}{state}",
            used.window.period.name(),
            amount(used),
            render::money(used.window.limit),
            projected.unwrap_or_default(),
        )
    };
    let budgets: Vec<String> = uses.iter().map(one).collect();
    let style =
        if uses.iter().any(BudgetUse::will_be_exceeded) { Style::Warning } else { Style::Plain };
    (style, format!("Budget: {}", budgets.join("; ")))
}

fn amount(used: &BudgetUse) -> String {
    let sign = if used.is_partial { "≥" } else { "" };
    format!("{sign}{}", render::money(used.used))
}

/// The projection, unless nothing was spent.
fn projected(used: &BudgetUse) -> Option<PicoUsd> {
    used.projected.filter(|cost| *cost > PicoUsd::ZERO)
}

fn state(used: &BudgetUse) -> &'static str {
    match (used.is_exceeded(), used.will_be_exceeded()) {
        (true, _) => "over budget",
        (false, true) => "over at this rate",
        (false, false) => "",
    }
}
