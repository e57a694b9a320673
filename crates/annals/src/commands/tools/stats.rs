//! `annals tools --stats`: statistics of calls.

use crate::context::Context;
use crate::output::Format;
use document::{ToolStatsDocument, ToolSumDocument};
use render::{Column, Style, Table};

/// The dimensions, in the order they are shown.
const WAYS: [(&str, &str); 4] =
    [("tool", "TOOL"), ("agent", "AGENT"), ("skill", "SKILL"), ("mcp", "MCP SERVER")];

pub(super) fn show(context: &Context, document: ToolStatsDocument) -> anyhow::Result<()> {
    let text = if context.output.format == Format::Text {
        text(context, &document)
    } else {
        String::new()
    };
    let (rows, document) = split(document);
    context.output.rows(rows, |rows| ToolStatsDocument { rows, ..document }, || text)
}

/// The rows, and the document without them.
fn split(mut document: ToolStatsDocument) -> (Vec<ToolSumDocument>, ToolStatsDocument) {
    (std::mem::take(&mut document.rows), document)
}

/// The last days that are shown on a terminal.
const DAYS: usize = 14;

fn text(context: &Context, stats: &ToolStatsDocument) -> String {
    if stats.total.calls == 0 {
        return "No calls.\n".to_owned();
    }
    let paint = context.output.paint;
    let width = context.output.width();
    let mut text = String::new();
    for (way, title) in WAYS {
        let of_way: Vec<_> = stats.rows.iter().filter(|row| row.by == way).collect();
        if of_way.is_empty() {
            continue;
        }
        let most = of_way.iter().map(|row| row.calls).max().unwrap_or(1);
        let mut table = Table::new(vec![
            Column::new(title).style(Style::Accent).shrinks_to(12),
            Column::new("CALLS").right(),
            Column::new("").style(Style::Dim).drop_order(3),
            Column::new("ERRORS").right().style(Style::Bad),
            Column::new("DENIED").right().style(Style::Warning).drop_order(1),
            Column::new("CUT").right().style(Style::Warning).drop_order(2),
            Column::new("MISSING").right().style(Style::Warning).drop_order(2),
            Column::new("P50").right(),
            Column::new("P95").right(),
        ]);
        let some = |count: u64| if count == 0 { String::new() } else { count.to_string() };
        for row in of_way {
            table.row([
                row.name.clone(),
                row.calls.to_string(),
                bar(row.calls, most, 12),
                some(row.errors),
                some(row.denials),
                some(row.interrupted),
                some(row.missing),
                row.p50_ms.map(render::milliseconds).unwrap_or_default(),
                row.p95_ms.map(render::milliseconds).unwrap_or_default(),
            ]);
        }
        text += &table.render(width, paint);
        text.push('\n');
    }
    text + &activity(context, stats)
}

/// A bar for a count among others.
fn bar(count: u64, most: u64, width: usize) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a picture of a share")]
    let share = count as f64 / most.max(1) as f64;
    render::bar(share, width)
}

/// When calls were made: the last days, and the hours of the day.
fn activity(context: &Context, stats: &ToolStatsDocument) -> String {
    let paint = context.output.paint;
    let zone = render::time::zone_name(&context.settings.zone);
    let mut text = format!("{}\n", paint.paint(Style::Heading, &format!("BY DAY ({zone})")));
    let most = stats.days.values().copied().max().unwrap_or(1);
    let skipped = stats.days.len().saturating_sub(DAYS);
    for (day, count) in stats.days.iter().skip(skipped) {
        let bar = paint.paint(Style::Good, &bar(*count, most, 30));
        text += &format!("{day} {count:>7} {bar}\n");
    }
    if skipped > 0 {
        let note = format!("{} earlier (--json shows all)", render::counted(skipped, "day"));
        text += &format!("{}\n", paint.paint(Style::Dim, &note));
    }
    text += &format!("\n{}\n", paint.paint(Style::Heading, &format!("BY HOUR ({zone})")));
    let most = stats.hours.iter().copied().max().unwrap_or(1);
    for (hour, count) in stats.hours.iter().enumerate().filter(|(_, count)| **count > 0) {
        let bar = paint.paint(Style::Good, &bar(*count, most, 30));
        text += &format!("{hour:>10} {count:>7} {bar}\n");
    }
    text
}
