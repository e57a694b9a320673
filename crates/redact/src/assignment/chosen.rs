//! Passwords that people choose: words, names and numbers, which no test of their
//! characters tells from other words.
//!
//! What surrounds such a value decides: a line of a configuration file, a variable of a
//! shell or a string in quotes holds a literal, and the name of a user beside it says that
//! the literal is a login. Values that are passwords by their characters are deliberately
//! not judged here (`value`).

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::neighbours::{has_login, names_service};
use super::noise::is_disordered;
use super::{Assignment, Quoting};
use crate::check::{is_placeholder, is_sample, is_uuid};
use crate::commands::is_well_known;
use crate::letters::ascii;
use crate::pattern::{ANY_HEX, WORD};

/// Words that stand beside the word for a password and are none: of forms, of messages, of
/// types and of settings.
static OTHERS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("other_words.txt").split_ascii_whitespace().collect());

/// Where a value stands.
#[derive(Debug, Clone, Copy)]
struct Place {
    is_quoted: bool,
    /// The word after an option of a command.
    is_flag: bool,
    /// Name and value are a whole line.
    is_line: bool,
    /// A variable of a shell in capitals.
    is_variable: bool,
    /// No blank is between the name and the value.
    is_tight: bool,
    /// No blank is between the name and the value, and what follows is not code.
    is_closed: bool,
    /// The name says of which service the password is: `smtp_password`.
    has_service: bool,
}

impl Place {
    fn is_literal(self) -> bool {
        self.is_quoted || self.is_line || self.is_variable || self.is_flag
    }
}

/// Whether the value is a password that somebody chose. The keyword is in its name.
pub(super) fn is_chosen(text: &str, keyword: &Range<usize>, assignment: &Assignment) -> bool {
    let value = assignment.text(text).trim_end_matches('/').replace("&amp;", "&");
    let value = ascii(&value);
    let range = &assignment.value;
    let is_capitals = !text[keyword.clone()].bytes().any(|byte| byte.is_ascii_lowercase());
    let is_bare = assignment.quoting != Quoting::Quoted;
    // `--- PASS: TestLogin2`
    if is_bare && !assignment.tight && &text[keyword.clone()] == "PASS" {
        return false;
    }
    let place = Place {
        is_quoted: assignment.quoting == Quoting::Quoted,
        is_flag: assignment.quoting == Quoting::Flag,
        is_line: is_bare && starts_line(text, keyword.start) && ends_line(text, range.end),
        is_variable: assignment.tight && is_capitals,
        is_tight: assignment.tight,
        is_closed: (assignment.tight || text[..range.start].ends_with(':'))
            && is_closed(text, range.end),
        has_service: names_service(text, keyword.start),
    };
    judge(&value, place, || place.has_service || has_login(text, keyword.start, range))
}

/// The same for a value that certainly is a literal and belongs to a login.
pub(super) fn is_chosen_literal(value: &str) -> bool {
    let is_number = value.len() >= 6 && value.bytes().all(|byte| byte.is_ascii_digit());
    if is_number && value.bytes().any(|byte| byte != value.as_bytes()[0]) {
        return true;
    }
    let place = Place {
        is_quoted: true,
        is_flag: false,
        is_line: true,
        is_variable: false,
        is_tight: false,
        is_closed: false,
        has_service: false,
    };
    judge(&ascii(value), place, || true)
}

fn judge(value: &str, place: Place, has_login: impl Fn() -> bool) -> bool {
    if place.is_literal() && is_disordered(value) && !is_common(value) && !value.starts_with('$') {
        return true;
    }
    let slashed = slashed(value, place);
    let value = slashed.as_deref().unwrap_or(value);
    if !(5..=64).contains(&value.len()) || !is_literal_text(value) || is_common(value) {
        return false;
    }
    let bytes = value.as_bytes();
    let count = |test: fn(&u8) -> bool| bytes.iter().filter(|byte| test(byte)).count();
    let letters = count(u8::is_ascii_alphabetic);
    let digits = count(u8::is_ascii_digit);
    let capitals = count(u8::is_ascii_uppercase);
    let signs = count(|byte| b"!#$&+*^%@?=~;,".contains(byte));
    let longest =
        value.split(|c: char| !c.is_ascii_alphabetic()).map(str::len).max().unwrap_or_default();
    if letters < 3 && !(letters >= 2 && is_leet(value)) {
        return false;
    }
    if value.contains(' ') {
        let words = value.split(' ').count();
        return place.is_literal()
            && (2..=8).contains(&words)
            && signs + count(|byte| b".:".contains(byte)) == 0
            && longest >= 4
            && (digits > 0 || place.is_variable || has_login());
    }
    if signs > 0 {
        let is_last_only = signs == 1 && value.ends_with(['!', '?']);
        let is_mixed =
            digits > 0 || (capitals > 0 && value.bytes().any(|b| b.is_ascii_lowercase()));
        let is_assignment = value.contains(['=', '?', ',', ';']) && digits == 0;
        let is_format = value.starts_with(['!', '@', '#', '%', '*', '&', '=', '?', '+']);
        let is_inline = (place.is_tight && digits > 0 && capitals > 0) || place.is_closed;
        return (place.is_literal() || is_inline)
            && longest >= 3
            && !is_assignment
            && !(is_format && digits < 2)
            && (!is_last_only || digits > 0 || place.is_variable || has_login())
            && (is_mixed || (!place.is_quoted && !is_last_only) || has_login());
    }
    if digits > 0 {
        let is_long = bytes.len() >= 8 && (longest >= 4 || is_leet(value));
        let is_short = longest >= 3 && (place.is_line || place.is_quoted || place.is_variable);
        return (place.is_literal() && is_long)
            || (place.is_closed && is_long && has_login())
            || (is_short && has_login())
            || (is_long && capitals > 0 && (place.is_tight || has_login()));
    }
    let pieces = value.split(['-', '_', '.']).count();
    let is_long = bytes.len() >= 8;
    let is_word = bytes[1..].iter().all(|b| b.is_ascii_lowercase() || *b == b'-');
    if place.is_closed && is_long && is_word && has_login() {
        return true;
    }
    // `Graf-von-Kante`: names have one case.
    let starts = |test: fn(&u8) -> bool| {
        value.split(['-', '_', '.']).any(|piece| piece.as_bytes().first().is_some_and(test))
    };
    let is_odd = pieces > 1
        && is_long
        && longest >= 5
        && starts(u8::is_ascii_uppercase)
        && starts(u8::is_ascii_lowercase)
        && !value.contains("__")
        && (place.is_quoted || place.is_line || !value.contains('.'));
    if is_odd && (place.is_literal() || place.is_tight) {
        return true;
    }
    (place.is_variable && is_long) || (place.is_literal() && (is_long || pieces > 1) && has_login())
}

/// The value with dashes in place of slashes, if it is in quotes and hardly a path.
fn slashed(value: &str, place: Place) -> Option<String> {
    let has = |test: fn(u8) -> bool| value.bytes().any(test);
    let is_literal = place.is_quoted
        && has(|b| b.is_ascii_digit())
        && has(|b| b.is_ascii_uppercase())
        && value.contains('/')
        && !value.contains([' ', '.', ':', '='])
        && !value.contains("//")
        && !value.starts_with('/')
        && !value.ends_with('/')
        && value.matches('/').count() <= 2;
    // A path has small letters and no other signs.
    let is_odd =
        value.contains(['!', '#', '-', '&', '*', '_']) || !value.is_ascii() || has(|b| b >= 0x80);
    (is_literal
        && (is_odd
            || value.split('/').all(|piece| piece.starts_with(|c: char| c.is_ascii_uppercase()))))
    .then(|| value.replace('/', "-"))
}

/// Whether the value is a literal and neither a reference to one nor code.
fn is_literal_text(value: &str) -> bool {
    const CODE: &[&str] = &[
        "://", "${", "{{", "$(", "(", ")", "::", "->", "=>", "==", "..", "&&", "||", "\\", "`",
        "\"", "'", "<", ">", "{", "}", "[", "]", "%s", "%d", "//", "\u{1}",
    ];
    const LEADS: &[&str] = &[
        "/",
        "./",
        "~",
        "$",
        "%",
        "vault:",
        "op:",
        "env:",
        "env.",
        "file:",
        "secret:",
        "secrets.",
        "arn:",
        "ref+",
        "var.",
        "local.",
        "data.",
        "self.",
        "this.",
        "config.",
        "settings.",
        "process.",
        "os.",
        "args.",
        "opts.",
        "options.",
        "props.",
        "req.",
        "params.",
        "form.",
        "input.",
        "-",
        ".",
        ",",
        "|",
    ];
    const ENDS: &[&str] = &[
        ".txt", ".json", ".yml", ".yaml", ".key", ".pem", ".env", ".conf", ".cfg", ".ini", ".md",
        ".rs", ".py", ".js", ".ts", ".go", ".php", ".html", ".sh", ".toml", ".xml", ".log", ".asc",
        ".gpg", "…", "...", ":", ",", "|",
    ];
    let is_printed = value.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
    is_printed
        && !CODE.iter().any(|code| value.contains(code))
        && !LEADS.iter().any(|lead| value.starts_with(lead))
        && !ENDS.iter().any(|end| value.ends_with(end))
        && !value.contains('/')
        && !is_uuid(value)
        && !is_host(value)
        && !value.bytes().all(|byte| ANY_HEX.contains(byte))
}

/// Names of hosts, members and versions: `db.internal`, `form.password`, `v1.2.3`.
fn is_host(value: &str) -> bool {
    let Some((_, last)) = value.rsplit_once('.') else { return false };
    let is_small = |piece: &str| {
        !piece.is_empty()
            && piece
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_')
    };
    let is_address = value.split_once('@').is_some_and(|(_, host)| host.contains('.'));
    is_address
        || value.split('.').all(is_small)
        // The member of an object: `loginForm.value`
        || (value.starts_with(|c: char| c.is_ascii_lowercase())
            && last.starts_with(|c: char| c.is_ascii_alphabetic())
            && is_small(last))
}

/// Whether a word of forms, messages, types or settings is in the value, or a placeholder.
fn is_common(value: &str) -> bool {
    const INNER: &[&str] = &[
        "passw",
        "secret",
        "token",
        "credential",
        "kennwort",
        "passphr",
        "contrase",
        "senha",
        "example",
        "placeholder",
        "wort",
    ];
    let lower = value.to_ascii_lowercase();
    let is_letter_row = || {
        let first = value.as_bytes()[0];
        value.bytes().all(|byte| byte == first)
    };
    INNER.iter().any(|word| lower.contains(word) && (*word != "wort" || lower.contains("passwort")))
        || is_placeholder(value)
        || is_well_known(value)
        || (is_sample(value) && value.split(' ').count() < 4)
        || is_letter_row()
        || is_of_others(value)
}

/// Whether most of the words are such words, or half of those of a name.
fn is_of_others(value: &str) -> bool {
    let (mut others, mut all) = (0, 0);
    for word in words(value) {
        all += 1;
        others += usize::from(OTHERS.contains(word.to_ascii_lowercase().as_str()));
    }
    let is_name = value.bytes().all(|byte| byte.is_ascii_alphabetic() || b"-_. ".contains(&byte));
    others * 2 > all || (others * 2 == all && is_name)
}

/// The words of a value: `myLoginForm2` has three.
pub(super) fn words(value: &str) -> impl Iterator<Item = &str> {
    value.split(|c: char| !c.is_ascii_alphabetic()).flat_map(|piece| {
        let mut starts: Vec<usize> = piece
            .as_bytes()
            .windows(2)
            .enumerate()
            .filter(|(_, pair)| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
            .map(|(at, _)| at + 1)
            .collect();
        starts.insert(0, 0);
        starts.push(piece.len());
        let ranges: Vec<Range<usize>> = starts
            .windows(2)
            .map(|pair| pair[0]..pair[1])
            .filter(|range| !range.is_empty())
            .collect();
        ranges.into_iter().map(move |range| &piece[range])
    })
}

/// Whether the value is bare, and with its name a whole line further in: of YAML.
pub(super) fn is_nested_line(text: &str, keyword: &Range<usize>, assignment: &Assignment) -> bool {
    let line = memchr::memrchr(b'\n', &text.as_bytes()[..keyword.start]).map_or(0, |at| at + 1);
    assignment.quoting == Quoting::Bare
        && text[line..].starts_with("  ")
        && starts_line(text, keyword.start)
        && ends_line(text, assignment.value.end)
}

/// Whether the value is with its name a whole line.
pub(super) fn is_whole_line(text: &str, keyword: &Range<usize>, assignment: &Assignment) -> bool {
    starts_line(text, keyword.start) && ends_line(text, assignment.value.end)
}

/// Whether only blanks, quotes and words of a shell are before the name in its line.
pub(super) fn starts_line(text: &str, keyword: usize) -> bool {
    const LEADS: &[&str] = &["", "-", "export", "set", "ENV", "SetEnv", "env"];
    let bytes = text.as_bytes();
    let is_name = |byte: &&u8| WORD.contains(**byte) || b".-:\"'$".contains(*byte);
    let start = keyword - bytes[..keyword].iter().rev().take(80).take_while(is_name).count();
    let floor = start.saturating_sub(40);
    let line = memchr::memrchr(b'\n', &bytes[floor..start]).map_or(floor, |at| floor + at + 1);
    let before = str::from_utf8(&bytes[line..start]).unwrap_or("?");
    (line > floor || floor == 0) && LEADS.contains(&before.trim_matches([' ', '\t', '"']))
}

/// Whether what follows a bare value is the end of a pair and not of an argument.
fn is_closed(text: &str, at: usize) -> bool {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    match rest {
        [] | [b')'] => true,
        [b',', next, ..] => next.is_ascii_alphabetic(),
        [b')', next, ..] => *next == b'\n',
        [byte, ..] => b"; &\n\"'}\\/".contains(byte),
    }
}

/// Whether nothing but a comment follows the value in its line.
fn ends_line(text: &str, at: usize) -> bool {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    let blanks =
        rest.iter().take(40).take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
    let after = &rest[blanks..];
    matches!(after, [] | [b'\n', ..] | [b'\\', b'n', ..])
        || (blanks > 0 && matches!(after, [b'#' | b';', ..]))
}

/// Whether these are at least three words of a pass phrase: `marble-velvet-maple`.
pub(super) fn is_phrase(value: &str) -> bool {
    let pieces = || value.split(['-', ' ', '_', '.']);
    (3..=10).contains(&pieces().count())
        && value.len() >= 12
        && pieces().all(|piece| piece.len() >= 3 && piece.bytes().all(|b| b.is_ascii_lowercase()))
        && !is_placeholder(value)
        && !["passw", "secret", "token", "example"].iter().any(|word| value.contains(word))
        && !value.contains('_')
        && pieces().filter(|piece| OTHERS.contains(piece)).count() * 3 <= pieces().count()
}

/// Whether these are words with blanks between them, most of them none of forms and messages.
pub(super) fn is_several_words(value: &str) -> bool {
    let is_word = |word: &str| word.chars().all(|c| c.is_alphanumeric() || "'’-".contains(c));
    (3..=9).contains(&value.split(' ').count())
        && value.split(' ').all(|word| !word.is_empty() && is_word(word))
        && value.split(' ').filter(|word| word.len() >= 4).count() >= 2
        && !is_common(value)
        && value.split(' ').filter(|word| OTHERS.contains(word)).count() * 3
            <= value.split(' ').count()
}

/// Whether digits stand for letters in it: `K1w1_7012`, `h4s3l-r34d`.
pub(super) fn is_leet(value: &str) -> bool {
    value.split(|c: char| !c.is_ascii_alphanumeric()).any(|piece| {
        let runs = piece.split(|c: char| c.is_ascii_digit()).filter(|run| !run.is_empty()).count();
        let letters = piece.bytes().filter(u8::is_ascii_alphabetic).count();
        let digits = piece.len() - letters;
        runs >= 2 && letters >= 2 && (1..=4).contains(&digits) && letters + 2 > digits
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_name_are_those_of_its_parts() {
        let found: Vec<&str> = words("myLoginForm2_is-here").collect();
        assert_eq!(found, ["my", "Login", "Form", "is", "here"]);
    }

    #[test]
    fn references_and_words_of_forms_are_not_chosen() {
        let place = Place {
            is_quoted: true,
            is_flag: false,
            is_line: false,
            is_variable: false,
            is_tight: false,
            is_closed: false,
            has_service: false,
        };
        for value in [
            "Enter your new one",
            "forgotten?",
            "required",
            "db.internal-2.host",
            "form2.password",
            "vault:kv/data/erp",
            "oauth2-client-3",
            "sha256",
            "minLength8",
        ] {
            assert!(!judge(value, place, || true), "{value}");
        }
        for value in [
            "regenbogenforelle",
            "Moppel_Store!",
            "wein1234",
            "Forelle blau 12",
            "tomaten_und_gurken",
        ] {
            assert!(judge(value, place, || true), "{value}");
        }
    }
}
