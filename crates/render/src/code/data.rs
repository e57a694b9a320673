//! Rules for YAML, TOML and INI: keys at the beginning of a line, values without quotes,
//! multiline texts.

use super::Class;
use super::scanner::Scanner;

/// The longest key.
const MAX_KEY: usize = 128;

/// How far to look ahead for the end of a line.
const MAX_LOOKAHEAD: usize = 300;

impl Scanner<'_> {
    pub(super) fn yaml_part(&mut self, first: u8) -> Option<(Class, usize)> {
        let at = self.at;
        let rest = self.rest();
        if matches!(first, b'-' | b'?' | b':') && rest.get(1).is_none_or(u8::is_ascii_whitespace) {
            return Some((Class::Plain, at + 1));
        }
        if self.is_line_start() && (rest.starts_with(b"---") || rest.starts_with(b"...")) {
            return Some((Class::Keyword, at + 3));
        }
        let may_be_key = self.is_line_start() || matches!(self.before, b'-' | b'{' | b',');
        if may_be_key && let Some(end) = self.yaml_key_end() {
            return Some((Class::Name, end));
        }
        match first {
            b'|' | b'>' if matches!(self.before, b':' | b'-') => Some(self.yaml_text()),
            b'&' | b'*' if self.starts_word(at + 1) => {
                Some((Class::Variable, self.word_end(at + 1)))
            }
            b'!' => Some((Class::Keyword, at + word_length(rest))),
            b'[' | b'{' => {
                self.flow += 1;
                Some((Class::Plain, at + 1))
            }
            b']' | b'}' => {
                self.flow = self.flow.saturating_sub(1);
                Some((Class::Plain, at + 1))
            }
            b',' => Some((Class::Plain, at + 1)),
            b'"' | b'\'' => None,
            _ => {
                let length = self.yaml_value_length();
                let end = self.code.floor_char_boundary(at + length);
                let value = self.code.get(at..end)?.trim_end();
                let class = if self.is_own(self.lexicon.values, value) {
                    Class::Value
                } else if is_number(value) {
                    Class::Number
                } else {
                    Class::Bare
                };
                Some((class, at + value.len().max(1)))
            }
        }
    }

    /// The end of a key, before its colon.
    fn yaml_key_end(&self) -> Option<usize> {
        let rest = self.rest();
        let quote = Some(rest[0]).filter(|byte| matches!(byte, b'"' | b'\''));
        let from = match quote {
            Some(quote) => 2 + rest[1..].iter().take(MAX_KEY).position(|byte| *byte == quote)?,
            None => 0,
        };
        for (length, byte) in rest.iter().enumerate().skip(from).take(MAX_KEY) {
            match byte {
                b':' if rest.get(length + 1).is_none_or(u8::is_ascii_whitespace) => {
                    return (length > 0).then_some(self.at + length);
                }
                b'\n' | b'#' | b'{' | b'[' | b',' if quote.is_none() => return None,
                _ if quote.is_some() && *byte != b' ' => return None,
                _ => {}
            }
        }
        None
    }

    /// The length of a value without quotes: up to the end of the line or a comment, and
    /// within brackets up to the next bracket.
    fn yaml_value_length(&self) -> usize {
        let rest = self.rest();
        let line = line_of(rest);
        let mut length = 0;
        while let Some(byte) = line.get(length) {
            let is_comment = *byte == b'#' && length > 0 && line[length - 1] == b' ';
            if is_comment || (self.flow > 0 && matches!(byte, b',' | b']' | b'}')) {
                break;
            }
            length += 1;
        }
        length
    }

    /// `|` and the following lines that are indented deeper.
    fn yaml_text(&self) -> (Class, usize) {
        let start = self.code[..self.at].rfind('\n').map_or(0, |end| end + 1);
        let own = indent(&self.code[start..]);
        let rest = &self.code[self.at..];
        let mut lines = rest.split_inclusive('\n');
        let mut length = lines.next().map_or(0, str::len);
        for line in lines {
            if !line.trim().is_empty() && indent(line) <= own {
                break;
            }
            length += line.len();
        }
        (Class::Literal, self.at + length)
    }

    pub(super) fn toml_part(&mut self, first: u8) -> Option<(Class, usize)> {
        let at = self.at;
        let rest = self.rest();
        let line = line_of(rest);
        if first == b'[' && self.is_line_start() && self.before != b',' && self.before != b'[' {
            let end = line.iter().rposition(|byte| *byte == b']').filter(|_| !line.contains(&b','));
            return Some((Class::Name, at + end.map_or(1, |end| end + 1)));
        }
        let may_be_key = self.is_line_start() || matches!(self.before, b'{' | b',');
        if may_be_key {
            let end = line.iter().take(MAX_KEY).position(|byte| *byte == b'=');
            let key = end.map(|end| line[..end].trim_ascii_end()).filter(|key| is_key(key));
            if let Some(key) = key.filter(|key| !key.is_empty()) {
                return Some((Class::Name, at + key.len()));
            }
        }
        if first.is_ascii_digit() || (matches!(first, b'+' | b'-') && self.before == b'=') {
            let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.:+-".contains(byte);
            let length = rest.iter().take_while(is_part).count();
            return Some((Class::Number, at + length));
        }
        None
    }
}

/// The rest of a line.
fn line_of(rest: &[u8]) -> &[u8] {
    let rest = &rest[..rest.len().min(MAX_LOOKAHEAD)];
    rest.split(|byte| *byte == b'\n').next().unwrap_or_default()
}

fn is_key(key: &[u8]) -> bool {
    key.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-.\"' ".contains(byte))
}

fn is_number(value: &str) -> bool {
    let digits = value.trim_start_matches(['-', '+']);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_hexdigit() || b"._xo:TZ-".contains(&byte))
}

fn word_length(rest: &[u8]) -> usize {
    rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len())
}

fn indent(line: &str) -> usize {
    line.bytes().take_while(|byte| *byte == b' ').count()
}
