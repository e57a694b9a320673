//! The records of one transcript, as a stream.

use crate::open::masking::MaskedLine;
use crate::open::scan::ReadError;
use crate::{Catalog, Library};
use std::io;
use std::path::Path;
use store::limits::LARGEST_WHOLE_FILE;
use store::{Files, LineReader, Position, WholeLines, read_lines_whole};
use transcript::Line;

impl Catalog<'_> {
    /// Passes every line of a transcript to `each`, which stops the reading by
    /// returning `Ok(false)` or an error; that error is returned inside.
    pub fn read_records<E>(
        self,
        path: &Path,
        mut each: impl FnMut(Line<'_>) -> Result<bool, E>,
    ) -> Result<Result<(), E>, ReadError> {
        let masking = self.library.masking_of(path);
        read_records(&self.library.all, path, |line| {
            let bytes = &*masking.line(line.bytes);
            each(Line { bytes, ..line })
        })
    }
}

impl Library {
    /// The bytes of a whole transcript.
    pub(crate) fn read_whole(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        self.read_masked(path).map(|(bytes, _)| bytes)
    }

    /// The bytes of a file as they are, to derive facts that quote no text.
    pub(crate) fn read_unmasked(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        read_whole(&self.all, path)
    }

    /// The same, and what was masked in them.
    pub(crate) fn read_masked(&self, path: &Path) -> Result<(Vec<u8>, Vec<MaskedLine>), ReadError> {
        read_whole(&self.all, path).map(|bytes| self.masking_of(path).lines(bytes))
    }

    /// The same as the transcript was at one moment. If it is written while it
    /// is read, it is read again; if it never rests, its complete lines are
    /// used. It is an error only if what was read is no longer its beginning,
    /// or if the file is shorter than when it was listed.
    pub(crate) fn read_settled(
        &self,
        path: &Path,
        listed: u64,
    ) -> Result<(Vec<u8>, Vec<MaskedLine>), ReadError> {
        const TRIES: usize = 4;
        if self.is_of_app(path) {
            // Made whole from what the app wrote; its size is another one.
            let bytes = read_whole(&self.all, path)?;
            return Ok(self.masking_of(path).lines(bytes));
        }
        let mut bytes = Vec::new();
        for _ in 0..TRIES {
            let before = self.all.find(path);
            // Not the size of `bytes`, in which a stand-in is shorter than its line.
            let size;
            WholeLines { bytes, file_bytes: size } = read_whole_lines(&self.all, path)?;
            if size < listed {
                let shrunk = io::Error::other("it shrank while being read; try again");
                return Err(ReadError::new(path, &shrunk));
            }
            let now = self.all.find(path);
            if before == now && now.is_none_or(|(stat, _)| stat.bytes == size) {
                return Ok(self.masking_of(path).lines(bytes));
            }
        }
        bytes.truncate(memchr::memrchr(b'\n', &bytes).map_or(0, |newline| newline + 1));
        let again = read_whole(&self.all, path)?;
        if !again.starts_with(&bytes) {
            let changed = io::Error::other("it was rewritten while being read; try again");
            return Err(ReadError::new(path, &changed));
        }
        Ok(self.masking_of(path).lines(bytes))
    }
}

fn read_records<E>(
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

fn read_whole_lines(files: &Files, path: &Path) -> Result<WholeLines, ReadError> {
    let read =
        files.open(path).and_then(|mut file| read_lines_whole(&mut file, LARGEST_WHOLE_FILE));
    read.map_err(|error| ReadError::new(path, &error))
}
