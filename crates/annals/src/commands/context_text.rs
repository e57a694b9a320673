//! `annals context` for people: bars, a sparkline over the calls, three tables.

use crate::context::Context;
use conversation::ContextUsage;
use conversation::context_usage::{IMAGE_TOKENS, Size};
use document::share;
use library::catalog::FoundSession;
use library::sessions::LineTurns;
use library::window_limit::WindowLimits;
use render::{Column, Style, Table, bar, grouped, percent};

/// The width without a terminal.
const WIDTH: usize = 100;

/// How many parts of a category, and how many rows of a table, are shown.
const MOST_PARTS: usize = 6;
const MOST_ROWS: usize = 10;

pub(crate) fn text(
    context: &Context,
    found: &FoundSession,
    usage: &ContextUsage,
    turns: &LineTurns,
    limits: &WindowLimits<'_>,
) -> String {
    let mut text = header(context, found, usage, limits);
    text += &calls(context, usage);
    text += &categories(context, usage);
    text += &largest(context, found, usage, turns);
    text += &repeated_reads(context, found, usage);
    text += &expiries(context, usage, turns);
    text
}

fn header(
    context: &Context,
    found: &FoundSession,
    usage: &ContextUsage,
    limits: &WindowLimits<'_>,
) -> String {
    let paint = context.output.paint;
    let safe = |text: &str| render::untrusted::line(text).into_owned();
    let heading = found.session.heading().map_or_else(|| "(untitled)".to_owned(), safe);
    let heading = context.output.hanging(&heading, 0);
    let mut text = format!("{}\n", paint.paint(Style::Heading, &heading));
    text += &paint.paint(Style::Id, &safe(&found.session.id));
    if let Some(agent) = &found.agent {
        text += &format!(" · agent {}", paint.paint(Style::Id, &safe(&agent.id)));
    }
    text += "\n\n";
    if usage.calls.is_empty() {
        return text + "No API calls.\n";
    }
    let mut line = |name: &str, value: String| {
        let line = format!("{}  {value}\n", paint.paint(Style::Dim, &format!("{name:<7}")));
        text += &context.output.hanging(&line, 9);
    };
    line("window", document::window_summary(usage, limits));
    let calls = grouped(usage.calls.len() as u64);
    line(
        "calls",
        match usage.generations.len() {
            0 | 1 => calls,
            2 => format!("{calls}, compacted once"),
            several => format!("{calls}, compacted {} times", several - 1),
        },
    );
    if let Some(rate) = usage.cache.hit_rate() {
        line("cache", format!("{} of all input was read from the cache", percent(rate)));
    }
    text
}

/// The window call by call.
fn calls(context: &Context, usage: &ContextUsage) -> String {
    if usage.calls.len() < 2 {
        return String::new();
    }
    let paint = context.output.paint;
    let width = context.output.width().unwrap_or(WIDTH);
    let windows: Vec<u64> =
        usage.calls.iter().map(conversation::context_usage::Call::window).collect();
    let line = render::sparkline(&windows, usage.peak_window(), width);
    let title = title(context, "Context window by call");
    format!("{title}{}\n", paint.paint(Style::Accent, &line))
}

fn categories(context: &Context, usage: &ContextUsage) -> String {
    let whole = usage.estimated_tokens();
    if whole == 0 {
        return String::new();
    }
    let width = context.output.width().unwrap_or(WIDTH);
    let bar_width = width.saturating_sub(50).clamp(6, 50);
    let mut table = Table::new(vec![
        Column::new("WHAT").shrinks_to(14),
        Column::new("").style(Style::Accent).drop_order(1),
        Column::new("SHARE").right(),
        Column::new("TOKENS").right(),
        Column::new("ITEMS").right().style(Style::Dim).drop_order(2),
    ]);
    let mut row = |name: String, size: Size| {
        let share = share(size.tokens, whole);
        table.row([
            name,
            bar(share, bar_width),
            percent(share),
            grouped(size.tokens),
            size.count.to_string(),
        ]);
    };
    for category in &usage.categories {
        row(worded(category.category.name()), category.size);
        for (name, size) in category.parts.iter().take(MOST_PARTS) {
            row(format!("· {}", worded_part(name)), *size);
        }
        let rest = category.parts.get(MOST_PARTS..).unwrap_or_default();
        if !rest.is_empty() {
            let tokens = rest.iter().map(|(_, size)| size.tokens).fold(0, u64::saturating_add);
            let count = rest.iter().map(|(_, size)| size.count).sum();
            row(format!("· {} more", rest.len()), Size { tokens, count, bytes: 0 });
        }
    }
    let how = if usage.is_measured { "measured in this session" } else { "assumed" };
    let note = format!(
        "Estimated total: {} tokens, at {:.1} characters per token ({how}) and {} tokens per image",
        grouped(whole),
        usage.characters_per_token,
        grouped(IMAGE_TOKENS),
    );
    let note = context.output.paint.paint(Style::Dim, &note) + "\n";
    title(context, "Current content")
        + &table.render(context.output.width(), context.output.paint)
        + &context.output.hanging(&note, 2)
}

fn largest(
    context: &Context,
    found: &FoundSession,
    usage: &ContextUsage,
    turns: &LineTurns,
) -> String {
    let mut table = Table::new(vec![
        Column::new("TOKENS").right(),
        Column::new("BYTES").right().drop_order(2),
        Column::new("TURN").right().style(Style::Dim),
        Column::new("WHAT").drop_order(3),
        Column::new("NAME").shrinks_to(10).drop_order(1),
        Column::new("LABEL").shrinks_to(16),
    ]);
    for contribution in &usage.largest {
        table.row([
            grouped(contribution.size.tokens),
            render::bytes(contribution.size.bytes),
            turn_at(turns, contribution.line),
            worded(contribution.category.name()),
            contribution.name.clone().unwrap_or_default(),
            near(context, found, &contribution.label),
        ]);
    }
    titled(context, "Largest items (estimated)", &table)
}

fn repeated_reads(context: &Context, found: &FoundSession, usage: &ContextUsage) -> String {
    let mut table = Table::new(vec![
        Column::new("READ").right(),
        Column::new("REPEATED").right(),
        Column::new("TOKENS").right(),
        Column::new("BYTES").right().drop_order(1),
        Column::new("FILE").shrinks_to(16).keeps_end(),
    ]);
    for read in usage.repeated_reads.iter().take(MOST_ROWS) {
        table.row([
            format!("{} times", read.reads),
            read.repeated.count.to_string(),
            grouped(read.repeated.tokens),
            render::bytes(read.repeated.bytes),
            near(context, found, &read.path),
        ]);
    }
    let all = usage.repeated_reads.len();
    titled(
        context,
        "Files read more than once (REPEATED: reads whose content was read again later)",
        &table,
    ) + &more(context, all, "files")
}

fn expiries(context: &Context, usage: &ContextUsage, turns: &LineTurns) -> String {
    let mut table = Table::new(vec![
        Column::new("WHEN"),
        Column::new("CAUSE"),
        Column::new("GAP").right(),
        Column::new("BEFORE").right().drop_order(1),
        Column::new("READ").right().drop_order(2),
        Column::new("WRITTEN AGAIN").right(),
        Column::new("TURN").right().style(Style::Dim).drop_order(3),
    ]);
    for expiry in usage.cache.expiries.iter().take(MOST_ROWS) {
        table.row([
            expiry
                .timestamp
                .map(|time| render::time::moment(time, &context.settings.zone))
                .unwrap_or_default(),
            worded(expiry.cause.name()),
            expiry.gap.map(render::time::span).unwrap_or_default(),
            grouped(expiry.previous_window),
            grouped(expiry.read_tokens),
            grouped(expiry.written_tokens),
            turn_at(turns, expiry.line),
        ]);
    }
    let zone = render::time::zone_name(&context.settings.zone);
    titled(context, &format!("Cache misses (times in {zone})"), &table)
        + &more(context, usage.cache.expiries.len(), "cache misses")
}

/// The turn of a line.
fn turn_at(turns: &LineTurns, line: u64) -> String {
    turns.at_line(line).map(|turn| turn.to_string()).unwrap_or_default()
}

/// A path relative to the session's folder; other text unchanged.
fn near(context: &Context, found: &FoundSession, label: &str) -> String {
    let below = |folder: &str| label.strip_prefix(folder)?.strip_prefix(['/', '\\']);
    match found.session.metadata.cwd.as_deref().and_then(below) {
        Some(path) if !path.is_empty() => path.to_owned(),
        _ => context.short_path(label),
    }
}

fn title(context: &Context, title: &str) -> String {
    format!("\n{}\n", context.output.paint.paint(Style::Heading, title))
}

fn titled(context: &Context, name: &str, table: &Table) -> String {
    if table.is_empty() {
        return String::new();
    }
    title(context, name) + &table.render(context.output.width(), context.output.paint)
}

/// The note below a table that does not show all rows.
fn more(context: &Context, all: usize, what: &str) -> String {
    if all <= MOST_ROWS {
        return String::new();
    }
    let note = format!("Showing {MOST_ROWS} of {all} {what} (--json shows all)");
    context.output.paint.paint(Style::Dim, &note) + "\n"
}

fn worded(name: &str) -> String {
    name.replace('_', " ")
}

/// Names of tools stay as they are; the name that annals adds becomes words.
fn worded_part(name: &str) -> String {
    if name == "not_in_transcript" { "not in the transcript".to_owned() } else { name.to_owned() }
}
