//! Shell rules: which word is a command, variables, and here-documents (`<<EOF`).

use super::Class;
use super::scanner::{ARROW, Scanner};

/// The state within a shell command line.
pub(super) struct Shell<'c> {
    /// Whether the next word is a command.
    is_command: bool,
    /// Whether `in` may follow.
    expects_in: bool,
    /// The number of open `case`s.
    cases: usize,
    /// The line that ends the here-document after this line.
    ending: Option<&'c str>,
}

/// The bytes that end the name of a command.
const ENDS_WORD: &[u8] = b" \t\n;|&()<>\"'`$";

impl Shell<'_> {
    pub(super) fn new() -> Self {
        Shell { is_command: true, expects_in: false, cases: 0, ending: None }
    }

    pub(super) fn begin_command(&mut self) {
        self.is_command = true;
    }
}

impl Scanner<'_> {
    pub(super) fn shell_part(&mut self, first: u8) -> Option<(Class, usize)> {
        let at = self.at;
        let starts_word = at == 0
            || b" \t\n;|&()`".contains(&self.all[at - 1])
            || self.all[..at].ends_with(ARROW);
        // `NAME="value" command`
        let is_assigned = self.all[..at].ends_with(b"=");
        match first {
            b'\\' => {
                // The command continues on this line or the next.
                return Some((Class::Plain, at + 2));
            }
            b'>' | b'<' if self.rest()[1..].starts_with(b"&") => {
                let digits = self.rest()[2..].iter().take_while(|byte| byte.is_ascii_digit());
                return Some((Class::Plain, at + 2 + digits.count()));
            }
            b'&' if self.rest().starts_with(b"&>") => return Some((Class::Plain, at + 2)),
            b';' | b'|' | b'&' | b'(' | b'`' | b'{' | b'}' | b'!'
                if starts_command(self.rest()) =>
            {
                self.shell.is_command = true;
                return Some((Class::Plain, at + 1));
            }
            b'<' if self.rest().starts_with(b"<<") => return Some(self.here_document_after()),
            b'$' if self.rest().starts_with(b"$'") => {
                self.shell.is_command &= is_assigned;
                return None;
            }
            // A prompt.
            b'$' if self.shell.is_command && self.rest()[1..].starts_with(b" ") => {
                return Some((Class::Plain, at + 1));
            }
            b'$' => {
                self.shell.is_command &= is_assigned;
                if self.rest().starts_with(b"$(") {
                    self.shell.is_command = true;
                    return Some((Class::Plain, at + 2));
                }
                return Some((Class::Variable, self.variable_end(at).unwrap_or(at + 1)));
            }
            b'"' | b'\'' => {
                self.shell.is_command &= is_assigned;
                return None;
            }
            b')' => {
                // A command follows a pattern.
                self.shell.is_command = self.shell.cases > 0;
                return Some((Class::Plain, at + 1));
            }
            _ => {}
        }
        let rest = self.rest();
        let length = rest.iter().position(|byte| ENDS_WORD.contains(byte)).unwrap_or(rest.len());
        if length == 0 {
            return Some((Class::Plain, at + 1));
        }
        let word = self.code.get(at..at + length)?;
        if !starts_word {
            return Some((Class::Plain, at + length));
        }
        Some((self.shell_word(word), at + self.shell_word_length(word)))
    }

    fn shell_word_length(&self, word: &str) -> usize {
        // `NAME=value command`: the value can be any text.
        match word.find('=') {
            Some(end) if self.shell.is_command && is_name(&word[..end]) => end + 1,
            _ => word.len(),
        }
    }

    fn shell_word(&mut self, word: &str) -> Class {
        if self.shell.expects_in && word == "in" {
            self.shell.expects_in = false;
            return Class::Keyword;
        }
        if self.shell.is_command {
            if word.split_once('=').is_some_and(|(name, _)| is_name(name)) {
                return Class::Plain;
            }
            if self.is_own(self.lexicon.keywords, word) {
                self.shell.expects_in = matches!(word, "for" | "case" | "select");
                match word {
                    "case" => self.shell.cases += 1,
                    "esac" => self.shell.cases = self.shell.cases.saturating_sub(1),
                    _ => {}
                }
                self.shell.is_command = matches!(
                    word,
                    "function"
                        | "if"
                        | "then"
                        | "elif"
                        | "else"
                        | "do"
                        | "while"
                        | "until"
                        | "time"
                        | "exec"
                );
                return Class::Keyword;
            }
            let is_pattern =
                self.shell.cases > 0 && self.all.get(self.at + word.len()) == Some(&b')');
            if is_pattern || word == "%" {
                return Class::Plain;
            }
            self.shell.is_command = matches!(word, "sudo" | "env" | "xargs" | "nohup" | "nice");
            return Class::Command;
        }
        if word.starts_with('-') && word.len() > 1 {
            return Class::Variable;
        }
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        let next = self.all.get(self.at + word.len());
        // `2>` is a redirection.
        let is_redirected = matches!(next, Some(b'<' | b'>'));
        if is_number && !is_redirected { Class::Number } else { Class::Plain }
    }

    /// The end of the variable that begins here.
    pub(super) fn variable_end(&self, at: usize) -> Option<usize> {
        if self.all[at] != b'$' {
            return None;
        }
        match *self.all.get(at + 1)? {
            b'{' => {
                let end = self.all[at..]
                    .iter()
                    .take(200)
                    .position(|byte| matches!(byte, b'}' | b'\n'))?;
                (self.all[at + end] == b'}').then_some(at + end + 1)
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Some(self.word_end(at + 1)),
            b'0'..=b'9' | b'?' | b'#' | b'@' | b'*' | b'$' | b'!' | b'-' => Some(at + 2),
            _ => None,
        }
    }

    /// `<<EOF`: stores the line that ends the here-document, which begins on the next line.
    fn here_document_after(&mut self) -> (Class, usize) {
        let (at, rest) = (self.at, self.rest());
        if rest.starts_with(b"<<<") {
            return (Class::Plain, at + 3);
        }
        let signs = |byte: &&u8| matches!(byte, b'-' | b'~' | b' ' | b'\'' | b'"' | b'\\');
        let start = at + 2 + rest[2..].iter().take(4).take_while(signs).count();
        let end = self.word_end(start);
        if !self.starts_word(start) {
            return (Class::Plain, at + 2);
        }
        self.shell.ending = Some(&self.code[start..end]);
        let closing = usize::from(matches!(self.all.get(end), Some(b'\'' | b'"')));
        (Class::Plain, end + closing)
    }

    pub(super) fn shell_line_end(&mut self) -> (Class, usize) {
        let at = self.at;
        if at == 0 || self.all[at - 1] != b'\\' {
            self.shell.is_command = true;
            self.shell.expects_in = false;
        }
        let Some(ending) = self.shell.ending.take() else { return (Class::Plain, at + 1) };
        let mut end = at + 1;
        for line in self.code[at + 1..].split_inclusive('\n') {
            if line.trim() == ending {
                return (Class::Literal, end + line.trim_end_matches('\n').len());
            }
            end += line.len();
        }
        (Class::Literal, end)
    }
}

/// Whether a character begins a command: a brace does if a space follows.
fn starts_command(rest: &[u8]) -> bool {
    match rest[0] {
        b'{' | b'}' | b'!' => rest.get(1).is_none_or(u8::is_ascii_whitespace),
        _ => true,
    }
}

fn is_name(text: &str) -> bool {
    let text = text.strip_suffix('+').unwrap_or(text);
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
