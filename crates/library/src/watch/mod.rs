//! Looking on while sessions are written.
//!
//! A [`Follower`] is told that files changed, reads on in them and answers with
//! what happened as [`Event`]s. What happens in one transcript is worked out by
//! a state machine that is fed lines and knows neither files nor clocks
//! ([`lane`]); which sessions are looked on, and whether their processes still
//! run, is decided in [`follower`].
//!
//! Deliberately not here: waiting, and how anything looks.

mod calls;
mod conversation_diff;
mod event;
mod figures;
mod follower;
mod lane;
mod order;
mod session;
#[cfg(test)]
mod tests;

pub use event::{
    Event, EventKind, Figures, MessageWritten, Retraction, Rewind, SessionEnd, ToolCallEvent,
};
pub use follower::{Follower, WatchScope};

use std::hash::{DefaultHasher, Hasher as _};

impl<'l> Watch<'l> {
    /// Follows the sessions of a scope, beginning with [`Follower::begin`].
    pub fn follow(self, scope: WatchScope) -> Follower<'l> {
        Follower::new(self.library, scope)
    }
}

/// A number for bytes, to see that they changed.
fn fingerprint<'b>(parts: impl IntoIterator<Item = &'b [u8]>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for part in parts {
        hasher.write(part);
        hasher.write_usize(part.len());
    }
    hasher.finish()
}

use crate::Library;

/// Sessions followed while they are written.
#[derive(Clone, Copy, Debug)]
pub struct Watch<'l> {
    pub(crate) library: &'l Library,
}
