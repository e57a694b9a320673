//! The scripts that ask the programs: each copies what it is given, so nothing that is stored
//! changes.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use xtask::empty_home::EmptyHome;
use xtask::workspace::shown;

/// The folder of the scripts.
#[derive(Debug)]
pub(super) struct Scripts {
    folder: PathBuf,
}

impl Scripts {
    /// The scripts in a folder. The error says what is missing.
    pub(super) fn locate(folder: &Path) -> Result<Scripts, String> {
        if !folder.join("fake_model.py").is_file() {
            return Err(format!("there are no scripts in {}", folder.display()));
        }
        match Command::new("python3").arg("--version").output() {
            Ok(output) if output.status.success() => Ok(Scripts { folder: folder.to_owned() }),
            Ok(output) => Err(format!("python3 ended with {}", output.status)),
            Err(error) => Err(format!("python3 cannot be run ({error})")),
        }
    }

    pub(super) fn path(&self, script: &str) -> PathBuf {
        self.folder.join(script)
    }

    /// The JSON that a script prints about a folder. Its program is named by a variable.
    pub(super) fn ask(
        &self,
        script: &str,
        program: (&str, &Path),
        arguments: &[&OsStr],
    ) -> Result<Value> {
        let home = EmptyHome::new()?;
        let mut command = Command::new("python3");
        command.arg(self.path(script)).args(arguments);
        home.clear_environment(&mut command);
        command.env("PYTHONDONTWRITEBYTECODE", "1").env(program.0, program.1);
        let output =
            command.output().with_context(|| format!("cannot start {}", shown(&command)))?;
        if !output.status.success() {
            let errors = String::from_utf8_lossy(&output.stderr);
            bail!("{} ended with {}:\n{errors}", shown(&command), output.status);
        }
        serde_json::from_slice(&output.stdout)
            .with_context(|| format!("{} printed unexpected JSON", shown(&command)))
    }
}
