//! A step of setup: one part, what it would change, and the outcome.

use super::part::SetupPart;
use amend::ReplaceError;
use conversation::Diff;
use std::path::Path;

/// The outcome of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepStatus {
    /// It is already installed or removed.
    Unchanged,
    /// It would be changed.
    Planned,
    /// It was changed.
    Done,
    /// The user declined.
    Declined,
    /// The user has to run a command.
    Manual,
    /// It cannot be changed.
    Refused,
    /// The change failed.
    Failed,
}

impl StepStatus {
    /// Its name in reports.
    pub(super) fn name(self) -> &'static str {
        match self {
            StepStatus::Unchanged => "unchanged",
            StepStatus::Planned => "planned",
            StepStatus::Done => "done",
            StepStatus::Declined => "declined",
            StepStatus::Manual => "manual",
            StepStatus::Refused => "refused",
            StepStatus::Failed => "failed",
        }
    }
}

/// A part and its change.
#[derive(Debug)]
pub struct Step {
    pub(super) part: SetupPart,
    pub(super) status: StepStatus,
    /// Details of the status.
    pub(super) detail: String,
    /// The files that are read or changed.
    pub(super) paths: Vec<String>,
    /// The diff of the proposed or completed change.
    pub(super) diff: String,
    /// The commands that setup runs, or that the user has to run.
    pub(super) commands: Vec<String>,
}

impl Step {
    pub(super) fn new(part: SetupPart) -> Self {
        let (detail, diff) = (String::new(), String::new());
        Step { part, status: StepStatus::Unchanged, detail, paths: vec![], diff, commands: vec![] }
    }

    /// Whether it would be changed, and is neither declined nor done.
    pub fn is_planned(&self) -> bool {
        self.status == StepStatus::Planned
    }

    /// Done, or failed with this error.
    pub(super) fn set_outcome(&mut self, result: Result<(), ReplaceError>) {
        match result {
            Ok(()) => self.status = StepStatus::Done,
            Err(error) => self.fail(error.to_string()),
        }
    }

    /// Adds a file that is read.
    pub(super) fn add_path(&mut self, path: &Path) {
        self.paths.push(path.to_string_lossy().into_owned());
    }

    /// Marks the step as planned, unless it is refused.
    pub(super) fn plan(&mut self) {
        if self.status == StepStatus::Unchanged {
            self.status = StepStatus::Planned;
        }
    }

    pub(super) fn refuse(&mut self, reason: String) {
        (self.status, self.detail) = (StepStatus::Refused, reason);
    }

    pub(super) fn fail(&mut self, reason: String) {
        (self.status, self.detail) = (StepStatus::Failed, reason);
    }

    /// Adds the diff between two versions of a file; `None` if the file does not exist.
    pub(super) fn add_diff(&mut self, path: &Path, old: Option<&str>, new: Option<&str>) {
        let path = path.to_string_lossy();
        let Some(new) = new else {
            // The content of a removed file is not shown.
            self.diff += &format!("--- {path}\n+++ /dev/null\n");
            return;
        };
        let mut diff = Diff::of_file(&path, old.is_none());
        diff.add_texts(old.unwrap_or_default(), new);
        self.diff += &diff.text;
    }
}
