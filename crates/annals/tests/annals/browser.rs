//! Exported pages in a real browser: text of a transcript never runs, and the features of the
//! pages work.
//!
//! A page must not contain anything for tests, so a second page next to it puts it into a
//! frame, uses it as a reader would, and reports the result. If chromium is not installed,
//! the tests print SKIPPED on stderr; `cargo xtask test` does so as well.

mod attacks;
mod chromium;
mod controls;
mod reading;
mod source;

use std::path::{Path, PathBuf};
use testkit::Sandbox;

/// Exports sessions into a folder, and returns it.
fn exported(sandbox: &Sandbox, config: &Path, arguments: &[&str]) -> PathBuf {
    let folder = sandbox.path().join("pages");
    std::fs::create_dir_all(&folder).unwrap();
    let mut command = sandbox.command(testkit::program!("annals"));
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
