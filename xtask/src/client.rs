//! `cargo xtask client`: a conversation of the official MCP client with `annals mcp`.
//!
//! The Python SDK is a reference at development time alone. Where it cannot be had, the
//! task says so and succeeds, so that it can be part of `test`. What was said is kept as
//! a fixture (`--record`), which the tests of the binary replay without any Python.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::workspace::{Workspace, run_to_success};

/// Where the conversation is kept.
const RECORD: &str = "crates/annals/tests/cli/commands/mcp_conversation.txt";

pub(crate) fn run(arguments: &[OsString]) -> Result<()> {
    let workspace = Workspace::locate()?;
    match arguments {
        [] => talk(&workspace, None),
        [flag] if flag == "--record" => talk(&workspace, Some(workspace.root.join(RECORD))),
        _ => bail!("client knows --record and nothing else"),
    }
}

/// The step of `test`.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    talk(workspace, None)
}

fn talk(workspace: &Workspace, record: Option<PathBuf>) -> Result<()> {
    let Some(python) = python(workspace) else {
        println!(
            "SKIPPED: the official MCP client cannot be had (python3 with the package mcp, or a way to install it)"
        );
        return Ok(());
    };
    run_to_success(workspace.cargo().args(["build", "--package", "annals", "--locked"]))?;
    let home = tempfile::tempdir().context("cannot make a home")?;
    let record = record.unwrap_or_else(|| home.path().join("conversation.txt"));
    let mut command = Command::new(&python);
    command
        .arg(workspace.root.join("xtask/client/conversation.py"))
        .arg(&record)
        .arg(workspace.target.join("debug/annals"))
        .env_clear()
        .env("HOME", home.path())
        .env("ANNALS_HOME", home.path().join("annals"))
        .env("PATH", std::env::var_os("PATH").unwrap_or_default());
    run_to_success(&mut command)?;
    println!("the official client spoke with every tool");
    Ok(())
}

/// A Python that has the SDK: the system's, or one of our own with it.
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
    let asked = Command::new(python).args(["-c", "import mcp.client.stdio"]).output();
    asked.is_ok_and(|output| output.status.success())
}
