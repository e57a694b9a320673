//! Sessions, and the fields that every document has for a session.

use crate::table::{Column, columns};
use crate::{Document, Keyword, Moment, TurnId};
use archive::Mark;
use conversation::TurnNumber;
use library::apps::App;
use library::facts::{SessionSums, TotalCost};
use library::session::Session;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Sessions, newest first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SessionsDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// How many sessions match, before `--limit`.
    pub total: usize,
    /// The sessions.
    pub sessions: Vec<SessionDocument>,
}

impl Document for SessionsDocument {
    const SCHEMA: &'static str = "annals/sessions/1";
    const COMMAND: &'static str = "`annals ls`, `annals grep -l`";
    const ROWS: Option<&'static str> = Some("sessions");
    const COLUMNS: &'static [Column] = &columns([
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
    ]);
}

impl SessionsDocument {
    /// The sessions that are shown, out of `total`.
    pub fn new(total: usize, sessions: Vec<SessionDocument>) -> Self {
        SessionsDocument { schema: Self::SCHEMA.into(), total, sessions }
    }
}

/// A session.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SessionDocument {
    /// The session's id.
    pub id: String,
    /// The project: for a worktree, its repository; for a folder that moved, its present path.
    pub project: Option<String>,
    /// The working directory the session recorded.
    pub cwd: Option<String>,
    /// The name of the project folder below `projects`.
    pub folder: Option<String>,
    /// The store the session is in.
    pub root: String,
    /// The transcript. If only the archive has it, the path it had. For another app, its file or database.
    pub path: Option<String>,
    /// The app that wrote the session, if it is not Claude Code: `codex`, `opencode`, `copilot`, `gemini` or `pi`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app: Option<Keyword>,
    /// `disk`; `archive`: only the archive has the transcript; `unknown`: the archive has it, and its app may, of which not everything can be read; `prompts_only`: only the prompt history has the session; `lake`: it was brought from the team's lake.
    pub presence: Keyword,
    /// Whose session it is, with `--lake`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The title that was set by hand or by Claude Code.
    pub title: Option<String>,
    /// The summary that Claude Code's own list shows.
    pub summary: Option<String>,
    /// The first prompt.
    pub first_prompt: Option<String>,
    /// The last prompt.
    pub last_prompt: Option<String>,
    /// The git branch.
    pub branch: Option<String>,
    /// The tag.
    pub tag: Option<String>,
    /// Whether the session is archived in Claude Code.
    pub archived_in_claude_code: bool,
    /// The time of the first record.
    pub created_at: Option<Moment>,
    /// When the transcript was last modified.
    pub modified_at: Moment,
    /// The size of the transcript.
    pub bytes: u64,
    /// The version of Claude Code that wrote the session.
    pub version: Option<String>,
    /// How the session was started, as recorded.
    pub entrypoint: Option<String>,
    /// `interactive`, `programmatic`, `warmup`, or `pre_compact_copy`: a copy made before a compaction that represents its session.
    pub kind: Keyword,
    /// Why Claude Code does not list the session ([listing.md](listing.md)).
    pub hidden: Option<Keyword>,
    /// Whether `--current-session` or the environment names this session.
    pub is_current: bool,
    /// Whether a running process writes this session.
    pub is_running: bool,
    /// Paths of other transcripts with this id.
    pub copies: Vec<String>,
    /// How many sub-agents have a separate transcript.
    pub agents: usize,
    /// The pull requests the session recorded.
    pub pull_requests: Vec<PullRequestDocument>,
    /// The session that continues this one.
    pub continued_in: Option<String>,
    /// The bookmarks in the session (`annals mark`), oldest first.
    pub marks: Vec<MarkDocument>,
    /// Prompts and API responses. Only `ls` gives it, from the index; `null` without one.
    pub messages: Option<u64>,
    /// The number of its last turn. Only `ls` gives it, from the index; `null` without one, and for some very large sessions.
    pub turns: Option<u64>,
    /// The models that answered, in sub-agents too. Only `ls` gives it, from the index; `null` without one.
    pub models: Option<Vec<String>>,
    /// The cost at API prices, with sub-agents. Only `ls` gives it, from the index; `null` without one or if a price is unknown.
    pub cost_usd: Option<String>,
}

/// A pull request.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PullRequestDocument {
    /// Its number.
    pub number: Option<u64>,
    /// Its address.
    pub url: Option<String>,
    /// The repository, as `owner/name`.
    pub repository: Option<String>,
}

/// A bookmark in the session at hand.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MarkDocument {
    /// The bookmark's id.
    pub id: String,
    /// The sub-agent it is in.
    pub agent_id: Option<String>,
    /// The turn, by its present number; `null`: the whole session or sub-agent.
    pub turn: Option<TurnId>,
    /// The note.
    pub note: Option<String>,
    /// When it was set.
    pub at: Moment,
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

impl MarkDocument {
    /// A bookmark whose turn now has this number; `None`: the number it had when it
    /// was set.
    pub fn new(mark: &Mark, turn: Option<TurnNumber>) -> Self {
        MarkDocument {
            id: mark.id.clone(),
            agent_id: mark.target.agent.clone(),
            turn: turn_of(mark, turn),
            note: mark.note.clone(),
            at: mark.at.into(),
        }
    }
}

/// The number of a bookmark's turn: the present one, else that at the time.
pub(crate) fn turn_of(mark: &Mark, now: Option<TurnNumber>) -> Option<TurnId> {
    let then = mark.target.turn.as_ref()?;
    now.or_else(|| then.parse().ok()).map(TurnId)
}

impl SessionDocument {
    /// A session, with the bookmarks in it.
    pub fn new(session: &Session, marks: Vec<MarkDocument>) -> Self {
        let facts = session.metadata.clone();
        let pull_requests = facts.pull_requests.into_iter().map(PullRequestDocument::from);
        SessionDocument {
            id: session.id.clone(),
            project: session.project.clone(),
            cwd: facts.cwd,
            folder: session.folder.clone(),
            root: shown(&session.root),
            path: session.shown_path().map(shown),
            app: Some(session.app()).filter(|app| *app != App::Claude).map(|app| app.name().into()),
            presence: session.presence.name().into(),
            owner: session.owner.clone(),
            title: facts.title,
            summary: facts.summary,
            first_prompt: facts.first_prompt,
            last_prompt: facts.last_prompt,
            branch: facts.branch,
            tag: facts.tag,
            archived_in_claude_code: facts.archived.unwrap_or_default(),
            created_at: facts.created.map(Moment),
            modified_at: facts.modified.into(),
            bytes: facts.bytes,
            version: facts.version,
            entrypoint: facts.entrypoint,
            kind: facts.kind.name().into(),
            hidden: session.unlisted.map(|unlisted| unlisted.name().into()),
            is_current: session.is_current,
            is_running: session.is_running,
            copies: session.copies.iter().map(|path| shown(path)).collect(),
            agents: session.agents,
            pull_requests: pull_requests.collect(),
            continued_in: facts.continued_in,
            marks,
            messages: None,
            turns: None,
            models: None,
            cost_usd: None,
        }
    }

    /// The same session with the figures of the index, where it has them.
    #[must_use]
    pub fn with_sums(mut self, sums: Option<&SessionSums>) -> Self {
        if let Some(sums) = sums {
            self.messages = sums.messages;
            self.turns = sums.turns;
            self.models = Some(sums.models.iter().cloned().collect());
            self.cost_usd = sums.cost.known().map(usage::PicoUsd::decimal);
        }
        self
    }
}

/// What a session cost, in a list: nothing without API calls, `unknown` if a model has no
/// known price.
pub fn session_cost(sums: Option<&SessionSums>) -> String {
    match sums.map(|sums| sums.cost).unwrap_or_default() {
        TotalCost::NoCalls => String::new(),
        TotalCost::Known(cost) => render::money(cost),
        TotalCost::Unknown => "unknown".to_owned(),
    }
}

/// A path as documents write it.
pub(crate) fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
