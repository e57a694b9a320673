//! `annals setup`: arguments, questions and output. What is changed, and how, is
//! `integration::setup`'s.

use crate::commands::archive;
use crate::context::Context;
use crate::failure::CliError;
use crate::output::Format;
use crate::whole_file;
use clap::ValueEnum;
use integration::setup::{Setup, SetupContext, SetupError, SetupOptions, SetupPart};
use std::io;
use std::io::IsTerminal as _;
use std::path::PathBuf;

/// Install annals in Claude Code, or remove it
///
/// Asks before each change, and shows it on request: hooks that archive sessions, a
/// status line, a skill that teaches agents to use annals, a longer retention of
/// transcripts, and the MCP server. Existing settings in settings.json stay byte for
/// byte, and a backup is saved. `--remove` removes exactly what was installed.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only these parts. Repeatable
    #[arg(long, value_enum, value_delimiter = ',', value_name = "PART")]
    only: Vec<PartName>,
    /// Make the changes without asking
    #[arg(long)]
    yes: bool,
    /// Show what would change, but change nothing
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
    /// Remove what setup installed
    #[arg(long)]
    remove: bool,
    /// Also install a timer that updates the archive every hour
    #[arg(long)]
    timer: bool,
    /// Program path to install, for example a link that survives updates
    /// [default: the running program]
    #[arg(long, value_name = "PATH")]
    command: Option<PathBuf>,
}

/// A part of setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PartName {
    /// Archive sessions when they end, are compacted, or are about to be deleted
    Hooks,
    /// Show model, context, cost and limits; an existing status line stays
    Statusline,
    /// Teach agents to recall earlier sessions
    Skill,
    /// Keep transcripts for at least a year
    Cleanup,
    /// Give agents tools to search earlier sessions
    Mcp,
    /// Update the archive every hour; not installed by default
    Timer,
}

impl From<PartName> for SetupPart {
    fn from(part: PartName) -> SetupPart {
        match part {
            PartName::Hooks => SetupPart::Hooks,
            PartName::Statusline => SetupPart::Statusline,
            PartName::Skill => SetupPart::Skill,
            PartName::Cleanup => SetupPart::Cleanup,
            PartName::Mcp => SetupPart::Mcp,
            PartName::Timer => SetupPart::Timer,
        }
    }
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    context.check_data_home()?;
    whole_file::outlive_limits();
    let output = &context.output;
    let is_text = output.format == Format::Text;
    let is_person = is_text && output.is_terminal && !output.is_agent && io::stdin().is_terminal();
    let options = SetupOptions {
        only: args.only.iter().copied().map(SetupPart::from).collect(),
        with_timer: args.timer,
        is_removal: args.remove,
        command: args.command.clone(),
        may_change: !args.dry_run && (args.yes || is_person),
    };
    let mut setup = Setup::open(input(context)?, &options).map_err(cli_error)?;
    if is_text {
        let introduction = setup.report().introduction(|path| context.short_path(path));
        output.unpaged(&output.hanging(&introduction, 2))?;
    }
    while setup.propose_next().is_some() {
        let is_asking = setup.is_waiting() && !args.yes;
        if is_text && is_asking {
            output.unpaged(&setup.report().last_step_brief(output.paint, output.width()))?;
        } else if is_text {
            output.unpaged(&setup.report().last_step(output.paint, output.width()))?;
        }
        if setup.is_waiting() {
            let change = || setup.report().last_change(output.paint);
            let is_accepted = args.yes || ask(context, args.remove, change)?;
            setup.answer(is_accepted);
        }
    }
    let report = setup.finish();
    match output.format {
        Format::Json => output.json(&report.document())?,
        _ => output.unpaged(&output.hanging(&report.summary(), 2))?,
    }
    if report.is_failure() {
        return Err(CliError::Failed.into());
    }
    if is_person && !args.remove && !args.dry_run {
        return offer_first_sync(context);
    }
    Ok(())
}

/// Offers to back up all sessions if there is no archive yet: hooks archive only what
/// changes from now on.
fn offer_first_sync(context: &Context) -> anyhow::Result<()> {
    if context.is_demo() || context.library.archive().open().is_ok() {
        return Ok(());
    }
    let question =
        "\nThere is no archive yet. Back up all sessions now (annals archive sync)? [y/N] ";
    context.output.unpaged(question)?;
    if !matches!(answer(context)?.as_str(), "y" | "yes") {
        return Ok(());
    }
    archive::sync_all(context)
}

/// What setup has to know.
pub(super) fn input(context: &Context) -> Result<SetupContext<'_>, CliError> {
    Ok(SetupContext {
        library: &context.library,
        now: context.settings.now,
        home: context.settings.environment.home.as_deref(),
        data_home: context.data_home()?,
        config_home: context.settings.config_home.as_deref(),
        claude_folder: context.settings.claude_folder.as_deref(),
        claude_config_dir: context.settings.environment.claude_config_dir.as_deref(),
        named_roots: &context.settings.named_roots,
        managed_settings: context.settings.environment.managed_settings.as_deref(),
        search_path: &context.settings.search_path,
        executable: context.settings.environment.executable.as_deref(),
        is_demo: context.is_demo(),
    })
}

/// Asks whether a part may be changed; `d` shows the change first. No answer is a no.
fn ask(context: &Context, is_removal: bool, change: impl Fn() -> String) -> anyhow::Result<bool> {
    let question = if is_removal { "Remove this?" } else { "Install this?" };
    loop {
        context.output.unpaged(&format!("{question} [y/N, d shows the change] "))?;
        match answer(context)?.as_str() {
            "d" | "diff" => context.output.unpaged(&change())?,
            answer => return Ok(matches!(answer, "y" | "yes")),
        }
    }
}

/// What the user answers.
fn answer(context: &Context) -> anyhow::Result<String> {
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    if answer.is_empty() {
        context.output.unpaged("\n")?;
    }
    Ok(answer.trim().to_lowercase())
}

/// A missing folder is exit 1, everything else is exit 2.
fn cli_error(error: SetupError) -> anyhow::Error {
    match error {
        SetupError::MissingFolder(_) => CliError::NotFound(error.to_string()).into(),
        error => error.into(),
    }
}
