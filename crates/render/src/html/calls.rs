//! Tool calls, sub-agents, images and long texts on a page or in a fragment.

use super::code::{OutputLimit, push_cut};
use super::escape::{push_attribute, push_text};
use super::fragment::FragmentLink;
use super::prose::push_prose;
use super::turns::ConversationWriter;
use crate::export_document::{Chapter, Omitted};
use crate::labels::{MAX_AGENT_DEPTH, agent_title, omitted_agent_title, status_mark};
use crate::pieces::{Piece, pieces};
use crate::turn_text::{Detail, final_terminal_text, image_label};
use crate::{call_title, cut, milliseconds, untrusted};
use conversation::{Step, ToolCall};
use transcript::Source;

/// The limit of tool output. With more, the pages of some sessions would be larger than
/// half their transcripts.
const FULL: OutputLimit = OutputLimit { head: 12 * 1024, tail: 4 * 1024, lines: usize::MAX };

/// The limit of tool output in brief mode.
const BRIEF: OutputLimit = OutputLimit { head: 3 * 1024, tail: 1024, lines: 32 };

/// The same in a fragment, which links to the rest.
const FRAGMENT_FULL: OutputLimit =
    OutputLimit { head: 6 * 1024, tail: 2 * 1024, lines: usize::MAX };

/// The limit where one output is all that is asked for.
const WHOLE: OutputLimit = OutputLimit { head: 768 * 1024, tail: 128 * 1024, lines: usize::MAX };

/// The most of one Markdown text in a fragment.
const MAX_PROSE: usize = 24 * 1024;

/// The longest name in an attribute, in columns.
const MAX_NAME: usize = 200;

/// Image types that a page embeds; others can contain scripts, or browsers do not show
/// them.
const IMAGE_TYPES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

impl<'a> ConversationWriter<'_, 'a> {
    pub(super) fn call(
        &mut self,
        call: &ToolCall<'_>,
        step: &Step<'_>,
        chapter: &Chapter<'a>,
        depth: usize,
    ) {
        let is_shown = self.export.tools != Detail::None;
        if is_shown {
            let status = call.status();
            let class = if step.kind.is_error(&chapter.all_turns.calls) { "c e" } else { "c" };
            let mark = status_mark(status);
            let pieces = pieces(call, self.export.persisted);
            // What a session changed is what most readers look for.
            let is_open = pieces.iter().any(|piece| matches!(piece, Piece::Diff(_)));
            let element = if is_open { "details open" } else { "details" };
            self.message_tag(element, class, step, chapter);
            if self.fragment.is_some() {
                self.page.push_str(" data-tool=\"");
                push_attribute(self.page, &cut(&call.tool, Some(MAX_NAME)));
                *self.page += &format!("\" data-status={}", status.name());
            }
            self.page.push('>');
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
            let before = self.omitted;
            let mut images = 0;
            for piece in &pieces {
                if let Piece::Image(source) = piece {
                    let record =
                        call.answer.as_ref().and_then(|answer| answer.origin.uuid.as_deref());
                    self.image(source, record.unwrap_or_default(), call.id.as_deref(), images);
                    images += 1;
                }
                self.piece(piece, extension.unwrap_or_default());
            }
            if self.omitted > before
                && let Some(call) = call.id.as_deref()
            {
                let uuid = &*chapter.conversation.graph.node(step.node).uuid;
                self.more(&FragmentLink::Output { agent: self.around.last().copied(), uuid, call });
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
            Piece::Prose(text) => {
                let end = text.floor_char_boundary(match self.fragment {
                    Some(fragment) if !fragment.is_whole_output => MAX_PROSE,
                    _ => text.len(),
                });
                self.omitted += usize::from(end < text.len());
                push_prose(self.page, text.get(..end).unwrap_or_default());
            }
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
            // Its address depends on the call.
            Piece::Image(_) => {}
        }
    }

    /// An image from the transcript, or a description if it cannot be shown. `number` is
    /// its place among the images of its record, or of the result of its call.
    pub(super) fn image(
        &mut self,
        source: &Source<'_>,
        uuid: &str,
        call: Option<&str>,
        number: usize,
    ) {
        let kind = source.media_type.as_deref().unwrap_or_default();
        let kind = IMAGE_TYPES.iter().find(|known| **known == kind);
        let data = source.data.as_deref().filter(|data| is_base64(data));
        let name = untrusted::line(&image_label(source)).into_owned();
        if let (Some(fragment), Some(_), Some(_)) = (self.fragment, kind, data) {
            let agent = self.around.last().copied();
            let link = FragmentLink::Image { agent, uuid, call, number };
            self.page.push_str("<p><img loading=lazy src=\"");
            push_attribute(self.page, &(fragment.url)(&link));
            self.page.push_str("\" alt=\"");
            push_attribute(self.page, &name);
            self.page.push_str("\"></p>");
        } else if let (Some(kind), Some(data)) = (kind, data) {
            *self.page += &format!("<p><img loading=lazy src=\"data:{kind};base64,{data}\" alt=\"");
            push_attribute(self.page, &name);
            self.page.push_str("\"></p>");
        } else {
            self.page.push_str("<p class=q>");
            push_text(self.page, &cut(&name, Some(300)));
            self.page.push_str("</p>");
        }
    }

    pub(super) fn agent(&mut self, index: usize, depth: usize) {
        let Some(agent) = self.export.agents.get(index) else { return };
        let id = agent.node.id.as_str();
        let attribute = match self.fragment {
            Some(_) => {
                let mut attribute = " data-agent=\"".to_owned();
                push_attribute(&mut attribute, &cut(id, Some(MAX_NAME)));
                attribute + "\""
            }
            None => String::new(),
        };
        if let Ok(chapter) = &agent.chapter
            && depth <= MAX_AGENT_DEPTH
            && !agent.node.warmup
            && self.shown_agents.insert(index)
        {
            self.fold("a", &attribute, &agent_title(agent.node));
            self.around.push(id);
            let rest = self.chapter(chapter, depth.max(1));
            self.around.pop();
            if let Some(from) = rest {
                self.more(&FragmentLink::Agent { id, from: Some(from) });
            }
            self.page.push_str("</details>");
            return;
        }
        if self.fragment.is_some() && matches!(agent.chapter, Err(Omitted::ByOption)) {
            self.fold("a", &attribute, &agent_title(agent.node));
            self.more(&FragmentLink::Agent { id, from: None });
            self.page.push_str("</details>");
            return;
        }
        self.page.push_str("<p class=q>");
        push_text(self.page, &untrusted::line(&omitted_agent_title(agent)));
        self.page.push_str("</p>");
    }

    pub(super) fn fold(&mut self, class: &str, attribute: &str, title: &str) {
        *self.page += &format!("<details class={class}{attribute}>");
        self.summary(title);
    }

    /// A link to what a fragment leaves out; a page has none.
    pub(super) fn more(&mut self, link: &FragmentLink<'_>) {
        let Some(fragment) = self.fragment else { return };
        self.page.push_str("<p><a class=more href=\"");
        push_attribute(self.page, &(fragment.url)(link));
        *self.page += &format!("\">{}</a></p>", link.label());
    }

    /// Markdown of a message. A fragment has only the beginning of a very long one.
    pub(super) fn prose(&mut self, text: &str, step: &Step<'_>, chapter: &Chapter<'a>) {
        let is_cut = self.fragment.is_some_and(|fragment| !fragment.is_whole_output);
        let is_long = is_cut && text.len() > MAX_PROSE;
        if !is_long {
            return push_prose(self.page, text);
        }
        let end = text.floor_char_boundary(MAX_PROSE);
        push_prose(self.page, text.get(..end).unwrap_or_default());
        let uuid = &*chapter.conversation.graph.node(step.node).uuid;
        self.more(&FragmentLink::Message { agent: self.around.last().copied(), uuid });
    }

    pub(super) fn summary(&mut self, title: &str) {
        self.page.push_str("<summary>");
        push_text(self.page, &untrusted::line(title));
        self.page.push_str("</summary>");
    }

    pub(super) fn output(&mut self, text: &str, class: &str, language: &str) {
        let limit = match (self.export.tools == Detail::Full, self.fragment) {
            (true, None) => FULL,
            (true, Some(fragment)) if fragment.is_whole_output => WHOLE,
            (true, Some(_)) => FRAGMENT_FULL,
            (false, _) => BRIEF,
        };
        self.omitted += usize::from(push_cut(self.page, class, text, language, limit));
    }
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
