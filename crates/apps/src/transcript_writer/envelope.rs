//! The members that all records of a transcript share.

use crate::transcript_writer::json_text::{push_member, push_string};
use crate::transcript_writer::record_ids::RecordId;
use crate::transcript_writer::source::SourceSession;
use crate::{Lineage, Workplace};
use jiff::Timestamp;
use std::io::Write as _;
use std::sync::Arc;

/// Writes the members that say which record it is.
#[derive(Debug)]
pub(crate) struct Envelope {
    /// What follows the parent: whether the record belongs to a sub-agent.
    side: &'static [u8],
    /// What is equal in all records, before and after the workplace.
    session: Vec<u8>,
    program: Vec<u8>,
    /// The workplace of records that name none.
    own_workplace: Vec<u8>,
    /// The last workplace that was written, and its members.
    workplace: (Option<Arc<Workplace>>, Vec<u8>),
    /// What a copied record says about its origin.
    origin: Vec<u8>,
    /// The last time that was written, and its text.
    time: (Option<Timestamp>, Vec<u8>),
}

impl Envelope {
    pub(crate) fn new(source: &SourceSession<'_>, agent: Option<&str>) -> Envelope {
        let header = source.header;
        let mut session = Vec::new();
        push_member(&mut session, "sessionId", Some(source.id));
        let mut program = Vec::new();
        push_member(&mut program, "version", header.version.as_deref());
        push_member(&mut program, "entrypoint", header.source.as_deref());
        push_member(&mut program, "agentId", agent);
        let (directory, branch) = (header.directory.clone(), header.branch.clone());
        let mut own_workplace = Vec::new();
        push_workplace(&mut own_workplace, &Workplace { directory, branch });
        let fork = header.lineage.iter().find_map(|lineage| match lineage {
            Lineage::Fork { of } => Some(of),
            _ => None,
        });
        let mut origin = Vec::new();
        if let Some(fork) = fork {
            origin.extend_from_slice(b",\"forkedFrom\":{\"sessionId\":");
            push_string(&mut origin, &format!("{}:{fork}", source.app.name()));
            origin.push(b'}');
        }
        let side: &[u8] = if agent.is_some() {
            b",\"isSidechain\":true,\"type\":"
        } else {
            b",\"isSidechain\":false,\"type\":"
        };
        Envelope {
            side,
            session,
            program,
            own_workplace,
            workplace: (None, Vec::new()),
            origin,
            time: (None, Vec::new()),
        }
    }

    /// Begins a record: its parent, its side, and the name of its type.
    pub(crate) fn begin(&self, bytes: &mut Vec<u8>, parent: Option<RecordId>) {
        bytes.extend_from_slice(b"{\"parentUuid\":");
        push_id(bytes, parent);
        bytes.extend_from_slice(self.side);
    }

    /// Ends a record.
    pub(crate) fn end(
        &mut self,
        bytes: &mut Vec<u8>,
        id: RecordId,
        time: Option<Timestamp>,
        workplace: Option<&Arc<Workplace>>,
        is_copy: bool,
    ) {
        bytes.extend_from_slice(b",\"uuid\":");
        push_id(bytes, Some(id));
        if let Some(time) = time {
            if self.time.0 != Some(time) {
                self.time.0 = Some(time);
                self.time.1.clear();
                let _ = write!(self.time.1, ",\"timestamp\":\"{time:.3}\"");
            }
            bytes.extend_from_slice(&self.time.1);
        }
        bytes.extend_from_slice(&self.session);
        bytes.extend_from_slice(self.members_of(workplace));
        bytes.extend_from_slice(&self.program);
        if is_copy {
            bytes.extend_from_slice(&self.origin);
        }
        bytes.push(b'}');
    }

    fn members_of(&mut self, workplace: Option<&Arc<Workplace>>) -> &[u8] {
        let Some(workplace) = workplace else { return &self.own_workplace };
        let (last, members) = &mut self.workplace;
        if last.as_ref().is_none_or(|last| !Arc::ptr_eq(last, workplace)) {
            *last = Some(Arc::clone(workplace));
            members.clear();
            push_workplace(members, workplace);
        }
        members
    }
}

fn push_workplace(bytes: &mut Vec<u8>, workplace: &Workplace) {
    push_member(bytes, "cwd", workplace.directory.as_deref());
    push_member(bytes, "gitBranch", workplace.branch.as_deref());
}

/// Writes a uuid, or `null`.
pub(crate) fn push_id(bytes: &mut Vec<u8>, id: Option<RecordId>) {
    match id {
        Some(id) => {
            bytes.push(b'"');
            bytes.extend_from_slice(&id.text());
            bytes.push(b'"');
        }
        None => bytes.extend_from_slice(b"null"),
    }
}
