//! Reading a transcript line by line through one reused buffer.
//!
//! Plain reads, not a memory map: files are appended to, truncated and replaced
//! while they are read, and accessing a map of a truncated file kills the
//! process. The buffer grows to the longest line and no further.

use std::io::{self, Read, Seek, SeekFrom};
use transcript::{Line, LineEnd, Lines};

/// The start of a line in a file.
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

/// Reads lines, reusing one buffer for many files.
#[derive(Debug, Default)]
pub struct LineReader {
    buffer: LineBuffer,
}

impl LineReader {
    /// Passes every line from `start` on to `each`, which can stop the reading
    /// by returning `false`. Returns the position after the last line that
    /// ended with a newline, where the next read can continue.
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

    /// Passes batches of whole lines to `each`, as many as the buffer holds,
    /// with the position of the first. The last line of a file may lack its
    /// newline. For callers that search for few lines among many. Returns the
    /// number of bytes read.
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

    /// Whether `is_match` accepts any batch of whole lines of a file. Batches
    /// are passed as in [`LineReader::read_batches`], up to the first match.
    /// Lines are not counted.
    pub fn any_batch(
        &mut self,
        file: &mut impl Read,
        mut is_match: impl FnMut(&[u8]) -> bool,
    ) -> io::Result<bool> {
        let mut is_found = false;
        self.buffer.read(file, 0, |bytes, _| {
            is_found = is_match(bytes);
            !is_found
        })?;
        Ok(is_found)
    }
}

/// A buffer that is filled until it contains whole lines.
#[derive(Debug, Default)]
pub(crate) struct LineBuffer {
    buffer: Vec<u8>,
}

/// Large enough for few read calls, small enough to stay in cache.
const STEP: usize = 256 * 1024;

impl LineBuffer {
    /// Passes whole lines to `each`, as many as the buffer holds, with the
    /// offset of the first. The last line of a file may lack its newline.
    /// `each` can stop the reading by returning `false`.
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
            // Only the new bytes can contain the newline that ends the first
            // line.
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
