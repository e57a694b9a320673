//! What stands in a header in place of a token: variables, calls, templates, patterns, and
//! names in brackets. A token may have all of their characters, so only what is closed in
//! its line and has nothing random in it or beside it is one of them.
//!
//! Words of placeholders are deliberately not here (`check`).

use crate::check::{entropy, is_jumbled};

/// How far the end of a template is searched.
const LONGEST: usize = 160;

/// What opens a template, wherever it stands in a value, and what closes it.
const TEMPLATES: [(&str, char); 5] =
    [("${", '}'), ("$(", ')'), ("{{", '}'), ("#{", '}'), ("%(", ')')];

/// What opens a name that stands for a value, and what closes it.
const BRACKETS: [(char, char); 5] = [('<', '>'), ('{', '}'), ('[', ']'), ('(', ')'), ('%', '%')];

/// Whether a value is code that makes a token, or a name for which one is put. `rest` is the
/// text from the start of the value on: a template may have blanks and quotes.
pub(crate) fn is_reference(value: &str, rest: &str) -> bool {
    let rest = &rest[..rest.floor_char_boundary(LONGEST)];
    let line = rest.split(['\n', '\r']).next().unwrap_or_default();
    is_variable(value)
        || is_call(value, line)
        || is_template(value, line)
        || ["%s", "%v"].iter().any(|mark| value.contains(mark) && !is_random(value))
        || value.contains("://")
}

/// `$TOKEN`, `$this->token`, `&token`, `*oauth2.Token`, `@token`, `:token`.
fn is_variable(value: &str) -> bool {
    value
        .strip_prefix(['$', '&', '*', '@', ':'])
        .is_some_and(|name| is_named(name.trim_start_matches('$')) && starts_name(name))
}

fn starts_name(name: &str) -> bool {
    // `$1`
    name.len() < 2 || !name.starts_with(|c: char| c.is_ascii_digit())
}

/// `getToken(user)`
fn is_call(value: &str, line: &str) -> bool {
    let Some((name, _)) = value.split_once('(') else { return false };
    let after = &line[name.len()..];
    !name.is_empty()
        && is_named(name)
        && closed_length(after, '(', ')').is_some_and(|length| is_rest(value, name.len() + length))
}

fn is_template(value: &str, line: &str) -> bool {
    let inner = TEMPLATES.iter().filter_map(|(open, close)| {
        let at = value.find(open)?;
        Some((at, at + open.len() - 1, *close))
    });
    let outer = BRACKETS.iter().filter(|(open, _)| value.starts_with(*open));
    let outer = outer.map(|(_, close)| (0, 0, *close));
    inner.chain(outer).any(|(at, open, close)| {
        let mark = line[open..].chars().next().unwrap_or(close);
        let Some(length) = closed_length(&line[open..], mark, close) else { return false };
        let content = line[open..open + length].trim_matches([mark, close]);
        is_named(content) && !is_random(&value[..at]) && is_rest(value, open + length)
    })
}

/// The length of what `open` starts, up to its end; `None` if it has none.
fn closed_length(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        if letter == close && (open != close || at > 0) {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return Some(at + letter.len_utf8());
            }
        } else if letter == open {
            depth += 1;
        }
    }
    None
}

/// Whether nothing random follows in the value.
fn is_rest(value: &str, from: usize) -> bool {
    value.get(from..).is_none_or(|rest| !is_random(rest))
}

fn is_random(piece: &str) -> bool {
    piece.len() >= 8 && is_jumbled(piece) && entropy(piece.as_bytes()) >= 2.5
}

/// Whether a text is names and signs: no piece of it has digits in two places.
fn is_named(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric()).all(|piece| {
        let is_digit = |c: char| c.is_ascii_digit();
        piece.split(is_digit).filter(|letters| !letters.is_empty()).count() <= 2
            && piece.bytes().filter(u8::is_ascii_digit).count() <= 10
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_references_stand_for_a_token_and_open_ones_are_part_of_it() {
        for (line, reference) in [
            ("$TOKEN", true),
            ("$apiTokenV2\"", true),
            ("$this->token", true),
            ("$1", true),
            ("${TOKEN:?missing}", true),
            ("${await session.token(\"a b\")}`", true),
            ("{os.environ[\"TOKEN\"]}\"", true),
            ("#{token}-x", true),
            ("<your token here>", true),
            ("<JWT_FROM_STEP_1>", true),
            ("[A-Za-z0-9._-]+", true),
            ("(.+)$", true),
            ("%TOKEN%", true),
            ("%s.%s", true),
            ("getToken(user, 2)", true),
            ("$q8Zr2Kd9Lw4Xn7", false),
            ("q8Zr2Kd9Lw(4Xn7Tb5Vc1", false),
            ("kd93hf(7)ghd-2hf9d", false),
            ("[q8Zr2Kd9Lw4Xn7Tb5", false),
            ("{q8Zr2Kd9Lw4Xn7}", false),
            ("<a>q8Zr2Kd9Lw4Xn7", false),
            ("q8Zr2${Kd9Lw4Xn7Tb5", false),
        ] {
            let value = &line[..crate::bearer::token_end(line, 0)];
            assert_eq!(is_reference(value, line), reference, "{line}");
        }
    }
}
