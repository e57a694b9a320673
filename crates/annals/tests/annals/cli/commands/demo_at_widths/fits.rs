//! What holds for every text at every width.

use super::at;
use std::collections::HashSet;

/// Calls whose text is laid out for the terminal.
const CALLS: &[&[&str]] = &[
    &[],
    &["ls"],
    &["ls", "--hidden"],
    &["ls", "--cost"],
    &["search", "tide"],
    &["grep", "tide"],
    &["prompts"],
    &["prompts", "@"],
    &["files"],
    &["projects"],
    &["show", "@"],
    &["tree", "@"],
    &["info", "@"],
    &["usage"],
    &["usage", "models"],
    &["usage", "blocks"],
    &["context", "@"],
    &["tools"],
    &["tools", "--stats"],
    &["agents", "@"],
    &["sql", "SELECT * FROM blocks LIMIT 2"],
    &["sql", "--schema"],
    &["archive", "sync"],
    &["archive", "verify"],
    &["mark", "@"],
    &["doctor"],
    &["--help"],
    &["search", "--help"],
    &["statusline", "--help"],
    &["archive"],
];

/// The columns of a text of the demo, which has no wide characters. The styles of help take
/// no columns.
fn columns(text: &str) -> usize {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().map_or(0, |part| part.chars().count());
    let rest = parts.map(|part| part.split_once('m').map_or(part, |(_, text)| text));
    first + rest.map(|part| part.chars().count()).sum::<usize>()
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for width in [60, 80] {
        for call in CALLS {
            let Some(text) = at(width, call) else { return };
            assert!(!text.is_empty(), "{call:?}");
            // A path that is longer than a line stays whole, so that it can be copied.
            let is_long = |word: &str| columns(word) > width / 2;
            let wide = text
                .lines()
                .find(|line| columns(line) > width && !line.split_whitespace().any(is_long));
            assert_eq!(wide, None, "{call:?} at {width} columns:\n{text}");
        }
    }
}

#[test]
fn rows_of_usage_by_model_differ() {
    for width in [60, 80, 120] {
        let Some(text) = at(width, &["usage", "models"]) else { return };
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("claude-")).collect();
        let names: HashSet<_> =
            rows.iter().filter_map(|row| row.split_whitespace().next()).collect();
        assert_eq!((names.len(), rows.len()), (6, 6), "{text}");
        assert!(!names.iter().any(|name| name.ends_with('…')), "{text}");
    }
}

#[test]
fn hidden_sessions_have_their_reason_at_80_columns() {
    let Some(text) = at(80, &["ls", "--hidden"]) else { return };
    assert!(text.lines().next().is_some_and(|titles| titles.contains("NOTE")), "{text}");
}
