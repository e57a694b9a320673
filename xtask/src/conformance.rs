//! Starts the tasks of `crates/conformance`, which compiles what only they need.
//!
//! People type `cargo xtask TASK` for these too. Deliberately not here: what they do, and their
//! options.

use std::ffi::{OsStr, OsString};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result};

use crate::workspace::{Workspace, run_to_success, shown};

/// The package of these tasks, and its program.
pub const PACKAGE: &str = "annals-conformance";

/// The packages with the tasks, which are not shipped.
pub const NOT_SHIPPED: [&str; 2] = ["xtask", PACKAGE];

/// The names of the tasks.
pub const TASKS: [&str; 9] =
    ["apps", "bench", "client", "golden", "lake-test", "measure", "oracle", "picture", "torture"];

/// The task with this name.
pub fn find(name: &OsStr) -> Option<&'static str> {
    TASKS.into_iter().find(|task| name == *task)
}

/// Runs a task as a person asked for it, and returns its exit code. It has already printed its
/// error.
pub fn run(task: &str, arguments: &[OsString]) -> Result<ExitCode> {
    let workspace = Workspace::locate()?;
    let mut command = workspace.cargo();
    // Paths among the arguments begin at the person's folder.
    let folder = std::env::current_dir().context("cannot find the current folder")?;
    command.current_dir(folder);
    command.args(["run", "--quiet", "--package", PACKAGE, "--manifest-path"]);
    command.arg(workspace.root.join("Cargo.toml")).args(["--", task]).args(arguments);
    let status = command.status().with_context(|| format!("cannot start {}", shown(&command)))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// The arguments that make cargo work on all packages that are shipped.
pub fn shipped() -> Vec<&'static str> {
    let excluded = NOT_SHIPPED.into_iter().flat_map(|name| ["--exclude", name]);
    ["--workspace"].into_iter().chain(excluded).collect()
}

/// Runs a task as a step of `test`, on the program that was compiled with the tests.
pub fn check(workspace: &Workspace, arguments: &[&str]) -> Result<()> {
    let program = workspace.build_programs()?.join(PACKAGE);
    run_to_success(Command::new(program).args(arguments))
}
