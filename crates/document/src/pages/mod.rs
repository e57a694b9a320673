//! Puts a session, or any part of it, together as the document that pages are made
//! from.
//!
//! Branches, orphaned segments and agents are where `conversation::annotations`
//! places them. A piece of a session (a range of turns, one generation, a branch)
//! names the branches that left from its turns, as `show` does, without their messages.
//! It has the orphaned segments that stand among its turns, and only those agents that its
//! calls started.
//!
//! Deliberately not here: how a page looks (`render`), and where it is written.

mod agents;
mod costs;
mod heading;
mod masked;
mod unlinked;

pub use agents::ExportAgents;
pub(crate) use costs::turn_costs;
pub use masked::MaskedSecret;

use crate::AgentDetail;
use conversation::{NodeId, PlacedBranch, ToolCall, TurnNumber, Turns};
use costs::Costed;
use jiff::tz::TimeZone;
use library::redaction::MaskedLine;
use library::sessions::{OpenSession, Part, SelectedTurns, Selection, SelectionError};
use render::{AbandonedBranch, Detail, ExportDocument, OrphanSegment};
use std::collections::{BTreeMap, HashSet};
use std::fmt;

/// How a session is put together.
pub struct PageOptions<'o> {
    /// Which turns; all generations by default.
    pub selection: Selection,
    /// How much of sub-agents.
    pub agents: AgentDetail,
    /// Whether thinking is shown.
    pub thinking: bool,
    /// How much of tool calls.
    pub tools: Detail,
    /// Whether outputs in separate files are read.
    pub reads_outputs: bool,
    /// Whether records that belong to no conversation are listed.
    pub lists_unlinked: bool,
    /// Whether secrets were looked for, so that their number is known.
    pub is_masked: bool,
    /// The zone of times.
    pub zone: &'o TimeZone,
    /// Shortens the path of a folder or file, and masks secrets in it.
    pub short_path: &'o dyn Fn(&str) -> String,
    /// Masks secrets in a text that is in no transcript.
    pub mask: &'o dyn Fn(&str) -> String,
}

impl fmt::Debug for PageOptions<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut options = formatter.debug_struct("PageOptions");
        options.field("selection", &self.selection).field("agents", &self.agents);
        options.finish_non_exhaustive()
    }
}

/// Why a session cannot be put together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The selection names nothing.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// No turn is in the range.
    #[error("no such turns: the last turn is {last}")]
    NoTurns {
        /// The last turn.
        last: TurnNumber,
    },
}

/// Builds the document of a session and calls back with it and its masked places.
pub fn build<T>(
    session: &OpenSession,
    options: &PageOptions<'_>,
    each: impl FnOnce(&ExportDocument<'_>, Vec<MaskedSecret>) -> T,
) -> Result<T, BuildError> {
    let selected = session.turns(&options.selection)?;
    let (conversation, turns) = (selected.conversation, &selected.turns);
    let range = selected.selected();
    if range.is_empty() && !turns.turns.is_empty() {
        let last = turns.turns.last().map_or_else(TurnNumber::default, |turn| turn.number);
        return Err(BuildError::NoTurns { last });
    }
    let is_whole = options.selection.is_whole() && session.found().inline_agent.is_none();
    let placed = if is_whole { selected.annotations() } else { selected.annotations_in_range() };
    let lines_of = |placed: &PlacedBranch<'_>| {
        if is_whole { conversation.lines_of_branch(placed.branch) } else { Vec::new() }
    };
    let branch_lines: Vec<Vec<NodeId>> = placed.branches.iter().map(lines_of).collect();
    let branches: Vec<Turns<'_>> =
        branch_lines.iter().map(|lines| conversation.turns_of(lines)).collect();
    let orphans: Vec<Turns<'_>> =
        placed.orphans.iter().map(|it| conversation.turns_of(&it.segment.messages)).collect();
    let agents = ExportAgents::read(session, options.agents, &options.selection).with_turns();
    let called = orphans.iter().flat_map(Turns::call_ids);
    let called = called.chain(selected.calls().filter_map(|call| call.id.as_deref()));
    let is_selected = agents.in_selection(&options.selection, called);
    let beside = agents.turns().chain(&branches).chain(&orphans);
    let calls = selected.calls().chain(beside.flat_map(|turns| turns.calls.all()));
    let outputs = read_outputs(session, calls.filter(|_| options.reads_outputs));
    let persisted = |name: &str| outputs.get(name).map(|(text, _)| text.clone());
    let mut masked =
        masked::in_session(session, options, &selected, &orphans, (&agents, &is_selected));
    for (name, (_, found)) in &outputs {
        masked.extend(found.iter().map(|masked| MaskedSecret::in_output(name, masked)));
    }

    let own = Costed::new(conversation, session.line_costs(options.selection.view));
    let omitted = omitted_by_choice(options, &selected);
    let main = own.chapter(&selected.chain, turns, range);
    let heading = heading::heading(session, options, &selected);
    let mut export = ExportDocument::new(heading, options.zone, main, &persisted);
    export.folder.clone_from(&session.found().session.metadata.cwd);
    export.left_out = omitted;
    export.thinking = options.thinking;
    export.tools = options.tools;
    let branches = placed.branches.iter().zip(&branch_lines).zip(&branches);
    export.branches = branches
        .map(|((placed, lines), turns)| AbandonedBranch {
            number: placed.number,
            branch: placed.branch,
            before: placed.before,
            chapter: own.chapter(lines, turns, turns.turns.iter().collect()),
        })
        .collect();
    let orphans = placed.orphans.iter().zip(&orphans);
    export.orphans = orphans
        .map(|(placed, turns)| OrphanSegment {
            segment: placed.segment,
            before: placed.before,
            chapter: own.chapter(&placed.segment.messages, turns, turns.turns.iter().collect()),
        })
        .collect();
    if is_whole && options.lists_unlinked {
        export.unlinked = unlinked::unlinked(session.bytes(), conversation, &selected.chain);
    }
    let count = masked.iter().map(|place| place.masked.count).sum();
    export.masked = options.is_masked.then_some(count);
    let export = export.with_agents(agents.chapters(&is_selected, &own));
    Ok(each(&export, masked))
}

/// The outputs of calls in separate files, by name.
pub(crate) fn read_outputs<'c>(
    session: &OpenSession,
    calls: impl Iterator<Item = &'c ToolCall<'c>>,
) -> BTreeMap<String, (String, Vec<MaskedLine>)> {
    let names = calls.filter_map(|call| call.answer.as_ref()?.persisted_name());
    let names: HashSet<String> = names.collect();
    let read = |name: String| session.masked_tool_output(&name).map(|output| (name, output));
    names.into_iter().filter_map(read).collect()
}

/// The parts that the options omit, for the heading of a page.
fn omitted_by_choice(options: &PageOptions<'_>, selected: &SelectedTurns<'_>) -> Vec<String> {
    let (shown, all) = (selected.selected().len(), selected.turns.turns.len());
    let turns = format!("{} of {all}", render::counted(all - shown, "turn"));
    let part = match options.selection.part {
        Part::AbandonedBranch(number) => Some(format!("all but branch {number}")),
        Part::Generation(number) => Some(format!("all but generation {number}")),
        Part::OrphanedSegment(number) => Some(format!("all but orphaned segment {number}")),
        Part::Present | Part::Whole | Part::Agent(_) => None,
    };
    let omitted = [
        (shown < all).then_some(turns),
        part,
        (!options.thinking).then(|| "thinking".to_owned()),
        (options.tools == Detail::None).then(|| "tools".to_owned()),
        (options.agents == AgentDetail::None).then(|| "agents".to_owned()),
    ];
    omitted.into_iter().flatten().collect()
}
