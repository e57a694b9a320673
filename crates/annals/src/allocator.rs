//! How much memory a server keeps that it does not need any more.
//!
//! glibc gives every thread an arena, and an arena keeps what its largest answer once needed.
//! A server that was asked for every page of a 500 MB store, one after the other, held 206 MB;
//! with one arena for all threads it held 131, and 85 if large blocks are returned at once.
//! glibc reads these settings only when a program starts, so a server begins again with them,
//! in the same process. Deliberately not here: other C libraries, which work differently, and
//! short commands, which end before it matters.

use crate::cli::Command;
use crate::environment::Environment;
use std::os::unix::process::CommandExt as _;

/// The variables that glibc reads, and their values for a server.
const SETTINGS: [(&str, &str); 3] = [
    ("MALLOC_ARENA_MAX", "1"),
    ("MALLOC_MMAP_THRESHOLD_", "1048576"),
    ("MALLOC_TRIM_THRESHOLD_", "4194304"),
];

/// Begins a command that serves again with the settings. Returns if it does not serve, if the
/// person has chosen settings, or if it cannot begin again: the server only needs more memory.
pub(crate) fn begin_again(command: Option<&Command>, environment: &Environment) {
    let is_server = matches!(command, Some(Command::Web(_) | Command::Serve(_)));
    if !cfg!(target_env = "gnu") || !is_server || environment.has_arenas_set {
        return;
    }
    let Some(program) = &environment.executable else { return };
    let mut arguments = std::env::args_os();
    let mut server = std::process::Command::new(program);
    if let Some(name) = arguments.next() {
        server.arg0(name);
    }
    // Returns only if it failed.
    let _ = server.args(arguments).envs(SETTINGS).exec();
}

/// A program that a server starts has none of its settings.
pub(crate) fn without_settings(program: &mut std::process::Command) -> &mut std::process::Command {
    for (name, _) in SETTINGS {
        program.env_remove(name);
    }
    program
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_a_server_starts_has_none_of_its_settings() {
        let mut program = std::process::Command::new("browser");
        let removed: Vec<_> = without_settings(&mut program).get_envs().collect();
        assert_eq!(removed.len(), SETTINGS.len());
        assert!(removed.iter().all(|(_, value)| value.is_none()), "{removed:?}");
    }
}
