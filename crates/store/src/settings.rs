//! How long Claude Code keeps transcripts before it deletes them.

use crate::limits::{LARGEST_SETTINGS, TooLargeError};
use jiff::{SignedDuration, Timestamp};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use transcript::json;

/// Claude Code's default.
const DEFAULT_DAYS: u64 = 30;

/// The recommended setting, which `setup` writes: a year.
pub const RECOMMENDED_RETENTION_DAYS: u64 = 365;

/// How many days without a change Claude Code keeps transcripts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retention {
    /// The days.
    pub days: u64,
    /// Where that comes from.
    pub source: RetentionSource,
    /// The file to change it in.
    pub settings: PathBuf,
    /// What is wrong with the setting, if it is there but cannot be used.
    pub problem: Option<String>,
}

impl Retention {
    /// When Claude Code may delete a file last modified at this time. It does
    /// so at startup.
    pub fn deletes_at(&self, modified: Timestamp) -> Option<Timestamp> {
        // Time spans have a limit, and nobody waits some thousand years.
        let days = i64::try_from(self.days.min(1_000_000)).ok()?;
        modified.checked_add(SignedDuration::from_hours(days * 24)).ok()
    }
}

/// Where the setting comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetentionSource {
    /// `cleanupPeriodDays` in `settings.json`.
    Settings,
    /// The app's default.
    Default,
}

impl RetentionSource {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            RetentionSource::Settings => "settings",
            RetentionSource::Default => "default",
        }
    }
}

fn read_settings(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(LARGEST_SETTINGS + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LARGEST_SETTINGS {
        return Err(TooLargeError { bytes: None, limit: LARGEST_SETTINGS }.into());
    }
    Ok(text)
}

/// Reads the retention of a configuration folder.
pub fn read_retention(config: &Path) -> Retention {
    let settings = config.join("settings.json");
    let default = |settings, problem| Retention {
        days: DEFAULT_DAYS,
        source: RetentionSource::Default,
        settings,
        problem,
    };
    // Settings are often a link into the person's own dotfiles.
    let text = match std::fs::metadata(&settings) {
        Ok(metadata) if metadata.is_file() => read_settings(&settings),
        Ok(_) => Err(io::Error::other("not a file")),
        Err(error) => Err(error),
    };
    let text = match text {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return default(settings, None);
        }
        Err(error) => {
            return default(settings, Some(format!("settings.json cannot be read: {error}")));
        }
    };
    if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(&text) {
        return default(settings, Some(format!("settings.json is not JSON: {error}")));
    }
    let Some(days) = json::member(&text, "cleanupPeriodDays") else {
        return default(settings, None);
    };
    if let Ok(days) = days.parse() {
        return Retention { days, source: RetentionSource::Settings, settings, problem: None };
    }
    let found = json::type_name(days);
    let problem = format!("cleanupPeriodDays should be a whole number of days, found {found}");
    default(settings, Some(problem))
}
