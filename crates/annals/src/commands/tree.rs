//! `annals tree`: the structure of a session.

use crate::cli::GlobalArgs;
use crate::commands::pick::PickArgs;
use crate::commands::session_document::session_document;
use crate::context::Context;
use crate::failure::report_read_errors;
use crate::output::Format;
use conversation::{
    AgentNode, Branch, Conversation, MessageState, NodeId, StepKind, TurnNumber, Turns, View,
    agents_without_calls,
};
use document::{
    AgentGroup, Document as _, GenerationDocument, RelativeDocument, TreeAgentDocument,
    TreeBranchDocument, TreeDocument, TreeSegmentDocument, TreeTurnDocument,
};
use library::catalog::{FoundSession, Relation, Relative};
use library::sessions::{AgentTree, WholeConversation};
use render::Style;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Show the structure of a session: branches, compactions, agents, forks
///
/// Shows its generations between compactions, the turns of each, abandoned branches
/// before the message that replaced them, the sub-agents each turn started, orphaned
/// segments, and related sessions.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session
    #[arg(default_value = "@")]
    session: String,
    /// Also show minor branches: retries by Claude Code, and those with nothing but /exit
    #[arg(long)]
    minor: bool,
    #[command(flatten)]
    choice: PickArgs,
}

pub(crate) fn run(context: &Context, global: &GlobalArgs, args: &Args) -> anyhow::Result<()> {
    let found = context.find(&args.choice.name(context, global, &args.session)?)?;
    let session = super::show::open(context, &found)?;
    let (conversation, agents) = (session.conversation(View::App), session.agents());
    report_read_errors(&agents.read_errors);
    let relatives = context.library.catalog().relatives(&found);
    let structure = SessionTree::new(conversation, session.whole(View::App), agents);
    if context.output.format == Format::Json {
        return context.output.json(&document(
            &found,
            conversation,
            agents,
            &relatives,
            &structure,
            context,
        ));
    }
    let text = Text { context, conversation, agents, with_minor: args.minor };
    context.output.text(&text.all(&found, &relatives, &structure))
}

/// A turn with its agents, and the branches that stand before it and in it.
struct TreeTurn<'a> {
    number: TurnNumber,
    prompt: Option<String>,
    messages: usize,
    uuid: Option<String>,
    agents: Vec<&'a AgentNode>,
    before: Vec<usize>,
    within: Vec<usize>,
}

/// The turns between two compactions.
struct Generation<'a> {
    number: usize,
    state: MessageState,
    tree_turns: Vec<TreeTurn<'a>>,
    /// The compaction it begins with.
    boundary: Option<NodeId>,
}

/// The structure of a session.
struct SessionTree<'a> {
    generations: Vec<Generation<'a>>,
    /// Branches after the last turn.
    last_branches: Vec<usize>,
    /// Agents that no turn of these generations started.
    unplaced_agents: Vec<AgentGroup>,
}

impl<'a> SessionTree<'a> {
    fn new(
        conversation: &Conversation<'_>,
        whole: &WholeConversation<'_>,
        tree: &'a AgentTree,
    ) -> Self {
        let mut by_call: HashMap<&str, Vec<&AgentNode>> = HashMap::new();
        for agent in &tree.agents {
            if let Some(call) = &agent.tool_use_id {
                by_call.entry(call).or_default().push(agent);
            }
        }
        let mut shown_calls: Vec<String> = Vec::new();
        // The generation and the turn of each step.
        let mut place_of: HashMap<NodeId, (usize, usize)> = HashMap::new();
        let mut starts = HashSet::new();
        let mut generations: Vec<Generation<'_>> = Vec::new();
        for number in 1..=conversation.past_generations.len() + 1 {
            let Some(chain) = conversation.generation(number) else { continue };
            let is_live = number > conversation.past_generations.len();
            let turns = if is_live { conversation.turns() } else { conversation.turns_of(chain) };
            for (place, turn) in turns.turns.iter().enumerate() {
                starts.extend(turn.steps.first().map(|step| (generations.len(), step.node)));
                for step in &turn.steps {
                    place_of.entry(step.node).or_insert((generations.len(), place));
                }
            }
            shown_calls.extend(turns.call_ids().map(str::to_owned));
            generations.push(Generation {
                number,
                state: if is_live { MessageState::Live } else { MessageState::Compacted },
                tree_turns: tree_turns(conversation, chain, &turns, &by_call),
                boundary: conversation.graph.compaction_on(chain),
            });
        }
        let minor = conversation.place_minor_branches(&whole.chain, &whole.turns);
        let mut placed: Vec<_> = whole.annotations.branches.iter().chain(&minor).collect();
        placed.sort_by_key(|branch| branch.number);
        let mut last_branches = Vec::new();
        for branch in placed {
            let place = branch.before.and_then(|node| Some((node, *place_of.get(&node)?)));
            let turn = place.and_then(|(node, (generation, turn))| {
                let is_start = starts.contains(&(generation, node));
                Some((generations.get_mut(generation)?.tree_turns.get_mut(turn)?, is_start))
            });
            match turn {
                Some((turn, true)) => turn.before.push(branch.number),
                Some((turn, false)) => turn.within.push(branch.number),
                None => last_branches.push(branch.number),
            }
        }
        let nodes: Vec<&AgentNode> = tree.agents.iter().collect();
        let shown_calls = shown_calls.iter().map(String::as_str);
        let unplaced = agents_without_calls(&nodes, shown_calls, |_| None);
        let unplaced_agents = AgentGroup::of(tree, &unplaced);
        SessionTree { generations, last_branches, unplaced_agents }
    }
}

/// The turns of a generation, each with the agents it started.
fn tree_turns<'a>(
    conversation: &Conversation<'_>,
    chain: &[NodeId],
    turns: &Turns<'_>,
    by_call: &HashMap<&str, Vec<&'a AgentNode>>,
) -> Vec<TreeTurn<'a>> {
    // The turn of each record in the chain: that of the last step before it.
    let mut turn_of_step: HashMap<NodeId, usize> = HashMap::new();
    for (place, turn) in turns.turns.iter().enumerate() {
        for step in &turn.steps {
            turn_of_step.entry(step.node).or_insert(place);
        }
    }
    let mut turn_of: HashMap<NodeId, usize> = HashMap::new();
    let mut at = 0;
    for id in chain {
        at = turn_of_step.get(id).copied().unwrap_or(at);
        turn_of.insert(*id, at);
    }
    let mut tree_turns: Vec<TreeTurn<'_>> = turns
        .turns
        .iter()
        .map(|turn| {
            let calls = turn.steps.iter().filter_map(|step| match step.kind {
                StepKind::Call(number) => turns.calls.get(number)?.id.as_deref(),
                _ => None,
            });
            let agents = calls.filter_map(|call| by_call.get(call)).flatten().copied();
            TreeTurn {
                number: turn.number,
                prompt: turn.prompt().map(str::to_owned),
                messages: 0,
                uuid: turn.line().map(|line| conversation.graph.node(line).uuid.to_string()),
                agents: agents.collect(),
                before: Vec::new(),
                within: Vec::new(),
            }
        })
        .collect();
    for id in chain.iter().filter(|id| conversation.graph.node(**id).is_message()) {
        if let Some(tree_turn) = turn_of.get(id).and_then(|place| tree_turns.get_mut(*place)) {
            tree_turn.messages += 1;
        }
    }
    tree_turns
}

fn document<'a>(
    found: &'a FoundSession,
    conversation: &'a Conversation<'_>,
    tree: &'a AgentTree,
    relatives: &'a [Relative],
    structure: &'a SessionTree<'a>,
    context: &Context,
) -> TreeDocument<'a> {
    let generations = structure.generations.iter().map(|generation| GenerationDocument {
        number: generation.number,
        state: generation.state.name().into(),
        compaction_uuid: generation
            .boundary
            .map(|id| Cow::from(&*conversation.graph.node(id).uuid)),
        turns: generation
            .tree_turns
            .iter()
            .map(|tree_turn| TreeTurnDocument {
                number: tree_turn.number.into(),
                uuid: tree_turn.uuid.as_deref().map(Cow::from),
                prompt: tree_turn.prompt.as_deref().map(Cow::from),
                messages: tree_turn.messages,
                agents: tree_turn.agents.iter().map(|agent| agent.id.as_str().into()).collect(),
                branches: Cow::from([&*tree_turn.before, &tree_turn.within].concat()),
            })
            .collect(),
    });
    TreeDocument {
        schema: TreeDocument::SCHEMA.into(),
        session: session_document(&found.session, context),
        agent_id: found.agent.as_ref().map(|agent| agent.id.as_str().into()),
        generations: generations.collect(),
        branches: TreeBranchDocument::of(conversation),
        orphaned_segments: TreeSegmentDocument::of(conversation),
        agents: tree.agents.iter().map(TreeAgentDocument::from).collect(),
        relatives: relatives.iter().map(RelativeDocument::from).collect(),
    }
}

struct Text<'a> {
    context: &'a Context,
    conversation: &'a Conversation<'a>,
    agents: &'a AgentTree,
    with_minor: bool,
}

impl Text<'_> {
    fn all(
        &self,
        found: &FoundSession,
        relatives: &[Relative],
        structure: &SessionTree<'_>,
    ) -> String {
        let session = &found.session;
        let title = session.heading().unwrap_or("(untitled)");
        let mut text = self.line(0, Style::Heading, title);
        text += &self.line(0, Style::Id, &session.id);
        for relative in relatives {
            text += &self.relative(relative);
        }
        for generation in &structure.generations {
            text += &self.generation(generation, structure.generations.len() > 1);
        }
        for segment in &self.conversation.orphaned_segments {
            let line =
                segment.messages.first().map_or(0, |id| self.conversation.graph.node(*id).line);
            let counted = render::counted(segment.messages.len(), "message");
            let gaps = render::gaps_text(segment);
            let note = format!("╌ orphaned segment: {counted} from line {line}, {gaps}");
            text += &self.line(0, Style::Warning, &note);
        }
        text += &self.branches(1, &structure.last_branches);
        for group in &structure.unplaced_agents {
            text += &self.line(1, Style::Heading, &group.heading);
            let agents = group.agents.iter().filter_map(|place| self.agents.agents.get(*place));
            text.extend(agents.map(|agent| self.agent(2, agent)));
        }
        if let Some(note) = render::hidden_warmups(self.agents.warmups()) {
            text += &self.line(1, Style::Dim, &note);
        }
        let minor = self.conversation.branches.iter().filter(|branch| branch.is_minor()).count();
        let hidden = if self.with_minor { 0 } else { minor };
        if let Some(note) = render::hidden_minor_branches(hidden) {
            text += &self.line(1, Style::Dim, &format!("{note} (--minor shows them)"));
        }
        text
    }

    /// One line, cut to the width, with control characters escaped.
    fn line(&self, depth: usize, style: Style, text: &str) -> String {
        let indent = "  ".repeat(depth.min(16));
        let room = self.context.output.width().map(|width| width.saturating_sub(indent.len()));
        let text = render::cut(&render::untrusted::line(text), room.map(|room| room.max(12)));
        format!("{indent}{}\n", self.context.output.paint.paint(style, &text))
    }

    fn relative(&self, relative: &Relative) -> String {
        let heading = relative.heading.as_deref().unwrap_or("(not found)");
        let lines = render::counted(usize::try_from(relative.lines).unwrap_or(usize::MAX), "line");
        let id = &relative.session_id;
        let note = match relative.relation {
            Relation::ForkedFrom => format!("⑂ forked from {id} ({lines}): {heading}"),
            Relation::Fork => format!("⑂ forked as {id} ({lines}): {heading}"),
            Relation::SharesLines => format!("⑂ shares {lines} with {id}: {heading}"),
            Relation::ContinuedIn => format!("→ continued in {id}: {heading}"),
        };
        self.line(0, Style::Accent, &note)
    }

    fn generation(&self, generation: &Generation<'_>, several: bool) -> String {
        let mut text = String::new();
        if let Some(boundary) = generation.boundary {
            text += &self.line(0, Style::Accent, &self.compaction(boundary));
        }
        if several {
            let turns = render::counted(generation.tree_turns.len(), "turn");
            let number = generation.number;
            let note = format!("generation {number} · {} · {turns}", generation.state.name());
            let style = match generation.state {
                MessageState::Live => Style::Good,
                _ => Style::Dim,
            };
            text += &self.line(0, style, &note);
        }
        for tree_turn in &generation.tree_turns {
            text += &self.branches(1, &tree_turn.before);
            let nothing = if tree_turn.number.has_prompt() {
                "(continued)"
            } else {
                "(before the first prompt)"
            };
            let prompt = tree_turn.prompt.as_deref().unwrap_or(nothing);
            let mark = if generation.state == MessageState::Live { "●" } else { "○" };
            let counted = render::counted(tree_turn.messages, "message");
            let line = format!("{mark} {} · {counted} · {prompt}", tree_turn.number);
            let style =
                if generation.state == MessageState::Live { Style::Plain } else { Style::Dim };
            text += &self.line(1, style, &line);
            for agent in tree_turn.agents.iter().filter(|agent| !agent.warmup) {
                text += &self.agent(2, agent);
            }
            text += &self.branches(2, &tree_turn.within);
        }
        text
    }

    fn compaction(&self, boundary: NodeId) -> String {
        let compaction = self.conversation.compaction(boundary);
        let tokens = match (compaction.before, compaction.after) {
            (Some(before), Some(after)) => {
                format!(", {} to {} tokens", render::count(before), render::count(after))
            }
            (Some(before), None) => format!(", {} tokens before", render::count(before)),
            _ => String::new(),
        };
        match compaction.trigger.as_deref() {
            // An old compaction records nothing but its summary.
            None if tokens.is_empty() => "── compacted ──".to_owned(),
            trigger => format!("── compacted ({}{tokens}) ──", trigger.unwrap_or("unknown")),
        }
    }

    /// Branches by their numbers; minor ones only on request.
    fn branches(&self, depth: usize, numbers: &[usize]) -> String {
        let all = &self.conversation.branches;
        let shown = numbers.iter().filter_map(|number| Some((*number, all.get(number - 1)?)));
        let shown = shown.filter(|(_, branch)| self.with_minor || !branch.is_minor());
        shown.map(|(number, branch)| self.branch(depth, number, branch)).collect()
    }

    fn branch(&self, depth: usize, number: usize, branch: &Branch) -> String {
        let Branch { kind, messages, prompt, .. } = branch;
        let counted = render::counted(messages.len(), "message");
        let prompt = prompt.as_deref().map(|prompt| format!(" · {prompt}")).unwrap_or_default();
        let style = if branch.is_minor() { Style::Dim } else { Style::Warning };
        let line = format!("⎇ {number} · abandoned branch ({}) · {counted}{prompt}", kind.name());
        self.line(depth, style, &line)
    }

    /// An agent and those it started.
    fn agent(&self, depth: usize, agent: &AgentNode) -> String {
        let mut text = String::new();
        // Parents come before their children; an agent that names itself as its parent
        // is shown once.
        let mut seen: HashMap<&str, usize> = HashMap::from([(agent.id.as_str(), depth)]);
        text += &self.agent_line(depth, agent);
        for other in self.agents.agents.iter().filter(|agent| !agent.warmup) {
            let above = other.parent_id.as_deref().and_then(|id| seen.get(id)).copied();
            if let Some(above) = above.filter(|_| !seen.contains_key(other.id.as_str())) {
                seen.insert(&other.id, above + 1);
                text += &self.agent_line(above + 1, other);
            }
        }
        text
    }

    fn agent_line(&self, depth: usize, agent: &AgentNode) -> String {
        let mut facts = vec![agent.kind.clone().unwrap_or_else(|| "agent".to_owned())];
        facts.push(agent.id.clone());
        facts.extend(agent.outcome.map(|outcome| outcome.name().to_owned()));
        facts.extend(agent.phase.clone());
        let guess = agent.evidence.filter(|evidence| evidence.is_guess());
        facts.extend(guess.map(|evidence| format!("by its {}", evidence.name())));
        facts.extend(agent.description.clone());
        self.line(depth, Style::Id, &format!("⤷ {}", facts.join(" · ")))
    }
}
