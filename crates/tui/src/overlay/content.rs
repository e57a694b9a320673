//! What a window shows, whatever its width: tables, lines, prose, diffs.

use super::{Goto, WindowKind, WindowLine};
use crate::session::layout::wrapped_line;
use crate::text;
use crate::theme::Theme;
use ratatui::text::Line;
use render::{Paint, Style, Table};

/// What happens when a line is chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The screen below goes somewhere.
    Goto(Goto),
    /// Another window opens.
    Window(WindowKind),
}

/// A part of a window's content. Texts are untrusted.
#[derive(Clone, Debug)]
pub(crate) enum Block {
    /// A table, and where its rows lead.
    Table(Table, Vec<Option<Choice>>),
    /// A line, cut to the width.
    Line(String, Style, Option<Choice>),
    /// A line with so much before it.
    Indented(usize, String, Style, Option<Choice>),
    /// Markdown.
    Markdown(String),
    /// A unified diff: at most this number of its lines.
    Diff(String, usize),
    /// An empty line.
    Gap,
}

/// What a window shows.
#[derive(Clone, Debug, Default)]
pub struct Content {
    blocks: Vec<Block>,
}

const PAINT: Paint = Paint { enabled: true };

impl Content {
    pub(crate) fn new(blocks: Vec<Block>) -> Content {
        Content { blocks }
    }

    /// One line, for a window without content.
    pub(crate) fn note(text: &str) -> Content {
        Content::new(vec![Block::Line(text.to_owned(), Style::Dim, None)])
    }

    /// Whether a line can be chosen.
    pub(crate) fn has_choices(&self) -> bool {
        self.blocks.iter().any(|block| match block {
            Block::Table(_, choices) => choices.iter().any(Option::is_some),
            Block::Line(_, _, choice) | Block::Indented(_, _, _, choice) => choice.is_some(),
            Block::Markdown(_) | Block::Diff(..) | Block::Gap => false,
        })
    }

    /// Its lines at a width.
    pub(crate) fn lines(&self, width: usize, theme: Theme) -> Vec<WindowLine> {
        let mut lines: Vec<WindowLine> = Vec::new();
        let mut add = |painted: &str, choices: &mut dyn Iterator<Item = Option<Choice>>| {
            for line in text::painted(painted, &theme) {
                let choice = choices.next().flatten();
                let mut wrapped = wrapped_line(line, width).into_iter();
                lines.extend(wrapped.next().map(|line| (line, choice)));
                lines.extend(wrapped.map(|line| (line, None)));
            }
        };
        for block in &self.blocks {
            match block {
                Block::Table(table, choices) => {
                    // The first line has the titles of the columns.
                    let mut choices = std::iter::once(None).chain(choices.iter().cloned());
                    add(&table.render(Some(width), PAINT), &mut choices);
                }
                Block::Line(text, style, choice) => {
                    let text = render::cut(&render::untrusted::line(text), Some(width));
                    add(&PAINT.paint(*style, &text), &mut std::iter::once(choice.clone()));
                }
                Block::Indented(indent, text, style, choice) => {
                    let indent = (*indent).min(width / 2);
                    let text = render::cut(&render::untrusted::line(text), Some(width - indent));
                    let text = format!("{}{}", " ".repeat(indent), PAINT.paint(*style, &text));
                    add(&text, &mut std::iter::once(choice.clone()));
                }
                Block::Markdown(text) => {
                    add(
                        &render::markdown(text.trim(), Some(width), PAINT),
                        &mut std::iter::empty(),
                    );
                }
                Block::Diff(unified, most) => {
                    let shown = unified.lines().map(|line| render::cut(line, Some(width)));
                    let shown = shown.collect::<Vec<_>>().join("\n");
                    add(&render::diff(&shown, PAINT, *most), &mut std::iter::empty());
                }
                Block::Gap => add("\n", &mut std::iter::empty()),
            }
        }
        if lines.is_empty() {
            lines.push((Line::default(), None));
        }
        lines
    }
}
