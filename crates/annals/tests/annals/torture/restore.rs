//! Restore gives back the same bytes and never changes existing files.

use crate::torture::run::{annals, corpus, document, done, files_below, printed};
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use testkit::{Sandbox, fingerprint, session_id};

#[test]
fn every_real_session_is_restored_unchanged() {
    let Some(corpus) = corpus() else { return };
    let sandbox = Sandbox::new();
    let root = corpus.to_str().unwrap();
    done(&sandbox, &["--root", root, "archive", "sync"]);
    let kept = document(&sandbox, &["--root", root, "archive", "ls", "--json", "--limit", "0"]);
    let to = sandbox.path().join("restored");
    for row in kept["sessions"].as_array().unwrap() {
        let id = row["id"].as_str().unwrap();
        done(&sandbox, &["--root", root, "archive", "restore", id, "--to", to.to_str().unwrap()]);
    }
    let (originals, restored) = (files_below(&corpus), files_below(&to));
    for (name, path) in &restored {
        let original = &originals[name];
        assert!(fs::read(path).unwrap() == fs::read(original).unwrap(), "{}", name.display());
        let modified = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
        assert_eq!(modified(path), modified(original), "{}", name.display());
    }
    // Every transcript, and everything in a session's folder.
    let is_of_session = |name: &Path| {
        let part = name.iter().nth(2).map(|part| part.to_string_lossy().into_owned());
        name.starts_with("projects")
            && part.is_some_and(|part| {
                store::is_session_id(part.strip_suffix(".jsonl").unwrap_or(&part))
            })
    };
    let missing: Vec<_> = originals
        .keys()
        .filter(|name| is_of_session(name) && !restored.contains_key(*name))
        .collect();
    assert_eq!(missing, Vec::<&PathBuf>::new());
}

/// An archived session with an agent, still in the store.
fn kept() -> (Sandbox, String, PathBuf) {
    let sandbox = Sandbox::new();
    let id = session_id(1);
    let path = sandbox.write(&format!("projects/-p/{id}.jsonl"), "{\"type\":\"user\"}\n");
    sandbox.write(&format!("projects/-p/{id}/subagents/agent-a1.jsonl"), "{\"type\":\"user\"}\n");
    sandbox.set_modified(&path, 1_700_000_000);
    done(&sandbox, &["archive", "sync"]);
    (sandbox, id, path)
}

/// Checks that a restore is refused and changes nothing.
fn refused(sandbox: &Sandbox, arguments: &[&str], why: &str) {
    let places = [sandbox.config(), sandbox.home()];
    let before = places.clone().map(|place| fingerprint(&place));
    let output = annals(sandbox, arguments).output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && complaint.contains(why), "{}", printed(&output));
    assert_eq!(places.map(|place| fingerprint(&place)), before, "{arguments:?}");
}

#[test]
fn session_is_restored_to_its_folder_in_the_store() {
    let (sandbox, id, path) = kept();
    fs::remove_dir_all(path.parent().unwrap()).unwrap();
    done(&sandbox, &["archive", "restore", &id]);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    let agents = path.with_extension("").join("subagents");
    for folder in [path.parent().unwrap(), &path.with_extension(""), &agents] {
        assert_eq!(mode(folder), 0o700, "{}", folder.display());
    }
    for file in [&path, &agents.join("agent-a1.jsonl")] {
        assert_eq!(mode(file), 0o600, "{}", file.display());
        // Modified now, because cleanup deletes old files.
        assert_eq!(fs::metadata(file).unwrap().mtime(), 1_769_947_200, "{}", file.display());
    }
    assert_eq!(files_below(&sandbox.config()).len(), 2, "nothing else was left");
    // A second restore finds everything and changes nothing.
    let before = fingerprint(&sandbox.config());
    done(&sandbox, &["archive", "restore", &id]);
    assert_eq!(fingerprint(&sandbox.config()), before);
}

#[test]
fn existing_files_are_never_overwritten() {
    let (sandbox, id, path) = kept();
    fs::write(&path, "another\n").unwrap();
    fs::remove_file(path.with_extension("").join("subagents/agent-a1.jsonl")).unwrap();
    refused(&sandbox, &["archive", "restore", &id], "another version already exists");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    refused(&sandbox, &["archive", "restore", &id], "other than a file already exists");
}

#[test]
fn restore_writes_nothing_through_links() {
    let elsewhere = |sandbox: &Sandbox| {
        let folder = sandbox.home().join("elsewhere");
        fs::create_dir_all(&folder).unwrap();
        folder
    };
    // The project's folder, the transcript, the folder of agents.
    let (sandbox, id, path) = kept();
    fs::remove_dir_all(path.parent().unwrap()).unwrap();
    symlink(elsewhere(&sandbox), path.parent().unwrap()).unwrap();
    refused(
        &sandbox,
        &["archive", "restore", &id],
        "one of its parent folders is a link or a file",
    );

    let (sandbox, id, path) = kept();
    fs::remove_file(&path).unwrap();
    symlink(elsewhere(&sandbox).join("x"), &path).unwrap();
    refused(&sandbox, &["archive", "restore", &id], "a link already exists there");

    let (sandbox, id, path) = kept();
    fs::remove_file(&path).unwrap();
    fs::remove_dir_all(path.with_extension("")).unwrap();
    symlink(elsewhere(&sandbox), path.with_extension("")).unwrap();
    refused(
        &sandbox,
        &["archive", "restore", &id],
        "one of its parent folders is a link or a file",
    );

    // In a folder chosen by the caller.
    for link in ["projects", "projects/-p"] {
        let (sandbox, id, _) = kept();
        let to = sandbox.home().join("to");
        let link = to.join(link);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        symlink(elsewhere(&sandbox), &link).unwrap();
        let to = to.to_str().unwrap();
        refused(
            &sandbox,
            &["archive", "restore", &id, "--to", to],
            "one of its parent folders is a link or a file",
        );
    }
}
