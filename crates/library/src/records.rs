//! The records of one transcript, as they come.

use crate::Library;
use crate::scan::Trouble;
use std::io::Read as _;
use std::path::Path;
use store::{Files, LineReader, Position};
use transcript::Line;

impl Library {
    /// Hands every line of a transcript to `each`, which ends the reading by
    /// answering `Ok(false)` or an error of its own; that error is returned
    /// inside.
    pub fn read_records<E>(
        &self,
        path: &Path,
        each: impl FnMut(Line<'_>) -> Result<bool, E>,
    ) -> Result<Result<(), E>, Trouble> {
        read_records(&self.all, path, each)
    }

    /// The bytes of a whole transcript.
    pub fn read_whole(&self, path: &Path) -> Result<Vec<u8>, Trouble> {
        read_whole(&self.all, path)
    }
}

fn read_records<E>(
    files: &Files,
    path: &Path,
    mut each: impl FnMut(Line<'_>) -> Result<bool, E>,
) -> Result<Result<(), E>, Trouble> {
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
        (Err(error), None) => Err(Trouble::new(path, &error)),
    }
}

/// The bytes of a whole transcript.
pub(crate) fn read_whole(files: &Files, path: &Path) -> Result<Vec<u8>, Trouble> {
    let read = files.open(path).and_then(|mut file| {
        let size = usize::try_from(file.stat().bytes).unwrap_or_default();
        let mut bytes = Vec::with_capacity(size);
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    });
    read.map_err(|error| Trouble::new(path, &error))
}
