//! Usage reports for people.

use super::rows::{ReportInput, ShownRow};
use crate::context::Context;
use crate::output::{Format, Row, cell, moment};
use document::{LimitDocument, LimitsDocument, UsageBlockDocument, known_cost, unpriced};
use library::{Dimension, UsageSource};
use render::{Column, Style, Table};
use usage::Sums;

/// The table of a report, its total, and the notes below.
pub(super) fn table(input: &ReportInput<'_>, rows: &[ShownRow], all: usize) -> String {
    if rows.is_empty() {
        return "No usage.\n".to_owned();
    }
    let output = &input.context.output;
    let zone = render::time::zone_name(&input.context.zone);
    let mut columns: Vec<Column> = input.options.by.iter().map(|by| key_column(*by)).collect();
    columns.extend([
        Column::new("WHAT").shrinks_to(16),
        Column::new("CALLS").right().style(Style::Dim).drop_order(4),
        Column::new("INPUT").right().drop_order(3),
        Column::new("OUTPUT").right(),
        Column::new("WRITTEN").right().drop_order(2),
        Column::new("READ").right().drop_order(2),
        Column::new("HIT").right().style(Style::Dim).drop_order(5),
        Column::new("COST").right().style(Style::Good),
        Column::new("").style(Style::Dim).drop_order(6),
        Column::new("MODELS").style(Style::Dim).shrinks_to(10).drop_order(7),
    ]);
    let mut table = Table::new(columns);
    let most = rows.iter().map(|row| row.own.cost.0).max().unwrap_or(0).max(1);
    for row in rows {
        let mut cells: Vec<String> = input
            .options
            .by
            .iter()
            .zip(&row.values)
            .map(|(by, value)| key_cell(input, *by, value.clone()))
            .collect();
        let what = row.document.prompt.clone().or_else(|| row.document.title.clone());
        let what = what.or_else(|| row.document.block.as_ref().map(block_words));
        cells.push(what.unwrap_or_default());
        #[expect(clippy::cast_precision_loss, reason = "a picture of a share")]
        let share = row.own.cost.0 as f64 / most as f64;
        cells.extend(sums_cells(&row.own));
        cells.push(render::bar(share, 10));
        let mut models: Vec<String> =
            row.document.models.keys().map(|model| usage::normalized_model(model)).collect();
        models.dedup();
        cells.push(models.join(", "));
        table.row(cells);
    }
    let mut total: Vec<String> = input.options.by.iter().map(|_| String::new()).collect();
    if let Some(first) = total.first_mut() {
        "TOTAL".clone_into(first);
    }
    total.push(String::new());
    total.extend(sums_cells(&input.report.report.total.sums));
    total.extend([String::new(), String::new()]);
    table.row(total);
    let mut text = table.render(output.width(), output.paint);
    text += &output.cut_note(rows.len(), all, "rows; TOTAL covers all rows");
    text += &notes(input, &zone);
    text
}

/// The column of a dimension.
fn key_column(by: Dimension) -> Column {
    let title = match by {
        Dimension::Day => "DAY",
        Dimension::Week => "WEEK OF",
        Dimension::Month => "MONTH",
        Dimension::Hour => "HOUR",
        Dimension::Session => "SESSION",
        Dimension::Turn => "WHEN",
        Dimension::Project => "PROJECT",
        Dimension::Worktree => "FOLDER",
        Dimension::Model => "MODEL",
        Dimension::Branch => "BRANCH",
        Dimension::Agent => "AGENT",
        Dimension::Skill => "SKILL",
        Dimension::Plugin => "PLUGIN",
        Dimension::Mcp => "MCP SERVER",
        Dimension::Tool => "TOOL",
        Dimension::Effort => "EFFORT",
        Dimension::Entrypoint => "STARTED BY",
        Dimension::Version => "VERSION",
        Dimension::Block => "BLOCK",
    };
    let column = Column::new(title).style(Style::Accent);
    match by {
        Dimension::Project | Dimension::Worktree => column.shrinks_to(16).keeps_end(),
        Dimension::Branch | Dimension::Model | Dimension::Agent => column.shrinks_to(12),
        _ => column,
    }
}

fn key_cell(input: &ReportInput<'_>, by: Dimension, value: Option<String>) -> String {
    let Some(value) = value else { return "(unknown)".to_owned() };
    let moment = |text: &str| {
        let time = text.parse().ok()?;
        Some(render::time::moment(time, &input.context.zone))
    };
    match by {
        Dimension::Session => value.chars().take(8).collect(),
        Dimension::Turn | Dimension::Block => moment(&value).unwrap_or(value),
        Dimension::Project | Dimension::Worktree => input.context.short_path(&value),
        Dimension::Hour if !occurs_twice(input, &value) => value.chars().take(16).collect(),
        _ => value,
    }
}

/// Whether an hour occurs twice because the clock went back: then its offset is
/// shown.
fn occurs_twice(input: &ReportInput<'_>, hour: &str) -> bool {
    let local: Option<jiff::civil::DateTime> = hour.get(..16).and_then(|text| text.parse().ok());
    local.is_some_and(|local| input.context.zone.to_ambiguous_timestamp(local).is_ambiguous())
}

fn block_words(block: &UsageBlockDocument) -> String {
    let anchor = if block.anchor == "recorded" { ", start recorded" } else { "" };
    if !block.is_active {
        return anchor.trim_start_matches(", ").to_owned();
    }
    let rate = block.tokens_per_minute.map(|rate| {
        format!(", {} tokens per minute", render::count(u64::try_from(rate).unwrap_or(0)))
    });
    let projected = block
        .projected_tokens
        .map(|tokens| format!(", {} projected", render::count(u64::try_from(tokens).unwrap_or(0))));
    format!("active{anchor}{}{}", rate.unwrap_or_default(), projected.unwrap_or_default())
}

fn sums_cells(sums: &Sums) -> [String; 7] {
    let counters = &sums.counters;
    [
        sums.calls.to_string(),
        render::count(counters.input),
        render::count(counters.output),
        render::count(counters.write_5m.saturating_add(counters.write_1h)),
        render::count(counters.read),
        sums.hit_rate().map(render::percent).unwrap_or_default(),
        money(sums),
    ]
}

/// The cost of calls: `?` if it is unknown, `+ ?` if a part of it is.
pub(super) fn money(sums: &Sums) -> String {
    match (known_cost(sums), sums.unpriced) {
        (None, _) => "?".to_owned(),
        (Some(cost), 0) => render::money(cost),
        (Some(cost), _) => format!("{} + ?", render::money(cost)),
    }
}

pub(super) fn counted(count: u64, what: &str) -> String {
    render::counted(usize::try_from(count).unwrap_or(usize::MAX), what)
}

/// The notes below a report.
fn notes(input: &ReportInput<'_>, zone: &str) -> String {
    let total = &input.report.report.total.sums;
    let paint = input.context.output.paint;
    let mut notes = vec![format!(
        "Costs at API prices, from the transcripts; days in {zone}. Caching saved {}; expired caches cost {} ({} tokens written again).",
        render::money(total.saved),
        render::money(total.expired),
        render::count(total.expired_tokens)
    )];
    if input.options.by.contains(&Dimension::Tool) {
        notes.push("The cost of each call is split between the tools it called.".to_owned());
    }
    if input.options.by.contains(&Dimension::Block) {
        notes.push(
            "Block starts are estimated from the first call, unless a recorded limit gives the reset time."
                .to_owned(),
        );
    }
    let mut text = String::new();
    for note in notes {
        text += &format!("{}\n", paint.paint(Style::Dim, &note));
    }
    for (model, calls) in &input.report.unknown_models {
        let calls = counted(*calls, "call");
        let note = format!("? {calls} to {model}: price unknown (--prices FILE adds prices)");
        text += &format!("{}\n", paint.paint(Style::Warning, &render::untrusted::line(&note)));
    }
    for what in &input.report.unpriced {
        let note = format!("? {}", unpriced(what));
        text += &format!("{}\n", paint.paint(Style::Warning, &render::untrusted::line(&note)));
    }
    let tally = &input.source.calls.tally;
    if tally.damaged + tally.odd > 0 {
        let note = format!(
            "{} could not be read, {} had implausible counts or times (--explain shows details)",
            counted(tally.damaged, "line"),
            tally.odd
        );
        text += &format!("{}\n", paint.paint(Style::Warning, &note));
    }
    text
}

impl Row for LimitDocument {
    const COLUMNS: &'static [&'static str] =
        &["timestamp", "notice", "resets_at", "path", "window", "used_percent"];

    fn cells(&self) -> Vec<String> {
        vec![
            moment(self.timestamp),
            self.notice.clone(),
            moment(self.resets_at),
            cell(self.path.as_deref()),
            cell(self.window.as_deref()),
            self.used_percent.map(|percent| percent.to_string()).unwrap_or_default(),
        ]
    }
}

/// The limits that were reached, from transcripts, and how full they were, from the
/// ledger.
pub(super) fn limits(context: &Context, source: &UsageSource) -> anyhow::Result<()> {
    let limits = LimitDocument::of(source);
    let text = if context.output.format == Format::Text {
        let mut table = Table::new(vec![
            Column::new("WHEN").style(Style::Dim),
            Column::new("RESETS"),
            Column::new("NOTICE").shrinks_to(20),
        ]);
        let shown = |time: document::Moment| render::time::moment(time.0, &context.zone);
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
