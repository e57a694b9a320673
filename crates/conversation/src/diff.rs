//! Edits as unified diffs.
//!
//! The app records a patch (`structuredPatch`) with most edits; without one, the two
//! texts of the call are compared line by line (see `align`).

use crate::align::shortest_edit;
use similar::{DiffOp, group_diff_ops};
use std::fmt::Write as _;
use transcript::json;

/// A unified diff.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// Headers, hunks, lines.
    pub text: String,
    /// Lines added.
    pub added: u64,
    /// Lines removed.
    pub removed: u64,
}

/// The lines of context around a change.
const CONTEXT_LINES: usize = 3;

impl Diff {
    /// An empty diff of a file.
    pub fn of_file(path: &str, is_new: bool) -> Self {
        let old = if is_new { "/dev/null" } else { path };
        Diff { text: format!("--- {old}\n+++ {path}\n"), added: 0, removed: 0 }
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.added == 0 && self.removed == 0
    }

    /// Adds another diff after this one.
    pub(crate) fn append(&mut self, other: &Diff) {
        self.text.push_str(&other.text);
        self.added += other.added;
        self.removed += other.removed;
    }

    /// Adds the hunks that the app recorded: a list of objects with `lines`.
    pub fn add_patch(&mut self, hunks: &str) {
        for hunk in json::elements(hunks) {
            let number =
                |key| json::member(hunk, key).and_then(|n| n.parse::<u64>().ok()).unwrap_or(0);
            let _ = writeln!(
                self.text,
                "@@ -{},{} +{},{} @@",
                number("oldStart"),
                number("oldLines"),
                number("newStart"),
                number("newLines")
            );
            let lines = json::elements(json::member(hunk, "lines").unwrap_or_default());
            for line in lines.filter_map(json::decode_string) {
                self.add_line(&line.text);
            }
        }
    }

    fn add_line(&mut self, line: &str) {
        match line.as_bytes().first() {
            Some(b'+') => self.added += 1,
            Some(b'-') => self.removed += 1,
            _ => {}
        }
        self.text.push_str(line.trim_end_matches('\n'));
        self.text.push('\n');
    }

    /// Adds the difference between two texts, in hunks: the lines between distant
    /// changes are left out. Equal texts add nothing.
    pub fn add_texts(&mut self, old: &str, new: &str) {
        let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
        for hunk in group_diff_ops(shortest_edit(&old, &new), CONTEXT_LINES) {
            self.add_hunk(&hunk, &old, &new);
        }
    }

    fn add_hunk(&mut self, hunk: &[DiffOp], old: &[&str], new: &[&str]) {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { return };
        let (old_start, new_start) = (first.old_range().start, first.new_range().start);
        let _ = writeln!(
            self.text,
            "@@ -{},{} +{},{} @@",
            old_start + 1,
            last.old_range().end - old_start,
            new_start + 1,
            last.new_range().end - new_start
        );
        for operation in hunk {
            if let DiffOp::Equal { .. } = operation {
                self.add_lines(' ', &old[operation.old_range()]);
            } else {
                self.add_lines('-', &old[operation.old_range()]);
                self.add_lines('+', &new[operation.new_range()]);
            }
        }
    }

    fn add_lines(&mut self, sign: char, lines: &[&str]) {
        for line in lines {
            self.add_line(&format!("{sign}{line}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(old: &str, new: &str) -> String {
        let mut diff = Diff::of_file("f", false);
        diff.add_texts(old, new);
        diff.text
    }

    #[test]
    fn lines_in_common_are_kept() {
        assert_eq!(
            texts("a\nb\nc\n", "a\nx\nc\n"),
            "--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"
        );
        assert_eq!(texts("", "new\n"), "--- f\n+++ f\n@@ -1,0 +1,1 @@\n+new\n");
        assert_eq!(texts("a\na", "a"), "--- f\n+++ f\n@@ -1,2 +1,1 @@\n a\n-a\n");
    }

    #[test]
    fn only_lines_around_a_change_are_shown() {
        let old: Vec<String> = (1..=20).map(|n| n.to_string()).collect();
        let mut new = old.clone();
        new[9] = "ten".into();
        let shown = texts(&old.join("\n"), &new.join("\n"));
        assert_eq!(shown, "--- f\n+++ f\n@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n");
    }

    #[test]
    fn distant_changes_are_separate_hunks() {
        let old: Vec<String> = (1..=30).map(|n| n.to_string()).collect();
        let mut new = old.clone();
        new[4] = "five".into();
        new.insert(20, "twenty and a half".into());
        let shown = texts(&old.join("\n"), &new.join("\n"));
        assert_eq!(
            shown,
            "--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n\
             @@ -18,6 +18,7 @@\n 18\n 19\n 20\n+twenty and a half\n 21\n 22\n 23\n"
        );
    }

    #[test]
    fn changes_that_share_their_context_are_one_hunk() {
        let old: Vec<String> = (1..=12).map(|n| n.to_string()).collect();
        for (distance, hunks) in [(1, 1), (6, 1), (7, 1), (8, 2)] {
            let mut new = old.clone();
            new[1] = "x".into();
            new[1 + distance] = "y".into();
            let shown = texts(&old.join("\n"), &new.join("\n"));
            assert_eq!(shown.matches("@@ -").count(), hunks, "{distance}: {shown}");
        }
    }

    #[test]
    fn equal_texts_have_no_hunk() {
        assert_eq!(texts("a\nb\n", "a\nb\n"), "--- f\n+++ f\n");
        assert_eq!(texts("", ""), "--- f\n+++ f\n");
    }

    #[test]
    fn large_texts_without_a_common_line_are_replaced_whole() {
        let old = (0..2_000).map(|n| n.to_string()).collect::<Vec<_>>().join("\n");
        let new = (0..2_000).map(|n| format!("x{n}")).collect::<Vec<_>>().join("\n");
        let mut diff = Diff::default();
        diff.add_texts(&old, &new);
        assert_eq!((diff.added, diff.removed), (2_000, 2_000));
    }

    #[test]
    fn recorded_patches_are_used_unchanged() {
        let mut diff = Diff::of_file("f", false);
        diff.add_patch(
            r#"[{"oldStart":3,"oldLines":2,"newStart":3,"newLines":2,"lines":[" a","-b\t","+c"]}]"#,
        );
        assert_eq!(diff.text, "--- f\n+++ f\n@@ -3,2 +3,2 @@\n a\n-b\t\n+c\n");
        assert_eq!((diff.added, diff.removed), (1, 1));
    }

    /// Applies a diff to a text, by its hunks alone.
    fn applied(diff: &str, old: &str) -> Vec<String> {
        let mut rest = old.lines();
        let mut made: Vec<String> = Vec::new();
        let mut read = 0;
        for line in diff.lines().skip(2) {
            let (sign, text) = line.split_at(1);
            match sign {
                "@" => {
                    let start = text.split([' ', ',']).nth(1).unwrap();
                    let start: usize = start.trim_start_matches('-').parse().unwrap();
                    while read + 1 < start {
                        made.push(rest.next().unwrap().to_owned());
                        read += 1;
                    }
                }
                "+" => made.push(text.to_owned()),
                sign => {
                    assert_eq!(rest.next(), Some(text));
                    read += 1;
                    if sign == " " {
                        made.push(text.to_owned());
                    }
                }
            }
        }
        made.extend(rest.map(str::to_owned));
        made
    }

    proptest! {
        #[test]
        fn hunks_turn_the_old_text_into_the_new_one(old in "([a-e]\n){0,60}", new in "([a-e]\n){0,60}") {
            let expected: Vec<&str> = new.lines().collect();
            prop_assert_eq!(applied(&texts(&old, &new), &old), expected);
        }
    }
}
