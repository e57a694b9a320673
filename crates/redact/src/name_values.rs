//! The values of sessions that stand in their names: of folders, branches and pull requests.
//!
//! Sessions are found by such names, so readers keep them as they are, and what writes an
//! answer masks them. An answer can name many sessions, so these values are masked in all of
//! it. The readers of sessions add them to the redactor whose clones write the answers;
//! the texts of a session are masked by its values only, so that they do not depend on what
//! else was read.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use crate::{Redactor, SessionValues};

/// The values in names, shared by the clones of a redactor.
#[derive(Default)]
pub(crate) struct NameValues(RwLock<Option<Arc<SessionValues>>>);

impl fmt::Debug for NameValues {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("NameValues")
    }
}

impl NameValues {
    /// The values that are known now; `None` if there are none.
    pub(crate) fn get(&self) -> Option<Arc<SessionValues>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn merge(&self, new: &SessionValues) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let mut merged = known.as_deref().cloned().unwrap_or_else(|| new.clone());
        if merged.merge(new) || known.is_none() {
            *known = Some(merged.searchable());
        }
    }
}

impl Redactor {
    /// Adds the values of its session that stand in a name of it to what all clones of the
    /// redactor mask that it was made from.
    pub fn note_name(&self, name: &str) {
        let Some(values) = &self.values else { return };
        let found = values.found_in(name);
        if !found.is_empty() {
            self.name_values.merge(&found);
        }
    }

    /// The redactor for texts that belong to no session: it does not mask what other texts
    /// have in their names.
    #[must_use]
    pub fn for_texts(self) -> Redactor {
        Redactor { masks_name_values: false, ..self }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Level, Redactor, SessionValues, ValueKey};

    #[test]
    fn value_in_a_name_is_masked_in_answers_and_in_no_text_of_another_session() {
        let answers = Redactor::new(Level::Standard, [7; 32]);
        let mut values = SessionValues::new(ValueKey::new([3; 32]));
        answers.note_values("DB_PASSWORD=vK7#mQ2z!Lw9\nPIN_PASSWORD=aB3xY9#kQ7w\n", &mut values);
        let session = answers.for_session(&values);
        session.note_name("/home/ada/tidepool");
        assert_eq!(answers.mask("vK7#mQ2z!Lw9"), "vK7#mQ2z!Lw9");
        session.note_name("/home/ada/vK7#mQ2z!Lw9/tidepool");
        for path in ["/home/ada/vK7#mQ2z!Lw9/x", "/p/-home-ada-vK7-mQ2z-Lw9-tidepool/1.jsonl"] {
            let masked = answers.mask(path);
            assert!(masked.contains("/[redacted:") || masked.contains("-[redacted:"), "{masked}");
            assert!(!masked.contains("mQ2z"), "{masked}");
            assert_eq!(answers.clone().for_texts().mask(path), path);
            let other = SessionValues::new(ValueKey::new([3; 32]));
            assert_eq!(answers.for_session(&other).mask(path), path);
        }
        assert_eq!(answers.mask("aB3xY9#kQ7w"), "aB3xY9#kQ7w");
    }
}
