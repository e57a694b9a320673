//! Errors of commands: their messages and exit codes.
//!
//! Exit 0: success. 1: not found. 2: wrong usage, or a failure. 3: `usage --check`
//! found a budget exceeded. A broken pipe is not an error: the reader has stopped
//! reading.

use library::lines::ReadError;
use redact::Redactor;
use std::collections::BTreeMap;
use std::io::Write;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::{fmt, io};
use store::LargeLine;

/// Masks secrets in messages, if this run masks.
static MASKING: OnceLock<Arc<Redactor>> = OnceLock::new();

/// From here on, secrets in messages are masked. Messages quote folders, branches and paths.
pub(crate) fn mask_messages(redactor: &Arc<Redactor>) {
    let _ = MASKING.set(Arc::clone(redactor));
}

/// An expected error with a fixed exit code, as opposed to an internal one.
#[derive(Debug)]
pub(crate) enum CliError {
    /// Something the user named does not exist: exit 1.
    NotFound(String),
    /// The command was used wrongly: exit 2.
    Misuse(String),
    /// The output already reports that nothing was found: exit 1, no message.
    Silent,
    /// The output already reports the failure: exit 2, no message.
    Failed,
    /// The output already reports that a budget is exceeded: exit 3, no message.
    OverBudget,
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CliError::NotFound(message) | CliError::Misuse(message) => f.write_str(message),
            CliError::Silent | CliError::Failed | CliError::OverBudget => Ok(()),
        }
    }
}

impl std::error::Error for CliError {}

/// The error with one more hint, if it is about something that does not exist.
pub(crate) fn with_hint(error: anyhow::Error, hint: &str) -> anyhow::Error {
    match error.downcast::<CliError>() {
        Ok(CliError::NotFound(text)) => CliError::NotFound(format!("{text}\nhint: {hint}")).into(),
        Ok(error) => error.into(),
        Err(error) => error,
    }
}

/// Prints the error and returns the exit code.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    let broken_pipe = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe);
    if broken_pipe {
        return ExitCode::SUCCESS;
    }
    let code = match error.downcast_ref::<CliError>() {
        Some(CliError::Silent) => return ExitCode::from(1),
        Some(CliError::Failed) => return ExitCode::from(2),
        Some(CliError::OverBudget) => return ExitCode::from(3),
        Some(CliError::NotFound(_)) => 1,
        None if is_missing_archive(error) => 1,
        Some(CliError::Misuse(_)) | None => 2,
    };
    notice(&format!("annals: {error:#}"));
    ExitCode::from(code)
}

/// Whether a command failed only because the archive does not exist yet.
fn is_missing_archive(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(library::archive::ArchiveError::Nothing))
}

/// Prints what clap reports: help and version are output, everything else is wrong
/// usage.
pub(crate) fn report_usage(error: &clap::Error) -> ExitCode {
    if error.use_stderr() {
        // It quotes the arguments, which can come from anywhere.
        notice(error.render().to_string().trim_end());
        return ExitCode::from(2);
    }
    // A closed pipe must not turn help into a failure.
    let _ = error.print();
    ExitCode::SUCCESS
}

/// Prints which files could not be read; the rest of the output is still valid.
pub(crate) fn report_read_errors(read_errors: &[ReadError]) {
    let mut reported = REPORTED.lock().unwrap_or_else(PoisonError::into_inner);
    for read_error in read_errors {
        // A command may meet one in several ways.
        if reported.insert(read_error.to_string(), read_error.clone()).is_none() {
            notice(&format!("annals: cannot read {read_error}"));
        }
    }
}

/// Reports the lines that were too large to be read. Documents name them in their warnings.
pub(crate) fn report_large_lines(lines: &[LargeLine]) {
    for line in lines {
        notice(&format!("annals: left out of {}: {line}", line.path.display()));
    }
}

static REPORTED: Mutex<BTreeMap<String, ReadError>> = Mutex::new(BTreeMap::new());

/// The files that were reported so far, for the warnings of a document.
pub(crate) fn reported_read_errors() -> Vec<ReadError> {
    let reported = REPORTED.lock().unwrap_or_else(PoisonError::into_inner);
    reported.values().cloned().collect()
}

/// Prints a message on standard error, wrapped at words on a terminal. It may quote
/// untrusted text.
pub(crate) fn notice(text: &str) {
    let text = &*MASKING.get().map_or(text.into(), |redactor| redactor.mask(text));
    let mut err = io::stderr();
    let size = rustix::termios::tcgetwinsize(&err).ok();
    let width = size.map(|size| usize::from(size.ws_col)).filter(|width| *width > 0);
    let _ = writeln!(err, "{}", render::hanging(&render::untrusted::text(text), 2, width));
}
