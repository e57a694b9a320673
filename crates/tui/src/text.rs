//! Text for the screen. Text from transcripts reaches it only through the functions here,
//! which take it through `render::untrusted`.
//!
//! Deliberately not here: how a turn looks (`render`), and where lines go.

use crate::theme::Theme;
use library::search::Query;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use std::borrow::Cow;

/// How wide a tab is: `render` leaves those of code alone.
const TAB: usize = 4;

/// A piece of untrusted text on one line: white space becomes single spaces.
pub fn span(text: &str, style: Style) -> Span<'static> {
    Span::styled(render::untrusted::line(text).into_owned(), style)
}

/// The same, cut to a number of columns.
pub fn cut_span(text: &str, columns: usize, style: Style) -> Span<'static> {
    Span::styled(cut(text, columns), style)
}

/// Untrusted text on one line, in at most this number of columns.
pub fn cut(text: &str, columns: usize) -> String {
    render::cut(&render::untrusted::line(text), Some(columns))
}

/// Untrusted text on one line, of which some bytes are to be marked, in at most this
/// number of columns. Positions refer to the text as given; it is harmless already if it comes from an
/// excerpt of a search.
pub fn marked(
    text: &str,
    places: &[(usize, usize)],
    columns: usize,
    plain: Style,
    hit: Style,
) -> Vec<Span<'static>> {
    let mut spans = Vec::new();
    let mut left = columns;
    let mut push = |piece: Option<&str>, style: Style, left: &mut usize| {
        let Some(piece) = piece.filter(|piece| !piece.is_empty() && *left > 0) else { return };
        // Spaces at the ends separate it from its neighbours.
        let mut shown = render::untrusted::line(piece).into_owned();
        if piece.starts_with(char::is_whitespace) && !shown.is_empty() {
            shown.insert(0, ' ');
        }
        if piece.ends_with(char::is_whitespace) {
            shown.push(' ');
        }
        let width = render::columns(&shown);
        if width > *left {
            shown = render::cut(&shown, Some(*left));
        }
        *left -= width.min(*left);
        spans.push(Span::styled(shown, style));
    };
    let mut at = 0;
    for (start, end) in places {
        push(text.get(at..*start), plain, &mut left);
        push(text.get(*start..*end), hit, &mut left);
        at = at.max(*end);
    }
    push(text.get(at..), plain, &mut left);
    spans
}

/// The lines that `render` painted (`Paint { enabled: true }`): its escape sequences become
/// styles. Whatever else looks like one is shown escaped, as everywhere.
pub fn painted(text: &str, theme: &Theme) -> Vec<Line<'static>> {
    let mut style = Style::new();
    text.lines().map(|line| painted_line(line, *theme, &mut style)).collect()
}

/// One line of them. A style may go on in the next line.
fn painted_line(line: &str, theme: Theme, style: &mut Style) -> Line<'static> {
    let mut spans = Vec::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        push(&mut spans, before, *style);
        let code = after.split_once('m').filter(|(code, _)| {
            code.len() < 12 && code.bytes().all(|byte| byte.is_ascii_digit() || byte == b';')
        });
        if let Some((code, after)) = code {
            *style = if matches!(code, "" | "0") {
                Style::new()
            } else {
                code.split(';').fold(*style, |style, number| {
                    style.patch(meaning(number).map_or(Style::new(), |it| theme.style(it)))
                })
            };
            rest = after;
        } else {
            push(&mut spans, "\u{1b}[", *style);
            rest = after;
        }
    }
    push(&mut spans, rest, *style);
    Line::from(spans)
}

/// Marks what a query searches for in a line; whether it is there.
pub fn mark_hits(line: &mut Line<'static>, query: &Query, hit: Style) -> bool {
    let whole: String = line.spans.iter().map(|span| span.content.as_ref()).collect();
    let ranges = query.match_ranges(&whole);
    if ranges.is_empty() {
        return false;
    }
    let matches_at = |at: usize| ranges.iter().any(|(range, _)| range.contains(&at));
    let mut marked = Vec::new();
    let mut at = 0;
    for span in std::mem::take(&mut line.spans) {
        let mut piece = String::new();
        let mut in_hit = matches_at(at);
        for character in span.content.chars() {
            if matches_at(at) != in_hit && !piece.is_empty() {
                let style = if in_hit { span.style.patch(hit) } else { span.style };
                marked.push(Span::styled(std::mem::take(&mut piece), style));
            }
            in_hit = matches_at(at);
            piece.push(character);
            at += character.len_utf8();
        }
        if !piece.is_empty() {
            let style = if in_hit { span.style.patch(hit) } else { span.style };
            marked.push(Span::styled(piece, style));
        }
    }
    line.spans = marked;
    true
}

fn push(spans: &mut Vec<Span<'static>>, piece: &str, style: Style) {
    if piece.is_empty() {
        return;
    }
    let spaces: Cow<'_, str> = if piece.contains('\t') {
        Cow::Owned(piece.replace('\t', &" ".repeat(TAB)))
    } else {
        Cow::Borrowed(piece)
    };
    spans.push(Span::styled(render::untrusted::text(&spaces).into_owned(), style));
}

/// The meaning behind a number of an escape sequence of `render::Paint`.
fn meaning(number: &str) -> Option<render::Style> {
    Some(match number {
        "1" => render::Style::Strong,
        "2" => render::Style::Dim,
        "3" => render::Style::Emphasis,
        "9" => render::Style::Struck,
        "31" => render::Style::Bad,
        "32" => render::Style::Good,
        "33" => render::Style::Warning,
        "35" => render::Style::Accent,
        "36" => render::Style::Id,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::{Background, ThemeName};
    use proptest::prelude::*;
    use ratatui::style::{Color, Modifier};

    fn theme() -> Theme {
        Theme::new(ThemeName::Auto, Background::Dark)
    }

    #[test]
    fn painted_text_keeps_its_styles_and_loses_its_escapes() {
        let paint = render::Paint { enabled: true };
        let text = format!(
            "a {} b\n{}",
            paint.paint(render::Style::Bad, "wrong"),
            paint.paint(render::Style::Strong, "bold")
        );
        let lines = painted(&text, &theme());
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].to_string(), "a wrong b");
        assert_eq!(lines[0].spans[1].style.fg, Some(Color::Red));
        assert_eq!(lines[0].spans[2].style, Style::new());
        assert!(lines[1].spans[0].style.add_modifier.contains(Modifier::BOLD));
    }

    #[test]
    fn other_escapes_are_shown() {
        let lines = painted("a\u{1b}[2Jb\u{1b}]0;t\u{7}\tc", &theme());
        assert_eq!(lines[0].to_string(), r"a\u{1b}[2Jb\u{1b}]0;t\u{7}    c");
    }

    #[test]
    fn marked_text_is_cut_at_its_width() {
        let show = |columns| {
            let spans =
                marked("move the clock on", &[(9, 14)], columns, Style::new(), theme().hit());
            spans.iter().map(|span| span.content.as_ref()).collect::<Vec<_>>().join("|")
        };
        assert_eq!(show(40), "move the |clock| on");
        assert_eq!(show(12), "move the |cl…");
        assert_eq!(show(9), "move the ");
        assert_eq!(show(0), "");
    }

    proptest! {
        #[test]
        fn no_escape_byte_reaches_a_span(
            text in "([ -~é\n\t]|\u{1b}\\[[0-9;]{0,3}[a-zA-Z]?|\u{1b}|\u{9b}|\u{202e}){0,20}",
            start in 0_usize..20,
        ) {
            let is_harmful = |c: char| render::untrusted::is_harmful(c) || c == '\n' || c == '\t';
            for line in painted(&text, &theme()) {
                prop_assert!(!line.to_string().contains(is_harmful));
            }
            prop_assert!(!cut(&text, 30).contains(is_harmful));
            let places = [(start, start + 3)];
            for span in marked(&text, &places, 30, Style::new(), Style::new()) {
                prop_assert!(!span.content.contains(is_harmful));
            }
        }
    }
}
