//! One message of an open session: where it stands, its HTML with what stands around
//! it, its records.

use super::Marks;
use super::thread::{Thread, ThreadPart};
use crate::pages::read_outputs;
use crate::{
    Document as _, PlaceDocument, RecordDocument, RecordProblemDocument, RecordsDocument,
    SessionDocument,
};
use conversation::{StepKind, Turn, TurnNumber, Turns, View};
use jiff::tz::TimeZone;
use library::redaction::MaskedLine;
use library::sessions::{AgentConversation, OpenSession, SelectionError};
use render::{Chapter, Detail, ExportDocument, FragmentLink, FragmentOptions, Heading, html_steps};
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

/// The most records of an answer.
const MOST_RECORDS: usize = 500;

/// A message of a session.
#[derive(Clone, Copy, Debug)]
pub struct MessageName<'o> {
    /// The id of its record.
    pub uuid: &'o str,
    /// The sub-agent whose transcript has it, if that is known.
    pub agent: Option<&'o str>,
    /// The rules by which the conversation is read.
    pub view: View,
}

/// Where a message stands; `None` if no part of the session shows it.
pub fn place(session: &OpenSession, name: &MessageName<'_>) -> Option<PlaceDocument> {
    let found = find(session, name)?;
    let turn = found.turn();
    let step = turn.steps.get(found.step)?;
    Some(PlaceDocument {
        schema: PlaceDocument::SCHEMA.into(),
        session_id: session.found().session.id.clone(),
        agent_id: found.agent.clone(),
        part: match turn.number {
            TurnNumber::Main(_) => "main".to_owned(),
            TurnNumber::Branch { branch, .. } => format!("b{branch}"),
            TurnNumber::Orphan { segment, .. } => format!("o{segment}"),
        },
        turn: turn.number.to_string(),
        step: found.step,
        uuid: found.thread.conversation.graph.node(step.node).uuid.to_string(),
    })
}

/// How a message is written as HTML.
pub struct MessageFragmentOptions<'o> {
    /// The call, if only one of the record's calls is asked for.
    pub call: Option<&'o str>,
    /// How many steps of its turn before and after it.
    pub around: usize,
    /// Whether long texts and outputs are not cut.
    pub is_whole: bool,
    /// How much of tool calls.
    pub tools: Detail,
    /// Whether thinking is shown.
    pub thinking: bool,
    /// The zone of times.
    pub zone: &'o TimeZone,
    /// Makes the address of what the fragment links to.
    pub url: &'o dyn Fn(&FragmentLink<'_>) -> String,
}

impl fmt::Debug for MessageFragmentOptions<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut options = formatter.debug_struct("MessageFragmentOptions");
        options.field("call", &self.call).field("around", &self.around).finish_non_exhaustive()
    }
}

/// A message, or one call in it, as HTML, with what stands around it in its turn;
/// `None` if no part of the session shows it.
pub fn message_fragment(
    session: &OpenSession,
    name: &MessageName<'_>,
    options: &MessageFragmentOptions<'_>,
) -> Option<String> {
    let found = find(session, name)?;
    let turns: &Turns<'_> = &found.thread.turns;
    let turn = found.turn();
    let steps = found.steps(options.call, options.around);
    let calls = turn.steps.get(steps.clone()).unwrap_or_default().iter();
    let calls = calls.filter_map(|step| match step.kind {
        StepKind::Call(number) => turns.calls.get(number),
        _ => None,
    });
    let outputs = read_outputs(session, calls);
    let persisted =
        |name: &str| outputs.get(name).map(|(text, _): &(String, Vec<MaskedLine>)| text.clone());
    let main = Chapter {
        conversation: found.thread.conversation,
        chain: Vec::new(),
        all_turns: turns,
        turns: Vec::new(),
        costs: HashMap::new(),
    };
    let mut export = ExportDocument::new(Heading::default(), options.zone, main, &persisted);
    export.folder.clone_from(&session.found().session.metadata.cwd);
    export.thinking = options.thinking;
    export.tools = options.tools;
    let fragment = FragmentOptions {
        url: options.url,
        agent: found.agent.as_deref(),
        max_bytes: usize::MAX,
        first_step: 0,
        day_before: None,
        is_end: false,
        is_whole_output: options.is_whole,
    };
    Some(html_steps(&export, turn, steps, &fragment))
}

/// A message that was found.
struct FoundMessage<'s> {
    thread: Thread<'s>,
    agent: Option<String>,
    /// The position of its turn, and the first step that shows it.
    turn: usize,
    step: usize,
}

impl<'s> FoundMessage<'s> {
    fn turn(&self) -> &Turn<'s> {
        // The position comes from the same turns.
        &self.thread.turns.turns[self.turn]
    }

    /// The steps of its record, or of one call in it, and those around.
    fn steps(&self, call: Option<&str>, around: usize) -> Range<usize> {
        let turn = self.turn();
        let node = turn.steps.get(self.step).map(|step| step.node);
        let is_same = |step: &conversation::Step<'_>| Some(step.node) == node;
        let own = turn.steps.iter().skip(self.step).take_while(|step| is_same(step)).count();
        let mut steps = self.step..self.step + own.max(1);
        let called = turn.steps.iter().position(|step| match step.kind {
            StepKind::Call(number) if call.is_some() => {
                let own = self.thread.turns.calls.get(number);
                own.is_some_and(|own| own.id.as_deref() == call)
            }
            _ => false,
        });
        if let Some(called) = called {
            steps = called..called + 1;
        }
        let start = steps.start.saturating_sub(around);
        start..steps.end.saturating_add(around).min(turn.steps.len())
    }
}

fn find<'s>(session: &'s OpenSession, name: &MessageName<'_>) -> Option<FoundMessage<'s>> {
    if let Some(agent) = name.agent {
        return in_part(session, name, &ThreadPart::Main, Some(agent));
    }
    let conversation = session.conversation(name.view);
    let node = conversation.graph.find(name.uuid);
    let number = node.and_then(|node| conversation.turn_of(node));
    let part = match number {
        Some(TurnNumber::Branch { branch, .. }) => {
            ThreadPart::Branch(usize::try_from(branch).ok()?)
        }
        Some(TurnNumber::Orphan { segment, .. }) => {
            ThreadPart::Orphan(usize::try_from(segment).ok()?)
        }
        Some(TurnNumber::Main(_)) | None => ThreadPart::Main,
    };
    in_part(session, name, &part, None).or_else(|| in_agents(session, name))
}

fn in_part<'s>(
    session: &'s OpenSession,
    name: &MessageName<'_>,
    part: &ThreadPart,
    agent: Option<&str>,
) -> Option<FoundMessage<'s>> {
    let thread = Thread::new(session, part, agent, name.view).ok()?;
    let (turn, step) = position(&thread, name.uuid)?;
    Some(FoundMessage { thread, agent: agent.map(str::to_owned), turn, step })
}

/// Looks in the conversations of sub-agents.
fn in_agents<'s>(session: &'s OpenSession, name: &MessageName<'_>) -> Option<FoundMessage<'s>> {
    if session.found().inline_agent.is_some() {
        return None;
    }
    session.agents().agents.iter().find_map(|agent| {
        let conversation = session.agent_conversation(agent, name.view).ok()?;
        let thread = Thread::of_conversation(&conversation);
        let (turn, step) = position(&thread, name.uuid)?;
        Some(FoundMessage { thread, agent: Some(agent.id.clone()), turn, step })
    })
}

/// The turn and the step that show a record: its own, or the call that it answers.
fn position(thread: &Thread<'_>, uuid: &str) -> Option<(usize, usize)> {
    let graph = &thread.conversation.graph;
    let node = graph.find(uuid)?;
    let turns = &thread.turns;
    let is_answer = |number: usize| {
        let answer = turns.calls.get(number).and_then(|call| call.answer.as_ref());
        answer.is_some_and(|answer| answer.origin.uuid.as_deref() == Some(uuid))
    };
    let mut answered = None;
    for (position, turn) in turns.turns.iter().enumerate() {
        for (place, step) in turn.steps.iter().enumerate() {
            if step.node == node {
                return Some((position, place));
            }
            if let StepKind::Call(number) = step.kind
                && answered.is_none()
                && is_answer(number)
            {
                answered = Some((position, place));
            }
        }
    }
    answered
}

/// Which records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordsSelection<'o> {
    /// That with an id, and those of its result if it calls tools.
    Uuid(&'o str),
    /// Those of these lines, from 1, both included.
    Lines(u64, u64),
}

/// Records of an open session or of one of its sub-agents, with secrets masked; at most
/// 500.
pub fn records<T>(
    session: &OpenSession,
    agent: Option<&str>,
    selection: &RecordsSelection<'_>,
    marks: &Marks,
    each: impl FnOnce(&RecordsDocument<'_>) -> T,
) -> Result<T, SelectionError> {
    let bytes = match agent {
        None => session.bytes(),
        Some(id) => {
            let missing = || SelectionError::NoAgent(id.to_owned());
            let node = session.agents().find(id).ok_or_else(missing)?;
            let unreadable = |reason| SelectionError::UnreadableAgent { id: id.to_owned(), reason };
            match session.agent_conversation(node, View::App).map_err(unreadable)? {
                AgentConversation::File { view, .. } => view.bytes(),
                AgentConversation::Lines { .. } => session.bytes(),
            }
        }
    };
    let mut calls: Vec<String> = Vec::new();
    let mut entries = Vec::new();
    for entry in transcript::entries(bytes) {
        let is_wanted = match selection {
            RecordsSelection::Lines(from, to) => (*from..=*to).contains(&entry.line),
            RecordsSelection::Uuid(uuid) => {
                let own = entry.record.envelope.uuid.as_ref();
                let is_own = own.is_some_and(|own| own.as_str() == *uuid);
                if is_own {
                    calls.extend(call_ids(&entry.record).map(str::to_owned));
                }
                is_own || result_ids(&entry.record).any(|id| calls.iter().any(|call| call == id))
            }
        };
        if is_wanted {
            entries.push(entry);
        }
        if entries.len() >= MOST_RECORDS {
            break;
        }
    }
    let found = session.found();
    let document = RecordsDocument {
        schema: RecordsDocument::SCHEMA.into(),
        session: SessionDocument::new(&found.session, marks.documents_of(session)),
        agent_id: agent.or(found.agent_id()).map(Into::into),
        records: entries.iter().map(RecordDocument::from).collect(),
        problems: entries.iter().flat_map(RecordProblemDocument::of).collect(),
    };
    Ok(each(&document))
}

/// The ids of the calls in a record.
fn call_ids<'r>(record: &'r transcript::Record<'_>) -> impl Iterator<Item = &'r str> {
    let message = match &record.body {
        transcript::Body::Assistant(assistant) => assistant.message.as_deref(),
        _ => None,
    };
    let blocks = message.and_then(|message| message.content.as_ref());
    let blocks = blocks.into_iter().flat_map(transcript::Content::blocks);
    blocks.filter_map(|block| match block {
        transcript::Block::ToolUse(call) => call.id.as_ref().map(transcript::ToolUseId::as_str),
        _ => None,
    })
}

/// The ids of the calls that a record answers.
fn result_ids<'r>(record: &'r transcript::Record<'_>) -> impl Iterator<Item = &'r str> {
    let message = match &record.body {
        transcript::Body::User(user) => user.message.as_deref(),
        _ => None,
    };
    let results = message.into_iter().flat_map(transcript::Message::tool_results);
    results.filter_map(|result| result.tool_use_id.as_ref().map(transcript::ToolUseId::as_str))
}
