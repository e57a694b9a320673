//! The meanings of colours, for all output.

/// A meaning that can be shown in colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Unstyled.
    Plain,
    /// The title of a section or column.
    Heading,
    /// Something to copy: an id.
    Id,
    /// Less important.
    Dim,
    /// Worth noticing.
    Accent,
    /// All is well.
    Good,
    /// Something will go wrong.
    Warning,
    /// Something is wrong.
    Bad,
    /// Bold text.
    Strong,
    /// Italic text.
    Emphasis,
    /// Struck-through text.
    Struck,
    /// Code within prose.
    Code,
    /// A keyword of a programming language.
    Keyword,
    /// A string within code.
    Literal,
    /// A number or another constant within code.
    Constant,
    /// A name that code defines or calls.
    Name,
}

impl Style {
    /// The parameter of the escape sequence; only the sixteen colours, which suit every
    /// theme. Empty for unstyled text.
    pub(crate) fn parameter(self) -> &'static str {
        match self {
            Style::Plain => "",
            Style::Heading | Style::Strong => "1",
            Style::Dim => "2",
            Style::Emphasis => "3",
            Style::Struck => "9",
            Style::Bad => "31",
            Style::Good | Style::Literal => "32",
            Style::Warning | Style::Constant => "33",
            Style::Accent | Style::Keyword => "35",
            Style::Id | Style::Code | Style::Name => "36",
        }
    }
}

/// Whether output is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint {
    /// Whether colours are on.
    pub enabled: bool,
}

impl Paint {
    /// The text in a style.
    pub fn paint(self, style: Style, text: &str) -> String {
        let code = style.parameter();
        if !self.enabled || code.is_empty() || text.is_empty() {
            return text.to_owned();
        }
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

/// The text without the escape sequences that this crate writes, for tests that search
/// for others.
#[cfg(test)]
pub(crate) fn unpainted(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\u{1b}[") {
        let parameters = &rest[at + 2..];
        let end = parameters.find(|c: char| c != ';' && !c.is_ascii_digit());
        match end {
            Some(end) if parameters[end..].starts_with('m') => {
                plain.push_str(&rest[..at]);
                rest = &parameters[end + 1..];
            }
            _ => {
                plain.push_str(&rest[..at + 2]);
                rest = parameters;
            }
        }
    }
    plain + rest
}
