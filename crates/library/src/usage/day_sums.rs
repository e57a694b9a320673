//! The sums of other people in a report.
//!
//! Each sum becomes a group of calls of a file that stands for its owner. It has a day in
//! UTC and no time: it is placed at noon of that date in the zone of the report, so that it
//! stands under its own date everywhere. What a sum does not know ([`UsageOptions::beyond_sums`])
//! cannot be reported over it.

use crate::stores::DaySum;
use crate::usage::report::UsageOptions;
use crate::usage::{Usage, UsageFile, UsageSource};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::sync::Arc;
use usage::{
    Attribution, Call, CallGroup, CostMode, Counters, FileNumber, Names, PicoUsd, Sums,
    UnpricedReason,
};

impl UsageOptions {
    /// What this report needs and sums by day do not have, in the words of its options.
    pub fn beyond_sums(&self) -> Vec<String> {
        let unknown = self.by.iter().filter(|by| !by.is_in_sums());
        let mut missing: Vec<String> = unknown.map(|by| by.name().to_owned()).collect();
        missing.extend(self.beyond_calls());
        if self.filter.session.is_some() {
            missing.push("--session".to_owned());
        }
        if self.mode != CostMode::Auto {
            missing.push("--cost".to_owned());
        }
        missing
    }

    /// The filters that calls of the lake cannot answer at its lowest level.
    pub fn beyond_calls(&self) -> Vec<String> {
        let filters = [
            ("--git-branch", self.filter.branch.is_some()),
            ("--agent", self.filter.agent.is_some()),
            ("--tool", self.filter.tool.is_some()),
        ];
        let given = filters.into_iter().filter(|(_, is_given)| *is_given);
        given.map(|(name, _)| name.to_owned()).collect()
    }
}

impl Usage {
    /// Adds the sums of other people.
    pub(super) fn add_sums(&self, source: &mut UsageSource, zone: &TimeZone) {
        let Some(lake) = self.stores.lake() else { return };
        for owner in &lake.sums {
            let number = FileNumber::try_from(source.files.len()).unwrap_or(FileNumber::MAX);
            let mut file = UsageFile::remembered(owner.path.clone(), String::new(), None, None);
            file.session_id = None;
            file.owner = Some(Arc::from(owner.owner.as_str()));
            source.files.push(file);
            for day in &owner.days {
                let groups = groups(day, number, zone, &mut source.calls.names);
                source.sums.extend(groups);
            }
        }
    }
}

/// A sum as a group of the calls with a price, and one of those without.
fn groups(
    day: &DaySum,
    file: FileNumber,
    zone: &TimeZone,
    names: &mut Names,
) -> impl Iterator<Item = CallGroup> {
    let call = call(day, file, zone, names);
    let priced = day.calls.saturating_sub(day.unpriced_calls);
    let without_price = (day.unpriced_calls > 0).then(|| CallGroup {
        call: call.clone(),
        last: call.time,
        sums: Sums { calls: day.unpriced_calls, unpriced: day.unpriced_calls, ..Sums::default() },
        unpriced: Some(UnpricedReason::Model(day.model.clone().unwrap_or_default())),
        has_cost: false,
    });
    let with_price = CallGroup {
        last: call.time,
        call,
        sums: Sums {
            calls: priced,
            counters: day.counters,
            cost: day.cost,
            priced,
            ..Sums::default()
        },
        unpriced: None,
        has_cost: true,
    };
    std::iter::once(with_price).chain(without_price)
}

fn call(day: &DaySum, file: FileNumber, zone: &TimeZone, names: &mut Names) -> Call {
    // As for the calls of the lake.
    let folder = format!("/{}", day.project);
    let cwd = names.add(Some(&folder));
    Call {
        id: "".into(),
        request: None,
        time: day.day.and_then(|date| noon(date, zone)),
        model: names.add(day.model.as_deref()),
        counters: Counters::default(),
        terms: None,
        logged_cost: None::<PicoUsd>,
        file,
        chosen_line: (file, 0),
        attribution: Attribution { cwd, ..Attribution::default() },
        is_sidechain: false,
        is_advisor_call: false,
        tools: Vec::new(),
        lines: 0,
    }
}

fn noon(date: jiff::civil::Date, zone: &TimeZone) -> Option<Timestamp> {
    let noon = date.at(12, 0, 0, 0).to_zoned(zone.clone()).ok()?;
    Some(noon.timestamp())
}
