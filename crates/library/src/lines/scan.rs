//! Reading many transcripts in parallel.
//!
//! One thread per core, one file per task, the largest first, so that no core
//! is left with a large file at the end; one reused buffer per thread.

use crate::progress::Progress;
use rayon::prelude::*;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use store::{Files, LineReader, Position};
use transcript::Line;

/// A file that could not be read, and why. Files vanish and shrink while annals
/// runs; that is reported, and the other files still give results.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct ReadError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub reason: String,
}

impl ReadError {
    pub(crate) fn new(path: &Path, error: &io::Error) -> Self {
        let reason = match error.kind() {
            io::ErrorKind::NotFound => "it was deleted while being read".to_owned(),
            io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
            _ => error.to_string(),
        };
        ReadError { path: path.to_owned(), reason }
    }
}

/// Reads the lines of one file through its own buffer.
pub(crate) fn read_lines(
    files: &Files,
    path: &Path,
    each: impl FnMut(Line<'_>) -> bool,
) -> Result<(), ReadError> {
    let read = read_with(files, &mut LineReader::default(), path, each);
    read.map_err(|error| ReadError::new(path, &error))
}

fn read_with(
    files: &Files,
    reader: &mut LineReader,
    path: &Path,
    mut each: impl FnMut(Line<'_>) -> bool,
) -> io::Result<()> {
    let mut file = files.open(path)?;
    let bytes = file.stat().bytes;
    let mut stopped = false;
    reader.read(&mut file, Position::START, |line| {
        stopped = !each(line);
        !stopped
    })?;
    if !stopped && reader.end() < bytes {
        return Err(io::Error::other("it shrank while being read"));
    }
    Ok(())
}

/// The number of lines between two checks whether to stop.
const LINES_A_CHECK: u64 = 1024;

/// Reads the lines of many files. `start` creates a state for each file and
/// `each` updates it; the states are returned in the order of `paths`. The
/// state of a file that was left out is empty or incomplete.
pub(crate) fn scan<S: Send>(
    files: &Files,
    paths: &[PathBuf],
    progress: &dyn Progress,
    start: impl Fn(&Path) -> S + Sync,
    each: impl Fn(&mut S, Line<'_>) -> bool + Sync,
) -> (Vec<S>, Vec<ReadError>) {
    let mut sized: Vec<(usize, &PathBuf, u64)> = paths
        .iter()
        .enumerate()
        .map(|(number, path)| (number, path, files.find(path).map_or(0, |(stat, _)| stat.bytes)))
        .collect();
    progress.start(sized.iter().map(|(_, _, bytes)| bytes).sum());
    sized.sort_by_key(|(_, _, bytes)| std::cmp::Reverse(*bytes));
    let read_errors = Mutex::new(Vec::new());
    let mut states: Vec<(usize, S)> = sized
        .par_iter()
        .with_max_len(1)
        .map_init(LineReader::default, |reader, (number, path, bytes)| {
            let mut state = start(path);
            if progress.is_late() {
                progress.leave_out();
                return (*number, state);
            }
            let mut is_stopped = false;
            let read = read_with(files, reader, path, |line| {
                is_stopped = line.number.is_multiple_of(LINES_A_CHECK) && progress.is_cancelled();
                !is_stopped && each(&mut state, line)
            });
            if is_stopped {
                progress.leave_out();
            }
            if let Err(error) = read
                && let Ok(mut read_errors) = read_errors.lock()
            {
                read_errors.push(ReadError::new(path, &error));
            }
            progress.advance(*bytes);
            (*number, state)
        })
        .collect();
    progress.finish();
    states.sort_by_key(|(number, _)| *number);
    let read_errors = read_errors.into_inner().unwrap_or_default();
    (states.into_iter().map(|(_, state)| state).collect(), read_errors)
}
