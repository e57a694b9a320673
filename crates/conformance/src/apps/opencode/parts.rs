//! Exports, documents and entries in one form each, so that they can be compared.

use ::apps::{CallInput, EntryKind, Lineage, Session};
use serde_json::{Map, Value, json};

/// The messages of a document in the form of an export.
pub(super) fn export_of_document(document: &[u8]) -> Value {
    let mut messages: Vec<Value> = Vec::new();
    for line in document.split(|byte| *byte == b'\n') {
        let Ok(row) = serde_json::from_slice::<Value>(line) else { continue };
        let mut data = row["data"].as_object().cloned().unwrap_or_default();
        data.insert("id".to_owned(), row["id"].clone());
        data.insert("sessionID".to_owned(), row["session_id"].clone());
        match row["table"].as_str() {
            Some("message") => messages.push(json!({"info": data, "parts": []})),
            Some("part") => {
                data.insert("messageID".to_owned(), row["message_id"].clone());
                let id = &row["message_id"];
                let message = messages.iter_mut().find(|message| message["info"]["id"] == *id);
                let parts = message.and_then(|message| message["parts"].as_array_mut());
                if let Some(parts) = parts {
                    parts.push(Value::Object(data));
                }
            }
            _ => {}
        }
    }
    json!({ "messages": messages })
}

/// The facts of a session as it is exported.
pub(super) fn facts_of(info: &Value) -> Vec<String> {
    let fact = |name: &str, value: &Value| format!("{name} {}", value.as_str().unwrap_or_default());
    vec![
        fact("title", &info["title"]),
        fact("folder", &info["directory"]),
        fact("version", &info["version"]),
        fact("parent", &info["parentID"]),
    ]
}

/// The facts of a session as annals reads it.
pub(super) fn own_facts(session: &Session) -> Vec<String> {
    let header = &session.header;
    let parent = header.lineage.iter().find_map(|lineage| match lineage {
        Lineage::Agent { of, .. } => Some(of.clone()),
        _ => None,
    });
    let fact = |name: &str, value: &Option<String>| {
        format!("{name} {}", value.as_deref().unwrap_or_default())
    };
    vec![
        fact("title", &header.title),
        fact("folder", &header.directory),
        fact("version", &header.version),
        fact("parent", &parent),
    ]
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// What an export says, one row per thing that annals has an entry for.
pub(super) fn official_rows(export: &Value) -> Vec<String> {
    let mut rows = Vec::new();
    for message in export["messages"].as_array().into_iter().flatten() {
        let info = &message["info"];
        for part in message["parts"].as_array().into_iter().flatten() {
            official_part(&mut rows, info, part);
        }
        match text(&info["error"]["name"]) {
            "" => {}
            "MessageAbortedError" => rows.push("interruption".to_owned()),
            name => {
                let message = info["error"]["data"]["message"].as_str().unwrap_or(name);
                rows.push(format!("error {message}"));
            }
        }
    }
    rows
}

fn official_part(rows: &mut Vec<String>, info: &Value, part: &Value) {
    let id = text(&part["id"]);
    let is_hidden = part["synthetic"] == true || part["ignored"] == true;
    match text(&part["type"]) {
        "text" => {
            let kind = match (text(&info["role"]), &info["summary"]) {
                ("assistant", Value::Bool(true)) => "summary",
                ("assistant", _) => "text",
                _ if is_hidden => "notice",
                _ => "prompt",
            };
            rows.push(format!("{id} {kind} {}", text(&part["text"])));
        }
        "reasoning" => rows.push(format!("{id} thinking {}", text(&part["text"]))),
        "file" => rows.push(format!("{id} file {}", text(&part["mime"]))),
        "tool" => {
            let state = &part["state"];
            let (tool, call) = (text(&part["tool"]), text(&part["callID"]));
            let no_input = Value::Object(Map::new());
            let input = state.get("input").unwrap_or(&no_input);
            rows.push(format!("{id} call {tool} {call} {input}"));
            if let (status @ ("completed" | "error"), key) = (
                text(&state["status"]),
                if state["output"].is_string() { "output" } else { "error" },
            ) {
                let exit = &state["metadata"]["exit"];
                let is_error = status == "error" || exit.as_i64().is_some_and(|code| code != 0);
                rows.push(format!("{id} result {call} failed={is_error} {}", text(&state[key])));
                let files = state["attachments"].as_array().into_iter().flatten();
                rows.extend(files.map(|file| format!("{id} file {}", text(&file["mime"]))));
            }
        }
        _ => {}
    }
}

/// The same rows of annals' entries. What was undone is exported too, until it is deleted.
pub(super) fn own_rows(session: &Session) -> Vec<String> {
    let rows = session.entries.iter().filter_map(|entry| {
        let id = entry.id.as_deref().unwrap_or_default();
        Some(match &entry.kind {
            EntryKind::Prompt(text) => format!("{id} prompt {text}"),
            EntryKind::Text(text) => format!("{id} text {text}"),
            EntryKind::Compaction(text) => format!("{id} summary {text}"),
            EntryKind::Notice(kind, text) if kind == "synthetic" => format!("{id} notice {text}"),
            EntryKind::Thinking(text) => format!("{id} thinking {text}"),
            EntryKind::Attachment { kind, .. } => format!("{id} file {kind}"),
            EntryKind::Call { id: call, tool, input } => {
                let (CallInput::Json(input) | CallInput::Text(input)) = input;
                let input: Value = serde_json::from_str(input).unwrap_or_default();
                format!("{id} call {tool} {call} {input}")
            }
            EntryKind::Result { call, text, is_error, .. } => {
                format!("{id} result {call} failed={is_error} {text}")
            }
            EntryKind::Interruption => "interruption".to_owned(),
            EntryKind::Error(text) => format!("error {text}"),
            _ => return None,
        })
    });
    rows.collect()
}
