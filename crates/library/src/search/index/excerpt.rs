//! The part of a text that matches a query, on one line.

use std::ops::Range;

/// The part of a text with the matching words, with white space collapsed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The text.
    pub text: String,
    /// Where the words are in it, in bytes.
    pub highlights: Vec<(usize, usize)>,
}

/// The approximate length of an excerpt, in bytes.
const WIDTH: usize = 200;

/// How much of that comes before the first word.
const LEAD: usize = 60;

/// The places of words in a text, each with the number of its query term.
type Places<'p> = &'p [(Range<usize>, usize)];

/// The excerpt around the place where most query terms are close together.
pub(super) fn of(text: &str, places: Places<'_>) -> Excerpt {
    let (first, _) = best(places);
    let anchor = places.get(first).map_or(0, |(place, _)| place.start);
    let mut start = text.floor_char_boundary(anchor.saturating_sub(LEAD));
    if start > 0 {
        // Not in the middle of a word, if one ends soon.
        let lead = &text[start..anchor];
        if let Some(space) = lead.find(char::is_whitespace) {
            start += space;
        }
    }
    let least = places.get(first).map_or(0, |(place, _)| place.end);
    // A phrase can be very long.
    let least = least.min(start + 4 * WIDTH);
    let mut end = text.ceil_char_boundary((start + WIDTH).max(least).min(text.len()));
    // A matching word is not truncated, unless it is very long.
    let behind = places.get(first + 1..).unwrap_or_default().iter();
    if let Some((place, _)) = behind.into_iter().find(|(it, _)| it.start < end && it.end > end) {
        end = if place.end - end <= WIDTH { place.end } else { place.start };
    }
    let mut excerpt = Excerpt::default();
    if !text[..start].trim().is_empty() {
        excerpt.text.push('…');
    }
    let mut places = places.iter().map(|(place, _)| place).skip(first).peekable();
    let mut is_gap = true;
    let mut open = None;
    for (at, character) in text[start..end].char_indices() {
        let at = start + at;
        if open.is_none() && places.peek().is_some_and(|place| place.start == at) {
            if is_gap && !excerpt.text.is_empty() && !excerpt.text.ends_with(['…', ' ']) {
                excerpt.text.push(' ');
            }
            open = Some(excerpt.text.len());
        }
        if character.is_whitespace() {
            is_gap = true;
        } else {
            if is_gap && !excerpt.text.is_empty() && !excerpt.text.ends_with(['…', ' ']) {
                excerpt.text.push(' ');
            }
            is_gap = false;
            excerpt.text.push(character);
        }
        let next = at + character.len_utf8();
        if let (Some(from), Some(place)) = (open, places.peek())
            && (next >= place.end || next >= end)
        {
            excerpt.highlights.push((from, excerpt.text.len()));
            open = None;
            places.next();
        }
    }
    if !text[end..].trim().is_empty() {
        excerpt.text.push('…');
    }
    excerpt
}

/// The place from which an excerpt covers most query terms, and how many it
/// covers.
fn best(places: Places<'_>) -> (usize, usize) {
    // A text can repeat a word very often.
    const MOST: usize = 2_000;
    let mut best = (0, 0);
    for (first, (place, _)) in places.iter().enumerate().take(MOST) {
        let near = places[first..].iter().take_while(|(other, _)| other.end <= place.start + WIDTH);
        let mut parts: Vec<usize> = near.take(32).map(|(_, part)| *part).collect();
        parts.sort_unstable();
        parts.dedup();
        if parts.len() > best.1 {
            best = (first, parts.len());
        }
    }
    best
}

/// The score of a text by its matching words: close together, often, in a short
/// text.
pub(super) fn worth(text: &str, places: Places<'_>, parts: usize) -> f64 {
    let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    if parts == 0 {
        return 1.0;
    }
    let together = number(best(places).1) / number(parts);
    let often = number(places.len()).ln_1p();
    let short = 1.0 / (1.0 + number(text.len()) / 2_000.0);
    1.0 + 0.8 * together + 0.25 * often + 0.5 * short
}

/// A number that nearly equal excerpts share: a hash of their words without
/// digits.
pub(super) fn fingerprint(text: &str) -> u64 {
    let words = text.split(|character: char| !character.is_alphabetic());
    let letters = words.filter(|word| !word.is_empty()).flat_map(|word| word.bytes().chain([b' ']));
    letters.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use index::Query;

    fn excerpt_of(query: &str, text: &str) -> (String, Vec<String>) {
        let excerpt = of(text, &Query::parse(query).expect("a query").match_ranges(text));
        let words = excerpt.highlights.iter().map(|(from, to)| excerpt.text[*from..*to].to_owned());
        let words = words.collect();
        (excerpt.text, words)
    }

    #[test]
    fn excerpt_is_where_the_words_are_closest() {
        let long =
            format!("needle {} a needle in the\n  haystack {}", "x ".repeat(400), "y ".repeat(400));
        let (text, words) = excerpt_of("haystack needle", &long);
        assert_eq!(words, ["needle", "haystack"]);
        assert!(text.contains("a needle in the haystack y"), "{text}");
        assert!(text.starts_with('…') && text.ends_with('…'), "{text}");
    }

    #[test]
    fn white_space_is_collapsed() {
        assert_eq!(excerpt_of("b", "a\n\n\tb   c"), ("a b c".to_owned(), vec!["b".to_owned()]));
        assert_eq!(excerpt_of("\"b c\"", "a\nb\n c"), ("a b c".to_owned(), vec!["b c".to_owned()]));
    }

    #[test]
    fn nearly_equal_excerpts_share_a_number() {
        assert_eq!(fingerprint("took 12 ms at x"), fingerprint("took 9 ms at X"));
        assert_ne!(fingerprint("took ms"), fingerprint("took s"));
    }

    proptest::proptest! {
        #[test]
        fn highlights_cover_the_matching_words(
            text in "([a-c]{1,3}|é|\n| |[a-c ]{200}){0,20}",
            query in "[a-c]{1,2}",
        ) {
            let query = Query::parse(&query).expect("a query");
            let places = query.match_ranges(&text);
            let excerpt = of(&text, &places);
            for (from, to) in &excerpt.highlights {
                proptest::prop_assert!(query.matches(&excerpt.text[*from..*to]));
            }
            proptest::prop_assert_eq!(excerpt.highlights.is_empty(), places.is_empty());
        }
    }
}
