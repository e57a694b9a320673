//! Sub-agents in a conversation that is read: at their calls, and after the last
//! turn.

use super::{AgentTurns, DEEPEST, Reading};
use crate::AgentDetail;
use conversation::{AgentNode, NodeId, ToolCall, Turns, agents_without_calls};
use render::{Annotations, Style, TextOptions};

/// The agents at the calls of one conversation, at some depth.
pub(super) struct OfAgents<'r, 's> {
    reading: &'r Reading<'s>,
    pub(super) options: TextOptions<'s>,
    depth: usize,
}

impl<'s> Reading<'s> {
    pub(super) fn of_agents(&self, depth: usize, options: TextOptions<'s>) -> OfAgents<'_, 's> {
        OfAgents { reading: self, options, depth }
    }

    /// The conversation of an agent, wherever it is written.
    pub(super) fn agent_turns(&self, place: usize) -> &AgentTurns<'s> {
        self.agents[place].get_or_init(|| {
            let conversation = self.session.agent_conversation(&self.nodes[place], self.view)?;
            let turns = conversation.present_turns();
            Ok((conversation, turns))
        })
    }

    /// Whether the conversation of an agent is shown, and not only its name.
    fn is_expanded(&self, agent: &AgentNode) -> bool {
        self.detail == AgentDetail::Inline && !agent.warmup
    }

    /// Agents without a shown call: those of workflows by phase, the
    /// others in order; warm-ups are only counted.
    pub(super) fn agents_after(&self, orphans: &[Turns<'s>]) -> String {
        if self.nodes.is_empty() {
            return String::new();
        }
        let shown = std::iter::once(&*self.selected.turns).chain(orphans);
        let nodes: Vec<&AgentNode> = self.nodes.iter().collect();
        let places = agents_without_calls(&nodes, shown.flat_map(call_ids), |place| {
            let agent = Some(place).filter(|place| self.is_expanded(&self.nodes[*place]))?;
            let (_, turns) = self.agent_turns(agent).as_ref().ok()?;
            Some(call_ids(turns).collect())
        });
        let mut text = String::new();
        let mut warmups = 0;
        let mut group = None;
        for agent in places {
            let node = &self.nodes[agent];
            if node.warmup {
                warmups += 1;
                continue;
            }
            let of = (node.workflow.as_deref(), node.phase.as_deref());
            if group != Some(of) {
                group = Some(of);
                let heading = self.group_heading(of);
                let heading = render::untrusted::line(&heading).into_owned();
                text += &format!("{}\n", self.options.paint.paint(Style::Heading, &heading));
            }
            text += &self.of_agents(0, self.options.clone()).agent(agent);
        }
        if warmups > 0 {
            let note = format!("{} hidden", render::counted(warmups, "warm-up agent"));
            text += &format!("{}\n", self.options.paint.paint(Style::Dim, &note));
        }
        if text.is_empty() { text } else { text + "\n" }
    }

    /// The heading of agents of one workflow and phase.
    fn group_heading(&self, (workflow, phase): (Option<&str>, Option<&str>)) -> String {
        let Some(workflow) = workflow else {
            return "Agents not linked to a call".to_owned();
        };
        let runs = &self.session.agents().workflows;
        let run = runs.iter().find(|run| run.id == workflow);
        let name = run.and_then(|run| run.name.as_deref()).unwrap_or(workflow);
        let phase = phase.map(|phase| format!(", {phase}")).unwrap_or_default();
        format!("Workflow {name}{phase}")
    }
}

/// The ids of the calls in turns.
fn call_ids<'t>(turns: &'t Turns<'_>) -> impl Iterator<Item = &'t str> {
    turns.calls.all().iter().filter_map(|call| call.id.as_deref())
}

impl OfAgents<'_, '_> {
    /// An agent: a line, and its conversation if requested.
    fn agent(&self, place: usize) -> String {
        let node = &self.reading.nodes[place];
        let line = format!("⤷ {}", render::agent_line(node));
        let line = format!("  {}", render::untrusted::line(&line));
        let line = render::cut(&line, self.options.width);
        let mut text = format!("{}\n", self.options.paint.paint(Style::Id, &line));
        if !self.reading.is_expanded(node) || self.depth >= DEEPEST {
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
        Some(agents.iter().map(|place| self.agent(*place)).collect())
    }

    fn persisted(&self, name: &str) -> Option<String> {
        self.reading.persisted(name)
    }

    fn before(&self, _: NodeId) -> Option<String> {
        // Lines of other conversations are numbered separately.
        None
    }
}
