//! A conversation as passages to hand out one by one: who said it, and what.
//!
//! For readers that take as much as they have room for, and go on from there. What
//! tools, files and programs said is told only where it is asked for, and what was
//! recalled from other conversations as well.

use crate::telling::call_title;
use conversation::recall::is_recall;
use conversation::{Conversation, State, Status, Step, Summary, ToolCall, Turns, What};
use jiff::Timestamp;
use transcript::Role;

/// What is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassageOptions {
    /// What the model thought.
    pub thinking: bool,
    /// What tools answered, and what the app and programs noted.
    pub results: bool,
    /// Calls of annals itself.
    pub recalls: bool,
}

/// Something that was said or done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The number of its turn, from 1; 0 stands before the first prompt.
    pub turn: u64,
    /// The uuid of the line it begins in.
    pub uuid: String,
    /// Its number among the passages of that line.
    pub part: usize,
    /// Who said it, or what it is.
    pub role: Role,
    /// The tools.
    pub tools: Vec<String>,
    /// When.
    pub time: Option<Timestamp>,
    /// What became of it.
    pub state: Option<State>,
    /// What was said.
    pub text: String,
}

/// The passages of a conversation.
pub fn passages(
    said: &Conversation<'_>,
    telling: &Turns<'_>,
    wish: PassageOptions,
) -> Vec<Passage> {
    let mut passages: Vec<Passage> = Vec::new();
    for turn in &telling.turns {
        for step in &turn.steps {
            let begun = |role, text: String| Passage {
                turn: turn.number,
                uuid: said.graph.node(step.node).uuid.to_string(),
                part: 0,
                role,
                tools: Vec::new(),
                time: step.time,
                state: said.state(step.node),
                text,
            };
            match &step.what {
                What::Called(number) => {
                    let Some(call) = telling.calls.get(*number) else { continue };
                    add_call(&mut passages, call, wish, begun);
                }
                _ => passages.extend(plain(step, wish).map(|(role, text)| begun(role, text))),
            }
        }
    }
    number(&mut passages);
    passages
}

/// Numbers the passages of each line.
fn number(passages: &mut [Passage]) {
    let mut parts = std::collections::HashMap::new();
    for passage in passages {
        let part = parts.entry(passage.uuid.clone()).or_insert(0);
        passage.part = *part;
        *part += 1;
    }
}

/// What is no call.
fn plain(step: &Step<'_>, wish: PassageOptions) -> Option<(Role, String)> {
    let told = |role, text: &str| (!text.trim().is_empty()).then(|| (role, text.to_owned()));
    match &step.what {
        What::Prompt { text, is_queued: true } => told(Role::Queued, text),
        What::Prompt { text, .. } => told(Role::User, text),
        What::Said(text) => told(Role::Assistant, text),
        What::Thought(text) if wish.thinking => told(Role::Thinking, text),
        What::Summary(text) => told(Role::Summary, text),
        What::Answered { content: Some(content), .. } if wish.results => {
            told(Role::ToolResult, &content.text())
        }
        What::Failure(text) | What::Notice(_, text) if wish.results => told(Role::System, text),
        What::Compaction { .. } => told(Role::System, "(here the conversation was compacted)"),
        What::Interruption => told(Role::System, "(here the person cut the model off)"),
        _ => None,
    }
}

/// A call: one line, together with the calls right before it, and what it was
/// answered where that is asked for.
fn add_call(
    passages: &mut Vec<Passage>,
    call: &ToolCall<'_>,
    wish: PassageOptions,
    begun: impl Fn(Role, String) -> Passage,
) {
    if is_recall(&call.tool, call.input.as_ref()) && !wish.recalls {
        return;
    }
    let own = begun(Role::ToolUse, call_lines(call));
    let tool = call.tool.to_string();
    match passages.last_mut() {
        Some(last) if last.role == Role::ToolUse && last.turn == own.turn => {
            last.text = format!("{}\n{}", last.text, own.text);
            if !last.tools.contains(&tool) {
                last.tools.push(tool.clone());
            }
        }
        _ => passages.push(Passage { tools: vec![tool.clone()], ..own }),
    }
    let answer = call.answer.as_ref().filter(|_| wish.results);
    if let Some(answer) = answer.map(|answer| answer.text()).filter(|it| !it.trim().is_empty()) {
        passages.push(Passage { tools: vec![tool], ..begun(Role::ToolResult, answer.into()) });
    }
}

/// What a call was about, what came of it, and its id. The person's own answers to
/// questions are told with them.
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
        for asked in questions {
            let answer = asked.answer.as_deref().unwrap_or("(not answered)");
            text += &format!("\n  {} → {answer}", asked.question);
        }
    }
    text
}
