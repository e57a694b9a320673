//! What the web app knows of its server, and why a request failed.

use crate::{Document, Keyword, Moment};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The server behind a page of the web app.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WebStateDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The version of annals.
    pub version: String,
    /// The value of the header `X-Annals` that actions need; absent if there are no actions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Whether the server offers no actions.
    pub read_only: bool,
    /// Whether secrets are shown.
    pub reveal: bool,
    /// Whether the store is the demo store.
    pub demo: bool,
    /// The stores.
    pub roots: Vec<String>,
    /// The filters that the server was started with, by name.
    pub filters: BTreeMap<String, String>,
    /// The time zone of days.
    pub zone: String,
    /// The server's time.
    pub now: Moment,
    /// Whether there is any Claude Code data.
    pub has_store: bool,
    /// The home folder, which pages show as `~`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub home_folder: Option<String>,
    /// The search index.
    pub index: WebIndexDocument,
    /// Names the server's process: another value means that it was restarted.
    pub process: String,
}

impl Document for WebStateDocument {
    const SCHEMA: &'static str = "annals/web-state/1";
    const COMMAND: &'static str = "`GET api/1/state`";
    const ROWS: Option<&'static str> = None;
}

/// The state of the search index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WebIndexDocument {
    /// `none`, `building`, `stale`, `fresh` or `locked` (it cannot be updated).
    pub state: Keyword,
    /// While it is updated: how many bytes were read.
    pub done: u64,
    /// While it is updated: how many bytes are to be read.
    pub total: u64,
}

/// Why a request to the web app's server failed.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WebErrorDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// What failed, on what, and why.
    pub error: String,
    /// What to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// After how many seconds to try again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u32>,
}

impl Document for WebErrorDocument {
    const SCHEMA: &'static str = "annals/error/1";
    const COMMAND: &'static str = "`GET api/1/…`, if a request fails";
    const ROWS: Option<&'static str> = None;
}
