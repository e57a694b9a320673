//! `annals-lake`: the program behind `annals lake`.
//!
//! `annals` starts it, reads its version, writes one request to its standard input and
//! prints what it answers. So that both are always of one version, it does nothing else for
//! anybody else: no arguments but one for itself, no text for people.

mod program;

use std::process::ExitCode;

/// The allocator of the static programs: musl's own is slower.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    match &arguments[..] {
        [] => program::run(),
        // It starts itself to read objects of other people.
        [argument] if argument == lake::CHECK_OBJECTS => program::check_objects(),
        _ => program::refuse_arguments(),
    }
}
