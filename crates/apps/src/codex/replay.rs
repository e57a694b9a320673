//! Which lines repeat another file.
//!
//! A fork and a sub-agent may begin with the lines of their parent, stamped anew. In the
//! legacy form they follow a `session_meta` of the parent; after a migration that line is
//! gone. What tells them apart in both forms is the id of the turn: it contains the time at
//! which the turn began, and a turn that is older than the thread was not its own. Threads
//! without such ids were written in one burst, so a pause ends the repetition.

use jiff::{SignedDuration, Timestamp};

/// A pause of this length ends a repetition without ids of turns.
const PAUSE: SignedDuration = SignedDuration::from_secs(1);

#[derive(Debug, Default)]
pub(crate) struct Replay {
    /// Whether the current line repeats another file.
    pub(crate) is_active: bool,
    /// When the thread was created, by its id.
    created: Option<u64>,
    /// Whether the thread continues another one whose lines may be in this file.
    is_fork: bool,
    /// Whether ids of turns tell where the repetition ends.
    has_turn_ids: bool,
    latest: Option<Timestamp>,
}

impl Replay {
    /// Notes the file's own thread. A fork of the paginated form that does not refer to another
    /// file was migrated: it begins with the lines of its parent.
    pub(crate) fn begin(&mut self, thread: &str, is_fork: bool, is_paginated: bool) {
        self.created = milliseconds_of(thread);
        self.is_fork = is_fork;
        self.is_active = is_fork && is_paginated;
    }

    /// Notes a `session_meta` after the first one: of the thread itself when it is resumed,
    /// of another one when that is repeated.
    pub(crate) fn note_meta(&mut self, is_own: bool) {
        self.is_active = !is_own;
        self.has_turn_ids = false;
    }

    /// Notes the current turn.
    pub(crate) fn note_turn(&mut self, turn: &str) {
        let (Some(turn), Some(created)) = (milliseconds_of(turn), self.created) else { return };
        self.has_turn_ids = true;
        self.is_active = turn < created && (self.is_active || self.is_fork);
    }

    /// Whether the time of the next line matters.
    pub(crate) fn waits_for_pause(&self) -> bool {
        self.is_active && !self.has_turn_ids
    }

    pub(crate) fn note_time(&mut self, time: Option<Timestamp>) {
        let Some(time) = time else { return };
        let pause = self.latest.map(|latest| time.duration_since(latest));
        if !self.has_turn_ids && pause.is_some_and(|pause| pause > PAUSE) {
            self.is_active = false;
        }
        self.latest = Some(time);
    }
}

/// The time in an id of the form that contains one (UUID version 7).
fn milliseconds_of(id: &str) -> Option<u64> {
    let (high, rest) = id.split_once('-')?;
    let (low, rest) = rest.split_once('-')?;
    let has_time = high.len() == 8 && low.len() == 4 && rest.starts_with('7') && id.len() == 36;
    let high = u64::from_str_radix(high, 16).ok()?;
    let low = u64::from_str_radix(low, 16).ok()?;
    has_time.then_some(high << 16 | low)
}
