//! Passwords made of words that a sentence names: `das Passwort ist …`, `login with ann / …`.
//!
//! Passwords by their characters, with anything before them, are deliberately not here
//! (`nearby`).

use std::ops::Range;

use crate::assignment::is_chosen_password;
use crate::check::contains_any_case;
use crate::labels::{leads_to_value, names_password};
use crate::letters::ascii;

/// The password in the quotes of a language without blanks: `パスワード「…」`
pub(crate) fn find_in_wide_quotes(text: &str, from: usize) -> Option<Range<usize>> {
    /// The first byte of the quotes.
    const WIDE: u8 = 0xE3;
    let bytes = text.as_bytes();
    memchr::memchr(WIDE, &bytes[from..bytes.len().min(from + 13)])?;
    let rest = text.get(from..)?;
    let head = &rest[..rest.floor_char_boundary(rest.len().min(120))];
    let open = head.find('「').filter(|open| *open <= 12)?;
    let start = open + '「'.len_utf8();
    let length = head[start..].find('」')?;
    let value = ascii(&head[start..start + length]);
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    (has_digit && is_chosen_password(&value)).then(|| from + start..from + start + length)
}

/// A word that a sentence calls the password: `das Passwort ist …`, `contraseña: …`. Names
/// with numbers look like it, so nothing but words may be between the two.
pub(crate) fn chosen_in_prose(
    text: &str,
    keyword: &Range<usize>,
    word: Range<usize>,
) -> Option<Range<usize>> {
    const QUOTES: [char; 10] = ['"', '\'', '`', '«', '“', '„', '「', '*', '‚', '‘'];
    if word.start - keyword.end > 60 {
        return None;
    }
    let name = text.get(keyword.clone())?;
    let clause = text.get(keyword.end..word.start)?;
    if let Some(secret) = after_user(text, name, clause, word.clone()) {
        return Some(secret);
    }
    let is_password = names_password(name) || !name.is_ascii();
    let is_words =
        clause.chars().all(|c| c.is_alphabetic() || " '-_:=：\"`*„“«「’—–→>".contains(c));
    if !is_password || !is_words {
        return None;
    }
    let lead = clause.trim_end_matches(QUOTES);
    let is_quoted = lead.len() < clause.len();
    let lead = if is_quoted { format!("{} ", lead.trim_end()) } else { lead.to_owned() };
    // `şifresi …`, `la clave del wifi «…»`
    let is_beside = name.starts_with(['ş', 'Ş']) && !lead.trim().contains(' ');
    // `user ann, password …`
    let floor = text.ceil_char_boundary(keyword.start.saturating_sub(48));
    let names_user = || {
        let before = &text[floor..keyword.start];
        [" user ", "login ", "usuario ", "benutzer ", "utente ", "user: ", " / "]
            .iter()
            .any(|word| before.contains(word))
    };
    let is_led = is_beside
        || (clause == " " && names_user())
        || clause.ends_with(['«', '“', '„'])
        || leads_to_value(&lead);
    if !is_led {
        return None;
    }
    let whole = text.get(word.clone())?;
    let value = whole.trim_end_matches(['.', ':', ',', '*', '…']);
    let plain = ascii(value);
    let next = text.as_bytes().get(word.start + value.len());
    let has = |test: fn(u8) -> bool| plain.bytes().any(test);
    let is_code = matches!(next, Some(b'(' | b'[' | b'{' | b'<' | b'/'))
        || plain.contains(['/', '(', '=', '|', '<', ':'])
        || plain.starts_with(['$', '@', '-', '#', '%']);
    // `oceanbreeze99`
    let ends_in_number =
        plain.trim_end_matches(|c: char| c.is_ascii_digit()).len() + 2 <= plain.len();
    let is_varied = has(|b| b.is_ascii_uppercase())
        || (ends_in_number && plain.len() >= 9 && plain.bytes().all(|b| b.is_ascii_alphanumeric()))
        || plain.contains(['!', '#', '$', '&', '+', '*', '^', '%', '@', '?', '_'])
        || plain.bytes().filter(u8::is_ascii_digit).count() >= 3;
    // `Lambretta!Verde`
    let is_marked =
        plain.trim_end_matches(['!', '?']).contains(['!', '#', '$', '&', '+', '*', '^'])
            && has(|b| b.is_ascii_uppercase());
    let is_good =
        !is_code && plain.len() >= 8 && ((has(|b| b.is_ascii_digit()) && is_varied) || is_marked);
    (is_good && is_chosen_password(&plain)).then(|| word.start..word.start + value.len())
}

/// `login with ann / …`, `Zugang: ann / …`: the word after that of the user.
fn after_user(text: &str, name: &str, clause: &str, word: Range<usize>) -> Option<Range<usize>> {
    const NAMES: [&str; 7] = ["log", "zugang", "creds", "credential", "sign", "user/pass", "passw"];
    let user = clause.strip_suffix(" / ")?;
    let user = user.rsplit([' ', ':', '\n']).next()?;
    let is_user = user.len() >= 2
        && user.bytes().all(|byte| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._@-".contains(&byte)
        });
    let value = text.get(word.clone())?.trim_end_matches(['.', ',', ':']);
    let plain = ascii(value);
    let has_mark = plain.bytes().any(|byte| byte.is_ascii_digit() || b"!#$&+*".contains(&byte));
    let is_named = NAMES.iter().any(|known| contains_any_case(name, known));
    let good = is_user && is_named && has_mark && !clause.contains("\n\n") && value.len() >= 7;
    (good && !value.contains(['/', '(', '=']) && is_chosen_password(&plain))
        .then(|| word.start..word.start + value.len())
}
