//! Real transcripts, if they are available: no line is lost, the bytes can be
//! rebuilt, and every part is known.

use std::fs;
use std::path::{Path, PathBuf};
use transcript::{DriftReport, Reason, RecordKind, entries};

fn transcripts() -> Vec<PathBuf> {
    let corpus =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/claude/projects");
    let mut found = Vec::new();
    let mut folders = vec![corpus.clone()];
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
    if found.is_empty() {
        println!("SKIPPED: no real transcripts beside the repository");
    }
    found
}

#[test]
fn entries_of_real_transcripts_rebuild_the_file() {
    for path in transcripts() {
        let file = fs::read(&path).expect("a readable file");
        let mut rebuilt = Vec::with_capacity(file.len());
        let mut line = 0;
        for entry in entries(&file) {
            assert!(entry.line == line || entry.line == line + 1, "no line is skipped");
            if entry.line > 1 && entry.line != line {
                rebuilt.push(b'\n');
            }
            line = entry.line;
            assert_eq!(entry.offset, rebuilt.len() as u64);
            rebuilt.extend_from_slice(entry.bytes);
        }
        if file.ends_with(b"\n") {
            rebuilt.push(b'\n');
        }
        assert!(rebuilt == file, "{} changed", path.display());
        assert_eq!(line, count_lines(&file), "{}", path.display());
    }
}

fn count_lines(file: &[u8]) -> u64 {
    file.split_inclusive(|byte| *byte == b'\n').count() as u64
}

#[test]
fn real_transcripts_contain_nothing_unknown() {
    let mut drift = DriftReport::default();
    let (mut records, mut damaged) = (0_u32, 0_u32);
    for path in transcripts() {
        let file = fs::read(&path).expect("a readable file");
        for entry in entries(&file) {
            records += 1;
            damaged += u32::from(entry.record.kind == RecordKind::Damaged);
            // Redaction before publishing cut lines and duplicated keys. A wrong type
            // would mean that this crate has the wrong one.
            let wrong =
                entry.problems.iter().find(|p| matches!(p.reason, Reason::WrongType { .. }));
            assert_eq!(wrong, None, "{}", path.display());
            if entry.problems.is_empty() {
                drift.observe(&entry.record);
            }
        }
    }
    let unknown: Vec<_> =
        drift.findings().map(|(kind, name, _)| format!("{} {name}", kind.name())).collect();
    assert_eq!(unknown, Vec::<String>::new());
    assert!(damaged * 100 <= records, "{damaged} of {records} records are damaged");
}
