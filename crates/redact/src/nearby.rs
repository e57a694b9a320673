//! Passwords near a word that speaks of one, with anything in between:
//! `<td>Password</td><td>…</td>`, `variable "password" { default = "…" }`,
//! `Login: ann / …`.
//!
//! Nothing assigns the value here, so it must be a password by its characters.
//! Values that a name holds are deliberately not here (`assignment`).

use std::ops::Range;

use crate::assignment::{
    is_chosen_password, is_disordered, is_leet_password, is_noise, is_oddly_worded_password,
    is_public_key, is_random_key, is_scrambled_password, is_signed_password, is_strong_password,
};
use crate::check::{contains_any_case, is_mixed, is_placeholder};
use crate::labels::is_numbered_word;
use crate::letters::{ascii, wide_letter};
use crate::pattern::{ANY_HEX, ANY64, DIGIT};
use crate::phrases::is_app_password;
use crate::prose::{chosen_in_prose, find_in_wide_quotes};

/// How far after the word a password may be.
const FARTHEST: usize = 110;

/// Directives whose value is a password wherever it is.
const DIRECTIVES: &[&str] = &["requirepass", "masterauth", "bindpw", "rootpw"];

/// Symbols that passwords have, and code has only between names.
const SIGNS: &[char] = &['!', '#', '$', '^', '&', '*'];

/// The first word after the keyword that is a password by its characters.
pub(crate) fn nearby_password(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let limit = text.floor_char_boundary((keyword.end + FARTHEST).min(text.len()));
    let is_public = |word: &str| text[..keyword.start].ends_with(word);
    let is_cached = &text[keyword.clone()] == " key "
        && ["cache", "primary", "foreign", "sort", "partition", "object", "storage"]
            .iter()
            .any(|word| is_public(word));
    if is_cached || is_public("ublic") || is_public("UBLIC") || is_encoded(bytes, &keyword) {
        return None;
    }
    let found = app_password(text, keyword.end, limit)
        .or_else(|| find_in_quotes(text, keyword.start))
        .or_else(|| find_before_comment(text, keyword.start))
        .or_else(|| find_named(text, keyword.start));
    if found.is_some() {
        return found;
    }
    let ends = |byte: u8| !byte.is_ascii_graphic() || b"\"'`<>(),;[]{}\\".contains(&byte);
    let mut at = keyword.end;
    let mut lines = 0;
    if !text[keyword.clone()].is_ascii()
        && let Some(secret) = find_in_wide_quotes(text, keyword.end)
    {
        return Some(secret);
    }
    while at < limit {
        if ends(bytes[at]) && wide_letter(bytes, at) == 0 {
            lines += usize::from(bytes[at] == b'\n');
            // Only a value that belongs to the word is so far below it.
            if lines > 2 || bytes[at..limit].starts_with(b"\n\n\n") {
                return None;
            }
            at += 1;
            continue;
        }
        let length = word_length(&bytes[at..bytes.len().min(at + 80)], ends);
        let word = at..at + length;
        at += length.max(1);
        // The rest of the word with the keyword.
        let is_rest = word.start == keyword.end && bytes[keyword.end - 1].is_ascii_alphanumeric();
        if is_rest {
            continue;
        }
        let has_digit = || bytes[word.clone()].iter().any(u8::is_ascii_digit);
        let may_be_one = length >= 8
            && (has_digit() || bytes[word.clone()].iter().any(|byte| b"!#$^&*".contains(byte)));
        if !may_be_one || text.get(word.clone()).is_some_and(is_hash) {
            continue;
        }
        if let Some(secret) = chosen_in_prose(text, &keyword, word.clone())
            .or_else(|| judge(text, word, keyword.end, lines))
        {
            return Some(secret);
        }
    }
    None
}

/// Whether the keyword is letters of base64, and not a word: `…xpWdK9…`
fn is_encoded(bytes: &[u8], keyword: &Range<usize>) -> bool {
    let word = &bytes[keyword.clone()];
    let capitals = word.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    let is_odd =
        capitals > 0 && capitals < word.len() && !(capitals == 1 && word[0].is_ascii_uppercase());
    word.len() <= 4 && is_odd && ANY64.run(&bytes[keyword.end..], 24) == 24
}

/// The length of a word that may have letters beyond ASCII.
fn word_length(bytes: &[u8], ends: impl Fn(u8) -> bool) -> usize {
    let mut at = 0;
    loop {
        at += bytes[at..].iter().take_while(|byte| !ends(**byte)).count();
        match wide_letter(bytes, at) {
            0 => return at,
            length => at += length,
        }
    }
}

fn judge(text: &str, word: Range<usize>, keyword: usize, lines: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let original = text.get(word.clone())?;
    let clause = text.get(keyword..word.start)?;
    if !original.is_ascii() {
        let plain = ascii(original.trim_end_matches(['.', ':', '!', '?']));
        let floor = text.ceil_char_boundary(word.start.saturating_sub(24));
        let is_good = is_password_in_prose(&plain)
            && !is_public_word(&plain)
            && is_led_to(clause, &bytes[floor..word.start]);
        return is_good.then_some(word);
    }
    let whole = original;
    if is_public_key(whole) {
        return None;
    }
    // `static:ann:…`, `ann/…`
    let value = whole.rsplit([':', '/']).next().unwrap_or(whole);
    let start = word.end - value.len();
    // A whole string or element.
    let opens = bytes[..word.start].last().is_some_and(|byte| b"\"'`>".contains(byte));
    let closes = bytes.get(word.end).is_some_and(|byte| b"\"'`<{".contains(byte));
    let is_led = || {
        let floor = text.ceil_char_boundary(word.start.saturating_sub(24));
        is_led_to(clause, &bytes[floor..word.start])
    };
    // The target of a link, and a fingerprint.
    let floor = word.start.saturating_sub(6);
    let is_target = [b"href=\"".as_slice(), b"id=\"", b"src=\""]
        .iter()
        .any(|name| bytes[floor..word.start].ends_with(name));
    if is_target || whole.bytes().filter(|byte| *byte == b':').count() > 5 {
        return None;
    }
    let is_call = matches!(bytes.get(word.end), Some(b'(' | b'['));
    let is_code = value.contains(['=', '+', '?', '|'])
        || (value.starts_with(['!', '#', '&', '*', '@', '-']) && !(opens && closes) && !is_led())
        || value.contains("%s")
        // The fragment of a link.
        || (value.len() < whole.len() && value.contains('#') && whole.contains('/'))
        || value.contains("$(")
        || value.contains("&&")
        || is_call;
    if !is_code && value.contains(SIGNS) && is_signed_password(value) && is_inner(value) {
        return Some(start..word.end);
    }
    if is_scrambled_password(whole) && ((opens && closes) || is_led()) {
        return Some(word);
    }
    if !is_call && is_oddly_worded_password(value) && ((opens && closes) || is_led()) {
        return Some(start..word.end);
    }
    let may_be_in_prose = !is_call && is_varied(whole);
    if may_be_in_prose && !is_public_word(whole) && is_password_in_prose(whole) && is_led() {
        return Some(word);
    }
    // A whole string, of which the word says what it is.
    if may_be_in_prose && opens && closes && is_signed_inner(whole) {
        return Some(word);
    }
    // `ann:…`, `ann/…`
    let is_login = whole.strip_suffix(value).is_some_and(|user| {
        user.ends_with(':')
            || user
                .strip_suffix('/')
                .is_some_and(|user| user.bytes().all(|b| b.is_ascii_lowercase()))
    });
    if may_be_in_prose
        && is_login
        && !is_public_word(whole)
        && (is_password_in_prose(value) || is_scrambled_password(value))
        && (is_led() || (value.len() >= 12 && is_scrambled_password(value) && is_mixed(value)))
    {
        return Some(start..word.end);
    }
    // The last word of a line, after a colon, or a line alone.
    let before = bytes[..word.start].trim_ascii_end();
    let ends_line = matches!(bytes.get(word.end), None | Some(b'\n' | b'\r'));
    let starts_line = lines > 0 && text[..word.start].trim_end_matches(' ').ends_with('\n');
    let is_last = (before.ends_with(b":") || starts_line) && ends_line && !is_placeholder(whole);
    let random = |value: &str| {
        is_scrambled_password(value)
            || is_oddly_worded_password(value)
            || (value.len() >= 12 && is_mixed(value) && is_strong_password(value))
            || is_noise(value)
            || (before.ends_with(b":") && is_disordered(value) && value.len() >= 10)
    };
    if lines > 0 && !starts_line && names_hash(before) {
        return None;
    }
    // A directive alone on its line, and its value on the next one.
    let is_directive = lines == 1
        && clause.trim().is_empty()
        && DIRECTIVES.iter().any(|name| text[..keyword].ends_with(name));
    if is_directive && is_last && is_chosen_password(whole) {
        return Some(word);
    }
    let is_generated = if lines == 0 { random(whole) } else { random(whole) || is_hex_key(whole) };
    (is_last && is_generated).then_some(word)
}

/// Whether the text before a word leads to it: `ann / …`, `changed to …`, `lautet …`.
/// `clause` is the text between the keyword and the word.
pub(crate) fn is_led_to(clause: &str, before: &[u8]) -> bool {
    const LEADS: &[&str] = &[
        " / ", " | ", " to ", " is ", " are ", " as ", " with ", " using ", " key ", "→ ", "-> ",
        " - ", " lautet ", " ist ", " es ", " est ", " é ", " è ", " är ", " er ", " jest ",
        " je ", " on ", "— ", "– ", "'s ", " be ", " was ", " now ", " its ", " immer ", " gilt ",
        " gleich ", " → ", "'est ",
    ];
    const CHANGES: [&str; 3] = ["from", "FROM", "instead of"];
    /// Of scripts without blanks between words.
    const TIGHT_LEADS: &[&str] = &["是", "为", "為", "は", "는", "은", "："];
    const QUOTES: &[&str] =
        &["«", "「", "“", "„", "`", "\"", "'", "**", "<code>", "<b>", "<strong>"];
    let unquoted = str::from_utf8(before).unwrap_or_default();
    let apart = unquoted.trim_end_matches(' ');
    let unquoted = QUOTES.iter().find_map(|quote| apart.strip_suffix(quote)).unwrap_or(unquoted);
    let apart = unquoted.trim_end_matches(' ');
    clause.trim_start() == "("
        || CHANGES.contains(&clause.trim_matches([' ', '\'', '"', '`']))
        || LEADS.iter().any(|lead| unquoted.ends_with(lead))
        || TIGHT_LEADS.iter().any(|lead| apart.ends_with(lead))
        || (apart.ends_with([':', '>']) && is_clause(clause))
}

/// Whether only words are between a keyword and a colon: `Password for the server: …`.
fn is_clause(clause: &str) -> bool {
    let mut words = clause.trim_end_matches([' ', '`', '"', '\'', '*', '“', '«', '「']);
    for tag in ["<code>", "<b>", "<strong>", "</b>", "</strong>", "</td>", "</span>"] {
        words = words.strip_suffix(tag).map_or(words, str::trim_end);
    }
    words.strip_suffix(':').is_some_and(|words| {
        words
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '/' | '*' | '_'))
    })
}

/// Whether a word that a sentence leads to is a password by its characters.
fn is_password_in_prose(whole: &str) -> bool {
    let word = whole.trim_end_matches(['.', ':', '*']);
    // Symbols that code has too do not count alone.
    let is_plain = !word.contains(['!', '#', '$', '^', '&', '*', '%', '@']);
    let signed = word.replace('@', "!");
    let signed = if is_plain { signed } else { signed.replace(['=', '+'], "!") };
    let plain: String = word.chars().filter(|c| !matches!(c, '-' | '_' | '.' | '~')).collect();
    // An id has the name of its kind before it: `msg_01…`.
    let is_id = word
        .split_once('_')
        .is_some_and(|(kind, _)| kind.bytes().all(|byte| byte.is_ascii_lowercase()));
    let is_joined = plain.len() < word.len()
        && (plain.len() >= 10 || is_leet(word))
        && !is_id
        && !whole.ends_with(':')
        && !word.contains(['/', ':', '+', '=']);
    let is_number_word = is_leet(word) && word.len() >= 8;
    (is_signed_password(&signed) && is_varied(word))
        || (is_number_word && is_varied(word) && !is_placeholder(word) && !whole.ends_with(':'))
        || (is_joined && is_scrambled_password(&plain) && is_mixed(&plain) && !is_placeholder(word))
}

/// `K1w1_7012`: digits stand for letters in a word before a number.
fn is_leet(word: &str) -> bool {
    let Some((first, number)) = word.split_once(['_', '-', '.']) else { return false };
    number.len() >= 3
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && first.bytes().next().is_some_and(|byte| byte.is_ascii_uppercase())
        && is_leet_password(first)
}

/// Fingerprints, names with a hash in them, the lines of an annotated file, and algorithms.
pub(crate) fn is_hash(word: &str) -> bool {
    const NAMES: [&str; 4] = ["sha256:", "sha-256", "sha-512", "md5:"];
    let is_hex = |part: &str| part.bytes().all(|byte| ANY_HEX.contains(byte));
    let has_mark = word.contains([':', '-']);
    (has_mark && NAMES.iter().any(|name| contains_any_case(word, name)))
        || word.strip_prefix('^').is_some_and(is_hex)
        || (word.contains('-') && word.split('-').any(|part| part.len() >= 32 && is_hex(part)))
}

/// Whether the name before a colon says that a hash or a version follows.
fn names_hash(before: &[u8]) -> bool {
    const NAMES: [&str; 10] =
        ["md5", "sum", "etag", "sha1", "sha256", "sha512", "digest", "hash", "print", "version"];
    let name = &before[..before.len().saturating_sub(1)];
    NAMES.iter().any(|known| {
        name.len() >= known.len()
            && name[name.len() - known.len()..].eq_ignore_ascii_case(known.as_bytes())
    })
}

/// Whether letters of both cases and digits are in the word, as people mix them.
fn is_varied(word: &str) -> bool {
    let has = |test: fn(&u8) -> bool| word.as_bytes().iter().any(test);
    has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit)
}

/// Addresses, links, numbers with a unit, and code.
fn is_public_word(word: &str) -> bool {
    let is_address = word.split_once('@').is_some_and(|(_, host)| host.contains('.'));
    is_address
        || word.contains("//")
        || word.contains("%s")
        || word.contains("$(")
        || word.contains("&&")
        || word.starts_with(['#', '@', '$', '-', '='])
}

/// The password in quotes shortly before the keyword: ``the `…` password``.
fn find_in_quotes(text: &str, keyword: usize) -> Option<Range<usize>> {
    const FARTHEST: usize = 16;
    let bytes = text.as_bytes();
    let floor = keyword.saturating_sub(FARTHEST);
    let close = floor + bytes[floor..keyword].iter().rposition(|byte| b"`\"".contains(byte))?;
    if bytes[close..keyword].contains(&b'\n') || bytes.get(close + 1) != Some(&b' ') {
        return None;
    }
    let start = close.saturating_sub(64);
    let open = start + memchr::memrchr(bytes[close], &bytes[start..close])? + 1;
    is_password(text, open..close).then_some(open..close)
}

/// The password before `as the password`.
fn find_named(text: &str, keyword: usize) -> Option<Range<usize>> {
    const LEADS: &[&str] = &[
        " (",
        " (db ",
        " (the ",
        " (root ",
        " (admin ",
        " as the ",
        " as ",
        " as a ",
        " as your ",
        " as admin ",
        " for the ",
        " als ",
        " comme ",
        " como ",
        " come ",
        " jako ",
    ];
    let floor = text.ceil_char_boundary(keyword.saturating_sub(80));
    let before = text.get(floor..keyword)?;
    let strip =
        |before: &'_ str| LEADS.iter().find_map(|lead| before.strip_suffix(lead).map(str::len));
    // `for the vpn password`
    let shorter = before.trim_end().rsplit_once(' ').map_or("", |(before, _)| before);
    let shorter = before.get(..shorter.len() + 1).unwrap_or_default();
    let length = strip(before).or_else(|| strip(shorter))?;
    let rest = &before[..length];
    let rest = rest.trim_end_matches(['`', '"', '\'', '*', '”']);
    let ends = |c: char| c.is_whitespace() || "`\"'*“(),".contains(c);
    let start =
        rest.rfind(ends).map_or(0, |at| at + rest[at..].chars().next().map_or(1, char::len_utf8));
    let word = &rest[start..];
    let is_quoted = before[..length].ends_with(['`', '"', '\'']);
    let plain = ascii(word);
    let has_mark = plain.bytes().any(|byte| byte.is_ascii_digit() || b"!#$&+*".contains(&byte));
    let is_chosen = is_quoted
        && has_mark
        && word.len() >= 8
        && !word.contains(['/', '='])
        && is_chosen_password(&plain);
    (!is_public_word(word)
        && (is_chosen
            || is_numbered_word(word)
            || (is_password_in_prose(word) && !is_marked_word(word))
            || is_scrambled_password(word)))
    .then(|| floor + start..floor + rest.len())
}

/// The password in the code before a comment that speaks of one: `… # password`.
fn find_before_comment(text: &str, keyword: usize) -> Option<Range<usize>> {
    const FARTHEST: usize = 60;
    let bytes = text.as_bytes();
    let floor = keyword.saturating_sub(FARTHEST);
    let line = memchr::memrchr(b'\n', &bytes[floor..keyword]).map_or(floor, |at| floor + at + 1);
    let before = &bytes[line..keyword];
    memchr::memchr2(b'#', b'/', before)?;
    let mark = memchr::memmem::rfind(before, b" # ").or(memchr::memmem::rfind(before, b" // "))?;
    let ends = |byte: u8| !byte.is_ascii_graphic() || b"\"'`<>(),;[]{}=\\".contains(&byte);
    let mut end = line + mark;
    while end > line {
        if ends(bytes[end - 1]) {
            end -= 1;
            continue;
        }
        let length = bytes[line..end].iter().rev().take_while(|byte| !ends(**byte)).count();
        if is_password(text, end - length..end) {
            return Some(end - length..end);
        }
        end -= length;
    }
    None
}

/// `Chapter2!`, a word with a number at the end of a sentence.
fn is_marked_word(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    digits < 2 && word.ends_with('!') && !is_inner(word)
}

fn is_password(text: &str, word: Range<usize>) -> bool {
    text.get(word).is_some_and(|word| {
        !word.contains(['/', ':'])
            && ((word.contains(SIGNS) && is_signed_password(word) && is_inner(word))
                || (is_varied(word) && is_signed_inner(word))
                || is_scrambled_password(word))
    })
}

/// Whether a word has a symbol, also one that addresses and formats have, and
/// digits as passwords have them.
fn is_signed_inner(word: &str) -> bool {
    let signed = word.replace('@', "!");
    let is_code =
        word.contains(['=', '+', '/', ':', '|', '\\']) || word.trim_end_matches('?').contains('?');
    // Escapes of a link.
    let is_code = is_code || word.matches('%').count() > 1;
    !is_code && !is_public_word(word) && is_signed_password(&signed) && is_inner(&signed)
}

/// Whether a digit or a symbol is between letters: `Chapter2!` is a word.
pub(crate) fn is_inner(value: &str) -> bool {
    let tail = value.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let inner = tail.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
    let digits = tail.bytes().filter(u8::is_ascii_digit).count();
    // `Otter!2741`
    let is_signed = tail.starts_with(['!', '&', '*', '^', '$', '#']) && digits >= 2;
    // `OtterReef27!`
    let capitals = value.bytes().filter(u8::is_ascii_uppercase).count();
    let is_pair = capitals == 2 && digits >= 2 && tail.ends_with(['!', '#', '*', '^', '&']);
    !inner.is_empty() || is_signed || is_pair
}

fn is_hex_key(value: &str) -> bool {
    value.len() == 32 && value.bytes().all(|byte| ANY_HEX.contains(byte)) && is_random_key(value)
}

/// `abcd efgh ijkl mnop`, directly after the word and a separator.
fn app_password(text: &str, from: usize, limit: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let gap = bytes[from..limit].iter().take_while(|byte| b": =\"'`".contains(byte)).count();
    let start = from + gap;
    let value = text.get(start..start + 19)?;
    let ends = bytes.get(start + 19).is_none_or(|byte| !byte.is_ascii_alphanumeric());
    let separated = bytes[from..start].iter().any(|byte| matches!(byte, b':' | b'='));
    (separated && ends && value.contains(' ') && is_app_password(value))
        .then_some(start..start + 19)
}

/// `0x` and sixty-four hex digits near the word for a private key. The keyword
/// is that word.
pub(crate) fn nearby_hex_key(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let from = keyword.start.saturating_sub(90);
    let limit = bytes.len().min(keyword.end + 60);
    memchr::memmem::find_iter(&bytes[from..limit], b"0x").find_map(|at| {
        let start = from + at;
        let length = ANY_HEX.run(&bytes[start + 2..], 65);
        let digits = bytes[start + 2..start + 2 + length].iter().any(|byte| DIGIT.contains(*byte));
        // The order of a curve.
        let is_constant = memchr::memmem::find(&bytes[start..start + 2 + length], b"FFFFFFFF");
        (length == 64 && digits && is_constant.is_none()).then(|| start..start + 66)
    })
}
