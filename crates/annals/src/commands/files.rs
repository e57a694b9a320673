//! `annals files`: which files sessions read and changed.
//!
//! This file has the list of files, and what the other reports share. The history of
//! one file, the authors of its lines and the sessions behind a commit are in
//! `files/`.

mod blame;
mod commit;
mod history;

use crate::cli::{FilterArgs, LimitArgs};
use crate::context::Context;
use crate::failure::{CliError, report_read_errors};
use crate::lake_view::LakeArgs;
use crate::output::Format;
use document::answers::{FilesRequest, sessions_with_calls};
use document::{FilesDocument, LakeQuestion};
use library::catalog::Filter;
use library::files::FileSummary;
use library::lines::ReadError;
use library::session::Session;
use render::{Column, Style, Table};
use std::path::PathBuf;

/// Show which files sessions read and changed
///
/// Lists all files, the last changed first; or every change of one file, with the
/// session, the prompt that led to it, and the diff. --blame shows who last wrote
/// each line of a file, --commit what led to a commit. A file is the same in all
/// worktrees and after its project moved (aliases, --map). Covers Claude Code's own
/// file tools, including those of sub-agents, but not shell commands.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file: an absolute or relative path, or the end of one such as
    /// src/main.rs
    path: Option<String>,
    /// Show the session and prompt that last wrote each line of this file, as far
    /// as the recorded changes explain it
    #[arg(
        long,
        value_name = "PATH",
        conflicts_with_all = ["path", "commit", "since", "until", "git_branch", "model", "agent", "tool", "limit", "offset"]
    )]
    blame: Option<PathBuf>,
    /// Show the session and prompts behind a commit (at least 4 digits of its hash)
    #[arg(
        long,
        value_name = "SHA",
        conflicts_with_all = ["path", "since", "until", "git_branch", "model", "agent", "tool", "limit", "offset"]
    )]
    commit: Option<String>,
    /// Treat file or folder OLD as NEW, because it moved. Repeatable
    #[arg(long, value_name = "OLD=NEW")]
    map: Vec<String>,
    /// With a file: also list reads
    #[arg(long, requires = "path")]
    reads: bool,
    /// With a file: omit the diffs
    #[arg(long, requires = "path")]
    no_diff: bool,
    #[command(flatten)]
    filters: FilterArgs,
    #[command(flatten)]
    limit: LimitArgs,
    /// Skip the first N rows; JSON output has the next value as `next`
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    #[command(flatten)]
    pub(crate) lake: LakeArgs,
}

impl Args {
    /// Whether it is about one session.
    pub(crate) fn names_session(&self) -> bool {
        self.filters.session.is_some()
    }

    /// What it needs of the lake.
    pub(crate) fn lake_question(&self) -> LakeQuestion {
        let blamed = self.blame.as_ref().map(|path| path.to_string_lossy().into_owned());
        LakeQuestion::Files { path: self.path.clone().or(blamed) }
    }
}

/// The default number of files for programs.
const PAGE: usize = 50;

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    if let Some(path) = &args.blame {
        return blame::run(context, args, path);
    }
    if let Some(hash) = &args.commit {
        return commit::run(context, args, hash);
    }
    match &args.path {
        Some(path) => history::run(context, args, path),
        None => list(context, args),
    }
}

/// What the arguments ask for: the sessions, and their filter.
struct Question {
    sessions: Vec<Session>,
    filter: Filter,
    moved: Vec<(String, String)>,
}

impl Question {
    fn new(context: &Context, args: &Args) -> anyhow::Result<Question> {
        let filter = context.filter(&args.filters)?;
        let mut moved = Vec::new();
        for map in &args.map {
            let pair = map.split_once('=').filter(|(old, new)| !old.is_empty() && !new.is_empty());
            let Some((old, new)) = pair else {
                return Err(CliError::Misuse(format!("invalid --map {map:?}: use OLD=NEW")).into());
            };
            moved.push((old.to_owned(), new.to_owned()));
        }
        let (sessions, read_errors) = sessions_with_calls(&context.library, &filter);
        report_read_errors(&read_errors);
        Ok(Question { sessions, filter, moved })
    }

    /// The answer of a question, and what could not be read for it, which is reported.
    fn ask<T>(
        &self,
        context: &Context,
        ask: impl FnOnce(&FilesRequest<'_>) -> (T, Vec<ReadError>),
    ) -> T {
        let sessions: Vec<&Session> = self.sessions.iter().collect();
        let progress = context.progress("reading");
        let (answer, read_errors) = ask(&FilesRequest {
            library: &context.library,
            sessions: &sessions,
            filter: &self.filter,
            here: Some(&context.settings.here),
            moved: &self.moved,
            progress: &progress,
        });
        report_read_errors(&read_errors);
        answer
    }
}

/// The short form of a session id.
fn short(id: &str) -> String {
    document::short_id(&render::untrusted::line(id)).to_owned()
}

/// Added and removed lines.
fn changed(added: u64, removed: u64) -> String {
    format!("+{added} −{removed}")
}

/// The error if no session touched a file.
fn untouched(context: &Context, what: &str, path: &str, others: &[String]) -> CliError {
    const MOST: usize = 10;
    let mut text = format!("no session {what} {path}");
    if let Ok(found) = context.library.catalog().find(path, None) {
        text += &format!("\nhint: annals info {} lists the files of a session", short(found.id()));
    }
    if !others.is_empty() {
        text += "\nhint: files with the same name (if one of them is it, pass --map OLD=NEW):";
        for other in others.iter().take(MOST) {
            text += &format!("\n  {}", context.short_path(&render::untrusted::line(other)));
        }
        if others.len() > MOST {
            text += &format!("\n  and {} more", others.len() - MOST);
        }
    }
    CliError::NotFound(text)
}

fn list(context: &Context, args: &Args) -> anyhow::Result<()> {
    let question = Question::new(context, args)?;
    let limit = match args.limit.limit {
        None if context.output.format == Format::Json => PAGE,
        limit => context.output.limit(limit).unwrap_or(usize::MAX),
    };
    let page = question.ask(context, |request| request.list(args.offset, limit));
    let text = if context.output.format == Format::Text {
        table(context, &page.items, page.total)
    } else {
        String::new()
    };
    let mut document = page.document();
    context.output.rows(
        std::mem::take(&mut document.files),
        |files| FilesDocument { files, ..document },
        || text,
    )
}

fn table(context: &Context, files: &[FileSummary], total: usize) -> String {
    if files.is_empty() {
        return "No files.\n".to_owned();
    }
    let mut table = Table::new(vec![
        Column::new("FILE").style(Style::Accent).shrinks_to(20).keeps_end(),
        Column::new("READS").right().drop_order(2),
        Column::new("CHANGES").right(),
        Column::new("LINES").right().drop_order(3),
        Column::new("SESSIONS").right().drop_order(1),
        Column::new("LAST").style(Style::Dim),
    ]);
    let some = |count: u64| if count == 0 { String::new() } else { count.to_string() };
    for file in files {
        let last = file.last_change.or(file.last);
        table.row([
            context.short_path(&file.path),
            some(file.reads),
            if file.is_only_failed() {
                format!("{} failed", file.failed)
            } else {
                some(file.changes)
            },
            if file.changes == 0 { String::new() } else { changed(file.added, file.removed) },
            file.sessions.len().to_string(),
            last.map(|time| render::time::ago(time, context.settings.now, &context.settings.zone))
                .unwrap_or_default(),
        ]);
    }
    let table = table.render(context.output.width(), context.output.paint);
    table + &context.output.cut_note(files.len(), total, "files")
}
