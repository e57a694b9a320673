//! `annals setup`: arguments, questions and output. What is changed, and how, is
//! `integration::setup`'s.

use crate::context::Context;
use crate::failure::Ending;
use crate::output::Format;
use crate::whole_file;
use clap::ValueEnum;
use integration::setup::{Setup, SetupError, SetupInput, SetupOptions, SetupPart};
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

/// Set annals up in Claude Code, or take it out again
///
/// Shows what it would change and changes what you agree to: hooks that keep
/// sessions, a status line, a skill that teaches agents to use annals, how long
/// transcripts stay, and the MCP server. What was in settings.json stays byte
/// for byte, a backup is kept, and --remove takes out exactly what was put in.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only these parts. Repeatable
    #[arg(long, value_enum, value_delimiter = ',', value_name = "PART")]
    only: Vec<PartName>,
    /// Do not ask
    #[arg(long)]
    yes: bool,
    /// Show what would change, and change nothing
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
    /// Take out what was put in
    #[arg(long)]
    remove: bool,
    /// Also a timer that keeps the archive up to date every hour
    #[arg(long)]
    timer: bool,
    /// The program to put in, as a link that stays when annals is updated;
    /// the one that runs otherwise
    #[arg(long, value_name = "PATH")]
    command: Option<PathBuf>,
}

/// A part of setting up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PartName {
    /// Keep sessions when they end, are compacted, or are about to be deleted
    Hooks,
    /// Model, context, cost and limits below the prompt; an existing line stays
    Statusline,
    /// Teach agents to recall earlier sessions
    Skill,
    /// Transcripts stay for at least a year
    Cleanup,
    /// Earlier sessions as tools for agents
    Mcp,
    /// Keep the archive up to date every hour; only when asked for
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
    context.no_rows("setup")?;
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
    let mut setup = Setup::open(input(context)?, &options).map_err(ending)?;
    if is_text {
        output.unpaged(&setup.report().introduction(|path| context.short_path(path)))?;
    }
    while setup.propose_next().is_some() {
        if is_text {
            output.unpaged(&setup.report().last_step(output.paint))?;
        }
        if setup.is_waiting() {
            let is_accepted = args.yes || ask(context, args.remove)?;
            setup.answer(is_accepted);
        }
    }
    let report = setup.finish();
    match output.format {
        Format::Json => output.json(&report)?,
        _ => output.unpaged(&report.summary())?,
    }
    if report.is_failure() { Err(Ending::Failed.into()) } else { Ok(()) }
}

fn input(context: &Context) -> Result<SetupInput<'_>, Ending> {
    Ok(SetupInput {
        library: &context.library,
        now: context.now,
        home: context.home.as_deref(),
        data_home: context.data_home()?,
        config_home: context.config_home.as_deref(),
        claude_folder: context.claude_folder.as_deref(),
        claude_config_dir: context.claude_config_dir.as_deref(),
        named_roots: &context.named_roots,
        managed_settings: context.managed_settings.as_deref(),
        search_path: &context.search_path,
        executable: context.executable.as_deref(),
        is_demo: context.is_demo(),
    })
}

/// Asks whether a part may be changed. No answer is a no.
fn ask(context: &Context, is_removal: bool) -> anyhow::Result<bool> {
    let question = if is_removal { "Take this out?" } else { "Put this in?" };
    context.output.unpaged(&format!("{question} [y/N] "))?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    if answer.is_empty() {
        context.output.unpaged("\n")?;
    }
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// A missing folder is exit 1, everything else is exit 2.
fn ending(error: SetupError) -> anyhow::Error {
    match error {
        SetupError::MissingFolder(_) => Ending::NotFound(error.to_string()).into(),
        error => error.into(),
    }
}
