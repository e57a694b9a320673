//! A conversation for reading on a terminal: its turns, with a line for each
//! abandoned branch, orphaned segments, and sub-agents at their calls.
//!
//! Everything is where `conversation::annotations` places it. A branch is only named,
//! because it has a separate command (`--abandoned`); an orphaned segment is
//! shown whole, because nothing else shows it.
//!
//! Deliberately not here: how a turn looks (`render`), and what a terminal is.

mod agents;

use crate::AgentDetail;
use conversation::{
    AgentNode, NodeId, OrphanedSegment, PlacedAnnotations, Step, ToolCall, Turn, TurnNumber, Turns,
    View,
};
use jiff::Timestamp;
use library::sessions::{AgentConversation, OpenSession, SelectedTurns};
use render::{Annotations, NoAnnotations, Style, TextOptions};
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};

/// The conversation of an agent, with the turns of all its generations.
type AgentTurns<'s> = Result<(AgentConversation<'s>, Cow<'s, Turns<'s>>), String>;

/// A conversation for reading.
pub struct ReadableConversation<'s> {
    session: &'s OpenSession,
    selected: &'s SelectedTurns<'s>,
    view: View,
    detail: AgentDetail,
    options: TextOptions<'s>,
    /// The sub-agents, parents before their children; none where none are shown.
    nodes: &'s [AgentNode],
    /// Their conversations, as they are read.
    agents: Vec<OnceCell<AgentTurns<'s>>>,
    /// Agents by the calls that started them.
    by_call: HashMap<&'s str, Vec<usize>>,
    /// The agents whose conversations were shown: none is shown twice.
    shown_agents: RefCell<HashSet<usize>>,
    /// The orphaned segments.
    orphans: Vec<Orphan<'s>>,
    /// What stands before a line.
    before: HashMap<NodeId, Vec<Beside>>,
    /// What stands after all lines.
    after: Vec<Beside>,
}

/// What stands between the lines.
enum Beside {
    Text(String),
    /// An orphaned segment, by its place in the list.
    Orphan(usize),
}

/// An orphaned segment with its turns.
struct Orphan<'s> {
    segment: &'s OrphanedSegment,
    /// Its first line in the transcript.
    line: u64,
    turns: Turns<'s>,
}

impl<'s> ReadableConversation<'s> {
    /// Prepares the turns of a part for reading. `view` is the one that the turns
    /// were selected by.
    pub fn new(
        session: &'s OpenSession,
        selected: &'s SelectedTurns<'s>,
        view: View,
        detail: AgentDetail,
        options: TextOptions<'s>,
    ) -> Self {
        let is_inline = session.found().inline_agent.is_some();
        let nodes: &[AgentNode] = match detail {
            AgentDetail::Inline | AgentDetail::Fold if !is_inline => &session.agents().agents,
            _ => &[],
        };
        let mut by_call: HashMap<&str, Vec<usize>> = HashMap::new();
        for (place, agent) in nodes.iter().enumerate() {
            if let Some(call) = &agent.tool_use_id {
                by_call.entry(call).or_default().push(place);
            }
        }
        let mut reading = ReadableConversation {
            session,
            selected,
            view,
            detail,
            options,
            nodes,
            agents: nodes.iter().map(|_| OnceCell::new()).collect(),
            by_call,
            shown_agents: RefCell::default(),
            orphans: Vec::new(),
            before: HashMap::new(),
            after: Vec::new(),
        };
        reading.place(&selected.annotations());
        reading
    }

    /// How the text looks.
    pub fn options(&self) -> &TextOptions<'s> {
        &self.options
    }

    /// A turn, with everything placed before it and in it. Turns are read in order, each once:
    /// an agent's conversation is shown at the first call that started it.
    pub fn turn(&self, turn: &Turn<'_>) -> String {
        self.options.turn(turn, &self.selected.turns.calls, self)
    }

    /// Everything after the last turn.
    pub fn after_last_turn(&self) -> String {
        let beside: String = self.after.iter().map(|beside| self.beside(beside)).collect();
        beside + &self.agents_after()
    }

    /// Puts a line before the heading of a turn, as a bookmark is.
    pub fn add_before_turn(&mut self, number: TurnNumber, line: &str) {
        let turns = &self.selected.turns.turns;
        let turn = turns.iter().find(|turn| turn.number == number);
        if let Some(first) = turn.and_then(|turn| turn.steps.first()) {
            self.put(Some(first.node), Beside::Text(format!("{line}\n")));
        }
    }

    /// Places branches and orphaned segments.
    fn place(&mut self, placed: &PlacedAnnotations<'s>) {
        let conversation = self.selected.conversation;
        for orphan in &placed.orphans {
            let lines = &orphan.segment.messages;
            let Some(first) = lines.first() else { continue };
            self.put(orphan.before, Beside::Orphan(self.orphans.len()));
            self.orphans.push(Orphan {
                segment: orphan.segment,
                line: conversation.graph.node(*first).line,
                turns: conversation.turns_of(lines),
            });
        }
        for branch in &placed.branches {
            let text = self.branch(branch.number, branch.branch);
            self.put(branch.before, Beside::Text(text));
        }
    }

    fn put(&mut self, before: Option<NodeId>, beside: Beside) {
        match before {
            Some(node) => self.before.entry(node).or_default().push(beside),
            None => self.after.push(beside),
        }
    }

    fn beside(&self, beside: &Beside) -> String {
        match beside {
            Beside::Text(text) => text.clone(),
            Beside::Orphan(place) => {
                self.orphans.get(*place).map(|orphan| self.orphan(orphan)).unwrap_or_default()
            }
        }
    }

    /// An orphaned segment, whole, between two lines that say so.
    fn orphan(&self, orphan: &Orphan<'_>) -> String {
        let Orphan { segment, line, turns } = orphan;
        let paint = self.options.paint;
        let counted = render::counted(segment.messages.len(), "message");
        let gaps = render::gaps_text(segment);
        let head = format!("╌╌ orphaned segment: {counted} from line {line}, {gaps} ╌╌");
        let mut text = format!("{}\n", paint.paint(Style::Warning, &head));
        // Nothing is placed before its lines, but its calls have agents.
        let agents = self.of_agents(0, self.options.clone());
        for turn in &turns.turns {
            text += &agents.options.turn(turn, &turns.calls, &agents);
        }
        text + &format!("{}\n\n", paint.paint(Style::Warning, "╌╌ end of the orphaned segment ╌╌"))
    }

    /// A line that names an abandoned branch and how to show it.
    fn branch(&self, number: usize, branch: &conversation::Branch) -> String {
        let id = render::shell_quoted(self.session.found().id());
        let prompt = branch.prompt.as_deref().unwrap_or_default();
        let prompt = render::cut(&render::untrusted::line(prompt), Some(60));
        let counted = render::counted(branch.messages.len(), "message");
        let text = format!(
            "⎇ abandoned branch: {counted}, “{prompt}”: annals show {id} --abandoned {number}"
        );
        let text = render::untrusted::line(&text).into_owned();
        format!("{}\n\n", self.options.paint.paint(Style::Warning, &text))
    }

    /// The session and its agents in one line of time.
    pub fn timeline(&self) -> String {
        // A step without a time has the place of the step before it.
        let mut moments: Vec<(Option<Timestamp>, String)> = Vec::new();
        let mut add = |turns: &Turns<'_>, name: &str| {
            let mut last = None;
            for step in turns.turns.iter().flat_map(|turn| &turn.steps) {
                last = step.time.or(last);
                let text = self.moment(step, turns, name);
                if !text.is_empty() {
                    moments.push((last, text));
                }
            }
        };
        add(&self.selected.turns, "");
        for (place, agent) in self.nodes.iter().enumerate().filter(|(_, agent)| !agent.warmup) {
            // An agent that cannot be read has been reported.
            if let Ok((_, turns)) = self.agent_turns(place) {
                add(turns, &agent.id);
            }
        }
        moments.sort_by_key(|(time, _)| *time);
        moments.into_iter().map(|(_, text)| text).collect()
    }

    /// One step with the agent it belongs to before it.
    fn moment(&self, step: &Step<'_>, turns: &Turns<'_>, agent: &str) -> String {
        let text = self.options.step(step, &turns.calls, &NoAnnotations);
        if agent.is_empty() {
            return text;
        }
        let name = render::untrusted::line(agent).into_owned();
        let short: String = name.chars().take(8).collect();
        let mark = self.options.paint.paint(Style::Id, &format!("{short:<8} │ "));
        let lines = text.trim_end().lines();
        lines.fold(String::new(), |shown, line| shown + &mark + line + "\n")
    }
}

impl Annotations for ReadableConversation<'_> {
    fn at_call(&self, call: &ToolCall<'_>) -> Option<String> {
        self.of_agents(0, self.options.clone()).at_call(call)
    }

    fn persisted(&self, name: &str) -> Option<String> {
        self.session.tool_output(name)
    }

    fn before(&self, node: NodeId) -> Option<String> {
        let before = self.before.get(&node)?;
        Some(before.iter().map(|beside| self.beside(beside)).collect())
    }
}
