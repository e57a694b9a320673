//! `annals files PATH`: every read and change of a file, in order.

use super::{Args, Question, changed, short, untouched};
use crate::context::Context;
use crate::output::Format;
use document::FileHistoryDocument;
use document::answers::{FileHistoryAnswer, FileHistoryOptions};
use library::files::Touch;
use render::Style;

pub(super) fn run(context: &Context, args: &Args, path: &str) -> anyhow::Result<()> {
    let options = FileHistoryOptions {
        with_reads: args.reads,
        is_newest_first: false,
        offset: args.offset,
        limit: args.limit.limit.filter(|limit| *limit > 0).unwrap_or(usize::MAX),
        with_diffs: !args.no_diff,
    };
    let question = Question::new(context, args)?;
    let history = question.ask(context, |request| request.history(path, options));
    if history.is_untouched() {
        return Err(untouched(context, "read or changed", path, &history.others).into());
    }
    let text =
        if context.output.format == Format::Text { text(context, &history) } else { String::new() };
    let mut document = history.document();
    context.output.rows(
        std::mem::take(&mut document.changes),
        |changes| FileHistoryDocument { changes, ..document },
        || text,
    )
}

/// The session and the turn of the prompt that led to a change, as `show` takes them.
fn place_of(touch: &Touch) -> String {
    let session = short(&touch.session_id);
    let turn = touch.prompt.as_ref().and_then(|prompt| prompt.turn);
    turn.map_or(session.clone(), |turn| format!("{session}:{turn}"))
}

/// The default number of diff lines on a terminal.
const MOST_LINES: usize = 60;

fn text(context: &Context, history: &FileHistoryAnswer) -> String {
    let (files, changes) = (&history.files, &history.changes.items);
    let total = history.changes.total;
    let output = &context.output;
    let paint = output.paint;
    let safe = |path: &str| context.short_path(&render::untrusted::line(path));
    let mut text = String::new();
    if files.len() > 1 {
        text += &format!("{} match:\n", render::counted(files.len(), "file"));
    }
    for file in files {
        text += &format!("{}\n", paint.paint(Style::Heading, &safe(&file.path)));
        let counted = |count: u64, what: &str| {
            render::counted(usize::try_from(count).unwrap_or(usize::MAX), what)
        };
        let mut facts = Vec::new();
        if file.changes > 0 {
            facts.push(counted(file.changes, "change"));
            facts.push(changed(file.added, file.removed));
        }
        if file.reads > 0 {
            facts.push(counted(file.reads, "read"));
        }
        facts.push(render::counted(file.sessions.len(), "session"));
        text += &format!("  {}\n", paint.paint(Style::Dim, &facts.join(", ")));
        for other in &file.recorded_paths {
            text += &format!(
                "  {}\n",
                paint.paint(Style::Dim, &format!("recorded as {}", safe(other)))
            );
        }
    }
    let most = if output.is_terminal || output.is_agent { MOST_LINES } else { usize::MAX };
    for change in changes {
        let touch = &change.touch;
        let time = touch.time.map(|time| render::time::moment(time, &context.settings.zone));
        let mut head = vec![
            time.unwrap_or_default(),
            paint.paint(Style::Id, &place_of(touch)),
            render::untrusted::line(&touch.tool).into_owned(),
        ];
        if touch.is_change() {
            head.push(changed(touch.added, touch.removed));
        }
        let agent = touch.agent_type.as_deref().or(touch.agent_id.as_deref());
        head.extend(agent.map(|agent| format!("agent {}", render::untrusted::line(agent))));
        if files.len() > 1 {
            head.push(safe(&touch.path));
        }
        head.retain(|part| !part.is_empty());
        text += &format!("\n{}\n", head.join("  "));
        text += &prompt_line(context, touch.prompt.as_deref().map(|prompt| prompt.text.as_str()));
        if let Some(diff) = &change.diff {
            // The file is named above.
            let hunks = diff.text.splitn(3, '\n').nth(2).unwrap_or_default();
            for line in render::diff(hunks, paint, most).lines() {
                text += &format!("  {line}\n");
            }
        }
    }
    if changes.is_empty() && total == 0 {
        text += "\nNo changes, only reads (--reads lists them).\n";
    }
    text + &output.cut_note(changes.len(), total, "changes")
}

/// The prompt that led to something, on a line.
pub(super) fn prompt_line(context: &Context, prompt: Option<&str>) -> String {
    let paint = context.output.paint;
    match prompt {
        Some(prompt) => {
            let width = context.output.width().unwrap_or(100).saturating_sub(4);
            format!("  › {}\n", render::cut(&render::untrusted::line(prompt), Some(width)))
        }
        None => format!("  {}\n", paint.paint(Style::Dim, "no prompt recorded")),
    }
}
