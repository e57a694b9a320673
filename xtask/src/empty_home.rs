//! An empty home for the processes that tasks start.
//!
//! Tests, generated text and measurements must not depend on the sessions of the person
//! who runs them or on the agent that may have started them, and must never reach that
//! person's store.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result};
use tempfile::TempDir;

/// Variables through which annals or Claude Code would find the real home's files.
const REMOVED: [&str; 5] =
    ["CLAUDECODE", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"];

/// Three fresh folders, removed when this is dropped.
#[derive(Debug)]
pub struct EmptyHome {
    folder: TempDir,
}

impl EmptyHome {
    /// Makes the folders.
    pub fn new() -> Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix("annals-xtask-")
            .tempdir()
            .context("cannot create a temporary folder; is TMPDIR writable?")?;
        for (_, name) in Self::FOLDERS {
            fs::create_dir(folder.path().join(name))
                .with_context(|| format!("cannot create {name} in {}", folder.path().display()))?;
        }
        Ok(Self { folder })
    }

    const FOLDERS: [(&str, &str); 3] =
        [("HOME", "home"), ("CLAUDE_CONFIG_DIR", "claude"), ("ANNALS_HOME", "annals")];

    /// For cargo and the programs it starts: keeps the environment, except variables that
    /// point to the real home. Cargo and rustup keep using their folders there.
    pub fn hide_real_home(&self, command: &mut Command) {
        for (name, _) in std::env::vars_os() {
            if is_hidden(&name) {
                command.env_remove(name);
            }
        }
        for (name, folder) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
            if let Some(path) = tool_home(name, folder) {
                command.env(name, path);
            }
        }
        self.set_folders(command);
    }

    /// For annals and the programs it is compared with: only `PATH` and the empty folders,
    /// so that figures and texts are reproducible.
    pub fn clear_environment(&self, command: &mut Command) {
        command.env_clear();
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        self.set_folders(command);
    }

    fn set_folders(&self, command: &mut Command) {
        for (name, folder) in Self::FOLDERS {
            command.env(name, self.folder.path().join(folder));
        }
    }
}

fn is_hidden(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| {
        REMOVED.contains(&name) || name.starts_with("CLAUDE_CODE_") || name.starts_with("ANNALS_")
    })
}

/// The tool's folder as the tool itself would find it.
fn tool_home(variable: &str, folder: &str) -> Option<PathBuf> {
    std::env::var_os(variable)
        .filter(|value: &OsString| !value.is_empty())
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(folder)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(command: &Command, name: &str) -> Option<PathBuf> {
        command
            .get_envs()
            .find(|(key, _)| *key == name)
            .and_then(|(_, value)| value)
            .map(PathBuf::from)
    }

    #[test]
    fn variables_of_agents_and_annals_are_hidden_and_others_are_not() {
        for name in ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "ANNALS_AGENT", "XDG_DATA_HOME"] {
            assert!(is_hidden(OsStr::new(name)), "{name}");
        }
        for name in ["PATH", "CARGO_HOME", "TMPDIR", "RUSTUP_TOOLCHAIN"] {
            assert!(!is_hidden(OsStr::new(name)), "{name}");
        }
    }

    #[test]
    fn the_three_homes_are_different_empty_folders() {
        let home = EmptyHome::new().expect("a temporary folder");
        let mut command = Command::new("true");
        home.hide_real_home(&mut command);
        let mut paths: Vec<PathBuf> = ["HOME", "CLAUDE_CONFIG_DIR", "ANNALS_HOME"]
            .iter()
            .map(|name| variable(&command, name).expect("set"))
            .collect();
        for path in &paths {
            assert_eq!(fs::read_dir(path).expect("a folder").count(), 0);
        }
        paths.dedup();
        assert_eq!(paths.len(), 3);
    }

    #[test]
    fn cargo_and_rustup_keep_their_folders() {
        let home = EmptyHome::new().expect("a temporary folder");
        let mut command = Command::new("true");
        home.hide_real_home(&mut command);
        assert_eq!(variable(&command, "CARGO_HOME"), tool_home("CARGO_HOME", ".cargo"));
        assert_eq!(variable(&command, "RUSTUP_HOME"), tool_home("RUSTUP_HOME", ".rustup"));
    }
}
