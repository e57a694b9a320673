//! The figures and the summary of a compaction.

use crate::conversation::Conversation;
use crate::graph::NodeId;
use transcript::{Body, CompactMetadata};

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

impl Conversation<'_> {
    /// The compaction at a boundary.
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

    /// The summary that follows a boundary.
    fn summary_after(&self, boundary: NodeId) -> Option<String> {
        let summary = self.graph.ids().find(|id| {
            *id > boundary
                && self.graph.node(*id).is_compact_summary
                && self.graph.parent(*id) == Some(boundary)
        })?;
        let record = transcript::entries(self.graph.node(summary).bytes).next()?.record;
        record.message().map(|message| message.text().into_owned())
    }
}
