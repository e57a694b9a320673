//! `$XDG_CONFIG_HOME/annals/config.toml`. Every key is also a flag or a
//! variable, and none is needed.

use crate::apps::AppSettings;
use crate::environment::Environment;
use crate::lake_settings::LakeSection;
use anyhow::Context as _;
use rustix::fs::{Mode, OFlags};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use usage::{Budget, PicoUsd};

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
    /// What may be spent in a day, a week and a month.
    pub(crate) budget: BudgetSettings,
    /// Which apps are read.
    pub(crate) apps: AppSettings,
    /// Settings of the archive.
    pub(crate) archive: ArchiveSettings,
    /// Settings of `annals hook`.
    pub(crate) hook: HookSettings,
    /// Settings of `annals statusline`.
    pub(crate) statusline: StatuslineSettings,
    /// Settings of `annals lake`.
    pub(crate) lake: LakeSection,
    /// What `annals` without a command shows.
    pub(crate) home: HomeView,
    /// Settings of `annals tui` and `annals pick`.
    pub(crate) tui: TuiSettings,
    /// The file it was read from.
    #[serde(skip)]
    pub(crate) path: PathBuf,
}

/// What `annals` without a command shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum HomeView {
    /// The overview.
    #[default]
    Overview,
    /// The terminal UI, on a terminal.
    Tui,
}

/// Settings of `annals tui` and `annals pick`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TuiSettings {
    /// Keys of actions: `resume = "r"` or `resume = ["r", "ctrl-r"]`.
    pub(crate) keys: BTreeMap<String, Keys>,
    /// `auto`, `dark`, `light`, `night`, `day` or `mono`.
    pub(crate) theme: Option<String>,
    /// Whether the mouse is used.
    pub(crate) mouse: bool,
    /// Whether the list has a preview.
    pub(crate) preview: bool,
    /// Which sessions the list shows first.
    pub(crate) scope: TuiScope,
}

impl Default for TuiSettings {
    fn default() -> Self {
        let (keys, theme, scope) = (BTreeMap::new(), None, TuiScope::Project);
        TuiSettings { keys, theme, mouse: true, preview: true, scope }
    }
}

/// One key or several.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys(pub(crate) Vec<String>);

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wrong = || D::Error::custom("use a key or a list of keys, such as [\"r\", \"ctrl-r\"]");
        let text = |value: toml::Value| value.as_str().map(str::to_owned).ok_or_else(wrong);
        match toml::Value::deserialize(deserializer)? {
            toml::Value::String(key) => Ok(Keys(vec![key])),
            toml::Value::Array(keys) => {
                keys.into_iter().map(text).collect::<Result<_, _>>().map(Keys)
            }
            _ => Err(wrong()),
        }
    }
}

/// Which sessions the list shows first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TuiScope {
    /// Those of the current project, or all where there are none.
    #[default]
    Project,
    /// All.
    All,
}

/// What may be spent, in US dollars.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct BudgetSettings {
    /// In a calendar day.
    pub(crate) day: Option<Dollars>,
    /// In a calendar week.
    pub(crate) week: Option<Dollars>,
    /// In a calendar month.
    pub(crate) month: Option<Dollars>,
}

impl BudgetSettings {
    pub(crate) fn budget(&self) -> Budget {
        let amount = |dollars: &Option<Dollars>| dollars.as_ref().map(|dollars| dollars.0);
        Budget { day: amount(&self.day), week: amount(&self.week), month: amount(&self.month) }
    }
}

/// A positive amount: `20`, `12.5` or `"12.50"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dollars(pub(crate) PicoUsd);

impl Dollars {
    /// Reads a positive decimal number.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let amount = PicoUsd::parse(text).filter(|amount| *amount > PicoUsd::ZERO);
        let wrong = || format!("invalid budget {text:?}: use a number of US dollars above 0");
        amount.map(Dollars).ok_or_else(wrong)
    }
}

impl<'de> Deserialize<'de> for Dollars {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = match toml::Value::deserialize(deserializer)? {
            toml::Value::String(text) => text,
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Float(number) => number.to_string(),
            other => other.type_str().to_owned(),
        };
        Dollars::parse(&text).map_err(D::Error::custom)
    }
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
pub(crate) fn read_file(path: &Path) -> io::Result<String> {
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
