//! The index page of sessions that were exported together.

use super::{Exported, Format};
use crate::context::Context;
use anyhow::Context as _;
use document::ExportIndexDocument;
use std::path::Path;

/// Writes the index beside the files it lists, in the order of the sessions.
pub(super) fn write(
    context: &Context,
    path: &Path,
    format: Format,
    exported: &[Exported],
    replace: bool,
) -> anyhow::Result<()> {
    let entries: Vec<&render::IndexEntry> = exported.iter().map(|one| &one.entry).collect();
    let page = match format {
        Format::Md => render::markdown_index(&entries, &context.settings.zone),
        Format::Html => render::html_index(&entries, &context.settings.zone),
        Format::Txt => render::plain_index(&entries, &context.settings.zone),
        Format::Json | Format::Jsonl | Format::Xml => {
            let document = ExportIndexDocument::new(entries);
            render::json::document(&document).context("cannot write the index as JSON")?
        }
    };
    crate::whole_file::write(path, page.as_bytes(), replace)
}
