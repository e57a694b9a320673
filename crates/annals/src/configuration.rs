//! `$XDG_CONFIG_HOME/annals/config.toml`. Every key is also a flag or a
//! variable, and none is needed.

use crate::environment::Environment;
use anyhow::Context as _;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The settings of a configuration file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Configuration {
    /// Additional stores.
    pub(crate) roots: Vec<PathBuf>,
    /// Working directories and transcripts to ignore.
    pub(crate) exclude: Vec<String>,
    /// Moved folders: old path to new path.
    pub(crate) aliases: BTreeMap<String, String>,
    /// The time zone of times and days.
    pub(crate) timezone: Option<String>,
    /// `auto`, `always` or `never`.
    pub(crate) color: Option<crate::cli::Color>,
    /// The pager for long text.
    pub(crate) pager: Option<String>,
    /// Settings of the archive.
    pub(crate) archive: ArchiveSettings,
    /// Settings of `annals hook`.
    pub(crate) hook: HookSettings,
    /// Settings of `annals statusline`.
    pub(crate) statusline: StatuslineSettings,
    /// The file it was read from.
    #[serde(skip)]
    pub(crate) path: PathBuf,
}

/// Settings of the archive.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ArchiveSettings {
    /// Sessions that have not changed for longer are not archived, and are removed
    /// from the archive: `400d`, `52w`.
    pub(crate) max_age: Option<String>,
}

/// Settings of `annals hook`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct HookSettings {
    /// Whether a starting session gets a summary of the latest ones.
    pub(crate) recall: bool,
}

/// Settings of `annals statusline`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct StatuslineSettings {
    /// The template of the line.
    pub(crate) template: Option<String>,
    /// The text between its parts.
    pub(crate) separator: Option<String>,
}

impl Configuration {
    /// Names the file in an error about one of its values.
    pub(crate) fn blame<T>(&self, result: anyhow::Result<T>) -> anyhow::Result<T> {
        result.with_context(|| format!("invalid configuration file {}", self.path.display()))
    }

    pub(crate) fn read(environment: &Environment) -> anyhow::Result<Self> {
        let Some(home) = environment.config_home() else { return Ok(Configuration::default()) };
        let path = home.join("annals/config.toml");
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Configuration::default());
            }
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", path.display()));
            }
        };
        let read: Configuration = toml::from_str(&text)
            .with_context(|| format!("invalid configuration file {}", path.display()))?;
        Ok(Configuration { path, ..read })
    }
}
