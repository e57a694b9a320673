//! The lines of one transcript, masked with the values of its session.

use crate::lines::ReadError;
use crate::lines::whole::{read_whole, read_whole_lines};
use crate::redaction::Redaction;
use crate::redaction::masking::MaskedLine;
use std::io;
use std::path::Path;
use store::WholeLines;

impl Redaction {
    /// The bytes of a whole transcript.
    pub(crate) fn read_whole(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        self.read_masked(path).map(|(bytes, _)| bytes)
    }

    /// The bytes of a file as they are, to derive facts that quote no text.
    pub(crate) fn read_unmasked(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        read_whole(&self.stores.all, path)
    }

    /// The same, and what was masked in them.
    pub(crate) fn read_masked(&self, path: &Path) -> Result<(Vec<u8>, Vec<MaskedLine>), ReadError> {
        read_whole(&self.stores.all, path).map(|bytes| self.masking_of(path).lines(bytes))
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
        if self.stores.is_of_app(path) {
            // Made whole from what the app wrote; its size is another one.
            let bytes = read_whole(&self.stores.all, path)?;
            return Ok(self.masking_of(path).lines(bytes));
        }
        let mut bytes = Vec::new();
        for _ in 0..TRIES {
            let before = self.stores.all.find(path);
            // Not the size of `bytes`, in which a stand-in is shorter than its line.
            let size;
            WholeLines { bytes, file_bytes: size } = read_whole_lines(&self.stores.all, path)?;
            if size < listed {
                let shrunk = io::Error::other("it shrank while being read; try again");
                return Err(ReadError::new(path, &shrunk));
            }
            let now = self.stores.all.find(path);
            if before == now && now.is_none_or(|(stat, _)| stat.bytes == size) {
                return Ok(self.masking_of(path).lines(bytes));
            }
        }
        bytes.truncate(memchr::memrchr(b'\n', &bytes).map_or(0, |newline| newline + 1));
        let again = read_whole(&self.stores.all, path)?;
        if !again.starts_with(&bytes) {
            let changed = io::Error::other("it was rewritten while being read; try again");
            return Err(ReadError::new(path, &changed));
        }
        Ok(self.masking_of(path).lines(bytes))
    }
}
