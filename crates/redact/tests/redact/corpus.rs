//! Real transcripts, if available: every line of every file of the corpus. Each secret that is
//! masked there was read by a person and stands in a table here, so that a new mask is a false
//! one until somebody has judged it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use redact::{Level, Redactor};

/// The secrets of the corpus by the hash in their placeholder: all that were judged to be
/// credentials, by the question whether a careful person would mask them before publishing.
const CREDENTIALS: &[(&str, &str)] = &[
    ("f79c", "the password of an account on a local git server, used to log in"),
    ("26b3", "a password that git's credential helper had stored and printed"),
];

fn files() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let mut found = Vec::new();
    let mut folders = vec![corpus];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    if found.is_empty() {
        println!("SKIPPED: no real transcripts beside the repository");
    }
    found
}

/// The lines of a file, as they are masked: lines of JSON and text, whole documents, and the
/// text in databases.
fn lines(path: &Path) -> Vec<String> {
    let bytes = fs::read(path).expect("a readable file");
    let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
    match extension.as_str() {
        "db" | "sqlite" | "db-wal" => String::from_utf8_lossy(&bytes)
            .split(|character: char| character.is_control() || character == '\u{fffd}')
            .filter(|run| run.len() >= 16)
            .map(str::to_owned)
            .collect(),
        _ => bytes
            .split(|byte| *byte == b'\n')
            .filter_map(|line| str::from_utf8(line).ok().map(str::to_owned))
            .collect(),
    }
}

#[test]
fn every_mask_in_real_transcripts_is_a_credential_and_masks_stay_json_and_are_masked_once() {
    let redactor = Redactor::new(Level::Standard, [7; 32]);
    let is_json = |text: &str| serde_json::from_str::<serde_json::Value>(text).is_ok();
    let (mut count, mut masks, mut unknown) = (0_usize, 0_usize, Vec::new());
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for path in files() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (number, line) in lines(&path).iter().enumerate() {
            count += 1;
            let masked = redactor.mask_json(line);
            if masked == *line {
                continue;
            }
            assert_eq!(redactor.mask_json(&masked), masked, "masked again");
            assert_eq!(is_json(line), is_json(&masked), "{name}:{number}");
            for (at, _) in masked.match_indices("[redacted:") {
                masks += 1;
                let placeholder = masked[at..].split(']').next().unwrap_or_default();
                let hash = placeholder.rsplit(':').next().unwrap_or_default();
                *seen.entry(hash.to_owned()).or_default() += 1;
                if CREDENTIALS.iter().any(|(known, _)| *known == hash) {
                    continue;
                }
                let start = masked.floor_char_boundary(at.saturating_sub(60));
                let end = masked.ceil_char_boundary((at + 70).min(masked.len()));
                unknown.push(format!("{name:.8}:{}: {}", number + 1, &masked[start..end]));
            }
        }
    }
    println!("{masks} masks in {count} lines: {seen:?}; {} of them not judged", unknown.len());
    // Less than one in 10,000 lines.
    assert!(unknown.len() * 10_000 <= count, "{}", unknown.join("\n"));
}
