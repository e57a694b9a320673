//! `$XDG_CONFIG_HOME/annals/config.toml`. Every key is also a flag or a
//! variable, and none is needed.

use crate::environment::Environment;
use anyhow::Context as _;
use rustix::fs::{Mode, OFlags};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The largest configuration file, in bytes.
const LARGEST: u64 = 1 << 20;

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
        let text = match read_file(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
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

/// Reads a file that may be a link, because that is the person's own arrangement. Every
/// command does this first, so it must not wait: a pipe is opened without waiting for a
/// writer, and is then refused like a device.
fn read_file(path: &Path) -> io::Result<String> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut text = String::new();
    if file.take(LARGEST + 1).read_to_string(&mut text)? as u64 > LARGEST {
        return Err(io::Error::other("it is larger than 1 MB"));
    }
    Ok(text)
}
