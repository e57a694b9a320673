//! Exported pages in a real browser: nothing that a transcript says is obeyed,
//! and what the pages promise works.
//!
//! A page must not hold anything for tests, so a second page beside it puts it
//! into a frame, uses it as a reader would, and writes down what it saw. Where
//! no chromium is installed that is said on stderr and passed by; `cargo xtask
//! test` says so as well.

#![expect(clippy::disallowed_methods, reason = "tests make the stores they read")]
#![expect(clippy::unwrap_used, reason = "a test that cannot run the binary should stop")]

mod attacks;
mod chromium;
mod reading;
mod source;

use std::path::{Path, PathBuf};
use testkit::Sandbox;

/// Exports sessions into a folder and gives it back.
fn exported(sandbox: &Sandbox, config: &Path, arguments: &[&str]) -> PathBuf {
    let folder = sandbox.path().join("pages");
    std::fs::create_dir_all(&folder).unwrap();
    let mut command = sandbox.command(env!("CARGO_BIN_EXE_annals"));
    command.arg("export").args(arguments).args(["--format", "html", "-o"]).arg(&folder);
    let output = command.env("CLAUDE_CONFIG_DIR", config).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder
}

/// The pages of a folder, by name.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "html")).collect();
    pages.sort();
    pages
}
