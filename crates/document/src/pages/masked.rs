//! The masked places of an export document.

use super::{ExportAgents, PageOptions};
use conversation::{Calls, Step, StepKind, Turn, Turns};
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
    orphans: &[Turns<'_>],
    (agents, is_selected): (&ExportAgents<'_>, &[bool]),
) -> Vec<MaskedSecret> {
    let line_of = |node| selected.conversation.graph.node(node).line;
    let lines_in = |turn: &Turn<'_>, calls: &Calls<'_>| {
        let answer = |step: &Step<'_>| match step.kind {
            StepKind::Call(number) => Some(calls.get(number)?.answer.as_ref()?.origin.line),
            _ => None,
        };
        let lines = turn.steps.iter().flat_map(|step| [Some(line_of(step.node)), answer(step)]);
        lines.flatten().collect::<Vec<u64>>()
    };
    let mut lines: HashSet<u64> = HashSet::new();
    for turn in selected.selected() {
        lines.extend(lines_in(turn, &selected.turns.calls));
    }
    for orphan in orphans {
        lines.extend(orphan.turns.iter().flat_map(|turn| lines_in(turn, &orphan.calls)));
    }
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
