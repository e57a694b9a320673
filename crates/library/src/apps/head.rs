//! Reading the beginning of a file: as much as the list of sessions needs.

use ::app::{Header, Read};
use std::io;

/// How much is read at once.
const CHUNK: usize = 16 * 1024;

/// How much of a file is read at most while looking for its first prompt.
const MOST: usize = 4 * 1024 * 1024;

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
