//! `cargo xtask golden`: compares what annals prints with what it printed at another commit.
//!
//! Every surface is asked about stores that do not change: the demo, stores with odd graphs and
//! damage, and, where they are available, real transcripts of Claude Code and of other apps. The
//! clock, the time zone and the key of placeholders are fixed. The texts of a commit stay in
//! `target/golden/texts`, so that a change is compared with its base as often as needed; the base
//! is built once.
//!
//! Deliberately not here: whether a difference is intended. A person reads them.

mod command_line;
mod comparison;
mod mcp;
mod stores;
mod terminal;
mod texts;
mod web;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use xtask::workspace::{Workspace, run_to_success};

use stores::{GoldenStore, Program};
use texts::Texts;

/// The profile of the programs that are asked: what they print does not depend on it.
const PROFILE: &str = "release";

/// What is asked for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    /// The commit to compare with; `HEAD` if nothing is named.
    base: Option<String>,
    /// A program of the base that exists already.
    beside: Option<PathBuf>,
    /// The program to ask, instead of building one.
    binary: Option<PathBuf>,
    /// Only stores, surfaces and questions whose path contains this.
    only: Option<String>,
    /// How many files are shown with their differences.
    shown: Option<usize>,
}

pub(crate) fn run(arguments: &[OsString]) -> Result<()> {
    let options = parse_options(arguments)?;
    let workspace = Workspace::locate()?;
    let folder = workspace.target.join("golden");
    let stores = stores::make(&workspace, &folder.join("stores"))?;
    let base = base_texts(&workspace, &folder, &stores, &options)?;
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => build(&workspace.root, &workspace.target)?,
    };
    let now = folder.join("texts").join("now");
    write_texts(&binary, &folder, &stores, &options, &now)?;
    let shown = options.shown.unwrap_or(comparison::SHOWN);
    comparison::report(&base, &now, options.only.as_deref(), shown)
}

/// The folder with the texts of the base, which are written if they are not there yet.
fn base_texts(
    workspace: &Workspace,
    folder: &Path,
    stores: &[GoldenStore],
    options: &Options,
) -> Result<PathBuf> {
    if let Some(binary) = &options.beside {
        let texts = folder.join("texts").join("beside");
        write_texts(binary, folder, stores, options, &texts)?;
        return Ok(texts);
    }
    let commit = commit(&workspace.root, options.base.as_deref().unwrap_or("HEAD"))?;
    let texts = folder.join("texts").join(&commit);
    if !texts.join(texts::COMPLETE).exists() {
        let source = check_out(&workspace.root, folder, &commit)?;
        let binary = build(&source, &folder.join("build"))?;
        // All of them, so that the next comparison can ask for others.
        write_texts(&binary, folder, stores, &Options::default(), &texts)?;
    }
    Ok(texts)
}

fn write_texts(
    binary: &Path,
    folder: &Path,
    stores: &[GoldenStore],
    options: &Options,
    to: &Path,
) -> Result<()> {
    let texts = Texts::begin(to, options.only.as_deref())?;
    for store in stores {
        let program = Program::new(binary, &folder.join("home"), store)?;
        let texts = texts.of_store(store, &program);
        println!("{}: {}", to.display(), store.name);
        // Builds the index, so that no answer depends on how far it is.
        program.run(&["search", "--wait", "annals-golden"])?;
        let sessions = program.sessions()?;
        command_line::ask(&program, &sessions, &texts)?;
        mcp::ask(&program, &sessions, &texts)?;
        web::ask(&program, &sessions, &texts)?;
        terminal::ask(&program, &sessions, &texts)?;
    }
    texts.complete()
}

fn commit(root: &Path, name: &str) -> Result<String> {
    let mut command = Command::new("git");
    command.current_dir(root).args(["rev-parse", "--verify", "--quiet"]);
    let output = command.arg(format!("{name}^{{commit}}")).output().context("cannot start git")?;
    if !output.status.success() {
        bail!("no commit {name}");
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Writes the sources of a commit into a separate folder.
fn check_out(root: &Path, folder: &Path, commit: &str) -> Result<PathBuf> {
    let source = folder.join("source");
    if source.exists() {
        fs::remove_dir_all(&source).context("cannot remove the sources of another commit")?;
    }
    fs::create_dir_all(&source)?;
    let archive = folder.join("source.tar");
    let mut pack = Command::new("git");
    pack.current_dir(root).args(["archive", "--format=tar", "--output"]).arg(&archive).arg(commit);
    run_to_success(&mut pack)?;
    let mut unpack = Command::new("tar");
    unpack.arg("-xf").arg(&archive).arg("-C").arg(&source);
    run_to_success(&mut unpack)?;
    fs::remove_file(&archive)?;
    Ok(source)
}

fn build(source: &Path, target: &Path) -> Result<PathBuf> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(source).args(["build", "--quiet", "--locked", "--package", "annals"]);
    command.args(["--bins", "--profile", PROFILE, "--target-dir"]).arg(target);
    run_to_success(&mut command).context("cannot build annals")?;
    Ok(target.join(PROFILE).join("annals"))
}

fn parse_options(arguments: &[OsString]) -> Result<Options> {
    let mut options = Options::default();
    let mut rest = arguments.iter();
    while let Some(flag) = rest.next() {
        let flag = flag.to_string_lossy();
        let mut value = || rest.next().with_context(|| format!("{flag} needs a value"));
        let text = |value: &OsString| value.to_string_lossy().into_owned();
        match &*flag {
            "--base" => options.base = Some(text(value()?)),
            "--beside" => options.beside = Some(value()?.into()),
            "--binary" => options.binary = Some(value()?.into()),
            "--only" => options.only = Some(text(value()?)),
            "--shown" => {
                let number = text(value()?);
                let number = number.parse().with_context(|| format!("no number: {number}"))?;
                options.shown = Some(number);
            }
            _ => bail!(
                "unknown option {flag}: golden takes --base, --beside, --binary, --only and --shown"
            ),
        }
    }
    if options.base.is_some() && options.beside.is_some() {
        bail!("--base and --beside both name the base");
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Options> {
        parse_options(&arguments.iter().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn options_name_the_base_and_what_is_compared() {
        let options = parse(&["--base", "HEAD~3", "--only", "demo/web", "--shown", "2"]).unwrap();
        assert_eq!(options.base.as_deref(), Some("HEAD~3"));
        assert_eq!(options.only.as_deref(), Some("demo/web"));
        assert_eq!(options.shown, Some(2));
    }

    #[test]
    fn two_bases_are_refused() {
        assert!(parse(&["--base", "HEAD", "--beside", "annals"]).is_err());
        assert!(parse(&["--shown", "many"]).is_err());
        assert!(parse(&["--else"]).is_err());
    }
}
