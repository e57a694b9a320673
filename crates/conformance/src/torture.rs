//! `cargo xtask torture`: the long forms of the archive's torture tests, on a
//! release build.
//!
//! The tests are in `crates/annals/tests/annals/torture`; their quick forms are part of `test`.
//! The tests with a full disk need root and print SKIPPED without it.

use std::ffi::OsString;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use xtask::empty_home::EmptyHome;
use xtask::workspace::{Workspace, run_to_success};

/// The default number of rounds.
const ROUNDS: u64 = 200;

pub(crate) fn run(arguments: &[OsString]) -> Result<()> {
    let (rounds, only) = parse_options(arguments)?;
    let workspace = Workspace::locate()?;
    let home = EmptyHome::new()?;
    let mut command = workspace.cargo();
    command.args(["test", "--release", "--locked", "--package", "annals", "--test", "annals"]);
    // One after another, because they report timings.
    command.args(["--", "--nocapture", "--test-threads=1"]).arg(format!("torture::{only}"));
    home.hide_real_home(&mut command);
    command.env("ANNALS_TORTURE", rounds.to_string());
    let start = Instant::now();
    run_to_success(&mut command).context("a torture test failed; its output is above")?;
    println!("\n== all torture tests passed {rounds} rounds in {:.0?}", start.elapsed());
    Ok(())
}

fn parse_options(arguments: &[OsString]) -> Result<(u64, String)> {
    let (mut rounds, mut only) = (ROUNDS, String::new());
    let mut rest = arguments.iter();
    while let Some(flag) = rest.next() {
        let flag = flag.to_string_lossy();
        let value = rest.next().with_context(|| format!("{flag} needs a value"))?;
        match &*flag {
            "--runs" => {
                let text = value.to_string_lossy();
                let number = text.parse().ok().filter(|number| *number > 0);
                rounds = number.with_context(|| format!("--runs needs a number, not {text}"))?;
            }
            "--only" => only = value.to_string_lossy().into_owned(),
            _ => bail!("unknown option {flag}: torture takes --runs and --only"),
        }
    }
    Ok((rounds, only))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_a_number_above_nothing() {
        let parsed =
            |words: &[&str]| parse_options(&words.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(parsed(&[]).expect("options"), (ROUNDS, String::new()));
        let only = "kill".to_owned();
        assert_eq!(parsed(&["--runs", "7", "--only", "kill"]).expect("options"), (7, only));
        for wrong in [&["--runs"][..], &["--runs", "0"], &["--runs", "x"], &["--nothing", "1"]] {
            assert!(parsed(wrong).is_err(), "{wrong:?}");
        }
    }
}
