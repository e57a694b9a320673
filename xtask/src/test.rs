//! `cargo xtask test`: everything a change must pass, in one command.
//!
//! The steps run in order and the first failure ends the task. The rules
//! themselves are not here: lints are in the workspace's `Cargo.toml`, the
//! directions between crates in `tests/xtask/rooms.rs`, licences in `deny.toml`.

use std::ffi::OsString;
use std::io::{self, BufReader, IsTerminal as _};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use xtask::conformance;
use xtask::empty_home::EmptyHome;
use xtask::workspace::{Workspace, run_to_success, shown};

use crate::check_mac::{self, Outcome};
use crate::closing_line::{Runner, pass_through};
use crate::dist;
use crate::generate;
use crate::portability;
use crate::web;

/// The seed of proptest's random cases. It is fixed, so that the result depends only on the
/// code. Use another number, or plain `cargo test`, which picks one at random, to try other
/// cases.
const SEED: &str = "PROPTEST_RNG_SEED";

/// Packages every crate that is shipped, without network and without building them again.
/// All in one command, because cargo finds crates that are not published yet only
/// among those it packages together.
const PACKAGE: [&str; 6] =
    ["package", "--no-verify", "--allow-dirty", "--offline", "--locked", "--quiet"];

/// Tells tests to take longer and try more.
const THOROUGH: &str = "ANNALS_TEST_THOROUGH";

/// Lints everything.
pub(crate) const LINTS: [&str; 7] =
    ["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"];

pub(crate) fn run(arguments: &[OsString]) -> Result<()> {
    let is_thorough = match arguments {
        [] => false,
        [flag] if flag == "--thorough" => true,
        _ => bail!("test takes no arguments except --thorough"),
    };
    let workspace = Workspace::locate()?;

    step(&workspace, "formatting", &["fmt", "--all", "--check"], &[])
        .context("run `cargo fmt --all`")?;
    step(&workspace, "lints", &LINTS, &[])?;
    let closing = run_tests(&workspace, &[], is_thorough)?;
    step(&workspace, "doc tests", &["test", "--workspace", "--doc", "--locked"], &[])?;
    let doc = ["doc", "--workspace", "--no-deps", "--locked", "--document-private-items"];
    step(&workspace, "rustdoc", &doc, &[("RUSTDOCFLAGS", "-D warnings")])?;
    let package = [&PACKAGE[..], &conformance::shipped()].concat();
    step(&workspace, "packages", &package, &[])?;
    announce("generated files", "cargo xtask generate --check");
    generate::check(&workspace)?;
    check_web(&workspace)?;
    check_dependencies(&workspace)?;
    announce("macOS", "cargo xtask check-mac");
    match check_mac::check(&workspace).with_context(|| failed("macOS"))? {
        Outcome::Passed => {}
        Outcome::Skipped(missing) => skip("macOS", &missing.to_string()),
    }
    announce("the official reader", "cargo xtask oracle --made-up 10");
    conformance::check(&workspace, &["oracle", "--made-up", "10"])
        .with_context(|| failed("the official reader"))?;
    announce("the official MCP client", "cargo xtask client");
    conformance::check(&workspace, &["client"])
        .with_context(|| failed("the official MCP client"))?;

    if is_thorough {
        announce("other platforms", "cargo xtask portability");
        portability::check(&workspace, &[], &[]).with_context(|| failed("other platforms"))?;
        announce("packages", "cargo xtask dist --trial");
        check_packages(&workspace).with_context(|| failed("packages"))?;
    }

    println!("\n== all steps passed");
    for line in closing {
        println!("{line}");
    }
    Ok(())
}

/// Runs one cargo command in a fresh home.
pub(crate) fn step(
    workspace: &Workspace,
    name: &str,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> Result<()> {
    let home = EmptyHome::new()?;
    let mut command = workspace.cargo();
    command.args(arguments);
    home.hide_real_home(&mut command);
    command.envs(variables.iter().copied());
    announce(name, &shown(&command));
    run_to_success(&mut command).with_context(|| failed(name))
}

/// Runs the tests of these packages, or of all if none is named, and returns the runner's closing
/// lines.
pub(crate) fn run_tests(
    workspace: &Workspace,
    packages: &[&str],
    is_thorough: bool,
) -> Result<Vec<String>> {
    if !workspace.root.join("../shared/corpus/claude").is_dir() {
        println!(
            "SKIPPED: tests on real transcripts, which are not checked out next to the repository"
        );
    }
    if !has_program(&["chromium", "chromium-browser"]) {
        println!("SKIPPED: tests of pages in a browser: chromium is not installed");
    }
    for shell in ["bash", "fish", "zsh"].into_iter().filter(|shell| !has_program(&[shell])) {
        println!("SKIPPED: tests of printed commands in {shell}, which is not installed");
    }
    if !is_thorough {
        println!("SKIPPED: tests that take long; --thorough runs them");
    }
    let home = EmptyHome::new()?;
    let mut command = workspace.cargo();
    let named: Vec<&str> = packages.iter().flat_map(|name| ["--package", name]).collect();
    let which = if named.is_empty() { vec!["--workspace"] } else { named };
    let runner = if is_installed(workspace, "nextest") {
        command.args(["nextest", "run", "--locked", "--no-fail-fast"]).args(which);
        // nextest reports on stderr, and would see a pipe there and drop its colours.
        command.stderr(Stdio::piped());
        if io::stderr().is_terminal() {
            command.args(["--color", "always"]);
        }
        Runner::Nextest
    } else {
        command.args(["test", "--locked", "--lib", "--bins", "--tests"]).args(which);
        command.stdout(Stdio::piped());
        Runner::Libtest
    };
    home.hide_real_home(&mut command);
    if is_thorough {
        command.env(THOROUGH, "1");
    }
    if std::env::var_os(SEED).is_none() {
        command.env(SEED, "1");
    }
    announce("tests", &shown(&command));

    let (success, closing) = run_keeping_closing_lines(runner, &mut command)
        .with_context(|| format!("cannot run {}", shown(&command)))?;
    if !success {
        bail!("{}: {}\n{}", failed("tests"), shown(&command), closing.join("\n"));
    }
    if closing.is_empty() {
        bail!("{} ran no tests, or its closing line has changed", shown(&command));
    }
    Ok(closing)
}

fn run_keeping_closing_lines(runner: Runner, command: &mut Command) -> Result<(bool, Vec<String>)> {
    let mut child = command.spawn()?;
    let closing = match (child.stderr.take(), child.stdout.take()) {
        (Some(stderr), _) => pass_through(runner, BufReader::new(stderr), io::stderr())?,
        (None, Some(stdout)) => pass_through(runner, BufReader::new(stdout), io::stdout())?,
        (None, None) => Vec::new(),
    };
    Ok((child.wait()?.success(), closing))
}

/// Installs, runs and removes the packages. Those of a debug build will do: what it does is
/// tested elsewhere.
fn check_packages(workspace: &Workspace) -> Result<()> {
    for line in dist::check(workspace, &workspace.build_programs()?)? {
        println!("{line}");
    }
    Ok(())
}

/// A part of the checks of the web application.
type WebCheck = fn(&Workspace) -> Result<web::Outcome>;

/// The bundle of the web application, its types, its unit tests, and the whole in a browser.
fn check_web(workspace: &Workspace) -> Result<()> {
    check_web_parts(workspace, &[web::check_bytes, web::test, web::test_in_browser])
}

/// The same without a browser.
pub(crate) fn check_bundle(workspace: &Workspace) -> Result<()> {
    check_web_parts(workspace, &[web::check_bytes, web::test])
}

fn check_web_parts(workspace: &Workspace, parts: &[WebCheck]) -> Result<()> {
    let name = "web application";
    announce(name, "cargo xtask web --check");
    web::check_digest(&workspace.root).with_context(|| failed(name))?;
    for part in parts {
        if let web::Outcome::Skipped(reason) = part(workspace).with_context(|| failed(name))? {
            skip(name, &reason);
            return Ok(());
        }
    }
    Ok(())
}

/// Licences, sources and bans. Advisories are left out: their database cannot
/// be downloaded on every machine, and a test must not depend on the day.
fn check_dependencies(workspace: &Workspace) -> Result<()> {
    if !is_installed(workspace, "deny") {
        skip("dependencies", "cargo-deny is not installed (cargo install cargo-deny)");
        return Ok(());
    }
    // cargo-deny checks the crates of every platform, and a build downloads only those of
    // its own platform. The lock file was valid in the steps before, so a failure here
    // means that there is no network.
    if let Err(error) = step(workspace, "dependencies", &["fetch", "--locked"], &[]) {
        skip("dependencies", &format!("crates are missing and cannot be downloaded ({error:#})"));
        return Ok(());
    }
    let arguments = ["deny", "--offline", "check", "bans", "licenses", "sources"];
    step(workspace, "dependencies", &arguments, &[])
}

fn is_installed(workspace: &Workspace, subcommand: &str) -> bool {
    let mut command = workspace.cargo();
    command.args([subcommand, "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Whether one of these programs is in a folder of `PATH`.
fn has_program(names: &[&str]) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders)
        .any(|folder| names.iter().any(|name| folder.join(name).is_file()))
}

fn announce(name: &str, command: &str) {
    println!("\n== {name}: {command}");
}

fn skip(name: &str, reason: &str) {
    println!("\n== {name}: SKIPPED, {reason}");
}

fn failed(name: &str) -> String {
    format!("the step \"{name}\" failed; its output is above, the later steps did not run")
}
