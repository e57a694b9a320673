//! `annals archive sync`: back up new and changed sessions.

use crate::context::Context;
use crate::failure::{CliError, notice};
use crate::output::Format;
use archive::NewlyArchived;
use document::{ArchiveSyncDocument, ArchivedFileDocument, compression_ratio};
use jiff::Timestamp;
use library::archive::{ArchiveError, SyncOptions, SyncReport};
use library::progress::Progress as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use store::{Watch, WatchedChange};

/// Back up new and changed sessions
///
/// Archives every file of every session in every store, plus plans, file backups,
/// to-dos and the prompt history; never keys, credentials or settings. Reads and
/// stores only new bytes; a rewritten file is archived in both versions. With
/// `--jsonl`, reports each file as soon as it is safely stored.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Keep running, and back up changes within a second
    #[arg(long)]
    watch: bool,
    /// Skip sessions that have not changed for AGE, and remove them from the
    /// archive: `400d`, `52w`
    #[arg(long, value_name = "AGE")]
    max_age: Option<String>,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    context.check_data_home()?;
    let max_age = context.settings.max_age(args.max_age.as_deref())?;
    let options = SyncOptions { now: context.settings.now, only: None, max_age };
    let report = sync(context, options)?;
    print(context, &report)?;
    if args.watch {
        return watch(context, options);
    }
    if report.synced.read_errors.is_empty() { Ok(()) } else { Err(CliError::Failed.into()) }
}

fn sync(context: &Context, options: SyncOptions<'_>) -> Result<SyncReport, ArchiveError> {
    let bar = context.progress("archiving");
    let is_rows = context.output.format == Format::Jsonl;
    let print_files = |files: &[NewlyArchived]| {
        if is_rows {
            print_rows(files);
        }
    };
    let report = context.library.actions().sync(options, &bar, &print_files);
    bar.finish();
    let report = report?;
    for (path, reason) in &report.synced.read_errors {
        notice(&format!("annals: cannot archive {}: {reason}", path.display()));
    }
    Ok(report)
}

/// Backs up all sessions, as without options.
pub(super) fn sync_all(context: &Context) -> anyhow::Result<()> {
    run(context, &Args { watch: false, max_age: None })
}

/// Syncs without output.
pub(super) fn sync_quietly(context: &Context) -> anyhow::Result<()> {
    sync(context, SyncOptions { now: context.settings.now, only: None, max_age: None })?;
    Ok(())
}

/// Keeps running and backs up changes, until the process ends.
fn watch(context: &Context, options: SyncOptions<'_>) -> anyhow::Result<()> {
    // Changes without a notification are found at least this often.
    const EVERYTHING: Duration = Duration::from_mins(1);
    let folders: Vec<PathBuf> = context
        .library
        .archive()
        .store_roots()
        .iter()
        .map(|area| area.folder().to_owned())
        .collect();
    let watch = Watch::new(&folders);
    if let Some(sentence) = watch.polling_notice() {
        notice(&format!("annals: {sentence}"));
    }
    notice("annals: backing up changes; ^C to stop");
    let mut whole = Instant::now();
    loop {
        let changed = watch.wait(EVERYTHING.saturating_sub(whole.elapsed()));
        let is_due = whole.elapsed() >= EVERYTHING;
        let only: Option<Vec<PathBuf>> = match changed {
            WatchedChange::Files(paths) if !is_due => Some(paths.into_iter().collect()),
            WatchedChange::Nothing if !is_due => continue,
            _ => None,
        };
        let whole_again = only.is_none();
        let now = Timestamp::now();
        match sync(context, SyncOptions { now, only: only.as_deref(), ..options }) {
            Ok(report) if report.synced.changed > 0 => print(context, &report)?,
            Ok(_) => {}
            // Another process may be writing, or the disk may be full: the files are
            // tried again.
            Err(error) => {
                notice(&format!("annals: {error}; trying again"));
                std::thread::sleep(Duration::from_secs(1));
                whole = Instant::now().checked_sub(EVERYTHING).unwrap_or(whole);
                continue;
            }
        }
        if whole_again {
            whole = Instant::now();
        }
    }
}

/// Prints a row for every archived file.
fn print_rows(files: &[NewlyArchived]) {
    let mut out = std::io::stdout().lock();
    for file in files {
        let row = ArchivedFileDocument::from(file);
        // A closed pipe does not stop the sync.
        let _ = render::json::row(&row).map(|row| out.write_all(row.as_bytes()));
    }
    let _ = out.flush();
}

fn print(context: &Context, report: &SyncReport) -> anyhow::Result<()> {
    match context.output.format {
        Format::Json => context.output.json(&ArchiveSyncDocument::from(report)),
        Format::Text => context.output.text(&context.output.hanging(&text(report), 2)),
        // The rows were printed as files were archived.
        Format::Jsonl | Format::Csv => Ok(()),
    }
}

fn text(SyncReport { synced, expired_sessions, expired_files }: &SyncReport) -> String {
    let files = render::grouped(synced.files as u64);
    let mut text = if synced.changed == 0 {
        format!("The archive is up to date: {files} files, {}.\n", render::bytes(synced.bytes))
    } else {
        let changed = render::grouped(synced.changed as u64);
        let new = render::bytes(synced.new_bytes);
        let mut text = format!("Archived {changed} of {files} files: {new} new");
        if synced.stored_bytes > 0 {
            text += &format!(", stored in {}", render::bytes(synced.stored_bytes));
            let ratio = compression_ratio(synced.new_bytes, synced.stored_bytes);
            // The end of a growing file is stored again, so few new bytes can take more
            // space than they have.
            if ratio >= 1.0 {
                text += &format!(" ({ratio:.1}:1)");
            }
        }
        text + ".\n"
    };
    let mut note = |count: usize, thing: &str, what: &str| {
        if count > 0 {
            text += &format!("{} {what}.\n", render::counted(count, thing));
        }
    };
    note(synced.rewritten, "file", "rewritten: earlier versions stay in the archive");
    note(synced.mended, "frame", "damaged, stored again from disk");
    note(synced.unwanted, "file", "skipped: excluded, deleted with `forget`, or too old");
    note(synced.links, "link or special file", "skipped");
    note(*expired_files, "file", "removed because of their age");
    if !expired_sessions.is_empty() {
        let count = render::counted(expired_sessions.len(), "session");
        text += &format!("{count} removed from the archive; their usage still counts.\n");
    }
    text
}
