//! `annals files --commit`: the session and the prompts behind a commit.

use super::history::prompt_line;
use super::{Args, changed, chosen, places};
use crate::context::Context;
use crate::failure::{CliError, report_read_errors};
use crate::output::Format;
use document::{CommitDocument, CommitsDocument};
use library::session::Session;
use render::Style;

/// The fewest digits that identify a commit.
const FEWEST_DIGITS: usize = 4;

pub(super) fn run(context: &Context, args: &Args, hash: &str) -> anyhow::Result<()> {
    let is_hash = (FEWEST_DIGITS..=64).contains(&hash.len())
        && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_hash {
        return Err(CliError::Misuse(format!(
            "invalid --commit {hash:?}: use at least {FEWEST_DIGITS} hexadecimal digits of a commit hash"
        ))
        .into());
    }
    let (sessions, _) = chosen(context, args)?;
    let places = places(context, args, None)?;
    let all: Vec<&Session> = sessions.iter().collect();
    let progress = context.progress("reading");
    let (stories, read_errors) = context.library.files().commits(&all, &places, hash, &progress);
    report_read_errors(&read_errors);
    if stories.is_empty() {
        return Err(CliError::NotFound(format!("no recorded session made commit {hash}")).into());
    }
    let heading = |id: &str| {
        let session = sessions.iter().find(|session| session.id == id);
        session.and_then(Session::heading).map(str::to_owned)
    };
    let commits: Vec<CommitDocument> = stories
        .iter()
        .map(|story| CommitDocument::new(story, heading(&story.session_id)))
        .collect();
    let text =
        if context.output.format == Format::Text { text(context, &commits) } else { String::new() };
    context.output.rows(commits, CommitsDocument::new, || text)
}

fn text(context: &Context, commits: &[CommitDocument]) -> String {
    let paint = context.output.paint;
    let safe = |text: &str| render::untrusted::line(text).into_owned();
    let mut text = String::new();
    for (number, commit) in commits.iter().enumerate() {
        if number > 0 {
            text.push('\n');
        }
        let subject = commit.subject.as_deref().map(safe).unwrap_or_default();
        let head = format!("{} {subject}", paint.paint(Style::Id, &safe(&commit.hash)));
        text += &format!("{}\n", head.trim_end());
        let mut line = |name: &str, value: Option<String>| {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                text += &format!("{}  {value}\n", paint.paint(Style::Dim, &format!("{name:<8}")));
            }
        };
        line(
            "when",
            commit.timestamp.map(|time| render::time::moment(time.0, &context.settings.zone)),
        );
        line("branch", commit.branch.as_deref().map(safe));
        let title = commit.title.as_deref().map(safe).unwrap_or_default();
        let session = format!("{}  {title}", paint.paint(Style::Id, &safe(&commit.session_id)));
        line("session", Some(session.trim_end().to_owned()));
        line("agent", commit.agent_id.as_deref().map(safe));
        line("folder", commit.cwd.as_deref().map(|cwd| safe(&context.short_path(cwd))));
        line("after", commit.previous.as_deref().map(safe));
        text += &format!("\n{}\n", paint.paint(Style::Heading, "PROMPTS"));
        for prompt in &commit.prompts {
            text += &prompt_line(context, Some(&prompt.text));
        }
        if commit.prompts.is_empty() {
            text += &prompt_line(context, None);
        }
        if !commit.files.is_empty() {
            text += &format!("\n{}\n", paint.paint(Style::Heading, "CHANGED FILES"));
        }
        for file in &commit.files {
            let path = safe(&context.short_path(&file.path));
            text += &format!("  {path}  {}\n", changed(file.added, file.removed));
        }
    }
    text
}
