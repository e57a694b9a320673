//! The command line: options, filters and commands.

use crate::apps::AppReader;
use crate::commands;
use crate::failure::CliError;
use crate::lake_view::LakeScope;
use crate::shared_options;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use document::LakeQuestion;
use serde::Deserialize;
use std::borrow::Cow;
use std::ffi::OsString;
use std::path::PathBuf;

/// Archive, search and explain every Claude Code session.
///
/// Without a command: an overview, the latest sessions, and what Claude Code is
/// about to delete.
#[derive(Debug, Parser)]
#[command(name = "annals", version, max_term_width = 100, disable_help_subcommand = true)]
// The commit too, for reports of mistakes; `-V` prints the version alone.
#[command(long_version = env!("ANNALS_BUILD"))]
#[command(
    after_help = "SESSION is a session id, a prefix of one, a sub-agent's id, a path to a .jsonl file, @ (the latest session in this project), @2 (the one before), or a word of the title.\nTry it without Claude Code: annals --demo ls"
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// Options that most commands share. Which of them a command uses, and refuses otherwise, is
/// in `shared_options`.
#[derive(Args, Clone, Debug)]
pub(crate) struct GlobalArgs {
    /// Read this store instead: a configuration folder, a projects folder, a
    /// project folder, a folder of transcripts, or one transcript. Repeatable
    #[arg(long, global = true, value_name = "DIR", help_heading = "Where")]
    pub(crate) root: Vec<PathBuf>,
    /// Read only this app's sessions: claude, codex, opencode, copilot, gemini or pi.
    /// With --root, DIR is that app's folder. Repeatable
    #[arg(long, global = true, value_name = "APP", help_heading = "Where")]
    pub(crate) app: Vec<String>,
    /// Use the demo store, to try things out
    #[arg(long, global = true, help_heading = "Where")]
    pub(crate) demo: bool,
    /// Ignore working directories and transcripts that match GLOB. Repeatable
    #[arg(long, global = true, value_name = "GLOB", help_heading = "Where")]
    pub(crate) exclude: Vec<String>,
    /// Count the sessions of folder OLD, which has moved, as sessions of NEW.
    /// Repeatable
    #[arg(long, global = true, value_name = "OLD=NEW", help_heading = "Where")]
    pub(crate) alias: Vec<String>,
    /// The session that runs this command; lists mark it as current
    #[arg(long, global = true, value_name = "ID", help_heading = "Where")]
    pub(crate) current_session: Option<String>,
    /// Read the transcripts instead of using the index
    #[arg(long, global = true, help_heading = "Where")]
    pub(crate) no_index: bool,
    /// Print one JSON document
    #[arg(long, global = true, help_heading = "Output", conflicts_with_all = ["jsonl", "csv"])]
    pub(crate) json: bool,
    /// Print one JSON object per line
    #[arg(long, global = true, help_heading = "Output", conflicts_with = "csv")]
    pub(crate) jsonl: bool,
    /// Print CSV
    #[arg(long, global = true, help_heading = "Output")]
    pub(crate) csv: bool,
    /// Time zone for times and days [default: the system's]
    #[arg(long, global = true, value_name = "ZONE", help_heading = "Output")]
    pub(crate) timezone: Option<String>,
    /// When to use colour
    #[arg(long, global = true, value_enum, value_name = "WHEN", help_heading = "Output")]
    pub(crate) color: Option<Color>,
    /// Mask secrets. On by default for exports and for agents; `strict` also masks
    /// e-mail addresses and home directory names
    #[arg(long, global = true, value_enum, value_name = "HOW", help_heading = "Output")]
    #[arg(num_args = 0..=1, default_missing_value = "on", require_equals = true)]
    pub(crate) redact: Option<Redact>,
    /// Do not use a pager
    #[arg(long, global = true, help_heading = "Output")]
    pub(crate) no_pager: bool,
}

/// Whether secrets are masked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Redact {
    /// Nothing.
    Off,
    /// Keys, tokens, passwords and other credentials.
    On,
    /// Also e-mail addresses and the names of home directories.
    Strict,
}

/// Parses arguments; beside them, why the command refuses one of them.
pub(crate) fn parse(arguments: &[OsString]) -> Result<(Cli, Result<(), CliError>), clap::Error> {
    let mut grammar = Cli::command();
    let matches = grammar.try_get_matches_from_mut(arguments)?;
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut grammar))?;
    Ok((cli, shared_options::check(&matches)))
}

/// Names that stand for a command with an argument.
const SHORTHANDS: [(&str, &[&str]); 6] = [
    ("daily", &["usage", "daily"]),
    ("weekly", &["usage", "weekly"]),
    ("monthly", &["usage", "monthly"]),
    ("block", &["usage", "block"]),
    ("blocks", &["usage", "block"]),
    ("today", &["usage", "--since", "today"]),
];

/// The commands that Claude Code and agents start. `--session` once named the session that
/// runs a command, and their calls are in settings that stay.
const STARTED_BY_PROGRAMS: [&str; 3] = ["hook", "mcp", "statusline"];

/// Rewrites arguments for clap: `--redact strict` becomes `--redact=strict`, because
/// the word after a plain `--redact` may be a command or a session. In a search,
/// `-word` becomes `NOT word`. `annals today` becomes `annals usage --since today`, and in
/// the calls of programs `--session` becomes `--current-session`.
pub(crate) fn arguments(given: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments = plain_arguments(given);
    if command_in(&arguments).is_some_and(|(_, name)| STARTED_BY_PROGRAMS.contains(&&*name)) {
        with_current_session(&mut arguments);
    }
    let place = command_in(&arguments).and_then(|(place, name)| {
        let long = SHORTHANDS.iter().find(|(short, _)| *short == name)?;
        Some((place, long.1))
    });
    if let Some((place, words)) = place {
        arguments.splice(place..=place, words.iter().map(OsString::from));
    }
    arguments
}

fn plain_arguments(given: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = Vec::new();
    let mut is_over = false;
    for argument in given {
        let is_search = arguments.iter().skip(1).any(|known| known == "search");
        if let Some(word) = argument.to_str().and_then(excluded_word)
            && is_search
            && !is_over
        {
            arguments.extend(["NOT".into(), word.into()]);
            continue;
        }
        let value = argument.to_str().filter(|it| Redact::from_str(it, false).is_ok());
        match (value, arguments.last_mut()) {
            (Some(value), Some(last)) if !is_over && last == "--redact" => {
                *last = format!("--redact={value}").into();
            }
            _ => {
                is_over |= argument == "--";
                arguments.push(argument);
            }
        }
    }
    arguments
}

/// Replaces the earlier spelling of `--current-session`.
fn with_current_session(arguments: &mut [OsString]) {
    for argument in arguments.iter_mut().take_while(|argument| *argument != "--") {
        let text = argument.to_str();
        let rest = text.and_then(|text| text.strip_prefix("--session"));
        if let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.starts_with('=')) {
            *argument = format!("--current-session{rest}").into();
        }
    }
}

/// Whether Claude Code runs this command: it would act on a failing exit code.
pub(crate) fn is_for_the_app(arguments: &[OsString]) -> bool {
    command_in(arguments).is_some_and(|(_, name)| name == "hook" || name == "statusline")
}

/// The command among the arguments, and its position.
fn command_in(arguments: &[OsString]) -> Option<(usize, Cow<'_, str>)> {
    let grammar = Cli::command();
    let takes_next = |option: &str| {
        let option = option.strip_prefix("--").map(Some);
        // The earlier spelling of a global option.
        if option == Some(Some("session")) {
            return true;
        }
        let known =
            option.and_then(|name| grammar.get_arguments().find(|it| it.get_long() == name));
        known.is_some_and(|it| it.get_action().takes_values() && !it.is_require_equals_set())
    };
    let mut words = arguments.iter().map(|it| it.to_string_lossy()).enumerate().skip(1);
    while let Some((place, word)) = words.next() {
        if !word.starts_with('-') {
            return Some((place, word));
        }
        if takes_next(&word) {
            words.next();
        }
    }
    None
}

/// Adds to an error about an option how to search for its text: the user may have
/// meant that.
pub(crate) fn suggest_searching_for_options(arguments: &[OsString], error: &mut clap::Error) {
    let Some((place, command)) = command_in(arguments) else { return };
    if !matches!(&*command, "search" | "grep") {
        return;
    }
    let has_no_value = matches!(
        error.get(ContextKind::InvalidValue),
        Some(ContextValue::String(value)) if value.is_empty()
    );
    let named = match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(option))) => option.as_str(),
        // clap names it `--root <DIR>`.
        (ErrorKind::InvalidValue, Some(ContextValue::String(option))) if has_no_value => {
            option.split(' ').next().unwrap_or_default()
        }
        // Only options were given.
        (ErrorKind::MissingRequiredArgument, _) => "-",
        _ => return,
    };
    let words = arguments.iter().skip(place + 1).map(|it| it.to_string_lossy());
    let mut words = words.take_while(|word| word != "--");
    if let Some(word) = words.find(|word| word.starts_with(named) && word.starts_with('-')) {
        let call = format!("annals {command} -- {}", render::shell_quoted(&word));
        let tip = format!("to search for {word:?} itself: {call}");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
}

/// The word of `-word`, which excludes a word from a search: clap would take it for
/// flags.
fn excluded_word(argument: &str) -> Option<&str> {
    let word = argument.strip_prefix('-').filter(|word| !word.starts_with('-'))?;
    let first = word.chars().next()?;
    let is_flag = matches!(word, "h" | "V" | "p" | "s" | "u")
        || word
            .strip_prefix(['C', 'n'])
            .is_some_and(|count| count.bytes().all(|it| it.is_ascii_digit()));
    (!is_flag && (first.is_alphabetic() || first == '"')).then_some(word)
}

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Color {
    /// On a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Filters for sessions and records.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct FilterArgs {
    /// Only this project: a name or part of one, or a path, with the worktrees and
    /// subdirectories of the repository there
    #[arg(short, long, value_name = "NAME|PATH", help_heading = "Filters", group = "folder")]
    pub(crate) project: Option<PathBuf>,
    /// Only the project of the current folder
    #[arg(long, help_heading = "Filters", group = "folder")]
    pub(crate) here: bool,
    /// With --project or --here: only this exact folder
    #[arg(long, help_heading = "Filters", requires = "folder")]
    pub(crate) exact: bool,
    /// Only from this day on: YYYY-MM-DD, `yesterday`, `3d`, `2w`, or `12h`
    #[arg(short, long, value_name = "WHEN", help_heading = "Filters")]
    pub(crate) since: Option<String>,
    /// Only up to this day, inclusive
    #[arg(short, long, value_name = "WHEN", help_heading = "Filters")]
    pub(crate) until: Option<String>,
    /// Only this git branch; `*` matches anything
    #[arg(long, alias = "branch", value_name = "BRANCH", help_heading = "Filters")]
    pub(crate) git_branch: Option<String>,
    /// Only where this model answered (part of its name)
    #[arg(long, value_name = "MODEL", help_heading = "Filters")]
    pub(crate) model: Option<String>,
    /// Only where a sub-agent of this type worked
    #[arg(long, value_name = "TYPE", help_heading = "Filters")]
    pub(crate) agent: Option<String>,
    /// Only where this tool was called; `*` matches anything
    #[arg(long, value_name = "TOOL", help_heading = "Filters")]
    pub(crate) tool: Option<String>,
    /// Only this session: its id, a prefix of it, @ or a word of its title
    // Not the field's name: commands use it for their own arguments.
    #[arg(
        id = "session_filter",
        long = "session",
        value_name = "SESSION",
        help_heading = "Filters"
    )]
    pub(crate) session: Option<String>,
}

impl FilterArgs {
    /// Whether any filter is given.
    pub(crate) fn is_given(&self) -> bool {
        let FilterArgs { since, until, git_branch, model, agent, tool, session, .. } = self;
        let texts = [since, until, git_branch, model, agent, tool, session];
        self.project.is_some() || self.here || texts.into_iter().any(Option::is_some)
    }
}

/// The limit on rows.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct LimitArgs {
    /// Show at most N rows (0 = all) [default: 20 on a terminal]
    #[arg(short = 'n', long, value_name = "N", value_parser = parse_limit)]
    pub(crate) limit: Option<usize>,
}

/// Parses a number of rows, in words that say what is allowed.
pub(crate) fn parse_limit(text: &str) -> Result<usize, &'static str> {
    text.parse().map_err(|_| "use a whole number, 0 for all")
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(aliases = ["list", "sessions"])]
    Ls(commands::ls::Args),
    Projects(commands::projects::Args),
    Where(commands::where_is::Args),
    Info(commands::info::Args),
    #[command(alias = "view")]
    Show(commands::show::Args),
    Search(commands::search::Args),
    Grep(commands::grep::Args),
    Files(commands::files::Args),
    Prompts(commands::prompts::Args),
    Tree(commands::tree::Args),
    Tools(commands::tools::Args),
    Agents(commands::agents::Args),
    Plan(commands::plan::Args),
    Context(commands::context::Args),
    Mark(commands::mark::Args),
    Mcp(commands::mcp::Args),
    Rename(commands::rename::Args),
    Resume(commands::resume::Args),
    Tag(commands::tag::Args),
    Tui(commands::tui::Args),
    Pick(commands::pick::Args),
    #[command(alias = "cost")]
    Usage(commands::usage::Args),
    Watch(commands::watch::Args),
    Web(commands::web::Args),
    Serve(commands::serve::Args),
    Sql(commands::sql::Args),
    Export(commands::export::Args),
    Archive(commands::archive::Args),
    Lake(commands::lake::Args),
    Doctor(commands::doctor::Args),
    Hook(commands::hook::Args),
    Statusline(commands::statusline::Args),
    Setup(commands::setup::Args),
    Completions(commands::completions::Args),
    Man(commands::man::Args),
    Help(commands::help::Args),
    #[command(hide = true)]
    Reference(commands::reference::Args),
}

impl Command {
    /// Whose rows of the lake are asked for, and what of them.
    pub(crate) fn lake(&self) -> Option<(LakeScope, LakeQuestion)> {
        match self {
            Command::Ls(args) => args.lake.asks(|| LakeQuestion::List),
            Command::Show(args) => args.lake.asks(|| args.lake_question()),
            Command::Search(args) => args.lake.asks(|| args.lake_question()),
            Command::Files(args) => args.lake.asks(|| args.lake_question()),
            Command::Sql(args) => args.lake.asks(|| LakeQuestion::Sql),
            Command::Usage(args) => args.lake.asks(|| args.lake_question()),
            Command::Lake(args) => args.asks(),
            _ => None,
        }
    }

    /// Whether the command masks secrets by default.
    pub(crate) fn masks_by_default(&self) -> bool {
        match self {
            Command::Export(_) | Command::Mcp(_) => true,
            Command::Web(args) => !args.server.reveal,
            Command::Serve(args) => !args.server.reveal,
            _ => false,
        }
    }

    /// Whether the command runs until it is stopped, also where there is no store yet.
    pub(crate) fn runs_until_stopped(&self) -> bool {
        matches!(self, Command::Watch(_) | Command::Web(_) | Command::Serve(_))
    }

    /// Whether the command handles signals itself.
    pub(crate) fn ends_on_signals(&self) -> bool {
        self.runs_until_stopped() || matches!(self, Command::Tui(_) | Command::Pick(_))
    }

    /// Whether what cannot be read of the apps is said elsewhere than in the terminal's lines:
    /// on screens and pages, and in answers to agents.
    pub(crate) fn shows_warnings_itself(&self) -> bool {
        let is_screen = matches!(self, Command::Tui(_) | Command::Pick(_));
        is_screen || matches!(self, Command::Mcp(_) | Command::Web(_) | Command::Serve(_))
    }

    /// Who reads the sessions of other apps.
    pub(crate) fn app_reader(&self) -> AppReader {
        match self {
            Command::Mcp(_) => AppReader::Others,
            Command::Hook(_) | Command::Statusline(_) | Command::Setup(_) | Command::Lake(_) => {
                AppReader::ClaudeCode
            }
            _ => AppReader::Person,
        }
    }

    /// Whether the command leaves out archived sessions of other stores.
    pub(crate) fn serves_own_only(&self) -> bool {
        matches!(self, Command::Mcp(_))
    }
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::CommandFactory as _;

    /// clap would mix up their values.
    #[test]
    fn no_argument_of_a_command_has_the_name_of_a_global_one() {
        let cli = Cli::command();
        let globals = || cli.get_arguments().filter(|argument| argument.is_global_set());
        assert!(globals().count() > 5);
        let mut commands: Vec<_> = cli.get_subcommands().collect();
        while let Some(command) = commands.pop() {
            commands.extend(command.get_subcommands());
            for argument in command.get_arguments() {
                let same = globals().find(|global| global.get_id() == argument.get_id());
                assert!(same.is_none(), "{} {}", command.get_name(), argument.get_id());
            }
        }
    }
}
