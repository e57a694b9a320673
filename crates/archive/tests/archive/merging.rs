//! Merging two archives loses nothing.

use super::{folder, names, noise, now, open, sync, transcript, verify, versions};
use archive::{Archive, MergeReport, merge};
use jiff::ToSpan as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use testkit::Sandbox;

fn merge_into(from: &Path, into: &Path) -> MergeReport {
    merge(&Archive::open(from).unwrap(), into, now(), &|_, _| true, &|_| {}).unwrap()
}

fn is_whole(folder: &Path) -> bool {
    archive::verify(folder, true, now(), &|_| {}).unwrap().is_whole()
}

#[test]
fn an_export_holds_everything_and_a_second_one_adds_nothing() {
    let sandbox = Sandbox::new();
    for number in 1..=3 {
        sandbox.write(&transcript(number), noise(1_500_000, u64::from(number)));
    }
    sync(&sandbox);
    let disk = sandbox.home().join("disk/archive");
    let merged = merge_into(&folder(&sandbox), &disk);
    assert_eq!((merged.files, merged.changed, merged.generations), (3, 3, 3));
    assert!(is_whole(&disk));
    let other = Arc::new(Archive::open(&disk).unwrap());
    assert_eq!(versions(&other, &transcript(2)), [noise(1_500_000, 2)]);
    assert_eq!(merge_into(&folder(&sandbox), &disk).changed, 0);
    // And back: nothing new there either.
    assert_eq!(merge_into(&disk, &folder(&sandbox)).changed, 0);
}

#[test]
fn the_longer_version_wins_and_a_different_one_is_added() {
    let sandbox = Sandbox::new();
    let path = sandbox.write(&transcript(1), "one\n");
    sandbox.set_modified(&path, now().as_second() - 9000);
    sync(&sandbox);
    let disk = sandbox.home().join("disk/archive");
    merge_into(&folder(&sandbox), &disk);
    sandbox.append(&path, "two\n");
    sync(&sandbox);
    // The source has the beginning; the target has more.
    assert_eq!(merge_into(&disk, &folder(&sandbox)).changed, 0);
    assert_eq!(merge_into(&folder(&sandbox), &disk).changed, 1);
    let kept = |folder: &Path| versions(&Arc::new(Archive::open(folder).unwrap()), &transcript(1));
    assert_eq!(kept(&disk), [b"one\ntwo\n"]);
    // Now they diverge.
    fs::write(&path, "rewritten\n").unwrap();
    sandbox.set_modified(&path, now().as_second());
    sync(&sandbox);
    let elsewhere = sandbox.annals_home().join("elsewhere");
    fs::write(&path, "one\nthree\n").unwrap();
    sandbox.set_modified(&path, now().as_second() - 100);
    super::sync_into(&elsewhere, &[super::area(&sandbox)], now() + 1.hour());
    merge_into(&folder(&sandbox), &disk);
    assert_eq!(kept(&disk), [b"one\ntwo\n".to_vec(), b"rewritten\n".to_vec()]);
    assert!(is_whole(&disk));
    // An archive created elsewhere belongs to another machine, and its files
    // are separate.
    let before = names(&Archive::open(&disk).unwrap()).len();
    merge_into(&elsewhere, &disk);
    assert_eq!(names(&Archive::open(&disk).unwrap()).len(), before + 1);
    assert!(is_whole(&disk));
}

#[test]
fn an_older_version_from_elsewhere_does_not_become_the_newest() {
    let sandbox = Sandbox::new();
    let path = sandbox.write(&transcript(1), "first\n");
    sandbox.set_modified(&path, now().as_second() - 9000);
    sync(&sandbox);
    let disk = sandbox.home().join("disk/archive");
    merge_into(&folder(&sandbox), &disk);
    // In the source it was forgotten and archived again, later.
    fs::remove_dir_all(folder(&sandbox).join("packs")).unwrap();
    fs::remove_dir_all(folder(&sandbox)).unwrap();
    merge_into(&disk, &folder(&sandbox));
    fs::write(&path, "second\n").unwrap();
    sandbox.set_modified(&path, now().as_second());
    sync(&sandbox);
    merge_into(&disk, &folder(&sandbox));
    let kept = versions(&open(&sandbox), &transcript(1));
    assert_eq!(kept.last().map(Vec::as_slice), Some(&b"second\n"[..]));
    assert!(kept.contains(&b"first\n".to_vec()));
    assert!(verify(&sandbox).is_whole());
}

#[test]
fn damaged_frames_are_not_copied_and_the_rest_is() {
    let sandbox = Sandbox::new();
    for number in 1..=3 {
        sandbox.write(&transcript(number), noise(5000, u64::from(number)));
    }
    sync(&sandbox);
    let pack = folder(&sandbox).join("packs/00000001.zst");
    let mut bytes = fs::read(&pack).unwrap();
    bytes[2000] ^= 1;
    fs::write(&pack, &bytes).unwrap();
    let disk = sandbox.home().join("disk/archive");
    let merged = merge_into(&folder(&sandbox), &disk);
    assert_eq!((merged.changed, merged.damaged.len()), (2, 1));
    assert!(is_whole(&disk));
}
