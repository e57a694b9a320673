//! Reading a transcript line by line through one reused buffer.
//!
//! Plain reads, not a memory map: files are appended to, truncated and replaced
//! while we read, and a map of a truncated file kills the process. The buffer
//! grows to the longest line and no further.

use std::io::{self, Read, Seek, SeekFrom};
use transcript::{Line, LineEnd, Lines};

/// Where in a file reading starts: before the first byte of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The offset of that byte.
    pub offset: u64,
    /// The number of that line, from 1.
    pub line: u64,
}

impl Position {
    /// The start of a file.
    pub const START: Position = Position { offset: 0, line: 1 };
}

/// A buffer for reading one file after another.
#[derive(Debug, Default)]
pub struct LineReader {
    buffer: LineBuffer,
}

impl LineReader {
    /// Hands every line from `start` on to `each`, which may end the reading by
    /// answering `false`. Returns where the last line that ended with a newline
    /// stops: the place to read on from.
    pub fn read(
        &mut self,
        file: &mut (impl Read + Seek),
        start: Position,
        mut each: impl FnMut(Line<'_>) -> bool,
    ) -> io::Result<Position> {
        file.seek(SeekFrom::Start(start.offset))?;
        let mut position = start;
        self.buffer.read(file, start.offset, |bytes, offset| {
            Lines::from_position(bytes, offset, position.line).all(|line| {
                if line.end == LineEnd::Newline {
                    let offset = line.offset + line.bytes.len() as u64 + 1;
                    position = Position { offset, line: line.number + 1 };
                }
                each(line)
            })
        })?;
        Ok(position)
    }

    /// Hands whole lines to `each`, as many at a time as the buffer holds, with
    /// where the first of them stands; the last of a file may lack its newline.
    /// For whoever looks for few lines among many. Returns how many bytes there
    /// were.
    pub fn read_batches(
        &mut self,
        file: &mut impl Read,
        mut each: impl FnMut(&[u8], Position),
    ) -> io::Result<u64> {
        let mut position = Position::START;
        self.buffer.read(file, 0, |bytes, _| {
            each(bytes, position);
            position.offset += bytes.len() as u64;
            position.line += memchr::memchr_iter(b'\n', bytes).count() as u64;
            true
        })?;
        Ok(position.offset)
    }

    /// Whether `is_it` says so of any of the whole lines of a file, which are handed
    /// to it as [`LineReader::read_batches`] does, up to the first of which it does.
    /// Lines are not counted.
    pub fn any_batch(
        &mut self,
        file: &mut impl Read,
        mut is_it: impl FnMut(&[u8]) -> bool,
    ) -> io::Result<bool> {
        let mut is_found = false;
        self.buffer.read(file, 0, |bytes, _| {
            is_found = is_it(bytes);
            !is_found
        })?;
        Ok(is_found)
    }
}

/// A buffer that is filled until it holds whole lines.
#[derive(Debug, Default)]
pub(crate) struct LineBuffer {
    buffer: Vec<u8>,
}

/// Large enough that reading costs few calls, small enough to stay in cache.
const STEP: usize = 256 * 1024;

impl LineBuffer {
    /// Hands whole lines to `each`, as many as there are, with the offset of the
    /// first; the last of a file may lack its newline. `each` may end the reading
    /// by answering `false`.
    pub(crate) fn read(
        &mut self,
        file: &mut impl Read,
        mut offset: u64,
        mut each: impl FnMut(&[u8], u64) -> bool,
    ) -> io::Result<()> {
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
            if !each(&self.buffer[..end], offset) {
                return Ok(());
            }
            self.buffer.copy_within(end..held, 0);
            held -= end;
            offset += end as u64;
        }
        if held > 0 {
            each(&self.buffer[..held], offset);
        }
        Ok(())
    }
}
