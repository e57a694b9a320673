//! Tool calls with their results.
//!
//! A call is an item; so is its output, which is what the model received. An event between
//! them, or after both, knows the exit code and the changed files. Until the output comes, the
//! event stands for the result. Calls that the program makes within another call have events
//! only.

use std::collections::{HashMap, HashSet};

use crate::{CallInput, EntryKind, FileChange};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Done, Position, Reader};
use crate::codex::outcome::{Outcome, parse_output};
use crate::codex::patch::parse_patch;
use crate::codex::text::Text;

/// What is known of the calls so far.
#[derive(Debug, Default)]
pub(crate) struct Tools {
    calls: HashMap<String, Call>,
    /// Searches of the web whose twin has not come yet: their action, and whether an event
    /// reported them.
    searches: Vec<(String, bool)>,
    started_agents: HashSet<String>,
}

#[derive(Debug, Default)]
struct Call {
    call: Option<usize>,
    result: Option<usize>,
    /// The event that stands for the result until the output comes.
    event: Option<String>,
}

/// The end of a call, as an event tells it.
pub(super) struct End<'a> {
    pub(super) id: &'a str,
    /// The type of the event.
    pub(super) event: &'a str,
    pub(super) tool: String,
    pub(super) input: CallInput,
    pub(super) text: String,
    pub(super) is_error: bool,
    pub(super) exit_code: Option<i64>,
    pub(super) changes: Vec<FileChange>,
}

/// A call as an item. Each kind of call has some of the fields.
#[derive(Deserialize)]
struct CallItem<'a> {
    #[serde(borrow)]
    id: Option<Text<'a>>,
    #[serde(borrow)]
    call_id: Option<Text<'a>>,
    #[serde(borrow)]
    name: Option<Text<'a>>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    input: Option<Text<'a>>,
    #[serde(borrow)]
    action: Option<&'a RawValue>,
    #[serde(borrow)]
    revised_prompt: Option<Text<'a>>,
    #[serde(borrow)]
    result: Option<Text<'a>>,
}

#[derive(Deserialize)]
struct OutputItem<'a> {
    #[serde(borrow)]
    id: Option<Text<'a>>,
    #[serde(borrow)]
    call_id: Option<Text<'a>>,
    #[serde(borrow)]
    output: Option<&'a RawValue>,
    #[serde(borrow)]
    tools: Option<&'a RawValue>,
}

/// JSON as text; a string contains JSON itself.
fn arguments_of(raw: Option<&RawValue>) -> CallInput {
    let json = raw.map_or("", RawValue::get);
    match serde_json::from_str::<Text<'_>>(json) {
        Ok(arguments) => CallInput::Json(arguments.into_string()),
        Err(_) => CallInput::Json(json.to_owned()),
    }
}

impl Reader {
    /// A call of any kind, as an item.
    pub(super) fn read_call(&mut self, position: Position, kind: &str, payload: &str) -> Done {
        let item: CallItem<'_> = serde_json::from_str(payload)?;
        let id = item.id.as_deref();
        let call_id = item.call_id.as_deref().or(id).unwrap_or_default();
        let name = || item.name.as_deref().unwrap_or_default().to_owned();
        let (tool, input) = match kind {
            "function_call" => (name(), arguments_of(item.arguments)),
            "custom_tool_call" => {
                let input = item.input.as_deref().unwrap_or_default().to_owned();
                (name(), CallInput::Text(input))
            }
            "local_shell_call" => ("local_shell".to_owned(), arguments_of(item.action)),
            "tool_search_call" => ("tool_search".to_owned(), arguments_of(item.arguments)),
            "image_generation_call" => {
                let prompt = item.revised_prompt.as_deref().unwrap_or_default().to_owned();
                ("image_generation".to_owned(), CallInput::Text(prompt))
            }
            _ => (kind.to_owned(), arguments_of(item.arguments)),
        };
        if self.tools.calls.get(call_id).is_some_and(|call| call.call.is_some()) {
            self.push_silent(position, kind);
            return Ok(());
        }
        self.push_call(position, id, call_id, tool, input);
        if let Some(image) = item.result.filter(|image| !image.is_empty()) {
            let kind =
                EntryKind::Attachment { kind: "image".to_owned(), bytes: image.len() as u64 };
            self.push(position, id, kind);
        }
        Ok(())
    }

    /// The output of a call, as an item.
    pub(super) fn read_output(&mut self, position: Position, payload: &str) -> Done {
        let item: OutputItem<'_> = serde_json::from_str(payload)?;
        let id = item.id.as_deref();
        let call_id = item.call_id.as_deref().or(id).unwrap_or_default().to_owned();
        let known = self.tools.calls.get(&call_id);
        let call_entry = known.and_then(|call| call.call);
        let tool = self.tool_of(call_entry).unwrap_or_default().to_owned();
        let Outcome { text, mut is_error, mut exit_code } = match (item.output, item.tools) {
            (Some(output), _) => parse_output(output, &tool),
            (None, Some(tools)) => Outcome { text: tools.get().to_owned(), ..Outcome::default() },
            (None, None) => Outcome::default(),
        };
        let mut changes = Vec::new();
        // What stood for the result knows the exit code and the changes better than the text.
        let stand_in = known.and_then(|call| Some((call.result?, call.event.clone()?)));
        if let Some((entry, event)) = stand_in {
            if let Some(entry) = self.session.entries.get_mut(entry)
                && let EntryKind::Result {
                    is_error: failed, exit_code: code, changes: known, ..
                } = &mut entry.kind
            {
                is_error = *failed;
                exit_code = code.or(exit_code);
                changes = std::mem::take(known);
            }
            self.silence(entry, &event);
        }
        if changes.is_empty() && !is_error {
            changes = self.changes_asked_for(call_entry);
        }
        let agent = (tool == "spawn_agent").then(|| spawned_agent(&text)).flatten();
        let kind = EntryKind::Result { call: call_id.clone(), text, is_error, exit_code, changes };
        let result = self.push(position, id, kind);
        self.responses.note_output();
        if let Some(agent) = agent {
            self.push_agent_start(position, agent, Some(&call_id));
        }
        let call = self.tools.calls.entry(call_id).or_default();
        call.result = Some(result);
        call.event = None;
        Ok(())
    }

    /// The end of a call, as an event.
    pub(super) fn push_end(&mut self, position: Position, end: End<'_>) {
        let End { id, event, tool, input, text, is_error, exit_code, changes } = end;
        let known = self.tools.calls.get(id);
        if let Some(result) = known.and_then(|call| call.result) {
            if let Some(entry) = self.session.entries.get_mut(result)
                && let EntryKind::Result {
                    is_error: failed, exit_code: code, changes: known, ..
                } = &mut entry.kind
            {
                *failed = is_error;
                *code = exit_code.or(*code);
                if !changes.is_empty() {
                    *known = changes;
                }
            }
            self.push_silent(position, event);
            return;
        }
        if known.is_none_or(|call| call.call.is_none()) {
            self.push_call(position, None, id, tool, input);
        }
        let kind = EntryKind::Result { call: id.to_owned(), text, is_error, exit_code, changes };
        let result = self.push(position, None, kind);
        let call = self.tools.calls.entry(id.to_owned()).or_default();
        call.result = Some(result);
        call.event = Some(event.to_owned());
    }

    /// Appends a call that is not known yet.
    pub(super) fn push_call(
        &mut self,
        position: Position,
        id: Option<&str>,
        call_id: &str,
        tool: String,
        input: CallInput,
    ) {
        let kind = EntryKind::Call { id: call_id.to_owned(), tool, input };
        let entry = self.push(position, id, kind);
        // Calls without an id cannot have a result.
        if !call_id.is_empty() {
            self.tools.calls.entry(call_id.to_owned()).or_default().call = Some(entry);
        }
    }

    /// Appends a call that only an event reports, unless the call is known.
    pub(super) fn push_call_event(
        &mut self,
        position: Position,
        call_id: &str,
        event: &str,
        tool: &str,
        input: CallInput,
    ) {
        if self.tools.calls.get(call_id).is_some_and(|call| call.call.is_some()) {
            self.push_silent(position, event);
        } else {
            self.push_call(position, None, call_id, tool.to_owned(), input);
        }
    }

    /// A search of the web. Its two forms have no id in common, only their action.
    pub(super) fn push_web_search(
        &mut self,
        position: Position,
        id: Option<&str>,
        kind: &str,
        action: &str,
        is_event: bool,
    ) {
        const MOST_WAITING: usize = 64;
        let twin = self.tools.searches.iter().position(|(other, was_event)| {
            *was_event != is_event && (other == action || other.is_empty() || action.is_empty())
        });
        if let Some(twin) = twin {
            self.tools.searches.remove(twin);
            self.push_silent(position, kind);
            return;
        }
        if self.tools.searches.len() == MOST_WAITING {
            self.tools.searches.remove(0);
        }
        self.tools.searches.push((action.to_owned(), is_event));
        let call_id = id.unwrap_or_default();
        let input = CallInput::Json(action.to_owned());
        self.push_call(position, id, call_id, "web_search".to_owned(), input);
    }

    /// A search of the web, as an item.
    pub(super) fn read_web_search(&mut self, position: Position, payload: &str) -> Done {
        let item: CallItem<'_> = serde_json::from_str(payload)?;
        let action = item.action.map_or("", RawValue::get);
        self.push_web_search(position, item.id.as_deref(), "web_search_call", action, false);
        Ok(())
    }

    /// Appends the start of an agent, once per agent. Returns whether it was appended.
    pub(super) fn push_agent_start(
        &mut self,
        position: Position,
        agent: String,
        call: Option<&str>,
    ) -> bool {
        let is_new = !agent.is_empty() && self.tools.started_agents.insert(agent.clone());
        if is_new {
            let call = call.map(str::to_owned);
            self.push(position, None, EntryKind::AgentStart { agent, call });
        }
        is_new
    }

    fn tool_of(&self, entry: Option<usize>) -> Option<&str> {
        match &self.session.entries.get(entry?)?.kind {
            EntryKind::Call { tool, .. } => Some(tool),
            _ => None,
        }
    }

    /// The changes that a call of `apply_patch` asked for, by itself or within a shell.
    fn changes_asked_for(&self, entry: Option<usize>) -> Vec<FileChange> {
        let kind = entry.and_then(|entry| self.session.entries.get(entry)).map(|entry| &entry.kind);
        match kind {
            Some(EntryKind::Call { tool, input: CallInput::Text(patch), .. })
                if tool == "apply_patch" =>
            {
                parse_patch(patch)
            }
            Some(EntryKind::Call { input: CallInput::Json(json), .. })
                if json.contains("*** Begin Patch") =>
            {
                patch_in_arguments(json).map(|patch| parse_patch(&patch)).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }
}

/// The patch in the arguments of `apply_patch`, or of a shell that has to apply one.
fn patch_in_arguments(json: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Arguments {
        input: Option<String>,
        command: Option<Vec<String>>,
    }
    let arguments: Arguments = serde_json::from_str(json).ok()?;
    match (arguments.input, arguments.command) {
        (Some(patch), _) => Some(patch),
        (None, Some(command)) if command.first().is_some_and(|word| word == "apply_patch") => {
            command.into_iter().nth(1)
        }
        (None, Some(command)) => command.into_iter().find(|word| {
            word.trim_start().starts_with("apply_patch") && word.contains("*** Begin Patch")
        }),
        (None, None) => None,
    }
}

/// The agent in the output of the call that started it.
fn spawned_agent(output: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Spawned {
        agent_id: String,
    }
    serde_json::from_str::<Spawned>(output).ok().map(|spawned| spawned.agent_id)
}
