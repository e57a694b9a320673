//! Hits of a search for words.

use crate::table::{Column, columns};
use crate::{Document, Keyword, Moment, TurnId, show_command, show_line_command};
use conversation::TurnNumber;
use library::search::{FoundHit, Freshness, NearbyMessage, SearchAnswer, SourceKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::time::Duration;

/// Hits, the best first (`--sort time`: the newest first). A hit is one content block.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HitsDocument<'a> {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The query.
    pub query: Cow<'a, str>,
    /// How many blocks match, if all were looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<usize>,
    /// How many blocks match at least, if not all were looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_at_least: Option<usize>,
    /// How long the search took, in milliseconds.
    pub took_ms: u64,
    /// Whether the index is up to date with the files.
    pub fresh: bool,
    /// Whether the index has read every file at least once, and every line of it.
    pub index_complete: bool,
    /// If it has not: it has read everything that changed since then.
    pub covered_since: Option<Moment>,
    /// The `--offset` of the next page; `null` on the last one.
    pub next: Option<usize>,
    /// Suggestions for words without hits.
    pub similar_words: Vec<NearWordDocument<'a>>,
    /// The hits; 50, unless `--limit` says otherwise.
    pub hits: Vec<HitDocument<'a>>,
}

impl Document for HitsDocument<'_> {
    const SCHEMA: &'static str = "annals/hits/1";
    const COMMAND: &'static str = "`annals search`";
    const ROWS: Option<&'static str> = Some("hits");
    const COLUMNS: &'static [Column] = &columns([
        "timestamp",
        "session_id",
        "agent_id",
        "project",
        "branch",
        "title",
        "role",
        "kind",
        "tool",
        "state",
        "turn",
        "presence",
        "score",
        "snippet",
        "path",
        "line",
        "duplicates_in",
        "command",
    ]);
}

/// Suggestions for a word without hits.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct NearWordDocument<'a> {
    /// The word.
    pub word: Cow<'a, str>,
    /// Words like it that have hits.
    pub similar: Cow<'a, [String]>,
}

/// A hit of a search.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HitDocument<'a> {
    /// The session; `null`: a plan that no session is known to have made.
    pub session_id: Option<Cow<'a, str>>,
    /// The session's project.
    pub project: Option<Cow<'a, str>>,
    /// The session's working directory.
    pub cwd: Option<Cow<'a, str>>,
    /// The session's git branch.
    pub branch: Option<Cow<'a, str>>,
    /// The session's title.
    pub title: Option<Cow<'a, str>>,
    /// The id of the record.
    pub uuid: Option<Cow<'a, str>>,
    /// The sub-agent.
    pub agent_id: Option<Cow<'a, str>>,
    /// The role, as in `annals grep`.
    pub role: Keyword,
    /// `prompt`, `answer`, `thinking`, `call`, `result`, `output` (of a tool, in a separate file), `plan`, `summary`, `note`, `title`, `recall` (a call of annals itself; left out unless `is:recall`).
    pub kind: Keyword,
    /// The tool that was called or that answered.
    pub tool: Option<Cow<'a, str>>,
    /// Its time.
    pub timestamp: Option<Moment>,
    /// `live`, `abandoned`, `orphaned`, `compacted`; `null` for hits outside of messages.
    pub state: Option<Keyword>,
    /// The turn it is in, as in `annals show`; `null` for hits outside of the conversation.
    pub turn: Option<TurnId>,
    /// The command that shows this turn; `null`: a plan that no session is known to have made.
    pub command: Option<String>,
    /// `disk`; `archive`: only the archive has it; `unknown`: the archive has it, and its app may; `lake`: it was brought from the team's lake.
    pub presence: Keyword,
    /// Whose session it is, with `--lake`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Cow<'a, str>>,
    /// Its rank: higher is better.
    pub score: f64,
    /// The text around the match, with white space as single spaces.
    pub snippet: Cow<'a, str>,
    /// The matches as `[start, end]` in `snippet`, in characters.
    pub highlights: Vec<[usize; 2]>,
    /// The file.
    pub path: String,
    /// The line in the file.
    pub line: u64,
    /// How many other blocks have the same or nearly the same text.
    pub duplicates: usize,
    /// The other sessions that have these blocks: at most 20, with `--limit 0` all.
    pub duplicates_in: Vec<Cow<'a, str>>,
    /// How many other sessions that are.
    pub duplicate_sessions: usize,
    /// With `--context`: the messages before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<NearbyMessageDocument<'a>>,
    /// With `--context`: the messages after.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<NearbyMessageDocument<'a>>,
}

/// A message near a hit.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct NearbyMessageDocument<'a> {
    /// Its role.
    pub role: Keyword,
    /// Its line in the file.
    pub line: u64,
    /// Its text.
    pub text: Cow<'a, str>,
}

impl<'a> From<&'a NearbyMessage> for NearbyMessageDocument<'a> {
    fn from(around: &'a NearbyMessage) -> Self {
        NearbyMessageDocument {
            role: around.role.name().into(),
            line: around.line,
            text: around.text.as_str().into(),
        }
    }
}

impl<'a> HitsDocument<'a> {
    /// The answer to a query. `names_all` is whether each hit names all sessions that
    /// have the same text.
    pub fn new(
        query: &'a str,
        answer: &'a SearchAnswer,
        names_all: bool,
        fresh: &Freshness,
        took: Duration,
    ) -> Self {
        let most = if names_all { usize::MAX } else { MOST_SESSIONS };
        let near = answer.near.iter().map(|(word, near)| NearWordDocument {
            word: word.as_str().into(),
            similar: Cow::Borrowed(near),
        });
        HitsDocument {
            schema: Self::SCHEMA.into(),
            query: query.into(),
            total: (!answer.is_cut).then_some(answer.total),
            total_at_least: answer.is_cut.then_some(answer.total),
            took_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            fresh: fresh.is_fresh,
            index_complete: fresh.has_every_line(),
            covered_since: fresh.covered_since.map(Moment),
            next: answer.next,
            similar_words: near.collect(),
            hits: answer.hits.iter().map(|hit| HitDocument::new(hit, most)).collect(),
        }
    }
}

/// How many sessions with the same text a hit names, unless all are asked for.
const MOST_SESSIONS: usize = 20;

impl<'a> HitDocument<'a> {
    /// A hit; it names at most `most` other sessions with the same text.
    fn new(hit: &'a FoundHit, most: usize) -> Self {
        let text = |text: &'a Option<String>| text.as_deref().map(Cow::from);
        HitDocument {
            session_id: text(&hit.session_id),
            project: text(&hit.project),
            cwd: text(&hit.cwd),
            branch: text(&hit.branch),
            title: text(&hit.title),
            uuid: text(&hit.uuid),
            agent_id: text(&hit.agent_id),
            role: hit.role.name().into(),
            kind: hit.kind.name().into(),
            tool: text(&hit.tool),
            timestamp: hit.time.map(Moment),
            state: hit.state.map(|state| state.name().into()),
            turn: hit.turn.map(TurnId),
            command: hit.session_id.as_deref().map(|id| hit_command(id, hit)),
            presence: hit.presence.name().into(),
            owner: text(&hit.owner),
            score: (hit.score * 1000.0).round() / 1000.0,
            snippet: hit.excerpt.text.as_str().into(),
            highlights: in_characters(&hit.excerpt.text, &hit.excerpt.highlights),
            path: hit.path.display().to_string(),
            line: hit.line,
            duplicates: hit.copies,
            duplicates_in: hit.duplicates_in.iter().take(most).map(Cow::from).collect(),
            duplicate_sessions: hit.duplicates_in.len(),
            before: hit.before.iter().map(NearbyMessageDocument::from).collect(),
            after: hit.after.iter().map(NearbyMessageDocument::from).collect(),
        }
    }
}

/// The command that shows a hit, by the id of its session. An agent in a separate
/// file is shown by its own id.
pub fn hit_command(session_id: &str, hit: &FoundHit) -> String {
    let agent = hit.agent_id.as_deref();
    open_command(session_id, agent, hit.source, hit.turn, hit.line, hit.has_transcript)
}

/// The command that shows the place of a text.
pub(crate) fn open_command(
    session_id: &str,
    agent_id: Option<&str>,
    source: SourceKind,
    turn: Option<TurnNumber>,
    line: u64,
    has_transcript: bool,
) -> String {
    match (source, agent_id, turn) {
        (SourceKind::Agent, Some(agent), Some(turn)) => show_command(agent, Some(turn)),
        (SourceKind::Agent, Some(agent), None) => show_line_command(agent, line),
        // The numbers of an agent in the main transcript are not the session's.
        (SourceKind::Main | SourceKind::Foreign, None, Some(turn)) => {
            show_command(session_id, Some(turn))
        }
        (SourceKind::Main | SourceKind::Foreign, ..) => show_line_command(session_id, line),
        _ if !has_transcript => format!("annals agents {}", render::shell_quoted(session_id)),
        _ => show_command(session_id, None),
    }
}

/// Positions in bytes, in ascending order, as positions in characters.
pub(crate) fn in_characters(text: &str, matches: &[(usize, usize)]) -> Vec<[usize; 2]> {
    let (mut bytes, mut characters) = (0, 0);
    let mut at = |position: usize| {
        characters += text.get(bytes..position).map_or(0, |between| between.chars().count());
        bytes = position;
        characters
    };
    matches.iter().map(|(start, end)| [at(*start), at(*end)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_counted_in_characters() {
        assert_eq!(in_characters("é日x", &[(0, 2), (2, 5), (5, 6)]), [[0, 1], [1, 2], [2, 3]]);
    }
}
