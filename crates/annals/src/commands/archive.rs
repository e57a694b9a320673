//! `annals archive`: back up sessions and restore them.

mod forget;
mod ls;
mod restore;
mod sync;
mod transfer;
mod verify;

use crate::context::Context;
use clap::Subcommand;

/// Back up sessions, and restore them
///
/// Claude Code deletes transcripts that have not changed for 30 days. The archive
/// holds compressed, verified copies of them, with all files that belong to a
/// session, in annals' own folder. It contains what the transcripts contain,
/// including secrets, and only its owner can read it.
#[derive(Debug, clap::Args)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Sync(sync::Args),
    Ls(ls::Args),
    Verify(verify::Args),
    Restore(restore::Args),
    Export(transfer::ExportArgs),
    Import(transfer::ImportArgs),
    Forget(forget::Args),
}

impl Args {
    /// Whether it lists sessions that were deleted from disk.
    pub(crate) fn lists_deleted(&self) -> bool {
        matches!(&self.command, Command::Ls(args) if args.deleted)
    }
}

/// Backs up all sessions.
pub(crate) fn sync_all(context: &Context) -> anyhow::Result<()> {
    sync::sync_all(context)
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    // The demo store is created anew each time, so it is archived first.
    if context.is_demo() && !matches!(args.command, Command::Sync(_)) {
        sync::sync_quietly(context)?;
    }
    match &args.command {
        Command::Sync(args) => sync::run(context, args),
        Command::Ls(args) => ls::run(context, args),
        Command::Verify(args) => verify::run(context, args),
        Command::Restore(args) => restore::run(context, args),
        Command::Export(args) => transfer::export(context, args),
        Command::Import(args) => transfer::import(context, args),
        Command::Forget(args) => forget::run(context, args),
    }
}
