//! Detection of text that is nested too deeply to be written by a person.
//!
//! For each line the parser visits all open blocks, so a line with a thousand markers
//! turns a thousand lines into a million steps. Such text is shown verbatim.

use super::inline::Inline;
use super::page::Page;

/// The deepest nesting of quotes and lists that is parsed; far more than is shown.
const MAX_LEVELS: usize = 100;

/// Whether some line may open too many levels.
pub(crate) fn is_too_deep(text: &str) -> bool {
    // A level takes two bytes, a quote one.
    text.split('\n').any(|line| line.len() > MAX_LEVELS && levels(line) > MAX_LEVELS)
}

/// The maximum nesting of a line: each level has a marker, or was opened on an earlier
/// line and has at least two spaces here.
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
    // A line without a marker opens no level, however deep its indent is.
    if markers == 0 { 0 } else { markers + spaces / 2 }
}

/// Writes text verbatim, with each line wrapped separately.
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
    fn only_unreadable_nesting_is_too_deep() {
        let deep = MAX_LEVELS + 1;
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
