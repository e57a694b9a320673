//! Text nested so deeply that no person wrote it.
//!
//! The parser goes through all that is open for each line, so a line of a
//! thousand markers makes a thousand lines a million steps. Such text is shown as
//! it is.

use super::inline::Inline;
use super::page::Page;

/// Quotes and lists within each other; far more than are shown as such.
const MOST_LEVELS: usize = 100;

/// Whether some line may open more levels than anybody reads.
pub(crate) fn is_too_deep(text: &str) -> bool {
    // A level takes two bytes, but for quotes, which take one.
    text.split('\n').any(|line| line.len() > MOST_LEVELS && levels(line) > MOST_LEVELS)
}

/// The most levels that a line may be in: each has its marker, or was opened
/// further up and has at least two spaces here.
fn levels(line: &str) -> usize {
    let (mut markers, mut spaces) = (0, 0);
    let mut rest = line.as_bytes();
    loop {
        rest = match rest {
            [b' ', rest @ ..] => {
                spaces += 1;
                rest
            }
            [b'\t', rest @ ..] => {
                spaces += 4;
                rest
            }
            [b'>', rest @ ..] | [b'-' | b'+' | b'*', b' ' | b'\t', rest @ ..] => {
                markers += 1;
                rest
            }
            [b'0'..=b'9', ..] => {
                let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                match &rest[digits..] {
                    [b'.' | b')', b' ' | b'\t', rest @ ..] => {
                        markers += 1;
                        rest
                    }
                    _ => break,
                }
            }
            _ => break,
        };
    }
    // Without a marker nothing is opened, however deep a line of code stands.
    if markers == 0 { 0 } else { markers + spaces / 2 }
}

/// Writes text as it is, each line broken on its own.
pub(super) fn write(text: &str, page: &mut Page) {
    let mut lines = Inline::new(page.paint());
    for (at, line) in text.lines().enumerate() {
        lines.push_own(if at > 0 { "\n" } else { "" });
        lines.push(line);
    }
    page.prose(&mut lines);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_reads_is_too_deep() {
        let deep = MOST_LEVELS + 1;
        for marker in [">", "> ", "- ", "* ", "+\t", "1. ", "23) ", "> - "] {
            assert!(is_too_deep(&format!("a\n{}b", marker.repeat(deep))), "{marker}");
            assert!(!is_too_deep(&format!("a\n{}b", marker.repeat(10))), "{marker}");
        }
        assert!(is_too_deep(&format!("{}- a", " ".repeat(2 * deep))));
        let shallow = [format!("{}a", " ".repeat(1_000)), "-".repeat(1_000), "1".repeat(1_000)];
        for text in shallow {
            assert!(!is_too_deep(&text), "{text}");
        }
    }
}
