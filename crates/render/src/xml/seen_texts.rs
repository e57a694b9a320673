//! The texts that a document already contains, so that they are not repeated.
//!
//! Texts are compared by hashes with random keys for each run: nobody can craft two
//! texts that collide.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};

/// Identifies a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Fingerprint(u64, u64, usize);

/// The texts written so far, each with the id of its element.
#[derive(Debug, Default)]
pub(super) struct SeenTexts {
    keys: (RandomState, RandomState),
    ids: HashMap<(Fingerprint, Fingerprint), String>,
}

impl SeenTexts {
    fn fingerprint(&self, text: &str) -> Fingerprint {
        Fingerprint(self.keys.0.hash_one(text), self.keys.1.hash_one(text), text.len())
    }

    /// The id of the element that contains a text about a subject. A new text is recorded
    /// with this id.
    pub(super) fn first_id_of(&mut self, subject: &str, text: &str, id: &str) -> Option<String> {
        let key = (self.fingerprint(subject), self.fingerprint(text));
        if let Some(id) = self.ids.get(&key) {
            return Some(id.clone());
        }
        self.ids.insert(key, id.to_owned());
        None
    }
}
