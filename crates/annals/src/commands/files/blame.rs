//! `annals files --blame`: who last wrote each line of a file.
//!
//! The file that the user names is the only file outside the stores that is read;
//! files that a transcript names are not.

use super::{Args, Question, short, untouched};
use crate::context::Context;
use crate::failure::CliError;
use crate::output::Format;
use document::{BlameDocument, BlameLineDocument, blamed_change};
use library::files::{Blame, ContentError};
use render::Style;
use std::path::Path;

pub(super) fn run(context: &Context, args: &Args, path: &Path) -> anyhow::Result<()> {
    let today = read(&context.settings.here.join(path))?;
    let question = Question::new(context, args)?;
    let named = path.to_string_lossy();
    let (name, blame) = question.ask(context, |request| {
        let (blame, read_errors) = request.blame(&named, &today);
        ((request.present_path(&named), blame), read_errors)
    });
    if blame.changes.is_empty() {
        return Err(untouched(context, "changed", &named, &blame.others).into());
    }
    let document = BlameDocument::new(&name, &blame, Vec::new());
    let text = if context.output.format == Format::Text {
        text(context, &blame, &document)
    } else {
        String::new()
    };
    context.output.rows(
        BlameLineDocument::of(&blame),
        |lines| BlameDocument { lines, ..document },
        || text,
    )
}

/// The content of the file that the user named.
fn read(path: &Path) -> Result<String, CliError> {
    let shown = path.display();
    library::files::read_current_content(path).map_err(|error| match error {
        ContentError::Missing => CliError::NotFound(format!("{shown} does not exist")),
        ContentError::Folder => CliError::Misuse(format!("{shown} is a folder, not a file")),
        ContentError::TooLarge(size) => {
            let size = render::bytes(size);
            CliError::Misuse(format!("{shown} is too large for --blame ({size})"))
        }
        error => CliError::Misuse(format!("{shown} {error}")),
    })
}

fn text(context: &Context, blame: &Blame, document: &BlameDocument<'_>) -> String {
    let output = &context.output;
    let paint = output.paint;
    // Most of the width is for the file.
    let for_prompt = output.width().map_or(32, |width| (width / 5).clamp(13, 48));
    let digits = document.total.to_string().len();
    let mut text = String::new();
    for (number, (line, author)) in (1..).zip(&blame.lines) {
        let (id, date, prompt, style) = match blamed_change(blame, *author) {
            Some(touch) => (
                short(&touch.session_id),
                touch
                    .time
                    .map(|time| render::time::date(time, &context.settings.zone))
                    .unwrap_or_default(),
                touch.prompt.as_deref().map(|prompt| prompt.text.as_str()).unwrap_or_default(),
                Style::Plain,
            ),
            None => (String::new(), String::new(), "unknown", Style::Warning),
        };
        let prompt = render::cut(&render::untrusted::line(prompt), Some(for_prompt));
        let padding = " ".repeat(for_prompt.saturating_sub(render::columns(&prompt)));
        let head = format!(
            "{}{}  {}  {}{padding}  {}  ",
            paint.paint(Style::Id, &id),
            " ".repeat(8_usize.saturating_sub(id.len())),
            paint.paint(Style::Dim, &format!("{date:<10}")),
            paint.paint(style, &prompt),
            paint.paint(Style::Dim, &format!("{number:>digits$}")),
        );
        let line = render::untrusted::text(line);
        let line = match output.width() {
            Some(width) => {
                let left = width.saturating_sub(8 + 2 + 10 + 2 + for_prompt + 2 + digits + 2);
                render::cut(&line.replace('\t', "    "), Some(left))
            }
            None => line.into_owned(),
        };
        text += (head + &line).trim_end();
        text.push('\n');
    }
    let mut notes = vec![format!(
        "{} of {} attributed to {}",
        document.explained,
        render::counted(document.total, "line"),
        render::counted(document.changes, "recorded change"),
    )];
    if document.before_records > 0 {
        notes.push(format!("{} older than the first recorded change", document.before_records));
    }
    if document.not_recorded > 0 {
        notes.push(format!("{} changed outside recorded sessions", document.not_recorded));
    }
    if document.is_coarse {
        notes.push("not all lines were compared, because too many changed at once".to_owned());
    }
    text + &paint.paint(Style::Dim, &notes.join("; ")) + "\n"
}
