//! Which masked texts are values, and in which forms a value stands elsewhere: with
//! backslashes, in an element of XML, in an address, in the name of a folder.
//!
//! A form is a value like any other, if it has other characters; what only has escapes of
//! ASCII in between is decoded where values are searched.

use crate::assignment::{is_random_key, is_scrambled_password, is_strong_password};
use crate::check::{is_placeholder, is_uuid};
use crate::escapes::DecodedText;
use crate::values::{LONGEST, SHORTEST};
use crate::{folders, has_placeholder};

/// How many letters and digits a value keeps in the name of a folder, at least: dashes alone
/// are a line.
const LEAST_IN_FOLDER: usize = 5;

/// A value, and the forms of it that have other characters.
pub(crate) fn forms(value: &str) -> Vec<String> {
    let mut forms = vec![value.to_owned()];
    let folder = folders::encode(value);
    if folder.bytes().filter(u8::is_ascii_alphanumeric).count() >= LEAST_IN_FOLDER {
        forms.push(folder);
    }
    if !value.is_ascii() {
        // Their hex digits have either case.
        let [upper, lower] = percent_encode(value);
        forms.extend([upper, lower]);
    }
    forms
}

/// The texts that a masked word may mean: the word without the quotes around it, the content
/// of an element, and both without the marks of markup and sentences around them, up to the
/// next field of a form. A password may end with such marks, so it is read with and without
/// them.
pub(crate) fn readings(word: &str) -> impl Iterator<Item = &str> {
    let word = word.trim_matches(|c| matches!(c, '"' | '\'' | '`' | ','));
    let field = |text| str::split(text, '&').next().unwrap_or_default();
    let (content, word_field) = (without_tags(word), field(word));
    let readings = [word, content, word_field, field(content)];
    let readings = readings.into_iter().flat_map(|text| [text, text.trim_matches(is_mark)]);
    let mut seen: Vec<&str> = Vec::new();
    readings.filter(move |text| {
        let is_new = !seen.contains(text);
        seen.push(text);
        is_new
    })
}

/// A mark of markup or of a sentence.
fn is_mark(c: char) -> bool {
    c.is_ascii_punctuation() && !matches!(c, '#' | '%' | '+' | '@' | '^' | '|' | '\\')
        || "„“”‚‘’«»‹›…。、「」『』（）：！？".contains(c)
}

/// The most bytes of a text, and of a part of it, that are looked at for values.
const MOST_BYTES: usize = 4096;
const MOST_OF_PART: usize = 64;

/// Whether a text may have a value that only another text shows to be one: whether any part
/// of it is random by the tests of the rules. What is stored without knowing its session must
/// not have one. Of a long value, parts are random too.
pub fn may_have_value(text: &str) -> bool {
    let may_be = |word: &&str| {
        let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
        let has_capital = word.bytes().skip(1).any(|byte| byte.is_ascii_uppercase());
        word.len() >= SHORTEST && (has_digit || has_capital)
    };
    let has_value = |word: &str| {
        (0..word.len()).any(|start| {
            let ends = start + SHORTEST..=word.len().min(start + MOST_OF_PART);
            ends.filter_map(|end| word.get(start..end)).any(is_value)
        })
    };
    text.len() > MOST_BYTES || text.split_whitespace().filter(may_be).any(has_value)
}

/// How many backslashes before each other are taken off: a string of JSON that is quoted in
/// another one, in the output of a shell.
const LEVELS: usize = 3;

/// A text without its backslashes, and without those that are left then.
pub(crate) fn without_backslashes(text: &str) -> impl Iterator<Item = DecodedText> {
    let first = DecodedText::without_backslashes(text);
    let next = |view: &DecodedText| DecodedText::without_backslashes(&view.text);
    std::iter::successors(first, next).take(LEVELS)
}

/// The content of an element of XML, if one starts or ends in the text.
pub(crate) fn without_tags(text: &str) -> &str {
    let text = text.split_once("</").map_or(text, |(content, _)| content);
    let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphabetic());
    match text.strip_prefix('<').and_then(|tag| tag.split_once('>')) {
        Some((name, content)) if is_name(name) => content,
        _ => text,
    }
}

/// The letters that are not ASCII as in an address, with large and with small hex digits.
fn percent_encode(value: &str) -> [String; 2] {
    let (mut upper, mut lower) = (String::new(), String::new());
    for character in value.chars() {
        if character.is_ascii() {
            upper.push(character);
            lower.push(character);
        } else {
            let mut bytes = [0; 4];
            for byte in character.encode_utf8(&mut bytes).bytes() {
                upper += &format!("%{byte:02X}");
                lower += &format!("%{byte:02x}");
            }
        }
    }
    [upper, lower]
}

/// Whether a masked value may be masked wherever it stands: it is random by the tests of
/// the rules, and neither a word, a path, an id nor a placeholder.
pub(crate) fn is_value(value: &str) -> bool {
    (SHORTEST..=LONGEST).contains(&value.len())
        && !value.chars().any(|c| c.is_whitespace() || c.is_control())
        && !is_path(value)
        && !value.contains("://")
        && !is_uuid(value)
        && !is_placeholder(value)
        && !has_placeholder(value)
        && (is_random(value) || is_random_without(value) || is_slashed_key(value))
}

/// What a path starts with; a key may as well.
const LEADS: [char; 3] = ['/', '.', '~'];

/// Whether a value that is written like a path has names between its slashes.
fn is_path(value: &str) -> bool {
    let body = value.trim_start_matches(LEADS);
    let lead = &value[..value.len() - body.len()];
    if lead.is_empty() {
        return false;
    }
    let is_word = |piece: &&str| {
        piece.len() >= 3 && piece.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    };
    let words = || body.split(['/', '.', '_']).filter(is_word);
    (lead.len() > 1 && lead.contains('/'))
        || words().count() > 1
        || (body.contains('/') && body.split('/').next().as_ref().is_some_and(is_word))
}

/// Whether a value is a random key that begins like a path, or has more slashes than a key
/// in base64 usually has.
fn is_slashed_key(value: &str) -> bool {
    let body = value.trim_start_matches(LEADS);
    let is_word =
        |piece: &&str| piece.len() >= 3 && piece.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_led = body.len() < value.len() && is_random(body);
    is_led
        || (value.matches('/').count() > 3
            && body.split('/').filter(is_word).count() < 2
            && is_random_key(&body.replace('/', "")))
}

fn is_random(value: &str) -> bool {
    is_random_key(value)
        || is_scrambled_password(value)
        || (is_strong_password(value) && value.matches('/').count() <= 1)
}

/// Whether a value is random without the characters that the rules' tests refuse, because
/// code and markup have them: brackets, and letters of other alphabets than English.
fn is_random_without(value: &str) -> bool {
    let is_odd =
        |c: char| !c.is_ascii() || matches!(c, '<' | '>' | '(' | ')' | '[' | ']' | '{' | '}');
    if !value.contains(is_odd) || is_template(value) {
        return false;
    }
    is_random(&value.replace(is_odd, ""))
}

/// Whether this is a name in brackets, for which something else is put.
fn is_template(value: &str) -> bool {
    let pairs = [('<', '>'), ('(', ')'), ('[', ']'), ('{', '}')];
    value.starts_with("${")
        || value.starts_with("$(")
        || pairs.iter().any(|(open, close)| value.starts_with(*open) && value.ends_with(*close))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_may_have_a_value_differs_from_plain_names() {
        for text in ["x vK7#mQ2z!Lw9.", "/home/ada/vK7#mQ2z!Lw9/x", "a(vK7mQ2zLw9Rt4x8)"] {
            assert!(may_have_value(text), "{text}");
        }
        for text in [
            "",
            "Count the fish in /home/ada/tidepool2, please.",
            "main",
            "feature/tide-12",
            "https://github.com/ada/tidepool.git",
        ] {
            assert!(!may_have_value(text), "{text}");
        }
    }

    #[test]
    fn words_paths_ids_and_placeholders_are_masked_only_where_rules_find_them() {
        for value in [
            "error",
            "incorrect password",
            "authentication_failed",
            "development",
            "/etc/tide/secrets2",
            "/home/ada/vK7#mQ2z!Lw9x",
            "/tmp/Ab3dX9kQ2zLw9Rt4x8Vb6",
            "~/Ab3dX9kQ2zLw9Rt4x8Vb6",
            "../Ab3dX9kQ2z/Lw9Rt4x8Vb6",
            "a1/src/b2C3/tests/D4e5F6g7/H8i9J0k1",
            "./config/tide-2.json",
            "https://host.example/Ab3",
            "2f1d7c1e-9b1a-4c1e-8f5a-0d9f1c2b3a4d",
            "your-password-1A!",
            "xxxxxxxxxxxx1A!",
            "short1!A",
            "my-service-name-2",
            "<your-Token-1!>",
            "${Tide_Token1!}",
            "config(bar12)",
            "items[0].getKey",
        ] {
            assert!(!is_value(value), "{value}");
        }
    }
}
