//! Made-up secrets in forms of other programs, formats and languages, written down before they
//! were measured; SECURITY.md has the first figure of each set. Secrets are put together at
//! run time, so that no scanner takes this file for a leak. Deliberately not here: the values
//! that each rule brings itself (`rules/`), and `more_forms.rs`, which is older.

use redact::{Level, Redactor};

/// A family of forms: its name, and texts with a kind of secret between `⟦` and `⟧`.
type Family = (&'static str, &'static [&'static str]);

mod fifth;
mod first;
mod fourth;
mod neighbours;
mod second;
mod sixth;
mod third;

/// Pseudo-random numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        usize::try_from(self.0 >> 33).unwrap_or(0) % limit
    }

    fn text(&mut self, set: &str, length: usize) -> String {
        let set: Vec<char> = set.chars().collect();
        (0..length).map(|_| set[self.below(set.len())]).collect()
    }
}

const LOWER: &str = "abcdefghijkmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHJKLMNPQRSTUVWXYZ";
const DIGITS: &str = "23456789";
const WORDS: &[&str] = &[
    "harbor", "kelp", "granite", "otter", "lantern", "walnut", "comet", "saddle", "pepper",
    "glacier",
];

/// A secret of a kind: `pw` is a password of one of four styles, `hex32`, `b64:44`, `an40`,
/// `up20` and `lo24` are random characters of a set.
fn secret(kind: &str, numbers: &mut Numbers) -> String {
    let alnum = format!("{LOWER}{UPPER}{DIGITS}");
    let number = |prefix: &str| kind.strip_prefix(prefix).and_then(|rest| rest.parse().ok());
    if kind == "pw" {
        return password(numbers);
    }
    if let Some(length) = number("hex") {
        return numbers.text("0123456789abcdef", length);
    }
    if let Some(length) = number("b64:") {
        let body: usize = length - 1;
        return numbers.text(&format!("{alnum}+/"), body) + "=";
    }
    if let Some(length) = number("an") {
        return numbers.text(&alnum, length);
    }
    if let Some(length) = number("url") {
        return numbers.text(&format!("{alnum}-_"), length);
    }
    if let Some(length) = number("up") {
        return numbers.text(&format!("{UPPER}{DIGITS}"), length);
    }
    if let Some(length) = number("lo") {
        return numbers.text(&format!("{LOWER}{DIGITS}"), length);
    }
    if let Some(length) = number("dig") {
        return numbers.text(DIGITS, length);
    }
    if kind == "uuid" {
        let part = |numbers: &mut Numbers, length| numbers.text("0123456789abcdef", length);
        return [8, 4, 4, 4, 12].map(|length| part(numbers, length)).join("-");
    }
    panic!("no kind of secret: {kind}")
}

/// Passwords as people and programs choose them, in turn.
fn password(numbers: &mut Numbers) -> String {
    let word = WORDS[numbers.below(WORDS.len())];
    let capital = word[..1].to_uppercase() + &word[1..];
    match numbers.below(4) {
        0 => numbers.text(&format!("{LOWER}{UPPER}{DIGITS}!#*^&%"), 13) + "7!q",
        1 => format!(
            "{capital}{}{}",
            ["!", "#", "*", "&"][numbers.below(4)],
            numbers.text(DIGITS, 4)
        ),
        2 => format!("{}{}", leet(&capital), leet(WORDS[numbers.below(WORDS.len())])),
        _ => numbers.text(&format!("{LOWER}{UPPER}"), 7) + "4" + &numbers.text(LOWER, 4) + "9X",
    }
}

fn leet(word: &str) -> String {
    word.replace('a', "4").replace('e', "3").replace('o', "0").replace('l', "1")
}

const ENCODINGS: &[&str] = &["base64", "escaped", "percent"];

/// The text in an encoding; `escaped` and `percent` leave letters and digits as they are.
fn encode(encoding: &str, text: &str) -> String {
    let others = |escape: &dyn Fn(char) -> String| {
        let one = |letter: char| match letter {
            _ if letter.is_ascii_alphanumeric() => letter.to_string(),
            _ => escape(letter),
        };
        text.chars().map(one).collect()
    };
    match encoding {
        "base64" => base64(text.as_bytes()),
        "escaped" => others(&|letter| format!("\\u{:04x}", u32::from(letter))),
        "percent" => others(&|letter| format!("%{:02X}", u32::from(letter))),
        _ => text.to_owned(),
    }
}

fn base64(bytes: &[u8]) -> String {
    const SET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let one = |chunk: &[u8]| {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        let digit = |at: usize| char::from(SET[(bits >> (18 - 6 * at)) as usize & 63]);
        (0..4).map(|at| if at <= chunk.len() { digit(at) } else { '=' }).collect::<String>()
    };
    bytes.chunks(3).map(one).collect()
}

/// The text with secrets in place of their kinds, the secrets, and the rest of the text.
fn fill(form: &str, numbers: &mut Numbers) -> (String, Vec<String>, String) {
    let (mut text, mut secrets, mut open) = (String::new(), Vec::new(), String::new());
    let mut rest = form;
    while let Some((before, after)) = rest.split_once('⟦') {
        let (kind, after) = after.split_once('⟧').expect("a closing mark");
        // Fixed parts of a secret are in quotes: `⟦'abc_' an20⟧`; the first word may name an
        // encoding of the whole: `⟦base64 'user:' an20⟧`.
        let (encoding, kind) = match kind.split_once(' ') {
            Some((name, kind)) if ENCODINGS.contains(&name) => (name, kind),
            _ => ("", kind),
        };
        let made: String = kind
            .split(' ')
            .map(|part| match part.strip_prefix('\'') {
                Some(fixed) => fixed.trim_end_matches('\'').to_owned(),
                None => secret(part, numbers),
            })
            .collect();
        let made = encode(encoding, &made.replace('␣', " ").replace('␤', "\n"));
        text += before;
        open += before;
        text += &made;
        secrets.push(made);
        rest = after;
    }
    ((text + rest).replace('␣', " "), secrets, (open + rest).replace('␣', " "))
}

/// Whether five characters of a secret in a row are still there that are not in the rest of
/// the text.
fn is_shown(secret: &str, output: &str, open: &str) -> bool {
    let mut rest = output.to_owned();
    while let Some(start) = rest.find("[redacted:") {
        let end = rest[start..].find(']').map_or(rest.len(), |end| start + end + 1);
        rest.replace_range(start..end, " ");
    }
    let letters: Vec<char> = secret.chars().collect();
    letters.windows(5).any(|piece| {
        let piece: String = piece.iter().collect();
        rest.contains(&piece) && !open.contains(&piece)
    })
}

/// How many secrets are masked, how many there are, and the texts that show one.
fn measure(name: &str, families: &[Family], values: usize) -> (usize, usize, Vec<String>) {
    let redactor = Redactor::new(Level::Standard, [7; 32]);
    let mut numbers = Numbers(name.len() as u64);
    let (mut all, mut shown) = (0, Vec::new());
    for (family, forms) in families {
        let (mut number, before) = (0, shown.len());
        for form in forms.iter().flat_map(|form| std::iter::repeat_n(form, values)) {
            let (text, secrets, open) = fill(form, &mut numbers);
            let json = serde_json::json!({ "message": { "content": [{ "text": text }] } });
            let masked = redactor.mask_json(&json.to_string()).into_owned();
            let masked: serde_json::Value = serde_json::from_str(&masked).expect("JSON");
            let in_json = masked["message"]["content"][0]["text"].as_str().unwrap_or_default();
            let as_text = redactor.mask(&text);
            number += 1;
            let is_bad = |output: &str| secrets.iter().any(|one| is_shown(one, output, &open));
            if is_bad(in_json) || is_bad(&as_text) {
                shown.push(format!("{family}: {as_text}"));
            }
        }
        all += number;
        println!("{name}, {family}: {} of {number}", number + before - shown.len());
    }
    println!("{name}: {} of {all} masked", all - shown.len());
    (all - shown.len(), all, shown)
}

#[test]
fn secrets_of_the_first_unseen_set_are_masked() {
    let (masked, all, shown) = measure("first set", first::FAMILIES, 2);
    assert!(all >= 300, "{all}");
    assert!(masked * 100 >= all * 95, "{masked} of {all}:\n{}", shown.join("\n"));
}

#[test]
fn secrets_of_the_second_unseen_set_are_masked() {
    let (masked, all, shown) = measure("second set", second::FAMILIES, 2);
    assert!(all >= 300, "{all}");
    assert!(masked * 100 >= all * 96, "{masked} of {all}:\n{}", shown.join("\n"));
}

#[test]
fn secrets_of_the_third_unseen_set_are_masked() {
    let (masked, all, shown) = measure("third set", third::FAMILIES, 1);
    assert!(all >= 320, "{all}");
    assert!(masked * 100 >= all * 97, "{masked} of {all}:\n{}", shown.join("\n"));
}

#[test]
fn secrets_of_the_fourth_unseen_set_are_masked() {
    let (masked, all, shown) = measure("fourth set", fourth::FAMILIES, 1);
    assert!(all >= 320, "{all}");
    assert!(masked * 100 >= all * 97, "{masked} of {all}:\n{}", shown.join("\n"));
}

#[test]
fn secrets_of_the_fifth_unseen_set_are_masked() {
    let (masked, all, shown) = measure("fifth set", fifth::FAMILIES, 1);
    assert!(all >= 320, "{all}");
    assert!(masked * 100 >= all * 97, "{masked} of {all}:\n{}", shown.join("\n"));
}

#[test]
fn secrets_of_the_sixth_unseen_set_are_masked() {
    let (masked, all, shown) = measure("sixth set", sixth::FAMILIES, 2);
    assert!(all >= 600, "{all}");
    assert!(masked * 100 >= all * 97, "{masked} of {all}:\n{}", shown.join("\n"));
}

#[test]
fn secrets_in_forms_beside_the_sixth_set_are_masked() {
    let (masked, all, shown) = measure("neighbours", neighbours::FAMILIES, 2);
    assert!(all >= 700, "{all}");
    assert!(masked * 100 >= all * 97, "{masked} of {all}:\n{}", shown.join("\n"));
}
