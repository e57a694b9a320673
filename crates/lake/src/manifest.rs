//! A manifest: the list of segments that count, in one chain.

use crate::decision::Decisions;
use crate::names::{Audience, ManifestNumber, SegmentName};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

const FORMAT: u32 = 1;

/// A segment that counts.
#[derive(Clone, Debug, Eq, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Segment {
    /// Its name.
    pub name: SegmentName,
    /// The number of rows.
    pub rows: u64,
    /// The size of the object.
    pub bytes: u64,
}

/// A manifest that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// It is too large.
    #[error("{0} bytes, but a manifest has at most {max}", max = Manifest::MAX_BYTES)]
    TooLarge(usize),
    /// It is not a manifest.
    #[error("not a manifest: {0}")]
    Invalid(#[from] serde_json::Error),
    /// A newer annals wrote it.
    #[error("format {0}: written by a newer annals, upgrade to read it")]
    Newer(u32),
}

/// Which decisions a chain obeys.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Deserialize, Serialize)]
pub struct Obedience {
    /// The decisions: [`Manifest::decided`] of the private chain.
    pub decided: ManifestNumber,
    /// The manifest of this chain since which it has no row that they take back.
    pub since: ManifestNumber,
}

/// What counts in one chain, as of one number.
#[derive(Clone, Debug, Eq, PartialEq, Deserialize, Serialize)]
pub struct Manifest {
    format: u32,
    /// The segments, in order of their names.
    pub segments: Vec<Segment>,
    /// What the owner decided about single sessions. A private chain has all decisions;
    /// other chains have those about sessions that were ever in them.
    pub decisions: Decisions,
    /// In a private chain: the audiences for which this installation has chains.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub audiences: BTreeSet<Audience>,
    /// In a private chain: the manifest of this chain in which the decisions last changed.
    #[serde(default, skip_serializing_if = "is_none")]
    pub decided: ManifestNumber,
    /// The decisions that this chain obeys.
    #[serde(default, skip_serializing_if = "obeys_nothing")]
    pub obeys: Obedience,
    /// In a private chain: whether the decisions of the owner's other installations were
    /// taken over. Before that, the installation sends no rows.
    #[serde(default, skip_serializing_if = "is_false")]
    pub knows_decisions: bool,
    /// In a private chain: the newest rules that a push had. A copy of this home with older
    /// rules adds nothing: it would take back what newer rules mask.
    #[serde(default)]
    pub rules: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn is_false(value: &bool) -> bool {
    !value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn is_none(number: &ManifestNumber) -> bool {
    *number == ManifestNumber::NONE
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn obeys_nothing(obeys: &Obedience) -> bool {
    *obeys == Obedience::default()
}

#[derive(Deserialize)]
struct FormatOnly {
    format: u32,
}

impl Default for Manifest {
    fn default() -> Self {
        Manifest {
            format: FORMAT,
            segments: Vec::new(),
            decisions: Decisions::default(),
            audiences: BTreeSet::new(),
            decided: ManifestNumber::NONE,
            obeys: Obedience::default(),
            knows_decisions: false,
            rules: 0,
        }
    }
}

impl Manifest {
    /// Larger manifests are refused before they are read.
    pub const MAX_BYTES: usize = 64 << 20;

    /// Its bytes. The same manifest gives the same bytes, so that a writer whose answer
    /// was lost recognises its own.
    pub fn to_bytes(&self) -> Vec<u8> {
        // Strings, numbers and maps with string keys: nothing here can fail to be written.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Parses one.
    pub fn parse(bytes: &[u8]) -> Result<Manifest, ManifestError> {
        if bytes.len() > Self::MAX_BYTES {
            return Err(ManifestError::TooLarge(bytes.len()));
        }
        let FormatOnly { format } = serde_json::from_slice(bytes)?;
        if format != FORMAT {
            return Err(ManifestError::Newer(format));
        }
        Ok(serde_json::from_slice(bytes)?)
    }
}
