//! Archives made by an attacker.

use super::{folder, noise, now, open, sync, transcript, verify, versions};
use archive::{Archive, merge};
use std::fs;
use std::path::{Path, PathBuf};
use testkit::{Sandbox, sealed_manifest};

const BEGIN: &str = r#""archive":{"format":1,"id":"00000000000000000000000000000001","readme":""}"#;
const ROOT: &str =
    r#""root":{"number":1,"archive":"00000000000000000000000000000001","path":"/x"}"#;

fn keep(name: &str, generation: u64, from: u64, frames: &str) -> String {
    format!(
        r#""keep":{{"root":1,"name":"{name}","generation":{generation},"from":{from},"frames":[{frames}],"modified":"2026-01-01T00:00:00Z","kept":"2026-01-01T00:00:00Z"}}"#
    )
}

fn frame(hash: &str, length: u64, pack: u64, at: u64, stored: u64, sum: &str) -> String {
    format!(
        r#"{{"hash":"{hash}","length":{length},"spot":{{"pack":{pack},"at":{at},"stored":{stored},"sum":"{sum}"}}}}"#
    )
}

fn plant(folder: &Path, lines: impl IntoIterator<Item = String>) -> PathBuf {
    fs::create_dir_all(folder.join("packs")).unwrap();
    fs::write(folder.join("manifest.jsonl"), sealed_manifest(lines)).unwrap();
    folder.to_owned()
}

#[test]
fn a_known_frame_with_another_length_is_not_copied() {
    let sandbox = Sandbox::new();
    let bytes = noise(3000, 1);
    sandbox.write(&transcript(1), &bytes);
    sync(&sandbox);
    let hash = blake3::hash(&bytes).to_hex();
    let lying = frame(&hash, 2999, 1, 0, 100, "0000000000000000");
    let other = sandbox.home().join("other");
    plant(&other, [BEGIN.into(), ROOT.into(), keep(&transcript(2), 1, 0, &lying)]);
    let from = Archive::open(&other).unwrap();
    let merged = merge(&from, &folder(&sandbox), now(), &|_, _| true, &|_| {}).unwrap();
    assert_eq!((merged.changed, merged.damaged.len()), (0, 1));
    assert!(verify(&sandbox).is_whole());
    assert_eq!(versions(&open(&sandbox), &transcript(1)), [bytes]);
}

#[test]
fn numbers_too_large_to_count_on_from_are_damage() {
    let largest = u64::from(u32::MAX);
    let spare = |stored: u64| {
        format!(r#""spare":{{"pack":1,"at":0,"stored":{stored},"sum":"0000000000000000"}}"#)
    };
    let hash = "0".repeat(64);
    let last_pack = frame(&hash, 10, largest, 0, 10, "0000000000000000");
    let cases = [
        vec![keep(&transcript(1), largest, 0, "")],
        vec![ROOT.replace("\"number\":1", &format!("\"number\":{largest}"))],
        vec![spare(1 << 63), spare(1 << 63)],
        vec![keep(&transcript(1), 1, 0, &last_pack)],
    ];
    for case in cases {
        let sandbox = Sandbox::new();
        let lines = [BEGIN.to_owned(), ROOT.to_owned()].into_iter().chain(case.clone());
        plant(&folder(&sandbox), lines);
        assert!(!verify(&sandbox).broken.is_empty(), "{case:?}");
        let path = sandbox.write(&transcript(1), b"one\n");
        sync(&sandbox);
        fs::write(&path, b"two\n").unwrap();
        sync(&sandbox);
        let kept = versions(&open(&sandbox), &transcript(1));
        assert_eq!(kept.last().map(Vec::as_slice), Some(&b"two\n"[..]), "{case:?}");
    }
}

#[test]
fn versions_that_share_too_many_frames_are_not_loaded() {
    let sandbox = Sandbox::new();
    let hash = "0".repeat(64);
    let frames = vec![frame(&hash, 1 << 20, 1, 0, 100, "0000000000000000"); 1000].join(",");
    let first = [BEGIN.into(), ROOT.into(), keep(&transcript(1), 1, 0, &frames)];
    // A gibibyte of versions in four megabytes, if they were loaded.
    let next = (2..20_000).map(|generation| keep(&transcript(1), generation, 1000 << 20, ""));
    let other = plant(&sandbox.home().join("other"), first.into_iter().chain(next));
    let archive = Archive::open(&other).unwrap();
    let held = archive.state().files().map(|(_, versions)| versions.len()).max();
    assert!(held.is_some_and(|held| held < 1100), "{held:?}");
}

#[test]
fn a_completely_damaged_manifest_is_read_in_bounded_time() {
    let sandbox = Sandbox::new();
    let whole = sealed_manifest((0..20_000).map(|number| keep(&transcript(number), 1, 0, "")));
    let first = sealed_manifest([BEGIN.to_owned()]);
    fs::create_dir_all(folder(&sandbox)).unwrap();
    let damaged = whole.replace("2026", "2027");
    fs::write(folder(&sandbox).join("manifest.jsonl"), first + &damaged).unwrap();
    // Restoring every line would take an hour.
    assert_eq!(verify(&sandbox).broken.len(), 20_000);
}

#[test]
fn note_that_claims_a_size_beyond_memory_is_named_and_not_read() {
    let sandbox = Sandbox::new();
    sandbox.write(&transcript(1), b"one\n");
    sync(&sandbox);
    let note = folder(&sandbox).join("synced.json");
    fs::File::options().write(true).open(&note).unwrap().set_len(1 << 42).unwrap();
    let report = verify(&sandbox);
    assert_eq!(report.others, [(note, "too large: more than 64 MiB".to_owned())]);
}
