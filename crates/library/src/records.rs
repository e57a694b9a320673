//! The records of one transcript, as they come.

use crate::scan::Trouble;
use std::io::Read as _;
use std::path::Path;
use store::{LineReader, Position, open_regular};
use transcript::Line;

/// Hands every line of a transcript to `each`, which ends the reading by
/// answering `Ok(false)` or an error of its own; that error is returned inside.
pub fn read_records<E>(
    path: &Path,
    mut each: impl FnMut(Line<'_>) -> Result<bool, E>,
) -> Result<Result<(), E>, Trouble> {
    let mut failed = None;
    let read = open_regular(path).and_then(|(mut file, _)| {
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
        (Err(error), None) => Err(Trouble::new(path, &error)),
    }
}

/// The bytes of a whole transcript.
pub fn read_whole(path: &Path) -> Result<Vec<u8>, Trouble> {
    let read = open_regular(path).and_then(|(mut file, stat)| {
        let mut bytes = Vec::with_capacity(usize::try_from(stat.bytes).unwrap_or_default());
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    });
    read.map_err(|error| Trouble::new(path, &error))
}
