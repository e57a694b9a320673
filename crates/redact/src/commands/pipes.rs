//! Passwords that a shell passes to a program on its input: `echo … | sudo -S`,
//! `sudo -S <<< …`.

use std::ops::Range;

use memchr::memmem;

use super::{Word, is_likely, is_password, read_word, skip_blanks};
use crate::assignment::is_chosen_password;
use crate::check::{contains_any_case, decode_base64};
use crate::pattern::WORD;

/// How far before a program the word may be.
const FARTHEST: usize = 400;

/// Programs and options that read a password; the word is certainly one.
const READERS: &[&str] = &[
    "sudo -S",
    "sudo -kS",
    "sudo -Sk",
    "sudo --stdin",
    "--password-stdin",
    "--passwd-on-stdin",
    "chpasswd",
    "--with-token",
    "luksOpen",
    "cryptsetup open",
    "passwd ",
    "kinit ",
    "openconnect ",
    "smbpasswd",
    "su -c",
    "| su ",
    "wg pubkey",
    "--set-password",
    "--passphrase-fd",
    "minisign -",
    "vncpasswd",
];

/// The word that is echoed into the program which the keyword names.
pub(crate) fn piped_password(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let floor = keyword.start.saturating_sub(FARTHEST);
    let end = keyword.start + usize::from(bytes[keyword.start] == b'|');
    let before = &bytes[floor..end];
    let line = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    let before = &before[line..];
    let pipe = memchr::memrchr(b'|', before).or_else(|| memmem::rfind(before, b"<("))?;
    let mut rest = before.len();
    // The last word that is not masked yet.
    loop {
        let echo = memmem::rfind(&before[..rest], b"echo ")
            .max(memmem::rfind(&before[..rest], b"printf "))
            .max(memmem::rfind(&before[..rest], b"yes "))
            .filter(|echo| *echo < pipe.max(1) || before[pipe] == b'<')?;
        let name = before[echo..].iter().position(|byte| *byte == b' ').unwrap_or_default();
        let start = floor + line + echo + name + 1;
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
        let is_format = value.starts_with('%') && (value.len() <= 8 || value.contains('\\'));
        if (value.starts_with('-') && value.len() <= 3) || is_format {
            continue;
        }
        return judge(text, &word, reader);
    }
    None
}

/// The password of `user:password` or of the word alone.
fn judge(text: &str, word: &Word, reader: &str) -> Option<Range<usize>> {
    let certain = READERS.contains(&reader);
    let whole = text.get(word.range.clone())?;
    if certain && whole.contains(' ') && word.quote.is_some() && is_chosen_password(whole) {
        return Some(word.range.clone());
    }
    let mut at = word.range.start;
    // Several lines, as for a new password and its repetition.
    for line in whole.split("\\n") {
        let value = line.split_once(':').map_or(line, |(_, password)| password);
        let end = at + line.len();
        let range = end - value.len()..end - (value.len() - value.trim_end_matches('\\').len());
        at = end + 2;
        let inner = Word { range: range.clone(), quote: word.quote, end: word.end };
        // Text that is decoded is judged by what it says.
        let decoded =
            if reader == "base64 -d" { decode_base64(line.as_bytes(), 128) } else { Vec::new() };
        let is_prose = memchr::memchr_iter(b' ', &decoded).count() >= 2;
        let good = range.len() >= 6
            && !is_prose
            && !crate::has_placeholder(line)
            && is_password(text, &inner)
            && !value.contains(' ');
        if good && (certain || is_likely(&text[range.clone()], word.quote)) {
            return Some(range);
        }
    }
    None
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
        "shared-key",
        "key-file",
        "kinit",
        "openconnect",
        "su -",
        "vncpasswd",
        "auth-user-pass",
        "creds",
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
    // `$'…'`
    start += usize::from(bytes[start..].starts_with(b"$'"));
    let word = read_word(text, start)?;
    judge(text, &word, if before.contains("sudo -S") { "sudo -S" } else { "" })
}

/// The password in `… "echo PASSWORD"`, a command whose output is the password.
/// The keyword is the option, which ends before its value.
pub(crate) fn command_password(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let rest = &bytes[keyword.end..bytes.len().min(keyword.end + 80)];
    let echo = memmem::find(rest, b"echo ")?;
    if rest[..echo].iter().any(|byte| WORD.contains(*byte)) {
        return None;
    }
    read_secret(text, keyword.end + echo + 5, "sudo -S")
}
