//! `annals doctor`: problems, unknown data, and sessions about to be deleted.

mod report;
mod secrets;

use crate::context::Context;
use crate::output::Format;
use document::{DoctorDocument, InstalledProgramDocument};
use report::Report;

/// Check every store for problems
///
/// Reports the stores and how they were found, which sessions Claude Code will
/// delete and when, which are not archived yet, duplicate files, folders shared by
/// several paths, damage with file and offset, data that this version does not
/// know, stale caches of Claude Code, and whether hooks and timer run this program.
/// Reads every transcript and changes nothing.
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
    let diagnosis =
        context.library.health().diagnose(context.settings.now, &context.progress("examining"));
    let archive =
        context.library.archive().report(context.settings.max_age(None)?, context.settings.now);
    let mut document = DoctorDocument::new(
        context.library.catalog().roots(),
        context.library.health().unusable_roots(),
        &diagnosis,
        &archive,
    );
    document.programs = installed_programs(context);
    match context.output.format {
        Format::Json => context.output.json(&document),
        _ => context.output.text(&Report { context, all: args.all }.text(&document)),
    }
}

/// The annals programs that Claude Code and the timer run.
fn installed_programs(context: &Context) -> Vec<InstalledProgramDocument> {
    let Ok(input) = super::setup::input(context) else { return Vec::new() };
    let programs = integration::setup::installed_programs(&input).into_iter();
    let programs = programs.map(|found| InstalledProgramDocument {
        part: found.part.name().into(),
        program: found.program,
        state: found.state.name().into(),
    });
    programs.collect()
}
