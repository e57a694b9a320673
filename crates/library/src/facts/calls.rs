//! The facts of tool calls.

use super::packing::{Packer, Unpacker};
use conversation::{AgentNode, Status, ToolCall};
use index::Digest;
use jiff::Timestamp;

/// What is known of a tool call without its input and its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallFact<'f> {
    /// Distinguishes the call by its id; calls of plain transcripts have none.
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
            key: call.id.as_deref().map(key_of),
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

/// Equal ids have equal keys, in every session.
fn key_of(id: &str) -> u64 {
    let digest = Digest::of(id.as_bytes());
    digest.as_bytes().first_chunk().copied().map(u64::from_le_bytes).unwrap_or_default()
}

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
