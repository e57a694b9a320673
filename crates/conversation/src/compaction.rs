//! Where compactions are, and the figures and the summary of each.
//!
//! Since version 2 of Claude Code, a compaction is a boundary line, and its summary
//! follows. In versions 1.0.x the summary itself is a new root, and there is no
//! boundary.

use crate::conversation::Conversation;
use crate::graph::{Graph, NodeId};
use crate::node::Node;
use transcript::{Body, CompactMetadata, Record, RecordKind};

/// A compaction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compaction {
    /// `auto` or `manual`.
    pub trigger: Option<String>,
    /// Tokens in the context before.
    pub before: Option<u64>,
    /// Tokens in the context after.
    pub after: Option<u64>,
    /// How long it took, in milliseconds.
    pub milliseconds: Option<f64>,
    /// The model's summary of the compacted part.
    pub summary: Option<String>,
}

/// Recognizes compactions, line by line, in file order.
#[derive(Clone, Copy, Debug, Default)]
pub struct CompactionScan {
    has_message: bool,
    after_boundary: bool,
}

impl CompactionScan {
    /// Whether a record of the conversation is a compaction: a boundary, or the
    /// summary of an old one.
    pub fn note(&mut self, record: &Record<'_>) -> bool {
        let is_boundary = record.subtype() == Some("compact_boundary");
        let is_root = record.envelope.parent_uuid.is_none();
        let is_summary = matches!(&record.body, Body::User(user) if user.is_compact_summary);
        let is_message = matches!(record.body, Body::User(_) | Body::Assistant(_));
        self.note_line(is_boundary, is_message, is_root && is_summary)
    }

    fn note_line(&mut self, is_boundary: bool, is_message: bool, is_root_summary: bool) -> bool {
        // A summary right after a boundary belongs to it, even as a root. One with
        // nothing before it summarizes another file.
        let is_old = is_root_summary && self.has_message && !self.after_boundary;
        if is_boundary || is_message {
            self.after_boundary = is_boundary;
            self.has_message |= is_message;
        }
        is_boundary || is_old
    }
}

impl Graph<'_> {
    /// The compactions, in file order: boundaries, and the summaries of old
    /// compactions. `is_own` distinguishes the lines of this conversation from those
    /// of agents.
    pub(crate) fn compactions(&self, is_own: impl Fn(&Node<'_>) -> bool) -> Vec<NodeId> {
        let mut scan = CompactionScan::default();
        let is_compaction = |id: &NodeId| {
            let node = self.node(*id);
            let is_message = is_own(node) && node.is_message();
            scan.note_line(
                node.is_boundary(),
                is_message,
                is_message && self.is_old_compaction(*id),
            )
        };
        self.ids().filter(is_compaction).collect()
    }

    /// The compaction that a chain begins with.
    pub fn compaction_on(&self, chain: &[NodeId]) -> Option<NodeId> {
        let is_compaction =
            |id: &NodeId| self.node(*id).is_boundary() || self.is_old_compaction(*id);
        chain.iter().copied().find(is_compaction)
    }

    /// Whether a line is a compaction of version 1.0.x: a summary that is a root.
    pub(crate) fn is_old_compaction(&self, id: NodeId) -> bool {
        let node = self.node(id);
        node.kind == RecordKind::User && node.is_compact_summary && node.parent.is_none()
    }
}

impl Conversation<'_> {
    /// A compaction, by its boundary, or by the summary of an old one.
    pub fn compaction(&self, boundary: NodeId) -> Compaction {
        let record = transcript::entries(self.graph.node(boundary).bytes).next();
        let metadata = record.and_then(|entry| match entry.record.body {
            Body::System(system) => system.compact_metadata,
            _ => None,
        });
        let CompactMetadata { trigger, pre_tokens, post_tokens, duration_ms, .. } =
            metadata.unwrap_or_default();
        Compaction {
            trigger: trigger.as_deref().map(str::to_owned),
            before: pre_tokens.map(|count| count.0),
            after: post_tokens.map(|count| count.0),
            milliseconds: duration_ms.map(|number| number.0),
            summary: self.summary_after(boundary),
        }
    }

    /// The summary that follows a boundary; that of an old compaction is itself.
    fn summary_after(&self, boundary: NodeId) -> Option<String> {
        let summary = self.graph.ids().find(|id| {
            let follows = *id > boundary && self.graph.parent(*id) == Some(boundary);
            self.graph.node(*id).is_compact_summary && (follows || *id == boundary)
        })?;
        let record = transcript::entries(self.graph.node(summary).bytes).next()?.record;
        record.message().map(|message| message.text().into_owned())
    }
}
