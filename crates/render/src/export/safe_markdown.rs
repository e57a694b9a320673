//! Markdown from a transcript, made fit to stand inside another page.
//!
//! It must not end the page it stands in: HTML in it becomes text, a fence that
//! was never closed is closed, headings go below the page's own, links lead only
//! where links on pages lead, pictures are links, and no definition of a link
//! reaches the rest of the page.
//!
//! What is changed may bring to light what it hid, so the parser looks again
//! until there is nothing left to change and what follows would stand on its
//! own. Text that does not come to that soon is shown as it is, in a fence.

use crate::markdown::is_too_deep;
use crate::untrusted;
use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag};
use std::borrow::Cow;
use std::ops::Range;

/// The page's own headings; those within begin below.
const OWN_LEVELS: usize = 3;

/// Schemes that a link may have.
const SCHEMES: [&str; 3] = ["http", "https", "mailto"];

/// What pages that show Markdown know beyond the core of it.
const OPTIONS: Options =
    Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH).union(Options::ENABLE_FOOTNOTES);

/// Stands for the page that follows a text.
const REST: &str = "\n\nX";

/// How often a text is looked at. People's texts take two or three looks.
const MOST_LOOKS: usize = 12;

/// A text that can stand anywhere in a page.
pub(crate) fn contained(text: &str) -> String {
    let text = untrusted::text(text);
    let text = text.trim_end();
    if is_plain(text) {
        return text.to_owned();
    }
    made_fit(text).unwrap_or_else(|| block(text))
}

/// The same as a quote.
pub(crate) fn quoted(text: &str) -> String {
    let shown = quote(&contained(text));
    // A tab reaches less far behind the sign of a quote: what was code by its
    // indent may be none there.
    if !shown.contains('\t') || is_plain(&shown) || is_fit(&shown) {
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

/// A text as it is.
fn block(text: &str) -> String {
    let fence = fence(text);
    format!("{fence}\n{text}\n{fence}")
}

/// Whether nothing in a text means anything to Markdown but its words, lists
/// and quotes.
fn is_plain(text: &str) -> bool {
    !text.contains(['<', '#', '`', '~', '[', ']']) && !text.lines().any(is_underline)
}

/// Whether a line may make the one above it a heading.
fn is_underline(line: &str) -> bool {
    let signs = line.trim_matches([' ', '\t', '>']);
    let sign = match signs.as_bytes().first() {
        Some(b'=') => '=',
        Some(b'-') => '-',
        _ => return false,
    };
    signs.trim_start_matches(sign).is_empty()
}

/// The text with everything in it that reaches beyond it made text; none where
/// that is not soon done.
fn made_fit(text: &str) -> Option<String> {
    if is_too_deep(text) {
        return None;
    }
    let mut page = format!("{text}{REST}");
    let (mut is_closed, mut is_lowered) = (false, false);
    for _ in 0..MOST_LOOKS {
        let look = Look::at(&page);
        if !look.escapes.is_empty() {
            page = changed(&page, look.escapes);
        } else if !look.rest_stands_alone {
            let fence = look.fence.filter(|_| !is_closed)?;
            is_closed = true;
            page.truncate(page.len() - REST.len());
            page = format!("{page}\n{fence}{REST}");
        } else if !is_lowered && !look.headings.is_empty() {
            is_lowered = true;
            page = changed(&page, look.lowered());
        } else if look.has_own_level() {
            return None;
        } else {
            page.truncate(page.len() - REST.len());
            page.truncate(page.trim_end().len());
            return Some(page);
        }
    }
    None
}

/// Whether a text reaches nowhere beyond itself.
fn is_fit(text: &str) -> bool {
    let page = format!("{text}{REST}");
    let look = Look::at(&page);
    look.escapes.is_empty() && look.rest_stands_alone && !look.has_own_level()
}

/// A place, and what comes there.
type Change = (Range<usize>, Cow<'static, str>);

/// What a parser sees in a text that is followed by [`REST`].
#[derive(Default)]
struct Look {
    /// What takes away the meaning of what must have none.
    escapes: Vec<Change>,
    /// Headings: where each is, and its level.
    headings: Vec<(usize, usize)>,
    /// Whether what follows the text is a paragraph of its own.
    rest_stands_alone: bool,
    /// What would close the last fenced block.
    fence: Option<String>,
}

impl Look {
    fn at(page: &str) -> Self {
        let mut look = Look::default();
        let rest = page.len() - REST.trim_start().len();
        let mut depth = 0_usize;
        let mut events = Parser::new_ext(page, OPTIONS).into_offset_iter();
        for (event, place) in events.by_ref() {
            match &event {
                Event::Start(tag) => {
                    let is_rest = depth == 0 && place.start == rest;
                    look.rest_stands_alone |= is_rest && matches!(tag, Tag::Paragraph);
                    look.start(tag, page, place);
                    depth += 1;
                }
                Event::End(_) => depth = depth.saturating_sub(1),
                Event::Html(_) | Event::InlineHtml(_) => {
                    let signs = page[place.clone()].match_indices('<');
                    look.escapes.extend(signs.map(|(at, _)| escape(place.start + at)));
                }
                _ => {}
            }
        }
        // They would make links of what others wrote on the page.
        for (_, definition) in events.reference_definitions().iter() {
            let start = definition.span.start;
            let sign = page.get(definition.span.clone()).and_then(|text| text.find('['));
            look.escapes.extend(sign.map(|sign| escape(start + sign)));
        }
        look
    }

    fn start(&mut self, tag: &Tag<'_>, page: &str, place: Range<usize>) {
        let text = &page[place.clone()];
        match tag {
            Tag::Heading { level, .. } => {
                let start = place.start + (text.len() - text.trim_start().len());
                if is_signed(text.trim_start()) {
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
            // A picture from elsewhere would tell its owner who reads the page: it
            // becomes a link.
            Tag::Image { link_type: LinkType::Inline, .. } => {
                self.escapes.push(escape(place.start));
            }
            // `<javascript:…>` and `[text](javascript:…)` become text; of the
            // others the definition does.
            Tag::Link { link_type, dest_url, .. }
                if matches!(link_type, LinkType::Inline | LinkType::Autolink | LinkType::Email)
                    && !leads_somewhere(dest_url) =>
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

/// Whether a heading begins with its signs, and is not underlined.
fn is_signed(heading: &str) -> bool {
    let rest = heading.trim_start_matches('#');
    rest.len() < heading.len() && (rest.is_empty() || rest.starts_with([' ', '\t', '\n']))
}

/// What makes a heading that is underlined one with signs before it; one of
/// several lines becomes a paragraph.
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

/// Whether a link may lead there: to the web, to a mailbox, or within the page
/// and its folder.
pub(crate) fn leads_somewhere(url: &str) -> bool {
    // What browsers leave out of a scheme before they look at it.
    let url: String = url.chars().filter(|c| !c.is_control() && !c.is_whitespace()).collect();
    let Some((scheme, _)) = url.split_once(':') else { return true };
    if scheme.contains(['/', '?', '#']) {
        return true;
    }
    SCHEMES.contains(&scheme.to_ascii_lowercase().as_str())
}

/// A fence that no line within closes.
pub(crate) fn fence(text: &str) -> String {
    "`".repeat((longest_run(text) + 1).max(3))
}

/// The most backquotes in a row.
pub(crate) fn longest_run(text: &str) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for byte in text.bytes() {
        run = if byte == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// A line of text in which nothing means anything to Markdown. Brackets are
/// left alone where they cannot make a link: placeholders of masked secrets have
/// them, and read the same everywhere.
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
