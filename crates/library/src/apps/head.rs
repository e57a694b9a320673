//! Reading the beginning of a file: as much as the list of sessions needs.

use ::app::{Header, Read};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// How much is read at once.
const CHUNK: usize = 16 * 1024;

/// How much of a file is read at most while looking for its first prompt.
const MOST: usize = 4 * 1024 * 1024;

/// The largest file that is read whole: a larger one is not a session.
const LARGEST: u64 = 4 * 1024 * 1024 * 1024;

/// Opens a regular file, not a link.
pub(super) fn open_regular(path: &Path) -> io::Result<File> {
    store::open_regular(path).map(|(file, _)| file)
}

/// Reads a regular file whole.
pub(super) fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let file = open_regular(path)?;
    let size = file.metadata()?.len();
    if size > LARGEST {
        return Err(io::Error::other("it is too large for a session"));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default() + 1);
    file.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads lines from the beginning of a file until the header has a prompt.
pub(super) fn read_header<R: Read>(file: &mut impl io::Read) -> io::Result<Header> {
    let mut reader = R::default();
    let mut pending = Vec::new();
    let mut total = 0;
    let mut is_known = false;
    loop {
        let start = pending.len();
        pending.resize(start + CHUNK, 0);
        let read = file.read(&mut pending[start..])?;
        pending.truncate(start + read);
        total += read;
        if read == 0 {
            if !pending.is_empty() {
                reader.read_last(&pending);
            }
            break;
        }
        let used = reader.read_on(&pending);
        pending.drain(..used);
        // An app may write a prompt twice, the second time as it was typed.
        if is_known || total >= MOST {
            break;
        }
        is_known = reader.session().header.first_prompt.is_some();
    }
    Ok(reader.into_session().header)
}
