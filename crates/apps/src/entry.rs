//! The entries of a session.

use jiff::Timestamp;
use std::sync::Arc;

/// Where the bytes of an entry are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line, starting at 1. Apps that write rows get one line per row in the document that
    /// is made of them.
    pub line: u64,
    /// The offset of the line's first byte.
    pub offset: u64,
    /// The number of its bytes, without the line break.
    pub bytes: u64,
}

/// Whether an entry is part of the conversation as it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EntryState {
    /// It is.
    #[default]
    Live,
    /// The person took it back.
    Undone,
    /// It is on another branch, or the app went on without it. A compaction alone leaves
    /// nothing: what came before it is still the conversation.
    Left,
    /// It repeats an entry of another file.
    Replayed,
}

/// The arguments of a tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallInput {
    /// JSON text.
    Json(String),
    /// Text in the tool's own language, such as a patch.
    Text(String),
}

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// It was created or written whole.
    Write,
    /// Parts of it were changed.
    Edit,
    /// It was deleted.
    Delete,
    /// It was moved.
    Move,
}

/// Where the program worked: what a person can change when they go on with a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Workplace {
    /// The working directory.
    pub directory: Option<String>,
    /// The git branch.
    pub branch: Option<String>,
}

/// A change to a file, as far as the app recorded it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// The file, as written.
    pub path: String,
    /// What happened.
    pub kind: ChangeKind,
    /// Its new place, if it was moved.
    pub moved_to: Option<String>,
    /// The change as a unified diff.
    pub diff: Option<String>,
    /// The whole content afterwards.
    pub content: Option<String>,
}

/// What an entry is, with its content.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EntryKind {
    /// What the person typed, or what a parent asked its sub-agent.
    Prompt(String),
    /// Text by the model.
    Text(String),
    /// Thinking by the model; empty where it is encrypted.
    Thinking(String),
    /// A tool call.
    Call {
        /// Its id.
        id: String,
        /// The tool.
        tool: String,
        /// Its arguments.
        input: CallInput,
    },
    /// The result of a tool call.
    Result {
        /// The id of the call.
        call: String,
        /// The text that the model received.
        text: String,
        /// Whether it failed.
        is_error: bool,
        /// The exit code of the command that it ran, where the app recorded one.
        exit_code: Option<i64>,
        /// What it did to files.
        changes: Vec<FileChange>,
    },
    /// An image or another file that is not text.
    Attachment {
        /// Its media type or name.
        kind: String,
        /// The number of its bytes as stored.
        bytes: u64,
    },
    /// The conversation so far was replaced by a summary, which is empty where it is encrypted.
    Compaction(String),
    /// The person interrupted the model.
    Interruption,
    /// An error of the model's API or of the program.
    Error(String),
    /// Something the program noted: (its kind, its text).
    Notice(String, String),
    /// A sub-agent was started.
    AgentStart {
        /// The session or agent id.
        agent: String,
        /// The call that started it.
        call: Option<String>,
    },
    /// A line that carries facts and nothing to show.
    Silent(String),
    /// A kind of line that this version of annals does not know.
    Unknown(String),
}

/// One entry of a session. A line can hold several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where its bytes are.
    pub place: Place,
    /// The app's id of it.
    pub id: Option<String>,
    /// When it was written.
    pub time: Option<Timestamp>,
    /// The app's id of the turn.
    pub turn: Option<String>,
    /// The sub-agent it belongs to, where several write into one file.
    pub agent: Option<String>,
    /// The model, for what a model wrote.
    pub model: Option<String>,
    /// The response of the model's API that it is part of, for what a model wrote: equal in all
    /// entries of one response. It is the key of the call, if the session has the call.
    pub response: Option<String>,
    /// Where it was written; `None`: where the header says.
    pub workplace: Option<Arc<Workplace>>,
    /// Whether it is part of the conversation as it stands.
    pub state: EntryState,
    /// What it is.
    pub kind: EntryKind,
}

impl Entry {
    /// A live entry of which nothing else is known.
    pub fn new(place: Place, kind: EntryKind) -> Entry {
        Entry {
            place,
            id: None,
            time: None,
            turn: None,
            agent: None,
            model: None,
            response: None,
            workplace: None,
            state: EntryState::Live,
            kind,
        }
    }
}
