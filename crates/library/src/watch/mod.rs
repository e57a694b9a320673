//! Following sessions live.
//!
//! A [`Follower`] is notified that files changed, reads their new lines and
//! returns [`Event`]s. A state machine that receives lines and knows neither
//! files nor clocks works out the events of one transcript (`lane`);
//! `follower` decides which sessions are followed, and whether their
//! processes still run.
//!
//! Deliberately not here: waiting, and how anything is displayed.

pub(crate) mod calls;
pub(crate) mod conversation_diff;
pub(crate) mod event;
pub(crate) mod follower;
pub(crate) mod growing;
pub(crate) mod lane;
pub(crate) mod order;
pub(crate) mod repeated_lanes;
pub(crate) mod session;
#[cfg(test)]
mod tests;
pub(crate) mod usage_tally;

pub use event::{
    Event, EventKind, MessageWritten, Retraction, Rewind, SessionEnd, ToolCallEvent, UsageUpdate,
};
pub use follower::{Follower, WatchScope};
pub use growing::GrowingSession;
pub use store::{
    Debounce as FolderDebounce, Waker as FolderWaker, Watch as FolderWatch, WatchedChange,
};

use crate::catalog::Catalog;
use crate::redaction::Redaction;
use crate::sessions::Sessions;
use crate::stores::{Stores, Tier};
use std::hash::{DefaultHasher, Hasher as _};
use std::path::PathBuf;
use std::sync::Arc;

impl Watch {
    /// Follows the sessions of a scope, beginning with [`Follower::begin`].
    pub fn follow(&self, scope: WatchScope) -> Follower<'_> {
        Follower::new(self, scope)
    }

    /// The folders in which names and files change when the list of sessions does: those of
    /// projects, those in which projects appear, and those of processes. Much fewer than
    /// [`Follower::folders`] with everything below them.
    pub fn list_folders(&self) -> Vec<PathBuf> {
        let watch = self;
        let mut folders = Vec::new();
        for root in watch.stores.disk_roots() {
            folders.extend(root.projects());
            // A root that cannot be listed has no folders.
            let own = root.folders(watch.stores.tier_files(Tier::Disk)).unwrap_or_default().0;
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

/// Sessions followed while they are written.
#[derive(Clone, Debug)]
pub struct Watch {
    pub(crate) stores: Arc<Stores>,
    pub(crate) redaction: Arc<Redaction>,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) sessions: Arc<Sessions>,
}
