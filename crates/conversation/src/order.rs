//! Times compared as the official reader compares them: as texts, in the order
//! of a dictionary (`localeCompare`).
//!
//! Times of one form stand in that order as they do by their bytes; times with
//! and without fractions or offsets do not. Only ASCII is ordered so; the rest
//! stands after it by its code points.

use std::cmp::Ordering;

/// What stands before the letters, in order. Other control characters do not
/// count at all.
const BEFORE_LETTERS: &[u8] = b"\t\n\x0b\x0c\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789";

/// The places of the ASCII characters; none is 0, and case does not matter.
const PLACES: [u8; 128] = {
    let mut places = [0; 128];
    let mut rest = BEFORE_LETTERS;
    let mut place = 1;
    while let [first, others @ ..] = rest {
        places[*first as usize] = place;
        place += 1;
        rest = others;
    }
    let mut letter = b'a';
    while letter <= b'z' {
        places[letter as usize] = letter;
        places[letter.to_ascii_uppercase() as usize] = letter;
        letter += 1;
    }
    places
};

/// Compares two times as written.
pub(crate) fn by_dictionary(one: &str, two: &str) -> Ordering {
    // Times nearly always begin alike.
    let (mut one, mut two) = (one.chars(), two.chars());
    let (mut rest_of_one, mut rest_of_two) = (one.clone(), two.clone());
    while let (Some(first), Some(second)) = (one.next(), two.next())
        && first == second
    {
        (rest_of_one, rest_of_two) = (one.clone(), two.clone());
    }
    let one = rest_of_one.filter_map(|character| Some((place(character)?, character)));
    let two = rest_of_two.filter_map(|character| Some((place(character)?, character)));
    let places = one.clone().map(|(place, _)| place).cmp(two.clone().map(|(place, _)| place));
    // Small letters stand before capital ones where all else is the same.
    let is_capital = |(_, character): (u32, char)| character.is_ascii_uppercase();
    places.then_with(|| one.map(is_capital).cmp(two.map(is_capital)))
}

fn place(character: char) -> Option<u32> {
    match PLACES.get(character as usize) {
        Some(0) => None,
        Some(place) => Some(u32::from(*place)),
        None => Some(u32::from(character)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_stand_as_in_a_dictionary() {
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
                assert_eq!(by_dictionary(one, two), place.cmp(&other_place), "{one} {two}");
            }
        }
        assert_eq!(by_dictionary("a\u{1}b", "ab"), Ordering::Equal);
    }
}
