//! The conversations of sub-agents that go into a document.

use super::costs::Costed;
use crate::AgentDetail;
use conversation::{AgentNode, Turns};
use library::sessions::{AgentConversation, OpenSession, Selection};
use render::{AgentChapter, Omitted};
use std::borrow::Cow;
use std::collections::HashSet;

/// The sub-agents of a session, with their conversations as far as they are asked
/// for.
#[derive(Debug)]
pub struct ExportAgents<'s> {
    nodes: &'s [AgentNode],
    conversations: Vec<Result<AgentConversation<'s>, Omitted>>,
    turns: Vec<Option<Cow<'s, Turns<'s>>>>,
}

impl<'s> ExportAgents<'s> {
    /// Reads the agents of a session. An agent written into its session's transcript
    /// has no sub-agents.
    pub fn read(session: &'s OpenSession, detail: AgentDetail, selection: &Selection) -> Self {
        let is_inline = session.found().inline_agent.is_some();
        let nodes: &[AgentNode] = match detail {
            AgentDetail::Inline | AgentDetail::Fold if !is_inline => &session.agents().agents,
            _ => &[],
        };
        let read = |node: &AgentNode| match detail {
            AgentDetail::Inline => {
                session.agent_conversation(node, selection.view).map_err(Omitted::Unavailable)
            }
            AgentDetail::Fold | AgentDetail::None => Err(Omitted::ByOption),
        };
        ExportAgents { nodes, conversations: nodes.iter().map(read).collect(), turns: Vec::new() }
    }

    /// The same with their turns.
    #[must_use]
    pub fn with_turns(self) -> Self {
        let turns = self.conversations.iter();
        let turns = turns.map(|agent| agent.as_ref().ok().map(AgentConversation::whole_turns));
        ExportAgents { turns: turns.collect(), ..self }
    }

    pub(super) fn turns(&self) -> impl Iterator<Item = &Turns<'s>> {
        self.turns.iter().flatten().map(AsRef::as_ref)
    }

    /// The agents, each with its conversation or why that is omitted.
    pub fn iter(
        &self,
    ) -> impl Iterator<Item = (&'s AgentNode, &Result<AgentConversation<'s>, Omitted>)> {
        self.nodes.iter().zip(&self.conversations)
    }

    /// Which agents belong to a selection: all of the whole session's, and of a
    /// piece's those that its calls started.
    pub fn in_selection<'c>(
        &'c self,
        selection: &Selection,
        calls: impl Iterator<Item = &'c str>,
    ) -> Vec<bool> {
        if selection.is_whole() {
            return vec![true; self.nodes.len()];
        }
        let mut called: HashSet<&str> = calls.collect();
        let mut reached: HashSet<&str> = HashSet::new();
        // Parents come before their children.
        let is_selected = self.nodes.iter().zip(&self.turns).map(|(agent, turns)| {
            let at_call = agent.tool_use_id.as_deref().is_some_and(|call| called.contains(call));
            let below = agent.parent_id.as_deref().is_some_and(|parent| reached.contains(parent));
            if at_call || below {
                reached.insert(&agent.id);
                let calls = turns.iter().flat_map(|turns| turns.calls.all());
                called.extend(calls.filter_map(|call| call.id.as_deref()));
            }
            at_call || below
        });
        is_selected.collect()
    }

    /// The chapters of the agents that are reached.
    pub(super) fn chapters<'a>(
        &'a self,
        is_selected: &[bool],
        own: &Costed<'a>,
    ) -> Vec<AgentChapter<'a>> {
        let mut chapters = Vec::new();
        for ((agent, turns), is_selected) in self.iter().zip(&self.turns).zip(is_selected) {
            let (node, conversation) = agent;
            if !is_selected {
                continue;
            }
            let chapter = match (conversation, turns) {
                (Ok(conversation), Some(turns)) => Ok(chapter(conversation, turns, own)),
                (Ok(_), None) => Err(Omitted::Unavailable("it is empty".to_owned())),
                (Err(omitted), _) => Err(omitted.clone()),
            };
            chapters.push(AgentChapter { node, chapter });
        }
        chapters
    }
}

fn chapter<'a>(
    agent: &'a AgentConversation<'a>,
    turns: &'a Turns<'a>,
    own: &Costed<'a>,
) -> render::Chapter<'a> {
    let range = turns.turns.iter().collect();
    match agent {
        AgentConversation::File { .. } => Costed::new(agent.conversation(), agent.line_costs())
            .chapter(&agent.whole_lines(), turns, range),
        AgentConversation::Lines { lines, .. } => own.chapter(lines, turns, range),
    }
}
