//! What a person does to a session, from the key to the file.

use crate::pty::support::{Pty, session};
use std::path::{Path, PathBuf};
use testkit::{Sandbox, session_id, user};

const SECRET: &str = "ghp_0123456789abcdefghijABCDEFGHIJ456789";

fn home(sandbox: &Sandbox) -> String {
    std::fs::canonicalize(sandbox.home()).unwrap().to_str().unwrap().to_owned()
}

/// A store with one session, and the terminal UI in normal mode on it.
fn browsing(sandbox: &Sandbox, variables: &[(&str, &str)]) -> (Pty, PathBuf) {
    let path = session(sandbox, 1, &home(sandbox), "Fix the flaky login test");
    let annals = Path::new(env!("CARGO_BIN_EXE_annals"));
    let mut pty = Pty::start(sandbox, annals, &["tui"], variables);
    pty.wait_for("Fix the flaky");
    pty.wait_until("all rows", || !pty.screen().contains("reading …"));
    pty.send("\u{1b}");
    pty.wait_for("/ searches");
    (pty, path)
}

/// What annals prints for some arguments.
fn printed(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let output = sandbox.command(env!("CARGO_BIN_EXE_annals")).args(arguments).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn title_tag_and_bookmark_are_set_and_removed() {
    let sandbox = Sandbox::new();
    let (mut pty, path) = browsing(&sandbox, &[]);
    pty.send("R");
    pty.wait_for("Title");
    pty.send("\u{15}Move the clock\r");
    pty.wait_for("Renamed: Move the clock");
    pty.wait_until("the row", || pty.screen().matches("Move the clock").count() > 1);
    pty.send("#");
    pty.wait_for("Tag (empty: none)");
    pty.send("bug\r");
    pty.wait_for("Tag: bug");
    pty.wait_for("#bug");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("\"customTitle\":\"Move the clock\""), "{text}");
    assert!(text.contains("\"tag\":\"bug\""), "{text}");
    pty.send("#");
    pty.wait_for("Tag (empty: none)");
    pty.send("\u{15}\r");
    pty.wait_for("Tag removed");
    pty.wait_until("no tag", || !pty.screen().contains("#bug"));
    pty.send("m");
    pty.wait_for("Bookmark set: session");
    pty.wait_for("⚑");
    assert!(printed(&sandbox, &["mark"]).contains("00000001"));
    pty.send("m");
    pty.wait_for("Bookmark removed: session");
    pty.wait_until("no bookmark", || !pty.screen().contains('⚑'));
}

#[test]
fn export_is_written_with_secrets_masked() {
    let sandbox = Sandbox::new();
    let (mut pty, path) = browsing(&sandbox, &[]);
    let uuid = |half: u32| format!("00000001-aaaa-4000-8000-{half:012x}");
    let more = user(&format!("the key is {SECRET}")).with("sessionId", session_id(1));
    sandbox.append(&path, format!("{}\n", more.link(&uuid(3), Some(&uuid(2)))));
    // One's own terminal shows it.
    pty.wait_for("ghp_");
    pty.send("E");
    pty.wait_for("Exported: ");
    let files = std::fs::read_dir(sandbox.home()).unwrap().flatten();
    let exported: Vec<_> =
        files.filter(|file| file.path().extension().is_some_and(|it| it == "md")).collect();
    assert_eq!(exported.len(), 1);
    let text = std::fs::read_to_string(exported[0].path()).unwrap();
    assert!(text.contains("the key is") && !text.contains(SECRET), "{text}");
}

#[test]
fn session_is_archived_and_restored() {
    let sandbox = Sandbox::new();
    let (mut pty, path) = browsing(&sandbox, &[]);
    pty.send("A");
    pty.wait_for("Archived");
    let before = std::fs::read(&path).unwrap();
    sandbox.remove(&path);
    pty.wait_for("▣");
    pty.wait_for("only in the archive");
    pty.send("A");
    pty.wait_for("Restore it to its old place?");
    pty.send("y");
    pty.wait_for("Restored from the archive");
    pty.wait_until("the session on disk", || !pty.screen().contains('▣'));
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn web_app_opens_in_the_browser_and_its_link_is_copied() {
    use base64::Engine as _;
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = Sandbox::new();
    let (browser, log) = (sandbox.path().join("browser"), sandbox.path().join("opened"));
    let script =
        format!("#!/bin/sh\necho \"$1\" >'{0}.part'\nmv '{0}.part' '{0}'\n", log.display());
    std::fs::write(&browser, script).unwrap();
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).unwrap();
    let (mut pty, _) = browsing(&sandbox, &[("BROWSER", browser.to_str().unwrap())]);
    pty.send("yl");
    pty.wait_for("the web app is not running");
    pty.send("w");
    pty.wait_for("Opened http://127.0.0.1:");
    pty.wait_until("the browser", || log.exists());
    pty.send("yl");
    pty.wait_for("Copied the link");
    let text = String::from_utf8(pty.bytes()).unwrap();
    let copied = text.rsplit("\u{1b}]52;c;").next().and_then(|rest| rest.split('\u{7}').next());
    let link = base64::engine::general_purpose::STANDARD.decode(copied.unwrap()).unwrap();
    let link = String::from_utf8(link).unwrap();
    assert!(link.starts_with("http://127.0.0.1:"), "{link}");
    assert!(link.ends_with(&format!("/s/{}", session_id(1))), "{link}");
    // The server ends with the terminal UI.
    let port = link.split([':', '/']).nth(4).unwrap().parse::<u16>().unwrap();
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
    pty.send("\u{3}");
    assert_eq!(pty.end(), 0);
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err());
}

#[test]
fn id_and_command_are_copied() {
    use base64::Engine as _;
    let sandbox = Sandbox::new();
    let (mut pty, _) = browsing(&sandbox, &[]);
    let copied = |pty: &Pty| -> String {
        let text = String::from_utf8(pty.bytes()).unwrap();
        let last = text.rsplit("\u{1b}]52;c;").next().and_then(|rest| rest.split('\u{7}').next());
        let bytes = base64::engine::general_purpose::STANDARD.decode(last.unwrap()).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    assert!(!String::from_utf8(pty.bytes()).unwrap().contains("\u{1b}]52"), "without a key");
    pty.send("yi");
    pty.wait_for("Copied 00000001");
    assert_eq!(copied(&pty), session_id(1));
    pty.send("yc");
    pty.wait_for("Copied the command");
    assert_eq!(copied(&pty), format!("cd {} && claude --resume {}", home(&sandbox), session_id(1)));
}
