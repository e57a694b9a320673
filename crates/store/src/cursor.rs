//! Reading on from where we were.
//!
//! A transcript mostly grows, but lines are also taken back and files replaced.
//! A cursor therefore remembers hashes of what it consumed, at most a mebibyte
//! apart, each over the one before and the bytes since: a short read proves
//! that everything up to the last one still stands, and where it does not, the
//! reading goes back to the last one that does.
//!
//! The cursor never passes the last newline. A last line without one that is
//! already a whole object is yielded as provisional, and withdrawn by the next
//! read that finds the file changed.
//!
//! What this does not see: bytes changed in place, before the last mebibyte, in
//! a file that has also grown. No version of the app does that, and seeing it
//! would mean reading every file whole each time.

use crate::files::OpenFile;
use crate::platform::{FileStat, open_regular};
use crate::read::{LineReader, Position};
use std::io;
use std::path::Path;
use transcript::{Entry, Line, LineEnd, parse_line};

/// The bytes up to `position` hash to `hash`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Before the first byte of a line.
    pub position: Position,
    /// BLAKE3 of the checkpoint before and the bytes since.
    pub hash: blake3::Hash,
}

impl Checkpoint {
    /// Before the first byte.
    pub const START: Checkpoint =
        Checkpoint { position: Position::START, hash: blake3::Hash::from_bytes([0; 32]) };
}

/// Who receives what a cursor reads.
pub trait RecordSink {
    /// A record, in file order.
    fn entry(&mut self, entry: Entry<'_>);

    /// Everything from this offset on was taken back, or will be said again.
    fn retract(&mut self, from: u64);
}

/// Who receives the lines that a cursor reads, before they are parsed.
pub trait LineSink {
    /// A line, in file order; the last may lack its newline and is a whole object
    /// all the same. Answering `false` ends the reading behind it.
    fn line(&mut self, line: Line<'_>) -> bool;

    /// Everything from this offset on was taken back, or will be said again.
    fn retract(&mut self, from: u64);
}

/// Lines as records.
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

/// What a read found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileChange {
    /// The file is as it was; nothing was read.
    Unchanged,
    /// What was read before still stands; what came since was read.
    Appended,
    /// The file is another from this offset on; that part was read anew.
    RolledBack {
        /// The offset.
        to: u64,
    },
}

/// How far a file has been read. Cheap to keep, one per file.
#[derive(Clone, Debug)]
pub struct Cursor {
    stat: Option<FileStat>,
    /// How large the file was.
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
    /// A cursor whose checkpoints are this far apart.
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

    /// A cursor as it was left: at the last of these checkpoints, in a file that
    /// had so many bytes, with or without a last line that was provisional.
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

    /// Reads what changed since the last time. After an error the next read
    /// starts from what was certain; a file that is gone is `NotFound`.
    pub fn read_new_records(
        &mut self,
        path: &Path,
        reader: &mut LineReader,
        sink: &mut impl RecordSink,
    ) -> io::Result<FileChange> {
        self.read_new_lines(path, reader, &mut ParsingSink(sink))
    }

    /// The same for lines.
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
            // Of another file nothing is taken for granted, however large.
            self.bytes = Some(u64::MAX);
        }
        let change = self.read_new_lines_from(&mut OpenFile::of(file, stat), reader, sink)?;
        // The stat from before the reading: what came during it is seen again.
        self.stat = Some(stat);
        Ok(change)
    }

    /// Has the next read look into the file even if it seems unchanged: clocks of
    /// file systems are coarse, and a file may be changed twice in one of their
    /// moments.
    pub fn force_next_read(&mut self) {
        self.stat = None;
    }

    /// What the file looked like when it was last read.
    pub fn stat(&self) -> Option<FileStat> {
        self.stat
    }

    /// The same for lines, in a file that is known to have changed.
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
        // The last stretch is never empty: an empty one would hold for any file.
        self.checkpoints.retain(|checkpoint| {
            checkpoint.position == Position::START
                || checkpoint.position.offset < held.position.offset
        });
        self.end = held;
        self.bytes = None;
        match self.read_from(held, file, reader, sink) {
            // What was not read to its end is read on from where it was.
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

    /// The last place up to which the file is what was read before.
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

    /// Reads from a place on. Answers whether the sink wanted everything.
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
        let end = reader.read(file, start.position, |line| match line.end {
            LineEnd::Newline => {
                if line.offset - chain.from >= spacing {
                    let position = Position { offset: line.offset, line: line.number };
                    let checkpoint = Checkpoint { position, hash: chain.hash() };
                    checkpoints.push(checkpoint);
                    chain = Chain::from(&checkpoint);
                }
                chain.update(line.bytes);
                chain.update(b"\n");
                is_whole = sink.line(line);
                is_whole
            }
            LineEnd::EndOfInput => {
                if parse_line(line).all(|entry| entry.provisional) {
                    provisional = true;
                    sink.line(line);
                }
                true
            }
        })?;
        self.end = Checkpoint { position: end, hash: chain.hash() };
        self.provisional = provisional;
        Ok(is_whole)
    }
}

/// A checkpoint in the making.
struct Chain {
    hasher: blake3::Hasher,
    from: u64,
    pending: Vec<u8>,
}

impl Chain {
    fn from(base: &Checkpoint) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(base.hash.as_bytes());
        Chain { hasher, from: base.position.offset, pending: Vec::new() }
    }

    /// The chain as it stood at `offset`, from the bytes since `base`.
    fn resume(file: &mut OpenFile, base: &Checkpoint, offset: u64) -> io::Result<Self> {
        let mut chain = Chain::from(base);
        hash_range(file, base.position.offset..offset, &mut chain.hasher)?;
        Ok(chain)
    }

    /// Lines are short and BLAKE3 is fast on long input, so they are gathered.
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

    fn flush(&mut self) {
        self.hasher.update(&self.pending);
        self.pending.clear();
    }

    fn hash(&mut self) -> blake3::Hash {
        self.flush();
        self.hasher.finalize()
    }
}

/// Whether the file still has the bytes that `to` was taken over.
fn is_unchanged(file: &mut OpenFile, from: &Checkpoint, to: &Checkpoint) -> io::Result<bool> {
    if from.position == to.position && to.position == Position::START {
        return Ok(true);
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update(from.hash.as_bytes());
    let whole = hash_range(file, from.position.offset..to.position.offset, &mut hasher)?;
    Ok(whole && hasher.finalize() == to.hash)
}

/// Hashes a range of the file; `false` if it is not all there.
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
