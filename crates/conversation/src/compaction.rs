//! What a compaction did.

use crate::account::Conversation;
use crate::graph::NodeId;
use transcript::{Body, CompactMetadata};

/// What a compaction did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compaction {
    /// `auto` or `manual`.
    pub trigger: Option<String>,
    /// Tokens of the context before.
    pub before: Option<u64>,
    /// Tokens of the context after.
    pub after: Option<u64>,
    /// How long it took, in milliseconds.
    pub milliseconds: Option<f64>,
    /// What came before, in a model's words.
    pub summary: Option<String>,
}

impl Conversation<'_> {
    /// What the compaction at a boundary did.
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
