//! Where the workspace and its build output are, and how cargo is called.
//!
//! The paths come from cargo, because an environment variable or a configuration file can
//! move the target folder. Deliberately not here: the environment of child processes
//! (`empty_home`).

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::empty_home::EmptyHome;

/// The two folders every task starts from.
#[derive(Debug)]
pub struct Workspace {
    /// The folder with the workspace's `Cargo.toml`.
    pub root: PathBuf,
    /// The folder cargo builds into.
    pub target: PathBuf,
}

impl Workspace {
    /// Asks cargo, starting at this crate's folder if cargo started this process, and at the
    /// current folder otherwise.
    pub fn locate() -> Result<Self> {
        let start =
            std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| ".".into(), PathBuf::from);
        let output = cargo_in(&start)
            .args(["metadata", "--no-deps", "--format-version", "1"])
            .output()
            .context("cannot start cargo; is it installed and on PATH?")?;
        if !output.status.success() {
            bail!(
                "cargo metadata failed in {}:\n{}",
                start.display(),
                String::from_utf8_lossy(&output.stderr)
            );
        }
        let metadata: Value = serde_json::from_slice(&output.stdout)
            .context("cannot read the output of cargo metadata")?;
        let folder = |name: &str| {
            let path = metadata[name].as_str().map(PathBuf::from);
            path.with_context(|| format!("cargo metadata names no {name}"))
        };
        Ok(Self { root: folder("workspace_root")?, target: folder("target_directory")? })
    }

    /// A cargo command that runs at the workspace root.
    pub fn cargo(&self) -> Command {
        cargo_in(&self.root)
    }

    /// Builds `annals` and `annals-lake` as the tests use them, and the example that describes
    /// the documents, and returns the folder of the programs.
    ///
    /// Features of dependencies are unified over what one command builds. With the whole
    /// workspace and one test among the targets they are those of the step "tests", so that
    /// nothing is compiled for another set of them.
    pub fn build_programs(&self) -> Result<PathBuf> {
        let home = EmptyHome::new()?;
        let mut command = self.cargo();
        command.args(["build", "--quiet", "--locked", "--workspace", "--bins"]);
        command.args(["--test", "xtask", "--example", "reference"]);
        home.hide_real_home(&mut command);
        run_to_success(&mut command).context("cannot build annals")?;
        Ok(self.target.join("debug"))
    }
}

fn cargo_in(folder: &Path) -> Command {
    // The cargo that started this task, so that all steps use one toolchain.
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(folder);
    command
}

/// Runs a command to its end; anything but success is an error that shows the command.
pub fn run_to_success(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {}", shown(command)))?;
    if !status.success() {
        bail!("{} ended with {status}", shown(command));
    }
    Ok(())
}

/// The command as a person would type it, without the path of its program.
pub fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    let mut words = vec![name.to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|word| word.to_string_lossy().into_owned()));
    words.join(" ")
}
