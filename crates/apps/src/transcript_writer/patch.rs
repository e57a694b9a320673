//! Unified diffs as structured patches.

use crate::transcript_writer::json_text::{push_number, push_string};

/// Writes the hunks of a diff as a list. `false` if it has none; then nothing is written.
///
/// Hunks of Codex's patches have no line numbers, so they begin at line 0.
pub(crate) fn push_patch(bytes: &mut Vec<u8>, diff: &str) -> bool {
    let start = bytes.len();
    let mut hunk: Option<Hunk> = None;
    for line in diff.strip_suffix('\n').unwrap_or(diff).split('\n') {
        if let Some(heading) = line.strip_prefix("@@") {
            let separator = if bytes.len() == start { b'[' } else { b',' };
            Hunk::end(hunk.take(), bytes);
            bytes.push(separator);
            hunk = Some(Hunk::begin(bytes, heading));
        } else if let Some(hunk) = &mut hunk {
            hunk.add(bytes, line);
        }
    }
    if bytes.len() == start {
        return false;
    }
    Hunk::end(hunk, bytes);
    bytes.push(b']');
    true
}

struct Hunk {
    old: u64,
    new: u64,
    /// How many lines the heading announces: of the old file, and of the new one.
    announced: Option<(u64, u64)>,
    lines: u64,
}

impl Hunk {
    fn begin(bytes: &mut Vec<u8>, heading: &str) -> Hunk {
        let ranges = parse_heading(heading);
        let (old_start, new_start) = ranges.map_or((0, 0), |(old, new)| (old.0, new.0));
        bytes.extend_from_slice(b"{\"oldStart\":");
        push_number(bytes, old_start);
        bytes.extend_from_slice(b",\"newStart\":");
        push_number(bytes, new_start);
        bytes.extend_from_slice(b",\"lines\":[");
        Hunk { old: 0, new: 0, announced: ranges.map(|(old, new)| (old.1, new.1)), lines: 0 }
    }

    fn add(&mut self, bytes: &mut Vec<u8>, line: &str) {
        let is_whole = self.announced.is_some_and(|(old, new)| self.old >= old && self.new >= new);
        let (old, new) = match line.as_bytes().first() {
            Some(b'\\') => (0, 0),
            // The headings of another file follow a whole hunk.
            _ if is_whole => return,
            Some(b'+') => (0, 1),
            Some(b'-') => (1, 0),
            _ => (1, 1),
        };
        self.old += old;
        self.new += new;
        if self.lines > 0 {
            bytes.push(b',');
        }
        self.lines += 1;
        // Some programs write an empty line for one that is empty in both files.
        push_string(bytes, if line.is_empty() { " " } else { line });
    }

    fn end(hunk: Option<Hunk>, bytes: &mut Vec<u8>) {
        let Some(hunk) = hunk else { return };
        bytes.extend_from_slice(b"],\"oldLines\":");
        push_number(bytes, hunk.old);
        bytes.extend_from_slice(b",\"newLines\":");
        push_number(bytes, hunk.new);
        bytes.push(b'}');
    }
}

/// A first line and a number of lines.
type LineRange = (u64, u64);

/// The ranges of ` -1,2 +3,4 @@`.
fn parse_heading(heading: &str) -> Option<(LineRange, LineRange)> {
    let mut words = heading.split_ascii_whitespace();
    let mut range = |sign| {
        let word = words.next()?.strip_prefix(sign)?;
        let (start, lines) = word.split_once(',').unwrap_or((word, "1"));
        Some((start.parse().ok()?, lines.parse().ok()?))
    };
    Some((range('-')?, range('+')?))
}

/// Whether a diff creates a file.
pub(crate) fn creates_file(diff: &str) -> bool {
    let heading = diff.lines().find_map(|line| line.strip_prefix("@@"));
    heading.and_then(parse_heading).is_some_and(|(old, _)| old == (0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch(diff: &str) -> Option<String> {
        let mut bytes = Vec::new();
        push_patch(&mut bytes, diff).then(|| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn hunks_are_separate_and_headings_of_files_are_left_out() {
        let diff = "Index: f\n--- f\n+++ f\n@@ -1,2 +1,2 @@ fn\n a\n--- b\n+c\n--- g\n+++ g\n\
                    @@ -7 +7,0 @@\n-x\n\\ No newline at end of file\n";
        assert_eq!(
            patch(diff).as_deref(),
            Some(concat!(
                r#"[{"oldStart":1,"newStart":1,"lines":[" a","--- b","+c"],"oldLines":2,"newLines":2},"#,
                r#"{"oldStart":7,"newStart":7,"lines":["-x","\\ No newline at end of file"],"oldLines":1,"newLines":0}]"#,
            ))
        );
    }

    #[test]
    fn hunks_without_numbers_are_read_to_their_end() {
        assert_eq!(
            patch("@@\n-a\n+b\n\n@@ fn x\n+c\n").as_deref(),
            Some(concat!(
                r#"[{"oldStart":0,"newStart":0,"lines":["-a","+b"," "],"oldLines":2,"newLines":2},"#,
                r#"{"oldStart":0,"newStart":0,"lines":["+c"],"oldLines":0,"newLines":1}]"#,
            ))
        );
    }

    #[test]
    fn text_without_hunks_is_not_a_patch() {
        for text in ["", "\n", "--- a\n+++ b\n", "-a\n+b"] {
            assert_eq!(patch(text), None);
        }
    }

    #[test]
    fn a_diff_from_nothing_creates_a_file() {
        assert!(creates_file("--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+a"));
        assert!(!creates_file("@@ -1 +1 @@\n-a\n+b"));
        assert!(!creates_file("@@\n+a"));
    }
}
