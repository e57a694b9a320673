//! Rows of a usage report, with the values that rendering and sorting need beside
//! JSON.

use crate::context::Context;
use document::{
    BudgetDocument, UsageComparisonDocument, UsageDocument, UsageExplanationDocument, UsageParts,
    UsageRowDocument,
};
use library::usage::{UsageOptions, UsageReport, UsageSource};
use serde::{Serialize, Serializer};
use usage::{BudgetUse, RowKey, Sums};

/// The input of a report: the calls, their sums, and the options.
pub(super) struct ReportInput<'a> {
    pub(super) context: &'a Context,
    pub(super) source: &'a UsageSource,
    pub(super) options: &'a UsageOptions,
    pub(super) report: &'a UsageReport,
    pub(super) budgets: &'a [BudgetUse],
}

/// A row with its key, in the order of grouping, and its sums.
#[derive(Clone, Debug)]
pub(super) struct ShownRow {
    pub(super) document: UsageRowDocument,
    pub(super) values: RowKey,
    pub(super) own: Sums,
}

impl Serialize for ShownRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.document.serialize(serializer)
    }
}

impl ReportInput<'_> {
    fn parts(&self) -> UsageParts<'_> {
        UsageParts::new(self.source, self.options, self.report, self.context.settings.now)
    }

    /// The rows: by time, or the most expensive first.
    pub(super) fn rows(&self) -> Vec<ShownRow> {
        let rows = self.parts().sorted_rows().into_iter();
        rows.map(|row| ShownRow { document: row.document, values: row.values, own: row.sums })
            .collect()
    }

    pub(super) fn document(
        &self,
        rows: Vec<ShownRow>,
        reconciled: Option<UsageComparisonDocument>,
    ) -> UsageDocument {
        let zone = render::time::zone_name(&self.context.settings.zone);
        let explain = UsageExplanationDocument::new(self.source, self.report, reconciled);
        let rows = rows.into_iter().map(|row| row.document).collect();
        let budgets = self.budgets.iter().map(BudgetDocument::from).collect();
        self.parts().document(zone, rows, budgets, explain)
    }
}
