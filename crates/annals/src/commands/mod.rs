//! The commands, one file each: arguments, `run`, and the rendering below.

pub(crate) mod agents;
pub(crate) mod archive;
pub(crate) mod completions;
pub(crate) mod context;
pub(crate) mod context_text;
pub(crate) mod doctor;
pub(crate) mod export;
pub(crate) mod files;
pub(crate) mod grep;
pub(crate) mod hand_over;
pub(crate) mod help;
pub(crate) mod hit_lines;
pub(crate) mod home;
pub(crate) mod hook;
pub(crate) mod info;
pub(crate) mod lake;
pub(crate) mod ls;
pub(crate) mod man;
pub(crate) mod mark;
pub(crate) mod mcp;
pub(crate) mod pick;
pub(crate) mod plan;
pub(crate) mod projects;
pub(crate) mod prompts;
pub(crate) mod reference;
pub(crate) mod rename;
pub(crate) mod resume;
pub(crate) mod search;
pub(crate) mod selection_args;
pub(crate) mod serve;
pub(crate) mod session_document;
pub(crate) mod setup;
pub(crate) mod show;
pub(crate) mod sql;
pub(crate) mod statusline;
pub(crate) mod tag;
pub(crate) mod tools;
pub(crate) mod tree;
pub(crate) mod tui;
pub(crate) mod usage;
pub(crate) mod watch;
pub(crate) mod web;
pub(crate) mod where_is;

use crate::allocator;
use crate::cli::{Cli, Command, GlobalArgs};
use crate::configuration::HomeView;
use crate::context::Context;
use crate::environment::Environment;
use crate::failure::{CliError, notice, report_large_lines};
use crate::incomplete::{self, Listed};
use crate::output::Format;

/// Runs the command.
pub(crate) fn run(
    cli: Cli,
    refused: Result<(), CliError>,
    environment: Environment,
) -> anyhow::Result<()> {
    match (&cli.command, refused) {
        // An option too many must not keep a session from being archived.
        (Some(Command::Hook(_) | Command::Statusline(_)), Err(error)) => {
            notice(&format!("annals: {error}"));
        }
        (_, refused) => refused?,
    }
    // These describe annals itself and need no store.
    match &cli.command {
        Some(Command::Completions(args)) => return completions::run(args),
        Some(Command::Man(args)) => return man::run(args),
        Some(Command::Help(args)) => return help::run(args, environment.columns),
        Some(Command::Reference(args)) => return reference::run(args),
        _ => {}
    }
    // Claude Code waits for these, and they never fail.
    match &cli.command {
        Some(Command::Hook(args)) => {
            hook::run(args, &cli.global, environment);
            return Ok(());
        }
        Some(Command::Statusline(args)) => {
            statusline::run(args, &cli.global, environment);
            return Ok(());
        }
        _ => {}
    }
    // Before anything is opened or written.
    allocator::begin_again(cli.command.as_ref(), &environment);
    let context = match &cli.command {
        // An administrator's machine has no sessions.
        Some(Command::Lake(_)) => Context::resolve(&cli.global, cli.command.as_ref(), environment)?,
        _ => Context::new(&cli.global, cli.command.as_ref(), environment)?,
    };
    if let Some(lake) = &context.lake {
        lake.report(context.settings.now, &context.settings.zone);
    }
    if !cli.command.as_ref().is_some_and(Command::shows_warnings_itself) {
        report_unread(&context);
    }
    let listed = cli.command.as_ref().and_then(Listed::by);
    let result = run_command(cli.command, &cli.global, &context);
    let result = result.and_then(|()| incomplete::check(&context, listed));
    if let Some(problem) = context.library.health().index_problem() {
        notice(&format!(
            "annals: {problem}; answered without it, the next search builds a new one"
        ));
    }
    report_large_lines(&context.library.health().large_lines());
    result
}

/// How many databases and files of apps are named.
const MOST_NAMED: usize = 5;

/// Says what could not be read of the apps: their sessions may be missing in any answer.
fn report_unread(context: &Context) {
    let unread = context.library.catalog().apps().unread().list();
    for one in unread.iter().take(MOST_NAMED) {
        notice(&format!("annals: warning: {one}"));
    }
    if let Some(more) = unread.len().checked_sub(MOST_NAMED).filter(|more| *more > 0) {
        let files = render::counted(more, "more file");
        notice(&format!(
            "annals: warning: {files} of other apps cannot be read: annals doctor lists them"
        ));
    }
}

fn run_command(
    command: Option<Command>,
    global: &GlobalArgs,
    context: &Context,
) -> anyhow::Result<()> {
    match command {
        None if opens_tui(context) => tui::run(context, global, &tui::Args::default()),
        None => home::run(context),
        Some(Command::Ls(args)) => ls::run(context, &args),
        Some(Command::Projects(args)) => projects::run(context, &args),
        Some(Command::Where(args)) => where_is::run(context, &args),
        Some(Command::Info(args)) => info::run(context, global, &args),
        Some(Command::Show(args)) => show::run(context, global, args),
        Some(Command::Search(args)) => search::run(context, &args),
        Some(Command::Sql(args)) => sql::run(context, &args),
        Some(Command::Grep(args)) => grep::run(context, &args),
        Some(Command::Files(args)) => files::run(context, &args),
        Some(Command::Prompts(args)) => prompts::run(context, &args),
        Some(Command::Tree(args)) => tree::run(context, global, &args),
        Some(Command::Tools(args)) => tools::run(context, &args),
        Some(Command::Agents(args)) => agents::run(context, &args),
        Some(Command::Plan(args)) => plan::run(context, &args),
        Some(Command::Context(args)) => context::run(context, &args),
        Some(Command::Mcp(args)) => mcp::run(context, global.redact, &args),
        Some(Command::Mark(args)) => mark::run(context, &args),
        Some(Command::Rename(args)) => rename::run(context, &args),
        Some(Command::Resume(args)) => resume::run(context, global, &args),
        Some(Command::Tui(args)) => tui::run(context, global, &args),
        Some(Command::Pick(args)) => pick::run(context, global, &args),
        Some(Command::Tag(args)) => tag::run(context, &args),
        Some(Command::Usage(args)) => usage::run(context, &args),
        Some(Command::Watch(args)) => watch::run(context, &args),
        Some(Command::Web(args)) => web::run(context, global, &args),
        Some(Command::Serve(args)) => serve::run(context, global, &args),
        Some(Command::Export(args)) => export::run(context, global, args),
        Some(Command::Archive(args)) => archive::run(context, &args),
        Some(Command::Lake(args)) => lake::run(context, &args),
        Some(Command::Doctor(args)) => doctor::run(context, &args),
        Some(Command::Setup(args)) => setup::run(context, &args),
        Some(
            Command::Completions(_)
            | Command::Man(_)
            | Command::Help(_)
            | Command::Reference(_)
            | Command::Hook(_)
            | Command::Statusline(_),
        ) => Ok(()),
    }
}

/// Whether `annals` alone opens the terminal UI: the configuration says so, and a person
/// sits at a terminal.
fn opens_tui(context: &Context) -> bool {
    context.settings.configuration.home == HomeView::Tui
        && context.output.format == Format::Text
        && context.output.is_terminal
        && !context.output.is_agent
        && !context.is_demo()
}
