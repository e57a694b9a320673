//! Items: what is sent to the model and received from it, and in the paginated form what
//! `item_completed` holds.

use std::collections::BTreeMap;

use crate::{CallInput, EntryKind};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::mirrors::Form;
use super::tools::End;
use super::{Done, Position, Reader};
use crate::codex::content::parts;
use crate::codex::patch::{RecordedChange, recorded_changes};
use crate::codex::text::Text;

#[derive(Deserialize)]
struct ItemCompleted<'a> {
    #[serde(borrow)]
    turn_id: Option<Text<'a>>,
    #[serde(borrow)]
    item: &'a RawValue,
}

/// An item of the paginated form. Each kind has some of the fields.
#[derive(Deserialize)]
struct Item<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow)]
    id: Option<Text<'a>>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    summary_text: Option<Vec<Text<'a>>>,
    #[serde(borrow)]
    raw_content: Option<Vec<Text<'a>>>,
    #[serde(borrow)]
    command: Option<&'a RawValue>,
    #[serde(borrow)]
    aggregated_output: Option<Text<'a>>,
    exit_code: Option<i64>,
    #[serde(borrow)]
    status: Option<Text<'a>>,
    #[serde(borrow)]
    changes: Option<BTreeMap<Text<'a>, RecordedChange<'a>>>,
    #[serde(borrow)]
    stdout: Option<Text<'a>>,
    #[serde(borrow)]
    server: Option<Text<'a>>,
    #[serde(borrow)]
    tool: Option<Text<'a>>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(borrow)]
    action: Option<&'a RawValue>,
    #[serde(borrow)]
    text: Option<Text<'a>>,
    #[serde(borrow)]
    path: Option<Text<'a>>,
    #[serde(borrow)]
    receiver_thread_ids: Option<Vec<Text<'a>>>,
    #[serde(borrow)]
    agent_thread_id: Option<Text<'a>>,
    #[serde(borrow)]
    user_facing_hint: Option<Text<'a>>,
    #[serde(borrow)]
    review_output: Option<&'a RawValue>,
}

/// The result of a call of an MCP server.
#[derive(Deserialize)]
struct McpResult<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(rename = "isError")]
    is_error: Option<bool>,
}

/// The text of an MCP server's result, and whether it failed.
pub(super) fn parse_mcp_result(result: Option<&RawValue>) -> (String, bool) {
    let Some(json) = result.map(RawValue::get) else { return (String::new(), false) };
    match serde_json::from_str::<McpResult<'_>>(json) {
        Ok(result) => {
            let text = result.content.map(crate::codex::content::text_of).unwrap_or_default();
            (text, result.is_error.unwrap_or(false))
        }
        Err(_) => (json.to_owned(), false),
    }
}

/// A command as the arguments of a call.
pub(super) fn command_input(command: Option<&RawValue>) -> CallInput {
    CallInput::Json(format!("{{\"command\":{}}}", command.map_or("null", RawValue::get)))
}

/// Whether the status of a finished call means that it failed.
pub(super) fn is_failure(status: Option<&str>) -> bool {
    matches!(status, Some("failed" | "declined"))
}

impl Reader {
    /// An item of the conversation with the model.
    pub(super) fn read_item(&mut self, position: Position, kind: &str, payload: &str) -> Done {
        match kind {
            "message" => self.read_message(position, payload),
            "agent_message" => self.read_communication(position, payload),
            "reasoning" => self.read_reasoning(position, payload),
            "web_search_call" => self.read_web_search(position, payload),
            "function_call"
            | "custom_tool_call"
            | "local_shell_call"
            | "tool_search_call"
            | "image_generation_call" => self.read_call(position, kind, payload),
            "function_call_output" | "custom_tool_call_output" | "tool_search_output" => {
                self.read_output(position, payload)
            }
            "ghost_snapshot" | "compaction" | "compaction_summary" | "compaction_trigger"
            | "context_compaction" | "additional_tools" => {
                self.push_silent(position, kind);
                Ok(())
            }
            _ => {
                self.push_unknown(position, format!("response_item/{kind}"));
                Ok(())
            }
        }
    }

    /// An event with an item of the paginated form.
    pub(super) fn read_completed(&mut self, position: Position, payload: &str) -> Done {
        let completed: ItemCompleted<'_> = serde_json::from_str(payload)?;
        let before = self.session.entries.len();
        self.mirrors.twin = None;
        self.read_completed_item(position, completed.item)?;
        let turn = completed.turn_id.as_deref();
        self.set_turn(before, turn);
        // The item that is shown does not name its turn; the event does.
        let twin = self.mirrors.twin.take();
        if let (Some(turn), Some(twin)) =
            (turn, twin.and_then(|at| self.session.entries.get_mut(at)))
            && twin.turn.as_deref() != Some(turn)
        {
            twin.turn = Some(turn.to_owned());
        }
        Ok(())
    }

    fn read_completed_item(&mut self, position: Position, item: &RawValue) -> Done {
        const EVENT: &str = "item_completed";
        let item: Item<'_> = serde_json::from_str(item.get())?;
        let id = item.id.as_deref();
        let call_id = id.unwrap_or_default();
        match &*item.kind {
            "UserMessage" => {
                let parts = item.content.map(parts).unwrap_or_default();
                let texts: Vec<&str> =
                    parts.iter().filter_map(|part| part.text.as_deref()).collect();
                self.push_prompt_event(position, id, EVENT, texts.join("\n"));
            }
            "AgentMessage" => {
                let text = item.content.map(crate::codex::content::text_of).unwrap_or_default();
                self.push_text(position, id, EVENT, Form::Event, text);
            }
            "Reasoning" => {
                let (summary, content) = (item.summary_text, item.raw_content);
                let texts = summary.iter().chain(&content).flatten().map(|text| &**text);
                self.push_thinking(position, id, EVENT, Form::Event, texts);
            }
            "CommandExecution" => {
                let is_error = match item.exit_code {
                    Some(code) => code != 0,
                    None => is_failure(item.status.as_deref()),
                };
                let text = item.aggregated_output.or(item.stdout);
                self.push_end(
                    position,
                    End {
                        id: call_id,
                        event: EVENT,
                        tool: "exec_command".to_owned(),
                        input: command_input(item.command),
                        text: text.map(Text::into_string).unwrap_or_default(),
                        is_error,
                        exit_code: item.exit_code,
                        changes: Vec::new(),
                    },
                );
            }
            "FileChange" => {
                let changes = item.changes.map(recorded_changes).unwrap_or_default();
                let paths: Vec<&str> = changes.iter().map(|change| change.path.as_str()).collect();
                self.push_end(
                    position,
                    End {
                        id: call_id,
                        event: EVENT,
                        tool: "apply_patch".to_owned(),
                        input: CallInput::Text(paths.join("\n")),
                        text: item.stdout.map(Text::into_string).unwrap_or_default(),
                        is_error: is_failure(item.status.as_deref()),
                        exit_code: None,
                        changes,
                    },
                );
            }
            "McpToolCall" => {
                let (mut text, failed) = parse_mcp_result(item.result);
                let error = item.error.map(RawValue::get).filter(|error| *error != "null");
                if let Some(error) = error {
                    error.clone_into(&mut text);
                }
                let server = item.server.as_deref().unwrap_or_default();
                let tool = item.tool.as_deref().unwrap_or_default();
                self.push_end(
                    position,
                    End {
                        id: call_id,
                        event: EVENT,
                        tool: format!("mcp__{server}__{tool}"),
                        input: CallInput::Json(item.arguments.map_or("", RawValue::get).to_owned()),
                        text,
                        is_error: failed || error.is_some() || is_failure(item.status.as_deref()),
                        exit_code: None,
                        changes: Vec::new(),
                    },
                );
            }
            "WebSearch" => {
                let action = item.action.map_or("", RawValue::get);
                self.push_web_search(position, id, EVENT, action, true);
            }
            "ImageView" => {
                let path = item.path.map(Text::into_string).unwrap_or_default();
                let input = CallInput::Text(path);
                self.push_call_event(position, call_id, EVENT, "view_image", input);
            }
            "ImageGeneration" => {
                let input = CallInput::Text(String::new());
                self.push_call_event(position, call_id, EVENT, "image_generation", input);
            }
            "CollabAgentToolCall" => {
                let is_start = item.tool.as_deref() == Some("spawn_agent");
                let agents = item.receiver_thread_ids.into_iter().flatten().filter(|_| is_start);
                let mut is_shown = false;
                for agent in agents {
                    is_shown |= self.push_agent_start(position, agent.into_string(), id);
                }
                if !is_shown {
                    self.push_silent(position, EVENT);
                }
            }
            "SubAgentActivity" => {
                let agent = item.agent_thread_id.map(Text::into_string).unwrap_or_default();
                if !self.push_agent_start(position, agent, id) {
                    self.push_silent(position, EVENT);
                }
            }
            "Plan" => {
                let text = item.text.map(Text::into_string).unwrap_or_default();
                self.push_notice(position, id, "plan", text);
            }
            "EnteredReviewMode" => {
                let hint = item.user_facing_hint.map(Text::into_string).unwrap_or_default();
                self.push_notice(position, id, "entered_review_mode", hint);
            }
            "ExitedReviewMode" => self.push_review(position, id, item.review_output),
            "ContextCompaction" => self.push_compaction_event(position, EVENT),
            "Extension" | "HookPrompt" | "DynamicToolCall" | "Sleep" => {
                self.push(position, id, EntryKind::Silent(format!("{EVENT}/{}", &*item.kind)));
            }
            kind => self.push_unknown(position, format!("{EVENT}/{kind}")),
        }
        Ok(())
    }

    /// What a review found.
    pub(super) fn push_review(
        &mut self,
        position: Position,
        id: Option<&str>,
        review: Option<&RawValue>,
    ) {
        #[derive(Default, Deserialize)]
        struct Review {
            overall_explanation: Option<String>,
            #[serde(default)]
            findings: Vec<Finding>,
        }
        #[derive(Deserialize)]
        struct Finding {
            title: Option<String>,
            body: Option<String>,
        }
        let review: Option<Review> =
            review.and_then(|review| serde_json::from_str(review.get()).ok());
        let review = review.unwrap_or_default();
        let mut text = review.overall_explanation.unwrap_or_default();
        for finding in review.findings {
            for part in [finding.title, finding.body].into_iter().flatten() {
                text.push_str("\n\n");
                text.push_str(&part);
            }
        }
        self.push_notice(position, id, "exited_review_mode", text);
    }
}
