//! The totals of all sessions, as they were when nothing had changed since.
//!
//! A call can occur in several files, and counts for one of them. So the totals of one
//! session depend on all files, and are stored together: they are valid as long as every
//! file, the ledger and the prices are the same.

use crate::facts::Facts;
use crate::memory::facts::Origin;
use crate::memory::snapshot::stamp_again;
use crate::packing::{Packer, Unpacker};
use crate::redaction::fact_secrets::Packed;
use crate::stores::text_files::stamp_on_disk;
use index::{Digest, FactKind, FactMasking, NewFacts};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use usage::{PicoUsd, Prices};

/// The totals of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionSums {
    /// Prompts and answers: API responses, not lines. `None` if only reading the transcript
    /// would tell.
    pub messages: Option<u64>,
    /// The number of its last turn; `None` if only reading the transcript would
    /// tell.
    pub turns: Option<u64>,
    /// Models that answered, including in sub-agents.
    pub models: BTreeSet<String>,
    /// Output tokens, including those of agents.
    pub output_tokens: u64,
    /// The largest context window of the session itself, in tokens.
    pub context_peak: u64,
    /// Its cost at the API's prices, including agents.
    pub cost: TotalCost,
}

/// What a session cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TotalCost {
    /// Nothing: it has no API calls.
    #[default]
    NoCalls,
    /// This much.
    Known(PicoUsd),
    /// A model has no known price.
    Unknown,
}

impl TotalCost {
    /// The amount, if it is known.
    pub fn known(self) -> Option<PicoUsd> {
        match self {
            TotalCost::NoCalls => Some(PicoUsd::ZERO),
            TotalCost::Known(cost) => Some(cost),
            TotalCost::Unknown => None,
        }
    }

    /// The cost with that of one more call.
    pub(crate) fn plus(self, call: Option<PicoUsd>) -> Self {
        match (self.known(), call) {
            (Some(sum), Some(call)) => TotalCost::Known(sum.plus(call)),
            _ => TotalCost::Unknown,
        }
    }

    fn packed(self) -> Option<String> {
        match self {
            TotalCost::NoCalls => Some(String::new()),
            TotalCost::Known(cost) => Some(cost.0.to_string()),
            TotalCost::Unknown => None,
        }
    }

    fn unpacked(packed: Option<&str>) -> Option<Self> {
        match packed {
            Some("") => Some(TotalCost::NoCalls),
            Some(cost) => cost.parse().ok().map(PicoUsd).map(TotalCost::Known),
            None => Some(TotalCost::Unknown),
        }
    }
}

/// The totals of sessions by id.
pub(crate) type Sums = HashMap<String, SessionSums>;

/// What the totals depend on: the settings they are stored under, and the digest of
/// everything else.
pub(crate) struct SumsOrigin {
    key: String,
    digest: Digest,
}

impl Facts {
    /// What the totals of all sessions depend on now; `None` if the index does not
    /// know all files.
    pub(crate) fn sums_origin(&self, prices: &Prices) -> Option<SumsOrigin> {
        if self.stores.options.no_index {
            return None;
        }
        let key = self.memory.listing_key()?;
        let searcher = self.memory.index().ok()?.searcher().ok()??;
        let snapshot = self.memory.file_snapshot(&searcher).ok()??;
        let mut origin = Origin::new(&self.memory, FactMasking::None);
        origin.text(prices.fingerprint().as_bytes());
        stamp_again(&snapshot, |file, stamp| {
            origin.bytes.extend(file.id.to_le_bytes());
            origin.stamp(&stamp, file.is_archive_only);
        })?;
        let ledger = self.stores.options.home.as_ref()?.join(crate::stores::LEDGER);
        let mut files: Vec<_> =
            std::fs::read_dir(&ledger).into_iter().flatten().flatten().collect();
        files.sort_by_key(std::fs::DirEntry::file_name);
        for file in files {
            origin.text(file.file_name().as_encoded_bytes());
            if let Some(stamp) = stamp_on_disk(&file.path()).ok().flatten() {
                origin.stamp(&stamp, false);
            }
        }
        Some(SumsOrigin { key, digest: origin.digest() })
    }

    /// The stored totals.
    pub(crate) fn stored_sums(&self, origin: &SumsOrigin) -> Option<Sums> {
        let stored = self.memory.stored_facts(FactKind::Sums)?;
        unpack(stored.find(Path::new(&origin.key), origin.digest)?)
    }

    /// Stores totals.
    pub(crate) fn store_sums(&self, origin: &SumsOrigin, sums: &Sums) {
        let secrets = self.redaction.secrets_in_facts(FactKind::Sums);
        let packed = Packed::new(pack(sums), &secrets);
        if packed.is_storable {
            let path = Path::new(&origin.key);
            let new = NewFacts { path, origin: origin.digest, packed: packed.bytes };
            self.memory.store_facts(&[(FactKind::Sums, vec![new])]);
        }
    }
}

fn pack(sums: &Sums) -> Packer {
    let mut packer = Packer::default();
    for (id, sums) in sums {
        let SessionSums { messages, turns, models, output_tokens, context_peak, cost } = sums;
        packer.name(Some(id));
        for count in [messages, turns] {
            // 0: unknown.
            packer.number(count.map_or(0, |count| count.saturating_add(1)));
        }
        packer.number(models.len() as u64);
        for model in models {
            packer.name(Some(model));
        }
        packer.number(*output_tokens);
        packer.number(*context_peak);
        packer.name(cost.packed().as_deref());
    }
    packer
}

fn unpack(bytes: &[u8]) -> Option<Sums> {
    let mut unpacker = Unpacker::new(bytes)?;
    let mut sums = Sums::new();
    while !unpacker.is_done() {
        let id = unpacker.name()??.to_owned();
        let messages = unpacker.number()?.checked_sub(1);
        let turns = unpacker.number()?.checked_sub(1);
        let mut models = BTreeSet::new();
        for _ in 0..unpacker.count()? {
            models.insert(unpacker.name()??.to_owned());
        }
        let (output_tokens, context_peak) = (unpacker.number()?, unpacker.number()?);
        let cost = TotalCost::unpacked(unpacker.name()?)?;
        let own = SessionSums { messages, turns, models, output_tokens, context_peak, cost };
        sums.insert(id, own);
    }
    Some(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_unpacked_as_they_were_packed() {
        let sums = |cost: TotalCost, models: &[&str]| SessionSums {
            messages: cost.known().map(|_| 300),
            turns: cost.known().map(|_| 7),
            models: models.iter().map(|model| (*model).to_owned()).collect(),
            output_tokens: 12_345,
            context_peak: 1 << 40,
            cost,
        };
        let known = |cost: i128| TotalCost::Known(PicoUsd(cost));
        let all = Sums::from([
            ("one".to_owned(), sums(known(i128::MIN), &["opus", "sonnet"])),
            ("two".to_owned(), sums(known(1 << 70), &["sonnet"])),
            ("three".to_owned(), sums(known(0), &[])),
            ("four".to_owned(), sums(TotalCost::Unknown, &[])),
            ("five".to_owned(), sums(TotalCost::NoCalls, &[])),
        ]);
        assert_eq!(unpack(&pack(&all).finish()), Some(all));
    }
}
