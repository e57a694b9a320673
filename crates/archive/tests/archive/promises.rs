//! What was promised stands: bugs that broke it, each under a name of its own.

use super::{
    RecordingObserver, area, folder, noise, now, open, sync, transcript, verify, versions,
};
use archive::{Archive, ArchiveError, SyncOptions};
use std::fs;
use std::process::Command;
use testkit::Sandbox;

const MIB: usize = 1 << 20;

#[test]
fn a_commit_in_the_middle_of_a_file_loses_none_of_its_frames() {
    let sandbox = Sandbox::new();
    let path = sandbox.write(&transcript(1), b"one\n");
    sync(&sandbox);
    // More than is ever stored without a commit, and beside it one that grows.
    let large = noise(150 * MIB, 1);
    sandbox.write(&transcript(2), &large);
    sandbox.append(&path, b"two\n");
    sync(&sandbox);
    assert!(versions(&open(&sandbox), &transcript(2)) == [large], "the large file came back");
    assert_eq!(versions(&open(&sandbox), &transcript(1)), [b"one\ntwo\n"]);
    assert!(verify(&sandbox).is_whole());
}

/// Everything that is stored, by name and length.
fn stored(sandbox: &Sandbox) -> Vec<(String, u64)> {
    let mut stored = Vec::new();
    for part in ["packs", "loose"] {
        for entry in fs::read_dir(folder(sandbox).join(part)).unwrap().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            stored.push((name, entry.metadata().unwrap().len()));
        }
    }
    stored.sort();
    stored
}

fn try_sync(sandbox: &Sandbox) -> Result<archive::SyncReport, ArchiveError> {
    let areas = [area(sandbox)];
    let options = SyncOptions { areas: &areas, only: None, admits: &|_| true, now: now() };
    archive::sync(&folder(sandbox), &options, &RecordingObserver::default())
}

#[test]
fn what_a_lost_manifest_named_is_not_removed() {
    let sandbox = Sandbox::new();
    let path = sandbox.write(&transcript(1), noise(3000, 1));
    sync(&sandbox);
    fs::remove_file(path).unwrap();
    sandbox.write(&transcript(2), b"two\n");
    let before = stored(&sandbox);
    let manifest = folder(&sandbox).join("manifest.jsonl");
    let bytes = fs::read(&manifest).unwrap();
    fs::remove_file(&manifest).unwrap();
    for emptied in [false, true] {
        if emptied {
            fs::write(&manifest, "").unwrap();
        }
        let error = try_sync(&sandbox).unwrap_err().to_string();
        assert!(error.contains("its manifest is gone"), "{error}");
        assert!(Archive::open(&folder(&sandbox)).is_err());
        assert_eq!(stored(&sandbox), before);
    }
    fs::write(&manifest, bytes).unwrap();
    sync(&sandbox);
    assert_eq!(versions(&open(&sandbox), &transcript(1)), [noise(3000, 1)]);
    assert!(verify(&sandbox).is_whole());
}

#[test]
fn an_empty_manifest_of_nothing_is_begun_anew() {
    let sandbox = Sandbox::new();
    sync(&sandbox);
    fs::write(folder(&sandbox).join("manifest.jsonl"), "").unwrap();
    sandbox.write(&transcript(1), b"one\n");
    sync(&sandbox);
    assert_eq!(versions(&open(&sandbox), &transcript(1)), [b"one\n"]);
    assert!(verify(&sandbox).is_whole());
}

#[test]
fn what_lost_lines_named_is_not_removed_and_not_forgotten() {
    let sandbox = Sandbox::new();
    sandbox.write(&transcript(1), noise(3000, 1));
    sync(&sandbox);
    let manifest = folder(&sandbox).join("manifest.jsonl");
    let short = fs::read(&manifest).unwrap();
    let path = sandbox.write(&transcript(2), noise(5000, 2));
    sync(&sandbox);
    let (whole, before) = (fs::read(&manifest).unwrap(), stored(&sandbox));
    fs::remove_file(path).unwrap();
    // A line less, or a piece of one.
    for cut in [short.len(), whole.len() - 20] {
        fs::write(&manifest, &whole[..cut]).unwrap();
        for _ in 0..2 {
            sync(&sandbox);
            assert!(!verify(&sandbox).is_whole(), "cut to {cut}");
            let after = stored(&sandbox);
            assert!(before.iter().all(|kept| after.contains(kept)), "cut to {cut}: {after:?}");
        }
    }
    fs::write(&manifest, &whole).unwrap();
    assert_eq!(versions(&open(&sandbox), &transcript(2)), [noise(5000, 2)]);
}

#[test]
fn pipes_and_folders_in_the_place_of_files_keep_nobody_waiting() {
    for name in ["manifest.jsonl", "packs/00000001.zst", "synced.json", "README.md"] {
        for command in ["mkfifo", "mkdir"] {
            let sandbox = Sandbox::new();
            sandbox.write(&transcript(1), noise(3000, 1));
            sync(&sandbox);
            let path = folder(&sandbox).join(name);
            fs::remove_file(&path).unwrap();
            assert!(Command::new(command).arg(&path).status().unwrap().success());
            let verified = archive::verify(&folder(&sandbox), true, now(), &|_| {});
            assert!(!verified.is_ok_and(|verified| verified.is_whole()), "{command} {name}");
            sandbox.write(&transcript(2), b"two\n");
            // It may fail; it must end.
            let _ = try_sync(&sandbox);
        }
    }
}

#[test]
fn an_archive_that_cannot_be_written_can_be_verified() {
    let sandbox = Sandbox::new();
    sandbox.write(&transcript(1), b"one\n");
    sync(&sandbox);
    // Whoever may write everywhere is held up by this as well.
    fs::create_dir_all(folder(&sandbox).join("verified.json/x")).unwrap();
    let verified = verify(&sandbox);
    assert_eq!(verified.others.len(), 1, "{verified:?}");
    assert!(verified.broken.is_empty() && verified.damaged.is_empty());
}
