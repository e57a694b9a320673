//! Builds and tells the conversation of every transcript below a folder: what
//! `cargo xtask bench` measures as the speed of the conversation.

#![expect(clippy::print_stdout, reason = "an example reports what it did")]

use conversation::{Conversation, View};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

fn transcripts(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "jsonl") {
                found.push(path);
            }
        }
    }
    Ok(found)
}

fn main() -> std::io::Result<()> {
    let folder = std::env::args_os().nth(1).unwrap_or_else(|| ".".into());
    let paths = transcripts(Path::new(&folder))?;
    let (messages, turns, calls) = paths
        .par_iter()
        .with_max_len(1)
        .map(|path| {
            let Ok(bytes) = std::fs::read(path) else { return (0, 0, 0) };
            let conversation = Conversation::read(&bytes, View::App);
            let turns = conversation.turns();
            std::hint::black_box((
                conversation.messages.len(),
                turns.turns.len(),
                turns.calls.all().len(),
            ))
        })
        .reduce(Default::default, |one, two| (one.0 + two.0, one.1 + two.1, one.2 + two.2));
    println!("{messages} messages, {turns} turns, {calls} calls in {} files", paths.len());
    Ok(())
}
