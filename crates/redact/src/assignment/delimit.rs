//! Finds the value of a name: after a separator, in quotes, as an element, in
//! the next cell of a table, on the next line, in several pieces.
//!
//! Which values are secrets is not decided here.

use std::ops::Range;

use super::leads::{skip_declared, skip_type, skip_yaml};
use super::literals::literal;
use super::pieces::{join_lines, join_pieces};
use super::value::{LONGEST, is_signed_word as is_signed};
use super::{Assignment, Certainty, Quoting, WHOLE};
use crate::breaks;
use crate::letters::{is_visible, wide_letter};
use crate::pattern::{ALNUM, DIGIT, WORD};

/// Bars that are drawn between the columns of a table.
const BARS: &[&str] = &["│", "┃", "║"];

/// Suffixes that may follow a keyword within a name.
const SUFFIXES: &[&str] =
    &["key", "token", "secret", "value", "base", "hash", "id", "string", "salt"];

/// The value of the name that contains the keyword.
pub(super) fn delimit(text: &str, keyword: Range<usize>) -> Option<Assignment> {
    let bytes = text.as_bytes();
    let name_end = skip_name(bytes, keyword.end)?;
    let mut at = name_end;
    let closing = find_quote(bytes, &mut at);
    let quoted_name = closing.is_some();
    if bytes.get(at) == Some(&b']') {
        at += 1;
    } else if bytes[at..].starts_with(b"[] =") || bytes[at..].starts_with(b"[]=") {
        // `char password[] = "…"`
        at += 2;
    }
    let emphasis = skip_emphasis(bytes, &mut at);
    let blanks = at;
    let spaces = skip_blanks(bytes, &mut at) + skip_leaders(text, &mut at);
    let mut quoting = Quoting::Bare;
    let mut element = false;
    let mut certainty = Certainty::Assigned;
    let rest = bytes.get(at..)?;
    match rest {
        // `== "…"`, `!== '…'`
        [b'=' | b'!', b'=', ..] => {
            certainty = Certainty::Compared;
            at += rest.iter().take(3).take_while(|byte| matches!(byte, b'=' | b'!')).count();
        }
        // Lua: `~= "…"`
        [b'~', b'=', b' ', ..] => {
            certainty = Certainty::Compared;
            at += 2;
        }
        [b'=', b'~', b' ' | b'/' | b'"' | b'\'', ..] | [b':', b':', ..] => return None,
        [b':' | b'+' | b'?', b'=', ..] | [b'=', b'>', ..] | [b'<', b'-', b' ', ..] => at += 2,
        // A default: `${NAME:-…}`.
        [b':', b'-', ..] if is_expansion(bytes, keyword.start) => at += 2,
        [b'|', b'|', b'=', ..] => at += 3,
        [b'=' | b':', ..] => at += 1,
        // A row of a file with names and values: `DB_PASSWORD,…`
        [b',', next, ..]
            if !quoted_name
                && spaces == 0
                && is_visible(*next)
                && is_row(text, keyword.start, at) =>
        {
            at += 1;
        }
        // A tuple of Erlang: `{password, "…"}`
        [b',', ..] if bytes[..name_start(bytes, keyword.start)].ends_with(b"{") => at += 1,
        // A call: `setPassword("…")`, `.env("TOKEN", "…")`.
        [b',', ..] if quoted_name => at += 1,
        [b'>', ..] if spaces == 0 && is_element(bytes, keyword.start, quoted_name) => {
            element = true;
            at += 1 + skip_tag(&rest[1..]);
        }
        // `<Password type="text">…`
        _ if spaces > 0 && !quoted_name && is_element(bytes, keyword.start, false) => {
            let close = rest.iter().take(120).position(|byte| matches!(byte, b'>' | b'\n'))?;
            element = true;
            at += close + 1;
        }
        [b'|', b'|', ..] if !rest.starts_with(b"|| ") => {
            certainty = Certainty::Nearby;
            at += 2;
        }
        [b'|', ..] if is_cell(bytes, keyword.start) => {
            certainty = Certainty::Nearby;
            at += 1;
        }
        _ if BARS.iter().any(|bar| rest.starts_with(bar.as_bytes())) => {
            certainty = Certainty::Nearby;
            at += BARS[0].len();
        }
        // `@password NVARCHAR(50) = '…'`, `password As String = "…"`
        _ if spaces > 0
            && !quoted_name
            && let Some(length) = skip_declared(rest) =>
        {
            at += length;
        }
        _ if spaces > 0 && !quoted_name && is_flag(bytes, keyword.start) => {
            quoting = Quoting::Flag;
        }
        _ if spaces > 0 => {
            certainty = Certainty::Nearby;
            if let Some(length) = prose_separator(rest) {
                certainty = Certainty::Prose;
                at += length;
            } else if bytes[blanks..at].contains(&b'\t') && starts_line(bytes, keyword.start) {
                // A column.
            } else if quoted_name && closing != rest.first().copied() {
                return None;
            } else {
                // `set password "…"`, `password …`
                at += skip_encoding(rest);
                let is_first = is_indented(bytes, keyword.start);
                certainty = if is_first { Certainty::Line } else { Certainty::Directive };
            }
        }
        _ => return None,
    }
    let equals = matches!(bytes[at - 1], b'=' | b'-') && spaces == 0;
    let colon = bytes[at - 1] == b':';
    if !emphasis {
        skip_emphasis(bytes, &mut at);
    }
    let tight = skip_blanks(bytes, &mut at) == 0 && equals;
    if text[at..].starts_with(WHOLE) {
        return Some(Assignment::whole(at + 1..text.len()));
    }
    if bytes[at..].starts_with(b"\\\n") {
        // A shell joins the lines.
        at += 2;
        skip_blanks(bytes, &mut at);
    }
    let in_block = colon && skip_yaml(bytes, &mut at);
    skip_emphasis(bytes, &mut at);
    // A list of one, and the brackets of a binary in Erlang.
    at += match &bytes[at..] {
        [b'[', b'"' | b'\'', ..] if quoted_name => 1,
        [b'<', b'<', b'"', ..] => 2,
        _ => 0,
    };
    skip_type(bytes, &mut at);
    if let Some(value) = literal(text, at) {
        let quoting = Quoting::Quoted;
        return Some(Assignment { value, joined: None, quoting, tight, single: true, certainty });
    }
    let before = at;
    if let Some(quote) = find_quote(bytes, &mut at) {
        // `"PWD="`: the name and the separator are the whole string.
        if tight && !quoted_name && opens_name(bytes, keyword.start, quote) {
            return None;
        }
        // The backslashes before the quote.
        let escapes = at - before - 1;
        let end = find_closing(bytes, at, quote, escapes)?;
        let single = quote == b'\'';
        let (value, joined) = match breaks::spliced_end(bytes, end + 1).filter(|_| tight) {
            Some(last) if escapes == 0 && bytes.get(end) == Some(&quote) => {
                let word = text.get(at..last)?;
                (at..last, Some(word.replace(['"', '\'', '\\'], "")))
            }
            _ => join_pieces(text, at..end, quote),
        };
        return Some(Assignment {
            value,
            joined,
            quoting: Quoting::Quoted,
            tight,
            single,
            certainty,
        });
    }
    let capitals = !bytes[keyword.clone()].iter().any(u8::is_ascii_lowercase);
    let mut end = if element {
        skip_cdata(bytes, &mut at);
        let end = find_element_end(bytes, at);
        if bytes[end..].starts_with(b"</") {
            quoting = Quoting::Quoted;
        }
        end
    } else {
        // Options take any word.
        let variable = tight && (capitals || is_flag(bytes, keyword.start));
        find_bare_end(bytes, at, tight, variable)
    };
    if certainty == Certainty::Line && !ends_line(bytes, end) {
        certainty = Certainty::Directive;
    }
    if !element && let Some(extended) = bracketed_end(text, at, end) {
        end = extended;
    }
    // Punctuation at the end of a sentence; a shell variable is not in one.
    let is_in_prose = !tight && certainty != Certainty::Line;
    let is_end = |byte| {
        matches!(byte, b'.' | b':' | b'*' | b'-') || (is_in_prose && matches!(byte, b'!' | b'?'))
    };
    let whole = end;
    while end > at && is_end(bytes[end - 1]) {
        end -= 1;
    }
    // The mark belongs to the password if that is one only with it.
    let is_good = |end: usize| text.get(at..end).is_some_and(is_signed);
    if end < whole && !is_good(end) && is_good(whole) {
        end = whole;
    }
    // Text before code belongs to the code. A closing tag does not count as code.
    let is_tag = bytes[end..].starts_with(b"</") || bytes[end..].starts_with(b"<br");
    if matches!(bytes.get(end), Some(b'(' | b'[' | b'{' | b'<')) && !element && !is_tag {
        return None;
    }
    let (value, joined) = if in_block { join_lines(text, at..end) } else { (at..end, None) };
    (end > at).then_some(Assignment { value, joined, quoting, tight, single: false, certainty })
}

/// The end of the name, if nothing meaningful follows the keyword.
pub(super) fn skip_name(bytes: &[u8], mut at: usize) -> Option<usize> {
    for _ in 0..3 {
        let mut next = at;
        if matches!(bytes.get(next), Some(b'_' | b'-' | b'.')) {
            next += 1;
        }
        let rest = bytes.get(next..)?;
        let Some(suffix) = SUFFIXES.iter().find(|suffix| {
            rest.get(..suffix.len())
                .is_some_and(|part| part.eq_ignore_ascii_case(suffix.as_bytes()))
        }) else {
            break;
        };
        at = next + suffix.len();
    }
    let rest = bytes.get(at..)?;
    let digits = match rest {
        [b'_', digits @ ..] if DIGIT.run(digits, 3) > 0 => 1 + DIGIT.run(digits, 3),
        _ => DIGIT.run(rest, 3),
    };
    at += digits;
    (!bytes.get(at).is_some_and(|byte| WORD.contains(*byte))).then_some(at)
}

pub(super) fn skip_blanks(bytes: &[u8], at: &mut usize) -> usize {
    let length =
        bytes[*at..].iter().take(60).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    *at += length;
    length
}

/// `........`, as in a list that is printed: `Password ........ x`.
fn skip_leaders(text: &str, at: &mut usize) -> usize {
    let rest = text.get(*at..).unwrap_or_default();
    let is_leader = rest.starts_with("...") || rest.starts_with('…');
    let other = rest.find(|c: char| !matches!(c, '.' | '…' | ' ')).unwrap_or(0);
    let length = if is_leader && other < 80 && rest[..other].ends_with([' ', '.', '…']) {
        other
    } else {
        0
    };
    *at += length;
    length
}

/// `**`, as in `**Password:** …`.
fn skip_emphasis(bytes: &[u8], at: &mut usize) -> bool {
    let found = matches!(bytes[*at..], [b'*', b'*', next, ..] if next != b'*');
    *at += 2 * usize::from(found);
    found
}

/// A quote that may have backslashes before it.
pub(super) fn find_quote(bytes: &[u8], at: &mut usize) -> Option<u8> {
    let escapes = bytes[*at..].iter().take(8).take_while(|byte| **byte == b'\\').count();
    let quote = *bytes.get(*at + escapes)?;
    matches!(quote, b'"' | b'\'' | b'`').then(|| {
        *at += escapes + 1;
        quote
    })
}

/// The end of the value of a quote that was opened after `escapes` backslashes.
pub(super) fn find_closing(bytes: &[u8], at: usize, quote: u8, escapes: usize) -> Option<usize> {
    let rest = &bytes[at..bytes.len().min(at + LONGEST)];
    let mut from = 0;
    loop {
        let end = from + rest[from..].iter().position(|byte| *byte == quote || *byte == b'\n')?;
        let before = rest[..end].iter().rev().take_while(|byte| **byte == b'\\').count();
        if rest[end] == b'\n' || (escapes == 0 && before % 2 == 0) {
            return Some(at + end);
        }
        // Escaped quotes end with a backslash before them.
        if escapes > 0 && before <= escapes {
            return Some(at + end - before);
        }
        from = end + 1;
    }
}

/// The end of a value without quotes. In a shell variable nearly every symbol
/// may be part of it; elsewhere many of them end it.
fn find_bare_end(bytes: &[u8], at: usize, tight: bool, variable: bool) -> usize {
    let limit = bytes.len().min(at + LONGEST);
    let mut end = at;
    while end < limit {
        let byte = bytes[end];
        let next = bytes.get(end + 1).copied().unwrap_or(b' ');
        match byte {
            // A tag or a redirection has a letter, a slash or a blank after it.
            b'<' | b'>' if tight && end > at && next.is_ascii_digit() => {}
            b'"' | b'\'' | b'`' | b';' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' => break,
            _ if !byte.is_ascii_graphic() => match wide_letter(&bytes[..limit], end) {
                0 => break,
                length => {
                    end += length;
                    continue;
                }
            },
            // An escaped symbol of a shell word.
            b'\\' if tight && (next == b' ' || is_sign(next)) => end += 1,
            b'\\' => break,
            b'&' if next == b'&' && tight && goes_on(&bytes[end + 2..limit]) => end += 1,
            b'&' if !next.is_ascii_graphic() || next == b'&' || is_pair(&bytes[end + 1..]) => break,
            b'(' if !variable && !closes_inside(&bytes[end..limit]) => break,
            b')' if !variable && !bytes[at..end].contains(&b'(') => break,
            b',' | b'|' if !variable || !next.is_ascii_graphic() => break,
            b',' if is_pair(&bytes[end + 1..]) => break,
            b'|' if next == b'|' => break,
            _ => {}
        }
        end += 1;
    }
    end.min(limit)
}

/// Whether a bracket opens and closes inside one word that goes on after it, as
/// in `ab(cd)ef`; a call is followed by nothing or by punctuation.
fn closes_inside(bytes: &[u8]) -> bool {
    let inner = ALNUM.run(&bytes[1..], 12);
    bytes.get(1 + inner) == Some(&b')')
        && bytes.get(2 + inner).is_some_and(|byte| ALNUM.contains(*byte))
}

/// Whether a word goes on as a password does, not as a command: `&&D!x9`.
fn goes_on(rest: &[u8]) -> bool {
    let word = rest.iter().take(32).take_while(|byte| byte.is_ascii_graphic());
    let has = |test: fn(&u8) -> bool| word.clone().any(test);
    has(u8::is_ascii_digit) && has(|byte| b"!#*^%".contains(byte))
}

fn is_sign(byte: u8) -> bool {
    byte.is_ascii_punctuation() && !matches!(byte, b'"' | b'\'' | b'`' | b'\\')
}

/// `name=`: the next pair of a form or of options.
fn is_pair(bytes: &[u8]) -> bool {
    let skipped = if bytes.starts_with(b"amp;") { 4 } else { 0 };
    let rest = &bytes[skipped..];
    let name = rest
        .iter()
        .take(40)
        .take_while(|byte| WORD.contains(**byte) || matches!(byte, b'-' | b'.'))
        .count();
    name > 0 && rest.get(name) == Some(&b'=') && rest.get(name + 1) != Some(&b'=')
}

/// The end of a value with brackets in it that is the rest of its line: `a<B>c9!kelp`.
fn bracketed_end(text: &str, at: usize, end: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    if !matches!(bytes.get(end), Some(b'<' | b'{' | b'[' | b'(')) {
        return None;
    }
    let rest = text.get(at..text.floor_char_boundary(bytes.len().min(at + 128)))?;
    let length =
        rest.find(|c: char| c.is_whitespace() || "\"'`\\".contains(c)).unwrap_or(rest.len());
    let value = &rest[..length];
    let plain = value.replace(['<', '>', '{', '}', '[', ']'], "");
    // A type, a tag, a call and a variable have brackets too.
    let is_code = value.ends_with(['>', '{', '(', ')', ']', '}', ';', ','])
        || ["</", "(", "=>", "::", "<br", "${", "{{", "#{"].iter().any(|code| value.contains(code));
    (ends_line(bytes, at + length) && !is_code && is_signed(&plain)).then_some(at + length)
}

fn find_element_end(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..bytes.len().min(at + LONGEST)];
    let ends = |byte: &u8| !is_visible(*byte) || matches!(byte, b'<' | b'"' | b'\\');
    let length = rest.iter().position(ends).unwrap_or(rest.len());
    at + rest[..length].strip_suffix(b"]]>").map_or(length, <[u8]>::len)
}

fn skip_cdata(bytes: &[u8], at: &mut usize) {
    const OPEN: &[u8] = b"<![CDATA[";
    if bytes[*at..].starts_with(OPEN) {
        *at += OPEN.len();
    }
}

/// `--password …`, and `-storepass …`, whose name is longer than a few letters.
fn is_flag(bytes: &[u8], keyword: usize) -> bool {
    let start = bytes[..keyword]
        .iter()
        .rev()
        .take(40)
        .take_while(|byte| WORD.contains(**byte) || **byte == b'-')
        .count();
    let flag = &bytes[keyword - start..];
    let before = bytes[..keyword - start].last();
    flag.starts_with(b"--")
        || (flag.starts_with(b"-")
            && flag[1..].iter().take(24).take_while(|b| b.is_ascii_alphabetic()).count() >= 5
            && before.is_none_or(u8::is_ascii_whitespace))
}

/// `<password>…`, and `<entry key="password">…`, whose name is quoted.
fn is_element(bytes: &[u8], keyword: usize, quoted: bool) -> bool {
    let start = bytes[..keyword]
        .iter()
        .rev()
        .take(40)
        .take_while(|byte| WORD.contains(**byte) || matches!(byte, b'-' | b':' | b'.'))
        .count();
    let before = &bytes[..keyword - start];
    if quoted {
        return matches!(before, [.., b'=', b'"' | b'\''] | [.., b'=', b'\\', b'"']);
    }
    before.ends_with(b"<")
}

/// Whether the name is a cell of a table: only blanks and quotes are between
/// the bar and the name.
fn is_cell(bytes: &[u8], keyword: usize) -> bool {
    let start = keyword - WORD.run_back(&bytes[..keyword], 40);
    let before = bytes[..start].iter().rev().take(16).find(|byte| !matches!(byte, b' ' | b'`'));
    // A table need not have bars at its sides.
    matches!(before, None | Some(b'|' | b'\n'))
}

fn name_start(bytes: &[u8], keyword: usize) -> usize {
    keyword - WORD.run_back(&bytes[..keyword], 40)
}

/// Whether the name is the first of its line.
fn starts_line(bytes: &[u8], keyword: usize) -> bool {
    let start = keyword - WORD.run_back(&bytes[..keyword], 40);
    bytes[..start].last().is_none_or(|byte| matches!(byte, b'\n' | b'\t' | b'+'))
}

/// Whether only blanks are before the name in its line.
fn is_indented(bytes: &[u8], keyword: usize) -> bool {
    let is_name = |byte: &&u8| WORD.contains(**byte) || matches!(**byte, b'.' | b'-' | b':');
    let start = keyword - bytes[..keyword].iter().rev().take(60).take_while(is_name).count();
    let before = &bytes[..start];
    let blanks = before.iter().rev().take(24).take_while(|b| matches!(b, b' ' | b'\t')).count();
    before[..start - blanks].last().is_none_or(|byte| *byte == b'\n')
}

/// Whether the name is the first of two cells of a row, in capitals or below a header
/// that says so. The comma is at `comma`.
fn is_row(text: &str, keyword: usize, comma: usize) -> bool {
    const HEADERS: [&str; 8] =
        ["name,", "key,", "variable,", "setting,", "env,", "parameter,", "secret,", "property,"];
    let bytes = text.as_bytes();
    let is_name = |byte: &&u8| WORD.contains(**byte) || matches!(**byte, b'.' | b'-');
    let start = keyword - bytes[..keyword].iter().rev().take(60).take_while(is_name).count();
    let rest = &bytes[comma + 1..bytes.len().min(comma + 200)];
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let is_pair = memchr::memchr(b',', line).is_none() && memchr::memchr(b' ', line).is_none();
    let before = text[..start].trim_end_matches(' ');
    if !is_pair || before.bytes().next_back().is_some_and(|byte| byte != b'\n') {
        return false;
    }
    let is_capitals = bytes[start..comma].iter().all(|byte| !byte.is_ascii_lowercase());
    is_capitals
        || text[text.ceil_char_boundary(start.saturating_sub(2000))..start].lines().any(|line| {
            let line = line.trim_start().to_ascii_lowercase();
            HEADERS.iter().any(|name| line.starts_with(name)) && line.contains(",val")
        })
}

/// Whether nothing follows in the line.
fn ends_line(bytes: &[u8], mut at: usize) -> bool {
    skip_blanks(bytes, &mut at);
    matches!(&bytes[at..], [] | [b'\n' | b'\r' | b';', ..] | [b'\\', b'n', ..])
}

/// `<Value>` inside of an element.
fn skip_tag(rest: &[u8]) -> usize {
    let gap = rest.iter().take(80).take_while(|byte| byte.is_ascii_whitespace()).count();
    match &rest[gap..] {
        // In the next line, nothing but the value may be inside.
        inner if gap > 0 && !inner.starts_with(b"<Value>") => 0,
        inner @ [b'<', b'A'..=b'Z' | b'a'..=b'z', ..] => {
            let close = inner.iter().take(40).position(|byte| *byte == b'>');
            close.map_or(0, |close| gap + close + 1)
        }
        _ => 0,
    }
}

/// `0 `, `7 `, `ascii-text `: how a value is written that follows.
fn skip_encoding(rest: &[u8]) -> usize {
    match rest {
        [b'0'..=b'9', b' ', ..] => 2,
        _ if rest.starts_with(b"REG_SZ ") => {
            7 + rest[7..].iter().take(24).take_while(|byte| **byte == b' ').count()
        }
        _ if rest.starts_with(b"ascii-text ") => 11,
        _ if rest.starts_with(b"--plaintext ") => 12,
        _ => 0,
    }
}

/// Whether the name is in `${…`.
fn is_expansion(bytes: &[u8], keyword: usize) -> bool {
    let start = keyword - WORD.run_back(&bytes[..keyword], 40);
    bytes[..start].ends_with(b"${")
}

/// Whether the quote before the name is the one that follows its separator.
fn opens_name(bytes: &[u8], keyword: usize, quote: u8) -> bool {
    let start = keyword - WORD.run_back(&bytes[..keyword], 40);
    bytes[..start].last() == Some(&quote)
}

/// `is`, `is:`, `-`: what leads to a password in prose.
fn prose_separator(rest: &[u8]) -> Option<usize> {
    const WORDS: &[&str] =
        &["is: ", "is ", "was ", "- ", "– ", "→ ", "-> ", "ist ", "is set to ", "to "];
    let word = WORDS.iter().find(|word| rest.starts_with(word.as_bytes()))?;
    Some(word.len())
}
