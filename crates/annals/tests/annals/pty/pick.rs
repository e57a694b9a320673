//! `annals pick`: chosen on the terminal, printed where the output goes.

use crate::pty::support::{Pty, session};
use std::path::Path;
use std::process::Stdio;
use testkit::Sandbox;

const FIRST: &str = "00000001-0000-4000-8000-000000000001";
const SECOND: &str = "00000002-0000-4000-8000-000000000002";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let home = std::fs::canonicalize(sandbox.home()).unwrap();
    for (number, prompt) in [(1, "Fix the flaky login test"), (2, "Tide table endpoint")] {
        let path = session(&sandbox, number, home.to_str().unwrap(), prompt);
        sandbox.set_modified(&path, 1_769_000_000 - i64::from(number));
    }
    sandbox
}

/// Runs a shell command on a terminal, with `annals` as `$ANNALS`.
fn shell(sandbox: &Sandbox, script: &str) -> Pty {
    let annals = testkit::program!("annals");
    Pty::start(sandbox, Path::new("/bin/sh"), &["-c", script], &[("ANNALS", annals)])
}

#[test]
fn a_command_substitution_gets_the_chosen_id() {
    let sandbox = sandbox();
    let mut pty = shell(&sandbox, "chosen=$($ANNALS pick tide); echo \"<$chosen> $?\"");
    pty.wait_for("Tide table");
    pty.send("\r");
    assert_eq!(pty.end(), 0);
    assert!(pty.screen().contains(&format!("<{SECOND}> 0")), "{}", pty.screen());
}

#[test]
fn escape_prints_nothing_and_exits_with_1() {
    let sandbox = sandbox();
    let mut pty = shell(&sandbox, "chosen=$($ANNALS pick); echo \"<$chosen> $?\"");
    pty.wait_for("Tide table");
    pty.send("\u{1b}");
    pty.end();
    assert!(pty.screen().contains("<> 1"), "{}", pty.screen());
}

#[test]
fn several_sessions_and_other_facts_can_be_printed() {
    let sandbox = sandbox();
    let mut pty = shell(&sandbox, "$ANNALS pick --multi | tr '\\n' ' '");
    pty.wait_for("Tide table");
    pty.send("\u{18}\u{18}\r");
    pty.end();
    assert!(pty.screen().contains(&format!("{FIRST} {SECOND}")), "{}", pty.screen());
    let mut pty = shell(&sandbox, "$ANNALS pick --print command flaky | cat");
    pty.wait_for("Fix the flaky");
    pty.send("\r");
    pty.end();
    let shown = pty.screen().replace('\n', "");
    assert!(
        shown.contains("cd ") && shown.contains(&format!("claude --resume {FIRST}")),
        "{shown}"
    );
    let mut pty = shell(&sandbox, "$ANNALS pick --print json flaky | grep -c '\"id\":\"00000001'");
    pty.wait_for("Fix the flaky");
    pty.send("\r");
    assert_eq!(pty.end(), 0, "{}", pty.screen());
}

#[test]
fn show_with_pick_shows_the_chosen_session() {
    let sandbox = sandbox();
    let mut pty = shell(&sandbox, "$ANNALS show --pick --no-pager");
    pty.wait_for("Tide table");
    pty.send("tide\r");
    assert_eq!(pty.end(), 0);
    assert!(pty.screen().contains("❯ Tide table endpoint"), "{}", pty.screen());
}

#[test]
fn without_a_terminal_or_for_agents_it_exits_with_2() {
    let sandbox = sandbox();
    let annals = testkit::program!("annals");
    // A process in a new session has no terminal to open.
    let mut alone = sandbox.command("setsid");
    alone.args(["--wait", annals, "pick"]).env("PATH", "/usr/bin:/bin").stdin(Stdio::null());
    let output = alone.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("annals: no terminal to show the list on: "), "{said}");
    assert!(said.ends_with("\nhint: annals ls prints one\n"), "{said}");
    assert!(output.stdout.is_empty());
    for command in ["pick", "tui"] {
        let mut agent = sandbox.command(annals);
        let output = agent.arg(command).env("CLAUDECODE", "1").output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("agents cannot"), "{output:?}");
    }
    for variables in [vec![], vec![("CLAUDECODE", "1")]] {
        let mut piped = sandbox.command(annals);
        let output = piped.arg("resume").envs(variables).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("needs a session"));
    }
}
