//! Sub-agents in a conversation that is read: at their calls, and after the last
//! turn.

use super::{AgentTurns, ReadableConversation};
use crate::{AgentDetail, AgentGroup};
use conversation::{AgentNode, MAX_AGENT_DEPTH, NodeId, ToolCall, Turns, agents_without_calls};
use render::{Annotations, Style, TextOptions};

/// The agents at the calls of one conversation, at some depth.
pub(super) struct OfAgents<'r, 's> {
    reading: &'r ReadableConversation<'s>,
    pub(super) options: TextOptions<'s>,
    depth: usize,
}

impl<'s> ReadableConversation<'s> {
    pub(super) fn of_agents(&self, depth: usize, options: TextOptions<'s>) -> OfAgents<'_, 's> {
        OfAgents { reading: self, options, depth }
    }

    /// The conversation of an agent, wherever it is written.
    pub(super) fn agent_turns(&self, place: usize) -> &AgentTurns<'s> {
        self.agents[place].get_or_init(|| {
            let conversation = self.session.agent_conversation(&self.nodes[place], self.view)?;
            let turns = conversation.whole_turns();
            Ok((conversation, turns))
        })
    }

    /// Whether the conversation of an agent is shown, and not only its name.
    fn is_expanded(&self, agent: &AgentNode) -> bool {
        self.detail == AgentDetail::Inline && !agent.warmup
    }

    /// Agents without a shown call: those of workflows by phase, the
    /// others in order; warm-ups are only counted.
    pub(super) fn agents_after(&self) -> String {
        if self.nodes.is_empty() {
            return String::new();
        }
        let orphans = self.orphans.iter().map(|orphan| &orphan.turns);
        let shown = std::iter::once(&*self.selected.turns).chain(orphans);
        let nodes: Vec<&AgentNode> = self.nodes.iter().collect();
        let places = agents_without_calls(&nodes, shown.flat_map(Turns::call_ids), |place| {
            let agent = Some(place).filter(|place| self.is_expanded(&self.nodes[*place]))?;
            let (_, turns) = self.agent_turns(agent).as_ref().ok()?;
            Some(turns.call_ids().collect())
        });
        let mut text = String::new();
        for group in AgentGroup::of(self.session.agents(), &places) {
            let heading = render::untrusted::line(&group.heading).into_owned();
            text += &format!("{}\n", self.options.paint.paint(Style::Heading, &heading));
            for agent in group.agents {
                text += &self.of_agents(0, self.options.clone()).agent(agent);
            }
        }
        if let Some(note) = render::hidden_warmups(self.session.agents().warmups()) {
            text += &format!("{}\n", self.options.paint.paint(Style::Dim, &note));
        }
        if text.is_empty() { text } else { text + "\n" }
    }
}

impl OfAgents<'_, '_> {
    /// An agent: a line, and its conversation if requested.
    fn agent(&self, place: usize) -> String {
        let node = &self.reading.nodes[place];
        let line = format!("⤷ {}", render::agent_line(node));
        let line = format!("  {}", render::untrusted::line(&line));
        let line = render::cut(&line, self.options.width);
        let mut text = format!("{}\n", self.options.paint.paint(Style::Id, &line));
        let is_shown = self.reading.is_expanded(node)
            && self.depth < MAX_AGENT_DEPTH
            && self.reading.shown_agents.borrow_mut().insert(place);
        if !is_shown {
            return text;
        }
        match self.reading.agent_turns(place) {
            Ok((_, turns)) => {
                let width = self.options.width.map(|width| width.saturating_sub(4).max(20));
                let options = TextOptions { width, ..self.options.clone() };
                let inner = self.reading.of_agents(self.depth + 1, options);
                let turns = turns.turns.iter().map(|turn| {
                    let calls = &turns.calls;
                    inner.options.turn(turn, calls, &inner)
                });
                let shown = turns.collect::<String>();
                text.extend(shown.trim_end().lines().map(|line| format!("  │ {line}\n")));
            }
            Err(reason) => {
                let reason = render::untrusted::line(reason).into_owned();
                text += &format!("  {}\n", self.options.paint.paint(Style::Warning, &reason));
            }
        }
        text + "\n"
    }
}

impl Annotations for OfAgents<'_, '_> {
    fn at_call(&self, call: &ToolCall<'_>) -> Option<String> {
        let agents = self.reading.by_call.get(call.id.as_deref()?)?;
        let shown = agents.iter().filter(|place| !self.reading.nodes[**place].warmup);
        Some(shown.map(|place| self.agent(*place)).collect())
            .filter(|text: &String| !text.is_empty())
    }

    fn persisted(&self, name: &str) -> Option<String> {
        self.reading.persisted(name)
    }

    fn before(&self, _: NodeId) -> Option<String> {
        // Lines of other conversations are numbered separately.
        None
    }
}
