//! Values that are masked once are masked wherever they stand, and nothing else is.

use super::*;
use crate::Level;
use proptest::prelude::*;
use std::sync::LazyLock;

static REDACTOR: LazyLock<Redactor> = LazyLock::new(|| Redactor::new(Level::Standard, [7; 32]));
const KEY: ValueKey = ValueKey([3; 32]);
const PASSWORD: &str = "vK7#mQ2z!Lw9";

fn values_of(texts: &[&str]) -> SessionValues {
    let mut values = SessionValues::new(KEY);
    for text in texts {
        REDACTOR.note_values(text, &mut values);
    }
    values
}

#[test]
fn value_masked_once_is_masked_wherever_it_stands() {
    let values = values_of(&[&format!("DB_PASSWORD={PASSWORD}\n")]);
    assert!(!values.is_empty());
    let redactor = REDACTOR.for_session(&values);
    for text in [
        PASSWORD.to_owned(),
        format!("try {PASSWORD} again"),
        format!("x{PASSWORD}x"),
        format!("({PASSWORD})"),
        format!("psql -h db -c '{PASSWORD}'"),
        format!("{PASSWORD}{PASSWORD}"),
        "try vK7%23mQ2z!Lw9 again, or vK7\\u0023mQ2z!Lw9".to_owned(),
        format!("{}\u{200b}{}", &PASSWORD[..4], &PASSWORD[4..]),
    ] {
        let masked = redactor.mask(&text);
        assert!(!masked.contains(&PASSWORD[4..]), "{masked}");
        assert!(masked.contains("[redacted:"), "{masked}");
        assert_eq!(redactor.mask(&masked), masked);
    }
    let json = serde_json::json!({ "a": [PASSWORD], "b c 9": { "x": format!("-{PASSWORD}\n") } });
    let masked = redactor.mask_json(&json.to_string()).into_owned();
    assert_eq!(masked.matches("[redacted:repeated-secret:").count(), 2, "{masked}");
    assert!(!masked.contains(PASSWORD));
}

#[test]
fn same_value_has_the_same_hash_wherever_it_is_masked() {
    let text = format!("DB_PASSWORD={PASSWORD}\n");
    let redactor = REDACTOR.for_session(&values_of(&[&text]));
    let hash = |masked: &str| {
        masked
            .split("[redacted:")
            .nth(1)
            .and_then(|rest| rest.split([':', ']']).nth(1))
            .map(str::to_owned)
    };
    assert_eq!(hash(&redactor.mask(&text)), hash(&redactor.mask(PASSWORD)));
}

#[test]
fn word_that_a_rule_finds_stays_elsewhere() {
    let redactor = REDACTOR.for_session(&values_of(&["password: error\nPASSWORD='error'\n"]));
    assert_eq!(redactor.mask("an error: error"), "an error: error");
}

#[test]
fn value_with_markup_or_escapes_is_masked_in_every_form() {
    // Noted in one form, masked in each.
    for value in
        ["vK7<a>mQ2z!Lw9x", "vK7\"mQ2z!Lw9xT", r"vK7\mQ2z!Lw9xT", "vK7(mQ)2z!{Lw9}", "aB3xY9#kQ7wé"]
    {
        let json = serde_json::json!({ "password": value }).to_string();
        let twice = serde_json::json!({ "body": json }).to_string();
        let ascii = escape_letters(&json);
        let entities = [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('"', "&quot;")];
        let html =
            entities.iter().fold(value.to_owned(), |html, (c, entity)| html.replace(*c, entity));
        let shell: String = value
            .chars()
            .map(|c| if c.is_ascii_punctuation() { format!("\\{c}") } else { c.into() })
            .collect();
        let encode = |escape: fn(u8) -> String| -> String {
            let is_plain = |byte: &u8| byte.is_ascii_alphanumeric();
            let plain = |byte: u8| char::from(byte).to_string();
            value.bytes().map(|b| if is_plain(&b) { plain(b) } else { escape(b) }).collect()
        };
        let percent = encode(|byte| format!("%{byte:02X}"));
        let small = encode(|byte| format!("%{byte:02x}"));
        let folder: String =
            value.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let redactor = REDACTOR.for_session(&values_of(&[&json]));
        let quoted = |json: &str, name: &str| json.replace(name, "note");
        let texts = [
            format!("try {value} now"),
            format!("\u{2502} {value} \u{2502}"),
            quoted(&json, "password"),
            quoted(&ascii, "password"),
            quoted(&twice, "password"),
            format!("<b>{html}</b>"),
            format!("printf {shell}"),
            format!("https://host.example/?q={percent}"),
            format!("https://host.example/?q={small}"),
            format!("/root/-home-ada-{folder}-x/1.jsonl"),
        ];
        for text in texts {
            let masked = redactor.mask(&text);
            assert!(masked.contains("[redacted:"), "{value}: {masked}");
            assert!(
                !["mQ2z", "2z!", "2z-", "kQ7w", "Lw9"].iter().any(|part| masked.contains(part)),
                "{value}: {masked}"
            );
        }
    }
}

#[test]
fn value_is_noted_without_the_punctuation_of_markup_sentences_and_addresses() {
    const KEY: &str = "Rt9vXq2LmK8wPz4";
    const SIGNED: &str = "Zq7#kT4v!mB9xW2";
    for (text, value) in [
        (format!("**Password**: **{KEY}**"), KEY),
        (format!("password: _{SIGNED}_"), SIGNED),
        (format!("Das Passwort lautet {SIGNED}."), SIGNED),
        (format!("Password: {KEY}!"), KEY),
        (format!("DB_PASSWORD={KEY}?"), KEY),
        (format!("DB_PASSWORD={KEY}$"), KEY),
        (format!("password={SIGNED}&x"), SIGNED),
        ("password=Zq7%23kT4v%21mB9xW2&x".to_owned(), SIGNED),
        (format!("password=„{SIGNED}“"), SIGNED),
    ] {
        let redactor = REDACTOR.for_session(&values_of(&[&text]));
        for place in [value.to_owned(), format!("try {value} again")] {
            let masked = redactor.mask(&place);
            assert!(!masked.contains(&value[4..]), "{text}: {masked}");
        }
    }
}

#[test]
fn key_with_slashes_is_masked_wherever_it_stands() {
    for key in [
        "/ekW9LctXb03Hq7vRm2NzKp8sDy4Tj6uGf1AoVwx",
        "ekW9/LctXb03/Hq7vRm2N/zKp8sDy4Tj/6uGf1Ao",
        ".kelp99Harbour!x",
        "~Otter29!reef",
    ] {
        let text = format!("AWS_SECRET_ACCESS_KEY={key}\nDB_PASSWORD='{key}'\n");
        let redactor = REDACTOR.for_session(&values_of(&[&text]));
        let masked = redactor.mask(key);
        assert!(masked.starts_with("[redacted:"), "{key}: {masked}");
    }
}

#[test]
fn value_of_an_element_or_of_escaped_json_is_noted_without_them() {
    for text in [
        format!("<password>{PASSWORD}</password>"),
        format!(r#"log: {{\"password\": \"{PASSWORD}\n\"}}"#),
        format!(r#"{{"DB_PASSWORD": "{PASSWORD}\n"}}"#),
    ] {
        let redactor = REDACTOR.for_session(&values_of(&[&text]));
        let masked = redactor.mask(PASSWORD);
        assert!(masked.starts_with("[redacted:repeated-secret:"), "{text}: {masked}");
    }
}

/// Letters that are not ASCII as Python writes them in JSON.
fn escape_letters(json: &str) -> String {
    let mut escaped = String::new();
    for character in json.chars() {
        if character.is_ascii() {
            escaped.push(character);
        } else {
            escaped += &format!("\\u{:04x}", u32::from(character));
        }
    }
    escaped
}

#[test]
fn values_are_packed_without_their_text_and_read_with_their_key_only() {
    let values = values_of(&[
        &format!("DB_PASSWORD={PASSWORD}\n"),
        "token ghp_0123456789abcdefghijABCDEFGHIJ456789",
    ]);
    assert_eq!(values.len(), 4);
    let packed = values.pack();
    assert!(memchr::memmem::find(&packed, PASSWORD.as_bytes()).is_none());
    let again = SessionValues::unpack(KEY, &packed);
    assert_eq!(again.as_ref(), Some(&values));
    let masked = REDACTOR.for_session(&again.expect("values")).mask(PASSWORD).into_owned();
    assert!(masked.starts_with("[redacted:repeated-secret:"));
    assert_eq!(SessionValues::unpack(ValueKey([4; 32]), &packed), None);
    assert_eq!(SessionValues::unpack(KEY, &packed[..packed.len() - 1]), None);
}

#[test]
fn values_of_a_json_line_are_noted_decoded() {
    let mut values = SessionValues::new(KEY);
    let line = r#"{"env":"DB_PASSWORD=vK7\u0023mQ2z!Lw9\n"}"#;
    REDACTOR.note_json_values(line, &mut values);
    let redactor = REDACTOR.for_session(&values);
    assert!(redactor.mask(&format!("say {PASSWORD}")).starts_with("say [redacted:"));
}

proptest! {
    #[test]
    fn any_random_value_is_found_in_any_surroundings(
        value in "[a-zA-Z0-9!#%+_-]{10,40}", before in "\\PC{0,30}", after in "\\PC{0,30}",
    ) {
        let mut values = SessionValues::new(KEY);
        values.add(&value);
        let redactor = REDACTOR.for_session(&values);
        let found = redactor.values.as_ref().map(|values| values.find(&format!("{before}{value}{after}")));
        prop_assert!(found.unwrap_or_default().iter().any(|at| at.len() == value.len()));
    }
}
