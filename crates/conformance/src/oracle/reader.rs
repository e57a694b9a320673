//! Runs the two programs to compare: the official reader, downloaded once into the target
//! folder, and the annals that was just built.
//!
//! Both run in an empty home and only read, except when copies of sessions get titles and
//! tags. Deliberately not here: interpreting their JSON.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use xtask::empty_home::EmptyHome;
use xtask::workspace::{Workspace, shown};

use super::half_surrogates;

const PACKAGE: &str = "@anthropic-ai/claude-agent-sdk";
/// The version whose behaviour `FORMAT.md` describes.
const VERSION: &str = "0.3.325";

/// The script that calls the package, next to the workspace.
const SCRIPT: &str = "../shared/tools/oracle/oracle.mjs";

/// The script that has the package give sessions titles and tags.
const NAMING: &str = include_str!("naming.mjs");

/// Both programs, ready to run.
#[derive(Debug)]
pub(super) struct Readers {
    folder: PathBuf,
    annals: PathBuf,
}

/// Whether the comparison can be made on this machine.
#[derive(Debug)]
pub(super) enum Availability {
    Ready(Readers),
    /// The reason why not, in one line.
    Missing(String),
}

impl Readers {
    /// Installs the official reader where it is missing, and builds annals.
    pub(super) fn prepare(workspace: &Workspace) -> Result<Availability> {
        let folder = workspace.target.join("oracle");
        if let Some(reason) = install(&workspace.root.join(SCRIPT), &folder)? {
            return Ok(Availability::Missing(reason));
        }
        let annals = workspace.build_programs()?.join("annals");
        Ok(Availability::Ready(Self { folder, annals }))
    }

    /// Where the official reader is installed.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The sessions that annals lists for the store.
    pub(super) fn annals(&self, store: &Path) -> Result<Value> {
        let mut command = Command::new(&self.annals);
        command.arg("--root").arg(store).args(["ls", "--json", "--limit", "0"]);
        parse(&command_output(&mut command)?, &command)
    }

    /// The output of an archive command on the store, in a shared home.
    pub(super) fn archive(
        &self,
        home: &EmptyHome,
        store: &Path,
        arguments: &[&str],
    ) -> Result<Value> {
        let mut command = Command::new(&self.annals);
        command.arg("--root").arg(store).arg("archive").args(arguments);
        parse(&command_output_in(home, &mut command)?, &command)
    }

    /// Has annals give a session a title or a tag; returns the error if it refused.
    pub(super) fn name(
        &self,
        home: &EmptyHome,
        store: &Path,
        id: &str,
        name_command: &str,
        text: Option<&str>,
    ) -> Result<Option<String>> {
        let mut command = Command::new(&self.annals);
        command.arg("--root").arg(store).arg(name_command);
        if text.is_none() {
            command.arg("--remove");
        }
        command.args(["--", id]).args(text);
        home.clear_environment(&mut command);
        let output =
            command.output().with_context(|| format!("cannot start {}", shown(&command)))?;
        let error = || String::from_utf8_lossy(&output.stderr).into_owned();
        Ok((!output.status.success()).then(error))
    }

    /// Has the official tool do the same for many sessions; returns the error of each that it
    /// refused.
    pub(super) fn name_officially(
        &self,
        store: &Path,
        operations: &impl Serialize,
    ) -> Result<Vec<Option<String>>> {
        let list = self.folder.join("operations.json");
        write(&list, &serde_json::to_vec(operations)?)?;
        let mut command = Command::new("node");
        command.arg("naming.mjs").arg(store).arg(list).current_dir(&self.folder);
        parse(&command_output(&mut command)?, &command)
    }

    /// The official reader's list of the store, and the messages of every session and
    /// sub-agent.
    pub(super) fn official(&self, store: &Path) -> Result<Official> {
        let mut command = Command::new("node");
        command.arg("oracle.mjs").arg(store).current_dir(&self.folder);
        parse(&half_surrogates::replaced(&command_output(&mut command)?), &command)
    }
}

/// The official reader's output for a store.
#[derive(Debug, Deserialize)]
pub(super) struct Official {
    /// Its list.
    pub(super) sessions: Vec<Value>,
    /// The conversations, by session id.
    pub(super) details: BTreeMap<String, Detail>,
}

/// The messages of a session.
#[derive(Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Detail {
    pub(super) messages: Vec<OfficialMessage>,
    pub(super) subagents: BTreeMap<String, Vec<OfficialMessage>>,
}

/// A message; only the uuid is compared.
#[derive(Debug, PartialEq, Eq, Deserialize)]
pub(super) struct OfficialMessage {
    pub(super) uuid: String,
}

/// Installs the script and the package in the folder, or returns what is missing.
fn install(script: &Path, folder: &Path) -> Result<Option<String>> {
    let text = match fs::read(script) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Ok(Some(format!("there is no script {}", script.display())));
        }
        Err(error) => {
            return Err(error).with_context(|| format!("cannot read {}", script.display()));
        }
    };
    if let Err(reason) = try_run(Command::new("node").arg("--version")) {
        return Ok(Some(format!("node cannot be run ({reason})")));
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    if installed_version(folder).as_deref() != Some(VERSION) {
        // Without a package.json here, npm would search the parent folders.
        write(&folder.join("package.json"), br#"{"private":true}"#)?;
        let mut npm = Command::new("npm");
        npm.args(["i", "--omit=optional", "--no-audit", "--no-fund"])
            .arg(format!("{PACKAGE}@{VERSION}"))
            .current_dir(folder);
        // With the full environment and the real home, which configure access to the
        // registry.
        if let Err(reason) = try_run(&mut npm) {
            return Ok(Some(format!("{} failed ({reason})", shown(&npm))));
        }
        if installed_version(folder).as_deref() != Some(VERSION) {
            return Ok(Some(format!("npm did not install {PACKAGE}@{VERSION}")));
        }
    }
    write(&folder.join("oracle.mjs"), &text)?;
    write(&folder.join("naming.mjs"), NAMING.as_bytes())?;
    Ok(None)
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

fn installed_version(folder: &Path) -> Option<String> {
    let path = folder.join("node_modules").join(PACKAGE).join("package.json");
    let package: Value = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    package["version"].as_str().map(str::to_owned)
}

/// Runs a command that may fail; returns the reason in one line.
fn try_run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    // npm prints warnings first and then several lines about the failure; the first line
    // with a sentence describes it best.
    let errors = String::from_utf8_lossy(&output.stderr);
    let lines = || errors.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut errors = lines().filter(|line| line.starts_with("npm error"));
    let line = errors.find(|line| line.split(' ').count() > 4).or_else(|| lines().next());
    Err(format!("{}: {}", output.status, line.unwrap_or("no error message")))
}

/// The output of the command in an empty home.
fn command_output(command: &mut Command) -> Result<String> {
    command_output_in(&EmptyHome::new()?, command)
}

fn command_output_in(home: &EmptyHome, command: &mut Command) -> Result<String> {
    home.clear_environment(command);
    let output = command.output().with_context(|| format!("cannot start {}", shown(command)))?;
    if !output.status.success() {
        bail!(
            "{} ended with {}:\n{}",
            shown(command),
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
    }
    String::from_utf8(output.stdout)
        .with_context(|| format!("{} printed text that is not UTF-8", shown(command)))
}

fn parse<T: DeserializeOwned>(text: &str, command: &Command) -> Result<T> {
    serde_json::from_str(text)
        .with_context(|| format!("{} printed unexpected JSON", shown(command)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_script_is_a_reason_and_no_error() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let script = folder.path().join("oracle.mjs");
        let reason = install(&script, folder.path()).expect("no error").expect("a reason");
        assert_eq!(reason, format!("there is no script {}", script.display()));
    }

    #[test]
    fn the_version_is_read_from_the_installed_package() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        assert_eq!(installed_version(folder.path()), None);
        let package = folder.path().join("node_modules").join(PACKAGE);
        fs::create_dir_all(&package).expect("made");
        fs::write(package.join("package.json"), r#"{"version":"1.2.3"}"#).expect("written");
        assert_eq!(installed_version(folder.path()).as_deref(), Some("1.2.3"));
    }
}
