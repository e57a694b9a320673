//! Markdown from a transcript, made safe to embed in another page.
//!
//! Embedded text must not affect the rest of the page: HTML becomes text, an open fence
//! is closed, headings are lowered below the page's own, links may only have allowed
//! schemes, images become links, and link definitions are escaped.
//!
//! A change can reveal new markup, so the text is parsed again until nothing is left to
//! change and text after it would be independent. Text that needs too many passes is
//! shown verbatim, in a fence.

use crate::markdown::is_too_deep;
use crate::untrusted;
use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag};
use std::borrow::Cow;
use std::ops::Range;

/// The levels of the page's own headings; embedded headings begin below.
const OWN_LEVELS: usize = 3;

/// Schemes that a link may have.
const SCHEMES: [&str; 3] = ["http", "https", "mailto"];

/// The extensions that Markdown viewers usually support.
const OPTIONS: Options =
    Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH).union(Options::ENABLE_FOOTNOTES);

/// Represents the page after a text.
const REST: &str = "\n\nX";

/// How often a text is parsed at most. Normal texts need two or three passes.
const MAX_PASSES: usize = 12;

/// A text that is safe anywhere in a page.
pub(crate) fn contained(text: &str) -> String {
    let text = untrusted::text(text);
    let text = text.trim_end();
    if is_plain(text) {
        return text.to_owned();
    }
    escaped_within_passes(text).unwrap_or_else(|| block(text))
}

/// The text as a safe block quote.
pub(crate) fn quoted(text: &str) -> String {
    let shown = quote(&contained(text));
    // A tab is narrower after a quote marker, so indented code may stop being code there.
    if !shown.contains('\t') || is_plain(&shown) || is_contained(&shown) {
        return shown;
    }
    quote(&block(untrusted::text(text).trim_end()))
}

fn quote(text: &str) -> String {
    let mut shown = String::with_capacity(text.len() + 16);
    for line in text.lines() {
        shown.push_str(if line.is_empty() { ">" } else { "> " });
        shown.push_str(line);
        shown.push('\n');
    }
    shown
}

/// A text verbatim, in a fence.
fn block(text: &str) -> String {
    let fence = fence(text);
    format!("{fence}\n{text}\n{fence}")
}

/// Whether a text contains no Markdown except words, lists and quotes.
fn is_plain(text: &str) -> bool {
    !text.contains(['<', '#', '`', '~', '[', ']']) && !text.lines().any(is_underline)
}

/// Whether a line may turn the line above it into a heading.
fn is_underline(line: &str) -> bool {
    let signs = line.trim_matches([' ', '\t', '>']);
    let sign = match signs.as_bytes().first() {
        Some(b'=') => '=',
        Some(b'-') => '-',
        _ => return false,
    };
    signs.trim_start_matches(sign).is_empty()
}

/// The text with all markup escaped that would affect the rest of the page; `None` if
/// that takes too many passes.
fn escaped_within_passes(text: &str) -> Option<String> {
    if is_too_deep(text) {
        return None;
    }
    let mut page = format!("{text}{REST}");
    let (mut is_closed, mut is_lowered) = (false, false);
    for _ in 0..MAX_PASSES {
        let inspection = Inspection::at(&page);
        if !inspection.escapes.is_empty() {
            page = changed(&page, inspection.escapes);
        } else if !inspection.rest_stands_alone {
            let fence = inspection.fence.filter(|_| !is_closed)?;
            is_closed = true;
            page.truncate(page.len() - REST.len());
            page = format!("{page}\n{fence}{REST}");
        } else if !is_lowered && !inspection.headings.is_empty() {
            is_lowered = true;
            page = changed(&page, inspection.lowered());
        } else if inspection.has_own_level() {
            return None;
        } else {
            page.truncate(page.len() - REST.len());
            page.truncate(page.trim_end().len());
            return Some(page);
        }
    }
    None
}

/// Whether a text does not affect the rest of the page.
fn is_contained(text: &str) -> bool {
    let page = format!("{text}{REST}");
    let inspection = Inspection::at(&page);
    inspection.escapes.is_empty() && inspection.rest_stands_alone && !inspection.has_own_level()
}

/// A range, and its replacement.
type Change = (Range<usize>, Cow<'static, str>);

/// What the parser finds in a text that is followed by [`REST`].
#[derive(Default)]
struct Inspection {
    /// The changes that escape unsafe markup.
    escapes: Vec<Change>,
    /// The ranges and levels of headings.
    headings: Vec<(usize, usize)>,
    /// Whether the text after it is a separate paragraph.
    rest_stands_alone: bool,
    /// The fence that would close the last fenced block.
    fence: Option<String>,
}

impl Inspection {
    fn at(page: &str) -> Self {
        let mut inspection = Inspection::default();
        let rest = page.len() - REST.trim_start().len();
        let mut depth = 0_usize;
        let mut events = Parser::new_ext(page, OPTIONS).into_offset_iter();
        for (event, place) in events.by_ref() {
            match &event {
                Event::Start(tag) => {
                    let is_rest = depth == 0 && place.start == rest;
                    inspection.rest_stands_alone |= is_rest && matches!(tag, Tag::Paragraph);
                    inspection.start(tag, page, place);
                    depth += 1;
                }
                Event::End(_) => depth = depth.saturating_sub(1),
                Event::Html(_) | Event::InlineHtml(_) => {
                    let signs = page[place.clone()].match_indices('<');
                    inspection.escapes.extend(signs.map(|(at, _)| escape(place.start + at)));
                }
                _ => {}
            }
        }
        // Definitions would turn other text on the page into links.
        for (_, definition) in events.reference_definitions().iter() {
            let start = definition.span.start;
            let sign = page.get(definition.span.clone()).and_then(|text| text.find('['));
            inspection.escapes.extend(sign.map(|sign| escape(start + sign)));
        }
        inspection
    }

    fn start(&mut self, tag: &Tag<'_>, page: &str, place: Range<usize>) {
        let text = &page[place.clone()];
        match tag {
            Tag::Heading { level, .. } => {
                let start = place.start + (text.len() - text.trim_start().len());
                if is_atx_heading(text.trim_start()) {
                    self.headings.push((start, *level as usize));
                } else {
                    let sign = "#".repeat(*level as usize);
                    self.escapes.extend(underlined(text.trim_start(), start, &sign));
                }
            }
            Tag::CodeBlock(CodeBlockKind::Fenced(_)) => {
                let sign = if text.trim_start().starts_with('~') { '~' } else { '`' };
                let length = text.trim_start().chars().take_while(|it| *it == sign).count();
                self.fence = Some(std::iter::repeat_n(sign, length).collect());
            }
            Tag::FootnoteDefinition(_) => {
                self.escapes.extend(text.find('[').map(|sign| escape(place.start + sign)));
            }
            // A remote image would tell its server who reads the page: it becomes a link.
            Tag::Image { link_type: LinkType::Inline, .. } => {
                self.escapes.push(escape(place.start));
            }
            // `<javascript:…>` and `[text](javascript:…)` become text; for reference
            // links, the definition does.
            Tag::Link { link_type, dest_url, .. }
                if matches!(link_type, LinkType::Inline | LinkType::Autolink | LinkType::Email)
                    && !is_allowed_link(dest_url) =>
            {
                self.escapes.push(escape(place.start));
            }
            _ => {}
        }
    }

    fn has_own_level(&self) -> bool {
        self.headings.iter().any(|(_, level)| *level <= OWN_LEVELS)
    }

    fn lowered(&self) -> Vec<Change> {
        let deeper = |level: usize| (level + OWN_LEVELS).min(6).saturating_sub(level);
        let lower = |(at, level): &(usize, usize)| (*at..*at, "#".repeat(deeper(*level)).into());
        self.headings.iter().map(lower).collect()
    }
}

fn escape(at: usize) -> Change {
    (at..at, "\\".into())
}

/// Whether a heading begins with `#`, and is not underlined.
fn is_atx_heading(heading: &str) -> bool {
    let rest = heading.trim_start_matches('#');
    rest.len() < heading.len() && (rest.is_empty() || rest.starts_with([' ', '\t', '\n']))
}

/// The changes that turn an underlined heading into one with `#`; a heading of several
/// lines becomes a paragraph.
fn underlined(heading: &str, start: usize, sign: &str) -> Vec<Change> {
    let heading = heading.trim_end();
    let underline = if heading.ends_with('=') { '=' } else { '-' };
    let line = heading.trim_end_matches(underline).len();
    let (content, line_at) = (&heading[..line], start + line);
    let is_one_line = content.matches('\n').count() == 1;
    let words = content.lines().next().unwrap_or_default().trim_end();
    if is_one_line && !words.ends_with('#') {
        let sign = Cow::Owned(format!("{sign} "));
        vec![(start..start, sign), (line_at..start + heading.len(), "".into())]
    } else {
        vec![escape(line_at)]
    }
}

fn changed(text: &str, mut changes: Vec<Change>) -> String {
    changes.sort_by_key(|(place, _)| place.start);
    let mut page = String::with_capacity(text.len() + 16 * changes.len());
    let mut done = 0;
    let mut last = None;
    for (place, sign) in changes {
        if place.start < done || last == Some(place.start) {
            continue;
        }
        last = Some(place.start);
        page.push_str(&text[done..place.start]);
        page.push_str(&sign);
        done = place.end;
    }
    page.push_str(&text[done..]);
    page
}

/// Whether a link is allowed: to the web, to a mailbox, or within the page and its
/// folder. A link that begins with two slashes leads to another host while it looks like a
/// path.
pub(crate) fn is_allowed_link(url: &str) -> bool {
    // Characters that browsers remove from a scheme.
    let url: String = url.chars().filter(|c| !c.is_control() && !c.is_whitespace()).collect();
    // Browsers read a backslash as a slash.
    if url.starts_with(['/', '\\']) && url[1..].starts_with(['/', '\\']) {
        return false;
    }
    let Some((scheme, _)) = url.split_once(':') else { return true };
    if scheme.contains(['/', '?', '#']) {
        return true;
    }
    SCHEMES.contains(&scheme.to_ascii_lowercase().as_str())
}

/// A fence that no line of the text closes.
pub(crate) fn fence(text: &str) -> String {
    "`".repeat((longest_run(text) + 1).max(3))
}

/// The length of the longest run of backquotes.
pub(crate) fn longest_run(text: &str) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for byte in text.bytes() {
        run = if byte == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// A line of text with all Markdown escaped. Brackets are not escaped where they cannot
/// make a link: placeholders of masked secrets have brackets, and should inspection the same
/// everywhere.
pub(crate) fn literal(text: &str) -> String {
    let text = untrusted::line(text);
    let mut shown = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '<' => shown.push_str("&lt;"),
            '&' => shown.push_str("&amp;"),
            ']' if matches!(characters.peek(), Some('(' | '[' | ':')) => shown.push_str("\\]"),
            '\\' | '`' | '*' | '_' | '#' | '|' | '~' => {
                shown.push('\\');
                shown.push(character);
            }
            _ => shown.push(character),
        }
    }
    shown
}

#[cfg(test)]
mod tests;
