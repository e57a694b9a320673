//! Files reported as archived stay archived: past bugs that broke this, each
//! named after the fact it broke.

use super::{area, folder, noise, now, open, sync, transcript, verify, versions};
use archive::{Archive, ArchiveError, SyncOptions};
use std::fs;
use std::process::Command;
use store::progress::NoProgress;
use testkit::Sandbox;

const MIB: usize = 1 << 20;

#[test]
fn a_commit_in_the_middle_of_a_file_loses_none_of_its_frames() {
    let sandbox = Sandbox::new();
    let path = sandbox.write(&transcript(1), b"one\n");
    sync(&sandbox);
    // More than is ever stored without a commit, and beside it a growing file.
    let large = noise(150 * MIB, 1);
    sandbox.write(&transcript(2), &large);
    sandbox.append(&path, b"two\n");
    sync(&sandbox);
    assert!(versions(&open(&sandbox), &transcript(2)) == [large], "the large file came back");
    assert_eq!(versions(&open(&sandbox), &transcript(1)), [b"one\ntwo\n"]);
    assert!(verify(&sandbox).is_whole());
}

/// Every stored file, by name and length.
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
    archive::sync(&folder(sandbox), &options, &NoProgress, &|_| {})
}

#[test]
fn files_listed_in_a_lost_manifest_are_not_removed() {
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
        assert!(error.contains("its manifest is missing"), "{error}");
        assert!(Archive::open(&folder(&sandbox)).is_err());
        assert_eq!(stored(&sandbox), before);
    }
    fs::write(&manifest, bytes).unwrap();
    sync(&sandbox);
    assert_eq!(versions(&open(&sandbox), &transcript(1)), [noise(3000, 1)]);
    assert!(verify(&sandbox).is_whole());
}

#[test]
fn an_empty_manifest_without_frames_is_started_again() {
    let sandbox = Sandbox::new();
    sync(&sandbox);
    fs::write(folder(&sandbox).join("manifest.jsonl"), "").unwrap();
    sandbox.write(&transcript(1), b"one\n");
    sync(&sandbox);
    assert_eq!(versions(&open(&sandbox), &transcript(1)), [b"one\n"]);
    assert!(verify(&sandbox).is_whole());
}

#[test]
fn frames_listed_in_lost_lines_are_not_removed() {
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
fn pipes_and_folders_in_place_of_files_do_not_block() {
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
            // It may fail, but it must end.
            let _ = try_sync(&sandbox);
        }
    }
}

#[test]
fn a_read_only_archive_can_be_verified() {
    let sandbox = Sandbox::new();
    sandbox.write(&transcript(1), b"one\n");
    sync(&sandbox);
    // This also stops root, who may write everywhere.
    fs::create_dir_all(folder(&sandbox).join("verified.json/x")).unwrap();
    let verified = verify(&sandbox);
    assert_eq!(verified.others.len(), 1, "{verified:?}");
    assert!(verified.broken.is_empty() && verified.damaged.is_empty());
}
