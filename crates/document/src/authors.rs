//! The authors of the lines of a file, and the sessions behind a commit.

use crate::table::Column;
use crate::{Document, Keyword, LeadingPromptDocument, Moment, TurnId};
use library::files::{Author, Blame, CommitOrigin, Touch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The session that last wrote each line of a file.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BlameDocument<'a> {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The file.
    pub path: Cow<'a, str>,
    /// How many changes are recorded.
    pub changes: usize,
    /// How many lines the file has.
    pub total: usize,
    /// Lines that recorded changes explain.
    pub explained: usize,
    /// Lines that are older than the first recorded change.
    pub before_records: usize,
    /// Lines that came between or after the recorded changes.
    pub not_recorded: usize,
    /// Whether too many lines changed at once to compare all of them: lines that are not explained may have been written by a recorded change.
    #[serde(default)]
    pub is_coarse: bool,
    /// The lines.
    pub lines: Vec<BlameLineDocument<'a>>,
}

impl Document for BlameDocument<'_> {
    const SCHEMA: &'static str = "annals/blame/1";
    const COMMAND: &'static str = "`annals files --blame PATH`";
    const ROWS: Option<&'static str> = Some("lines");
    const COLUMNS: &'static [Column] = &[
        Column::of("number"),
        Column::of("session_id"),
        Column::of("agent_id"),
        Column::of("timestamp"),
        Column::from("prompt", "prompt.text"),
        Column::of("explained"),
        Column::of("text"),
    ];
}

/// A line of a file.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BlameLineDocument<'a> {
    /// Its number, from 1.
    pub number: u64,
    /// The line.
    pub text: Cow<'a, str>,
    /// Whether a recorded change explains it.
    pub explained: bool,
    /// If not: `before_records`, it is older than the first recorded change; `not_recorded`, it came between or after them, or nothing shows when.
    pub reason: Option<Keyword>,
    /// The session that wrote it.
    pub session_id: Option<Cow<'a, str>>,
    /// The sub-agent that wrote it.
    pub agent_id: Option<Cow<'a, str>>,
    /// The tool.
    pub tool: Option<Cow<'a, str>>,
    /// The id of the call.
    pub tool_use_id: Option<Cow<'a, str>>,
    /// When it was written.
    pub timestamp: Option<Moment>,
    /// The turn of the call: of the session, or of the sub-agent.
    pub turn: Option<TurnId>,
    /// The prompt that led to it; `null` if none is known.
    pub prompt: Option<LeadingPromptDocument>,
}

impl<'a> BlameDocument<'a> {
    /// The lines of a file, with how many of them have which kind of author.
    pub fn new(path: &'a str, blame: &Blame, lines: Vec<BlameLineDocument<'a>>) -> Self {
        let count = |is_so: fn(Author) -> bool| {
            blame.lines.iter().filter(|(_, author)| is_so(*author)).count()
        };
        BlameDocument {
            schema: Self::SCHEMA.into(),
            path: path.into(),
            changes: blame.changes.len(),
            total: blame.lines.len(),
            explained: count(|author| matches!(author, Author::Change(_))),
            before_records: count(|author| author == Author::Before),
            not_recorded: count(|author| author == Author::Elsewhere),
            is_coarse: blame.is_coarse,
            lines,
        }
    }
}

impl<'a> BlameLineDocument<'a> {
    /// The lines of a file.
    pub fn of(blame: &'a Blame) -> Vec<Self> {
        let lines = (1..).zip(&blame.lines);
        lines.map(|(number, (text, author))| Self::new(number, text, *author, blame)).collect()
    }

    fn new(number: u64, text: &'a str, author: Author, blame: &'a Blame) -> Self {
        let touch = blamed_change(blame, author);
        BlameLineDocument {
            number,
            text: text.into(),
            explained: touch.is_some(),
            reason: match author {
                Author::Change(_) => None,
                Author::Before => Some("before_records".into()),
                Author::Elsewhere => Some("not_recorded".into()),
            },
            session_id: touch.map(|touch| touch.session_id.as_str().into()),
            agent_id: touch.and_then(|touch| touch.agent_id.as_deref()).map(Cow::from),
            tool: touch.map(|touch| touch.tool.as_str().into()),
            tool_use_id: touch.and_then(|touch| touch.tool_use_id.as_deref()).map(Cow::from),
            timestamp: touch.and_then(|touch| touch.time).map(Moment),
            turn: touch.and_then(|touch| touch.turn).map(TurnId),
            prompt: touch
                .and_then(|touch| touch.prompt.as_deref())
                .map(LeadingPromptDocument::from),
        }
    }
}

/// The change that wrote a line.
pub fn blamed_change(blame: &Blame, author: Author) -> Option<&Touch> {
    match author {
        Author::Change(number) => blame.changes.get(number),
        Author::Before | Author::Elsewhere => None,
    }
}

/// The commits whose hash begins so, one for each session that made it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CommitsDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The commits.
    pub commits: Vec<CommitDocument>,
}

impl Document for CommitsDocument {
    const SCHEMA: &'static str = "annals/commit/1";
    const COMMAND: &'static str = "`annals files --commit SHA`";
    const ROWS: Option<&'static str> = Some("commits");
    const COLUMNS: &'static [Column] = &[
        Column::of("hash"),
        Column::of("timestamp"),
        Column::of("branch"),
        Column::of("subject"),
        Column::of("session_id"),
        Column::of("agent_id"),
        Column::lines("prompts", "text"),
        Column::lines("files", "path"),
    ];
}

impl CommitsDocument {
    /// The commits that were found.
    pub fn new(commits: Vec<CommitDocument>) -> Self {
        CommitsDocument { schema: Self::SCHEMA.into(), commits }
    }
}

/// A commit with the prompts and changes behind it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CommitDocument {
    /// The hash, as git printed it.
    pub hash: String,
    /// The branch.
    pub branch: Option<String>,
    /// The first line of its message.
    pub subject: Option<String>,
    /// When it was made.
    pub timestamp: Option<Moment>,
    /// The session that made it.
    pub session_id: String,
    /// The session's title.
    pub title: Option<String>,
    /// The sub-agent that made it.
    pub agent_id: Option<String>,
    /// The working directory.
    pub cwd: Option<String>,
    /// Its line in the transcript.
    pub line: u64,
    /// The turn of the call that made it: of the session, or of the sub-agent.
    pub turn: Option<TurnId>,
    /// The session's commit before.
    pub previous: Option<String>,
    /// The prompts since that commit, and those that led to changes since then.
    pub prompts: Vec<LeadingPromptDocument>,
    /// The files changed since that commit.
    pub files: Vec<CommitFileDocument>,
}

/// A file that was changed since the commit before.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CommitFileDocument {
    /// Its path.
    pub path: String,
    /// How often it was changed.
    pub changes: u64,
    /// Lines added.
    pub added: u64,
    /// Lines removed.
    pub removed: u64,
}

impl CommitDocument {
    /// A commit, with the title of its session.
    pub fn new(origin: &CommitOrigin, title: Option<String>) -> Self {
        let mut files: BTreeMap<&str, CommitFileDocument> = BTreeMap::new();
        for touch in &origin.changes {
            let file = files.entry(&touch.path).or_insert_with(|| CommitFileDocument {
                path: touch.path.clone(),
                changes: 0,
                added: 0,
                removed: 0,
            });
            file.changes += 1;
            file.added = file.added.saturating_add(touch.added);
            file.removed = file.removed.saturating_add(touch.removed);
        }
        let commit = &origin.commit;
        let prompts = origin.prompts.iter();
        CommitDocument {
            hash: commit.hash.clone(),
            branch: commit.branch.clone(),
            subject: commit.subject.clone(),
            timestamp: commit.time.map(Moment),
            session_id: origin.session_id.clone(),
            title,
            agent_id: origin.agent_id.clone(),
            cwd: origin.cwd.clone(),
            line: origin.line,
            turn: origin.turn.map(TurnId),
            previous: origin.previous.clone(),
            prompts: prompts.map(|prompt| LeadingPromptDocument::from(&**prompt)).collect(),
            files: files.into_values().collect(),
        }
    }
}
