//! `annals resume`: resume a session in Claude Code.

use super::hand_over::session;
use super::pick;
use crate::cli::GlobalArgs;
use crate::context::Context;
use crate::failure::CliError;
use crate::output::Format;
use library::Session;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use store::real_path;

/// Resume a session in Claude Code
///
/// Changes to the session's folder and runs `claude --resume ID`. Without a session,
/// a list to choose from opens on a terminal.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session; without one, a list to choose from opens on a terminal
    session: Option<String>,
    /// Resume in this folder instead
    #[arg(long = "in", value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Print the command and do not run it
    #[arg(long)]
    print: bool,
    /// Resume a copy of the session with a new id
    #[arg(long)]
    fork: bool,
}

impl Args {
    /// Resume this session.
    pub(crate) fn of(session: String, fork: bool, folder: Option<PathBuf>) -> Args {
        Args { session: Some(session), folder, print: false, fork }
    }
}

pub(crate) fn run(context: &Context, global: &GlobalArgs, args: &Args) -> anyhow::Result<()> {
    if context.output.format != Format::Text {
        let message = "annals resume does not support --json, --jsonl or --csv\nhint: use --print";
        return Err(CliError::Misuse(message.to_owned()).into());
    }
    let name = match &args.session {
        Some(name) => name.clone(),
        None if pick::is_possible(context) => pick::choose_one(context, global)?,
        None => {
            let message = "annals resume needs a session\nhint: annals ls lists sessions; annals resume @ resumes the latest one here";
            return Err(CliError::Misuse(message.to_owned()).into());
        }
    };
    if context.is_demo() && !args.print {
        let message =
            "sessions of the demo store cannot be resumed\nhint: --print shows the command";
        return Err(CliError::Misuse(message.to_owned()).into());
    }
    let session = session(context, &name)?;
    let folder = folder(&session, args)?;
    if args.print {
        return context.output.text(&command(&session, &folder, args.fork));
    }
    check(context, &session, &folder, args)?;
    let program = context.search_path.find_program("claude").ok_or_else(|| {
        CliError::Misuse("claude is not on PATH\nhint: --print shows the command".to_owned())
    })?;
    // Without a shell, so that a folder name cannot run commands.
    let words = words(&session, args.fork);
    let error = Command::new(&program).args(words).current_dir(&folder).exec();
    Err(anyhow::Error::new(error).context(format!("cannot start {}", program.display())))
}

fn words(session: &Session, fork: bool) -> Vec<&str> {
    let mut words = vec!["--resume", session.id.as_str()];
    words.extend(fork.then_some("--fork-session"));
    words
}

/// The command for a shell, on a line.
fn command(session: &Session, folder: &Path, fork: bool) -> String {
    let quoted = folder.to_string_lossy();
    let quoted = render::shell_quoted(&quoted);
    let command = format!("cd {quoted} && claude {}\n", words(session, fork).join(" "));
    render::untrusted::text(&command).into_owned()
}

/// The command that resumes a session, for a shell.
pub(crate) fn command_of(context: &Context, id: &str, fork: bool) -> anyhow::Result<String> {
    let session = session(context, id)?;
    let folder = folder(&session, &Args::of(id.to_owned(), fork, None))?;
    Ok(command(&session, &folder, fork).trim_end().to_owned())
}

/// Why a session cannot be resumed, and whether another folder would help.
pub(crate) fn problem(context: &Context, args: &Args) -> Option<(String, bool)> {
    if context.is_demo() {
        return Some(("sessions of the demo store cannot be resumed".to_owned(), false));
    }
    let found = match session(context, args.session.as_deref().unwrap_or_default()) {
        Ok(found) => found,
        Err(error) => return Some((error.to_string(), false)),
    };
    let folder = match folder(&found, args) {
        Ok(folder) => folder,
        Err(error) => return Some((error.to_string(), true)),
    };
    if let Err(error) = check(context, &found, &folder, args) {
        return Some((error.to_string(), !folder.is_dir()));
    }
    match context.search_path.find_program("claude") {
        Some(_) => None,
        None => Some(("claude is not on PATH".to_owned(), false)),
    }
}

/// The folder to resume in.
fn folder(session: &Session, args: &Args) -> Result<PathBuf, CliError> {
    if let Some(folder) = &args.folder {
        return Ok(real_path(folder));
    }
    let recorded = session.metadata.cwd.as_deref().map(Path::new);
    recorded.filter(|folder| folder.is_absolute()).map(Path::to_owned).ok_or_else(|| {
        let id = &session.id;
        CliError::Misuse(format!(
            "session {id} has no working directory\nhint: choose one with annals resume {id} --in DIR"
        ))
    })
}

/// Checks whether a session can be resumed.
fn check(context: &Context, session: &Session, folder: &Path, args: &Args) -> Result<(), CliError> {
    let id = &session.id;
    if !args.fork && context.library.catalog().is_running(session) {
        return Err(CliError::Misuse(format!(
            "session {id} is running\nhint: annals resume {id} --fork resumes a copy of it"
        )));
    }
    if !folder.is_dir() {
        let reason = match (folder.exists(), &args.folder) {
            (true, _) => "is not a folder",
            (false, Some(_)) => "does not exist",
            (false, None) => "no longer exists",
        };
        return Err(CliError::NotFound(format!(
            "{} {reason}\nhint: annals resume {id} --in DIR resumes it in another folder",
            folder.display()
        )));
    }
    // Claude Code reads one store. Another one also has settings and hooks, which
    // would run: that is for the user to decide.
    let own = context.claude_folder.as_deref().map(|own| real_path(&own.join("projects")));
    let path = session.path.as_deref().map(real_path).unwrap_or_default();
    if own.is_some_and(|own| path.starts_with(own)) {
        return Ok(());
    }
    Err(CliError::Misuse(format!(
        "session {id} is in {}, where claude does not look\nhint: set CLAUDE_CONFIG_DIR to that \
         folder if you trust its settings",
        session.root.display()
    )))
}
