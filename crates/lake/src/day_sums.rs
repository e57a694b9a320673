//! Calls as sums by day, project and model.

use crate::rows::{CallRow, DayRow, Rows};
use jiff::tz::TimeZone;
use std::collections::{BTreeMap, HashSet};
use usage::PicoUsd;

/// The model of what the app wrote in place of an answer.
const SYNTHETIC: &str = "<synthetic>";

/// What one call is known by.
type CallKey<'r> = (&'r str, Option<&'r str>);

/// Day, app, project and model.
type DayKey<'r> = (Option<String>, &'r str, &'r str, Option<&'r str>);

fn key(row: &CallRow) -> CallKey<'_> {
    (&row.id, row.request_id.as_deref())
}

fn calls_of(rows: &Rows) -> &[CallRow] {
    if let Rows::Calls(rows) = rows { rows } else { &[] }
}

/// Which of two rows of one call counts: that of newer rules, then that with more output.
/// The call was still being written when the other was sent.
pub(crate) fn order(row: &CallRow) -> (u64, u64, u64) {
    (row.rules, row.output_tokens, row.input_tokens)
}

/// The sums of calls, without those that are counted elsewhere.
pub(crate) fn sum_by_day(calls: &[Rows], elsewhere: &[Rows]) -> Vec<DayRow> {
    let elsewhere: HashSet<CallKey<'_>> = elsewhere.iter().flat_map(calls_of).map(key).collect();
    let mut chosen: BTreeMap<CallKey<'_>, &CallRow> = BTreeMap::new();
    for row in calls.iter().flat_map(calls_of) {
        // A notice of the app in place of an answer is not a call.
        let is_synthetic = row.model.as_deref() == Some(SYNTHETIC);
        if is_synthetic || elsewhere.contains(&key(row)) {
            continue;
        }
        let known = chosen.entry(key(row)).or_insert(row);
        if order(row) > order(known) {
            *known = row;
        }
    }
    let mut days: BTreeMap<DayKey<'_>, DayRow> = BTreeMap::new();
    for row in chosen.into_values() {
        let day = row.time.map(|time| time.to_zoned(TimeZone::UTC).date().to_string());
        let place = (day.clone(), row.app.as_str(), row.project.as_str(), row.model.as_deref());
        let sums = days.entry(place).or_insert_with(|| DayRow {
            day,
            app: row.app.clone(),
            project: row.project.clone(),
            model: row.model.clone(),
            calls: 0,
            input_tokens: 0,
            output_tokens: 0,
            thinking_tokens: 0,
            cache_write_5m_tokens: 0,
            cache_write_1h_tokens: 0,
            cache_read_tokens: 0,
            web_searches: 0,
            cost_pico: PicoUsd(0),
            unpriced_calls: 0,
            rules: row.rules,
        });
        sums.calls += 1;
        for (sum, count) in [
            (&mut sums.input_tokens, row.input_tokens),
            (&mut sums.output_tokens, row.output_tokens),
            (&mut sums.thinking_tokens, row.thinking_tokens),
            (&mut sums.cache_write_5m_tokens, row.cache_write_5m_tokens),
            (&mut sums.cache_write_1h_tokens, row.cache_write_1h_tokens),
            (&mut sums.cache_read_tokens, row.cache_read_tokens),
            (&mut sums.web_searches, row.web_searches),
        ] {
            *sum = sum.saturating_add(count);
        }
        match row.cost_pico {
            Some(cost) => sums.cost_pico = sums.cost_pico.plus(cost),
            None => sums.unpriced_calls += 1,
        }
        sums.rules = sums.rules.max(row.rules);
    }
    days.into_values().collect()
}
