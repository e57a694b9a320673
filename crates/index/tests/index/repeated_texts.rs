//! Texts that several files contain: masked and split once, and found in each of the files.

use index::{Index, IngestOptions, IngestProgress, Source, SourceKind, Stamp};
use redact::{Level, Redactor};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::{FileStat, Files};
use testkit::{assistant, session_id, user};

struct Silent;

impl IngestProgress for Silent {
    fn start(&self, _: u64) {}
    fn advance(&self, _: u64) {}
}

/// Transcripts with the same beginning, as forks have it.
fn write_forks(folder: &Path, count: u32) -> Vec<PathBuf> {
    let paths = (1..=count).map(|number| {
        let path = folder.join(format!("{}.jsonl", session_id(number)));
        let mut lines = String::new();
        for step in 0..40 {
            let words = format!("kelp_{step} and the_{} forest ", step % 7).repeat(50);
            lines.push_str(&format!("{}\n{}\n", user(&words), assistant(&format!("no {words}"))));
        }
        lines.push_str(&format!("{}\n", user(&format!("only here: squid{number}"))));
        fs::write(&path, lines).unwrap();
        path
    });
    paths.collect()
}

fn source(path: &Path) -> Source {
    Source {
        path: path.to_owned(),
        kind: SourceKind::Main,
        session: Some(path.file_stem().unwrap().to_string_lossy().into_owned()),
        agent: None,
        stamp: Stamp::from(FileStat::of(&fs::metadata(path).unwrap())),
        is_archive_only: false,
    }
}

/// The content of an index after files were ingested, those of each slice in one run.
fn dump_after(index: &Path, runs: &[&[PathBuf]]) -> Vec<String> {
    for paths in runs {
        let options = IngestOptions {
            sources: paths.iter().map(|path| source(path)).collect(),
            files: Files::disk(),
            owns: &|_: &Path| true,
            redactor_of: &|_| Arc::new(Redactor::new(Level::Standard, [0; 32])),
            masked_with: &|_| std::collections::HashSet::new(),
            values: &Vec::new,
            // Little, so that files are written in several batches.
            memory: 1 << 20,
            is_part: false,
            listing: None,
            shows: &|_, _| true,
        };
        let ingest = Index::new(index.to_owned()).ingest(options.memory).unwrap().unwrap();
        let report = ingest.run(&options, &Silent).unwrap();
        assert!(report.unread.is_empty(), "{:?}", report.unread);
    }
    Index::new(index.to_owned()).dump().unwrap()
}

#[test]
fn texts_of_one_run_are_those_of_a_run_for_each_file() {
    let folder = tempfile::tempdir().unwrap();
    let paths = write_forks(folder.path(), 12);
    let at_once = dump_after(&folder.path().join("at-once"), &[&paths]);
    let slices: Vec<&[PathBuf]> = (1..=paths.len()).map(|count| &paths[..count]).collect();
    let one_by_one = dump_after(&folder.path().join("one-by-one"), &slices);
    assert!(at_once.iter().any(|line| line.contains("squid12")), "{at_once:?}");
    assert_eq!(at_once, one_by_one);
}

#[test]
fn texts_outlive_the_file_that_they_were_read_from() {
    let folder = tempfile::tempdir().unwrap();
    let paths = write_forks(folder.path(), 6);
    let rest = dump_after(&folder.path().join("shrunk"), &[&paths, &paths[4..]]);
    let fresh = dump_after(&folder.path().join("fresh"), &[&paths[4..]]);
    assert_eq!(rest, fresh);
}
