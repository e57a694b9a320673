//! Other users cannot write annals' own data, and annals does not use theirs.

use crate::cli::support::exercises::plainest_calls;
use crate::cli::support::run::{annals, command, fed, run, session};
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, lchown, symlink};
use std::path::Path;
use testkit::{Sandbox, fingerprint, session_id};

#[test]
fn a_data_folder_that_others_can_write_is_made_private_with_a_message() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    let home = sandbox.annals_home();
    fs::create_dir_all(&home).unwrap();
    let set = |mode| fs::set_permissions(&home, fs::Permissions::from_mode(mode)).unwrap();
    let mode = || fs::metadata(&home).unwrap().permissions().mode() & 0o7777;
    for (before, after) in [(0o777, 0o700), (0o775, 0o700), (0o1757, 0o1700)] {
        set(before);
        let answer = annals(&sandbox, &["ls"]);
        assert_eq!(answer.code, 0, "{answer:?}");
        let expected = format!("its mode was {before:o} and is {after:o} now");
        assert!(answer.err.contains(&expected), "{}", answer.err);
        assert_eq!(mode(), after);
        annals(&sandbox, &["ls"]).done();
    }
    // What others can only read is the person's own choice.
    set(0o755);
    annals(&sandbox, &["ls"]).done();
    assert_eq!(mode(), 0o755);
}

#[test]
fn a_data_folder_inside_a_store_is_not_touched() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    let inside = sandbox.config().join("annals");
    fs::create_dir(&inside).unwrap();
    fs::set_permissions(&inside, fs::Permissions::from_mode(0o777)).unwrap();
    let mut command = crate::cli::support::run::command(&sandbox, &["ls"]);
    crate::cli::support::run::run(command.env("ANNALS_HOME", &inside)).done();
    assert_eq!(fs::metadata(&inside).unwrap().permissions().mode() & 0o777, 0o777);
}

/// A user that is neither root nor the one who runs the tests.
const NOBODY: u32 = 65534;

#[test]
fn as_root_no_command_uses_the_data_folder_of_another_user() {
    let sandbox = Sandbox::new();
    let home = sandbox.annals_home();
    if fs::metadata(&home).unwrap().uid() != 0 {
        let _ = writeln!(std::io::stderr(), "SKIPPED: only root can give a folder to another user");
        return;
    }
    session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    annals(&sandbox, &["archive", "sync"]).done();
    chown(&home, Some(NOBODY), Some(NOBODY)).unwrap();
    let before = fingerprint(sandbox.path());
    assert!(before.len() > 1, "there is something to read");
    let (mut refused, mut answered) = (0, Vec::new());
    for arguments in plainest_calls("00000001") {
        let answer = fed(&mut command(&sandbox, &arguments), b"");
        if answer.code == 0 {
            answered.push(arguments[0]);
        } else {
            let expected = format!("does not use {}: it belongs to another user", home.display());
            assert!(answer.complaint(2).contains(&expected), "{arguments:?}: {}", answer.err);
            assert!(answer.err.contains("hint: set ANNALS_HOME"), "{}", answer.err);
            refused += 1;
        }
        assert_eq!(fingerprint(sandbox.path()), before, "{arguments:?}");
    }
    // These describe annals itself, or must not stop Claude Code.
    answered.sort_unstable();
    assert_eq!(answered, ["completions", "help", "hook", "man", "statusline"]);
    assert!(refused > 30, "{refused}");
    // The demo store has a separate data folder.
    annals(&sandbox, &["--demo", "ls"]).done();
    chown(&home, Some(0), Some(0)).unwrap();
    annals(&sandbox, &["ls"]).done();
}

#[test]
fn as_root_no_link_of_another_user_leads_to_a_data_folder_and_none_is_made_in_theirs() {
    let sandbox = Sandbox::new();
    let own = sandbox.annals_home();
    if fs::metadata(&own).unwrap().uid() != 0 {
        let _ = writeln!(std::io::stderr(), "SKIPPED: only root can give a folder to another user");
        return;
    }
    session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    let asked = |home: &Path| {
        let mut command = command(&sandbox, &["archive", "sync"]);
        run(command.env("ANNALS_HOME", home))
    };
    let theirs = sandbox.path().join("theirs");
    fs::create_dir(&theirs).unwrap();
    chown(&theirs, Some(NOBODY), Some(NOBODY)).unwrap();
    let link = sandbox.path().join("link");
    symlink(&own, &link).unwrap();
    lchown(&link, Some(NOBODY), Some(NOBODY)).unwrap();
    for home in [link.clone(), theirs.join("annals"), theirs.join("deep/annals")] {
        let answer = asked(&home);
        let complaint = answer.complaint(2);
        assert!(complaint.contains(&format!("does not use {}", home.display())), "{complaint}");
        assert!(complaint.contains("belongs to another user"), "{complaint}");
    }
    assert_eq!(fs::read_dir(&theirs).unwrap().count(), 0);
    lchown(&link, Some(0), Some(0)).unwrap();
    asked(&link).done();
    asked(&sandbox.path().join("new/annals")).done();
}

#[test]
fn as_root_a_hook_writes_nothing_into_the_data_folder_of_another_user() {
    let sandbox = Sandbox::new();
    let home = sandbox.annals_home();
    if fs::metadata(&home).unwrap().uid() != 0 {
        let _ = writeln!(std::io::stderr(), "SKIPPED: only root can give a folder to another user");
        return;
    }
    let path = session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    let input = serde_json::json!({
        "hook_event_name": "SessionEnd",
        "session_id": session_id(1),
        "transcript_path": path,
        "cwd": "/home/ada/tidepool",
    });
    let configuration = sandbox.home().join(".config/annals/config.toml");
    fs::create_dir_all(configuration.parent().unwrap()).unwrap();
    chown(&home, Some(NOBODY), Some(NOBODY)).unwrap();
    // Settings that cannot be used would be logged there.
    for settings in ["", "nonsense = ["] {
        fs::write(&configuration, settings).unwrap();
        let before = fingerprint(sandbox.path());
        for arguments in [&["hook"][..], &["hook", "--work"], &["statusline"]] {
            let answer = fed(&mut command(&sandbox, arguments), input.to_string().as_bytes());
            assert_eq!(answer.code, 0, "{arguments:?}: {answer:?}");
        }
        assert_eq!(fingerprint(sandbox.path()), before, "{settings:?}");
    }
}
