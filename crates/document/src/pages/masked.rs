//! The masked places of an export document.

use super::{ExportAgents, PageOptions};
use library::redaction::MaskedLine;
use library::sessions::{AgentConversation, OpenSession, SelectedTurns};
use std::collections::HashSet;

/// A masked place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaskedSecret {
    /// The agent whose transcript has it.
    pub agent_id: Option<String>,
    /// The separate output file that has it.
    pub output: Option<String>,
    /// The secrets on one line.
    pub masked: MaskedLine,
}

impl MaskedSecret {
    pub(super) fn in_output(name: &str, masked: &MaskedLine) -> Self {
        MaskedSecret { agent_id: None, output: Some(name.to_owned()), masked: masked.clone() }
    }
}

/// The masked places of the transcripts, as far as they are in the document.
pub(super) fn in_session(
    session: &OpenSession,
    options: &PageOptions<'_>,
    selected: &SelectedTurns<'_>,
    agents: &ExportAgents<'_>,
    is_selected: &[bool],
) -> Vec<MaskedSecret> {
    let range = selected.selected();
    let steps = range.iter().flat_map(|turn| &turn.steps);
    let answers = selected.calls().filter_map(|call| call.answer.as_ref());
    let lines: HashSet<u64> = steps
        .map(|step| selected.conversation.graph.node(step.node).line)
        .chain(answers.map(|answer| answer.origin.line))
        .collect();
    let is_whole = options.selection.is_whole();
    let own = session.masked().iter().filter(|masked| is_whole || lines.contains(&masked.line));
    let own = own.map(|masked| (None, masked));
    let agents = agents.iter().zip(is_selected).filter(|(_, is_selected)| **is_selected);
    let of_agents = agents.flat_map(|((node, conversation), _)| {
        let masked = conversation.as_ref().map_or(&[][..], AgentConversation::masked);
        masked.iter().map(|masked| (Some(node.id.clone()), masked))
    });
    own.chain(of_agents)
        .map(|(agent_id, masked)| MaskedSecret { agent_id, output: None, masked: masked.clone() })
        .collect()
}
