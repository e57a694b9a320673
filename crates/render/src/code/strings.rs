//! Strings and comments: their ends, and escapes and code within strings.

use super::Class;
use super::lexicon::{Family, Inner, Quote};
use super::scanner::Scanner;

/// The deepest nesting of strings within code within strings.
const MAX_DEPTH: usize = 32;

/// The longest placeholder.
const MAX_PLACEHOLDER: usize = 48;

/// An open string.
#[derive(Clone, Copy)]
pub(super) struct OpenString {
    quote: &'static Quote,
    inner: Inner,
    /// Whether a backslash is an ordinary character, as in `r"\n"`.
    is_raw: bool,
    /// The length of its prefix and quote, while they are ahead.
    opening: usize,
}

impl OpenString {
    pub(super) fn is_multiline(self) -> bool {
        self.quote.is_multiline
    }
}

/// Code within a string.
pub(super) struct Frame {
    pub(super) open: OpenString,
    /// The bracket that ends the code, and how many of its kind are open.
    close: u8,
    depth: usize,
}

impl Scanner<'_> {
    /// Opens the string whose quote is at `at`, after a prefix that began before it.
    pub(super) fn string_start(&mut self, at: usize, prefix: usize) -> Option<(Class, usize)> {
        let rest = &self.all[at..];
        let mut quotes = self.lexicon.strings.iter();
        let quote = quotes.find(|quote| rest.starts_with(quote.open.as_bytes()))?;
        let letters = &self.all[at - prefix..at];
        let has = |letter: u8| letters.iter().any(|byte| byte.eq_ignore_ascii_case(&letter));
        let is_format = self.lexicon.rules.family == Family::Usual && has(b'f');
        let open = OpenString {
            quote,
            inner: if is_format { Inner::Code("{", b'}') } else { quote.inner },
            is_raw: has(b'r'),
            opening: prefix + quote.open.len(),
        };
        Some(self.string_part(open))
    }

    /// A part of a string: up to its end, or to an escape or code in it.
    pub(super) fn string_part(&mut self, mut open: OpenString) -> (Class, usize) {
        let start = self.at;
        let mut at = start + std::mem::take(&mut open.opening);
        let close = open.quote.close.as_bytes();
        while let Some(byte) = self.all.get(at) {
            if *byte == close[0] && self.all[at..].starts_with(close) {
                return (self.string_class(start, at + close.len()), at + close.len());
            }
            if *byte == b'\n' && !open.quote.is_multiline {
                return (Class::Literal, at);
            }
            if *byte == b'\\' && open.quote.has_escapes {
                if open.is_raw {
                    at += 2;
                    continue;
                }
                return self.within(open, at, self.escape_end(at));
            }
            if let Some((end, is_code)) = self.inner_end(open, at) {
                if is_code && at == start {
                    self.enter(open);
                    return (Class::Escape, end);
                }
                return self.within(open, at, end);
            }
            // The next byte, or a doubled brace.
            at += if self.is_doubled(open, at) { 2 } else { 1 };
        }
        (Class::Literal, self.all.len())
    }

    /// The text before `at`, or the escape at `at`; the string continues after either.
    fn within(&mut self, open: OpenString, at: usize, end: usize) -> (Class, usize) {
        self.open = Some(open);
        if at > self.at { (Class::Literal, at) } else { (Class::Escape, end) }
    }

    fn string_class(&self, start: usize, end: usize) -> Class {
        if self.lexicon.rules.family != Family::Json || self.all[start] != b'"' {
            return Class::Literal;
        }
        let after = self.all[end..].iter().take(8).find(|byte| **byte != b' ');
        if after == Some(&b':') { Class::QuotedKey } else { Class::Literal }
    }

    fn escape_end(&self, at: usize) -> usize {
        let digits = |most: usize| {
            let rest = &self.all[(at + 2).min(self.all.len())..];
            at + 2 + rest.iter().take(most).take_while(|byte| byte.is_ascii_hexdigit()).count()
        };
        match self.all.get(at + 1) {
            Some(b'x') => digits(2),
            Some(b'u') if self.all.get(at + 2) == Some(&b'{') => {
                let end = self.all[at..].iter().take(12).position(|byte| *byte == b'}');
                end.map_or(at + 2, |end| at + end + 1)
            }
            Some(b'u') => digits(4),
            Some(b'U') => digits(8),
            _ => at + 2,
        }
    }

    /// `{{`, which is an escaped brace.
    fn is_doubled(&self, open: OpenString, at: usize) -> bool {
        matches!(open.inner, Inner::Placeholders | Inner::Code("{", _))
            && self.all[at] == b'{'
            && self.all.get(at + 1) == Some(&b'{')
    }

    /// The end of an escape or placeholder, and whether code begins there.
    fn inner_end(&self, open: OpenString, at: usize) -> Option<(usize, bool)> {
        let rest = &self.all[at..];
        match open.inner {
            Inner::Nothing => None,
            Inner::Placeholders => {
                if rest[0] != b'{' {
                    return None;
                }
                let is_part =
                    |byte: &&u8| byte.is_ascii_alphanumeric() || b"_:.?#<>^*$+-".contains(byte);
                let length = rest[1..].iter().take(MAX_PLACEHOLDER).take_while(is_part).count();
                (rest.get(1 + length) == Some(&b'}')).then_some((at + length + 2, false))
            }
            Inner::Code(begin, _) => {
                let begins = rest.starts_with(begin.as_bytes()) && !self.is_doubled(open, at);
                (begins && self.frames.len() < MAX_DEPTH).then_some((at + begin.len(), true))
            }
            Inner::Shell => {
                if rest.starts_with(b"$(") && !rest.starts_with(b"$((") {
                    return (self.frames.len() < MAX_DEPTH).then_some((at + 2, true));
                }
                self.variable_end(at).map(|end| (end, false))
            }
        }
    }

    fn enter(&mut self, open: OpenString) {
        let close = match open.inner {
            Inner::Code(_, close) => close,
            _ => b')',
        };
        self.frames.push(Frame { open, close, depth: 0 });
        self.shell.begin_command();
    }

    /// Brackets of the code within a string; after the last one the string continues.
    pub(super) fn frame_part(&mut self, first: u8) -> Option<(Class, usize)> {
        let frame = self.frames.last_mut()?;
        let opening = if frame.close == b'}' { b'{' } else { b'(' };
        if first == opening {
            frame.depth += 1;
        } else if first == frame.close {
            if frame.depth == 0 {
                self.open = self.frames.pop().map(|frame| frame.open);
                return Some((Class::Escape, self.at + 1));
            }
            frame.depth -= 1;
        }
        None
    }

    /// The end of the comment that begins here.
    pub(super) fn comment_end(&self) -> Option<usize> {
        let (at, rest) = (self.at, self.rest());
        for (begin, end) in self.lexicon.block {
            if rest.starts_with(begin.as_bytes()) {
                return Some(at + self.block_length(begin, end));
            }
        }
        let is_alone = at == 0 || self.all[at - 1].is_ascii_whitespace();
        let begins = |sign: &&&str| {
            // `$#`, `a#b`, `x;y` and a percentage are not comments.
            let must_be_alone = matches!(**sign, "#" | ";" | "%" | "rem " | "REM ");
            let may_begin = !must_be_alone || is_alone || (rest[0] == b';' && self.before == b')');
            rest.starts_with(sign.as_bytes()) && may_begin
        };
        self.lexicon.line.iter().find(begins)?;
        Some(at + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len()))
    }

    fn block_length(&self, begin: &str, end: &str) -> usize {
        let rest = self.rest();
        let (mut at, mut depth) = (begin.len(), 1_usize);
        while at < rest.len() {
            if rest[at..].starts_with(end.as_bytes()) {
                at += end.len();
                depth -= 1;
                if depth == 0 {
                    return at;
                }
            } else if self.lexicon.rules.nests && rest[at..].starts_with(begin.as_bytes()) {
                at += begin.len();
                depth += 1;
            } else {
                at += 1;
            }
        }
        rest.len()
    }
}
