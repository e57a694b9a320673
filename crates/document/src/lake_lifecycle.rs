//! What `annals lake` answers about taking back, checking and pushing by itself.

use crate::{Document, Keyword};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether what an owner took back is gone.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LakeReceiptDocument {
    /// How many sessions are forgotten.
    pub forgotten: u64,
    /// The projects of which the lake takes nothing.
    pub forgotten_projects: Vec<String>,
    /// Rows of a level and the higher ones are gone if their month is before this one.
    pub expired: Vec<LakeExpiryDocument>,
    /// Whether the owner has left: the lake takes nothing.
    pub has_left: bool,
    /// Whether everything that was taken back is gone from all objects and all engines.
    pub is_gone_everywhere: bool,
    /// What is missing before it is.
    pub missing: Vec<String>,
}

/// Rows that expired.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LakeExpiryDocument {
    /// The lowest level it is about: `usage`, `metadata` or `text`.
    pub level: Keyword,
    /// Rows of months before this one are gone, as `YYYY-MM`.
    pub before: String,
}

/// How far the engine of a loader is with what an owner has in the lake.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LakeLoaderDocument {
    /// The name of the loader.
    pub name: String,
    /// How many chains of the owner its engine follows up to their newest manifest.
    pub current: u64,
    /// How many chains the owner has.
    pub chains: u64,
    /// How many manifests its engine is behind, over all chains.
    pub behind: u64,
    /// Until when, in UTC, every reader of its engine could read everything in it, text included,
    /// because an older annals put row policies on views; `null` if that is not known to have been
    /// so.
    #[serde(default)]
    pub readable_until: Option<String>,
}

/// The pushes of this machine.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LakePushesDocument {
    /// When a push last succeeded, in UTC; `null` if none has.
    pub succeeded: Option<String>,
    /// When a push was last tried, in UTC.
    pub tried: Option<String>,
    /// Why the last push failed; `null` if it succeeded.
    pub error: Option<String>,
    /// How many sessions changed since the last push that succeeded and wait for the next;
    /// `null` if that is not known.
    pub waiting: Option<u64>,
}

/// What was taken back, and from whom.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LakeTakeBackDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The storage.
    pub url: String,
    /// The owners whose chains were looked at.
    pub owners: Vec<LakeTakenFromDocument>,
    /// The configuration file from which `[lake]` was removed; `null` if it was not.
    pub configuration: Option<String>,
}

impl Document for LakeTakeBackDocument {
    const SCHEMA: &'static str = "annals/lake-take-back/1";
    const COMMAND: &'static str =
        "`annals lake expire`, `leave`, `forget --owner`, `forget --project`";
}

/// What was taken back from one owner.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LakeTakenFromDocument {
    /// The owner.
    pub owner: String,
    /// Objects deleted.
    pub deleted: u64,
    /// Whether it is gone; `null` if that could not be read.
    pub receipt: Option<LakeReceiptDocument>,
    /// Why it could not be taken back; `null` if it was.
    pub problem: Option<String>,
}

/// What a check of the lake found.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct LakeVerifyDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The storage.
    pub url: String,
    /// How many chains were checked.
    pub chains: u64,
    /// How many manifests.
    pub manifests: u64,
    /// How many segments, byte by byte.
    pub segments: u64,
    /// Their rows.
    pub rows: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Objects that are damaged or missing.
    pub problems: Vec<LakeProblemDocument>,
    /// Objects that no manifest names. The next push of their owner deletes them.
    pub unnamed: Vec<String>,
    /// Objects that annals did not write.
    pub foreign: Vec<String>,
    /// This machine against the lake; `null` if it was not compared.
    pub local: Option<LakeComparisonDocument>,
    /// Whether nothing is damaged or missing.
    pub is_intact: bool,
}

impl Document for LakeVerifyDocument {
    const SCHEMA: &'static str = "annals/lake-verify/1";
    const COMMAND: &'static str = "`annals lake verify`";
}

/// An object that is damaged or missing.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LakeProblemDocument {
    /// Its name.
    pub name: String,
    /// What is wrong with it.
    pub reason: String,
}

/// This machine against the lake.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LakeComparisonDocument {
    /// Rows that are shared and missing from the lake, sums by day left out.
    pub missing_rows: u64,
    /// Sessions that have some.
    pub missing_sessions: u64,
    /// Objects that the next push replaces or deletes, because the lake must not have some
    /// of their rows or they can be merged.
    pub superfluous: u64,
}
