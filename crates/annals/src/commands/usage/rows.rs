//! What the texts of a usage report are made of.

use crate::context::Context;
use document::answers::UsageAnswer;
use library::usage::{UsageOptions, UsageReport, UsageSource};
use usage::BudgetUse;

/// The input of a report: the calls, their sums, and the options.
pub(super) struct ReportInput<'a> {
    pub(super) context: &'a Context,
    pub(super) source: &'a UsageSource,
    pub(super) options: &'a UsageOptions,
    pub(super) report: &'a UsageReport,
    pub(super) budgets: &'a [BudgetUse],
}

impl<'a> ReportInput<'a> {
    pub(super) fn new(context: &'a Context, answer: &'a UsageAnswer<'_>) -> Self {
        ReportInput {
            context,
            source: answer.source,
            options: &answer.request.options,
            report: &answer.report,
            budgets: &answer.budgets,
        }
    }
}
