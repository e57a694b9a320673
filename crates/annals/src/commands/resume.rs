//! `annals resume`: resume a session in Claude Code.

use super::hand_over::session;
use super::pick;
use crate::allocator;
use crate::cli::GlobalArgs;
use crate::context::Context;
use crate::failure::CliError;
use library::apps::App;
use library::session::Session;
use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use store::{is_windows_path, real_path};

/// Resume a session in Claude Code, or in the app that wrote it
///
/// Changes to the session's folder and runs `claude --resume ID`, or the command of the
/// other app, such as `codex resume ID`. Without a session,
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
    let session = resumable(context, &name)?;
    let folder = folder(&session, args)?;
    let words = words(context, &session, args.fork)?;
    if args.print {
        return context.output.text(&format!("{}\n", command(&session.id, &words, &folder)?));
    }
    check(context, &session, &folder, args)?;
    let name = words.first().map(|name| name.to_string_lossy()).unwrap_or_default();
    let program = context.settings.search_path.find_program(&name).ok_or_else(|| {
        CliError::Misuse(format!("{name} is not on PATH\nhint: --print shows the command"))
    })?;
    // Without a shell, so that a folder name cannot run commands.
    let mut command = Command::new(&program);
    command.args(&words[1..]).current_dir(&folder);
    if context.settings.environment.has_own_arenas {
        allocator::without_settings(&mut command);
    }
    let error = command.exec();
    Err(anyhow::Error::new(error).context(format!("cannot start {}", program.display())))
}

/// Finds the session to resume, in Claude Code or in the app that wrote it.
fn resumable(context: &Context, name: &str) -> anyhow::Result<Session> {
    let found = context.find(name)?;
    let is_agent = found.agent.is_some() || found.inline_agent.is_some();
    if !is_agent && found.session.app() != App::Claude {
        return Ok(found.session);
    }
    session(context, name)
}

/// The command that resumes a session: the program, then its arguments.
fn words(context: &Context, session: &Session, fork: bool) -> Result<Vec<OsString>, CliError> {
    let app = session.app().title();
    let words = match context.library.catalog().apps().resume_command(&session.id) {
        Some(_) if fork => {
            let message = format!("--fork is for sessions of Claude Code; this one is of {app}");
            return Err(CliError::Misuse(message));
        }
        Some(words) => words,
        None => {
            let words = ["claude", "--resume", session.id.as_str()].into_iter();
            words.chain(fork.then_some("--fork-session")).map(OsString::from).collect()
        }
    };
    let id = App::split_id(&session.id).1;
    if id.starts_with('-') && words.iter().any(|word| word == id) {
        let message =
            format!("session {id} cannot be resumed: {app} would take its id for an option");
        return Err(CliError::Misuse(message));
    }
    Ok(words)
}

/// The command for a shell, on a line. What a terminal would act on is refused: escaped, it
/// would be another folder.
fn command(id: &str, words: &[OsString], folder: &Path) -> Result<String, CliError> {
    let texts: Option<Vec<&str>> = words.iter().map(|word| word.to_str()).collect();
    let command = texts
        .zip(folder.to_str())
        .and_then(|(words, folder)| render::command_in_folder(&words, Some(folder), None));
    command.ok_or_else(|| {
        CliError::Misuse(format!(
            "no shell command can resume session {id} safely: {} or its id has line breaks, \
             control characters or bytes that are not text\nhint: annals resume {} runs it \
             without a shell",
            folder.display(),
            render::shell_quoted(id)
        ))
    })
}

/// The command that resumes a session, for a shell.
pub(crate) fn command_of(context: &Context, id: &str, fork: bool) -> anyhow::Result<String> {
    let session = resumable(context, id)?;
    let folder = folder(&session, &Args::of(id.to_owned(), fork, None))?;
    Ok(command(&session.id, &words(context, &session, fork)?, &folder)?)
}

/// Why a session cannot be resumed, and whether another folder would help.
pub(crate) fn problem(context: &Context, args: &Args) -> Option<(String, bool)> {
    if context.is_demo() {
        return Some(("sessions of the demo store cannot be resumed".to_owned(), false));
    }
    let found = match resumable(context, args.session.as_deref().unwrap_or_default()) {
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
    let words = match words(context, &found, args.fork) {
        Ok(words) => words,
        Err(error) => return Some((error.to_string(), false)),
    };
    let program = words.first().map(|name| name.to_string_lossy()).unwrap_or_default();
    match context.settings.search_path.find_program(&program) {
        Some(_) => None,
        None => Some((format!("{program} is not on PATH"), false)),
    }
}

/// The folder to resume in.
fn folder(session: &Session, args: &Args) -> Result<PathBuf, CliError> {
    if let Some(folder) = &args.folder {
        return Ok(real_path(folder));
    }
    let recorded = session.metadata.cwd.as_deref();
    if let Some(folder) = recorded.map(Path::new).filter(|folder| folder.is_absolute()) {
        return Ok(folder.to_owned());
    }
    let id = &session.id;
    let reason = match recorded.filter(|folder| is_windows_path(folder)) {
        Some(folder) => format!("was in {folder}, a folder of Windows"),
        None => "has no working directory".to_owned(),
    };
    Err(CliError::Misuse(format!(
        "session {id} {reason}\nhint: choose one with annals resume {id} --in DIR"
    )))
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
    if session.app() != App::Claude {
        return Ok(());
    }
    // Claude Code reads one store. Another one also has settings and hooks, which
    // would run: that is for the user to decide.
    let own = context.settings.claude_folder.as_deref().map(|own| real_path(&own.join("projects")));
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
