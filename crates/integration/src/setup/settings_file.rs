//! The settings file while parts are proposed: its current and its proposed content.

use super::part::SetupPart;
use super::step::Step;
use amend::settings::{InstalledParts, Part, PutOutcome, Settings};
use amend::{ObservedFile, ReplaceError};
use std::path::{Path, PathBuf};
use store::RECOMMENDED_RETENTION_DAYS;

/// A settings file, and the changes that are accepted so far.
#[derive(Debug)]
pub(super) struct SettingsFile {
    path: PathBuf,
    /// The file and its content, or why they cannot be used.
    open: Result<(ObservedFile, Settings), String>,
    /// Its content with the part that was proposed last.
    next: Option<Settings>,
}

impl SettingsFile {
    pub(super) fn open(path: &Path, installed: &InstalledParts, program: &str) -> SettingsFile {
        let open = ObservedFile::read(path).map_err(|error| error.to_string()).and_then(|seen| {
            let settings = Settings::open(seen.bytes.as_deref(), installed.clone(), program);
            let reason = |error| format!("{} is left unchanged: {error}", path.display());
            Ok((seen, settings.map_err(reason)?))
        });
        SettingsFile { path: path.to_owned(), open, next: None }
    }

    /// A note if the user's own settings stop hooks.
    pub(super) fn note(&self) -> Option<String> {
        let (_, settings) = self.open.as_ref().ok()?;
        settings.is_true("disableAllHooks").then(|| {
            let path = self.path.display();
            format!("{path} sets disableAllHooks: hooks and the status line will not run")
        })
    }

    /// The part of the settings that a part of setup changes.
    pub(super) fn part(part: SetupPart) -> Option<Part> {
        match part {
            SetupPart::Hooks => Some(Part::Hooks),
            SetupPart::Statusline => Some(Part::StatusLine),
            SetupPart::Cleanup => Some(Part::Cleanup(RECOMMENDED_RETENTION_DAYS)),
            SetupPart::Skill | SetupPart::Mcp | SetupPart::Timer => None,
        }
    }

    /// Proposes to install or remove the part.
    pub(super) fn propose(&mut self, step: &mut Step, is_removal: bool) {
        let Some(part) = SettingsFile::part(step.part) else { return };
        step.add_path(&self.path);
        let settings = match &mut self.open {
            Ok((_, settings)) => settings,
            Err(reason) => return step.refuse(reason.clone()),
        };
        let mut next = settings.clone();
        let is_changed = if is_removal {
            next.take(part)
        } else {
            match next.put(part) {
                Ok(put) => {
                    if let PutOutcome::LeftAlone(reason) = put {
                        step.detail = format!("{reason}; left unchanged");
                    }
                    put == PutOutcome::Changed
                }
                Err(error) => {
                    let path = self.path.display();
                    return step.refuse(format!("{path} is left unchanged: {error}"));
                }
            }
        };
        if !is_changed {
            // The receipt may still change.
            *settings = next;
            return;
        }
        step.plan();
        let (old, new) = (settings.clone().close().0, next.clone().close().0);
        step.add_diff(&self.path, old.as_deref(), new.as_deref());
        self.next = Some(next);
    }

    /// Takes over the proposed content, if it is accepted.
    pub(super) fn answer(&mut self, step: &Step) {
        if let (Some(next), Ok((_, settings))) = (self.next.take(), &mut self.open)
            && step.is_planned()
        {
            *settings = next;
        }
    }

    /// The change to write.
    pub(super) fn change(&self) -> Option<SettingsChange<'_>> {
        let (seen, settings) = self.open.as_ref().ok()?;
        let (after, installed) = settings.clone().close();
        Some(SettingsChange { seen, after, installed })
    }
}

/// A settings file with its current and its new content.
pub(super) struct SettingsChange<'f> {
    seen: &'f ObservedFile,
    after: Option<String>,
    pub(super) installed: InstalledParts,
}

impl SettingsChange<'_> {
    /// The bytes before the change.
    pub(super) fn before(&self) -> Option<&[u8]> {
        self.seen.bytes.as_deref()
    }

    /// Whether there is anything to write.
    pub(super) fn is_change(&self) -> bool {
        self.before() != self.after.as_deref().map(str::as_bytes)
    }

    pub(super) fn write(&self) -> Result<(), ReplaceError> {
        match &self.after {
            _ if !self.is_change() => Ok(()),
            Some(text) => self.seen.replace(text.as_bytes(), 0o600),
            None => self.seen.remove(),
        }
    }
}
