//! The tasks of this workspace, started as `cargo xtask TASK`.
//!
//! This file only chooses the task; each task is one module, or in `crates/conformance` if
//! it needs more than cargo and small libraries. Nothing here is shipped: what a user of annals
//! needs belongs to the crates, not here.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "tasks talk to the person or the CI job that started them"
)]
#![expect(
    clippy::disallowed_methods,
    reason = "tasks read the environment to hide it from their children, and write generated files and packages"
)]

mod check_mac;
mod closing_line;
mod dist;
mod generate;
mod interface;
mod portability;
mod quick;
mod test;
mod web;

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::{Result, bail};
use xtask::conformance;

const USAGE: &str = "\
usage: cargo xtask TASK

  test [--thorough]   run everything a change must pass; --thorough also runs the tests as on
                      other platforms, and installs and removes every package
  quick [--base COMMIT]
                      check what a change touches: lints, and the tests of the crates that differ
                      from HEAD or another commit
  check-mac           type-check everything for macOS, with the parts it needs in target/
  golden [--base COMMIT | --beside BINARY] [--binary BINARY] [--only TEXT] [--shown 8]
                      compare what every surface answers about fixed stores with the answers
                      of another commit
  generate [--check]  write the references and schemas in docs/, or only compare them
  bench [--megabytes 500] [--store DIR] [--runs 20] [--only NAME] [--binary BINARY] [--beside BINARY]
                      measure the binary of the profile `dist` and print a Markdown table
  oracle [--store DIR]... [--made-up 20] [--seed 1]
                      compare lists and conversations with those of the official reader
  web [--check | --browser]
                      build the web application into crates/web/ui/dist, or only compare it,
                      or try it in Chromium
  portability [--package NAME]... [FILTER]
                      run the tests as an ordinary user without HOME, in the C locale, with
                      the temporary folder behind a link and paths that ignore case
  picture             draw docs/tour.svg, the picture in the README, from the demo
  client [--record]   run the official MCP client against `annals mcp`
  dist [--target TRIPLE]... [--programs DIR] [--out DIR] [--base-url URL] [--homepage URL]
       [--profile dist]
                      make the packages of a release from new or existing programs
  dist --trial --programs DIR
                      make packages of these programs, install each in a scratch folder, run
                      it and remove it
  torture [--runs 200] [--only NAME]
                      run the long forms of the torture tests on a release build
  lake-test [--store DIR] [--binary ANNALS | --debug] [--rounds 200] [--node-rounds 20]
            [--words 200] [--only NAME]
                      try the team lake with an S3 server, ClickHouse, DuckDB and Spark
  apps [--only NAME] [--generated]
                      compare the readers of other coding agents with the programs themselves,
                      on stored sessions and on new ones, or only on new ones
  apps --grow DIR [--megabytes 500]
                      grow a large home of Codex from the stored one, for measurements
  measure -- COMMAND… print CPU, wall time and memory of one command as JSON (used by bench)";

fn main() -> ExitCode {
    match dispatch(std::env::args_os().skip(1).collect()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(mut arguments: Vec<OsString>) -> Result<ExitCode> {
    if arguments.is_empty() {
        bail!("no task given\n{USAGE}");
    }
    let task = arguments.remove(0);
    if let Some(task) = conformance::find(&task) {
        return conformance::run(task, &arguments);
    }
    match task.to_str() {
        Some("test") => test::run(&arguments),
        Some("check-mac") => check_mac::run(&arguments),
        Some("generate") => generate::run(&arguments),
        Some("dist") => dist::run(&arguments),
        Some("portability") => portability::run(&arguments),
        Some("quick") => quick::run(&arguments),
        Some("web") => web::run(&arguments),
        Some("help" | "--help" | "-h") => {
            println!("{USAGE}");
            Ok(())
        }
        _ => bail!("unknown task {}\n{USAGE}", task.display()),
    }?;
    Ok(ExitCode::SUCCESS)
}
