//! The outline of a session: one pass over its turns.
//!
//! The figures of sub-agents come from what the index stores of their files; their
//! transcripts are not read for it.

use super::Marks;
use super::outline_figures::{Windows, height};
use super::thread::{Thread, ThreadPart};
use crate::{
    Document as _, MarkDocument, Moment, OutlineAgentDocument, OutlineBranchDocument,
    OutlineCommitDocument, OutlineDocument, OutlineFileDocument, OutlineGenerationDocument,
    OutlineOrphanDocument, OutlinePlanDocument, OutlineRelativeDocument, OutlineTotalsDocument,
    OutlineTurnDocument,
};
use conversation::{
    AgentNode, GitAction, NodeId, StepKind, ToolCall, Turn, TurnNumber, Turns, View, git_actions,
};
use library::catalog::Relative;
use library::sessions::{OpenSession, SelectionError};
use library::usage::AgentUsage;
use std::collections::{BTreeMap, HashMap, HashSet};
use usage::PicoUsd;

/// The longest prompt in a row, in columns.
const PROMPT: usize = 160;

/// Turns with no more steps than this are shown as a whole.
const SHORT_TURN: u64 = 100;

/// The most changed files of a turn, and of the session.
const FILES_OF_TURN: usize = 20;
const FILES: usize = 200;

/// The most turns that a file names.
const TURNS_OF_FILE: usize = 50;

/// What an outline is about.
#[derive(Debug)]
pub struct OutlineOptions<'o> {
    /// The rules by which the conversation is read.
    pub view: View,
    /// The sub-agent; `None`: the session itself.
    pub agent: Option<&'o str>,
    /// Sessions that share records with this one (`Catalog::relatives`).
    pub relatives: &'o [Relative],
    /// The usage of the session's sub-agents (`Usage::of_agents`).
    pub usage: &'o HashMap<Option<String>, AgentUsage>,
    /// Shortens a path with the home folder, for the command that resumes.
    pub home: Option<&'o str>,
}

/// The outline of an open session.
pub fn outline(
    session: &OpenSession,
    options: &OutlineOptions<'_>,
    marks: &Marks,
) -> Result<OutlineDocument, SelectionError> {
    let thread = Thread::new(session, &ThreadPart::Main, options.agent, options.view)?;
    let found = session.found();
    let metadata = &found.session.metadata;
    let agent_id = options.agent.or(found.agent_id()).map(str::to_owned);
    let collected = Collected::new(session, &thread, marks, options.agent.is_some());
    let own = OwnUsage::new(options.usage, agent_id.as_deref());
    let turns = &thread.turns.turns;
    let turn_of = TurnOfLines::new(&thread);
    let last_turn = turns.iter().rev().find_map(|turn| match turn.number {
        TurnNumber::Main(number) => Some(number),
        TurnNumber::Branch { .. } | TurnNumber::Orphan { .. } => None,
    });
    let mut document_marks: Vec<MarkDocument> = marks.documents_of(session);
    document_marks.retain(|mark| mark.agent_id == agent_id);
    let resume = render::resume_command(&found.session.id, metadata.cwd.as_deref(), options.home);
    Ok(OutlineDocument {
        schema: OutlineDocument::SCHEMA.into(),
        session_id: found.session.id.clone(),
        resume_command: resume.filter(|_| agent_id.is_none()),
        agent_id,
        title: found.session.heading().map(str::to_owned),
        project: found.session.project.clone(),
        cwd: metadata.cwd.clone(),
        branch: metadata.branch.clone(),
        models: models(&thread.turns),
        started_at: turns.iter().filter_map(|turn| turn.started).min().map(Moment),
        ended_at: turns.iter().filter_map(|turn| turn.ended).max().map(Moment),
        is_running: found.session.is_running,
        presence: found.session.presence.name().into(),
        totals: OutlineTotalsDocument {
            turns: last_turn.unwrap_or_default(),
            output_tokens: own.output_tokens,
            cost_usd: own.cost.map(PicoUsd::decimal),
            errors: turns.iter().map(|turn| turn.errors).sum(),
            calls: turns.iter().map(|turn| turn.calls).sum(),
        },
        view: options.view.name().into(),
        context_limit: collected.context_limit,
        generations: generations(&thread),
        branches: branches(&thread, &turn_of),
        orphans: orphans(&thread, &turn_of),
        agents: agents(session, options, &collected),
        files: files(&thread.turns),
        plans: collected.plans,
        commits: collected.commits,
        turns: collected.turns,
        relatives: options.relatives.iter().map(OutlineRelativeDocument::from).collect(),
        marks: document_marks,
        last_line: transcript::lines(session.bytes()).last().map_or(0, |line| line.number),
    })
}

impl From<&Relative> for OutlineRelativeDocument {
    fn from(relative: &Relative) -> Self {
        OutlineRelativeDocument {
            session_id: relative.session_id.clone(),
            relation: relative.relation.name().into(),
            title: relative.heading.clone(),
        }
    }
}

/// The tokens and the cost of what the outline is about.
struct OwnUsage {
    output_tokens: u64,
    cost: Option<PicoUsd>,
}

impl OwnUsage {
    /// Of the session with its agents, or of one agent.
    fn new(usage: &HashMap<Option<String>, AgentUsage>, agent: Option<&str>) -> Self {
        let own = usage.iter().filter(|(id, _)| agent.is_none() || id.as_deref() == agent);
        let mut sum = OwnUsage { output_tokens: 0, cost: Some(PicoUsd::ZERO) };
        for (_, usage) in own {
            sum.output_tokens = sum.output_tokens.saturating_add(usage.usage.tokens.output);
            let cost = (!usage.usage.is_partial).then_some(usage.usage.cost);
            sum.cost = sum.cost.zip(cost).map(|(sum, cost)| sum.plus(cost));
        }
        sum
    }
}

/// Models that answered, in the order they were met.
fn models(turns: &Turns<'_>) -> Vec<String> {
    let mut models: Vec<String> = Vec::new();
    for model in turns.turns.iter().flat_map(|turn| &turn.models) {
        if !models.iter().any(|known| **known == **model) {
            models.push(model.to_string());
        }
    }
    models
}

/// What one pass over the turns collects.
struct Collected {
    turns: Vec<OutlineTurnDocument>,
    plans: Vec<OutlinePlanDocument>,
    commits: Vec<OutlineCommitDocument>,
    /// The turn of each call that started an agent.
    turn_of_call: HashMap<String, TurnNumber>,
    context_limit: Option<u64>,
}

impl Collected {
    fn new(session: &OpenSession, thread: &Thread<'_>, marks: &Marks, is_part: bool) -> Self {
        let costs = thread.turn_costs();
        let generation_of = generation_of_lines(thread);
        let windows = Windows::new(thread);
        let mut notes: HashMap<TurnNumber, String> = HashMap::new();
        if !is_part {
            let own = marks.documents_of(session).into_iter();
            for mark in own.filter(|mark| mark.agent_id.as_deref() == session.found().agent_id()) {
                if let Some(turn) = mark.turn {
                    notes.insert(turn.0, mark.note.unwrap_or_default());
                }
            }
        }
        let mut by_call: HashMap<&str, Vec<&AgentNode>> = HashMap::new();
        for agent in &session.agents().agents {
            if let Some(call) = &agent.tool_use_id {
                by_call.entry(call).or_default().push(agent);
            }
        }
        let mut collected = Collected {
            turns: Vec::with_capacity(thread.turns.turns.len()),
            plans: Vec::new(),
            commits: Vec::new(),
            turn_of_call: HashMap::new(),
            context_limit: windows.limit,
        };
        for turn in &thread.turns.turns {
            let mut row = turn_row(thread, turn, &costs);
            let first = turn.steps.first().map(|step| step.node);
            row.generation = first.and_then(|node| generation_of.get(&node)).copied().unwrap_or(1);
            row.mark = notes.remove(&turn.number);
            if let Some(window) = windows.by_turn.get(&turn.number) {
                (row.context_tokens, row.context_limit) = (window.tokens, window.limit);
                row.cache_miss = window.is_miss;
            }
            for call in calls_of(turn, &thread.turns) {
                collected.note_call(call, turn.number, &by_call, &mut row);
            }
            collected.turns.push(row);
        }
        collected
    }

    fn note_call(
        &mut self,
        call: &ToolCall<'_>,
        turn: TurnNumber,
        by_call: &HashMap<&str, Vec<&AgentNode>>,
        row: &mut OutlineTurnDocument,
    ) {
        if let Some(id) = call.id.as_deref()
            && let Some(agents) = by_call.get(id)
        {
            row.agents.extend(agents.iter().map(|agent| agent.id.clone()));
            self.turn_of_call.insert(id.to_owned(), turn);
        }
        if call.tool == "ExitPlanMode" {
            let plan = call.argument("plan").unwrap_or_default();
            let title = plan.lines().find(|line| !line.trim().is_empty()).unwrap_or("Plan");
            self.plans.push(OutlinePlanDocument {
                title: shortened(title.trim_start_matches(['#', ' '])),
                turn: turn.to_string(),
                path: call.argument("planFilePath").map(std::borrow::Cow::into_owned),
            });
        }
        for action in git_actions(call) {
            if let GitAction::Commit { hash, subject, .. } = action {
                row.commits.push(hash.clone());
                self.commits.push(OutlineCommitDocument { hash, subject, turn: turn.to_string() });
            }
        }
    }
}

/// The row of a turn, as far as the turn itself tells.
fn turn_row(
    thread: &Thread<'_>,
    turn: &Turn<'_>,
    costs: &HashMap<TurnNumber, PicoUsd>,
) -> OutlineTurnDocument {
    let span = turn.started.zip(turn.ended);
    let span = span.map(|(start, end)| end.as_millisecond() - start.as_millisecond());
    let changed = turn.files.iter().filter(|(_, touch)| touch.changes > 0);
    OutlineTurnDocument {
        turn: turn.number.to_string(),
        prompt: shortened(turn.prompt().unwrap_or_default()),
        uuid: turn.line().map(|line| thread.conversation.graph.node(line).uuid.to_string()),
        started_at: turn.started.map(Moment),
        ended_at: turn.ended.map(Moment),
        duration_ms: span.and_then(|span| u64::try_from(span).ok()).unwrap_or_default(),
        model_ms: turn.model_ms,
        tools_ms: turn.tools_ms,
        output_tokens: turn.tokens.output,
        cost_usd: costs.get(&turn.number).copied().map(PicoUsd::decimal),
        errors: turn.errors,
        calls: turn.calls,
        steps: Some(turn.steps.len() as u64).filter(|steps| *steps > SHORT_TURN).unwrap_or(0),
        files: changed.take(FILES_OF_TURN).map(|(path, _)| path.clone()).collect(),
        height: height(turn, &thread.turns),
        ..OutlineTurnDocument::default()
    }
}

fn calls_of<'t, 's>(
    turn: &'t Turn<'s>,
    turns: &'t Turns<'s>,
) -> impl Iterator<Item = &'t ToolCall<'s>> {
    turn.steps.iter().filter_map(|step| match step.kind {
        StepKind::Call(number) => turns.calls.get(number),
        _ => None,
    })
}

/// The first line of a text that has words, cut.
fn shortened(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    // Cutting measures the whole text.
    let line = line.get(..line.floor_char_boundary(PROMPT * 8)).unwrap_or_default();
    render::cut(&render::untrusted::line(line.trim()), Some(PROMPT))
}

/// The generation of each line, from 1. A line that a compaction preserved is of the
/// generation it comes from.
fn generation_of_lines(thread: &Thread<'_>) -> HashMap<NodeId, usize> {
    let mut generations = HashMap::new();
    for (number, lines) in (1..).zip(thread.conversation.generations()) {
        for line in lines {
            generations.entry(*line).or_insert(number);
        }
    }
    generations
}

fn generations(thread: &Thread<'_>) -> Vec<OutlineGenerationDocument> {
    let of_lines = generation_of_lines(thread);
    let mut generations: BTreeMap<usize, OutlineGenerationDocument> = BTreeMap::new();
    for turn in &thread.turns.turns {
        for step in &turn.steps {
            let Some(number) = of_lines.get(&step.node) else { continue };
            let own = generations.entry(*number).or_insert_with(|| OutlineGenerationDocument {
                number: *number,
                first_turn: turn.number.to_string(),
                last_turn: String::new(),
                trigger: None,
                tokens_before: None,
                tokens_after: None,
            });
            own.last_turn = turn.number.to_string();
            if let StepKind::Compaction { trigger, before, after } = &step.kind {
                own.trigger = trigger.as_ref().map(ToString::to_string);
                (own.tokens_before, own.tokens_after) = (*before, *after);
            }
        }
    }
    generations.into_values().collect()
}

/// The turns of shown lines.
struct TurnOfLines(HashMap<NodeId, TurnNumber>);

impl TurnOfLines {
    fn new(thread: &Thread<'_>) -> Self {
        let mut turns = HashMap::new();
        // Sessions without branches and segments need none of it.
        let is_needed = |placed: &conversation::PlacedAnnotations<'_>| {
            !placed.branches.is_empty() || !placed.orphans.is_empty()
        };
        if thread.annotations.is_some_and(is_needed) {
            for turn in &thread.turns.turns {
                for step in &turn.steps {
                    turns.entry(step.node).or_insert(turn.number);
                }
            }
        }
        TurnOfLines(turns)
    }

    fn of(&self, line: Option<NodeId>) -> Option<String> {
        self.0.get(&line?).map(ToString::to_string)
    }
}

fn branches(thread: &Thread<'_>, turn_of: &TurnOfLines) -> Vec<OutlineBranchDocument> {
    let placed = thread.annotations.into_iter().flat_map(|placed| &placed.branches);
    let document = |placed: &conversation::PlacedBranch<'_>| {
        let lines = thread.conversation.lines_of_branch(placed.branch);
        OutlineBranchDocument {
            number: placed.number,
            reason: placed.branch.kind.name().into(),
            before_turn: turn_of.of(placed.before),
            messages: placed.branch.messages.len(),
            prompt: shortened(placed.branch.prompt.as_deref().unwrap_or_default()),
            turns: numbers_of(thread, &lines),
        }
    };
    placed.map(document).collect()
}

fn orphans(thread: &Thread<'_>, turn_of: &TurnOfLines) -> Vec<OutlineOrphanDocument> {
    let placed = thread.annotations.into_iter().flat_map(|placed| &placed.orphans);
    let document = |placed: &conversation::PlacedOrphan<'_>| OutlineOrphanDocument {
        number: placed.number,
        before_turn: turn_of.of(placed.before),
        messages: placed.segment.messages.len(),
        gaps: render::gaps_text(placed.segment),
        turns: numbers_of(thread, &placed.segment.messages),
    };
    placed.map(document).collect()
}

/// The numbers of the turns of lines, each once, in order.
fn numbers_of(thread: &Thread<'_>, lines: &[NodeId]) -> Vec<String> {
    let mut numbers: Vec<TurnNumber> =
        lines.iter().filter_map(|line| thread.conversation.turn_of(*line)).collect();
    numbers.dedup();
    numbers.iter().map(ToString::to_string).collect()
}

fn agents(
    session: &OpenSession,
    options: &OutlineOptions<'_>,
    collected: &Collected,
) -> Vec<OutlineAgentDocument> {
    let all = &session.agents().agents;
    // The session's turn of an agent that another agent started is that of its parent.
    let mut turns: HashMap<&str, TurnNumber> = HashMap::new();
    let mut documents = Vec::with_capacity(all.len());
    let mut below: HashSet<&str> = options.agent.into_iter().collect();
    for agent in all {
        let parent = agent.parent_id.as_deref();
        if options.agent.is_some() {
            if !parent.is_some_and(|parent| below.contains(parent)) {
                continue;
            }
            below.insert(&agent.id);
        }
        let call = agent.tool_use_id.as_ref();
        let turn = call.and_then(|call| collected.turn_of_call.get(call)).copied();
        let turn = turn.or_else(|| turns.get(parent?).copied());
        turns.extend(turn.map(|turn| (agent.id.as_str(), turn)));
        let usage = options.usage.get(&Some(agent.id.clone()));
        documents.push(OutlineAgentDocument {
            id: agent.id.clone(),
            kind: agent.kind.clone(),
            description: agent.description.clone(),
            parent_agent_id: agent.parent_id.clone(),
            tool_use_id: agent.tool_use_id.clone(),
            turn: turn.map(|turn| turn.to_string()),
            depth: agent.depth,
            model: agent.model.clone(),
            started_at: agent.started.map(Moment),
            ended_at: agent.ended.map(Moment),
            output_tokens: agent.tokens.output,
            cost_usd: usage.map(|usage| usage.usage.cost.decimal()),
            calls: agent.calls,
            errors: agent.errors,
            context_peak: usage.map(|usage| usage.context_peak).unwrap_or_default(),
            compactions: agent.compactions,
            status: agent.outcome.map(|outcome| outcome.name().into()),
            warmup: agent.warmup,
        });
    }
    documents
}

/// The changed files, the most often changed first.
fn files(turns: &Turns<'_>) -> Vec<OutlineFileDocument> {
    let mut files: BTreeMap<&str, OutlineFileDocument> = BTreeMap::new();
    for turn in &turns.turns {
        for (path, touch) in turn.files.iter().filter(|(_, touch)| touch.changes > 0) {
            let file = files.entry(path).or_insert_with(|| OutlineFileDocument {
                path: path.clone(),
                changes: 0,
                added: 0,
                removed: 0,
                turns: Vec::new(),
            });
            file.changes = file.changes.saturating_add(touch.changes);
            file.added = file.added.saturating_add(touch.added);
            file.removed = file.removed.saturating_add(touch.removed);
            if file.turns.len() < TURNS_OF_FILE {
                file.turns.push(turn.number.to_string());
            }
        }
    }
    let mut files: Vec<OutlineFileDocument> = files.into_values().collect();
    files.sort_by_key(|file| std::cmp::Reverse(file.changes));
    files.truncate(FILES);
    files
}
