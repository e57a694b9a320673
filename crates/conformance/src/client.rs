//! `cargo xtask client`: runs the official MCP client against `annals mcp`.
//!
//! The Python SDK is a reference for development only. If it is not available, the task
//! prints SKIPPED and succeeds, so that it can be part of `test`. `--record` saves the
//! messages as a fixture, which the tests of the binary replay without Python.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use xtask::workspace::{Workspace, run_to_success};

/// The recorded messages.
const RECORD: &str = "crates/annals/tests/annals/cli/commands/mcp_conversation.txt";

pub(crate) fn run(arguments: &[OsString]) -> Result<()> {
    let workspace = Workspace::locate()?;
    match arguments {
        [] => run_client(&workspace, None),
        [flag] if flag == "--record" => run_client(&workspace, Some(workspace.root.join(RECORD))),
        _ => bail!("client takes no arguments except --record"),
    }
}

fn run_client(workspace: &Workspace, record: Option<PathBuf>) -> Result<()> {
    let Some(python) = python(workspace) else {
        println!(
            "SKIPPED: the official MCP client is not available (needs python3 with the package mcp, or pip to install it)"
        );
        return Ok(());
    };
    let programs = workspace.build_programs()?;
    let home = tempfile::tempdir().context("cannot create a temporary home")?;
    let record = record.unwrap_or_else(|| home.path().join("conversation.txt"));
    let mut command = Command::new(&python);
    command
        .arg(workspace.root.join("crates/conformance/client/conversation.py"))
        .arg(&record)
        .arg(programs.join("annals"))
        .env_clear()
        .env("HOME", home.path())
        .env("ANNALS_HOME", home.path().join("annals"))
        .env("PATH", std::env::var_os("PATH").unwrap_or_default());
    run_to_success(&mut command)?;
    println!("the official client called every tool");
    Ok(())
}

/// A Python with the SDK: the system's, or one in a virtual environment in the target folder.
fn python(workspace: &Workspace) -> Option<PathBuf> {
    let own = workspace.target.join("mcp-client");
    let installed = own.join("bin/python");
    let system = PathBuf::from("python3");
    for candidate in [&system, &installed] {
        if has_sdk(candidate) {
            return Some(candidate.clone());
        }
    }
    let made = Command::new(&system).args(["-m", "venv"]).arg(&own).output().ok()?;
    let mut install = Command::new(&installed);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "mcp"]);
    let is_installed = made.status.success() && install.output().ok()?.status.success();
    (is_installed && has_sdk(&installed)).then_some(installed)
}

fn has_sdk(python: &Path) -> bool {
    let imported = Command::new(python).args(["-c", "import mcp.client.stdio"]).output();
    imported.is_ok_and(|output| output.status.success())
}
