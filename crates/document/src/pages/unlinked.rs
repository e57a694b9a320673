//! Records that belong to no conversation, placed among its lines.

use conversation::{Conversation, NodeId};
use render::UnlinkedRecord;
use std::collections::HashSet;
use transcript::Body;

/// The lines that are part of no conversation, each with the conversation line that
/// follows it.
pub(super) fn unlinked(
    bytes: &[u8],
    conversation: &Conversation<'_>,
    chain: &[NodeId],
) -> Vec<UnlinkedRecord> {
    let linked: HashSet<u64> =
        conversation.graph.ids().map(|id| conversation.graph.node(id).offset).collect();
    let mut chained: Vec<(u64, NodeId)> =
        chain.iter().map(|id| (conversation.graph.node(*id).offset, *id)).collect();
    chained.sort_unstable_by_key(|(offset, _)| *offset);
    let lines = transcript::lines(bytes).filter(|line| !linked.contains(&line.offset));
    let entries = lines.filter_map(|line| {
        let offset = line.offset;
        let record = transcript::parse_line(line).next()?.record;
        let value = match &record.body {
            // Messages among them were written again, and are shown there.
            Body::Blank
            | Body::User(_)
            | Body::Assistant(_)
            | Body::System(_)
            | Body::Attachment(_)
            | Body::Progress(_) => return None,
            Body::Mode(value)
            | Body::PermissionMode(value)
            | Body::ReplMode(value)
            | Body::AiTitle(value)
            | Body::CustomTitle(value)
            | Body::Tag(value)
            | Body::PrLink { url: value, .. }
            | Body::Summary { summary: value, .. } => value.as_ref().map(ToString::to_string),
            _ => None,
        };
        let text = str::from_utf8(record.raw).unwrap_or_default();
        let kind = transcript::json::member(text, "type")
            .and_then(transcript::json::decode_string)
            .map(|decoded| decoded.text);
        let next = chained.partition_point(|(chained, _)| *chained <= offset);
        Some(UnlinkedRecord {
            kind: kind.unwrap_or("damaged".into()).into_owned(),
            value,
            bytes: transcript::large_line_bytes(record.raw).unwrap_or(record.raw.len() as u64),
            before: chained.get(next).map(|(_, id)| *id),
        })
    });
    entries.collect()
}
