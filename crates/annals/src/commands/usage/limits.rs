//! `annals usage limits`: the limits that were reached.

use crate::context::Context;
use crate::output::Format;
use document::LimitsDocument;
use document::answers::limits_of;
use library::catalog::Filter;
use library::usage::UsageSource;
use render::{Column, Style, Table};

/// The limits that were reached, from transcripts, and how full they were, from the
/// ledger.
pub(super) fn print(
    context: &Context,
    source: &UsageSource,
    filter: &Filter,
) -> anyhow::Result<()> {
    let limits = limits_of(source, filter);
    let text = if context.output.format == Format::Text {
        let mut table = Table::new(vec![
            Column::new("WHEN").style(Style::Dim),
            Column::new("RESETS"),
            Column::new("NOTICE").shrinks_to(20),
        ]);
        let shown = |time: document::Moment| render::time::moment(time.0, &context.settings.zone);
        for limit in &limits {
            table.row([
                limit.timestamp.map(shown).unwrap_or_default(),
                limit.resets_at.map(shown).unwrap_or_default(),
                limit.notice.clone(),
            ]);
        }
        if limits.is_empty() {
            "No limits reached in the recorded sessions.\n".to_owned()
        } else {
            table.render(context.output.width(), context.output.paint)
        }
    } else {
        String::new()
    };
    context.output.rows(limits, LimitsDocument::new, || text)
}
