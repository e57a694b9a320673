//! Markdown from a transcript, made fit to stand inside another page.
//!
//! It must not end the page it stands in: HTML in it becomes text, a fence that
//! was never closed is closed, headings go below the page's own, and links lead
//! only where links on pages lead.

use crate::untrusted;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};
use std::borrow::Cow;
use std::ops::Range;

/// The page's own headings; those within begin below.
const OWN_LEVELS: usize = 3;

/// Schemes that a link may have.
const SCHEMES: [&str; 3] = ["http", "https", "mailto"];

/// A text that can stand anywhere in a page.
pub(crate) fn contained(text: &str) -> String {
    let text = untrusted::text(text);
    if is_plain(&text) {
        return text.trim_end().to_owned();
    }
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut changes: Vec<(usize, Cow<'static, str>)> = Vec::new();
    let mut ending = String::new();
    let mut html: Vec<Range<usize>> = Vec::new();
    for (event, place) in Parser::new_ext(&text, options).into_offset_iter() {
        match event {
            Event::Html(_) | Event::InlineHtml(_) => html.push(place),
            Event::Start(Tag::Heading { .. }) if text[place.start..].starts_with('#') => {
                let level = text[place.start..].bytes().take_while(|byte| *byte == b'#').count();
                let deeper = (level + OWN_LEVELS).min(6).saturating_sub(level);
                changes.push((place.start, "#".repeat(deeper).into()));
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_)))
                if place.end >= text.trim_end().len() =>
            {
                ending = missing_fence(&text[place]);
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. })
                if !leads_somewhere(&dest_url) =>
            {
                // `<javascript:…>` and `[text](javascript:…)` become text.
                let image = usize::from(text[place.start..].starts_with('!'));
                changes.push((place.start + image, "\\".into()));
            }
            _ => {}
        }
    }
    for place in html {
        let signs = text[place.clone()].match_indices('<');
        changes.extend(signs.map(|(at, _)| (place.start + at, "\\".into())));
    }
    changes.sort_by_key(|(at, _)| *at);
    changes.dedup();
    let mut page = String::with_capacity(text.len() + 16 * changes.len());
    let mut done = 0;
    for (at, sign) in changes {
        page.push_str(&text[done..at]);
        page.push_str(&sign);
        done = at;
    }
    page.push_str(text[done..].trim_end());
    page + &ending
}

/// Whether nothing in a text means anything to Markdown but its words.
fn is_plain(text: &str) -> bool {
    !text.contains(['<', '#', '`', '~', '[', ']'])
}

/// The line that closes a fenced block, if it has none.
fn missing_fence(block: &str) -> String {
    let first = block.trim_start();
    let sign = first.chars().next().unwrap_or('`');
    let length = first.chars().take_while(|character| *character == sign).count();
    let fence: String = std::iter::repeat_n(sign, length).collect();
    let last = block.trim_end().lines().last().unwrap_or_default().trim();
    let last = last.trim_start_matches(['>', ' ']);
    let is_closed = block.trim_end().contains('\n')
        && last.len() >= length
        && last.chars().all(|character| character == sign);
    if is_closed { String::new() } else { format!("\n{fence}") }
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
    let mut longest = 0;
    let mut run = 0;
    for byte in text.bytes() {
        run = if byte == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    "`".repeat((longest + 1).max(3))
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
mod tests {
    use super::*;

    #[test]
    fn nothing_within_ends_the_page_around_it() {
        let table = [
            ("plain words", "plain words"),
            ("# Title\n\ntext", "#### Title\n\ntext"),
            ("###### six", "###### six"),
            ("</details><script>x</script>", "\\</details>\\<script>x\\</script>"),
            ("a <b>bold</b> c", "a \\<b>bold\\</b> c"),
            ("`<b>` stays", "`<b>` stays"),
            ("```\n<b> # [x](javascript:1)\n```", "```\n<b> # [x](javascript:1)\n```"),
            ("```rust\nfn main() {", "```rust\nfn main() {\n```"),
            ("~~~~\nx\n~~~", "~~~~\nx\n~~~\n~~~~"),
            ("```", "```\n```"),
            ("<!-- never closed\n\n# more", "\\<!-- never closed\n\n# more"),
            ("[a](javascript:alert(1))", "\\[a](javascript:alert(1))"),
            ("![a](JAVA\tSCRIPT:alert(1))", "![a](JAVA\tSCRIPT:alert(1))"),
            (
                "[a](https://example.org) [b](#x) [c](x/y:z)",
                "[a](https://example.org) [b](#x) [c](x/y:z)",
            ),
            ("\u{1b}[2J gone", "\\u{1b}[2J gone"),
        ];
        for (text, expected) in table {
            assert_eq!(contained(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_line_means_only_what_it_says() {
        let table = [
            ("a [redacted:jwt:12ab] b", "a [redacted:jwt:12ab] b"),
            ("[a](javascript:x) ![b][c]", "[a\\](javascript:x) ![b\\][c]"),
            ("<b>*x*</b> & `y`", "&lt;b>\\*x\\*&lt;/b> &amp; \\`y\\`"),
            ("two\nlines", "two lines"),
        ];
        for (text, expected) in table {
            assert_eq!(literal(text), expected);
        }
    }

    #[test]
    fn a_fence_is_longer_than_any_within() {
        for (text, expected) in [("", "```"), ("a `b`", "```"), ("```` x", "`````")] {
            assert_eq!(fence(text), expected);
        }
    }

    #[test]
    fn links_lead_to_the_web_a_mailbox_or_nearby() {
        let table = [
            ("https://x", true),
            ("HTTP://x", true),
            ("mailto:a@b", true),
            ("a.md", true),
            ("./a:b", true),
            ("#a:b", true),
            ("javascript:x", false),
            (" java\nscript:x", false),
            ("data:text/html,x", false),
            ("vbscript:x", false),
            ("file:///etc/passwd", false),
        ];
        for (url, expected) in table {
            assert_eq!(leads_somewhere(url), expected, "{url}");
        }
    }
}
