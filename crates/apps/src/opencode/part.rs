//! Parts of messages.

use crate::{CallInput, ChangeKind, EntryKind, FileChange, JsonText};
use jiff::Timestamp;

/// A part's entries, each with its time where the part tells it.
pub(crate) type Kinds = Vec<(EntryKind, Option<Timestamp>)>;

/// Who wrote a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Author {
    /// The person, or a parent.
    User,
    /// The model.
    Model,
    /// The model, asked to summarise the conversation.
    Summary,
}

/// The entries of a part, or its type if it is not known.
pub(crate) fn parse_part(data: JsonText<'_>, author: Author) -> Result<Kinds, String> {
    let kind = data.string("type").unwrap_or_default();
    let text = |key| data.string(key).unwrap_or_default();
    let time = data.get("time").and_then(|time| time.time("start"));
    let one = |kind| Ok(vec![(kind, time)]);
    match kind.as_str() {
        "text" if author == Author::Summary => one(EntryKind::Compaction(text("text"))),
        "text" if author == Author::Model => one(EntryKind::Text(text("text"))),
        "text" if data.is_true("synthetic") || data.is_true("ignored") => {
            one(EntryKind::Notice("synthetic".to_owned(), text("text")))
        }
        "text" => one(EntryKind::Prompt(text("text"))),
        "reasoning" => one(EntryKind::Thinking(text("text"))),
        "tool" => Ok(tool_kinds(data)),
        "file" => one(attachment(data)),
        "agent" => one(EntryKind::Notice(kind, text("name"))),
        "subtask" => one(EntryKind::Notice(kind, text("prompt"))),
        "retry" => {
            let message = data.find(&["error", "data", "message"]).and_then(JsonText::as_string);
            one(EntryKind::Error(message.unwrap_or_default().into_owned()))
        }
        "step-start" | "step-finish" | "snapshot" | "patch" | "compaction" => {
            one(EntryKind::Silent(kind))
        }
        _ => Err(format!("part {kind}")),
    }
}

/// The type of a part, if it is not known.
pub(crate) fn unknown_part(data: JsonText<'_>) -> Option<String> {
    let kind = || data.string("type").unwrap_or_default();
    parse_part(data, Author::Model).is_err().then(kind)
}

fn attachment(data: JsonText<'_>) -> EntryKind {
    let kind = data.filled("mime").or_else(|| data.filled("filename")).unwrap_or_default();
    let url = data.string("url").unwrap_or_default();
    let bytes = url.strip_prefix("data:").map_or(0, str::len) as u64;
    EntryKind::Attachment { kind, bytes }
}

fn tool_kinds(data: JsonText<'_>) -> Kinds {
    let id = data.string("callID").unwrap_or_default();
    let tool = data.string("tool").unwrap_or_default();
    let state = data.get("state");
    let field = |key| state.and_then(|state| state.get(key));
    let at = |key| field("time").and_then(|time| time.time(key));
    let input = field("input");
    let call = EntryKind::Call {
        id: id.clone(),
        tool: tool.clone(),
        input: CallInput::Json(input.map_or("{}", JsonText::text).to_owned()),
    };
    let mut kinds = vec![(call, at("start"))];
    let metadata = field("metadata");
    if tool == "task"
        && let Some(agent) = metadata.and_then(|metadata| metadata.filled("sessionId"))
    {
        kinds.push((EntryKind::AgentStart { agent, call: Some(id.clone()) }, at("start")));
    }
    let status = state.and_then(|state| state.string("status")).unwrap_or_default();
    if status == "completed" || status == "error" {
        let text = state.and_then(|s| s.string("output").or_else(|| s.string("error")));
        let exit = metadata.and_then(|metadata| metadata.get("exit"));
        let exit_code = exit.and_then(JsonText::as_integer);
        let is_error = status == "error" || exit_code.is_some_and(|code| code != 0);
        let changes = match (status.as_str(), input) {
            ("completed", Some(input)) => find_changes(&tool, input, metadata),
            _ => Vec::new(),
        };
        let text = text.unwrap_or_default();
        kinds.push((EntryKind::Result { call: id, text, is_error, exit_code, changes }, at("end")));
        let attachments = field("attachments").into_iter().flat_map(JsonText::elements);
        kinds.extend(attachments.map(|file| (attachment(file), at("end"))));
    }
    kinds
}

fn find_changes(
    tool: &str,
    input: JsonText<'_>,
    metadata: Option<JsonText<'_>>,
) -> Vec<FileChange> {
    let of_metadata = |path: &[&str]| {
        let text = metadata.and_then(|metadata| metadata.find(path))?.as_string()?;
        Some(text.into_owned())
    };
    let change = |kind, path: Option<String>, content| {
        let path = path.or_else(|| input.filled("filePath"));
        let diff = of_metadata(&["diff"]).or_else(|| of_metadata(&["filediff", "patch"]));
        let change = |path| FileChange { path, kind, moved_to: None, diff, content };
        path.map(change).into_iter().collect()
    };
    match tool {
        "write" => change(ChangeKind::Write, of_metadata(&["filepath"]), input.string("content")),
        "edit" | "multiedit" => {
            let after = of_metadata(&["filediff", "after"]);
            change(ChangeKind::Edit, of_metadata(&["filediff", "file"]), after)
        }
        "apply_patch" | "patch" => {
            let files = metadata.and_then(|metadata| metadata.get("files"));
            files.into_iter().flat_map(JsonText::elements).filter_map(parse_patched).collect()
        }
        _ => Vec::new(),
    }
}

/// A file that a patch changed.
fn parse_patched(file: JsonText<'_>) -> Option<FileChange> {
    let moved_to = file.filled("movePath");
    let kind = match file.string("type").unwrap_or_default().as_str() {
        "add" => ChangeKind::Write,
        "delete" => ChangeKind::Delete,
        "move" => ChangeKind::Move,
        _ if moved_to.is_some() => ChangeKind::Move,
        _ => ChangeKind::Edit,
    };
    Some(FileChange {
        path: file.filled("filePath").or_else(|| file.filled("relativePath"))?,
        kind,
        moved_to,
        diff: file.filled("diff").or_else(|| file.filled("patch")),
        content: file.string("after").filter(|_| kind != ChangeKind::Delete),
    })
}
