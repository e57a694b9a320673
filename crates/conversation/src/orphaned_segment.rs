//! Orphaned segments: messages that a gap separates from the conversation.

use crate::graph::{Graph, NodeId};

/// Where a gap is, relative to a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GapPlace {
    /// The record that the segment follows is missing.
    Before,
    /// A record in the segment is damaged.
    Inside,
    /// The segment goes back to a root, and the records between it and the conversation
    /// are missing.
    After,
}

impl GapPlace {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            GapPlace::Before => "before",
            GapPlace::Inside => "inside",
            GapPlace::After => "after",
        }
    }
}

/// A gap in the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Where it is.
    pub place: GapPlace,
    /// The number of the damaged line, if that is the gap; `None` if the record is not
    /// in the file.
    pub damaged_line: Option<u64>,
}

/// Messages that a gap separates from the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrphanedSegment {
    /// The uuid of the missing record.
    pub missing: String,
    /// Its messages, in file order.
    pub messages: Vec<NodeId>,
    /// The gaps, in order.
    pub gaps: Vec<Gap>,
}

impl OrphanedSegment {
    /// `place` is where the missing record is, and `lines` are all lines of the segment.
    pub(crate) fn new(
        graph: &Graph<'_>,
        place: GapPlace,
        missing: String,
        messages: Vec<NodeId>,
        lines: &[NodeId],
    ) -> Self {
        let outside = Gap { place, damaged_line: graph.damaged_numbers.get(&missing).copied() };
        let damaged = lines.iter().map(|id| graph.node(*id)).filter(|node| node.is_damaged());
        let mut gaps: Vec<Gap> = damaged
            .map(|node| Gap { place: GapPlace::Inside, damaged_line: Some(node.line) })
            .collect();
        gaps.push(outside);
        gaps.sort_by_key(|gap| (gap.place, gap.damaged_line));
        OrphanedSegment { missing, messages, gaps }
    }
}
