//! A home of Codex as annals' reader sees it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ::apps::codex::{
    Name, Reader, RolloutFile, Thread, assemble, decompress, find_visible, parse_session_index,
};
use ::apps::read_whole;
use anyhow::{Context as _, Result};

use crate::apps::files_below;

/// The most bytes of a decompressed file.
const LIMIT: u64 = 1 << 30;

/// The threads of a home.
#[derive(Debug)]
pub(super) struct Home {
    pub(super) files: Vec<RolloutFile>,
    pub(super) threads: Vec<Thread>,
    /// The names that people gave.
    pub(super) names: BTreeMap<String, String>,
}

impl Home {
    pub(super) fn read(root: &Path) -> Result<Home> {
        let mut found = Vec::new();
        for (path, file) in files_below(root)? {
            let mut parts = path.split('/');
            let folder = parts.next().unwrap_or_default();
            let name = parts.next_back().and_then(Name::parse);
            if let (Some(name), "sessions" | "archived_sessions") = (name, folder) {
                found.push((name, folder == "archived_sessions", file));
            }
        }
        found.sort();
        let names: Vec<Name> = found.iter().map(|(name, ..)| name.clone()).collect();
        let visible = find_visible(&names);
        let mut files = Vec::new();
        for ((name, is_archived, path), _) in found.into_iter().zip(visible).filter(|row| row.1) {
            let mut bytes =
                fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            if name.is_compressed {
                bytes = decompress(&bytes, LIMIT)?;
            }
            let session = read_whole::<Reader>(&bytes);
            files.push(RolloutFile { name, is_archived, session });
        }
        let threads = assemble(&mut files);
        let index = fs::read(root.join("session_index.jsonl")).unwrap_or_default();
        Ok(Home { files, threads, names: parse_session_index(&index) })
    }

    pub(super) fn thread(&self, id: &str) -> Option<&Thread> {
        self.threads.iter().find(|thread| thread.id == id)
    }
}
