//! `cargo xtask bench`: measures the binary of the profile `dist`, and simple reference programs in the
//! same run.
//!
//! `--beside BINARY` measures another annals binary too, in turns with the one that was
//! built: a machine that becomes slower meanwhile is slower for both. `--binary BINARY`
//! measures that one instead of building one.
//!
//! `--only tui` measures the terminal UI on a pty, against its budgets.
//!
//! `--only web` measures the web app in a browser instead, which needs more than cargo.
//!
//! `--only lake` measures pushing, loading and reading a team lake, with the parts that
//! `cargo xtask lake-test` installs.
//!
//! The table is the only source of figures for the README. Single functions
//! are not timed here; a change that needs that has its own benchmark in its
//! crate.

mod lake;
mod machine;
mod measurements;
mod report;
mod survey;
mod tui;
mod web;

use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use xtask::empty_home::EmptyHome;
use xtask::workspace::{Workspace, run_to_success};

use crate::generate_store::generate_store;
use crate::measure::Sample;
use measurements::{Measured, Measurement, Work};
use report::{MeasuredValue, Row};

/// The most runs of a command that takes longer than a second: its figures vary less,
/// and twenty runs would take too long.
const LONG_RUNS: usize = 5;

#[derive(Debug)]
struct Options {
    megabytes: u64,
    store: Option<PathBuf>,
    runs: usize,
    only: Option<String>,
    binary: Option<PathBuf>,
    beside: Option<PathBuf>,
}

pub(crate) fn run(arguments: &[OsString]) -> Result<()> {
    let options = parse_options(arguments)?;
    let workspace = Workspace::locate()?;
    let own = if let Some(binary) = &options.binary {
        binary.clone()
    } else {
        build(&workspace)?;
        workspace.target.join("dist/annals")
    };
    let store = match &options.store {
        Some(store) => fs::canonicalize(store)
            .with_context(|| format!("cannot open the store {}", store.display()))?,
        None => make_store(&workspace, options.megabytes)?,
    };
    if options.only.as_deref() == Some("web") {
        let beside = options.beside.as_deref();
        let runs = options.runs.min(LONG_RUNS);
        let subject = web::Subject { binary: &own, store: &store, beside, runs };
        return web::run(&workspace, &subject);
    }
    if options.only.as_deref() == Some("tui") {
        return tui::run(&own, &store, options.runs);
    }
    if options.only.as_deref() == Some("lake") {
        return lake::run(&workspace, &own, &store, options.runs.min(LONG_RUNS));
    }
    let survey = survey::survey(&store)?;
    let chosen = choose(
        measurements::list(&workspace, own.clone(), &store, &survey),
        options.only.as_deref(),
    )?;

    if options.beside.is_some() {
        // Another version may not be able to read what the last run left.
        for home in ["indexed-beside", "kept-beside"] {
            remove_folder(&workspace.target.join("bench").join(home))?;
        }
    }
    let mut rows = Vec::new();
    for measurement in chosen {
        eprintln!("measuring {}", measurement.name);
        let mut beside = None;
        let outcome = match &measurement.work {
            Work::Command(command) => {
                let other = options.beside.as_deref();
                let other = other.and_then(|binary| command.with_binary(&own, binary));
                let (outcome, others) = repeat(command, other.as_ref(), options.runs);
                beside = others.map(|others| others.map(MeasuredValue::Runs));
                outcome.map(MeasuredValue::Runs)
            }
            Work::FileSize(path) => {
                let other = options.beside.as_deref().and_then(|binary| {
                    if *path == own { Some(binary.to_owned()) } else { beside_home(path) }
                });
                beside = other.map(|path| file_size(&path));
                file_size(path)
            }
            Work::Impossible(reason) => Err(anyhow::Error::msg(reason.clone())),
        };
        rows.push(Row { measurement, outcome, beside });
    }
    print!("{}", report::markdown(&machine::describe(), &survey, &rows));

    let failures = rows.iter().filter(|row| row.outcome.is_err()).count();
    if failures > 0 {
        bail!("{failures} of {} measurements failed; the table shows the reasons", rows.len());
    }
    Ok(())
}

fn parse_options(arguments: &[OsString]) -> Result<Options> {
    let mut options =
        Options { megabytes: 500, store: None, runs: 20, only: None, binary: None, beside: None };
    let mut rest = arguments.iter();
    while let Some(flag) = rest.next() {
        let flag = flag.to_string_lossy();
        let mut value = || rest.next().with_context(|| format!("{flag} needs a value"));
        let number = |value: &OsString| -> Result<u64> {
            let text = value.to_string_lossy();
            let number = text.parse().ok().filter(|number| *number > 0);
            number.with_context(|| format!("{flag} needs a whole number above 0, not {text}"))
        };
        match &*flag {
            "--megabytes" => options.megabytes = number(value()?)?,
            "--runs" => options.runs = usize::try_from(number(value()?)?)?,
            "--store" => options.store = Some(value()?.into()),
            "--only" => options.only = Some(value()?.to_string_lossy().into_owned()),
            "--binary" => options.binary = Some(find_binary(value()?)?),
            "--beside" => options.beside = Some(find_binary(value()?)?),
            _ => bail!(
                "unknown option {flag}: bench takes --megabytes, --store, --runs, --only, --binary and --beside"
            ),
        }
    }
    Ok(options)
}

fn find_binary(path: &OsString) -> Result<PathBuf> {
    let path = Path::new(path);
    fs::canonicalize(path).with_context(|| format!("cannot find the binary {}", path.display()))
}

fn build(workspace: &Workspace) -> Result<()> {
    for arguments in [
        &[
            "build",
            "--profile",
            "dist",
            "--package",
            "annals",
            "--package",
            "annals-lake",
            "--bins",
        ][..],
        &["build", "--profile", "dist", "--package", "annals-library", "--examples"],
    ] {
        let home = EmptyHome::new()?;
        let mut command = workspace.cargo();
        command.args(arguments);
        home.hide_real_home(&mut command);
        run_to_success(&mut command).context("cannot build the binary to measure")?;
    }
    Ok(())
}

/// The store of this size, generated once and reused from the target folder.
pub(crate) fn make_store(workspace: &Workspace, megabytes: u64) -> Result<PathBuf> {
    let folder = workspace.target.join("bench");
    let store = folder.join(megabytes.to_string());
    if store.exists() {
        return Ok(store);
    }
    // Written under another name first, so that an interrupted run leaves no store that is
    // smaller than its name says.
    let unfinished = folder.join(format!("{megabytes}.unfinished"));
    remove_folder(&unfinished)?;
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let script = workspace.root.join("../shared/tools/grow_store.py");
    if script.exists() && measurements::find_python().is_some() {
        eprintln!("growing a store of {megabytes} MB from real transcripts");
        let mut command = Command::new("python3");
        command.arg(&script).arg(&unfinished).arg(megabytes.to_string());
        // Its last line describes the store; stdout is for the table.
        command.stdout(std::io::stderr());
        run_to_success(&mut command)?;
    } else {
        eprintln!("making a store of {megabytes} MB with the built-in generator");
        generate_store(&unfinished, megabytes * 1_000_000)?;
    }
    fs::rename(&unfinished, &store).with_context(|| {
        format!("cannot rename {} to {}", unfinished.display(), store.display())
    })?;
    Ok(store)
}

/// `--only ls` selects `ls/json`, `ls/table` and their references; `--only ls/json` selects
/// only that one.
fn choose(all: Vec<Measurement>, only: Option<&str>) -> Result<Vec<Measurement>> {
    let Some(only) = only else {
        return Ok(all);
    };
    let names: Vec<&str> = all.iter().map(|measurement| measurement.name).collect();
    let names = names.join(", ");
    let is_chosen = |name: &str| {
        name.strip_prefix(only).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let chosen: Vec<Measurement> =
        all.into_iter().filter(|measurement| is_chosen(measurement.name)).collect();
    if chosen.is_empty() {
        bail!("unknown measurement {only}: use one of {names}, tui, web, lake");
    }
    Ok(chosen)
}

fn file_size(path: &Path) -> Result<MeasuredValue> {
    let metadata = fs::metadata(path)
        .with_context(|| format!("cannot read the size of {}", path.display()))?;
    Ok(MeasuredValue::Bytes(metadata.len()))
}

/// The same file in the home of the other binary.
fn beside_home(path: &Path) -> Option<PathBuf> {
    let (home, name) = (path.parent()?, path.file_name()?);
    let beside = format!("{}-beside", home.file_name()?.to_string_lossy());
    Some(home.with_file_name(beside).join(name))
}

fn remove_folder(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)
            .with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(())
}

/// One run to warm the page cache, then the runs that count, in turns with those of another
/// binary. If one of the two fails, the other is still measured.
fn repeat(
    command: &Measured,
    other: Option<&Measured>,
    runs: usize,
) -> (Result<Vec<Sample>>, Option<Result<Vec<Sample>>>) {
    let program = std::env::current_exe().context("cannot find this program to start it again");
    let program = match program {
        Ok(program) => program,
        Err(error) => return (Err(error), None),
    };
    let mut own = Runs::new(command, &program);
    let mut others = other.map(|command| Runs::new(command, &program));
    let all = || [Some(&own), others.as_ref()].into_iter().flatten();
    let is_long = all().any(|runs| runs.warm_s > 1.0);
    for _ in 0..if is_long { runs.min(LONG_RUNS) } else { runs } {
        own.run(&program);
        if let Some(others) = &mut others {
            others.run(&program);
        }
    }
    (own.samples, others.map(|others| others.samples))
}

/// The runs of a command so far.
struct Runs<'c> {
    command: &'c Measured,
    warm_s: f64,
    samples: Result<Vec<Sample>>,
}

impl<'c> Runs<'c> {
    fn new(command: &'c Measured, program: &Path) -> Self {
        match measure_once(program, command) {
            Ok(warm) => Runs { command, warm_s: warm.wall_s, samples: Ok(Vec::new()) },
            Err(error) => Runs { command, warm_s: 0.0, samples: Err(error) },
        }
    }

    fn run(&mut self, program: &Path) {
        let Ok(samples) = &mut self.samples else { return };
        match measure_once(program, self.command) {
            Ok(sample) => samples.push(sample),
            Err(error) => self.samples = Err(error),
        }
    }
}

fn measure_once(program: &Path, command: &Measured) -> Result<Sample> {
    let home = EmptyHome::new()?;
    let mut measure = Command::new(program);
    measure.arg("measure");
    if command.may_find_nothing {
        measure.arg("--or-nothing");
    }
    measure.arg("--").args(&command.words);
    home.clear_environment(&mut measure);
    if let Some(shared) = &command.home {
        measure.env("ANNALS_HOME", shared);
    }
    measure.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut measure = measure.spawn().context("cannot start the measuring process")?;
    if let Some(mut input) = measure.stdin.take() {
        // A command that does not read its input may have ended.
        let _ = input.write_all(command.input.as_bytes());
    }
    let output = measure.wait_with_output().context("cannot wait for the measuring process")?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    serde_json::from_slice(&output.stdout)
        .context("cannot parse the output of the measuring process")
}
