//! `annals setup`: installs hooks, status line, skill, MCP server and timer in Claude
//! Code, and removes them.
//!
//! A run goes part by part. [`Setup::propose_next`] proposes a change, the caller
//! shows it and accepts or declines, and [`Setup::finish`] makes the accepted changes.
//! Each part has its module; `receipt` records what was installed where, so that a
//! removal restores the settings byte for byte.

mod error;
mod external_command;
mod generated_file;
mod installation;
mod installed_program;
mod lasting;
mod managed_settings;
mod mcp_registration;
mod part;
mod program;
mod receipt;
mod report;
mod settings_file;
mod skill;
mod step;
mod target;
mod timer;

pub use error::SetupError;
pub use installed_program::{InstalledProgram, ProgramState, installed_programs};
pub use part::SetupPart;
pub use program::check_lake_program;
pub use report::Report;
pub use step::Step;

use crate::SearchPath;
use amend::remove_empty;
use generated_file::GeneratedFile;
use installation::Installation;
use jiff::Timestamp;
use library::Library;
use mcp_registration::McpRegistration;
use settings_file::SettingsFile;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use step::StepStatus;
use target::SetupTarget;
use timer::Timer;

/// The context of setup. The binary reads it from the environment.
#[derive(Clone, Copy, Debug)]
pub struct SetupContext<'i> {
    /// The stores.
    pub library: &'i Library,
    /// The time of backups.
    pub now: Timestamp,
    /// The home folder.
    pub home: Option<&'i Path>,
    /// The data folder of annals.
    pub data_home: &'i Path,
    /// The folder for configuration of all programs.
    pub config_home: Option<&'i Path>,
    /// The configuration folder that Claude Code itself would use.
    pub claude_folder: Option<&'i Path>,
    /// The value of `CLAUDE_CONFIG_DIR`.
    pub claude_config_dir: Option<&'i Path>,
    /// The stores named with `--root`.
    pub named_roots: &'i [PathBuf],
    /// The managed settings of an organisation, if not in the usual place.
    pub managed_settings: Option<&'i Path>,
    /// The folders in which programs are searched.
    pub search_path: &'i SearchPath,
    /// The running program.
    pub executable: Option<&'i Path>,
    /// Whether the store is the demo store, which is never changed.
    pub is_demo: bool,
}

/// The options of a run.
#[derive(Clone, Debug, Default)]
pub struct SetupOptions {
    /// Only these parts; all parts except the timer if empty.
    pub only: Vec<SetupPart>,
    /// Also the timer.
    pub with_timer: bool,
    /// Remove instead of install.
    pub is_removal: bool,
    /// The program to write into settings, if not the running one.
    pub command: Option<PathBuf>,
    /// Whether accepted changes are made. Without this a run only proposes.
    pub may_change: bool,
}

/// One run.
#[derive(Debug)]
pub struct Setup<'i> {
    input: SetupContext<'i>,
    target: SetupTarget,
    installation: Installation,
    report: Report,
    is_removal: bool,
    may_change: bool,
    settings: SettingsFile,
    skill: GeneratedFile,
    timer: Result<Timer, SetupError>,
    registration: Option<McpRegistration>,
    /// The parts that are not yet proposed.
    remaining: VecDeque<SetupPart>,
}

impl<'i> Setup<'i> {
    /// Reads the current state. Nothing is changed before [`Setup::finish`].
    pub fn open(input: SetupContext<'i>, options: &SetupOptions) -> Result<Setup<'i>, SetupError> {
        let is_removal = options.is_removal;
        let may_change = options.may_change && !input.is_demo;
        let named = options.command.as_deref();
        // A program that is removed from settings need not be safe to run.
        let program = if is_removal {
            program::path(named, input.executable)?
        } else {
            program::checked(named, input.executable)?
        };
        let target = SetupTarget::find(&input, program)?;
        let installation = Installation::read(input.data_home, &target.key)?;
        let installed = &installation.entry.settings;
        let settings = SettingsFile::open(&target.settings(), installed, &target.program);
        let mut report = Report::new(&target, &installation.receipt_path(), is_removal);
        report.is_dry_run = !may_change;
        report.notes = managed_settings::notes(input.managed_settings, input.home);
        if named.is_none() && !is_removal {
            report.notes.extend(program::link_hint(input.search_path, &target.program));
        }
        report.notes.extend(settings.note());
        if !is_removal {
            report.notes.extend(lasting::check(options, &target.program, may_change)?);
        }
        if input.is_demo {
            report.notes.push("the demo store is never changed: this is a dry run".to_owned());
        }
        let skill = skill::file(input.search_path, &target);
        let timer = Timer::new(&input, &target);
        let remaining = requested_parts(options, timer.as_ref().ok());
        Ok(Setup {
            input,
            target,
            installation,
            report,
            is_removal,
            may_change,
            settings,
            skill,
            timer,
            registration: None,
            remaining,
        })
    }

    /// The report so far.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Proposes the next part: what would change, or why nothing does.
    pub fn propose_next(&mut self) -> Option<&Step> {
        let part = self.remaining.pop_front()?;
        let mut step = Step::new(part);
        match (part, &self.timer) {
            (SetupPart::Skill, _) => self.skill.propose(&mut step, self.is_removal),
            (SetupPart::Timer, Ok(timer)) => timer.propose(&mut step, self.is_removal),
            (SetupPart::Timer, Err(error)) => step.refuse(error.to_string()),
            (SetupPart::Mcp, _) => {
                let former = self.installation.entry.mcp.as_deref();
                let found =
                    McpRegistration::propose(&mut step, &self.target, former, self.is_removal);
                if step.is_planned() && !found.is_possible(self.input.search_path) {
                    step.status = StepStatus::Manual;
                    let commands = step.commands.join(" && ");
                    step.detail = format!("claude is not on PATH; run {commands}");
                }
                self.registration = Some(found);
            }
            (SetupPart::Hooks | SetupPart::Statusline | SetupPart::Cleanup, _) => {
                self.settings.propose(&mut step, self.is_removal);
            }
        }
        self.report.steps.push(step);
        self.report.steps.last()
    }

    /// Whether the step that was proposed last waits for an answer.
    pub fn is_waiting(&self) -> bool {
        self.may_change
            && !self.report.is_blocked()
            && self.report.steps.last().is_some_and(Step::is_planned)
    }

    /// Accepts or declines the step that was proposed last.
    pub fn answer(&mut self, is_accepted: bool) {
        if let Some(step) = self.report.steps.last_mut() {
            if !is_accepted {
                step.status = StepStatus::Declined;
            }
            self.settings.answer(step);
        }
    }

    /// Makes the accepted changes: all, or none if a part cannot be installed. Half a setup
    /// would look like a whole one.
    pub fn finish(mut self) -> Report {
        if self.may_change && !self.report.is_blocked() {
            let is_changed = self.change_settings();
            if is_changed || self.is_removal {
                self.change_other_parts();
            } else {
                for step in self.report.steps.iter_mut().filter(|step| step.is_planned()) {
                    step.fail("left undone, because settings.json could not be changed".to_owned());
                }
            }
        }
        self.report
    }

    /// Writes the settings with everything that was accepted. Returns whether that succeeded.
    fn change_settings(&mut self) -> bool {
        let change = self.settings.change();
        let result = change.map_or(Ok(()), |change| {
            self.installation.write_settings(&change, self.input.now, self.is_removal)
        });
        self.report.backup = self.installation.backup.as_deref().map(report::path_text);
        let mut is_reported = false;
        for step in &mut self.report.steps {
            if SettingsFile::part(step.part).is_some() && step.is_planned() {
                match &result {
                    Ok(()) => step.status = StepStatus::Done,
                    Err(error) => step.fail(error.to_string()),
                }
                is_reported = true;
            }
        }
        if let (Err(error), false) = (&result, is_reported) {
            self.report.problems.push(error.to_string());
        }
        result.is_ok()
    }

    fn change_other_parts(&mut self) {
        let search_path = self.input.search_path;
        let timer = self.timer.as_ref().ok();
        for step in &mut self.report.steps {
            if !step.is_planned() {
                continue;
            }
            let installation = &mut self.installation;
            match (step.part, self.is_removal) {
                (SetupPart::Skill, false) => {
                    let written = self.skill.write();
                    step.set_outcome(
                        written.map(|made| installation.entry.made_folders.extend(made)),
                    );
                }
                (SetupPart::Skill, true) => {
                    step.set_outcome(self.skill.remove());
                    let folder = self.skill.path.parent().unwrap_or(Path::new("/")).to_owned();
                    remove_empty(&[folder]);
                    installation.remove_folders(|made| made.starts_with(&self.target.config));
                }
                (SetupPart::Mcp, _) => {
                    if let Some(registration) = &self.registration {
                        registration.apply(step, search_path);
                    }
                    if step.status == StepStatus::Done {
                        let program = self.target.program.clone();
                        installation.entry.mcp = (!self.is_removal).then_some(program);
                    }
                }
                (SetupPart::Timer, false) => {
                    let made = timer.map(|timer| timer.install(step, search_path));
                    installation.entry.made_folders.extend(made.unwrap_or_default());
                }
                (SetupPart::Timer, true) => {
                    if let Some(timer) = timer {
                        timer.remove(step, search_path);
                    }
                    installation.remove_folders(|made| !made.starts_with(&self.target.config));
                }
                (SetupPart::Hooks | SetupPart::Statusline | SetupPart::Cleanup, _) => {}
            }
        }
        if let Err(error) = self.installation.record() {
            self.report.problems.push(format!("cannot write the receipt: {error}"));
        }
    }
}

/// The parts of a run, in their order. A removal includes a timer that exists.
fn requested_parts(options: &SetupOptions, timer: Option<&Timer>) -> VecDeque<SetupPart> {
    let exists = options.is_removal && timer.is_some_and(Timer::exists);
    let is_requested = |part: &SetupPart| match (part, options.only.is_empty()) {
        (SetupPart::Timer, true) => options.with_timer || exists,
        (SetupPart::Timer, false) => options.with_timer || options.only.contains(part),
        (part, is_all) => is_all || options.only.contains(part),
    };
    SetupPart::ALL.into_iter().filter(is_requested).collect()
}
