//! Prints the threads of rollout files as JSON, for comparison with what Codex shows.
//!
//! `cargo run -p annals-codex --example dump -- [session_index.jsonl] FILE…`

#![expect(clippy::print_stdout, reason = "it is what this program does")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use apps::codex::{Name, Reader, RolloutFile, assemble, decompress, parse_session_index};
use apps::{CallInput, EntryKind, EntryState, read_whole};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut files = Vec::new();
    let mut names = BTreeMap::new();
    for path in std::env::args_os().skip(1) {
        let path = Path::new(&path);
        let file_name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if file_name == "session_index.jsonl" {
            names = parse_session_index(&fs::read(path)?);
        }
        let Some(name) = Name::parse(file_name) else { continue };
        let mut bytes = fs::read(path)?;
        if name.is_compressed {
            bytes = decompress(&bytes, 1 << 30)?;
        }
        let is_archived = path.to_string_lossy().contains("archived_sessions");
        files.push(RolloutFile { name, is_archived, session: read_whole::<Reader>(&bytes) });
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    let threads = assemble(&mut files);
    let rows = threads.iter().map(|thread| {
        let entries: Vec<Value> = thread
            .entries(&files)
            .filter(|entry| entry.state != EntryState::Undone)
            .filter_map(|entry| {
                let mut row = show(&entry.entry.kind)?;
                row["line"] = json!(entry.entry.place.line);
                row["turn"] = json!(entry.entry.turn);
                row["replayed"] = json!(entry.state == EntryState::Replayed);
                Some(row)
            })
            .collect();
        let calls = thread.files.iter().filter_map(|number| files.get(*number));
        let calls: Vec<Value> = calls
            .flat_map(|file| &file.session.api_calls)
            .map(|call| json!({"key": call.key, "tokens": call.tokens.total()}))
            .collect();
        json!({
            "calls": calls,
            "id": thread.id,
            "title": names.get(&thread.id).or(thread.header.title.as_ref()),
            "first_prompt": thread.header.first_prompt,
            "directory": thread.header.directory,
            "branch": thread.header.branch,
            "version": thread.header.version,
            "source": thread.header.source,
            "model": thread.header.model,
            "agent_name": thread.header.agent_name,
            "archived": thread.is_archived,
            "lineage": format!("{:?}", thread.header.lineage),
            "agents": thread.agents,
            "entries": entries,
        })
    });
    println!("{}", Value::Array(rows.collect()));
    Ok(())
}

/// An entry with something to show.
fn show(kind: &EntryKind) -> Option<Value> {
    Some(match kind {
        EntryKind::Prompt(text) => json!({"kind": "prompt", "text": text}),
        EntryKind::Text(text) => json!({"kind": "text", "text": text}),
        EntryKind::Thinking(text) => json!({"kind": "thinking", "text": text}),
        EntryKind::Call { id, tool, input } => {
            let (CallInput::Json(input) | CallInput::Text(input)) = input;
            json!({"kind": "call", "id": id, "tool": tool, "input": input})
        }
        EntryKind::Result { call, text, is_error, exit_code, changes } => {
            let changes: Vec<Value> = changes
                .iter()
                .map(|change| {
                    json!({
                        "path": change.path,
                        "kind": format!("{:?}", change.kind),
                        "diff": change.diff,
                        "content": change.content,
                    })
                })
                .collect();
            let text_bytes = text.len();
            json!({
                "kind": "result", "id": call, "bytes": text_bytes, "is_error": is_error,
                "exit_code": exit_code,
                "changes": changes,
            })
        }
        EntryKind::Compaction(text) => json!({"kind": "compaction", "text": text}),
        EntryKind::Interruption => json!({"kind": "interruption"}),
        EntryKind::Error(text) => json!({"kind": "error", "text": text}),
        EntryKind::Notice(kind, text) => json!({"kind": "notice", "of": kind, "text": text}),
        EntryKind::AgentStart { agent, call } => {
            json!({"kind": "agent", "agent": agent, "call": call})
        }
        EntryKind::Attachment { kind, bytes } => {
            json!({"kind": "attachment", "of": kind, "bytes": bytes})
        }
        _ => return None,
    })
}
