//! The tasks that run finished programs and look at the results: they compare annals with the
//! official reader, other coding agents and other commits, and they measure it.
//!
//! `cargo xtask TASK` starts this program. This file only chooses the task; each task is one
//! module. Deliberately not here: the help of the tasks (`xtask`), and everything that a build
//! or `cargo xtask quick` needs.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "tasks talk to the person or the CI job that started them"
)]
#![expect(
    clippy::disallowed_methods,
    reason = "tasks read the environment to find programs, and write made-up stores"
)]

mod apps;
mod bench;
mod client;
mod generate_store;
mod golden;
mod lake_test;
mod measure;
mod oracle;
mod picture;
mod screen;
mod torture;

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::{Context as _, Result};

/// A task, with the arguments after its name.
type Task = fn(&[OsString]) -> Result<()>;

const TASKS: [(&str, Task); xtask::conformance::TASKS.len()] = [
    ("apps", apps::run),
    ("bench", bench::run),
    ("client", client::run),
    ("golden", golden::run),
    ("lake-test", lake_test::run),
    ("measure", measure::run),
    ("oracle", oracle::run),
    ("picture", picture::run),
    ("torture", torture::run),
];

fn main() -> ExitCode {
    match dispatch(std::env::args_os().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The name of the command that people typed.
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(mut arguments: Vec<OsString>) -> Result<()> {
    let name = if arguments.is_empty() { OsString::new() } else { arguments.remove(0) };
    let found = TASKS.iter().find(|(task, _)| name == *task);
    let (_, task) = found.context("this program is started by cargo xtask TASK")?;
    task(&arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tasks_that_xtask_passes_on_are_here() {
        assert_eq!(TASKS.map(|(name, _)| name), xtask::conformance::TASKS);
    }

    #[test]
    fn an_unknown_task_is_an_error() {
        for arguments in [vec![], vec![OsString::from("else")]] {
            assert!(dispatch(arguments).is_err());
        }
    }
}
