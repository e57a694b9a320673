//! Copies a database and its WAL as one state, while another program may write them.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;
use std::thread;
use std::time::{Duration, SystemTime};

use store::FileStat;

use crate::row_store::failure::Failure;
use crate::row_store::platform;
use crate::row_store::snapshot_folder::SnapshotFolder;
use crate::row_store::stamp::{Stamp, beside, find_stamp};

/// How often a database is copied before it counts as busy.
const ATTEMPTS: u32 = 8;

/// The wait after the first attempt; it grows with every further one.
const PAUSE: Duration = Duration::from_millis(15);

/// Two changes further apart than this have different modification times.
const CLOCK_TICK: Duration = Duration::from_millis(20);

/// The same on file systems that store whole seconds.
const COARSE_TICK: Duration = Duration::from_secs(1);

/// The beginning of a WAL, with the salts that change when it begins again.
const WAL_HEADER: usize = 32;

/// The beginning of a rollback journal in use.
const JOURNAL_MAGIC: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

/// How far an attempt is; tests change the database there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Both files are open.
    Opened,
    /// The database is copied.
    DatabaseCopied,
    /// Both files are copied.
    Copied,
}

/// Why an attempt gave no copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Obstacle {
    Changed,
    Unfinished,
}

/// Copies a database into a folder. Returns its stamp before the copy, so that later changes are
/// noticed.
pub(crate) fn copy_database(
    database: &Path,
    folder: &SnapshotFolder,
    limit: u64,
    at: &mut dyn FnMut(Step),
) -> Result<Stamp, Failure> {
    let mut obstacle = Obstacle::Changed;
    for attempt in 0..ATTEMPTS {
        thread::sleep(PAUSE * attempt);
        wait_for_tick(database);
        match copy_once(database, folder, limit, at)? {
            Ok(stamp) => return Ok(stamp),
            Err(reason) => obstacle = reason,
        }
    }
    Err(match obstacle {
        Obstacle::Changed => Failure::Busy(ATTEMPTS),
        Obstacle::Unfinished => Failure::Unfinished,
    })
}

fn copy_once(
    database: &Path,
    folder: &SnapshotFolder,
    limit: u64,
    at: &mut dyn FnMut(Step),
) -> Result<Result<Stamp, Obstacle>, Failure> {
    // The database's stamp comes first: a checkpoint after it changes the stamp, and whatever was
    // written into the database before it is in the WAL that is opened now.
    let (main, main_stat) = store::open_regular(database).map_err(Failure::Source)?;
    let wal = open_if_there(&beside(database, "-wal"))?;
    let before = Stamp { database: main_stat, wal: wal.as_ref().map(|(_, stat)| *stat) };
    let header = wal.as_ref().map(|(file, _)| read_header(file)).transpose()?;
    if before.bytes() > limit {
        return Err(Failure::TooLarge { bytes: before.bytes(), limit });
    }
    if has_journal(database)? {
        return Ok(Err(Obstacle::Unfinished));
    }
    at(Step::Opened);
    let target = folder.database();
    let failed = |error| Failure::Copy { folder: target.clone(), error };
    folder.clear().map_err(failed)?;
    let mut is_whole = copy_file(&main, before.database.bytes, &target).map_err(failed)?;
    at(Step::DatabaseCopied);
    if let Some((file, stat)) = &wal {
        is_whole &= copy_file(file, stat.bytes, &beside(&target, "-wal")).map_err(failed)?;
    }
    at(Step::Copied);
    let wal_is_same = match (&wal, header) {
        (Some((file, stat)), Some(header)) => {
            let now = find_stamp(database).and_then(|stamp| stamp.wal);
            now.is_some_and(|now| now.is_same_file(stat) && now.bytes >= stat.bytes)
                && read_header(file)? == header
        }
        _ => true,
    };
    let now = find_stamp(database).map(|stamp| stamp.database);
    if !is_whole || !wal_is_same || now != Some(before.database) {
        return Ok(Err(Obstacle::Changed));
    }
    if has_journal(database)? {
        return Ok(Err(Obstacle::Unfinished));
    }
    Ok(Ok(before))
}

fn open_if_there(path: &Path) -> Result<Option<(File, FileStat)>, Failure> {
    match store::open_regular(path) {
        Ok(opened) => Ok(Some(opened)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let text = format!("{}: {error}", path.display());
            Err(Failure::Source(io::Error::new(error.kind(), text)))
        }
    }
}

/// Whether a transaction of a database without WAL is unfinished.
fn has_journal(database: &Path) -> Result<bool, Failure> {
    let Some((journal, _)) = open_if_there(&beside(database, "-journal"))? else {
        return Ok(false);
    };
    let mut magic = [0; JOURNAL_MAGIC.len()];
    platform::read_beginning(&journal, &mut magic).map_err(Failure::Source)?;
    Ok(magic == JOURNAL_MAGIC)
}

fn read_header(wal: &File) -> Result<[u8; WAL_HEADER], Failure> {
    let mut header = [0; WAL_HEADER];
    platform::read_beginning(wal, &mut header).map_err(Failure::Source)?;
    Ok(header)
}

/// Copies the beginning of a file; `false` if the file is shorter now.
fn copy_file(source: &File, bytes: u64, target: &Path) -> io::Result<bool> {
    let mut target = platform::private_file().create_new(true).open(target)?;
    Ok(io::copy(&mut source.take(bytes), &mut target)? == bytes)
}

/// Waits until a change would give the files another modification time.
fn wait_for_tick(database: &Path) {
    for path in [database.to_owned(), beside(database, "-wal")] {
        let Some(modified) = fs::symlink_metadata(path).ok().and_then(|stat| stat.modified().ok())
        else {
            continue;
        };
        let since_epoch = modified.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let tick = if since_epoch.subsec_nanos() == 0 { COARSE_TICK } else { CLOCK_TICK };
        // A time in the future does not come from this clock.
        let age = SystemTime::now().duration_since(modified).ok();
        thread::sleep(age.and_then(|age| tick.checked_sub(age)).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests;
