//! Parsing queries and matching them against texts.

use super::*;

fn expression(text: &str) -> String {
    Query::parse(text).map_or_else(|error| error.to_string(), |query| query.expression())
}

#[test]
fn queries_become_fts5_expressions() {
    let table = [
        ("word", r#""word""#),
        ("Two words", r#""two" AND "words""#),
        ("\"a phrase\"", r#"words : "a phrase""#),
        ("\"never closed", r#"words : "never closed""#),
        ("this -that", r#""this" NOT "that""#),
        ("a b -c -\"d e\"", r#"("a" AND "b") NOT "c" NOT words : "d e""#),
        ("a OR b c", r#"("a" OR "b") AND "c""#),
        ("OR a", r#""a""#),
        ("NOT a b", r#""b" NOT "a""#),
        ("foo*", r#""foo" *"#),
        ("fooBa*", r#""fooba" *"#),
        ("fooBar foo_bar", r#""foobar" AND "foobar""#),
        ("src/main.rs:42", r#"words : "src main rs 42""#),
        ("src/ma*", r#"words : "src ma" *"#),
        ("\"src ma\"* x", r#"words : "src ma" * AND "x""#),
        ("\"src ma \"*", r#"words : "src ma""#),
        ("--no-index", r#"words : "no index""#),
        ("--flag", r#""flag""#),
        ("E0502", r#""e0502""#),
        ("東京", r#"words : "東 京""#),
        ("🚀", r#""🚀""#),
        ("x\u{0}y", r#""x" AND "y""#),
        ("word:thing", r#"words : "word thing""#),
        ("a) OR (b NEAR/2 {c} ^d", r#"("a" OR "b") AND words : "near 2" AND "c" AND "d""#),
        ("don't", r#"words : "don t""#),
    ];
    for (text, expected) in table {
        assert_eq!(expression(text), expected, "{text}");
    }
}

#[test]
fn invalid_queries_are_reported() {
    for text in ["", "   ", "…", "-", "\"\"", "\u{0}", "-word", "-is:error", "is:odd", "role:boss"]
    {
        assert!(Query::parse(text).is_err(), "{text:?}");
    }
    assert!(Query::parse(&"word ".repeat(2000)).is_err());
    assert!(Query::parse(&"x".repeat(10_000)).is_ok());
    assert!(Query::parse("is:error").is_ok());
}

#[test]
fn fields_are_distinguished_from_words() {
    let query =
        Query::parse("fix tool:Bash -role:thinking project:\"my app\" file:").expect("a query");
    let fields: Vec<_> =
        query.fields.iter().map(|field| (field.name, field.value.as_str(), field.is_not)).collect();
    assert_eq!(
        fields,
        [("tool", "Bash", false), ("role", "thinking", true), ("project", "my app", false)]
    );
    assert_eq!(query.expression(), r#""fix" AND "file""#);
}

#[test]
fn texts_match_by_words() {
    let text = "In src/main.rs:42 the fooBar of HashMap fails with E0502";
    let table = [
        ("foobar", true),
        ("foo_bar", true),
        ("foo", true),
        ("main.rs", true),
        ("\"of hash map\"", true),
        ("hashm*", true),
        ("e0502 fails", true),
        ("fails -e0502", false),
        ("nothing OR fails", true),
        ("rs:4", false),
        ("ooBar", false),
    ];
    for (query, expected) in table {
        assert_eq!(Query::parse(query).expect("a query").matches(text), expected, "{query}");
    }
    let ranges = Query::parse("foobar hash").expect("a query").match_ranges(text);
    let matched: Vec<&str> = ranges.iter().map(|(range, _)| &text[range.clone()]).collect();
    assert_eq!(matched, ["fooBar", "Hash"]);
}
