//! The databases of OpenCode: which of them are read.

use crate::cli::commands::apps::corpus;
use crate::cli::support::run::{annals, command, run};
use std::fs;
use std::path::{Path, PathBuf};
use testkit::{Sandbox, fingerprint};

/// The folder of a database that OpenCode wrote; `None` with a note if it is not there.
#[expect(clippy::print_stdout, reason = "the note of a test that is skipped")]
fn written_database() -> Option<PathBuf> {
    let folder = corpus("opencode/generated/opencode");
    if folder.is_none() {
        println!("SKIPPED: no sessions of OpenCode beside the repository");
    }
    folder
}

/// Copies that database, with what is only in its write-ahead log, under another name.
fn copy_database(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::copy(from.join("opencode.db"), to).unwrap();
    let log = to.with_file_name(format!("{}-wal", to.file_name().unwrap().to_str().unwrap()));
    fs::copy(from.join("opencode.db-wal"), log).unwrap();
}

#[test]
fn database_that_the_environment_names_is_read() {
    let Some(written) = written_database() else { return };
    let sandbox = Sandbox::new();
    let elsewhere = sandbox.home().join("tide/pool.sqlite");
    copy_database(&written, &elsewhere);
    copy_database(&written, &sandbox.home().join(".local/share/opencode/kelp.sqlite"));
    let before = fingerprint(&sandbox.home());
    let listed = |database: &str| {
        let mut listing = command(&sandbox, &["ls", "--hidden", "--app", "opencode", "--json"]);
        run(listing.env("OPENCODE_DB", database))
    };
    let whole = listed(elsewhere.to_str().unwrap()).done();
    assert!(!whole.ids().is_empty(), "{whole:?}");
    assert_eq!(whole.json()["sessions"][0]["path"], elsewhere.to_str().unwrap());
    assert_eq!(listed("kelp.sqlite").done().ids(), whole.ids(), "below the app's folder");
    assert_eq!(listed(":memory:").done().ids(), Vec::<String>::new());
    let id = &whole.ids()[0];
    let shown = run(command(&sandbox, &["show", id]).env("OPENCODE_DB", &elsewhere)).done().out;
    assert!(!shown.is_empty());
    assert_eq!(annals(&sandbox, &["show", id]).code, 1, "without the variable it is not read");
    assert_eq!(fingerprint(&sandbox.home()), before, "no file of the app changes");
}

#[test]
fn named_database_is_read_without_the_apps_folder_and_not_beside_a_named_folder() {
    let Some(written) = written_database() else { return };
    let sandbox = Sandbox::new();
    let elsewhere = sandbox.home().join("tide/pool.sqlite");
    copy_database(&written, &elsewhere);
    let ask = |arguments: &[&str]| {
        run(command(&sandbox, arguments).env("OPENCODE_DB", &elsewhere)).done().ids()
    };
    assert!(!ask(&["ls", "--hidden", "--app", "opencode", "--json"]).is_empty());
    let empty = sandbox.home().join("empty");
    fs::create_dir_all(&empty).unwrap();
    let empty = empty.to_str().unwrap();
    let named = ask(&["ls", "--hidden", "--app", "opencode", "--root", empty, "--json"]);
    assert_eq!(named, Vec::<String>::new());
}

#[test]
fn sessions_of_a_database_have_the_size_of_their_rows() {
    let Some(written) = written_database() else { return };
    let sandbox = Sandbox::new();
    let home = sandbox.home().join(".local/share/opencode");
    copy_database(&written, &home.join("opencode.db"));
    let sizes = || {
        let listed = annals(&sandbox, &["ls", "--hidden", "--json"]).done().json();
        let sessions = listed["sessions"].as_array().unwrap().clone();
        let mut sizes: Vec<(String, u64)> = sessions
            .iter()
            .map(|session| {
                let document =
                    annals(&sandbox, &["show", session["id"].as_str().unwrap(), "--raw"]);
                let size = session["bytes"].as_u64().unwrap();
                // The document also has the columns, and each row has a line.
                assert!(size > 0 && size < document.done().bytes.len() as u64, "{session}");
                (session["id"].to_string(), size)
            })
            .collect();
        sizes.sort();
        sizes
    };
    let read = sizes();
    assert!(read.len() > 1, "{read:?}");
    annals(&sandbox, &["search", "file", "--json"]);
    assert_eq!(sizes(), read, "from the index");
}
