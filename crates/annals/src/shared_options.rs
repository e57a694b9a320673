//! Which commands use which of the options that many of them have, and which other options do
//! nothing beside others.
//!
//! An option that does nothing is an error: a person who types `--since yesterday` takes what is
//! printed for yesterday's. [`COMMANDS`] says for every command which of the options of all
//! commands it uses, and which filters do nothing beside its other arguments. The arguments
//! are checked against it once, after parsing and before anything is opened; no command
//! decides this itself.
//!
//! That a filter, once it is admitted here, changes the answer is shown by
//! `tests/annals/cli/commands/unused_options.rs`, over every command and every option.

mod commands;

use crate::failure::CliError;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use commands::COMMANDS;

/// What a command does with the options that many commands have.
pub(crate) struct OptionUse {
    /// The command as it is typed, `archive sync`; empty for `annals` alone.
    command: &'static str,
    /// The options of all commands that it uses, by their ids.
    uses: &'static [&'static [&'static str]],
    /// Why it does not use some of the others, where the usual reason does not say it.
    reasons: &'static [(&'static [&'static str], &'static str)],
    /// Options that it does not use beside other arguments.
    idle: &'static [Idle],
}

/// Options that do nothing beside other arguments of their command.
pub(crate) struct Idle {
    /// What is asked for then, as it is typed behind the command.
    beside: &'static str,
    when: fn(&ArgMatches) -> bool,
    options: &'static [&'static str],
    reason: &'static str,
}

/// Options for which the usual reason, if a command does not use them, is the same.
const USUAL_REASONS: [(&[&str], &str); 7] = [
    (&["root", "app", "demo", "exclude", "alias", "no_index"], "it reads no sessions"),
    (&["current_session"], "it marks no session as the current one"),
    (&["json", "jsonl", "csv"], "its output has one form"),
    (&["timezone"], "it shows and reads no local times"),
    (&["color"], "its output has no colours"),
    (&["redact"], "it prints nothing of sessions"),
    (&["no_pager"], "its output is never paged"),
];

/// The filters and limits that several commands have, by their ids. Which of them a command
/// has, its grammar says.
const FILTERS: [&str; 12] = [
    "project",
    "here",
    "exact",
    "since",
    "until",
    "git_branch",
    "model",
    "agent",
    "tool",
    "session_filter",
    "limit",
    "offset",
];

/// Refuses options that the command does not use.
pub(crate) fn check(matches: &ArgMatches) -> Result<(), CliError> {
    let (name, own) = innermost(matches);
    let Some(command) = find(&name) else { return Ok(()) };
    let mut given = own.ids().map(clap::Id::as_str).filter(|id| is_given(own, id));
    let refused = given.find_map(|id| command.refusal(id, own).map(|reason| (id, reason)));
    match refused {
        Some((id, reason)) => Err(CliError::Misuse(command.message(id, &reason))),
        None => Ok(()),
    }
}

/// Whether an option was typed. Defaults are nobody's wish.
fn is_given(matches: &ArgMatches, id: &str) -> bool {
    matches.value_source(id) == Some(ValueSource::CommandLine)
}

/// The command that was asked for, with its arguments.
fn innermost(matches: &ArgMatches) -> (String, &ArgMatches) {
    let (mut name, mut own) = (String::new(), matches);
    while let Some((next, below)) = own.subcommand() {
        name = if name.is_empty() { next.to_owned() } else { format!("{name} {next}") };
        own = below;
    }
    (name, own)
}

fn find(command: &str) -> Option<&'static OptionUse> {
    COMMANDS.iter().find(|known| known.command == command)
}

/// Why an option is refused.
struct Refused {
    /// What else was asked for, if that is why.
    beside: &'static str,
    reason: &'static str,
}

impl OptionUse {
    /// Why an option does nothing, if it is one of those that many commands have.
    fn refusal(&self, id: &str, matches: &ArgMatches) -> Option<Refused> {
        if let Some(reason) = self.reason_against(id) {
            return Some(Refused { beside: "", reason });
        }
        let mut idle = self.idle.iter().filter(|idle| idle.options.contains(&id));
        let idle = idle.find(|idle| (idle.when)(matches))?;
        Some(Refused { beside: idle.beside, reason: idle.reason })
    }

    /// Why the command never uses an option of all commands.
    fn reason_against(&self, id: &str) -> Option<&'static str> {
        let (_, usual) = USUAL_REASONS.iter().find(|(ids, _)| ids.contains(&id))?;
        if self.uses.iter().any(|ids| ids.contains(&id)) {
            return None;
        }
        let own = self.reasons.iter().find(|(ids, _)| ids.contains(&id));
        Some(own.map_or(usual, |(_, reason)| reason))
    }

    fn message(&self, id: &str, refused: &Refused) -> String {
        let words = ["annals", self.command, refused.beside];
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let (call, reason) = (words.join(" "), refused.reason);
        format!("{call} does not use {}: {reason}", option_name(id))
    }
}

/// An argument as it is typed, or as help names it.
fn option_name(id: &str) -> String {
    match id {
        "session" => return "SESSION".to_owned(),
        "report" => return "REPORT|SESSION".to_owned(),
        _ => {}
    }
    let name = id.strip_suffix("_filter").unwrap_or(id);
    format!("--{}", name.replace('_', "-"))
}

/// Whether an argument is an option that many commands have.
fn is_shared(argument: &Arg) -> bool {
    let id = argument.get_id().as_str();
    (argument.is_global_set() || FILTERS.contains(&id))
        && !argument.is_positional()
        && !matches!(id, "help" | "version")
}

/// Every command with every option that many commands have: its name, the option, and why the
/// command never uses it.
pub(crate) fn listed(annals: &Command) -> Vec<(String, String, Option<&'static str>)> {
    let mut rows = Vec::new();
    each_command(annals, "", &mut |name, command| {
        let known = find(name);
        for argument in command.get_arguments().filter(|argument| is_shared(argument)) {
            let id = argument.get_id().as_str();
            let reason = known.and_then(|known| known.reason_against(id));
            rows.push((name.to_owned(), option_name(id), reason));
        }
    });
    rows
}

/// Calls with every command that does something by itself.
fn each_command(command: &Command, name: &str, call: &mut dyn FnMut(&str, &Command)) {
    if !command.is_subcommand_required_set() {
        call(name, command);
    }
    for below in command.get_subcommands() {
        let name = format!("{name} {}", below.get_name());
        each_command(below, name.trim_start(), call);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::CommandFactory as _;
    use std::collections::{BTreeMap, BTreeSet};

    /// The arguments of every command.
    fn grammar() -> BTreeMap<String, BTreeSet<String>> {
        let mut commands = BTreeMap::new();
        let mut annals = Cli::command();
        annals.build();
        each_command(&annals, "", &mut |name, command| {
            let ids = command.get_arguments().map(|argument| argument.get_id().to_string());
            commands.insert(name.to_owned(), ids.collect());
        });
        commands
    }

    #[test]
    fn every_command_declares_which_options_it_uses() {
        let declared: Vec<&str> = COMMANDS.iter().map(|row| row.command).collect();
        let known: BTreeSet<&str> = declared.iter().copied().collect();
        assert_eq!(known.len(), declared.len(), "a command has two rows");
        let grammar = grammar();
        let expected: BTreeSet<&str> = grammar.keys().map(String::as_str).collect();
        assert_eq!(known, expected);
    }

    #[test]
    fn every_declared_option_exists() {
        let grammar = grammar();
        for row in COMMANDS {
            let own = &grammar[row.command];
            let idle = row.idle.iter().flat_map(|idle| idle.options);
            let reasons = row.reasons.iter().flat_map(|(ids, _)| *ids);
            for id in row.uses.iter().flat_map(|ids| *ids).chain(idle).chain(reasons) {
                assert!(own.contains(*id), "{:?} has no {id}", row.command);
            }
            let used: BTreeSet<&str> = row.uses.iter().flat_map(|ids| *ids).copied().collect();
            for id in row.reasons.iter().flat_map(|(ids, _)| *ids) {
                assert!(!used.contains(id), "{:?} uses {id} and says why not", row.command);
            }
        }
    }

    /// A new option of all commands has to be declared: without a usual reason, none would
    /// ever refuse it.
    #[test]
    fn every_option_of_all_commands_can_be_refused() {
        let cli = Cli::command();
        let known: BTreeSet<&str> =
            USUAL_REASONS.iter().flat_map(|(ids, _)| *ids).copied().collect();
        let globals = cli.get_arguments().filter(|argument| argument.is_global_set());
        let globals: BTreeSet<&str> = globals.map(|argument| argument.get_id().as_str()).collect();
        assert_eq!(known, globals);
    }

    #[test]
    fn conditions_only_ask_for_arguments_that_the_command_has() {
        for row in COMMANDS {
            let command = Cli::command().ignore_errors(true);
            let words = ["annals"].into_iter().chain(row.command.split_whitespace());
            let matches = command.get_matches_from(words);
            let (name, own) = innermost(&matches);
            assert_eq!(name, row.command);
            // clap panics on a name that it does not know.
            for idle in row.idle {
                let _: bool = (idle.when)(own);
            }
        }
    }

    /// What is refused for these arguments.
    fn refused(arguments: &[&str]) -> Option<String> {
        let words = ["annals"].iter().chain(arguments);
        let matches = Cli::command().try_get_matches_from(words);
        let matches = matches.unwrap_or_else(|error| panic!("{arguments:?}: {error}"));
        check(&matches).err().map(|error| error.to_string())
    }

    const REFUSED: [(&[&str], &str); 29] = [
        (
            &["completions", "bash", "--demo"],
            "annals completions does not use --demo: it reads no sessions",
        ),
        (
            &["--no-index", "sql", "SELECT 1"],
            "annals sql does not use --no-index: it queries the index",
        ),
        (
            &["usage", "--current-session", "x"],
            "annals usage does not use --current-session: it marks no session as the current one",
        ),
        (
            &["usage", "limits", "--model", "opus"],
            "annals usage limits does not use --model: limits belong to an account",
        ),
        (
            &["usage", "--check", "--since", "3d"],
            "annals usage --check does not use --since: budgets are for all calls",
        ),
        (
            &["usage", "--explain", "--session", "x"],
            "annals usage --explain does not use --session: it explains the figures of all calls",
        ),
        (
            &["usage", "--explain", "msg_1", "--csv"],
            "annals usage --explain does not use --csv: its answer is one document\nhint: use --json",
        ),
        (
            &["usage", "x", "--explain"],
            "annals usage --explain does not use REPORT|SESSION: it explains the figures of all calls",
        ),
        (
            &["usage", "model", "x", "--explain", "--json"],
            "annals usage --explain does not use REPORT|SESSION: it explains the figures of all calls",
        ),
        (
            &["usage", "model", "--explain"],
            "annals usage --explain does not use REPORT|SESSION: its text shows no rows\nhint: use --json",
        ),
        (
            &["usage", "limits", "x"],
            "annals usage limits does not use SESSION: limits belong to an account",
        ),
        (
            &["usage", "limits", "--cost", "display"],
            "annals usage limits does not use --cost: it shows recorded limits and no cost",
        ),
        (
            &["grep", "-l", "-C", "2", "x"],
            "annals grep -l does not use --context: it lists sessions, not hits",
        ),
        (
            &["grep", "-c", "-o", "x"],
            "annals grep -c does not use --only-matching: it counts hits and shows none",
        ),
        (
            &["search", "--csv", "-C", "2", "x"],
            "annals search --csv does not use --context: its rows are hits\nhint: use --jsonl",
        ),
        (
            &["sql", "--schema", "--timeout", "5"],
            "annals sql --schema does not use --timeout: it runs no query",
        ),
        (
            &["export", "-o", "-", "--json"],
            "annals export -o - does not use --json: only the list of written files has JSON\nhint: use --format json",
        ),
        (
            &["export", "-o", "-", "--force"],
            "annals export -o - does not use --force: it writes no file",
        ),
        (
            &["tools", "x", "--here"],
            "annals tools SESSION does not use --here: the session is named",
        ),
        (
            &["tools", "--session", "x", "--here"],
            "annals tools SESSION does not use --here: the session is named",
        ),
        (
            &["tools", "x", "--session", "y"],
            "annals tools SESSION does not use --session: the session is named",
        ),
        (
            &["tools", "--stats", "-n", "3"],
            "annals tools --stats does not use --limit: it adds up all calls",
        ),
        (
            &["prompts", "x", "--model", "opus"],
            "annals prompts SESSION does not use --model: it shows all prompts of the session",
        ),
        (
            &["export", "x", "--since", "3d"],
            "annals export SESSION does not use --since: sessions are either named or chosen by filters",
        ),
        (
            &["web", "--session", "x"],
            "annals web does not use --session: its pages show many sessions; annals web SESSION opens one",
        ),
        (
            &["lake", "push", "--exclude", "x"],
            "annals lake push does not use --exclude: only the configuration says which sessions are shared",
        ),
        (
            &["doctor", "--jsonl"],
            "annals doctor does not use --jsonl: its answer is one document\nhint: use --json",
        ),
        (
            &["tree", "--csv"],
            "annals tree does not use --csv: its answer is one document\nhint: use --json",
        ),
        (&["hook", "--csv"], "annals hook does not use --csv: its output has one form"),
    ];

    #[test]
    fn options_that_do_nothing_are_refused_with_a_reason() {
        for (arguments, expected) in REFUSED {
            assert_eq!(refused(arguments).as_deref(), Some(expected), "{arguments:?}");
        }
        let used: [&[&str]; 11] = [
            &["usage", "model", "--explain", "--json", "-n", "3"],
            &["grep", "-c", "-i", "x"],
            &["search", "--json", "-C", "2", "x"],
            &["usage", "limits", "--since", "3d"],
            &["usage", "x", "--model", "opus", "--here"],
            &["usage", "--explain", "--json"],
            &["tools", "x", "--model", "opus", "-n", "3"],
            &["doctor", "--secrets", "--csv"],
            &["export", "--session", "x"],
            &["--color", "never", "--no-pager", "archive", "verify"],
            &["resume", "--timezone", "UTC"],
        ];
        for arguments in used {
            assert_eq!(refused(arguments), None, "{arguments:?}");
        }
    }
}
