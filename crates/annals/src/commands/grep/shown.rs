//! Renders hits of `annals grep`: as JSON, as rows, and for people.

use super::Whose;
use crate::commands::hit_lines::{heading_line, line};
use crate::context::Context;
use crate::output::Output;
use library::search::Hit;
use render::{Column, Paint, Style};

/// The heading of hits: a session, or a plan without a session.
pub(super) fn heading(context: &Context, whose: &Whose<'_>) -> String {
    let project = whose.project().map(|path| context.short_path(path)).unwrap_or_default();
    let title = whose.title().unwrap_or_default().to_owned();
    let output = &context.output;
    heading_line(output.width(), output.paint, whose.session_id(), project, title)
}

/// A hit: its place, with the command that shows it, and its text. Matches are highlighted
/// unless the pattern is inverted.
pub(super) fn hit(
    context: &Context,
    hit: &Hit,
    command: Option<&str>,
    is_inverted: bool,
) -> String {
    let style = if is_inverted { Style::Plain } else { Style::Bad };
    place(context, hit, command) + &marked(&context.output, hit, style)
}

/// The place of a hit.
fn place(context: &Context, hit: &Hit, command: Option<&str>) -> String {
    let tool = hit.tool.as_deref().map(|tool| format!(" {tool}")).unwrap_or_default();
    let time =
        hit.time.map(|time| render::time::moment(time, &context.settings.zone)).unwrap_or_default();
    let file = || format!("{}:{}", context.short_path(&hit.path.display().to_string()), hit.line);
    let place = Place {
        role: format!("{}{tool}", hit.role.name()),
        agent: hit.agent_id.as_deref().map(|agent| format!("agent {agent}")).unwrap_or_default(),
        time,
        command: command.map(str::to_owned),
        file: if command.is_none() { file() } else { String::new() },
    };
    place_line(context.output.width(), context.output.paint, place)
}

/// The parts of the line above a hit; empty ones are not shown.
struct Place {
    /// The role, and the tool that was called or that answered.
    role: String,
    agent: String,
    time: String,
    /// The command that shows the hit.
    command: Option<String>,
    /// The file with its line, if no command shows it.
    file: String,
}

fn place_line(width: Option<usize>, paint: Paint, place: Place) -> String {
    const INDENT: &str = "  ";
    let dim = || Column::new("").style(Style::Dim);
    let columns = [
        (Column::new("").style(Style::Accent).shrinks_to(8), place.role),
        (dim().shrinks_to(8).drop_order(2), place.agent),
        (dim().drop_order(3), place.time),
        (Column::new("").style(Style::Id).drop_order(1), place.command.unwrap_or_default()),
        (dim().shrinks_to(8).keeps_end().drop_order(1), place.file),
    ];
    let width = width.map(|width| width.saturating_sub(INDENT.len()));
    INDENT.to_owned() + &line(width, paint, columns)
}

/// The text of a hit with its matches highlighted.
fn marked(output: &Output, hit: &Hit, style_of_matches: Style) -> String {
    const INDENT: &str = "    ";
    let mut shown = INDENT.to_owned();
    let mut add = |text: &str, style: Style| {
        // The matches themselves are shown as they were written.
        let text = if style == Style::Plain { render::shown_commands(text) } else { text.into() };
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                shown += "\n";
                shown += INDENT;
            }
            let line = line.strip_suffix('\r').unwrap_or(line);
            shown += &output.paint.paint(style, &render::untrusted::text(line));
        }
    };
    let mut shown_to = 0;
    for (start, end) in &hit.matches {
        add(hit.text.get(shown_to..*start).unwrap_or_default(), Style::Plain);
        add(hit.text.get(*start..*end).unwrap_or_default(), style_of_matches);
        shown_to = *end;
    }
    add(hit.text.get(shown_to..).unwrap_or_default(), Style::Plain);
    let shown = shown.trim_end_matches([' ', '\n']);
    if shown.is_empty() { String::new() } else { output.hanging(&format!("{shown}\n"), 0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Paint = Paint { enabled: false };

    #[test]
    fn headings_and_places_are_cut_to_the_width() {
        let heading = |width| {
            let id = Some("00000001-0000-4000-8000-000000000001");
            let (project, title) = ("/home/ada/tidepool", "A title of some length, and more");
            heading_line(width, PLAIN, id, project.to_owned(), title.to_owned())
        };
        let place = |width| {
            let place = Place {
                role: "tool_result Bash".to_owned(),
                agent: "agent a1".to_owned(),
                time: "2026-02-02 03:00:00".to_owned(),
                command: Some("annals show 00000001:5".to_owned()),
                file: String::new(),
            };
            place_line(width, PLAIN, place)
        };
        let table = [
            (
                None,
                heading(None),
                "00000001-0000-4000-8000-000000000001  /home/ada/tidepool  A title of some length, and more\n",
            ),
            (
                Some(80),
                heading(Some(80)),
                "00000001-0000-4000-8000-000000000001  tidepool  A title of some length, and more\n",
            ),
            (Some(40), heading(Some(40)), "00000001  …/tidepool    A title of some…\n"),
            (Some(20), heading(Some(20)), "00000001  A title o…\n"),
            (
                None,
                place(None),
                "  tool_result Bash  agent a1  2026-02-02 03:00:00  annals show 00000001:5\n",
            ),
            (Some(60), place(Some(60)), "  tool_result Bash  agent a1  annals show 00000001:5\n"),
            (Some(20), place(Some(20)), "  tool_result Bash\n"),
        ];
        for (width, shown, expected) in table {
            let widest = width.unwrap_or(usize::MAX);
            assert!(shown.trim_end().chars().count() <= widest, "{shown}");
            assert_eq!(shown, expected, "{width:?}");
        }
    }
}
