//! `annals doctor`: problems, unknown data, and sessions about to be deleted.

mod report;
mod secrets;

use crate::context::Context;
use crate::output::Format;
use document::DoctorDocument;
use report::Report;

/// Check every store for problems
///
/// Reports the stores and how they were found, which sessions Claude Code will
/// delete and when, which are not archived yet, duplicate files, folders shared by
/// several paths, damage with file and offset, data that this version does not
/// know, and stale caches of Claude Code. Reads every transcript and changes
/// nothing.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Show complete lists
    #[arg(long)]
    all: bool,
    /// List the sessions that contain secrets instead, and where
    #[arg(long)]
    secrets: bool,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    if args.secrets {
        return secrets::run(context, args.all);
    }
    context.no_rows("doctor")?;
    let diagnosis = context.library.health().diagnose(context.now, &context.progress("examining"));
    let archive = context.library.archive().report(context.max_age(None)?, context.now);
    let document = DoctorDocument::new(
        context.library.roots(),
        context.library.health().unusable_roots(),
        &diagnosis,
        &archive,
    );
    match context.output.format {
        Format::Json => context.output.json(&document),
        _ => context.output.text(&Report { context, all: args.all }.text(&document)),
    }
}
