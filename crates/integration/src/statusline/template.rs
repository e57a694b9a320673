//! The template of the line.
//!
//! A template is a list of parts separated by `|`. A part is shown if one of its names
//! has a value, or if it has no name, so that the label of an unknown value is hidden
//! too.

use super::values::{NAMES, StatusValues};
use render::{Paint, Style};

/// The default template.
pub const DEFAULT_TEMPLATE: &str =
    "{model}|{context_bar} {context}|{cost}|{today} today|{block}|{budget}|{branch}";

const SEPARATOR: &str = " · ";

/// A parsed template.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Vec<Piece>>,
    /// The problems of the template, as messages.
    pub problems: Vec<String>,
}

#[derive(Debug, PartialEq, Eq)]
enum Piece {
    Words(String),
    Name(&'static str),
    /// An unknown field, which never has a value.
    Unknown,
}

impl Template {
    /// Parses a template. `{{`, `}}` and `||` are literal characters.
    pub fn parse(text: &str) -> Template {
        let mut template = Template::default();
        let mut part = Vec::new();
        let mut words = String::new();
        let mut rest = text.chars().peekable();
        while let Some(character) = rest.next() {
            match character {
                '{' | '}' | '|' if rest.peek() == Some(&character) => {
                    words.extend(rest.next());
                }
                '|' => {
                    part.push(Piece::Words(std::mem::take(&mut words)));
                    template.parts.push(std::mem::take(&mut part));
                }
                '{' => {
                    part.push(Piece::Words(std::mem::take(&mut words)));
                    let mut name = String::new();
                    let is_closed = loop {
                        match rest.next() {
                            Some('}') => break true,
                            Some(character) => name.push(character),
                            None => break false,
                        }
                    };
                    part.push(template.named(name.trim(), is_closed));
                }
                character => words.push(character),
            }
        }
        part.push(Piece::Words(words));
        template.parts.push(part);
        template
    }

    fn named(&mut self, name: &str, is_closed: bool) -> Piece {
        if !is_closed {
            self.problems.push(format!("the template has {{{name} without a closing }}"));
            return Piece::Unknown;
        }
        if let Some(known) = NAMES.iter().find(|known| **known == name) {
            return Piece::Name(known);
        }
        let names = NAMES.join(", ");
        self.problems.push(format!("unknown field {{{name}}} in the template: use one of {names}"));
        Piece::Unknown
    }

    /// The line; never empty.
    pub fn line(&self, values: &StatusValues, separator: Option<&str>, paint: Paint) -> String {
        let separator = render::untrusted::text(separator.unwrap_or(SEPARATOR)).replace('\n', " ");
        let parts = self.parts.iter().filter_map(|part| shown(part, values, paint));
        let parts: Vec<String> = parts.collect();
        if parts.is_empty() {
            return paint.paint(Style::Dim, "annals: no data yet");
        }
        parts.join(&paint.paint(Style::Dim, &separator))
    }
}

/// The text of a part, if it has any.
fn shown(part: &[Piece], values: &StatusValues, paint: Paint) -> Option<String> {
    let mut text = String::new();
    let (mut named, mut known) = (false, false);
    for piece in part {
        match piece {
            Piece::Words(words) => {
                let words = render::untrusted::text(words).replace('\n', " ");
                // A missing value leaves one space, not two.
                let is_double = text.ends_with(' ') || (text.is_empty() && named);
                text.push_str(if is_double { words.trim_start() } else { &words });
            }
            Piece::Unknown => named = true,
            Piece::Name(name) => {
                named = true;
                if let Some((value, style)) = values.get(name) {
                    known = true;
                    text.push_str(&paint.paint(style, value));
                }
            }
        }
    }
    let text = text.trim();
    ((known || !named) && !text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(template: &str, values: &[(&'static str, &str)]) -> String {
        let values = StatusValues::of_pairs(values);
        Template::parse(template).line(&values, None, Paint { enabled: false })
    }

    #[test]
    fn parts_without_a_value_are_left_out() {
        let values = [("model", "Opus"), ("context", "42%"), ("branch", "main")];
        let table = [
            (DEFAULT_TEMPLATE, "Opus · 42% · main"),
            ("{model} in {branch}", "Opus in main"),
            ("{model} {cost} {branch}", "Opus main"),
            ("{cost} today|{branch}", "main"),
            ("hello|{cost} spent", "hello"),
            ("{{{model}}} a||b", "{Opus} a|b"),
            ("{cost}", "annals: no data yet"),
            ("", "annals: no data yet"),
            ("||||", "||"),
            ("{weather} {model}", "Opus"),
            ("{model}|{cost", "Opus"),
            ("}", "}"),
            ("a\u{1b}[2Jb\nc", "a\\u{1b}[2Jb c"),
        ];
        for (template, expected) in table {
            assert_eq!(line(template, &values), expected, "{template:?}");
        }
    }

    #[test]
    fn an_unknown_name_is_a_problem() {
        assert_eq!(Template::parse(DEFAULT_TEMPLATE).problems, [""; 0]);
        let problems = Template::parse("{weather}|{model").problems;
        assert!(
            problems[0].starts_with("unknown field {weather} in the template: use one of model,")
        );
        assert_eq!(problems[1], "the template has {model without a closing }");
    }
}
