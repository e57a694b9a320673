//! Finds the lines that two texts have in common, for diffs and for the authors of
//! lines.
//!
//! The crate `similar` does the comparison. Its work is bounded by the number of lines
//! between the common beginning and end; if those are very many, by a deadline, after
//! which the remaining lines count as different. So only the differences of such texts
//! can depend on how busy the machine is. Lines are numbered first, so that long lines are
//! hashed and compared once.
//!
//! Deliberately not here: how a difference is displayed; see `diff.rs`.

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// The deadline of a comparison of more than [`MOST_LINES`]. Real edits take microseconds;
/// this is for texts that were made to be slow.
const DEADLINE: Duration = Duration::from_millis(200);

/// The most lines that are compared without a deadline, in both texts together. The worst
/// case takes the square of that in steps, which is about as long as the deadline.
const MOST_LINES: usize = 8_000;

/// The shortest list of edits from one list of lines to the other.
pub(crate) fn shortest_edit(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    compare(Algorithm::Myers, old, new)
}

/// For each line of the new text, the matching line of the old text.
///
/// Lines that occur once in both texts are matched first (patience): who wrote a
/// brace matters less than who wrote the function around it.
pub fn matched_lines(old: &[&str], new: &[&str]) -> Vec<Option<usize>> {
    let mut found = vec![None; new.len()];
    for operation in compare(Algorithm::Patience, old, new) {
        if let DiffOp::Equal { old_index, new_index, len } = operation {
            for (step, place) in found[new_index..new_index + len].iter_mut().enumerate() {
                *place = Some(old_index + step);
            }
        }
    }
    found
}

fn compare(algorithm: Algorithm, old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let mut numbers = HashMap::new();
    let mut number = |line| {
        let next = numbers.len();
        *numbers.entry(line).or_insert(next)
    };
    let old: Vec<usize> = old.iter().map(|line| number(*line)).collect();
    let new: Vec<usize> = new.iter().map(|line| number(*line)).collect();
    let deadline = needs_deadline(&old, &new).then(|| Instant::now() + DEADLINE);
    capture_diff_slices_deadline(algorithm, &old, &new, deadline)
}

/// Whether the lines between the common beginning and end are too many to be compared
/// however long that takes.
fn needs_deadline(old: &[usize], new: &[usize]) -> bool {
    let same = |(old, new): &(&usize, &usize)| old == new;
    let beginning = old.iter().zip(new).take_while(same).count();
    let (old, new) = (&old[beginning..], &new[beginning..]);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(same).count();
    old.len() + new.len() - 2 * end > MOST_LINES
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn matched(old: &str, new: &str) -> String {
        let old: Vec<&str> = old.split(' ').filter(|word| !word.is_empty()).collect();
        let new: Vec<&str> = new.split(' ').filter(|word| !word.is_empty()).collect();
        let found = matched_lines(&old, &new);
        let found = found.iter().map(|at| at.map_or("-".to_owned(), |at| at.to_string()));
        found.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn unchanged_lines_are_matched() {
        let table = [
            ("", "", ""),
            ("", "a", "-"),
            ("a", "", ""),
            ("a b c", "a b c", "0 1 2"),
            ("a b c", "a x c", "0 - 2"),
            ("a b", "x a b y", "- 0 1 -"),
            ("a a a b", "a a b", "0 1 3"),
            // A moved line does not match.
            ("one two three", "three one two", "- 0 1"),
            // None of these occurs once.
            ("x y x y z z", "y x z z y y", "1 2 4 5 - -"),
            ("{ a } { b }", "{ a } { c } { b }", "0 1 2 3 - - - 4 5"),
        ];
        for (old, new, expected) in table {
            assert_eq!(matched(old, new), expected, "{old} | {new}");
        }
    }

    /// Pseudo-random numbers, the same in every run.
    fn noise(seed: u64, different: u64, count: usize) -> Vec<String> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((state >> 33) % different).to_string()
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn only_very_many_different_lines_have_a_deadline() {
        let numbers = |count: usize| (0..count).collect::<Vec<_>>();
        let others = |count: usize| (0..count).map(|number| number + 1_000_000).collect::<Vec<_>>();
        let half = MOST_LINES / 2;
        assert!(!needs_deadline(&numbers(half), &others(half)));
        assert!(needs_deadline(&numbers(half), &others(half + 1)));
        assert!(!needs_deadline(&numbers(0), &numbers(0)));
        // One line changed in the middle of a large file.
        let mut changed = numbers(100_000);
        changed[50_000] = 1_000_000;
        assert!(!needs_deadline(&numbers(100_000), &changed));
        changed.insert(60_000, 7);
        assert!(needs_deadline(&numbers(100_000), &changed));
    }

    #[test]
    fn hostile_texts_are_compared() {
        // Few different lines in random order are the worst case.
        for different in [2, 20, 2_000, 200_000] {
            let (old, new) = (noise(1, different, 50_000), noise(2, different, 50_000));
            let old: Vec<&str> = old.iter().map(String::as_str).collect();
            let new: Vec<&str> = new.iter().map(String::as_str).collect();
            assert_eq!(matched_lines(&old, &new).len(), new.len());
            assert!(!shortest_edit(&old, &new).is_empty());
        }
    }

    /// The length of the longest common subsequence.
    fn longest(old: &[&str], new: &[&str]) -> usize {
        let mut row = vec![0; new.len() + 1];
        for line in old {
            let before = row.clone();
            for (at, other) in new.iter().enumerate() {
                row[at + 1] =
                    if line == other { before[at] + 1 } else { row[at].max(before[at + 1]) };
            }
        }
        row[new.len()]
    }

    fn lines(text: &str) -> Vec<&str> {
        text.split("").filter(|line| !line.is_empty()).collect()
    }

    proptest! {
        #[test]
        fn matched_lines_are_equal_and_in_order(old in "[a-d]{0,40}", new in "[a-d]{0,40}") {
            let (old, new) = (lines(&old), lines(&new));
            let found = matched_lines(&old, &new);
            prop_assert_eq!(found.len(), new.len());
            let mut last = None;
            for (line, at) in new.iter().zip(&found) {
                if let Some(at) = at {
                    prop_assert_eq!(line, &old[*at]);
                    prop_assert!(last.is_none_or(|last| last < *at));
                    last = Some(*at);
                }
            }
        }

        #[test]
        fn shortest_edit_keeps_the_most_lines(old in "[ab]{0,30}", new in "[ab]{0,30}") {
            let (old, new) = (lines(&old), lines(&new));
            let kept = shortest_edit(&old, &new).into_iter().map(|operation| match operation {
                DiffOp::Equal { len, .. } => len,
                _ => 0,
            });
            prop_assert_eq!(kept.sum::<usize>(), longest(&old, &new));
        }
    }
}
