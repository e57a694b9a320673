//! `annals archive export` and `import`: copy the archive to another disk or machine,
//! and merge it back.

use crate::context::Context;
use crate::failure::{CliError, notice};
use crate::output::Format;
use archive::MergeReport;
use document::ArchiveTransferDocument;
use library::archive::TransferReport;
use library::progress::Progress as _;
use std::path::{Path, PathBuf};

/// Copy the archive to another disk or machine
///
/// Creates a complete archive in the folder, with marks and the rest of the ledger,
/// or adds what an earlier export lacks. Set `ANNALS_HOME` to the folder to read it
/// there.
#[derive(Debug, clap::Args)]
pub(crate) struct ExportArgs {
    /// Target: an empty folder, or an earlier export
    folder: PathBuf,
    /// Only these sessions
    #[arg(value_name = "SESSION")]
    sessions: Vec<String>,
}

/// Import another archive
///
/// Imports an export or another `ANNALS_HOME`. Nothing is lost on either side:
/// identical files are stored once, and different versions side by side. Every byte
/// is verified before it is imported. Sessions that were deleted from this archive
/// with `forget` stay deleted.
#[derive(Debug, clap::Args)]
pub(crate) struct ImportArgs {
    /// Source folder
    folder: PathBuf,
}

pub(crate) fn export(context: &Context, args: &ExportArgs) -> anyhow::Result<()> {
    let folder = std::path::absolute(&args.folder)?;
    let mut sessions = Vec::new();
    for name in &args.sessions {
        sessions.push(super::ls::archived_id(context, name)?);
    }
    let bar = context.progress("exporting");
    bar.start(context.library.archive().open()?.state().sizes().0);
    let transferred =
        context.library.actions().export(&folder, &sessions, context.settings.now, &bar);
    bar.finish();
    print(context, &transferred?, "Exported", &folder)
}

pub(crate) fn import(context: &Context, args: &ImportArgs) -> anyhow::Result<()> {
    context.check_data_home()?;
    let folder = std::path::absolute(&args.folder)?;
    let bar = context.progress("importing");
    let transferred = context.library.actions().import(&folder, context.settings.now, &bar);
    bar.finish();
    print(context, &transferred?, "Imported", &folder)
}

fn print(
    context: &Context,
    report: &TransferReport,
    done: &str,
    folder: &Path,
) -> anyhow::Result<()> {
    let TransferReport { merged, facts, forgotten, still_archived, broken_lines } = report;
    let MergeReport { files, changed, bytes, damaged, .. } = merged;
    for (key, reason) in damaged {
        notice(&format!("annals: skipping a version of {}: {reason}", key.1));
    }
    if context.output.format == Format::Json {
        context.output.json(&ArchiveTransferDocument::from(report))?;
    } else {
        let mut text = format!(
            "{done} {} of {} files ({}): {}\n",
            render::grouped(*changed as u64),
            render::grouped(*files as u64),
            render::bytes(*bytes),
            context.short_path(&folder.to_string_lossy())
        );
        if *facts > 0 {
            let records = render::counted(*facts, "ledger record");
            text += &format!("{done} {records}: marks and other notes.\n");
        }
        if !forgotten.is_empty() {
            let sessions = render::counted(forgotten.len(), "session");
            text += &format!(
                "Skipped {sessions} that were deleted from the target with `annals archive forget`.\n"
            );
        }
        if !still_archived.is_empty() {
            let sessions = render::counted(still_archived.len(), "session");
            text += &format!(
                "Deleted in the source with `forget`, but still in the target: {sessions}.\n"
            );
        }
        context.output.text(&render::untrusted::text(&text))?;
    }
    if *broken_lines > 0 {
        let lines = render::counted(*broken_lines, "line");
        notice(&format!("annals: {lines} of the source manifest could not be read"));
    }
    if damaged.is_empty() && *broken_lines == 0 { Ok(()) } else { Err(CliError::Failed.into()) }
}
