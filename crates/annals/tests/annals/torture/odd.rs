//! Unusual locations and permissions.

use crate::torture::run::{annals, archive_folder, done, is_root, kept, printed, verify};
use crate::torture::skip;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Output};
use testkit::{Sandbox, fingerprint, session_id};

fn with_session() -> Sandbox {
    let sandbox = Sandbox::new();
    let path = format!("projects/-p/{}.jsonl", session_id(1));
    sandbox.write(&path, "{\"type\":\"user\"}\n");
    sandbox
}

fn sync(sandbox: &Sandbox) -> Output {
    annals(sandbox, &["archive", "sync"]).output().unwrap()
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// The same command as an unprivileged user.
fn as_nobody(sandbox: &Sandbox, arguments: &[&str]) -> Option<Command> {
    if !is_root() {
        return Some(annals(sandbox, arguments));
    }
    let ids = ["--reuid=65534", "--regid=65534", "--clear-groups"];
    let works = Command::new("setpriv").args(ids).arg("true").status();
    // Other users may not be able to reach the binary.
    let binary = sandbox.path().join("bin");
    fs::copy(testkit::program!("annals"), &binary).unwrap();
    mode(&binary, 0o755);
    mode(sandbox.path(), 0o755);
    if !works.is_ok_and(|status| status.success()) {
        skip("what may not be read: root, and no setpriv");
        return None;
    }
    let owned = Command::new("chown").args(["-R", "65534:65534"]).arg(sandbox.path()).status();
    assert!(owned.unwrap().success());
    let mut command = sandbox.command("/usr/bin/setpriv");
    command.args(ids).arg(binary).args(arguments);
    Some(command)
}

#[test]
fn unreadable_files_are_reported_and_the_rest_is_archived() {
    let sandbox = with_session();
    sandbox.write("projects/-closed/x.jsonl", "x");
    sandbox.write("projects/-p/closed.jsonl", "x");
    let Some(mut command) = as_nobody(&sandbox, &["archive", "sync"]) else { return };
    mode(&sandbox.projects().join("-closed"), 0);
    mode(&sandbox.projects().join("-p/closed.jsonl"), 0);
    let output = command.output().unwrap();
    mode(&sandbox.projects().join("-closed"), 0o755);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{}", printed(&output));
    assert!(complaint.contains("-closed: Permission denied"), "{complaint}");
    assert!(complaint.contains("closed.jsonl: Permission denied"), "{complaint}");
    assert_eq!(kept(&archive_folder(&sandbox)).len(), 1);
}

#[test]
fn read_only_home_is_reported_and_can_be_read() {
    let sandbox = with_session();
    done(&sandbox, &["archive", "sync"]);
    let path = sandbox.projects().join(format!("-p/{}.jsonl", session_id(1)));
    sandbox.append(&path, "{\"type\":\"user\"}\n");
    for (arguments, code) in [
        (&["archive", "sync"][..], 2),
        (&["archive", "ls"], 0),
        (&["archive", "verify", "--deep"], 0),
    ] {
        let Some(mut command) = as_nobody(&sandbox, arguments) else { return };
        let folder = archive_folder(&sandbox);
        let parts = ["", "packs", "loose"].map(|part| folder.join(part));
        for part in &parts {
            mode(part, 0o555);
        }
        mode(&folder.join("manifest.jsonl"), 0o444);
        mode(&folder.join("lock"), 0o444);
        let before = fingerprint(&folder);
        let output = command.output().unwrap();
        assert_eq!(fingerprint(&folder), before);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", printed(&output));
        if code == 2 {
            let complaint = String::from_utf8_lossy(&output.stderr);
            assert!(complaint.contains("Permission denied"), "{complaint}");
        }
        for part in &parts {
            mode(part, 0o755);
        }
        mode(&folder.join("manifest.jsonl"), 0o644);
        mode(&folder.join("lock"), 0o644);
    }
}

#[test]
fn home_inside_the_store_is_refused() {
    let sandbox = with_session();
    let before = fingerprint(&sandbox.config());
    let export = sandbox.config().join("projects/export");
    let inside = sandbox.config().join("annals");
    done(&sandbox, &["archive", "sync"]);
    let elsewhere = sandbox.home().join("elsewhere");
    symlink(sandbox.projects(), &elsewhere).unwrap();
    for home in [&inside, &elsewhere.join("annals"), &sandbox.projects()] {
        let output = annals(&sandbox, &["archive", "sync"]).env("ANNALS_HOME", home).output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(2), "{}: {}", home.display(), printed(&output));
    }
    let export = annals(&sandbox, &["archive", "export", export.to_str().unwrap()]).output();
    let export = export.unwrap();
    assert_eq!(export.status.code(), Some(2), "{}", printed(&export));
    assert_eq!(fingerprint(&sandbox.config()), before);
}

#[test]
fn linked_archive_works() {
    let sandbox = with_session();
    let real = sandbox.home().join("disk");
    fs::create_dir(&real).unwrap();
    symlink(&real, archive_folder(&sandbox)).unwrap();
    done(&sandbox, &["archive", "sync"]);
    verify(&sandbox);
    assert_eq!(kept(&real).len(), 1);
}

#[test]
fn manifest_that_is_not_a_file_is_reported_at_once() {
    for program in ["mkfifo", "mkdir"] {
        let sandbox = with_session();
        done(&sandbox, &["archive", "sync"]);
        let manifest = archive_folder(&sandbox).join("manifest.jsonl");
        fs::remove_file(&manifest).unwrap();
        assert!(Command::new(program).arg(&manifest).status().unwrap().success());
        let before = fs::read_dir(archive_folder(&sandbox).join("packs")).unwrap().count();
        for arguments in [&["archive", "sync"][..], &["archive", "ls"], &["archive", "verify"]] {
            let output = annals(&sandbox, arguments).output().unwrap();
            let complaint = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{program}: {}", printed(&output));
            assert!(complaint.contains("manifest.jsonl"), "{program}: {complaint}");
        }
        // Commands that do not need the archive still work.
        let output = annals(&sandbox, &["ls"]).output().unwrap();
        assert!(output.status.success(), "{program}: {}", printed(&output));
        let after = fs::read_dir(archive_folder(&sandbox).join("packs")).unwrap().count();
        assert_eq!(after, before, "{program}");
    }
}

#[test]
fn unavailable_lock_is_reported() {
    let sandbox = with_session();
    done(&sandbox, &["archive", "sync"]);
    let lock = archive_folder(&sandbox).join("lock");
    fs::remove_file(&lock).unwrap();
    fs::create_dir(&lock).unwrap();
    let output = sync(&sandbox);
    assert!(String::from_utf8_lossy(&output.stderr).contains("lock"), "{}", printed(&output));
    assert_eq!(output.status.code(), Some(2));
    fs::remove_dir(&lock).unwrap();
    // A link instead of the lock file is not followed.
    let target = sandbox.home().join("made");
    symlink(&target, &lock).unwrap();
    assert_eq!(sync(&sandbox).status.code(), Some(2));
    assert!(!target.exists());
    verify(&sandbox);
}
