//! Files vanish, shrink and lose their permissions while annals runs; that is
//! reported, and the others still answer.

#![expect(clippy::disallowed_methods, reason = "tests make the stores they read")]

use library::catalog::{Filter, FoundSession};
use library::lines::ReadError;
use library::progress::NoProgress;
use library::{Library, Options};
use serde_json::json;
use std::fs::{File, Permissions, set_permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use store::RootOrigin;
use testkit::{Sandbox, session_id, tool_use, user};

const CWD: &str = "/home/ada/tidepool";

fn open(sandbox: &Sandbox) -> Library {
    Library::open(Options {
        roots: vec![(sandbox.config(), RootOrigin::Flag)],
        ..Options::default()
    })
}

fn find(library: &Library, number: u32) -> FoundSession {
    library.catalog().find(&session_id(number), None).unwrap()
}

fn vanished(path: &Path) -> ReadError {
    ReadError { path: path.to_owned(), reason: "it was deleted while being read".to_owned() }
}

/// Removes every permission. Returns whether that has an effect: for root it
/// has none, and then the test reports that it was skipped.
fn is_denied(path: &Path) -> bool {
    set_permissions(path, Permissions::from_mode(0o000)).unwrap();
    let denied = std::fs::metadata(path).is_ok_and(|metadata| {
        if metadata.is_dir() { std::fs::read_dir(path).is_err() } else { File::open(path).is_err() }
    });
    if !denied {
        // To stderr directly, because the test runner hides the output of
        // passing tests.
        let _ = writeln!(std::io::stderr(), "skipped: permissions do not bind root");
    }
    denied
}

fn allow(path: &Path) {
    set_permissions(path, Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn vanished_transcript_is_reported() {
    let sandbox = Sandbox::new();
    let path = sandbox.session(CWD, &session_id(1), [user("hello")]);
    let library = open(&sandbox);
    let found = find(&library, 1);
    sandbox.remove(&path);
    assert_eq!(library.prompts().overview(&found).read_errors, [vanished(&path)]);
    assert_eq!(library.sessions().agents(&found).read_errors, [vanished(&path)]);
    let (prompts, read_errors) = library.prompts().prompts_of(&found);
    assert_eq!((prompts.len(), read_errors), (0, vec![vanished(&path)]));
}

#[test]
fn transcript_replaced_by_another_file_type_is_reported_and_does_not_block() {
    let replacements: [fn(&Sandbox, &Path) -> PathBuf; 3] = [
        |sandbox, path| sandbox.pipe(path.to_str().unwrap()),
        |sandbox, path| sandbox.folder(path.to_str().unwrap()),
        |sandbox, path| sandbox.link(path.to_str().unwrap(), Path::new("/etc/passwd")),
    ];
    for replace in replacements {
        let sandbox = Sandbox::new();
        let path = sandbox.session(CWD, &session_id(1), [user("hello")]);
        let library = open(&sandbox);
        let found = find(&library, 1);
        sandbox.remove(&path);
        replace(&sandbox, &path);
        let overview = library.prompts().overview(&found);
        assert_eq!(
            (overview.lines, overview.read_errors.len()),
            (0, 1),
            "{:?}",
            overview.read_errors
        );
    }
}

#[test]
fn shrunk_transcript_is_read_at_its_current_size() {
    let sandbox = Sandbox::new();
    let path = sandbox.session(CWD, &session_id(1), [user("hello"), user("again")]);
    let library = open(&sandbox);
    let found = find(&library, 1);
    sandbox.write(path.to_str().unwrap(), user("hello").to_string());
    let overview = library.prompts().overview(&found);
    assert_eq!((overview.lines, overview.read_errors.len()), (1, 0));
    sandbox.write(path.to_str().unwrap(), "");
    assert_eq!(library.prompts().overview(&found).lines, 0);
}

#[test]
fn filters_continue_past_a_vanished_session() {
    let sandbox = Sandbox::new();
    let lost = sandbox.session(CWD, &session_id(1), [tool_use("t", "Bash", &json!({}))]);
    sandbox.session(CWD, &session_id(2), [tool_use("t", "Bash", &json!({}))]);
    let library = open(&sandbox);
    let mut sessions = library.catalog().sessions().sessions;
    sandbox.remove(&lost);
    let filter = Filter { tool: Some("Bash".to_owned()), ..Filter::default() };
    let read_errors = library.prompts().retain_by_content(&mut sessions, &filter, &NoProgress);
    assert_eq!(read_errors, [vanished(&lost)]);
    assert_eq!(
        sessions.iter().map(|session| session.id.clone()).collect::<Vec<_>>(),
        [session_id(2)]
    );
}

#[test]
fn unreadable_transcript_is_reported_and_the_others_answer() {
    let sandbox = Sandbox::new();
    let path = sandbox.session(CWD, &session_id(1), [user("hello")]);
    sandbox.session(CWD, &session_id(2), [user("hello")]);
    if !is_denied(&path) {
        return;
    }
    let library = open(&sandbox);
    let list = library.catalog().sessions();
    assert_eq!(list.sessions.len(), 1);
    let denied = ReadError { path: path.clone(), reason: "permission denied".to_owned() };
    assert_eq!(list.read_errors, [denied]);
    assert!(
        library.health().diagnose(jiff::Timestamp::UNIX_EPOCH, &NoProgress).list.read_errors.len()
            == 1
    );
    assert!(library.catalog().find(&session_id(1), None).is_err());
}

#[test]
fn unreadable_project_folder_is_reported_and_the_others_answer() {
    let sandbox = Sandbox::new();
    let path = sandbox.session(CWD, &session_id(1), [user("hello")]);
    sandbox.session("/other", &session_id(2), [user("hello")]);
    let folder = path.parent().unwrap();
    if is_denied(folder) {
        let list = open(&sandbox).catalog().sessions();
        assert_eq!((list.sessions.len(), list.read_errors.len()), (1, 1));
        assert_eq!(list.read_errors[0].path, folder);
    }
    allow(folder);
}

#[test]
fn unreadable_root_is_reported() {
    let sandbox = Sandbox::new();
    let root = sandbox.folder("closed");
    sandbox.session(CWD, &session_id(1), [user("hello")]);
    if is_denied(&root) {
        let roots = [root.clone(), sandbox.config()].map(|path| (path, RootOrigin::Flag)).to_vec();
        let library = Library::open(Options { roots, ..Options::default() });
        assert_eq!(library.health().unusable_roots().len(), 1);
        assert_eq!(
            (
                library.health().unusable_roots()[0].path.as_path(),
                library.health().unusable_roots()[0].reason.as_str()
            ),
            (root.as_path(), "permission denied")
        );
        assert_eq!(library.catalog().sessions().sessions.len(), 1);
    }
    allow(&root);
}
