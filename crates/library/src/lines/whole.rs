//! The lines of one file, whole or one after the other, as they are.

use crate::lines::ReadError;
use std::path::Path;
use store::limits::LARGEST_WHOLE_FILE;
use store::{Files, LineReader, Position, WholeLines, read_lines_whole};
use transcript::Line;

pub(crate) fn read_records<E>(
    files: &Files,
    path: &Path,
    mut each: impl FnMut(Line<'_>) -> Result<bool, E>,
) -> Result<Result<(), E>, ReadError> {
    let mut failed = None;
    let read = files.open(path).and_then(|mut file| {
        LineReader::default().read(&mut file, Position::START, |line| match each(line) {
            Ok(more) => more,
            Err(error) => {
                failed = Some(error);
                false
            }
        })
    });
    match (read, failed) {
        (_, Some(error)) => Ok(Err(error)),
        (Ok(_), None) => Ok(Ok(())),
        (Err(error), None) => Err(ReadError::new(path, &error)),
    }
}

/// The bytes of a whole transcript.
pub(crate) fn read_whole(files: &Files, path: &Path) -> Result<Vec<u8>, ReadError> {
    read_whole_lines(files, path).map(|whole| whole.bytes)
}

pub(crate) fn read_whole_lines(files: &Files, path: &Path) -> Result<WholeLines, ReadError> {
    let read =
        files.open(path).and_then(|mut file| read_lines_whole(&mut file, LARGEST_WHOLE_FILE));
    read.map_err(|error| ReadError::new(path, &error))
}
