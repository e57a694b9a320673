//! Reading only what is new in a file.
//!
//! A transcript mostly grows, but Claude Code also removes lines and replaces
//! files. A cursor therefore remembers hashes of the bytes it has consumed, at
//! most a mebibyte apart. Each hash covers the previous one and the bytes
//! since, so a short read proves that everything up to the last checkpoint is
//! unchanged. If it is not, reading restarts at the last checkpoint that still
//! matches.
//!
//! The cursor never passes the last newline. A last line without a newline that
//! is already a complete object is yielded as provisional, and retracted by the
//! next read that finds the file changed.
//!
//! One change goes unnoticed: bytes changed in place, before the last mebibyte,
//! in a file that has also grown. No version of Claude Code does that, and
//! noticing it would mean reading every file completely each time.

use crate::files::OpenFile;
use crate::platform::{FileStat, open_regular};
use crate::read::{LineReader, Position};
use std::cell::RefCell;
use std::io;
use std::path::Path;
use transcript::{Entry, Line, LineEnd, parse_line};

/// The hash of a file's bytes up to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The start of a line.
    pub position: Position,
    /// BLAKE3 of the previous checkpoint and the bytes since.
    pub hash: blake3::Hash,
}

impl Checkpoint {
    /// The start of the file.
    pub const START: Checkpoint =
        Checkpoint { position: Position::START, hash: blake3::Hash::from_bytes([0; 32]) };

    /// How many bytes [`Checkpoint::to_bytes`] returns.
    pub const BYTES: usize = 48;

    /// The checkpoint as bytes, to be stored.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&self.position.offset.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.position.line.to_le_bytes());
        bytes[16..].copy_from_slice(self.hash.as_bytes());
        bytes
    }

    /// The checkpoint that was stored as these bytes.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Checkpoint {
        let number = |from: usize| u64::from_le_bytes(std::array::from_fn(|at| bytes[from + at]));
        let hash = blake3::Hash::from_bytes(std::array::from_fn(|at| bytes[16 + at]));
        Checkpoint { position: Position { offset: number(0), line: number(8) }, hash }
    }
}

/// Receives the records that a cursor reads.
pub trait RecordSink {
    /// A record, in file order.
    fn entry(&mut self, entry: Entry<'_>);

    /// Withdraws everything from this offset on: it is gone, or will be
    /// delivered again.
    fn retract(&mut self, from: u64);
}

/// Receives the lines that a cursor reads, before they are parsed.
pub trait LineSink {
    /// A line, in file order. The last one may lack its newline, but is always
    /// a complete object. Returning `false` ends the reading after this line.
    fn line(&mut self, line: Line<'_>) -> bool;

    /// Withdraws everything from this offset on: it is gone, or will be
    /// delivered again.
    fn retract(&mut self, from: u64);
}

/// Parses lines and passes on their records.
struct ParsingSink<'s, S>(&'s mut S);

impl<S: RecordSink> LineSink for ParsingSink<'_, S> {
    fn line(&mut self, line: Line<'_>) -> bool {
        for entry in parse_line(line) {
            self.0.entry(entry);
        }
        true
    }

    fn retract(&mut self, from: u64) {
        self.0.retract(from);
    }
}

/// How the file had changed when it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileChange {
    /// The file is unchanged; nothing was read.
    Unchanged,
    /// The bytes read before are unchanged; the new ones were read.
    Appended,
    /// The file differs from this offset on; that part was read again.
    RolledBack {
        /// The offset.
        to: u64,
    },
}

/// How far a file has been read. Small enough to keep one per file.
#[derive(Clone, Debug)]
pub struct Cursor {
    stat: Option<FileStat>,
    /// The file's size at the last complete read.
    bytes: Option<u64>,
    checkpoints: Vec<Checkpoint>,
    end: Checkpoint,
    provisional: bool,
    spacing: u64,
}

impl Default for Cursor {
    fn default() -> Self {
        Cursor::with_spacing(1 << 20)
    }
}

impl Cursor {
    /// A cursor with this distance between checkpoints.
    pub fn with_spacing(spacing: u64) -> Self {
        Cursor {
            stat: None,
            bytes: None,
            checkpoints: vec![Checkpoint::START],
            end: Checkpoint::START,
            provisional: false,
            spacing: spacing.max(1),
        }
    }

    /// Restores a cursor from its checkpoints, the last of which is its
    /// position, the size of the file then, and whether the last line was
    /// provisional.
    pub fn from_checkpoints(
        checkpoints: impl IntoIterator<Item = Checkpoint>,
        bytes: Option<u64>,
        provisional: bool,
    ) -> Self {
        let mut cursor = Cursor { bytes, provisional, ..Cursor::default() };
        cursor.checkpoints.extend(checkpoints);
        if let Some(end) = cursor.checkpoints.pop() {
            cursor.end = end;
        }
        if cursor.checkpoints.is_empty() {
            cursor.checkpoints.push(Checkpoint::START);
        }
        cursor
    }

    /// The offset up to which lines are final.
    pub fn offset(&self) -> u64 {
        self.end.position.offset
    }

    /// The checkpoints, the last of them at [`Cursor::offset`].
    pub fn checkpoints(&self) -> impl Iterator<Item = &Checkpoint> {
        self.checkpoints.iter().chain(std::iter::once(&self.end))
    }

    /// Reads the records that are new since the last read. After an error, the
    /// next read starts from the last verified position. A missing file is
    /// `NotFound`.
    pub fn read_new_records(
        &mut self,
        path: &Path,
        reader: &mut LineReader,
        sink: &mut impl RecordSink,
    ) -> io::Result<FileChange> {
        self.read_new_lines(path, reader, &mut ParsingSink(sink))
    }

    /// Like [`Cursor::read_new_records`], for unparsed lines.
    pub fn read_new_lines(
        &mut self,
        path: &Path,
        reader: &mut LineReader,
        sink: &mut impl LineSink,
    ) -> io::Result<FileChange> {
        let (file, stat) = open_regular(path)?;
        if self.stat == Some(stat) {
            return Ok(FileChange::Unchanged);
        }
        if self.stat.take().is_some_and(|before| !before.is_same_file(&stat)) {
            // A different file: assume nothing about its content, whatever its
            // size.
            self.bytes = Some(u64::MAX);
        }
        let change = self.read_new_lines_from(&mut OpenFile::of(file, stat), reader, sink)?;
        // The stat from before the read, so that later changes are noticed.
        self.stat = Some(stat);
        Ok(change)
    }

    /// Makes the next read look into the file even if its stat is unchanged.
    /// File system clocks are coarse, and a file can change twice within one
    /// tick.
    pub fn force_next_read(&mut self) {
        self.stat = None;
    }

    /// The file's stat at the last read.
    pub fn stat(&self) -> Option<FileStat> {
        self.stat
    }

    /// Like [`Cursor::read_new_lines`], for a file that is known to have
    /// changed.
    pub fn read_new_lines_from(
        &mut self,
        file: &mut OpenFile,
        reader: &mut LineReader,
        sink: &mut impl LineSink,
    ) -> io::Result<FileChange> {
        let bytes = file.stat().bytes;
        let grown = self.bytes.is_none_or(|before| bytes > before);
        let held = self.last_valid(file, grown)?;
        let rolled_back = held.position != self.end.position;
        if rolled_back || self.provisional {
            sink.retract(held.position.offset);
        }
        self.provisional = false;
        // The last range is never empty: an empty one would match any file.
        self.checkpoints.retain(|checkpoint| {
            checkpoint.position == Position::START
                || checkpoint.position.offset < held.position.offset
        });
        self.end = held;
        self.bytes = None;
        match self.read_from(held, file, reader, sink) {
            // After an early end, the next read continues from there.
            Ok(is_whole) => self.bytes = is_whole.then_some(bytes),
            Err(error) => {
                sink.retract(held.position.offset);
                return Err(error);
            }
        }
        Ok(if rolled_back {
            FileChange::RolledBack { to: held.position.offset }
        } else {
            FileChange::Appended
        })
    }

    /// Whether the last line it yielded lacks its newline.
    pub fn is_provisional(&self) -> bool {
        self.provisional
    }

    /// The last checkpoint up to which the file is unchanged.
    fn last_valid(&self, file: &mut OpenFile, grown: bool) -> io::Result<Checkpoint> {
        let last = self.checkpoints.last().unwrap_or(&Checkpoint::START);
        if grown && is_unchanged(file, last, &self.end)? {
            return Ok(self.end);
        }
        let mut valid = Checkpoint::START;
        for pair in self.checkpoints.windows(2) {
            if !is_unchanged(file, &pair[0], &pair[1])? {
                return Ok(valid);
            }
            valid = pair[1];
        }
        Ok(if is_unchanged(file, last, &self.end)? { self.end } else { valid })
    }

    /// Reads from a checkpoint on. Returns whether the sink accepted every
    /// line.
    fn read_from(
        &mut self,
        start: Checkpoint,
        file: &mut OpenFile,
        reader: &mut LineReader,
        sink: &mut impl LineSink,
    ) -> io::Result<bool> {
        let base = *self.checkpoints.last().unwrap_or(&Checkpoint::START);
        let mut chain = Chain::resume(file, &base, start.position.offset)?;
        let (checkpoints, spacing) = (&mut self.checkpoints, self.spacing);
        let mut provisional = false;
        let mut is_whole = true;
        let chain = &RefCell::new(&mut chain);
        let pass = |bytes: &[u8]| chain.borrow_mut().pass(bytes);
        let end = reader.read_hashing(file, start.position, pass, |line| match line.end {
            LineEnd::Newline => {
                let chain = &mut **chain.borrow_mut();
                let is_passed = chain.keep_passed();
                if !is_passed && line.offset - chain.from >= spacing {
                    let position = Position { offset: line.offset, line: line.number };
                    let checkpoint = Checkpoint { position, hash: chain.hash() };
                    checkpoints.push(checkpoint);
                    *chain = Chain::from(&checkpoint);
                }
                if !is_passed {
                    chain.update(line.bytes);
                }
                chain.update(b"\n");
                is_whole = sink.line(line);
                is_whole
            }
            LineEnd::EndOfInput => {
                chain.borrow_mut().drop_passed();
                if parse_line(line).all(|entry| entry.provisional) {
                    provisional = true;
                    sink.line(line);
                }
                true
            }
        })?;
        self.end = Checkpoint { position: end, hash: chain.borrow_mut().hash() };
        self.provisional = provisional;
        Ok(is_whole)
    }
}

/// A checkpoint under construction.
struct Chain {
    hasher: blake3::Hasher,
    from: u64,
    pending: Vec<u8>,
    /// The hash before a line that is too large to be held, while that line is passed over.
    before_passed: Option<blake3::Hasher>,
}

impl Chain {
    fn from(base: &Checkpoint) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(base.hash.as_bytes());
        Chain { hasher, from: base.position.offset, pending: Vec::new(), before_passed: None }
    }

    /// The chain as of `offset`, from the bytes since `base`.
    fn resume(file: &mut OpenFile, base: &Checkpoint, offset: u64) -> io::Result<Self> {
        let mut chain = Chain::from(base);
        hash_range(file, base.position.offset..offset, &mut chain.hasher)?;
        Ok(chain)
    }

    /// Collects short lines into a buffer, because BLAKE3 is fast on long
    /// input.
    fn update(&mut self, bytes: &[u8]) {
        const GATHER: usize = 64 * 1024;
        if bytes.len() >= GATHER {
            self.flush();
            self.hasher.update(bytes);
            return;
        }
        self.pending.extend_from_slice(bytes);
        if self.pending.len() >= GATHER {
            self.flush();
        }
    }

    /// Adds a piece of a line that is passed over.
    fn pass(&mut self, bytes: &[u8]) {
        if self.before_passed.is_none() {
            self.flush();
            self.before_passed = Some(self.hasher.clone());
        }
        self.hasher.update(bytes);
    }

    /// Keeps the line that was passed over; `false` if there was none.
    fn keep_passed(&mut self) -> bool {
        self.before_passed.take().is_some()
    }

    /// Takes back the line that was passed over: it has no end yet.
    fn drop_passed(&mut self) {
        if let Some(before) = self.before_passed.take() {
            self.hasher = before;
        }
    }

    fn flush(&mut self) {
        self.hasher.update(&self.pending);
        self.pending.clear();
    }

    fn hash(&mut self) -> blake3::Hash {
        self.flush();
        self.hasher.finalize()
    }
}

/// Whether the file still has the bytes between two checkpoints.
fn is_unchanged(file: &mut OpenFile, from: &Checkpoint, to: &Checkpoint) -> io::Result<bool> {
    if from.position == to.position && to.position == Position::START {
        return Ok(true);
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update(from.hash.as_bytes());
    let whole = hash_range(file, from.position.offset..to.position.offset, &mut hasher)?;
    Ok(whole && hasher.finalize() == to.hash)
}

/// Hashes a range of the file; `false` if the file ends before the range does.
fn hash_range(
    file: &mut OpenFile,
    range: std::ops::Range<u64>,
    hasher: &mut blake3::Hasher,
) -> io::Result<bool> {
    let mut buffer = vec![0; 64 * 1024];
    let mut at = range.start;
    while at < range.end {
        let wanted = usize::try_from(range.end - at).unwrap_or(usize::MAX).min(buffer.len());
        match file.read_at(&mut buffer[..wanted], at) {
            Ok(0) => return Ok(false),
            Ok(read) => {
                hasher.update(&buffer[..read]);
                at += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}
