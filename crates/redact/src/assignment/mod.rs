//! Secrets that only their name reveals: `PASSWORD=…`, `"api_key": "…"`,
//! `--token …`, `<secret>…</secret>`, `| password | … |`.
//!
//! `delimit` finds the value of a name, `pairs` the value that another member
//! holds (`name: TOKEN`, `value: …`), and `value` judges it by its characters.
//! `chosen` judges words and names by what surrounds them. Keys (`key`) and short names
//! (`short`) have stricter rules.

mod answers;
mod chosen;
mod delimit;
mod fallback;
mod key;
mod leads;
mod literals;
mod names;
mod neighbours;
mod noise;
mod pairs;
mod pieces;
mod places;
mod short;
mod value;

use std::ops::Range;

use answers::find_answer;
use chosen::{is_chosen, is_nested_line};
use delimit::{delimit, skip_name};
use fallback::find_fallback;
pub(crate) use key::find_key;
use names::{
    is_header, is_in_resource, is_login_line, is_named_line, is_of_template, is_secret_id,
    names_a_page, names_a_request, names_an_id,
};
use noise::{find_braced, find_noise};
pub(crate) use noise::{is_disordered, is_noise};
use places::{find_below, find_phrase, find_tagged};
pub(crate) use short::find_password;
use value::{
    is_app_letters, is_marked_at_random, is_random, is_reference, is_scrambled, is_secret,
    is_spelled, is_strong, is_strong_in_prose, is_worded, is_worded_oddly,
};

use crate::check::{all, contains_any_case, is_mixed, is_placeholder, is_uuid};
use crate::commands::is_well_known;
use crate::labels::is_number_password;
use crate::letters::ascii;
use crate::pattern::{URL64, WORD};

/// Used in place of a quote before a value that extends to the end of the text:
/// the value of a JSON member, whatever quotes it contains.
pub(crate) const WHOLE: char = '\u{1}';

/// How a value is delimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quoting {
    Quoted,
    Bare,
    Flag,
}

/// How certainly a value belongs to its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Certainty {
    /// A separator assigns it.
    Assigned,
    /// It is in the next cell or column.
    Nearby,
    /// A sentence says so.
    Prose,
    /// Code compares it with a constant.
    Compared,
    /// It is the next word.
    Directive,
    /// The same, and the two are a whole line.
    Line,
}

/// A value and how it is assigned to its name.
#[derive(Debug, Clone)]
struct Assignment {
    value: Range<usize>,
    /// The value, if it is in several pieces.
    joined: Option<String>,
    quoting: Quoting,
    /// `NAME=value` without blanks, as in a shell.
    tight: bool,
    /// In single quotes, where a shell expands no variables.
    single: bool,
    certainty: Certainty,
}

impl Assignment {
    /// The value of a JSON member.
    fn whole(value: Range<usize>) -> Self {
        let quoting = Quoting::Quoted;
        let certainty = Certainty::Assigned;
        Self { value, joined: None, quoting, tight: false, single: false, certainty }
    }

    fn text<'a>(&'a self, text: &'a str) -> &'a str {
        self.joined.as_deref().unwrap_or(&text[self.value.clone()])
    }
}

/// What a name implies about its value.
#[derive(Debug, Clone, Copy)]
struct NameTraits {
    password: bool,
    /// All capitals.
    is_capitals: bool,
    /// Ids can look like this as well.
    may_be_uuid: bool,
}

/// The value of the name that contains the keyword.
pub(crate) fn find_secret(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    const OTHERS: &[&str] = &["private_key", "presharedkey", "privatekey", "private-key"];
    const OTHER_PASSWORDS: &[&str] = &[
        "contrasena",
        "senha",
        "mot de passe",
        "requirepass",
        "kennwort",
        "wachtwoord",
        "haslo",
        "heslo",
        "salasana",
        "clave",
        "key content",
        "schlüsselinhalt",
        "keyphrase",
        "key_phrase",
        "motdepasse",
        "mot_de_passe",
        "sifre",
        "losenord",
        "adgangskode",
        "kodeord",
        "jelszo",
        "palavrapasse",
        "palavra_passe",
        "contrasenya",
        "lozinka",
        "sandi",
    ];
    // Words for a key or a token are none for a password.
    const OTHER_KEYS: &[&str] = &["密钥", "令牌", "秘钥"];
    let bytes = text.as_bytes();
    // Transcripts are full of `tokens`.
    if let [b's', next, ..] = &bytes[keyword.end..]
        && !next.is_ascii_alphabetic()
    {
        return None;
    }
    let end = skip_name(bytes, keyword.end)?;
    if names_a_page(text, &keyword) {
        return None;
    }
    let outer = &text[text.ceil_char_boundary(keyword.start.saturating_sub(9))..keyword.start];
    if outer.ends_with("PublicKey") || outer.ends_with("checksum/") {
        return None;
    }
    if is_in_resource(bytes, keyword.start) || is_of_template(bytes, &keyword, end) {
        return None;
    }
    let keyword_text = &text[keyword.clone()];
    let password = (keyword_text.starts_with(['p', 'P']) && !is_any(keyword_text, OTHERS))
        || (!keyword_text.is_ascii() && !is_any(keyword_text, OTHER_KEYS))
        || text[..keyword.start].ends_with("psk")
        || is_any(keyword_text, OTHER_PASSWORDS);
    let is_capitals = is_uppercase(keyword_text);
    let is_id = text[..end].ends_with("ID") || text[..end].ends_with("id");
    let npm = ["_auth", "Auth"].iter().any(|name| text[..keyword.start].ends_with(name));
    let header = is_header(bytes, keyword.start);
    let is_good = |assignment: &Assignment| {
        let flag = assignment.quoting == Quoting::Flag;
        let is_literal = assignment.quoting == Quoting::Quoted || assignment.tight;
        let may_be_uuid = ((is_capitals || flag) && !password && !is_id)
            || (is_literal && !password && !is_id && !names_a_request(text, &keyword))
            || npm
            || header
            || is_secret_id(text, &keyword, end)
            || (assignment.certainty == Certainty::Line && !password && !is_id)
            || is_named_line(text, &keyword, assignment)
            || (is_any(keyword_text, &["api_key", "apikey", "api-key", "token"])
                && !is_id
                && is_nested_line(text, &keyword, assignment));
        let name = NameTraits { password, is_capitals, may_be_uuid };
        let is_phrase_key =
            is_capitals && assignment.tight && is_pass_phrase(assignment.text(text));
        // `secret: 'four words and 1987'`
        let is_phrase = |value: &str| {
            let digits = value.bytes().filter(u8::is_ascii_digit).count();
            let words = value.split(' ').count();
            let is_named_phrase = contains_any_case(keyword_text, "phrase");
            (is_named_phrase && words >= 4 || words >= 3 && digits >= 2)
                && assignment.quoting == Quoting::Quoted
                && chosen::is_several_words(value)
        };
        let is_secret_word = keyword_text.eq_ignore_ascii_case("secret")
            && end == keyword.end
            && is_varied_literal(assignment.text(text));
        if names_an_id(text, &keyword, end, assignment.text(text)) {
            return false;
        }
        judge(text, assignment, name)
            || is_phrase_key
            || (keyword_text == "SECRET" && assignment.tight && is_worded(assignment.text(text)))
            || (password && is_login_line(text, keyword.start, assignment))
            || (password && is_literal && is_network_number(text, &keyword, assignment.text(text)))
            || ((password || is_capitals || end == keyword.end) && is_phrase(assignment.text(text)))
            || (is_secret_word && is_chosen(text, &keyword, assignment))
            || is_worded_key(assignment.text(text))
            || (password && is_chosen(text, &keyword, assignment))
    };
    if let Some(noise) = find_noise(text, keyword.start, end).or_else(|| find_braced(text, end)) {
        return Some(noise.value);
    }
    delimit(text, keyword.clone())
        .filter(is_good)
        .or_else(|| pairs::find_value(text, keyword.start, end).filter(is_good))
        .or_else(|| find_answer(text, keyword.start, end).filter(is_good))
        .or_else(|| find_tagged(text, keyword.start, end).filter(is_good))
        .or_else(|| find_fallback(text, end).filter(is_good))
        .or_else(|| find_phrase(text, &keyword, end).filter(is_good))
        .or_else(|| find_below(text, &keyword, end).filter(is_good))
        .map(|assignment| assignment.value)
}

fn judge(text: &str, assignment: &Assignment, name: NameTraits) -> bool {
    let value = ascii(assignment.text(text));
    let value = value.as_ref();
    let is_good = match assignment.certainty {
        Certainty::Assigned => is_secret(value, name, assignment),
        Certainty::Nearby => is_secret(value, name, assignment) && is_nearby_secret(value),
        Certainty::Prose if assignment.quoting == Quoting::Quoted => {
            name.password && (is_strong(value) || is_worded(value))
        }
        Certainty::Prose if name.password => {
            is_strong_in_prose(value)
                || is_scrambled(value)
                || (is_mixed(value) && is_strong(value))
                || is_worded_oddly(value)
                || is_marked_at_random(value)
        }
        Certainty::Prose => is_mixed(value) && is_random(value),
        Certainty::Compared => {
            let is_generated =
                name.password && value.len() >= 12 && is_mixed(value) && is_strong(value);
            assignment.quoting == Quoting::Quoted
                && (is_random(value)
                    || is_signed_password(value)
                    || is_generated
                    || (name.password && is_worded_oddly(value)))
        }
        Certainty::Directive if assignment.quoting == Quoting::Quoted => {
            is_signed_password(value)
                || is_random(value)
                || (name.password && (is_strong(value) || is_worded(value)))
        }
        Certainty::Directive => {
            is_signed_password(value)
                || (name.password
                    && (is_scrambled(value)
                        || is_random(value)
                        || is_worded_oddly(value)
                        || is_marked_at_random(value)))
                || (value.len() >= 40 && is_mixed(value) && is_random(value))
        }
        Certainty::Line => {
            is_signed_password(value)
                || (name.may_be_uuid && is_uuid(value))
                || is_random(value)
                || (name.password
                    && (is_strong(value)
                        || is_app_letters(value)
                        || is_spelled(value)
                        || is_worded(value)
                        || is_marked_at_random(value)
                        || value::is_odd_word(value)))
        }
    };
    is_good && !is_reference(value)
}

fn is_nearby_secret(value: &str) -> bool {
    is_strong(value) || is_random(value) || is_worded(value)
}

/// Whether digits are the key of a wireless network, of which the name speaks.
fn is_network_number(text: &str, keyword: &Range<usize>, value: &str) -> bool {
    const NETWORKS: &[&str] =
        &["wifi", "wi_fi", "wlan", "ssid", "wpa", "ap_", "sta_", "router", "psk"];
    let start = keyword.start - WORD.run_back(&text.as_bytes()[..keyword.start], 40);
    (8..=24).contains(&value.len())
        && is_number_password(value)
        && NETWORKS.iter().any(|word| contains_any_case(&text[start..keyword.end], word))
}

/// Whether a value of a variable with this name is a secret.
pub(crate) fn is_secret_of(variable: &str, value: &str, quoted: bool) -> bool {
    const PASSWORDS: &[&str] = &["PASSWORD", "PASSWD", "PASSPHRASE", "PASS", "_PW", "_PWD"];
    const OTHERS: &[&str] = &[
        "SEED",
        "SALT",
        "PEPPER",
        "TOKEN",
        "SECRET",
        "API_KEY",
        "APIKEY",
        "ACCESS_KEY",
        "SECRET_KEY",
        "ADMIN_KEY",
        "AUTH_KEY",
    ];
    let variable = variable.to_ascii_uppercase();
    let ends = |words: &[&str]| words.iter().any(|word| variable.ends_with(word));
    let password = ends(PASSWORDS);
    let quoting = if quoted { Quoting::Quoted } else { Quoting::Bare };
    let assignment = Assignment { quoting, tight: true, ..Assignment::whole(0..value.len()) };
    let name = NameTraits { password, is_capitals: true, may_be_uuid: !password };
    (password || ends(OTHERS)) && is_secret(value, name, &assignment) && !is_reference(value)
        || (password && value.len() >= 8 && is_chosen_password(value))
}

/// Whether a word that nothing names is a password by its characters alone.
pub(crate) fn is_strong_password(value: &str) -> bool {
    is_strong(value)
}

/// The same, with a symbol that names and paths do not have.
pub(crate) fn is_signed_password(value: &str) -> bool {
    is_strong_in_prose(value) && !value.contains('\\') && !is_well_known(value)
}

/// Whether letters and digits are mixed as in no name.
pub(crate) fn is_scrambled_password(value: &str) -> bool {
    is_scrambled(value) && !is_well_known(value)
}

/// Whether the letters of a row of words are of both cases at random: `IkTdt-zIhCQ-uKRu`.
pub(crate) fn is_shuffled_password(value: &str) -> bool {
    value::is_shuffled(value) && !is_placeholder(value)
}

/// Whether a word is a password made of words: where one is expected, or anywhere.
pub(crate) fn is_worded_password(value: &str) -> bool {
    is_worded(value) || is_marked_at_random(value)
}

/// Whether this starts like a public key in DER, or is one in base64.
pub(crate) fn is_public_key(value: &str) -> bool {
    // A point of a curve that is not compressed: what a browser subscribes to.
    let is_point = value.len() == 87 && value.starts_with('B') && all(URL64, value);
    is_point
        || ["MFkwEw", "MIIBIj", "MIGfMA", "MCowBQ", "MIICIj"]
            .iter()
            .any(|der| value.starts_with(der))
}

/// Whether a literal that stands where a password does is one that somebody chose.
pub(crate) fn is_chosen_password(value: &str) -> bool {
    chosen::is_chosen_literal(value)
}

/// Whether digits stand for letters in a password made of words.
pub(crate) fn is_leet_password(value: &str) -> bool {
    chosen::is_leet(value)
}

/// Whether these are several words, as people join them into a pass phrase.
pub(crate) fn is_pass_phrase(value: &str) -> bool {
    chosen::is_phrase(value)
}

pub(crate) fn is_oddly_worded_password(value: &str) -> bool {
    is_worded_oddly(value) || is_marked_at_random(value)
}

/// Whether a word that nothing names is a long random key.
pub(crate) fn is_random_key(value: &str) -> bool {
    is_random(value)
}

fn ends_with_any_case(bytes: &[u8], word: &str) -> bool {
    bytes.len() >= word.len()
        && bytes[bytes.len() - word.len()..].eq_ignore_ascii_case(word.as_bytes())
}

fn is_uppercase(name: &str) -> bool {
    name.bytes().all(|byte| !byte.is_ascii_lowercase())
}

fn is_any(keyword: &str, words: &[&str]) -> bool {
    words.iter().any(|word| keyword.eq_ignore_ascii_case(word))
}

/// `sk-Kompost-Igel-3030`: words after the prefix of a key.
fn is_worded_key(value: &str) -> bool {
    value.strip_prefix("sk-").is_some_and(is_worded)
}

/// Whether a value has a capital and a digit, or letters of another alphabet.
fn is_varied_literal(value: &str) -> bool {
    let has = |test: fn(u8) -> bool| value.bytes().any(test);
    (has(|b| b.is_ascii_digit()) || !value.is_ascii()) && has(|b| b.is_ascii_uppercase())
}

/// The start of the value of the name that contains the keyword.
pub(crate) fn find_value(text: &str, keyword: Range<usize>) -> Option<usize> {
    delimit(text, keyword).map(|assignment| assignment.value.start)
}
