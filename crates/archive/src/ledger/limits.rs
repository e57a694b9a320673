//! Records rate limits while a status line waits: only the end of the ledger is
//! read, a busy lock is not waited for, and unchanged values are not recorded
//! again.

use super::{Entry, Fact, Ledger, LedgerError, RateLimit, RateLimitWindow, append};
use crate::sealed::unseal;
use jiff::SignedDuration;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// How much of the ledger's end is read. A limit recorded before that is
/// recorded once more, and is then near the end.
const END: u64 = 32 * 1024;

/// The least time between two records.
const APART: SignedDuration = SignedDuration::from_mins(1);

/// Times that differ by less are equal: some clients add the remaining seconds
/// to their own clock.
const SAME: SignedDuration = SignedDuration::from_mins(1);

impl Ledger {
    /// The latest limits near the end of a folder's ledger: at most one per
    /// window, in any order.
    pub fn last_rate_limits(folder: &Path) -> Vec<RateLimit> {
        let mut last: Vec<RateLimit> = Vec::new();
        // Without a ledger there are none.
        for limit in read_end(folder).unwrap_or_default() {
            last.retain(|known| known.window != limit.window);
            last.push(limit);
        }
        last
    }

    /// Records limits that are fuller than in the ledger or reset later.
    /// Returns how many; none while another process is writing.
    pub fn note_rate_limits(folder: &Path, limits: &[RateLimit]) -> Result<usize, LedgerError> {
        if newer_limits(folder, limits).is_empty() {
            return Ok(0);
        }
        append::append_if_free(folder, || {
            // Another process may have recorded it meanwhile.
            let entries: Vec<Entry> = newer_limits(folder, limits)
                .into_iter()
                .map(|limit| Entry { at: limit.seen_at, fact: Fact::RateLimit(limit) })
                .collect();
            let lines = entries.iter().map(Entry::line).collect();
            (entries.len(), lines)
        })
    }
}

fn newer_limits(folder: &Path, limits: &[RateLimit]) -> Vec<RateLimit> {
    let known = Ledger::last_rate_limits(folder);
    let is_news = |limit: &&RateLimit| {
        let known = known.iter().find(|known| known.window == limit.window);
        known.is_none_or(|known| is_later(limit, known))
    };
    limits.iter().filter(|limit| is_plausible(limit)).filter(is_news).cloned().collect()
}

/// Idle sessions repeat old values: a limit that has reset since, or would
/// reset later than possible, is ignored.
fn is_plausible(limit: &RateLimit) -> bool {
    let longest = match limit.window {
        RateLimitWindow::FiveHours => SignedDuration::from_hours(6),
        RateLimitWindow::SevenDays => SignedDuration::from_hours(8 * 24),
    };
    let is_percent = (0.0..=1000.0).contains(&limit.used_percent);
    let is_ahead = limit.resets_at.is_none_or(|resets| {
        let left = resets.duration_since(limit.seen_at);
        left > SignedDuration::ZERO && left <= longest
    });
    is_percent && is_ahead
}

/// Within a window, limits only fill up: if two sessions disagree, the fuller
/// value is newer, and the other is not recorded over and over.
fn is_later(limit: &RateLimit, known: &RateLimit) -> bool {
    if limit.seen_at.duration_since(known.seen_at) < APART {
        return false;
    }
    let is_fuller = limit.used_percent >= known.used_percent + 1.0;
    match (limit.resets_at, known.resets_at) {
        (Some(resets), Some(before)) => {
            let later = resets.duration_since(before);
            later > SAME || (later > -SAME && is_fuller)
        }
        (Some(_), None) => true,
        (None, Some(before)) => before <= limit.seen_at,
        (None, None) => (limit.used_percent - known.used_percent).abs() >= 1.0,
    }
}

/// The limits at the end of the ledger, in order.
fn read_end(folder: &Path) -> io::Result<Vec<RateLimit>> {
    let mut file = File::open(append::file_in(folder))?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    file.seek(SeekFrom::Start(metadata.len().saturating_sub(END)))?;
    let mut bytes = Vec::new();
    file.take(END).read_to_end(&mut bytes)?;
    // A truncated or damaged line fails its checksum.
    let rests = bytes.split(|byte| *byte == b'\n').filter_map(|line| unseal(line).ok());
    let limits = rests.filter_map(|rest| match Entry::parse(rest)?.fact {
        Fact::RateLimit(limit) => Some(limit),
        _ => None,
    });
    Ok(limits.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;
    use testkit::Sandbox;

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_second(1_770_000_000 + minutes * 60).unwrap()
    }

    fn limit(used_percent: f64, resets: i64, seen: i64) -> RateLimit {
        let (resets_at, seen_at) = (Some(at(resets)), at(seen));
        RateLimit { window: RateLimitWindow::FiveHours, used_percent, resets_at, seen_at }
    }

    #[test]
    fn a_limit_is_recorded_when_it_is_fuller_or_resets() {
        let sandbox = Sandbox::new();
        let folder = sandbox.annals_home().join("ledger");
        let steps = [
            (limit(40.0, 200, 0), 1, "the first"),
            (limit(40.0, 200, 5), 0, "the same again"),
            (limit(45.0, 200, 0), 0, "within a minute"),
            (limit(40.5, 200, 6), 0, "hardly fuller"),
            (limit(41.0, 200, 6), 1, "fuller"),
            (limit(30.0, 200, 9), 0, "an older value of another session"),
            (limit(90.0, 100, 9), 0, "a window that is over"),
            (limit(90.0, 5, 9), 0, "it has already reset"),
            (limit(90.0, 2_000, 9), 0, "no such window"),
            (limit(f64::NAN, 200, 9), 0, "no number"),
            (limit(1.0, 300, 210), 1, "the next window"),
            (limit(99.0, 200, 150), 0, "the one before it"),
        ];
        for (limit, expected, why) in steps {
            assert_eq!(Ledger::note_rate_limits(&folder, &[limit]).unwrap(), expected, "{why}");
        }
        assert_eq!(Ledger::open(&folder).unwrap().rate_limits().len(), 3);
        assert_eq!(Ledger::last_rate_limits(&folder), [limit(1.0, 300, 210)]);
    }

    #[test]
    fn recording_limits_does_not_wait_for_another_writer() {
        let sandbox = Sandbox::new();
        let folder = sandbox.annals_home();
        let held = crate::lock::take(&folder.join("lock"), std::time::Duration::ZERO).unwrap();
        assert_eq!(Ledger::note_rate_limits(&folder, &[limit(40.0, 200, 0)]).unwrap(), 0);
        drop(held);
        assert_eq!(Ledger::note_rate_limits(&folder, &[limit(40.0, 200, 0)]).unwrap(), 1);
    }
}
