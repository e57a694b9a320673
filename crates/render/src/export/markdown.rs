//! A session as Markdown, to paste into an issue or a wiki.
//!
//! Each turn has a heading, each tool call one line with its details folded. Text from
//! the transcript cannot break out of its block.

use super::IndexEntry;
use super::safe_markdown::{contained, fence, literal, longest_run, quoted};
use crate::export_document::{Aside, Asides, Chapter, ExportDocument};
use crate::labels::{
    MAX_AGENT_DEPTH, UNLINKED_AGENTS, agent_title, api_error_line, aside_title, compaction_line,
    masked, omitted_agent_title, status_mark, turn_facts, turn_name, unmatched_result_title,
};
use crate::pieces::{Piece, pieces};
use crate::turn_text::{Detail, final_terminal_text, image_label};
use crate::{call_title, counted, cut, folded, time, untrusted};
use conversation::{NodeId, Step, StepKind, ToolCall, Turn};
use jiff::tz::TimeZone;
use std::collections::HashSet;

/// Lines of the beginning and the end of an output that are shown in brief mode.
const BRIEF_HEAD: usize = 24;
const BRIEF_TAIL: usize = 8;

/// A session as a page of Markdown.
pub fn markdown_page(export: &ExportDocument<'_>) -> String {
    let heading = &export.heading;
    let mut page = format!("# {}\n\n", literal(&heading.title));
    let mut facts = vec![format!("Session {}", code(&heading.session_id))];
    facts.extend(heading.agent_id.as_ref().map(|id| format!("agent {}", code(id))));
    facts.extend(heading.project.as_ref().map(|project| code(project)));
    facts.extend(heading.branch.as_ref().map(|branch| format!("branch {}", code(branch))));
    page += &format!("{}\n\n", facts.join(" · "));
    let mut facts = vec![IndexEntry::of(export).facts(export.zone)];
    facts.extend(heading.models.iter().map(|model| literal(model)));
    facts.push(time::zone_name(export.zone));
    facts.extend(masked(export).map(|masked| format!("{masked} masked")));
    facts.extend(export.left_out.iter().map(|omission| format!("left out: {}", literal(omission))));
    page += &format!("{}\n\n", facts.join(" · "));
    let mut writer = Writer { export, page, asides: export.asides(), shown_agents: HashSet::new() };
    writer.chapter(&export.main, 0);
    writer.rest();
    writer.page.truncate(writer.page.trim_end().len());
    writer.page + "\n"
}

/// A page that lists sessions.
pub fn markdown_index(entries: &[&IndexEntry], zone: &TimeZone) -> String {
    let mut page = format!("# {}\n\n", counted(entries.len(), "session"));
    for entry in entries {
        let project = entry.project.as_ref().map(|it| format!(" · {}", code(it)));
        page += &format!(
            "- [{}]({}): {}{}\n",
            literal(&entry.title),
            entry.file,
            entry.facts(zone),
            project.unwrap_or_default()
        );
    }
    page
}

/// Inline code.
fn code(text: &str) -> String {
    let text = untrusted::line(text);
    let fence = "`".repeat(longest_run(&text) + 1);
    let needs_room = text.is_empty() || text.starts_with('`') || text.ends_with('`');
    let room = if needs_room { " " } else { "" };
    format!("{fence}{room}{text}{room}{fence}")
}

struct Writer<'v, 'a> {
    export: &'v ExportDocument<'a>,
    page: String,
    /// Threads beside the main chapter that were not written yet.
    asides: Asides<'v, 'a>,
    /// The agents that were written: none is written twice.
    shown_agents: HashSet<usize>,
}

impl<'a> Writer<'_, 'a> {
    fn asides(&mut self, asides: &[Aside<'_, 'a>]) {
        for aside in asides {
            self.fold_open(&aside_title(aside));
            self.chapter(aside.chapter(), 1);
            self.page += "</details>\n\n";
        }
    }

    fn asides_before(&mut self, node: NodeId) {
        let asides = self.asides.take(node);
        self.asides(&asides);
    }

    /// Writes everything that is not placed at a turn.
    fn rest(&mut self) {
        for asides in self.asides.take_rest() {
            self.asides(&asides);
        }
        let elsewhere = self.export.unlinked_agents();
        if !elsewhere.is_empty() {
            self.page += &format!("## {UNLINKED_AGENTS}\n\n");
        }
        for index in elsewhere {
            self.agent(index, 0);
        }
    }

    fn chapter(&mut self, chapter: &Chapter<'a>, depth: usize) {
        for turn in &chapter.turns {
            self.turn(turn, chapter, depth);
        }
    }

    fn turn(&mut self, turn: &Turn<'_>, chapter: &Chapter<'a>, depth: usize) {
        let first = turn.steps.first().map(|step| step.node);
        if let Some(node) = first.filter(|_| depth == 0) {
            self.asides_before(node);
        }
        let sign = if depth == 0 { "##" } else { "####" };
        let name = literal(&turn_name(turn));
        let name = match turn.number {
            number if number.is_before_first_prompt() => name,
            number => format!("{number}. {name}"),
        };
        self.page += &format!("{sign} {}\n\n", name.trim_end());
        let facts = turn_facts(turn, chapter, self.export);
        if !facts.is_empty() {
            self.page += &format!("*{}*\n\n", facts.join(" · "));
        }
        let mut last = first;
        for step in &turn.steps {
            if depth == 0 && last != Some(step.node) {
                last = Some(step.node);
                self.asides_before(step.node);
            }
            self.step(step, chapter, depth);
        }
    }

    fn step(&mut self, step: &Step<'_>, chapter: &Chapter<'a>, depth: usize) {
        match &step.kind {
            StepKind::Prompt { text, is_queued } => {
                if *is_queued {
                    self.line("*(while the model worked)*");
                }
                self.page += &quoted(text);
                self.page.push('\n');
            }
            StepKind::Text(text) => {
                let text = contained(text);
                self.paragraph(&text);
            }
            StepKind::Thinking(text) if self.export.thinking && !text.trim().is_empty() => {
                self.fold_open("Thinking");
                let text = contained(text);
                self.paragraph(&text);
                self.page += "</details>\n\n";
            }
            StepKind::Thinking(_) => {}
            StepKind::Call(number) => {
                if let Some(call) = chapter.all_turns.calls.get(*number) {
                    self.call(call, depth);
                }
            }
            StepKind::UnmatchedResult { content, is_error, .. } => {
                let text = content.as_ref().map(transcript::Content::text).unwrap_or_default();
                self.fold_open(&unmatched_result_title(*is_error));
                self.output(&text, "");
                self.page += "</details>\n\n";
            }
            StepKind::Image(source) => self.line(&literal(&image_label(source))),
            StepKind::Document { title, .. } => {
                let title = title.as_deref().unwrap_or("untitled");
                self.line(&literal(&format!("[document {title}]")));
            }
            StepKind::Summary(text) => {
                self.fold_open("Summary of the conversation so far");
                let text = contained(text);
                self.paragraph(&text);
                self.page += "</details>\n\n";
            }
            StepKind::Compaction { trigger, before, after } => {
                let text = compaction_line(trigger.as_deref(), *before, *after);
                self.page += &format!("---\n\n*{}*\n\n", literal(&text));
            }
            StepKind::Interruption => self.line("**⏹ interrupted by the user**"),
            StepKind::ApiError(text) => {
                let line = api_error_line(text);
                let reason = line.strip_prefix("API error: ").unwrap_or_default();
                self.line(&format!("**✗ API error:** {}", literal(reason)));
            }
            StepKind::Notice(kind, text) => {
                self.fold_open(&format!("[{kind}]"));
                self.output(&final_terminal_text(text), "");
                self.page += "</details>\n\n";
            }
        }
    }

    fn call(&mut self, call: &ToolCall<'_>, depth: usize) {
        if self.export.tools != Detail::None {
            let mark = status_mark(call.status());
            let title = call_title(call, self.export.folder.as_deref());
            self.fold_open(&format!("{mark}{}", cut(&title, Some(160))));
            for piece in pieces(call, self.export.persisted) {
                self.piece(&piece);
            }
            self.page += "</details>\n\n";
        }
        for index in self.export.agents_at(call) {
            self.agent(*index, depth + 1);
        }
    }

    fn piece(&mut self, piece: &Piece<'_>) {
        match piece {
            Piece::Code { language, text } => self.output(text, language),
            Piece::Diff(text) => self.output(text, "diff"),
            Piece::Output { text, is_error } => {
                if *is_error {
                    self.line("*Error output:*");
                }
                self.output(&final_terminal_text(text), "");
            }
            Piece::Prose(text) => {
                let text = contained(text);
                self.paragraph(&text);
            }
            Piece::Todos(todos) => {
                for (mark, text) in todos {
                    self.page += &format!("- {mark} {}\n", literal(text));
                }
                self.page.push('\n');
            }
            Piece::Note(text) => self.line(&literal(text)),
            Piece::Image(source) => self.line(&literal(&image_label(source))),
        }
    }

    fn agent(&mut self, index: usize, depth: usize) {
        let Some(agent) = self.export.agents.get(index) else { return };
        if let Ok(chapter) = &agent.chapter
            && depth <= MAX_AGENT_DEPTH
            && !agent.node.warmup
            && self.shown_agents.insert(index)
        {
            self.fold_open(&agent_title(agent.node));
            self.chapter(chapter, depth.max(1));
            self.page += "</details>\n\n";
        } else {
            self.line(&literal(&omitted_agent_title(agent)));
        }
    }

    fn fold_open(&mut self, title: &str) {
        let title = untrusted::line(title).replace('&', "&amp;").replace('<', "&lt;");
        self.page += &format!("<details><summary>{title}</summary>\n\n");
    }

    fn line(&mut self, text: &str) {
        self.page += &format!("{text}\n\n");
    }

    fn paragraph(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.page += text;
            self.page += "\n\n";
        }
    }

    /// A fenced block, shortened in brief mode.
    fn output(&mut self, text: &str, language: &str) {
        let shown = match self.export.tools {
            Detail::Full => untrusted::text(text).into_owned(),
            _ => folded(text, BRIEF_HEAD, BRIEF_TAIL, Some(400), None),
        };
        let shown = shown.trim_end();
        if shown.is_empty() {
            return;
        }
        let fence = fence(shown);
        self.page += &format!("{fence}{language}\n{shown}\n{fence}\n\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backquotes_in_inline_code_do_not_end_it() {
        let table = [
            ("a", "`a`"),
            ("a`b", "``a`b``"),
            ("a```b", "````a```b````"),
            ("`a``", "``` `a`` ```"),
            ("", "`  `"),
        ];
        for (text, expected) in table {
            assert_eq!(code(text), expected, "{text}");
        }
    }
}
