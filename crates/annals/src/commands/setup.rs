//! `annals setup`: hooks, status line, skill and the rest, put into Claude Code
//! and taken out again.

mod managed;
mod own_file;
mod place;
mod program;
mod receipt;
mod registration;
mod report;
mod settings_file;
mod skill;
mod started;
mod step;
mod timer;

use crate::context::Context;
use crate::output::Format;
use crate::whole_file;
use amend::remove_empty;
use clap::ValueEnum;
use own_file::{OwnFile, settle};
use place::Place;
use receipt::{Entry, Receipt};
use registration::Registration;
use report::Report;
use serde::Serialize;
use settings_file::{Change, SettingsFile};
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use step::{Status, Step};
use timer::Timer;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
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

impl PartName {
    /// Its name on the command line, and what it is for.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            PartName::Hooks => {
                ("hooks", "keep sessions when they end, are compacted or are about to be deleted")
            }
            PartName::Statusline => {
                ("statusline", "model, context, cost and limits; an existing line stays")
            }
            PartName::Skill => ("skill", "teach agents to recall earlier sessions"),
            PartName::Cleanup => ("cleanup", "transcripts stay for at least a year"),
            PartName::Mcp => ("mcp", "earlier sessions as tools for agents"),
            PartName::Timer => ("timer", "keep the archive up to date every hour"),
        }
    }
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    context.no_rows("setup")?;
    context.check_data_home()?;
    whole_file::outlive_limits();
    let running = context.executable.as_deref();
    let named = args.command.as_deref();
    // What is taken out need not be safe to run.
    let program = if args.remove {
        program::path(named, running)?
    } else {
        program::checked(named, running)?
    };
    let place = Place::of(context, program)?;
    let receipt = Receipt::read(context.data_home()?)?;
    let mut setup = Setup {
        entry: receipt.entry(&place.key),
        report: Report::new(&place, &receipt, args.remove),
        context,
        place,
        receipt,
        is_removal: args.remove,
    };
    setup.run(args)
}

/// Everything that one run needs.
struct Setup<'c> {
    context: &'c Context,
    place: Place,
    receipt: Receipt,
    entry: Entry,
    report: Report,
    is_removal: bool,
}

impl Setup<'_> {
    fn run(&mut self, args: &Args) -> anyhow::Result<()> {
        let context = self.context;
        let is_person = context.output.format == Format::Text
            && context.output.is_terminal
            && !context.output.is_agent
            && io::stdin().is_terminal();
        // What is made up is looked at and not changed.
        let may_change = !args.dry_run && !context.is_demo() && (args.yes || is_person);
        self.report.is_dry_run = !may_change;
        let settings = self.place.settings();
        let mut file = SettingsFile::open(&settings, &self.entry.settings, &self.place.program);
        self.report.notes = managed::notes(context.managed_settings.as_deref());
        if args.command.is_none() && !args.remove {
            self.report.notes.extend(program::steadier_name(context, &self.place.program));
        }
        self.report.notes.extend(file.note());
        if context.is_demo() {
            self.report.notes.push("the made-up store is looked at, not changed".to_owned());
        }
        self.report.begin(context)?;
        let skill = skill::file(context, &self.place);
        let timer = Timer::new(context, &self.place);
        let mut registration = None;
        for part in parts(args, timer.as_ref().ok()) {
            let mut step = Step::new(part);
            match (part, &timer) {
                (PartName::Skill, _) => skill.propose(&mut step, self.is_removal),
                (PartName::Timer, Ok(timer)) => timer.propose(&mut step, self.is_removal),
                (PartName::Timer, Err(error)) => step.refuse(error.to_string()),
                (PartName::Mcp, _) => {
                    let former = self.entry.mcp.as_deref();
                    let found =
                        Registration::propose(&mut step, &self.place, former, self.is_removal);
                    if step.status == Status::Planned && !found.is_possible(context) {
                        step.status = Status::Manual;
                        let commands = step.commands.join(" && ");
                        step.detail = format!("there is no claude on PATH; run {commands}");
                    }
                    registration = Some(found);
                }
                (PartName::Hooks | PartName::Statusline | PartName::Cleanup, _) => {
                    file.propose(&mut step, self.is_removal);
                }
            }
            self.report.show(context, &step)?;
            if step.status == Status::Planned && may_change {
                if !args.yes && !ask(context, self.is_removal)? {
                    step.status = Status::Declined;
                }
                file.answer(&step);
            }
            self.report.steps.push(step);
        }
        if may_change {
            self.change_settings(&file);
            self.change_others(&skill, timer.as_ref().ok(), registration.as_ref());
        }
        self.report.end(context)
    }

    /// Writes the settings with everything that was agreed to.
    fn change_settings(&mut self, file: &SettingsFile) {
        let result = file.change().map_or(Ok(()), |change| self.write_settings(&change));
        let mut is_told = false;
        for step in &mut self.report.steps {
            if SettingsFile::part(step.part).is_some() && step.status == Status::Planned {
                match &result {
                    Ok(()) => step.status = Status::Done,
                    Err(error) => step.fail(format!("{error:#}")),
                }
                is_told = true;
            }
        }
        if let Err(error) = result
            && !is_told
        {
            self.report.problems.push(format!("{error:#}"));
        }
    }

    /// A backup first, and the receipt never later than what it tells of: whatever
    /// happens in between, what was put in can be taken out again.
    fn write_settings(&mut self, change: &Change<'_>) -> anyhow::Result<()> {
        if change.is_change()
            && let Some(before) = change.before()
        {
            let backup = self.receipt.back_up(before, self.context.now)?;
            self.report.backup = Some(report::shown(&backup));
        }
        let former = self.entry.clone();
        self.entry.settings = change.installed.clone();
        if self.is_removal {
            change.write()?;
            return self.receipt.note(&self.place.key, &self.entry);
        }
        self.receipt.note(&self.place.key, &self.entry)?;
        let written = change.write();
        if written.is_err() {
            self.entry = former;
            // One that says more than is so does no harm: ours is looked for.
            let _ = self.receipt.note(&self.place.key, &self.entry);
        }
        Ok(written?)
    }

    fn change_others(
        &mut self,
        skill: &OwnFile,
        timer: Option<&Timer>,
        registration: Option<&Registration>,
    ) {
        for step in &mut self.report.steps {
            if step.status != Status::Planned {
                continue;
            }
            let entry = &mut self.entry;
            match (step.part, self.is_removal) {
                (PartName::Skill, false) => {
                    let written = skill.write();
                    settle(step, written.map(|made| entry.made_folders.extend(made)));
                }
                (PartName::Skill, true) => {
                    settle(step, skill.remove());
                    let folder = skill.path.parent().unwrap_or(Path::new("/")).to_owned();
                    remove_empty(&[folder]);
                    forget_folders(entry, |made| made.starts_with(&self.place.config));
                }
                (PartName::Mcp, _) => {
                    if let Some(registration) = registration {
                        registration.apply(step, self.context);
                    }
                    if step.status == Status::Done {
                        let program = self.place.program.clone();
                        entry.mcp = (!self.is_removal).then_some(program);
                    }
                }
                (PartName::Timer, false) => {
                    let made = timer.map(|timer| timer.put(step, self.context));
                    entry.made_folders.extend(made.unwrap_or_default());
                }
                (PartName::Timer, true) => {
                    if let Some(timer) = timer {
                        timer.take(step, self.context);
                    }
                    forget_folders(entry, |made| !made.starts_with(&self.place.config));
                }
                (PartName::Hooks | PartName::Statusline | PartName::Cleanup, _) => {}
            }
        }
        if let Err(error) = self.receipt.note(&self.place.key, &self.entry) {
            self.report.problems.push(format!("the receipt was not written: {error:#}"));
        }
    }
}

/// Takes away the folders that were made, if nothing is in them.
fn forget_folders(entry: &mut Entry, is_meant: impl Fn(&PathBuf) -> bool) {
    let (gone, kept) = std::mem::take(&mut entry.made_folders).into_iter().partition(is_meant);
    entry.made_folders = kept;
    remove_empty(&Vec::from_iter::<Vec<PathBuf>>(gone));
}

/// The parts that are asked for, in their order. A timer that is there goes with
/// the rest.
fn parts(args: &Args, timer: Option<&Timer>) -> Vec<PartName> {
    let is_there = args.remove && timer.is_some_and(Timer::is_there);
    let is_meant = |part: &PartName| match (part, args.only.is_empty()) {
        (PartName::Timer, true) => args.timer || is_there,
        (PartName::Timer, false) => args.timer || args.only.contains(part),
        (part, only_none) => only_none || args.only.contains(part),
    };
    PartName::value_variants().iter().copied().filter(is_meant).collect()
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
