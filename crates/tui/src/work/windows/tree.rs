//! The structure of a session: relatives, generations, turns, branches, agents.

use super::Data;
use crate::overlay::{Block, Choice, Content, Goto};
use crate::session::details::Details;
use crate::session::model::{Beside, SessionModel};
use library::catalog::{Relation, Relative};
use library::sessions::TurnNumber;
use render::Style;
use std::collections::HashSet;

pub(super) fn content(model: &SessionModel, data: &Data<'_>) -> Content {
    let found = model.session().found();
    let mut blocks = Vec::new();
    if found.agent_id().is_none() {
        blocks.extend(data.library.catalog().relatives(found).iter().map(relative));
    }
    let details = Details::of(data.library, model);
    let rows = model.rows();
    let generations = rows.iter().map(|row| row.generation).max().unwrap_or(1);
    let mut generation = 0;
    for (turn, row) in rows.iter().enumerate() {
        if generations > 1 && row.generation != generation {
            generation = row.generation;
            let state = if generation == generations { "live" } else { "compacted" };
            let note = format!("generation {generation} · {state}");
            blocks.push(Block::Line(note, Style::Accent, None));
        }
        let pieces = model.pieces_of(turn);
        let before = model.besides().iter().filter(|placed| placed.piece == pieces.start);
        blocks.extend(before.map(|placed| beside(model, &placed.beside, placed.messages)));
        let nothing =
            if row.number.has_prompt() { "(continued)" } else { "(before the first prompt)" };
        let prompt = if row.prompt.is_empty() { nothing } else { &row.prompt };
        let mark = if row.generation == generations { "●" } else { "○" };
        let line = format!("{mark} {} · {prompt}", row.number);
        let style = if row.generation == generations { Style::Plain } else { Style::Dim };
        let place = Choice::Goto(Goto::Turn(row.number));
        blocks.push(Block::Indented(1, line, style, Some(place)));
        let is_within = |piece: usize| piece > pieces.start && piece < pieces.end;
        for agent in &details.agents {
            if agent.piece.is_some_and(is_within) {
                blocks.push(agent_block(&agent.id, &agent.line));
            }
        }
        let within = model.besides().iter().filter(|placed| is_within(placed.piece));
        blocks.extend(within.map(|placed| beside(model, &placed.beside, placed.messages)));
    }
    let last = model.pieces() - 1;
    let after = model.besides().iter().filter(|placed| placed.piece == last);
    blocks.extend(after.map(|placed| beside(model, &placed.beside, placed.messages)));
    blocks.extend(unplaced_agents(&details));
    let warmups = render::hidden_warmups(details.warmups);
    blocks.extend(warmups.map(|note| Block::Indented(3, note, Style::Dim, None)));
    blocks.extend(minor_branches(model));
    if blocks.is_empty() {
        return Content::note("No turns.");
    }
    Content::new(blocks)
}

fn agent_block(id: &str, line: &str) -> Block {
    let place = Choice::Goto(Goto::Agent(id.to_owned(), None));
    Block::Indented(5, format!("⤷ {line}"), Style::Id, Some(place))
}

/// Agents that no shown call started, each with those below it, which follow it.
fn unplaced_agents(details: &Details) -> Vec<Block> {
    let heads: HashSet<usize> =
        details.unplaced.iter().flat_map(|group| &group.agents).copied().collect();
    let mut blocks = Vec::new();
    for group in &details.unplaced {
        blocks.push(Block::Indented(3, group.heading.clone(), Style::Heading, None));
        for head in &group.agents {
            let below = details.agents.iter().enumerate().skip(head + 1);
            let below =
                below.take_while(|(at, agent)| agent.piece.is_none() && !heads.contains(at));
            let agents = details.agents.get(*head).into_iter().chain(below.map(|(_, agent)| agent));
            blocks.extend(agents.map(|agent| agent_block(&agent.id, &agent.line)));
        }
    }
    blocks
}

fn relative(relative: &Relative) -> Block {
    let heading = relative.heading.as_deref().unwrap_or("(not found)");
    let id = document::short_id(&relative.session_id).to_owned();
    let line = match relative.relation {
        Relation::ForkedFrom => format!("⑂ forked from {id}: {heading}"),
        Relation::Fork => format!("⑂ forked as {id}: {heading}"),
        Relation::SharesLines => format!("⑂ shares lines with {id}: {heading}"),
        Relation::ContinuedIn => format!("→ continued in {id}: {heading}"),
    };
    let place = relative.heading.as_ref();
    let place = place.map(|_| Choice::Goto(Goto::Session(relative.session_id.clone(), None)));
    Block::Line(line, Style::Accent, place)
}

fn beside(model: &SessionModel, beside: &Beside, messages: usize) -> Block {
    let counted = render::counted(messages, "message");
    match beside {
        Beside::Orphan(place) => {
            let (number, gaps) = model.with(|_, shown| {
                let orphan = shown.orphans.get(*place);
                orphan.map(|orphan| (orphan.number, orphan.gaps.clone())).unwrap_or_default()
            });
            let segment = u32::try_from(number).unwrap_or(u32::MAX);
            let place = Goto::Turn(TurnNumber::Orphan { segment, turn: 1 });
            let line = format!("╌ orphaned segment · {counted}, {gaps}");
            Block::Indented(3, line, Style::Warning, Some(Choice::Goto(place)))
        }
        Beside::Branch { number, prompt, .. } => {
            let kind = model.with(|_, shown| {
                let branch = shown.selected.conversation.branches.get(number - 1);
                branch.map_or("", |branch| branch.kind.name())
            });
            let line = format!("⎇ {number} · abandoned branch ({kind}) · {counted} · {prompt}");
            let place = Choice::Goto(Goto::Branch(*number));
            Block::Indented(3, line, Style::Warning, Some(place))
        }
    }
}

/// How many branches are not shown: those that Claude Code discarded.
fn minor_branches(model: &SessionModel) -> Option<Block> {
    let count = model.with(|_, shown| {
        let branches = &shown.selected.conversation.branches;
        branches.iter().filter(|branch| branch.is_minor()).count()
    });
    let note = render::hidden_minor_branches(count)?;
    let note = format!("{note} (annals tree --minor shows them)");
    Some(Block::Indented(3, note, Style::Dim, None))
}
