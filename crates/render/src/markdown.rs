//! Markdown for a terminal.
//!
//! With colours, styles replace the markup; without colours, the markup stays, so that
//! copied text keeps its meaning. Links always show their address as text, because
//! terminal hyperlinks would hide it. HTML is shown as text.
//!
//! Nothing recurses: the parser emits events, and open blocks are kept on a stack
//! (`writer`). `page` writes lines and their prefixes, `inline` collects the text of a
//! block.

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

/// The common extensions of Markdown.
pub(crate) const OPTIONS: Options =
    Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH).union(Options::ENABLE_TASKLISTS);

/// Markdown as lines for a terminal, each with a newline; harmless except for colours.
/// Prose is wrapped to the width; without a width its lines stay unchanged. Code is never
/// wrapped.
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
