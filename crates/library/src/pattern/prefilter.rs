//! Which lines may hold a hit, decided from their bytes.
//!
//! Most patterns require a run of characters. A line whose text has them has
//! them in its JSON too, raw or escaped: so a line passes if it contains them
//! as the app writes them, or any escape that could be one of them. Too many
//! lines may pass, never too few.
//!
//! A newline is never part of such a run, because texts are joined by newlines
//! that are not in the JSON; nor is U+FFFD, which replaces invalid bytes.

use crate::pattern::escapes::{self, NumericEscapes};
use memchr::memmem::Finder;
use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::hir::{Class, Hir, HirKind};

/// A run of characters: at each place, the possible ones.
pub(crate) type Run = Vec<Vec<char>>;

/// With more characters at one place, or more alternative runs, the filter
/// passes too many lines.
const MOST_CHARACTERS: usize = 8;
const MOST_RUNS: usize = 24;

/// Longer runs do not filter better.
const LONGEST: usize = 64;

/// Runs of which each match of a pattern contains at least one.
pub(crate) fn required(hir: &Hir) -> Option<Vec<Run>> {
    // The parser limits how deeply patterns nest.
    match hir.kind() {
        HirKind::Literal(_) | HirKind::Class(_) | HirKind::Concat(_) => in_a_row(hir),
        HirKind::Capture(capture) => required(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => required(&repetition.sub),
        HirKind::Alternation(branches) => {
            let runs: Option<Vec<Vec<Run>>> = branches.iter().map(required).collect();
            runs.map(|runs| runs.concat()).filter(|runs| runs.len() <= MOST_RUNS)
        }
        _ => None,
    }
}

fn in_a_row(hir: &Hir) -> Option<Vec<Run>> {
    let mut best: Option<Vec<Run>> = None;
    let mut offer = |runs: Vec<Run>| {
        if !runs.is_empty() && best.as_ref().is_none_or(|best| worth(&runs) > worth(best)) {
            best = Some(runs);
        }
    };
    let mut run = Run::new();
    let mut rest: Vec<&Hir> = vec![hir];
    while let Some(part) = rest.pop() {
        match part.kind() {
            HirKind::Concat(parts) => rest.extend(parts.iter().rev()),
            HirKind::Capture(capture) => rest.push(&capture.sub),
            // These have no width: their neighbours are adjacent.
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => {
                for character in String::from_utf8_lossy(&literal.0).chars() {
                    extend(&mut run, vec![character], &mut offer);
                }
            }
            HirKind::Class(class) => match few(class) {
                Some(characters) => extend(&mut run, characters, &mut offer),
                None => end(&mut run, &mut offer),
            },
            HirKind::Repetition(_) | HirKind::Alternation(_) => {
                end(&mut run, &mut offer);
                if let Some(runs) = required(part) {
                    offer(runs);
                }
            }
        }
    }
    end(&mut run, &mut offer);
    best
}

fn extend(run: &mut Run, characters: Vec<char>, offer: &mut impl FnMut(Vec<Run>)) {
    if characters.iter().all(|character| raw(*character).is_some()) {
        run.push(characters);
    } else {
        end(run, offer);
    }
}

fn end(run: &mut Run, offer: &mut impl FnMut(Vec<Run>)) {
    if !run.is_empty() {
        run.truncate(LONGEST);
        offer(vec![std::mem::take(run)]);
    }
}

/// More characters match fewer lines; more alternatives match more lines.
fn worth(runs: &[Run]) -> (usize, std::cmp::Reverse<usize>) {
    let shortest = runs.iter().map(Vec::len).min().unwrap_or_default();
    (shortest, std::cmp::Reverse(runs.len()))
}

/// The characters of a class, if they are few.
fn few(class: &Class) -> Option<Vec<char>> {
    let mut characters = Vec::new();
    let mut add = |start: char, end: char| {
        let more = (start..=end).take(MOST_CHARACTERS + 1);
        characters.extend(more);
        characters.len() <= MOST_CHARACTERS
    };
    let is_few = match class {
        Class::Unicode(class) => class.iter().all(|range| add(range.start(), range.end())),
        Class::Bytes(class) => class.iter().all(|range| {
            range.end().is_ascii() && add(char::from(range.start()), char::from(range.end()))
        }),
    };
    (is_few && !characters.is_empty()).then_some(characters)
}

/// A character as the app writes it into JSON; `None` for characters that
/// cannot occur there, or in too many forms.
fn raw(character: char) -> Option<String> {
    Some(match character {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        '\t' => "\\t".to_owned(),
        '\r' => "\\r".to_owned(),
        '\0'..='\u{1f}' | '\u{fffd}' => return None,
        other => other.to_string(),
    })
}

/// Whether any of these runs may overlap `[redacted:KIND:HASH]`.
pub(crate) fn may_be_masked(runs: &[Run]) -> bool {
    let can_be = |run: &Run, at: usize, byte: u8| run[at].contains(&char::from(byte));
    runs.iter().any(|run| {
        // It contains a bracket of the placeholder.
        if run.iter().any(|place| place.contains(&'[') || place.contains(&']')) {
            return true;
        }
        // Or it lies inside; the hash can be anything.
        redact::kinds().any(|kind| {
            let inner = format!("redacted:{kind}:");
            let length = inner.len() + 4;
            (0..length).any(|start| {
                start + run.len() <= length
                    && (0..run.len()).all(|at| match inner.as_bytes().get(start + at) {
                        Some(byte) => can_be(run, at, *byte),
                        None => run[at].iter().any(char::is_ascii_hexdigit),
                    })
            })
        })
    })
}

/// What lines that may hold a hit contain.
#[derive(Debug)]
pub(crate) struct Prefilter {
    needle: Needle,
    /// Escapes that may be characters of the needle.
    numbered: NumericEscapes,
    slash: Option<Finder<'static>>,
}

#[derive(Debug)]
enum Needle {
    One(Box<Finder<'static>>),
    Many(Regex),
}

impl Needle {
    fn find(&self, bytes: &[u8]) -> Option<usize> {
        match self {
            Needle::One(finder) => finder.find(bytes),
            Needle::Many(regex) => regex.find(bytes).map(|found| found.start()),
        }
    }
}

impl Prefilter {
    pub(crate) fn new(runs: &[Run]) -> Option<Prefilter> {
        let is_one = runs.len() == 1 && runs[0].iter().all(|place| place.len() == 1);
        let needle = if is_one {
            let text: Option<String> = runs[0].iter().map(|place| raw(*place.first()?)).collect();
            Needle::One(Box::new(Finder::new(text?.as_bytes()).into_owned()))
        } else {
            let mut source = String::new();
            for run in runs {
                source += if source.is_empty() { "" } else { "|" };
                for place in run {
                    let texts: Option<Vec<String>> = place
                        .iter()
                        .map(|character| Some(regex::escape(&raw(*character)?)))
                        .collect();
                    source += &format!("(?:{})", texts?.join("|"));
                }
            }
            Needle::Many(RegexBuilder::new(&source).build().ok()?)
        };
        let characters = runs.iter().flatten().flatten().copied();
        let (numbered, slash) =
            (NumericEscapes::of(characters.clone()), escapes::slash(characters));
        Some(Prefilter { needle, numbered, slash })
    }

    /// Whether any line may hold a hit.
    pub(crate) fn finds(&self, batch: &[u8]) -> bool {
        self.finds_plainly(batch) || self.finds_escaped(batch)
    }

    /// Whether any line contains a required run unescaped.
    pub(crate) fn finds_plainly(&self, batch: &[u8]) -> bool {
        self.needle.find(batch).is_some()
    }

    /// Whether any line has an escape that may be part of a required run.
    pub(crate) fn finds_escaped(&self, batch: &[u8]) -> bool {
        self.numbered.find(batch).is_some() || self.find_slash(batch).is_some()
    }

    fn find_slash(&self, bytes: &[u8]) -> Option<usize> {
        self.slash.as_ref()?.find(bytes)
    }

    /// Passes the bounds of each line that may hold a hit to `each`, and
    /// whether it ends with a newline. `batch` begins with a line.
    pub(crate) fn each(&self, batch: &[u8], mut each: impl FnMut(usize, usize, bool)) {
        let mut from = 0;
        let find = |what, bytes: &[u8]| match what {
            0 => self.needle.find(bytes),
            1 => self.numbered.find(bytes),
            _ => self.find_slash(bytes),
        };
        // Each is searched for again only after it is passed.
        let mut next = [0, 1, 2].map(|what| find(what, batch));
        while let Some(hit) = next.iter().flatten().min().copied() {
            let start = memchr::memrchr(b'\n', &batch[from..hit]).map_or(from, |at| from + at + 1);
            let newline = memchr::memchr(b'\n', &batch[hit..]).map(|at| hit + at);
            each(start, newline.unwrap_or(batch.len()), newline.is_some());
            let Some(newline) = newline else { return };
            from = newline + 1;
            for (what, next) in next.iter_mut().enumerate() {
                if next.is_some_and(|at| at < from) {
                    *next = find(what, &batch[from..]).map(|at| from + at);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::pattern::{Pattern, PatternOptions};
    use proptest::prelude::*;
    use std::fmt::Write as _;

    /// A text as JSON, each character written in one of the possible ways.
    fn written(text: &str, ways: &[u8]) -> String {
        let mut json = String::new();
        for (number, character) in text.chars().enumerate() {
            let way = ways.get(number % ways.len().max(1)).copied().unwrap_or_default();
            let short = match character {
                '"' => Some("\\\""),
                '\\' => Some("\\\\"),
                '\n' => Some("\\n"),
                '\t' => Some("\\t"),
                '\r' => Some("\\r"),
                '/' if way % 3 == 1 => Some("\\/"),
                _ => None,
            };
            match (way % 9, short) {
                (0, _) => character.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
                    let _ = write!(json, "\\u{unit:04x}");
                }),
                (1, _) => character.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
                    let _ = write!(json, "\\u{unit:04X}");
                }),
                (_, Some(short)) => json.push_str(short),
                (_, None) if character.is_control() && character < ' ' => {
                    let _ = write!(json, "\\u{:04x}", u32::from(character));
                }
                (_, None) => json.push(character),
            }
        }
        json
    }

    fn line(one: &str, two: &str) -> String {
        format!(
            r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","name":"N","input":{{"x":"{one}","y":"{two}"}}}}]}}}}"#
        )
    }

    const TEXT: &str = "[a-dkKsS\u{212a}\u{17f}é/\"\\\\\\t\\r\\n日😀\u{fffd}\u{7f}\u{1b} -]{0,12}";

    /// Patterns with every construct that the filter handles.
    const PARTS: &[&str] = &[
        "a",
        "b",
        "ab",
        "cd",
        "[ab]",
        "[a-d]",
        "(a|bc)",
        "(?:a|b|é)",
        "a+",
        "(ab)+",
        "b*",
        "x?",
        r"\b",
        "^",
        "$",
        ".",
        r"\s",
        r"\n",
        r"\t",
        r"\r",
        "/",
        "\"",
        r"\\",
        "(?i:k)",
        "(?i:s)",
        "é",
        "日",
        "😀",
        "\u{fffd}",
        r"\x1b",
        "a{2}",
        "(?s:.)",
        "(?-u:b)",
        "(a(b(c|d)))",
        "[^a]",
        "k|s",
    ];

    /// Checks that the prefilter passes every line that matches.
    fn assert_matches_pass(pattern: &Pattern, lines: &[String]) {
        let batch = lines.concat();
        let Some(prefilter) = pattern.prefilter(false) else { return };
        let mut admitted = Vec::new();
        prefilter.each(batch.as_bytes(), |start, stop, _| {
            admitted.push(batch[start..stop].to_owned());
        });
        for entry in transcript::entries(batch.as_bytes()) {
            let pieces = transcript::text::of_record(&entry.record);
            if pieces.iter().any(|piece| pattern.is_match(&piece.text)) {
                let line = String::from_utf8_lossy(entry.bytes).into_owned();
                assert!(admitted.contains(&line), "{pattern:?} loses {line}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn prefilter_passes_every_matching_line(
            texts in prop::collection::vec((TEXT, TEXT), 1..4),
            ways in prop::collection::vec(any::<u8>(), 1..12),
            parts in prop::collection::vec(prop::sample::select(PARTS), 1..4),
            (start, length) in (0_usize..12, 1_usize..8),
            (ignore_case, whole_words) in any::<(bool, bool)>(),
        ) {
            let lines: Vec<String> = texts
                .iter()
                .map(|(one, two)| line(&written(one, &ways), &written(two, &ways)) + "\n")
                .collect();
            let joined = format!("{}\n{}", texts[0].0, texts[0].1);
            let part: String = joined.chars().skip(start).take(length).collect();
            for (text, fixed) in [(parts.concat(), false), (part, true)] {
                let options = PatternOptions { ignore_case, fixed, whole_words, inverted: false };
                if let Ok(pattern) = Pattern::new(&text, options) {
                    assert_matches_pass(&pattern, &lines);
                }
            }
        }
    }

    #[test]
    fn required_runs_are_found_in_bytes() {
        // (pattern, a line that passes, one that does not)
        let table = [
            ("needle", "a needle", "a noodle"),
            ("(?i)Needle", "nEEDLE", "noodle"),
            ("foo.*(bar|baz)+", "baz foo", "bar"),
            ("one\ntwo", "one", "tw"),
            ("say \"hi\"", r#"say \"hi\""#, "say hi"),
            ("needle", r"n\u0065edle", r"\u001b[0m"),
            ("src/lib", r"src\/lib", "src lib"),
            ("日本", r"\u65e5\u672c", r"\u001b"),
            ("foo|bar", "bar", "baz"),
        ];
        for (text, admitted, left) in table {
            let pattern = Pattern::new(text, PatternOptions::default()).expect("a pattern");
            let prefilter = pattern.prefilter(false).expect("a prefilter");
            let admits = |line: &str| {
                let mut any = false;
                prefilter.each(line.as_bytes(), |_, _, _| any = true);
                any
            };
            assert_eq!((admits(admitted), admits(left)), (true, false), "{text}");
        }
    }

    #[test]
    fn pattern_that_may_match_a_placeholder_is_searched_in_masked_lines() {
        let table = [
            ("redacted", true),
            ("RED", false),
            ("(?i)RED", true),
            ("github-token", true),
            ("a1b2", true),
            ("[", true),
            ("needle", false),
            ("hello world", false),
            (":github-token:ffff", true),
            (":github-token:fffff", false),
        ];
        for (text, expected) in table {
            let fixed = !text.starts_with("(?i)");
            let options = PatternOptions { fixed, ..PatternOptions::default() };
            let pattern = Pattern::new(text, options).expect("a pattern");
            assert_eq!(pattern.prefilter(true).is_none(), expected, "{text}");
        }
    }
}
