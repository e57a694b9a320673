//! Tool calls of a message, with results and file changes.

use crate::{CallInput, ChangeKind, EntryKind, FileChange, JsonText};

/// The entries of one element of `toolCalls`: the call, its sub-agent, its result.
pub(crate) fn parse_tool_call(call: JsonText<'_>) -> Vec<EntryKind> {
    let id = call.string("id").unwrap_or_default();
    let tool = call.string("name").unwrap_or_default();
    let args = call.get("args");
    let input = CallInput::Json(args.map_or("{}", JsonText::text).to_owned());
    let mut kinds = vec![EntryKind::Call { id: id.clone(), tool: tool.clone(), input }];
    if let Some(agent) = call.filled("agentId") {
        kinds.push(EntryKind::AgentStart { agent, call: Some(id.clone()) });
    }
    let status = call.string("status").unwrap_or_default();
    let text = call.get("result").map(result_text).or_else(|| display_text(call));
    let is_over = matches!(status.as_str(), "success" | "error" | "cancelled");
    if let Some(text) = text.or_else(|| is_over.then(String::new)) {
        let exit_code = exit_code(&text).filter(|_| tool == "run_shell_command");
        let has_failed = matches!(status.as_str(), "error" | "cancelled")
            || exit_code.is_some_and(|code| code != 0);
        let changes = if has_failed { Vec::new() } else { find_changes(&tool, args, call) };
        kinds.push(EntryKind::Result { call: id, text, is_error: has_failed, exit_code, changes });
    }
    kinds
}

/// The text of a result, which is a list of parts.
fn result_text(result: JsonText<'_>) -> String {
    if let Some(text) = result.as_string() {
        return text.into_owned();
    }
    let texts: Vec<String> = result.elements().filter_map(part_text).collect();
    texts.join("\n")
}

/// The text of one part of a result.
fn part_text(part: JsonText<'_>) -> Option<String> {
    match part.get("functionResponse") {
        Some(response) => Some(response_text(response)),
        None => part.string("text"),
    }
}

/// The text that a function answered to the model.
pub(crate) fn response_text(function_response: JsonText<'_>) -> String {
    let Some(response) = function_response.get("response") else { return String::new() };
    response
        .string("output")
        .or_else(|| response.string("error"))
        .unwrap_or_else(|| response.text().to_owned())
}

fn display_text(call: JsonText<'_>) -> Option<String> {
    call.filled("resultDisplay")
}

/// The shell tool says how a command ended in a line of its output.
fn exit_code(text: &str) -> Option<i64> {
    let code = text.lines().rev().find_map(|line| line.strip_prefix("Exit Code: "));
    code?.trim().parse().ok()
}

fn find_changes(tool: &str, args: Option<JsonText<'_>>, call: JsonText<'_>) -> Vec<FileChange> {
    let display = call.get("resultDisplay").filter(|display| display.get("fileDiff").is_some());
    let argument = |key| args.and_then(|args| args.string(key));
    let kind = match tool {
        "write_file" => ChangeKind::Write,
        "replace" | "edit" => ChangeKind::Edit,
        _ if display.is_some() => ChangeKind::Edit,
        _ => return Vec::new(),
    };
    let is_new = display.is_some_and(|display| display.is_true("isNewFile"));
    let shown = |key| display.and_then(|display| display.string(key));
    let path = shown("filePath").or_else(|| argument("file_path")).or_else(|| shown("fileName"));
    let Some(path) = path else { return Vec::new() };
    let written = if kind == ChangeKind::Write { argument("content") } else { None };
    vec![FileChange {
        path,
        kind: if is_new { ChangeKind::Write } else { kind },
        moved_to: None,
        diff: shown("fileDiff"),
        content: shown("newContent").or(written),
    }]
}
