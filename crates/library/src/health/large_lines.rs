//! Lines that are too large to be read, as answers report them.

use crate::health::Health;
use store::{LargeLine, LargeLines};

impl Health {
    /// The lines that were too large for what was read so far, with their places: everything
    /// answered is without them.
    pub fn large_lines(&self) -> Vec<LargeLine> {
        self.noted_lines().all()
    }

    /// The same as a handle, which also has what is noted later.
    pub fn noted_lines(&self) -> LargeLines {
        self.stores.all.large_lines().cloned().unwrap_or_default()
    }
}
