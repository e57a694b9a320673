//! Code split into parts in one pass over its bytes: comments, strings, numbers,
//! keywords, names. The terminal (`highlight`) and the page (`html::code`) colour the
//! same parts; [`APPEARANCES`] defines how a part looks in each.
//!
//! A grammar of regular expressions is more exact and more expensive: syntect took
//! 1.5 MB of the binary and a tenth of a second at the first block, and had no grammar
//! for TOML and TypeScript. This pass is linear in its input whatever the code is, and
//! continues after invalid code.
//!
//! `names` maps the names on fences to languages, `lexicon` describes each language, and
//! `scanner` splits the code, with special rules in `strings`, `shell` and `data`.
//! Deliberately not here: guessing a language from its code.

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

/// The longest block that is coloured: longer ones are machine-made.
pub(crate) const MAX_BYTES: usize = 64 * 1024;

/// A language that a fence names.
#[derive(Clone, Copy)]
pub(crate) enum Language {
    /// A unified diff, which is coloured by line.
    Diff,
    /// A language that is split into parts.
    Code(&'static Lexicon),
}

/// The class of a part of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Operators, variables, white space.
    Plain,
    /// A comment.
    Comment,
    /// A string.
    Literal,
    /// A value without quotes.
    Bare,
    /// An escape or a placeholder in a string.
    Escape,
    /// A key in quotes.
    QuotedKey,
    /// A number.
    Number,
    /// A name in capitals.
    Constant,
    /// A variable or an option of a shell.
    Variable,
    /// `true`, `null` and the like.
    Value,
    /// A keyword.
    Keyword,
    /// A name that is defined or called; a type; a key.
    Name,
    /// A command of a shell.
    Command,
}

/// The style of each class on a terminal, and its element on a page. The elements are the
/// shortest in HTML, and fewer than the colours, because a page has many.
const APPEARANCES: [(Class, Style, &str); 13] = [
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
        APPEARANCES[self as usize].1
    }

    pub(crate) fn element(self) -> &'static str {
        APPEARANCES[self as usize].2
    }
}

/// Calls a function with the parts of the code that look different, in order. Together
/// they are the whole code.
pub(crate) fn for_each_part<'c, L: Copy + PartialEq>(
    code: &'c str,
    lexicon: &'static Lexicon,
    look: impl Fn(Class) -> L,
    mut each: impl FnMut(L, &'c str),
) {
    let mut scanner = Scanner::new(code, lexicon);
    let (mut from, mut last, mut own) = (0, Class::Plain, look(Class::Plain));
    let mut at = 0;
    while let Some((class, end)) = scanner.next_part() {
        // Most parts look like the one before; looks may be names, which take longer to
        // compare.
        if class != last {
            last = class;
            let next = look(class);
            if next != own {
                if from < at {
                    each(own, &code[from..at]);
                }
                (from, own) = (at, next);
            }
        }
        at = end;
    }
    if from < at {
        each(own, &code[from..at]);
    }
}
