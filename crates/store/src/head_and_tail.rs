//! The head and the tail of a transcript, which is all that listing reads.

use crate::files::OpenFile;
use std::io;
use std::ops::Range;

/// How much of each end the official list reads. To the official list, the
/// middle of a larger file does not exist, so this number is part of the
/// format.
pub(crate) const CHUNK: usize = 64 * 1024;

/// Head and tail of a file, in a buffer that is reused for the next file.
#[derive(Debug, Default)]
pub struct HeadAndTail {
    bytes: Vec<u8>,
    head: usize,
    tail: usize,
    /// The size of the file.
    size: u64,
}

impl HeadAndTail {
    /// Reads both ends of a file; a short file in one read.
    pub fn read(&mut self, file: &mut OpenFile) -> io::Result<()> {
        let stat = file.stat();
        self.size = stat.bytes;
        let size = usize::try_from(stat.bytes).unwrap_or(usize::MAX);
        if size <= 2 * CHUNK {
            let read = fill(file, 0, &mut self.bytes, 0, size)?;
            self.bytes.truncate(read);
            self.head = read.min(CHUNK);
            self.tail = read.saturating_sub(CHUNK);
        } else {
            self.head = fill(file, 0, &mut self.bytes, 0, CHUNK)?;
            self.tail = CHUNK;
            let read = fill(file, stat.bytes - CHUNK as u64, &mut self.bytes, CHUNK, CHUNK)?;
            self.bytes.truncate(CHUNK + read);
        }
        Ok(())
    }

    /// The first 64 KiB.
    pub fn head(&self) -> &[u8] {
        &self.bytes[..self.head]
    }

    /// The whole file, if both ends are all of it.
    pub fn whole(&self) -> Option<&[u8]> {
        (self.bytes.len() as u64 == self.size).then_some(&self.bytes)
    }

    /// The range of the file between both ends.
    pub fn between(&self) -> Range<u64> {
        let end = self.size.saturating_sub(self.tail().len() as u64);
        (self.head as u64).min(end)..end
    }

    /// The last 64 KiB; the head itself if that is the whole file.
    pub fn tail(&self) -> &[u8] {
        &self.bytes[self.tail..]
    }
}

/// Reads up to `length` bytes of a file into the buffer; fewer if the file ends
/// earlier.
fn fill(
    file: &mut OpenFile,
    offset: u64,
    buffer: &mut Vec<u8>,
    place: usize,
    length: usize,
) -> io::Result<usize> {
    if buffer.len() < place + length {
        buffer.resize(place + length, 0);
    }
    let mut held = 0;
    while held < length {
        match file.read_at(&mut buffer[place + held..place + length], offset + held as u64) {
            Ok(0) => break,
            Ok(read) => held += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(held)
}
