//! `annals tools --stats`: statistics of calls.

use crate::context::Context;
use crate::output::{Format, Row};
use conversation::Status;
use document::{Document as _, ToolStatsDocument, ToolSumDocument};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use library::CallFact;
use render::{Column, Style, Table};
use std::collections::BTreeMap;

/// Calls of one kind.
#[derive(Clone, Debug, Default)]
struct Sum {
    calls: u64,
    errors: u64,
    denials: u64,
    interrupted: u64,
    missing: u64,
    /// How long each took, in milliseconds.
    took: Vec<u64>,
}

impl Sum {
    fn note(&mut self, status: Status, took: Option<u64>) {
        self.calls += 1;
        match status {
            Status::Ok => {}
            Status::Error => self.errors += 1,
            Status::Denied => self.denials += 1,
            Status::Interrupted => self.interrupted += 1,
            Status::Missing => self.missing += 1,
        }
        self.took.extend(took);
    }

    fn add(&mut self, other: Sum) {
        self.calls += other.calls;
        self.errors += other.errors;
        self.denials += other.denials;
        self.interrupted += other.interrupted;
        self.missing += other.missing;
        self.took.extend(other.took);
    }

    /// A percentile of the durations.
    fn percentile(&self, percent: usize) -> Option<u64> {
        let mut took = self.took.clone();
        took.sort_unstable();
        let rank = (took.len() * percent).div_ceil(100);
        took.get(rank.saturating_sub(1)).copied()
    }

    /// These calls in JSON, with what they are grouped by.
    fn document(&self, by: &'static str, name: &str) -> ToolSumDocument {
        ToolSumDocument {
            by: by.into(),
            name: name.to_owned(),
            calls: self.calls,
            errors: self.errors,
            denials: self.denials,
            interrupted: self.interrupted,
            missing: self.missing,
            p50_ms: self.percentile(50),
            p95_ms: self.percentile(95),
        }
    }
}

/// The statistics by every dimension.
#[derive(Clone, Debug, Default)]
pub(super) struct Stats {
    all: Sum,
    /// By dimension, then by name.
    by: BTreeMap<&'static str, BTreeMap<String, Sum>>,
    days: BTreeMap<Date, u64>,
    hours: BTreeMap<i8, u64>,
}

/// The dimensions, in the order they are shown.
const WAYS: [(&str, &str); 4] =
    [("tool", "TOOL"), ("agent", "AGENT"), ("skill", "SKILL"), ("mcp", "MCP SERVER")];

impl Stats {
    pub(super) fn note(&mut self, call: &CallFact<'_>, zone: &TimeZone) {
        let (status, took) = (call.status, call.milliseconds);
        self.all.note(status, took);
        let mut count = |way: &'static str, name: &str| {
            let sums = self.by.entry(way).or_default();
            match sums.get_mut(name) {
                Some(sum) => sum.note(status, took),
                None => sums.entry(name.to_owned()).or_default().note(status, took),
            }
        };
        count("tool", call.tool);
        let kind = call.agent_id.map(|_| call.agent_type.unwrap_or("(unknown)"));
        count("agent", kind.unwrap_or("(main)"));
        if let Some(skill) = call.skill {
            count("skill", skill);
        }
        if let Some((server, _)) = conversation::mcp_tool(call.tool) {
            count("mcp", server);
        }
        if let Some(time) = call.time {
            let moment = zone.to_datetime(time);
            *self.days.entry(moment.date()).or_default() += 1;
            *self.hours.entry(moment.hour()).or_default() += 1;
        }
    }

    pub(super) fn plus(mut self, other: Stats) -> Stats {
        self.all.add(other.all);
        for (way, sums) in other.by {
            let own = self.by.entry(way).or_default();
            for (name, sum) in sums {
                own.entry(name).or_default().add(sum);
            }
        }
        for (day, count) in other.days {
            *self.days.entry(day).or_default() += count;
        }
        for (hour, count) in other.hours {
            *self.hours.entry(hour).or_default() += count;
        }
        self
    }

    fn rows(&self) -> Vec<ToolSumDocument> {
        let mut rows = Vec::new();
        for (way, _) in WAYS {
            let mut sums: Vec<_> = self.by.get(way).into_iter().flatten().collect();
            sums.sort_by_key(|(name, sum)| (std::cmp::Reverse(sum.calls), name.as_str()));
            rows.extend(sums.into_iter().map(|(name, sum)| sum.document(way, name)));
        }
        rows
    }
}

impl Row for ToolSumDocument {
    const COLUMNS: &'static [&'static str] =
        &["by", "name", "calls", "errors", "denials", "interrupted", "missing", "p50_ms", "p95_ms"];

    fn cells(&self) -> Vec<String> {
        let number = |number: Option<u64>| number.map(|n| n.to_string()).unwrap_or_default();
        vec![
            self.by.to_string(),
            self.name.clone(),
            self.calls.to_string(),
            self.errors.to_string(),
            self.denials.to_string(),
            self.interrupted.to_string(),
            self.missing.to_string(),
            number(self.p50_ms),
            number(self.p95_ms),
        ]
    }
}

pub(super) fn show(context: &Context, stats: &Stats) -> anyhow::Result<()> {
    let rows = stats.rows();
    let text = if context.output.format == Format::Text {
        text(context, stats, &rows)
    } else {
        String::new()
    };
    let hours = (0..24).map(|hour| stats.hours.get(&hour).copied().unwrap_or_default());
    context.output.rows(
        rows,
        |rows| ToolStatsDocument {
            schema: ToolStatsDocument::SCHEMA.into(),
            timezone: render::time::zone_name(&context.zone),
            total: stats.all.document("total", ""),
            rows,
            days: stats.days.iter().map(|(day, count)| (day.to_string(), *count)).collect(),
            hours: hours.collect(),
        },
        || text,
    )
}

/// The last days that are shown on a terminal.
const DAYS: usize = 14;

fn text(context: &Context, stats: &Stats, rows: &[ToolSumDocument]) -> String {
    if stats.all.calls == 0 {
        return "No calls.\n".to_owned();
    }
    let paint = context.output.paint;
    let width = context.output.width();
    let mut text = String::new();
    for (way, title) in WAYS {
        let of_way: Vec<_> = rows.iter().filter(|row| row.by == way).collect();
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
fn activity(context: &Context, stats: &Stats) -> String {
    let paint = context.output.paint;
    let zone = render::time::zone_name(&context.zone);
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
    let most = stats.hours.values().copied().max().unwrap_or(1);
    for hour in 0..24 {
        let Some(count) = stats.hours.get(&hour) else { continue };
        let bar = paint.paint(Style::Good, &bar(*count, most, 30));
        text += &format!("{hour:>10} {count:>7} {bar}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_durations_that_occurred() {
        let sum = |took: &[u64]| Sum { took: took.to_vec(), ..Sum::default() };
        assert_eq!(sum(&[]).percentile(50), None);
        assert_eq!(sum(&[7]).percentile(95), Some(7));
        assert_eq!(sum(&[3, 1, 2]).percentile(50), Some(2));
        assert_eq!(sum(&(1..=100).collect::<Vec<_>>()).percentile(95), Some(95));
    }
}
