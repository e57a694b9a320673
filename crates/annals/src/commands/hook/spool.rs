//! Jobs that wait: one small file each, in `spool` below `ANNALS_HOME`.
//!
//! A job is written under another name and renamed, so that nobody reads half of
//! one, and it stays until it is done: whoever comes next does what a process left
//! behind that was killed.

#![expect(clippy::disallowed_methods, reason = "the spool is annals' own")]

use super::job::Job;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// More than this wait only if nothing is ever done.
const MOST_JOBS: usize = 256;

/// A job is a few hundred bytes.
const LARGEST: u64 = 16 * 1024;

/// What could not be done for so long, or was not written to its end, goes.
const STALE: Duration = Duration::from_hours(7 * 24);

const ENDING: &str = "json";

pub(super) fn folder(home: &Path) -> PathBuf {
    home.join("spool")
}

/// Makes a folder for ourselves alone.
pub(super) fn make_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Puts a job into the spool.
pub(super) fn put(home: &Path, job: &Job) -> io::Result<()> {
    let folder = folder(home);
    make_folder(&folder)?;
    if jobs(home).len() >= MOST_JOBS {
        return Err(io::Error::other("too many jobs wait"));
    }
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let name = format!("{:024}-{}", since.as_nanos(), std::process::id());
    let part = folder.join(format!("{name}.part"));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part)?;
    file.write_all(job.to_json().as_bytes())?;
    drop(file);
    fs::rename(&part, folder.join(name).with_extension(ENDING))
}

/// The jobs that wait, in the order they came.
pub(super) fn jobs(home: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder(home)).into_iter().flatten().flatten();
    let mut jobs: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == ENDING))
        .collect();
    jobs.sort();
    jobs
}

/// What a job says; nothing for what is none.
pub(super) fn read(path: &Path) -> Option<Vec<u8>> {
    let (file, stat) = store::open_regular(path).ok()?;
    let mut bytes = Vec::new();
    let fits = stat.bytes <= LARGEST;
    fits.then(|| io::Read::read_to_end(&mut io::Read::take(file, LARGEST), &mut bytes).ok())??;
    Some(bytes)
}

/// Takes a job out.
pub(super) fn remove(path: &Path) {
    // What stays is done again, which does no harm.
    let _ = fs::remove_file(path);
}

/// Takes out what was left behind long ago.
pub(super) fn clean(home: &Path) {
    for entry in fs::read_dir(folder(home)).into_iter().flatten().flatten() {
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        let age = modified.ok().and_then(|modified| modified.elapsed().ok());
        if entry.file_name() != LOCK && age.is_some_and(|age| age > STALE) {
            remove(&entry.path());
        }
    }
}

const LOCK: &str = "lock";

/// The right to do the jobs, which goes with the file; nothing if another one has
/// it.
pub(super) fn lock(home: &Path) -> Option<File> {
    let path = folder(home).join(LOCK);
    let file =
        OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(path).ok()?;
    match file.try_lock() {
        Ok(()) => Some(file),
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => None,
    }
}
