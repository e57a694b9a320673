//! What the screen of a session shows besides the conversation, and what takes longer to
//! find out: agents, bookmarks, the context window, the cost, the parent.

use super::model::SessionModel;
use conversation::context_usage::ContextCalls;
use conversation::{AgentNode, Turns, agents_without_calls};
use document::AgentGroup;
use document::answers::Marks;
use library::Library;
use library::catalog::Relation;
use library::sessions::{OpenSession, TurnNumber};
use library::window_limit::WindowLimits;
use std::collections::HashMap;

/// A sub-agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentRow {
    /// Its id.
    pub id: String,
    /// The facts about it on one line.
    pub line: String,
    /// Its type and task.
    pub label: String,
    /// The piece with its call or with that of its parent, if one is shown.
    pub(crate) piece: Option<usize>,
}

/// What takes longer.
#[derive(Clone, Debug, Default)]
pub struct Details {
    /// The agents, without those that only warmed up the cache.
    pub agents: Vec<AgentRow>,
    /// Agents by the calls that started them.
    pub(crate) by_call: HashMap<String, Vec<usize>>,
    /// Agents without a shown call, by their places in `agents`.
    pub(crate) unplaced: Vec<AgentGroup>,
    pub(crate) warmups: usize,
    /// Notes of bookmarks, with their turns.
    marks: Vec<(Option<TurnNumber>, String)>,
    /// The context window of the last call, and the largest that its model has.
    pub context: Option<(u64, Option<u64>)>,
    /// The cost, sub-agents included.
    pub cost: Option<String>,
    /// The session or agent that this one comes from.
    pub parent: Option<String>,
    /// The type and the task of the agent that is shown.
    pub(crate) about: Option<String>,
}

impl Details {
    /// Finds all of it out.
    pub fn of(library: &Library, model: &SessionModel) -> Details {
        let session = model.session();
        let mut details = Details::default();
        if session.found().inline_agent.is_none() {
            details.find_agents(model);
        }
        // Without a ledger there are no bookmarks.
        if let Ok(marks) = Marks::read(library) {
            let own = session.found().agent_id();
            let documents = marks.documents_of(session).into_iter();
            details.marks = documents
                .filter(|mark| mark.agent_id.as_deref() == own)
                .map(|mark| {
                    let note = mark.note.unwrap_or_else(|| "marked".to_owned());
                    (mark.turn.map(|turn| turn.0), note)
                })
                .collect();
        }
        details.context = model.with(|_, shown| {
            let calls = ContextCalls::of(shown.selected.conversation, &shown.selected.chain);
            let last = calls.calls.last()?;
            Some((last.window(), WindowLimits::new(&calls.calls).of(last)))
        });
        details.cost = cost(library, session);
        details.parent = parent(library, session);
        details.about = session.own_agent().map(label_of);
        details
    }

    fn find_agents(&mut self, model: &SessionModel) {
        let pieces = model.pieces_of_calls();
        let tree = model.session().agents();
        let all: Vec<&AgentNode> = tree.agents.iter().collect();
        let mut places = HashMap::new();
        let mut piece_of: HashMap<&str, usize> = HashMap::new();
        for (number, agent) in all.iter().enumerate() {
            if agent.warmup {
                continue;
            }
            let place = self.agents.len();
            places.insert(number, place);
            let call = agent.tool_use_id.as_ref();
            // An agent that another one started stands with that one.
            let above = agent.parent_id.as_deref().and_then(|parent| piece_of.get(parent));
            let piece = call.and_then(|call| pieces.get(call)).or(above).copied();
            piece_of.extend(piece.map(|piece| (agent.id.as_str(), piece)));
            self.agents.push(AgentRow {
                id: agent.id.clone(),
                line: render::agent_line(agent),
                label: label_of(agent),
                piece,
            });
            if let Some(call) = call {
                self.by_call.entry(call.clone()).or_default().push(place);
            }
        }
        let unplaced = model.with(|_, shown| {
            let orphans = shown.orphans.iter().map(|orphan| &orphan.turns);
            let shown = std::iter::once(&*shown.selected.turns).chain(orphans);
            agents_without_calls(&all, shown.flat_map(Turns::call_ids), |_| None)
        });
        self.warmups = tree.warmups();
        self.unplaced = AgentGroup::of(tree, &unplaced);
        for group in &mut self.unplaced {
            group.agents.retain_mut(|number| {
                let place = places.get(number);
                place.map(|place| *number = *place).is_some()
            });
        }
    }

    /// The notes of the bookmarks of a turn.
    pub(crate) fn marks_at(&self, number: TurnNumber) -> Vec<&str> {
        let own = self.marks.iter().filter(|(turn, _)| *turn == Some(number));
        own.map(|(_, note)| note.as_str()).collect()
    }

    /// Whether a turn, or without one the whole session, is marked.
    pub(crate) fn is_marked(&self, number: Option<TurnNumber>) -> bool {
        self.marks.iter().any(|(turn, _)| *turn == number)
    }
}

/// The type and the task of an agent, else its id.
fn label_of(agent: &AgentNode) -> String {
    let names = [agent.kind.as_deref(), agent.description.as_deref()];
    let names: Vec<&str> = names.into_iter().flatten().filter(|name| !name.is_empty()).collect();
    if names.is_empty() { agent.id.clone() } else { names.join(": ") }
}

/// The cost of a session with its agents, or of one agent, at the API's prices.
fn cost(library: &Library, session: &OpenSession) -> Option<String> {
    let found = session.found();
    if found.inline_agent.is_some() {
        return None;
    }
    let agent = found.agent.as_ref().map(|agent| agent.id.as_str());
    let usage = library.usage().of_agents(&found.session.id);
    let own = usage.iter().filter(|(id, _)| agent.is_none() || id.as_deref() == agent);
    let own: Vec<_> = own.map(|(_, usage)| &usage.usage).collect();
    let mut costs = own.iter().map(|usage| usage.cost);
    let mut sum = costs.next()?;
    for cost in costs {
        sum = sum.plus(cost);
    }
    let more = if own.iter().any(|usage| usage.is_partial) { "+" } else { "" };
    Some(format!("{}{more}", render::money(sum)))
}

/// The agent or session that started an agent; the session that a copy was made from.
fn parent(library: &Library, session: &OpenSession) -> Option<String> {
    let found = session.found();
    if found.agent_id().is_some() {
        let above = session.own_agent().and_then(|agent| agent.parent_id.clone());
        return Some(above.unwrap_or_else(|| found.session.id.clone()));
    }
    let relatives = library.catalog().relatives(found);
    let origin = relatives.into_iter().find(|it| it.relation == Relation::ForkedFrom);
    origin.map(|origin| origin.session_id)
}
