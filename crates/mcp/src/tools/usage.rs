//! `usage_report`: tokens, and what they would cost at API prices.

use super::Outcome;
use crate::answer::{Answer, Heading, ToolError};
use crate::arguments::{Arguments, CURSOR};
use crate::cursor;
use crate::tool_context::{ToolContext, check_in_time, note_unread_files};
use document::answers::{UsageAnswer, UsageRequest, read_usage};
use library::progress::NoProgress;
use library::usage::{Budget, Dimension, UsageOptions};

pub(crate) const NAME: &str = "usage_report";

/// The dimensions by which calls can be grouped.
pub(crate) const GROUPINGS: [&str; 12] = [
    "day", "week", "month", "hour", "session", "project", "model", "branch", "agent", "tool",
    "skill", "mcp",
];

pub(crate) fn run(context: &ToolContext<'_>, arguments: &Arguments) -> Outcome {
    let name = arguments.text("by").unwrap_or("day");
    let by = Dimension::ALL.into_iter().find(|dimension| dimension.name() == name);
    let by = by.ok_or_else(|| ToolError::new("by is not a known dimension"))?;
    let mut filter = context.filter(arguments)?;
    filter.model = arguments.text("model").map(str::to_owned);
    let request = UsageRequest {
        options: UsageOptions::new(vec![by], filter, context.settings.zone.clone()),
        limit: None,
        budget: Budget::default(),
        now: context.now,
        compares: false,
        with_models: false,
        explains: false,
    };
    let (reading, naming) = (context.limits(), context.limits());
    let source = read_usage(&context.library, &request, &reading, &naming);
    check_in_time(&reading)?;
    check_in_time(&naming)?;
    let report = UsageAnswer::new(&context.library, &source, &request, &NoProgress);
    let mut answer = context.answer(arguments)?;
    let rows = report.rows.iter().map(|row| {
        let key = row.values.first().cloned().flatten();
        (key.unwrap_or_else(|| "(unknown)".to_owned()), &row.sums)
    });
    let rows: Vec<(String, _)> = rows.collect();
    let report = &report.report;
    let total = &report.report.total.sums;
    answer.note(&format!(
        "Total: {}, {} input tokens, {} output, {} cache write, {} cache read; {} at API prices{}. Costs are API-equivalent, not what a subscription costs. Time zone: {}.",
        render::counted(usize::try_from(total.calls).unwrap_or(usize::MAX), "call"),
        render::count(total.counters.input),
        render::count(total.counters.output),
        render::count(total.counters.write_5m.saturating_add(total.counters.write_1h)),
        render::count(total.counters.read),
        render::money(total.cost),
        if total.unpriced > 0 { format!(" ({} calls have no price)", total.unpriced) } else { String::new() },
        render::time::zone_name(&context.settings.zone),
    ));
    // Without their number: it would count the whole store, not only the scope.
    if reading.left_out() > 0 {
        answer.note(
            "Not everything was read: usage from the oldest or largest transcripts is missing. To see it, pass since and until.",
        );
    } else if naming.left_out() > 0 {
        answer.note("Not every sub-agent was looked up: some agent types are missing.");
    }
    note_unread_files(&mut answer, &source.read_errors);
    let mut rest = &rows[..];
    if let Some(text) = arguments.text(CURSOR.name) {
        let [dimension, key] = cursor::decode::<2>(NAME, text)?;
        let index = rows.iter().position(|(row, _)| cursor::short_hash(row) == key);
        let Some(index) = index.filter(|_| dimension == name) else {
            let text = "this cursor belongs to another report: omit it to start again";
            return Err(ToolError::new(text));
        };
        rest = if by.is_time() { &rows[..index] } else { &rows[index + 1..] };
    }
    let lines = rest.iter().map(|(key, sums)| {
        let written = sums.counters.write_5m.saturating_add(sums.counters.write_1h);
        format!(
            "{} | {} | {} | {} | {} | {} | {}",
            answer.word(key),
            sums.calls,
            render::count(sums.counters.input),
            render::count(sums.counters.output),
            render::count(written),
            render::count(sums.counters.read),
            render::money(sums.cost),
        )
    });
    let lines: Vec<String> = lines.collect();
    // The first page has what a limit keeps: the newest days.
    let part = |count: usize| {
        if by.is_time() { lines.len() - count..lines.len() } else { 0..count }
    };
    let shown = quote_rows(&mut answer, name, lines.len(), |count| lines[part(count)].join("\n"));
    let mut ending = Vec::new();
    let left = lines.len() - shown;
    let last = if by.is_time() { left } else { shown.wrapping_sub(1) };
    if let Some((last, _)) = rest.get(last).filter(|_| left > 0 && shown > 0) {
        let next = cursor::encode(NAME, &[name, &cursor::short_hash(last)]);
        let which = if by.is_time() { "earlier" } else { "more" };
        ending.push(format!("{left} {which} rows: {}", arguments.next(NAME, None, &next)));
    }
    Ok(answer.finish(&ending))
}

/// Quotes as many rows as fit into the budget, and returns their number.
fn quote_rows(
    answer: &mut Answer,
    name: &str,
    all: usize,
    rows: impl Fn(usize) -> String,
) -> usize {
    let columns = format!("{name} | calls | input | output | cache written | cache read | cost");
    let heading =
        Heading::default().with("role", "usage".to_owned()).within("columns", columns, 40);
    let mut count = all;
    while count > 0 {
        if answer.quote(&heading, &rows(count)) {
            return count;
        }
        // Try again with fewer rows.
        count = count * 4 / 5;
    }
    0
}
