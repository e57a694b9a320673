//! Walks an export record by record: messages, branches and segments beside them, agents
//! at their calls, and the usage of each API response.

use super::rules::{Rule, Rules};
use super::seen_texts::SeenTexts;
use super::writer::{Element, Item, omission_of};
use crate::export_document::{
    AgentChapter, Aside, Asides, Chapter, ExportDocument, Omitted, UnlinkedRecord,
};
use crate::labels::MAX_AGENT_DEPTH;
use conversation::{NodeId, OrphanedSegment, ResponseTokens, Step, StepKind, Tokens, TurnNumber};
use std::collections::{HashMap, HashSet};
use transcript::{Body, RecordKind, Str};

/// A session as items of a document.
pub(super) fn items(export: &ExportDocument<'_>, rules: Rules) -> Vec<Item> {
    let mut walk = Walk {
        export,
        rules,
        items: Vec::new(),
        docs: SeenTexts::default(),
        reads: SeenTexts::default(),
        last_text: None,
        notes: 0,
        asides: export.asides(),
        shown_agents: HashSet::new(),
        responses: HashSet::new(),
        model: None,
        omitted: (0, 0),
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
    /// Instructions that were written.
    pub(super) docs: SeenTexts,
    /// File contents that were written.
    pub(super) reads: SeenTexts,
    /// The model's last text in this turn.
    pub(super) last_text: Option<&'v str>,
    /// How many notes have an id.
    pub(super) notes: u64,
    /// Threads beside the main chapter that were not written yet.
    asides: Asides<'v, 'a>,
    /// The agents that were written: none is written twice.
    shown_agents: HashSet<usize>,
    /// Responses whose usage was written, in any chapter.
    responses: HashSet<String>,
    /// The model of the last response.
    model: Option<String>,
    /// Bookkeeping that was omitted and not reported yet: records and bytes.
    omitted: (u64, u64),
    /// Records outside of any chain, by the record of the main chapter before which they
    /// are placed.
    unlinked: HashMap<Option<NodeId>, Vec<&'v UnlinkedRecord>>,
}

/// The usage of one API response.
struct Response {
    id: String,
    tokens: Tokens,
    model: Option<String>,
}

impl<'v, 'a> Walk<'v, 'a> {
    fn asides(&mut self, asides: &[Aside<'v, 'a>]) {
        if !asides.is_empty() {
            self.flush_bookkeeping();
        }
        for aside in asides {
            let opening = match aside {
                Aside::Branch(abandoned) => Element::new("branch")
                    .attribute("abandoned", abandoned.branch.kind.name())
                    .number("number", abandoned.number as u64)
                    .number("messages", abandoned.branch.messages.len() as u64),
                Aside::Orphan(orphan) => Element::new("gap")
                    .attribute("missing", &orphan.segment.missing)
                    .attribute("place", &gap_places(orphan.segment))
                    .number("messages", orphan.segment.messages.len() as u64),
            };
            self.items.push(opening.open());
            self.chapter(aside.chapter(), 1);
            self.items.push(Item::Close);
        }
    }

    /// Writes everything that is not placed at a shown turn.
    fn rest(&mut self) {
        for asides in self.asides.take_rest() {
            self.asides(&asides);
        }
        for index in self.export.unlinked_agents() {
            self.agent(index, 1);
        }
    }

    fn chapter(&mut self, chapter: &'v Chapter<'a>, depth: usize) {
        let outer_text = self.last_text.take();
        let steps: Vec<(TurnNumber, &'v Step<'a>)> = chapter
            .turns
            .iter()
            .flat_map(|turn| turn.steps.iter().map(|step| (turn.number, step)))
            .collect();
        let mut responses = responses(chapter);
        let selected = SelectedLines::new(chapter);
        let mut is_shown = true;
        let mut next = 0;
        for node in &chapter.chain {
            is_shown = selected.is_shown(*node).unwrap_or(is_shown);
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
            } else if is_shown {
                self.note(chapter.conversation.graph.node(*node).bytes);
            }
            if let Some(response) = responses.remove(node).filter(|_| is_shown) {
                self.usage(response);
            }
        }
        // Steps whose records are missing from the chain are written as well.
        self.steps(&steps[next..], chapter, depth);
        if depth == 0 {
            self.unlinked(None);
        }
        self.flush_bookkeeping();
        self.last_text = outer_text;
    }

    fn unlinked(&mut self, before: Option<NodeId>) {
        for line in self.unlinked.remove(&before).unwrap_or_default() {
            let record = Element::new("record").attribute("kind", &line.kind);
            let record = record.number("bytes", line.bytes);
            self.bookkeeping(record.with_text(line.value.as_deref().unwrap_or_default()));
        }
    }

    /// The steps of one record.
    fn steps(
        &mut self,
        steps: &[(TurnNumber, &'v Step<'a>)],
        chapter: &'v Chapter<'a>,
        depth: usize,
    ) {
        let calls = steps.iter().any(|(_, step)| matches!(step.kind, StepKind::Call(_)));
        for (turn, step) in steps {
            match &step.kind {
                StepKind::Call(number) => {
                    if let Some(call) = chapter.all_turns.calls.get(*number) {
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

    /// Omits a record that the app wrote for its own use.
    pub(super) fn omit_bookkeeping(&mut self, element: Element) {
        let bytes = element.finish().len() as u64;
        self.omitted = (self.omitted.0 + 1, self.omitted.1 + bytes);
    }

    /// Reports the bookkeeping that was omitted up to here.
    pub(super) fn flush_bookkeeping(&mut self) {
        let (lines, bytes) = std::mem::take(&mut self.omitted);
        if lines > 0 {
            let omission = omission_of(Rule::Bookkeeping);
            self.entry(omission.number("lines", lines).number("bytes", bytes));
        }
    }

    /// Whether an agent's conversation will be written.
    pub(super) fn will_show(&self, index: usize, depth: usize) -> bool {
        self.export.agents.get(index).is_some_and(|agent| {
            agent.chapter.is_ok()
                && depth <= MAX_AGENT_DEPTH
                && !self.shown_agents.contains(&index)
                && !(self.rules.has(Rule::Agents) && (agent.node.warmup || is_empty(agent)))
        })
    }

    pub(super) fn agent(&mut self, index: usize, depth: usize) {
        let Some(agent) = self.export.agents.get(index) else { return };
        let node = agent.node;
        let is_empty = is_empty(agent);
        if self.rules.has(Rule::Agents) && (node.warmup || is_empty) {
            let omission = omission_of(Rule::Agents).attribute("agent", &node.id);
            let omission = omission.flag("warmup", node.warmup).flag("empty", is_empty);
            self.entry(omission.number("bytes", node.bytes));
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
            Ok(chapter) if self.will_show(index, depth) => {
                self.shown_agents.insert(index);
                self.flush_bookkeeping();
                self.items.push(element.open());
                self.chapter(chapter, depth);
                self.items.push(Item::Close);
            }
            Ok(_) => {
                self.entry(element.attribute("omitted", "shown elsewhere, or nested too deeply"));
            }
            Err(Omitted::ByOption) => {
                self.entry(element.attribute("omitted", "omitted by option"));
            }
            Err(Omitted::Unavailable(reason)) => self.entry(element.attribute("omitted", reason)),
        }
    }
}

/// Whether an agent did nothing.
fn is_empty(agent: &AgentChapter<'_>) -> bool {
    let Ok(chapter) = &agent.chapter else { return false };
    let mut steps = chapter.turns.iter().flat_map(|turn| &turn.steps);
    steps.all(|step| match &step.kind {
        StepKind::Prompt { .. } | StepKind::Notice(..) => true,
        StepKind::Thinking(text) => text.trim().is_empty(),
        _ => false,
    })
}

/// Which records belong to shown turns.
struct SelectedLines(HashMap<NodeId, bool>);

impl SelectedLines {
    fn new(chapter: &Chapter<'_>) -> Self {
        if chapter.turns.len() == chapter.all_turns.turns.len() {
            return SelectedLines(HashMap::new());
        }
        let shown: HashSet<TurnNumber> = chapter.turns.iter().map(|turn| turn.number).collect();
        let mut lines = HashMap::new();
        let first = chapter.all_turns.turns.first().map(|turn| shown.contains(&turn.number));
        lines.extend(chapter.chain.first().copied().zip(first));
        for turn in &chapter.all_turns.turns {
            let is_shown = shown.contains(&turn.number);
            lines.extend(turn.steps.iter().map(|step| (step.node, is_shown)));
        }
        SelectedLines(lines)
    }

    /// Whether a record begins a shown or a hidden range; `None` continues the last one.
    fn is_shown(&self, node: NodeId) -> Option<bool> {
        self.0.get(&node).copied()
    }
}

/// The usage of responses, by the last record of each.
fn responses(chapter: &Chapter<'_>) -> HashMap<NodeId, Response> {
    let mut last: HashMap<String, (NodeId, ResponseTokens, Option<String>)> = HashMap::new();
    for id in &chapter.chain {
        let node = chapter.conversation.graph.node(*id);
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
        let tokens = ResponseTokens::of(usage);
        let key = message.id.map_or_else(|| node.uuid.to_string(), |id| Str::from(id).to_string());
        let model = message.model.map(|model| model.to_string());
        let response = last.entry(key).or_insert((*id, ResponseTokens::default(), None));
        *response = (*id, response.1.or_with_more_output(tokens), model.or(response.2.take()));
    }
    last.into_iter()
        .map(|(id, (node, tokens, model))| (node, Response { id, tokens: tokens.own, model }))
        .collect()
}

/// Where the gaps of an orphaned segment are, separated by spaces.
fn gap_places(segment: &OrphanedSegment) -> String {
    let mut places: Vec<&str> = segment.gaps.iter().map(|gap| gap.place.name()).collect();
    places.dedup();
    places.join(" ")
}
