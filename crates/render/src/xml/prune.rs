//! Long texts made short: results to their ends and the lines that speak of
//! trouble, arguments to their ends, paths to their first and last name.

/// Results up to this long stay as they are.
const SHORT_RESULT: usize = 1_500;
/// Bytes kept of the beginning of a result.
const HEAD: usize = 800;
/// Bytes kept of its end.
const TAIL: usize = 200;
/// Bytes kept of the end of one that failed.
const FAILED_TAIL: usize = 600;
/// Lines of trouble that are kept of a result that did not fail: what merely
/// speaks of errors, like source code, has many.
const MOST_TROUBLES: usize = 20;
/// A line longer than this is cut, unless it is what failed.
const LONG_LINE: usize = 400;
/// Less than this is not left out: to say so would take as much.
const TOO_LITTLE: usize = 60;

/// Arguments up to this long stay as they are.
const SHORT_ARGUMENT: usize = 700;
/// Bytes kept of the beginning of an argument.
const ARGUMENT_HEAD: usize = 400;
/// Bytes kept of its end.
const ARGUMENT_TAIL: usize = 150;
/// Paths up to this long stay as they are.
const SHORT_PATH: usize = 60;

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// It is told.
    Told(&'t str),
    /// It is not: how many lines end in it, and its bytes.
    Left { lines: u64, bytes: u64 },
}

/// Words with which lines speak of trouble.
const TROUBLES: [&str; 13] = [
    "error",
    "warn",
    "fail",
    "fatal",
    "panic",
    "exception",
    "traceback",
    "denied",
    "not found",
    "no such",
    "cannot",
    "undefined",
    "unresolved",
];

/// Whether a line speaks of trouble: in any word, or only at the beginning of
/// one, so that `stderr` and `default` are none.
fn is_trouble(line: &str, in_any_word: bool) -> bool {
    let bytes = line.as_bytes();
    bytes.iter().enumerate().any(|(at, byte)| {
        if !byte.is_ascii_alphabetic() {
            return false;
        }
        let starts = byte.is_ascii_uppercase() || at == 0 || !bytes[at - 1].is_ascii_alphabetic();
        (in_any_word || starts)
            && TROUBLES.iter().any(|trouble| {
                trouble.as_bytes()[0] == byte.to_ascii_lowercase()
                    && bytes[at..]
                        .get(..trouble.len())
                        .is_some_and(|word| word.eq_ignore_ascii_case(trouble.as_bytes()))
            })
    })
}

/// A result as it is told. Of one that failed, every line that speaks of
/// trouble is.
pub(super) fn result(text: &str, failed: bool) -> Vec<Piece<'_>> {
    if text.len() <= SHORT_RESULT {
        return vec![Piece::Told(text)];
    }
    let tail = text.len() - if failed { FAILED_TAIL } else { TAIL };
    let mut pieces = Pieces { text, pieces: Vec::new(), left: (0, 0, 0) };
    let mut troubles = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        let is_short = line.len() <= LONG_LINE;
        let is_told = at < HEAD || is_short && end > tail || {
            let is_trouble = (failed || troubles < MOST_TROUBLES) && is_trouble(line, failed);
            troubles += usize::from(is_trouble);
            is_trouble
        };
        // How far it is told from its beginning, and from where to its end.
        let head = match is_told {
            false => at,
            true if is_short || failed && is_trouble(line, true) => end,
            true => text.floor_char_boundary((at + LONG_LINE).max(HEAD).min(end)),
        };
        let tail = text.ceil_char_boundary(tail.clamp(at, end)).max(head);
        pieces.tell(at, head);
        pieces.leave(head, tail);
        pieces.tell(tail, end);
        at = end;
    }
    pieces.finish()
}

/// An argument as it is told.
pub(super) fn argument(text: &str) -> Vec<Piece<'_>> {
    if text.len() <= SHORT_ARGUMENT {
        return vec![Piece::Told(text)];
    }
    let mut pieces = Pieces { text, pieces: Vec::new(), left: (0, 0, 0) };
    let head = text.floor_char_boundary(ARGUMENT_HEAD);
    let tail = text.ceil_char_boundary(text.len() - ARGUMENT_TAIL);
    pieces.tell(0, head);
    pieces.leave(head, tail);
    pieces.tell(tail, text.len());
    pieces.finish()
}

/// A path as it is told, where that is not whole: `first/…/last`.
pub(super) fn path(path: &str) -> Option<String> {
    if path.len() <= SHORT_PATH || path.contains('\n') {
        return None;
    }
    let inner = path.trim_end_matches('/');
    let root = inner.len() - inner.trim_start_matches('/').len();
    let first = root + inner[root..].find('/')?;
    let last = inner.rfind('/')?;
    (last > first + 1).then(|| format!("{}/…/{}", &path[..first], &path[last + 1..]))
}

/// Pieces in the making: neighbours of one kind are one piece.
struct Pieces<'t> {
    text: &'t str,
    pieces: Vec<Piece<'t>>,
    /// What is being left out: from, to, lines.
    left: (usize, usize, u64),
}

impl<'t> Pieces<'t> {
    fn leave(&mut self, from: usize, to: usize) {
        if from == to {
            return;
        }
        if self.left.0 == self.left.1 {
            self.left = (from, from, 0);
        }
        let lines = self.text[from..to].bytes().filter(|byte| *byte == b'\n').count() as u64;
        self.left = (self.left.0, to, self.left.2 + lines);
    }

    fn settle(&mut self) {
        let (from, to, lines) = std::mem::take(&mut self.left);
        if from == to {
            return;
        }
        if to - from < TOO_LITTLE {
            self.pieces.push(Piece::Told(&self.text[from..to]));
        } else {
            // The last line may have no end.
            let lines = lines + u64::from(to == self.text.len() && !self.text.ends_with('\n'));
            self.pieces.push(Piece::Left { lines, bytes: (to - from) as u64 });
        }
    }

    fn tell(&mut self, from: usize, to: usize) {
        if from == to {
            return;
        }
        self.settle();
        self.pieces.push(Piece::Told(&self.text[from..to]));
    }

    fn finish(mut self) -> Vec<Piece<'t>> {
        self.settle();
        self.pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn paths_keep_their_first_and_last_name() {
        let deep = format!("{}/tide.rs", ["deep"; 20].join("/"));
        let table = [
            ("src/tide.rs".to_owned(), None),
            (format!("/home/{deep}"), Some("/home/…/tide.rs")),
            (deep, Some("deep/…/tide.rs")),
            ("x".repeat(100), None),
            (format!("a/{}", "x".repeat(100)), None),
            ("/".repeat(100), None),
        ];
        for (path, expected) in table {
            assert_eq!(super::path(&path).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn trouble_is_what_lines_say_and_not_what_words_hold() {
        let table = [
            ("error[E0308]: mismatched types", true, true),
            ("TypeError: x is not a function", true, true),
            ("WARNING: low tide", true, true),
            ("terrors of the deep", false, true),
            ("2>/dev/stderr by default", false, false),
            ("", false, false),
        ];
        for (line, at_beginnings, anywhere) in table {
            assert_eq!(is_trouble(line, false), at_beginnings, "{line}");
            assert_eq!(is_trouble(line, true), anywhere, "{line}");
        }
    }

    #[test]
    fn the_end_of_a_result_is_told_however_long_its_last_line_is() {
        let long = "é".repeat(5_000) + "the end";
        let lines = "wave\n".repeat(1_000) + &long;
        for text in [&long, &lines] {
            for (failed, least) in [(false, TAIL), (true, FAILED_TAIL)] {
                let pieces = result(text, failed);
                let Some(Piece::Told(last)) = pieces.last() else { panic!("{pieces:?}") };
                assert!(last.ends_with("the end"));
                assert!((least - 1..=least + 1).contains(&last.len()), "{}", last.len());
                assert!(pieces.iter().any(|piece| matches!(piece, Piece::Left { .. })));
            }
        }
    }

    proptest! {
        #[test]
        fn nothing_is_lost_unsaid(text in "(\\PC{0,80}\n?|error é{0,300}\n){0,40}", failed: bool) {
            for pieces in [result(&text, failed), argument(&text)] {
                let mut rest = text.as_str();
                for piece in pieces {
                    match piece {
                        Piece::Told(told) => rest = rest.strip_prefix(told).expect("in order"),
                        Piece::Left { bytes, .. } => {
                            rest = rest.get(usize::try_from(bytes).unwrap()..).expect("whole");
                        }
                    }
                }
                prop_assert_eq!(rest, "");
            }
        }
    }
}
