//! Results of tools, and what they did to files.

use crate::{ChangeKind, EntryKind, FileChange, JsonText};

/// The result that a `tool.execution_complete` reports.
pub(crate) fn parse_result(data: JsonText<'_>) -> EntryKind {
    let result = data.get("result");
    let text = result
        .and_then(|result| result.string("content"))
        .or_else(|| data.get("error")?.string("message"))
        .unwrap_or_default();
    let exit_code = data.find(&["shellExecution", "exitCode"]).and_then(JsonText::as_integer);
    let is_error = data.get("success").is_some_and(|success| success.text() == "false")
        || exit_code.is_some_and(|code| code != 0);
    let details = result.and_then(|result| result.string("detailedContent")).unwrap_or_default();
    let edits = data.get("fileEdits").into_iter().flat_map(JsonText::elements);
    EntryKind::Result {
        call: data.string("toolCallId").unwrap_or_default(),
        text,
        is_error,
        exit_code,
        changes: edits.filter_map(|edit| parse_change(edit, &details)).collect(),
    }
}

fn parse_change(edit: JsonText<'_>, details: &str) -> Option<FileChange> {
    let path = edit.filled("path")?;
    let kind = match edit.string("kind")?.as_str() {
        "create" => ChangeKind::Write,
        "delete" => ChangeKind::Delete,
        _ => ChangeKind::Edit,
    };
    let diff = find_diff(details, &path);
    Some(FileChange { path, kind, moved_to: None, diff, content: None })
}

/// The part of a git diff that is about a file.
fn find_diff(details: &str, path: &str) -> Option<String> {
    const START: &str = "diff --git ";
    let path = path.trim_start_matches('/');
    let mut rest = details.get(details.find(START)?..)?;
    loop {
        let next = rest.get(START.len()..)?.find("\ndiff --git ").map(|at| at + START.len() + 1);
        let part = &rest[..next.unwrap_or(rest.len())];
        if part.lines().next().is_some_and(|line| line.ends_with(&format!("b/{path}"))) {
            return Some(part.to_owned());
        }
        rest = &rest[next?..];
    }
}
