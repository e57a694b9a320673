//! Turns as text for a terminal: prompts, answers, tool calls.
//!
//! Deliberately not here: the content that belongs to a call (a sub-agent's
//! conversation, an output saved in a separate file) or before a step (an abandoned
//! branch, an orphaned segment). The caller supplies it through [`Annotations`].

mod call;

use crate::labels::{api_error_line, compaction_line, unmatched_result_title};
use crate::style::{Paint, Style};
use crate::{bytes, cut, folded, joined_facts, markdown, time, untrusted, wrapped};
use conversation::{Calls, NodeId, Step, StepKind, ToolCall, Turn};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use transcript::Source;

pub use call::call_title;
pub(crate) use call::git_action_line;

/// How much of the tool calls is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Everything.
    Full,
    /// One line per call, short diffs, and the beginning of failed output.
    Brief,
    /// Nothing.
    None,
}

/// How a conversation is rendered as text.
#[derive(Clone, Debug)]
pub struct TextOptions<'m> {
    /// The maximum width of lines, if any.
    pub width: Option<usize>,
    /// Whether the text is coloured.
    pub paint: Paint,
    /// The time zone.
    pub zone: &'m TimeZone,
    /// Whether thinking is shown.
    pub thinking: bool,
    /// How much of the tool calls is shown.
    pub tools: Detail,
    /// Whether outputs, answers and lists are shown below the lines of calls.
    pub outputs: bool,
    /// Whether diffs are shown below the lines of calls.
    pub diffs: bool,
    /// What shows the lines that are left out of an output, such as an option.
    pub shows_all: &'m str,
    /// The folder that paths are shown relative to.
    pub folder: Option<&'m str>,
}

/// Content from outside the conversation's own records.
pub trait Annotations {
    /// The rendered content that belongs to a call, such as its sub-agents.
    fn at_call(&self, call: &ToolCall<'_>) -> Option<String>;

    /// The text of an output that was saved in a separate file.
    fn persisted(&self, name: &str) -> Option<String>;

    /// The rendered content to show before the first step of a record.
    fn before(&self, node: NodeId) -> Option<String>;
}

/// No annotations.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoAnnotations;

impl Annotations for NoAnnotations {
    fn at_call(&self, _: &ToolCall<'_>) -> Option<String> {
        None
    }

    fn persisted(&self, _: &str) -> Option<String> {
        None
    }

    fn before(&self, _: NodeId) -> Option<String> {
        None
    }
}

impl TextOptions<'_> {
    /// A turn: its heading, its steps, and a summary of changes and errors.
    pub fn turn(
        &self,
        turn: &Turn<'_>,
        calls: &Calls<'_>,
        annotations: &dyn Annotations,
    ) -> String {
        (0..piece_count(turn)).map(|place| self.piece(turn, calls, annotations, place)).collect()
    }

    /// One piece of a turn, for readers that show a part of a long one: 0 is its heading, then
    /// come its steps, and the last of [`piece_count`] is its summary. The pieces one after
    /// another are the turn.
    pub fn piece(
        &self,
        turn: &Turn<'_>,
        calls: &Calls<'_>,
        annotations: &dyn Annotations,
        place: usize,
    ) -> String {
        let Some(number) = place.checked_sub(1) else {
            // Annotations before the first step come before the heading.
            let first = turn.steps.first().map(|step| step.node);
            let before = first.and_then(|node| annotations.before(node)).unwrap_or_default();
            return before + &self.heading(turn);
        };
        let is_after_call = self.is_after_call(turn, number);
        let Some(step) = turn.steps.get(number) else {
            let gap = if is_after_call { "\n" } else { "" };
            return gap.to_owned() + &self.ending(turn);
        };
        let last = number.checked_sub(1).map_or(step.node, |last| turn.steps[last].node);
        let before = (last != step.node).then(|| annotations.before(step.node)).flatten();
        let mut text = before.unwrap_or_default();
        let shown = self.step(step, calls, annotations);
        if is_after_call && !matches!(step.kind, StepKind::Call(_)) && !shown.is_empty() {
            text.push('\n');
        }
        text + &shown
    }

    /// Whether the last step that is shown before a place is a call.
    fn is_after_call(&self, turn: &Turn<'_>, place: usize) -> bool {
        let before = turn.steps.iter().take(place).rev();
        let is_shown =
            |step: &&Step<'_>| self.thinking || !matches!(step.kind, StepKind::Thinking(_));
        let last = before.into_iter().find(is_shown);
        last.is_some_and(|step| matches!(step.kind, StepKind::Call(_)))
    }

    /// `━━ 2 ━━ 2026-03-01 12:00:05 · 2m 3s · 12 k tokens`
    fn heading(&self, turn: &Turn<'_>) -> String {
        let mut facts = Vec::new();
        if let Some(started) = turn.started {
            facts.push(time::moment(started, self.zone));
        }
        let worked = turn.model_ms.saturating_add(turn.tools_ms);
        if worked > 0 {
            let split = if turn.tools_ms > 0 && turn.model_ms > 0 {
                let (model, tools) = (milliseconds(turn.model_ms), milliseconds(turn.tools_ms));
                format!(" (model {model}, tools {tools})")
            } else {
                String::new()
            };
            facts.push(format!("{}{split}", milliseconds(worked)));
        }
        if turn.tokens.total() > 0 {
            facts.push(format!("{} tokens out", crate::count(turn.tokens.output)));
        }
        let heading = match turn.number {
            number if number.is_before_first_prompt() => "before the first prompt".to_owned(),
            number if turn.is_continued() => format!("{number} (continued)"),
            number => number.to_string(),
        };
        let heading = format!("━━ {heading} ━━");
        let facts: Vec<_> = facts.iter().map(|fact| untrusted::line(fact)).collect();
        let room = self.width.map(|width| width.saturating_sub(heading.chars().count() + 1));
        let facts = self.paint.paint(Style::Dim, &joined_facts(&facts, room));
        format!("{} {facts}\n", self.paint.paint(Style::Heading, &heading)).replace(" \n", "\n")
    }

    /// One step of a turn.
    pub fn step(
        &self,
        step: &Step<'_>,
        calls: &Calls<'_>,
        annotations: &dyn Annotations,
    ) -> String {
        match &step.kind {
            StepKind::Prompt { text, is_queued } => {
                let queued = if *is_queued { "(while the model worked) " } else { "" };
                let lines = self.lines(&format!("{queued}{}", text.trim_end()), 2);
                let mut shown = String::new();
                for (number, line) in lines.iter().enumerate() {
                    let mark = if number == 0 { "❯ " } else { "  " };
                    let line = self.paint.paint(Style::Good, &format!("{mark}{line}"));
                    shown += &format!("{line}\n");
                }
                shown + "\n"
            }
            StepKind::Text(text) => {
                format!("{}\n", with_newline(markdown(text, self.width, self.paint)))
            }
            StepKind::Thinking(text) if self.thinking => self.thinking(text),
            StepKind::Thinking(_) => String::new(),
            StepKind::Call(number) => match calls.get(*number) {
                Some(call) if self.tools != Detail::None => self.call(call, annotations),
                Some(call) => annotations.at_call(call).unwrap_or_default(),
                None => String::new(),
            },
            StepKind::UnmatchedResult { content, is_error, .. } => {
                let text = content.as_ref().map(transcript::Content::text).unwrap_or_default();
                let title = self.paint.paint(Style::Warning, &unmatched_result_title(*is_error));
                format!("{title}\n{}\n", self.output(&text, 3, 2))
            }
            StepKind::Image(source) => format!("{}\n", self.dim(&image_label(source))),
            StepKind::Document { title, source } => {
                let title = title.as_deref().unwrap_or("untitled");
                let kind = source.media_type.as_deref().unwrap_or("unknown type");
                let size = source.data.as_deref().map_or(0, |data| data.len() as u64 * 3 / 4);
                format!("{}\n", self.dim(&format!("[document {title}, {kind}, {}]", bytes(size))))
            }
            StepKind::Summary(text) => {
                let head = self.dim("Summary of the conversation so far:");
                format!("{head}\n{}\n", self.output(text, 12, 0))
            }
            StepKind::Compaction { trigger, before, after } => {
                let line = compaction_line(trigger.as_deref(), *before, *after);
                let text = format!("── {line} ──");
                format!("{}\n", self.paint.paint(Style::Accent, &untrusted::line(&text)))
            }
            StepKind::Interruption => {
                format!("{}\n", self.paint.paint(Style::Warning, "⏹ interrupted by the user"))
            }
            StepKind::ApiError(text) => {
                let text = cut(&untrusted::line(&api_error_line(text)), self.width);
                format!("{}\n", self.paint.paint(Style::Bad, &text))
            }
            StepKind::Notice(kind, text) => {
                let text =
                    folded(text, 4, 2, self.width.map(|width| width.saturating_sub(2)), None);
                let mut shown = format!("{}\n", self.dim(&format!("[{kind}]")));
                for line in text.lines() {
                    shown += &format!("{}\n", self.paint.paint(Style::Dim, &format!("  {line}")));
                }
                shown + "\n"
            }
        }
    }

    fn thinking(&self, text: &str) -> String {
        if text.trim().is_empty() {
            return format!("{}\n", self.dim("(thinking, text withheld by the API)"));
        }
        let lines = self.lines(text.trim(), 2);
        let lines = lines
            .iter()
            .map(|line| format!("{}\n", self.paint.paint(Style::Dim, &format!("· {line}"))));
        lines.collect::<String>() + "\n"
    }

    /// The files that a turn changed and its errors, if there are any.
    fn ending(&self, turn: &Turn<'_>) -> String {
        let mut facts = Vec::new();
        let changed: Vec<String> = turn
            .files
            .iter()
            .filter(|(_, touch)| touch.changes > 0)
            .map(|(path, touch)| {
                format!("{} +{} −{}", shortened(path, self.folder), touch.added, touch.removed)
            })
            .collect();
        if !changed.is_empty() {
            let more = changed.len().saturating_sub(6);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let shown = changed.iter().take(6).cloned().collect::<Vec<_>>().join(", ");
            facts.push(format!("changed {shown}{more}"));
        }
        let mut counted = |count: u64, thing: &str| {
            if count > 0 {
                facts.push(crate::counted(usize::try_from(count).unwrap_or(usize::MAX), thing));
            }
        };
        counted(turn.errors, "error");
        counted(turn.denials, "denial");
        counted(turn.hooks.failed, "failed hook");
        if facts.is_empty() {
            return "\n".to_owned();
        }
        let lines = self.lines(&untrusted::line(&facts.join(" · ")), 2);
        let lines = lines.iter().map(|line| format!("{}\n", self.dim(line)));
        lines.collect::<String>() + "\n"
    }

    /// Harmless lines that fit the width, with room for an indent.
    fn lines(&self, text: &str, indent: usize) -> Vec<String> {
        let text = untrusted::text(text);
        match self.width {
            Some(width) => wrapped(&text, width.saturating_sub(indent).max(8)),
            None => text.lines().map(str::to_owned).collect(),
        }
    }

    /// The output of a tool, indented: complete, or its beginning and end.
    fn output(&self, text: &str, head: usize, tail: usize) -> String {
        let room = self.width.map(|width| width.saturating_sub(4).max(8));
        let text = final_terminal_text(text);
        let shown = match self.tools {
            Detail::Full => untrusted::text(&text).into_owned(),
            _ => folded(&text, head, tail, room, Some(self.shows_all)),
        };
        let lines = shown
            .lines()
            .map(|line| format!("{}\n", self.paint.paint(Style::Dim, &format!("    {line}"))));
        lines.collect()
    }

    fn dim(&self, text: &str) -> String {
        self.paint.paint(Style::Dim, &untrusted::line(text))
    }

    fn clock(&self, time: Option<Timestamp>) -> Option<String> {
        let moment = time::moment(time?, self.zone);
        moment.split_once(' ').map(|(_, clock)| clock.to_owned())
    }
}

/// How many pieces a turn has ([`TextOptions::piece`]).
pub fn piece_count(turn: &Turn<'_>) -> usize {
    turn.steps.len() + 2
}

/// The text that a terminal would show in the end: the last state of a line that was
/// overwritten, without colours and modes. Other control characters stay, to be shown
/// escaped.
pub(crate) fn final_terminal_text(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.contains(['\r', '\u{1b}']) {
        return text.into();
    }
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let body = line.trim_end_matches(['\r', '\n']);
        let last = body.rsplit('\r').find(|state| !state.is_empty()).unwrap_or_default();
        let mut rest = last;
        while let Some(at) = rest.find("\u{1b}[") {
            let after = &rest[at + 2..];
            // `?2026h` and the like set modes that show nothing themselves.
            let mode = after.strip_prefix('?').map_or(0, |_| 1);
            let codes = after[mode..].find(|c: char| !(c.is_ascii_digit() || c == ';'));
            let codes = codes.map_or(after.len(), |codes| mode + codes);
            plain.push_str(&rest[..at]);
            let ends: &[char] = if mode == 1 { &['h', 'l'] } else { &['m'] };
            if after[codes..].starts_with(ends) {
                rest = &after[codes + 1..];
            } else {
                plain.push_str("\u{1b}[");
                rest = after;
            }
        }
        plain.push_str(rest);
        if line.ends_with('\n') {
            plain.push('\n');
        }
    }
    plain.into()
}

/// A path relative to a folder, if it is below that folder.
fn shortened<'p>(path: &'p str, folder: Option<&str>) -> &'p str {
    let below = folder.and_then(|folder| path.strip_prefix(folder)?.strip_prefix('/'));
    below.filter(|rest| !rest.is_empty()).unwrap_or(path)
}

/// A placeholder for an image: its type and size.
pub(crate) fn image_label(source: &Source<'_>) -> String {
    let kind = source.media_type.as_deref().unwrap_or("unknown type");
    match (source.data.as_deref(), source.url.as_deref()) {
        (Some(data), _) => format!("[image {kind}, {}]", bytes(data.len() as u64 * 3 / 4)),
        (None, Some(url)) => format!("[image {url}]"),
        (None, None) => format!("[image {kind}]"),
    }
}

/// The facts about an agent on one line.
pub fn agent_line(agent: &conversation::AgentNode) -> String {
    let mut facts = vec![agent.id.clone()];
    facts.extend(agent.kind.clone());
    facts.extend(agent.outcome.map(|outcome| outcome.name().to_owned()));
    if agent.calls > 0 {
        let calls = usize::try_from(agent.calls).unwrap_or(usize::MAX);
        facts.push(crate::counted(calls, "call"));
    }
    if let (Some(started), Some(ended)) = (agent.started, agent.ended) {
        let took = ended.as_millisecond() - started.as_millisecond();
        facts.push(milliseconds(u64::try_from(took).unwrap_or_default()));
    }
    if agent.tokens.output > 0 {
        facts.push(format!("{} tokens out", crate::count(agent.tokens.output)));
    }
    if agent.generation > 1 {
        facts.push(format!("generation {}", agent.generation));
    }
    if let Some(evidence) = agent.evidence.filter(|evidence| evidence.is_guess()) {
        facts.push(format!("linked by its {}", evidence.name()));
    }
    facts.join(" · ")
}

/// A duration in milliseconds: `0.4s`, `12s`, `3m 20s`.
pub fn milliseconds(count: u64) -> String {
    if count < 9_950 {
        #[expect(clippy::cast_precision_loss, reason = "two digits are shown")]
        let seconds = count as f64 / 1000.0;
        return format!("{seconds:.1}s");
    }
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    time::span(jiff::SignedDuration::from_millis(count))
}

fn with_newline(text: String) -> String {
    if text.ends_with('\n') { text } else { text + "\n" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_reduced_to_the_final_state_of_the_terminal() {
        let table = [
            ("plain\n", "plain\n"),
            ("a\r\nb\r\n", "a\nb\n"),
            ("10 %\r50 %\r100 %\ndone", "100 %\ndone"),
            ("\u{1b}[?2026hdrawn\u{1b}[?25l at once", "drawn at once"),
            ("\u{1b}[36;1mblue\u{1b}[0m", "blue"),
            ("\u{1b}[2Jgone\u{1b}]0;x", "\u{1b}[2Jgone\u{1b}]0;x"),
            ("x\u{1b}[", "x\u{1b}["),
        ];
        for (text, expected) in table {
            assert_eq!(final_terminal_text(text), expected, "{text:?}");
        }
    }
}
