//! Hits of a pattern.
//!
//! `grep` writes its hits as it finds them, so `total` comes after `hits`. The
//! type of the whole is here for those who read it.

use crate::search::{in_characters, open_command};
use crate::table::{Column, columns};
use crate::{Document, Keyword, Moment, TurnId};
use conversation::TurnNumber;
use library::search::Hit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Hits of a pattern: one for each block, output or plan that matches, newest session first. Lines that copies of a session share with it are searched once; of tool outputs the first 16 MB are searched.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GrepDocument<'a> {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The pattern; several patterns are joined with `|`.
    pub pattern: Cow<'a, str>,
    /// The hits.
    pub hits: Vec<GrepHitDocument<'a>>,
    /// How many hits there are.
    pub total: usize,
}

impl Document for GrepDocument<'_> {
    const SCHEMA: &'static str = "annals/grep/1";
    const COMMAND: &'static str = "`annals grep`";
    const ROWS: Option<&'static str> = Some("hits");
    const COLUMNS: &'static [Column] = &columns([
        "timestamp",
        "session_id",
        "agent_id",
        "role",
        "tool",
        "path",
        "line",
        "turn",
        "command",
        "text",
    ]);
}

/// A hit of a pattern.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GrepHitDocument<'a> {
    /// The session; `null`: a plan that no session is known to have made.
    pub session_id: Option<Cow<'a, str>>,
    /// The sub-agent.
    pub agent_id: Option<Cow<'a, str>>,
    /// `user`, `assistant`, `thinking`, `tool_use`, `tool_result`, `summary`, `system`, `attachment`, `queued`, `title`, `plan` (in a separate file).
    pub role: Keyword,
    /// The tool that was called or that answered.
    pub tool: Option<Cow<'a, str>>,
    /// Its time; for outputs and plans in separate files, the time of the file.
    pub timestamp: Option<Moment>,
    /// The file.
    pub path: String,
    /// The line in the file; for outputs and plans in separate files, that of the first match.
    pub line: u64,
    /// The turn it is in, as in `annals show`; `null` for hits outside of the conversation.
    pub turn: Option<TurnId>,
    /// The command that shows this turn; `null`: a plan that no session is known to have made.
    pub command: Option<String>,
    /// The matching lines, with the context lines of `-A`, `-B` and `-C`; with `-o` the matches alone, one a line. `…` marks omitted lines and the omitted parts of very long lines.
    pub text: Cow<'a, str>,
    /// The matches as `[start, end]` in `text`, in characters.
    pub matches: Vec<[usize; 2]>,
    /// Whether there are more than 100 matches.
    pub is_cut: bool,
}

impl<'a> GrepHitDocument<'a> {
    /// A hit in a session, at a turn.
    pub fn new(session_id: Option<&'a str>, hit: &'a Hit, turn: Option<TurnNumber>) -> Self {
        let command = |id: &str| grep_command(id, hit, turn);
        GrepHitDocument {
            session_id: session_id.map(Cow::from),
            agent_id: hit.agent_id.as_deref().map(Cow::from),
            role: hit.role.name().into(),
            tool: hit.tool.as_deref().map(Cow::from),
            timestamp: hit.time.map(Moment),
            path: hit.path.display().to_string(),
            line: hit.line,
            turn: turn.map(TurnId),
            command: session_id.map(command),
            text: hit.text.as_str().into(),
            matches: in_characters(&hit.text, &hit.matches),
            is_cut: hit.is_cut,
        }
    }
}

/// The command that shows a hit, by the id of its session.
pub fn grep_command(session_id: &str, hit: &Hit, turn: Option<TurnNumber>) -> String {
    open_command(session_id, hit.agent_id.as_deref(), hit.source, turn, hit.line, true)
}

/// How many hits each session has.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GrepCountsDocument<'a> {
    /// The name of this document's schema, the same as without `-c`.
    pub schema: Keyword,
    /// The pattern; several patterns are joined with `|`.
    pub pattern: Cow<'a, str>,
    /// How many hits there are.
    pub total: usize,
    /// The sessions that have hits, newest first.
    pub sessions: Vec<GrepCountDocument<'a>>,
}

impl Document for GrepCountsDocument<'_> {
    const SCHEMA: &'static str = "annals/grep/1";
    const COMMAND: &'static str = "`annals grep -c`";
    const FILE: &'static str = "grep-counts";
    const ROWS: Option<&'static str> = Some("sessions");
    const COLUMNS: &'static [Column] = &columns(["session_id", "project", "title", "hits"]);
}

impl<'a> GrepCountsDocument<'a> {
    /// The sessions that are shown.
    pub fn new(pattern: &'a str, total: usize, sessions: Vec<GrepCountDocument<'a>>) -> Self {
        GrepCountsDocument { schema: Self::SCHEMA.into(), pattern: pattern.into(), total, sessions }
    }
}

/// A session with its hits.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GrepCountDocument<'a> {
    /// The session; `null`: a plan that no session is known to have made.
    pub session_id: Option<Cow<'a, str>>,
    /// Its project.
    pub project: Option<Cow<'a, str>>,
    /// Its title; of such a plan, the name of its file.
    pub title: Option<Cow<'a, str>>,
    /// How many hits it has.
    pub hits: usize,
}
