//! The report of an export: the written files, and the masked places.

use super::Exported;
use crate::context::Context;
use document::pages::MaskedSecret;
use document::{ExportDocument, ExportedFileDocument, MaskedSecretDocument};
use std::collections::BTreeMap;

/// Prints the written files, and the masked places.
pub(super) fn print(context: &Context, exported: &[Exported]) -> anyhow::Result<()> {
    if context.output.format != crate::output::Format::Text {
        let files = exported.iter().map(|one| ExportedFileDocument {
            path: one.path.to_string_lossy().into_owned(),
            session_id: one.session_id.clone(),
            agent_id: one.agent_id.clone(),
            bytes: one.bytes,
            masked: one
                .masked
                .iter()
                .map(|place| MaskedSecretDocument {
                    rule: place.masked.rule.into(),
                    agent_id: place.agent_id.clone(),
                    output: place.output.clone(),
                    line: place.masked.line,
                    count: place.masked.count,
                })
                .collect(),
            reduction: one.reduction,
        });
        return context.output.json(&ExportDocument::new(files.collect()));
    }
    let mut text = String::new();
    for one in exported {
        let path = render::untrusted::line(&one.path.to_string_lossy()).into_owned();
        let size =
            if one.bytes > 0 { format!("  {}", render::bytes(one.bytes)) } else { String::new() };
        text += &format!("{path}{size}\n");
        if let Some(reduction) = one.reduction {
            text += &format!("  {}\n", super::xml::reduction_line(reduction));
        }
        for line in masked_lines(&one.masked) {
            text += &format!("  masked {line}\n");
        }
    }
    context.output.unpaged(&text)
}

/// The most places that are listed for one kind of secret.
const MOST_PLACES: usize = 8;

/// The masked places, one line for each kind.
pub(super) fn masked_lines(masked: &[MaskedSecret]) -> Vec<String> {
    let mut by_rule: BTreeMap<&str, (u64, Vec<String>)> = BTreeMap::new();
    for MaskedSecret { agent_id, output, masked } in masked {
        let (count, places) = by_rule.entry(masked.rule).or_default();
        *count += masked.count;
        let of = agent_id.as_ref().or(output.as_ref()).map(|name| format!(" of {name}"));
        places.push(format!("line {}{}", masked.line, of.unwrap_or_default()));
    }
    let line = |(rule, (count, places)): (&str, (u64, Vec<String>))| {
        let more = places.len().saturating_sub(MOST_PLACES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let shown = places.iter().take(MOST_PLACES).cloned().collect::<Vec<_>>().join(", ");
        render::untrusted::line(&format!("{count} × {rule}: {shown}{more}")).into_owned()
    };
    by_rule.into_iter().map(line).collect()
}
