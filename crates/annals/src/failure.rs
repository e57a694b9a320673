//! How a command ends when it does not end well.
//!
//! Exit 0: done. 1: a named thing was not found. 2: wrong use, or failure. A
//! broken pipe is no error: the reader had enough.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

/// An ending with a meaning of its own, as opposed to something that broke.
#[derive(Debug)]
pub(crate) enum CliError {
    /// A named thing is not there: exit 1.
    NotFound(String),
    /// The command was used wrongly: exit 2.
    Misuse(String),
    /// The answer itself said that there is nothing: exit 1, no more words.
    Silent,
    /// The answer itself said what is wrong: exit 2, no more words.
    Failed,
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CliError::NotFound(message) | CliError::Misuse(message) => f.write_str(message),
            CliError::Silent | CliError::Failed => Ok(()),
        }
    }
}

impl std::error::Error for CliError {}

/// Says what went wrong and answers the exit code.
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
        Some(CliError::NotFound(_)) => 1,
        Some(CliError::Misuse(_)) | None => 2,
    };
    notice(&format!("annals: {error:#}"));
    ExitCode::from(code)
}

/// Help and version are answers; everything else clap says is wrong use.
pub(crate) fn report_usage(error: &clap::Error) -> ExitCode {
    if error.use_stderr() {
        // It quotes the arguments, and those can come from anywhere.
        notice(error.render().to_string().trim_end());
        return ExitCode::from(2);
    }
    // A closed pipe must not turn help into a failure.
    let _ = error.print();
    ExitCode::SUCCESS
}

/// Says what could not be read; the rest of the answer stands.
pub(crate) fn report_read_errors(troubles: &[library::ReadError]) {
    for trouble in troubles {
        notice(&format!("annals: cannot read {trouble}"));
    }
}

/// Says something beside the answer. What it says may quote anybody.
pub(crate) fn notice(text: &str) {
    let _ = writeln!(io::stderr(), "{}", render::untrusted::text(text));
}
