//! How much memory a program that runs long keeps and does not need any more.
//!
//! glibc gives every thread an arena, and an arena keeps what its largest answer once needed.
//! A server that was asked for every page of a 500 MB store, one after the other, held 206 MB;
//! with one arena for all threads it held 131, and 85 if large blocks are returned at once.
//! The terminal UI, which has a thread for each kind of work, held 65 MB while it built the
//! index of that store, and 50 with one arena. glibc reads these settings only when a program
//! starts, so annals begins again with them, in the same process. Deliberately not here: other
//! C libraries, which work differently, and short commands, which end before it matters.

use crate::cli::Command;
use crate::environment::Environment;
use std::os::unix::process::CommandExt as _;

/// The variables that glibc reads, and their values.
pub(crate) const SETTINGS: [(&str, &str); 3] = [
    ("MALLOC_ARENA_MAX", "1"),
    ("MALLOC_MMAP_THRESHOLD_", "1048576"),
    ("MALLOC_TRIM_THRESHOLD_", "4194304"),
];

/// Begins a command that runs long again with the settings. Returns if it does not run long, if
/// the person has chosen settings, or if it cannot begin again: it only needs more memory then.
pub(crate) fn begin_again(command: Option<&Command>, environment: &Environment) {
    let runs_long = matches!(
        command,
        Some(Command::Web(_) | Command::Serve(_) | Command::Tui(_) | Command::Pick(_))
    );
    if !cfg!(target_env = "gnu") || !runs_long || environment.has_arenas_set {
        return;
    }
    let Some(program) = &environment.executable else { return };
    let mut arguments = std::env::args_os();
    let mut again = std::process::Command::new(program);
    if let Some(name) = arguments.next() {
        again.arg0(name);
    }
    // Returns only if it failed.
    let _ = again.args(arguments).envs(SETTINGS).exec();
}

/// A program that annals starts has none of its settings.
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
    fn a_program_that_annals_starts_has_none_of_its_settings() {
        let mut program = std::process::Command::new("browser");
        let removed: Vec<_> = without_settings(&mut program).get_envs().collect();
        assert_eq!(removed.len(), SETTINGS.len());
        assert!(removed.iter().all(|(_, value)| value.is_none()), "{removed:?}");
    }
}
