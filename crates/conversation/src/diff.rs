//! What an edit changed, as a unified diff.
//!
//! The app notes patches (`structuredPatch`) beside most edits; where it does
//! not, the two texts of the call are compared line by line.

use std::fmt::Write as _;
use transcript::json;

/// A unified diff.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// Headers, hunks, lines.
    pub text: String,
    /// Lines that came.
    pub added: u64,
    /// Lines that went.
    pub removed: u64,
}

/// Texts whose comparison would cost more than this many steps are shown as
/// replaced whole.
const MOST_STEPS: usize = 1_000_000;

/// Lines shown around a change.
const AROUND: usize = 3;

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

    /// Adds the hunks the app noted: a list of objects with `lines`.
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

    /// Adds what turns one text into another.
    pub fn add_texts(&mut self, old: &str, new: &str) {
        let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
        let head = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
        let rest = old.len().min(new.len()) - head;
        let tail = (0..rest)
            .take_while(|back| old[old.len() - 1 - back] == new[new.len() - 1 - back])
            .count();
        let from = head.saturating_sub(AROUND);
        let until = tail.saturating_sub(AROUND);
        let (old_end, new_end) = (old.len() - until, new.len() - until);
        let _ = writeln!(
            self.text,
            "@@ -{},{} +{},{} @@",
            from + 1,
            old_end - from,
            from + 1,
            new_end - from
        );
        for line in &old[from..head] {
            self.add_line(&format!(" {line}"));
        }
        self.compare(&old[head..old.len() - tail], &new[head..new.len() - tail]);
        for line in &old[old.len() - tail..old_end] {
            self.add_line(&format!(" {line}"));
        }
    }

    /// Lines that went and came, those in common kept: the longest common
    /// subsequence.
    fn compare(&mut self, old: &[&str], new: &[&str]) {
        let width = new.len() + 1;
        if old.len().saturating_mul(width) > MOST_STEPS {
            for line in old {
                self.add_line(&format!("-{line}"));
            }
            for line in new {
                self.add_line(&format!("+{line}"));
            }
            return;
        }
        // common[i * width + j]: how much old[i..] and new[j..] have in common.
        let mut common = vec![0_u32; (old.len() + 1) * width];
        for i in (0..old.len()).rev() {
            for j in (0..new.len()).rev() {
                common[i * width + j] = if old[i] == new[j] {
                    common[(i + 1) * width + j + 1] + 1
                } else {
                    common[(i + 1) * width + j].max(common[i * width + j + 1])
                };
            }
        }
        let (mut i, mut j) = (0, 0);
        while i < old.len() || j < new.len() {
            if i < old.len() && j < new.len() && old[i] == new[j] {
                self.add_line(&format!(" {}", old[i]));
                i += 1;
                j += 1;
            } else if i < old.len()
                && (j == new.len() || common[(i + 1) * width + j] >= common[i * width + j + 1])
            {
                self.add_line(&format!("-{}", old[i]));
                i += 1;
            } else {
                self.add_line(&format!("+{}", new[j]));
                j += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn large_texts_are_replaced_whole() {
        let old = (0..2_000).map(|n| n.to_string()).collect::<Vec<_>>().join("\n");
        let new = (0..2_000).map(|n| format!("x{n}")).collect::<Vec<_>>().join("\n");
        let mut diff = Diff::default();
        diff.add_texts(&old, &new);
        assert_eq!((diff.added, diff.removed), (2_000, 2_000));
    }

    #[test]
    fn the_apps_patches_are_taken_as_they_stand() {
        let mut diff = Diff::of_file("f", false);
        diff.add_patch(
            r#"[{"oldStart":3,"oldLines":2,"newStart":3,"newLines":2,"lines":[" a","-b\t","+c"]}]"#,
        );
        assert_eq!(diff.text, "--- f\n+++ f\n@@ -3,2 +3,2 @@\n a\n-b\t\n+c\n");
        assert_eq!((diff.added, diff.removed), (1, 1));
    }
}
