//! What `annals setup` changed in Claude Code, or would change.

use crate::{Document, Keyword};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A run of setup, part by part.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SetupDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The configuration folder of Claude Code.
    pub config: String,
    /// Its settings file.
    pub settings: String,
    /// The program to install.
    pub program: String,
    /// The receipt: the file that records what setup installed.
    pub receipt: String,
    /// The backup of the settings that this run saved.
    pub backup: Option<String>,
    /// Whether this run removes what setup installed.
    pub is_removal: bool,
    /// Whether this run could not change anything, because nobody agreed.
    pub is_dry_run: bool,
    /// Notices, for example about managed settings.
    pub notes: Vec<String>,
    /// Failures that belong to no part; exit code 2.
    pub problems: Vec<String>,
    /// The parts, in the order in which they were proposed.
    pub parts: Vec<SetupPartDocument>,
}

impl Document for SetupDocument {
    const SCHEMA: &'static str = "annals/setup/1";
    const COMMAND: &'static str = "`annals setup`";
}

/// One part of setup: its change, and the outcome.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SetupPartDocument {
    /// `hooks`, `statusline`, `skill`, `cleanup`, `mcp` or `timer`.
    pub part: Keyword,
    /// `unchanged` (already in place; with `--remove`, not installed), `planned` (would change),
    /// `done`, `declined` (you said no), `manual` (you have to run the commands), `refused`
    /// (annals may not change it) or `failed`. The last two give exit code 2.
    pub status: Keyword,
    /// Details of the status.
    pub detail: String,
    /// The files that are read or changed.
    pub paths: Vec<String>,
    /// The proposed or completed change, as a unified diff.
    pub diff: String,
    /// The commands that annals runs, or leaves to you.
    pub commands: Vec<String>,
}
