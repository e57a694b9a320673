//! A session in JSON, the same wherever one occurs.

use crate::marks::{MarkDocument, Marks};
use crate::output::Row;
use jiff::Timestamp;
use library::{Session, SessionSums};
use render::json::{serialize_moment, serialize_optional_moment};
use serde::Serialize;

/// A session. Names are fixed; fields may be added.
#[derive(Debug, Serialize)]
pub(crate) struct SessionDocument {
    id: String,
    project: Option<String>,
    cwd: Option<String>,
    folder: Option<String>,
    root: String,
    path: Option<String>,
    presence: &'static str,
    title: Option<String>,
    summary: Option<String>,
    first_prompt: Option<String>,
    last_prompt: Option<String>,
    branch: Option<String>,
    tag: Option<String>,
    archived: bool,
    #[serde(serialize_with = "serialize_optional_moment")]
    created_at: Option<Timestamp>,
    #[serde(serialize_with = "serialize_moment")]
    modified_at: Timestamp,
    bytes: u64,
    version: Option<String>,
    entrypoint: Option<String>,
    kind: &'static str,
    hidden: Option<&'static str>,
    is_current: bool,
    is_running: bool,
    copies: Vec<String>,
    agents: usize,
    pull_requests: Vec<PullRequestDocument>,
    continued_in: Option<String>,
    marks: Vec<MarkDocument>,
    messages: Option<u64>,
    turns: Option<u64>,
    models: Option<Vec<String>>,
    cost_usd: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct PullRequestDocument {
    number: Option<u64>,
    url: Option<String>,
    repository: Option<String>,
}

impl From<store::PullRequest> for PullRequestDocument {
    fn from(pull_request: store::PullRequest) -> Self {
        PullRequestDocument {
            number: pull_request.number,
            url: pull_request.url,
            repository: pull_request.repository,
        }
    }
}

impl SessionDocument {
    /// A session, with the bookmarks in it.
    pub(crate) fn new(session: &Session, marks: &Marks) -> Self {
        let facts = session.metadata.clone();
        let pull_requests = facts.pull_requests.into_iter().map(PullRequestDocument::from);
        SessionDocument {
            id: session.id.clone(),
            project: session.project.clone(),
            cwd: facts.cwd,
            folder: session.folder.clone(),
            root: session.root.to_string_lossy().into_owned(),
            path: session.path.as_ref().map(|path| path.to_string_lossy().into_owned()),
            presence: session.presence.name(),
            title: facts.title,
            summary: facts.summary,
            first_prompt: facts.first_prompt,
            last_prompt: facts.last_prompt,
            branch: facts.branch,
            tag: facts.tag,
            archived: facts.archived.unwrap_or_default(),
            created_at: facts.created,
            modified_at: facts.modified,
            bytes: facts.bytes,
            version: facts.version,
            entrypoint: facts.entrypoint,
            kind: facts.kind.name(),
            hidden: session.unlisted.map(library::Unlisted::name),
            is_current: session.is_current,
            is_running: session.is_running,
            copies: session.copies.iter().map(|path| path.to_string_lossy().into_owned()).collect(),
            agents: session.agents,
            pull_requests: pull_requests.collect(),
            continued_in: facts.continued_in,
            marks: marks.documents(&session.id),
            messages: None,
            turns: None,
            models: None,
            cost_usd: None,
        }
    }

    /// The same, with what the session comes to, where that is known.
    pub(crate) fn with_sums(mut self, sums: Option<&SessionSums>) -> Self {
        if let Some(sums) = sums {
            self.messages = Some(sums.messages);
            self.turns = Some(sums.turns);
            self.models = Some(sums.models.iter().cloned().collect());
            self.cost_usd = sums.cost.map(usage::PicoUsd::decimal);
        }
        self
    }
}

impl Row for SessionDocument {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "modified_at",
        "created_at",
        "project",
        "branch",
        "title",
        "summary",
        "first_prompt",
        "tag",
        "bytes",
        "agents",
        "version",
        "presence",
        "path",
        "messages",
        "turns",
        "models",
        "cost_usd",
    ];

    fn cells(&self) -> Vec<String> {
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        vec![
            self.id.clone(),
            render::json::moment(self.modified_at),
            self.created_at.map(render::json::moment).unwrap_or_default(),
            text(&self.project),
            text(&self.branch),
            text(&self.title),
            text(&self.summary),
            text(&self.first_prompt),
            text(&self.tag),
            self.bytes.to_string(),
            self.agents.to_string(),
            text(&self.version),
            self.presence.to_owned(),
            text(&self.path),
            self.messages.map(|count| count.to_string()).unwrap_or_default(),
            self.turns.map(|count| count.to_string()).unwrap_or_default(),
            self.models.as_ref().map(|models| models.join(" ")).unwrap_or_default(),
            text(&self.cost_usd),
        ]
    }
}
