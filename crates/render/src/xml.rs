//! A session as compact XML, for another model to read.
//!
//! `docs/xml.md` describes the elements and attributes. A document contains everything,
//! or less under rules, each of which marks in place what it left out. Prompts, answers,
//! failures and the names of changed files are kept under every rule.
//!
//! Always well-formed: names of elements and attributes are constants, and transcript
//! text passes through `writer.rs`. Deliberately not here: where documents are written.

mod call;
mod discovery;
mod notes;
mod parts;
mod prune;
mod rules;
mod seen_texts;
mod steps;
mod walk;
mod writer;

pub use parts::Part;
pub use rules::{Rule, Rules};

use crate::export_document::ExportDocument;
use writer::{Element, Item};

/// Bytes per token: an estimate, because no model's tokenizer is available here.
pub const BYTES_PER_TOKEN: u64 = 4;

/// The estimated tokens of a number of bytes.
pub fn estimated_tokens(bytes: u64) -> u64 {
    bytes.div_ceil(BYTES_PER_TOKEN)
}

/// A session as XML, to be written as a whole or in parts.
#[derive(Clone, Debug)]
pub struct Document {
    meta: String,
    items: Vec<Item>,
}

impl Document {
    /// Builds the document of a session under rules.
    pub fn of(export: &ExportDocument<'_>, rules: Rules) -> Self {
        Document { meta: meta(export, rules), items: walk::items(export, rules) }
    }
}

fn meta(export: &ExportDocument<'_>, rules: Rules) -> String {
    let heading = &export.heading;
    let time = |time: Option<jiff::Timestamp>| time.map(writer::moment);
    let masked = export.masked.filter(|count| *count > 0).map(|count| count.to_string());
    let names: Vec<&str> = rules.iter().map(Rule::name).collect();
    Element::new("meta")
        .attribute("session", &heading.session_id)
        .optional("agent", heading.agent_id.as_deref())
        .attribute("title", &heading.title)
        .attribute("source", &heading.source)
        .optional("project", heading.project.as_deref())
        .optional("branch", heading.branch.as_deref())
        .filled("model", &heading.models.join(" "))
        .optional("version", heading.version.as_deref())
        .optional("started", time(heading.started).as_deref())
        .optional("ended", time(heading.ended).as_deref())
        .optional("masked", masked.as_deref())
        .filled("without", &export.left_out.join(", "))
        .filled("rules", &names.join(" "))
        .finish()
}

#[cfg(test)]
mod tests;
