//! Values of random characters among which are brackets and other signs that end a value
//! elsewhere: what generators print, and the keys of frameworks. They are so unlike code and
//! names that the rest of a line or a whole string counts, whatever signs it has.

use super::Assignment;
use super::chosen::{starts_line, words};
use super::delimit::{find_closing, find_quote, skip_blanks};
use super::value::{is_camel, is_strong};
use crate::check::is_placeholder;

const SHORTEST: usize = 12;
const LONGEST: usize = 128;

/// The value of random signs that a name holds: in quotes, or up to the end of its word if the
/// name begins the line. The name ends at `name_end`.
pub(super) fn find_noise(text: &str, keyword: usize, name_end: usize) -> Option<Assignment> {
    let bytes = text.as_bytes();
    let mut at = name_end;
    find_quote(bytes, &mut at);
    at += usize::from(bytes.get(at) == Some(&b']'));
    skip_blanks(bytes, &mut at);
    at += match bytes.get(at..)? {
        [b'=', b'>', ..] | [b':' | b'?' | b'+', b'=', ..] => 2,
        [b'=' | b':', ..] => 1,
        _ => return None,
    };
    skip_blanks(bytes, &mut at);
    // The prefixes of strings: `b"…"`.
    at += usize::from(matches!(bytes[at..], [b'b' | b'r', b'"' | b'\'', ..]));
    let before = at;
    let end = if let Some(quote) = find_quote(bytes, &mut at) {
        find_closing(bytes, at, quote, at - before - 1)?
    } else {
        if !starts_line(text, keyword) {
            return None;
        }
        let word = bytes[at..].iter().take(LONGEST + 1).take_while(|byte| byte.is_ascii_graphic());
        at + word.count()
    };
    let value = text.get(at..end)?;
    let value = value.strip_suffix([',', ';']).unwrap_or(value);
    is_noise(value).then(|| Assignment::whole(at..at + value.len()))
}

/// `Pwd={…};`, a value in the braces of a data source. The name ends at `name_end`.
pub(super) fn find_braced(text: &str, name_end: usize) -> Option<Assignment> {
    let bytes = text.as_bytes();
    let rest = bytes.get(name_end..)?.strip_prefix(b"={")?;
    let length = rest.iter().take(LONGEST).position(|byte| matches!(byte, b'}' | b'\n' | b'"'))?;
    let start = name_end + 2;
    let value = text.get(start..start + length)?;
    let is_closed =
        rest[length] == b'}' && matches!(rest.get(length + 1), None | Some(b';' | b'"' | b'\''));
    let is_password = is_noise(value) || is_disordered(value) || is_strong(value);
    (is_closed && is_password).then(|| Assignment::whole(start..start + length))
}

/// Whether the characters of a value are of all kinds and follow each other at random.
pub(crate) fn is_noise(value: &str) -> bool {
    const CODE: &[&str] = &[
        "://",
        "${",
        "{{",
        "$(",
        "=>",
        "->",
        "::",
        "()",
        "&&",
        "||",
        "==",
        "//",
        "</",
        "/>",
        "%s",
        "\\",
        "(?",
        "A-Z",
        "a-z",
        "0-9",
        "[redacted:",
    ];
    if !(SHORTEST..=LONGEST).contains(&value.len())
        || !value.bytes().all(|byte| byte.is_ascii_graphic())
        || value.ends_with(['{', '(', '['])
    {
        return false;
    }
    let kind = |byte: u8| match byte {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    };
    let changes = value.as_bytes().windows(2).filter(|two| kind(two[0]) != kind(two[1])).count();
    let signs = value.bytes().filter(u8::is_ascii_punctuation).count();
    // Nearly all values have no signs.
    if signs < 3
        || signs * 10 < value.len()
        || changes * 9 < (value.len() - 1) * 4
        || CODE.iter().any(|code| value.contains(code))
    {
        return false;
    }
    let mut odd: Vec<u8> =
        value.bytes().filter(|byte| b"!#$%^&*@?~+=;<>{}|".contains(byte)).collect();
    odd.sort_unstable();
    odd.dedup();
    let pieces = || value.split(|c: char| c.is_ascii_punctuation());
    let has = |piece: &str, test: fn(&u8) -> bool| piece.as_bytes().iter().any(test);
    let is_mixed = |piece: &str| {
        let kinds = [u8::is_ascii_lowercase, u8::is_ascii_uppercase, u8::is_ascii_digit];
        piece.len() >= 2 && kinds.into_iter().filter(|kind| has(piece, *kind)).count() >= 2
    };
    let in_words: usize = words(value).filter(|run| is_word(run)).map(str::len).sum();
    (has(value, u8::is_ascii_digit) || is_disordered(value))
        && has(value, u8::is_ascii_alphabetic)
        && !value.contains("(String")
        && !value.contains(">;")
        && odd.len() >= 2
        && pieces().any(is_mixed)
        && in_words * 3 <= value.len()
        && !is_placeholder(value)
}

/// Whether letters of both cases follow each other as in no name, whatever else is among them: a
/// password that a generator made without digits or signs. Where nothing but a literal stands.
pub(crate) fn is_disordered(value: &str) -> bool {
    const CODE: &[&str] = &["://", "${", "{{", "$(", "()", "\\", "[redacted:"];
    let is_graphic = |byte: u8| byte.is_ascii_graphic() && !b"\"'`<>()[]{}/".contains(&byte);
    let in_words: usize = words(value).filter(|run| is_word(run)).map(str::len).sum();
    let letters = || value.split(|c: char| !c.is_ascii_alphabetic());
    (8..=64).contains(&value.len())
        && value.bytes().all(is_graphic)
        && !CODE.iter().any(|code| value.contains(code))
        && value.bytes().any(|byte| byte.is_ascii_lowercase())
        && value.bytes().any(|byte| byte.is_ascii_uppercase())
        && in_words * 3 <= value.len()
        && (letters().any(|run| run.len() >= 5 && !is_camel(run))
            || letters().filter(|run| !is_camel(run)).count() >= 2)
        && !is_placeholder(value)
}

/// Whether letters may be a word: of one case, with vowels and no row of consonants.
fn is_word(run: &str) -> bool {
    let is_vowel = |byte: &u8| b"aeiouyAEIOUY".contains(byte);
    let consonants = run.as_bytes().split(is_vowel).map(<[u8]>::len).max().unwrap_or_default();
    let capitals = run.bytes().filter(u8::is_ascii_uppercase).count();
    let is_one_case = capitals == 0
        || capitals == run.len()
        || (capitals == 1 && run.as_bytes()[0].is_ascii_uppercase());
    run.len() >= 4 && is_one_case && consonants < 4 && run.bytes().any(|byte| is_vowel(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_signs_are_distinguished_from_code() {
        for value in [
            "%vqjx=xvbo_-t%hd0w)t-%flhbmuaptt0zn3^-+(x0p=d)!qxk",
            "oS:>]iXf9aMtR{*;7npGtfK$g}<x",
            "p*c/Xdh1vd;:M*HVs@r}4l&34v)o)V",
            "6.&W9-kfXac@!3.g",
        ] {
            assert!(is_noise(value), "{value}");
        }
        for value in [
            "os.environ[\"DB_PASS1\"]!",
            "config.get('x1')||await(y2)",
            "^[A-Za-z0-9!@#$%^&*]{8,}$",
            "function(e){return!e1&t[0]}",
            "%Y-%m-%dT%H:%M:%S%z2",
            "https://a:b1@host/?x=1&y=2",
            "user_id=1&page=2&sort=asc",
            "OnceLock<Vec<u8>>,x",
            "{id:1,name:2,tags:[3]}",
        ] {
            assert!(!is_noise(value), "{value}");
        }
    }
}
