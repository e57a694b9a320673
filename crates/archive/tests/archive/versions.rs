//! What is archived, how often it is read, and in which versions.

use super::{area, folder, names, noise, now, open, sync, sync_at, transcript, verify, versions};
use archive::{NewlyArchived, SyncOptions};
use jiff::ToSpan as _;
use std::fs;
use std::sync::Mutex;
use store::progress::NoProgress;
use testkit::Sandbox;

const MIB: usize = 1 << 20;

#[test]
fn every_byte_is_restored() {
    let sandbox = Sandbox::new();
    let cases = [0, 1, 1000, MIB - 1, MIB, MIB + 1, 3 * MIB + 17];
    for (number, length) in (0..).zip(cases) {
        sandbox.write(&transcript(number), noise(length, u64::from(number)));
    }
    let synced = sync(&sandbox);
    assert_eq!((synced.files, synced.changed), (7, 7));
    let archive = open(&sandbox);
    for (number, length) in (0..).zip(cases) {
        let kept = versions(&archive, &transcript(number));
        assert_eq!(kept, [noise(length, u64::from(number))], "{length}");
    }
    assert!(verify(&sandbox).is_whole());
}

#[test]
fn a_second_sync_writes_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write(&transcript(1), noise(MIB + 5, 1));
    sync(&sandbox);
    let manifest = fs::read(folder(&sandbox).join("manifest.jsonl")).unwrap();
    let synced = sync(&sandbox);
    assert_eq!((synced.files, synced.changed, synced.new_bytes), (1, 0, 0));
    assert_eq!(fs::read(folder(&sandbox).join("manifest.jsonl")).unwrap(), manifest);
}

#[test]
fn a_grown_file_stores_only_its_last_frame_again() {
    let sandbox = Sandbox::new();
    let path = sandbox.write(&transcript(1), noise(2 * MIB + 100, 1));
    sync(&sandbox);
    sandbox.append(&path, noise(50, 2));
    let synced = sync(&sandbox);
    assert_eq!((synced.changed, synced.new_bytes, synced.rewritten), (1, 50, 0));
    // Only the last frame again.
    assert!(synced.stored_bytes < 300, "{}", synced.stored_bytes);
    let whole = [noise(2 * MIB + 100, 1), noise(50, 2)].concat();
    assert_eq!(versions(&open(&sandbox), &transcript(1)), [whole]);
    assert!(verify(&sandbox).is_whole());
}

#[test]
fn a_file_that_grows_in_steps_stays_one_version() {
    let sandbox = Sandbox::new();
    let path = sandbox.write(&transcript(1), b"");
    let mut whole = Vec::new();
    for step in 0..40 {
        let more = noise(90_000, step + 1);
        whole.extend_from_slice(&more);
        sandbox.append(&path, &more);
        sandbox.set_modified(&path, now().as_second());
        sync(&sandbox);
        assert_eq!(versions(&open(&sandbox), &transcript(1)), [whole.clone()], "step {step}");
    }
    assert!(verify(&sandbox).is_whole());
    // Only the last loose end is still stored.
    assert_eq!(fs::read_dir(folder(&sandbox).join("loose")).unwrap().count(), 1);
}

#[test]
fn the_end_of_a_quiet_file_goes_into_a_pack() {
    let sandbox = Sandbox::new();
    let path = sandbox.write(&transcript(1), b"one\n");
    sandbox.set_modified(&path, now().as_second() - 60);
    sync(&sandbox);
    sandbox.append(&path, b"two\n");
    sandbox.set_modified(&path, now().as_second() - 30);
    sync(&sandbox);
    let loose = || fs::read_dir(folder(&sandbox).join("loose")).unwrap().count();
    assert_eq!(loose(), 1);
    sync_at(&sandbox, now() + 2.hours());
    assert_eq!(loose(), 0);
    assert_eq!(versions(&open(&sandbox), &transcript(1)), [b"one\ntwo\n"]);
    assert!(verify(&sandbox).is_whole());
}

#[test]
fn a_removed_line_starts_a_version_that_shares_the_rest() {
    let sandbox = Sandbox::new();
    let old = noise(3 * MIB, 1);
    let path = sandbox.write(&transcript(1), &old);
    sync(&sandbox);
    let new = [&old[..2 * MIB + 7], b"another end"].concat();
    fs::write(&path, &new).unwrap();
    let synced = sync(&sandbox);
    assert_eq!((synced.changed, synced.rewritten), (1, 1));
    assert!(synced.stored_bytes < 3000, "two mebibytes are shared: {}", synced.stored_bytes);
    assert_eq!(versions(&open(&sandbox), &transcript(1)), [old, new]);
    assert!(verify(&sandbox).is_whole());
}

#[test]
fn every_version_stays_whatever_happens_to_the_file() {
    let sandbox = Sandbox::new();
    let path = sandbox.write(&transcript(1), b"first\n");
    sync(&sandbox);
    // Truncated, replaced by another of the same size, emptied, filled again.
    let mut expected = vec![b"first\n".to_vec()];
    for text in ["fi", "xx", "", "later\n"] {
        let beside = path.with_extension("new");
        fs::write(&beside, text).unwrap();
        fs::rename(&beside, &path).unwrap();
        sync(&sandbox);
        match expected.last_mut() {
            // An empty version continues with whatever comes next.
            Some(last) if last.is_empty() => *last = text.into(),
            _ => expected.push(text.into()),
        }
        assert_eq!(versions(&open(&sandbox), &transcript(1)), expected, "{text:?}");
    }
    fs::remove_file(&path).unwrap();
    sync(&sandbox);
    assert_eq!(versions(&open(&sandbox), &transcript(1)), expected);
    assert!(verify(&sandbox).is_whole());
}

#[test]
fn a_rewritten_file_that_has_also_grown_is_a_version() {
    let sandbox = Sandbox::new();
    let old = noise(MIB + 500, 1);
    let path = sandbox.write(&transcript(1), &old);
    sync(&sandbox);
    // A line removed from the middle, others added: longer than before.
    let new = [&old[..1000], &old[1100..], &noise(5000, 2)].concat();
    fs::write(&path, &new).unwrap();
    sync(&sandbox);
    assert_eq!(versions(&open(&sandbox), &transcript(1)), [old, new]);
}

#[test]
fn a_file_changed_in_place_before_its_end_is_a_version() {
    let sandbox = Sandbox::new();
    let old = noise(2 * MIB + 500, 1);
    let path = sandbox.write(&transcript(1), &old);
    sync(&sandbox);
    let mut new = old.clone();
    new[17] ^= 1;
    fs::write(&path, &new).unwrap();
    sandbox.set_modified(&path, now().as_second());
    sync(&sandbox);
    assert!(versions(&open(&sandbox), &transcript(1)) == [old, new]);
}

#[test]
fn a_file_restored_to_its_old_content_is_not_a_new_version() {
    let sandbox = Sandbox::new();
    let path = sandbox.write(&transcript(1), b"same\n");
    sync(&sandbox);
    fs::remove_file(&path).unwrap();
    sandbox.write(&transcript(1), b"same\n");
    let synced = sync(&sandbox);
    assert_eq!((synced.changed, synced.new_bytes), (0, 0));
    assert_eq!(versions(&open(&sandbox), &transcript(1)), [b"same\n"]);
}

#[test]
fn time_that_runs_backwards_does_not_matter() {
    let sandbox = Sandbox::new();
    let path = sandbox.write(&transcript(1), b"one\n");
    sync(&sandbox);
    sandbox.append(&path, b"two\n");
    sandbox.set_modified(&path, 1);
    sync_at(&sandbox, now() - 400.hours());
    assert_eq!(versions(&open(&sandbox), &transcript(1)), [b"one\ntwo\n"]);
    sandbox.append(&path, b"three\n");
    sandbox.set_modified(&path, now().as_second() + 1_000_000);
    sync(&sandbox);
    assert_eq!(versions(&open(&sandbox), &transcript(1)), [b"one\ntwo\nthree\n"]);
}

#[test]
fn equal_frames_are_stored_once() {
    let sandbox = Sandbox::new();
    let bytes = noise(2 * MIB, 1);
    sandbox.write(&transcript(1), &bytes);
    sandbox.write(&transcript(2), &bytes);
    sandbox.write(&transcript(3), [&bytes[..], b"more"].concat());
    let synced = sync(&sandbox);
    assert!(synced.stored_bytes < 2 * MIB as u64 + 10_000, "{}", synced.stored_bytes);
    assert_eq!(versions(&open(&sandbox), &transcript(2)), [bytes]);
    assert!(verify(&sandbox).is_whole());
}

#[test]
fn only_the_listed_files_are_examined() {
    let sandbox = Sandbox::new();
    let one = sandbox.write(&transcript(1), b"one\n");
    sandbox.write(&transcript(2), b"two\n");
    let outside = sandbox.home().join("secret.jsonl");
    fs::write(&outside, "no").unwrap();
    let (areas, paths) = ([area(&sandbox)], [one, outside]);
    let options = SyncOptions { areas: &areas, only: Some(&paths), admits: &|_| true, now: now() };
    archive::sync(&folder(&sandbox), &options, &NoProgress, &|_| {}).unwrap();
    assert_eq!(names(&open(&sandbox)), [transcript(1)]);
}

#[test]
fn everything_below_a_listed_folder_is_examined_once() {
    let sandbox = Sandbox::new();
    let one = sandbox.write(&transcript(1), b"one\n");
    sandbox.write(&transcript(2), b"two, which nobody named\n");
    sandbox.write("projects/-p/x/settings.json", b"secret");
    let (areas, paths) = ([area(&sandbox)], [sandbox.projects(), one]);
    let options = SyncOptions { areas: &areas, only: Some(&paths), admits: &|_| true, now: now() };
    let synced = archive::sync(&folder(&sandbox), &options, &NoProgress, &|_| {}).unwrap();
    let both = vec![transcript(1), transcript(2)];
    assert_eq!((synced.files, names(&open(&sandbox))), (2, both));
    // Never its siblings, nor excluded files.
    let outside = [sandbox.config(), sandbox.write("projects/-p/session-env/x", b"no")];
    let paths = [outside[0].clone(), outside[1].parent().unwrap().to_owned()];
    let options = SyncOptions { only: Some(&paths), ..options };
    let synced = archive::sync(&folder(&sandbox), &options, &NoProgress, &|_| {}).unwrap();
    assert_eq!(synced.files, 0);
}

#[test]
fn files_reported_as_archived_are_archived() {
    let sandbox = Sandbox::new();
    for number in 0..50 {
        sandbox.write(&transcript(number), noise(1000, u64::from(number)));
    }
    let content = Mutex::new(Vec::new());
    let record = |files: &[NewlyArchived]| content.lock().unwrap().extend_from_slice(files);
    let areas = [area(&sandbox)];
    let options = SyncOptions { areas: &areas, only: None, admits: &|_| true, now: now() };
    archive::sync(&folder(&sandbox), &options, &NoProgress, &record).unwrap();
    let content = content.into_inner().unwrap();
    assert_eq!(content.len(), 50);
    assert!(content.iter().all(|file| file.bytes == 1000 && file.generation == 1));
}

#[test]
fn the_manifest_does_not_grow_without_end() {
    let sandbox = Sandbox::new();
    let path = sandbox.write(&transcript(1), b"");
    for _ in 0..600 {
        sandbox.append(&path, b"line\n");
        sync(&sandbox);
    }
    let manifest = fs::read_to_string(folder(&sandbox).join("manifest.jsonl")).unwrap();
    assert!(manifest.lines().count() < 500, "{}", manifest.lines().count());
    assert_eq!(versions(&open(&sandbox), &transcript(1)), ["line\n".repeat(600).into_bytes()]);
    assert!(verify(&sandbox).is_whole());
}
