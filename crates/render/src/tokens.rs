//! An estimate of the tokens in a text, rather too high than too low.
//!
//! No model's tokenizer is available here. Plain text takes about one token per four
//! bytes; writing without spaces between words takes more.

/// The tokens of a character, in quarters.
fn quarters(character: char) -> usize {
    match character {
        '\0'..='\u{7f}' => 1,
        '\u{80}'..='\u{7ff}' => 2,
        // Chinese, Japanese, Korean, and other characters of three bytes.
        '\u{800}'..='\u{ffff}' => 6,
        _ => 8,
    }
}

/// The estimated tokens of a text.
pub fn tokens(text: &str) -> usize {
    text.chars().map(quarters).fold(0, usize::saturating_add).div_ceil(4)
}

/// How many bytes of a text fit into `max` tokens.
pub fn bytes_within(text: &str, max: usize) -> usize {
    let mut left = max.saturating_mul(4);
    for (at, character) in text.char_indices() {
        match left.checked_sub(quarters(character)) {
            Some(rest) => left = rest,
            None => return at,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_takes_a_quarter_of_its_bytes() {
        let table =
            [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("éé", 1), ("日本", 3), ("😀", 2)];
        for (text, expected) in table {
            assert_eq!(tokens(text), expected, "{text}");
        }
    }

    #[test]
    fn bytes_within_is_the_longest_prefix_that_fits() {
        for text in ["plain words", "日本語", "a日b😀é", ""] {
            for max in 0..8 {
                let fits = bytes_within(text, max);
                assert!(tokens(&text[..fits]) <= max, "{text} {max}");
                let next = text[fits..].chars().next().map_or(0, char::len_utf8);
                assert!(next == 0 || tokens(&text[..fits + next]) > max, "{text} {max}");
            }
        }
    }
}
