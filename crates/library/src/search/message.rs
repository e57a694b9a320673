//! One complete message, or one tool call with its result, by id.
//!
//! Messages are identified by the uuid of their line, calls by their ids. The
//! caller names the sessions to search; others are ignored.

use crate::lines::ReadError;
use crate::progress::Progress;
use crate::search::Search;
use crate::session::Session;
use crate::sessions::calls::{SessionBytes, agent_line};
use crate::sessions::turns::LineTurns;
use crate::sessions::view::parse_conversation;
use crate::stores::Tier;
use conversation::recall::is_recall;
use conversation::{Calls, MessageState, ToolCall, TurnNumber, View};
use jiff::Timestamp;
use memchr::memmem::Finder;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use store::Agent;
use transcript::{Block, Body, Content, Entry, Record, Role, ToolUseId, Uuid, prompt, role};

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessagePart {
    /// Its role.
    pub role: Role,
    /// Whether a person typed it or the model wrote it, rather than a tool,
    /// file or program.
    pub is_own_words: bool,
    /// The tool.
    pub tool: Option<String>,
    /// The call.
    pub tool_use_id: Option<String>,
    /// Whether it is a call of annals itself, or the result of one.
    pub is_recall: bool,
    /// The full text.
    pub text: String,
}

/// A message, or a call with its result.
#[derive(Clone, Debug)]
pub struct FoundMessage {
    /// The session, as an index into those that were searched.
    pub session: usize,
    /// The sub-agent it belongs to.
    pub agent_id: Option<String>,
    /// The line's own id.
    pub uuid: Option<String>,
    /// When.
    pub time: Option<Timestamp>,
    /// The git branch.
    pub branch: Option<String>,
    /// Whether it is still part of the conversation.
    pub state: Option<MessageState>,
    /// The turn it is in.
    pub turn: Option<TurnNumber>,
    /// Its parts.
    pub parts: Vec<MessagePart>,
}

/// How many ids are suggested for one that does not exist.
const MOST_NEAR: usize = 8;

/// Shorter prefixes match too many ids.
const SHORTEST_PREFIX: usize = 4;

impl Search {
    /// The message with a uuid, or the call with an id, from the first of these
    /// sessions that has it. The sessions after it are not read.
    pub fn message(
        &self,
        sessions: &[&Session],
        id: &str,
        progress: &dyn Progress,
    ) -> (Option<FoundMessage>, Vec<ReadError>) {
        let needle = Finder::new(id);
        let first = AtomicUsize::new(usize::MAX);
        let (found, read_errors) = self.sessions.each_session_while(
            sessions,
            Tier::DiskAndArchive,
            progress,
            |number| number < first.load(Ordering::Relaxed),
            |bytes| !id.is_empty() && needle.find(bytes).is_some(),
            |number, session, agents, bytes| {
                let found = self.message_in(session, agents, bytes, id)?;
                first.fetch_min(number, Ordering::Relaxed);
                Some(found)
            },
        );
        let mut found = (0..).zip(found).filter_map(|(number, found)| Some((number, found??)));
        let found = found.next().map(|(session, found)| FoundMessage { session, ..found });
        (found, read_errors)
    }

    /// Ids of messages and calls that begin like one that does not exist, the
    /// most similar first, each with the index of its session among those
    /// searched.
    pub fn near_messages(
        &self,
        sessions: &[&Session],
        id: &str,
        progress: &dyn Progress,
    ) -> Vec<(usize, String)> {
        let beginning = distinct_prefix(id);
        if beginning.len() < SHORTEST_PREFIX {
            return Vec::new();
        }
        let needle = Finder::new(beginning);
        // How many ids each session has. Those of the first sessions that have enough of them
        // together are suggested; others may be read too, if threads are faster than that.
        let counts: Vec<AtomicUsize> = sessions.iter().map(|_| AtomicUsize::new(0)).collect();
        let is_enough_before = |number: usize| {
            let before = counts[..number].iter().map(|count| count.load(Ordering::Relaxed));
            before.sum::<usize>() >= MOST_NEAR
        };
        let (found, _) = self.sessions.each_session_while(
            sessions,
            Tier::DiskAndArchive,
            progress,
            |number| !is_enough_before(number),
            |bytes| needle.find(bytes).is_some(),
            |number, _, _, bytes| {
                let ids = ids_with_prefix(bytes, beginning);
                counts[number].store(ids.len(), Ordering::Relaxed);
                ids
            },
        );
        let numbered = (0..).zip(found).take_while(|(number, _)| !is_enough_before(*number));
        let all = numbered
            .flat_map(|(number, ids)| ids.into_iter().flatten().map(move |near| (number, near)));
        let common = |near: &str| near.bytes().zip(id.bytes()).take_while(|(a, b)| a == b).count();
        let mut near: Vec<(usize, String)> = all.collect();
        near.sort_by_key(|(_, near)| std::cmp::Reverse(common(near)));
        // Copies of a session repeat its ids.
        let mut known = HashSet::new();
        near.retain(|(_, near)| known.insert(near.clone()));
        near.truncate(MOST_NEAR);
        near
    }
}

impl Search {
    fn message_in(
        &self,
        session: &Session,
        agents: &[Agent],
        bytes: &SessionBytes,
        id: &str,
    ) -> Option<FoundMessage> {
        let has_file: HashSet<String> = agents.iter().map(|agent| agent.id.clone()).collect();
        let (file, entry) = entries_with(bytes, id, &has_file)
            .find(|(_, entry)| is_named(&entry.record, id) || names_call(&entry.record, id))?;
        let record = &entry.record;
        let mut wanted: HashSet<String> = calls_in(record).map(str::to_owned).collect();
        let is_call = !is_named(record, id);
        if is_call {
            wanted = HashSet::from([id.to_owned()]);
        }
        let calls = calls_of(bytes, &wanted, &has_file);
        let reader = CallReader::new(self, session, &calls);
        let parts = if is_call { reader.call(id, true, true) } else { reader.record(record) };
        let envelope = &record.envelope;
        let inline = envelope.agent_id.as_ref().filter(|_| envelope.is_sidechain);
        let is_repeated = inline.is_some_and(|id| !has_file.contains(id.as_str()));
        let uuid = envelope.uuid.as_ref().map(ToString::to_string);
        let (state, turn) =
            uuid.as_deref().map(|uuid| place_of(bytes, file, uuid)).unwrap_or_default();
        Some(FoundMessage {
            session: 0,
            // An agent's file may repeat lines of another agent.
            agent_id: match agents.get(file.wrapping_sub(1)) {
                Some(agent) if !is_repeated => Some(agent.id.clone()),
                _ => inline.map(ToString::to_string),
            },
            state,
            turn,
            uuid,
            time: record.time(),
            branch: envelope.git_branch.as_ref().map(ToString::to_string),
            parts,
        })
    }
}

/// What is needed to build the parts of a message.
struct CallReader<'t, 'a> {
    search: &'t Search,
    session: &'t Session,
    calls: HashMap<&'t str, &'t ToolCall<'a>>,
}

impl<'t, 'a> CallReader<'t, 'a> {
    fn new(search: &'t Search, session: &'t Session, calls: &'t Calls<'a>) -> Self {
        let calls = calls.all().iter().filter_map(|call| Some((call.id.as_deref()?, call)));
        CallReader { search, session, calls: calls.collect() }
    }

    fn record(&self, record: &Record<'_>) -> Vec<MessagePart> {
        let is_typed = prompt::typed_prompt(record).is_some();
        let is_typed_text = |text: &str| prompt::is_typed_part(record, text);
        let mut parts = Vec::new();
        // A line may name a call many times; it is included once.
        let mut asked = HashSet::new();
        let mut answered = HashSet::new();
        for piece in transcript::text::of_record(record) {
            match blocks_of(record).get(piece.block) {
                Some(Block::ToolUse(call) | Block::ServerToolUse(call)) => {
                    let id = call.id.as_ref().map_or("", ToolUseId::as_str);
                    if asked.insert(id) {
                        parts.extend(self.call(id, true, false));
                    }
                    continue;
                }
                Some(Block::ToolResult(result) | Block::ServerToolResult { result, .. }) => {
                    let id = result.tool_use_id.as_ref().map_or("", ToolUseId::as_str);
                    if self.calls.contains_key(id) && !answered.insert(id) {
                        continue;
                    }
                    let result = self.call(id, false, true);
                    if !result.is_empty() {
                        parts.extend(result);
                        continue;
                    }
                }
                _ => {}
            }
            let block = role::of_block(record, piece.block);
            let is_own_words = match block.role {
                // The app puts reminders beside what was typed.
                Role::User => is_typed && is_typed_text(&piece.text),
                Role::Queued => prompt::is_queued_by_person(record) && is_typed_text(&piece.text),
                Role::ToolResult | Role::System | Role::Attachment => false,
                _ => true,
            };
            parts.push(MessagePart {
                role: block.role,
                is_own_words,
                tool: block.tool.map(Cow::into_owned),
                tool_use_id: block.result_of.map(Cow::into_owned),
                is_recall: false,
                text: piece.text.into_owned(),
            });
        }
        parts
    }

    /// The input of a call, and its result.
    fn call(&self, id: &str, asked: bool, answered: bool) -> Vec<MessagePart> {
        let mut parts = Vec::new();
        let Some(call) = self.calls.get(id) else { return parts };
        let part = |role, text| MessagePart {
            role,
            is_own_words: role == Role::ToolUse,
            tool: Some(call.tool.to_string()),
            tool_use_id: Some(id.to_owned()),
            is_recall: is_recall(&call.tool, call.input.as_ref()),
            text,
        };
        if asked {
            let input = call.input.as_ref().map(|input| input.as_str().to_owned());
            parts.push(part(Role::ToolUse, input.unwrap_or_default()));
        }
        if answered {
            parts.extend(self.answer(call).map(|text| part(Role::ToolResult, text)));
        }
        parts
    }

    /// The result of a call, from its separate file if it was too large.
    fn answer(&self, call: &ToolCall<'_>) -> Option<String> {
        let answer = call.answer.as_ref()?;
        let kept = answer.persisted_name();
        let whole = kept.and_then(|name| self.search.sessions.tool_output(self.session, &name));
        Some(whole.unwrap_or_else(|| answer.text().into_owned()))
    }
}

/// The calls with these ids, with their results: the session is read once,
/// however many there are.
fn calls_of<'a>(
    bytes: &'a SessionBytes,
    ids: &HashSet<String>,
    has_file: &HashSet<String>,
) -> Calls<'a> {
    let mut calls = Calls::default();
    // The names of all kinds of calls and results contain this.
    let word = match ids.iter().next() {
        Some(id) if ids.len() == 1 => id,
        Some(_) => "tool_",
        None => return calls,
    };
    for (_, entry) in entries_with(bytes, word, has_file) {
        if calls_in(&entry.record).any(|id| ids.contains(id)) {
            calls.note(entry.line, entry.record);
        }
    }
    calls
}

/// The entries of lines that contain a word, with their files: 0 is the main
/// transcript, the agents follow. Lines of agents that the main transcript repeats
/// are entries too, except of agents that have files.
fn entries_with<'a>(
    bytes: &'a SessionBytes,
    word: &str,
    has_file: &HashSet<String>,
) -> impl Iterator<Item = (usize, Entry<'a>)> {
    let needle = Finder::new(word).into_owned();
    bytes.files().enumerate().flat_map(move |(file, bytes)| {
        let needle = needle.clone();
        let lines = transcript::lines(bytes);
        let lines = lines.filter(move |line| needle.find(line.bytes).is_some());
        lines.flat_map(transcript::parse_line).flat_map(move |entry| {
            let repeated = agent_line(&entry, |agent| has_file.contains(agent));
            [Some(entry), repeated].into_iter().flatten().map(move |entry| (file, entry))
        })
    })
}

/// The prefix of an id that distinguishes it from others, which is more than
/// its kind: for `toolu_01Abc…`, the kind is `toolu_`.
fn distinct_prefix(id: &str) -> &str {
    const DISTINCT: usize = 8;
    let kind = id.rfind('_').map_or(0, |at| at + 1);
    &id[..id.floor_char_boundary(kind + DISTINCT)]
}

/// The ids of messages and calls with this prefix, each once.
fn ids_with_prefix(bytes: &SessionBytes, beginning: &str) -> Vec<String> {
    let mut ids = HashSet::new();
    for (_, entry) in entries_with(bytes, beginning, &HashSet::new()) {
        let record = &entry.record;
        let own = record.envelope.uuid.as_ref().map(Uuid::as_str);
        for id in own.into_iter().chain(calls_in(record)) {
            if id.starts_with(beginning) {
                ids.insert(id.to_owned());
            }
        }
    }
    let mut ids: Vec<String> = ids.into_iter().collect();
    ids.sort();
    ids
}

fn is_named(record: &Record<'_>, uuid: &str) -> bool {
    record.envelope.uuid.as_ref().is_some_and(|own| own.as_str() == uuid)
}

fn names_call(record: &Record<'_>, id: &str) -> bool {
    calls_in(record).any(|own| own == id)
}

fn blocks_of<'r, 'a>(record: &'r Record<'a>) -> &'r [Block<'a>] {
    let own = match &record.body {
        Body::User(user) => user.content.as_ref(),
        Body::Assistant(assistant) => assistant.content.as_ref(),
        _ => None,
    };
    match record.message().and_then(|message| message.content.as_ref()).or(own) {
        Some(Content::Blocks(blocks)) => blocks,
        _ => &[],
    }
}

/// The calls that a record makes or answers.
fn calls_in<'r>(record: &'r Record<'_>) -> impl Iterator<Item = &'r str> {
    blocks_of(record).iter().filter_map(|block| match block {
        Block::ToolUse(call) | Block::ServerToolUse(call) => {
            call.id.as_ref().map(ToolUseId::as_str)
        }
        Block::ToolResult(result) | Block::ServerToolResult { result, .. } => {
            result.tool_use_id.as_ref().map(ToolUseId::as_str)
        }
        _ => None,
    })
}

/// The state and the turn of a message.
fn place_of(
    bytes: &SessionBytes,
    file: usize,
    uuid: &str,
) -> (Option<MessageState>, Option<TurnNumber>) {
    let Some(of_file) = bytes.files().nth(file) else { return (None, None) };
    let conversation = parse_conversation(of_file, file > 0, View::App);
    let node = conversation.graph.find(uuid);
    let state = node.and_then(|node| conversation.state(node));
    (state, LineTurns::of(&conversation).of_uuid(uuid))
}
