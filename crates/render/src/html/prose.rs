//! Markdown from a transcript as HTML.
//!
//! The parser emits events, and only tags for these events are written; HTML in the
//! text is shown as text. Links may only lead to the web or a mailbox. Remote images
//! become links, so that opening a page does not notify their server. Nothing recurses,
//! and elements that are nested too deeply for a browser lose their tags.

use super::code::push_code;
use super::escape::{push_attribute, push_text};
use crate::export::is_allowed_link;
use crate::markdown::{OPTIONS, is_too_deep};
use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, Parser, Tag, TagEnd};
use std::borrow::Cow;

/// The deepest nesting of elements; browsers flatten after some hundreds.
const MAX_DEPTH: usize = 60;

/// Adds Markdown to a page.
pub(super) fn push_prose(page: &mut String, text: &str) {
    if is_too_deep(text) {
        page.push_str("<pre class=h>");
        push_text(page, text);
        page.push_str("</pre>");
        return;
    }
    let mut prose = Prose {
        page,
        open: Vec::new(),
        links: 0,
        code: None,
        cells: Vec::new(),
        cell: 0,
        is_head: false,
    };
    let mut parser = Parser::new_ext(text, OPTIONS).into_offset_iter();
    for (event, _) in parser.by_ref() {
        prose.event(event);
    }
    // Link definitions are part of the text, and the parser emits no events for them.
    let mut definitions: Vec<_> =
        parser.reference_definitions().iter().map(|(_, it)| it.span.clone()).collect();
    definitions.sort_by_key(|span| span.start);
    for span in definitions {
        page.push_str("<p class=q>");
        push_text(page, text.get(span).unwrap_or_default().trim_end());
        page.push_str("</p>");
    }
}

/// The address of a link if it leads to the web or a mailbox.
fn destination(url: &str) -> Option<String> {
    let url: String = url.chars().filter(|c| !c.is_control() && !c.is_whitespace()).collect();
    let (scheme, _) = url.split_once(':')?;
    let is_scheme = scheme.chars().all(|c| c.is_ascii_alphanumeric());
    (is_scheme && is_allowed_link(&url)).then_some(url)
}

struct Prose<'p> {
    page: &'p mut String,
    /// The closing tags of the open elements.
    open: Vec<Cow<'static, str>>,
    /// How many of the open elements are links.
    links: usize,
    /// The open code block: its language and its text so far.
    code: Option<(String, String)>,
    /// The alignments of the table's columns.
    cells: Vec<Alignment>,
    cell: usize,
    is_head: bool,
}

impl Prose<'_> {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(end) => self.end(end),
            Event::Text(text) => match &mut self.code {
                Some((_, code)) => code.push_str(&text),
                None => push_text(self.page, &text),
            },
            Event::Code(text) => {
                self.page.push_str("<code>");
                push_text(self.page, &text);
                self.page.push_str("</code>");
            }
            Event::Html(text)
            | Event::InlineHtml(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text)
            | Event::FootnoteReference(text) => push_text(self.page, &text),
            Event::SoftBreak => self.page.push('\n'),
            Event::HardBreak => self.page.push_str("<br>"),
            Event::Rule => self.page.push_str("<hr>"),
            Event::TaskListMarker(is_done) => {
                self.page.push_str(if is_done { "☑ " } else { "☐ " });
            }
        }
    }

    fn element(&mut self, opening: &str, closing: &'static str) {
        if self.open.len() < MAX_DEPTH {
            self.page.push_str(opening);
            self.open.push(Cow::Borrowed(closing));
        } else {
            self.open.push(Cow::Borrowed(""));
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph => self.element("<p>", "</p>"),
            Tag::Heading { level, .. } => {
                // Below the headings of turns.
                let (opening, closing) = match level {
                    HeadingLevel::H1 => ("<h3>", "</h3>"),
                    HeadingLevel::H2 => ("<h4>", "</h4>"),
                    HeadingLevel::H3 => ("<h5>", "</h5>"),
                    _ => ("<h6>", "</h6>"),
                };
                self.element(opening, closing);
            }
            Tag::BlockQuote(_) => self.element("<blockquote>", "</blockquote>"),
            Tag::CodeBlock(kind) => {
                let language = match kind {
                    CodeBlockKind::Fenced(name) => name.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some((language, String::new()));
                self.open.push(Cow::Borrowed(""));
            }
            Tag::HtmlBlock => self.element("<pre class=h>", "</pre>"),
            Tag::List(None) => self.element("<ul>", "</ul>"),
            Tag::List(Some(1)) => self.element("<ol>", "</ol>"),
            Tag::List(Some(first)) => self.element(&format!("<ol start={first}>"), "</ol>"),
            Tag::Item => self.element("<li>", "</li>"),
            Tag::Table(cells) => {
                self.cells = cells;
                self.element("<div class=x><table>", "</table></div>");
            }
            Tag::TableHead => {
                self.cell = 0;
                self.is_head = true;
                self.element("<thead><tr>", "</tr></thead>");
            }
            Tag::TableRow => {
                self.cell = 0;
                self.element("<tr>", "</tr>");
            }
            Tag::TableCell => {
                let (name, closing) = if self.is_head { ("th", "</th>") } else { ("td", "</td>") };
                let class = match self.cells.get(self.cell) {
                    Some(Alignment::Right) => " class=r",
                    Some(Alignment::Center) => " class=n",
                    _ => "",
                };
                self.cell += 1;
                self.element(&format!("<{name}{class}>"), closing);
            }
            Tag::Emphasis => self.element("<em>", "</em>"),
            Tag::Strong => self.element("<strong>", "</strong>"),
            Tag::Strikethrough => self.element("<del>", "</del>"),
            Tag::Link { dest_url, .. } => self.link(&dest_url, ""),
            Tag::Image { dest_url, .. } => self.link(&dest_url, "image: "),
            _ => self.open.push(Cow::Borrowed("")),
        }
    }

    /// A link, or its Markdown source if the address is not allowed.
    fn link(&mut self, url: &str, kind: &str) {
        self.links += 1;
        self.page.push_str(kind);
        let destination = destination(url).filter(|_| self.links == 1);
        if let Some(url) = destination.filter(|_| self.open.len() < MAX_DEPTH) {
            self.page.push_str("<a rel=\"noopener noreferrer nofollow\" href=\"");
            push_attribute(self.page, &url);
            self.page.push_str("\">");
            self.open.push(Cow::Borrowed("</a>"));
        } else {
            self.page.push('[');
            let mut closing = "](".to_owned();
            push_text(&mut closing, url);
            self.open.push(Cow::Owned(closing + ")"));
        }
    }

    fn end(&mut self, end: TagEnd) {
        match end {
            TagEnd::CodeBlock => {
                if let Some((language, code)) = self.code.take() {
                    push_code(self.page, "", &code, &language);
                }
            }
            TagEnd::Link | TagEnd::Image => self.links = self.links.saturating_sub(1),
            TagEnd::TableHead => self.is_head = false,
            _ => {}
        }
        if let Some(closing) = self.open.pop() {
            self.page.push_str(&closing);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn prose(text: &str) -> String {
        let mut page = String::new();
        push_prose(&mut page, text);
        page
    }

    #[test]
    fn markdown_becomes_elements_and_html_becomes_text() {
        let table = [
            (
                "a *b* **c** ~~d~~ `e<`",
                "<p>a <em>b</em> <strong>c</strong> <del>d</del> <code>e&lt;</code></p>",
            ),
            ("# a", "<h3>a</h3>"),
            ("<script>x</script>", "<pre class=h>&lt;script&gt;x&lt;/script&gt;</pre>"),
            ("a <b onclick=x>c", "<p>a &lt;b onclick=x&gt;c</p>"),
            ("- [x] a\n- [ ] b", "<ul><li>☑ a</li><li>☐ b</li></ul>"),
            ("3. a", "<ol start=3><li>a</li></ol>"),
            ("```x\"><b>\n<i>\n```", "<pre>&lt;i&gt;</pre>"),
            (
                "|a|b|\n|-|-:|\n|c|d|",
                "<div class=x><table><thead><tr><th>a</th><th class=r>b</th></tr></thead><tr><td>c</td><td class=r>d</td></tr></table></div>",
            ),
            ("[x]: javascript:y", "<p class=q>[x]: javascript:y</p>"),
        ];
        for (text, expected) in table {
            assert_eq!(prose(text), expected, "{text:?}");
        }
    }

    #[test]
    fn only_web_and_mail_links_become_links() {
        const LINK: &str = "<a rel=\"noopener noreferrer nofollow\" href=\"";
        let table = [
            ("[a](https://b.c/\"d)", format!("<p>{LINK}https://b.c/&quot;d\">a</a></p>")),
            ("<mailto:a@b.c>", format!("<p>{LINK}mailto:a@b.c\">mailto:a@b.c</a></p>")),
            ("[a](javascript:b)", "<p>[a](javascript:b)</p>".to_owned()),
            ("[a](java&#9;script:b)", "<p>[a](java\tscript:b)</p>".to_owned()),
            ("[a](&#106;avascript:b)", "<p>[a](javascript:b)</p>".to_owned()),
            ("[a](<\u{1}javascript:b>)", "<p>[a](\\u{1}javascript:b)</p>".to_owned()),
            ("[a](data:text/html,b)", "<p>[a](data:text/html,b)</p>".to_owned()),
            ("[a](b.md)", "<p>[a](b.md)</p>".to_owned()),
            ("[a](//b.c)", "<p>[a](//b.c)</p>".to_owned()),
            ("![a](https://b.c)", format!("<p>image: {LINK}https://b.c\">a</a></p>")),
            (
                "[![a](https://b.c)](https://d.e)",
                format!("<p>{LINK}https://d.e\">image: [a](https://b.c)</a></p>"),
            ),
        ];
        for (text, expected) in table {
            assert_eq!(prose(text), expected, "{text:?}");
        }
    }

    #[test]
    fn deeply_nested_elements_lose_their_tags() {
        let emphasis = prose(&format!("{}a{}", "*a **b ".repeat(500), "** *".repeat(500)));
        assert!(emphasis.matches("<em>").count() <= MAX_DEPTH);
        assert_eq!(emphasis.matches("<em>").count(), emphasis.matches("</em>").count());
        assert!(prose(&"> ".repeat(5_000)).len() < 50_000);
    }

    proptest! {
        #[test]
        fn every_element_is_closed(
            text in prop_oneof![any::<String>(), r"([a\n *_`~<>|\[\]()!#:-]|\n- |\n> |https://x|]\(){0,60}"],
        ) {
            let page = prose(&text);
            prop_assert!(!page.contains(crate::untrusted::is_harmful));
            let mut open = Vec::new();
            for piece in page.split('<').skip(1) {
                let name = piece.split(['>', ' ']).next().unwrap();
                match name.strip_prefix('/') {
                    Some(name) => prop_assert_eq!(open.pop(), Some(name), "{}", page),
                    None if matches!(name, "br" | "hr") => {}
                    None => open.push(name),
                }
            }
            prop_assert!(open.is_empty());
        }
    }
}
