//! Usage reports for people.

use super::budget;
use super::notes::notes;
use super::rows::ReportInput;
use document::answers::SortedUsageRow;
use document::{UsageBlockDocument, known_cost};
use jiff::{SignedDuration, Timestamp};
use library::usage::Dimension;
use render::{Column, Style, Table};
use usage::{PicoUsd, Sums};

/// The table of a report, its total, and the notes below.
pub(super) fn table(input: &ReportInput<'_>, rows: &[SortedUsageRow], all: usize) -> String {
    if rows.is_empty() {
        return "No usage.\n".to_owned();
    }
    let by = &input.options.by;
    let mut table = Table::new(columns(by, input.context.output.width()));
    let largest = Largest::of(rows);
    for row in rows {
        let keys = by.iter().zip(&row.values);
        let mut cells: Vec<String> =
            keys.map(|(by, value)| key_cell(input, *by, value.clone())).collect();
        let block = row.document.block.as_ref();
        let what = row.document.prompt.clone().or_else(|| row.document.title.clone());
        let anchor = block.filter(|block| block.anchor == "recorded");
        let what = what.or_else(|| anchor.map(|_| "start recorded".to_owned()));
        cells.extend([
            block.map(|block| block_end(input, block)).unwrap_or_default(),
            block.and_then(time_left).unwrap_or_default(),
            what.unwrap_or_default(),
        ]);
        cells.extend(sums_cells(&row.sums));
        let share = largest.share(&row.sums);
        cells.extend([
            block.and_then(rate).unwrap_or_default(),
            money(&row.sums),
            block.and_then(projection).unwrap_or_default(),
            render::bar(share, 10),
            block.and_then(|block| block.share_of_largest).map(render::percent).unwrap_or_default(),
            models(by, row),
        ]);
        table.row(cells);
    }
    table.total(total_cells(by, &input.report.report.total.sums));
    let output = &input.context.output;
    let mut text = table.render(output.width(), output.paint);
    text += &output.cut_note(rows.len(), all, "rows; TOTAL covers all rows");
    let mut blocks = rows.iter().rev().filter_map(|row| row.document.block.as_ref());
    // With other dimensions a row is only a part of its block.
    let active = blocks.find(|block| block.is_active && by.len() == 1);
    let budgets = budget::table(input.context, input.budgets);
    if !budgets.is_empty() {
        text += &format!("\n{budgets}\n");
    }
    text += &notes(input, active);
    text
}

/// The columns of a report. On a narrow terminal the parts of the tokens go before their sum,
/// and in a report of blocks before what blocks are about.
fn columns(by: &[Dimension], width: Option<usize>) -> Vec<Column> {
    let has_blocks = by.contains(&Dimension::Block);
    let parts = if has_blocks { 6 } else { 2 };
    let mut columns: Vec<Column> = by.iter().map(|by| key_column(*by)).collect();
    columns.extend([
        Column::new("END"),
        Column::new("LEFT").right().style(Style::Warning).drop_order(1),
        // A prompt or a title says more than the parts of a sum.
        Column::new("WHAT").shrinks_to(width.map_or(16, |width| width * 2 / 5)),
        Column::new("CALLS").right().style(Style::Dim).drop_order(4),
        Column::new("INPUT").right().drop_order(parts + 1),
        Column::new("OUTPUT").right().drop_order(parts - 1),
        Column::new("WRITTEN").right().drop_order(parts),
        Column::new("READ").right().drop_order(parts),
        Column::new("TOKENS").right(),
        Column::new("HIT").right().style(Style::Dim).drop_order(9),
        Column::new("RATE").right().drop_order(2),
        Column::new("COST").decimal().style(Style::Good),
        Column::new("PROJECTED").decimal().drop_order(1),
        Column::new("").style(Style::Dim).drop_order(8),
        Column::new("OF MAX").right().style(Style::Dim).drop_order(3),
        Column::new("MODELS").style(Style::Dim).shrinks_to(10).drop_order(10),
    ]);
    columns
}

/// The cells of the total: one for each column.
fn total_cells(by: &[Dimension], sums: &Sums) -> Vec<String> {
    let mut cells: Vec<String> = by.iter().map(|_| String::new()).collect();
    if let Some(first) = cells.first_mut() {
        "TOTAL".clone_into(first);
    }
    cells.extend([String::new(), String::new(), String::new()]);
    cells.extend(sums_cells(sums));
    cells.extend([String::new(), money(sums)]);
    cells.extend([String::new(), String::new(), String::new(), String::new()]);
    cells
}

/// The models of a row, unless they are in its key.
fn models(by: &[Dimension], row: &SortedUsageRow) -> String {
    if by.contains(&Dimension::Model) {
        return String::new();
    }
    let names = row.document.models.keys();
    let mut models: Vec<String> = names.map(|model| usage::normalized_model(model)).collect();
    models.dedup();
    models.join(", ")
}

/// The largest row, by cost, or by tokens if no row has a price.
struct Largest {
    cost: i128,
    tokens: u64,
}

impl Largest {
    fn of(rows: &[SortedUsageRow]) -> Self {
        Largest {
            cost: rows.iter().map(|row| row.sums.cost.0).max().unwrap_or(0),
            tokens: rows.iter().map(|row| row.sums.counters.total()).max().unwrap_or(0),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "a picture of a share")]
    fn share(&self, sums: &Sums) -> f64 {
        if self.cost > 0 {
            sums.cost.0 as f64 / self.cost as f64
        } else {
            sums.counters.total() as f64 / self.tokens.max(1) as f64
        }
    }
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
        Dimension::Block => "BEGIN",
        Dimension::App => "APP",
        Dimension::Owner => "OWNER",
        Dimension::Team => "TEAM",
        Dimension::CostCenter => "COST CENTER",
    };
    let column = Column::new(title).style(Style::Accent);
    match by {
        Dimension::Project | Dimension::Worktree => column.shrinks_to(16).keeps_end(),
        // Names of models differ at their end.
        Dimension::Model => column.shrinks_to(26),
        Dimension::Branch | Dimension::Agent => column.shrinks_to(20),
        Dimension::Turn => column.drop_order(0),
        _ => column,
    }
}

fn key_cell(input: &ReportInput<'_>, by: Dimension, value: Option<String>) -> String {
    let Some(value) = value else {
        let is_charged = matches!(by, Dimension::Team | Dimension::CostCenter);
        return if is_charged { "(none)" } else { "(unknown)" }.to_owned();
    };
    let moment = |text: &str| {
        let time = text.parse().ok()?;
        Some(render::time::moment(time, &input.context.settings.zone))
    };
    match by {
        Dimension::Session => document::short_id(&value).to_owned(),
        // Without the seconds: those of blocks are zero unless a limit recorded them, and
        // prompts are minutes apart.
        Dimension::Turn | Dimension::Block => {
            moment(&value).unwrap_or(value).chars().take(16).collect()
        }
        Dimension::Project | Dimension::Worktree => input.context.short_path(&value),
        Dimension::Hour if !occurs_twice(input, &value) => value.chars().take(16).collect(),
        _ => value,
    }
}

/// Whether an hour occurs twice because the clock went back: then its offset is
/// shown.
fn occurs_twice(input: &ReportInput<'_>, hour: &str) -> bool {
    let local: Option<jiff::civil::DateTime> = hour.get(..16).and_then(|text| text.parse().ok());
    local.is_some_and(|local| {
        input.context.settings.zone.to_ambiguous_timestamp(local).is_ambiguous()
    })
}

/// The end of a block: the time of day, because it is five hours after the beginning.
fn block_end(input: &ReportInput<'_>, block: &UsageBlockDocument) -> String {
    let Ok(end) = block.end.parse::<Timestamp>() else { return String::new() };
    end.to_zoned(input.context.settings.zone.clone()).strftime("%H:%M").to_string()
}

fn time_left(block: &UsageBlockDocument) -> Option<String> {
    block.seconds_left.map(|left| render::time::span(SignedDuration::from_mins(left / 60)))
}

fn rate(block: &UsageBlockDocument) -> Option<String> {
    let rate = u64::try_from(block.tokens_per_minute?).unwrap_or(0);
    Some(format!("{}/min", render::count(rate)))
}

fn projection(block: &UsageBlockDocument) -> Option<String> {
    block.projected_cost_usd.as_deref().and_then(PicoUsd::parse).map(render::money)
}

fn sums_cells(sums: &Sums) -> [String; 7] {
    let counters = &sums.counters;
    [
        sums.calls.to_string(),
        render::count(counters.input),
        render::count(counters.output),
        render::count(counters.write_5m.saturating_add(counters.write_1h)),
        render::count(counters.read),
        render::count(counters.total()),
        sums.hit_rate().map(render::percent).unwrap_or_default(),
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
