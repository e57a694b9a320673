//! Which lines of one text stand in another: what a line diff keeps.
//!
//! Lines that occur once in both texts are matched first (patience), the rest
//! between them by the shortest way from one to the other (Myers). Both are
//! bounded: texts that have too little in common are different, which costs
//! nothing but lines that might have been matched.
//!
//! Deliberately not here: how a difference looks; see `diff.rs`.

use std::collections::HashMap;
use std::ops::Range;

/// More insertions and deletions than this between two matched lines are not
/// sorted out.
const MOST_EDITS: usize = 300;

/// So many steps are taken to sort them out, as far as that can be said before.
const MOST_STEPS: usize = 5_000_000;

/// How often every line may be looked at, on average.
const MOST_LOOKS: usize = 64;

/// For each line of the new text, the line of the old one that it is.
pub fn matched_lines(old: &[&str], new: &[&str]) -> Vec<Option<usize>> {
    let mut numbers = HashMap::new();
    let mut number = |line| {
        let next = numbers.len();
        *numbers.entry(line).or_insert(next)
    };
    let old: Vec<usize> = old.iter().map(|line| number(*line)).collect();
    let new: Vec<usize> = new.iter().map(|line| number(*line)).collect();
    let mut matching =
        Matching { old: &old, new: &new, found: vec![None; new.len()], rest: Vec::new() };
    matching.rest.push((0..old.len(), 0..new.len()));
    let mut looks = (old.len() + new.len()).saturating_mul(MOST_LOOKS);
    while let Some((old, new)) = matching.rest.pop() {
        let (old, new) = matching.trim(old, new);
        if old.is_empty() || new.is_empty() {
            continue;
        }
        let Some(left) = looks.checked_sub(old.len() + new.len()) else { break };
        looks = left;
        if !matching.split(&old, &new) {
            matching.walk(&old, &new);
        }
    }
    matching.found
}

struct Matching<'a> {
    old: &'a [usize],
    new: &'a [usize],
    found: Vec<Option<usize>>,
    /// Parts that are still to be compared.
    rest: Vec<(Range<usize>, Range<usize>)>,
}

impl Matching<'_> {
    /// Matches what two parts begin and end with, and answers what is between.
    fn trim(
        &mut self,
        mut old: Range<usize>,
        mut new: Range<usize>,
    ) -> (Range<usize>, Range<usize>) {
        while !old.is_empty() && !new.is_empty() && self.old[old.start] == self.new[new.start] {
            self.found[new.start] = Some(old.start);
            (old.start, new.start) = (old.start + 1, new.start + 1);
        }
        while !old.is_empty() && !new.is_empty() && self.old[old.end - 1] == self.new[new.end - 1] {
            (old.end, new.end) = (old.end - 1, new.end - 1);
            self.found[new.end] = Some(old.end);
        }
        (old, new)
    }

    /// Matches lines that occur once in both parts, and leaves what is between
    /// them for later. Answers whether there are any.
    fn split(&mut self, old: &Range<usize>, new: &Range<usize>) -> bool {
        // How often a line occurs in each part, and where.
        let mut seen: HashMap<usize, [(usize, usize); 2]> = HashMap::new();
        for (side, (lines, part)) in
            [(self.old, old.clone()), (self.new, new.clone())].into_iter().enumerate()
        {
            for at in part {
                let place = &mut seen.entry(lines[at]).or_default()[side];
                *place = (place.0 + 1, at);
            }
        }
        let once = new.clone().filter_map(|at| match seen.get(&self.new[at]) {
            Some([(1, place), (1, _)]) => Some((*place, at)),
            _ => None,
        });
        let anchors = rising(&once.collect::<Vec<_>>());
        let (mut from_old, mut from_new) = (old.start, new.start);
        for (at_old, at_new) in &anchors {
            self.found[*at_new] = Some(*at_old);
            self.rest.push((from_old..*at_old, from_new..*at_new));
            (from_old, from_new) = (at_old + 1, at_new + 1);
        }
        if !anchors.is_empty() {
            self.rest.push((from_old..old.end, from_new..new.end));
        }
        !anchors.is_empty()
    }

    /// Matches what the shortest way from one part to the other keeps, if that
    /// is not too long.
    fn walk(&mut self, old: &Range<usize>, new: &Range<usize>) {
        let (one, two) = (&self.old[old.clone()], &self.new[new.clone()]);
        let Some(pairs) = shortest(one, two) else { return };
        for (at_old, at_new) in pairs {
            self.found[new.start + at_new] = Some(old.start + at_old);
        }
    }
}

/// The longest run of pairs that rises on both sides; they rise on the right.
fn rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // The pairs that runs of each length end with, and what comes before each.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (number, (left, _)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].0 < *left);
        before.push(length.checked_sub(1).map(|length| ends[length]));
        if length == ends.len() {
            ends.push(number);
        } else {
            ends[length] = number;
        }
    }
    let mut run = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(number) = next {
        run.push(pairs[number]);
        next = before[number];
    }
    run.reverse();
    run
}

/// What the shortest way from one list to the other keeps, as pairs of places;
/// nothing if the way is too long.
fn shortest(old: &[usize], new: &[usize]) -> Option<Vec<(usize, usize)>> {
    let lines = old.len() + new.len();
    let most = MOST_EDITS.min(lines).min(MOST_STEPS / lines.max(1));
    // How far along `old` each diagonal has come: diagonal k stands at k + most + 1.
    let middle = most + 1;
    let mut reached = vec![0_usize; 2 * most + 3];
    let mut trace: Vec<Vec<usize>> = Vec::new();
    for edits in 0..=most {
        trace.push(reached[middle - edits..=middle + edits].to_vec());
        for diagonal in (middle - edits..=middle + edits).step_by(2) {
            let mut at_old = step(&reached, diagonal, middle, edits).0;
            // The diagonal is the place in `old` less that in `new`.
            let Some(mut at_new) = (at_old + middle).checked_sub(diagonal) else { continue };
            while at_old < old.len() && at_new < new.len() && old[at_old] == new[at_new] {
                (at_old, at_new) = (at_old + 1, at_new + 1);
            }
            reached[diagonal] = at_old;
            if at_old >= old.len() && at_new >= new.len() {
                return Some(back(&trace, middle, old.len(), new.len()));
            }
        }
    }
    None
}

/// Where a diagonal starts after so many edits, and the diagonal it is come to
/// from.
fn step(reached: &[usize], diagonal: usize, middle: usize, edits: usize) -> (usize, usize) {
    let (below, above) = (reached[diagonal - 1], reached[diagonal + 1]);
    let is_lowest = diagonal == middle - edits;
    let is_highest = diagonal == middle + edits;
    if edits == 0 {
        (0, diagonal)
    } else if is_lowest || (!is_highest && below < above) {
        (above, diagonal + 1)
    } else {
        (below + 1, diagonal - 1)
    }
}

/// The way back from the ends of both lists.
fn back(trace: &[Vec<usize>], middle: usize, old: usize, new: usize) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let (mut at_old, mut at_new) = (old, new);
    for (edits, reached) in trace.iter().enumerate().rev() {
        // The part of the diagonals that was kept begins at `middle - edits`.
        let mut whole = vec![0; 2 * edits + 3];
        whole[1..=2 * edits + 1].copy_from_slice(reached);
        let Some(diagonal) = (at_old + middle).checked_sub(at_new) else { break };
        let Some(own) = (diagonal + edits + 1).checked_sub(middle) else { break };
        let (start, from) = step(&whole, own, edits + 1, edits);
        while at_old > start && at_new > 0 {
            (at_old, at_new) = (at_old - 1, at_new - 1);
            pairs.push((at_old, at_new));
        }
        if edits == 0 {
            break;
        }
        // One more line of the new text, or one less of the old one.
        if from > own {
            at_new = at_new.saturating_sub(1);
        } else {
            at_old = at_old.saturating_sub(1);
        }
    }
    pairs
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
    fn lines_that_stay_are_found_again() {
        let table = [
            ("", "", ""),
            ("", "a", "-"),
            ("a", "", ""),
            ("a b c", "a b c", "0 1 2"),
            ("a b c", "a x c", "0 - 2"),
            ("a b", "x a b y", "- 0 1 -"),
            ("a a a b", "a a b", "0 1 3"),
            // What moved is not the same line.
            ("one two three", "three one two", "- 0 1"),
            // None of these occurs once.
            ("x y x y z z", "y x z z y y", "1 2 4 5 - -"),
            ("{ a } { b }", "{ a } { c } { b }", "0 1 2 3 - - - 4 5"),
        ];
        for (old, new, expected) in table {
            assert_eq!(matched(old, new), expected, "{old} | {new}");
        }
    }

    #[test]
    fn texts_with_too_little_in_common_are_different() {
        // Of the same two lines, and nowhere alike for long.
        let old: Vec<&str> = (0..4_000).map(|n| if n % 3 == 0 { "a" } else { "b" }).collect();
        let new: Vec<&str> = (0..4_000).map(|n| if n % 2 == 0 { "c" } else { "b" }).collect();
        assert!(matched_lines(&old, &new).iter().all(Option::is_none));
    }

    /// The longest list of lines in common.
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

    proptest! {
        #[test]
        fn matched_lines_are_equal_and_in_order(old in "[a-d]{0,40}", new in "[a-d]{0,40}") {
            fn lines(text: &str) -> Vec<&str> {
                text.split("").filter(|line| !line.is_empty()).collect()
            }
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
        fn the_shortest_way_keeps_most(old in "[ab]{0,30}", new in "[ab]{0,30}") {
            let numbers = |text: &str| text.bytes().map(usize::from).collect::<Vec<_>>();
            let pairs = shortest(&numbers(&old), &numbers(&new)).unwrap();
            let one: Vec<&str> = old.split("").filter(|line| !line.is_empty()).collect();
            let two: Vec<&str> = new.split("").filter(|line| !line.is_empty()).collect();
            prop_assert_eq!(pairs.len(), longest(&one, &two));
        }
    }
}
