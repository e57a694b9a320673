//! Passwords that a shell passes to a program on its input: `echo … | sudo -S`,
//! `sudo -S <<< …`.

use std::ops::Range;

use memchr::memmem;

use super::{Word, is_likely, is_password, read_word, skip_blanks};
use crate::check::contains_any_case;

/// How far before a program the word may be.
const FARTHEST: usize = 400;

/// Programs and options that read a password; the word is certainly one.
const READERS: &[&str] = &["sudo -S", "--password-stdin", "chpasswd", "--with-token", "luksOpen"];

/// The word that is echoed into the program which the keyword names.
pub(crate) fn piped_password(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let floor = keyword.start.saturating_sub(FARTHEST);
    let before = &bytes[floor..keyword.start];
    let line = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    let before = &before[line..];
    let pipe = memchr::memrchr(b'|', before).or_else(|| memmem::rfind(before, b"<("))?;
    let mut rest = before.len();
    // The last word that is not masked yet.
    loop {
        let echo = memmem::rfind(&before[..rest], b"echo ")
            .max(memmem::rfind(&before[..rest], b"printf "))
            .filter(|echo| *echo < pipe.max(1) || before[pipe] == b'<')?;
        let start = floor + line + echo + if before[echo] == b'e' { 5 } else { 7 };
        if let Some(secret) = read_secret(text, start, &text[keyword.clone()]) {
            return Some(secret);
        }
        rest = echo;
    }
}

fn read_secret(text: &str, start: usize, reader: &str) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = start;
    for _ in 0..4 {
        at = skip_blanks(bytes, at);
        let word = read_word(text, at)?;
        let value = text.get(word.range.clone())?;
        at = word.end;
        // Options and formats.
        if (value.starts_with('-') && value.len() <= 3) || value.starts_with('%') {
            continue;
        }
        return judge(text, &word, READERS.contains(&reader));
    }
    None
}

/// The password of `user:password` or of the word alone.
fn judge(text: &str, word: &Word, certain: bool) -> Option<Range<usize>> {
    let whole = text.get(word.range.clone())?;
    let value = whole.split_once(':').map_or(whole, |(_, password)| password);
    let value = value.trim_end_matches("\\n").trim_end_matches('\\');
    let start =
        word.range.start + (whole.len() - whole.split_once(':').map_or(whole, |(_, p)| p).len());
    let range = start..start + value.len();
    let inner = Word { range: range.clone(), quote: word.quote, end: word.end };
    let good = value.len() >= 6 && is_password(text, &inner) && !value.contains(' ');
    (good && (certain || is_likely(value, word.quote))).then_some(range)
}

/// The word after `<<<` or in `<(echo …)`, if the command before it takes a
/// secret. The keyword is that operator.
pub(crate) fn here_password(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const TAKERS: &[&str] = &[
        "sudo -s",
        "secret",
        "passw",
        "token",
        "api_key",
        "apikey",
        "login",
        "chpasswd",
        "luks",
        "private-key",
        "key-file",
    ];
    let bytes = text.as_bytes();
    let floor = text.floor_char_boundary(keyword.start.saturating_sub(FARTHEST));
    let line =
        memchr::memrchr(b'\n', &bytes[floor..keyword.start]).map_or(floor, |at| floor + at + 1);
    let before = &text[line..keyword.start];
    if !TAKERS.iter().any(|taker| contains_any_case(before, taker)) {
        return None;
    }
    let mut start = skip_blanks(bytes, keyword.end);
    if bytes[start..].starts_with(b"-n ") {
        start = skip_blanks(bytes, start + 3);
    }
    let word = read_word(text, start)?;
    judge(text, &word, before.contains("sudo -S"))
}
