//! Facts that may not be stored, because their names contain secrets.

use crate::packing::Packer;
use crate::redaction::Redaction;
use index::{FactKind, FactMasking};
use redact::Redactor;
use std::path::Path;
use std::sync::Arc;

/// Packed facts, and whether they may be stored.
pub(crate) struct Packed {
    pub(crate) bytes: Vec<u8>,
    /// Whether none of its names is a secret.
    pub(crate) is_storable: bool,
}

impl Packed {
    pub(crate) fn new(packer: Packer, secrets: &FactSecrets) -> Packed {
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
    pub(crate) fn may_be(&self, name: &str) -> bool {
        match self {
            FactSecrets::None => false,
            FactSecrets::Unknown => true,
            FactSecrets::Found(finder) => !finder.find(name).is_empty(),
        }
    }
}

impl Redaction {
    /// What finds secrets in the names of facts about the session of a file.
    pub(crate) fn secrets_in_facts_of(&self, kind: FactKind, file: &Path) -> FactSecrets {
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
    pub(crate) fn secrets_in_facts(&self, kind: FactKind) -> FactSecrets {
        if !self.has_secrets_in_facts(kind) {
            return FactSecrets::None;
        }
        FactSecrets::Found(self.finder_of_all())
    }

    /// Whether facts of a kind are stored and not masked already.
    pub(crate) fn has_secrets_in_facts(&self, kind: FactKind) -> bool {
        self.memory.stores_facts() && self.memory.fact_masking(kind) == FactMasking::None
    }
}
