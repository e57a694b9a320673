//! An `ANNALS_HOME` that an earlier version wrote: it is read, upgraded where needed, and
//! loses nothing.
//!
//! `tests/annals/homes/VERSION.tar.gz` holds one of each released version, with an archive of two
//! sessions, a mark and an index. They are never changed; each release adds its own.

use crate::cli::support::run::{annals, text};
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::{Sandbox, session_id};

/// The homes, by version.
fn homes() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/annals/homes");
    let mut homes: Vec<PathBuf> =
        folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    homes.sort();
    assert!(!homes.is_empty(), "no earlier home in {}", folder.display());
    homes
}

fn unpacked(home: &Path) -> Sandbox {
    let sandbox = Sandbox::new();
    let mut tar = Command::new("tar");
    tar.arg("-xzf").arg(home).arg("-C").arg(sandbox.path());
    assert!(tar.status().expect("tar").success());
    sandbox
}

#[test]
fn home_of_an_earlier_version_is_upgraded_and_complete() {
    for home in homes() {
        let sandbox = unpacked(&home);
        let shown = home.display();
        // Both sessions are gone from disk.
        let archived = annals(&sandbox, &["archive", "ls", "--json"]).done().json();
        assert_eq!(archived["sessions"].as_array().unwrap().len(), 2, "{shown}: {archived}");
        let verified = annals(&sandbox, &["archive", "verify"]).done().out;
        assert!(verified.starts_with("No damage found."), "{shown}: {verified}");
        // A copied index has another inode, which annals takes for a foreign change: it says so,
        // and builds a new one. `index::schema` tests the migrations.
        let first = annals(&sandbox, &["search", "stall"]);
        assert!(first.code == 0 && first.err.contains("building a new one"), "{first:?}");
        for (word, number) in [("stall", 1), ("harbour", 2)] {
            let hits = annals(&sandbox, &["search", word, "--json"]).done().json();
            let ids: Vec<_> = hits["hits"].as_array().unwrap().iter().collect();
            assert_eq!(ids.len(), 1, "{shown}: {hits}");
            assert_eq!(text(&ids[0]["session_id"]), session_id(number), "{shown}");
        }
        let marks = annals(&sandbox, &["mark"]).done().out;
        assert!(marks.contains("the stalled pump"), "{shown}: {marks}");
        let usage = annals(&sandbox, &["usage", "--json"]).done().json();
        assert_eq!(usage["total"]["calls"], 2, "{shown}: {usage}");
        // It can be written to as well.
        let lines = [testkit::user("New").to_string()];
        sandbox.session("/srv/tidepool", &session_id(3), lines);
        annals(&sandbox, &["archive", "sync"]).done();
        let archived = annals(&sandbox, &["archive", "ls", "--json"]).done().json();
        assert_eq!(archived["sessions"].as_array().unwrap().len(), 3, "{shown}: {archived}");
    }
}

#[test]
fn archive_of_a_newer_version_is_refused_by_name_and_left_unchanged() {
    let sandbox = unpacked(&homes()[0]);
    let manifest = sandbox.annals_home().join("archive/manifest.jsonl");
    let before = std::fs::read_to_string(&manifest).unwrap();
    let (first, rest) = before.split_once('\n').unwrap();
    let members = testkit::sealed_members(first)
        .replace("\"format\":1", "\"format\":2")
        .replace("\"readme\"", "\"annals\":\"7.8.9\",\"readme\"");
    std::fs::write(&manifest, format!("{}\n{rest}", testkit::seal(&members))).unwrap();
    let before = testkit::fingerprint(&sandbox.annals_home().join("archive"));
    for arguments in [&["archive", "sync"][..], &["archive", "verify"]] {
        let answer = annals(&sandbox, arguments);
        let complaint = answer.complaint(2);
        assert!(complaint.contains("written by annals 7.8.9"), "{complaint}");
    }
    assert_eq!(testkit::fingerprint(&sandbox.annals_home().join("archive")), before);
}
