//! The team lake: what `annals lake` answers with, and what `annals` and its program
//! `annals-lake` say to each other.
//!
//! [`LakeRequest`] and [`LakeAnswer`] are lines between two programs of the same version, not
//! documents for others: they have no schema.

use crate::{
    Document, Keyword, LakeLoaderDocument, LakePushesDocument, LakeReceiptDocument,
    LakeTakeBackDocument, LakeVerifyDocument,
};
use jiff::Timestamp;
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

/// A command that prints credentials.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LakeCommand {
    /// A program and its arguments.
    Program(Vec<String>),
    /// A line for `sh -c`.
    Shell(String),
}

/// The settings of `[lake]`, with those of a managed configuration.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LakeSettings {
    /// The storage.
    pub url: Option<String>,
    /// Whose rows they are.
    pub owner: Option<String>,
    /// The id of this home.
    pub installation: Option<String>,
    /// The home folder, for `~` in globs.
    pub home: Option<String>,
    /// How much leaves, at most `max_level`.
    pub level: LakeLevel,
    /// The highest level that a managed configuration allows.
    pub max_level: Option<LakeLevel>,
    /// The folders whose sessions leave.
    pub projects: Vec<String>,
    /// The folders to which a managed configuration limits them.
    pub allowed_projects: Vec<String>,
    /// Folders whose sessions stay.
    pub exclude: Vec<String>,
    /// Rules for single projects, at most at `max_level`.
    pub share: Vec<LakeShareDocument>,
    /// Whether pushes start by themselves.
    pub push: LakePushMode,
    /// The engine that answers questions; the embedded one if none is named.
    pub engine: Option<String>,
    /// The command that prints credentials.
    pub credentials_command: Option<LakeCommand>,
    /// Whether everybody with access to a folder may read more than usage.
    pub everyone_may_read: bool,
}

/// What `annals` asks of `annals-lake`: one line on its standard input.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LakeRequest {
    /// The version of the program that asks.
    pub version: String,
    /// The settings.
    pub settings: LakeSettings,
    /// What to do.
    pub action: LakeAction,
}

/// What a push needs to know of this machine.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LakeMachine {
    /// The stores.
    pub roots: Vec<String>,
    /// The folder of annals' own data.
    pub data_home: String,
    /// Working directories and transcripts that annals ignores, as globs.
    pub exclude: Vec<String>,
}

/// What to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LakeAction {
    /// Bring the lake in line with what is shared.
    Push {
        /// This machine.
        machine: LakeMachine,
        /// Send nothing, and say what would leave.
        is_dry_run: bool,
        /// Also return the rows.
        with_rows: bool,
    },
    /// Decide who a session is for, and push.
    Decide {
        /// This machine.
        machine: LakeMachine,
        /// The session.
        session: String,
        /// `private`, `team:NAME`, `org`, or nothing: the lake forgets it.
        audience: Option<String>,
        /// Refuse if others cannot read it now.
        only_if_shared: bool,
    },
    /// Check the settings and the storage, and say what would leave. Sends nothing.
    Init,
    /// Bring onto this machine what a question needs.
    Read {
        /// The folder of annals' own data.
        data_home: String,
        /// The question.
        question: LakeQuestion,
        /// Whose rows: `mine`, `team:NAME` or `org`.
        scope: String,
    },
    /// Print views over the objects.
    Catalog {
        /// The engine that will read them.
        engine: String,
        /// Whose rows: `mine`, `team:NAME`, `org` or `all`.
        scope: String,
        /// Where the engine finds the objects, if not at the address of the lake.
        location: Option<String>,
    },
    /// Fill an engine.
    Load {
        /// The servers that share the rows.
        servers: Vec<String>,
        /// The name under which manifests are acknowledged.
        loader: String,
    },
    /// Print the accounts of an engine's readers.
    EnginePolicy {
        /// `users-xml` or `sql`.
        form: String,
        /// The server, for the name of the database.
        server: Option<String>,
        /// `NAME` or `NAME:TEAM,TEAM`.
        readers: Vec<String>,
        /// Of these, who sees all costs.
        finance: Vec<String>,
    },
    /// Say what is in the lake.
    Status {
        /// This machine, if its pushes are asked for.
        machine: Option<LakeMachine>,
    },
    /// Take rows back without the machines of their owners.
    TakeBack {
        /// From whom; everybody whose chains may be listed if nobody is named.
        owner: Option<String>,
        /// What to take back.
        what: LakeTakenBack,
    },
    /// Take everything of the configured owner back, and delete what this machine has of the
    /// lake.
    Leave {
        /// This machine.
        machine: LakeMachine,
        /// Wait until it is gone everywhere.
        waits: bool,
    },
    /// Take part again after leaving.
    Join {
        /// This machine.
        machine: LakeMachine,
    },
    /// Compare every object with its manifest, and this machine with the lake.
    Verify {
        /// This machine, to compare it.
        machine: Option<LakeMachine>,
        /// Check the chains of everybody that may be listed.
        everyone: bool,
    },
    /// Print policies.
    Policy {
        /// Whose storage they are for.
        vendor: String,
        /// The teams they are about.
        teams: Vec<String>,
    },
}

/// What to take back.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LakeTakenBack {
    /// Everything, and the lake takes nothing until the owner joins again.
    Everything,
    /// The sessions of a project, by its key.
    Project(String),
    /// Rows of months before one.
    Expired {
        /// The lowest level that expires.
        level: LakeLevel,
        /// The month, as `YYYYMM`.
        before: String,
    },
}

/// What `annals-lake` answers: one line each on its standard output.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LakeAnswer {
    /// Comes first, before the request is read.
    Hello {
        /// The version of the program.
        version: String,
    },
    /// How far it is. Any number of these.
    Progress {
        /// What it is doing.
        step: String,
        /// How much is done.
        done: u64,
        /// How much there is.
        total: u64,
    },
    /// The answer to [`LakeAction::Init`]. The configuration file is added by who writes it.
    Init(LakeInitDocument),
    /// The answer to [`LakeAction::Status`].
    Status(Box<LakeStatusDocument>),
    /// The answer to [`LakeAction::Catalog`].
    Catalog(LakeCatalogDocument),
    /// The answer to [`LakeAction::Load`].
    Load(LakeLoadDocument),
    /// The answer to [`LakeAction::Policy`] and [`LakeAction::EnginePolicy`].
    Policy(LakePolicyDocument),
    /// The answer to [`LakeAction::Push`] and [`LakeAction::Decide`].
    Push(LakePushDocument),
    /// The answer to [`LakeAction::Read`].
    Read(LakeView),
    /// The answer to [`LakeAction::TakeBack`] and [`LakeAction::Leave`].
    TakeBack(LakeTakeBackDocument),
    /// The answer to [`LakeAction::Verify`].
    Verify(LakeVerifyDocument),
    /// The answer to [`LakeAction::Join`].
    Joined,
    /// It failed.
    Failure(LakeFailure),
}

/// What is asked about the lake.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LakeQuestion {
    /// Tokens and costs.
    Usage,
    /// The list of sessions.
    List,
    /// Text with all of these words; without words, any text.
    Search {
        /// The words.
        words: Vec<String>,
    },
    /// One session.
    Session {
        /// Its id, the beginning of it, or a word of its title.
        name: String,
    },
    /// Touched files.
    Files {
        /// The file or pattern, if only some are asked for.
        path: Option<String>,
    },
    /// Anything.
    Sql,
}

/// What `annals-lake` brought for a question: stores and sums, on this machine.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub struct LakeView {
    /// Who reads.
    pub reader: String,
    /// The folder for the index over the stores.
    pub home: String,
    /// Whose rows it has, in order of their names.
    pub owners: Vec<LakeOwnerView>,
    /// When the lake was like this.
    pub as_of: Timestamp,
    /// Why the lake did not answer now, if this is what it answered before.
    pub problem: Option<String>,
    /// Objects that cannot be used, with the reasons.
    pub unusable: Vec<(String, String)>,
}

/// What a [`LakeView`] has of one owner.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub struct LakeOwnerView {
    /// The owner.
    pub owner: String,
    /// The store with the sessions.
    pub root: Option<String>,
    /// The file with the sums by day, if the calls are not there.
    pub days: Option<String>,
    /// How many sessions the store has.
    pub sessions: u64,
    /// Of these, the ones with more than usage.
    pub with_metadata: u64,
    /// Of these, the ones with text.
    pub with_text: u64,
}

/// The sums by day of one owner: a file between the two programs.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
pub struct LakeDaySums {
    /// The objects they were made from.
    pub segments: Vec<String>,
    /// The sums, in order of days, projects and models.
    pub sums: Vec<LakeDaySum>,
}

impl LakeDaySums {
    /// Reads a file; `None` if it is not one of these.
    pub fn parse(bytes: &[u8]) -> Option<LakeDaySums> {
        serde_json::from_slice(bytes).ok()
    }
}

/// What one project and model took on one day in UTC.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
pub struct LakeDaySum {
    /// The day, as `2026-11-01`; none for calls without a time.
    pub day: Option<String>,
    /// The key of the project.
    pub project: String,
    /// The model.
    pub model: Option<String>,
    /// How many calls.
    pub calls: u64,
    /// Prompt tokens outside the cache.
    pub input_tokens: u64,
    /// Output tokens.
    pub output_tokens: u64,
    /// Of these, thinking tokens.
    pub thinking_tokens: u64,
    /// Tokens written to the cache for five minutes.
    pub cache_write_5m_tokens: u64,
    /// Tokens written to the cache for an hour.
    pub cache_write_1h_tokens: u64,
    /// Tokens read from the cache.
    pub cache_read_tokens: u64,
    /// Web searches.
    pub web_searches: u64,
    /// The cost of the calls that have one, in trillionths of a dollar.
    #[serde(with = "digits")]
    pub cost_pico: i128,
    /// How many calls have no cost, because the price is unknown.
    pub unpriced_calls: u64,
}

/// A number as text: JSON readers would round one of more than 64 bits.
mod digits {
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(number: &i128, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(number)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<i128, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

/// Why a request to `annals-lake` failed.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub struct LakeFailure {
    /// What failed, on what, and why, with a line `hint:` if there is one.
    pub message: String,
    /// The setting that is wrong, as in the configuration file: `lake.url`.
    pub setting: Option<String>,
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
