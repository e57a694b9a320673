//! The report of a run: text, step by step, for a person; one JSON document for a
//! program. The caller prints both.

use super::part::SetupPart;
use super::step::{Step, StepStatus};
use super::target::SetupTarget;
use document::{Document as _, SetupDocument, SetupPartDocument};
use render::{Paint, Style};
use std::path::Path;

/// The most lines of a change that are shown; fewer for the skill, which is prose.
const MOST_LINES: usize = 200;
const MOST_PROSE: usize = 12;

/// A run of setup so far.
#[derive(Debug)]
pub struct Report {
    config: String,
    settings: String,
    program: String,
    receipt: String,
    pub(super) backup: Option<String>,
    is_removal: bool,
    pub(super) is_dry_run: bool,
    pub(super) notes: Vec<String>,
    /// Problems that belong to no part.
    pub(super) problems: Vec<String>,
    pub(super) steps: Vec<Step>,
}

impl Report {
    pub(super) fn new(target: &SetupTarget, receipt: &Path, is_removal: bool) -> Self {
        Report {
            config: target.key.clone(),
            settings: path_text(&target.settings()),
            program: target.program.clone(),
            receipt: path_text(receipt),
            backup: None,
            is_removal,
            is_dry_run: true,
            notes: Vec::new(),
            problems: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// The report for programs.
    pub fn document(&self) -> SetupDocument {
        let part = |step: &Step| SetupPartDocument {
            part: step.part.name().into(),
            status: step.status.name().into(),
            detail: step.detail.clone(),
            paths: step.paths.clone(),
            diff: step.diff.clone(),
            commands: step.commands.clone(),
        };
        SetupDocument {
            schema: SetupDocument::SCHEMA.into(),
            config: self.config.clone(),
            settings: self.settings.clone(),
            program: self.program.clone(),
            receipt: self.receipt.clone(),
            backup: self.backup.clone(),
            is_removal: self.is_removal,
            is_dry_run: self.is_dry_run,
            notes: self.notes.clone(),
            problems: self.problems.clone(),
            parts: self.steps.iter().map(part).collect(),
        }
    }

    /// The target of the setup, and the notes. `short_path` abbreviates a path for
    /// display.
    pub fn introduction(&self, short_path: impl Fn(&str) -> String) -> String {
        let mut text = format!("Claude Code: {}\n", short_path(&self.config));
        text += &format!("Program:     {}\n", short_path(&self.program));
        for note in &self.notes {
            text += &format!("Note: {note}\n");
        }
        render::untrusted::text(&text).into_owned()
    }

    /// The last step: its purpose, the change it proposes or why it proposes none.
    /// On a terminal of this width, everything but the change is wrapped.
    pub fn last_step(&self, paint: Paint, width: Option<usize>) -> String {
        let Some(step) = self.steps.last() else { return String::new() };
        let status = render::hanging(&status_line(step, self.is_removal), 2, width);
        self.last_step_line(paint, width) + &self.last_change(paint) + &status
    }

    /// The last step without its change: a line, and why it proposes no change.
    pub fn last_step_brief(&self, paint: Paint, width: Option<usize>) -> String {
        let Some(step) = self.steps.last() else { return String::new() };
        let status = render::hanging(&status_line(step, self.is_removal), 2, width);
        self.last_step_line(paint, width) + &status
    }

    fn last_step_line(&self, paint: Paint, width: Option<usize>) -> String {
        let Some(step) = self.steps.last() else { return String::new() };
        let (name, purpose) = (step.part.name(), step.part.purpose());
        let line = format!("\n{}  {purpose}\n", paint.paint(Style::Heading, name));
        render::hanging(&line, 2, width)
    }

    /// The change that the last step proposes.
    pub fn last_change(&self, paint: Paint) -> String {
        let Some(step) = self.steps.last() else { return String::new() };
        let most = if step.part == SetupPart::Skill { MOST_PROSE } else { MOST_LINES };
        let mut text = render::diff(&step.diff, paint, most);
        let is_manual = step.status == StepStatus::Manual;
        for command in step.commands.iter().filter(|_| !is_manual) {
            text += &format!("  {}\n", render::untrusted::line(command));
        }
        text
    }

    /// The summary: changes, failures, and steps to do by hand.
    pub fn summary(&self) -> String {
        render::untrusted::text(&self.summary_text()).into_owned()
    }

    /// Whether a part was refused, or something failed.
    pub fn is_failure(&self) -> bool {
        let is_bad = |step: &Step| matches!(step.status, StepStatus::Refused | StepStatus::Failed);
        !self.problems.is_empty() || self.steps.iter().any(is_bad)
    }

    /// Whether a part cannot be installed, so that nothing is changed. A removal takes away
    /// what it can.
    pub(super) fn is_blocked(&self) -> bool {
        !self.is_removal && self.steps.iter().any(|step| step.status == StepStatus::Refused)
    }

    fn summary_text(&self) -> String {
        let with = |is_meant: &dyn Fn(&Step) -> bool| {
            let names = self.steps.iter().filter(|step| is_meant(step));
            names.map(|step| step.part.name()).collect::<Vec<_>>().join(", ")
        };
        let planned = with(&|step| step.status == StepStatus::Planned);
        // The files of a timer are written even if the user has to turn it on.
        let is_written =
            |step: &Step| step.part == SetupPart::Timer && step.status == StepStatus::Manual;
        let done = with(&|step| step.status == StepStatus::Done || is_written(step));
        let mut text = "\n".to_owned();
        for problem in &self.problems {
            text += &format!("Failed: {problem}\n");
        }
        for step in self.steps.iter().filter(|step| step.status == StepStatus::Failed) {
            text += &format!("Failed: {}: {}\n", step.part.name(), step.detail);
        }
        for step in self.steps.iter().filter(|step| step.status == StepStatus::Manual) {
            text += &format!("To do by hand: {}: {}\n", step.part.name(), step.detail);
        }
        if self.is_blocked() {
            let refused = with(&|step| step.status == StepStatus::Refused);
            text += &format!("Nothing was changed, because setup cannot install: {refused}\n");
            if !planned.is_empty() {
                let others = planned.replace(", ", ",");
                text += &format!("hint: annals setup --yes --only {others} installs the others\n");
            }
        } else if !planned.is_empty() {
            let flag = if self.is_removal { " --remove" } else { "" };
            text += &format!(
                "Nothing was changed.\nhint: annals setup{flag} --yes changes {planned}; --only PART,… \
                 selects parts; on a terminal, setup asks for each part\n"
            );
        } else if done.is_empty() {
            text += "Nothing was changed\n";
        } else {
            text += &format!("{}: {done}\n", if self.is_removal { "Removed" } else { "Installed" });
        }
        if let Some(backup) = &self.backup {
            text += &format!("Backup of settings.json: {backup}\n");
        }
        if !done.is_empty() && !self.is_removal {
            text += "annals setup --remove undoes this\n";
        }
        text
    }
}

/// The status of a step before anything is done, in a line.
fn status_line(step: &Step, is_removal: bool) -> String {
    let text = match (step.status, step.detail.as_str()) {
        (StepStatus::Planned, _) => return String::new(),
        (StepStatus::Unchanged, "") if is_removal => "not installed",
        (StepStatus::Unchanged, "") => "already installed",
        (_, detail) => &format!("{}: {detail}", step.status.name()),
    };
    format!("  {}\n", render::untrusted::line(text))
}

/// A path in a report.
pub(super) fn path_text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
