//! The parts that tasks of the web application need: Node.js, its packages and a browser.
//!
//! Deliberately not here: what is built, tested or measured with them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::workspace::Workspace;

/// The folder of the application, below the workspace.
pub const UI: &str = "crates/web/ui";

const BROWSERS: [&str; 2] = ["chromium", "chromium-browser"];

/// The browser on the path, if there is one.
pub fn find_browser() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders)
        .flat_map(|folder| BROWSERS.map(|name| folder.join(name)))
        .find(|program| program.is_file())
}

/// A command of Node.js that runs in a folder.
pub fn node(folder: &Path) -> Command {
    let mut command = Command::new("node");
    command.current_dir(folder);
    command
}

/// Installs the packages if they are not there, and says what is missing where that is not
/// possible.
pub fn missing(workspace: &Workspace) -> Result<Option<String>> {
    let has = |program: &str| {
        let output = Command::new(program).arg("--version").output();
        output.is_ok_and(|output| output.status.success())
    };
    if !has("node") || !has("npm") {
        return Ok(Some("Node.js with npm is not installed".to_owned()));
    }
    let ui = workspace.root.join(UI);
    let lock = fs::read(ui.join("package-lock.json")).context("cannot read package-lock.json")?;
    let installed = ui.join("node_modules/.annals-lock");
    if fs::read(&installed).ok().as_ref() == Some(&lock) {
        return Ok(None);
    }
    // Install scripts are not run: esbuild's only checks its own binary.
    let mut install = Command::new("npm");
    install.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]);
    let output = install.current_dir(&ui).output().context("cannot start npm")?;
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        let line = error.lines().find(|line| !line.trim().is_empty()).unwrap_or("npm ci failed");
        return Ok(Some(format!("the packages cannot be installed ({line})")));
    }
    fs::write(&installed, lock).context("cannot write to node_modules")?;
    Ok(None)
}
