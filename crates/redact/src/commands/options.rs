//! Options that mean a password in many programs, whatever the program is:
//! `-p`, `-pw`, `-P`. Programs that need no proof are in `clients`.

use std::ops::Range;

use super::{is_likely, is_password, read_word, skip_blanks};
use crate::assignment::{
    is_oddly_worded_password, is_random_key, is_scrambled_password, is_signed_password,
    is_strong_password, is_worded_password,
};
use crate::check::is_mixed;

/// How far before an option its command may start.
const FARTHEST: usize = 300;

/// Options that mean something else in many programs: an account must be named
/// before them.
const WEAK: &[&str] = &[" -k ", " -s ", " -c ", " -A ", " -X ", " -a ", " -t ", " -N "];

/// Commands whose options take names, patterns and code.
const OTHERS: &[&str] = &[
    "mkdir", "grep", "rg ", "sed ", "awk", "perl", "tree", "find ", "read -", "cp ", "cargo",
    "node ", "python", "claude", "git ", "xargs", "tar ", "ps ", "jq ", "bash -c", "sh -c",
];

/// Options that name an account.
const ACCOUNTS: &[&str] = &[
    " -u", " -U", " -l ", " -n ", " -D ", " --user", " /user", " /u:", " -gu ", " -xu ", "login ",
];

/// The value of the option that is the keyword, if it is a password by its
/// characters, or an account is named before it.
pub(crate) fn short_option(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let start = skip_blanks(bytes, keyword.end);
    let word = read_word(text, start)?;
    let value = text.get(word.range.clone())?;
    let signed = is_signed_password(value) && !value.contains([':', ',', '\\']);
    if value.contains([':', ',']) || (!signed && !is_likely(value, None)) {
        return None;
    }
    let floor = text.floor_char_boundary(keyword.start.saturating_sub(FARTHEST));
    let from = bytes[floor..keyword.start]
        .iter()
        .rposition(|byte| matches!(byte, b'\n' | b';' | b'|' | b'&'))
        .map_or(floor, |at| floor + at + 1);
    let command = &text[from..=keyword.start];
    let has = |words: &[&str]| words.iter().any(|word| command.contains(word));
    let has_account = has(ACCOUNTS);
    let is_weak = WEAK.contains(&&text[keyword.clone()]);
    let is_key = value.len() >= 40 && is_mixed(value) && is_random_key(value);
    let good = if has_account {
        signed
            || is_strong_password(value)
            || is_scrambled_password(value)
            || is_worded_password(value)
    } else {
        !is_weak && (signed || is_scrambled_password(value) || is_oddly_worded_password(value))
    };
    let good = good || is_key;
    (good && !has(OTHERS) && is_password(text, &word)).then_some(word.range)
}
