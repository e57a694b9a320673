//! The team lake: the documents that `annals lake` answers with.

use crate::{
    Document, Keyword, LakeLoaderDocument, LakePushesDocument, LakeReceiptDocument, LakeSettings,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much of a session leaves the machine. Each level includes the ones before it.
#[derive(
    Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum LakeLevel {
    /// Tokens, costs, models, times.
    #[default]
    Usage,
    /// Also tools, files, commits, branches, and names of agents and skills.
    Metadata,
    /// Also masked text.
    Text,
}

impl LakeLevel {
    /// The name in arguments and files.
    pub fn name(self) -> &'static str {
        match self {
            LakeLevel::Usage => "usage",
            LakeLevel::Metadata => "metadata",
            LakeLevel::Text => "text",
        }
    }
}

/// Whether pushes start by themselves.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LakePushMode {
    /// Only `annals lake push` pushes.
    #[default]
    Manual,
    /// Sessions are also pushed after they end.
    Auto,
}

/// A rule of `[[lake.share]]`.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LakeShareDocument {
    /// The folders it is about, as a glob.
    pub project: String,
    /// How much of their sessions leaves the machine.
    pub level: LakeLevel,
    /// Who it is for: `private`, `team:NAME` or `org`.
    pub with: String,
}

/// What is configured about the lake, and what is in it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LakeStatusDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The storage; `null` if no lake is configured.
    pub url: Option<String>,
    /// Whose rows are pushed; `null` before `annals lake init`.
    pub owner: Option<String>,
    /// The id of this home in the lake; `null` before `annals lake init`.
    pub installation: Option<String>,
    /// How much of each session leaves the machine, if no rule says more.
    pub level: LakeLevel,
    /// The highest level that a managed configuration allows; `null` if none limits it.
    pub max_level: Option<LakeLevel>,
    /// The folders whose sessions leave, as globs.
    pub projects: Vec<String>,
    /// The folders to which a managed configuration limits them, as globs; empty if none does.
    pub allowed_projects: Vec<String>,
    /// Folders below them whose sessions stay, as globs.
    pub exclude: Vec<String>,
    /// Rules for single projects.
    pub share: Vec<LakeShareDocument>,
    /// Whether pushes start by themselves: `manual` or `auto`.
    pub push: LakePushMode,
    /// Whether the storage answered; `null` if it was not asked.
    pub reachable: Option<bool>,
    /// Why it did not.
    pub problem: Option<String>,
    /// What the owner has in the lake, by reader and installation.
    pub chains: Vec<LakeChainDocument>,
    /// Whether what the owner took back is gone; `null` if the storage was not asked or
    /// nothing was taken back.
    pub receipt: Option<LakeReceiptDocument>,
    /// The loaders of engines, and how far they are with what the owner has.
    pub loaders: Vec<LakeLoaderDocument>,
    /// The pushes of this machine; `null` if they are not known.
    pub pushes: Option<LakePushesDocument>,
}

impl Document for LakeStatusDocument {
    const SCHEMA: &'static str = "annals/lake-status/1";
    const COMMAND: &'static str = "`annals lake status`";
}

/// What one installation has in the lake for one group of readers.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LakeChainDocument {
    /// Who it is for: `private`, `team:NAME` or `org`.
    pub audience: String,
    /// The installation that wrote it.
    pub installation: String,
    /// Whether that is this one.
    pub is_own: bool,
    /// The number of its newest manifest.
    pub manifest: u32,
    /// How many segments count.
    pub segments: u64,
    /// How many rows they have.
    pub rows: u64,
    /// How many bytes they have.
    pub bytes: u64,
    /// Who can read it, in words.
    pub readers: String,
}

/// What `annals lake init` configured.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LakeInitDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The storage.
    pub url: String,
    /// Whose rows will be pushed.
    pub owner: String,
    /// The id of this home in the lake.
    pub installation: String,
    /// How much of each session will leave the machine.
    pub level: LakeLevel,
    /// The folders whose sessions will leave, as globs.
    pub projects: Vec<String>,
    /// The configuration file.
    pub configuration: String,
    /// What a push will send, and who can read it.
    pub leaves: Vec<LakeLeavesDocument>,
    /// What else to know about this storage.
    pub notes: Vec<String>,
    /// Whether the owner has left this lake, or was removed by an administrator.
    #[serde(default)]
    pub has_left: bool,
}

impl Document for LakeInitDocument {
    const SCHEMA: &'static str = "annals/lake-init/1";
    const COMMAND: &'static str = "`annals lake init`";
}

/// Something that leaves the machine.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LakeLeavesDocument {
    /// What it is.
    pub content: String,
    /// Who can read it, in words.
    pub readers: String,
}

/// What `annals lake push` sent, or would send.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LakePushDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The storage.
    pub url: String,
    /// Whether nothing was sent, because only the list was asked for.
    pub is_dry_run: bool,
    /// How many sessions of this machine are shared.
    pub sessions: u64,
    /// The objects with new rows, by what they hold and who can read them.
    pub leaves: Vec<LakeRowsDocument>,
    /// The bytes of all new objects.
    pub bytes: u64,
    /// Objects deleted, because newer ones replace them or a session was taken back.
    pub deleted: u64,
    /// Secrets masked in the new rows, by kind.
    pub masked: Vec<LakeMaskedDocument>,
    /// Whether nothing was added because a newer annals has pushed for this installation.
    pub has_old_rules: bool,
    /// Whether nothing was sent because the owner has left the lake, on another machine or
    /// through an administrator.
    pub has_left: bool,
    /// Files that could not be read; the others were sent.
    pub unread: Vec<String>,
    /// The rows themselves, if they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<serde_json::Value>,
}

impl Document for LakePushDocument {
    const SCHEMA: &'static str = "annals/lake-push/1";
    const COMMAND: &'static str = "`annals lake push`, `share`, `unshare`, `forget`";
}

/// New rows of one table for one group of readers.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LakeRowsDocument {
    /// The table: `calls`, `days` or `lines`.
    pub table: Keyword,
    /// The level at which its rows leave.
    pub level: LakeLevel,
    /// Who it is for: `private`, `team:NAME` or `org`.
    pub audience: String,
    /// Who can read it, in words.
    pub readers: String,
    /// How many sessions it is about; 0 for sums by day.
    pub sessions: u64,
    /// The projects, by key.
    pub projects: Vec<String>,
    /// How many rows.
    pub rows: u64,
    /// The bytes of the objects.
    pub bytes: u64,
}

/// Secrets of one kind that were masked.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LakeMaskedDocument {
    /// The kind of secret.
    pub rule: String,
    /// How many.
    pub count: u64,
}

/// The page that `annals lake report` wrote.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LakeReportDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The month, as `2026-11`.
    pub month: String,
    /// The file.
    pub path: String,
    /// How many people the usage is of.
    pub people: u64,
    /// The cost of the month at API prices; `null` if no call has a price.
    pub cost_usd: Option<String>,
}

impl Document for LakeReportDocument {
    const SCHEMA: &'static str = "annals/lake-report/1";
    const COMMAND: &'static str = "`annals lake report`";
}

/// Policies for a bucket.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LakePolicyDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// What they are for: `aws`, `gcp`, `minio` or `clickhouse`.
    pub vendor: Keyword,
    /// The policies.
    pub policies: Vec<LakePolicyFileDocument>,
}

impl Document for LakePolicyDocument {
    const SCHEMA: &'static str = "annals/lake-policy/1";
    const COMMAND: &'static str = "`annals lake init --print-policy`, `load --print-policy`";
}

/// A policy for a bucket.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LakePolicyFileDocument {
    /// A name for its file.
    pub name: String,
    /// What it is for, and who it has to be attached to.
    pub purpose: String,
    /// The policy.
    pub text: String,
}

/// Views with which an engine reads the objects of the lake.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LakeCatalogDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The engine: `duckdb`, `spark` or `clickhouse`.
    pub engine: Keyword,
    /// Whose rows they have: `mine`, `team:NAME`, `org` or `all`.
    pub scope: String,
    /// How many objects the views read.
    pub objects: u64,
    /// How many rows these have, copies included.
    pub rows: u64,
    /// The views, each after those it uses.
    pub views: Vec<LakeViewDocument>,
}

impl Document for LakeCatalogDocument {
    const SCHEMA: &'static str = "annals/lake-catalog/1";
    const COMMAND: &'static str = "`annals lake catalog`";
}

/// A view over objects of the lake.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LakeViewDocument {
    /// Its name.
    pub name: String,
    /// The statement that creates it.
    pub sql: String,
}

/// What `annals lake load` brought to an engine.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LakeLoadDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The servers.
    pub servers: Vec<String>,
    /// The name under which manifests were acknowledged.
    pub loader: String,
    /// Objects that count.
    pub objects: u64,
    /// Objects loaded now.
    pub loaded: u64,
    /// Their rows.
    pub rows: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Objects whose rows were deleted, because newer ones replace them or a session was taken
    /// back.
    pub removed: u64,
    /// Sessions that are forgotten.
    pub forgotten: u64,
    /// Objects that were replaced meanwhile; the next load has the new ones.
    pub replaced: u64,
    /// Chains of manifests that were acknowledged.
    pub acknowledged: u64,
    /// Objects that cannot be used, with the reason.
    pub unusable: Vec<String>,
}

impl Document for LakeLoadDocument {
    const SCHEMA: &'static str = "annals/lake-load/1";
    const COMMAND: &'static str = "`annals lake load`";
}

impl LakeStatusDocument {
    /// What is configured. The lake was not asked.
    pub fn new(settings: &LakeSettings) -> Self {
        let settings = settings.clone();
        LakeStatusDocument {
            schema: Self::SCHEMA.into(),
            url: settings.url,
            owner: settings.owner,
            installation: settings.installation,
            level: settings.level,
            max_level: settings.max_level,
            projects: settings.projects,
            allowed_projects: settings.allowed_projects,
            exclude: settings.exclude,
            share: settings.share,
            push: settings.push,
            reachable: None,
            problem: None,
            chains: Vec::new(),
            receipt: None,
            loaders: Vec::new(),
            pushes: None,
        }
    }
}
