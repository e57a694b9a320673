//! `annals usage --explain`: how the figures are calculated.

use super::rows::ReportInput;
use super::text::counted;
use crate::context::Context;
use crate::failure::{CliError, report_read_errors};
use crate::output::Format;
use document::answers::{UsageComparison, usage_calls};
use document::{UsageCallDocument, unpriced};
use library::progress::NoProgress;
use library::usage::UsageOptions;
use render::{Column, Style, Table};

/// The explanation of all figures.
pub(super) fn text(
    context: &Context,
    input: &ReportInput<'_>,
    explained: Option<&UsageComparison>,
) -> String {
    let calls = &input.source.calls;
    let total = &input.report.report.total.sums;
    let paint = context.output.paint;
    let heading = |text: &str| format!("{}\n", paint.paint(Style::Heading, text));
    let mut text = heading("Lines and calls");
    let mut table = Table::new(vec![Column::new("WHAT"), Column::new("COUNT").right()]);
    let duplicates = &calls.duplicates;
    let advice = calls.calls.iter().filter(|call| call.is_advisor_call).count();
    let rows = [
        ("lines about calls", calls.tally.lines),
        ("calls", calls.calls.len() as u64),
        ("… synthetic, not counted", input.report.synthetic),
        ("… advisor calls, recorded in lines of other calls", advice as u64),
        ("repeated while streaming", duplicates.streaming),
        ("copied by forks", duplicates.fork),
        ("copied by resumed sessions", duplicates.resume_copy),
        ("replayed", duplicates.replay),
        ("repeated as progress", duplicates.progress),
        ("unreadable lines", calls.tally.damaged),
        ("lines with implausible counts or times", calls.tally.odd),
    ];
    for (what, count) in rows {
        table.row([what.to_owned(), render::grouped(count)]);
    }
    text += &table.render(context.output.width(), paint);
    text += &unread(context, input);
    text += &format!("\n{}", heading("Compared with a plain sum of all lines"));
    let naive = &calls.tally.naive;
    let counters = &total.counters;
    let mut table = Table::new(vec![
        Column::new("WHAT"),
        Column::new("CALLS").right(),
        Column::new("PLAIN SUM").right(),
        Column::new("EXCESS").right(),
    ]);
    let rows = [
        ("input", counters.input, naive.input),
        ("output", counters.output, naive.output),
        (
            "cache written",
            counters.write_5m.saturating_add(counters.write_1h),
            naive.write_5m.saturating_add(naive.write_1h),
        ),
        ("cache read", counters.read, naive.read),
    ];
    for (what, own, naive) in rows {
        #[expect(clippy::cast_precision_loss, reason = "a share")]
        let wrong = (naive as f64 - own as f64) / (own.max(1) as f64);
        table.row([
            what.to_owned(),
            render::grouped(own),
            render::grouped(naive),
            render::percent(wrong),
        ]);
    }
    table.row([
        "cost".to_owned(),
        super::text::money(total),
        render::money(input.report.naive_cost),
        String::new(),
    ]);
    text += &table.render(context.output.width(), paint);
    text += &unknown(context, input);
    text += &explained.map(|explained| reconciled(context, explained)).unwrap_or_default();
    let models = input.report.report.total.models.keys().map(String::as_str);
    let sources = input.options.prices.sources(models).join("; ");
    text += &format!("\n{}\n", paint.paint(Style::Dim, &format!("Prices: {sources}")));
    text
}

/// How many unreadable lines are listed.
const PLACES: usize = 20;

/// The lines that could not be counted, or only in part.
fn unread(context: &Context, input: &ReportInput<'_>) -> String {
    let places = &input.source.calls.unread;
    if places.is_empty() {
        return String::new();
    }
    let paint = context.output.paint;
    let mut text =
        format!("\n{}\n", paint.paint(Style::Heading, "Unreadable or partly readable lines"));
    for (file, offset) in places.iter().take(PLACES) {
        let file = usize::try_from(*file).ok().and_then(|place| input.source.files.get(place));
        let path = file.map(|file| file.path.to_string_lossy().into_owned()).unwrap_or_default();
        let line = format!("{} at byte {offset}", context.short_path(&path));
        text += &format!("{}\n", paint.paint(Style::Warning, &render::untrusted::line(&line)));
    }
    if let Some(more) = places.len().checked_sub(PLACES).filter(|more| *more > 0) {
        text += &format!("{}\n", paint.paint(Style::Dim, &format!("and {more} more")));
    }
    text
}

fn unknown(context: &Context, input: &ReportInput<'_>) -> String {
    let paint = context.output.paint;
    let models = input
        .report
        .unknown_models
        .iter()
        .map(|(model, calls)| format!("model {model}: {}", counted(*calls, "call")));
    let others = input.report.unpriced.iter().map(unpriced);
    let lines: Vec<String> = models.chain(others).collect();
    if lines.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{}\n", paint.paint(Style::Heading, "No price known"));
    for line in lines {
        text += &format!("{}\n", paint.paint(Style::Warning, &render::untrusted::line(&line)));
    }
    text
}

fn reconciled(context: &Context, explained: &UsageComparison) -> String {
    let paint = context.output.paint;
    let mut text = String::new();
    if !explained.sessions.is_empty() {
        text += &format!(
            "\n{}\n",
            paint.paint(Style::Heading, "Compared with Claude Code's own cost-state")
        );
        let mut table = Table::new(vec![
            Column::new("SESSION").style(Style::Id),
            Column::new("APP").right(),
            Column::new("ANNALS").right(),
            Column::new("DIFFERENCE").right(),
        ]);
        for session in &explained.sessions {
            table.row([
                session.session_id.clone(),
                render::money(session.logged),
                render::money(session.counted),
                render::money(session.difference),
            ]);
        }
        text += &table.render(context.output.width(), paint);
    }
    if !explained.stats_cache.is_empty() {
        text += &format!(
            "\n{}\n",
            paint.paint(Style::Heading, "Compared with Claude Code's stats-cache.json")
        );
        let mut table = Table::new(vec![
            Column::new("MODEL"),
            Column::new("CLAIMED").right(),
            Column::new("COUNTED").right(),
            Column::new("COMPUTED"),
        ]);
        for stats in &explained.stats_cache {
            table.row([
                stats.model.clone(),
                render::grouped(stats.claimed_tokens),
                render::grouped(stats.counted_tokens),
                stats.last_computed_date.clone().unwrap_or_default(),
            ]);
        }
        text += &table.render(context.output.width(), paint);
    }
    text
}

/// The explanation of one call: its lines, the chosen line, its price.
pub(super) fn call(context: &Context, id: &str, options: &UsageOptions) -> anyhow::Result<()> {
    let (document, read_errors) = usage_calls(&context.library, id, options, &NoProgress);
    report_read_errors(&read_errors);
    if document.calls.is_empty() {
        return Err(CliError::NotFound(format!("no call matches {id:?}")).into());
    }
    if context.output.format == Format::Json {
        return context.output.json(&document);
    }
    let text: String = document.calls.iter().map(|call| call_text(context, call)).collect();
    context.output.text(&text)
}

fn call_text(context: &Context, call: &UsageCallDocument) -> String {
    let paint = context.output.paint;
    let safe = |text: &str| render::untrusted::line(text).into_owned();
    let mut text = format!("{}\n", paint.paint(Style::Heading, &safe(&call.call)));
    let model = call.model.as_deref().unwrap_or("(no model)");
    let request = call.request.as_deref().unwrap_or("(no request)");
    text += &format!("{}\n\n", paint.paint(Style::Dim, &safe(&format!("{model} · {request}"))));
    let mut table = Table::new(vec![
        Column::new(""),
        Column::new("WHEN").style(Style::Dim).drop_order(1),
        Column::new("OUTPUT").right(),
        Column::new("TOTAL").right(),
        Column::new("NOTE").style(Style::Warning),
        Column::new("LINE").shrinks_to(20).keeps_end(),
    ]);
    for line in &call.lines {
        let notes = [
            (line.is_sidechain, "sidechain"),
            (line.is_fork, "fork"),
            (line.is_background, "background"),
            (line.is_progress, "progress"),
        ];
        let notes: Vec<&str> =
            notes.iter().filter(|(holds, _)| *holds).map(|(_, name)| *name).collect();
        let when = line.timestamp.map(|time| render::time::moment(time.0, &context.settings.zone));
        table.row([
            if line.is_chosen { "→".to_owned() } else { String::new() },
            when.unwrap_or_default(),
            render::grouped(line.output_tokens),
            render::grouped(line.total_tokens),
            notes.join(", "),
            format!("{} at byte {}", line.path, line.offset),
        ]);
    }
    text += &table.render(context.output.width(), paint);
    text.push('\n');
    let mut table = Table::new(vec![
        Column::new("PART"),
        Column::new("COUNT").right(),
        Column::new("USD EACH").right(),
        Column::new("USD").right(),
    ]);
    for part in &call.parts {
        table.row([
            part.what.to_string(),
            render::grouped(part.count),
            part.rate_usd.clone(),
            part.amount_usd.clone(),
        ]);
    }
    if !table.is_empty() {
        text += &table.render(context.output.width(), paint);
    }
    if call.is_long_context {
        text += "Long-context prices apply.\n";
    }
    for factor in &call.factors {
        text += &format!("× {} ({})\n", factor.factor, factor.why);
    }
    let cost = call.cost_usd.as_deref().unwrap_or("?");
    text += &format!("{}\n", paint.paint(Style::Good, &format!("= {cost} USD")));
    if let Some(why) = &call.unpriced {
        text += &format!("{}\n", paint.paint(Style::Warning, &safe(&format!("? {why}"))));
    }
    text + "\n"
}
