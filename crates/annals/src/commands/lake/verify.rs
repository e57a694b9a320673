//! `annals lake verify`: every object against its manifest, this machine against the lake.

use crate::context::Context;
use crate::failure::CliError;
use crate::lake_program;
use crate::output::Format;
use document::{LakeAction, LakeAnswer, LakeVerifyDocument};
use render::Style;

/// The most names that are listed.
const MOST_NAMES: usize = 20;

/// Compare every object with its manifest, and this machine with the lake
///
/// Reads all your manifests and all objects they name, and checks size, digest, table, rows and
/// which sessions they are about. Lists objects that are missing, damaged, or that no manifest
/// names. Then compares what is shared here with what the lake has, without sending anything.
/// Exits with 2 if an object is damaged or missing.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Check the objects of everyone that you may list
    #[arg(long)]
    everyone: bool,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let machine = super::machine(context)?;
    let settings = super::settings(context)?;
    let action = LakeAction::Verify { machine: Some(machine), everyone: args.everyone };
    let document = match lake_program::ask(context, settings, action)? {
        Ok(LakeAnswer::Verify(document)) => document,
        Ok(_) => return Err(super::unexpected()),
        Err(failure) => return Err(super::explained(context, failure)),
    };
    match context.output.format {
        Format::Json => context.output.json(&document)?,
        _ => context.output.text(&context.output.hanging(&text(context, &document), 2))?,
    }
    if document.is_intact { Ok(()) } else { Err(CliError::Failed.into()) }
}

fn text(context: &Context, verified: &LakeVerifyDocument) -> String {
    let safe = |text: &str| render::untrusted::line(text).into_owned();
    let paint = context.output.paint;
    let checked = format!(
        "Checked {}, {} and {} ({} rows, {}) in {}.\n",
        super::counted(verified.chains, "chain"),
        super::counted(verified.manifests, "manifest"),
        super::counted(verified.segments, "segment"),
        verified.rows,
        render::bytes(verified.bytes),
        safe(&verified.url)
    );
    let mut text = if verified.is_intact {
        paint.paint(Style::Good, "No damage found.") + " " + &checked
    } else {
        paint.paint(Style::Bad, "Damaged.") + " " + &checked
    };
    for problem in &verified.problems {
        text += &format!("{}: {}\n", safe(&problem.name), safe(&problem.reason));
    }
    let mut list = |title: &str, names: &[String]| {
        if names.is_empty() {
            return;
        }
        text += &format!("{}: {}\n", title, render::counted(names.len(), "object"));
        for name in names.iter().take(MOST_NAMES) {
            text += &format!("- {}\n", safe(name));
        }
        if names.len() > MOST_NAMES {
            text += &format!("- and {} more\n", names.len() - MOST_NAMES);
        }
    };
    list(
        "Named by no manifest, deleted by the next push that changes something",
        &verified.unnamed,
    );
    list("Not written by annals", &verified.foreign);
    match &verified.local {
        None => {}
        Some(local) if local.missing_rows == 0 && local.superfluous == 0 => {
            text += "The lake has everything that is shared here, and nothing else of it.\n";
        }
        Some(local) => {
            text += &format!(
                "A push would send {} rows of {} and delete {}.\n",
                local.missing_rows,
                super::counted(local.missing_sessions, "session"),
                super::counted(local.superfluous, "object")
            );
        }
    }
    text
}
