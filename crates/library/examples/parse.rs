//! Parses every line and block of every transcript below a folder into typed
//! records: what `cargo xtask bench` measures as the speed of the reader.

#![expect(clippy::print_stdout, reason = "an example reports what it did")]

use rayon::prelude::*;
use std::path::{Path, PathBuf};
use store::{LineReader, Position, open_regular};

fn transcripts(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            transcripts(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            found.push(path);
        }
    }
    Ok(())
}

fn main() -> std::io::Result<()> {
    let folder = std::env::args_os().nth(1).unwrap_or_else(|| ".".into());
    let mut paths = Vec::new();
    transcripts(Path::new(&folder), &mut paths)?;
    let (records, blocks, problems) = paths
        .par_iter()
        .with_max_len(1)
        .map_init(LineReader::default, |reader, path| {
            let mut counts = (0_u64, 0_u64, 0_u64);
            let Ok((mut file, _)) = open_regular(path) else { return counts };
            let read = reader.read(&mut file, Position::START, |line| {
                for entry in transcript::parse_line(line) {
                    counts.0 += 1;
                    counts.1 +=
                        entry.record.message().map_or(0, |message| message.blocks().len() as u64);
                    counts.2 += entry.problems.len() as u64;
                    std::hint::black_box(&entry);
                }
                true
            });
            counts.2 += u64::from(read.is_err());
            counts
        })
        .reduce(Default::default, |one, two| (one.0 + two.0, one.1 + two.1, one.2 + two.2));
    println!("{records} records, {blocks} blocks, {problems} problems in {} files", paths.len());
    Ok(())
}
