//! A narrow terminal: 60 columns.

use super::{at, at_size};

#[test]
fn home() {
    let Some(text) = at(60, &[]) else { return };
    insta::assert_snapshot!(text, @"");
}

#[test]
fn ls() {
    let Some(text) = at(60, &["ls"]) else { return };
    insta::assert_snapshot!(text, @"");
}

#[test]
fn prompts() {
    let Some(text) = at(60, &["prompts", "--limit", "8"]) else { return };
    insta::assert_snapshot!(text, @"");
}

#[test]
fn info() {
    let Some(text) = at(60, &["info", "flaky"]) else { return };
    insta::assert_snapshot!(text, @"");
}

#[test]
fn search() {
    let Some(text) = at(60, &["search", "flaky", "clock"]) else { return };
    insta::assert_snapshot!(text, @"");
}

#[test]
fn doctor() {
    let Some(text) = at(60, &["doctor"]) else { return };
    insta::assert_snapshot!(text, @"");
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let calls: [&[&str]; 16] = [
        &[],
        &["ls"],
        &["ls", "--hidden"],
        &["ls", "--deleted"],
        &["ls", "--live"],
        &["projects"],
        &["prompts"],
        &["files"],
        &["info", "flaky"],
        &["search", "the"],
        &["grep", "the"],
        &["grep", "-c", "the"],
        &["tools", "flaky"],
        &["agents", "flaky"],
        &["doctor", "--all"],
        &["archive", "ls"],
    ];
    for width in [60, 80, 120] {
        for call in calls {
            let Some(text) = at(width, call) else { return };
            for line in text.lines() {
                let columns = render_width(line);
                assert!(columns <= width, "{call:?}: {columns} columns in {width}: {line}");
            }
        }
    }
}

/// Characters are counted: the demo has few wide ones, which tables measure.
fn render_width(line: &str) -> usize {
    line.chars().filter(|character| !matches!(character, '\u{300}'..='\u{36f}')).count()
}

#[test]
fn rows_fit_the_height_of_the_terminal() {
    let calls: [&[&str]; 4] = [&["ls"], &["prompts"], &["files"], &["tools"]];
    for height in [10, 15, 40] {
        for call in calls {
            let Some(text) = at_size(80, Some(height), call) else { return };
            let lines = text.lines().count();
            assert!(lines < height, "{call:?}: {lines} lines in {height}:\n{text}");
            assert!(lines + 2 >= height.min(14), "{call:?}: {lines} lines in {height}:\n{text}");
        }
    }
    let Some(text) = at_size(80, Some(10), &["ls"]) else { return };
    assert!(text.ends_with("Showing 6 of 15 sessions (--limit 0 shows all)"), "{text}");
}
