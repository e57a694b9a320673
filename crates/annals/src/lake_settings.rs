//! The `[lake]` section of the configuration, with what a managed configuration adds.
//!
//! A managed file (`/etc/annals/config.toml`) may name the storage, limit the folders and
//! limit the level. It cannot start a push: nothing leaves before the person has run
//! `annals lake init`, and every other key in it is an error. What names, addresses and
//! audiences mean is checked by `annals-lake`.

use crate::configuration::{self, Configuration};
use anyhow::{Context as _, bail};
use document::{LakeCommand, LakeLevel, LakePushMode, LakeSettings, LakeShareDocument};
use globset::Glob;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// The file of an organisation's administrator.
pub(crate) const MANAGED_FILE: &str = "/etc/annals/config.toml";
/// The file with the id of this home, below annals' own folder.
pub(crate) const INSTALLATION_FILE: &str = "lake/installation";
/// No id is longer.
const LONGEST_ID: usize = 100;

/// Settings of `annals lake`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LakeSection {
    /// The storage.
    pub(crate) url: Option<String>,
    /// Whose rows they are.
    pub(crate) owner: Option<String>,
    /// The folders whose sessions leave.
    pub(crate) projects: Vec<String>,
    /// How much leaves.
    pub(crate) level: LakeLevel,
    /// Whether pushes start by themselves.
    pub(crate) push: LakePushMode,
    /// The engine that answers questions.
    pub(crate) engine: Option<String>,
    /// The command that prints credentials.
    pub(crate) credentials_command: Option<CommandSetting>,
    /// The command that prints accounts of the engine.
    pub(crate) engine_command: Option<CommandSetting>,
    /// The program, if it is not beside annals.
    pub(crate) program: Option<PathBuf>,
    /// Rules for single projects.
    pub(crate) share: Vec<ShareRule>,
    /// Folders whose sessions stay.
    pub(crate) exclude: Vec<String>,
    /// Whether everybody with access to a shared folder may read more than usage.
    pub(crate) everyone_may_read: bool,
    /// Whether agents may use the lake.
    pub(crate) agents: bool,
    /// The administrator's table of teams.
    pub(crate) teams: Option<PathBuf>,
}

/// A rule of `[[lake.share]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ShareRule {
    project: String,
    level: LakeLevel,
    #[serde(default = "private")]
    with: String,
}

fn private() -> String {
    "private".to_owned()
}

/// A program with arguments as a list, or a line for `sh -c` as text.
#[derive(Clone, Debug)]
pub(crate) struct CommandSetting(LakeCommand);

impl<'de> Deserialize<'de> for CommandSetting {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wrong = || D::Error::custom("use a list of words, or a text for sh -c");
        match toml::Value::deserialize(deserializer)? {
            toml::Value::String(line) if !line.trim().is_empty() => {
                Ok(CommandSetting(LakeCommand::Shell(line)))
            }
            toml::Value::Array(words) if !words.is_empty() => {
                let words = words.into_iter().map(|word| match word {
                    toml::Value::String(word) => Ok(word),
                    _ => Err(wrong()),
                });
                Ok(CommandSetting(LakeCommand::Program(words.collect::<Result<_, _>>()?)))
            }
            _ => Err(wrong()),
        }
    }
}

/// A managed configuration.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Managed {
    lake: ManagedLake,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ManagedLake {
    url: Option<String>,
    projects: Vec<String>,
    max_level: Option<LakeLevel>,
}

/// The settings that hold.
pub(crate) fn resolve(
    configuration: &Configuration,
    managed_file: Option<&Path>,
    home: Option<&Path>,
    data_home: Option<&Path>,
) -> anyhow::Result<LakeSettings> {
    let section = &configuration.lake;
    let managed_file = managed_file.unwrap_or(Path::new(MANAGED_FILE));
    let managed = read_managed(managed_file)?;
    configuration.blame(check_globs("lake.projects", &section.projects))?;
    configuration.blame(check_globs("lake.exclude", &section.exclude))?;
    let shared: Vec<String> = section.share.iter().map(|rule| rule.project.clone()).collect();
    configuration.blame(check_globs("lake.share.project", &shared))?;
    if let (Some(own), Some(theirs)) = (&section.url, &managed.url)
        && own != theirs
    {
        bail!(
            "invalid configuration file {}: lake.url is {own:?}, but {} sets {theirs:?}\nhint: \
             remove lake.url",
            configuration.path.display(),
            managed_file.display()
        );
    }
    let capped = |level: LakeLevel| managed.max_level.map_or(level, |most| level.min(most));
    Ok(LakeSettings {
        url: section.url.clone().or(managed.url),
        owner: section.owner.clone(),
        installation: data_home.map(read_installation).transpose()?.flatten(),
        home: home.map(|home| home.display().to_string()),
        level: capped(section.level),
        max_level: managed.max_level,
        projects: section.projects.clone(),
        allowed_projects: managed.projects,
        exclude: section.exclude.clone(),
        share: section
            .share
            .iter()
            .map(|rule| LakeShareDocument {
                project: rule.project.clone(),
                level: capped(rule.level),
                with: rule.with.clone(),
            })
            .collect(),
        push: section.push,
        engine: section.engine.clone(),
        credentials_command: section.credentials_command.clone().map(|command| command.0),
        engine_command: section.engine_command.clone().map(|command| command.0),
        everyone_may_read: section.everyone_may_read,
    })
}

/// Reads a managed configuration. Somebody who could change it could also choose where
/// sessions go, so it must belong to the administrator.
fn read_managed(path: &Path) -> anyhow::Result<ManagedLake> {
    let text = match configuration::read_file(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(ManagedLake::default()),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let metadata =
        std::fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
    let is_own = metadata.uid() == rustix::process::geteuid().as_raw();
    if !(metadata.uid() == 0 || is_own) || metadata.mode() & 0o022 != 0 {
        bail!(
            "annals does not use {}: other users can write it\nhint: make it writable by the \
             administrator only",
            path.display()
        );
    }
    let wrong = || format!("invalid configuration file {}", path.display());
    let managed: Managed = toml::from_str(&text).with_context(wrong)?;
    check_globs("lake.projects", &managed.lake.projects).with_context(wrong)?;
    Ok(managed.lake)
}

/// Folders are named from the root or from the home folder.
pub(crate) fn check_globs(key: &str, globs: &[String]) -> anyhow::Result<()> {
    for glob in globs {
        if !glob.starts_with('/') && !glob.starts_with("~/") {
            bail!("{key}: invalid folder {glob:?}: begin with / or ~/");
        }
        Glob::new(glob).with_context(|| format!("{key}: invalid pattern {glob:?}"))?;
    }
    Ok(())
}

/// The id of this home, if it has one.
fn read_installation(data_home: &Path) -> anyhow::Result<Option<String>> {
    let path = data_home.join(INSTALLATION_FILE);
    match configuration::read_file(&path) {
        Ok(text) if text.len() <= LONGEST_ID => Ok(Some(text.trim().to_owned())),
        Ok(_) => bail!("invalid id in {}", path.display()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}
