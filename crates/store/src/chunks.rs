//! The head and the tail of a transcript: all that listing needs.

use crate::platform::{FileStat, open_regular};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// How much of each end the official list looks at. What lies beyond does not
/// exist for it, so for equal answers this is part of the format.
pub(crate) const CHUNK: usize = 64 * 1024;

/// Head and tail of a file, in buffers that are used again for the next.
#[derive(Debug, Default)]
pub struct Chunks {
    head: Vec<u8>,
    tail: Vec<u8>,
    whole: bool,
}

impl Chunks {
    /// Reads both ends of a regular file.
    pub fn read(&mut self, path: &Path) -> io::Result<FileStat> {
        let (file, stat) = open_regular(path)?;
        fill(&file, 0, &mut self.head)?;
        self.whole = stat.bytes <= CHUNK as u64;
        if !self.whole {
            fill(&file, stat.bytes - CHUNK as u64, &mut self.tail)?;
        }
        Ok(stat)
    }

    /// The first 64 KiB.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// The last 64 KiB; the head itself if that is the whole file.
    pub fn tail(&self) -> &[u8] {
        if self.whole { &self.head } else { &self.tail }
    }
}

fn fill(file: &std::fs::File, offset: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
    buffer.resize(CHUNK, 0);
    let mut held = 0;
    while held < CHUNK {
        match file.read_at(&mut buffer[held..], offset + held as u64) {
            Ok(0) => break,
            Ok(read) => held += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    buffer.truncate(held);
    Ok(())
}
