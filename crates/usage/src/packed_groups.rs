//! The groups of calls of many sets of files as bytes, so that callers can cache them.
//!
//! All sets share one table of names. Files are written as their places in their set,
//! because their numbers change when files come and go.
//!
//! Deliberately not here: which files a set consists of, and whether the bytes are
//! undamaged. The caller stores both.

use crate::call_group::{CallGroup, CallGroups};
use crate::cost::UnpricedReason;
use crate::fold::{Attribution, Call, Duplicates, FileNumber, Tally};
use crate::line::Counters;
use crate::money::PicoUsd;
use crate::names::{Name, Names};
use crate::packed_bytes::{Packer, Unpacker};
use crate::report::Sums;

/// Changes with the format and with the meaning of groups.
const VERSION: u8 = 2;

/// Packs sets of files: the groups of each, and the numbers of its files, ascending. The
/// names of all are from the same table. `None` if a group is not of one of its set's files.
pub fn pack_groups(names: &Names, sets: &[(&CallGroups, &[FileNumber])]) -> Option<Vec<u8>> {
    let mut packer = GroupPacker { packer: Packer::default(), numbers: Vec::new(), used: vec![] };
    packer.packer.count(sets.len());
    for (groups, files) in sets {
        packer.set(groups, files)?;
    }
    let mut bytes = Packer { bytes: vec![VERSION], time: None };
    bytes.count(packer.used.len());
    for name in &packer.used {
        bytes.text(names.get(*name).unwrap_or_default());
    }
    bytes.bytes.extend(packer.packer.bytes);
    Some(bytes.bytes)
}

/// Unpacks all sets, in their order. Names are added to a table, and files are numbered by
/// their places in their set. `None` for other bytes.
pub fn unpack_groups(bytes: &[u8], names: &mut Names) -> Option<Vec<CallGroups>> {
    let bytes = bytes.strip_prefix(&[VERSION])?;
    let mut unpacker =
        Unpacker { bytes, file: 0, names: Vec::new(), time: None, tools: Vec::new() };
    for _ in 0..unpacker.count()? {
        let text = unpacker.text()?;
        unpacker.names.push(names.add(Some(text)));
    }
    let sets = (0..unpacker.count()?).map(|_| unpacker.groups()).collect::<Option<Vec<_>>>()?;
    unpacker.bytes.is_empty().then_some(sets)
}

/// Writes sets, and numbers the names in the order of their use.
struct GroupPacker {
    packer: Packer,
    /// The new number of each name; 0 for one that was not used yet.
    numbers: Vec<u64>,
    used: Vec<Name>,
}

impl GroupPacker {
    fn name(&mut self, name: Name) {
        let place = usize::try_from(name.number()).unwrap_or_default();
        if place >= self.numbers.len() {
            self.numbers.resize(place + 1, 0);
        }
        if !name.is_none() && self.numbers[place] == 0 {
            self.used.push(name);
            self.numbers[place] = self.used.len() as u64;
        }
        self.packer.number(self.numbers[place]);
    }

    fn set(&mut self, groups: &CallGroups, files: &[FileNumber]) -> Option<()> {
        let CallGroups { groups, calls, tally, duplicates, naive } = groups;
        let Tally { lines, damaged, odd, naive: all_lines } = tally;
        let Duplicates { streaming, fork, resume_copy, replay, progress } = duplicates;
        for count in [calls, lines, damaged, odd, streaming, fork, resume_copy, replay, progress] {
            self.packer.number(*count);
        }
        self.packer.counters(all_lines);
        self.packer.count(naive.len());
        for (model, counters) in naive {
            self.name(*model);
            self.packer.counters(counters);
        }
        self.packer.count(groups.len());
        for group in groups {
            self.group(group, files)?;
        }
        Some(())
    }

    fn group(&mut self, group: &CallGroup, files: &[FileNumber]) -> Option<()> {
        let CallGroup { call, last, sums, unpriced, has_cost } = group;
        let place = |file: FileNumber| files.binary_search(&file).ok();
        self.packer.count(place(call.file)?);
        self.packer.count(place(call.chosen_line.0)?);
        self.packer.number(call.chosen_line.1);
        self.packer.time(call.time);
        self.packer.time(*last);
        self.name(call.model);
        for name in call.attribution.names() {
            self.name(name);
        }
        let flags = [call.is_sidechain, call.is_advisor_call, *has_cost];
        self.packer.bytes.extend(flags.map(u8::from));
        let Sums { calls, counters, cost, logged, priced, unpriced: without, .. } = sums;
        let Sums { saved, expired_tokens, expired, .. } = sums;
        for count in [calls, priced, without, expired_tokens] {
            self.packer.number(*count);
        }
        self.packer.counters(counters);
        for amount in [cost, logged, saved, expired] {
            self.packer.wide(amount.0);
        }
        let (kind, text) = match unpriced {
            None => (0, ""),
            Some(UnpricedReason::Model(model)) => (1, model.as_str()),
            Some(UnpricedReason::Tier(tier)) => (2, tier.as_str()),
            Some(UnpricedReason::Fast(model)) => (3, model.as_str()),
            Some(UnpricedReason::NotLogged) => (4, ""),
        };
        self.packer.bytes.push(kind);
        if (1..=3).contains(&kind) {
            self.packer.text(text);
        }
        Some(())
    }
}

impl Unpacker<'_> {
    fn groups(&mut self) -> Option<CallGroups> {
        let calls = self.number()?;
        let (lines, damaged, odd) = (self.number()?, self.number()?, self.number()?);
        let duplicates = Duplicates {
            streaming: self.number()?,
            fork: self.number()?,
            resume_copy: self.number()?,
            replay: self.number()?,
            progress: self.number()?,
        };
        let tally = Tally { lines, damaged, odd, naive: self.counters()? };
        let mut naive = Vec::new();
        for _ in 0..self.count()? {
            naive.push((self.name()?, self.counters()?));
        }
        let count = self.count()?;
        // A count that is wrong cannot ask for much: each group has at least thirty bytes.
        let mut groups = Vec::with_capacity(count.min(self.bytes.len() / 30));
        for _ in 0..count {
            groups.push(self.group()?);
        }
        Some(CallGroups { groups, calls, tally, duplicates, naive })
    }

    fn group(&mut self) -> Option<CallGroup> {
        let file = FileNumber::try_from(self.number()?).ok()?;
        let chosen_line = (FileNumber::try_from(self.number()?).ok()?, self.number()?);
        let time = self.time()?;
        let last = self.time()?;
        let model = self.name()?;
        let mut names = [Name::NONE; 10];
        for name in &mut names {
            *name = self.name()?;
        }
        let call = Call {
            id: Box::default(),
            request: None,
            time,
            model,
            counters: Counters::default(),
            terms: None,
            logged_cost: None,
            file,
            chosen_line,
            attribution: Attribution::of_names(names),
            is_sidechain: self.flag()?,
            is_advisor_call: self.flag()?,
            tools: Vec::new(),
            lines: 0,
        };
        let has_cost = self.flag()?;
        let [calls, priced, without, expired_tokens] =
            [self.number()?, self.number()?, self.number()?, self.number()?];
        let counters = self.counters()?;
        let [cost, logged, saved, expired] =
            [self.wide()?, self.wide()?, self.wide()?, self.wide()?].map(PicoUsd);
        let unpriced = match self.byte()? {
            0 => None,
            1 => Some(UnpricedReason::Model(self.text()?.to_owned())),
            2 => Some(UnpricedReason::Tier(self.text()?.to_owned())),
            3 => Some(UnpricedReason::Fast(self.text()?.to_owned())),
            4 => Some(UnpricedReason::NotLogged),
            _ => return None,
        };
        let sums = Sums {
            calls,
            counters,
            cost,
            logged,
            priced,
            unpriced: without,
            saved,
            expired_tokens,
            expired,
        };
        Some(CallGroup { call, last, sums, unpriced, has_cost })
    }
}
