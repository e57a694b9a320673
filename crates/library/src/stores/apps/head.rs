//! Reading as much of a file as the list of sessions needs.

use ::apps::{Header, Read};
use std::io;
use store::limits::{LARGE_FROM, LARGEST_LINE, permit};

/// How much is read at once.
const CHUNK: usize = 16 * 1024;

/// How much of a file is read at most while looking for its first prompt.
const MOST: usize = 4 * 1024 * 1024;

/// How much is read at once of a file that is read to its end.
const LARGE_CHUNK: usize = 256 * 1024;

/// How many entries are held at most while looking for the first prompt.
const MOST_ENTRIES: usize = 10_000;

/// Reads a whole file with a reader that passes over what lists do not need, and holds none of it.
/// A line that is too large is passed over too.
pub(super) fn read_header_to_end<R: Read>(file: &mut impl io::Read) -> io::Result<Header> {
    read_to_end::<R>(file, LARGEST_LINE)
}

fn read_to_end<R: Read>(file: &mut impl io::Read, largest: usize) -> io::Result<Header> {
    let mut reader = R::default();
    let mut pending = Vec::new();
    let mut is_in_large_line = false;
    // Held while a long line is.
    let mut long_line = None;
    loop {
        let start = pending.len();
        pending.resize(start + LARGE_CHUNK, 0);
        let read = file.read(&mut pending[start..])?;
        pending.truncate(start + read);
        if read == 0 {
            if !pending.is_empty() {
                reader.read_last(&pending);
            }
            return Ok(reader.into_session().header);
        }
        // Only what is new can end a line: the beginning of a long one is not looked at again.
        if memchr::memchr(b'\n', &pending[start..]).is_none() {
            if is_in_large_line {
                pending.clear();
            } else if pending.len() > largest {
                pending = Vec::new();
                is_in_large_line = true;
                long_line = None;
            } else if pending.len() as u64 > LARGE_FROM && long_line.is_none() {
                long_line = Some(permit(largest as u64));
            }
            continue;
        }
        if std::mem::take(&mut is_in_large_line) {
            let end = memchr::memchr(b'\n', &pending);
            pending.drain(..end.unwrap_or_default());
        }
        let used = reader.read_on(&pending);
        pending.drain(..used);
        if long_line.take().is_some() {
            pending.shrink_to(LARGE_CHUNK);
        }
    }
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
        if is_known || total >= MOST || reader.session().count() > MOST_ENTRIES {
            break;
        }
        is_known = reader.session().header.first_prompt.is_some();
    }
    Ok(reader.into_session().header)
}

#[cfg(test)]
mod tests {
    use crate::stores::apps::head::{MOST, MOST_ENTRIES, read_header, read_to_end};
    use ::apps::codex::HeaderReader;
    use std::io::Cursor;

    #[test]
    fn lines_that_are_too_large_are_passed_over() {
        let line = |kind: &str, payload: &str| {
            format!(r#"{{"timestamp":"t","type":"{kind}","payload":{payload}}}"#)
        };
        let large = format!(r#"{{"cwd":"/large","more":"{}"}}"#, "x".repeat(900_000));
        let file = [
            line("session_meta", r#"{"id":"a","cwd":"/kelp"}"#),
            line("turn_context", &large),
            line("turn_context", r#"{"cwd":"/reef"}"#),
            line("turn_context", &large),
        ];
        let directory = |lines: &[String], largest| {
            let file = lines.join("\n");
            let header = read_to_end::<HeaderReader>(&mut file.as_bytes(), largest).unwrap();
            header.directory.unwrap()
        };
        assert_eq!(directory(&file, 300_000), "/reef");
        assert_eq!(directory(&file[..2], 300_000), "/kelp");
        assert_eq!(directory(&file, 1_000_000), "/large");
    }

    #[test]
    fn prompt_is_looked_for_among_a_limited_number_of_entries() {
        let mut file = Cursor::new(b"{}\n".repeat(MOST / 3));
        read_header::<::apps::pi::Reader>(&mut file).unwrap();
        // Each line has an entry or more.
        let read = usize::try_from(file.position()).unwrap();
        assert!(read < 3 * MOST_ENTRIES + 2 * super::CHUNK, "{read}");
    }
}
