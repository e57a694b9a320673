//! Values that shells complete: ids of sessions with their titles, and names of projects.
//!
//! The shell calls annals whenever the user presses the tab key, so only the list of
//! sessions is read. Commands and options come from the grammar.

use crate::cli::Cli;
use crate::context::Context;
use crate::environment::Environment;
use clap::{Command, CommandFactory as _, Parser as _};
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter as _,
};
use clap_complete::env::CompleteEnv;
use document::short_ids;
use library::session::Session;
use std::collections::BTreeSet;
use std::ffi::OsStr;

/// The environment variable with which a shell asks.
pub(crate) const VARIABLE: &str = "ANNALS_COMPLETE";

/// How many sessions are offered.
const MOST: usize = 50;

/// Answers a shell that asks for completions, and exits. Returns if none asks.
pub(crate) fn answer() {
    CompleteEnv::with_factory(|| with_values(Cli::command()))
        .var(VARIABLE)
        .bin("annals")
        .complete();
}

fn with_values(command: Command) -> Command {
    let command = command.mut_args(|argument| match argument.get_id().as_str() {
        "session" | "sessions" if argument.is_positional() => {
            argument.add(ArgValueCompleter::new(sessions))
        }
        "session_filter" | "current_session" => argument.add(ArgValueCompleter::new(sessions)),
        "project" => argument.add(ArgValueCompleter::new(projects)),
        _ => argument,
    });
    command.mut_subcommands(with_values)
}

/// The sessions whose id begins with what was typed, newest first.
fn sessions(typed: &OsStr) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy().to_lowercase();
    let sessions = listed();
    let ids: Vec<&str> = sessions.iter().map(|session| session.id.as_str()).collect();
    let named = sessions.iter().zip(short_ids(&ids));
    let offered = named.filter(|(session, _)| session.id.starts_with(&typed)).take(MOST);
    offered
        .enumerate()
        .map(|(place, (session, short))| {
            let id = if typed.len() > short.len() { session.id.clone() } else { short };
            // The title comes from a transcript, and the shell prints it.
            let title = session
                .heading()
                .map(|title| render::cut(&render::untrusted::line(title), Some(60)).into());
            CompletionCandidate::new(id).help(title).display_order(Some(place))
        })
        .collect()
}

/// The projects whose name begins with what was typed; folders for a path.
fn projects(typed: &OsStr) -> Vec<CompletionCandidate> {
    let text = typed.to_string_lossy();
    if text.contains('/') || text.starts_with(['.', '~']) {
        return PathCompleter::dir().complete(typed);
    }
    let sessions = listed();
    let paths = sessions.iter().filter_map(|session| session.project.as_deref());
    let names = paths.filter_map(|path| path.rsplit(['/', '\\']).next());
    let names: BTreeSet<&str> =
        names.filter(|name| name.starts_with(&*text) && !name.is_empty()).collect();
    names.into_iter().filter(|name| is_plain(name)).map(CompletionCandidate::new).collect()
}

/// Whether a name can stand on a command line as it is.
fn is_plain(name: &str) -> bool {
    name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

/// The sessions that Claude Code lists; none if they cannot be read.
fn listed() -> Vec<Session> {
    let Ok(cli) = Cli::try_parse_from(["annals"]) else { return Vec::new() };
    let Ok(context) = Context::resolve(&cli.global, None, Environment::read()) else {
        return Vec::new();
    };
    context.library.catalog().sessions().listed().cloned().collect()
}
