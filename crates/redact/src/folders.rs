//! Tokens in the names that Claude Code gives to the folders of projects: the
//! path of the working directory, in which every character that is neither a
//! letter nor a digit is a dash. `/home/ann/ghp_…` becomes `-home-ann-ghp-…`.

use std::ops::Range;
use std::sync::LazyLock;

use crate::pattern::{ALNUM, Part};
use crate::rule::Rule;
use crate::rules::rules;

/// The longest name of a folder; Claude Code shortens longer ones.
const LONGEST: usize = 260;

/// A keyword as such a name has it, after a dash, and its rule.
pub(crate) struct EncodedKeyword {
    pub(crate) text: String,
    rule: &'static Rule,
    /// The length of the keyword, without the dash.
    length: usize,
}

/// The keywords of all tokens that the encoding changes, or whose tokens it
/// changes.
pub(crate) fn keywords() -> &'static [EncodedKeyword] {
    static KEYWORDS: LazyLock<Vec<EncodedKeyword>> = LazyLock::new(|| {
        let mut keywords: Vec<EncodedKeyword> = Vec::new();
        for (rule, parts) in rules().filter_map(|rule| Some((rule, rule.token_parts()?))) {
            let changes =
                |text: &str| text.bytes().any(|byte| !ALNUM.contains(byte) && byte != b'-');
            let is_changed = parts.iter().any(|part| match part {
                Part::Run(set, ..) => b"_.+/=~".iter().any(|byte| set.contains(*byte)),
                Part::Text(text) => changes(text),
            });
            for keyword in rule.keywords.iter().filter(|keyword| is_changed || changes(keyword)) {
                let text = format!("-{}", encode(keyword));
                keywords.push(EncodedKeyword { text, rule, length: keyword.len() });
            }
        }
        keywords
    });
    &KEYWORDS
}

/// A text as it is in such a name.
pub(crate) fn encode(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

/// The token of the keyword at `at`, which starts with a dash, if a folder's name
/// is around it; and its rule.
pub(crate) fn find(
    text: &str,
    keyword: &EncodedKeyword,
    at: usize,
) -> Option<(Range<usize>, &'static Rule)> {
    let bytes = text.as_bytes();
    if !is_folder(bytes, at) {
        return None;
    }
    let start = at + 1;
    let body = start + keyword.length;
    let end = match_encoded(bytes, body, keyword.rule.token_parts()?)?;
    let (secret, body) = (text.get(start..end)?, text.get(body..end)?);
    keyword.rule.is_proven(secret, body).then_some((start..end, keyword.rule))
}

/// Whether the word with the dash at `at` starts as such a name does: with the
/// dash of the root, or with a drive.
fn is_folder(bytes: &[u8], at: usize) -> bool {
    let may_be_in_name = |byte: &&u8| ALNUM.contains(**byte) || **byte == b'-';
    let length = bytes[..at].iter().rev().take(LONGEST).take_while(may_be_in_name).count();
    let name = &bytes[at - length..];
    let is_apart = bytes[..at - length]
        .last()
        .is_none_or(|byte| !matches!(byte, b'_' | b'.' | b'=' | b'+' | b'@' | b'$' | b'%'));
    // A path below the root: `-home-…`; an option has two dashes or one word.
    let is_rooted = length > 1 && name[0] == b'-' && name[1].is_ascii_alphanumeric();
    let is_drive = length > 2 && name[0].is_ascii_alphabetic() && name[1..].starts_with(b"--");
    is_apart && (is_rooted || is_drive)
}

/// The end of the pattern that starts at `at`, with dashes in place of symbols.
fn match_encoded(bytes: &[u8], at: usize, parts: &[Part]) -> Option<usize> {
    let mut end = at;
    for part in parts {
        let rest = bytes.get(end..)?;
        end += match *part {
            Part::Run(set, least, most) => {
                let has_symbol = b"-_.+/=~".iter().any(|byte| set.contains(*byte));
                let is_part = |byte: &&u8| set.contains(**byte) || (has_symbol && **byte == b'-');
                let length = rest.iter().take(most).take_while(is_part).count();
                (length >= least).then_some(length)?
            }
            Part::Text(text) => rest.starts_with(encode(text).as_bytes()).then_some(text.len())?,
        };
    }
    (!bytes.get(end).is_some_and(|byte| ALNUM.contains(*byte))).then_some(end)
}
