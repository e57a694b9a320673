//! The newest manifests that were read before. One that is still the newest is not fetched
//! again: a report over many people then needs listings alone.

use crate::cache_files::{remove_all_but, write_whole};
use crate::chain::ChainHead;
use crate::manifest::Manifest;
use crate::names::ChainName;
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::PathBuf;

/// Manifests in a folder, one file for each chain: the number on the first line, then the
/// manifest.
#[derive(Debug)]
pub(crate) struct KnownHeads {
    folder: PathBuf,
}

impl KnownHeads {
    pub(crate) fn new(folder: PathBuf) -> Self {
        KnownHeads { folder }
    }

    /// Names of owners are those of other people, so none becomes the name of a file.
    fn path(&self, chain: &ChainName) -> PathBuf {
        let digest = blake3::hash(chain.prefix().as_bytes()).to_hex();
        self.folder.join(&digest[..32])
    }

    /// The manifest of a chain that was the newest when it was read.
    pub(crate) fn get(&self, chain: &ChainName) -> Option<ChainHead> {
        let bytes = fs::read(self.path(chain)).ok()?;
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let (number, manifest) = bytes.split_at(end);
        let number = str::from_utf8(number).ok()?.parse().ok()?;
        let manifest = Manifest::parse(manifest.get(1..)?).ok()?;
        Some(ChainHead { number, manifest })
    }

    pub(crate) fn keep(&self, chain: &ChainName, head: &ChainHead) {
        let mut bytes = format!("{}\n", head.number).into_bytes();
        bytes.extend(head.manifest.to_bytes());
        // Without it, the next question fetches the manifest.
        let _ = write_whole(&self.path(chain), &bytes);
    }

    /// Deletes all manifests but those of these chains.
    pub(crate) fn keep_only<'c>(
        &self,
        chains: impl IntoIterator<Item = &'c ChainName>,
    ) -> io::Result<()> {
        let wanted: HashSet<PathBuf> = chains.into_iter().map(|chain| self.path(chain)).collect();
        remove_all_but(&self.folder, &wanted)
    }
}
