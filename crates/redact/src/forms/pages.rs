//! What people copy from the pages of a service: a token that is shown once, the fields of a
//! console (a label, and its value in the next line), the cookies of a browser.

use std::ops::Range;

use super::listings::lines_after;
use crate::assignment::{is_noise, is_random_key, is_scrambled_password};
use crate::check::{entropy, is_mixed, is_placeholder, is_uuid};
use crate::pattern::{ANY_HEX, ANY64, URL64};

/// Names of cookies of a session.
const SESSIONS: [&str; 9] =
    ["sess", "sid", "auth", "token", "jwt", "remember", "csrf", "xsrf", "login"];

/// The key that is a whole line near the sentence that says that it is shown once. The keyword
/// is in that sentence.
pub(crate) fn token_shown_once(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const FARTHEST: usize = 400;
    if let Some(found) = lines_after(text, keyword.end, 6).skip(1).find_map(whole_key) {
        return Some(found);
    }
    let floor = text.ceil_char_boundary(keyword.start.saturating_sub(FARTHEST));
    let before = &text[floor..keyword.start];
    let mut at = keyword.start;
    for line in before.rsplit('\n').take(6) {
        at -= line.len();
        if let Some(found) = whole_key((at, line)) {
            return Some(found);
        }
        at = at.saturating_sub(1);
    }
    None
}

/// A line that is nothing but a key.
fn whole_key((start, line): (usize, &str)) -> Option<Range<usize>> {
    let value = line.trim().trim_matches(['`', '"', '\'']);
    let is_hex = value.bytes().all(|byte| ANY_HEX.contains(byte));
    let is_text = value.bytes().all(|byte| ANY64.contains(byte) || b".~:|".contains(&byte));
    let is_key = (is_text && value.len() >= 20 && is_random_key(value.trim_end_matches('=')))
        || (is_hex && matches!(value.len(), 32 | 40 | 48 | 64))
        || (value.len() >= 12 && is_scrambled_password(value) && is_mixed(value))
        || is_noise(value)
        || (is_uuid(value) && entropy(value.as_bytes()) >= 3.0);
    let at = start + line.find(value)?;
    let good = is_key && !is_placeholder(value) && !crate::has_placeholder(value);
    good.then(|| at..at + value.len())
}

/// The value in the line below a label that is a whole line: `Auth Token`. The keyword is the
/// label.
pub(crate) fn field_below(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let before = text[..keyword.start].bytes().next_back();
    if before.is_some_and(|byte| !b"\n\t *#>".contains(&byte)) {
        return None;
    }
    let line = text[text.ceil_char_boundary(keyword.start.saturating_sub(24))..keyword.start]
        .rsplit('\n')
        .next()
        .unwrap_or_default();
    let mut lines = lines_after(text, keyword.end, 2);
    let (_, rest) = lines.next()?;
    // Words before it make it a sentence.
    let is_label = !line.contains(": ")
        && !line.trim_end().ends_with(|c: char| c.is_alphabetic() && c.is_lowercase())
        && rest.bytes().all(|byte| b" :*?()\t\r".contains(&byte) || byte.is_ascii_digit());
    if !is_label {
        return None;
    }
    let next = lines.next()?;
    let next = if next.1.trim().is_empty() { lines.next()? } else { next };
    whole_key(next)
        .filter(|place| !is_uuid(&text[place.clone()]) || text[keyword].contains(['s', 'S']))
}

/// The values of session cookies in the table of a browser's tools. The keyword is its header.
pub(crate) fn cookie_rows(text: &str, keyword: Range<usize>) -> Vec<Range<usize>> {
    const MOST_LINES: usize = 30;
    let mut found = Vec::new();
    for (start, line) in lines_after(text, keyword.end, MOST_LINES).skip(1) {
        let mut cells = line.split('\t');
        let (Some(name), Some(value), Some(_)) = (cells.next(), cells.next(), cells.next()) else {
            break;
        };
        let is_session = SESSIONS.iter().any(|word| name.to_ascii_lowercase().contains(word));
        let is_value = value.len() >= 16
            && value.bytes().any(|byte| byte.is_ascii_digit())
            && value.bytes().all(|byte| URL64.contains(byte) || b"%.:|+/=".contains(&byte))
            && entropy(value.as_bytes()) >= 3.2
            && !is_placeholder(value);
        if is_session && is_value {
            let at = start + name.len() + 1;
            found.push(at..at + value.len());
        }
    }
    found
}

/// The code that a link of a login or a reset has in its query. The keyword ends before it.
pub(crate) fn login_code(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const WORDS: [&str; 14] = [
        "reset",
        "verify",
        "login",
        "confirm",
        "activate",
        "auth",
        "invite",
        "magic",
        "signin",
        "sso",
        "callback",
        "azurewebsites",
        "signup",
        "password",
    ];
    const FARTHEST: usize = 160;
    let bytes = text.as_bytes();
    let floor = keyword.start.saturating_sub(FARTHEST);
    let is_link = |byte: &&u8| byte.is_ascii_graphic() && !b"\"'`<>".contains(*byte);
    let before = bytes[floor..keyword.start].iter().rev().take_while(is_link).count();
    let link = text.get(keyword.start - before..keyword.start)?.to_ascii_lowercase();
    let length = bytes[keyword.end..]
        .iter()
        .take(400)
        .take_while(|byte| ANY64.contains(**byte) || **byte == b'%')
        .count();
    let value = text.get(keyword.end..keyword.end + length)?;
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let good = link.contains('/')
        && WORDS.iter().any(|word| link.contains(word))
        && length >= 20
        && digits >= 2
        && entropy(value.as_bytes()) >= 3.2
        && !is_uuid(value)
        && !is_placeholder(value);
    good.then(|| keyword.end..keyword.end + length)
}

/// `"encoded": "…"`, id and key of an API in base64. The keyword is the name.
pub(crate) fn encoded_pair(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let lead = bytes[keyword.end..].iter().take(8).take_while(|b| b"\\\"': =".contains(b)).count();
    let start = keyword.end + lead;
    let length = ANY64.run(&bytes[start..], 200);
    let value = text.get(start..start + length)?;
    let decoded = crate::check::decode_base64(value.as_bytes(), 160);
    let (id, key) = str::from_utf8(&decoded).ok()?.split_once(':')?;
    let is_half = |half: &str| half.len() >= 16 && half.bytes().all(|byte| URL64.contains(byte));
    (lead > 0 && is_half(id) && is_half(key)).then(|| start..start + length)
}
