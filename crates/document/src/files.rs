//! Files that sessions read and changed, and the changes of one file.

use crate::table::Column;
use crate::{Document, Keyword, Moment, TurnId};
use library::files::{Change, FileSummary};
use library::sessions::LeadingPrompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Files that sessions read or changed, the one changed last first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FilesDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// How many files match.
    pub total: usize,
    /// The `--offset` of the next page; `null` on the last one.
    pub next: Option<usize>,
    /// The files; 50, unless `--limit` says otherwise.
    pub files: Vec<FileDocument>,
}

impl Document for FilesDocument {
    const SCHEMA: &'static str = "annals/files/1";
    const COMMAND: &'static str = "`annals files`";
    const ROWS: Option<&'static str> = Some("files");
    const COLUMNS: &'static [Column] = &[
        Column::of("path"),
        Column::of("reads"),
        Column::of("changes"),
        Column::of("failed"),
        Column::of("added"),
        Column::of("removed"),
        Column::count("sessions"),
        Column::of("first_at"),
        Column::of("last_at"),
        Column::of("changed_at"),
    ];
}

impl FilesDocument {
    /// A page of files, out of `total`.
    pub fn new(total: usize, next: Option<usize>, files: Vec<FileDocument>) -> Self {
        FilesDocument { schema: Self::SCHEMA.into(), total, next, files }
    }
}

/// A file that sessions read or changed.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FileDocument {
    /// Its present path.
    pub path: String,
    /// Other paths it was recorded under.
    pub recorded_paths: Vec<String>,
    /// How often it was read.
    pub reads: u64,
    /// How often it was changed.
    pub changes: u64,
    /// Calls on it that failed; they are neither reads nor changes.
    pub failed: u64,
    /// Lines added.
    pub added: u64,
    /// Lines removed.
    pub removed: u64,
    /// The ids of the sessions.
    pub sessions: Vec<String>,
    /// The first call on it.
    pub first_at: Option<Moment>,
    /// The last call on it.
    pub last_at: Option<Moment>,
    /// The last change.
    pub changed_at: Option<Moment>,
}

impl From<FileSummary> for FileDocument {
    fn from(file: FileSummary) -> Self {
        FileDocument {
            path: file.path,
            recorded_paths: file.recorded_paths.into_iter().collect(),
            reads: file.reads,
            changes: file.changes,
            failed: file.failed,
            added: file.added,
            removed: file.removed,
            sessions: file.sessions.into_iter().collect(),
            first_at: file.first.map(Moment),
            last_at: file.last.map(Moment),
            changed_at: file.last_change.map(Moment),
        }
    }
}

/// The prompt that led to a change. For a change of a sub-agent: the prompt that led to the call that started the sub-agent.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LeadingPromptDocument {
    /// The prompt.
    pub text: String,
    /// The id of its record.
    pub uuid: Option<String>,
    /// Its line in the transcript.
    pub line: u64,
    /// When it was typed.
    pub timestamp: Option<Moment>,
    /// Its turn in the session.
    pub turn: Option<TurnId>,
}

impl From<&LeadingPrompt> for LeadingPromptDocument {
    fn from(prompt: &LeadingPrompt) -> Self {
        LeadingPromptDocument {
            text: prompt.text.clone(),
            uuid: prompt.uuid.clone(),
            line: prompt.line,
            timestamp: prompt.time.map(Moment),
            turn: prompt.turn.map(TurnId),
        }
    }
}

/// The changes of a file, in the order of time.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FileHistoryDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The file, or all files whose paths end so.
    pub files: Vec<FileDocument>,
    /// How many changes there are.
    pub total: usize,
    /// The `--offset` of the next page; `null` on the last one.
    pub next: Option<usize>,
    /// The changes; with `--reads` the reads too.
    pub changes: Vec<ChangeDocument>,
}

impl Document for FileHistoryDocument {
    const SCHEMA: &'static str = "annals/file-history/1";
    const COMMAND: &'static str = "`annals files PATH`";
    const ROWS: Option<&'static str> = Some("changes");
    const COLUMNS: &'static [Column] = &[
        Column::of("timestamp"),
        Column::of("path"),
        Column::of("operation"),
        Column::of("tool"),
        Column::of("session_id"),
        Column::of("agent_id"),
        Column::of("added"),
        Column::of("removed"),
        Column::from("prompt", "prompt.text"),
        Column::of("line"),
        Column::of("turn"),
    ];
}

/// A change of a file.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChangeDocument {
    /// The file's present path.
    pub path: String,
    /// The path as recorded.
    pub recorded_path: String,
    /// The session's working directory.
    pub cwd: Option<String>,
    /// `read`, `create`, `write`, `edit`, `notebook`.
    pub operation: Keyword,
    /// The tool.
    pub tool: String,
    /// When it was made.
    pub timestamp: Option<Moment>,
    /// The session.
    pub session_id: String,
    /// The sub-agent.
    pub agent_id: Option<String>,
    /// The type of that sub-agent.
    pub agent_type: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The id of the call.
    pub tool_use_id: Option<String>,
    /// The line of the call in its transcript.
    pub line: u64,
    /// The turn of the call: of the session, or of the sub-agent.
    pub turn: Option<TurnId>,
    /// Lines added.
    pub added: u64,
    /// Lines removed.
    pub removed: u64,
    /// The prompt that led to it; `null` if none is known.
    pub prompt: Option<LeadingPromptDocument>,
    /// The change, as a unified diff.
    pub diff: Option<String>,
}

impl From<Change> for ChangeDocument {
    fn from(change: Change) -> Self {
        let touch = change.touch;
        ChangeDocument {
            path: touch.path,
            recorded_path: touch.recorded_path,
            cwd: touch.cwd,
            operation: touch.operation.name().into(),
            tool: touch.tool,
            timestamp: touch.time.map(Moment),
            session_id: touch.session_id,
            agent_id: touch.agent_id,
            agent_type: touch.agent_type,
            model: touch.model,
            tool_use_id: touch.tool_use_id,
            line: touch.line,
            turn: touch.turn.map(TurnId),
            added: touch.added,
            removed: touch.removed,
            prompt: touch.prompt.as_deref().map(LeadingPromptDocument::from),
            diff: change.diff.map(|diff| diff.text),
        }
    }
}
