//! The facts of calls that read or change files.

use crate::facts::calls::{pack_status, unpack_status};
use crate::packing::{Packer, Unpacker};
use crate::sessions::prompted_calls::PromptedCalls;
use crate::sessions::recorded_touches::{Operation, recorded_touches};
use conversation::Status;
use index::Digest;
use jiff::Timestamp;

/// What is known of a call that reads or changes a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TouchFact<'f> {
    /// The recorded path of the file.
    pub(crate) path: &'f str,
    /// The working directory.
    pub(crate) cwd: Option<&'f str>,
    pub(crate) operation: Operation,
    pub(crate) tool: &'f str,
    pub(crate) status: Status,
    pub(crate) added: u64,
    pub(crate) removed: u64,
    pub(crate) time: Option<Timestamp>,
    pub(crate) agent_type: Option<&'f str>,
    pub(crate) model: Option<&'f str>,
    /// The digest of the call's id; of the later files of a patch, also of their number.
    pub(crate) call: Option<Digest>,
    /// Whether its line is marked as copied from another session.
    pub(crate) is_copy: bool,
}

/// The files that a session read and changed.
#[derive(Debug)]
pub(crate) struct SessionTouches<'f> {
    /// The worktrees that it mentions, with the folders it was in before.
    pub(crate) worktrees: Vec<(String, String)>,
    /// The touches, in order.
    pub(crate) touches: Vec<TouchFact<'f>>,
}

const OPERATIONS: [Operation; 5] =
    [Operation::Read, Operation::Create, Operation::Write, Operation::Edit, Operation::Notebook];

/// Packs the touches of a session.
pub(super) fn pack_touches(prompted_calls: &PromptedCalls<'_>) -> Packer {
    let mut packer = Packer::default();
    packer.number(prompted_calls.worktrees().len() as u64);
    for (worktree, folder) in prompted_calls.worktrees() {
        packer.name(Some(worktree));
        packer.name(Some(folder));
    }
    for prompted in prompted_calls.all() {
        let call = prompted.call;
        for (number, touch) in recorded_touches(call).into_iter().enumerate() {
            let operation = OPERATIONS.iter().position(|known| *known == touch.operation);
            let answered = call.answer.as_ref().and_then(|answer| answer.origin.time);
            packer.name(Some(&touch.path));
            packer.name(prompted.cwd);
            packer.number(operation.unwrap_or_default() as u64);
            packer.name(Some(&call.tool));
            pack_status(&mut packer, call.status());
            packer.number(touch.diff.added);
            packer.number(touch.diff.removed);
            packer.time(answered.or(call.origin.time));
            packer.name(prompted.agent.and_then(|agent| agent.kind.as_deref()));
            packer.name(call.model.as_deref());
            packer.digest(call.id.as_deref().map(|id| match number {
                0 => Digest::of(id.as_bytes()),
                _ => Digest::of(format!("{id}\0{number}").as_bytes()),
            }));
            packer.number(prompted.is_copy.into());
        }
    }
    packer
}

/// The touches of a session; `None` if these are not the facts of touches.
pub(super) fn unpack_touches(bytes: &[u8]) -> Option<SessionTouches<'_>> {
    let mut unpacker = Unpacker::new(bytes)?;
    let mut worktrees = Vec::new();
    for _ in 0..unpacker.count()? {
        worktrees.push((unpacker.name()??.to_owned(), unpacker.name()??.to_owned()));
    }
    let mut touches = Vec::new();
    while !unpacker.is_done() {
        touches.push(TouchFact {
            path: unpacker.name()??,
            cwd: unpacker.name()?,
            operation: *OPERATIONS.get(usize::try_from(unpacker.number()?).ok()?)?,
            tool: unpacker.name()??,
            status: unpack_status(&mut unpacker)?,
            added: unpacker.number()?,
            removed: unpacker.number()?,
            time: unpacker.time()?,
            agent_type: unpacker.name()?,
            model: unpacker.name()?,
            call: unpacker.digest()?,
            is_copy: unpacker.flag()?,
        });
    }
    Some(SessionTouches { worktrees, touches })
}
