//! Reading on and reading whole.

use crate::session::Session;

/// A reader of one file of an app.
///
/// Reading a file in parts gives the same session as reading it whole; each reader's property
/// test holds it to that.
pub trait Read: Default {
    /// Takes the bytes that follow those taken before, and returns how many were used: all up
    /// to the last line break. The rest has to be given again, with what comes after it.
    fn read_on(&mut self, bytes: &[u8]) -> usize;

    /// Takes the last line of a file that has no line break at its end.
    fn read_last(&mut self, bytes: &[u8]);

    /// The session so far.
    fn session(&self) -> &Session;

    /// The session, at the end of reading.
    fn into_session(self) -> Session;
}

/// Reads a whole file, its last line included if that is complete JSON or not.
pub fn read_whole<R: Read>(bytes: &[u8]) -> Session {
    let mut reader = R::default();
    let used = reader.read_on(bytes);
    if let Some(rest) = bytes.get(used..).filter(|rest| !rest.is_empty()) {
        reader.read_last(rest);
    }
    reader.into_session()
}
