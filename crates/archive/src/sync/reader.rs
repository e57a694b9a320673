//! Reads one file and compresses its new frames, on one of several threads.
//!
//! Deliberately not here: the archive. Readers send frames to the writer and never
//! touch its state.

use super::{NewlyArchived, QUIET, Work};
use crate::frame::{CompressedFrame, FRAME, Frame, FrameCompressor, Hash};
use crate::scope::is_flat_agent;
use crate::state::{FileKey, FileStamp, Generation};
use jiff::Timestamp;
use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;
use std::sync::mpsc::SyncSender;
use store::progress::Progress;
use store::{FileStat, open_regular};

/// A message from a reader thread to the writer.
pub(super) enum ReaderMessage {
    Frame {
        stored: CompressedFrame,
        loose: bool,
    },
    FileRead {
        key: FileKey,
        generation: u32,
        from: u64,
        frames: Vec<Frame>,
        seen: FileStamp,
        file: NewlyArchived,
    },
    Processed(u64),
    Failed(PathBuf, io::Error),
    LeftOut,
}

/// Reads and compresses files, one after another.
pub(super) struct Reader<'a> {
    known: &'a HashSet<Hash>,
    now: Timestamp,
    progress: &'a dyn Progress,
    compressor: Option<FrameCompressor>,
    buffer: Vec<u8>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        known: &'a HashSet<Hash>,
        now: Timestamp,
        progress: &'a dyn Progress,
    ) -> Self {
        Reader { known, now, progress, compressor: None, buffer: Vec::new() }
    }

    pub(super) fn read(&mut self, work: &Work, sender: &SyncSender<ReaderMessage>) {
        let message = self.read_new(work, sender);
        // If the writer is gone, it has failed and reported why.
        let _ = match message {
            Ok(Some(kept)) => sender.send(kept),
            Ok(None) => Ok(()),
            Err(error) => sender.send(ReaderMessage::Failed(work.file.path.clone(), error)),
        };
        let _ = sender.send(ReaderMessage::Processed(work.file.stat.bytes));
    }

    fn read_new(
        &mut self,
        work: &Work,
        sender: &SyncSender<ReaderMessage>,
    ) -> io::Result<Option<ReaderMessage>> {
        if self.progress.is_late() {
            return Ok(Some(ReaderMessage::LeftOut));
        }
        let (file, stat) = match open_regular(&work.file.path) {
            Ok(opened) => opened,
            // Deleted since it was listed: its archived versions stay.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let begin = match &work.before {
            Some(before) => self.find_start(&file, &stat, before)?,
            None => Start { generation: 1, from: 0, was: 0, grows: false },
        };
        let is_quiet = self.now.duration_since(stat.modified) >= QUIET;
        let mut frames = Vec::new();
        let mut at = begin.from;
        while at < stat.bytes {
            // As after a failed read: no line of the manifest names the frames of this
            // file that are stored already.
            if self.progress.is_late() {
                return Ok(Some(ReaderMessage::LeftOut));
            }
            let length = (FRAME - at % FRAME).min(stat.bytes - at);
            let read = self.fill(&file, at, length)?;
            if read == 0 {
                break;
            }
            let bytes = &self.buffer[..read];
            let frame = Frame { hash: Hash::of(bytes), length: read as u64 };
            frames.push(frame);
            at += read as u64;
            if !self.known.contains(&frame.hash) {
                let compressor = match &mut self.compressor {
                    Some(compressor) => compressor,
                    none => none.insert(FrameCompressor::new()?),
                };
                let stored = compressor.compress(frame, bytes)?;
                let loose = begin.grows && !is_quiet && frame.length < FRAME;
                if sender.send(ReaderMessage::Frame { stored, loose }).is_err() {
                    return Ok(None);
                }
            }
            if (read as u64) < length {
                break;
            }
        }
        // A file that changed while it was read may be inconsistent: without an
        // identity, the next sync checks all its frames again.
        let is_settled = at == stat.bytes && FileStat::of(&file.metadata()?) == stat;
        let seen = FileStamp {
            modified: stat.modified,
            kept: self.now,
            identity: is_settled.then(|| stat.identity()),
            session: work.file.session.clone().or_else(|| {
                let is_agent = is_flat_agent(&work.file.name);
                is_agent.then(|| {
                    store::flat_agent(&store::Files::disk(), &work.file.path)?.session_id
                })?
            }),
        };
        let file = NewlyArchived {
            path: work.file.path.clone(),
            generation: begin.generation,
            bytes: at,
            new_bytes: at - begin.was.min(at),
            is_rewritten: begin.generation > 1 && !begin.grows,
        };
        let key = (work.root, work.file.name.clone());
        let (generation, from) = (begin.generation, begin.from);
        Ok(Some(ReaderMessage::FileRead { key, generation, from, frames, seen, file }))
    }

    /// Where to start reading, so that everything before it is unchanged.
    fn find_start(
        &mut self,
        file: &File,
        stat: &FileStat,
        before: &Generation,
    ) -> io::Result<Start> {
        let was = before.bytes();
        let (inode, device, _) = stat.identity();
        let is_same = before.seen.identity.is_some_and(|it| (it.0, it.1) == (inode, device));
        let last_start = was - before.frames.last().map_or(0, |frame| frame.length);
        // A file that grew has nearly always the same content up to its old
        // end, and its last frame proves that. A file that changed without
        // growing, or was replaced, may differ anywhere.
        let last = before.frames.last();
        let may_continue = stat.bytes > was && is_same;
        let continues = may_continue
            && match last {
                Some(last) => self.holds(file, last_start, *last)?,
                None => true,
            };
        let mut unchanged = 0;
        let mut whole = continues;
        if !continues {
            whole = stat.bytes >= was;
            for frame in &before.frames {
                if !self.holds(file, unchanged, *frame)? {
                    whole = false;
                    break;
                }
                unchanged += frame.length;
            }
        }
        let mut begin = if whole {
            let is_open = !was.is_multiple_of(FRAME) && stat.bytes > was;
            let from = if is_open { last_start } else { was };
            Start { generation: before.number, from, was, grows: true }
        } else {
            Start { generation: before.number + 1, from: unchanged, was: unchanged, grows: false }
        };
        // A frame that is no longer known is lost, and read again.
        let mut at = 0;
        let mut frames = before.frames.iter();
        let unknown = frames.find(|frame| {
            let is_known = self.known.contains(&frame.hash);
            at += if is_known { frame.length } else { 0 };
            !is_known
        });
        if unknown.is_some() {
            begin.from = begin.from.min(at);
        }
        Ok(begin)
    }

    /// Whether the file still contains a frame.
    fn holds(&mut self, file: &File, at: u64, frame: Frame) -> io::Result<bool> {
        let read = self.fill(file, at, frame.length)?;
        Ok(read as u64 == frame.length && Hash::of(&self.buffer[..read]) == frame.hash)
    }

    /// Fills the buffer from an offset of the file. Returns the number of bytes
    /// read.
    fn fill(&mut self, file: &File, at: u64, length: u64) -> io::Result<usize> {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        if self.buffer.len() < length {
            self.buffer.resize(length, 0);
        }
        let mut held = 0;
        while held < length {
            match file.read_at(&mut self.buffer[held..length], at + held as u64) {
                Ok(0) => break,
                Ok(read) => held += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(held)
    }
}

/// Where reading starts.
struct Start {
    generation: u32,
    from: u64,
    /// How many bytes of this generation were archived before.
    was: u64,
    /// Whether an archived version continues.
    grows: bool,
}
