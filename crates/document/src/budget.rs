//! Budgets: what may be spent, what was, and what will be.

use crate::table::{Column, columns};
use crate::{Document, Keyword, Moment};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use usage::{BudgetUse, PicoUsd};

/// How much of each budget is used.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BudgetsDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The budgets, the shortest period first.
    pub budgets: Vec<BudgetDocument>,
}

impl Document for BudgetsDocument {
    const SCHEMA: &'static str = "annals/budget/1";
    const COMMAND: &'static str = "`annals usage --check`";
    const ROWS: Option<&'static str> = Some("budgets");
    const COLUMNS: &'static [Column] = &columns([
        "period",
        "start",
        "end",
        "limit_usd",
        "used_usd",
        "is_complete",
        "projected_usd",
        "is_exceeded",
        "team",
    ]);
}

impl BudgetsDocument {
    /// The budgets that are configured.
    pub fn new(budgets: Vec<BudgetDocument>) -> Self {
        BudgetsDocument { schema: Self::SCHEMA.into(), budgets }
    }
}

/// A budget, and how much of it is used.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BudgetDocument {
    /// `day`, `week` or `month`.
    pub period: Keyword,
    /// When the current period began.
    pub start: Moment,
    /// When it ends.
    pub end: Moment,
    /// What may be spent in it.
    pub limit_usd: String,
    /// What was spent in it, at API prices.
    pub used_usd: String,
    /// Whether every call in it has a price and was read.
    pub is_complete: bool,
    /// What will be spent at its end, if spending goes on as since its start; `null` in the first twenty-fourth of the period.
    pub projected_usd: Option<String>,
    /// Whether more than the limit was spent.
    pub is_exceeded: bool,
    /// The team whose budget it is, with `--lake` and a table of teams.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
}

impl From<&BudgetUse> for BudgetDocument {
    fn from(used: &BudgetUse) -> Self {
        BudgetDocument {
            period: used.window.period.name().into(),
            start: used.window.start.into(),
            end: used.window.end.into(),
            limit_usd: used.window.limit.decimal(),
            used_usd: used.used.decimal(),
            is_complete: !used.is_partial,
            projected_usd: used.projected.map(PicoUsd::decimal),
            is_exceeded: used.is_exceeded(),
            team: None,
        }
    }
}
