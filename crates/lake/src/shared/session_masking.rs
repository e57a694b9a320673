//! How the texts and names of one session are masked, and by which rules.
//!
//! A value that is masked anywhere in a session is masked everywhere in it. So a new value is like
//! newer rules for this session alone: its earlier rows are sent again, and count before those
//! that show the value. With fewer values than before, because an output is gone, nothing is sent
//! again: rows in the lake mask more.

use crate::shared::names::NameMasking;
use redact::Redactor;
use std::sync::Arc;

/// The bits of a version for the number of values.
const VALUE_BITS: u32 = 16;

/// The masking of a session.
#[derive(Debug)]
pub(crate) struct SessionMasking {
    pub(crate) redactor: Arc<Redactor>,
    pub(crate) names: NameMasking,
    /// The version of the rules, with the number of values.
    pub(crate) rules: u32,
}

impl SessionMasking {
    /// Masks with a redactor, whose kinds have this version.
    pub(crate) fn new(redactor: &Arc<Redactor>, version: u32) -> Self {
        SessionMasking {
            names: NameMasking::new(Arc::clone(redactor)),
            rules: with_values(version, redactor.value_count()),
            redactor: Arc::clone(redactor),
        }
    }
}

/// The version of rules that also mask some values of a session. Rows of a later version always have
/// higher numbers.
pub(crate) const fn with_values(version: u32, values: usize) -> u32 {
    let most = (1 << VALUE_BITS) - 1;
    // It fits: it is at most `most`.
    #[expect(clippy::cast_possible_truncation, reason = "at most 65,535")]
    let values = if values < most { values as u32 } else { most as u32 };
    (version << VALUE_BITS) | values
}

/// The version without values.
pub(crate) const fn version_of(rules: u32) -> u32 {
    rules >> VALUE_BITS
}

#[cfg(test)]
mod tests {
    use super::{version_of, with_values};

    #[test]
    fn a_later_version_counts_before_any_number_of_values() {
        let ordered = [
            with_values(1, 0),
            with_values(1, 1),
            with_values(1, 65_535),
            with_values(2, 0),
            with_values(2, 3),
        ];
        assert!(ordered.is_sorted() && ordered[0] > 1, "{ordered:?}");
        assert_eq!(with_values(1, 1 << 20), with_values(1, 65_535));
        assert_eq!(ordered.map(version_of), [1, 1, 1, 2, 2]);
    }
}
