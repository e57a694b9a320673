//! Kinds of roots, the content of project folders, and what is refused there.

use std::io::ErrorKind;
use std::path::Path;
use store::{Folder, Root, RootKind, RootOrigin, is_session_id, open_regular};
use testkit::{Sandbox, session_id, user};

/// These files are all on disk.
static DISK: store::Files = store::Files::disk();

const CWD: &str = "/home/ada/tidepool";
const FOLDER: &str = "projects/-home-ada-tidepool";

fn kind(path: &Path) -> RootKind {
    Root::open(&DISK, path, RootOrigin::Flag).unwrap().kind
}

#[test]
fn strays_are_named_with_their_reason() {
    let sandbox = Sandbox::new();
    let real = sandbox.session(CWD, &session_id(1), [user("hello")]);
    sandbox.link(&format!("{FOLDER}/{}.jsonl", session_id(2)), &real);
    sandbox.link(&format!("{FOLDER}/{}.jsonl", session_id(3)), Path::new("/nowhere"));
    let elsewhere = sandbox.folder("elsewhere");
    sandbox.link(&format!("{FOLDER}/{}", session_id(1)), &elsewhere);
    sandbox.link(&format!("{FOLDER}/loop"), Path::new("."));
    sandbox.pipe(&format!("{FOLDER}/{}.jsonl", session_id(4)));
    sandbox.write(&format!("{FOLDER}/hello.jsonl"), "{}");
    sandbox.write(&format!("{FOLDER}/journal.jsonl"), "{}");
    sandbox.write(&format!("{FOLDER}/notes.txt"), "notes");
    sandbox.write(&format!("{FOLDER}/sessions-index.json"), "{}");
    sandbox.folder(&format!("{FOLDER}/attic"));
    let listing = Folder::new(sandbox.config().join(FOLDER)).list(&DISK).unwrap();
    assert_eq!(
        listing.sessions.iter().map(|session| session.id.clone()).collect::<Vec<_>>(),
        [session_id(1)]
    );
    assert_eq!(listing.sessions[0].folder, None, "a linked session folder does not count");
    assert!(listing.index.is_some() && listing.agents.is_empty() && listing.orphans.is_empty());
    let mut strays: Vec<_> = listing
        .strays
        .iter()
        .map(|stray| (stray.path.file_name().unwrap().to_string_lossy().into_owned(), stray.reason))
        .collect();
    strays.sort();
    let link = "a symbolic link, not followed";
    let mut expected = vec![
        (session_id(1), link),
        (format!("{}.jsonl", session_id(2)), link),
        (format!("{}.jsonl", session_id(3)), link),
        (format!("{}.jsonl", session_id(4)), "not a regular file"),
        ("attic".to_owned(), "not a session folder"),
        ("hello.jsonl".to_owned(), "its name is not a session id"),
        ("journal.jsonl".to_owned(), "its name is not a session id"),
        ("loop".to_owned(), link),
        ("notes.txt".to_owned(), "not a transcript"),
    ];
    expected.sort();
    assert_eq!(strays, expected);
}

#[test]
fn strays_among_project_folders_are_named_with_their_reason() {
    let sandbox = Sandbox::new();
    let real = sandbox.session(CWD, &session_id(1), [user("hello")]);
    sandbox.link("projects/-linked", real.parent().unwrap());
    sandbox.link("projects/-loop", &sandbox.projects());
    sandbox.write("projects/notes.txt", "notes");
    sandbox.pipe("projects/pipe");
    let (folders, mut strays) =
        Root::open(&DISK, &sandbox.config(), RootOrigin::Flag).unwrap().folders(&DISK).unwrap();
    assert_eq!(
        folders.iter().map(|folder| folder.name.as_str()).collect::<Vec<_>>(),
        ["-home-ada-tidepool"]
    );
    strays.sort();
    let strays: Vec<_> = strays
        .iter()
        .map(|stray| (stray.path.file_name().unwrap().to_str().unwrap(), stray.reason))
        .collect();
    assert_eq!(
        strays,
        [
            ("-linked", "a symbolic link, not followed"),
            ("-loop", "a symbolic link, not followed"),
            ("notes.txt", "not in a project folder"),
            ("pipe", "not in a project folder"),
        ]
    );
}

#[test]
fn a_session_is_found_by_id_only_as_a_regular_file() {
    let sandbox = Sandbox::new();
    let real = sandbox.session(CWD, &session_id(1), [user("hello")]);
    sandbox.link(&format!("{FOLDER}/{}.jsonl", session_id(2)), &real);
    sandbox.pipe(&format!("{FOLDER}/{}.jsonl", session_id(3)));
    sandbox.folder(&format!("{FOLDER}/{}.jsonl", session_id(4)));
    sandbox.write(&format!("{FOLDER}/{}/custom-title.json", session_id(1)), "{}");
    let folder = Folder::new(sandbox.config().join(FOLDER));
    let found = folder.find_session(&DISK, &session_id(1)).unwrap();
    assert_eq!(found.path, real);
    assert!(found.folder.is_some());
    for number in 2..=5 {
        assert_eq!(folder.find_session(&DISK, &session_id(number)), None, "{number}");
    }
}

#[test]
fn session_ids_are_uuids_of_any_version_and_case() {
    let table = [
        ("0c0fe7c1-2d3e-4f50-8a1b-123456789abc", true),
        ("0C0FE7C1-2D3E-1F50-0A1B-123456789ABC", true),
        ("00000000-0000-0000-0000-000000000000", true),
        ("0c0fe7c1-2d3e-4f50-8a1b-123456789ab", false),
        ("0c0fe7c1-2d3e-4f50-8a1b-123456789abcd", false),
        ("0c0fe7c1-2d3e-4f50-8a1b_123456789abc", false),
        ("0c0fe7c1-2d3e-4f50-8a1b-123456789abg", false),
        ("../../../../../../../../../etc/passwd", false),
        ("éc0fe7c1-2d3e-4f50-8a1b-123456789ab", false),
        ("agent-0c0fe7c1", false),
        ("", false),
    ];
    for (name, expected) in table {
        assert_eq!(is_session_id(name), expected, "{name}");
    }
}

#[test]
fn the_kind_of_a_root_comes_from_its_content() {
    let sandbox = Sandbox::new();
    let session = sandbox.session(CWD, &session_id(1), [user("hello")]);
    sandbox.write("backup/monday.jsonl", "{}\n");
    sandbox.write("fresh/history.jsonl", "{}\n");
    sandbox.write("old/agent-a1.jsonl", "{}\n");
    let linked = sandbox.link("linked", &sandbox.config());
    let table = [
        (sandbox.config(), RootKind::Config),
        (sandbox.projects(), RootKind::Projects),
        (session.parent().unwrap().to_owned(), RootKind::Project),
        (sandbox.config().join("old"), RootKind::Project),
        (sandbox.config().join("backup"), RootKind::Loose),
        (session, RootKind::Transcript),
        (sandbox.home(), RootKind::Config),
        (sandbox.config().join("fresh"), RootKind::Config),
        (linked, RootKind::Config),
    ];
    for (path, expected) in table {
        assert_eq!(kind(&path), expected, "{}", path.display());
    }
}

#[test]
fn an_unusable_root_names_its_path_and_the_reason() {
    let sandbox = Sandbox::new();
    let table = [
        (sandbox.config().join("nowhere"), true, "no such file or folder"),
        (
            sandbox.write("notes.txt", "notes"),
            false,
            "not a transcript: its name does not end in .jsonl",
        ),
        (sandbox.pipe("pipe.jsonl"), false, "neither a file nor a folder"),
        (sandbox.link("dangling", Path::new("/nowhere/at/all")), true, "no such file or folder"),
    ];
    for (path, missing, reason) in table {
        let error = Root::open(&DISK, &path, RootOrigin::Flag).unwrap_err();
        assert_eq!((error.missing, error.reason.as_str()), (missing, reason), "{}", path.display());
        assert_eq!(error.path, path);
        assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
    }
}

#[test]
fn every_kind_of_root_lists_its_folders() {
    let sandbox = Sandbox::new();
    let session = sandbox.session(CWD, &session_id(1), [user("hello")]);
    sandbox.write("backup/monday.jsonl", "{}\n");
    let folders =
        |path: &Path| Root::open(&DISK, path, RootOrigin::Flag).unwrap().folders(&DISK).unwrap().0;
    let project = session.parent().unwrap();
    for path in [&sandbox.config(), &sandbox.projects(), project, &session] {
        let folders = folders(path);
        assert_eq!(folders.len(), 1, "{}", path.display());
        assert_eq!(
            (folders[0].path.as_path(), folders[0].loose),
            (project, false),
            "{}",
            path.display()
        );
    }
    assert!(folders(&sandbox.home()).is_empty(), "an empty folder has none, without an error");
    let loose = folders(&sandbox.config().join("backup")).remove(0);
    assert!(loose.loose);
    assert_eq!(loose.list(&DISK).unwrap().sessions[0].id, "monday", "any name counts in a backup");
}

#[test]
fn only_regular_files_are_opened_and_nothing_blocks() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("file", "12345");
    assert_eq!(open_regular(&file).unwrap().1.bytes, 5);
    let table = [
        (sandbox.link("link", &file), ErrorKind::InvalidInput),
        (sandbox.link("self", Path::new("self")), ErrorKind::InvalidInput),
        (sandbox.pipe("pipe"), ErrorKind::InvalidInput),
        (sandbox.folder("folder"), ErrorKind::InvalidInput),
        ("/dev/null".into(), ErrorKind::InvalidInput),
        (sandbox.config().join("missing"), ErrorKind::NotFound),
    ];
    for (path, expected) in table {
        assert_eq!(open_regular(&path).unwrap_err().kind(), expected, "{}", path.display());
    }
}
