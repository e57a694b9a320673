//! The spool of waiting jobs: one small file each, in `spool` below `ANNALS_HOME`.
//!
//! A job is written under another name and renamed, so that no reader sees half of
//! it. It stays until it is done: the next worker finishes the jobs of a killed one.

#![expect(clippy::disallowed_methods, reason = "the spool is annals' own")]

use super::job::Job;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// More jobs than this wait only if no worker ever runs.
const MOST_JOBS: usize = 256;

/// The largest job; usually it has a few hundred bytes.
const LARGEST: u64 = 16 * 1024;

/// A job or a partly written file of this age is removed.
const STALE: Duration = Duration::from_hours(7 * 24);

/// How often a job is tried if its session cannot be read.
const MOST_TRIES: u32 = 20;

const ENDING: &str = "json";

pub(super) fn folder(home: &Path) -> PathBuf {
    home.join("spool")
}

/// Creates a folder that only its owner can use.
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
        return Err(io::Error::other("too many jobs are waiting"));
    }
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let name = format!("{:024}-{}", since.as_nanos(), std::process::id());
    let part = folder.join(format!("{name}.part"));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part)?;
    file.write_all(job.to_json().as_bytes())?;
    drop(file);
    fs::rename(&part, folder.join(name).with_extension(ENDING))
}

/// The waiting jobs, oldest first.
pub(super) fn jobs(home: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder(home)).into_iter().flatten().flatten();
    let mut jobs: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == ENDING))
        .collect();
    jobs.sort();
    jobs
}

/// The text of a job; `None` for any other file.
pub(super) fn read(path: &Path) -> Option<Vec<u8>> {
    let (file, stat) = store::open_regular(path).ok()?;
    let mut bytes = Vec::new();
    let fits = stat.bytes <= LARGEST;
    fits.then(|| io::Read::read_to_end(&mut io::Read::take(file, LARGEST), &mut bytes).ok())??;
    Some(bytes)
}

/// Removes a job.
pub(super) fn remove(path: &Path) {
    // A job that stays is done again, which does no harm.
    let _ = fs::remove_file(path);
}

/// Leaves a job for the next worker and returns its new name; removes it after the
/// last try.
pub(super) fn put_off(path: &Path) -> Option<PathBuf> {
    let stem = path.file_stem()?.to_str()?;
    let (name, tries) = stem.split_once('.').unwrap_or((stem, "0"));
    let tries = tries.parse().unwrap_or(MOST_TRIES).saturating_add(1);
    let later = path.with_file_name(format!("{name}.{tries}.{ENDING}"));
    if tries < MOST_TRIES && fs::rename(path, &later).is_ok() {
        return Some(later);
    }
    remove(path);
    None
}

/// Removes old leftover files.
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

/// The lock of the worker, held while the file is open; `None` if another process
/// has it.
pub(super) fn lock(home: &Path) -> Option<File> {
    let path = folder(home).join(LOCK);
    let file =
        OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(path).ok()?;
    match file.try_lock() {
        Ok(()) => Some(file),
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_that_is_put_off_is_removed_after_the_last_try() {
        let home = tempfile::tempdir().unwrap();
        make_folder(&folder(home.path())).unwrap();
        let first = folder(home.path()).join("000123-7.json");
        fs::write(&first, "{}").unwrap();
        let mut tries = 1;
        let mut path = first.clone();
        while let Some(later) = put_off(&path) {
            assert_eq!(jobs(home.path()), std::slice::from_ref(&later));
            (path, tries) = (later, tries + 1);
        }
        assert_eq!(tries, MOST_TRIES);
        assert!(jobs(home.path()).is_empty());
        fs::write(folder(home.path()).join("000123-7.x.json"), "{}").unwrap();
        assert_eq!(put_off(&folder(home.path()).join("000123-7.x.json")), None);
    }
}
