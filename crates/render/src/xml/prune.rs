//! Shortening of long texts: results to their beginning, end and lines about errors,
//! arguments to their beginning and end, paths to their first and last component.

/// Results up to this length are not shortened.
const SHORT_RESULT: usize = 1_500;
/// Bytes kept of the beginning of a result.
const HEAD: usize = 800;
/// Bytes kept of its end.
const TAIL: usize = 200;
/// Bytes kept of the end of one that failed.
const FAILED_TAIL: usize = 600;
/// How many lines about errors are kept of a successful result: text that only mentions
/// errors, such as source code, has many.
const MAX_TROUBLE_LINES: usize = 20;
/// A line longer than this is shortened, unless it reports a failure.
const LONG_LINE: usize = 400;
/// Shorter texts are not omitted: the mark would take as much space.
const MIN_OMISSION: usize = 60;

/// Arguments up to this length are not shortened.
const SHORT_ARGUMENT: usize = 700;
/// Bytes kept of the beginning of an argument.
const ARGUMENT_HEAD: usize = 400;
/// Bytes kept of its end.
const ARGUMENT_TAIL: usize = 150;
/// Paths up to this length are not shortened.
const SHORT_PATH: usize = 60;

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// It is kept.
    Text(&'t str),
    /// It is omitted: the number of line ends in it, and its bytes.
    Omission { lines: u64, bytes: u64 },
}

/// Words that mark lines about errors.
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

/// Whether a line is about an error: a marker occurs anywhere in a word, or only at its
/// beginning, so that `stderr` and `default` do not count.
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

/// Shortens a result. All lines about errors are kept of a failed one.
pub(super) fn result(text: &str, failed: bool) -> Vec<Piece<'_>> {
    if text.len() <= SHORT_RESULT {
        return vec![Piece::Text(text)];
    }
    let tail = text.len() - if failed { FAILED_TAIL } else { TAIL };
    let mut pieces = Pieces { text, pieces: Vec::new(), omitted: (0, 0, 0) };
    let mut troubles = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        let is_short = line.len() <= LONG_LINE;
        let is_kept = at < HEAD || is_short && end > tail || {
            let is_trouble = (failed || troubles < MAX_TROUBLE_LINES) && is_trouble(line, failed);
            troubles += usize::from(is_trouble);
            is_trouble
        };
        // The end of the kept beginning of the line, and the start of its kept end.
        let head = match is_kept {
            false => at,
            true if is_short || failed && is_trouble(line, true) => end,
            true => text.floor_char_boundary((at + LONG_LINE).max(HEAD).min(end)),
        };
        let tail = text.ceil_char_boundary(tail.clamp(at, end)).max(head);
        pieces.keep(at, head);
        pieces.omit(head, tail);
        pieces.keep(tail, end);
        at = end;
    }
    pieces.finish()
}

/// Shortens an argument.
pub(super) fn argument(text: &str) -> Vec<Piece<'_>> {
    if text.len() <= SHORT_ARGUMENT {
        return vec![Piece::Text(text)];
    }
    let mut pieces = Pieces { text, pieces: Vec::new(), omitted: (0, 0, 0) };
    let head = text.floor_char_boundary(ARGUMENT_HEAD);
    let tail = text.ceil_char_boundary(text.len() - ARGUMENT_TAIL);
    pieces.keep(0, head);
    pieces.omit(head, tail);
    pieces.keep(tail, text.len());
    pieces.finish()
}

/// A shortened path, if it is too long: `first/…/last`.
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

/// Collects pieces; adjacent omissions are joined.
struct Pieces<'t> {
    text: &'t str,
    pieces: Vec<Piece<'t>>,
    /// The current omission: start, end, lines.
    omitted: (usize, usize, u64),
}

impl<'t> Pieces<'t> {
    fn omit(&mut self, from: usize, to: usize) {
        if from == to {
            return;
        }
        if self.omitted.0 == self.omitted.1 {
            self.omitted = (from, from, 0);
        }
        let lines = self.text[from..to].bytes().filter(|byte| *byte == b'\n').count() as u64;
        self.omitted = (self.omitted.0, to, self.omitted.2 + lines);
    }

    fn flush(&mut self) {
        let (from, to, lines) = std::mem::take(&mut self.omitted);
        if from == to {
            return;
        }
        if to - from < MIN_OMISSION {
            self.pieces.push(Piece::Text(&self.text[from..to]));
        } else {
            // The last line may have no line end.
            let lines = lines + u64::from(to == self.text.len() && !self.text.ends_with('\n'));
            self.pieces.push(Piece::Omission { lines, bytes: (to - from) as u64 });
        }
    }

    fn keep(&mut self, from: usize, to: usize) {
        if from == to {
            return;
        }
        self.flush();
        self.pieces.push(Piece::Text(&self.text[from..to]));
    }

    fn finish(mut self) -> Vec<Piece<'t>> {
        self.flush();
        self.pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn paths_keep_their_first_and_last_component() {
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
    fn error_markers_count_at_the_beginning_of_words() {
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
    fn end_of_a_result_is_kept_even_if_its_last_line_is_long() {
        let long = "é".repeat(5_000) + "the end";
        let lines = "wave\n".repeat(1_000) + &long;
        for text in [&long, &lines] {
            for (failed, min) in [(false, TAIL), (true, FAILED_TAIL)] {
                let pieces = result(text, failed);
                let Some(Piece::Text(last)) = pieces.last() else { panic!("{pieces:?}") };
                assert!(last.ends_with("the end"));
                assert!((min - 1..=min + 1).contains(&last.len()), "{}", last.len());
                assert!(pieces.iter().any(|piece| matches!(piece, Piece::Omission { .. })));
            }
        }
    }

    proptest! {
        #[test]
        fn every_byte_is_kept_or_counted_as_omitted(text in "(\\PC{0,80}\n?|error é{0,300}\n){0,40}", failed: bool) {
            for pieces in [result(&text, failed), argument(&text)] {
                let mut rest = text.as_str();
                for piece in pieces {
                    match piece {
                        Piece::Text(text) => rest = rest.strip_prefix(text).expect("in order"),
                        Piece::Omission { bytes, .. } => {
                            rest = rest.get(usize::try_from(bytes).unwrap()..).expect("whole");
                        }
                    }
                }
                prop_assert_eq!(rest, "");
            }
        }
    }
}
