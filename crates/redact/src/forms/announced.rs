//! Secrets that a line before them announces, whatever characters they have: the password that
//! a server made for a user, the rows of a file of logins, the words of a wallet.

use std::ops::Range;

use super::listings::lines_after;
use crate::assignment::{is_chosen_password, is_disordered, is_noise, is_shuffled_password};
use crate::check::{contains_any_case, is_placeholder};
use crate::labels::is_certain;
use crate::pattern::DOTTED;

/// The only word of the line below `Password for the … user (reset it with …):`. The keyword
/// begins that line.
pub(crate) fn announced_password(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const LONGEST: usize = 140;
    let name = &text[keyword.clone()];
    let mut lines = lines_after(text, keyword.end, 3);
    let (from, rest) = lines.next()?;
    // `New value: …`, after the command or the line that speaks of a password.
    if name.eq_ignore_ascii_case("new value:") {
        let floor = text.ceil_char_boundary(keyword.start.saturating_sub(LONGEST));
        let value = rest.trim();
        let at = from + rest.find(value)?;
        let is_reset = contains_any_case(&text[floor..keyword.start], "password");
        return (is_reset && is_generated(value)).then(|| at..at + value.len());
    }
    let end = if rest.trim().is_empty() { name } else { rest.trim_end() };
    let is_announcement = rest.len() <= LONGEST && end.ends_with(':');
    let (start, line) = lines.find(|(_, line)| !line.trim().is_empty())?;
    let value = line.trim();
    let at = start + line.find(value)?;
    let is_last = lines.next().is_none_or(|(_, next)| next.trim().is_empty());
    (is_announcement && is_last && is_generated(value)).then(|| at..at + value.len())
}

/// Whether a word alone in its line is a password: letters with a digit or of both cases.
fn is_generated(value: &str) -> bool {
    let has = |test: fn(u8) -> bool| value.bytes().any(test);
    (10..=64).contains(&value.len())
        && !value.contains([' ', '/', ':'])
        && !value.ends_with('.')
        && !is_placeholder(value)
        && !crate::has_placeholder(value)
        && (is_certain(value)
            || is_noise(value)
            || is_disordered(value)
            || is_shuffled_password(value)
            || (has(|b| b.is_ascii_digit())
                && has(|b| b.is_ascii_uppercase())
                && is_chosen_password(value)))
}

/// `host:user:password`, `host:port:database:user:password`: the rows of a file of logins, also
/// in a diff. The keyword is the name of the file.
pub(crate) fn login_rows(text: &str, keyword: Range<usize>) -> Vec<Range<usize>> {
    const MOST: usize = 30;
    let mut found = Vec::new();
    for (start, line) in lines_after(text, keyword.end, MOST).skip(1) {
        let row = line.trim_start_matches([' ', '\t', '+', '-']).trim_end();
        let mut fields = row.splitn(5, ':');
        let Some((host, second)) = fields.next().zip(fields.next()) else { continue };
        let is_port =
            second == "*" || (second.len() >= 2 && second.bytes().all(|b| b.is_ascii_digit()));
        let count = if is_port { 4 } else { 2 };
        let before: Vec<&str> = row.splitn(count + 1, ':').take(count).collect();
        let is_name = |name: &&str| {
            !name.is_empty()
                && name.bytes().all(|byte| DOTTED.contains(byte) || b"*@-".contains(&byte))
        };
        let length: usize = before.iter().map(|name| name.len() + 1).sum();
        let Some(value) = row.get(length..).filter(|_| before.iter().all(is_name)) else {
            continue;
        };
        let is_host = host == "*" || host.contains('.') || host == "localhost" || is_port;
        let is_value = value.len() >= 5
            && !value.contains([' ', '/', '$'])
            && !is_placeholder(value)
            && !crate::has_placeholder(value)
            && (is_certain(value)
                || is_noise(value)
                || is_chosen_password(&value.replace("\\:", "")));
        if is_host && is_value {
            let at = start + line.trim_end().len() - value.len();
            found.push(at..at + value.len());
        }
    }
    found
}

/// A line of twelve to twenty-four small words after one that speaks of a wallet. The keyword
/// is the word for it.
pub(crate) fn wallet_words(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const MOST: usize = 4;
    /// Words of sentences, which no list of words for wallets has.
    const OTHERS: &[&str] = &[
        "the", "and", "for", "with", "this", "that", "from", "are", "was", "not", "has", "have",
        "you", "your", "our", "its", "but", "all", "can", "will", "when", "then", "into", "which",
        "der", "die", "das", "und", "les", "des", "que", "del", "los", "las", "una", "per",
    ];
    lines_after(text, keyword.end, MOST).skip(1).find_map(|(start, line)| {
        let row = line.trim().trim_matches(['"', '\'', '`']);
        let words = || row.split(' ');
        let is_word = |word: &str| {
            (3..=8).contains(&word.len())
                && word.bytes().all(|byte| byte.is_ascii_lowercase())
                && !OTHERS.contains(&word)
        };
        let is_phrase = matches!(words().count(), 12 | 15 | 18 | 21 | 24) && words().all(is_word);
        let at = start + line.find(row)?;
        is_phrase.then(|| at..at + row.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_below_a_wallet_is_not_a_phrase() {
        let sentence = "wallet:\nkeep these words safe and never show them near other open doors\n";
        assert_eq!(wallet_words(sentence, 0..6), None);
    }

    #[test]
    fn rows_of_logins_have_three_or_five_fields() {
        let text = ".pgpass\n# host:port:db:user:pw\nh.lan:6432:app:ann:s@Nt-b#@qn7\nmail.org:ann:Zbx3bb87GX\nnote: see a:b\n";
        let found: Vec<&str> = login_rows(text, 0..7).into_iter().map(|r| &text[r]).collect();
        assert_eq!(found, ["s@Nt-b#@qn7", "Zbx3bb87GX"]);
    }
}
