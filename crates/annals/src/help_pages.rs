//! The layout of help: commands in groups, and the options of every command on the page
//! of annals alone.
//!
//! clap shows all commands in one list and repeats global options on every page. The
//! grammar is copied here with other templates, for help only: parsing does not pay for
//! it.

use crate::cli::Cli;
use crate::output::terminal_width;
use clap::builder::Styles;
use clap::{Command, CommandFactory as _};
use std::ffi::OsString;
use std::fmt::Write as _;

/// The groups of commands. A test holds that every command is in one.
const GROUPS: [(&str, &[&str]); 7] = [
    ("Find", &["ls", "tui", "pick", "search", "grep", "prompts", "files", "projects", "where"]),
    ("Read", &["show", "web", "tree", "info", "plan"]),
    ("Understand", &["usage", "context", "tools", "agents", "sql"]),
    ("Keep", &["archive", "mark", "tag", "rename"]),
    ("Share", &["export", "lake"]),
    ("Live and agents", &["watch", "resume", "serve", "mcp", "hook", "statusline"]),
    ("Manage", &["setup", "doctor", "completions", "man", "help"]),
];

/// The widest page.
const WIDEST: usize = 100;

/// The names of commands are padded to this width.
const NAME_WIDTH: usize = 11;

/// The page of a command: clap's own layout, with where to find the global options below.
const COMMAND_TEMPLATE: &str =
    "{before-help}{about-with-newline}\n{usage-heading} {usage}\n\n{all-args}{after-help}\n\n";

/// Where to find the shared options.
const GLOBAL_OPTIONS: &str =
    "Options that most commands share (--json, --root, --demo): annals --help";

/// What clap prints for arguments that ask for help.
pub(crate) fn page(arguments: &[OsString], columns: Option<usize>) -> clap::Error {
    match grammar_on_screen(columns).try_get_matches_from(arguments) {
        Err(page) => page,
        // Both grammars accept the same arguments.
        Ok(_) => clap::Error::new(clap::error::ErrorKind::DisplayHelp),
    }
}

/// The grammar with the layout of help, as wide as the terminal.
pub(crate) fn grammar_on_screen(columns: Option<usize>) -> Command {
    let width = columns.or_else(terminal_width).unwrap_or(WIDEST);
    grouped(width.clamp(40, WIDEST))
}

/// The grammar with commands in groups on the page of annals.
pub(crate) fn grouped(width: usize) -> Command {
    let annals = pages(width);
    let groups = groups(&annals, width);
    let template = format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}{{all-args}}{{after-help}}"
    );
    annals
        .override_usage("annals [OPTIONS] [COMMAND]")
        .help_template(template)
        // The template lists them.
        .mut_subcommands(|command| command.hide(true))
}

/// The grammar with the options of every command on the page of annals alone.
pub(crate) fn pages(width: usize) -> Command {
    let mut annals = Cli::command().term_width(width);
    annals.build();
    with_wrapped_end(annals, width).mut_subcommands(|command| as_page(command, width))
}

/// A command without the options of every command.
fn as_page(command: Command, width: usize) -> Command {
    let global_options = render::wrapped(GLOBAL_OPTIONS, width).join("\n");
    with_wrapped_end(command, width)
        .mut_args(|argument| if argument.is_global_set() { argument.hide(true) } else { argument })
        .mut_subcommands(|command| as_page(command, width))
        .help_template(format!("{COMMAND_TEMPLATE}{global_options}"))
}

/// A command with the text below its options wrapped. clap wraps it too, but does not
/// indent the meanings in a list.
fn with_wrapped_end(command: Command, width: usize) -> Command {
    let wrapped = |text: Option<&clap::builder::StyledStr>| {
        text.map(|text| {
            let lines = text.to_string();
            let lines = lines.lines().map(|line| {
                let indent = meaning_column(line).map_or(0, |column| column - 2);
                render::hanging(line, indent, Some(width))
            });
            lines.collect::<Vec<_>>().join("\n")
        })
    };
    let after = wrapped(command.get_after_help());
    let after_long = wrapped(command.get_after_long_help());
    let command = if let Some(text) = after { command.after_help(text) } else { command };
    if let Some(text) = after_long { command.after_long_help(text) } else { command }
}

/// Where the meaning begins in a row of a list: an indented name, a gap, its meaning.
fn meaning_column(line: &str) -> Option<usize> {
    let name = line.strip_prefix("  ")?;
    let gap = name.find("  ")?;
    let meaning = name[gap..].trim_start();
    Some(line.chars().count() - meaning.chars().count())
}

/// The commands with what they do, in groups.
fn groups(annals: &Command, width: usize) -> String {
    let styles: &Styles = annals.get_styles();
    let (heading, literal) = (styles.get_header(), styles.get_literal());
    let indent = NAME_WIDTH + 4;
    let mut text = String::new();
    for (group, names) in GROUPS {
        let _ = writeln!(text, "{heading}{group}:{heading:#}");
        for name in names {
            let about = annals.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let padding = " ".repeat(NAME_WIDTH - name.len());
            let lines = render::wrapped(&about, width.saturating_sub(indent));
            let about = lines.join(&format!("\n{}", " ".repeat(indent)));
            let _ = writeln!(text, "  {literal}{name}{literal:#}{padding}  {about}");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_exactly_one_group() {
        let annals = Cli::command();
        let mut commands: Vec<&str> = annals
            .get_subcommands()
            .filter(|command| !command.is_hide_set())
            .map(Command::get_name)
            .collect();
        let mut grouped: Vec<&str> =
            GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        commands.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, commands);
        assert!(grouped.iter().all(|name| name.len() <= NAME_WIDTH));
    }

    #[test]
    fn options_of_every_command_are_on_the_page_of_annals_alone() {
        let page = |words: &[&str]| {
            let mut grammar = grouped(80);
            let mut command = &mut grammar;
            for word in words {
                command = command.find_subcommand_mut(word).expect("a command");
            }
            command.render_long_help().to_string()
        };
        let annals = page(&[]);
        for option in ["--root", "--demo", "--json", "--no-pager"] {
            let line = format!("      {option}");
            assert!(annals.contains(&line), "{annals}");
            for words in [&["ls"][..], &["archive"], &["archive", "sync"]] {
                let help = page(words);
                assert!(!help.contains(&line), "{option} in {help}");
                assert!(help.contains("annals --help"), "{help}");
            }
        }
    }
}
