//! The notes below a usage report: what the figures are, what is missing from them.

use super::rows::ReportInput;
use super::text::counted;
use crate::zone;
use document::{UsageBlockDocument, unpriced};
use library::usage::{Dimension, UsageReport};
use render::Style;
use usage::{PicoUsd, Sums};

/// The notes below a report, wrapped to the width of the terminal.
pub(super) fn notes(input: &ReportInput<'_>, active: Option<&UsageBlockDocument>) -> String {
    let mut notes = vec![(Style::Dim, figures(input))];
    notes.extend(active.map(|block| (Style::Plain, active_block(input, block))));
    if input.options.by.contains(&Dimension::Tool) {
        let note = "The cost of each call is split between the tools it called.";
        notes.push((Style::Dim, note.to_owned()));
    }
    if input.options.by.contains(&Dimension::Block) {
        let note = "Blocks begin with their first call, rounded down to the hour, unless a recorded limit gives the reset time.";
        notes.push((Style::Dim, note.to_owned()));
    }
    notes.extend(reported(input.report).map(|note| (Style::Dim, note)));
    notes.extend(of_others(input).map(|note| (Style::Dim, note)));
    for (model, calls) in &input.report.unknown_models {
        let calls = counted(*calls, "call");
        let note = format!("? {calls} to {model}: price unknown (--prices FILE adds prices)");
        notes.push((Style::Warning, note));
    }
    for reason in &input.report.unpriced {
        notes.push((Style::Warning, format!("? {}", unpriced(reason))));
    }
    notes.extend(unread(input).map(|note| (Style::Warning, note)));
    let output = &input.context.output;
    let mut text = String::new();
    for (style, note) in notes {
        for line in output.hanging(&render::untrusted::line(&note), 2).lines() {
            text += &format!("{}\n", output.paint.paint(style, line));
        }
    }
    text
}

/// What the figures are. Nothing is said about amounts of zero.
fn figures(input: &ReportInput<'_>) -> String {
    let zone = render::time::zone_name(&input.context.settings.zone);
    let has_days = input.options.by.iter().any(|by| by.is_time());
    let days = if has_days { format!("; days in {zone}") } else { String::new() };
    let saved = cache(&input.report.report.total.sums);
    match &input.context.lake {
        None => format!("Costs at API prices, from the transcripts{days}.{saved}"),
        Some(lake) => {
            let age = render::time::ago(
                lake.view.as_of,
                input.context.settings.now,
                &input.context.settings.zone,
            );
            format!(
                "Costs at API prices, from the lake as it was {age}, not an invoice{days}.{saved}"
            )
        }
    }
}

/// Which part of the cost comes from apps and not from prices.
fn reported(report: &UsageReport) -> Option<String> {
    let apps: Vec<&str> = report.reported_by.iter().map(|app| app.title()).collect();
    let (last, before) = apps.split_last()?;
    let apps = match before {
        [] => (*last).to_owned(),
        before => format!("{} and {last}", before.join(", ")),
    };
    let cost = render::money(report.report.total.sums.logged);
    Some(format!("{cost} of the cost is as reported by {apps}, not calculated from prices."))
}

/// What is known of other people.
fn of_others(input: &ReportInput<'_>) -> Option<String> {
    let sums = &input.context.library.catalog().lake()?.sums;
    if sums.is_empty() {
        return None;
    }
    let people = counted(sums.len() as u64, "other person").replace("persons", "people");
    let is_utc = zone::is_utc(&input.context.settings.zone);
    let days = if is_utc { "" } else { ", and their days are those of UTC" };
    Some(format!(
        "Of {people} the lake has sums by day, project and model{days}; cache savings are your own."
    ))
}

fn cache(total: &Sums) -> String {
    let mut clauses = Vec::new();
    if total.saved > PicoUsd::ZERO {
        clauses.push(format!("caching saved {}", render::money(total.saved)));
    } else if total.saved < PicoUsd::ZERO {
        let extra = PicoUsd(total.saved.0.saturating_neg());
        clauses.push(format!("caching cost {} more than it saved", render::money(extra)));
    }
    if total.expired_tokens > 0 {
        clauses.push(format!(
            "expired caches cost {} ({} tokens written again)",
            render::money(total.expired),
            render::count(total.expired_tokens)
        ));
    }
    let sentence = clauses.join("; ");
    match sentence.split_at_checked(1) {
        Some((first, rest)) => format!(" {}{rest}.", first.to_uppercase()),
        None => String::new(),
    }
}

/// The block that has not ended: what is left of it, and where it is heading.
fn active_block(input: &ReportInput<'_>, block: &UsageBlockDocument) -> String {
    let mut note = "Active block".to_owned();
    if let Some(left) = block.seconds_left {
        let left = jiff::SignedDuration::from_secs(left);
        note += &format!(": {} left", render::time::span(left));
    }
    if let Ok(end) = block.end.parse() {
        let end = jiff::Timestamp::to_zoned(end, input.context.settings.zone.clone());
        note += &format!(", until {}", end.strftime("%H:%M"));
    }
    let dollars = |text: &Option<String>| text.as_deref().and_then(PicoUsd::parse);
    if let Some(rate) = block.tokens_per_minute {
        let rate = render::count(u64::try_from(rate).unwrap_or(0));
        let hourly = dollars(&block.cost_per_hour_usd).map(render::money).unwrap_or_default();
        note += &format!("; {rate} tokens per minute, {hourly} per hour");
    }
    if let Some(tokens) = block.projected_tokens {
        let tokens = render::count(u64::try_from(tokens).unwrap_or(0));
        let cost = dollars(&block.projected_cost_usd).map(render::money).unwrap_or_default();
        note += &format!("; {tokens} tokens and {cost} at its end at this rate");
    }
    note + "."
}

/// What could not be read.
fn unread(input: &ReportInput<'_>) -> Option<String> {
    let tally = &input.source.calls.tally;
    let clauses = match (tally.damaged, tally.odd) {
        (0, 0) => return None,
        (damaged, 0) => format!("{} could not be read", counted(damaged, "line")),
        (0, odd) => format!("{} had implausible counts or times", counted(odd, "line")),
        (damaged, odd) => {
            let lines = counted(damaged, "line");
            format!("{lines} could not be read, {odd} had implausible counts or times")
        }
    };
    Some(format!("{clauses} (--explain shows details)"))
}
