//! Splits text into words: the one definition for ingest, queries and highlights.
//!
//! An identifier is a run of letters, digits and underscores. Underscores and changes
//! of case split it into words (`fooBar`, `foo_bar`, `HTTPServer`). An identifier of
//! several words also counts as one whole word, lowercase and without underscores,
//! so that `foobar` finds all spellings. Every other character separates
//! identifiers: a path or a flag becomes its words in order. Each Chinese, Japanese
//! or Korean character and each emoji is a word.

use std::ops::Range;

/// Longer words are truncated, in texts and in queries alike; nobody types them.
const LONGEST: usize = 64;

/// Longer identifiers are split into several.
const LONGEST_IDENTIFIER: usize = 4_096;

/// A segment with digits that changes case more often is encoded data (base64, say)
/// and not a name.
const MOST_HUMPS: usize = 5;

/// Receives the words of a text.
pub trait WordSink {
    /// Receives the next word, in lowercase, and its range in the text.
    fn word(&mut self, range: Range<usize>, word: &str);

    /// Receives a whole identifier of several words, after its words.
    fn whole(&mut self, range: Range<usize>, word: &str);

    /// Receives a run of plain words and of what separates them, and where it starts. Plain
    /// words need only lowercase. Passes on each of them, unless a sink takes them at once.
    fn plain(&mut self, start: usize, run: &str) {
        each_plain_word(start, run, |range, word| self.word(range, word));
    }
}

/// The class of a byte for splitting text into words.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Class {
    Separator = 0,
    Lower = 1,
    Upper = 2,
    Digit = 4,
    Underscore = 8,
    NonAscii = 16,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Separator; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte {
            0x61..=0x7a => Class::Lower,
            0x41..=0x5a => Class::Upper,
            0x30..=0x39 => Class::Digit,
            0x5f => Class::Underscore,
            0x80..=0xff => Class::NonAscii,
            _ => Class::Separator,
        };
        byte += 1;
    }
    classes
};

fn class(byte: u8) -> Class {
    CLASSES[usize::from(byte)]
}

/// The class of a non-ASCII character.
enum Kind {
    Separator,
    Letter,
    /// A word by itself.
    Alone,
}

fn kind(character: char) -> Kind {
    match u32::from(character) {
        0x2E80..=0x2FDF
        | 0x3005..=0x3007
        | 0x3040..=0x30FF
        | 0x3100..=0x312F
        | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF
        | 0xAC00..=0xD7AF
        | 0xF900..=0xFAFF
        | 0xFF66..=0xFF9F
        | 0x2_0000..=0x3_FFFF
        | 0x2600..=0x27BF
        | 0x1_F000..=0x1_FAFF => Kind::Alone,
        // Combining marks belong to the letter before them.
        0x0300..=0x036F => Kind::Letter,
        // Dashes, quotes, arrows, symbols and box drawing: most non-ASCII characters in
        // tool output, none of them letters. Listed to skip the Unicode lookup below.
        0x2010..=0x2027 | 0x2190..=0x23FF | 0x2500..=0x25FF => Kind::Separator,
        _ if character.is_alphanumeric() => Kind::Letter,
        _ => Kind::Separator,
    }
}

/// Passes every word of a text to a sink, in order.
pub fn split(text: &str, sink: &mut impl WordSink) {
    let bytes = text.as_bytes();
    let mut words = Splitter { text, buffer: String::new(), humps: Vec::new() };
    let mut at = 0;
    while at < bytes.len() {
        let end = plain_end(bytes, at);
        if end > at {
            sink.plain(at, &text[at..end]);
            at = end;
            continue;
        }
        match class(bytes[at]) {
            Class::Separator => at += 1,
            Class::NonAscii => {
                let Some(character) = text[at..].chars().next() else { return };
                let end = at + character.len_utf8();
                match kind(character) {
                    Kind::Separator => at = end,
                    Kind::Alone => {
                        sink.word(at..end, &text[at..end]);
                        at = end;
                    }
                    Kind::Letter => at = words.identifier(at, sink),
                }
            }
            _ => at = words.identifier(at, sink),
        }
    }
}

/// Where the run of plain words and separators ends that starts here: most of all text. A
/// plain word is an identifier of one word: letters and digits, of which only the first is
/// a capital, or none is a small letter.
fn plain_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    loop {
        while at < bytes.len() && class(bytes[at]) == Class::Separator {
            at += 1;
        }
        let word = at;
        let Some(first) = bytes.get(word) else { return word };
        let (first, mut rest) = (class(*first) as u8, 0);
        at += 1;
        while at < bytes.len() && at - word <= LONGEST {
            let next = class(bytes[at]) as u8;
            if next == Class::Separator as u8 {
                break;
            }
            rest |= next;
            at += 1;
        }
        let all = first | rest;
        let has = |classes: u8, class: Class| classes & class as u8 != 0;
        if has(all, Class::Underscore)
            || has(all, Class::NonAscii)
            || (has(rest, Class::Upper) && has(all, Class::Lower))
            || at - word > LONGEST
        {
            return word;
        }
    }
}

/// Passes on each word of a plain run, in lowercase.
fn each_plain_word(start: usize, run: &str, mut found: impl FnMut(Range<usize>, &str)) {
    let bytes = run.as_bytes();
    let mut lowercase = String::new();
    let mut at = 0;
    while at < bytes.len() {
        if class(bytes[at]) == Class::Separator {
            at += 1;
            continue;
        }
        let length = bytes[at..].iter().take_while(|byte| class(**byte) != Class::Separator);
        let end = at + length.count();
        let word = &run[at..end];
        if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
            lowercase.clear();
            push_lower(&mut lowercase, word);
            found(start + at..start + end, &lowercase);
        } else {
            found(start + at..start + end, word);
        }
        at = end;
    }
}

struct Splitter<'t> {
    text: &'t str,
    buffer: String,
    /// The start and end of each word of an identifier.
    humps: Vec<(usize, usize)>,
}

impl Splitter<'_> {
    /// Splits the identifier that starts here, and returns its end.
    fn identifier(&mut self, start: usize, sink: &mut impl WordSink) -> usize {
        let bytes = self.text.as_bytes();
        self.humps.clear();
        let (mut segment, mut end) = (start, start);
        loop {
            let class = bytes.get(end).map_or(Class::Separator, |byte| class(*byte));
            let step = match class {
                Class::Lower | Class::Upper | Class::Digit => 1,
                Class::Underscore => {
                    self.segment(segment, end);
                    segment = end + 1;
                    1
                }
                Class::Separator => 0,
                Class::NonAscii => match self.text[end..].chars().next() {
                    Some(next) if matches!(kind(next), Kind::Letter) => next.len_utf8(),
                    _ => 0,
                },
            };
            if step == 0 || end - start >= LONGEST_IDENTIFIER {
                break;
            }
            end += step;
        }
        self.segment(segment, end);
        self.emit(sink);
        end
    }

    /// Splits a segment between underscores into words.
    fn segment(&mut self, start: usize, end: usize) {
        if start >= end {
            return;
        }
        let bytes = &self.text.as_bytes()[start..end];
        let first = self.humps.len();
        let mut from = 0;
        let mut has_digits = false;
        for at in 0..bytes.len() {
            has_digits |= bytes[at].is_ascii_digit();
            if at == from || class(bytes[at]) != Class::Upper {
                continue;
            }
            let before = class(bytes[at - 1]);
            let is_before_lower =
                bytes.get(at + 1).is_some_and(|next| class(*next) == Class::Lower);
            let is_hump = match before {
                Class::Lower => true,
                Class::Upper | Class::Digit => is_before_lower,
                Class::Separator | Class::Underscore | Class::NonAscii => false,
            };
            if is_hump {
                self.humps.push((start + from, start + at));
                from = at;
            }
        }
        self.humps.push((start + from, end));
        if has_digits && self.humps.len() - first > MOST_HUMPS {
            self.humps.truncate(first);
            self.humps.push((start, end));
        }
    }

    fn emit(&mut self, sink: &mut impl WordSink) {
        let (Some(first), Some(last)) = (self.humps.first(), self.humps.last()) else { return };
        let whole = first.0..last.1;
        for (start, end) in &self.humps {
            self.buffer.clear();
            push_lower(&mut self.buffer, &self.text[*start..*end]);
            sink.word(*start..*end, truncate(&self.buffer));
        }
        if self.humps.len() > 1 {
            self.buffer.clear();
            for (start, end) in &self.humps {
                push_lower(&mut self.buffer, &self.text[*start..*end]);
            }
            sink.whole(whole, truncate(&self.buffer));
        }
    }
}

fn push_lower(buffer: &mut String, text: &str) {
    if text.is_ascii() {
        let start = buffer.len();
        buffer.push_str(text);
        buffer[start..].make_ascii_lowercase();
    } else {
        buffer.extend(text.chars().flat_map(char::to_lowercase));
    }
}

fn truncate(word: &str) -> &str {
    &word[..word.floor_char_boundary(LONGEST)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_treated_as_separators_are_not_letters() {
        for number in (0x2010..=0x2027).chain(0x2190..=0x23FF).chain(0x2500..=0x25FF) {
            let character = char::from_u32(number).expect("a character");
            assert!(!character.is_alphanumeric(), "{number:x}");
        }
    }

    #[derive(Default)]
    struct Collected {
        words: Vec<String>,
        wholes: Vec<String>,
    }

    impl WordSink for Collected {
        fn word(&mut self, _: Range<usize>, word: &str) {
            self.words.push(word.to_owned());
        }

        fn whole(&mut self, _: Range<usize>, word: &str) {
            self.wholes.push(word.to_owned());
        }
    }

    #[derive(Debug, Default, PartialEq)]
    struct Ranges(Vec<(Range<usize>, String)>);

    impl WordSink for Ranges {
        fn word(&mut self, range: Range<usize>, word: &str) {
            self.0.push((range, word.to_owned()));
        }

        fn whole(&mut self, range: Range<usize>, word: &str) {
            self.0.push((range, format!("whole {word}")));
        }
    }

    fn words_and_wholes(text: &str) -> String {
        let mut collected = Collected::default();
        split(text, &mut collected);
        format!("{} | {}", collected.words.join(" "), collected.wholes.join(" "))
    }

    #[test]
    fn identifiers_are_split_into_words_and_a_whole() {
        let table = [
            ("plain words, here.", "plain words here | "),
            ("fooBar foo_bar FooBar", "foo bar foo bar foo bar | foobar foobar foobar"),
            (
                "HTTPServer XMLHttpRequest",
                "http server xml http request | httpserver xmlhttprequest",
            ),
            ("E0502 utf8 sha256 v2Beta", "e0502 utf8 sha256 v2 beta | v2beta"),
            ("src/main.rs:42", "src main rs 42 | "),
            ("--no-index", "no index | "),
            ("__init__ _x", "init x | "),
            ("don't", "don t | "),
            ("Straße ÉCOLE", "straße école | "),
            ("東京へ go", "東 京 へ go | "),
            ("done ✅🚀", "done ✅ 🚀 | "),
            ("a9Xk2LmQ7pRt3Zw", "a9xk2lmq7prt3zw | "),
            ("3F2A9C 0xDEADbeef", "3f2a9c 0x dea dbeef | 0xdeadbeef"),
            ("", " | "),
            ("…«»\u{0}\u{7}", " | "),
        ];
        for (text, expected) in table {
            assert_eq!(words_and_wholes(text), expected, "{text}");
        }
    }

    #[test]
    fn long_words_are_truncated_at_a_character_boundary() {
        let text = "é".repeat(100);
        assert_eq!(words_and_wholes(&text), format!("{} | ", "é".repeat(32)));
        assert_eq!(words_and_wholes(&"a".repeat(100)), format!("{} | ", "a".repeat(64)));
    }

    /// The same words without the shortcut for plain ones.
    fn split_carefully(text: &str, sink: &mut impl WordSink) {
        let mut words = Splitter { text, buffer: String::new(), humps: Vec::new() };
        let mut at = 0;
        while let Some(character) = text[at..].chars().next() {
            let is_alone = !character.is_ascii() && matches!(kind(character), Kind::Alone);
            let is_letter = character == '_'
                || character.is_ascii_alphanumeric()
                || (!character.is_ascii() && matches!(kind(character), Kind::Letter));
            let end = at + character.len_utf8();
            if is_alone {
                sink.word(at..end, &text[at..end]);
            }
            at = if is_letter { words.identifier(at, sink) } else { end };
        }
    }

    #[test]
    fn very_long_runs_are_split_in_linear_time() {
        for unit in ["a", "東", "aB3", "_", "é", "A", "a "] {
            let mut collected = Collected::default();
            split(&unit.repeat(1 << 20), &mut collected);
            assert!(collected.words.len() <= 3 << 20, "{unit}");
        }
    }

    proptest::proptest! {
        #[test]
        fn plain_words_are_those_of_careful_splitting(
            text in "([a-zA-Z0-9_ ./é東—]{0,12}|[a-z]{60,70}|[A-Z]{0,3}[a-z0-9]{0,5} ){0,8}",
        ) {
            let (mut quick, mut careful) = (Ranges::default(), Ranges::default());
            split(&text, &mut quick);
            split_carefully(&text, &mut careful);
            proptest::prop_assert_eq!(quick, careful);
        }

        #[test]
        fn words_are_at_their_reported_ranges(text in "\\PC{0,60}|[a-zA-Z0-9_ ./é東]{0,40}") {
            struct RangeCheck<'t>(&'t str, usize);
            impl WordSink for RangeCheck<'_> {
                fn word(&mut self, range: Range<usize>, word: &str) {
                    assert!(range.start >= self.1 && !word.is_empty());
                    assert!(!word.bytes().any(|byte| byte.is_ascii() && !byte.is_ascii_alphanumeric()));
                    self.1 = range.end;
                    let own: String = self.0[range].chars().flat_map(char::to_lowercase).collect();
                    assert!(own.starts_with(word));
                }
                fn whole(&mut self, range: Range<usize>, _: &str) {
                    assert_eq!(range.end, self.1);
                }
            }
            split(&text, &mut RangeCheck(&text, 0));
        }
    }
}
