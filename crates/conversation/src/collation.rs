//! Compares timestamps as the official reader does: as text, with JavaScript's
//! `localeCompare`.
//!
//! For timestamps of one format the order is the same as by bytes; with and
//! without fractions or offsets it is not. Only ASCII is collated; all other
//! characters come after it, by code point.

use std::cmp::Ordering;

/// The characters before the letters, in order. Other control characters are
/// ignored.
const BEFORE_LETTERS: &[u8] = b"\t\n\x0b\x0c\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789";

/// The weights of the ASCII characters: 0 means ignored; case does not matter.
const WEIGHTS: [u8; 128] = {
    let mut weights = [0; 128];
    let mut rest = BEFORE_LETTERS;
    let mut weight = 1;
    while let [first, others @ ..] = rest {
        weights[*first as usize] = weight;
        weight += 1;
        rest = others;
    }
    let mut letter = b'a';
    while letter <= b'z' {
        weights[letter as usize] = letter;
        weights[letter.to_ascii_uppercase() as usize] = letter;
        letter += 1;
    }
    weights
};

/// Compares two timestamps as written.
pub(crate) fn compare_timestamps(one: &str, two: &str) -> Ordering {
    // Timestamps nearly always share a prefix.
    let (mut one, mut two) = (one.chars(), two.chars());
    let (mut rest_of_one, mut rest_of_two) = (one.clone(), two.clone());
    while let (Some(first), Some(second)) = (one.next(), two.next())
        && first == second
    {
        (rest_of_one, rest_of_two) = (one.clone(), two.clone());
    }
    let one = rest_of_one.filter_map(|character| Some((weight(character)?, character)));
    let two = rest_of_two.filter_map(|character| Some((weight(character)?, character)));
    let weights = one.clone().map(|(weight, _)| weight).cmp(two.clone().map(|(weight, _)| weight));
    // Lower case comes before upper case if all else is equal.
    let is_capital = |(_, character): (u32, char)| character.is_ascii_uppercase();
    weights.then_with(|| one.map(is_capital).cmp(two.map(is_capital)))
}

fn weight(character: char) -> Option<u32> {
    match WEIGHTS.get(character as usize) {
        Some(0) => None,
        Some(weight) => Some(u32::from(*weight)),
        None => Some(u32::from(character)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_sort_like_locale_compare() {
        let ordered = [
            "",
            "-1",
            "2026-01-02T03:04:05.500+00:00",
            "2026-01-02T03:04:05.500Z",
            "2026-01-02T03:04:05+00:00",
            "2026-01-02T03:04:05Z",
            "2026-01-02T03:04:06.500z",
            "2026-01-02T03:04:06.500Z",
            "aB",
            "Ab",
            "b",
            "é",
        ];
        for (place, one) in ordered.iter().enumerate() {
            for (other_place, two) in ordered.iter().enumerate() {
                assert_eq!(compare_timestamps(one, two), place.cmp(&other_place), "{one} {two}");
            }
        }
        assert_eq!(compare_timestamps("a\u{1}b", "ab"), Ordering::Equal);
    }
}
