//! How many tokens a text takes, about: rather too many than too few.
//!
//! No model's own count is known here. Plain text takes about one for four bytes;
//! what is written without spaces between words takes more.

/// What a character takes, in quarters of a token.
fn quarters(character: char) -> usize {
    match character {
        '\0'..='\u{7f}' => 1,
        '\u{80}'..='\u{7ff}' => 2,
        // Chinese, Japanese, Korean, and whatever else has three bytes.
        '\u{800}'..='\u{ffff}' => 6,
        _ => 8,
    }
}

/// How many tokens a text takes at most, nearly.
pub fn tokens(text: &str) -> usize {
    text.chars().map(quarters).fold(0, usize::saturating_add).div_ceil(4)
}

/// How many bytes of a text take at most so many tokens.
pub fn bytes_within(text: &str, most: usize) -> usize {
    let mut left = most.saturating_mul(4);
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
    fn a_text_takes_a_quarter_of_its_bytes_and_others_more() {
        let table =
            [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("éé", 1), ("日本", 3), ("😀", 2)];
        for (text, expected) in table {
            assert_eq!(tokens(text), expected, "{text}");
        }
    }

    #[test]
    fn what_fits_takes_no_more_and_one_more_character_would() {
        for text in ["plain words", "日本語", "a日b😀é", ""] {
            for most in 0..8 {
                let fits = bytes_within(text, most);
                assert!(tokens(&text[..fits]) <= most, "{text} {most}");
                let next = text[fits..].chars().next().map_or(0, char::len_utf8);
                assert!(next == 0 || tokens(&text[..fits + next]) > most, "{text} {most}");
            }
        }
    }
}
