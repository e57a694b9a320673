//! The sums by day of one owner, in one file.
//!
//! The rows of all installations and months are added up once and kept while the segments
//! are the same, so that a report over many people reads one small file for each.

use crate::cache_files::write_whole;
use crate::names::{SegmentName, Table};
use crate::reading::engine::UnusableObject;
use crate::reading::segments::FetchedSegments;
use crate::rows::{DayRow, Rows};
use crate::segment_file::ParquetFormat;
use document::{LakeDaySum, LakeDaySums};
use jiff::civil::Date;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;
use usage::PicoUsd;

/// An owner has at most this many sums: a thousand years of three projects.
const MAX_SUMS: usize = 1 << 20;
/// The rows of an object take at most this much memory.
const MAX_BYTES: u64 = 192 << 20;
/// The longest key of a project, and name of a model.
const MAX_NAME: usize = 1 << 10;

/// Makes the file of an owner's sums, unless it is there.
pub(crate) fn roll_up(
    file: &Path,
    fetched: &FetchedSegments,
    segments: &BTreeSet<SegmentName>,
    unusable: &mut Vec<UnusableObject>,
) -> io::Result<()> {
    let mut names: Vec<String> = segments.iter().map(ToString::to_string).collect();
    let known = fs::read(file).ok().and_then(|bytes| LakeDaySums::parse(&bytes));
    if known.is_some_and(|known| known.segments == names) {
        return Ok(());
    }
    let mut sums: BTreeMap<SumKey, LakeDaySum> = BTreeMap::new();
    for name in segments.iter().filter(|name| name.table == Table::Days) {
        let Some(bytes) = fetched.get(name) else { continue };
        let rows = fetched
            .guarded(name, || ParquetFormat::decode_some(name.table, &bytes, MAX_BYTES, &|_| true));
        let rows = rows.and_then(|pieces| {
            let pieces = pieces.ok_or_else(|| {
                format!("it is too large: its rows take more than {} MiB", MAX_BYTES >> 20)
            })?;
            let rows: Vec<DayRow> = pieces
                .into_iter()
                .flat_map(|piece| if let Rows::Days(rows) = piece.rows { rows } else { Vec::new() })
                .collect();
            rows.iter().try_for_each(check)?;
            Ok(rows)
        });
        match rows {
            Ok(rows) => rows.into_iter().for_each(|row| add(&mut sums, row)),
            Err(reason) => {
                // Read again for the next question, so that its answer names it too.
                names.retain(|known| *known != name.to_string());
                unusable.push(UnusableObject { name: name.to_string(), reason });
            }
        }
        if sums.len() > MAX_SUMS {
            let reason = format!("more than {MAX_SUMS} sums of one owner");
            names.clear();
            unusable.push(UnusableObject { name: name.to_string(), reason });
            sums.clear();
            break;
        }
    }
    let sums = LakeDaySums { segments: names, sums: sums.into_values().collect() };
    write_whole(file, &serde_json::to_vec(&sums)?)
}

type SumKey = (Option<String>, String, Option<String>);

/// Anybody may have written these rows: a sum that cannot be is not counted.
fn check(row: &DayRow) -> Result<(), String> {
    if row.cost_pico < PicoUsd::ZERO {
        return Err("a negative cost".to_owned());
    }
    if row.day.as_ref().is_some_and(|day| day.parse::<Date>().is_err()) {
        return Err("an invalid day".to_owned());
    }
    let names = [Some(&row.project), row.model.as_ref()];
    if names.into_iter().flatten().any(|name| name.len() > MAX_NAME) {
        return Err("a name that is too long".to_owned());
    }
    Ok(())
}

fn add(sums: &mut BTreeMap<SumKey, LakeDaySum>, row: DayRow) {
    let key = (row.day.clone(), row.project.clone(), row.model.clone());
    let sum = sums.entry(key).or_insert_with(|| LakeDaySum {
        day: row.day,
        project: row.project,
        model: row.model,
        ..LakeDaySum::default()
    });
    for (sum, count) in [
        (&mut sum.calls, row.calls),
        (&mut sum.input_tokens, row.input_tokens),
        (&mut sum.output_tokens, row.output_tokens),
        (&mut sum.thinking_tokens, row.thinking_tokens),
        (&mut sum.cache_write_5m_tokens, row.cache_write_5m_tokens),
        (&mut sum.cache_write_1h_tokens, row.cache_write_1h_tokens),
        (&mut sum.cache_read_tokens, row.cache_read_tokens),
        (&mut sum.web_searches, row.web_searches),
        (&mut sum.unpriced_calls, row.unpriced_calls),
    ] {
        *sum = sum.saturating_add(count);
    }
    sum.cost_pico = PicoUsd(sum.cost_pico).plus(row.cost_pico).0;
}
