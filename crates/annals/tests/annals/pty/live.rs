//! Sessions that are written while the terminal UI shows them.

use crate::pty::support::{Pty, session};
use std::path::Path;
use std::time::Duration;
use testkit::{Line, Sandbox, assistant, session_id, user};

fn home(sandbox: &Sandbox) -> String {
    std::fs::canonicalize(sandbox.home()).unwrap().to_str().unwrap().to_owned()
}

/// The line after a number of others in the first session.
fn line(sandbox: &Sandbox, number: u32, text: &str) -> Line {
    let uuid = |half: u32| format!("00000001-aaaa-4000-8000-{half:012x}");
    let line = if number.is_multiple_of(2) { assistant(text) } else { user(text) };
    line.with("sessionId", session_id(1))
        .cwd(&home(sandbox))
        .link(&uuid(number), Some(&uuid(number - 1)))
}

#[test]
fn new_and_growing_sessions_appear_and_the_selection_stays() {
    let sandbox = Sandbox::new();
    let home = home(&sandbox);
    let first = session(&sandbox, 1, &home, "Fix the flaky login test");
    sandbox.set_modified(&first, 1_769_000_000);
    let second = session(&sandbox, 2, &home, "Tide table endpoint");
    sandbox.set_modified(&second, 1_768_000_000);
    let mut pty = Pty::annals(&sandbox, &["tui"]);
    pty.wait_for("2 sessions");
    let selected = |pty: &Pty| -> String {
        let screen = pty.screen();
        screen.lines().find(|line| line.starts_with('▌')).unwrap_or_default().to_owned()
    };
    pty.send("\u{1b}[B");
    pty.wait_until("the second row", || selected(&pty).contains("Tide table"));
    session(&sandbox, 3, &home, "Sourdough in winter");
    pty.wait_for("3 sessions");
    pty.wait_for("Sourdough in winter");
    assert!(selected(&pty).contains("Tide table"), "{}", pty.screen());
    // The session that is looked at grows, and its preview with it.
    let uuid = |half: u32| format!("00000002-aaaa-4000-8000-{half:012x}");
    let more = user("And the neap tides?").with("sessionId", session_id(2)).cwd(&home);
    sandbox.append(&second, format!("{}\n", more.link(&uuid(3), Some(&uuid(2)))));
    pty.wait_for("And the neap tides?");
    assert!(selected(&pty).contains("Tide table"), "{}", pty.screen());
    // A session in a project that is new, and one that is gone.
    pty.send("\t");
    let elsewhere = session(&sandbox, 4, "/home/ada/elsewhere", "Paint the fence");
    pty.wait_for("Paint the fence");
    sandbox.remove(&elsewhere);
    pty.wait_until("one session less", || !pty.screen().contains("Paint the fence"));
    assert!(selected(&pty).contains("Tide table"), "{}", pty.screen());
}

#[test]
fn first_session_of_an_empty_store_appears() {
    let sandbox = Sandbox::new();
    let home = home(&sandbox);
    let pty = Pty::annals(&sandbox, &["tui"]);
    pty.wait_for("No sessions yet");
    session(&sandbox, 1, &home, "Fix the flaky login test");
    pty.wait_for("Fix the flaky login test");
}

#[test]
fn followed_session_shows_what_is_written() {
    let sandbox = Sandbox::new();
    let path = session(&sandbox, 1, &home(&sandbox), "Fix the flaky login test");
    let mut pty = Pty::annals(&sandbox, &["tui"]);
    pty.wait_for("Fix the flaky");
    pty.send("\r");
    pty.wait_for("turn 1/1");
    pty.send(".");
    pty.wait_for("Following the session");
    // A writer that writes lines in two pieces, as a busy one does.
    for number in 3..40 {
        let line = format!("{}\n", line(&sandbox, number, &format!("message number {number}")));
        let (half, rest) = line.split_at(line.len() / 2);
        sandbox.append(&path, half);
        std::thread::sleep(Duration::from_millis(2));
        sandbox.append(&path, rest);
        std::thread::sleep(Duration::from_millis(5));
    }
    pty.wait_for("message number 39");
    pty.wait_for("turn 20/20");
    // Someone who reads something else stays there.
    pty.send("g");
    pty.wait_until("the first turn", || pty.screen().contains("turn 1/20"));
    sandbox.append(&path, format!("{}\n", line(&sandbox, 40, "message number 40")));
    sandbox.append(&path, format!("{}\n", line(&sandbox, 41, "message number 41")));
    pty.wait_for("turn 1/21");
    // The outline names it, the conversation does not show it.
    assert!(!pty.screen().contains("❯ message number 41"), "{}", pty.screen());
    // Lines that are taken back are taken back here.
    let text = std::fs::read_to_string(&path).unwrap();
    let kept: Vec<&str> = text.lines().take(4).collect();
    std::fs::write(&path, kept.join("\n") + "\n").unwrap();
    pty.wait_for("turn 1/2");
    pty.send("\u{3}");
    assert_eq!(pty.end(), 0);
}

#[test]
fn waiting_uses_no_processor_time() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, &home(&sandbox), "Fix the flaky login test");
    let mut pty = Pty::annals(&sandbox, &["tui"]);
    pty.wait_for("Fix the flaky");
    pty.send("\r");
    pty.wait_for("turn 1/1");
    pty.send(".");
    pty.wait_for("Following the session");
    let switches = |pid: i32| -> u64 {
        let tasks = std::fs::read_dir(Path::new("/proc").join(pid.to_string()).join("task"));
        let status = |task: std::fs::DirEntry| {
            let text = std::fs::read_to_string(task.path().join("status")).unwrap_or_default();
            let line = text.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
            line.and_then(|line| line.trim().parse::<u64>().ok()).unwrap_or_default()
        };
        tasks.unwrap().flatten().map(status).sum()
    };
    // What it still had to do ends; then nothing wakes any of its threads.
    let is_asleep = (0..60).any(|_| {
        let before = switches(pty.pid());
        std::thread::sleep(Duration::from_secs(2));
        switches(pty.pid()) == before
    });
    assert!(is_asleep);
}
