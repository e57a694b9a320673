//! Markdown for a terminal.
//!
//! With colours, the looks say what the signs of Markdown said; without, the
//! signs stay, so that what is copied from here means the same elsewhere. Links
//! always show where they lead, as text: a terminal's hyperlinks would hide it.
//! HTML is shown, never followed.
//!
//! Nothing recurses: the parser gives events, and what is open is kept on a
//! stack (`writer`). Lines and what stands before them are made in `page`, the
//! text between is gathered in `inline`.

mod definitions;
mod depth;
mod inline;
mod page;
mod prose;
mod table;
#[cfg(test)]
mod tests;
mod writer;

pub(crate) use depth::is_too_deep;

use crate::style::Paint;
use page::Page;
use pulldown_cmark::{Options, Parser};
use writer::Writer;

/// What people write beyond the core of Markdown.
pub(crate) const OPTIONS: Options =
    Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH).union(Options::ENABLE_TASKLISTS);

/// Markdown as lines for a terminal, each ended with a newline; harmless but for
/// the colours, if any. Prose is broken to the width; without a width its lines
/// stay as they are. Code is never broken.
pub fn markdown(text: &str, width: Option<usize>, paint: Paint) -> String {
    let mut page = Page::new(width, paint, text.len() + text.len() / 16);
    if prose::is_plain(text) {
        prose::write(text, &mut page);
    } else if depth::is_too_deep(text) {
        depth::write(text, &mut page);
    } else {
        return parsed(text, page);
    }
    page.finish()
}

fn parsed(text: &str, page: Page) -> String {
    let mut writer = Writer::new(page);
    let parser = Parser::new_ext(text, OPTIONS);
    let Some(mut definitions) = definitions::find(text) else {
        parser.for_each(|event| writer.event(event));
        return writer.finish();
    };
    for (event, place) in parser.into_offset_iter() {
        definitions.pass(&event, &place);
        if writer.is_between_blocks(&event) {
            writer.literal(&definitions.before(&event, &place));
        }
        writer.event(event);
    }
    writer.literal(&definitions.rest());
    writer.finish()
}
