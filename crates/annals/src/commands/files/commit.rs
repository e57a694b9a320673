//! `annals files --commit`: the session and the prompts behind a commit.

use super::history::prompt_line;
use super::{Args, Question, changed};
use crate::context::Context;
use crate::failure::CliError;
use crate::output::Format;
use document::answers::{FEWEST_HASH_DIGITS, is_commit_hash};
use document::{CommitDocument, CommitsDocument};
use render::Style;

pub(super) fn run(context: &Context, args: &Args, hash: &str) -> anyhow::Result<()> {
    if !is_commit_hash(hash) {
        return Err(CliError::Misuse(format!(
            "invalid --commit {hash:?}: use at least {FEWEST_HASH_DIGITS} hexadecimal digits of a commit hash"
        ))
        .into());
    }
    let question = Question::new(context, args)?;
    let commits = question.ask(context, |request| request.commits(hash));
    if commits.is_empty() {
        return Err(CliError::NotFound(format!("no recorded session made commit {hash}")).into());
    }
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
