//! The folder of annals' own data belongs to one person.
//!
//! A user who can write there can change what annals says was in a session, and which folders
//! it restores into. So a folder that others can write is made private before anything in it
//! is read, with a message, and one that belongs to somebody else is refused. Which folder
//! it is, and whether it lies inside a store, is not decided here.

use crate::failure::{CliError, notice};
use rustix::fs::{Mode, OFlags};
use std::fs::{File, Metadata, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

/// The permission bits with which a group or everybody can write.
const WRITABLE_BY_OTHERS: u32 = 0o022;

/// Refuses a folder of another user: its owner can change what is in it, and would keep what
/// is written there. That holds for root too, whose rights let it in everywhere; for a link,
/// whose owner can lead it elsewhere; and for the folder in which a missing one would be
/// created, whose owner can replace it.
pub(crate) fn check_owner(home: &Path) -> Result<(), CliError> {
    if !is_trusted(home.symlink_metadata()) || !is_trusted(home.metadata()) {
        return Err(refusal(home, "it belongs to another user"));
    }
    let is_missing = home.symlink_metadata().is_err();
    let mut above = home.ancestors().skip(1).filter(|_| is_missing);
    if let Some(existing) = above.find(|folder| folder.symlink_metadata().is_ok())
        && !(is_trusted(existing.symlink_metadata()) && is_trusted(existing.metadata()))
    {
        let reason = format!("{} belongs to another user", existing.display());
        return Err(refusal(home, &reason));
    }
    Ok(())
}

/// Whether a file belongs to this user or to the administrator, whose files are as safe as the
/// system itself. A missing one is nobody's.
fn is_trusted(file: std::io::Result<Metadata>) -> bool {
    let own = rustix::process::geteuid().as_raw();
    file.map_or(true, |metadata| metadata.uid() == own || metadata.uid() == 0)
}

/// Makes an existing folder writable by its owner only, or says why that is impossible. A
/// missing folder is created private when something is written.
pub(crate) fn keep_private(home: &Path) -> Result<(), CliError> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(folder) = rustix::fs::open(home, flags, Mode::empty()) else { return Ok(()) };
    let folder = File::from(folder);
    let Ok(metadata) = folder.metadata() else { return Ok(()) };
    let mode = metadata.mode() & 0o7777;
    if mode & WRITABLE_BY_OTHERS == 0 {
        return Ok(());
    }
    let repaired = folder.set_permissions(Permissions::from_mode(mode & !0o077));
    repaired.map_err(|error| {
        refusal(home, &format!("other users can write it, and that cannot be changed: {error}"))
    })?;
    notice(&format!(
        "annals: other users could write {}; its mode was {mode:o} and is {:o} now",
        home.display(),
        mode & !0o077
    ));
    Ok(())
}

fn refusal(home: &Path, reason: &str) -> CliError {
    CliError::Misuse(format!(
        "annals does not use {}: {reason}\nhint: set ANNALS_HOME to a folder of your own",
        home.display()
    ))
}
