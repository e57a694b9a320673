//! A session in JSON, the same wherever one occurs.

use crate::marks::{MarkDocument, Marks};
use crate::output::Row;
use jiff::Timestamp;
use library::Session;
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
        let facts = session.facts.clone();
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
        }
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
        ]
    }
}
