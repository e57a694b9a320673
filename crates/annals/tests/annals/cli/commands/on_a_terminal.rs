//! Commands that behave differently for a person at a terminal, and the demo store's end.

use crate::cli::support::run::command;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use testkit::Sandbox;

/// What a command prints with these answers at a terminal; `None` without `script`.
fn at_terminal(sandbox: &Sandbox, arguments: &[&str], answers: &str) -> Option<(i32, String)> {
    let words: Vec<String> = [testkit::program!("annals")]
        .iter()
        .chain(arguments)
        .map(|word| format!("'{word}'"))
        .collect();
    let mut script = sandbox.command("script");
    script.args(["-qec", &words.join(" "), "/dev/null"]).env("SHELL", "/bin/sh");
    script.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = script.spawn().ok()?;
    child.stdin.take()?.write_all(answers.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).replace('\r', "");
    Some((output.status.code().unwrap_or(-1), text))
}

#[test]
fn mcp_at_a_terminal_says_what_it_is_for() {
    let sandbox = Sandbox::new();
    crate::cli::support::run::session(&sandbox, 1, "/p", "Hello");
    let Some((code, text)) = at_terminal(&sandbox, &["mcp"], "") else { return };
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("serves past sessions to agents") && text.contains("claude mcp add"));
}

#[test]
fn setup_shows_a_change_on_request_and_offers_the_first_sync() {
    let sandbox = Sandbox::new();
    crate::cli::support::run::session(&sandbox, 1, "/p", "Hello");
    let arguments = ["setup", "--only", "cleanup"];
    let Some((code, text)) = at_terminal(&sandbox, &arguments, "d\ny\ny\n") else { return };
    assert_eq!(code, 0, "{text}");
    let (before, after) = text.split_once("d shows the change]").unwrap();
    assert!(!before.contains("cleanupPeriodDays"), "{text}");
    assert!(after.contains("cleanupPeriodDays") && after.contains("Installed: cleanup"), "{text}");
    assert!(after.contains("Back up all sessions now"), "{text}");
    let archived = crate::cli::support::run::annals(&sandbox, &["archive", "ls", "--json"]).done();
    assert_eq!(archived.json()["sessions"].as_array().unwrap().len(), 1);
    // There is an archive now.
    let Some((_, text)) = at_terminal(&sandbox, &arguments, "") else { return };
    assert!(!text.contains("Back up all sessions now"), "{text}");
}

#[test]
fn lake_init_asks_for_the_folders_for_the_name_and_for_a_yes() {
    crate::cli::support::lake_program::lake_program();
    let sandbox = Sandbox::new();
    let bucket = sandbox.path().join("bucket");
    std::fs::create_dir(&bucket).unwrap();
    let url = format!("file://{}", bucket.display());
    let arguments = ["lake", "init", &url, "--owner", "ada"];
    let file = sandbox.home().join(".config/annals/config.toml");
    let Some((code, text)) = at_terminal(&sandbox, &arguments, "~/a/**, ~/b/**\nn\n") else {
        return;
    };
    assert!(code == 1 && text.contains("Which folders are the team's?"), "{code} {text}");
    assert!(text.contains("May they see your name? [y/N]"), "{text}");
    assert!(!text.contains("Configure this lake?") && text.contains("Nothing was changed."));
    assert!(!file.exists(), "{text}");
    let Some((code, text)) = at_terminal(&sandbox, &arguments, "~/a/**, ~/b/**\ny\nn\n") else {
        return;
    };
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("Configure this lake? [y/N]") && text.contains("Nothing was changed."));
    assert!(!file.exists(), "{text}");
    let Some((code, text)) = at_terminal(&sandbox, &arguments, "~/a/**, ~/b/**\ny\ny\n") else {
        return;
    };
    assert_eq!(code, 0, "{text}");
    let section = std::fs::read_to_string(&file).unwrap();
    assert!(section.contains("projects = [\"~/a/**\", \"~/b/**\"]\n"), "{section}");
}

#[test]
fn demo_store_is_private_and_removed_when_the_terminal_closes() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path().join("temporary");
    std::fs::create_dir(&folder).unwrap();
    let entries = || std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let mut mcp = command(&sandbox, &["--demo", "mcp"]);
    mcp.env("TMPDIR", &folder).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = mcp.spawn().unwrap();
    // It would end by itself without input.
    let input = child.stdin.take();
    let deadline = Instant::now() + Duration::from_mins(1);
    // The handler is in place before the first file is.
    let is_begun = |path: &std::path::Path| path.join("projects").exists();
    while !entries().any(|path| is_begun(&path)) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(1));
    }
    let store = entries().next().expect("a demo store");
    assert_eq!(store.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    let kill = Command::new("kill").args(["-HUP", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let status = child.wait().unwrap();
    drop(input);
    assert!(!status.success(), "{status}");
    assert_eq!(entries().count(), 0);
}
