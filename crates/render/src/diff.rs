//! Unified diffs in colour.
//!
//! Each line is coloured as a whole. Deliberately not here: checking the diff, and
//! changes within a line.

use crate::style::{Paint, Style};
use crate::{counted, untrusted};

/// The beginnings of header lines.
const HEADERS: [&str; 17] = [
    "diff ",
    "index ",
    "--- ",
    "+++ ",
    "old mode ",
    "new mode ",
    "new file mode ",
    "deleted file mode ",
    "similarity index ",
    "dissimilarity index ",
    "rename from ",
    "rename to ",
    "copy from ",
    "copy to ",
    "Binary files ",
    "GIT binary patch",
    "Index: ",
];

/// A unified diff with coloured, harmless lines, at most `max_lines` of them; a last line
/// gives the number of further lines. Every line ends with a newline.
pub fn diff(unified: &str, paint: Paint, max_lines: usize) -> String {
    let mut shown = String::new();
    let mut rest = unified;
    let mut hunk = Hunk::default();
    for _ in 0..max_lines {
        if rest.is_empty() {
            return shown;
        }
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        rest = after;
        let line = line.strip_suffix('\r').unwrap_or(line);
        shown += &paint.paint(hunk.style(line), &untrusted::text(line));
        shown.push('\n');
    }
    let more = rest.lines().count();
    if more > 0 {
        let note = format!("… {}", counted(more, "more line"));
        shown += &paint.paint(Style::Dim, &note);
        shown.push('\n');
    }
    shown
}

/// The lines that a hunk still expects. Without this count, a removed line that begins
/// with `-- ` would look like a header.
#[derive(Default)]
struct Hunk {
    removed: usize,
    added: usize,
}

impl Hunk {
    fn style(&mut self, line: &str) -> Style {
        if let Some(hunk) = Hunk::read(line) {
            *self = hunk;
            return Style::Id;
        }
        let within = self.removed > 0 || self.added > 0;
        if !within && HEADERS.iter().any(|header| line.starts_with(header)) {
            return Style::Heading;
        }
        let (removed, added, style) = match line.as_bytes().first() {
            Some(b'+') => (0, 1, Style::Good),
            Some(b'-') => (1, 0, Style::Bad),
            Some(b'\\') => (0, 0, Style::Dim),
            Some(b' ') | None => (1, 1, Style::Plain),
            // Not part of a hunk, even if the hunk expects more lines.
            Some(_) => (usize::MAX, usize::MAX, Style::Plain),
        };
        self.removed = self.removed.saturating_sub(removed);
        self.added = self.added.saturating_sub(added);
        style
    }

    /// The line counts in `@@ -1,2 +3,4 @@`.
    fn read(line: &str) -> Option<Hunk> {
        let ranges = line.strip_prefix("@@ -")?;
        let (removed, rest) = ranges.split_once(" +")?;
        let (added, _) = rest.split_once(" @@")?;
        let count = |range: &str| match range.split_once(',') {
            None => Some(1),
            Some((_, count)) => count.parse().ok(),
        };
        Some(Hunk { removed: count(removed)?, added: count(added)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PLAIN: Paint = Paint { enabled: false };
    const PAINTED: Paint = Paint { enabled: true };

    #[test]
    fn lines_are_coloured_by_kind() {
        let diff_of_sql = "diff --git a/q.sql b/q.sql\n--- a/q.sql\n+++ b/q.sql\n@@ -1,3 +1,2 @@\n \
                           select\n--- old comment\n-a\n+b\n\\ No newline at end of file\n--- next\n";
        let styles = [
            Style::Heading,
            Style::Heading,
            Style::Heading,
            Style::Id,
            Style::Plain,
            Style::Bad,
            Style::Bad,
            Style::Good,
            Style::Dim,
            Style::Heading,
        ];
        let mut hunk = Hunk::default();
        for (line, expected) in diff_of_sql.lines().zip(styles) {
            assert_eq!(hunk.style(line), expected, "{line}");
        }
        assert_eq!(diff("+a\r\n", PAINTED, 9), "\u{1b}[32m+a\u{1b}[0m\n");
        assert_eq!(diff(diff_of_sql, PLAIN, 99), diff_of_sql);
    }

    #[test]
    fn lines_over_the_limit_are_counted() {
        let table = [
            (3, "+a\n-b\n c\n"),
            (2, "+a\n-b\n… 1 more line\n"),
            (1, "+a\n… 2 more lines\n"),
            (0, "… 3 more lines\n"),
        ];
        for (max, expected) in table {
            assert_eq!(diff("+a\n-b\n c\n", PLAIN, max), expected);
        }
        assert_eq!(diff("", PLAIN, 0), "");
        assert_eq!(diff("+a", PAINTED, 0), "\u{1b}[2m… 1 more line\u{1b}[0m\n");
    }

    proptest! {
        #[test]
        fn nothing_harmful_is_shown(text in any::<String>(), lines in "[-+@ 1,\n\u{1b}]{0,40}") {
            for text in [text, lines] {
                let shown = diff(&text, PLAIN, 20);
                prop_assert!(!shown.contains(untrusted::is_harmful));
                let painted = diff(&text, PAINTED, 20);
                prop_assert_eq!(crate::style::unpainted(&painted), shown);
            }
        }
    }
}
