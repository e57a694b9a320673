//! Events: what the program showed on its own screens.

use std::collections::BTreeMap;

use crate::{CallInput, EntryKind};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::items::{command_input, is_failure, parse_mcp_result};
use super::mirrors::Form;
use super::tools::End;
use super::{Done, Position, Reader};
use crate::codex::content::text_of;
use crate::codex::patch::{RecordedChange, recorded_changes};
use crate::codex::text::Text;

/// Events with nothing to show: progress, settings, and beginnings of what has an end.
const SILENT: [&str; 34] = [
    "account/rateLimits/updated",
    "agent_message_content_delta",
    "agent_message_delta",
    "agent_reasoning_delta",
    "agent_reasoning_raw_content_delta",
    "agent_reasoning_section_break",
    "apply_patch_approval_request",
    "collab_agent_interaction_begin",
    "collab_agent_interaction_end",
    "collab_agent_spawn_begin",
    "collab_close_begin",
    "collab_close_end",
    "collab_resume_begin",
    "collab_resume_end",
    "collab_waiting_begin",
    "collab_waiting_end",
    "exec_approval_request",
    "exec_command_begin",
    "exec_command_output_delta",
    "hook_completed",
    "hook_started",
    "image_generation_begin",
    "item_started",
    "mcp_startup_complete",
    "mcp_startup_update",
    "mcp_tool_call_begin",
    "patch_apply_begin",
    "plan_update",
    "session_configured",
    "shutdown_complete",
    "thread_settings_applied",
    "token_count",
    "turn_diff",
    "web_search_begin",
];

/// Fields that several events share.
#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow)]
    turn_id: Option<Text<'a>>,
    #[serde(borrow)]
    item_id: Option<Text<'a>>,
    #[serde(borrow)]
    message: Option<Text<'a>>,
    #[serde(borrow)]
    text: Option<Text<'a>>,
    #[serde(borrow)]
    kind: Option<Text<'a>>,
    #[serde(borrow)]
    reason: Option<Text<'a>>,
    num_turns: Option<usize>,
    #[serde(borrow)]
    thread_id: Option<Text<'a>>,
    #[serde(borrow)]
    thread_name: Option<Text<'a>>,
    #[serde(borrow)]
    user_facing_hint: Option<Text<'a>>,
    #[serde(borrow)]
    review_output: Option<&'a RawValue>,
    #[serde(borrow)]
    rationale: Option<Text<'a>>,
    #[serde(borrow)]
    goal: Option<Goal<'a>>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Goal<'a> {
    #[serde(borrow)]
    objective: Option<Text<'a>>,
}

/// The end of a call. Each kind of call has some of the fields.
#[derive(Deserialize)]
struct CallEnd<'a> {
    #[serde(borrow, alias = "callId")]
    call_id: Option<Text<'a>>,
    #[serde(borrow)]
    command: Option<&'a RawValue>,
    exit_code: Option<i64>,
    #[serde(borrow)]
    aggregated_output: Option<Text<'a>>,
    #[serde(borrow)]
    formatted_output: Option<Text<'a>>,
    #[serde(borrow)]
    stdout: Option<Text<'a>>,
    #[serde(borrow)]
    stderr: Option<Text<'a>>,
    #[serde(borrow)]
    status: Option<&'a RawValue>,
    success: Option<bool>,
    #[serde(borrow)]
    changes: Option<BTreeMap<Text<'a>, RecordedChange<'a>>>,
    #[serde(borrow)]
    invocation: Option<Invocation<'a>>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    action: Option<&'a RawValue>,
    #[serde(borrow)]
    tool: Option<Text<'a>>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    content_items: Option<&'a RawValue>,
    #[serde(borrow)]
    path: Option<Text<'a>>,
    #[serde(borrow)]
    revised_prompt: Option<Text<'a>>,
}

#[derive(Deserialize)]
struct Invocation<'a> {
    #[serde(borrow)]
    server: Text<'a>,
    #[serde(borrow)]
    tool: Text<'a>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
}

/// A result of Rust: `{"Ok": …}` or `{"Err": …}`.
#[derive(Deserialize)]
struct OkOrError<'a> {
    #[serde(borrow, rename = "Ok")]
    ok: Option<&'a RawValue>,
    #[serde(borrow, rename = "Err")]
    error: Option<Text<'a>>,
}

#[derive(Deserialize)]
struct AgentEvent<'a> {
    #[serde(borrow)]
    call_id: Option<Text<'a>>,
    #[serde(borrow)]
    event_id: Option<Text<'a>>,
    #[serde(borrow)]
    new_thread_id: Option<Text<'a>>,
    #[serde(borrow)]
    agent_thread_id: Option<Text<'a>>,
}

fn owned(text: Option<Text<'_>>) -> String {
    text.map(Text::into_string).unwrap_or_default()
}

impl Reader {
    pub(super) fn read_event(&mut self, position: Position, kind: &str, payload: &str) -> Done {
        match kind {
            "item_completed" => self.read_completed(position, payload),
            "task_started" | "turn_started" => {
                self.begin_turn();
                self.push_silent(position, kind);
                Ok(())
            }
            "task_complete" | "turn_complete" => {
                self.end_turn();
                self.push_silent(position, kind);
                Ok(())
            }
            "exec_command_end"
            | "patch_apply_end"
            | "mcp_tool_call_end"
            | "dynamic_tool_call_request"
            | "dynamic_tool_call_response"
            | "web_search_end"
            | "view_image_tool_call"
            | "image_generation_end" => self.read_call_end(position, kind, payload),
            "collab_agent_spawn_end" | "sub_agent_activity" => {
                self.read_agent_event(position, kind, payload)
            }
            "context_compacted" => {
                self.push_compaction_event(position, kind);
                Ok(())
            }
            _ if SILENT.contains(&kind) => {
                self.push_silent(position, kind);
                Ok(())
            }
            _ => self.read_other_event(position, kind, payload),
        }
    }

    fn read_other_event(&mut self, position: Position, kind: &str, payload: &str) -> Done {
        let event: Event<'_> = serde_json::from_str(payload)?;
        let before = self.session.entries.len();
        match kind {
            "user_message" => {
                let text = owned(event.message);
                match event.kind.as_deref() {
                    None | Some("plain") => {
                        self.push_prompt_event(position, None, kind, text);
                    }
                    Some(kind) => self.push_notice(position, None, kind, text),
                }
            }
            "agent_message" => {
                self.push_text(position, None, kind, Form::Event, owned(event.message));
            }
            "agent_reasoning" | "agent_reasoning_raw_content" => {
                let text = event.text.as_deref().into_iter();
                self.push_thinking(position, None, kind, Form::Event, text);
            }
            "turn_aborted" => {
                self.end_turn();
                if event.reason.as_deref() == Some("interrupted") {
                    self.push(position, None, EntryKind::Interruption);
                } else {
                    self.push_notice(position, None, kind, owned(event.reason));
                }
            }
            "thread_rolled_back" => {
                let number = event.num_turns.unwrap_or(0);
                self.undo_turns(number);
                self.push_notice(position, None, kind, number.to_string());
            }
            "thread_name_updated" => {
                if event.thread_id.is_none_or(|id| self.own.as_deref() == Some(&*id)) {
                    self.session.header.title =
                        event.thread_name.map(Text::into_string).filter(|name| !name.is_empty());
                }
                self.push_silent(position, kind);
            }
            "error" => {
                let text = match (event.message, event.error) {
                    (Some(message), _) => message.into_string(),
                    (None, Some(error)) => error.get().to_owned(),
                    (None, None) => String::new(),
                };
                self.push(position, None, EntryKind::Error(text));
            }
            "stream_error" => {
                self.push(position, None, EntryKind::Error(owned(event.message)));
            }
            "entered_review_mode" => {
                let id = event.item_id.as_deref();
                self.push_notice(position, id, kind, owned(event.user_facing_hint));
                self.set_turn(before, event.turn_id.as_deref());
            }
            "exited_review_mode" => {
                self.push_review(position, event.item_id.as_deref(), event.review_output);
                self.set_turn(before, event.turn_id.as_deref());
            }
            "thread_goal_updated" => {
                let objective = event.goal.and_then(|goal| goal.objective);
                self.push_notice(position, None, kind, owned(objective));
            }
            "guardian_assessment" => match event.rationale {
                Some(rationale) => {
                    self.push_notice(position, None, kind, rationale.into_string());
                }
                None => self.push_silent(position, kind),
            },
            "warning" | "background_event" | "deprecation_notice" | "undo_started"
            | "undo_completed" | "model_reroute" => {
                self.push_notice(position, None, kind, owned(event.message));
            }
            _ => self.push_unknown(position, format!("event_msg/{kind}")),
        }
        Ok(())
    }

    fn read_call_end(&mut self, position: Position, event: &str, payload: &str) -> Done {
        let end: CallEnd<'_> = serde_json::from_str(payload)?;
        let id = end.call_id.as_deref().unwrap_or_default();
        let finished = |tool: String, input, text, is_error, changes| End {
            id,
            event,
            tool,
            input,
            text,
            is_error,
            exit_code: end.exit_code,
            changes,
        };
        let json =
            |raw: Option<&RawValue>| CallInput::Json(raw.map_or("", RawValue::get).to_owned());
        match event {
            "exec_command_end" => {
                let status = end.status.map(|status| status.get().trim_matches('"'));
                let is_error = match end.exit_code {
                    Some(code) => code != 0,
                    None => is_failure(status),
                };
                let text = end.aggregated_output.or(end.formatted_output).or(end.stdout);
                let input = command_input(end.command);
                let end =
                    finished("exec_command".to_owned(), input, owned(text), is_error, Vec::new());
                self.push_end(position, end);
            }
            "patch_apply_end" => {
                let changes = end.changes.map(recorded_changes).unwrap_or_default();
                let paths: Vec<&str> = changes.iter().map(|change| change.path.as_str()).collect();
                let input = CallInput::Text(paths.join("\n"));
                let is_error = end.success == Some(false);
                let text = if is_error { end.stderr } else { end.stdout };
                let end = finished("apply_patch".to_owned(), input, owned(text), is_error, changes);
                self.push_end(position, end);
            }
            "mcp_tool_call_end" => {
                let (tool, input) = match end.invocation {
                    Some(call) => {
                        (format!("mcp__{}__{}", &*call.server, &*call.tool), json(call.arguments))
                    }
                    None => ("mcp".to_owned(), json(None)),
                };
                let result: Option<OkOrError<'_>> =
                    end.result.and_then(|result| serde_json::from_str(result.get()).ok());
                let (text, is_error) = match result {
                    Some(OkOrError { error: Some(error), .. }) => (error.into_string(), true),
                    Some(OkOrError { ok, .. }) => parse_mcp_result(ok),
                    None => (String::new(), false),
                };
                self.push_end(position, finished(tool, input, text, is_error, Vec::new()));
            }
            "dynamic_tool_call_request" => {
                let tool = owned(end.tool);
                self.push_call_event(position, id, event, &tool, json(end.arguments));
            }
            "dynamic_tool_call_response" => {
                let text = end.content_items.map(text_of).unwrap_or_default();
                let is_error = end.success == Some(false);
                let (tool, input) = (owned(end.tool), json(end.arguments));
                self.push_end(position, finished(tool, input, text, is_error, Vec::new()));
            }
            "web_search_end" => {
                let action = end.action.map_or("", RawValue::get);
                self.push_web_search(position, Some(id), event, action, true);
            }
            "view_image_tool_call" => {
                let input = CallInput::Text(owned(end.path));
                self.push_call_event(position, id, event, "view_image", input);
            }
            _ => {
                let input = CallInput::Text(owned(end.revised_prompt));
                self.push_call_event(position, id, event, "image_generation", input);
            }
        }
        Ok(())
    }

    fn read_agent_event(&mut self, position: Position, kind: &str, payload: &str) -> Done {
        let event: AgentEvent<'_> = serde_json::from_str(payload)?;
        let call = event.call_id.or(event.event_id);
        let agent = owned(event.new_thread_id.or(event.agent_thread_id));
        if !self.push_agent_start(position, agent, call.as_deref()) {
            self.push_silent(position, kind);
        }
        Ok(())
    }
}
