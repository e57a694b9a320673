//! What every page says in the same words: facts of turns, titles of agents and
//! of what stands beside the conversation.
//!
//! Harmless is what comes out of none of these: each page makes text safe in its
//! own way. How things look is the pages' own.

use crate::export_document::{AgentChapter, Aside, Chapter, ExportDocument, Omitted};
use crate::telling::agent_line;
use crate::{counted, cut, milliseconds, time, untrusted};
use conversation::{AgentNode, Status, Turn};

/// Agents within agents are told this deep; further ones are named.
pub(crate) const DEEPEST: usize = 12;

/// What stands over agents that hang at no call.
pub(crate) const AGENTS_ELSEWHERE: &str = "Agents whose calls are not here";

/// When a turn began, how long was worked, what it took.
pub(crate) fn turn_facts(
    turn: &Turn<'_>,
    chapter: &Chapter<'_>,
    export: &ExportDocument<'_>,
) -> Vec<String> {
    let mut facts = Vec::new();
    facts.extend(turn.started.map(|started| time::moment(started, export.zone)));
    let worked = turn.model_ms.saturating_add(turn.tools_ms);
    facts.extend((worked > 0).then(|| milliseconds(worked)));
    if turn.tokens.output > 0 {
        facts.push(format!("{} tokens out", crate::count(turn.tokens.output)));
    }
    facts.extend(chapter.costs.get(&turn.number).copied().map(crate::money));
    facts
}

/// What a turn is called: the beginning of its prompt.
pub(crate) fn turn_name(turn: &Turn<'_>) -> String {
    match turn.number {
        0 => "Before the first prompt".to_owned(),
        _ => cut(&untrusted::line(turn.prompt().unwrap_or_default()), Some(72)),
    }
}

/// `2 secrets`, where any were masked.
pub(crate) fn masked(export: &ExportDocument<'_>) -> Option<String> {
    let count = export.masked.filter(|count| *count > 0)?;
    Some(counted(usize::try_from(count).unwrap_or(usize::MAX), "secret"))
}

/// What there is to know of an agent, and what it was asked to do.
pub(crate) fn agent_title(agent: &AgentNode) -> String {
    let description = agent.description.as_deref().map(|it| format!(": {it}"));
    format!("⤷ {}{}", agent_line(agent), description.unwrap_or_default())
}

/// The title of an agent whose conversation is not told here, with the reason
/// where that is none of the reader's own.
pub(crate) fn untold_title(agent: &AgentChapter<'_>) -> String {
    let title = agent_title(agent.node);
    match &agent.chapter {
        Err(Omitted::Because(reason)) => format!("{title} ({reason})"),
        Ok(_) | Err(Omitted::AsAsked) => title,
    }
}

/// What stands before the title of a call that did not go well.
pub(crate) fn status_mark(status: Status) -> &'static str {
    match status {
        Status::Ok => "",
        Status::Error => "✗ ",
        Status::Denied => "⊘ denied: ",
        Status::Interrupted => "⏹ interrupted: ",
        Status::Missing => "? no answer: ",
    }
}

/// The title of an answer whose call is gone.
pub(crate) fn orphan_title(is_error: bool) -> String {
    let mark = if is_error { "✗" } else { "←" };
    format!("{mark} an answer to a call that is not here")
}

/// `compacted (auto): 160k to 12k tokens`
pub(crate) fn compaction_line(
    trigger: Option<&str>,
    before: Option<u64>,
    after: Option<u64>,
) -> String {
    let tokens = match (before, after) {
        (Some(before), Some(after)) => {
            format!(": {} to {} tokens", crate::count(before), crate::count(after))
        }
        (Some(before), None) => format!(" at {} tokens", crate::count(before)),
        _ => String::new(),
    };
    format!("compacted ({}){tokens}", trigger.unwrap_or("unknown"))
}

/// The title of what stands beside the main chapter.
pub(crate) fn aside_title(aside: &Aside<'_, '_>) -> String {
    match aside {
        Aside::Branch(left) => {
            let count = counted(left.branch.messages.len(), "message");
            let prompt = left.branch.prompt.as_deref().unwrap_or_default();
            let prompt = cut(&untrusted::line(prompt), Some(60));
            format!("⎇ Undone {}: “{prompt}” ({count})", left.number)
        }
        Aside::Orphan(loose) => {
            let count = counted(loose.segment.messages.len(), "message");
            format!("╌ Gap: what came before {count} is missing")
        }
    }
}
