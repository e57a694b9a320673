//! Calls that most reports need not tell apart, added up.
//!
//! Reports by day, session, project or model give the same result for calls of one file
//! with the same attribution, and for their sum. There are several times fewer groups
//! than calls, and a group needs no price any more. So the groups of files that did not
//! change can be stored, and a report begins with them.
//!
//! A group spans at most a quarter of an hour and has the times of its first and its last
//! call: a caller that divides time elsewhere sees whether a group has both sides of it.
//!
//! Deliberately not here: tools, turns and blocks, which need the calls themselves; and
//! which files share calls (`shared_calls.rs`).

use crate::cost::{Pricer, UnpricedReason};
use crate::expiry::expired_tokens;
use crate::fold::{Attribution, Call, Calls, Duplicates, FileNumber, Tally};
use crate::line::Counters;
use crate::names::Name;
use crate::report::Sums;
use jiff::Timestamp;
use std::collections::HashMap;

/// The longest time between the calls of a group, in seconds. All time zones of today
/// differ by whole quarters of an hour.
const SPAN: i64 = 15 * 60;

/// Calls that most reports need not tell apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallGroup {
    /// The first of them, without what the others may have differently: its ids, counts,
    /// terms, tools and lines.
    pub call: Call,
    /// The time of the last of them.
    pub last: Option<Timestamp>,
    /// Their totals.
    pub sums: Sums,
    /// Why their costs are missing or incomplete.
    pub unpriced: Option<UnpricedReason>,
    /// Whether each of them has a cost; a call that used nothing costs nothing, whatever
    /// the model.
    pub has_cost: bool,
}

/// The calls of some files in groups, with the counts over all their lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallGroups {
    /// The groups.
    pub groups: Vec<CallGroup>,
    /// How many calls they have.
    pub calls: u64,
    /// Counts over all lines read.
    pub tally: Tally,
    /// The duplicate lines.
    pub duplicates: Duplicates,
    /// The sum over all lines, duplicates included, by model.
    pub naive: Vec<(Name, Counters)>,
}

/// What the calls of a group have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct GroupKey {
    file: FileNumber,
    quarter: Option<i64>,
    model: Name,
    attribution: Attribution,
    is_sidechain: bool,
    is_advisor_call: bool,
    has_cost: bool,
    unpriced: Option<UnpricedReason>,
}

impl Calls {
    /// The calls in groups, with their costs.
    pub fn groups(&self, pricer: &mut Pricer<'_>) -> CallGroups {
        let mut groups: Vec<CallGroup> = Vec::new();
        let mut places: HashMap<GroupKey, usize> = HashMap::new();
        // Calls are ordered by time: mostly they belong to the group of the one before.
        let mut last: Option<(GroupKey, usize)> = None;
        for (call, expired) in self.calls.iter().zip(expired_tokens(&self.calls)) {
            let cost = pricer.cost(call, &self.names);
            let sums = Sums::of(call, &cost, expired);
            let key = GroupKey {
                file: call.file,
                quarter: call.time.map(|time| time.as_second().div_euclid(SPAN)),
                model: call.model,
                attribution: call.attribution,
                is_sidechain: call.is_sidechain,
                is_advisor_call: call.is_advisor_call,
                has_cost: cost.total.is_some() || call.counters.total() == 0,
                unpriced: cost.unpriced,
            };
            let before = last.take().filter(|(known, _)| *known == key).map(|(_, place)| place);
            let place = before.or_else(|| places.get(&key).copied());
            if let Some(place) = place {
                let group = &mut groups[place];
                group.last = group.last.max(call.time);
                group.sums.add(&sums);
                last = Some((key, place));
                continue;
            }
            groups.push(CallGroup {
                call: Call {
                    id: Box::default(),
                    request: None,
                    counters: Counters::default(),
                    terms: None,
                    logged_cost: None,
                    tools: Vec::new(),
                    lines: 0,
                    ..call.clone()
                },
                last: call.time,
                sums,
                unpriced: key.unpriced.clone(),
                has_cost: key.has_cost,
            });
            places.insert(key.clone(), groups.len() - 1);
            last = Some((key, groups.len() - 1));
        }
        CallGroups {
            groups,
            calls: self.calls.len() as u64,
            tally: self.tally,
            duplicates: self.duplicates,
            naive: self.naive.iter().map(|(model, counters)| (*model, *counters)).collect(),
        }
    }
}

impl CallGroups {
    /// Every name in them, some more than once.
    pub fn names(&self) -> impl Iterator<Item = Name> {
        let own = self
            .groups
            .iter()
            .flat_map(|group| group.call.attribution.names().into_iter().chain([group.call.model]));
        own.chain(self.naive.iter().map(|(model, _)| *model))
    }

    /// The numbers of files in them, most more than once.
    pub fn files(&self) -> impl Iterator<Item = FileNumber> {
        self.groups.iter().flat_map(|group| [group.call.file, group.call.chosen_line.0])
    }

    /// Numbers files differently: a file with number `n` gets the one at place `n`. `None`
    /// if there is none.
    #[must_use]
    pub fn renumbered(mut self, files: &[FileNumber]) -> Option<CallGroups> {
        let find = |file: FileNumber| files.get(usize::try_from(file).ok()?).copied();
        for group in &mut self.groups {
            group.call.file = find(group.call.file)?;
            group.call.chosen_line.0 = find(group.call.chosen_line.0)?;
        }
        Some(self)
    }

    /// Adds the calls of other files, whose names are those of the same set.
    pub fn add(&mut self, other: CallGroups) {
        self.groups.extend(other.groups);
        self.calls += other.calls;
        self.tally.add(&other.tally);
        self.duplicates.add(&other.duplicates);
        for (model, counters) in other.naive {
            match self.naive.iter_mut().find(|(known, _)| *known == model) {
                Some((_, own)) => *own = own.plus(&counters),
                None => self.naive.push((model, counters)),
            }
        }
    }

    /// The groups by time. They are large, so that they are not moved.
    pub fn by_time(&self) -> impl Iterator<Item = &CallGroup> {
        let time = |group: &CallGroup| group.call.time.map_or(i64::MIN, Timestamp::as_second);
        let mut groups: Vec<(i64, &CallGroup)> =
            self.groups.iter().map(|group| (time(group), group)).collect();
        groups.sort_unstable_by_key(|(time, _)| *time);
        groups.into_iter().map(|(_, group)| group)
    }
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.lines += other.lines;
        self.damaged += other.damaged;
        self.odd += other.odd;
        self.naive = self.naive.plus(&other.naive);
    }
}

impl Duplicates {
    fn add(&mut self, other: &Duplicates) {
        self.streaming += other.streaming;
        self.fork += other.fork;
        self.resume_copy += other.resume_copy;
        self.replay += other.replay;
        self.progress += other.progress;
    }
}
