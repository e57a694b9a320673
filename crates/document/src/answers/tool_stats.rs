//! Tool calls in figures: by tool, type of agent, skill and MCP server, by day and hour.

use crate::{Document as _, ToolStatsDocument, ToolSumDocument};
use conversation::Status;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use library::facts::CallFact;
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

/// Calls in figures, by every dimension.
#[derive(Clone, Debug, Default)]
pub struct ToolStats {
    all: Sum,
    /// By dimension, then by name.
    by: BTreeMap<&'static str, BTreeMap<String, Sum>>,
    days: BTreeMap<Date, u64>,
    hours: BTreeMap<i8, u64>,
}

/// The dimensions, in the order they are shown.
const WAYS: [&str; 4] = ["tool", "agent", "skill", "mcp"];

impl ToolStats {
    /// Counts a call.
    pub fn note(&mut self, call: &CallFact<'_>, zone: &TimeZone) {
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

    /// These calls and others.
    #[must_use]
    pub fn plus(mut self, other: ToolStats) -> ToolStats {
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

    /// The figures as a document.
    pub fn document(&self, zone: &TimeZone) -> ToolStatsDocument {
        let hours = (0..24).map(|hour| self.hours.get(&hour).copied().unwrap_or_default());
        ToolStatsDocument {
            schema: ToolStatsDocument::SCHEMA.into(),
            timezone: render::time::zone_name(zone),
            total: self.all.document("total", ""),
            rows: self.rows(),
            days: self.days.iter().map(|(day, count)| (day.to_string(), *count)).collect(),
            hours: hours.collect(),
        }
    }

    fn rows(&self) -> Vec<ToolSumDocument> {
        let mut rows = Vec::new();
        for way in WAYS {
            let mut sums: Vec<_> = self.by.get(way).into_iter().flatten().collect();
            sums.sort_by_key(|(name, sum)| (std::cmp::Reverse(sum.calls), name.as_str()));
            rows.extend(sums.into_iter().map(|(name, sum)| sum.document(way, name)));
        }
        rows
    }
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
