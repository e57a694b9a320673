//! Texts that all export formats share: facts about turns, titles of agents, abandoned
//! branches and orphaned segments.
//!
//! The texts are not harmless yet: each format escapes them in its own way. Layout is
//! left to the formats as well.

use crate::export_document::{AgentChapter, Aside, Chapter, ExportDocument, Omitted};
use crate::turn_text::agent_line;
use crate::{counted, cut, milliseconds, time, untrusted};
pub(crate) use conversation::MAX_AGENT_DEPTH;
use conversation::{AgentNode, GapPlace, OrphanedSegment, Status, Turn};

/// The heading of agents that no shown call started.
pub const UNLINKED_AGENTS: &str = "Agents not linked to a call";

/// How many agents are not shown because they only warmed up the cache; `None`: there are
/// none.
pub fn hidden_warmups(count: usize) -> Option<String> {
    (count > 0).then(|| format!("{} hidden", counted(count, "warm-up agent")))
}

/// How many branches are not shown because they are minor; `None`: there are none.
pub fn hidden_minor_branches(count: usize) -> Option<String> {
    let ending = if count == 1 { "" } else { "es" };
    (count > 0).then(|| format!("{count} minor branch{ending} hidden"))
}

/// When a turn began, how long it took, its tokens and its cost.
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

/// The name of a turn: the beginning of its prompt.
pub(crate) fn turn_name(turn: &Turn<'_>) -> String {
    if turn.number.is_before_first_prompt() {
        return "Before the first prompt".to_owned();
    }
    let prompt = turn.prompt().unwrap_or(if turn.is_continued() { "(continued)" } else { "" });
    cut(&untrusted::line(prompt), Some(72))
}

/// `2 secrets`, if any were masked.
pub(crate) fn masked(export: &ExportDocument<'_>) -> Option<String> {
    let count = export.masked.filter(|count| *count > 0)?;
    Some(counted(usize::try_from(count).unwrap_or(usize::MAX), "secret"))
}

/// The title of an agent: its facts and its description.
pub(crate) fn agent_title(agent: &AgentNode) -> String {
    let description = agent.description.as_deref().map(|it| format!(": {it}"));
    format!("⤷ {}{}", agent_line(agent), description.unwrap_or_default())
}

/// The title of an agent whose conversation is omitted, with the reason unless the user
/// asked for it.
pub(crate) fn omitted_agent_title(agent: &AgentChapter<'_>) -> String {
    let title = agent_title(agent.node);
    match &agent.chapter {
        Err(Omitted::Unavailable(reason)) => format!("{title} ({reason})"),
        Ok(_) | Err(Omitted::ByOption) => title,
    }
}

/// The mark before the title of a call that did not succeed.
pub(crate) fn status_mark(status: Status) -> &'static str {
    match status {
        Status::Ok => "",
        Status::Error => "✗ ",
        Status::Denied => "⊘ denied: ",
        Status::Interrupted => "⏹ interrupted: ",
        Status::Missing => "? no answer: ",
    }
}

/// The title of a result whose call is missing.
pub(crate) fn unmatched_result_title(is_error: bool) -> String {
    let mark = if is_error { "✗" } else { "←" };
    format!("{mark} result of a missing call")
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

/// The text of an API error, in one line.
pub(crate) fn api_error_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    let reason = ["API Error: ", "API error: "].iter().find_map(|name| text.strip_prefix(name));
    format!("API error: {}", reason.unwrap_or(&text))
}

/// Where the gaps of an orphaned segment are: `the records before are missing`.
pub fn gaps_text(segment: &OrphanedSegment) -> String {
    let gaps = segment.gaps.iter().map(|gap| match (gap.place, gap.damaged_line) {
        (GapPlace::Before, None) => "the records before are missing".to_owned(),
        (GapPlace::Before, Some(line)) => format!("the record before is damaged (line {line})"),
        (GapPlace::Inside, line) => {
            let line = line.map(|line| format!(" (line {line})")).unwrap_or_default();
            format!("a record inside is damaged{line}")
        }
        (GapPlace::After, None) => "the records after are missing".to_owned(),
        (GapPlace::After, Some(line)) => format!("the record after is damaged (line {line})"),
    });
    gaps.collect::<Vec<_>>().join(" and ")
}

/// The title of an abandoned branch or an orphaned segment.
pub(crate) fn aside_title(aside: &Aside<'_, '_>) -> String {
    match aside {
        Aside::Branch(abandoned) => {
            let count = counted(abandoned.branch.messages.len(), "message");
            let prompt = abandoned.branch.prompt.as_deref().unwrap_or_default();
            let prompt = cut(&untrusted::line(prompt), Some(60));
            format!("⎇ Abandoned branch {}: “{prompt}” ({count})", abandoned.number)
        }
        Aside::Orphan(orphan) => {
            let count = counted(orphan.segment.messages.len(), "message");
            format!("╌ Orphaned segment: {count}, {}", gaps_text(orphan.segment))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use conversation::Gap;

    #[test]
    fn text_says_where_the_gaps_are() {
        let text = |gaps: &[(GapPlace, Option<u64>)]| {
            let gap = |(place, damaged_line): &(GapPlace, Option<u64>)| Gap {
                place: *place,
                damaged_line: *damaged_line,
            };
            gaps_text(&OrphanedSegment {
                missing: "gone".to_owned(),
                messages: Vec::new(),
                gaps: gaps.iter().map(gap).collect(),
            })
        };
        assert_eq!(text(&[(GapPlace::Before, None)]), "the records before are missing");
        assert_eq!(text(&[(GapPlace::After, None)]), "the records after are missing");
        assert_eq!(
            text(&[(GapPlace::Before, Some(3)), (GapPlace::Inside, Some(7))]),
            "the record before is damaged (line 3) and a record inside is damaged (line 7)"
        );
    }

    #[test]
    fn api_error_is_one_line_and_says_so_once() {
        assert_eq!(api_error_line("Overloaded\n (529)"), "API error: Overloaded (529)");
        assert_eq!(api_error_line("API Error: 500 x"), "API error: 500 x");
    }
}
