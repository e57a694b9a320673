//! Generated search queries.

use proptest::prelude::*;

/// Any query that people may type, valid or not.
pub(crate) fn typed_query() -> impl Strategy<Value = String> {
    let words = [
        "kelp",
        "KELP",
        "foo",
        "fooBar",
        "foo_bar",
        "fooB*",
        "ke*",
        "src/main.rs:42",
        "main.rs",
        "東京",
        "東",
        "東*",
        "🚀",
        "http",
        "HTTPServer",
        "\"or eelgrass\"",
        "\"much kel\"*",
        "\"foo bar\"",
        "OR",
        "AND",
        "NOT",
        "|",
        "-",
        "\"",
        "-kelp",
        "-\"of src\"",
        "-foo*",
        "(",
        ")",
        "*",
        "^kelp",
        "NEAR(a",
        "kelp:",
        "words:kelp",
        "--kelp",
        "'",
        ";",
        "\u{0}",
        "e0502\u{0}kelp",
        "[redacted:",
        "😀kelp",
        "a\u{301}",
    ];
    let word = prop::sample::select(words.to_vec()).prop_map(str::to_owned);
    let gap = prop::sample::select(vec![" ", " ", " ", "", "\t"]);
    let typed = prop_oneof![8 => word, 1 => any::<String>()];
    prop::collection::vec((typed, gap), 1..7)
        .prop_map(|pieces| pieces.into_iter().map(|(word, gap)| word + gap).collect())
}
