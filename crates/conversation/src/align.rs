//! Finds the lines that two texts have in common, for diffs and for the authors of
//! lines.
//!
//! The crate `similar` does the comparison; its work grows with the number of differing
//! lines to the power of one and a half at most. More than [`MOST_LINES`] of them are
//! compared only around lines that occur once in each text, and the result says so
//! ([`MatchedLines::is_coarse`]). Work is bounded by counting, never by time, so that the
//! result depends on the texts alone. Lines are numbered first, so that long lines are
//! hashed and compared once.
//!
//! Deliberately not here: how a difference is displayed; see `diff.rs`.

use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::collections::HashMap;

/// The most lines between the common beginning and end, in both texts together, that are
/// compared with each other. The worst texts of this size take seconds, and edits of
/// this size are rare.
const MOST_LINES: usize = 200_000;

/// The lines that stayed from an old text to a new one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchedLines {
    /// For each line of the new text, the matching line of the old text.
    pub lines: Vec<Option<usize>>,
    /// Whether too many lines differ for a full comparison: lines that both texts have may
    /// be unmatched.
    pub is_coarse: bool,
}

/// A list of edits from one list of lines to the other, as short as can be found within
/// the bounds.
pub(crate) fn shortest_edit(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    compare(Algorithm::Myers, &Numbered::new(old, new), MOST_LINES).0
}

/// For each line of the new text, the matching line of the old text.
///
/// Lines that occur once in both texts are matched first (patience): who wrote a
/// brace matters less than who wrote the function around it.
pub fn matched_lines(old: &[&str], new: &[&str]) -> MatchedLines {
    matched_lines_within(old, new, MOST_LINES)
}

fn matched_lines_within(old: &[&str], new: &[&str], most_lines: usize) -> MatchedLines {
    let mut lines = vec![None; new.len()];
    let (operations, is_coarse) =
        compare(Algorithm::Patience, &Numbered::new(old, new), most_lines);
    for operation in operations {
        if let DiffOp::Equal { old_index, new_index, len } = operation {
            for (step, place) in lines[new_index..new_index + len].iter_mut().enumerate() {
                *place = Some(old_index + step);
            }
        }
    }
    MatchedLines { lines, is_coarse }
}

/// Two texts as numbers of lines: equal lines have equal numbers.
struct Numbered {
    old: Vec<usize>,
    new: Vec<usize>,
    /// How many different lines there are.
    different: usize,
}

impl Numbered {
    fn new(old: &[&str], new: &[&str]) -> Numbered {
        let mut numbers = HashMap::new();
        let mut number = |line| {
            let next = numbers.len();
            *numbers.entry(line).or_insert(next)
        };
        let old = old.iter().map(|line| number(*line)).collect();
        let new = new.iter().map(|line| number(*line)).collect();
        Numbered { old, new, different: numbers.len() }
    }

    /// The number of lines at the common beginning, and of those at the common end.
    fn common_edges(&self) -> (usize, usize) {
        let same = |(old, new): &(&usize, &usize)| old == new;
        let beginning = self.old.iter().zip(&self.new).take_while(same).count();
        let (old, new) = (&self.old[beginning..], &self.new[beginning..]);
        (beginning, old.iter().rev().zip(new.iter().rev()).take_while(same).count())
    }
}

/// The edits, and whether the comparison was coarse.
fn compare(algorithm: Algorithm, texts: &Numbered, most_lines: usize) -> (Vec<DiffOp>, bool) {
    let (beginning, end) = texts.common_edges();
    let (old, new) = (&texts.old, &texts.new);
    if old.len() + new.len() - 2 * (beginning + end) <= most_lines {
        return (capture_diff_slices(algorithm, old, new), false);
    }
    let mut anchors = unique_in_both(texts);
    // The common edges are found without being unique.
    anchors.retain(|(at, to)| {
        (beginning..old.len() - end).contains(at) && (beginning..new.len() - end).contains(to)
    });
    let mut operations = Operations::default();
    operations.equal(0, 0, beginning);
    for (at, to) in longest_rising(&anchors) {
        let (old_from, new_from) = operations.end;
        if at < old_from || to < new_from {
            continue; // It is part of the lines around another anchor.
        }
        let before = (old[old_from..at].iter().rev())
            .zip(new[new_from..to].iter().rev())
            .take_while(|(old, new)| old == new)
            .count();
        let after = (old[at..old.len() - end].iter())
            .zip(&new[to..new.len() - end])
            .take_while(|(old, new)| old == new)
            .count();
        operations.equal(at - before, to - before, before + after);
    }
    operations.equal(old.len() - end, new.len() - end, end);
    (operations.all, true)
}

/// Edits in the order of the texts. What lies between equal lines was replaced.
#[derive(Default)]
struct Operations {
    all: Vec<DiffOp>,
    /// How far the old and the new text are covered.
    end: (usize, usize),
}

impl Operations {
    fn equal(&mut self, old_index: usize, new_index: usize, len: usize) {
        let (old_from, new_from) = self.end;
        let (old_len, new_len) = (old_index - old_from, new_index - new_from);
        self.all.extend(match (old_len, new_len) {
            (0, 0) => None,
            (0, _) => Some(DiffOp::Insert { old_index: old_from, new_index: new_from, new_len }),
            (_, 0) => Some(DiffOp::Delete { old_index: old_from, old_len, new_index: new_from }),
            _ => {
                Some(DiffOp::Replace { old_index: old_from, old_len, new_index: new_from, new_len })
            }
        });
        self.all.extend((len > 0).then_some(DiffOp::Equal { old_index, new_index, len }));
        self.end = (old_index + len, new_index + len);
    }
}

/// The lines that occur once in each text: where in the old one and where in the new one,
/// in the order of the new one.
fn unique_in_both(texts: &Numbered) -> Vec<(usize, usize)> {
    /// Where a line occurs in a text.
    #[derive(Clone, Copy)]
    enum Occurs {
        Never,
        Once(usize),
        Often,
    }
    let occurrences = |lines: &[usize]| {
        let mut found = vec![Occurs::Never; texts.different];
        for (at, line) in lines.iter().enumerate() {
            found[*line] = match found[*line] {
                Occurs::Never => Occurs::Once(at),
                _ => Occurs::Often,
            };
        }
        found
    };
    let (old, new) = (occurrences(&texts.old), occurrences(&texts.new));
    let mut both: Vec<(usize, usize)> = old
        .iter()
        .zip(&new)
        .filter_map(|pair| match pair {
            (Occurs::Once(at), Occurs::Once(to)) => Some((*at, *to)),
            _ => None,
        })
        .collect();
    both.sort_unstable_by_key(|(_, to)| *to);
    both
}

/// The longest part of a list in which the first number rises too.
fn longest_rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length, the pair that ends a rising part of it with the smallest number.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (number, (at, _)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].0 < *at);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() { ends.push(number) } else { ends[length] = number }
    }
    let mut rising: Vec<(usize, usize)> =
        std::iter::successors(ends.last().copied(), |number| before[*number])
            .map(|number| pairs[number])
            .collect();
    rising.reverse();
    rising
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn matched(old: &str, new: &str) -> String {
        let old: Vec<&str> = old.split(' ').filter(|word| !word.is_empty()).collect();
        let new: Vec<&str> = new.split(' ').filter(|word| !word.is_empty()).collect();
        let found = matched_lines(&old, &new);
        assert!(!found.is_coarse);
        shown(&found.lines)
    }

    fn shown(found: &[Option<usize>]) -> String {
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
    fn more_lines_than_the_bound_are_matched_around_unique_ones() {
        let table = [
            ("a b c", "a b c", "0 1 2", false),
            ("a x b c", "a y b c", "0 - 2 3", false),
            // Unique lines, with what is equal around them.
            ("1 { a } 2 { b } 3", "4 { a } 5 6 { b } 7", "- 1 2 3 - - 5 6 7 -", true),
            // Nothing is unique.
            ("1 x y x y 2", "3 y x y x 4", "- - - - - -", true),
            // The common beginning and end are matched all the same.
            ("x x 1 x y x y 2 y y", "x x 3 y x y x 4 y y", "0 1 - - - - - - 8 9", true),
            // A moved line is not matched, the others are.
            ("1 a b c d 2", "3 d a b c 4", "- - 1 2 3 -", true),
        ];
        for (old, new, expected, is_coarse) in table {
            let old: Vec<&str> = old.split(' ').collect();
            let new: Vec<&str> = new.split(' ').collect();
            let found = matched_lines_within(&old, &new, 4);
            assert_eq!(shown(&found.lines), expected, "{old:?} | {new:?}");
            assert_eq!(found.is_coarse, is_coarse, "{old:?} | {new:?}");
        }
    }

    #[test]
    fn hostile_texts_are_compared() {
        // Few different lines in random order are the worst case.
        for different in [2, 20, 2_000, 200_000] {
            let (old, new) = (noise(1, different, 20_000), noise(2, different, 20_000));
            let old: Vec<&str> = old.iter().map(String::as_str).collect();
            let new: Vec<&str> = new.iter().map(String::as_str).collect();
            let found = matched_lines(&old, &new);
            assert_eq!((found.lines.len(), found.is_coarse), (new.len(), false));
            assert_eq!(matched_lines_within(&old, &new, 0).lines.len(), new.len());
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
            for most_lines in [0, usize::MAX] {
                let found = matched_lines_within(&old, &new, most_lines).lines;
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
        }

        #[test]
        fn coarse_edits_cover_both_texts(old in "[a-m]{0,30}", new in "[a-m]{0,30}") {
            let (old, new) = (lines(&old), lines(&new));
            let (operations, is_coarse) =
                compare(Algorithm::Myers, &Numbered::new(&old, &new), 0);
            let mut end = (0, 0);
            for operation in operations {
                prop_assert_eq!((operation.old_range().start, operation.new_range().start), end);
                end = (operation.old_range().end, operation.new_range().end);
            }
            prop_assert_eq!(end, (old.len(), new.len()));
            prop_assert_eq!(is_coarse, old != new);
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
