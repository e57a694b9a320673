//! Recent spending, for callers that cannot wait: what the index has committed,
//! and the end of the one transcript that is being written.
//!
//! Nothing here updates the index or lists a store: other sessions count as the
//! index last saw them. Omissions are reported ([`Spending::is_partial`]) if they
//! are known.

use crate::usage::Usage;
use crate::window_limit::SYNTHETIC;
use conversation::ContextCall;
use conversation::context_usage::call_of;
use index::RecentFile;
use jiff::civil::Weekday;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use memchr::memmem::{self, Finder};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use store::{LineReader, Position};
use transcript::{Line, parse_line};
use usage::blocks::{Block, blocks, parse_reset_time};
use usage::{
    Budget, BudgetUse, Call, Calls, CostMode, FileNumber, Fold, PicoUsd, Pricer, Prices, UsageLine,
    read_line,
};

/// The options of a call.
#[derive(Clone, Copy, Debug)]
pub struct RecentUsageOptions<'a> {
    /// The time.
    pub now: Timestamp,
    /// The time zone of days.
    pub zone: &'a TimeZone,
    /// The transcript that is being written.
    pub transcript: Option<&'a Path>,
    /// Its session.
    pub session: Option<&'a str>,
    /// Moments at which the five-hour limit is known to reset.
    pub resets: &'a [Timestamp],
    /// The budget whose use to report; its weeks begin on Monday.
    pub budget: Budget,
}

/// Recent spending; `None` if it is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecentUsage {
    /// Today, in all sessions.
    pub today: Option<Spending>,
    /// In the session, ever.
    pub session: Option<Spending>,
    /// In the current five-hour block.
    pub block: Option<RecentBlock>,
    /// How much of each budget is used, in all sessions; empty if that is unknown.
    pub budgets: Vec<BudgetUse>,
}

/// An amount at the API's prices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spending {
    /// The known part of it.
    pub cost: PicoUsd,
    /// Whether parts are missing: a transcript was too long to read, or a model
    /// has no price.
    pub is_partial: bool,
}

/// The current five-hour block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecentBlock {
    /// The block.
    pub block: Block,
    /// The spending in it.
    pub spent: Spending,
}

impl RecentBlock {
    /// The spending per hour, from the first call to now.
    pub fn cost_per_hour(&self, now: Timestamp) -> Option<PicoUsd> {
        // A few minutes are too short for a rate.
        let seconds = i128::from(now.duration_since(self.block.first).as_secs());
        (seconds >= 300).then(|| PicoUsd(self.spent.cost.0.saturating_mul(3_600) / seconds))
    }
}

/// The most bytes of a transcript to read.
const LONGEST_TAIL: u64 = 8 << 20;

/// The app removes lines only within this many bytes of the end.
const TAKEN_BACK: u64 = 64 << 10;

/// How many bytes from the end to search for the last call.
const LAST_CALL: u64 = 256 << 10;

/// Blocks depend on their predecessors: calls this far back are read to know
/// when the current one began.
const BLOCKS: SignedDuration = SignedDuration::from_hours(24);

impl Usage {
    /// The recent spending.
    pub fn recent(&self, options: &RecentUsageOptions<'_>) -> RecentUsage {
        let day = options.now.to_zoned(options.zone.clone()).start_of_day();
        let day = day.map_or(options.now, |start| start.timestamp());
        let windows = options.budget.windows(options.now, options.zone, Weekday::Monday);
        let since = options.now.checked_sub(BLOCKS).map_or(day, |before| before.min(day));
        let since = windows.iter().map(|window| window.start).fold(since, Timestamp::min);
        let known = self.recent_files(since, options.session);
        let is_indexed = known.is_some();
        let mut files = known.unwrap_or_default();
        let mut fold = Fold::default();
        let mut is_whole = true;
        for (number, file) in (0..).zip(&files) {
            is_whole &= fold.absorb(&file.fold, number);
        }
        let mut is_readable = false;
        if let Some(path) = options.transcript {
            let number = files.iter().position(|file| file.path == path);
            let number = number.unwrap_or_else(|| {
                let session = options.session.map(str::to_owned);
                let (path, fold) = (path.to_owned(), Vec::new());
                files.push(RecentFile { path, session, inode: (0, 0), read: 0, fold });
                files.len() - 1
            });
            // An unreadable transcript gives no figure, not even zero.
            if let Ok(read) = self.read_tail(path, &files[number], number, &mut fold) {
                is_readable = true;
                is_whole &= read;
            }
        }
        let calls = fold.finish();
        let priced = PricedCalls::of(self, &calls);
        let spent = |is_wanted: &dyn Fn(&Call) -> bool| {
            let mut spent = priced.sum(is_wanted);
            spent.is_partial |= !is_whole;
            spent
        };
        let is_own = |call: &Call| {
            let file = usize::try_from(call.file).ok().and_then(|number| files.get(number));
            file.is_some_and(|file| {
                file.session.is_some() && file.session.as_deref() == options.session
            })
        };
        let block = is_indexed.then(|| running_block(&calls, options)).flatten();
        let budgets = windows.into_iter().filter(|_| is_indexed).map(|window| {
            let spent = spent(&|call| call.time.is_some_and(|time| window.holds(time)));
            BudgetUse::new(window, spent.cost, spent.is_partial, options.now)
        });
        RecentUsage {
            budgets: budgets.collect(),
            today: is_indexed.then(|| spent(&|call| call.time.is_some_and(|time| time >= day))),
            session: is_readable.then(|| spent(&is_own)).filter(|_| is_whole),
            block: block.map(|block| RecentBlock {
                block,
                spent: spent(&|call| call.time.is_some_and(|time| time >= block.first)),
            }),
        }
    }

    /// A transcript's last call, if that is near its end and not a sub-agent's; `None` right
    /// after a compaction.
    pub fn last_call(&self, path: &Path) -> Option<ContextCall> {
        let bytes = std::fs::symlink_metadata(path).ok()?.len();
        let mut last = None;
        self.lines_from(path, bytes.saturating_sub(LAST_CALL), |line| {
            if memmem::find(line.bytes, b"\"subtype\":\"compact_boundary\"").is_some() {
                last = None;
            } else if memmem::find(line.bytes, usage::NEEDLE.as_bytes()).is_some() {
                for entry in parse_line(line) {
                    let record = &entry.record;
                    let call = call_of(record).filter(|_| !record.envelope.is_sidechain);
                    last = call.or(last.take());
                }
            }
        })
        .ok()?;
        last
    }
}

impl Usage {
    /// The files of these roots that the index has seen change recently.
    pub(super) fn recent_files(
        &self,
        since: Timestamp,
        session: Option<&str>,
    ) -> Option<Vec<RecentFile>> {
        let index = self.memory.index().ok().filter(|_| !self.stores.options.no_index)?;
        let since = i64::try_from(since.as_nanosecond()).unwrap_or_default();
        // An index that cannot be read counts as missing.
        let mut files = index.recent(since, session).ok().flatten()?;
        files.retain(|file| {
            self.memory.owns(&file.path) && !self.stores.is_excluded(&file.path, None)
        });
        Some(files)
    }

    /// Adds the calls after the part of a transcript that the index knows.
    /// Returns whether that is everything.
    fn read_tail(
        &self,
        path: &Path,
        known: &RecentFile,
        number: usize,
        fold: &mut Fold,
    ) -> io::Result<bool> {
        let number = FileNumber::try_from(number).unwrap_or(FileNumber::MAX);
        let metadata = std::fs::symlink_metadata(path)?;
        let is_same = known.inode == (metadata.ino(), metadata.dev());
        let read = if is_same { known.read } else { 0 };
        // Some of the known part is read again: lines near the end may have
        // been removed, and repeated calls count once.
        let again = read.min(metadata.len()).saturating_sub(TAKEN_BACK);
        let from = again.max(metadata.len().saturating_sub(LONGEST_TAIL));
        let usage = Finder::new(usage::NEEDLE);
        self.lines_from(path, from, |line| {
            if usage.find(line.bytes).is_none() {
                return;
            }
            read_line(line, |read| {
                if let UsageLine::Call(call) = read {
                    fold.note(number, &call);
                }
            });
        })?;
        Ok(from <= read)
    }

    /// The lines of a file that begin at or after an offset.
    fn lines_from(&self, path: &Path, from: u64, mut each: impl FnMut(Line<'_>)) -> io::Result<()> {
        let mut file = self.stores.disk.open(path)?;
        let mut is_cut = false;
        if let Some(before) = from.checked_sub(1) {
            let mut byte = [0];
            file.seek(SeekFrom::Start(before))?;
            is_cut = file.read(&mut byte)? == 1 && byte != *b"\n";
        }
        let start = Position { offset: from, line: 1 };
        LineReader::default().read(&mut file, start, |line| {
            if !std::mem::take(&mut is_cut) {
                each(line);
            }
            true
        })?;
        Ok(())
    }
}

/// Calls with their costs.
pub(super) struct PricedCalls<'c> {
    calls: Vec<(&'c Call, Option<PicoUsd>)>,
}

impl<'c> PricedCalls<'c> {
    pub(super) fn of(usage: &Usage, calls: &'c Calls) -> Self {
        let known = Prices::embedded();
        let mut pricer = Pricer::new(&known, CostMode::Auto);
        let exclude = &usage.stores.options.exclude;
        let wanted = calls.calls.iter().filter(|call| {
            let is_excluded = !exclude.is_empty()
                && calls.names.get(call.attribution.cwd).is_some_and(|cwd| exclude.is_match(cwd));
            calls.names.get(call.model) != Some(SYNTHETIC) && !is_excluded
        });
        PricedCalls {
            calls: wanted.map(|call| (call, pricer.cost(call, &calls.names).total)).collect(),
        }
    }

    pub(super) fn sum(&self, is_wanted: &dyn Fn(&Call) -> bool) -> Spending {
        let mut spent = Spending::default();
        for (call, cost) in self.calls.iter().filter(|(call, _)| is_wanted(call)) {
            match cost {
                Some(cost) => spent.cost = spent.cost.plus(*cost),
                // A call that used nothing costs nothing, whatever the model.
                None => spent.is_partial |= call.counters.total() > 0,
            }
        }
        spent
    }
}

/// The current block.
fn running_block(calls: &Calls, options: &RecentUsageOptions<'_>) -> Option<Block> {
    let noticed = calls.limits.iter().filter_map(|limit| parse_reset_time(&limit.notice));
    let resets: Vec<Timestamp> = options.resets.iter().copied().chain(noticed).collect();
    let real = calls.calls.iter().filter(|call| calls.names.get(call.model) != Some(SYNTHETIC));
    let times = real.filter_map(|call| call.time).filter(|time| *time <= options.now);
    blocks(times, &resets).pop().filter(|block| block.is_active(options.now))
}
