//! The conversation on a page: turns, steps, calls, agents, abandoned branches.
//!
//! Each turn is a section, each message has an id, and everything except messages and
//! diffs is folded. Branches are placed where they were abandoned, in folds that the page's
//! script turns into switches.
//!
//! A fragment (`fragment`) is written by the same code, with attributes for a program
//! that reads it, addresses instead of embedded images, and links to what is left out.
//!
//! Tool output is limited even with full detail: the page has the first 12 KiB and the
//! last 4 KiB of each output, and says how much is left out between them. Markdown,
//! plain text and XML have all of it.

use super::escape::push_text;
use super::fragment::{FragmentLink, FragmentOptions, FragmentPlace};
use crate::export_document::{Aside, Asides, Chapter, ExportDocument};
use crate::labels::{
    UNLINKED_AGENTS, api_error_line, aside_title, compaction_line, turn_facts, turn_name,
    unmatched_result_title,
};
use crate::turn_text::final_terminal_text;
use crate::untrusted;
use conversation::{NodeId, Step, StepKind, Turn, TurnNumber};
use std::collections::{HashMap, HashSet};

/// About how much of an agent, a branch or a segment a fragment has.
const MAX_ASIDE: usize = 48 * 1024;

/// Adds the conversation.
pub(super) fn push_conversation(page: &mut String, export: &ExportDocument<'_>) {
    let mut writer = ConversationWriter::new(page, export, None);
    let _ = writer.chapter(&export.main, 0);
    writer.rest();
}

pub(super) struct ConversationWriter<'v, 'a> {
    pub(super) export: &'v ExportDocument<'a>,
    pub(super) page: &'v mut String,
    /// What a fragment needs besides; `None` for a page.
    pub(super) fragment: Option<&'v FragmentOptions<'v>>,
    /// The agents around the place that is written, the innermost last.
    pub(super) around: Vec<&'v str>,
    /// How many texts of calls were cut.
    pub(super) omitted: usize,
    /// The record whose images were counted last, and how many it had.
    images: Option<(NodeId, usize)>,
    asides: Asides<'v, 'a>,
    /// The agents that were written: none is written twice.
    pub(super) shown_agents: HashSet<usize>,
    /// The ids of elements: none is used twice.
    ids: HashSet<String>,
    /// How often an id occurred again.
    repeated: HashMap<String, u64>,
    /// The last record that got an id: only its first step has it.
    last: Option<NodeId>,
}

impl<'v, 'a> ConversationWriter<'v, 'a> {
    pub(super) fn new(
        page: &'v mut String,
        export: &'v ExportDocument<'a>,
        fragment: Option<&'v FragmentOptions<'v>>,
    ) -> Self {
        ConversationWriter {
            export,
            page,
            fragment,
            around: fragment.and_then(|fragment| fragment.agent).into_iter().collect(),
            omitted: 0,
            images: None,
            asides: export.asides(),
            shown_agents: HashSet::new(),
            ids: HashSet::new(),
            repeated: HashMap::new(),
            last: None,
        }
    }

    fn asides(&mut self, asides: &[Aside<'_, 'a>]) {
        // Branches at the same position share one switch.
        for together in asides.chunk_by(|a, b| is_branch(a) && is_branch(b)) {
            let is_switch = together.first().is_some_and(is_branch);
            self.page.push_str(if is_switch { "<div class=w>" } else { "" });
            for aside in together {
                let number = self.fragment.and_then(|_| aside_number(aside));
                let attribute = number.map(|(name, number)| format!(" data-{name}={number}"));
                let class = if is_switch { "b" } else { "g" };
                self.fold(class, &attribute.unwrap_or_default(), &aside_title(aside));
                let rest = self.chapter(aside.chapter(), 1);
                if let (Some(from), Some((name, number))) = (rest, number) {
                    self.more(&match name {
                        "branch" => FragmentLink::Branch { number, from },
                        _ => FragmentLink::Orphan { number, from },
                    });
                }
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
    pub(super) fn rest(&mut self) {
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

    /// Writes the turns of a chapter. In a fragment it may stop early, and returns where.
    pub(super) fn chapter(&mut self, chapter: &Chapter<'a>, depth: usize) -> Option<FragmentPlace> {
        // Node ids of another chapter belong to another graph.
        let (last, images) = (self.last.take(), self.images.take());
        let limit = self.fragment.map_or(usize::MAX, |_| self.page.len() + MAX_ASIDE);
        let mut rest = None;
        for turn in &chapter.turns {
            if self.page.len() >= limit {
                rest = Some(FragmentPlace { turn: turn.number, step: 0 });
                break;
            }
            rest = self.turn(turn, chapter, depth, 0, limit);
            if rest.is_some() {
                break;
            }
        }
        (self.last, self.images) = (last, images);
        rest
    }

    /// Writes a turn from one of its steps on. It stops after the record with which the
    /// page reaches the limit, and returns where.
    pub(super) fn turn(
        &mut self,
        turn: &Turn<'_>,
        chapter: &Chapter<'a>,
        depth: usize,
        first_step: usize,
        limit: usize,
    ) -> Option<FragmentPlace> {
        let first = turn.steps.get(first_step).map(|step| step.node);
        if let Some(node) = first.filter(|_| depth == 0) {
            self.asides_before(node);
        }
        self.open_turn(turn, chapter, depth, first_step);
        let mut last = first;
        let (mut before, mut rest) = (None, None);
        for (at, step) in turn.steps.iter().enumerate().skip(first_step) {
            // A record is never divided: its element has the id.
            if before.is_some_and(|before| before != step.node) && self.page.len() >= limit {
                rest = Some(FragmentPlace { turn: turn.number, step: at });
                break;
            }
            if depth == 0 && last != Some(step.node) {
                last = Some(step.node);
                self.asides_before(step.node);
            }
            self.step(step, chapter, depth);
            before = Some(step.node);
        }
        self.page.push_str("</section>\n");
        rest
    }

    /// Opens the section of a turn, with its heading.
    fn open_turn(
        &mut self,
        turn: &Turn<'_>,
        chapter: &Chapter<'a>,
        depth: usize,
        first_step: usize,
    ) {
        let number = turn.number;
        if first_step > 0 {
            *self.page += &format!(
                "<section id=t{number}-s{first_step} data-turn={number} data-step={first_step}>"
            );
            return;
        }
        let facts = turn_facts(turn, chapter, self.export);
        let name = if number.is_before_first_prompt() {
            turn_name(turn)
        } else {
            format!("Turn {number}")
        };
        let data = match self.fragment {
            Some(_) => format!(" data-turn={number}"),
            None => String::new(),
        };
        if depth == 0 {
            *self.page +=
                &format!("<section id=t{number}{data}><h2><a href=\"#t{number}\">{name}</a>");
        } else {
            *self.page += &format!("<section{data}><h3 class=t><b>{name}</b>");
        }
        for fact in facts {
            self.page.push_str("<span>");
            push_text(self.page, &fact);
            self.page.push_str("</span>");
        }
        self.page.push_str(if depth == 0 { "</h2>" } else { "</h3>" });
    }

    /// Opens the element of a message.
    pub(super) fn message(
        &mut self,
        element: &str,
        class: &str,
        step: &Step<'_>,
        chapter: &Chapter<'a>,
    ) {
        self.message_tag(element, class, step, chapter);
        self.page.push('>');
    }

    /// Begins the tag of a message; more attributes may follow.
    pub(super) fn message_tag(
        &mut self,
        element: &str,
        class: &str,
        step: &Step<'_>,
        chapter: &Chapter<'a>,
    ) {
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

    pub(super) fn step(&mut self, step: &Step<'_>, chapter: &Chapter<'a>, depth: usize) {
        match &step.kind {
            StepKind::Prompt { text, is_queued } => {
                self.message("div", "p", step, chapter);
                if *is_queued {
                    self.page.push_str("<p class=q>while the model worked</p>");
                }
                self.prose(text, step, chapter);
                self.page.push_str("</div>");
            }
            StepKind::Text(text) if text.trim().is_empty() => {}
            StepKind::Text(text) => {
                self.message("div", "", step, chapter);
                self.prose(text, step, chapter);
                self.page.push_str("</div>");
            }
            StepKind::Thinking(text) if self.export.thinking && !text.trim().is_empty() => {
                self.message("details", "k", step, chapter);
                self.page.push_str("<summary>Thinking</summary><div>");
                self.prose(text, step, chapter);
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
                let number = match self.images {
                    Some((node, count)) if node == step.node => count,
                    _ => 0,
                };
                self.images = Some((step.node, number + 1));
                let uuid = &*chapter.conversation.graph.node(step.node).uuid;
                self.image(source, uuid, None, number);
                self.page.push_str("</div>");
            }
            StepKind::Document { title, .. } => {
                let title = title.as_deref().unwrap_or("untitled");
                self.remark("q", &format!("[document {title}]"), step, chapter);
            }
            StepKind::Summary(text) => {
                self.message("details", "y", step, chapter);
                self.page.push_str("<summary>Summary of the conversation so far</summary>");
                self.prose(text, step, chapter);
                self.page.push_str("</details>");
            }
            StepKind::Compaction { trigger, before, after } => {
                let text = compaction_line(trigger.as_deref(), *before, *after);
                self.remark("q z", &text, step, chapter);
            }
            StepKind::Interruption => {
                self.remark("q", "⏹ interrupted by the user", step, chapter);
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
}

/// The kind and the number of a thread beside the conversation.
fn aside_number(aside: &Aside<'_, '_>) -> Option<(&'static str, usize)> {
    match aside {
        Aside::Branch(branch) => Some(("branch", branch.number)),
        Aside::Orphan(orphan) => match orphan.chapter.turns.first()?.number {
            TurnNumber::Orphan { segment, .. } => Some(("orphan", usize::try_from(segment).ok()?)),
            TurnNumber::Main(_) | TurnNumber::Branch { .. } => None,
        },
    }
}

fn is_branch(aside: &Aside<'_, '_>) -> bool {
    matches!(aside, Aside::Branch(_))
}
