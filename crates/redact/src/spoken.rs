//! Passwords in conversations, away from the word for one: `la cambiaron ayer: …` some
//! messages after the question, `MySQL root: …`, `ann / …`, `as ann: …`.
//!
//! Nothing near the value says what it is, so its characters must be those of a generator.
//! Words that somebody chose are deliberately not here (`labels`, `prose`).

use std::ops::Range;

use crate::assignment::{
    is_chosen_password, is_disordered, is_leet_password, is_noise, is_pass_phrase, is_random_key,
    is_scrambled_password, is_worded_password,
};
use crate::check::{contains_any_case, is_mixed};
use crate::labels::is_certain;
use crate::pattern::ANY_HEX;

/// How far after the word for a password a conversation may come to it.
const FARTHEST: usize = 600;

/// The values of random signs after a colon, some lines after a word for passwords. The
/// keyword is that word.
pub(crate) fn spoken_passwords(text: &str, keyword: Range<usize>) -> Vec<Range<usize>> {
    const SIGNS: &[u8] = b"!#$%^&*@?";
    let bytes = text.as_bytes();
    let limit = bytes.len().min(keyword.end + FARTHEST);
    let mut found = Vec::new();
    for led in memchr::memmem::find_iter(&bytes[keyword.end..limit], b": ") {
        let start = keyword.end + led + 2;
        let rest = &bytes[start..bytes.len().min(start + 80)];
        let length = rest.iter().take_while(|byte| byte.is_ascii_graphic()).count();
        if length < 10 || !rest[..length].iter().any(|byte| SIGNS.contains(byte)) {
            continue;
        }
        let Some(word) = text.get(start..start + length) else { continue };
        let lead = word.len() - word.trim_start_matches(['(', '`', '"', '\'', '*']).len();
        let value = word[lead..].trim_end_matches(['`', '"', '\'', ',', ';', ')', '.']);
        if is_spoken(value) {
            found.push(start + lead..start + lead + value.len());
        }
    }
    found
}

/// Whether a word is what a generator of passwords makes, and neither code nor a link.
fn is_spoken(value: &str) -> bool {
    let has = |test: fn(&u8) -> bool| value.as_bytes().iter().any(test);
    let signs = value.bytes().filter(u8::is_ascii_punctuation).count();
    let is_generated = signs >= 2
        && !value.contains(['/', '(', '<', '{', '[', '=', '|', '\\', '"', '\'', '`', ':'])
        && is_certain(value);
    (10..=48).contains(&value.len())
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_digit)
        && !value.starts_with(['#', '@', '$', '&', '%', '-', '*', '='])
        && !value.contains(['(', '"', '\'', '`', '<', '\\', '='])
        && (is_noise(value) || is_generated)
}

/// The password after the name of a service or of its user: `MySQL root: …`, `postgres / …`.
/// The keyword is that name with what follows it.
pub(crate) fn service_login(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let before = text[..keyword.start].chars().next_back().unwrap_or('\n');
    if before.is_alphanumeric() || "_-./@\\$".contains(before) {
        return None;
    }
    clause_end(text, keyword.end, |value| {
        let is_name =
            text[keyword.clone()].ends_with([':', ' ']) && !text[keyword.clone()].contains('/');
        is_generated(value) || (!is_name && is_certain(value))
    })
}

/// The password after the name of any user, in a sentence that speaks of logins:
/// `účet ext04 / …`, ``as `ann` / `…` ``. The keyword is the slash.
pub(crate) fn slashed_login(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const WORDS: [&str; 44] = [
        "login",
        "log in",
        "logon",
        "user",
        "account",
        "sign in",
        "signin",
        "creds",
        "credential",
        "basic auth",
        "auth:",
        "zugang",
        "konto",
        "benutzer",
        "anmeld",
        "účet",
        "ucet",
        "přihlá",
        "usuario",
        "cuenta",
        "conta ",
        "utente",
        "accesso",
        "acceso",
        "acesso",
        "compte",
        "identifiant",
        "accès",
        "logg",
        "bruker",
        "bruger",
        "användar",
        "konto",
        "käyttäj",
        "gebruiker",
        "inlog",
        "użytkown",
        "логин",
        "доступ",
        "учет",
        "учёт",
        "kullanıcı",
        "账号",
        "アカウント",
    ];
    // Nearly all words after a slash are words.
    let rest = &text.as_bytes()[keyword.end..text.len().min(keyword.end + 80)];
    let word = || rest.iter().take_while(|byte| byte.is_ascii_graphic());
    if word().count() < 8 || !word().any(|byte| !byte.is_ascii_lowercase()) {
        return None;
    }
    let floor = text.ceil_char_boundary(keyword.start.saturating_sub(90));
    let context = text[floor..keyword.start].to_lowercase();
    let user = context.rsplit([' ', '\n', ':', '(']).next().unwrap_or_default();
    let user = user.trim_matches(['`', '"', '\'', '*']);
    let is_user =
        user.len() >= 2 && user.chars().all(|c| c.is_alphanumeric() || "._@-+".contains(c));
    let before_user = context.trim_end_matches(['`', '"', '\'', '*']).strip_suffix(user);
    let before_user = before_user.unwrap_or_default().trim_end_matches(['`', '"', '\'', '*']);
    // `ftp.host.org / ann / …`
    let is_chain = before_user.strip_suffix(" / ").is_some_and(|before| {
        before.rsplit([' ', '\n']).next().is_some_and(|host| host.len() >= 4 && host.contains('.'))
    });
    // `use the shared one: ann / …`, some messages after the question.
    let floor = text.ceil_char_boundary(keyword.start.saturating_sub(240));
    let is_answer = before_user.ends_with(": ")
        && WORDS.iter().any(|word| text[floor..keyword.start].to_lowercase().contains(word));
    let is_spoken = is_chain || is_answer || WORDS.iter().any(|word| context.contains(word));
    if !is_user || !is_spoken {
        return None;
    }
    let is_code = text.as_bytes().get(keyword.end) == Some(&b'`');
    clause_end(text, keyword.end, |value| {
        let digits = value.bytes().filter(u8::is_ascii_digit).count();
        let has_cases = value.bytes().any(|byte| byte.is_ascii_uppercase())
            && value.bytes().any(|byte| byte.is_ascii_lowercase());
        is_certain(value)
            || ((is_chain || is_answer) && has_cases && is_worded_password(value))
            || (is_scrambled_password(value) && value.len() >= 8)
            || (is_disordered(value) && value.len() >= 10)
            || (has_cases && value.len() >= 10 && digits >= 2 && is_leet_password(value))
            || (is_code
                && digits > 0
                && value.len() >= 8
                && value.contains(['_', '.', '!', '#', '-', '@', '$', '&'])
                && is_chosen_password(value))
    })
}

/// The key of a wireless network in a sentence that speaks of one: `wifi … yeni anahtar …`. The
/// keyword is the word for a key.
pub(crate) fn wireless_key(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const NETWORKS: [&str; 8] =
        ["wifi", "wi-fi", "wlan", "ssid", "modem", "router", "hotspot", "wpa"];
    let floor = text.ceil_char_boundary(keyword.start.saturating_sub(90));
    let before = &text[floor..keyword.start];
    if !NETWORKS.iter().any(|name| contains_any_case(before, name)) {
        return None;
    }
    let rest = &text[keyword.end..text.floor_char_boundary(text.len().min(keyword.end + 60))];
    let mut at = keyword.end;
    for word in rest.split(' ').take(4) {
        let digits = word.bytes().filter(u8::is_ascii_digit).count();
        let found = clause_end(text, at, |value| {
            let is_device = NETWORKS.iter().any(|name| value.to_lowercase().contains(name));
            let is_chosen = digits >= 2 && value.len() >= 8 && is_chosen_password(value);
            is_pass_phrase(value) || is_certain(value) || (is_chosen && !is_device)
        });
        if found.is_some() {
            return found;
        }
        at += word.len() + 1;
        if word.contains('\n') || at > text.len() || !text.is_char_boundary(at) {
            return None;
        }
    }
    None
}

/// The long random word before `as the API key`. The keyword is these words.
pub(crate) fn key_before(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const FARTHEST: usize = 160;
    let floor = text.ceil_char_boundary(keyword.start.saturating_sub(FARTHEST));
    let before = text[floor..keyword.start].rsplit('\n').next().unwrap_or_default();
    let mut end = keyword.start;
    for word in before.rsplit(' ').take(5) {
        let start = end - word.len();
        end = start.saturating_sub(1);
        let lead = word.len() - word.trim_start_matches(['`', '"', '\'', '(', '*']).len();
        let value = word[lead..].trim_end_matches(['`', '"', '\'', ')', ',', '*', '.']);
        let is_key = value.len() >= 20 && is_random_key(value) && !value.contains(['/', ':', '.']);
        let is_hex = value.bytes().all(|byte| ANY_HEX.contains(byte));
        if is_key && (is_mixed(value) || (is_hex && value.len() != 40)) {
            return Some(start + lead..start + lead + value.len());
        }
    }
    None
}

/// The word at `from`, in quotes or not, if it is followed by the end of a clause.
fn clause_end(text: &str, from: usize, is_good: impl Fn(&str) -> bool) -> Option<Range<usize>> {
    let rest = &text[from..text.floor_char_boundary(text.len().min(from + 100))];
    let quotes = ['`', '"', '\'', '*', '„', '«', '“'];
    let lead = rest.len() - rest.trim_start_matches(quotes).len();
    let end = rest[lead..].find(|c: char| c.is_whitespace() || "`\"”“»".contains(c));
    let word = &rest[lead..lead + end.unwrap_or(rest.len() - lead)];
    let value = word.trim_end_matches(['.', ',', ';', ':', ')', '*', '\'']);
    (!crate::has_placeholder(value) && is_good(value))
        .then(|| from + lead..from + lead + value.len())
}

/// Whether a word after the name of a service is random: no name, no version, no hash.
fn is_generated(value: &str) -> bool {
    let is_hex = value.bytes().all(|byte| ANY_HEX.contains(byte));
    !is_hex
        && !value.contains(['/', '(', '=', ':', '<', '"'])
        && (is_noise(value)
            || (is_certain(value) && value.contains(['!', '#', '$', '%', '^', '&', '*', '?', '~']))
            || (value.len() >= 12 && is_scrambled_password(value) && is_mixed(value)))
}
