//! Real transcripts, if available: prints what is masked in them for a person
//! to judge, and limits how much it may be.

#![expect(clippy::print_stdout, reason = "the list is for a person to read")]

use std::fs;
use std::path::{Path, PathBuf};

use redact::{Level, Redactor};

fn transcripts() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/claude");
    let mut found = Vec::new();
    let mut folders = vec![corpus];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "jsonl") {
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

#[test]
fn real_transcripts_have_few_masks_stay_json_and_are_masked_once() {
    let redactor = Redactor::new(Level::Standard, [7; 32]);
    let (mut lines, mut masks) = (0_usize, 0_usize);
    for path in transcripts() {
        let file = fs::read(&path).expect("a readable file");
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (number, line) in file.split(|byte| *byte == b'\n').enumerate() {
            let Ok(line) = str::from_utf8(line) else { continue };
            lines += 1;
            let masked = redactor.mask_json(line);
            if masked == line {
                continue;
            }
            assert_eq!(redactor.mask_json(&masked), masked, "masked again");
            let is_json = |text: &str| serde_json::from_str::<serde_json::Value>(text).is_ok();
            assert_eq!(is_json(line), is_json(&masked), "{name}:{number}");
            for (at, _) in masked.match_indices("[redacted:") {
                masks += 1;
                let start = masked.floor_char_boundary(at.saturating_sub(60));
                let end = masked.ceil_char_boundary((at + 70).min(masked.len()));
                println!("{name:.8}:{}: {}", number + 1, &masked[start..end]);
            }
        }
    }
    println!("{masks} masks in {lines} lines");
    // A person has read the list: all of them are passwords, if only in tests.
    // More would count as false positives until somebody has looked.
    assert!(masks * 10_000 <= lines * 12, "{masks} masks in {lines} lines");
}
