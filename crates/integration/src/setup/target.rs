//! The target of setup: exactly one configuration folder.

use super::SetupContext;
use super::error::SetupError;
use std::path::{Path, PathBuf};
use store::real_path;

/// A configuration folder, and the program that its settings will name.
#[derive(Debug)]
pub(super) struct SetupTarget {
    pub(super) config: PathBuf,
    /// Its path as recorded in the receipt.
    pub(super) key: String,
    /// The file with the MCP servers of Claude Code for this folder.
    pub(super) state_file: PathBuf,
    /// The value that `CLAUDE_CONFIG_DIR` needs for Claude Code to use this folder, if
    /// it differs from the current one.
    pub(super) config_variable: Option<String>,
    /// The same for programs that do not share this environment.
    pub(super) timer_variable: Option<String>,
    pub(super) program: String,
}

impl SetupTarget {
    pub(super) fn find(
        input: &SetupContext<'_>,
        program: String,
    ) -> Result<SetupTarget, SetupError> {
        let given = config_folder(input)?;
        let config = real_path(&given);
        if !config.is_dir() {
            return Err(SetupError::MissingFolder(given));
        }
        let Some(key) = config.to_str().map(str::to_owned) else {
            return Err(SetupError::NotUtf8(config));
        };
        let is_same = |other: Option<&Path>| other.is_some_and(|it| real_path(it) == config);
        let home = input.home;
        let is_default = is_same(home.map(|home| home.join(".claude")).as_deref());
        // While the variable is set, Claude Code keeps its state in the folder itself.
        let is_set = is_same(input.claude_config_dir);
        let is_plain = is_default && input.claude_config_dir.is_none();
        let state_file = match home {
            Some(home) if is_plain => home.join(".claude.json"),
            _ => config.join(".claude.json"),
        };
        Ok(SetupTarget {
            state_file,
            config_variable: (!is_set && !is_plain).then(|| key.clone()),
            timer_variable: (!is_plain).then(|| key.clone()),
            config,
            key,
            program,
        })
    }

    pub(super) fn settings(&self) -> PathBuf {
        self.config.join("settings.json")
    }
}

fn config_folder(input: &SetupContext<'_>) -> Result<PathBuf, SetupError> {
    let mut roots = input.library.catalog().roots().iter();
    match input.named_roots {
        [] if input.is_demo => {
            roots.map(|root| root.path.clone()).next().ok_or(SetupError::NoDemoStore)
        }
        [] => input.claude_folder.map(Path::to_owned).ok_or(SetupError::NoConfigFolder),
        [one] => {
            let is_config = roots
                .any(|root| real_path(&root.path) == real_path(one) && root.config().is_some());
            is_config.then(|| one.clone()).ok_or_else(|| SetupError::NotAConfigFolder(one.clone()))
        }
        [..] => Err(SetupError::SeveralFolders),
    }
}
