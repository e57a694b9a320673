//! What people see: the text of commands on the demo, at 60, 80 and 120 columns.
//!
//! The demo is the same for the same time, so every line is. A command that prints
//! text about sessions and has no snapshot here fails the last test.

mod fits;
mod lists;
mod narrow;
mod reading;
mod search;
mod understanding;

use crate::cli::support::exercises::demo_calls;
use std::io::Write as _;
use std::process::{Command, Stdio};
use testkit::Sandbox;

/// What a command prints on the demo in a terminal of this width, notices behind it;
/// `None` without `script`, which provides the terminal.
fn at(width: usize, arguments: &[&str]) -> Option<String> {
    at_size(width, None, arguments)
}

/// The same in a terminal of this height.
fn at_size(width: usize, height: Option<usize>, arguments: &[&str]) -> Option<String> {
    let is_there = Command::new("script").arg("--version").stdout(Stdio::null()).status().is_ok();
    if !is_there {
        let reason = "SKIPPED: text in a terminal, the program `script` is not installed";
        let _ = writeln!(std::io::stderr(), "{reason}");
        return None;
    }
    let sandbox = Sandbox::new();
    let folder = sandbox.path().join("temporary");
    std::fs::create_dir(&folder).unwrap();
    let notices = sandbox.path().join("notices");
    let program = [testkit::program!("annals"), "--demo", "--no-pager", "--color", "never"];
    let words: Vec<String> =
        program.iter().chain(arguments).map(|word| format!("'{word}'")).collect();
    let line = format!("{} 2>'{}'", words.join(" "), notices.display());
    let mut command = sandbox.command("script");
    command.args(["-qec", &line, "/dev/null"]).stdin(Stdio::null());
    command.env("TMPDIR", &folder).env("COLUMNS", width.to_string()).env("SHELL", "/bin/sh");
    command.envs(height.map(|height| ("LINES", height.to_string())));
    let output = command.output().unwrap();
    let mut text = String::from_utf8_lossy(&output.stdout).replace('\r', "");
    text += &std::fs::read_to_string(&notices).unwrap_or_default();
    let prefix = format!("{}/annals-demo-", folder.display());
    while let Some(start) = text.find(&prefix) {
        text.replace_range(start..start + prefix.len() + 6, "[ROOT]");
    }
    let text = text.replace(&sandbox.path().display().to_string(), "[HOME]");
    Some(text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n"))
}

#[test]
fn every_command_with_text_about_the_demo_has_a_snapshot() {
    let sources = [
        include_str!("lists.rs"),
        include_str!("search.rs"),
        include_str!("reading.rs"),
        include_str!("understanding.rs"),
    ];
    for call in demo_calls() {
        let name = call.first().map_or(String::new(), |name| format!("\"{name}\""));
        let wanted = format!("at(80, &[{name}");
        assert!(sources.iter().any(|source| source.contains(&wanted)), "no snapshot of {call:?}");
    }
}
