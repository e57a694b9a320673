//! Following sessions live.
//!
//! A [`Follower`] is notified that files changed, reads their new lines and
//! returns [`Event`]s. A state machine that receives lines and knows neither
//! files nor clocks works out the events of one transcript ([`lane`]);
//! [`follower`] decides which sessions are followed, and whether their
//! processes still run.
//!
//! Deliberately not here: waiting, and how anything is displayed.

mod calls;
mod conversation_diff;
mod event;
mod follower;
mod lane;
mod order;
mod repeated_lanes;
mod session;
#[cfg(test)]
mod tests;
mod usage_tally;

pub use event::{
    Event, EventKind, MessageWritten, Retraction, Rewind, SessionEnd, ToolCallEvent, UsageUpdate,
};
pub use follower::{Follower, WatchScope};

use crate::catalog::tier::Tier;
use std::hash::{DefaultHasher, Hasher as _};
use std::path::PathBuf;

impl<'l> Watch<'l> {
    /// Follows the sessions of a scope, beginning with [`Follower::begin`].
    pub fn follow(self, scope: WatchScope) -> Follower<'l> {
        Follower::new(self.library, scope)
    }

    /// The folders in which names and files change when the list of sessions does: those of
    /// projects, those in which projects appear, and those of processes. Much fewer than
    /// [`Follower::folders`] with everything below them.
    pub fn list_folders(self) -> Vec<PathBuf> {
        let library = self.library;
        let mut folders = Vec::new();
        for root in library.disk_roots() {
            folders.extend(root.projects());
            // A root that cannot be listed has no folders.
            let own = root.folders(library.tier_files(Tier::Disk)).unwrap_or_default().0;
            folders.extend(own.into_iter().map(|folder| folder.path));
            folders.extend(root.config().map(|config| config.join("sessions")));
        }
        folders
    }
}

/// A hash of bytes, to detect changes.
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
