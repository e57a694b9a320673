//! Secrets in what servers, switches and disks answer, and in the files that name a user and
//! then the password: mail servers, Redis, keytabs, appliances, recovery keys.

use std::ops::Range;

use super::listings::lines_after;
use crate::assignment::{is_chosen_password, is_random_key};
use crate::check::is_placeholder;
use crate::labels::is_certain;
use crate::letters::ascii;
use crate::pattern::{ANY_HEX, BASE32, PADDED64};

/// What a client of a mail server sends after the server has asked for the password in
/// base64. The keyword is the question.
pub(crate) fn mail_answer(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let (start, line) = lines_after(text, keyword.end, 1).nth(1)?;
    let value = line.rsplit(' ').next()?;
    let is_answer = value.len() >= 8
        && value.len().is_multiple_of(4)
        && PADDED64.run(value.as_bytes(), 200) == value.len()
        && value.bytes().any(|byte| byte.is_ascii_uppercase());
    is_answer.then(|| start + line.len() - value.len()..start + line.len())
}

/// The second line of what Redis answers about a setting. The keyword is the setting in quotes.
pub(crate) fn setting_answer(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let (start, line) = lines_after(text, keyword.end, 1).nth(1)?;
    let value = line.strip_prefix("2) \"")?.rsplit_once('"')?.0;
    (value.len() >= 5 && !crate::has_placeholder(value)).then(|| start + 4..start + 4 + value.len())
}

/// The words after the algorithms in `createUser ann SHA "…" AES "…"`. The keyword is the
/// command.
pub(crate) fn agent_passwords(text: &str, keyword: Range<usize>) -> Vec<Range<usize>> {
    const ALGORITHMS: [&str; 5] = ["MD5", "SHA", "DES", "AES", "3DES"];
    let mut found = Vec::new();
    let Some((start, line)) = lines_after(text, keyword.end, 0).next() else { return found };
    let mut is_next = false;
    let mut at = 0;
    while at < line.len() {
        let rest = &line[at..];
        let blanks = rest.len() - rest.trim_start_matches(' ').len();
        let word = &rest[blanks..];
        let is_quoted = word.starts_with('"');
        let inner = &word[usize::from(is_quoted)..];
        let ends = |c: char| if is_quoted { c == '"' } else { c == ' ' || c == '\'' };
        let length = inner.find(ends).unwrap_or(inner.len());
        let value = &inner[..length];
        let from = start + at + blanks + usize::from(is_quoted);
        let is_value = value.len() >= 8 && !value.starts_with(['$', '<']) && !is_placeholder(value);
        if is_next && is_value && !crate::has_placeholder(value) {
            found.push(from..from + length);
        }
        is_next = ALGORITHMS.iter().any(|name| value.starts_with(name)) && length <= 8;
        at += blanks + 2 * usize::from(is_quoted) + length.max(1);
        if !line.is_char_boundary(at.min(line.len())) {
            break;
        }
    }
    found
}

/// `(0x…)`, the key of a row of a keytab. The keyword is the name of its cipher.
pub(crate) fn keytab_key(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let rest = &bytes[keyword.end..bytes.len().min(keyword.end + 40)];
    let open = keyword.end + memchr::memmem::find(rest, b"(0x")? + 3;
    let length = ANY_HEX.run(&bytes[open..], 65);
    matches!(length, 32 | 48 | 64).then(|| open..open + length)
}

/// `set password ENC …` of an appliance. The keyword ends before the value.
pub(crate) fn appliance_password(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let length = PADDED64.run(&bytes[keyword.end..], 400);
    let value = &text[keyword.end..keyword.end + length];
    let ends = bytes
        .get(keyword.end + length)
        .is_none_or(|byte| byte.is_ascii_whitespace() || *byte == b'"');
    (length >= 20 && ends && value.bytes().any(|b| b.is_ascii_digit()) && !is_placeholder(value))
        .then(|| keyword.end..keyword.end + length)
}

/// The groups that unlock a disk, soon after the words for them: eight of six digits, eight of
/// eight letters, six of four.
pub(crate) fn recovery_key(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const FARTHEST: usize = 300;
    const LETTERS: &str = "cbdefghijklnrtuv";
    let limit = text.floor_char_boundary(text.len().min(keyword.end + FARTHEST));
    let rest = text.get(keyword.end..limit)?;
    let mut start = keyword.end;
    for word in rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '-') {
        let groups = || word.split('-');
        let count = groups().count();
        let all = |length: usize, test: fn(char) -> bool| {
            groups().all(|group| group.len() == length && group.chars().all(test))
        };
        let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
        let is_key = match count {
            8 => all(6, |c| c.is_ascii_digit()) || all(8, |c| LETTERS.contains(c)),
            6 => has_digit && all(4, |c| c.is_ascii_uppercase() || c.is_ascii_digit()),
            _ => false,
        };
        if is_key {
            return Some(start..start + word.len());
        }
        start += word.len();
        start += text[start..].chars().next().map_or(0, char::len_utf8);
    }
    None
}

/// `"Password"=hex:f0,02,…`, bytes in the registry. The keyword ends before them.
pub(crate) fn registry_bytes(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let is_part = |byte: &&u8| byte.is_ascii_hexdigit() || **byte == b',';
    let length = text.as_bytes()[keyword.end..].iter().take(1200).take_while(is_part).count();
    (length >= 23).then(|| keyword.end..keyword.end + length)
}

/// `"ann" "…"`, the rows of a file with users. The keyword is its name.
pub(crate) fn user_rows(text: &str, keyword: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (start, line) in lines_after(text, keyword.end, 40).skip(1) {
        let row = line.trim_end().strip_suffix('"').and_then(|row| row.split_once("\" \""));
        let Some((user, value)) = row.filter(|(user, _)| user.contains('"')) else {
            if found.is_empty() && start - keyword.end < 120 {
                continue;
            }
            break;
        };
        let from = start + user.len() + 3;
        if value.len() >= 5 && !crate::has_placeholder(value) && !is_placeholder(value) {
            found.push(from..from + value.len());
        }
    }
    found
}

/// The second line of a file of two: a user and the password. The keyword is the end of the
/// name of the file. A question of a program is followed by the password at once.
pub(crate) fn login_file(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let name = &text[keyword.clone()];
    let is_question = name.contains("stdin");
    let mut lines = lines_after(text, keyword.start + name.trim_end().len(), 2);
    let (_, first) = lines.next()?;
    if !first.trim_start_matches([' ', '<', '=', '>']).is_empty() {
        return None;
    }
    let (_, user) =
        if is_question { ("", "") } else { lines.next().map(|(_, user)| ("", user))? };
    if user.contains([' ', '=', ':', '{', '<']) {
        return None;
    }
    let (start, line) = lines.next()?;
    let value = line.trim_end();
    let plain = &*ascii(value);
    let has_mark = plain.bytes().any(|b| b.is_ascii_digit() || b"!#&*".contains(&b));
    let is_word = !value.contains(' ') && has_mark;
    (is_word && (is_certain(value) || is_chosen_password(plain)))
        .then(|| start..start + value.len())
}

/// The seed in a file of NATS, in the line below its heading. The keyword is the heading.
pub(crate) fn nkey_seed(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const LENGTH: usize = 58;
    let (start, line) = lines_after(text, keyword.end, 1).nth(1)?;
    let length = BASE32.run(line.as_bytes(), LENGTH + 1);
    (length == LENGTH).then(|| start..start + LENGTH)
}

/// The UUID or the key below the name of a token in a table. The keyword is that name.
pub(crate) fn token_below(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let limit = text.floor_char_boundary(text.len().min(keyword.end + 700));
    let rest = text.get(keyword.end..limit)?;
    let at = rest.find(" value ")? + " value ".len();
    let lead = rest[at..].find(|c: char| c.is_ascii_alphanumeric())?;
    let value = rest[at + lead..].split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next()?;
    let start = keyword.end + at + lead;
    (lead <= 40 && (crate::check::is_uuid(value) || is_random_key(value)))
        .then(|| start..start + value.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_follow_their_algorithms_and_nothing_else() {
        let text = "createUser ann SHA-256 \"kelp harbour 7\" AES hQUGnBubfGzD";
        let found: Vec<&str> = agent_passwords(text, 0..11).into_iter().map(|r| &text[r]).collect();
        assert_eq!(found, ["kelp harbour 7", "hQUGnBubfGzD"]);
        assert!(agent_passwords("createUser ann", 0..11).is_empty());
    }

    #[test]
    fn groups_of_other_lengths_are_not_a_recovery_key() {
        for (text, is_key) in [
            ("recovery key: 617254-426866-244761-604593-245278-670032-576301-020944", true),
            (
                "recovery key: cektnufd-brkhgiic-diffikhc-kekliijf-kndlvvdu-eduthnie-bvrbcrbe-cjvjiclt",
                true,
            ),
            ("recovery key: 7KQ2-P4XM-9ZT8-C3WB-5HYN-R6DV", true),
            ("recovery key: 617254-426866", false),
            ("recovery key {EAE7A6A4-5281-CFE3-A1C4-20C45D92AEDC}", false),
        ] {
            assert_eq!(recovery_key(text, 0..12).is_some(), is_key, "{text}");
        }
    }
}
