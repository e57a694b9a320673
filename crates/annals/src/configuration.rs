//! `$XDG_CONFIG_HOME/annals/config.toml`. Every key is also a flag or a
//! variable, and none is needed.

use crate::environment::Environment;
use anyhow::Context as _;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What a configuration file can say.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Configuration {
    /// More stores, beside the usual one.
    pub(crate) roots: Vec<PathBuf>,
    /// Working directories and transcripts that do not exist for annals.
    pub(crate) exclude: Vec<String>,
    /// Folders that moved: old name to new.
    pub(crate) aliases: BTreeMap<String, String>,
    /// The zone of times and days.
    pub(crate) timezone: Option<String>,
    /// `auto`, `always` or `never`.
    pub(crate) color: Option<crate::cli::Color>,
    /// The pager for long text.
    pub(crate) pager: Option<String>,
    /// How the archive is kept.
    pub(crate) archive: ArchiveSettings,
    /// What `annals hook` does.
    pub(crate) hook: HookSettings,
    /// What `annals statusline` shows.
    pub(crate) statusline: StatuslineSettings,
    /// The file it was read from.
    #[serde(skip)]
    pub(crate) path: PathBuf,
}

/// What a configuration file can say about the archive.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ArchiveSettings {
    /// Sessions that have not changed for longer are not kept, and are taken
    /// out: `400d`, `52w`.
    pub(crate) max_age: Option<String>,
}

/// What a configuration file can say about hooks.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct HookSettings {
    /// Whether a session that starts is told what the latest were about.
    pub(crate) recall: bool,
}

/// What a configuration file can say about the status line.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct StatuslineSettings {
    /// What the line is made of.
    pub(crate) template: Option<String>,
    /// What stands between its parts.
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
