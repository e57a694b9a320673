//! Starts `annals-lake` and talks to it.
//!
//! The program lies beside the running `annals`, or where `lake.program` says; it is never
//! searched on `PATH`. Nobody else may be able to write it, and it must have the same version.
//! It says its version first, gets one request on its standard input, and answers in lines
//! of JSON.

use crate::configuration::Configuration;
use crate::context::Context;
use crate::failure::CliError;
use anyhow::Context as _;
use document::{LakeAction, LakeAnswer, LakeFailure, LakeRequest, LakeSettings};
use std::io::{BufRead as _, BufReader, IsTerminal as _, Read, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use store::real_path;

/// The version of both programs.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The signal of a program that aborts.
const SIGABRT: i32 = 6;
/// How often a question about the lake is asked.
const MOST_ATTEMPTS: usize = 16;
/// The longest line of an answer.
const LONGEST_LINE: u64 = 64 << 20;

/// The result of a request.
pub(crate) type Asked = Result<LakeAnswer, LakeFailure>;

/// Asks the program. The outer error is about the program itself, the inner one is what it
/// says about the request.
pub(crate) fn ask(
    context: &Context,
    settings: LakeSettings,
    action: LakeAction,
) -> anyhow::Result<Asked> {
    let place = ProgramPlace {
        configuration: &context.settings.configuration,
        executable: context.settings.environment.executable.as_deref(),
    };
    let request = LakeRequest { version: VERSION.to_owned(), settings, action };
    place.ask(&request)
}

/// What says where the program is.
#[derive(Clone, Copy)]
pub(crate) struct ProgramPlace<'a> {
    pub(crate) configuration: &'a Configuration,
    /// The running annals.
    pub(crate) executable: Option<&'a Path>,
}

impl ProgramPlace<'_> {
    /// Asks the program.
    pub(crate) fn ask(self, request: &LakeRequest) -> anyhow::Result<Asked> {
        let program = find(self)?;
        let reads = matches!(request.action, LakeAction::Read { .. });
        for _ in 0..MOST_ATTEMPTS {
            let (answer, has_aborted) = ask_program(&program, request)?;
            // An object made the program end, which refuses that object from now on.
            if answer.is_ok() || !(reads && has_aborted) {
                return answer;
            }
        }
        Err(unclear(&program, "too many objects of the lake are damaged"))
    }
}

fn ask_program(
    program: &Path,
    request: &LakeRequest,
) -> anyhow::Result<(anyhow::Result<Asked>, bool)> {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", program.display()))?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let answer = match (input, output) {
        (Some(input), Some(output)) => talk(program, input, output, request),
        _ => Err(unclear(program, "no connection to it")),
    };
    if answer.is_err() {
        // It may still be waiting for something.
        let _ = child.kill();
    }
    let status = child.wait().with_context(|| format!("cannot wait for {}", program.display()))?;
    Ok((answer, status.signal() == Some(SIGABRT)))
}

fn talk(
    program: &Path,
    mut input: impl std::io::Write,
    output: impl Read,
    request: &LakeRequest,
) -> anyhow::Result<Asked> {
    let mut output = BufReader::new(output);
    match next(program, &mut output)? {
        Some(LakeAnswer::Hello { version }) if version == VERSION => {}
        Some(LakeAnswer::Hello { version }) => {
            let message = format!(
                "{} has version {version}, but annals has {VERSION}\nhint: install the same \
                 version of both",
                program.display()
            );
            return Err(CliError::Misuse(message).into());
        }
        _ => return Err(unclear(program, "it does not say its version")),
    }
    let request = serde_json::to_vec(request).context("cannot write the request")?;
    // If it ends before it has read all, its answer says why.
    let _ = input.write_all(&request);
    drop(input);
    let mut progress = Progress::default();
    while let Some(answer) = next(program, &mut output)? {
        match answer {
            LakeAnswer::Progress { step, done, total } => progress.show(&step, done, total),
            LakeAnswer::Failure(failure) => return Ok(Err(failure)),
            LakeAnswer::Hello { .. } => return Err(unclear(program, "it says its version twice")),
            answer => return Ok(Ok(answer)),
        }
    }
    Err(unclear(program, "it ended without an answer"))
}

/// The next line of an answer.
fn next(program: &Path, output: &mut impl std::io::BufRead) -> anyhow::Result<Option<LakeAnswer>> {
    let mut line = Vec::new();
    let read = output.take(LONGEST_LINE + 1).read_until(b'\n', &mut line);
    read.with_context(|| format!("cannot read what {} answers", program.display()))?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.len() as u64 > LONGEST_LINE {
        return Err(unclear(program, "its answer is too long"));
    }
    let parsed = serde_json::from_slice(&line);
    parsed.map(Some).map_err(|error| unclear(program, &error.to_string()))
}

fn unclear(program: &Path, reason: &str) -> anyhow::Error {
    let message = format!(
        "{} gives no usable answer: {reason}\nhint: install the annals-lake of annals {VERSION}",
        program.display()
    );
    CliError::Misuse(message).into()
}

/// The program, after a check that nobody else can change it.
fn find(place: ProgramPlace<'_>) -> anyhow::Result<PathBuf> {
    let configuration = place.configuration;
    let program = match &configuration.lake.program {
        Some(named) if !named.is_absolute() => {
            let wrong = anyhow::anyhow!("lake.program: use an absolute path");
            return configuration.blame(Err(wrong));
        }
        Some(named) => named.clone(),
        None => {
            let running = place.executable.map(real_path);
            let folder = running.as_deref().and_then(Path::parent);
            folder.context("the path of the running program is not known")?.join("annals-lake")
        }
    };
    if !program.exists() {
        let message = format!(
            "annals lake needs the program annals-lake, which is not installed: {} does not \
             exist\nhint: install annals-lake {VERSION} there, or set lake.program to its path",
            program.display()
        );
        return Err(CliError::Misuse(message).into());
    }
    integration::setup::check_lake_program(&program).map_err(CliError::Misuse)?;
    Ok(program)
}

/// One line on a terminal that says how far the program is.
#[derive(Default)]
struct Progress {
    width: usize,
}

impl Progress {
    fn show(&mut self, step: &str, done: u64, total: u64) {
        let mut err = std::io::stderr();
        if !err.is_terminal() {
            return;
        }
        let step = render::untrusted::line(step);
        // How much there will be is not always known.
        let line = match total {
            0 => format!("{step}: {done}"),
            total => format!("{step}: {done} of {total}"),
        };
        let _ = write!(err, "\r{line:<width$}", width = self.width);
        self.width = line.chars().count();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.width > 0 {
            let _ = write!(std::io::stderr(), "\r{:width$}\r", "", width = self.width);
        }
    }
}
