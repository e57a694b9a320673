//! The calls of a session that concern files, each with its working directory
//! and the prompt that led to it.
//!
//! The prompt of a call is the last one above it in the conversation; if the
//! conversation is broken, the last one before it in the file. The calls of a
//! sub-agent have the prompt of the call that started the agent. An agent
//! without a known call has no prompt: none is guessed.

use crate::sessions::calls::{REPEATED, SessionCalls};
use conversation::{AgentNode, ToolCall, TurnNumber};
use jiff::Timestamp;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use transcript::{Body, Entry, Record, Str};

/// A prompt that led to something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeadingPrompt {
    /// The full text.
    pub text: String,
    /// Its line in the main transcript, from 1.
    pub line: u64,
    /// The uuid of that line.
    pub uuid: Option<String>,
    /// When.
    pub time: Option<Timestamp>,
    /// Its turn in the session.
    pub turn: Option<TurnNumber>,
}

/// The context of a line that calls tools.
#[derive(Clone, Debug, Default)]
struct LineContext<'a> {
    cwd: Option<Str<'a>>,
    /// An index into [`Notes::prompts`].
    prompt: Option<usize>,
    is_copy: bool,
}

/// What is recorded while reading the lines of a session.
#[derive(Debug, Default)]
pub(crate) struct Notes<'a> {
    /// Without their turns, which a single line does not show.
    prompts: Vec<LeadingPrompt>,
    /// The prompt above each line of the main transcript.
    above: HashMap<Str<'a>, Option<usize>>,
    /// By file and line.
    around: HashMap<(usize, u64), LineContext<'a>>,
    worktrees: Vec<(String, String)>,
}

impl<'a> Notes<'a> {
    /// Records an entry; file 0 is the main transcript, which may repeat lines of
    /// agents.
    pub(crate) fn note(&mut self, file: usize, entry: &Entry<'a>) {
        let record = &entry.record;
        let envelope = &record.envelope;
        if let Body::WorktreeState(state) = &record.body
            && let (Some(path), Some(before)) = (&state.worktree_path, &state.original_cwd)
        {
            let pair = (path.to_string(), before.to_string());
            if !self.worktrees.contains(&pair) {
                self.worktrees.push(pair);
            }
        }
        let mut prompt = None;
        if file == 0 {
            prompt = self.prompt_at(entry.line, record);
            if let Some(uuid) = envelope.uuid.clone() {
                self.above.insert(Str::from(uuid), prompt);
            }
        }
        if matches!(record.body, Body::Assistant(_) | Body::Tool { .. }) {
            let is_copy =
                envelope.forked_from.is_some() || envelope.session_kind.as_deref() == Some("bg");
            let cwd = envelope.cwd.clone();
            let file = if file == REPEATED { 0 } else { file };
            self.around.insert((file, entry.line), LineContext { cwd, prompt, is_copy });
        }
    }

    /// The prompt that a line of the main transcript is, or follows.
    fn prompt_at(&mut self, line: u64, record: &Record<'a>) -> Option<usize> {
        let envelope = &record.envelope;
        if let Some(text) = prompt_of(record) {
            self.prompts.push(LeadingPrompt {
                text: text.into_owned(),
                line,
                uuid: envelope.uuid.as_ref().map(ToString::to_string),
                time: record.time(),
                turn: None,
            });
            return self.prompts.len().checked_sub(1);
        }
        let parent = envelope.parent_uuid.clone().map(Str::from);
        let above = parent.and_then(|parent| self.above.get(&parent).copied().flatten());
        above.or_else(|| self.prompts.len().checked_sub(1))
    }
}

/// What a person typed, also while the model worked.
fn prompt_of<'r>(record: &'r Record<'_>) -> Option<Cow<'r, str>> {
    let Body::Attachment(attachment) = &record.body else {
        return transcript::prompt::typed_prompt(record);
    };
    let is_queued = attachment.kind.as_deref() == Some("queued_command")
        && attachment.command_mode.as_deref().is_none_or(|mode| mode == "prompt")
        && !record.envelope.is_sidechain
        && transcript::prompt::is_queued_by_person(record);
    let text = attachment.prompt.as_ref().filter(|_| is_queued)?.text();
    transcript::prompt::typed_text(text)
}

/// The calls of a session that concern files.
#[derive(Debug)]
pub(crate) struct PromptedCalls<'a> {
    calls: SessionCalls<'a>,
    notes: Notes<'a>,
    by_id: HashMap<String, usize>,
    /// The prompts with their turns. They are numbered when they are asked for, because
    /// most sessions are only searched for calls.
    prompts: OnceLock<Vec<Arc<LeadingPrompt>>>,
}

/// A call, with its context.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PromptedCall<'t, 'a> {
    pub(crate) call: &'t ToolCall<'a>,
    pub(crate) agent: Option<&'t AgentNode>,
    /// The working directory.
    pub(crate) cwd: Option<&'t str>,
    /// Its number among the calls of the session.
    number: usize,
    /// The number of the prompt that led to it.
    prompt: Option<usize>,
    /// Whether its line is marked as copied from another session.
    pub(crate) is_copy: bool,
    /// The line of the main transcript at which it happened, if known.
    pub(crate) main_line: Option<u64>,
}

impl<'a> PromptedCalls<'a> {
    pub(crate) fn new(calls: SessionCalls<'a>, notes: Notes<'a>) -> Self {
        let ids = calls.calls.iter().enumerate().filter_map(|(number, (_, call))| {
            let id = call.id.as_ref().filter(|_| call.is_spawn())?;
            Some((id.to_string(), number))
        });
        PromptedCalls { by_id: ids.collect(), calls, notes, prompts: OnceLock::new() }
    }

    /// The worktrees that the session mentions, with the folders it was in
    /// before.
    pub(crate) fn worktrees(&self) -> &[(String, String)] {
        &self.notes.worktrees
    }

    /// The prompts, in order.
    pub(crate) fn prompts(&self) -> &[Arc<LeadingPrompt>] {
        self.prompts.get_or_init(|| {
            let turns = self.calls.main_turns();
            let number = |prompt: &LeadingPrompt| {
                let turns = turns?;
                let named = prompt.uuid.as_deref().and_then(|uuid| turns.of_uuid(uuid));
                named.or_else(|| turns.at_line(prompt.line))
            };
            let numbered =
                self.notes.prompts.iter().map(|prompt| {
                    Arc::new(LeadingPrompt { turn: number(prompt), ..prompt.clone() })
                });
            numbered.collect()
        })
    }

    /// The prompt that led to a call.
    pub(crate) fn prompt(&self, prompted: &PromptedCall<'_, '_>) -> Option<&Arc<LeadingPrompt>> {
        self.prompts().get(prompted.prompt?)
    }

    /// The turn of a call: of the session, or of the sub-agent that made it.
    pub(crate) fn turn(&self, prompted: &PromptedCall<'_, '_>) -> Option<TurnNumber> {
        self.calls.turn(prompted.number)
    }

    /// The calls.
    pub(crate) fn all(&self) -> impl Iterator<Item = PromptedCall<'_, 'a>> {
        (0..self.calls.calls.len()).filter_map(|number| self.call(number))
    }

    /// A call.
    pub(crate) fn call(&self, number: usize) -> Option<PromptedCall<'_, 'a>> {
        let (agent, call) = self.calls.calls.get(number)?;
        let agent = agent.and_then(|agent| self.calls.agents.get(agent));
        let around = self.around(agent, call);
        let main = self.in_main(number);
        let prompt = main.and_then(|main| {
            let around = self.notes.around.get(&(0, main.origin.line))?;
            around.prompt
        });
        Some(PromptedCall {
            call,
            agent,
            cwd: around.and_then(|around| around.cwd.as_deref()),
            number,
            prompt,
            is_copy: around.is_some_and(|around| around.is_copy),
            main_line: main.map(|main| main.origin.line),
        })
    }

    fn around(&self, agent: Option<&AgentNode>, call: &ToolCall<'_>) -> Option<&LineContext<'a>> {
        let file = agent.and_then(|agent| agent.file).map_or(0, |file| file + 1);
        self.notes.around.get(&(file, call.origin.line))
    }

    /// The call in the main conversation behind a call: the call itself, or the
    /// one that started its agent.
    fn in_main(&self, number: usize) -> Option<&ToolCall<'a>> {
        let mut number = number;
        // Agents that claim to have started each other have no call.
        for _ in 0..=self.calls.agents.len() {
            let (agent, call) = self.calls.calls.get(number)?;
            let Some(agent) = agent.and_then(|agent| self.calls.agents.get(agent)) else {
                return Some(call).filter(|call| !call.origin.is_sidechain);
            };
            number = *self.by_id.get(agent.tool_use_id.as_deref()?)?;
        }
        None
    }
}
