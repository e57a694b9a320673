//! The scanner: finds the class and the end of the part at the current position.
//!
//! Every byte is visited once; lookahead is bounded. Strings that contain code are kept
//! as frames, so that the code is split as well and the string continues after it.

use super::Class;
use super::lexicon::{Family, Lexicon};
use super::shell::Shell;
use super::strings::{Frame, OpenString};

/// The separator between line number and line in the output of the Read tool.
pub(super) const ARROW: &[u8] = "→".as_bytes();

/// The longest text that is taken for a regular expression.
const MAX_REGEX: usize = 500;

/// Words after which a name is defined.
const DEFINING: [&str; 20] = [
    "class",
    "def",
    "defmodule",
    "defn",
    "defp",
    "enum",
    "fn",
    "fun",
    "func",
    "function",
    "interface",
    "mod",
    "module",
    "namespace",
    "package",
    "protocol",
    "struct",
    "trait",
    "type",
    "union",
];

pub(super) struct Scanner<'c> {
    pub(super) code: &'c str,
    pub(super) all: &'c [u8],
    pub(super) lexicon: &'static Lexicon,
    pub(super) at: usize,
    /// The strings around the current code, the innermost last.
    pub(super) frames: Vec<Frame>,
    /// The open string.
    pub(super) open: Option<OpenString>,
    /// Whether the last word announces a name.
    defines: bool,
    /// The last byte of code that was not white space.
    pub(super) before: u8,
    /// Whether the last word was a keyword: a value follows.
    after_keyword: bool,
    /// Whether the position is within a tag.
    in_tag: bool,
    /// The number of open YAML brackets.
    pub(super) flow: usize,
    pub(super) shell: Shell<'c>,
}

impl<'c> Scanner<'c> {
    pub(super) fn new(code: &'c str, lexicon: &'static Lexicon) -> Self {
        Scanner {
            code,
            all: code.as_bytes(),
            lexicon,
            at: 0,
            frames: Vec::new(),
            open: None,
            defines: false,
            before: b'\n',
            after_keyword: false,
            in_tag: false,
            flow: 0,
            shell: Shell::new(),
        }
    }

    /// The class and the end of the next part; `None` at the end.
    pub(super) fn next_part(&mut self) -> Option<(Class, usize)> {
        let start = self.at;
        let first = *self.all.get(start)?;
        let (class, end) = match self.open.take() {
            Some(open) => self.string_part(open),
            None => self.code_part(first),
        };
        // Never backwards, never inside a character.
        let end = self.code.ceil_char_boundary(end.clamp(start + 1, self.all.len()));
        self.at = end;
        let part = &self.all[start..end];
        if part.ends_with(ARROW) {
            // The line starts after its number.
            self.before = b'\n';
        } else if class != Class::Comment
            && let Some(byte) = part.iter().rfind(|byte| !byte.is_ascii_whitespace())
        {
            self.before = *byte;
        }
        Some((class, end))
    }

    fn code_part(&mut self, first: u8) -> (Class, usize) {
        let at = self.at;
        let family = self.lexicon.rules.family;
        if first == b'\n' {
            return self.line_end();
        }
        if first.is_ascii_whitespace() {
            return (Class::Plain, at + 1);
        }
        if first.is_ascii_punctuation()
            && first != b'_'
            && self.lexicon.rules.family != Family::Markup
        {
            // `func (receiver) name`, `class {`: the name does not follow.
            self.defines = false;
        }
        if let Some(end) = self.line_number_end(first) {
            return (Class::Plain, end);
        }
        if let Some(end) = self.comment_end() {
            return (Class::Comment, end);
        }
        if let Some(part) = self.frame_part(first) {
            return part;
        }
        if let Some(part) = match family {
            Family::Shell => self.shell_part(first),
            Family::Yaml => self.yaml_part(first),
            Family::Toml => self.toml_part(first),
            Family::Markup => self.markup_part(first),
            Family::Css => self.css_part(first),
            Family::Latex => self.latex_part(first),
            Family::Rust => self.rust_part(first),
            Family::C => self.preprocessor_part(first),
            Family::Script => self.regex_end(first).map(|end| (Class::Literal, end)),
            _ => None,
        } {
            return part;
        }
        match first {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => self.word_part(),
            b'0'..=b'9' => (Class::Number, self.number_end(at)),
            b'@' if self.lexicon.rules.decorators && self.starts_word(at + 1) => {
                (Class::Name, self.dotted_end(at + 1))
            }
            _ => self.string_start(at, 0).unwrap_or((Class::Plain, at + 1)),
        }
    }

    fn line_end(&mut self) -> (Class, usize) {
        self.defines = false;
        self.after_keyword = false;
        while self.frames.last().is_some_and(|frame| !frame.open.is_multiline()) {
            self.frames.pop();
        }
        if self.lexicon.rules.family == Family::Shell {
            return self.shell_line_end();
        }
        (Class::Plain, self.at + 1)
    }

    pub(super) fn rest(&self) -> &'c [u8] {
        &self.all[self.at..]
    }

    /// The end of a line number with its arrow.
    fn line_number_end(&self, first: u8) -> Option<usize> {
        if !first.is_ascii_digit() && first != ARROW[0] {
            return None;
        }
        let digits = self.rest().iter().take(9).take_while(|byte| byte.is_ascii_digit()).count();
        let end = self.at + digits;
        self.all[end..].starts_with(ARROW).then_some(end + ARROW.len())
    }

    /// Whether only white space and a line number precede the position on its line.
    pub(super) fn is_line_start(&self) -> bool {
        let before = self.all[..self.at].trim_ascii_end();
        before.is_empty()
            || before.ends_with(ARROW)
            || self.all[before.len()..self.at].contains(&b'\n')
    }

    pub(super) fn is_word(&self, byte: u8) -> bool {
        byte.is_ascii_alphanumeric()
            || byte == b'_'
            || byte >= 0x80
            || (byte == b'-' && self.lexicon.rules.dashes)
    }

    pub(super) fn starts_word(&self, at: usize) -> bool {
        self.is_word_at(at) && !self.all[at].is_ascii_digit()
    }

    /// Whether a word goes on or begins here. The separator after a line number is in none.
    fn is_word_at(&self, at: usize) -> bool {
        self.word_end(at) > at
    }

    pub(super) fn word_end(&self, start: usize) -> usize {
        let rest = &self.all[start.min(self.all.len())..];
        let arrow = |at: usize| rest[at] == ARROW[0] && rest[at..].starts_with(ARROW);
        let length = (0..rest.len()).find(|at| !self.is_word(rest[*at]) || arrow(*at));
        start + length.unwrap_or(rest.len())
    }

    fn dotted_end(&self, start: usize) -> usize {
        let mut end = self.word_end(start);
        while self.all.get(end) == Some(&b'.') && self.starts_word(end + 1) {
            end = self.word_end(end + 1);
        }
        end
    }

    fn word_part(&mut self) -> (Class, usize) {
        let (at, rules) = (self.at, self.lexicon.rules);
        let end = self.word_end(at);
        let word = &self.code[at..end];
        if rules.prefixes.iter().any(|prefix| prefix.eq_ignore_ascii_case(word))
            && let Some(part) = self.string_start(end, end - at)
        {
            return part;
        }
        let defines = std::mem::take(&mut self.defines);
        // A member can have any name: `error.type`, `this.default`.
        let is_member = self.all[..at].ends_with(b".") && !self.all[..at].ends_with(b"..");
        if (!is_member || word == "await") && self.is_own(self.lexicon.keywords, word) {
            self.defines = DEFINING.contains(&word);
            self.after_keyword = true;
            return (Class::Keyword, end);
        }
        self.after_keyword = false;
        if !is_member && self.is_own(self.lexicon.values, word) {
            return (Class::Value, end);
        }
        let is_type = !is_member && self.lexicon.types.binary_search(&word).is_ok();
        (self.name_class(word, end, defines || is_type), end)
    }

    fn name_class(&self, word: &str, end: usize, is_known: bool) -> Class {
        let rules = self.lexicon.rules;
        let next = self.all.get(end).copied().unwrap_or(0);
        let is_call = rules.calls && next == b'(';
        let is_macro = rules.family == Family::Rust
            && next == b'!'
            && !matches!(self.all.get(end + 1), Some(b'='));
        if is_known || is_call || is_macro {
            return Class::Name;
        }
        let mut letters = word.bytes().filter(u8::is_ascii_alphabetic);
        if !rules.types || !word.starts_with(|c: char| c.is_ascii_uppercase()) {
            return Class::Plain;
        }
        // A single capital is a type parameter.
        let is_constant = word.len() > 1 && letters.all(|letter| letter.is_ascii_uppercase());
        if is_constant { Class::Constant } else { Class::Name }
    }

    pub(super) fn is_own(&self, words: &[&str], word: &str) -> bool {
        if !self.lexicon.rules.any_case {
            return words.binary_search(&word).is_ok();
        }
        // No keyword is longer; do not copy a long word.
        word.len() <= 16 && words.binary_search(&word.to_ascii_uppercase().as_str()).is_ok()
    }

    pub(super) fn number_end(&self, start: usize) -> usize {
        let mut end = start;
        while let Some(byte) = self.all.get(end) {
            let next_is_digit = self.all.get(end + 1).is_some_and(u8::is_ascii_digit);
            let is_exponent = || {
                matches!(self.all[end - 1], b'e' | b'E')
                    && self.all[start].is_ascii_digit()
                    && !self.all[start..end].starts_with(b"0x")
            };
            let goes_on = byte.is_ascii_alphanumeric()
                || *byte == b'_'
                || (*byte == b'.' && next_is_digit)
                || (matches!(byte, b'+' | b'-') && end > start && next_is_digit && is_exponent());
            if !goes_on {
                break;
            }
            end += 1;
        }
        end
    }

    /// Characters, lifetimes and raw strings.
    fn rust_part(&mut self, first: u8) -> Option<(Class, usize)> {
        let at = self.at;
        match first {
            b'\'' => {
                let rest = &self.code[at + 1..];
                let mut characters = rest.char_indices();
                let (_, character) = characters.next()?;
                if character == '\\' {
                    let end = rest.bytes().take(12).skip(2).position(|byte| byte == b'\'')?;
                    return Some((Class::Literal, at + end + 4));
                }
                match characters.next() {
                    Some((next, '\'')) => Some((Class::Literal, at + next + 2)),
                    _ if self.starts_word(at + 1) => Some((Class::Keyword, self.word_end(at + 1))),
                    _ => None,
                }
            }
            b'r' | b'b' | b'c' => {
                if self.rest().starts_with(b"r#") && self.starts_word(at + 2) {
                    return Some((Class::Plain, self.word_end(at + 2)));
                }
                let raw = self.rest().iter().take(2).position(|byte| *byte == b'r')?;
                let hashes = &self.all[at + raw + 1..];
                let count = hashes.iter().take_while(|byte| **byte == b'#').count();
                if hashes.get(count) != Some(&b'"') {
                    return None;
                }
                let close = format!("\"{}", &self.code[at + raw + 1..at + raw + 1 + count]);
                let start = at + raw + 1 + count + 1;
                let end = self.code[start..].find(&close).map(|end| start + end + close.len());
                Some((Class::Literal, end.unwrap_or(self.all.len())))
            }
            _ => None,
        }
    }

    /// `#define`, and `<name>` after `#include`.
    fn preprocessor_part(&self, first: u8) -> Option<(Class, usize)> {
        let at = self.at;
        match first {
            b'#' if self.is_line_start() => Some((Class::Keyword, self.word_end(at + 1))),
            b'<' if self.all[..at].trim_ascii_end().ends_with(b"#include") => {
                let end =
                    self.rest().iter().take(200).position(|byte| matches!(byte, b'>' | b'\n'))?;
                Some((Class::Literal, at + end + 1))
            }
            _ => None,
        }
    }

    /// The end of the regular expression that begins here.
    fn regex_end(&self, first: u8) -> Option<usize> {
        let begins = b"(,=:[!&|?{};\n".contains(&self.before) || self.after_keyword;
        if first != b'/' || !begins {
            return None;
        }
        let (mut in_class, mut at) = (false, self.at + 1);
        while at < self.at + MAX_REGEX {
            match self.all.get(at)? {
                b'\n' => return None,
                b'\\' => at += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => return Some(self.word_end(at + 1)),
                _ => {}
            }
            at += 1;
        }
        None
    }

    fn markup_part(&mut self, first: u8) -> Option<(Class, usize)> {
        let at = self.at;
        match first {
            b'<' => {
                let sign = matches!(self.all.get(at + 1), Some(b'/' | b'?' | b'!'));
                let name = at + 1 + usize::from(sign);
                self.in_tag = self.starts_word(name);
                self.defines = self.in_tag;
                Some((Class::Plain, if self.in_tag { name } else { at + 1 }))
            }
            b'>' => {
                self.in_tag = false;
                Some((Class::Plain, at + 1))
            }
            b'&' => {
                let end = self.word_end(at + 1 + usize::from(self.all.get(at + 1) == Some(&b'#')));
                let is_entity = self.all.get(end) == Some(&b';');
                is_entity.then_some((Class::Escape, end + 1))
            }
            _ if self.in_tag && self.defines => {
                self.defines = false;
                let mut end = self.word_end(at);
                while matches!(self.all.get(end), Some(b':' | b'.')) && self.starts_word(end + 1) {
                    end = self.word_end(end + 1);
                }
                Some((Class::Name, end))
            }
            _ if self.in_tag => None,
            _ => Some((Class::Plain, at + 1)),
        }
    }

    fn css_part(&mut self, first: u8) -> Option<(Class, usize)> {
        let at = self.at;
        match first {
            b'@' | b'!' => Some((Class::Keyword, self.word_end(at + 1))),
            b'#' | b'.' if self.is_word_at(at + 1) => {
                let end = self.word_end(at + 1);
                let name = &self.all[at + 1..end];
                if first == b'.' && name[0].is_ascii_digit() {
                    return Some((Class::Number, end));
                }
                let is_value = self.before == b':' || name[0].is_ascii_digit();
                Some((if is_value { Class::Number } else { Class::Name }, end))
            }
            b'-' | b'a'..=b'z' if self.starts_word(at) && b"{;\n".contains(&self.before) => {
                let end = self.word_end(at);
                (self.all.get(end) == Some(&b':')).then_some((Class::Name, end))
            }
            b'-' if self.starts_word(at) => Some((Class::Plain, self.word_end(at))),
            b'0'..=b'9' => {
                let end = self.number_end(at);
                Some((Class::Number, end + usize::from(self.all.get(end) == Some(&b'%'))))
            }
            _ => None,
        }
    }

    fn latex_part(&mut self, first: u8) -> Option<(Class, usize)> {
        (first == b'\\').then(|| (Class::Keyword, self.word_end(self.at + 1).max(self.at + 2)))
    }
}
