//! Code taken apart in one pass over its bytes: comments, strings, numbers, words
//! of the language, names. The terminal (`highlight`) and the page (`html::code`)
//! colour the same parts; [`LOOKS`] says how a part looks in each.
//!
//! A grammar of regular expressions knows more and costs more: syntect was
//! 1.5 MB of the binary, a tenth of a second at the first block, and had no
//! grammar for TOML and TypeScript. This pass is linear in its input whatever the
//! code is, and carries on where code is broken.
//!
//! `names` knows the languages by the names on fences, `lexicon` what each is
//! made of, `scanner` walks, with `strings`, `shell` and `data` for what needs
//! rules of its own. Deliberately not here: guessing a language from its code.

mod data;
mod lexicon;
mod names;
mod scanner;
mod shell;
mod strings;
#[cfg(test)]
mod tests;
mod words;

use crate::style::Style;
use lexicon::Lexicon;
pub(crate) use names::find_language;
use scanner::Scanner;

/// Bytes of one block that are coloured: longer ones are made by machines.
pub(crate) const MOST_BYTES: usize = 64 * 1024;

/// A language that a fence names.
#[derive(Clone, Copy)]
pub(crate) enum Language {
    /// A unified diff, whose lines are coloured whole.
    Diff,
    /// Anything that is taken apart.
    Code(&'static Lexicon),
}

/// What a part of code is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Operators, variables, white space.
    Plain,
    /// A comment.
    Comment,
    /// A string.
    Literal,
    /// A value that is written without quotes.
    Bare,
    /// An escape or a placeholder in a string.
    Escape,
    /// A key that is written as a string.
    QuotedKey,
    /// A number.
    Number,
    /// A name in capitals.
    Constant,
    /// A variable or an option of a shell.
    Variable,
    /// `true`, `null` and the like.
    Value,
    /// A word of the language.
    Keyword,
    /// What is defined or called; a type; a key.
    Name,
    /// What a shell runs.
    Command,
}

/// How each class looks on a terminal, and its element in a page. Elements are
/// the shortest there are, and fewer than colours, because a page has many.
const LOOKS: [(Class, Style, &str); 13] = [
    (Class::Plain, Style::Plain, ""),
    (Class::Comment, Style::Dim, "i"),
    (Class::Literal, Style::Literal, "u"),
    (Class::Bare, Style::Literal, ""),
    (Class::Escape, Style::Constant, "u"),
    (Class::QuotedKey, Style::Name, "u"),
    (Class::Number, Style::Constant, "em"),
    (Class::Constant, Style::Constant, ""),
    (Class::Variable, Style::Constant, ""),
    (Class::Value, Style::Constant, "b"),
    (Class::Keyword, Style::Keyword, "b"),
    (Class::Name, Style::Name, ""),
    (Class::Command, Style::Name, "b"),
];

impl Class {
    pub(crate) fn style(self) -> Style {
        LOOKS[self as usize].1
    }

    pub(crate) fn element(self) -> &'static str {
        LOOKS[self as usize].2
    }
}

/// Hands out code in parts that look different, in order. Together they are the
/// code.
pub(crate) fn for_each_part<'c, L: Copy + PartialEq>(
    code: &'c str,
    lexicon: &'static Lexicon,
    look: impl Fn(Class) -> L,
    mut each: impl FnMut(L, &'c str),
) {
    let mut scanner = Scanner::new(code, lexicon);
    let (mut from, mut own) = (0, look(Class::Plain));
    let mut at = 0;
    while let Some((class, end)) = scanner.next_part() {
        let next = look(class);
        if next != own {
            if from < at {
                each(own, &code[from..at]);
            }
            (from, own) = (at, next);
        }
        at = end;
    }
    if from < at {
        each(own, &code[from..at]);
    }
}
