//! Judges a value by its characters: any word may be a password, and code is
//! full of names with other values.

use super::noise::is_noise;
use super::{Assignment, NameTraits, Quoting};
use crate::check::{self, all, contains_any_case, entropy, is_placeholder, is_uuid};
use crate::commands::is_well_known;
use crate::pattern::{ALNUM, ANY64, URL64, WORD};
use crate::phrases::is_app_password;

pub(super) const LONGEST: usize = 4096;

/// Symbols that people put into passwords.
const SIGNS: &[u8] = b"!@#$^&*+=?%~";

/// Whether a value looks like a secret.
pub(super) fn is_secret(value: &str, name: NameTraits, assignment: &Assignment) -> bool {
    let NameTraits { password, is_capitals, .. } = name;
    let quoting = assignment.quoting;
    let bytes = value.as_bytes();
    if password && is_capitals && is_shell_password(value, assignment) {
        return true;
    }
    if password && quoting != Quoting::Bare && is_app_password(value) {
        return true;
    }
    if quoting == Quoting::Quoted && is_noise(value) {
        return true;
    }
    let least = if password { 6 } else { 10 };
    if !(least..=LONGEST).contains(&bytes.len())
        || bytes.iter().any(|byte| !byte.is_ascii_graphic())
        || starts_like_code(bytes)
        || value.contains("${")
        || value.contains("{{")
        || value.contains("$(")
        || value.contains("://")
        || is_placeholder(value)
        || is_well_known(value)
    {
        return false;
    }
    if is_uuid(value) {
        return name.may_be_uuid && entropy(bytes) >= 3.0;
    }
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = bytes.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    if letters == 0 {
        return false;
    }
    let bits = entropy(bytes);
    let variable = is_capitals && assignment.tight;
    if (quoting == Quoting::Quoted || variable) && bits >= 3.0 && is_mixed(value) {
        return true;
    }
    if digits == 0
        && password
        && (is_marked_at_random(value)
            || (quoting == Quoting::Quoted && (is_marked(value) || is_unspeakable(value))))
    {
        return true;
    }
    if password && (is_worded(value) || is_app_letters(value)) {
        return true;
    }
    let text = value.trim_end_matches('=');
    let is_padded = text.len() < value.len() && value.len().is_multiple_of(4) && text.len() >= 14;
    if digits == 0 && password && is_padded && is_base64(text) {
        return true;
    }
    if digits == 0 && password && text.len() >= 12 && bits >= 3.0 && irregularities(text) > 0 {
        return true;
    }
    let least = if quoting == Quoting::Bare { 20 } else { 16 };
    if digits == 0 && text.len() >= least && irregularities(text) > 1 {
        return true;
    }
    if digits == 0 {
        // Shell files have passwords without a digit; code has names.
        return is_capitals
            && password
            && quoting != Quoting::Flag
            && bytes.len() >= 12
            && bits >= 3.0
            && !is_wordy(value);
    }
    if is_wordy(value)
        && !is_noise(value)
        && !(quoting == Quoting::Quoted && is_shuffled(value))
        && !(is_capitals && assignment.tight && is_signed(value))
        && !(password && is_strong(value.trim_start_matches(['%', '#', '*'])))
        && !(password && quoting == Quoting::Quoted && !value.contains(['-', '_', '.', '/', ':']))
    {
        return false;
    }
    if quoting != Quoting::Quoted && value.contains('(') && !value.contains(')') {
        return false;
    }
    // A key of hex digits may have few of them many times.
    let is_hex = bytes.len() >= 32 && bytes.iter().all(u8::is_ascii_hexdigit);
    bits >= if password { 1.9 } else { 3.0 - f32::from(u8::from(is_hex)) * 0.4 }
}

/// Whether the value says where the secret is, or is the tag of a field of Go.
pub(super) fn is_reference(value: &str) -> bool {
    const LEADS: &[&str] = &[
        "vault:", "arn:", "op:", "ref+", "env:", "file:", "secret:", "secrets:", "ssm:", "self.",
        "this.", "keyring:", "json:\"", "yaml:\"", "xml:\"", "form:\"", "db:\"",
    ];
    // Names of types end in these words.
    const TYPES: &[&str] = &["PublicKey", "PrivateKey", "SecretKey", "Credential", "Credentials"];
    // `*oauth2.Token`, a type of Go.
    let is_pointer =
        value.starts_with('*') && value[1..].bytes().all(|b| WORD.contains(b) || b == b'.');
    is_pointer
        || LEADS.iter().any(|lead| value.starts_with(lead))
        || TYPES.iter().any(|kind| value.ends_with(kind))
}

/// Whether the first bytes are those of a variable, a path, a list or a
/// pattern. A password may start with such a symbol too, if the rest looks like
/// one.
fn starts_like_code(bytes: &[u8]) -> bool {
    let Some(first) = bytes.first() else { return true };
    let rest = str::from_utf8(bytes).unwrap_or_default().trim_start_matches(['%', '#', '*', '$']);
    // A path has no such symbols, and a variable ends before them.
    let is_signed_rest =
        || rest.get(1..).is_some_and(|rest| !rest.contains('/') && is_signed_word(rest));
    match first {
        // Base64 may start with a slash.
        b'/' => {
            let is_base64 = bytes.ends_with(b"=") && is_random(&rest[1..]);
            !is_base64 && !is_signed_rest()
        }
        b'~' | b'.' => !is_signed_rest(),
        // Jenkins writes what it has encrypted in braces.
        b'{' => !(bytes.ends_with(b"}") && is_random(rest.trim_matches(['{', '}']))),
        b'<' | b'[' | b'(' => true,
        // A variable ends before a sign.
        b'$' if is_strong(rest) && rest.contains(['!', '#', '+', '=', '%', '^', '&', '*', '@']) => {
            !rest.starts_with(|c: char| c.is_ascii_alphanumeric()) || rest.contains(['/', '.', '-'])
        }
        b'$' => {
            !rest.starts_with(|c: char| c.is_ascii_alphanumeric())
                || rest.contains('/')
                || !is_signed_word(rest)
        }
        b'%' | b'#' | b'*' => !is_strong(rest),
        _ => false,
    }
}

/// Whether this is the password of a password variable: one digit, symbol or
/// inner capital is enough. Outside a shell it must be quoted, and neither
/// blanks nor capitals count: it may be a message or a name.
fn is_shell_password(value: &str, assignment: &Assignment) -> bool {
    let bytes = value.as_bytes();
    let has = |test: fn(&u8) -> bool| bytes.iter().any(test);
    let variable = value.contains("${") || value.contains("$(") || value.starts_with('$');
    if !(8..=128).contains(&bytes.len())
        || bytes.iter().any(|byte| !byte.is_ascii_graphic() && *byte != b' ')
        || value.starts_with(['{', '<', '[', '(', '/', '~', '.', ' '])
        || (value.starts_with(['%', '*', '^']) && !is_strong(&value[1..]))
        || (variable && !assignment.single)
        || value.contains("{{")
        || value.contains("://")
        || !has(u8::is_ascii_alphabetic)
        || ["passw", "secret"].iter().any(|word| contains_any_case(value, word))
        || is_placeholder(value)
        || is_well_known(value)
    {
        return false;
    }
    let sign = has(|byte| SIGNS.contains(byte));
    let digit = has(u8::is_ascii_digit);
    let quoted = assignment.quoting == Quoting::Quoted;
    if !assignment.tight && !(quoted && !value.contains(' ') && (sign || digit)) {
        return false;
    }
    if value.contains(' ') {
        return (quoted || value.contains("\\ ")) && (sign || digit);
    }
    // With other symbols it may be a path, a name or a version.
    let plain = all(ALNUM, value);
    sign || (plain && (digit || (has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase))))
}

/// Whether the value is a password whatever surrounds it: letters of both cases
/// or a symbol among letters and digits, and not a name with a number.
pub(super) fn is_strong(value: &str) -> bool {
    let bytes = value.as_bytes();
    let has = |test: fn(&u8) -> bool| bytes.iter().any(test);
    let sign = has(|byte| SIGNS.contains(byte));
    (8..=128).contains(&bytes.len())
        && bytes.iter().all(u8::is_ascii_graphic)
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
        && (sign || (has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase)))
        && !value.contains(['(', ')', '<', '>', '{', '}', '[', ']'])
        && !value.starts_with(['$', '/', '.', '-', '~', '='])
        // The escapes of URLs.
        && !(value.starts_with('%') && (value[1..].contains('%') || !is_signed(&value[1..])))
        && !value.contains("://")
        && !value.contains("==")
        && (!is_wordy(value) || is_signed(value))
        && !is_placeholder(value)
        && entropy(bytes) >= 2.0
}

/// Sixteen small letters that no word has in this order: a password that a provider
/// generates for one program, without its blanks.
pub(super) fn is_app_letters(value: &str) -> bool {
    let is_consonant = |c: char| c.is_ascii_lowercase() && !"aeiou".contains(c);
    let runs = || value.split(|c| !is_consonant(c)).map(str::len);
    value.len() == 16
        && value.bytes().all(|byte| byte.is_ascii_lowercase())
        && (runs().any(|run| run >= 5) || runs().filter(|run| *run >= 4).count() >= 2)
}

/// Whether letters and digits are mixed as in no name: digits stand for letters
/// in several places, or letters of both cases follow each other at random.
pub(super) fn is_scrambled(value: &str) -> bool {
    let bytes = value.as_bytes();
    if !(8..=64).contains(&bytes.len()) || !all(ALNUM, value) || is_placeholder(value) {
        return false;
    }
    let pieces = || value.split(|c: char| c.is_ascii_digit()).filter(|piece| !piece.is_empty());
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    let inner = pieces().count().saturating_sub(1);
    let short = pieces().filter(|piece| piece.len() <= 2).count();
    let has_capital = bytes.iter().any(u8::is_ascii_uppercase);
    let has_small = bytes.iter().any(u8::is_ascii_lowercase);
    let is_spread = inner >= 3 || (inner >= 2 && short >= 2) || (inner >= 2 && has_capital);
    let is_leet = is_spread && has_small && digits * 3 <= bytes.len() * 2;
    let is_random = has_capital && has_small && pieces().any(|piece| !is_camel(piece));
    // Hex digits are numbers, and so are versions and sizes.
    let is_hex = bytes.iter().all(u8::is_ascii_hexdigit);
    // Generators make a password without a digit now and then.
    let is_irregular = digits == 0 && bytes.len() >= 12 && irregularities(value) >= 2;
    is_irregular || (digits > 0 && !is_hex && (is_leet && (has_capital || inner >= 3) || is_random))
}

/// Whether the letters are words, each with a capital or none: `UrlSafe`, `getURL`.
pub(super) fn is_camel(piece: &str) -> bool {
    let bytes = piece.as_bytes();
    let starts = bytes
        .windows(2)
        .filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
        .count();
    let capitals = bytes.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    let is_short_word = |word: &str| (1..=2).contains(&word.len());
    let words = piece.split(|c: char| c.is_ascii_uppercase()).filter(|word| is_short_word(word));
    // Two capitals between small letters: an acronym of two letters is rare.
    let is_pair = |four: &[u8]| {
        four[0].is_ascii_lowercase()
            && four[1].is_ascii_uppercase()
            && four[2].is_ascii_uppercase()
            && four[3].is_ascii_lowercase()
    };
    if bytes.windows(4).any(is_pair) {
        return false;
    }
    capitals <= 1 + starts || piece.len() < 4 || words.count() < 2 && starts * 5 < piece.len()
}

/// Whether letters of both cases alternate as in base64.
fn is_base64(text: &str) -> bool {
    let changes = text
        .as_bytes()
        .windows(2)
        .filter(|pair| pair[0].is_ascii_uppercase() != pair[1].is_ascii_uppercase())
        .count();
    all(ANY64, text) && changes * 4 >= text.len()
}

/// How often letters follow each other as in no word: two capitals between small
/// letters, small letters alone between capitals, or many consonants in a row.
/// `userIDs` has one.
fn irregularities(value: &str) -> usize {
    let bytes = value.as_bytes();
    let is_pair = |four: &[u8]| {
        let upper = |at: usize| four[at].is_ascii_uppercase();
        let lower = |at: usize| four[at].is_ascii_lowercase();
        lower(0) && upper(1) && upper(2) && lower(3)
    };
    let is_zigzag = |five: &[u8]| {
        let is_upper = |at: usize| five[at].is_ascii_uppercase();
        let is_lower = |at: usize| five[at].is_ascii_lowercase();
        is_upper(0) && is_lower(1) && is_upper(2) && is_lower(3) && is_upper(4)
    };
    let is_consonant = |c: char| c.is_ascii_lowercase() && !"aeiouy".contains(c);
    let is_text = bytes.iter().all(|byte| WORD.contains(*byte) || *byte == b'-');
    let runs = value.split(|c: char| !is_consonant(c)).filter(|run| run.len() >= 6);
    if !is_text {
        return 0;
    }
    let pairs = bytes.windows(4).filter(|four| is_pair(four)).count();
    pairs + bytes.windows(5).filter(|five| is_zigzag(five)).count() + runs.count()
}

/// Whether letters of both cases are around a symbol, as in no word.
fn is_marked(value: &str) -> bool {
    let has = |test: fn(&u8) -> bool| value.as_bytes().iter().any(test);
    let inner = value.trim_matches(|c: char| !c.is_ascii_alphabetic());
    (8..=64).contains(&value.len())
        && inner.contains(['!', '#', '$', '^', '&', '*', '@', '%'])
        && value.bytes().all(|byte| ALNUM.contains(byte) || SIGNS.contains(&byte))
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
}

/// The same, and more than two names around one symbol, as `Type#method` is.
pub(super) fn is_marked_at_random(value: &str) -> bool {
    let signs = value.bytes().filter(|byte| b"!#$^&*@%".contains(byte)).count();
    let is_zigzag = |three: &[u8]| {
        three[0].is_ascii_uppercase()
            && three[1].is_ascii_lowercase()
            && three[2].is_ascii_uppercase()
    };
    let is_random = value.as_bytes().windows(3).any(is_zigzag);
    let is_jumbled = value.split(|c: char| !c.is_ascii_alphabetic()).any(|piece| !is_camel(piece));
    is_marked(value) && (is_jumbled || (signs >= 2 && is_random))
}

/// Whether the value is words and a number, as people and generators join them into
/// a password: `harbour-Kelp-42`. Names are like this too, so a name must say that
/// it is a password. Words that name fields and samples do not count.
pub(super) fn is_worded(value: &str) -> bool {
    const NAMES: &[&str] = &[
        "version",
        "release",
        "field",
        "group",
        "input",
        "form",
        "page",
        "label",
        "error",
        "length",
        "min",
        "max",
        "reset",
        "hash",
        "policy",
        "step",
        "level",
        "type",
        "name",
        "file",
        "path",
        "node",
        "cluster",
        "server",
        "host",
        "db",
        "database",
        "port",
        "prod",
        "staging",
        "stage",
        "build",
        "image",
        "alpine",
        "ubuntu",
        "debian",
        "claude",
        "gpt",
        "model",
        "line",
        "row",
        "column",
        "item",
        "chapter",
        "section",
        "part",
        "issue",
        "case",
        "rule",
        "utf",
        "sha",
        "aes",
        "passwd",
        "passphrase",
        "phrase",
        "hunter",
        "config",
        "provider",
        "store",
        "manager",
        "mail",
        "email",
        "login",
        "username",
        "button",
        "text",
        "icon",
        "modal",
        "screen",
        "view",
        "component",
    ];
    let pieces = || value.split(|c: char| !c.is_ascii_alphanumeric());
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let words = || pieces().map(|piece| piece.trim_end_matches(|c: char| c.is_ascii_digit()));
    let is_word = |word: &str| {
        word.is_empty()
            || (word.len() >= 3
                && word.bytes().all(|byte| byte.is_ascii_alphabetic())
                && word.bytes().skip(1).all(|byte| byte.is_ascii_lowercase()))
    };
    let is_name = |word: &str| {
        !word.is_empty()
            && (check::is_sample(word) || NAMES.iter().any(|name| word.eq_ignore_ascii_case(name)))
    };
    let seams = value.bytes().filter(|byte| !byte.is_ascii_alphanumeric()).count();
    let has_capital = value.bytes().any(|byte| byte.is_ascii_uppercase());
    (10..=64).contains(&value.len())
        && value.bytes().all(|byte| ALNUM.contains(byte) || b"-_.+~!#*^@".contains(&byte))
        && (1..=5).contains(&seams)
        && (2..=8).contains(&digits)
        && words().filter(|word| word.len() >= if has_capital { 3 } else { 4 }).count() >= 2
        && words().all(is_word)
        && !words().any(is_name)
        && !value.split_once('@').is_some_and(|(_, host)| host.contains('.'))
        && !is_placeholder(value)
}

/// The same, with a word in lower case beside one with a capital, or symbols that
/// names do not have: what no name looks like.
pub(super) fn is_worded_oddly(value: &str) -> bool {
    let starts = |test: fn(&u8) -> bool| {
        value
            .split(|c: char| !c.is_ascii_alphanumeric())
            .any(|word| word.as_bytes().first().is_some_and(test))
    };
    is_worded(value)
        && ((starts(u8::is_ascii_uppercase) && starts(u8::is_ascii_lowercase))
            || value.contains(['!', '#', '*', '^', '+', '~']))
}

/// Whether letters of both cases follow each other as in no language: many
/// consonants in a row, or words of two letters.
fn is_unspeakable(value: &str) -> bool {
    let is_word = |c: char| c.is_ascii_lowercase() && !"aeiouy".contains(c);
    let consonants = value.split(|c: char| !is_word(c)).map(str::len).max().unwrap_or(0);
    let capitals = value.bytes().filter(u8::is_ascii_uppercase).count();
    let short = value.split(|c: char| c.is_ascii_uppercase()).skip(1).filter(|w| w.len() < 2);
    (12..=64).contains(&value.len())
        && value.bytes().all(|byte| byte.is_ascii_alphabetic())
        && capitals >= 2
        && (consonants >= 6 || (short.count() >= 3 && capitals * 4 <= value.len() * 3))
        && value.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// Whether digits stand for letters: `k33pal1ve`.
pub(super) fn is_spelled(value: &str) -> bool {
    let bytes = value.as_bytes();
    let is_inner = |three: &[u8]| {
        three[0].is_ascii_alphabetic()
            && three[1].is_ascii_digit()
            && three[2].is_ascii_alphabetic()
    };
    (8..=64).contains(&bytes.len())
        && all(ALNUM, value)
        && bytes.windows(3).any(is_inner)
        && !is_wordy(value)
        && !is_placeholder(value)
}

/// Whether a whole word is a password by its symbols.
pub(super) fn is_signed_word(value: &str) -> bool {
    is_signed(value) && is_strong(value)
}

/// Whether letters of both cases, digits and a symbol that names do not have are
/// in the value.
fn is_signed(value: &str) -> bool {
    let has = |test: fn(&u8) -> bool| value.as_bytes().iter().any(test);
    (has(|byte| b"!#$^&*%~?".contains(byte)) || is_numbered(value))
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_digit)
}

/// `Summer@2024`: at least three digits, as versions do not have.
fn is_numbered(value: &str) -> bool {
    value.split_once('@').is_some_and(|(word, number)| {
        number.len() >= 3
            && number.bytes().all(|byte| byte.is_ascii_digit())
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// The same, with a symbol, and neither a path nor a version: what may follow
/// "the password is" in prose.
pub(super) fn is_strong_in_prose(value: &str) -> bool {
    is_strong(value)
        && value.bytes().any(|byte| SIGNS.contains(&byte))
        && !value.contains(['/', '='])
}

/// Whether the value is long and random: a key whose name is hardly proof.
pub(super) fn is_random(value: &str) -> bool {
    let bytes = value.as_bytes();
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    let body = value.trim_end_matches('=');
    (20..=LONGEST).contains(&bytes.len())
        && body
            .bytes()
            .all(|byte| ANY64.contains(byte) || matches!(byte, b'.' | b':' | b'|' | b'~'))
        && (digits >= 3 || (digits >= 1 && bytes.len() >= 28 && check::is_mixed(value)))
        && check::is_jumbled(value)
        && entropy(bytes) >= 3.2
        && !value.starts_with(['/', '.', '-'])
        && value.matches('/').count() <= 3
        && value.matches('-').count() <= 8
        && !is_uuid(value)
        && !is_wordy(value)
        && !is_type(value)
        && !is_placeholder(value)
}

/// Whether this is the name of a type with a number: `X509KeyUsageFlags`.
fn is_type(value: &str) -> bool {
    let mut pieces = value.split(|c: char| !c.is_ascii_alphabetic());
    let numbers = value.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
    all(WORD, value)
        && numbers.count() <= 3
        && value.bytes().any(|byte| byte.is_ascii_lowercase())
        && value.bytes().any(|byte| byte.is_ascii_uppercase())
        && pieces.clone().any(|piece| piece.len() >= 10)
        && pieces.all(|piece| piece.is_empty() || is_camel(piece))
}

/// Randomly mixed upper and lower case. In names, an upper case letter starts a
/// word or belongs to an acronym, and words are longer than that.
pub(super) fn is_mixed(value: &str) -> bool {
    let upper = value.bytes().filter(u8::is_ascii_uppercase).count();
    let lower = value.bytes().filter(u8::is_ascii_lowercase).count();
    let acronym = value.as_bytes().windows(4).any(|four| four.iter().all(u8::is_ascii_uppercase));
    let is_text = all(ALNUM, value)
        || value.split_once('_').is_some_and(|(mark, body)| mark.len() <= 4 && all(WORD, body));
    is_text
        && value.len() >= 16
        && upper * 4 >= value.len()
        && lower * 4 >= value.len()
        && (!acronym || value.len() >= 20)
        && value.len() * 10 <= (upper + 1) * 26
}

/// Made of words and numbers, like a name, a path, a version or a date:
/// `my-token-1`, `auth.token`, `v1beta1`, `2026-01-02`.
fn is_wordy(value: &str) -> bool {
    value.split(|c: char| !c.is_ascii_alphanumeric()).all(|word| {
        if alternates(word) || (word.len() >= 12 && irregularities(word) >= 2) {
            return false;
        }
        let tail = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        (tail.len() <= 3 || tail.len() == word.len())
            && tail.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// `rugAZrTi`: eight letters of both cases in no order.
pub(super) fn is_odd_word(value: &str) -> bool {
    value.len() >= 8
        && value.bytes().all(|byte| byte.is_ascii_alphabetic())
        && value.bytes().any(|byte| byte.is_ascii_lowercase())
        && !is_camel(value)
}

/// Whether letters of both cases and digits follow each other at random in a row of words.
pub(super) fn is_shuffled(value: &str) -> bool {
    let kind = |byte: u8| match byte {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        _ => 2,
    };
    let alnum: Vec<u8> = value.bytes().filter(u8::is_ascii_alphanumeric).collect();
    let changes = alnum.windows(2).filter(|two| kind(two[0]) != kind(two[1])).count();
    let longest =
        value.split(|c: char| !c.is_ascii_lowercase()).map(str::len).max().unwrap_or_default();
    alnum.len() >= 14 && longest <= 3 && changes * 5 >= alnum.len() * 2 && all(URL64, value)
}

/// Whether upper and lower case alternate as in no name: `bCdEfGh`.
fn alternates(word: &str) -> bool {
    let bytes = word.as_bytes();
    let changes = bytes
        .windows(2)
        .filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
        .count();
    bytes.len() >= 5 && changes >= 2 && changes * 3 >= bytes.len()
}
