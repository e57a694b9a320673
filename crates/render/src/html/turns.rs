//! The conversation on a page: turns, steps, calls, agents, abandoned branches.
//!
//! Each turn is a section, each message has an id, and everything except messages and
//! diffs is folded. Branches are placed where they were abandoned, in folds that the page's
//! script turns into switches.
//!
//! Tool output is limited even with full detail: the page has the first 12 KiB and the
//! last 4 KiB of each output, and says how much is left out between them. Markdown,
//! plain text and XML have all of it.

use super::code::{OutputLimit, push_cut};
use super::escape::{push_attribute, push_text};
use super::prose::push_prose;
use crate::export_document::{Aside, Asides, Chapter, ExportDocument};
use crate::labels::{
    MAX_AGENT_DEPTH, UNLINKED_AGENTS, agent_title, api_error_line, aside_title, compaction_line,
    omitted_agent_title, status_mark, turn_facts, turn_name, unmatched_result_title,
};
use crate::pieces::{Piece, pieces};
use crate::turn_text::{Detail, final_terminal_text, image_label};
use crate::{call_title, cut, milliseconds, untrusted};
use conversation::{NodeId, Status, Step, StepKind, ToolCall, Turn};
use std::collections::{HashMap, HashSet};
use transcript::Source;

/// The limit of tool output. With more, the pages of some sessions would be larger than
/// half their transcripts.
const FULL: OutputLimit = OutputLimit { head: 12 * 1024, tail: 4 * 1024, lines: usize::MAX };

/// The limit of tool output in brief mode.
const BRIEF: OutputLimit = OutputLimit { head: 3 * 1024, tail: 1024, lines: 32 };

/// Image types that a page embeds; others can contain scripts, or browsers do not show
/// them.
const IMAGE_TYPES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// Adds the conversation.
pub(super) fn push_conversation(page: &mut String, export: &ExportDocument<'_>) {
    let mut writer = ConversationWriter {
        export,
        page,
        asides: export.asides(),
        shown_agents: HashSet::new(),
        ids: HashSet::new(),
        repeated: HashMap::new(),
        last: None,
    };
    writer.chapter(&export.main, 0);
    writer.rest();
}

struct ConversationWriter<'v, 'a> {
    export: &'v ExportDocument<'a>,
    page: &'v mut String,
    asides: Asides<'v, 'a>,
    /// The agents that were written: none is written twice.
    shown_agents: HashSet<usize>,
    /// The ids of elements: none is used twice.
    ids: HashSet<String>,
    /// How often an id occurred again.
    repeated: HashMap<String, u64>,
    /// The last record that got an id: only its first step has it.
    last: Option<NodeId>,
}

impl<'a> ConversationWriter<'_, 'a> {
    fn asides(&mut self, asides: &[Aside<'_, 'a>]) {
        // Branches at the same position share one switch.
        for together in asides.chunk_by(|a, b| is_branch(a) && is_branch(b)) {
            let is_switch = together.first().is_some_and(is_branch);
            self.page.push_str(if is_switch { "<div class=w>" } else { "" });
            for aside in together {
                self.fold(if is_switch { "b" } else { "g" }, &aside_title(aside));
                self.chapter(aside.chapter(), 1);
                self.page.push_str("</details>");
            }
            self.page.push_str(if is_switch { "</div>" } else { "" });
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
        if elsewhere.is_empty() {
            return;
        }
        *self.page += &format!("<section id=agents><h2>{UNLINKED_AGENTS}</h2>");
        for index in elsewhere {
            self.agent(index, 0);
        }
        self.page.push_str("</section>");
    }

    fn chapter(&mut self, chapter: &Chapter<'a>, depth: usize) {
        // Node ids of another chapter belong to another graph.
        let last = self.last.take();
        for turn in &chapter.turns {
            self.turn(turn, chapter, depth);
        }
        self.last = last;
    }

    fn turn(&mut self, turn: &Turn<'_>, chapter: &Chapter<'a>, depth: usize) {
        let first = turn.steps.first().map(|step| step.node);
        if let Some(node) = first.filter(|_| depth == 0) {
            self.asides_before(node);
        }
        let facts = turn_facts(turn, chapter, self.export);
        let number = turn.number;
        let name = if number.is_before_first_prompt() {
            turn_name(turn)
        } else {
            format!("Turn {number}")
        };
        if depth == 0 {
            *self.page += &format!("<section id=t{number}><h2><a href=\"#t{number}\">{name}</a>");
        } else {
            *self.page += &format!("<section><h3 class=t><b>{name}</b>");
        }
        for fact in facts {
            self.page.push_str("<span>");
            push_text(self.page, &fact);
            self.page.push_str("</span>");
        }
        self.page.push_str(if depth == 0 { "</h2>" } else { "</h3>" });
        let mut last = first;
        for step in &turn.steps {
            if depth == 0 && last != Some(step.node) {
                last = Some(step.node);
                self.asides_before(step.node);
            }
            self.step(step, chapter, depth);
        }
        self.page.push_str("</section>\n");
    }

    /// Opens the element of a message.
    fn message(&mut self, element: &str, class: &str, step: &Step<'_>, chapter: &Chapter<'a>) {
        match class {
            "" => *self.page += &format!("<{element} class=m"),
            _ => *self.page += &format!("<{element} class=\"m {class}\""),
        }
        if self.last != Some(step.node) {
            self.last = Some(step.node);
            let uuid = &chapter.conversation.graph.node(step.node).uuid;
            let id = self.id(uuid);
            *self.page += &format!(" id=m-{id}");
        }
        self.page.push('>');
    }

    /// A unique id for the element of a record.
    fn id(&mut self, uuid: &str) -> String {
        let signs = uuid.chars().filter(|sign| sign.is_ascii_alphanumeric() || *sign == '-');
        let name: String = signs.take(64).collect();
        if self.ids.insert(name.clone()) {
            return name;
        }
        let count = self.repeated.entry(name.clone()).or_insert(1);
        loop {
            *count += 1;
            let id = format!("{name}-{count}");
            if self.ids.insert(id.clone()) {
                return id;
            }
        }
    }

    fn step(&mut self, step: &Step<'_>, chapter: &Chapter<'a>, depth: usize) {
        match &step.kind {
            StepKind::Prompt { text, is_queued } => {
                self.message("div", "p", step, chapter);
                if *is_queued {
                    self.page.push_str("<p class=q>while the model worked</p>");
                }
                push_prose(self.page, text);
                self.page.push_str("</div>");
            }
            StepKind::Text(text) if text.trim().is_empty() => {}
            StepKind::Text(text) => {
                self.message("div", "", step, chapter);
                push_prose(self.page, text);
                self.page.push_str("</div>");
            }
            StepKind::Thinking(text) if self.export.thinking && !text.trim().is_empty() => {
                self.message("details", "k", step, chapter);
                self.page.push_str("<summary>Thinking</summary><div>");
                push_prose(self.page, text);
                self.page.push_str("</div></details>");
            }
            StepKind::Thinking(_) => {}
            StepKind::Call(number) => {
                if let Some(call) = chapter.all_turns.calls.get(*number) {
                    self.call(call, step, chapter, depth);
                }
            }
            StepKind::UnmatchedResult { content, is_error, .. } => {
                let text = content.as_ref().map(transcript::Content::text).unwrap_or_default();
                self.message("details", if *is_error { "c e" } else { "c" }, step, chapter);
                self.summary(&unmatched_result_title(*is_error));
                self.output(&final_terminal_text(&text), "o", "");
                self.page.push_str("</details>");
            }
            StepKind::Image(source) => {
                self.message("div", "", step, chapter);
                self.image(source);
                self.page.push_str("</div>");
            }
            StepKind::Document { title, .. } => {
                let title = title.as_deref().unwrap_or("untitled");
                self.remark("q", &format!("[document {title}]"), step, chapter);
            }
            StepKind::Summary(text) => {
                self.message("details", "y", step, chapter);
                self.page.push_str("<summary>Summary of the conversation so far</summary>");
                push_prose(self.page, text);
                self.page.push_str("</details>");
            }
            StepKind::Compaction { trigger, before, after } => {
                let text = compaction_line(trigger.as_deref(), *before, *after);
                self.remark("q z", &text, step, chapter);
            }
            StepKind::Interruption => {
                self.remark("q e", "⏹ interrupted by the user", step, chapter);
            }
            StepKind::ApiError(text) => {
                self.remark("q e", &format!("✗ {}", api_error_line(text)), step, chapter);
            }
            StepKind::Notice(kind, text) => {
                self.message("details", "y", step, chapter);
                self.summary(&format!("[{kind}]"));
                self.output(&final_terminal_text(text), "o h", "");
                self.page.push_str("</details>");
            }
        }
    }

    fn remark(&mut self, class: &str, text: &str, step: &Step<'_>, chapter: &Chapter<'a>) {
        self.message("p", class, step, chapter);
        push_text(self.page, &untrusted::line(text));
        self.page.push_str("</p>");
    }

    fn call(&mut self, call: &ToolCall<'_>, step: &Step<'_>, chapter: &Chapter<'a>, depth: usize) {
        let is_shown = self.export.tools != Detail::None;
        if is_shown {
            let status = call.status();
            let class = match status {
                Status::Ok | Status::Missing => "c",
                Status::Error | Status::Denied | Status::Interrupted => "c e",
            };
            let mark = status_mark(status);
            let pieces = pieces(call, self.export.persisted);
            // What a session changed is what most readers look for.
            let is_open = pieces.iter().any(|piece| matches!(piece, Piece::Diff(_)));
            let element = if is_open { "details open" } else { "details" };
            self.message(element, class, step, chapter);
            let title = call_title(call, self.export.folder.as_deref());
            let title = cut(&title, Some(160));
            let (name, about) = title.split_once(' ').unwrap_or((&title, ""));
            *self.page += &format!("<summary>{mark}<b>");
            push_text(self.page, name);
            self.page.push_str("</b> ");
            push_text(self.page, about);
            if let Some(took) = call.milliseconds().filter(|took| *took >= 100) {
                *self.page += &format!("<span>{}</span>", milliseconds(took));
            }
            self.page.push_str("</summary>");
            // The content of a file is coloured by its extension.
            let path = call.files().into_iter().next().filter(|_| call.tool == "Read");
            let extension = path.as_deref().and_then(|path| Some(path.rsplit_once('.')?.1));
            for piece in &pieces {
                self.piece(piece, extension.unwrap_or_default());
            }
        }
        for index in self.export.agents_at(call) {
            self.agent(*index, depth + 1);
        }
        if is_shown {
            self.page.push_str("</details>");
        }
    }

    fn piece(&mut self, piece: &Piece<'_>, output_language: &str) {
        match piece {
            Piece::Code { language, text } => self.output(text, "", language),
            Piece::Diff(text) => self.output(text, "", "diff"),
            Piece::Output { text, is_error: true } => {
                self.output(&final_terminal_text(text), "o e", "");
            }
            Piece::Output { text, .. } => {
                self.output(&final_terminal_text(text), "o", output_language);
            }
            Piece::Prose(text) => push_prose(self.page, text),
            Piece::Todos(todos) => {
                self.page.push_str("<ul class=todo>");
                for (mark, text) in todos {
                    *self.page += &format!("<li>{mark} ");
                    push_text(self.page, text);
                    self.page.push_str("</li>");
                }
                self.page.push_str("</ul>");
            }
            Piece::Note(text) => {
                self.page.push_str("<p class=q>");
                push_text(self.page, text);
                self.page.push_str("</p>");
            }
            Piece::Image(source) => self.image(source),
        }
    }

    /// An image from the transcript, or a description if it cannot be embedded.
    fn image(&mut self, source: &Source<'_>) {
        let kind = source.media_type.as_deref().unwrap_or_default();
        let kind = IMAGE_TYPES.iter().find(|known| **known == kind);
        let data = source.data.as_deref().filter(|data| is_base64(data));
        let name = untrusted::line(&image_label(source)).into_owned();
        if let (Some(kind), Some(data)) = (kind, data) {
            *self.page += &format!("<p><img loading=lazy src=\"data:{kind};base64,{data}\" alt=\"");
            push_attribute(self.page, &name);
            self.page.push_str("\"></p>");
        } else {
            self.page.push_str("<p class=q>");
            push_text(self.page, &cut(&name, Some(300)));
            self.page.push_str("</p>");
        }
    }

    fn agent(&mut self, index: usize, depth: usize) {
        let Some(agent) = self.export.agents.get(index) else { return };
        if let Ok(chapter) = &agent.chapter
            && depth <= MAX_AGENT_DEPTH
            && !agent.node.warmup
            && self.shown_agents.insert(index)
        {
            self.fold("a", &agent_title(agent.node));
            self.chapter(chapter, depth.max(1));
            self.page.push_str("</details>");
            return;
        }
        self.page.push_str("<p class=q>");
        push_text(self.page, &untrusted::line(&omitted_agent_title(agent)));
        self.page.push_str("</p>");
    }

    fn fold(&mut self, class: &str, title: &str) {
        *self.page += &format!("<details class={class}>");
        self.summary(title);
    }

    fn summary(&mut self, title: &str) {
        self.page.push_str("<summary>");
        push_text(self.page, &untrusted::line(title));
        self.page.push_str("</summary>");
    }

    fn output(&mut self, text: &str, class: &str, language: &str) {
        let limit = if self.export.tools == Detail::Full { FULL } else { BRIEF };
        push_cut(self.page, class, text, language, limit);
    }
}

fn is_branch(aside: &Aside<'_, '_>) -> bool {
    matches!(aside, Aside::Branch(_))
}

/// Whether a text is base64 and nothing else.
fn is_base64(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    !body.is_empty()
        && text.len() - body.len() <= 2
        && text.len().is_multiple_of(4)
        && body.bytes().all(is_sign)
}
