//! A session as compact XML, for another model to read.
//!
//! The elements and attributes are `docs/xml.md`'s. Everything can be told, or
//! less of it by rules, each of which says in place what it left out. What a
//! person asked, what was answered, what failed and which files changed is told
//! under every rule.
//!
//! Always well-formed: names of elements and attributes are ours alone, and what
//! was said passes through `writer.rs`. Where documents go is not here.

mod call;
mod discovery;
mod known;
mod notes;
mod parts;
mod prune;
mod rules;
mod steps;
mod walk;
mod writer;

pub use parts::Part;
pub use rules::{Rule, Rules};

use crate::export_document::ExportDocument;
use writer::{Element, Item};

/// Bytes that a token is taken to stand for: an estimate, as no model's own way
/// of counting is known here.
pub const BYTES_PER_TOKEN: u64 = 4;

/// The tokens that a number of bytes comes to, as an estimate.
pub fn estimated_tokens(bytes: u64) -> u64 {
    bytes.div_ceil(BYTES_PER_TOKEN)
}

/// A session as XML, to be written whole or in parts.
#[derive(Clone, Debug)]
pub struct Document {
    meta: String,
    items: Vec<Item>,
}

impl Document {
    /// Tells a session under rules.
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
