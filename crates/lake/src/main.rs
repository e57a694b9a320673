//! `annals-lake`: the program behind `annals lake`.
//!
//! `annals` starts it, reads its version, writes one request to its standard input and
//! prints what it answers. So that both are always of one version, it does nothing else for
//! anybody else: no arguments, no text for people.

mod program;

use std::process::ExitCode;

fn main() -> ExitCode {
    if std::env::args_os().len() > 1 {
        return program::refuse_arguments();
    }
    program::run()
}
