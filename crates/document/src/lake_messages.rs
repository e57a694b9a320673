//! What `annals` and its program `annals-lake` say to each other.
//!
//! [`LakeRequest`] and [`LakeAnswer`] are lines between two programs of the same version, not
//! documents for others: they have no schema.

use crate::{
    LakeCatalogDocument, LakeInitDocument, LakeLevel, LakeLoadDocument, LakePolicyDocument,
    LakePushDocument, LakePushMode, LakeShareDocument, LakeStatusDocument, LakeTakeBackDocument,
    LakeVerifyDocument,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
    /// The command that prints accounts of the engine.
    pub engine_command: Option<LakeCommand>,
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
    /// Tokens and costs: the reader's own calls, and the sums by day of other people.
    Usage,
    /// The list of sessions.
    List,
    /// Text with all of these words, as `index::words` makes them; without words, any text.
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

impl LakeQuestion {
    /// Whether it is about tokens and costs alone.
    pub fn is_usage(&self) -> bool {
        matches!(self, LakeQuestion::Usage)
    }
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
    /// The keys of projects by the names of their folders in the store.
    pub projects: BTreeMap<String, String>,
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
