//! A conversation as a list of passages: role, time and text of each.
//!
//! For readers that take as much as fits and continue from there later. Tool results
//! and text recalled from other conversations are included only on request.

use crate::turn_text::call_title;
use conversation::recall::is_recall;
use conversation::{
    Conversation, MessageState, Status, Step, StepKind, Summary, ToolCall, TurnNumber, Turns,
};
use jiff::Timestamp;
use transcript::Role;

/// Which passages are included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassageOptions {
    /// The model's thinking.
    pub thinking: bool,
    /// Tool results, and notices by the app and by programs.
    pub results: bool,
    /// Calls of annals.
    pub recalls: bool,
}

/// A message, a run of tool calls, or a notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The number of its turn.
    pub turn: TurnNumber,
    /// The uuid of the record in which it begins.
    pub uuid: String,
    /// Its number among the passages of that record.
    pub part: usize,
    /// Its role.
    pub role: Role,
    /// The tools that were called.
    pub tools: Vec<String>,
    /// Its time.
    pub time: Option<Timestamp>,
    /// Whether it is live, compacted, abandoned or orphaned.
    pub state: Option<MessageState>,
    /// Its text.
    pub text: String,
}

/// The passages of a conversation.
pub fn passages(
    conversation: &Conversation<'_>,
    turns: &Turns<'_>,
    options: PassageOptions,
) -> Vec<Passage> {
    let mut passages: Vec<Passage> = Vec::new();
    for turn in &turns.turns {
        for step in &turn.steps {
            let passage = |role, text: String| Passage {
                turn: turn.number,
                uuid: conversation.graph.node(step.node).uuid.to_string(),
                part: 0,
                role,
                tools: Vec::new(),
                time: step.time,
                state: conversation.state(step.node),
                text,
            };
            match &step.kind {
                StepKind::Call(number) => {
                    let Some(call) = turns.calls.get(*number) else { continue };
                    add_call(&mut passages, call, options, passage);
                }
                _ => passages
                    .extend(other_step(step, options).map(|(role, text)| passage(role, text))),
            }
        }
    }
    number(&mut passages);
    passages
}

/// Numbers the passages of each record.
fn number(passages: &mut [Passage]) {
    let mut parts = std::collections::HashMap::new();
    for passage in passages {
        let part = parts.entry(passage.uuid.clone()).or_insert(0);
        passage.part = *part;
        *part += 1;
    }
}

/// The role and the text of a step that is not a call, if it is included.
fn other_step(step: &Step<'_>, options: PassageOptions) -> Option<(Role, String)> {
    let non_blank = |role, text: &str| (!text.trim().is_empty()).then(|| (role, text.to_owned()));
    match &step.kind {
        StepKind::Prompt { text, is_queued: true } => non_blank(Role::Queued, text),
        StepKind::Prompt { text, .. } => non_blank(Role::User, text),
        StepKind::Text(text) => non_blank(Role::Assistant, text),
        StepKind::Thinking(text) if options.thinking => non_blank(Role::Thinking, text),
        StepKind::Summary(text) => non_blank(Role::Summary, text),
        StepKind::UnmatchedResult { content: Some(content), .. } if options.results => {
            non_blank(Role::ToolResult, &content.text())
        }
        StepKind::ApiError(text) | StepKind::Notice(_, text) if options.results => {
            non_blank(Role::System, text)
        }
        StepKind::Compaction { .. } => {
            non_blank(Role::System, "(the conversation was compacted here)")
        }
        StepKind::Interruption => non_blank(Role::System, "(the user interrupted the model here)"),
        _ => None,
    }
}

/// Adds a call: one line, joined with the calls right before it, and its result if
/// results are included.
fn add_call(
    passages: &mut Vec<Passage>,
    call: &ToolCall<'_>,
    options: PassageOptions,
    passage: impl Fn(Role, String) -> Passage,
) {
    if is_recall(&call.tool, call.input.as_ref()) && !options.recalls {
        return;
    }
    let added = passage(Role::ToolUse, call_lines(call));
    let tool = call.tool.to_string();
    match passages.last_mut() {
        Some(last) if last.role == Role::ToolUse && last.turn == added.turn => {
            last.text = format!("{}\n{}", last.text, added.text);
            if !last.tools.contains(&tool) {
                last.tools.push(tool.clone());
            }
        }
        _ => passages.push(Passage { tools: vec![tool.clone()], ..added }),
    }
    let answer = call.answer.as_ref().filter(|_| options.results);
    if let Some(answer) = answer.map(|answer| answer.text()).filter(|it| !it.trim().is_empty()) {
        passages.push(Passage { tools: vec![tool], ..passage(Role::ToolResult, answer.into()) });
    }
}

/// The title of a call, its status and its id, and the user's answers to its questions.
fn call_lines(call: &ToolCall<'_>) -> String {
    let mut text = call_title(call, None);
    let status = call.status();
    if status != Status::Ok {
        text += &format!(" [{}]", status.name());
    }
    if let Some(id) = &call.id {
        text += &format!(" (id {id})");
    }
    if let Summary::Questions(questions) = call.summary() {
        for question in questions {
            let answer = question.answer.as_deref().unwrap_or("(not answered)");
            text += &format!("\n  {} → {answer}", question.question);
        }
    }
    text
}
