//! What fills the context window, call by call.
//!
//! Deliberately not here: the command's text, which shows no single calls.

use super::Marks;
use crate::{ContextCallDocument, ContextDocument};
use conversation::{ContextUsage, View};
use library::sessions::OpenSession;
use library::window_limit::WindowLimits;
use std::collections::BTreeSet;

/// Answers with the context usage of an open session, with at most `points` calls: the
/// first and last ones, those with the largest windows, and others evenly between them.
pub fn context<T>(
    session: &OpenSession,
    marks: &Marks,
    points: usize,
    each: impl FnOnce(ContextDocument<'_>) -> T,
) -> T {
    let usage = ContextUsage::of(session.conversation(View::App));
    let turns = session.line_turns();
    let limits = WindowLimits::new(&usage.calls);
    let count = usage.calls.len();
    let windows: Vec<u64> = usage.calls.iter().map(conversation::ContextCall::window).collect();
    let shown = chosen(&windows, points);
    let calls = usage.calls.iter().zip(1..).enumerate();
    let calls = calls.filter(|(place, _)| count <= points || shown.contains(place));
    let calls =
        calls.map(|(_, (call, index))| ContextCallDocument::new(call, index, &turns, &limits));
    let marks = marks.documents_of(session);
    let mut document =
        ContextDocument::new(session.found(), marks, &usage, calls.collect(), &turns, &limits);
    let expiries = document.cache.expiries.len();
    keep_largest(&mut document.cache.expiries, points, |expiry| expiry.written_tokens);
    document.is_cut |= document.cache.expiries.len() < expiries;
    each(document)
}

/// Keeps the `most` values with the largest weights, in their order.
fn keep_largest<T>(values: &mut Vec<T>, most: usize, weight: impl Fn(&T) -> u64) {
    if values.len() <= most {
        return;
    }
    let mut places: Vec<usize> = (0..values.len()).collect();
    places.sort_by_key(|place| std::cmp::Reverse(weight(&values[*place])));
    let largest: BTreeSet<usize> = places.into_iter().take(most).collect();
    let mut place = 0;
    values.retain(|_| {
        place += 1;
        largest.contains(&(place - 1))
    });
}

/// The places of at most `points` values, the largest of each piece among them.
fn chosen(values: &[u64], points: usize) -> BTreeSet<usize> {
    let last = values.len().saturating_sub(1);
    if points == 1 {
        return BTreeSet::from([last]);
    }
    let mut places = BTreeSet::from([0, last]);
    let pieces = points.saturating_sub(2).max(1);
    let length = values.len().div_ceil(pieces).max(1);
    for (number, piece) in values.chunks(length).enumerate() {
        let start = number * length;
        let largest = piece.iter().enumerate().max_by_key(|(_, value)| **value);
        places.extend(largest.map(|(place, _)| start + place));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::{chosen, keep_largest};

    #[test]
    fn the_largest_values_stay_in_their_order() {
        let mut values = vec![3, 9, 1, 7, 9, 2];
        keep_largest(&mut values, 3, |value| *value);
        assert_eq!(values, [9, 7, 9]);
        keep_largest(&mut values, 5, |value| *value);
        assert_eq!(values, [9, 7, 9]);
        keep_largest(&mut values, 0, |value| *value);
        assert!(values.is_empty());
    }

    #[test]
    fn peaks_and_both_ends_stay() {
        let mut values = vec![1; 1_000];
        values[777] = 9;
        let places = chosen(&values, 50);
        assert!(places.len() <= 50, "{}", places.len());
        for place in [0, 777, 999] {
            assert!(places.contains(&place), "{place}");
        }
        assert_eq!(chosen(&values, 1), [999].into());
        assert!(chosen(&[], 5).len() <= 1);
        assert_eq!(chosen(&[1, 2, 3], 1_000).len(), 3);
    }
}
