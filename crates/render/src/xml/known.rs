//! What a document told already, so that it need not be told again.
//!
//! Texts are known by hashes with keys of their own for each run: nobody can
//! write two texts that are mistaken for each other.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};

/// A text as it is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Print(u64, u64, usize);

/// Texts that were told, each with the id of the element it stands in.
#[derive(Debug, Default)]
pub(super) struct Known {
    keys: (RandomState, RandomState),
    told: HashMap<(Print, Print), String>,
}

impl Known {
    fn print(&self, text: &str) -> Print {
        Print(self.keys.0.hash_one(text), self.keys.1.hash_one(text), text.len())
    }

    /// Where a text about something was told; if nowhere, it is from now on told
    /// in the element with this id.
    pub(super) fn where_told(&mut self, about: &str, text: &str, id: &str) -> Option<String> {
        let key = (self.print(about), self.print(text));
        if let Some(told) = self.told.get(&key) {
            return Some(told.clone());
        }
        self.told.insert(key, id.to_owned());
        None
    }
}
