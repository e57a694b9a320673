//! `usage_report`: what was used, and what it would cost.

use super::Outcome;
use crate::answer::{Answer, Complaint, Heading};
use crate::arguments::{Arguments, CURSOR};
use crate::cursor;
use crate::desk::{Desk, say_troubles};
use library::{Dimension, NoProgress, UsageOptions};

pub(crate) const NAME: &str = "usage_report";

/// What calls can be grouped by.
pub(crate) const WAYS: [&str; 12] = [
    "day", "week", "month", "hour", "session", "project", "model", "branch", "agent", "tool",
    "skill", "mcp",
];

pub(crate) fn run(desk: &Desk<'_>, arguments: &Arguments) -> Outcome {
    let name = arguments.text("by").unwrap_or("day");
    let by = Dimension::ALL.into_iter().find(|way| way.name() == name);
    let by = by.ok_or_else(|| Complaint::new("by is no way of grouping"))?;
    let mut filter = desk.filter(arguments)?;
    filter.model = arguments.text("model").map(str::to_owned);
    let options = UsageOptions::new(vec![by], filter, desk.settings.zone.clone());
    let hurry = desk.hurry();
    let mut source = desk.library.usage().read(options.needs_sessions(), &hurry);
    let unread = hurry.left_out();
    if options.needs_agents() {
        desk.library.usage().name_agents(&mut source, &hurry);
    }
    let report = desk.library.usage().report(&source, &options, &NoProgress);
    let mut answer = desk.answer(arguments)?;
    let mut rows: Vec<(String, _)> = report
        .report
        .rows
        .iter()
        .map(|(key, row)| {
            let key = key.first().cloned().flatten();
            (key.unwrap_or_else(|| "(unknown)".to_owned()), &row.sums)
        })
        .collect();
    // The newest days, the dearest of everything else.
    if by.is_time() {
        rows.sort_by(|(one, _), (two, _)| two.cmp(one));
    } else {
        rows.sort_by(|(one, own), (two, other)| {
            (other.cost, one.as_str()).cmp(&(own.cost, two.as_str()))
        });
    }
    let total = &report.report.total.sums;
    answer.say(&format!(
        "Total: {}, {} tokens in, {} out, {} written to the cache, {} read from it; {} at the API's prices{}. Money is API-equivalent, not what a subscription costs. Days are in {}.",
        render::counted(usize::try_from(total.calls).unwrap_or(usize::MAX), "call"),
        render::count(total.counters.input),
        render::count(total.counters.output),
        render::count(total.counters.write_5m.saturating_add(total.counters.write_1h)),
        render::count(total.counters.read),
        render::money(total.cost),
        if total.unpriced > 0 { format!(" ({} calls have no price)", total.unpriced) } else { String::new() },
        render::time::zone_name(&desk.settings.zone),
    ));
    // Not how many: they are those of the whole store, whatever the scope.
    if unread > 0 {
        answer.say(
            "Not everything could be read in time: what the oldest transcripts say is missing.",
        );
    } else if hurry.left_out() > 0 {
        answer.say("Not every sub-agent could be looked up in time: some types are missing.");
    }
    say_troubles(&mut answer, &source.troubles);
    let mut first = 0;
    if let Some(text) = arguments.text(CURSOR.name) {
        let [own, key] = cursor::open::<2>(NAME, text)?;
        let place = rows.iter().position(|(row, _)| cursor::short(row) == key);
        let Some(place) = place.filter(|_| own == name) else {
            let text = "the cursor is one of another report: begin again without it";
            return Err(Complaint::new(text));
        };
        first = place + 1;
    }
    let lines = rows.iter().skip(first).map(|(key, sums)| {
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
    let told = tell(&mut answer, name, &lines);
    let mut ending = Vec::new();
    let left = lines.len() - told;
    if left > 0
        && let Some((last, _)) = (first + told).checked_sub(1).and_then(|last| rows.get(last))
    {
        let next = cursor::seal(NAME, &[name, &cursor::short(last)]);
        ending.push(format!("{left} more rows: {}", arguments.next(NAME, None, &next)));
    }
    Ok(answer.finish(&ending))
}

/// Quotes as many rows as there is room for.
fn tell(answer: &mut Answer, name: &str, lines: &[String]) -> usize {
    let columns = format!("{name} | calls | input | output | cache written | cache read | cost");
    let heading =
        Heading::default().with("role", "usage".to_owned()).within("columns", columns, 40);
    let mut count = lines.len();
    while count > 0 {
        if answer.quote(&heading, &lines[..count].join("\n")) {
            return count;
        }
        // Fewer, until they fit.
        count = count * 4 / 5;
    }
    0
}
