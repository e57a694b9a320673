//! Coloured code for terminals.
//!
//! `code` splits the code into parts and chooses the style of each; the colours are the
//! sixteen that every terminal theme defines. The language is taken from the name on the
//! fence alone, never guessed.

use crate::code::{Class, Language, MAX_BYTES, find_language, for_each_part};
use crate::diff::diff;
use crate::style::Paint;
use crate::untrusted;

/// The lines of a code block in colour, harmless, without newlines. `None` without
/// colours, for an unknown language, or if the block is too long.
pub(crate) fn highlighted(code: &str, language: &str, paint: Paint) -> Option<Vec<String>> {
    if !paint.enabled {
        return None;
    }
    let lexicon = match find_language(language)? {
        Language::Diff => {
            return Some(diff(code, paint, usize::MAX).lines().map(str::to_owned).collect());
        }
        Language::Code(lexicon) if code.len() <= MAX_BYTES => lexicon,
        Language::Code(_) => return None,
    };
    let code = untrusted::text(code.strip_suffix('\r').unwrap_or(code));
    let mut lines = vec![String::new()];
    for_each_part(&code, lexicon, Class::style, |style, part| {
        for (number, piece) in part.split('\n').enumerate() {
            if number > 0 {
                lines.push(String::new());
            }
            if let Some(line) = lines.last_mut() {
                line.push_str(&paint.paint(style, piece));
            }
        }
    });
    // The last newline does not start another line.
    if code.is_empty() || code.ends_with('\n') {
        lines.pop();
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::style::unpainted;
    use proptest::prelude::*;

    const PAINTED: Paint = Paint { enabled: true };

    #[test]
    fn parts_of_code_have_their_styles() {
        let table = [
            (
                "rust",
                "let x = 1; // n",
                "\u{1b}[35mlet\u{1b}[0m x = \u{1b}[33m1\u{1b}[0m; \u{1b}[2m// n\u{1b}[0m",
            ),
            (
                "py",
                "def f(): 'a'",
                "\u{1b}[35mdef\u{1b}[0m \u{1b}[36mf\u{1b}[0m(): \u{1b}[32m'a'\u{1b}[0m",
            ),
            (
                "toml",
                "a = \"b\" # c",
                "\u{1b}[36ma\u{1b}[0m = \u{1b}[32m\"b\"\u{1b}[0m \u{1b}[2m# c\u{1b}[0m",
            ),
            ("diff", "+a", "\u{1b}[32m+a\u{1b}[0m"),
        ];
        for (language, code, expected) in table {
            assert_eq!(highlighted(code, language, PAINTED).unwrap(), [expected]);
        }
    }

    #[test]
    fn every_line_of_a_multiline_comment_is_coloured() {
        let lines = highlighted("/* a\n\nb */\n", "c", PAINTED).unwrap();
        assert_eq!(lines, ["\u{1b}[2m/* a\u{1b}[0m", "", "\u{1b}[2mb */\u{1b}[0m"]);
    }

    #[test]
    fn code_is_not_coloured_without_colours_or_a_known_language() {
        assert_eq!(highlighted("let x;", "rust", Paint { enabled: false }), None);
        assert_eq!(highlighted("let x;", "", PAINTED), None);
        assert_eq!(highlighted("let x;", "klingon", PAINTED), None);
    }

    #[test]
    fn long_code_stays_plain() {
        let line = "let x;\n";
        let max = MAX_BYTES / line.len();
        let painted = highlighted(&line.repeat(max), "rust", PAINTED).unwrap();
        assert_eq!(painted.len(), max);
        assert!(painted.iter().all(|line| line.contains('\u{1b}')));
        assert_eq!(highlighted(&line.repeat(max + 1), "rust", PAINTED), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn coloured_lines_are_complete_and_harmless(
            language in prop_oneof!["rust", "js", "bash", "py", "yaml", "toml", "html", "css"],
            code in prop_oneof![any::<String>(), "([a<${}()'\"`#/*;=\\\\ \n\r\u{1b}é→1]|<<E|EOF|def|fn|%q){0,40}"],
        ) {
            let lines = highlighted(&code, &language, PAINTED).unwrap();
            let shown = |line: &str| {
                let line = line.strip_suffix('\n').unwrap_or(line);
                untrusted::text(line.strip_suffix('\r').unwrap_or(line)).into_owned()
            };
            let expected: Vec<_> = code.split_inclusive('\n').map(shown).collect();
            prop_assert_eq!(unpainted(&lines.join("\n")), expected.join("\n"));
        }
    }
}
