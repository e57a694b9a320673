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
//! Deliberately not here: the meaning of the answers; see `open::calls`, `files` and
//! `catalog::prompts`.

mod app_listings;
mod call_groups;
mod calls;
mod line_turns;
mod metadata;
mod of_files;
mod of_sessions;
mod packing;
mod sums;
mod touches;
mod values;

pub(crate) use app_listings::{AppListings, FileContent, SessionListing};
pub(crate) use call_groups::{NewGroupSet, StoredGroups};
pub use calls::CallFact;
pub use line_turns::LineTurnsReader;
pub(crate) use metadata::MetadataReader;
pub(crate) use of_files::{FileFacts, LineFacts};
pub(crate) use packing::{Packer, Unpacker};
pub(crate) use touches::{SessionTouches, TouchFact};
pub(crate) use values::ValueFacts;

use crate::Library;
use crate::catalog::text_files::stamp;
use index::{Digest, FactKind, FactMasking, NewFacts, Stamp, StoredFacts};
use redact::{Level, Redactor};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::Arc;

/// The version of facts: to be raised when they are derived or packed differently.
const VERSION: &str = concat!("9 ", env!("CARGO_PKG_VERSION"));

/// Facts of one or two short transcripts, such as those that are being written, are not
/// worth storing: reading them again is faster.
pub(crate) const fn is_worth_storing(transcripts: usize, bytes: u64) -> bool {
    transcripts > 2 || bytes > 1 << 20
}

/// Packed facts, and whether they may be stored.
pub(crate) struct Packed {
    pub(crate) bytes: Vec<u8>,
    /// Whether none of its names is a secret.
    is_storable: bool,
}

impl Packed {
    fn new(packer: packing::Packer, secrets: &FactSecrets) -> Packed {
        let is_storable = !packer.names().any(|name| secrets.may_be(name));
        Packed { bytes: packer.finish(), is_storable }
    }
}

/// Finds what may not be stored in the names of facts.
pub(crate) enum FactSecrets {
    /// The names are masked already, or nothing is stored.
    None,
    /// Not all values of the session are known.
    Unknown,
    Found(Arc<Redactor>),
}

impl FactSecrets {
    /// Whether a name may be a secret.
    fn may_be(&self, name: &str) -> bool {
        match self {
            FactSecrets::None => false,
            FactSecrets::Unknown => true,
            FactSecrets::Found(finder) => !finder.find(name).is_empty(),
        }
    }
}

impl Library {
    /// The stored facts of a kind; `None` without an index.
    fn stored_facts(&self, kind: FactKind) -> Option<StoredFacts> {
        if self.options.no_index {
            return None;
        }
        // An index that cannot be read counts as missing.
        self.index().ok()?.facts(kind, self.fact_masking(kind)).ok().flatten()
    }

    /// Whether there is an index that stores facts.
    pub(crate) fn stores_facts(&self) -> bool {
        let is_there = || self.index().ok()?.identity();
        !self.options.no_index && is_there().is_some()
    }

    fn store_facts(&self, facts: &[(FactKind, Vec<NewFacts<'_>>)]) {
        let Some((kind, _)) = facts.first() else { return };
        // The next command derives them again if they cannot be stored.
        if let Ok(index) = self.index() {
            let _ = index.store_facts(self.fact_masking(*kind), facts);
        }
    }

    /// How lines are masked before facts of a kind are derived. Prompts and names are read
    /// from lines that are not masked; their texts are masked when they are shown.
    fn fact_masking(&self, kind: FactKind) -> FactMasking {
        match (kind, self.redactor.as_deref().map(Redactor::level)) {
            (FactKind::Calls | FactKind::Touches, Some(Level::Standard)) => FactMasking::Standard,
            (FactKind::Calls | FactKind::Touches, Some(Level::Strict)) => FactMasking::Strict,
            _ => FactMasking::None,
        }
    }

    /// What finds secrets in the names of facts about the session of a file.
    fn secrets_in_facts_of(&self, kind: FactKind, file: &Path) -> FactSecrets {
        if !self.has_secrets_in_facts(kind) {
            return FactSecrets::None;
        }
        if kind == FactKind::Metadata {
            // It is read from the ends of files, which the values are not.
            return self.known_finder(file).map_or(FactSecrets::Unknown, FactSecrets::Found);
        }
        FactSecrets::Found(self.finder(file))
    }

    /// The same for facts about many sessions.
    fn secrets_in_facts(&self, kind: FactKind) -> FactSecrets {
        if !self.has_secrets_in_facts(kind) {
            return FactSecrets::None;
        }
        FactSecrets::Found(self.finder_of_all())
    }

    /// Whether facts of a kind are stored and not masked already.
    fn has_secrets_in_facts(&self, kind: FactKind) -> bool {
        self.stores_facts() && self.fact_masking(kind) == FactMasking::None
    }
}

/// Everything that facts are derived from, as a digest.
#[derive(Clone)]
struct Origin {
    bytes: Vec<u8>,
}

impl Origin {
    fn new(library: &Library, masking: FactMasking) -> Origin {
        let mut bytes = VERSION.as_bytes().to_vec();
        if masking != FactMasking::None
            && let Some(redactor) = &library.redactor
        {
            bytes.extend(redactor.fingerprint());
        }
        Origin { bytes }
    }

    /// Adds a file; `None` if it has no stamp.
    fn file(&mut self, library: &Library, path: &Path) -> Option<()> {
        let stamped = stamp(&library.all, path)?;
        self.text(path.as_os_str().as_bytes());
        self.stamp(&stamped.stamp, stamped.is_archive_only);
        Some(())
    }

    fn stamp(&mut self, stamp: &Stamp, is_archive_only: bool) {
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

    fn text(&mut self, text: &[u8]) {
        self.bytes.extend((text.len() as u64).to_le_bytes());
        self.bytes.extend(text);
    }

    fn digest(&self) -> Digest {
        Digest::of(&self.bytes)
    }
}
