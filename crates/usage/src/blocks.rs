//! The five-hour blocks in which limits are counted.
//!
//! Unless the transcript records when a limit resets, blocks are a guess: the first
//! call, rounded down to the hour, begins a block, and a call more than five hours after
//! that, or after the last call, begins the next.

use jiff::{SignedDuration, Timestamp};

/// The length of a block.
pub const BLOCK: SignedDuration = SignedDuration::from_hours(5);

/// How the start of a block is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// From the first call in it.
    Guessed,
    /// From the recorded reset of a limit.
    Recorded,
}

impl Anchor {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Anchor::Guessed => "guessed",
            Anchor::Recorded => "recorded",
        }
    }
}

/// A block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its start.
    pub start: Timestamp,
    /// The time of the first call in it.
    pub first: Timestamp,
    /// The time of the last call in it.
    pub last: Timestamp,
    /// How its start is known.
    pub anchor: Anchor,
}

impl Block {
    /// Its end.
    pub fn end(&self) -> Timestamp {
        self.start.checked_add(BLOCK).unwrap_or(Timestamp::MAX)
    }

    /// Whether it is still active.
    pub fn is_active(&self, now: Timestamp) -> bool {
        now.duration_since(self.last) < BLOCK && self.end() > now
    }

    /// Whether a later call belongs to it, given the recorded start for the time of that
    /// call: a recorded start takes precedence over a guess.
    fn holds(&self, time: Timestamp, recorded: Option<Timestamp>) -> bool {
        match (recorded, self.anchor) {
            (Some(start), _) => start == self.start,
            (None, Anchor::Recorded) => false,
            (None, Anchor::Guessed) => {
                time.duration_since(self.start) <= BLOCK && time.duration_since(self.last) <= BLOCK
            }
        }
    }

    /// A count projected to the end of the block, at the rate between the first and the
    /// last call. `None` if both have the same time.
    pub fn projected(&self, count: i128) -> Option<i128> {
        let elapsed = i128::from(self.last.duration_since(self.first).as_secs());
        let all = i128::from(self.end().duration_since(self.first).as_secs());
        (elapsed > 0).then(|| count.saturating_mul(all) / elapsed)
    }

    /// A count per minute between the first and the last call.
    pub fn per_minute(&self, count: i128) -> Option<i128> {
        let seconds = i128::from(self.last.duration_since(self.first).as_secs());
        (seconds > 0).then(|| count.saturating_mul(60) / seconds)
    }
}

/// The blocks of calls at these ascending times. `resets` are the recorded resets of
/// limits: a block ends there.
pub fn blocks(times: impl IntoIterator<Item = Timestamp>, resets: &[Timestamp]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for time in times {
        let recorded = resets.iter().find_map(|reset| {
            let start = reset.checked_sub(BLOCK).ok()?;
            (start <= time && time < *reset).then_some(start)
        });
        if let Some(block) = blocks.last_mut().filter(|block| block.holds(time, recorded)) {
            block.last = block.last.max(time);
            continue;
        }
        let (start, anchor) = match recorded {
            Some(start) => (start, Anchor::Recorded),
            None => (floored(time), Anchor::Guessed),
        };
        blocks.push(Block { start, first: time, last: time, anchor });
    }
    blocks
}

/// The time rounded down to the hour, in UTC.
fn floored(time: Timestamp) -> Timestamp {
    let seconds = time.as_second();
    Timestamp::from_second(seconds - seconds.rem_euclid(3600)).unwrap_or(time)
}

/// The time at which a limit resets, if a notice of the app contains it:
/// `…limit reached|1749924000`.
pub fn parse_reset_time(notice: &str) -> Option<Timestamp> {
    let (_, seconds) = notice.rsplit_once('|')?;
    Timestamp::from_second(seconds.trim().parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        format!("2026-03-{text}:00Z").parse().unwrap()
    }

    fn starts(times: &[&str], resets: &[Timestamp]) -> Vec<String> {
        let found = blocks(times.iter().map(|text| at(text)), resets);
        found.iter().map(|block| block.start.to_string()[8..16].to_owned()).collect()
    }

    #[test]
    fn a_block_begins_at_the_hour_and_lasts_five_hours() {
        assert_eq!(starts(&["01T10:30", "01T14:59"], &[]), ["01T10:00"]);
        assert_eq!(starts(&["01T10:30", "01T15:00"], &[]), ["01T10:00"], "not more than five");
        assert_eq!(starts(&["01T10:30", "01T15:01"], &[]), ["01T10:00", "01T15:00"]);
        assert_eq!(starts(&["01T10:30", "01T12:00", "01T17:30"], &[]), ["01T10:00", "01T17:00"]);
        assert_eq!(starts(&[], &[]), Vec::<String>::new());
    }

    #[test]
    fn a_recorded_reset_takes_precedence_over_a_guess() {
        let reset = at("01T13:20");
        assert_eq!(
            starts(&["01T10:30", "01T13:10", "01T13:30"], &[reset]),
            ["01T08:20", "01T13:00"]
        );
        assert_eq!(
            starts(&["01T08:10", "01T08:19", "01T08:20", "01T13:20"], &[reset]),
            ["01T08:00", "01T08:20", "01T13:00"],
            "a guessed block ends where a recorded one begins, and that one at its reset"
        );
        let found = blocks([at("01T10:30")], &[reset]);
        assert_eq!(found[0].anchor, Anchor::Recorded);
        assert_eq!(
            parse_reset_time("Claude AI usage limit reached|1749924000").unwrap().as_second(),
            1_749_924_000
        );
        assert_eq!(parse_reset_time("limit reached"), None);
    }

    #[test]
    fn rates_cover_the_time_from_the_first_call_to_the_last() {
        let found = blocks([at("01T10:00"), at("01T11:00")], &[]);
        assert_eq!(found[0].per_minute(6_000), Some(100));
        assert_eq!(found[0].projected(6_000), Some(30_000));
        assert_eq!(blocks([at("01T10:00")], &[])[0].projected(5), None);
        assert!(found[0].is_active(at("01T14:59")) && !found[0].is_active(at("01T15:00")));
    }
}
