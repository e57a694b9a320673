//! Facts: what lists need to know of sessions, without reading them.
//!
//! `tools`, `files`, `prompts` and filters by content are made from all sessions and show
//! few of them. Facts are what decides which rows are shown, and the totals: the time, tool
//! and status of each call, but not its input; the digest of each prompt, but not its text.
//! They are derived from the files of a session, packed, and stored in the index. The rows
//! that are shown are then read from their sessions by the same code as ever.
//!
//! With and without the index, answers are made from the same facts: a session whose facts
//! are not stored, or were derived from other files, is read. The origin of facts is a
//! digest of the stamps of all files, what is known of each agent, how lines are masked, and
//! the version; so facts cannot be out of date without being noticed.
//!
//! Facts are stored by the first command that derives them, under the index's lock, which is
//! never waited for. Facts that contain a secret, or a value that is masked elsewhere in the
//! session, are not stored; nor is the metadata of a session before all its values are known,
//! which the next update of the index finds. An update that finds more values deletes facts
//! that may have them.
//!
//! Deliberately not here: the meaning of the answers; see `sessions::calls`, `files` and
//! `prompts`.

use crate::memory::Memory;
use crate::packing::VERSION;
use crate::stores::text_files::{stamp, stamp_on_disk};
use index::{Digest, FactKind, FactMasking, NewFacts, Stamp, StoredFacts};
use redact::{Level, Redactor};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use store::SessionFolder;

impl Memory {
    /// The stored facts of a kind; `None` without an index.
    pub(crate) fn stored_facts(&self, kind: FactKind) -> Option<StoredFacts> {
        if self.stores.options.no_index {
            return None;
        }
        // An index that cannot be read counts as missing.
        self.index().ok()?.facts(kind, self.fact_masking(kind)).ok().flatten()
    }

    /// Whether there is an index that stores facts.
    pub(crate) fn stores_facts(&self) -> bool {
        let is_there = || self.index().ok()?.identity();
        !self.stores.options.no_index && is_there().is_some()
    }

    pub(crate) fn store_facts(&self, facts: &[(FactKind, Vec<NewFacts<'_>>)]) {
        let Some((kind, _)) = facts.first() else { return };
        // The next command derives them again if they cannot be stored.
        if let Ok(index) = self.index() {
            let _ = index.store_facts(self.fact_masking(*kind), facts);
        }
    }

    /// How lines are masked before facts of a kind are derived. Prompts and names are read
    /// from lines that are not masked; their texts are masked when they are shown.
    pub(crate) fn fact_masking(&self, kind: FactKind) -> FactMasking {
        match (kind, self.stores.redactor.as_deref().map(Redactor::level)) {
            (FactKind::Calls | FactKind::Touches, Some(Level::Standard)) => FactMasking::Standard,
            (FactKind::Calls | FactKind::Touches, Some(Level::Strict)) => FactMasking::Strict,
            _ => FactMasking::None,
        }
    }
}

impl Memory {
    /// What the metadata of a transcript is derived from: the transcript, and the
    /// small files beside it. `None` if those may be in the archive.
    pub(crate) fn metadata_origin(
        &self,
        path: &Path,
        folder: Option<&SessionFolder>,
    ) -> Option<Digest> {
        let mut origin = Origin::new(self, FactMasking::None);
        let stamped = stamp(&self.stores.all, path)?;
        if let Some(folder) = folder {
            if stamped.is_archive_only {
                return None;
            }
            for name in SessionFolder::SIDECARS {
                let stamp = stamp_on_disk(&folder.path().join(name)).ok().flatten();
                origin.text(stamp.map_or(String::new(), |stamp| format!("{stamp:?}")).as_bytes());
            }
        }
        origin.text(path.as_os_str().as_bytes());
        origin.stamp(&stamped.stamp, stamped.is_archive_only);
        Some(origin.digest())
    }
}

/// Everything that facts are derived from, as a digest.
#[derive(Clone)]
pub(crate) struct Origin {
    pub(crate) bytes: Vec<u8>,
}

impl Origin {
    pub(crate) fn new(memory: &Memory, masking: FactMasking) -> Origin {
        let mut bytes = VERSION.as_bytes().to_vec();
        if masking != FactMasking::None
            && let Some(redactor) = &memory.stores.redactor
        {
            bytes.extend(redactor.fingerprint());
        }
        Origin { bytes }
    }

    /// Adds a file; `None` if it has no stamp.
    pub(crate) fn file(&mut self, memory: &Memory, path: &Path) -> Option<()> {
        let stamped = stamp(&memory.stores.all, path)?;
        self.text(path.as_os_str().as_bytes());
        self.stamp(&stamped.stamp, stamped.is_archive_only);
        Some(())
    }

    pub(crate) fn stamp(&mut self, stamp: &Stamp, is_archive_only: bool) {
        let (inode, device, changed) = stamp.identity;
        for number in [
            stamp.bytes,
            stamp.modified.cast_unsigned(),
            inode,
            device,
            changed.cast_unsigned(),
            is_archive_only.into(),
        ] {
            self.bytes.extend(number.to_le_bytes());
        }
    }

    pub(crate) fn text(&mut self, text: &[u8]) {
        self.bytes.extend((text.len() as u64).to_le_bytes());
        self.bytes.extend(text);
    }

    pub(crate) fn digest(&self) -> Digest {
        Digest::of(&self.bytes)
    }
}
