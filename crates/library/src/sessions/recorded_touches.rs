//! The files that a tool call reads or changes, as the call records it.

use conversation::{Diff, Summary, ToolCall, ToolKind};

/// What a touch does to the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// Reads a file.
    Read,
    /// Creates a file.
    Create,
    /// Overwrites a file.
    Write,
    /// Changes parts of it.
    Edit,
    /// Changes a cell of a notebook.
    Notebook,
}

impl Operation {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Read => "read",
            Operation::Create => "create",
            Operation::Write => "write",
            Operation::Edit => "edit",
            Operation::Notebook => "notebook",
        }
    }

    /// Whether it changes the file.
    pub fn is_change(self) -> bool {
        self != Operation::Read
    }
}

/// A file that a call reads or changes.
#[derive(Debug)]
pub(crate) struct RecordedTouch {
    /// The recorded path.
    pub(crate) path: String,
    pub(crate) operation: Operation,
    /// What it changes.
    pub(crate) diff: Diff,
}

/// The files that a call reads or changes.
pub(crate) fn recorded_touches(call: &ToolCall<'_>) -> Vec<RecordedTouch> {
    let mut touches = match call.kind() {
        ToolKind::Read => match call.summary() {
            Summary::Read { path, .. } => vec![RecordedTouch {
                path: path.into_owned(),
                operation: Operation::Read,
                diff: Diff::default(),
            }],
            _ => Vec::new(),
        },
        ToolKind::Change => {
            let changes = call.file_changes().into_iter().map(|change| RecordedTouch {
                path: change.path.into_owned(),
                operation: match &*call.tool {
                    "NotebookEdit" => Operation::Notebook,
                    _ if change.is_new => Operation::Create,
                    _ if call.is_whole_write() => Operation::Write,
                    _ => Operation::Edit,
                },
                diff: change.diff,
            });
            changes.collect()
        }
        _ => Vec::new(),
    };
    touches.retain(|touch| !touch.path.is_empty());
    touches
}
