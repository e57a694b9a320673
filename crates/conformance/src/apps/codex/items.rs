//! What the program shows of a thread, and what annals' reader holds of it, as rows of text
//! that can be compared.

use std::collections::{BTreeMap, BTreeSet};

use ::apps::codex::{RolloutFile, Thread};
use ::apps::{CallInput, Entry, EntryKind, EntryState, FileChange};
use serde_json::Value;

/// The rows of one thread, with the ids of the calls among them.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) rows: Vec<String>,
    calls: BTreeSet<String>,
    agents: BTreeSet<String>,
    /// The thinking of the current turn. Some versions write all of a turn's thinking again
    /// with every new part; annals shows each part once.
    thoughts: BTreeSet<String>,
    /// Whether turns have ids that tell their time. Of a review and the turn within it the
    /// program shows the one or the other first, so turns are put in the order of their ids.
    has_turn_ids: bool,
}

const UUID_LENGTH: usize = 36;

/// The rows of a thread as `thread/read` tells it. Kinds of items that the comparison does not
/// know are rows that no other row equals.
pub(super) fn official(turns: &[Value]) -> Rows {
    let has_turn_ids = turns.iter().all(|turn| text(&turn["id"]).len() == UUID_LENGTH);
    let mut rows = Rows { has_turn_ids, ..Rows::default() };
    let mut turns: Vec<&Value> = turns.iter().collect();
    if has_turn_ids {
        turns.sort_by_key(|turn| text(&turn["id"]));
    }
    for turn in turns {
        rows.thoughts.clear();
        for item in turn["items"].as_array().into_iter().flatten() {
            rows.add_item(item);
        }
        if turn["status"] == "failed" {
            let message = turn["error"]["message"].as_str().unwrap_or_default();
            rows.rows.push(format!("error {message}"));
        }
    }
    rows.rows = sort_calls(rows.rows);
    rows
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

impl Rows {
    fn add_item(&mut self, item: &Value) {
        let id = text(&item["id"]).to_owned();
        match text(&item["type"]) {
            "userMessage" => self.add_prompt(&item["content"]),
            "agentMessage" => self.rows.push(format!("text {}", text(&item["text"]))),
            "reasoning" => {
                let lists = [&item["summary"], &item["content"]];
                let texts = lists.into_iter().filter_map(Value::as_array).flatten().map(text);
                for text in texts {
                    self.rows.extend(new_thoughts(&mut self.thoughts, text));
                }
            }
            "commandExecution" => {
                let is_error = match item["exitCode"].as_i64() {
                    Some(code) => code != 0,
                    None => matches!(text(&item["status"]), "failed" | "declined"),
                };
                self.calls.insert(id.clone());
                self.rows.push(format!("command {id} failed={is_error}"));
            }
            "fileChange" => {
                let changes = item["changes"].as_array().into_iter().flatten();
                let mut rows: Vec<String> = changes.map(official_change).collect();
                rows.sort();
                let is_error = matches!(text(&item["status"]), "failed" | "declined");
                self.calls.insert(id.clone());
                self.rows.push(format!("changes {id} failed={is_error} {}", rows.join(" ")));
            }
            "mcpToolCall" => {
                let (server, tool) = (text(&item["server"]), text(&item["tool"]));
                let is_error = text(&item["status"]) == "failed";
                self.calls.insert(id.clone());
                self.rows.push(format!("call {id} mcp__{server}__{tool} failed={is_error}"));
            }
            "webSearch" => self.rows.extend(search(&item["action"])),
            "imageView" => {
                self.calls.insert(id.clone());
                self.rows.push(format!("call {id} view_image failed=false"));
            }
            "contextCompaction" => self.rows.push("compaction".to_owned()),
            "enteredReviewMode" => self.rows.push(format!("review {}", text(&item["review"]))),
            "exitedReviewMode" => {
                self.rows.push(format!("reviewed {}", first_line(text(&item["review"]))));
            }
            "subAgentActivity" => self.add_agent(text(&item["agentThreadId"])),
            "collabAgentToolCall" if text(&item["tool"]) == "spawnAgent" => {
                let agents = item["receiverThreadIds"].as_array().into_iter().flatten();
                for agent in agents.map(text) {
                    self.add_agent(agent);
                }
            }
            // What the model later says to an agent, or waits for, are calls of tools.
            "collabAgentToolCall" => {}
            kind => self.rows.push(format!("item {kind} {id}")),
        }
    }

    fn add_prompt(&mut self, content: &Value) {
        let parts = content.as_array().into_iter().flatten();
        let mut images = 0;
        let mut texts = Vec::new();
        for part in parts {
            match text(&part["type"]) {
                "text" => texts.push(text(&part["text"])),
                "image" | "localImage" => images += 1,
                kind => self.rows.push(format!("part {kind}")),
            }
        }
        let texts = texts.join("\n");
        if !texts.is_empty() {
            self.rows.push(format!("prompt {texts}"));
        }
        self.rows.extend((0..images).map(|_| "image".to_owned()));
    }

    /// An agent is shown where it is first named.
    fn add_agent(&mut self, agent: &str) {
        if self.agents.insert(agent.to_owned()) {
            self.rows.push(format!("agent {agent}"));
        }
    }
}

fn official_change(change: &Value) -> String {
    let kind = text(&change["kind"]["type"]);
    let moved = change["kind"]["move_path"].as_str();
    let kind = match (kind, moved) {
        ("add", _) => "write",
        ("delete", _) => "delete",
        (_, Some(_)) => "move",
        _ => "edit",
    };
    let diff = if kind == "delete" { "" } else { text(&change["diff"]) };
    // The program appends where a moved file went.
    let diff = diff.split("\n\nMoved to: ").next().unwrap_or(diff);
    format!("{kind} {} {} {}", text(&change["path"]), moved.unwrap_or_default(), diff)
}

fn own_change(change: &FileChange) -> String {
    let kind = format!("{:?}", change.kind).to_lowercase();
    let diff = change.content.as_ref().or(change.diff.as_ref()).map_or("", String::as_str);
    let diff = if kind == "delete" { "" } else { diff };
    let moved = change.moved_to.as_deref().unwrap_or_default();
    format!("{kind} {} {moved} {diff}", change.path)
}

/// The parts of a thought that are new in their turn, as rows.
fn new_thoughts(known: &mut BTreeSet<String>, text: &str) -> Vec<String> {
    let parts = text.split("\n\n").map(str::trim).filter(|part| !part.is_empty());
    parts
        .filter(|part| known.insert((*part).to_owned()))
        .map(|part| format!("thinking {part}"))
        .collect()
}

/// What was searched for, without the name of the search's kind, which the two forms spell in
/// different ways. Of some searches only that they happened is known: the program shows them
/// in some files and not in others.
fn search(action: &Value) -> Option<String> {
    let words = ["query", "url", "pattern"].map(|key| text(&action[key])).join(" ");
    (!words.trim().is_empty()).then(|| format!("search {words}"))
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// The rows of a thread as annals' reader holds it, of the kinds that the program shows.
pub(super) fn own(files: &[RolloutFile], thread: &Thread, official: &Rows) -> Vec<String> {
    let entries: Vec<&Entry> = thread
        .entries(files)
        .filter(|entry| entry.state != EntryState::Undone && entry.state != EntryState::Left)
        .map(|entry| entry.entry)
        .collect();
    let tools: BTreeMap<&str, &str> = entries
        .iter()
        .filter_map(|entry| match &entry.kind {
            EntryKind::Call { id, tool, .. } => Some((id.as_str(), tool.as_str())),
            _ => None,
        })
        .collect();
    let entries = group_by_turn(entries, official.has_turn_ids);
    let mut rows = Vec::new();
    let (mut turn, mut thoughts) = (&None, BTreeSet::new());
    for entry in entries {
        if entry.turn != *turn {
            turn = &entry.turn;
            thoughts.clear();
        }
        match &entry.kind {
            EntryKind::Thinking(text) => rows.extend(new_thoughts(&mut thoughts, text)),
            kind => rows.extend(own_row(kind, &tools, official)),
        }
    }
    sort_calls(rows)
}

/// Puts the entries of a turn together, as the program does: a review goes on beside the turns
/// within it.
fn group_by_turn(entries: Vec<&Entry>, has_turn_ids: bool) -> Vec<&Entry> {
    let mut groups: Vec<(Option<&str>, Vec<&Entry>)> = Vec::new();
    for entry in entries {
        let turn = entry.turn.as_deref();
        let known = groups.iter().position(|(other, _)| *other == turn && turn.is_some());
        match known.or_else(|| groups.len().checked_sub(1).filter(|_| turn.is_none())) {
            Some(group) => groups[group].1.push(entry),
            None => groups.push((turn, vec![entry])),
        }
    }
    if has_turn_ids {
        groups.sort_by_key(|(turn, _)| *turn);
    }
    groups.into_iter().flat_map(|(_, entries)| entries).collect()
}

fn own_row(kind: &EntryKind, tools: &BTreeMap<&str, &str>, official: &Rows) -> Option<String> {
    Some(match kind {
        EntryKind::Prompt(text) if !text.is_empty() => format!("prompt {text}"),
        EntryKind::Text(text) => format!("text {text}"),
        EntryKind::Attachment { .. } => "image".to_owned(),
        EntryKind::Compaction(_) => "compaction".to_owned(),
        EntryKind::Error(text) => format!("error {text}"),
        // Older versions tell of an agent only in the output of the call that started it; the
        // program does not show that.
        EntryKind::AgentStart { agent, .. } if official.agents.contains(agent) => {
            format!("agent {agent}")
        }
        EntryKind::Notice(kind, text) => match kind.as_str() {
            "entered_review_mode" => format!("review {text}"),
            "exited_review_mode" => format!("reviewed {}", first_line(text)),
            _ => return None,
        },
        EntryKind::Call { tool, input: CallInput::Json(json), .. } if tool == "web_search" => {
            let action = serde_json::from_str(json).unwrap_or_default();
            search(&action)?
        }
        EntryKind::Result { call, is_error, changes, .. } if official.calls.contains(call) => {
            let tool = tools.get(call.as_str()).copied().unwrap_or_default();
            if !changes.is_empty() {
                let mut rows: Vec<String> = changes.iter().map(own_change).collect();
                rows.sort();
                format!("changes {call} failed={is_error} {}", rows.join(" "))
            } else if tool.starts_with("mcp__") || tool == "view_image" {
                format!("call {call} {tool} failed={is_error}")
            } else {
                format!("command {call} failed={is_error}")
            }
        }
        _ => return None,
    })
}

/// Puts the calls after everything else, in the order of their ids: the program shows a call
/// where it ended, which is later than its output if the command went on in the background,
/// and calls at the same time end in any order.
fn sort_calls(rows: Vec<String>) -> Vec<String> {
    let is_call =
        |row: &String| ["command ", "changes ", "call "].iter().any(|start| row.starts_with(start));
    let (mut calls, mut others): (Vec<_>, Vec<_>) = rows.into_iter().partition(is_call);
    calls.sort();
    others.append(&mut calls);
    others
}
