//! `annals files --blame`: who last wrote each line of a file.
//!
//! The file that the person names is the only file outside the stores that is
//! read; nothing that a transcript names is.

use super::{Args, PromptDocument, chosen, places, short, untouched};
use crate::context::Context;
use crate::failure::{Ending, say_troubles};
use crate::output::{Format, Row};
use jiff::Timestamp;
use library::{Author, Blame, NoContent, Session, Touch};
use render::Style;
use render::json::serialize_optional_moment;
use serde::Serialize;
use std::path::Path;

pub(super) fn run(context: &Context, args: &Args, path: &Path) -> anyhow::Result<()> {
    let today = read(&context.here.join(path))?;
    let (sessions, _) = chosen(context, args)?;
    let places = places(context, args, Some(path))?;
    let named = path.to_string_lossy();
    let wanted = places.wanted(&named, &context.here);
    let all: Vec<&Session> = sessions.iter().collect();
    let progress = context.progress("reading");
    let (blame, troubles) =
        context.library.files().blame(&all, &places, &wanted, &today, &progress);
    say_troubles(&troubles);
    if blame.changes.is_empty() {
        return Err(untouched(context, "changed", &named, &blame.others).into());
    }
    let count =
        |author: fn(Author) -> bool| blame.lines.iter().filter(|(_, own)| author(*own)).count();
    let counts = Counts {
        lines: blame.lines.len(),
        explained: count(|author| matches!(author, Author::Change(_))),
        before: count(|author| author == Author::Before),
        elsewhere: count(|author| author == Author::Elsewhere),
    };
    let rows = || {
        (1..)
            .zip(&blame.lines)
            .map(|(number, (text, author))| LineDocument::new(number, text, *author, &blame))
    };
    let text = if context.output.format == Format::Text {
        text(context, &blame, &counts)
    } else {
        String::new()
    };
    let changes = blame.changes.len();
    context.output.rows(
        rows().collect(),
        |lines| Document {
            schema: "annals/blame/1",
            path: wanted.name(),
            changes,
            total: counts.lines,
            explained: counts.explained,
            before_records: counts.before,
            not_recorded: counts.elsewhere,
            lines,
        },
        || text,
    )
}

/// The content of the file a person named.
fn read(path: &Path) -> Result<String, Ending> {
    let shown = path.display();
    library::content_today(path).map_err(|error| match error {
        NoContent::Missing => Ending::NotFound(format!("there is no file {shown}")),
        NoContent::Folder => Ending::Misuse(format!("{shown} is a folder: name a file")),
        NoContent::TooLarge(size) => {
            let size = render::bytes(size);
            Ending::Misuse(format!("{shown} is too large for --blame: {size}"))
        }
        error => Ending::Misuse(format!("{shown} {error}")),
    })
}

struct Counts {
    lines: usize,
    explained: usize,
    before: usize,
    elsewhere: usize,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    path: &'a str,
    changes: usize,
    total: usize,
    explained: usize,
    before_records: usize,
    not_recorded: usize,
    lines: Vec<LineDocument<'a>>,
}

/// A line in JSON. Names are fixed; fields may be added.
#[derive(Serialize)]
struct LineDocument<'a> {
    number: u64,
    text: &'a str,
    explained: bool,
    reason: Option<&'static str>,
    session_id: Option<&'a str>,
    agent_id: Option<&'a str>,
    tool: Option<&'a str>,
    tool_use_id: Option<&'a str>,
    #[serde(serialize_with = "serialize_optional_moment")]
    timestamp: Option<Timestamp>,
    prompt: Option<PromptDocument>,
}

impl<'a> LineDocument<'a> {
    fn new(number: u64, text: &'a str, author: Author, blame: &'a Blame) -> Self {
        let touch = writer(blame, author);
        LineDocument {
            number,
            text,
            explained: touch.is_some(),
            reason: match author {
                Author::Change(_) => None,
                Author::Before => Some("before_records"),
                Author::Elsewhere => Some("not_recorded"),
            },
            session_id: touch.map(|touch| touch.session_id.as_str()),
            agent_id: touch.and_then(|touch| touch.agent_id.as_deref()),
            tool: touch.map(|touch| touch.tool.as_str()),
            tool_use_id: touch.and_then(|touch| touch.tool_use_id.as_deref()),
            timestamp: touch.and_then(|touch| touch.time),
            prompt: touch.and_then(|touch| touch.prompt.as_deref()).map(PromptDocument::from),
        }
    }
}

impl Row for LineDocument<'_> {
    const COLUMNS: &'static [&'static str] =
        &["number", "session_id", "agent_id", "timestamp", "prompt", "explained", "text"];

    fn cells(&self) -> Vec<String> {
        vec![
            self.number.to_string(),
            self.session_id.unwrap_or_default().to_owned(),
            self.agent_id.unwrap_or_default().to_owned(),
            self.timestamp.map(render::json::moment).unwrap_or_default(),
            self.prompt.as_ref().map(|prompt| prompt.text.clone()).unwrap_or_default(),
            self.explained.to_string(),
            self.text.to_owned(),
        ]
    }
}

/// The change that wrote a line.
fn writer(blame: &Blame, author: Author) -> Option<&Touch> {
    match author {
        Author::Change(number) => blame.changes.get(number),
        Author::Before | Author::Elsewhere => None,
    }
}

fn text(context: &Context, blame: &Blame, counts: &Counts) -> String {
    let output = &context.output;
    let paint = output.paint;
    // Most of the line is for the file.
    let for_prompt = output.width().map_or(32, |width| (width / 5).clamp(13, 48));
    let digits = counts.lines.to_string().len();
    let mut text = String::new();
    for (number, (line, author)) in (1..).zip(&blame.lines) {
        let (id, date, prompt, style) = match writer(blame, *author) {
            Some(touch) => (
                short(&touch.session_id),
                touch.time.map(|time| render::time::date(time, &context.zone)).unwrap_or_default(),
                touch.prompt.as_deref().map(|prompt| prompt.text.as_str()).unwrap_or_default(),
                Style::Plain,
            ),
            None => (String::new(), String::new(), "not explained", Style::Warning),
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
        "{} of {} explained by {}",
        counts.explained,
        render::counted(counts.lines, "line"),
        render::counted(blame.changes.len(), "recorded change"),
    )];
    if counts.before > 0 {
        notes.push(format!("{} older than the first of them", counts.before));
    }
    if counts.elsewhere > 0 {
        notes.push(format!("{} written by something that is not recorded", counts.elsewhere));
    }
    text + &paint.paint(Style::Dim, &notes.join("; ")) + "\n"
}
