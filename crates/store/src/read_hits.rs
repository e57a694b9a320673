//! Reading only the lines of a file that hold a text.
//!
//! The text is looked for in whole buffers, and a line's ends are looked for
//! only around a hit: most of a transcript is never looked at byte by byte.

use memchr::memmem::Finder;
use std::fs::File;
use std::io::{self, Read};
use transcript::{Line, LineEnd};

/// Large enough that reading costs few calls, small enough to stay in cache.
const STEP: usize = 256 * 1024;

/// A buffer for reading one file after another.
#[derive(Debug, Default)]
pub struct HitReader {
    buffer: Vec<u8>,
}

impl HitReader {
    /// Hands every line that holds the text to `each`. Their numbers are not
    /// known and are 0.
    pub fn read(
        &mut self,
        file: &mut File,
        text: &Finder<'_>,
        mut each: impl FnMut(Line<'_>),
    ) -> io::Result<()> {
        let mut offset = 0;
        let mut held = 0;
        loop {
            if self.buffer.len() < held + STEP {
                self.buffer.resize(held + STEP, 0);
            }
            let read = match file.read(&mut self.buffer[held..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            if read == 0 {
                break;
            }
            let scanned = held;
            held += read;
            // Only what is new can hold the newline that ends the first line.
            let Some(last) = memchr::memrchr(b'\n', &self.buffer[scanned..held]) else { continue };
            let end = scanned + last + 1;
            hits(&self.buffer[..end], offset, text, LineEnd::Newline, &mut each);
            self.buffer.copy_within(end..held, 0);
            held -= end;
            offset += end as u64;
        }
        hits(&self.buffer[..held], offset, text, LineEnd::EndOfInput, &mut each);
        Ok(())
    }
}

/// The lines of `bytes` that hold the text. `bytes` begins with a line.
fn hits(
    bytes: &[u8],
    offset: u64,
    text: &Finder<'_>,
    end: LineEnd,
    each: &mut impl FnMut(Line<'_>),
) {
    let mut from = 0;
    // An empty text is found even behind the last byte.
    while from < bytes.len()
        && let Some(hit) = text.find(&bytes[from..])
    {
        let hit = from + hit;
        let start = memchr::memrchr(b'\n', &bytes[from..hit]).map_or(from, |at| from + at + 1);
        let stop = memchr::memchr(b'\n', &bytes[hit..]).map_or(bytes.len(), |at| hit + at);
        each(Line { number: 0, offset: offset + start as u64, bytes: &bytes[start..stop], end });
        from = (stop + 1).min(bytes.len());
    }
}
