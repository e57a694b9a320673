//! What `annals setup` says: step by step to a person, as one document to a
//! program.

use super::PartName;
use super::place::Place;
use super::receipt::Receipt;
use super::step::{Status, Step};
use crate::context::Context;
use crate::failure::Ending;
use crate::output::Format;
use render::Style;
use serde::Serialize;
use std::path::Path;

/// The longest change that is shown whole, and how much is shown of the skill,
/// which is prose.
const MOST_LINES: usize = 200;
const MOST_PROSE: usize = 12;

/// The document `annals/setup/1`.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    schema: &'static str,
    config: String,
    settings: String,
    program: String,
    receipt: String,
    pub(super) backup: Option<String>,
    is_removal: bool,
    pub(super) is_dry_run: bool,
    pub(super) notes: Vec<String>,
    /// What went wrong beside the parts.
    pub(super) problems: Vec<String>,
    #[serde(rename = "parts")]
    pub(super) steps: Vec<Step>,
}

impl Report {
    pub(super) fn new(place: &Place, receipt: &Receipt, is_removal: bool) -> Self {
        Report {
            schema: "annals/setup/1",
            config: place.key.clone(),
            settings: shown(&place.settings()),
            program: place.program.clone(),
            receipt: shown(&receipt.path()),
            backup: None,
            is_removal,
            is_dry_run: true,
            notes: Vec::new(),
            problems: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Says where annals is set up.
    pub(super) fn begin(&self, context: &Context) -> anyhow::Result<()> {
        let mut text = format!("Claude Code: {}\n", context.short_path(&self.config));
        text += &format!("Program:     {}\n", context.short_path(&self.program));
        for note in &self.notes {
            text += &format!("Note: {note}\n");
        }
        say(context, &text)
    }

    /// Shows what a step would change.
    pub(super) fn show(&self, context: &Context, step: &Step) -> anyhow::Result<()> {
        if context.output.format != Format::Text {
            return Ok(());
        }
        let paint = context.output.paint;
        let (name, purpose) = step.part.words();
        let mut text = format!("\n{}  {purpose}\n", paint.paint(Style::Heading, name));
        let most = if step.part == PartName::Skill { MOST_PROSE } else { MOST_LINES };
        text += &render::diff(&step.diff, paint, most);
        let is_manual = step.status == Status::Manual;
        for command in step.commands.iter().filter(|_| !is_manual) {
            text += &format!("  {}\n", render::untrusted::line(command));
        }
        context.output.unpaged(&(text + &status_line(step, self.is_removal)))
    }

    /// Says what came of it all.
    pub(super) fn end(&self, context: &Context) -> anyhow::Result<()> {
        if context.output.format == Format::Json {
            context.output.json(self)?;
        } else {
            say(context, &self.summary())?;
        }
        let is_bad = |step: &Step| matches!(step.status, Status::Refused | Status::Failed);
        if self.problems.is_empty() && !self.steps.iter().any(is_bad) {
            return Ok(());
        }
        Err(Ending::Failed.into())
    }

    fn summary(&self) -> String {
        let with = |is_meant: &dyn Fn(&Step) -> bool| {
            let names = self.steps.iter().filter(|step| is_meant(step));
            names.map(|step| step.part.words().0).collect::<Vec<_>>().join(", ")
        };
        let planned = with(&|step| step.status == Status::Planned);
        // The files of a timer are there, whoever turns it on.
        let is_written =
            |step: &Step| step.part == PartName::Timer && step.status == Status::Manual;
        let done = with(&|step| step.status == Status::Done || is_written(step));
        let mut text = "\n".to_owned();
        for problem in &self.problems {
            text += &format!("Failed: {problem}\n");
        }
        for step in self.steps.iter().filter(|step| step.status == Status::Failed) {
            text += &format!("Failed: {}: {}\n", step.part.words().0, step.detail);
        }
        for step in self.steps.iter().filter(|step| step.status == Status::Manual) {
            text += &format!("Left to you: {}: {}\n", step.part.words().0, step.detail);
        }
        if !planned.is_empty() {
            let flag = if self.is_removal { " --remove" } else { "" };
            text += &format!(
                "Nothing was changed. annals setup{flag} --yes changes {planned}; --only PART,… \
                 some of it; on a terminal it asks for each\n"
            );
        } else if done.is_empty() {
            text += "Nothing was changed\n";
        } else {
            text += &format!("{}: {done}\n", if self.is_removal { "Taken out" } else { "Put in" });
        }
        if let Some(backup) = &self.backup {
            text += &format!("Backup of settings.json: {backup}\n");
        }
        if !done.is_empty() && !self.is_removal {
            text += "annals setup --remove takes it out again\n";
        }
        text
    }
}

/// The state of a step before anything is done, in a line.
fn status_line(step: &Step, is_removal: bool) -> String {
    let text = match (step.status, step.detail.as_str()) {
        (Status::Planned, _) => return String::new(),
        (Status::Unchanged, "") if is_removal => "nothing of it is there",
        (Status::Unchanged, "") => "it is so already",
        (_, detail) => &format!("{}: {detail}", step.status.name()),
    };
    format!("  {}\n", render::untrusted::line(text))
}

/// A path in a report.
pub(super) fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn say(context: &Context, text: &str) -> anyhow::Result<()> {
    if context.output.format != Format::Text {
        return Ok(());
    }
    context.output.unpaged(&render::untrusted::text(text))
}
