//! A step of setting up: one part, what it would change, and what came of it.

use super::PartName;
use conversation::Diff;
use serde::Serialize;
use std::path::Path;

/// What came of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    /// It is so already.
    Unchanged,
    /// It would be changed.
    Planned,
    /// It was changed.
    Done,
    /// The person did not want it.
    Declined,
    /// A command is left to the person.
    Manual,
    /// It cannot be changed.
    Refused,
    /// It should have been changed, and was not.
    Failed,
}

impl Status {
    /// Its name in reports.
    pub(super) fn name(self) -> &'static str {
        match self {
            Status::Unchanged => "unchanged",
            Status::Planned => "planned",
            Status::Done => "done",
            Status::Declined => "declined",
            Status::Manual => "manual",
            Status::Refused => "refused",
            Status::Failed => "failed",
        }
    }
}

/// One part.
#[derive(Debug, Serialize)]
pub(super) struct Step {
    pub(super) part: PartName,
    pub(super) status: Status,
    /// More about the status.
    pub(super) detail: String,
    /// The files that are looked at or changed.
    pub(super) paths: Vec<String>,
    /// What would change in them, or did.
    pub(super) diff: String,
    /// The commands that are run, or left to the person.
    pub(super) commands: Vec<String>,
}

impl Step {
    pub(super) fn new(part: PartName) -> Self {
        let (detail, diff) = (String::new(), String::new());
        Step { part, status: Status::Unchanged, detail, paths: vec![], diff, commands: vec![] }
    }

    /// Names a file that is looked at.
    pub(super) fn add_path(&mut self, path: &Path) {
        self.paths.push(path.to_string_lossy().into_owned());
    }

    /// Something would change, unless something is refused.
    pub(super) fn plan(&mut self) {
        if self.status == Status::Unchanged {
            self.status = Status::Planned;
        }
    }

    pub(super) fn refuse(&mut self, reason: String) {
        (self.status, self.detail) = (Status::Refused, reason);
    }

    pub(super) fn fail(&mut self, reason: String) {
        (self.status, self.detail) = (Status::Failed, reason);
    }

    /// Adds what turns a file into another; none is no file.
    pub(super) fn add_diff(&mut self, path: &Path, old: Option<&str>, new: Option<&str>) {
        let path = path.to_string_lossy();
        let Some(new) = new else {
            // What goes as a whole need not be read once more.
            self.diff += &format!("--- {path}\n+++ /dev/null\n");
            return;
        };
        let mut diff = Diff::of_file(&path, old.is_none());
        diff.add_texts(old.unwrap_or_default(), new);
        self.diff += &diff.text;
    }
}
