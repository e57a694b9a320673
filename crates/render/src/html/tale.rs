//! The conversation itself: turns, steps, calls, agents, what was left behind.
//!
//! Each turn is a section, each message has an id, whatever is long and was not
//! said by anybody is folded. Branches stand where they were left, in folds that
//! the page's script makes into switches.
//!
//! Not everything that tools put out is here even where it is asked for in full:
//! of each output the first 12 KiB and the last 4, and in place how much is left
//! out between them. Markdown, plain text and XML have all of it.

use super::code::{Most, push_cut};
use super::escape::{push_attribute, push_text};
use super::prose::push_prose;
use crate::export_document::{Aside, Asides, Chapter, ExportDocument};
use crate::pieces::{Piece, pieces};
use crate::telling::{Detail, as_left_standing, image};
use crate::words::{
    AGENTS_ELSEWHERE, DEEPEST, agent_title, aside_title, compaction_line, orphan_title,
    status_mark, turn_facts, turn_name, untold_title,
};
use crate::{call_title, cut, milliseconds, untrusted};
use conversation::{NodeId, Status, Step, StepKind, ToolCall, Turn};
use std::collections::{HashMap, HashSet};
use transcript::Source;

/// Of what a tool put out. With more, pages of some sessions would be larger than
/// half their transcripts.
const FULL: Most = Most { head: 12 * 1024, tail: 4 * 1024, lines: usize::MAX };

/// Of the same where only little is asked for.
const BRIEF: Most = Most { head: 3 * 1024, tail: 1024, lines: 32 };

/// Pictures that a page embeds; anything else could hold scripts, or is no
/// picture to a browser.
const PICTURES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// Adds everything that was said.
pub(super) fn push_tale(page: &mut String, export: &ExportDocument<'_>) {
    let mut tale = Tale {
        export,
        page,
        asides: export.asides(),
        told: HashSet::new(),
        ids: HashSet::new(),
        repeated: HashMap::new(),
        last: None,
    };
    tale.chapter(&export.main, 0);
    tale.rest();
}

struct Tale<'v, 'a> {
    export: &'v ExportDocument<'a>,
    page: &'v mut String,
    asides: Asides<'v, 'a>,
    /// Agents that were told: none is told twice.
    told: HashSet<usize>,
    /// Ids that elements have: none is given twice.
    ids: HashSet<String>,
    /// How often an id was wanted again.
    repeated: HashMap<String, u64>,
    /// The line whose id was given last: of its steps only the first has it.
    last: Option<NodeId>,
}

impl<'a> Tale<'_, 'a> {
    fn asides(&mut self, asides: &[Aside<'_, 'a>]) {
        // Branches of one place are the positions of one switch.
        for together in asides.chunk_by(|a, b| is_left(a) && is_left(b)) {
            let is_switch = together.first().is_some_and(is_left);
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

    /// What hangs at no turn.
    fn rest(&mut self) {
        for asides in self.asides.take_rest() {
            self.asides(&asides);
        }
        let elsewhere = self.export.agents_elsewhere();
        if elsewhere.is_empty() {
            return;
        }
        *self.page += &format!("<section id=agents><h2>{AGENTS_ELSEWHERE}</h2>");
        for place in elsewhere {
            self.agent(place, 0);
        }
        self.page.push_str("</section>");
    }

    fn chapter(&mut self, chapter: &Chapter<'a>, depth: usize) {
        // Its lines are numbered anew: the same number is another line.
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
        let name = if number == 0 { turn_name(turn) } else { format!("Turn {number}") };
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

    /// The opening of an element that stands for a message.
    fn message(&mut self, element: &str, class: &str, step: &Step<'_>, chapter: &Chapter<'a>) {
        match class {
            "" => *self.page += &format!("<{element} class=m"),
            _ => *self.page += &format!("<{element} class=\"m {class}\""),
        }
        if self.last != Some(step.node) {
            self.last = Some(step.node);
            let uuid = &chapter.said.graph.node(step.node).uuid;
            let id = self.id(uuid);
            *self.page += &format!(" id=m-{id}");
        }
        self.page.push('>');
    }

    /// An id of a line that no other element has.
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
                if let Some(call) = chapter.telling.calls.get(*number) {
                    self.call(call, step, chapter, depth);
                }
            }
            StepKind::UnmatchedResult { content, is_error, .. } => {
                let text = content.as_ref().map(transcript::Content::text).unwrap_or_default();
                self.message("details", if *is_error { "c e" } else { "c" }, step, chapter);
                self.summary(&orphan_title(*is_error));
                self.output(&as_left_standing(&text), "o", "");
                self.page.push_str("</details>");
            }
            StepKind::Image(source) => {
                self.message("div", "", step, chapter);
                self.picture(source);
                self.page.push_str("</div>");
            }
            StepKind::Document { title, .. } => {
                let title = title.as_deref().unwrap_or("untitled");
                self.remark("q", &format!("[document {title}]"), step, chapter);
            }
            StepKind::Summary(text) => {
                self.message("details", "y", step, chapter);
                self.page.push_str("<summary>What came before, summed up</summary>");
                push_prose(self.page, text);
                self.page.push_str("</details>");
            }
            StepKind::Compaction { trigger, before, after } => {
                let text = compaction_line(trigger.as_deref(), *before, *after);
                self.remark("q z", &text, step, chapter);
            }
            StepKind::Interruption => {
                self.remark("q e", "⏹ interrupted by the person", step, chapter);
            }
            StepKind::ApiError(text) => {
                self.remark("q e", &format!("✗ the API failed: {text}"), step, chapter);
            }
            StepKind::Notice(kind, text) => {
                self.message("details", "y", step, chapter);
                self.summary(&format!("[{kind}]"));
                self.output(&as_left_standing(text), "o h", "");
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
        let is_told = self.export.tools != Detail::None;
        if is_told {
            let status = call.status();
            let class = match status {
                Status::Ok | Status::Missing => "c",
                Status::Error | Status::Denied | Status::Interrupted => "c e",
            };
            let mark = status_mark(status);
            self.message("details", class, step, chapter);
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
            // A file that was read is code of its ending's language.
            let path = call.files().into_iter().next().filter(|_| call.tool == "Read");
            let ending = path.as_deref().and_then(|path| Some(path.rsplit_once('.')?.1));
            for piece in pieces(call, self.export.persisted) {
                self.piece(&piece, ending.unwrap_or_default());
            }
        }
        for place in self.export.agents_at(call) {
            self.agent(*place, depth + 1);
        }
        if is_told {
            self.page.push_str("</details>");
        }
    }

    fn piece(&mut self, piece: &Piece<'_>, of_output: &str) {
        match piece {
            Piece::Code { language, text } => self.output(text, "", language),
            Piece::Diff(text) => self.output(text, "", "diff"),
            Piece::Output { text, is_error: true } => {
                self.output(&as_left_standing(text), "o e", "");
            }
            Piece::Output { text, .. } => self.output(&as_left_standing(text), "o", of_output),
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
            Piece::Image(source) => self.picture(source),
        }
    }

    /// A picture that stands in the transcript; of any other, what is known.
    fn picture(&mut self, source: &Source<'_>) {
        let kind = source.media_type.as_deref().unwrap_or_default();
        let kind = PICTURES.iter().find(|picture| **picture == kind);
        let data = source.data.as_deref().filter(|data| is_base64(data));
        let name = untrusted::line(&image(source)).into_owned();
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

    fn agent(&mut self, place: usize, depth: usize) {
        let Some(agent) = self.export.agents.get(place) else { return };
        if let Ok(chapter) = &agent.chapter
            && depth <= DEEPEST
            && !agent.node.warmup
            && self.told.insert(place)
        {
            self.fold("a", &agent_title(agent.node));
            self.chapter(chapter, depth.max(1));
            self.page.push_str("</details>");
            return;
        }
        self.page.push_str("<p class=q>");
        push_text(self.page, &untrusted::line(&untold_title(agent)));
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
        let most = if self.export.tools == Detail::Full { FULL } else { BRIEF };
        push_cut(self.page, class, text, language, most);
    }
}

fn is_left(aside: &Aside<'_, '_>) -> bool {
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
