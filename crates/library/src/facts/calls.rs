//! The facts of tool calls.

use crate::packing::{Packer, Unpacker};
use conversation::{AgentNode, Status, ToolCall};
use index::Digest;
use jiff::Timestamp;

/// What is known of a tool call without its input and its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallFact<'f> {
    /// Distinguishes the call from those of other sessions; copies of it have the same. Calls of
    /// plain transcripts have none.
    pub key: Option<u64>,
    /// Whether its line was copied from another session.
    pub is_copy: bool,
    /// The sub-agent that made the call.
    pub agent_id: Option<&'f str>,
    /// The type of that sub-agent.
    pub agent_type: Option<&'f str>,
    /// The tool.
    pub tool: &'f str,
    /// The model that called.
    pub model: Option<&'f str>,
    /// The skill it was called under.
    pub skill: Option<&'f str>,
    /// The outcome.
    pub status: Status,
    /// When it began.
    pub time: Option<Timestamp>,
    /// How long it took, if known.
    pub milliseconds: Option<u64>,
}

impl<'f> CallFact<'f> {
    /// The facts of a call.
    pub fn of(agent: Option<&'f AgentNode>, call: &'f ToolCall<'_>) -> CallFact<'f> {
        CallFact {
            status: call.status(),
            milliseconds: call.milliseconds(),
            ..CallFact::without_outcome(agent, call)
        }
    }

    /// The facts of a call that do not depend on its result.
    pub fn without_outcome(agent: Option<&'f AgentNode>, call: &'f ToolCall<'_>) -> CallFact<'f> {
        CallFact {
            key: key_of(call),
            is_copy: call.origin.is_copy,
            agent_id: agent.map(|agent| agent.id.as_str()),
            agent_type: agent.and_then(|agent| agent.kind.as_deref()),
            tool: &call.tool,
            model: call.model.as_deref(),
            skill: call.skill.as_deref(),
            status: Status::Missing,
            time: call.origin.time,
            milliseconds: None,
        }
    }

    pub(super) fn pack(&self, packer: &mut Packer) {
        packer.number(u64::from(self.key.is_some()) | u64::from(self.is_copy) << 1);
        if let Some(key) = self.key {
            packer.number(key);
        }
        packer.name(self.agent_id);
        packer.name(self.agent_type);
        packer.name(Some(self.tool));
        packer.name(self.model);
        packer.name(self.skill);
        pack_status(packer, self.status);
        packer.time(self.time);
        packer.number(self.milliseconds.map_or(0, |took| took.saturating_add(1)));
    }

    fn unpack(unpacker: &mut Unpacker<'f>) -> Option<CallFact<'f>> {
        let flags = unpacker.number()?;
        let key = if flags & 1 == 0 { None } else { Some(unpacker.number()?) };
        Some(CallFact {
            key,
            is_copy: flags & 2 != 0,
            agent_id: unpacker.name()?,
            agent_type: unpacker.name()?,
            tool: unpacker.name()??,
            model: unpacker.name()?,
            skill: unpacker.name()?,
            status: unpack_status(unpacker)?,
            time: unpacker.time()?,
            milliseconds: unpacker.number()?.checked_sub(1),
        })
    }
}

/// Equal calls have equal keys, in every session. Ids that count the calls of a session
/// (`functions.Bash:0`, `call_1`) occur in each: there, time, tool and input say which are
/// copies.
fn key_of(call: &ToolCall<'_>) -> Option<u64> {
    let id = call.id.as_deref()?;
    let mut bytes = id.as_bytes().to_vec();
    if !is_random(id) {
        let input = call.input.as_ref().map(transcript::Json::as_str).unwrap_or_default();
        bytes.extend(format!("\0{:?}\0{}\0{input}", call.origin.time, call.tool).bytes());
    }
    let digest = Digest::of(&bytes);
    digest.as_bytes().first_chunk().copied().map(u64::from_le_bytes)
}

/// Whether an id is long enough that no other session has it by chance.
fn is_random(id: &str) -> bool {
    let last = id.rsplit(['_', ':', '.', '-']).next().unwrap_or_default();
    last.len() >= SHORTEST_RANDOM_ID && last.bytes().any(|byte| byte.is_ascii_digit())
}

/// Random ids have at least this many letters and digits at their end: those of Claude Code 24,
/// those of UUIDs 12.
const SHORTEST_RANDOM_ID: usize = 12;

/// The calls of a session; `None` if these are not the facts of calls.
pub(super) fn unpack_calls(bytes: &[u8]) -> Option<Vec<CallFact<'_>>> {
    let mut unpacker = Unpacker::new(bytes)?;
    let mut calls = Vec::new();
    while !unpacker.is_done() {
        calls.push(CallFact::unpack(&mut unpacker)?);
    }
    Some(calls)
}

const STATUSES: [Status; 5] =
    [Status::Ok, Status::Error, Status::Denied, Status::Interrupted, Status::Missing];

pub(super) fn pack_status(packer: &mut Packer, status: Status) {
    let number = STATUSES.iter().position(|known| *known == status).unwrap_or_default();
    packer.number(number as u64);
}

pub(super) fn unpack_status(unpacker: &mut Unpacker<'_>) -> Option<Status> {
    STATUSES.get(usize::try_from(unpacker.number()?).ok()?).copied()
}
