//! Properties that hold for any text and any JSON.

use proptest::prelude::*;
use proptest::test_runner::Config;
use redact::{Level, Redactor, rules};
use serde_json::Value;
use std::sync::LazyLock;

fn redactor() -> &'static Redactor {
    static REDACTOR: LazyLock<Redactor> = LazyLock::new(|| Redactor::new(Level::Strict, [7; 32]));
    &REDACTOR
}

/// Pieces that rules search for, and others that confuse them.
fn pieces() -> impl Strategy<Value = String> {
    let mut known: Vec<String> =
        rules().flat_map(|rule| rule.hits().map(|(text, _)| text)).collect();
    known.extend(rules().flat_map(|rule| rule.misses().collect::<Vec<_>>()));
    let marks = [
        "\"",
        "'",
        "\\",
        "\\n",
        "\\u0041",
        "=",
        ": ",
        "@",
        "://",
        "-----BEGIN ",
        "-----END ",
        "PRIVATE KEY-----",
        "[redacted:jwt:0a1b]",
        "[redacted:",
        "password",
        "token=",
        "\u{1}",
        "é",
        "😀",
        "/home/",
        "-home-",
        "C:\\Users\\",
        "curl -u ",
        "a:b",
        " ",
        "\n",
        "eyJ",
        ".",
        "%3D",
        "\u{1b}[0m",
        "\u{1b}]8;;",
        "\u{7}",
        "\u{200b}",
        "…",
        "SECRET",
        "<",
        ">",
        "bearer ",
        "basic ",
    ];
    let piece = prop_oneof![
        2 => proptest::sample::select(known),
        3 => proptest::sample::select(marks.map(str::to_owned).to_vec()),
        1 => "[a-zA-Z0-9]{1,12}",
        1 => any::<String>(),
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        pieces().prop_map(Value::String),
        any::<i64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::Bool),
        Just(Value::Null),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let name = prop_oneof![Just("password".to_owned()), Just("data".to_owned()), pieces()];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            proptest::collection::vec((name, inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Equal except for the text of strings. Member names that are masked alike
/// become one when parsed, so there may be fewer members.
fn same_shape(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::String(_), Value::String(_)) => true,
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| same_shape(a, b))
        }
        (Value::Object(one), Value::Object(other)) => {
            let masked = |name: &&String| name.contains("[redacted:");
            let unmasked = one.iter().filter(|(name, _)| other.contains_key(*name));
            let others = other.keys().filter(|name| !one.contains_key(*name));
            other.len() <= one.len()
                && one.is_empty() == other.is_empty()
                && others.clone().count() == others.filter(masked).count()
                && unmasked.into_iter().all(|(name, value)| same_shape(value, &other[name]))
        }
        (one, other) => one == other,
    }
}

/// Write nothing beside the tests.
fn config() -> Config {
    Config { failure_persistence: None, ..Config::with_cases(512) }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn spans_are_in_order_and_on_characters(text in pieces()) {
        let mut end = 0;
        for span in redactor().find(&text) {
            prop_assert!(end <= span.start && span.start < span.end);
            prop_assert!(text.get(span.start..span.end).is_some());
            end = span.end;
        }
    }

    #[test]
    fn masking_masked_text_changes_nothing(text in pieces()) {
        let masked = redactor().mask(&text).into_owned();
        prop_assert_eq!(redactor().mask(&masked), masked.as_str());
    }

    #[test]
    fn json_keeps_its_shape_and_is_masked_once(value in json()) {
        let line = value.to_string();
        let masked = redactor().mask_json(&line).into_owned();
        let read: Value = serde_json::from_str(&masked).expect("still JSON");
        prop_assert!(same_shape(&value, &read), "{}\n{}", line, masked);
        prop_assert_eq!(redactor().mask_json(&masked), masked.as_str());
    }

    #[test]
    fn any_text_given_as_json_is_masked_without_harm(text in pieces()) {
        let masked = redactor().mask_json(&text).into_owned();
        prop_assert_eq!(redactor().mask_json(&masked), masked.as_str());
    }

    #[test]
    fn masking_before_truncating_shows_no_part_of_a_secret(
        before in "[a-z ]{0,40}", index in 0_usize..1000, after in "[a-z ]{0,40}", cut in 0_usize..400,
    ) {
        let hits: Vec<_> = rules().flat_map(redact::Rule::hits).collect();
        let (hit, secret) = &hits[index % hits.len()];
        let masked = redactor().mask(&format!("{before} {hit} {after}")).into_owned();
        let shown: String = masked.chars().take(cut).collect();
        let tail = &secret.as_bytes()[secret.len() / 2..];
        if tail.len() >= 8 {
            prop_assert!(!shown.as_bytes().windows(8).any(|part| part == &tail[..8]), "{}", shown);
        }
    }
}
