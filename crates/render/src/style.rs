//! What colours mean, once for all output.

/// A meaning that can be shown in colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As it is.
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
}

/// Whether output is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint {
    /// Whether it is.
    pub enabled: bool,
}

impl Paint {
    /// The text in a style.
    pub fn paint(self, style: Style, text: &str) -> String {
        let code = match style {
            Style::Heading => "1",
            Style::Id => "36",
            Style::Dim => "2",
            Style::Accent => "35",
            Style::Good => "32",
            Style::Warning => "33",
            Style::Bad => "31",
            Style::Plain => "",
        };
        if !self.enabled || code.is_empty() || text.is_empty() {
            return text.to_owned();
        }
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}
