//! Passwords after a label that people write: `Palavra-passe: …`, `пароль от сервера (root): …`,
//! `비번은 …`, `admin / …`.
//!
//! The words for a password in many languages are a table here. Labels that are names in code
//! are deliberately not here (`assignment`), nor are values far from their label (`nearby`).

mod value;
mod words;

use std::ops::Range;

pub(crate) use value::{is_certain, is_number_password, is_numbered_word};
use value::{is_chosen, is_code, is_quoted, is_varied};
pub(crate) use words::PASSWORDS;
use words::{CIPHERS, FUNCTION_WORDS, LEADS, OWNERS, PARTICLES, PHRASES, QUOTES, SEPARATORS};

use crate::assignment::{is_chosen_password, is_worded_password};
use crate::check::contains_any_case;

/// How far after its label a value may be, in bytes.
const FARTHEST: usize = 120;
/// How many words may be between them.
const MOST_WORDS: usize = 7;

/// How a value follows its label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lead {
    /// Nothing but blanks is between them.
    Beside,
    /// A colon, an arrow or a verb leads to it.
    Led,
    /// Words are between them.
    Words,
    /// The word before it is that of an owner.
    Owner,
}

/// Whether a name is a word for a password in any language of the table.
pub(crate) fn names_password(name: &str) -> bool {
    const SHORT: [&str; 2] = ["passwd", "pwd"];
    let words = PASSWORDS.iter().map(|word| word.trim_matches([' ', ':', '(', '\n']));
    words.chain(SHORT).any(|word| word.len() > 2 && contains_any_case(name, word))
}

/// Whether the text before a value ends with what leads to it: a verb, a separator or a particle.
pub(crate) fn leads_to_value(text: &str) -> bool {
    let text = text.trim_end();
    let last = text.rsplit([' ', '\n']).next().unwrap_or_default().to_lowercase();
    LEADS.contains(&&*last)
        || SEPARATORS.iter().any(|mark| text.ends_with(mark.trim_end()))
        || PARTICLES.iter().any(|particle| text.ends_with(particle))
}

/// The password that a label names. The keyword is the label.
pub(crate) fn labelled_password(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let label = &text[keyword.clone()];
    let from = label_end(text, &keyword)?;
    let rest = text.get(from..text.floor_char_boundary(text.len().min(from + FARTHEST)))?;
    let is_english =
        label.trim_start_matches([' ', '(']).starts_with(['p', 'P']) && label.is_ascii();
    let mut lead = if label.ends_with(':') { Lead::Led } else { Lead::Beside };
    let (mut at, mut words, mut is_below) = (0, 0, false);
    while let Some(next) = rest[at..].chars().next() {
        let tail = &rest[at..];
        if next == '\n' {
            // Prose goes on in the next line, and a value may stand alone there.
            if is_below || tail.starts_with("\n\n\n") || (lead == Lead::Beside && words == 0) {
                return None;
            }
            is_below = true;
            at += 1;
            continue;
        }
        if next.is_whitespace() || matches!(next, '*' | ',' | '，' | '、') {
            at += next.len_utf8();
            continue;
        }
        if let Some(mark) = SEPARATORS.iter().find(|mark| tail.starts_with(**mark)) {
            if is_below {
                return None;
            }
            lead = Lead::Led;
            at += mark.len();
            if let Some(secret) = named_phrase(text, keyword.start..from, from + at) {
                return Some(secret);
            }
            continue;
        }
        if let Some(particle) = PARTICLES.iter().find(|one| words == 0 && tail.starts_with(**one)) {
            lead = Lead::Led;
            at += particle.len();
            continue;
        }
        if let Some((inner, length)) = bracketed(tail) {
            // `(root@host)` belongs to the label; a value may be in brackets too.
            let start = from + at + tail[..length].find(inner)?;
            if !inner.contains(' ') && is_certain(inner) {
                return Some(start..start + inner.len());
            }
            at += length;
            continue;
        }
        if let Some((inner, length)) = quoted(tail) {
            let start = from + at + tail[..length].find(inner)?;
            if lead != Lead::Owner
                && !(is_english && lead == Lead::Words)
                && is_quoted(inner)
                && (!is_below || is_certain(inner))
            {
                return Some(start..start + inner.len());
            }
            at += length;
            words += 1;
            lead = Lead::Words;
            continue;
        }
        let length = tail
            .find(|c: char| c.is_whitespace() || "，。、（「：；」）".contains(c))
            .unwrap_or(tail.len());
        let word = &tail[..length];
        if length == 0 {
            return None;
        }
        let follows = &text[from + at + length..];
        if let Some(length) = judge(word, lead, is_english, is_below, follows) {
            return Some(from + at..from + at + length);
        }
        lead = lead_of(word);
        at += length;
        words += 1;
        if word.ends_with(':')
            && let Some(secret) = named_phrase(text, keyword.start..from, from + at)
        {
            return Some(secret);
        }
        let ends_sentence = word.ends_with(['.', '!', '?']) && word.len() > 1;
        if word.ends_with('?') && ends_line(&rest[at..]) {
            return answer(text, from + at);
        }
        if words > MOST_WORDS || ends_sentence || is_code(word) {
            return None;
        }
    }
    None
}

/// The end of the label: inflections belong to it. A name in code is not a label.
fn label_end(text: &str, keyword: &Range<usize>) -> Option<usize> {
    let label = &text[keyword.clone()];
    let before = text[..keyword.start].chars().next_back().unwrap_or('\n');
    let is_glued =
        label.starts_with(|c: char| c.is_ascii_alphanumeric()) && before.is_ascii_alphanumeric();
    if "_./$@<[\"'\\&?#%=".contains(before) || (is_glued && !is_second(label)) {
        return None;
    }
    let last = label.chars().next_back()?;
    if !last.is_alphabetic() || ('\u{3000}'..='\u{ffff}').contains(&last) {
        return Some(keyword.end);
    }
    let rest = &text[keyword.end..];
    let is_part = |c: &char| c.is_lowercase() && (*c as u32) < 0x3000 || matches!(c, '’');
    let length: usize = rest.chars().take(8).take_while(is_part).map(char::len_utf8).sum();
    let next = rest[length..].chars().next().unwrap_or('\n');
    let is_word = next.is_whitespace()
        || "*:,：，は是为：은는이가을(（「→".contains(next)
        || !next.is_ascii();
    is_word.then_some(keyword.end + length)
}

/// Whether the word is the second part of others, as in `Masterpasswort`.
fn is_second(label: &str) -> bool {
    const PARTS: [&str; 9] =
        ["wort", "wört", "word", "ord", "sana", "code", "kod", "phrase", "schl"];
    PARTS.iter().any(|part| label.contains(part))
}

/// Whether nothing but signs follows in the line.
fn ends_line(rest: &str) -> bool {
    let line = rest.split('\n').next().unwrap_or_default();
    rest.contains('\n') && !line.contains(char::is_alphanumeric)
}

/// The password in the answer to a question, in the lines below it: `Bob: its …`
fn answer(text: &str, question: usize) -> Option<Range<usize>> {
    const MOST_LINES: usize = 3;
    let rest = &text[question..text.floor_char_boundary(text.len().min(question + 240))];
    let mut at = question;
    for line in rest.split_inclusive('\n').take(MOST_LINES + 1) {
        let mut place = at;
        at += line.len();
        if place == question {
            continue;
        }
        for word in line.split(' ') {
            let value = word.trim_start_matches(['(', '"', '`']);
            let start = place + word.len() - value.len();
            let value = value.trim_end_matches(['\n', '\r', '.', ',', ')', '"', '!', '`']);
            place += word.len() + 1;
            if is_certain(value) || (is_varied(value) && is_chosen(value)) {
                return Some(start..start + value.len());
            }
        }
    }
    None
}

fn line_start(text: &str, at: usize) -> usize {
    let floor = text.ceil_char_boundary(at.saturating_sub(60));
    text[floor..at].rfind('\n').map_or(floor, |line| floor + line + 1)
}

/// What a word before a value says about it.
fn lead_of(word: &str) -> Lead {
    let plain = word.trim_end_matches([',', ';']).to_lowercase();
    if word.ends_with([':', '：', '=']) || LEADS.contains(&&*plain) {
        Lead::Led
    } else if OWNERS.contains(&&*plain) {
        Lead::Owner
    } else {
        Lead::Words
    }
}

/// The inner text of `(…)` at the start, and the length with its brackets.
fn bracketed(text: &str) -> Option<(&str, usize)> {
    let (open, close) =
        [('(', ')'), ('（', '）')].into_iter().find(|(open, _)| text.starts_with(*open))?;
    let end = text.find([close, '\n']).filter(|end| text[*end..].starts_with(close))?;
    (end < 48).then(|| (&text[open.len_utf8()..end], end + close.len_utf8()))
}

fn quoted(text: &str) -> Option<(&str, usize)> {
    let (open, close) = QUOTES.iter().find(|(open, _)| text.starts_with(open))?;
    let inner = &text[open.len()..];
    let end = inner.find(close).filter(|end| *end > 0 && !inner[..*end].contains('\n'))?;
    (end <= 72).then(|| (inner[..end].trim(), open.len() + end + close.len()))
}

/// The words after a label that speaks of several.
fn named_phrase(text: &str, label: Range<usize>, at: usize) -> Option<Range<usize>> {
    let start = line_start(text, label.start);
    let name = text[start..label.end].to_lowercase();
    let rest = &text[at..];
    let line = text[start..at].to_lowercase();
    let start = at + rest.len() - rest.trim_start_matches(' ').len();
    if PHRASES.iter().any(|word| name.contains(word))
        && let Some(length) = phrase(&text[start..])
    {
        return Some(start..start + length);
    }
    let is_of_disk = CIPHERS.iter().chain(PHRASES).any(|word| line.contains(word));
    is_of_disk.then(|| plain_phrase(&text[start..])).flatten().map(|length| start..start + length)
}

/// The length of a value of four to eight small words that ends its line and is not a sentence.
fn plain_phrase(rest: &str) -> Option<usize> {
    let line = rest.split(['\n', '\r']).next()?.trim_end();
    let value = line.trim_matches(['"', '`', '«', '»', '“', '”', '.']);
    let is_word = |word: &str| {
        (3..=14).contains(&word.chars().count()) && word.chars().all(char::is_lowercase)
    };
    let words = || value.split([' ', '-']);
    let good = (4..=8).contains(&words().count())
        && words().all(is_word)
        && !words().any(|word| FUNCTION_WORDS.contains(&word));
    good.then_some(line.len())
}

/// The length of a value of several words, which ends its line and has a number.
fn phrase(rest: &str) -> Option<usize> {
    let line = rest.split(['\n', '\r']).next()?.trim();
    let is_text = |c: char| c.is_alphanumeric() || " -'’!?.".contains(c);
    let words = line.split(' ').filter(|word| word.chars().all(char::is_alphabetic)).count();
    let has_digit = line.bytes().any(|byte| byte.is_ascii_digit());
    let good = (3..=9).contains(&words)
        && has_digit
        && line.len() <= 72
        && line.chars().all(is_text)
        && is_chosen_password(
            line.trim_end_matches(['.', '!', '?']).replace(['\'', '’'], "").as_str(),
        );
    good.then_some(line.len())
}

/// The length of the password that a word is, without the punctuation after it.
fn judge(word: &str, lead: Lead, is_english: bool, is_below: bool, follows: &str) -> Option<usize> {
    let value = word.trim_end_matches(['.', ',', ';', ':', '*', '"', '…']);
    let value = if value.contains('(') { value } else { value.trim_end_matches(')') };
    let next = follows.trim_start_matches(' ').chars().next().unwrap_or('\n');
    // A line alone, or the end of a clause.
    let ends = value.len() < word.len() || !next.is_ascii_alphanumeric();
    let is_number = value.len() >= 5 && value.bytes().all(|byte| byte.is_ascii_digit());
    let good = match lead {
        _ if is_number => {
            !is_english
                && lead != Lead::Words
                && lead != Lead::Owner
                && ends
                && is_number_password(value)
        }
        _ if is_below => is_certain(value) && ends,
        Lead::Beside if is_english => {
            let has_capital = value.bytes().any(|byte| byte.is_ascii_uppercase());
            is_certain(value) || (has_capital && ends && is_worded_password(value))
        }
        Lead::Led | Lead::Beside => is_certain(value) || is_chosen(value),
        Lead::Words => {
            is_certain(value)
                || (!is_english
                    && ends
                    && (is_numbered_word(value) || (is_varied(value) && is_chosen(value))))
        }
        Lead::Owner => is_certain(value) && !value.contains(['@', '.', '-', '_']),
    };
    good.then_some(value.len())
}

/// The password after the name of a user that every system has: `admin / …`, `(root): …`. The
/// keyword is that name with what follows it.
pub(crate) fn user_password(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let before = text[..keyword.start].chars().next_back().unwrap_or('\n');
    let label = &text[keyword.clone()];
    if before.is_alphanumeric() || "_-./@\"'".contains(before) {
        return None;
    }
    let rest = text.get(keyword.end..text.floor_char_boundary(text.len().min(keyword.end + 80)))?;
    let open = rest.len() - rest.trim_start_matches(['`', '"', '\'', '*', '„', '«', '“']).len();
    let length = rest[open..]
        .find(|c: char| c.is_whitespace() || "`\"'”“»".contains(c))
        .unwrap_or(rest.len() - open);
    let value = rest[open..open + length].trim_end_matches(['.', ',', ':', ')']);
    let is_list = label.ends_with(", ");
    let good = is_certain(value)
        || (!is_list && is_chosen(value) && value.bytes().any(|b| b.is_ascii_digit()));
    good.then(|| keyword.end + open..keyword.end + open + value.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<&str> {
        PASSWORDS
            .iter()
            .flat_map(|word| {
                let lower = text.to_ascii_lowercase();
                let found: Vec<usize> =
                    lower.match_indices(&word.to_ascii_lowercase()).map(|(at, _)| at).collect();
                found.into_iter().map(|at| at..at + word.len())
            })
            .find_map(|keyword| labelled_password(text, keyword))
            .map(|range| &text[range])
    }

    #[test]
    fn labels_of_many_languages_name_a_password() {
        for text in [
            "Palavra-passe: §Kelp_Harbour.85§",
            "palavra-passe: §Kelp_Harbour.85§",
            "a palavra-passe da base é §5Qe9-X-k+Oz6Krnh§ (a antiga)",
            "Пароль от сервера (root@10.0.0.2): §Сосна-Берег!7полка§",
            "암호는 §Haeundae_Pado99§",
            "임시 비번 발급: §3+8k_DGlF3ds§",
            "用户名root密码§Lanzhou@Lamian8kuai§",
            "门禁卡密码 §902714§，请交还",
            "boite mail (mdp §v-4!c!lVx+Ujlwn§, imap)",
            "servidor viejo, contraseña §ch7RX=Q#?^C4q+U50§",
            "usuari aula2, contrasenya §Kelp.Panellets31§",
            "root pw von der mariadb müsste §urai4ljwqs92xm97fh§ sein",
            "hab mein pw mehrfach\neingegeben (§Sonnenblume!Beet12§), hilft nix",
            "s passwort isch §Röschti+Ei=Guet5§",
            "la passphrase di restic me l'ero segnata così: §il gatto dorme sul letto 1988§",
            "Masterpasswort: §Ein Eichhorn klaut 17 Nüsse!§",
            "inloggen met code, ww §gu_7nV-k7L+V§",
            "it'll ask for a password, use §brisk-otter-plum-41§",
            "senha do certificado §Jabuticaba@Minas21§",
            "WLAN-Schlüssel §20465801938541395023§",
            "Zugang \"chef\" mit §Dackelblick_2016§",
            "código de acceso §488225071562§, senha",
            "heb jij het ww van de pc?\nBas: gebruiker ann en dan §Drop+Hagelslag11§\n",
        ] {
            let plain = text.replace('§', "");
            let value = text.split('§').nth(1);
            assert_eq!(found(&plain), value, "{text}");
        }
    }

    #[test]
    fn labels_of_forms_and_sentences_stay() {
        for text in [
            "Passwort vergessen? Dann Formular B12-Antrag2 ausfüllen",
            "パスワードを入力してください（8文字以上）",
            "Das Passwort muss mindestens 8 Zeichen haben",
            "mot de passe requis (min. 12 caractères)",
            "Contraseña: obligatorio",
            "пароль должен содержать 8 символов",
            "비밀번호는 8자 이상이어야 합니다",
            "密码长度为 6 到 20 位",
            "password for Admin@Server01",
            "das Passwort von user2@host.org",
            "senha: ${SENHA_1}",
            "hasło: string",
            "password: SHA256",
            "the password is 123456 by default",
            "password            = random_password.db\n  snapshot_id = \"rds:pay-prod-2025-03-11\"",
            "Forgot your password?\nGo to Settings2 and click Reset-All\n",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
