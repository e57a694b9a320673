//! Flipped bits, zeroed blocks, truncated and missing files.

use crate::torture::run::{annals, archive_folder, corpus, document, done, files_below, printed};
use crate::torture::streams::{Dice, stream};
use crate::torture::{report, rounds};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use testkit::{Sandbox, session_id};

/// Fills a store, whose archive is then damaged: real transcripts, or noise.
fn fill(sandbox: &Sandbox) -> BTreeMap<String, Vec<u8>> {
    if let Some(corpus) = corpus() {
        for (name, path) in files_below(&corpus) {
            sandbox.write(name.to_str().unwrap(), fs::read(path).unwrap());
        }
    } else {
        for number in 1..=20 {
            let name = format!("projects/-p/{}.jsonl", session_id(number));
            sandbox.write(&name, stream(u64::from(number), 300_000 * (number as usize % 5 + 1)));
        }
    }
    let files = files_below(&sandbox.config()).into_iter();
    files.map(|(name, path)| (name.to_str().unwrap().to_owned(), fs::read(path).unwrap())).collect()
}

/// Damages a file of the archive; returns how.
fn harm(path: &Path, bytes: &[u8], dice: &mut Dice) -> String {
    let mut changed = bytes.to_vec();
    let at = dice.below(bytes.len());
    let end = bytes.len().min(at + 1 + dice.below(5000));
    let how = match dice.below(6) {
        0 => {
            changed[at] ^= 1 << dice.below(8);
            "one bit flipped"
        }
        1 => {
            changed[at..end].fill(0);
            "a stretch zeroed"
        }
        2 => {
            changed.truncate(at);
            "cut"
        }
        3 => {
            changed.drain(at..end);
            "a stretch taken out"
        }
        4 => {
            changed.splice(at..at, stream(9, end - at));
            "a stretch put in"
        }
        _ => {
            fs::remove_file(path).unwrap();
            return format!("{} removed", path.display());
        }
    };
    fs::write(path, changed).unwrap();
    format!("{}: {how} at {at} to {end} of {}", path.display(), bytes.len())
}

fn texts(value: &Value) -> BTreeSet<String> {
    let texts = value.as_array().unwrap().iter();
    texts.map(|text| text.as_str().unwrap().to_owned()).collect()
}

#[test]
fn damage_is_found_and_intact_sessions_are_restored() {
    let sandbox = Sandbox::new();
    let originals = fill(&sandbox);
    done(&sandbox, &["archive", "sync"]);
    let kept = document(&sandbox, &["archive", "ls", "--json", "--limit", "0"]);
    let ids = kept["sessions"].as_array().unwrap().iter();
    let ids: BTreeSet<String> = ids.map(|row| row["id"].as_str().unwrap().to_owned()).collect();
    assert!(ids.len() > 3, "{ids:?}");
    fs::remove_dir_all(sandbox.config()).unwrap();
    fs::create_dir_all(sandbox.projects()).unwrap();
    let parts: Vec<PathBuf> = files_below(&archive_folder(&sandbox)).into_values().collect();
    // Missing notes are not damage: nothing records that they existed.
    let parts: Vec<PathBuf> = parts
        .into_iter()
        .filter(|path| {
            fs::metadata(path).unwrap().len() > 0 && path.extension().is_none_or(|it| it != "json")
        })
        .collect();
    let mut dice = Dice::new(3);
    let (mut restored, count) = (0, rounds(8));
    for round in 0..count {
        let path = &parts[dice.below(parts.len())];
        let bytes = fs::read(path).unwrap();
        let how = harm(path, &bytes, &mut dice);
        let output = annals(&sandbox, &["archive", "verify", "--deep", "--json"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "round {round}, {how}: {}", printed(&output));
        // A missing or empty manifest lists nothing.
        if let Ok(verified) = serde_json::from_slice::<Value>(&output.stdout) {
            assert_eq!(verified["is_intact"], false, "{how}");
            let touched = texts(&verified["affected_sessions"]);
            let whole: Vec<&String> = ids.difference(&touched).collect();
            let few = whole.len().min(if crate::torture::long().is_some() { 20 } else { 3 });
            for _ in 0..few {
                let id = whole[dice.below(whole.len())];
                restored += usize::from(comes_back(&sandbox, id, &originals, &how));
            }
        } else {
            let complaint = String::from_utf8_lossy(&output.stderr);
            assert!(complaint.contains("is not an archive"), "{how}: {complaint}");
        }
        fs::write(path, &bytes).unwrap();
    }
    done(&sandbox, &["archive", "verify", "--deep"]);
    assert!(restored > 0, "nothing was restored");
    report(&format!("damage: {count} times, {restored} intact sessions restored"));
}

/// Restores a session that is reported as intact. It may be missing if its lines of the
/// manifest are missing.
fn comes_back(
    sandbox: &Sandbox,
    id: &str,
    originals: &BTreeMap<String, Vec<u8>>,
    how: &str,
) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().to_str().unwrap();
    let output = annals(sandbox, &["archive", "restore", id, "--to", to]).output().unwrap();
    if output.status.code() == Some(1) {
        assert!(how.contains("manifest.jsonl"), "{how}: {id}: {}", printed(&output));
        return false;
    }
    assert!(output.status.success(), "{how}: {id}: {}", printed(&output));
    let files = files_below(folder.path());
    assert!(!files.is_empty(), "{how}: {id}");
    for (name, path) in files {
        let bytes = fs::read(path).unwrap();
        assert!(bytes == originals[name.to_str().unwrap()], "{how}: {} of {id}", name.display());
    }
    true
}
