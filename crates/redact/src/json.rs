//! Masks inside JSON without building a tree.
//!
//! Strings, including member names, are decoded and searched, and the matches
//! are mapped back to the original bytes; everything else is copied. Validity
//! is checked only as far as needed to tell strings from the rest: if that
//! fails, the whole text is masked as plain text.
//!
//! This scanner is separate from `transcript::json`, because this crate knows no
//! other room, accepts text that is not JSON, and must know which byte each
//! decoded character comes from. A test holds both to the same strings.

use std::borrow::Cow;
use std::ops::Range;

use crate::assignment::WHOLE;
use crate::check::all;
use crate::keyword_scanner::KeywordScanner;
use crate::pattern::ANY64;
use crate::{MOST_ROUNDS, Redactor, Report};

/// Members whose long base64 is a picture or a signature, never a secret.
const BLOBS: &[&str] = &["data", "signature", "base64"];
const SHORTEST_BLOB: usize = 96;
/// The longest token without separators.
const LONGEST_TOKEN: usize = 512;

pub(crate) fn mask<'a>(redactor: &Redactor, json: &'a str, report: &mut Report) -> Cow<'a, str> {
    mask_noting(redactor, json, report, &mut |_| {})
}

/// The same. `note` gets each secret as it was found.
pub(crate) fn mask_noting<'a>(
    redactor: &Redactor,
    json: &'a str,
    report: &mut Report,
    note: &mut dyn FnMut(&str),
) -> Cow<'a, str> {
    let mut pass = JsonMasker {
        redactor,
        note,
        output: String::new(),
        done: 0,
        scratch: String::new(),
        escapes: Vec::new(),
        names: redactor.names,
        clean: [""; CLEAN],
        next_clean: 0,
    };
    let mut counted = Report::default();
    if !pass.run(json, &mut counted) {
        return redactor.mask_noting(json, report, pass.note);
    }
    if counted.is_empty() {
        return Cow::Borrowed(json);
    }
    report.merge(&counted);
    pass.output.push_str(&json[pass.done..]);
    Cow::Owned(pass.output)
}

/// How many member names are remembered.
const NAMES: usize = 128;

/// Names with their quotes, and whether they contain a keyword.
pub(crate) type Names<'j> = [(&'j str, bool); NAMES];

/// Members that nearly every line of a transcript has.
const COMMON: &[&str] = &[
    r#""type""#,
    r#""content""#,
    r#""version""#,
    r#""timestamp""#,
    r#""sessionId""#,
    r#""uuid""#,
    r#""parentUuid""#,
    r#""isSidechain""#,
    r#""userType""#,
    r#""cwd""#,
    r#""gitBranch""#,
    r#""id""#,
    r#""message""#,
    r#""role""#,
    r#""slug""#,
    r#""output_tokens""#,
    r#""input_tokens""#,
    r#""cache_read_input_tokens""#,
    r#""cache_creation_input_tokens""#,
    r#""ephemeral_5m_input_tokens""#,
    r#""ephemeral_1h_input_tokens""#,
    r#""cache_creation""#,
    r#""model""#,
    r#""usage""#,
    r#""service_tier""#,
    r#""stop_sequence""#,
    r#""stop_reason""#,
    r#""requestId""#,
    r#""entrypoint""#,
    r#""name""#,
    r#""input""#,
    r#""tool_use_id""#,
    r#""toolUseResult""#,
    r#""command""#,
    r#""server_tool_use""#,
    r#""description""#,
    r#""thinking""#,
    r#""signature""#,
    r#""text""#,
    r#""file_path""#,
];

/// The table of these names.
pub(crate) fn common_names(scanner: &KeywordScanner) -> Names<'static> {
    let mut names = [("", false); NAMES];
    for name in COMMON {
        names[slot(name)] = (name, scanner.has_keyword(name.as_bytes()));
    }
    names
}

/// Where a name is remembered. Its length and a few bytes tell most apart.
fn slot(quoted: &str) -> usize {
    let bytes = quoted.as_bytes();
    let byte = |at: usize| bytes.get(at).map_or(0, |byte| usize::from(*byte));
    (byte(2) + 11 * bytes.len() + byte(bytes.len().wrapping_sub(3))) % NAMES
}
/// How many strings without a secret are remembered, and from which length on.
const CLEAN: usize = 8;
const SHORTEST_CLEAN: usize = 160;

/// One pass over the text.
struct JsonMasker<'r, 'j> {
    redactor: &'r Redactor,
    /// Gets each secret as it was found.
    note: &'r mut dyn FnMut(&str),
    output: String,
    /// How much of the text is copied to the output.
    done: usize,
    scratch: String,
    /// Where the escapes of the current string are.
    escapes: Vec<usize>,
    /// Names, and whether they contain a keyword: a line repeats a few.
    names: Names<'j>,
    /// The last long strings without a secret: Claude Code writes the output of
    /// a tool twice into its line.
    clean: [&'j str; CLEAN],
    next_clean: usize,
}

/// Members whose value is the name of what their neighbour `value` holds.
const NAMING: &[&str] = &["name", "key", "Name", "Key", "variable"];

impl<'j> JsonMasker<'_, 'j> {
    /// Returns whether the text was JSON, as far as this can tell.
    fn run(&mut self, json: &'j str, report: &mut Report) -> bool {
        let bytes = json.as_bytes();
        let mut at = 0;
        let mut name = 0..0;
        let mut name_matters = false;
        let mut neighbour = 0..0;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' => {
                    self.escapes.clear();
                    let Some(end) = find_end(bytes, at + 1, &mut self.escapes) else {
                        return false;
                    };
                    let string = at + 1..end;
                    at = end + 1;
                    let next = bytes[at..].iter().position(|byte| !byte.is_ascii_whitespace());
                    if next.is_some_and(|next| bytes[at + next] == b':') {
                        name = string;
                        name_matters = self.has_keyword(json, &name);
                        let is_value = json[name.clone()].eq_ignore_ascii_case("value");
                        if is_value && self.has_keyword(json, &neighbour) {
                            (name, name_matters) = (neighbour.clone(), true);
                            continue;
                        }
                        if may_hold(&json[name.clone()]) {
                            self.string(json, ("", false), name.clone(), report);
                        }
                    } else {
                        if NAMING.contains(&&json[name.clone()]) {
                            neighbour = string.clone();
                        }
                        let name = &json[name.clone()];
                        self.string(json, (name, name_matters), string, report);
                    }
                }
                b'{' | b'}' => {
                    neighbour = 0..0;
                    at += 1;
                }
                b'[' | b']' | b',' | b':' | b' ' | b'\t' | b'\r' | b'\n' => at += 1,
                _ => match word_end(bytes, at) {
                    Some(end) => at = end,
                    None => return false,
                },
            }
        }
        true
    }

    /// Whether a name contains a keyword, with its quotes: they are part of
    /// short keywords.
    fn has_keyword(&mut self, json: &'j str, name: &Range<usize>) -> bool {
        if name.start == 0 {
            return false;
        }
        let quoted = &json[name.start - 1..=name.end];
        let (known, answer) = &mut self.names[slot(quoted)];
        if *known != quoted {
            (*known, *answer) = (quoted, self.redactor.has_keyword(quoted));
        }
        *answer
    }

    fn string(
        &mut self,
        json: &'j str,
        (name, name_matters): (&str, bool),
        string: Range<usize>,
        report: &mut Report,
    ) {
        let raw = &json[string.clone()];
        if raw.len() < 3 || (!name_matters && is_id(raw.as_bytes())) || self.is_blob(name, raw) {
            return;
        }
        let name = name_matters.then_some(name);
        let may_repeat = name.is_none() && raw.len() >= SHORTEST_CLEAN;
        if may_repeat && self.clean.contains(&raw) {
            return;
        }
        let Some(mut masked) = self.round(raw, name, report) else {
            if may_repeat {
                self.clean[self.next_clean % CLEAN] = raw;
                self.next_clean += 1;
            }
            return;
        };
        for _ in 1..MOST_ROUNDS {
            self.escapes.clear();
            find_escapes(&masked, &mut self.escapes);
            let Some(again) = self.round(&masked, name, report) else { break };
            masked = again;
        }
        self.output.push_str(&json[self.done..string.start]);
        self.output.push_str(&masked);
        self.done = string.end;
    }

    /// Whether it is a picture or a signature. A string that is entirely one
    /// token, and starts like one, is neither.
    fn is_blob(&self, name: &str, raw: &str) -> bool {
        raw.len() >= SHORTEST_BLOB
            && BLOBS.contains(&name)
            && all(ANY64, raw)
            && (raw.len() > LONGEST_TOKEN
                || !self.redactor.has_keyword(&raw[..SHORTEST_BLOB / 4])
                || !self.redactor.find(raw).iter().any(|span| span.end - span.start == raw.len()))
    }

    /// The masked string; `None` if it contains no secret. `name` is given if
    /// it indicates what the value is.
    fn round(&mut self, raw: &str, name: Option<&str>, report: &mut Report) -> Option<String> {
        let escaped = !self.escapes.is_empty();
        self.scratch.clear();
        if let Some(name) = name {
            // They are searched together.
            self.scratch.push_str(name);
            self.scratch.push(':');
            self.scratch.push(WHOLE);
        }
        let prefix = self.scratch.len();
        let text = if escaped || name.is_some() {
            decode(raw, &self.escapes, &mut self.scratch);
            self.scratch.as_str()
        } else {
            raw
        };
        let mut masked = String::new();
        let mut done = 0;
        let mut undecoding = SourceRanges { raw, read: 0, decoded: 0 };
        for span in self.redactor.find_noting(text, self.note) {
            let Some(start) = span.start.checked_sub(prefix) else { continue };
            let end = span.end - prefix;
            let place = if escaped { undecoding.next(start..end) } else { start..end };
            masked.push_str(&raw[done..place.start]);
            self.redactor.push_placeholder(&mut masked, span.rule, &text[span.start..span.end]);
            done = place.end;
            report.count(span.rule);
        }
        if done == 0 {
            return None;
        }
        masked.push_str(&raw[done..]);
        Some(masked)
    }
}

/// Whether the string is a UUID or a time: every line has several.
fn is_id(raw: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_hexdigit() || *byte == b'-';
    match raw.len() {
        36 => raw[8] == b'-' && raw[13] == b'-' && raw[18] == b'-' && raw.iter().all(is_part),
        24 => raw.starts_with(b"20") && raw[10] == b'T' && raw[23] == b'Z',
        _ => false,
    }
}

/// Whether a member name can contain a secret: it is more than plain words.
fn may_hold(name: &str) -> bool {
    !name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_')
}

/// The end of a number or of `true`, `false` or `null`.
fn word_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..];
    let word = ["true", "false", "null"].into_iter().find(|word| rest.starts_with(word.as_bytes()));
    let is_number = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    let length = match (word, rest.first()) {
        (Some(word), _) => word.len(),
        (None, Some(b'0'..=b'9' | b'-')) => rest.iter().take_while(is_number).count(),
        _ => return None,
    };
    let next = bytes.get(at + length);
    // A letter after it means that it is neither.
    (!next.is_some_and(u8::is_ascii_alphanumeric)).then_some(at + length)
}

/// The end of the string that starts at `at`: its closing quote. Adds the places
/// of its escapes, counted from its start.
fn find_end(bytes: &[u8], start: usize, escapes: &mut Vec<usize>) -> Option<usize> {
    let mut at = start;
    loop {
        let next = memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at + next] == b'"' {
            return Some(at + next);
        }
        escapes.push(at + next - start);
        at += next + 2;
    }
}

/// The same places in a string that is read again.
fn find_escapes(raw: &str, escapes: &mut Vec<usize>) {
    let mut at = 0;
    while let Some(next) = memchr::memchr(b'\\', raw.as_bytes().get(at..).unwrap_or_default()) {
        escapes.push(at + next);
        at += next + 2;
    }
}

/// Appends the decoded string, whose escapes are known.
fn decode(raw: &str, escapes: &[usize], to: &mut String) {
    let mut done = 0;
    for place in escapes {
        // The second half of a surrogate pair is already decoded.
        if *place < done {
            continue;
        }
        to.push_str(&raw[done..*place]);
        let (character, length) = read_escape(&raw[*place..]);
        to.push(character);
        done = place + length;
    }
    to.push_str(&raw[done..]);
}

/// Maps ranges of a decoded string to its raw bytes. The ranges must come in
/// order, so that the string is walked once.
struct SourceRanges<'a> {
    raw: &'a str,
    /// The current position in the raw string, and in the decoded one.
    read: usize,
    decoded: usize,
}

impl SourceRanges<'_> {
    fn next(&mut self, range: Range<usize>) -> Range<usize> {
        let mut start = None;
        loop {
            let rest = &self.raw.as_bytes()[self.read..];
            let plain = memchr::memchr(b'\\', rest).unwrap_or(rest.len());
            if start.is_none() && range.start < self.decoded + plain {
                start = Some(self.read + (range.start - self.decoded));
            }
            if range.end <= self.decoded + plain {
                let step = range.end - self.decoded;
                self.read += step;
                self.decoded += step;
                return start.unwrap_or(self.read)..self.read;
            }
            self.read += plain;
            self.decoded += plain;
            if self.read >= self.raw.len() {
                return start.unwrap_or(self.read)..self.read;
            }
            let (character, length) = read_escape(&self.raw[self.read..]);
            if start.is_none() && range.start < self.decoded + character.len_utf8() {
                start = Some(self.read);
            }
            self.read += length;
            self.decoded += character.len_utf8();
        }
    }
}

/// The character that an escape represents, and the length of the escape. The
/// text starts with a backslash; an invalid escape represents the backslash
/// itself.
fn read_escape(text: &str) -> (char, usize) {
    let plain = match text.as_bytes().get(1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(mark @ (b'"' | b'\\' | b'/')) => char::from(*mark),
        Some(b'u') => return read_unicode(text).unwrap_or(('\\', 1)),
        _ => return ('\\', 1),
    };
    (plain, 2)
}

fn read_unicode(text: &str) -> Option<(char, usize)> {
    let first = read_unit(text)?;
    if (0xD800..0xDC00).contains(&first)
        && let Some(second) = text.get(6..).and_then(read_unit)
        && (0xDC00..0xE000).contains(&second)
    {
        let code = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        return char::from_u32(code).map(|character| (character, 12));
    }
    Some((char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), 6))
}

fn read_unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(())?;
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use transcript::json;

    proptest! {
        #[test]
        fn strings_are_read_as_transcripts_read_them(
            inner in r#"([a"\\/bnué ]|\\u00e9|\\ud83d|\\ude00){0,12}"#,
        ) {
            let text = format!("\"{inner}\"");
            let mut escapes = Vec::new();
            let end = find_end(text.as_bytes(), 1, &mut escapes);
            prop_assert_eq!(end.map(|end| end + 1), json::string_end(text.as_bytes(), 0));
            let whole = end.and_then(|end| text.get(..=end));
            if let Some(expected) = whole.and_then(json::decode_string) {
                let mut decoded = String::new();
                decode(&text[1..end.unwrap_or(1)], &escapes, &mut decoded);
                prop_assert_eq!(decoded, expected.text);
            }
        }
    }
}
