//! Files, tables and outputs whose heading, command or form says what they hold.

use std::ops::Range;

use crate::assignment::{
    is_chosen_password, is_random_key, is_scrambled_password, is_signed_password,
};
use crate::check::{entropy, is_mixed, is_placeholder};
use crate::pattern::{ANY_HEX, PADDED64, WORD};

/// The lines after a position, with their places.
pub(super) fn lines_after(
    text: &str,
    from: usize,
    most: usize,
) -> impl Iterator<Item = (usize, &str)> {
    let rest = text.get(from..).unwrap_or_default();
    let rest = &rest[..rest.floor_char_boundary(rest.len().min(4000))];
    let mut at = from;
    rest.split_inclusive('\n').take(most + 1).map(move |line| {
        let start = at;
        at += line.len();
        (start, line.trim_end_matches(['\n', '\r']))
    })
}

/// The content of a file that is nothing but a key: `config/master.key`. The keyword is its
/// name. Marks of a diff may be before it.
pub(crate) fn key_file(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const MOST: usize = 7;
    lines_after(text, keyword.end, MOST).skip(1).find_map(|(start, line)| {
        let value = line.trim_start_matches(['+', '-', ' ', '\t']);
        let value = value.split([' ', '\r']).next().unwrap_or_default();
        let is_hex =
            matches!(value.len(), 16 | 32 | 64) && value.bytes().all(|byte| ANY_HEX.contains(byte));
        let is_cookie = value.len() == 20 && value.bytes().all(|byte| byte.is_ascii_uppercase());
        let is_key = entropy(value.as_bytes()) >= 3.0 && (is_hex || is_cookie);
        let at = start + line.len() - line.trim_start_matches(['+', '-', ' ', '\t']).len();
        is_key.then(|| at..at + value.len())
    })
}

/// The key in the line below a heading such as `Private Key:`. The keyword is the heading
/// with its colon.
pub(crate) fn written_key(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let mut lines = lines_after(text, keyword.end, 3);
    let (_, rest) = lines.next()?;
    if !rest.trim().is_empty() {
        return None;
    }
    let (start, line) = lines.find(|(_, line)| !line.trim().is_empty())?;
    let value = line.trim();
    let at = start + line.find(value)?;
    let is_key = value.len() >= 16 && is_random_key(value.trim_end_matches('='))
        || (is_scrambled_password(value) && is_mixed(value));
    (is_key && !value.contains(' ')).then(|| at..at + value.len())
}

/// `"result": "…"` of a generated password in the state of Terraform. The keyword is the type.
pub(crate) fn generated_result(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const FARTHEST: usize = 1200;
    let floor = text.ceil_char_boundary(keyword.start.saturating_sub(FARTHEST));
    let ceiling = text.floor_char_boundary(text.len().min(keyword.end + FARTHEST));
    let window = &text[floor..ceiling];
    window.match_indices("result").find_map(|(at, name)| {
        let rest = &window[at + name.len()..];
        let lead = rest.bytes().take(20).take_while(|byte| b" \\\":=".contains(byte)).count();
        let is_quoted = rest[..lead].ends_with('"') && rest[..lead].contains([':', '=']);
        let length = rest[lead..].find(['"', '\n'])?;
        let value = rest[lead..lead + length].trim_end_matches('\\');
        let start = floor + at + name.len() + lead;
        (is_quoted && value.len() >= 8 && !crate::has_placeholder(value))
            .then(|| start..start + value.len())
    })
}

/// A hash in a dump of logins: `* NTLM     : 84a7…`. The keyword is its name.
pub(crate) fn printed_hash(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let lead = bytes[keyword.end..].iter().take(16).take_while(|byte| b" :".contains(byte)).count();
    let start = keyword.end + lead;
    let length = ANY_HEX.run(&bytes[start..], 65);
    let is_led = bytes[keyword.end..start].contains(&b':');
    (is_led && matches!(length, 32 | 40 | 64)).then(|| start..start + length)
}

/// The keys of a storage account in a table. The keyword is the name of a key.
pub(crate) fn account_keys(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const LENGTH: usize = 88;
    let bytes = text.as_bytes();
    let rest = &bytes[keyword.end..bytes.len().min(keyword.end + 160)];
    let at = memchr::memmem::find(rest, b"==")?;
    let end = keyword.end + at + 2;
    let length = PADDED64.run_back(&bytes[..end], LENGTH + 1);
    (length == LENGTH).then(|| end - LENGTH..end)
}

/// The private and preshared keys in `wg show … dump`. The keyword is the command.
pub(crate) fn tunnel_keys(text: &str, keyword: Range<usize>) -> Vec<Range<usize>> {
    let is_key = |field: &str| field.len() == 44 && field.ends_with('=');
    let mut found = Vec::new();
    for (start, line) in lines_after(text, keyword.end, 40).skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        // An interface has its private key first, a peer its public one.
        let secret = match fields.len() {
            4 => 0,
            5 if is_key(fields[1]) => 1,
            8 => 1,
            9 => 2,
            _ => continue,
        };
        let before: usize = fields[..secret].iter().map(|field| field.len() + 1).sum();
        if is_key(fields[secret]) {
            found.push(start + before..start + before + fields[secret].len());
        }
    }
    found
}

/// `define('AUTH_KEY', '…')`: a constant of `WordPress`, of any characters. The keyword ends
/// with the closing quote of the name.
pub(crate) fn salt_constant(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let is_gap = |byte: &&u8| b" ,\t".contains(*byte);
    let gap = bytes[keyword.end..].iter().take(24).take_while(is_gap).count();
    let quote = *bytes.get(keyword.end + gap).filter(|byte| matches!(byte, b'\'' | b'"'))?;
    let start = keyword.end + gap + 1;
    let rest = &bytes[start..bytes.len().min(start + 130)];
    let length = memchr::memchr2(quote, b'\n', rest)?;
    let value = text.get(start..start + length)?;
    let is_salt =
        length >= 32 && entropy(value.as_bytes()) >= 3.5 && !value.contains("put your unique");
    is_salt.then(|| start..start + length)
}

/// The last word of the line, which a service takes as a password: `IDENTIFY ann …`. The
/// keyword is the command.
pub(crate) fn last_word(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let rest = text.get(keyword.end..)?;
    let line = rest.split(['\n', '\r']).next()?.trim_end();
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    // Of words in quotes and others after them, the last one in quotes.
    let quoted = words.iter().rposition(|word| word.starts_with('"'));
    // Other text may follow the last one in quotes.
    let words = quoted.map_or(&*words, |last| &words[..=last]);
    let last = words.last()?;
    let last =
        last.strip_prefix('"').map_or(*last, |inner| inner.split('"').next().unwrap_or(inner));
    let is_masked = crate::has_placeholder(last);
    let fewest = if text[keyword.clone()].contains("LOGIN") { 2 } else { 1 };
    if !(fewest..=3).contains(&words.len()) || is_masked || !is_chosen_password(last) {
        return None;
    }
    let at = keyword.end + line.rfind(last)?;
    Some(at..at + last.len())
}

/// `root:…` in the lines below a heading that lists logins. The keyword is the heading.
pub(crate) fn list_login(text: &str, keyword: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (start, line) in lines_after(text, keyword.end, 12).skip(1) {
        let inner = line.trim_start_matches([' ', '-']);
        let Some((user, value)) = inner.split_once(':') else { break };
        let is_user =
            !user.is_empty() && user.bytes().all(|byte| WORD.contains(byte) || byte == b'-');
        let is_name = value.is_empty() || value.starts_with(' ');
        if !is_user {
            break;
        }
        let value = value.trim_end();
        if !is_name
            && value != "RANDOM"
            && (is_chosen_password(value) || is_signed_password(value))
            && !is_placeholder(value)
        {
            let at =
                start + line.len() - line.trim_start_matches([' ', '-']).len() + user.len() + 1;
            found.push(at..at + value.len());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_of_a_command_may_be_in_quotes() {
        let text = "LOGIN ann \"Heuballen_rund\"";
        assert_eq!(last_word(text, 0..6).map(|range| &text[range]), Some("Heuballen_rund"));
        assert_eq!(last_word("LOGIN failed: no such user at all", 0..6), None);
    }
}
