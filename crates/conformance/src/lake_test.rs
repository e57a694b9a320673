//! `cargo xtask lake-test`: the team lake with real parts, on loopback.
//!
//! Object storage (moto), two processes of ClickHouse, DuckDB, a Spark cluster with two
//! workers, and people who push, share, forget and read. It compares their answers, kills
//! them at any time, and looks for what they must not see. The servers and the comparisons
//! are Python programs in [`SCRIPTS`], because the engines' clients are; here the parts are
//! installed (`parts`) and the programs built. What cannot be had is skipped and named.

mod parts;

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use xtask::empty_home::EmptyHome;
use xtask::workspace::{Workspace, run_to_success};

use crate::bench::make_store;

/// The folder of the Python programs, below the workspace.
pub(crate) const SCRIPTS: &str = "crates/conformance/lake_test";

/// The size of the store, if no other is named. It has more than the 200 words that are looked for
/// if it is grown from real transcripts.
const STORE_MEGABYTES: u64 = 20;

/// What is asked for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    /// Transcripts to use instead of made-up ones.
    store: Option<PathBuf>,
    /// Use the debug build.
    is_debug: bool,
    /// Use this `annals`, with `annals-lake` beside it, instead of building one.
    binary: Option<PathBuf>,
    /// For the checks: `--rounds`, `--node-rounds`, `--words`, `--only`.
    passed_on: Vec<OsString>,
}

pub(crate) fn run(arguments: &[OsString]) -> Result<()> {
    let options = parse_options(arguments)?;
    let workspace = Workspace::locate()?;
    let folder = workspace.target.join("lake-test");
    let python = match parts::install_python(&folder, &workspace.root.join(SCRIPTS)) {
        Ok(python) => python,
        Err(missing) => bail!("cannot test the lake here: {missing}"),
    };
    let annals = match &options.binary {
        Some(binary) => fs::canonicalize(binary)
            .with_context(|| format!("cannot find the binary {}", binary.display()))?,
        None => build(&workspace, options.is_debug)?,
    };
    let store = match &options.store {
        Some(store) => store.clone(),
        None => make_store(&workspace, STORE_MEGABYTES)?,
    };
    let home = EmptyHome::new()?;
    let mut command = Command::new(python);
    home.hide_real_home(&mut command);
    command.current_dir(&workspace.root).arg(format!("{SCRIPTS}/run.py"));
    // No files beside the sources.
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command.arg("--annals").arg(annals);
    command.arg("--store").arg(store).arg("--folder").arg(folder.join("run"));
    match parts::install_clickhouse(&folder) {
        Ok(library) => drop(command.arg("--clickhouse").arg(library)),
        Err(missing) => println!("skipped: everything with ClickHouse, because {missing}"),
    }
    match parts::find_java() {
        Ok(()) => drop(command.arg("--spark")),
        Err(missing) => println!("skipped: everything with Spark, because {missing}"),
    }
    command.args(&options.passed_on);
    run_to_success(&mut command).context("a check failed; the table above says which")
}

fn build(workspace: &Workspace, is_debug: bool) -> Result<PathBuf> {
    let mut build = workspace.cargo();
    build.args(["build", "--locked", "--package", "annals", "--package", "annals-lake", "--bins"]);
    if !is_debug {
        build.arg("--release");
    }
    run_to_success(&mut build).context("annals does not compile")?;
    let profile = if is_debug { "debug" } else { "release" };
    Ok(workspace.target.join(profile).join("annals"))
}

fn parse_options(arguments: &[OsString]) -> Result<Options> {
    let mut options = Options::default();
    let mut rest = arguments.iter();
    while let Some(flag) = rest.next() {
        let name = flag.to_string_lossy();
        if name == "--debug" {
            options.is_debug = true;
            continue;
        }
        let value = rest.next().with_context(|| format!("{name} needs a value"))?;
        match &*name {
            "--store" => options.store = Some(value.into()),
            "--binary" => options.binary = Some(value.into()),
            "--rounds" | "--node-rounds" | "--words" | "--only" => {
                options.passed_on.extend([flag.clone(), value.clone()]);
            }
            _ => bail!(
                "unknown option {name}: lake-test takes --store, --binary, --debug, \
                 --rounds, --node-rounds, --words and --only"
            ),
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_the_checks_are_passed_on() {
        let parsed =
            |words: &[&str]| parse_options(&words.iter().map(OsString::from).collect::<Vec<_>>());
        let options = parsed(&["--rounds", "5", "--debug", "--store", "/s", "--binary", "/b"])
            .expect("options");
        assert_eq!(options.passed_on, ["--rounds", "5"]);
        assert_eq!((options.is_debug, options.store), (true, Some("/s".into())));
        assert_eq!(options.binary, Some("/b".into()));
        for wrong in [&["--rounds"][..], &["--nothing", "1"]] {
            assert!(parsed(wrong).is_err(), "{wrong:?}");
        }
    }
}
