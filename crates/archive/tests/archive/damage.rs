//! Any damage to the files of an archive is found, and everything it does not
//! affect stays readable.

use super::{folder, noise, open, sync, transcript, verify, versions};
use archive::{Archive, ArchiveError};
use std::fs;
use std::io::Read as _;
use std::path::PathBuf;
use std::sync::Arc;
use testkit::{Sandbox, seal, sealed_members, session_id};

/// An archive of a few small sessions, one of them growing.
fn small() -> Sandbox {
    let sandbox = Sandbox::new();
    for number in 1..=3 {
        sandbox.write(&transcript(number), noise(60, u64::from(number)));
    }
    sync(&sandbox);
    let third = sandbox.config().join(transcript(3));
    sandbox.append(&third, "more\n");
    sandbox.set_modified(&third, super::now().as_second());
    sync(&sandbox);
    assert!(verify(&sandbox).is_whole());
    sandbox
}

fn files(sandbox: &Sandbox) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder(sandbox)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else {
                files.push(entry.path());
            }
        }
    }
    files
}

#[test]
fn any_flipped_byte_is_found_and_the_other_sessions_are_readable() {
    let sandbox = small();
    let ids: Vec<String> = (1..=3).map(session_id).collect();
    for path in files(&sandbox) {
        let bytes = fs::read(&path).unwrap();
        // Every byte of the archive's own files; of the README every hundredth.
        let step = if path.ends_with("README.md") { 100 } else { 1 };
        for at in (0..bytes.len()).step_by(step) {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << (at % 8);
            fs::write(&path, &changed).unwrap();
            let place = format!("{} byte {at}", path.display());
            let verified = match archive::verify(&folder(&sandbox), false, super::now(), &|_| {}) {
                Ok(verified) => verified,
                // Nothing can be read without the format number.
                Err(ArchiveError::Newer { .. }) => continue,
                Err(error) => panic!("{place}: {error}"),
            };
            assert!(!verified.is_whole(), "{place}");
            let archive = open(&sandbox);
            for (number, id) in (1..).zip(&ids) {
                if verified.whole_sessions.contains(id) {
                    let mut expected = noise(60, number);
                    expected.extend_from_slice(if number == 3 { b"more\n" } else { b"" });
                    let name = transcript(u32::try_from(number).unwrap());
                    assert_eq!(versions(&archive, &name).last(), Some(&expected), "{place}");
                }
            }
            assert!(verified.touched_sessions.len() <= 1, "{place}");
        }
        fs::write(&path, &bytes).unwrap();
    }
    assert!(verify(&sandbox).is_whole());
}

#[test]
fn damage_lists_the_affected_sessions() {
    let sandbox = small();
    let pack = folder(&sandbox).join("packs/00000001.zst");
    let bytes = fs::read(&pack).unwrap();
    let mut touched = std::collections::BTreeSet::new();
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x20;
        fs::write(&pack, &changed).unwrap();
        touched.extend(verify(&sandbox).touched_sessions);
    }
    // The third session's bytes here are those from before it grew.
    assert_eq!(touched.into_iter().collect::<Vec<_>>(), [session_id(1), session_id(2)]);
}

#[test]
fn lost_packs_lines_and_files_are_found() {
    let sandbox = small();
    let folder = folder(&sandbox);
    let check = |path: &str, change: &dyn Fn(&[u8]) -> Option<Vec<u8>>| {
        let path = folder.join(path);
        let bytes = fs::read(&path).unwrap();
        match change(&bytes) {
            Some(changed) => fs::write(&path, changed).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        assert!(!verify(&sandbox).is_whole(), "{}", path.display());
        fs::write(&path, bytes).unwrap();
        assert!(verify(&sandbox).is_whole());
    };
    check("packs/00000001.zst", &|_| None);
    check("packs/00000001.zst", &|bytes| Some(bytes[..bytes.len() - 1].to_vec()));
    check("README.md", &|_| None);
    let without = |bytes: &[u8], number: usize| {
        let lines = bytes.split_inclusive(|byte| *byte == b'\n').enumerate();
        let kept = lines.filter(|(place, _)| *place != number).map(|(_, line)| line);
        Some(kept.collect::<Vec<_>>().concat())
    };
    let lines = fs::read_to_string(folder.join("manifest.jsonl")).unwrap().lines().count();
    for number in 0..lines {
        check("manifest.jsonl", &|bytes| without(bytes, number));
    }
    check("manifest.jsonl", &|bytes| Some([bytes, bytes].concat()));
}

#[test]
fn leftovers_of_an_interrupted_writer_are_removed_and_not_damage() {
    let sandbox = small();
    let folder = folder(&sandbox);
    let before: Vec<_> = (1..=3).map(|n| versions(&open(&sandbox), &transcript(n))).collect();
    let append = |path: &str, bytes: &[u8]| sandbox.append(&folder.join(path), bytes);
    append("manifest.jsonl", b"{\"hash\":\"0123");
    append("packs/00000001.zst", &noise(100, 9));
    fs::write(folder.join("packs/00000007.zst"), noise(100, 9)).unwrap();
    fs::write(folder.join("loose/x.zst.new"), noise(100, 9)).unwrap();
    fs::write(folder.join("manifest.jsonl.new"), noise(100, 9)).unwrap();
    let verified = verify(&sandbox);
    assert!(verified.is_whole());
    assert!(verified.left_over >= 300, "{}", verified.left_over);
    sandbox.write(&transcript(4), "four");
    sync(&sandbox);
    let verified = verify(&sandbox);
    assert!(verified.is_whole());
    assert_eq!(verified.left_over, 0);
    let archive = open(&sandbox);
    let after: Vec<_> = (1..=3).map(|number| versions(&archive, &transcript(number))).collect();
    assert_eq!(after, before);
    assert_eq!(versions(&archive, &transcript(4)), [b"four"]);
}

#[test]
fn archiving_continues_despite_damage_and_removes_nothing() {
    let sandbox = small();
    let path = folder(&sandbox).join("manifest.jsonl");
    let mut bytes = fs::read(&path).unwrap();
    // Two bytes: one could be restored.
    let at = bytes.len() - 200;
    bytes[at] ^= 1;
    bytes[at + 1] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let packed = fs::read(folder(&sandbox).join("packs/00000001.zst")).unwrap();
    sandbox.write(&transcript(4), "four");
    sync(&sandbox);
    let after = fs::read(folder(&sandbox).join("packs/00000001.zst")).unwrap();
    assert!(after.starts_with(&packed));
    assert!(fs::read(&path).unwrap().starts_with(&bytes));
    assert_eq!(versions(&open(&sandbox), &transcript(4)), [b"four"]);
    assert_eq!(verify(&sandbox).broken.len(), 1);
    // The file listed in the damaged line was still on disk, and is archived
    // again.
    assert!(versions(&open(&sandbox), &transcript(3)).last().unwrap().ends_with(b"more\n"));
}

#[test]
fn a_changed_byte_of_the_manifest_is_restored_by_the_next_sync() {
    let sandbox = small();
    let path = folder(&sandbox).join("manifest.jsonl");
    let before: Vec<_> = (1..=3).map(|n| versions(&open(&sandbox), &transcript(n))).collect();
    for (part, with) in [(0.5, 0xff), (0.02, 1), (1.0, 7), (0.001, 2)] {
        let mut changed = fs::read(&path).unwrap();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a place in a short file"
        )]
        let at = ((changed.len() as f64 * part) as usize).min(changed.len() - 1);
        changed[at] ^= with;
        fs::write(&path, &changed).unwrap();
        let verified = verify(&sandbox);
        assert!(verified.broken.iter().all(|line| line.is_mended), "{at}: {verified:?}");
        assert_eq!(verified.broken.len(), 1, "{at}");
        let archive = open(&sandbox);
        let after: Vec<_> = (1..=3).map(|number| versions(&archive, &transcript(number))).collect();
        assert_eq!(after, before, "{at}");
        sync(&sandbox);
        assert!(verify(&sandbox).is_whole(), "{at}");
    }
    // An added newline, and a missing one.
    let bytes = fs::read(&path).unwrap();
    for (from, to) in [(b',', b'\n'), (b'\n', b'x')] {
        let at = bytes.iter().skip(60).position(|byte| *byte == from).unwrap() + 60;
        let mut changed = bytes.clone();
        changed[at] = to;
        fs::write(&path, &changed).unwrap();
        assert_eq!(verify(&sandbox).broken.len(), 1);
        let archive = open(&sandbox);
        let after: Vec<_> = (1..=3).map(|number| versions(&archive, &transcript(number))).collect();
        assert_eq!(after, before);
    }
}

#[test]
fn hostile_manifests_are_read_without_harm() {
    let sandbox = small();
    let manifest = fs::read_to_string(folder(&sandbox).join("manifest.jsonl")).unwrap();
    let name = transcript(1);
    let hostile = [
        (name.as_str(), "../../../etc/passwd"),
        (name.as_str(), "/etc/passwd"),
        ("\"length\":60", "\"length\":1099511627776"),
        ("\"length\":60", "\"length\":0"),
        ("\"stored\":", "\"stored\":9"),
        ("\"at\":0", "\"at\":18446744073709551615"),
        ("\"pack\":1", "\"pack\":4294967295"),
        ("\"from\":0", "\"from\":18446744073709551615"),
        ("\"generation\":1", "\"generation\":4294967295"),
        ("\"root\":1", "\"root\":77"),
    ];
    for (what, with) in hostile {
        let mut text = String::new();
        for line in manifest.lines() {
            let changed = line.replacen(what, with, 1);
            // Sealed as an attacker would.
            text.push_str(&(seal(sealed_members(&changed)) + "\n"));
        }
        fs::write(folder(&sandbox).join("manifest.jsonl"), &text).unwrap();
        assert!(!verify(&sandbox).is_whole(), "{with}");
        let archive = Arc::new(Archive::open(&folder(&sandbox)).unwrap());
        let state = archive.state();
        for (key, generations) in state.files() {
            assert!(!key.1.as_str().contains(".."));
            for generation in generations {
                let mut bytes = Vec::new();
                let _ = archive.read(generation).take(1 << 20).read_to_end(&mut bytes);
            }
        }
    }
}

#[test]
fn a_newer_format_is_refused() {
    let sandbox = small();
    let path = folder(&sandbox).join("manifest.jsonl");
    let manifest = fs::read_to_string(&path).unwrap();
    let first = manifest.lines().next().unwrap().replace("\"format\":1", "\"format\":2");
    fs::write(&path, seal(sealed_members(&first)) + "\n").unwrap();
    let error = Archive::open(&folder(&sandbox)).unwrap_err();
    assert!(matches!(error, ArchiveError::Newer { format: 2, .. }), "{error}");
    let own = env!("CARGO_PKG_VERSION");
    assert!(error.to_string().contains(&format!("written by annals {own}")), "{error}");
    let future = first.replace(&format!("\"annals\":\"{own}\""), "\"annals\":\"7.8.9\"");
    fs::write(&path, seal(sealed_members(&future)) + "\n").unwrap();
    let error = Archive::open(&folder(&sandbox)).unwrap_err().to_string();
    assert!(error.contains("written by annals 7.8.9, and this is annals"), "{error}");
    // As a version wrote it that did not name itself.
    let unnamed = first.replace(&format!(",\"annals\":\"{own}\""), "");
    fs::write(&path, seal(sealed_members(&unnamed)) + "\n").unwrap();
    let error = Archive::open(&folder(&sandbox)).unwrap_err().to_string();
    assert!(error.contains("written by a newer annals"), "{error}");
}

#[test]
fn damaged_files_that_are_still_on_disk_are_archived_again() {
    let sandbox = small();
    let pack = folder(&sandbox).join("packs/00000001.zst");
    let bytes = fs::read(&pack).unwrap();
    let before: Vec<_> = (1..=3).map(|n| versions(&open(&sandbox), &transcript(n))).collect();
    let check = |sandbox: &Sandbox, what: &str| {
        let synced = sync(sandbox);
        assert!(synced.mended > 0, "{what}: {synced:?}");
        assert!(verify(sandbox).is_whole(), "{what}");
        let archive = open(sandbox);
        let after: Vec<_> = (1..=3).map(|number| versions(&archive, &transcript(number))).collect();
        assert_eq!(after, before, "{what}");
    };
    let mut changed = bytes.clone();
    changed[10] ^= 1;
    fs::write(&pack, &changed).unwrap();
    assert!(!verify(&sandbox).is_whole());
    check(&sandbox, "a changed byte that a verification found");
    fs::write(&pack, &bytes[..20]).unwrap();
    check(&sandbox, "a truncated pack");
    for name in ["packs", "loose"] {
        for entry in fs::read_dir(folder(&sandbox).join(name)).unwrap().flatten() {
            fs::remove_file(entry.path()).unwrap();
        }
    }
    check(&sandbox, "everything gone");
}

#[test]
fn damaged_files_that_are_gone_from_disk_stay_listed() {
    let sandbox = small();
    let pack = folder(&sandbox).join("packs/00000001.zst");
    let mut bytes = fs::read(&pack).unwrap();
    bytes[10] ^= 1;
    fs::write(&pack, &bytes).unwrap();
    let touched = verify(&sandbox).touched_sessions;
    assert_eq!(touched.len(), 1);
    for number in 1..=3 {
        sandbox.remove(&sandbox.config().join(transcript(number)));
    }
    assert_eq!(sync(&sandbox).mended, 0);
    let again = verify(&sandbox);
    assert_eq!(again.touched_sessions, touched);
    assert_eq!(again.whole_sessions.len(), 2);
}

#[test]
fn a_missing_or_truncated_manifest_is_not_started_again() {
    let sandbox = small();
    let folder = folder(&sandbox);
    let path = folder.join("manifest.jsonl");
    let manifest = fs::read(&path).unwrap();
    let packed = fs::read(folder.join("packs/00000001.zst")).unwrap();
    let before: Vec<_> = (1..=3).map(|n| versions(&open(&sandbox), &transcript(n))).collect();
    fs::remove_file(&path).unwrap();
    let areas = [super::area(&sandbox)];
    let options =
        archive::SyncOptions { areas: &areas, only: None, admits: &|_| true, now: super::now() };
    let refused =
        archive::sync(&folder, &options, &store::progress::NoProgress, &|_| {}).unwrap_err();
    assert!(refused.to_string().contains("put the manifest back"), "{refused}");
    let lines: Vec<&[u8]> = manifest.split_inclusive(|byte| *byte == b'\n').collect();
    fs::write(&path, lines[..2].concat()).unwrap();
    for _ in 0..3 {
        sync(&sandbox);
        assert!(!verify(&sandbox).is_whole(), "lines are still missing");
        assert!(fs::read(folder.join("packs/00000001.zst")).unwrap().starts_with(&packed));
    }
    fs::write(&path, &manifest).unwrap();
    let archive = open(&sandbox);
    let after: Vec<_> = (1..=3).map(|number| versions(&archive, &transcript(number))).collect();
    assert_eq!(after, before, "the manifest was put back");
}

#[test]
fn files_outside_the_scope_are_not_restored() {
    let sandbox = small();
    let path = folder(&sandbox).join("manifest.jsonl");
    let manifest = fs::read_to_string(&path).unwrap();
    let names = ["settings.json", "CLAUDE.md", "commands/evil.md", "projects/-p/.credentials.json"];
    for name in names {
        let mut text = String::new();
        for line in manifest.lines() {
            let members = sealed_members(line).replace(&transcript(1), name);
            text.push_str(&(seal(&members) + "\n"));
        }
        fs::write(&path, text).unwrap();
        assert!(!super::names(&open(&sandbox)).iter().any(|known| known == name), "{name}");
        assert!(!verify(&sandbox).is_whole());
    }
}
