//! Reading a transcript line by line through one reused buffer.
//!
//! Plain reads, not a memory map: files are appended to, truncated and replaced
//! while they are read, and accessing a map of a truncated file kills the
//! process. The buffer grows to the longest line, and never beyond
//! [`LARGEST_LINE`]: a longer line is passed over, and a stand-in takes its place
//! ([`transcript::large_line_stand_in`]).

use crate::limits::{LARGE_FROM, LARGEST_LINE, LARGEST_WHOLE_FILE, Permit, TooLargeError, permit};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use transcript::{LARGE_LINE_END, Line, LineEnd, Lines, large_line_stand_in};

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

    /// Whether the number of the line cannot be right: only the first byte begins the first line.
    fn has_unknown_line(self) -> bool {
        self.offset > 0 && self.line <= 1
    }
}

/// A source of lines.
pub trait LineSource: Read {
    /// Notes that the line at a position is larger than [`LARGEST_LINE`].
    fn note_large_line(&mut self, _position: Position, _bytes: u64) {}

    /// The number of the line at an offset, for a reader that knows where to begin and not
    /// which line that is. The position of the file stays what it is.
    fn line_number(&mut self, _offset: u64) -> u64 {
        1
    }
}

impl LineSource for File {}

impl LineSource for &[u8] {}

impl<T: AsRef<[u8]>> LineSource for io::Cursor<T> {}

impl<S: LineSource + ?Sized> LineSource for &mut S {
    fn note_large_line(&mut self, position: Position, bytes: u64) {
        S::note_large_line(self, position, bytes);
    }

    fn line_number(&mut self, offset: u64) -> u64 {
        S::line_number(self, offset)
    }
}

impl<S: LineSource + ?Sized> LineSource for Box<S> {
    fn note_large_line(&mut self, position: Position, bytes: u64) {
        S::note_large_line(self, position, bytes);
    }

    fn line_number(&mut self, offset: u64) -> u64 {
        S::line_number(self, offset)
    }
}

/// Reads lines, reusing one buffer for many files.
#[derive(Debug, Default)]
pub struct LineReader {
    buffer: LineBuffer,
}

impl LineReader {
    /// A reader with another limit than [`LARGEST_LINE`], for tests.
    #[doc(hidden)]
    pub fn with_largest_line(bytes: usize) -> Self {
        LineReader { buffer: LineBuffer::with_largest_line(bytes) }
    }

    /// Passes every line from `start` on to `each`, which can stop the reading
    /// by returning `false`. Returns the position after the last line that
    /// ended with a newline, where the next read can continue.
    pub fn read(
        &mut self,
        file: &mut (impl LineSource + Seek),
        start: Position,
        each: impl FnMut(Line<'_>) -> bool,
    ) -> io::Result<Position> {
        self.read_hashing(file, start, |_| (), each)
    }

    /// The same. The bytes of a line that is too large are passed to `passed_over`
    /// in pieces, before `each` gets what stands for it.
    pub(crate) fn read_hashing(
        &mut self,
        file: &mut (impl LineSource + Seek),
        start: Position,
        passed_over: impl FnMut(&[u8]),
        each: impl FnMut(Line<'_>) -> bool,
    ) -> io::Result<Position> {
        file.seek(SeekFrom::Start(start.offset))?;
        self.read_on(file, start, passed_over, each)
    }

    /// Passes every line of a file to `each`, which can stop the reading by returning
    /// `false`. The bytes of a line that is too large are passed to `passed_over` in pieces, before
    /// `each` gets what stands for it.
    pub fn read_with_pieces(
        &mut self,
        file: &mut impl LineSource,
        passed_over: impl FnMut(&[u8]),
        each: impl FnMut(Line<'_>) -> bool,
    ) -> io::Result<()> {
        self.read_on(file, Position::START, passed_over, each).map(drop)
    }

    fn read_on(
        &mut self,
        file: &mut impl LineSource,
        start: Position,
        passed_over: impl FnMut(&[u8]),
        mut each: impl FnMut(Line<'_>) -> bool,
    ) -> io::Result<Position> {
        let mut position = start;
        self.buffer.read(file, start, passed_over, |batch| {
            let goes_on =
                Lines::from_position(batch.bytes, batch.offset, position.line).all(|line| {
                    if line.end == LineEnd::Newline {
                        let offset = line.offset + line.bytes.len() as u64 + 1;
                        position = Position { offset, line: line.number + 1 };
                    }
                    each(line)
                });
            if batch.is_stand_in && position.offset > batch.offset {
                position.offset = batch.end;
            }
            goes_on
        })?;
        Ok(position)
    }

    /// How many bytes of the file the last read went through, from its beginning.
    pub fn end(&self) -> u64 {
        self.buffer.end
    }

    /// Passes batches of whole lines to `each`, as many as the buffer holds,
    /// with the position of the first. The last line of a file may lack its
    /// newline. For callers that search for few lines among many. Returns the
    /// number of bytes read.
    pub fn read_batches(
        &mut self,
        file: &mut impl LineSource,
        mut each: impl FnMut(&[u8], Position),
    ) -> io::Result<u64> {
        self.buffer.read(
            file,
            Position::START,
            |_| (),
            |batch| {
                each(batch.bytes, Position { offset: batch.offset, line: batch.line });
                true
            },
        )?;
        Ok(self.buffer.end)
    }

    /// Whether `is_match` accepts any batch of whole lines of a file. Batches
    /// are passed as in [`LineReader::read_batches`], up to the first match.
    pub fn any_batch(
        &mut self,
        file: &mut impl LineSource,
        mut is_match: impl FnMut(&[u8]) -> bool,
    ) -> io::Result<bool> {
        let mut is_found = false;
        self.buffer.read(
            file,
            Position::START,
            |_| (),
            |batch| {
                is_found = is_match(batch.bytes);
                !is_found
            },
        )?;
        Ok(is_found)
    }
}

/// The lines of a file in one buffer.
#[derive(Debug)]
pub struct WholeLines {
    /// The lines, with stand-ins for those that are too large.
    pub bytes: Vec<u8>,
    /// How many bytes of the file were read. The lines here have fewer if stand-ins are among them.
    pub file_bytes: u64,
}

/// The lines of a file, with stand-ins for those that are too large. Memory is
/// reserved as the file is read, never by what its size claims.
pub fn read_lines_whole(file: &mut impl LineSource, most: u64) -> io::Result<WholeLines> {
    let most = most.min(LARGEST_WHOLE_FILE);
    let mut bytes = Vec::new();
    let mut is_too_large = false;
    let mut buffer = LineBuffer::default();
    buffer.read(
        file,
        Position::START,
        |_| (),
        |batch| {
            is_too_large = (bytes.len() + batch.bytes.len()) as u64 > most;
            if !is_too_large {
                bytes.extend_from_slice(batch.bytes);
            }
            !is_too_large
        },
    )?;
    if is_too_large {
        return Err(TooLargeError { bytes: None, limit: most }.into());
    }
    Ok(WholeLines { bytes, file_bytes: buffer.end })
}

/// Whole lines, as many as the buffer holds, or what stands for one.
pub(crate) struct Batch<'b> {
    pub(crate) bytes: &'b [u8],
    /// Where the first begins.
    pub(crate) offset: u64,
    /// The number of the first.
    pub(crate) line: u64,
    /// Where the last ends.
    pub(crate) end: u64,
    /// Whether this is what stands for a line that is too large.
    pub(crate) is_stand_in: bool,
}

/// A buffer that is filled until it contains whole lines.
#[derive(Debug)]
pub(crate) struct LineBuffer {
    buffer: Vec<u8>,
    largest_line: usize,
    /// Where the last read ended.
    end: u64,
}

/// Large enough for few read calls, small enough to stay in cache.
const STEP: usize = 256 * 1024;

impl Default for LineBuffer {
    fn default() -> Self {
        LineBuffer::with_largest_line(LARGEST_LINE)
    }
}

/// A line that was passed over.
struct PassedLine {
    bytes: u64,
    /// What stands for it, with a newline if it has one.
    stand_in: String,
    /// How many bytes behind it are in the buffer.
    rest: usize,
}

impl LineBuffer {
    pub(crate) fn with_largest_line(largest_line: usize) -> Self {
        LineBuffer { buffer: Vec::new(), largest_line, end: 0 }
    }

    /// Passes whole lines to `each`. The last line of a file may lack its newline.
    /// `each` can stop the reading by returning `false`; `passed_over` gets the bytes
    /// of lines that are too large, in pieces.
    pub(crate) fn read(
        &mut self,
        file: &mut impl LineSource,
        start: Position,
        mut passed_over: impl FnMut(&[u8]),
        mut each: impl FnMut(Batch<'_>) -> bool,
    ) -> io::Result<()> {
        let step = self.step();
        let mut held = 0;
        let mut large: Option<Permit> = None;
        // Lines are counted as they are read: a file of many large lines is not read again for
        // the number of each.
        let Position { mut offset, mut line } = start;
        let mut is_line_known = !start.has_unknown_line();
        self.end = offset;
        loop {
            if self.buffer.len() < held + step {
                self.buffer.resize(held + step, 0);
            }
            let read = match file.read(&mut self.buffer[held..held + step]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            if read == 0 {
                break;
            }
            self.end += read as u64;
            let mut scanned = held;
            held += read;
            let newline = |buffer: &[u8]| memchr::memchr(b'\n', &buffer[scanned..held]);
            if held > self.largest_line
                && newline(&self.buffer).is_none_or(|at| scanned + at > self.largest_line)
            {
                let newline = newline(&self.buffer).map(|at| scanned + at);
                drop(large.take());
                let passed = self.pass_line(file, held, newline, &mut passed_over)?;
                if !std::mem::replace(&mut is_line_known, true) {
                    line += file.line_number(start.offset).saturating_sub(start.line);
                }
                file.note_large_line(Position { offset, line }, passed.bytes);
                let end = offset + passed.bytes + u64::from(passed.stand_in.ends_with('\n'));
                let bytes = passed.stand_in.as_bytes();
                if !each(Batch { bytes, offset, line, end, is_stand_in: true }) {
                    return Ok(());
                }
                (offset, held, scanned) = (end, passed.rest, 0);
                line += 1;
            }
            // Only the new bytes can contain the newline that ends the first
            // line.
            if let Some(last) = memchr::memrchr(b'\n', &self.buffer[scanned..held]) {
                let end = scanned + last + 1;
                let next = offset + end as u64;
                let bytes = &self.buffer[..end];
                if !each(Batch { bytes, offset, line, end: next, is_stand_in: false }) {
                    self.shrink();
                    return Ok(());
                }
                line += memchr::memchr_iter(b'\n', &self.buffer[..end]).count() as u64;
                self.buffer.copy_within(end..held, 0);
                held -= end;
                offset = next;
                if large.take().is_some() {
                    self.shrink();
                }
            } else if large.is_none() && held as u64 > LARGE_FROM {
                large = Some(permit(self.largest_line as u64));
            }
        }
        if held > 0 {
            let end = offset + held as u64;
            each(Batch { bytes: &self.buffer[..held], offset, line, end, is_stand_in: false });
        }
        self.shrink();
        Ok(())
    }

    /// Reads past the rest of a line that is too large. Its first `held` bytes are in
    /// the buffer, and perhaps its newline.
    fn pass_line(
        &mut self,
        file: &mut impl LineSource,
        held: usize,
        newline: Option<usize>,
        passed_over: &mut impl FnMut(&[u8]),
    ) -> io::Result<PassedLine> {
        let mut part = newline.unwrap_or(held);
        let beginning = self.buffer[..part.min(LARGE_LINE_END)].to_vec();
        let mut tail = self.buffer[part.saturating_sub(LARGE_LINE_END)..part].to_vec();
        let (mut bytes, mut newline, mut held) = (part as u64, newline, held);
        passed_over(&self.buffer[..part]);
        while newline.is_none() {
            self.shrink();
            let step = self.step();
            held = match file.read(&mut self.buffer[..step]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            if held == 0 {
                break;
            }
            self.end += held as u64;
            newline = memchr::memchr(b'\n', &self.buffer[..held]);
            part = newline.unwrap_or(held);
            bytes += part as u64;
            passed_over(&self.buffer[..part]);
            tail.extend_from_slice(&self.buffer[part.saturating_sub(LARGE_LINE_END)..part]);
            tail.drain(..tail.len().saturating_sub(LARGE_LINE_END));
        }
        let mut stand_in = large_line_stand_in(bytes, &beginning, &tail);
        let mut rest = 0;
        if let Some(newline) = newline {
            stand_in.push('\n');
            self.buffer.copy_within(newline + 1..held, 0);
            rest = held - newline - 1;
        }
        // What is left is less than a step.
        self.shrink();
        Ok(PassedLine { bytes, stand_in, rest })
    }

    /// How much is read at once. A line that begins and ends in it is never too large.
    fn step(&self) -> usize {
        STEP.min(self.largest_line.max(1))
    }

    /// Gives back the memory of a large line.
    fn shrink(&mut self) {
        if self.buffer.capacity() as u64 > LARGE_FROM {
            self.buffer.truncate(STEP);
            self.buffer.shrink_to(STEP);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;
    use transcript::large_line_bytes;

    /// Number, offset, and the text or the size of a line that is too large.
    type PassedOn = (u64, u64, Result<String, u64>);

    /// The lines that a reader with a limit of 40 bytes passes on.
    fn read(bytes: &[u8]) -> (Vec<PassedOn>, Position, u64, Vec<u8>) {
        let mut reader = LineReader::with_largest_line(40);
        let (mut lines, mut passed) = (Vec::new(), Vec::new());
        let end = reader.read_hashing(
            &mut Cursor::new(bytes),
            Position::START,
            |part| passed.extend_from_slice(part),
            |line| {
                let text = String::from_utf8_lossy(line.bytes).into_owned();
                let content = large_line_bytes(line.bytes).map_or(Ok(text), Err);
                lines.push((line.number, line.offset, content));
                true
            },
        );
        (lines, end.expect("bytes can be read"), reader.end(), passed)
    }

    #[test]
    fn lines_around_one_that_is_too_large_keep_their_places() {
        for size in [41, 79, 80, 81, 200, 1_000] {
            let large = "x".repeat(size);
            let file = format!("a\nb\n{large}\nc\nd");
            let (lines, end, read_to, passed) = read(file.as_bytes());
            let after = 4 + size as u64 + 1;
            let expected = vec![
                (1, 0, Ok("a".to_owned())),
                (2, 2, Ok("b".to_owned())),
                (3, 4, Err(size as u64)),
                (4, after, Ok("c".to_owned())),
                (5, after + 2, Ok("d".to_owned())),
            ];
            assert_eq!(lines, expected, "{size}");
            assert_eq!(end, Position { offset: after + 2, line: 5 });
            assert_eq!(read_to, file.len() as u64);
            assert_eq!(passed, large.as_bytes());
        }
    }

    #[test]
    fn line_of_exactly_the_limit_is_read() {
        let largest = "x".repeat(40);
        let (lines, ..) = read(format!("{largest}\n{largest}").as_bytes());
        assert_eq!(lines, [(1, 0, Ok(largest.clone())), (2, 41, Ok(largest))]);
    }

    #[test]
    fn last_line_that_is_too_large_is_left_for_the_next_read() {
        let file = format!("a\n{}", "x".repeat(300));
        let (lines, end, read_to, _) = read(file.as_bytes());
        assert_eq!(lines, [(1, 0, Ok("a".to_owned())), (2, 2, Err(300))]);
        assert_eq!(end, Position { offset: 2, line: 2 });
        assert_eq!(read_to, 302);
    }

    #[test]
    fn several_large_lines_in_a_row_are_each_passed_over() {
        let file = format!("{}\n{}\n\n", "x".repeat(100), "y".repeat(50));
        let (lines, end, ..) = read(file.as_bytes());
        assert_eq!(lines, [(1, 0, Err(100)), (2, 101, Err(50)), (3, 152, Ok(String::new()))]);
        assert_eq!(end, Position { offset: 153, line: 4 });
    }

    /// A file that counts what is read of it, and what is noted.
    struct Counted<'f> {
        file: Cursor<&'f [u8]>,
        bytes: usize,
        noted: Vec<(Position, u64)>,
        numbers: usize,
    }

    impl Read for Counted<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let read = self.file.read(buffer)?;
            self.bytes += read;
            Ok(read)
        }
    }

    impl Seek for Counted<'_> {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.file.seek(to)
        }
    }

    impl LineSource for Counted<'_> {
        fn note_large_line(&mut self, position: Position, bytes: u64) {
            self.noted.push((position, bytes));
        }

        fn line_number(&mut self, offset: u64) -> u64 {
            self.numbers += 1;
            let before = &self.file.get_ref()[..usize::try_from(offset).unwrap_or_default()];
            1 + memchr::memchr_iter(b'\n', before).count() as u64
        }
    }

    #[test]
    fn numbers_of_large_lines_need_no_second_read() {
        let pair = format!("a\n{}\n", "x".repeat(100));
        let text = pair.repeat(50);
        let expected: Vec<_> =
            (0..50).map(|at| (Position { offset: 2 + 103 * at, line: 2 + 2 * at }, 100)).collect();
        let read = |start: Position| {
            let file = Cursor::new(text.as_bytes());
            let mut file = Counted { file, bytes: 0, noted: Vec::new(), numbers: 0 };
            let mut reader = LineReader::with_largest_line(40);
            reader.read(&mut file, start, |_| true).expect("bytes can be read");
            file
        };
        let whole = read(Position::START);
        assert_eq!(whole.noted, expected);
        assert_eq!((whole.bytes, whole.numbers), (text.len(), 0));
        let rest = read(Position { offset: 103, line: 3 });
        assert_eq!(rest.noted, expected[1..]);
        assert_eq!((rest.bytes, rest.numbers), (text.len() - 103, 0));
        // Where the number of the first line is unknown, it is looked for once.
        let rest = read(Position { offset: 103, line: 1 });
        assert_eq!(rest.noted, expected[1..]);
        assert_eq!((rest.bytes, rest.numbers), (text.len() - 103, 1));
    }

    #[test]
    fn file_beyond_the_limit_is_too_large_as_a_whole() {
        let file = "line\n".repeat(100);
        let read = |most| read_lines_whole(&mut file.as_bytes(), most);
        let whole = read(500).expect("it fits");
        assert_eq!((whole.bytes, whole.file_bytes), (file.clone().into_bytes(), 500));
        let error = read(499).expect_err("a byte too many");
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(error.to_string(), "too large: more than 499 bytes");
    }
}
