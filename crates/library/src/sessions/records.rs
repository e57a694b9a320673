//! The records of one transcript, as a stream.

use crate::lines::ReadError;
use crate::lines::whole::read_records;
use crate::sessions::Sessions;
use std::io;
use std::path::Path;
use transcript::Line;

impl Sessions {
    /// Passes every line of a transcript to `each`, which stops the reading by
    /// returning `Ok(false)` or an error; that error is returned inside.
    pub fn read_records<E>(
        &self,
        path: &Path,
        mut each: impl FnMut(Line<'_>) -> Result<bool, E>,
    ) -> Result<Result<(), E>, ReadError> {
        let masking = self.redaction.masking_of(path);
        read_records(&self.stores.all, path, |line| {
            let bytes = &*masking.line(line.bytes);
            each(Line { bytes, ..line })
        })
    }

    /// The bytes that another app wrote for the session that a path shows, with secrets masked;
    /// `None` for Claude Code's.
    pub fn app_bytes(&self, path: &Path) -> Option<io::Result<Vec<u8>>> {
        let bytes = self.stores.apps().unmasked_bytes(path)?;
        Some(bytes.map(|bytes| self.redaction.masking_of(path).lines(bytes).0))
    }
}
