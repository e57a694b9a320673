//! Parser events → blocks on a page.
//!
//! Open blocks are kept on an explicit stack, however deep they are nested. Wrapping and
//! line prefixes are left to `page`.

use super::inline::{Inline, Mark};
use super::page::Page;
use super::table::Table;
use crate::style::Style;
use crate::{highlight, untrusted};
use pulldown_cmark::{CodeBlockKind, CowStr, Event, Tag, TagEnd};

/// The part of a `data:` address that is shown: nobody reads an embedded image.
const MAX_DATA_ADDRESS: usize = 40;

/// A block that contains other blocks.
enum Container {
    Quote { is_shown: bool },
    List { next: Option<u64>, has_items: bool },
    Item { is_shown: bool },
}

/// The state of the conversion.
pub(super) struct Writer<'t> {
    page: Page,
    inline: Inline,
    containers: Vec<Container>,
    links: Vec<Link<'t>>,
    /// Whether the collected text is only a task checkbox.
    has_box: bool,
    code: Option<Code<'t>>,
    html: Option<String>,
    table: Option<Table>,
}

/// An open link or image.
struct Link<'t> {
    address: CowStr<'t>,
    title: CowStr<'t>,
    /// The start of its text.
    start: usize,
}

struct Code<'t> {
    language: CowStr<'t>,
    text: String,
}

impl<'t> Writer<'t> {
    pub(super) fn new(page: Page) -> Self {
        Writer {
            inline: Inline::new(page.paint()),
            page,
            containers: Vec::new(),
            links: Vec::new(),
            has_box: false,
            code: None,
            html: None,
            table: None,
        }
    }

    pub(super) fn finish(self) -> String {
        self.page.finish()
    }

    pub(super) fn event(&mut self, event: Event<'t>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match &mut self.code {
                Some(code) => code.text.push_str(&text),
                None => self.inline.push(&text),
            },
            Event::Code(code) => self.inline_code(&code),
            Event::Html(html) => match &mut self.html {
                Some(block) => block.push_str(&html),
                None => self.inline.push(&html),
            },
            Event::InlineHtml(html) => self.inline.push(&html),
            Event::SoftBreak | Event::HardBreak => self.inline.push_own("\n"),
            Event::Rule => {
                self.end_tight_text();
                self.page.rule();
                self.page.gap = true;
            }
            Event::TaskListMarker(is_done) => {
                self.inline.push_own(if is_done { "[x] " } else { "[ ] " });
                self.has_box = true;
            }
            // Not enabled in the parser.
            Event::FootnoteReference(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }

    /// Whether a block may be written before the event's content.
    pub(super) fn is_between_blocks(&self, event: &Event<'t>) -> bool {
        let within = self.code.is_some() || self.html.is_some() || self.table.is_some();
        let begins_or_ends = match event {
            Event::Rule => true,
            Event::Start(tag) => matches!(
                tag,
                Tag::Paragraph
                    | Tag::Heading { .. }
                    | Tag::BlockQuote(_)
                    | Tag::CodeBlock(_)
                    | Tag::HtmlBlock
                    | Tag::List(_)
                    | Tag::Item
                    | Tag::Table(_)
            ),
            Event::End(tag) => {
                matches!(tag, TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item)
            }
            _ => false,
        };
        !within && (begins_or_ends || self.inline.text().is_empty())
    }

    /// Writes lines verbatim.
    pub(super) fn literal(&mut self, lines: &[&str]) {
        if lines.is_empty() {
            return;
        }
        self.end_tight_text();
        for (at, line) in lines.iter().enumerate() {
            self.inline.push_own(if at > 0 { "\n" } else { "" });
            self.inline.push(line);
        }
        self.page.prose(&mut self.inline);
        self.clear_inline();
        self.page.gap = true;
    }

    fn start(&mut self, tag: Tag<'t>) {
        match tag {
            Tag::Paragraph => {
                if !self.has_box {
                    self.end_tight_text();
                }
                // Only the items of a loose list have paragraphs.
                if let Some(Container::Item { .. }) = self.containers.last() {
                    self.page.gap = true;
                }
            }
            Tag::Heading { level, .. } => {
                self.end_tight_text();
                self.inline.begin(Mark::Strong);
                self.inline.push_own(&"#".repeat(level as usize));
                self.inline.push_own(" ");
            }
            Tag::BlockQuote(_) => {
                self.end_tight_text();
                let is_shown = self.page.enter_quote();
                self.containers.push(Container::Quote { is_shown });
            }
            Tag::List(next) => {
                self.end_tight_text();
                self.containers.push(Container::List { next, has_items: false });
            }
            Tag::Item => {
                let marker = self.marker();
                let is_shown = self.page.enter_item(marker);
                self.containers.push(Container::Item { is_shown });
            }
            Tag::CodeBlock(kind) => {
                self.end_tight_text();
                let language = match kind {
                    CodeBlockKind::Fenced(language) => language,
                    CodeBlockKind::Indented => CowStr::Borrowed(""),
                };
                self.code = Some(Code { language, text: String::new() });
            }
            Tag::HtmlBlock => {
                self.end_tight_text();
                self.html = Some(String::new());
            }
            Tag::Table(alignments) => {
                self.end_tight_text();
                self.table = Some(Table::new(alignments));
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table.begin_row();
                }
            }
            Tag::TableCell if self.table.as_ref().is_some_and(Table::is_in_head) => {
                self.inline.begin(Mark::Strong);
            }
            Tag::Strong => self.begin(Mark::Strong, "**"),
            Tag::Emphasis => self.begin(Mark::Emphasis, "*"),
            Tag::Strikethrough => self.begin(Mark::Struck, "~~"),
            Tag::Link { dest_url: address, title, .. } => self.begin_link(address, title),
            Tag::Image { dest_url: address, title, .. } => {
                self.inline.push_own("[image: ");
                self.begin_link(address, title);
            }
            // Not enabled in the parser.
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::Heading(_) => {
                self.page.prose(&mut self.inline);
                self.clear_inline();
                self.page.gap = true;
            }
            TagEnd::BlockQuote(_) => {
                if let Some(Container::Quote { is_shown }) = self.containers.pop() {
                    self.page.leave(is_shown);
                }
                self.page.gap = true;
            }
            TagEnd::List(_) => {
                self.containers.pop();
                // The items of a tight list stay together.
                if !matches!(self.containers.last(), Some(Container::Item { .. })) {
                    self.page.gap = true;
                }
            }
            TagEnd::Item => self.end_item(),
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::HtmlBlock => self.end_html(),
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    table.write(&mut self.page);
                }
                self.page.gap = true;
            }
            TagEnd::TableCell => {
                let cell = self.inline.take();
                if let Some(table) = &mut self.table {
                    table.push_cell(cell);
                }
            }
            TagEnd::Strong => self.end_mark(Mark::Strong, "**"),
            TagEnd::Emphasis => self.end_mark(Mark::Emphasis, "*"),
            TagEnd::Strikethrough => self.end_mark(Mark::Struck, "~~"),
            TagEnd::Link => self.end_link(),
            TagEnd::Image => self.end_image(),
            _ => {}
        }
    }

    fn begin(&mut self, mark: Mark, sign: &str) {
        self.inline.push_sign(sign);
        self.inline.begin(mark);
    }

    fn end_mark(&mut self, mark: Mark, sign: &str) {
        self.inline.end(mark);
        self.inline.push_sign(sign);
    }

    fn clear_inline(&mut self) {
        self.inline.clear();
        self.has_box = false;
    }

    fn inline_code(&mut self, code: &str) {
        // More backticks than any run within the code.
        let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or_default();
        let sign = "`".repeat(longest + 1);
        let space = if code.starts_with('`') || code.ends_with('`') { " " } else { "" };
        self.inline.push_sign(&sign);
        self.inline.push_sign(space);
        self.inline.begin(Mark::Code);
        self.inline.push(code);
        self.inline.end(Mark::Code);
        self.inline.push_sign(space);
        self.inline.push_sign(&sign);
    }

    fn begin_link(&mut self, address: CowStr<'t>, title: CowStr<'t>) {
        self.links.push(Link { address, title, start: self.inline.text().len() });
    }

    fn end_link(&mut self) {
        let Some(link) = self.links.pop() else { return };
        let mut leads = shown_address(&link.address);
        let text = &self.inline.text()[link.start..];
        if text == leads {
            leads.clear();
        }
        if !link.title.is_empty() {
            leads.push_str(if leads.is_empty() { "\"" } else { " \"" });
            untrusted::push_line(&mut leads, &link.title);
            leads.push('"');
        }
        if leads.is_empty() {
            return;
        }
        self.inline.push_own(if text.is_empty() { "" } else { " " });
        self.inline.begin(Mark::Quiet);
        self.inline.push_own("(");
        self.inline.push_own(&leads);
        self.inline.push_own(")");
        self.inline.end(Mark::Quiet);
    }

    fn end_image(&mut self) {
        self.end_link();
        self.inline.push_own("]");
    }

    /// The marker of the item that starts.
    fn marker(&mut self) -> String {
        match self.containers.last_mut() {
            Some(Container::List { next: Some(number), .. }) => {
                let marker = format!("{number}. ");
                *number = number.saturating_add(1);
                marker
            }
            _ => "- ".to_owned(),
        }
    }

    /// Writes the text of a tight item, which has no paragraph around it.
    fn end_tight_text(&mut self) {
        if self.inline.text().is_empty() {
            return;
        }
        self.stay_with_previous_item();
        self.page.prose(&mut self.inline);
        self.clear_inline();
        self.page.gap = false;
    }

    fn stay_with_previous_item(&mut self) {
        let list = self.containers.len().checked_sub(2).map(|at| &self.containers[at]);
        if let Some(Container::List { has_items: true, .. }) = list {
            self.page.gap = false;
        }
    }

    fn end_item(&mut self) {
        self.end_tight_text();
        let Some(Container::Item { is_shown }) = self.containers.last() else { return };
        let is_shown = *is_shown;
        if self.page.has_bare_marker(is_shown) {
            self.stay_with_previous_item();
            self.page.bare_marker();
        }
        self.page.leave(is_shown);
        self.containers.pop();
        if let Some(Container::List { has_items, .. }) = self.containers.last_mut() {
            *has_items = true;
        }
    }

    fn end_code(&mut self) {
        let Some(code) = self.code.take() else { return };
        self.page.begin_block();
        let paint = self.page.paint();
        // One word is a language; several words are text for the reader.
        if code.language.contains(' ') {
            self.code_line(&paint.paint(Style::Dim, &untrusted::line(&code.language)));
        }
        if let Some(lines) = highlight::highlighted(&code.text, &code.language, paint) {
            for line in lines {
                self.code_line(&line);
            }
        } else {
            for line in code.text.lines() {
                self.code_line(&untrusted::text(line));
            }
        }
        self.page.gap = true;
    }

    fn code_line(&mut self, line: &str) {
        if line.is_empty() {
            self.page.line("");
        } else {
            self.page.line(&format!("  {line}"));
        }
    }

    fn end_html(&mut self) {
        let Some(html) = self.html.take() else { return };
        self.literal(&html.lines().collect::<Vec<_>>());
    }
}

/// The displayed address of a link: harmless, with embedded images truncated.
fn shown_address(address: &str) -> String {
    let mut shown = String::new();
    match address.char_indices().nth(MAX_DATA_ADDRESS) {
        Some((end, _)) if address.starts_with("data:") => {
            untrusted::push_line(&mut shown, &address[..end]);
            shown.push('…');
        }
        _ => untrusted::push_line(&mut shown, address),
    }
    shown
}
