//! The key bindings of `annals completions --widget`, in the shells that they are for.

use crate::pty::support::{Pty, session};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use testkit::{Sandbox, session_id};

/// A store with one session whose folder needs quotes, and `annals` in a folder of `PATH`.
fn sandbox() -> (Sandbox, String, String) {
    let sandbox = Sandbox::new();
    let folder = sandbox.home().join(r"it's \'; touch x; # !! $(here)");
    std::fs::create_dir(&folder).unwrap();
    let folder = std::fs::canonicalize(folder).unwrap().to_str().unwrap().to_owned();
    session(&sandbox, 1, &folder, "Fix the flaky login test");
    let bin = sandbox.path().join("bin");
    std::fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(testkit::program!("annals"), bin.join("annals")).unwrap();
    let path = format!("{}:/usr/bin:/bin", bin.display());
    (sandbox, folder, path)
}

/// A shell, or `None` and a word on standard error.
fn find(shell: &str) -> Option<PathBuf> {
    let found = ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
        .iter()
        .map(|folder| Path::new(folder).join(shell))
        .find(|path| path.exists());
    if found.is_none() {
        let _ = writeln!(std::io::stderr(), "SKIPPED: {shell} is not installed");
    }
    found
}

/// Starts a shell, loads the widget, chooses the session between two words, and runs the
/// line: the shell gets the command as it was inserted.
fn choose(shell: &Path, arguments: &[&str], load: &str) {
    let (sandbox, folder, path) = sandbox();
    let mut pty = Pty::start(&sandbox, shell, arguments, &[("PATH", &path), ("PS1", "ready> ")]);
    pty.resize(30, 200);
    pty.wait_until("a prompt", || !pty.screen().trim().is_empty());
    pty.send(&format!("{load}; echo loa''ded\r"));
    pty.wait_for("loaded");
    // Into the middle of a line, which prints the words that it has.
    pty.send("printf '<%s>' one && || true\u{1b}[D\u{1b}[D\u{1b}[D\u{1b}[D\u{1b}[D\u{1b}[D\u{1b}[D\u{1b}[D");
    pty.wait_for("|| true");
    pty.send("\u{7}");
    pty.wait_for("annals pick");
    // The session is in another folder than the shell.
    pty.send("\t");
    pty.wait_for("Fix the flaky");
    pty.send("\r");
    pty.wait_until("the shell", || !pty.is_alternate());
    let command = format!("claude --resume {}", session_id(1));
    pty.wait_for(&format!("{command} || true"));
    let inserted = format!("cd {} && {command}", render::shell_quoted(&folder));
    let shown = pty.screen().replace('\n', "");
    assert!(shown.contains(&inserted), "{inserted}\n{}", pty.screen());
    assert!(!shown.contains("<one>"), "nothing runs before Enter\n{}", pty.screen());
    // Esc leaves the line as it is.
    pty.send("\u{7}");
    pty.wait_until("the list", || pty.is_alternate());
    pty.wait_for("annals pick");
    pty.send("\u{1b}");
    pty.wait_until("the shell", || !pty.is_alternate());
    pty.wait_for(&format!("{command} || true"));
    // Enter runs it: the shell goes to the folder, and nothing in its name is a command.
    pty.send("\recho \"[$PWD]\"\r");
    pty.wait_until("the folder", || {
        pty.screen().replace('\n', "").contains(&format!("[{folder}]"))
    });
    for place in [Path::new(&folder), &sandbox.home(), sandbox.path()] {
        assert!(!place.join("x").exists(), "touch ran in {}", place.display());
    }
}

#[test]
fn bash_widget_inserts_the_command() {
    let bash = find("bash").expect("bash");
    choose(&bash, &["--norc", "--noprofile", "-i"], "source <(annals completions bash --widget)");
}

#[test]
fn zsh_widget_inserts_the_command() {
    let Some(zsh) = find("zsh") else { return };
    choose(&zsh, &["-f", "-i"], "source <(annals completions zsh --widget)");
}

#[test]
fn fish_widget_inserts_the_command() {
    let Some(fish) = find("fish") else { return };
    choose(&fish, &["--no-config", "-i"], "annals completions fish --widget | source");
}
