//! What stands beside a conversation: sub-agents at their calls, branches and
//! gaps where they were left, outputs kept in files.

use super::conversation::manner;
use super::{Agents, Args};
use crate::context::Context;
use crate::marks::{self, Placed};
use conversation::{AgentNode, Conversation, NodeId, Step, Telling, ToolCall, View};
use document::MessageDocument;
use jiff::Timestamp;
use library::{AgentTree, Found};
use render::{Beside, Manner, Nothing, Style};
use std::collections::{HashMap, HashSet};

/// Agents within agents are shown this deep; further ones are folded.
const DEEPEST: usize = 12;

/// What stands beside one conversation.
pub(super) struct Scene<'a> {
    context: &'a Context,
    found: &'a Found,
    said: &'a Conversation<'a>,
    tree: &'a AgentTree,
    mode: Agents,
    pub(super) manner: Manner<'a>,
    depth: usize,
    /// Agents by the call that started them.
    by_call: HashMap<&'a str, Vec<&'a AgentNode>>,
    /// What stands before a line.
    before: HashMap<NodeId, String>,
    /// What stands after all of them.
    after: String,
}

impl<'a> Scene<'a> {
    pub(super) fn new(
        context: &'a Context,
        found: &'a Found,
        said: &'a Conversation<'a>,
        chain: &[NodeId],
        tree: &'a AgentTree,
        args: &Args,
    ) -> Self {
        let mut by_call: HashMap<&str, Vec<&AgentNode>> = HashMap::new();
        for agent in &tree.agents {
            if let Some(call) = &agent.tool_use_id {
                by_call.entry(call).or_default().push(agent);
            }
        }
        let mut scene = Scene {
            context,
            found,
            said,
            tree,
            mode: args.agents.unwrap_or(Agents::Fold),
            manner: manner(context, found, args),
            depth: 0,
            by_call,
            before: HashMap::new(),
            after: String::new(),
        };
        if found.inline_agent.is_none() {
            scene.place_branches(chain);
            scene.place_lost(chain);
        }
        scene.after += &scene.agents_without_calls(chain);
        scene
    }

    /// What stands after the last turn.
    pub(super) fn after_all(&self) -> String {
        self.after.clone()
    }

    /// Puts a text before the first of these lines that comes after a place.
    fn put(&mut self, chain: &[NodeId], place: Option<usize>, text: &str) {
        match place.and_then(|place| chain.get(place)) {
            Some(node) => self.before.entry(*node).or_default().push_str(text),
            None => self.after.push_str(text),
        }
    }

    fn place_branches(&mut self, chain: &[NodeId]) {
        let places: HashMap<NodeId, usize> =
            chain.iter().enumerate().map(|(place, id)| (*id, place)).collect();
        let shown: HashSet<NodeId> = chain.iter().copied().collect();
        let id = render::shell_quoted(self.found.id());
        for (number, branch) in (1..).zip(&self.said.branches) {
            let is_shown = branch.messages.last().is_some_and(|last| shown.contains(last));
            if !branch.kind.is_by_person() || is_shown {
                continue;
            }
            let prompt = branch.prompt.as_deref().unwrap_or_default();
            let prompt = render::cut(&render::untrusted::line(prompt), Some(60));
            let counted = render::counted(branch.messages.len(), "message");
            let text = format!("⎇ undone: {counted}, “{prompt}”: annals show {id} --alt {number}");
            let text = render::untrusted::line(&text).into_owned();
            let text = format!("{}\n\n", self.manner.paint.paint(Style::Warning, &text));
            let place = match branch.from {
                None => Some(0),
                Some(from) => places.get(&from).map(|place| place + 1),
            };
            let place = self.next_step(chain, place);
            self.put(chain, place, &text);
        }
    }

    /// Marks stand before the headings of their turns.
    pub(super) fn place_marks(&mut self, telling: &Telling<'_>, marks: &Placed<'_>) {
        for turn in &telling.turns {
            let Some(first) = turn.steps.first() else { continue };
            for mark in marks.at_turn(turn.number) {
                let text = self.manner.paint.paint(Style::Accent, &marks::line(mark));
                self.before.entry(first.node).or_default().push_str(&format!("{text}\n"));
            }
        }
    }

    /// The next place whose line is something said: notes of the app have no
    /// steps to stand before.
    fn next_step(&self, chain: &[NodeId], place: Option<usize>) -> Option<usize> {
        let from = place?;
        let rest = chain.get(from..)?;
        let next = rest.iter().position(|id| {
            let node = self.said.graph.node(*id);
            node.is_message() && node.answers.is_empty() && !node.is_meta
        });
        next.map(|next| from + next)
    }

    /// Lost pieces stand where the file has them, whole, between marks.
    fn place_lost(&mut self, chain: &[NodeId]) {
        let paint = self.manner.paint;
        for lost in &self.said.orphaned_segments {
            let Some(first) = lost.messages.first() else { continue };
            let line = self.said.graph.node(*first).line;
            let after = chain.iter().position(|id| self.said.graph.node(*id).line > line);
            let telling = self.said.turns_of(&lost.messages, self.said.is_agent);
            let counted = render::counted(lost.messages.len(), "message");
            let head = format!("╌╌ gap: what came before {counted} is missing (line {line}) ╌╌");
            let mut text = format!("{}\n", paint.paint(Style::Warning, &head));
            for turn in &telling.turns {
                text += &self.manner.turn(turn, &telling.calls, &Nothing);
            }
            text += &format!("{}\n\n", paint.paint(Style::Warning, "╌╌ end of the loose piece ╌╌"));
            let place = self.next_step(chain, after);
            self.put(chain, place, &text);
        }
    }

    /// Agents that hang at no call of this conversation: those of workflows by
    /// phase, the others in order; warm-ups only counted.
    fn agents_without_calls(&self, chain: &[NodeId]) -> String {
        if self.mode == Agents::None || self.tree.agents.is_empty() {
            return String::new();
        }
        let graph = &self.said.graph;
        let calls: HashSet<&str> =
            chain.iter().flat_map(|id| &graph.node(*id).calls).map(|call| &**call).collect();
        let ids: HashSet<&str> = self.tree.agents.iter().map(|agent| agent.id.as_str()).collect();
        let mut text = String::new();
        let mut warmups = 0;
        let mut group = None;
        let mut loose: Vec<&AgentNode> = self
            .tree
            .agents
            .iter()
            .filter(|agent| {
                let called = agent.tool_use_id.as_deref().is_some_and(|call| calls.contains(call));
                let below = agent.parent_id.as_deref().is_some_and(|id| ids.contains(id));
                !called && !below
            })
            .collect();
        // Phases in the order their first agents were met.
        let mut groups: HashMap<_, usize> = HashMap::new();
        for agent in &loose {
            let number = groups.len();
            groups.entry((agent.workflow.clone(), agent.phase.clone())).or_insert(number);
        }
        loose.sort_by_key(|agent| groups[&(agent.workflow.clone(), agent.phase.clone())]);
        for agent in loose {
            if agent.warmup {
                warmups += 1;
                continue;
            }
            let of = (agent.workflow.as_deref(), agent.phase.as_deref());
            if group != Some(of) {
                group = Some(of);
                let heading = match of {
                    (Some(workflow), phase) => {
                        let run = self.tree.workflows.iter().find(|run| run.id == workflow);
                        let name = run.and_then(|run| run.name.as_deref()).unwrap_or(workflow);
                        let phase = phase.map(|phase| format!(", {phase}")).unwrap_or_default();
                        format!("Workflow {name}{phase}")
                    }
                    (None, _) => "Agents whose calls are not here".to_owned(),
                };
                let heading = render::untrusted::line(&heading).into_owned();
                text += &format!("{}\n", self.manner.paint.paint(Style::Heading, &heading));
            }
            text += &self.agent(agent);
        }
        if warmups > 0 {
            let note = format!("{} folded away", render::counted(warmups, "warm-up agent"));
            text += &format!("{}\n", self.manner.paint.paint(Style::Dim, &note));
        }
        if text.is_empty() { text } else { text + "\n" }
    }

    /// An agent: a line, and its conversation where that is asked for.
    fn agent(&self, agent: &AgentNode) -> String {
        let line = format!("⤷ {}", render::agent_line(agent));
        let line = format!("  {}", render::untrusted::line(&line));
        let line = render::cut(&line, self.manner.width);
        let mut text = format!("{}\n", self.manner.paint.paint(Style::Id, &line));
        if self.mode != Agents::Inline || self.depth >= DEEPEST || agent.warmup {
            return text;
        }
        let told = self.with_conversation(agent, |said, telling| {
            let scene = Scene {
                context: self.context,
                found: self.found,
                said,
                tree: self.tree,
                mode: self.mode,
                manner: Manner {
                    width: self.manner.width.map(|width| width.saturating_sub(4).max(20)),
                    ..self.manner.clone()
                },
                depth: self.depth + 1,
                by_call: self.by_call.clone(),
                before: HashMap::new(),
                after: String::new(),
            };
            let turns = telling.turns.iter();
            turns.map(|turn| scene.manner.turn(turn, &telling.calls, &scene)).collect::<String>()
        });
        match told {
            Ok(told) => {
                let told = told.trim_end().lines().map(|line| format!("  │ {line}\n"));
                text.extend(told);
            }
            Err(reason) => {
                let reason = render::untrusted::line(&reason).into_owned();
                text += &format!("  {}\n", self.manner.paint.paint(Style::Warning, &reason));
            }
        }
        text + "\n"
    }

    /// Hands over an agent's conversation, wherever it is written.
    fn with_conversation<T>(
        &self,
        agent: &AgentNode,
        each: impl FnOnce(&Conversation<'_>, &Telling<'_>) -> T,
    ) -> Result<T, String> {
        if let Some(file) = self.tree.file(agent) {
            let bytes = self.context.library.read_whole(&file.path);
            let bytes = bytes.map_err(|trouble| trouble.to_string())?;
            let said = Conversation::read_agent(&bytes, View::App);
            let telling = said.turns();
            return Ok(each(&said, &telling));
        }
        let lines = self.said.inline_agents().into_iter().find(|(id, _)| *id == agent.id);
        let (_, lines) = lines.ok_or_else(|| "its lines are not here".to_owned())?;
        let telling = self.said.turns_of(&lines, true);
        Ok(each(self.said, &telling))
    }

    /// The messages of all agents, one after the other.
    pub(super) fn agent_messages(&self) -> Vec<MessageDocument> {
        let mut documents = Vec::new();
        for agent in &self.tree.agents {
            // An agent that cannot be read has been named as trouble.
            let _ = self.with_conversation(agent, |said, _| {
                let messages = if agent.file.is_some() {
                    said.messages.clone()
                } else {
                    let lines = said.inline_agents().into_iter();
                    let lines = lines.filter(|(id, _)| *id == agent.id).flat_map(|it| it.1);
                    said.messages_on(&lines.collect::<Vec<_>>(), true)
                };
                let of_agent = messages
                    .iter()
                    .filter_map(|message| MessageDocument::new(said, 0, message, Some(&agent.id)));
                documents.extend(of_agent);
            });
        }
        documents
    }

    /// The session and its agents in one line of time.
    pub(super) fn timeline(&self, telling: &Telling<'_>) -> String {
        // What has no time stands where the step before it does.
        let mut told: Vec<(Option<Timestamp>, String)> = Vec::new();
        let mut add = |telling: &Telling<'_>, name: &str| {
            let mut last = None;
            for turn in &telling.turns {
                for step in &turn.steps {
                    last = step.time.or(last);
                    let text = self.moment(step, telling, name);
                    if !text.is_empty() {
                        told.push((last, text));
                    }
                }
            }
        };
        add(telling, "");
        for agent in self.tree.agents.iter().filter(|agent| !agent.warmup) {
            // An agent that cannot be read has been named as trouble.
            let _ = self.with_conversation(agent, |_, telling| add(telling, &agent.id));
        }
        told.sort_by_key(|(time, _)| *time);
        told.into_iter().map(|(_, text)| text).collect()
    }

    /// One step with the agent it belongs to before it.
    fn moment(&self, step: &Step<'_>, telling: &Telling<'_>, agent: &str) -> String {
        let text = self.manner.step(step, &telling.calls, &Nothing);
        if agent.is_empty() {
            return text;
        }
        let name = render::untrusted::line(agent).into_owned();
        let short: String = name.chars().take(8).collect();
        let mark = self.manner.paint.paint(Style::Id, &format!("{short:<8} │ "));
        let lines = text.trim_end().lines();
        lines.fold(String::new(), |shown, line| shown + &mark + line + "\n")
    }
}

impl Beside for Scene<'_> {
    fn at_call(&self, call: &ToolCall<'_>) -> Option<String> {
        if self.mode == Agents::None {
            return None;
        }
        let agents = self.by_call.get(call.id.as_deref()?)?;
        Some(agents.iter().map(|agent| self.agent(agent)).collect())
    }

    fn persisted(&self, name: &str) -> Option<String> {
        self.context.library.catalog().tool_output(&self.found.session, name)
    }

    fn before(&self, node: NodeId) -> Option<String> {
        self.before.get(&node).cloned()
    }
}
