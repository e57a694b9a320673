//! Walks an export line by line: what was said, what stands beside it, the agents
//! at their calls, and what each response of the API used.

use super::known::Known;
use super::rules::{Rule, Rules};
use super::writer::{Element, Item, left_out};
use crate::export_document::{
    AgentChapter, Aside, Asides, Chapter, ExportDocument, Omitted, Unlinked,
};
use crate::words::DEEPEST;
use conversation::{NodeId, Step, Tokens, What};
use std::collections::{HashMap, HashSet};
use transcript::{Body, RecordKind, Str};

/// A session as pieces of a document.
pub(super) fn items(export: &ExportDocument<'_>, rules: Rules) -> Vec<Item> {
    let mut walk = Walk {
        export,
        rules,
        items: Vec::new(),
        docs: Known::default(),
        reads: Known::default(),
        said: None,
        notes: 0,
        asides: export.asides(),
        told: HashSet::new(),
        responses: HashSet::new(),
        model: None,
        unsaid: (0, 0),
        unlinked: HashMap::new(),
    };
    for line in &export.unlinked {
        walk.unlinked.entry(line.before).or_default().push(line);
    }
    walk.chapter(&export.main, 0);
    walk.rest();
    walk.items
}

pub(super) struct Walk<'v, 'a> {
    pub(super) export: &'v ExportDocument<'a>,
    pub(super) rules: Rules,
    pub(super) items: Vec<Item>,
    /// Instructions that were told.
    pub(super) docs: Known,
    /// Files that were told.
    pub(super) reads: Known,
    /// What the model said last in this turn.
    pub(super) said: Option<&'v str>,
    /// How many notes have an id.
    pub(super) notes: u64,
    /// What stands before a line of the main chapter.
    asides: Asides<'v, 'a>,
    /// Agents that were told: none is told twice.
    told: HashSet<usize>,
    /// Responses whose usage was told, in whatever chapter.
    responses: HashSet<String>,
    /// The model that responded last.
    model: Option<String>,
    /// Bookkeeping left out since it was last said: lines and bytes.
    unsaid: (u64, u64),
    /// What stands before a line of the main chapter and belongs to no
    /// conversation.
    unlinked: HashMap<Option<NodeId>, Vec<&'v Unlinked>>,
}

/// What one response of the API used.
struct Response {
    id: String,
    tokens: Tokens,
    model: Option<String>,
}

impl<'v, 'a> Walk<'v, 'a> {
    fn asides(&mut self, asides: &[Aside<'v, 'a>]) {
        if !asides.is_empty() {
            self.settle_bookkeeping();
        }
        for aside in asides {
            let opening = match aside {
                Aside::Branch(left) => Element::new("branch")
                    .flag("undone", true)
                    .number("number", left.number as u64)
                    .number("messages", left.branch.messages.len() as u64),
                Aside::Orphan(loose) => Element::new("gap")
                    .attribute("missing", &loose.segment.missing)
                    .number("messages", loose.segment.messages.len() as u64),
            };
            self.items.push(opening.open());
            self.chapter(aside.chapter(), 1);
            self.items.push(Item::Close);
        }
    }

    /// What hangs at no turn that is told.
    fn rest(&mut self) {
        for asides in self.asides.take_rest() {
            self.asides(&asides);
        }
        for place in self.export.agents_elsewhere() {
            self.agent(place, 1);
        }
    }

    fn chapter(&mut self, chapter: &'v Chapter<'a>, depth: usize) {
        let said_before = self.said.take();
        let steps: Vec<(u64, &'v Step<'a>)> = chapter
            .turns
            .iter()
            .flat_map(|turn| turn.steps.iter().map(|step| (turn.number, step)))
            .collect();
        let mut responses = responses(chapter);
        let silent = Silent::new(chapter);
        let mut is_told = true;
        let mut next = 0;
        for node in &chapter.chain {
            is_told = silent.is_told(*node).unwrap_or(is_told);
            if depth == 0 {
                self.unlinked(Some(*node));
            }
            let count = steps[next..].iter().take_while(|(_, step)| step.node == *node).count();
            if count > 0 {
                if depth == 0 {
                    let asides = self.asides.take(*node);
                    self.asides(&asides);
                }
                self.steps(&steps[next..next + count], chapter, depth);
                next += count;
            } else if is_told {
                self.note(chapter.said.graph.node(*node).bytes);
            }
            if let Some(response) = responses.remove(node).filter(|_| is_told) {
                self.usage(response);
            }
        }
        // A chapter whose chain does not hold what it tells loses nothing.
        self.steps(&steps[next..], chapter, depth);
        if depth == 0 {
            self.unlinked(None);
        }
        self.settle_bookkeeping();
        self.said = said_before;
    }

    fn unlinked(&mut self, place: Option<NodeId>) {
        for line in self.unlinked.remove(&place).unwrap_or_default() {
            let record = Element::new("record").attribute("kind", &line.kind);
            let record = record.number("bytes", line.bytes);
            self.bookkeeping(record.with_text(line.value.as_deref().unwrap_or_default()));
        }
    }

    /// The steps of one line.
    fn steps(&mut self, steps: &[(u64, &'v Step<'a>)], chapter: &'v Chapter<'a>, depth: usize) {
        let calls = steps.iter().any(|(_, step)| matches!(step.what, What::Called(_)));
        for (turn, step) in steps {
            match &step.what {
                What::Called(number) => {
                    if let Some(call) = chapter.telling.calls.get(*number) {
                        self.call(call, depth);
                    }
                }
                _ => self.step(*turn, step, calls),
            }
        }
    }

    fn usage(&mut self, response: Response) {
        if !self.responses.insert(response.id) {
            return;
        }
        let is_other = response.model.is_some() && response.model != self.model;
        let tokens = response.tokens;
        let usage = Element::new("usage")
            .optional("model", response.model.as_deref().filter(|_| is_other))
            .number("input", tokens.input)
            .number("output", tokens.output)
            .number("cache_read", tokens.cache_read)
            .number("cache_write", tokens.cache_write);
        self.entry(usage);
        if is_other {
            self.model = response.model;
        }
    }

    pub(super) fn entry(&mut self, element: Element) {
        self.items.push(Item::Entry(element.finish()));
    }

    /// Leaves out a line that the app wrote for itself.
    pub(super) fn leave_bookkeeping(&mut self, element: Element) {
        let bytes = element.finish().len() as u64;
        self.unsaid = (self.unsaid.0 + 1, self.unsaid.1 + bytes);
    }

    /// Says how much bookkeeping was left out up to here.
    pub(super) fn settle_bookkeeping(&mut self) {
        let (lines, bytes) = std::mem::take(&mut self.unsaid);
        if lines > 0 {
            let left = left_out(Rule::Bookkeeping);
            self.entry(left.number("lines", lines).number("bytes", bytes));
        }
    }

    /// Whether an agent's conversation will be told.
    pub(super) fn will_tell(&self, place: usize, depth: usize) -> bool {
        self.export.agents.get(place).is_some_and(|agent| {
            agent.chapter.is_ok()
                && depth <= DEEPEST
                && !self.told.contains(&place)
                && !(self.rules.has(Rule::Agents) && (agent.node.warmup || is_empty(agent)))
        })
    }

    pub(super) fn agent(&mut self, place: usize, depth: usize) {
        let Some(agent) = self.export.agents.get(place) else { return };
        let node = agent.node;
        let is_empty = is_empty(agent);
        if self.rules.has(Rule::Agents) && (node.warmup || is_empty) {
            let left = left_out(Rule::Agents).attribute("agent", &node.id);
            let left = left.flag("warmup", node.warmup).flag("empty", is_empty);
            self.entry(left.number("bytes", node.bytes));
            return;
        }
        let element = Element::new("agent")
            .attribute("id", &node.id)
            .optional("type", node.kind.as_deref())
            .optional("description", node.description.as_deref())
            .optional("call", node.tool_use_id.as_deref())
            .optional("model", node.model.as_deref())
            .optional("outcome", node.outcome.map(conversation::Outcome::name))
            .optional("workflow", node.workflow.as_deref())
            .flag("warmup", node.warmup)
            .flag("empty", is_empty);
        match &agent.chapter {
            Ok(chapter) if self.will_tell(place, depth) => {
                self.told.insert(place);
                self.settle_bookkeeping();
                self.items.push(element.open());
                self.chapter(chapter, depth);
                self.items.push(Item::Close);
            }
            Ok(_) => self.entry(element.attribute("not_told", "told elsewhere, or too deep")),
            Err(Omitted::AsAsked) => self.entry(element.attribute("not_told", "as asked")),
            Err(Omitted::Because(reason)) => self.entry(element.attribute("not_told", reason)),
        }
    }
}

/// Whether an agent did nothing that could be told.
fn is_empty(agent: &AgentChapter<'_>) -> bool {
    let Ok(chapter) = &agent.chapter else { return false };
    let mut steps = chapter.turns.iter().flat_map(|turn| &turn.steps);
    steps.all(|step| match &step.what {
        What::Prompt { .. } | What::Notice(..) => true,
        What::Thought(text) => text.trim().is_empty(),
        _ => false,
    })
}

/// Which lines belong to turns that are not told.
struct Silent(HashMap<NodeId, bool>);

impl Silent {
    fn new(chapter: &Chapter<'_>) -> Self {
        if chapter.turns.len() == chapter.telling.turns.len() {
            return Silent(HashMap::new());
        }
        let told: HashSet<u64> = chapter.turns.iter().map(|turn| turn.number).collect();
        let mut lines = HashMap::new();
        let first = chapter.telling.turns.first().map(|turn| told.contains(&turn.number));
        lines.extend(chapter.chain.first().copied().zip(first));
        for turn in &chapter.telling.turns {
            let is_told = told.contains(&turn.number);
            lines.extend(turn.steps.iter().map(|step| (step.node, is_told)));
        }
        Silent(lines)
    }

    /// Whether a line begins what is told, or what is not; none: as before it.
    fn is_told(&self, node: NodeId) -> Option<bool> {
        self.0.get(&node).copied()
    }
}

/// What responses used, at the last of their lines.
fn responses(chapter: &Chapter<'_>) -> HashMap<NodeId, Response> {
    let mut last: HashMap<String, (NodeId, Tokens, Option<String>)> = HashMap::new();
    for id in &chapter.chain {
        let node = chapter.said.graph.node(*id);
        if node.kind != RecordKind::Assistant {
            continue;
        }
        let Some(entry) = transcript::entries(node.bytes).next() else { continue };
        let Body::Assistant(assistant) = entry.record.body else { continue };
        let Some(message) = assistant.message.filter(|_| !assistant.is_api_error_message) else {
            continue;
        };
        let Some(usage) = &message.usage else { continue };
        if message.model.as_deref() == Some("<synthetic>") {
            continue;
        }
        let tokens = Tokens::of(usage);
        let key = message.id.map_or_else(|| node.uuid.to_string(), |id| Str::from(id).to_string());
        let model = message.model.map(|model| model.to_string());
        let response = last.entry(key).or_insert((*id, Tokens::default(), None));
        *response = (*id, response.1.or_fuller(tokens), model.or(response.2.take()));
    }
    last.into_iter()
        .map(|(id, (node, tokens, model))| (node, Response { id, tokens, model }))
        .collect()
}
