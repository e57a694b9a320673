//! Archives new and changed files.
//!
//! A file whose stamp is unchanged is not opened. A file that grew is read from
//! the start of its last frame: those bytes prove that the archived part is
//! unchanged, and are stored again with the new ones. If the archived part has
//! changed, a new generation starts, which shares the unchanged frames.
//!
//! Files are read and compressed on all cores and passed to one writer through
//! a short channel, so memory use does not grow with the store.

use crate::failure::ArchiveError;
use crate::frame::{CompressedFrame, FRAME, Frame, FrameCompressor, Hash};
use crate::notes;
use crate::scope::{ArchiveRoot, Candidate, is_flat_agent};
use crate::state::{FileKey, FileStamp, Generation, Location, RootNumber};
use crate::writer::Writer;
use jiff::{SignedDuration, Timestamp};
use rayon::prelude::*;
use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, Instant};
use store::{FileStat, open_regular};

/// A file that has been unchanged for this long is probably finished.
const QUIET: SignedDuration = SignedDuration::from_hours(1);

/// Stored bytes are made durable at least this often.
const COMMIT_EVERY: Duration = Duration::from_millis(500);
const COMMIT_BYTES: usize = 4 << 20;
/// Their manifest lines are held in memory.
const COMMIT_FILES: usize = 8192;

/// Which files to archive.
pub struct SyncOptions<'a> {
    /// The roots.
    pub areas: &'a [ArchiveRoot],
    /// Only these files, if the changed files are known.
    pub only: Option<&'a [PathBuf]>,
    /// Which files to include.
    pub admits: &'a (dyn Fn(&Candidate) -> bool + Sync),
    /// The time.
    pub now: Timestamp,
}

/// A file with newly archived content, which is durable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewlyArchived {
    /// Where it is.
    pub path: PathBuf,
    /// Which version this is.
    pub generation: u32,
    /// How many bytes of that version are archived.
    pub bytes: u64,
    /// How many of them are new.
    pub new_bytes: u64,
    /// Whether the file was rewritten, so that this version is new.
    pub is_rewritten: bool,
}

/// Receives the progress of a sync.
pub trait Observer: Sync {
    /// The number of bytes to process.
    fn start(&self, bytes: u64);
    /// This many more bytes are processed.
    fn advance(&self, bytes: u64);
    /// These files are archived now.
    fn kept(&self, files: &[NewlyArchived]);
}

/// The result of a sync.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncReport {
    /// Files examined.
    pub files: usize,
    /// Their total size.
    pub bytes: u64,
    /// Files with newly archived content.
    pub changed: usize,
    /// Of those, rewritten files: their old version is kept too.
    pub rewritten: usize,
    /// New bytes.
    pub new_bytes: u64,
    /// The size of those bytes in the archive.
    pub stored_bytes: u64,
    /// Links and other skipped entries.
    pub links: usize,
    /// Skipped files: excluded, forgotten, or too old.
    pub unwanted: usize,
    /// Damaged frames that were stored again.
    pub mended: usize,
    /// Files that could not be archived, and why.
    pub read_errors: Vec<(PathBuf, String)>,
}

/// Archives new and changed files.
pub fn sync(
    folder: &Path,
    options: &SyncOptions<'_>,
    observer: &dyn Observer,
) -> Result<SyncReport, ArchiveError> {
    let mut writer = Writer::open(folder)?;
    let mut synced = SyncReport::default();
    // Damaged frames whose files are still on disk are stored again.
    let lost = writer.lost_frames();
    let work = plan(&mut writer, options, &lost, &mut synced);
    let distrusted = if work.is_empty() { Vec::new() } else { writer.distrust(&lost) };
    if !work.is_empty() {
        read_all(&mut writer, &work, options.now, observer, &mut synced)?;
    }
    synced.mended = writer.trust(distrusted);
    seal_quiet(&mut writer, options.now)?;
    writer.finish()?;
    let was_whole = notes::last_verify(folder).is_none_or(|note| note.whole);
    let is_mended = synced.mended > 0 || !was_whole && writer.give_up_bad_spare();
    if is_mended && !writer.is_damaged() {
        writer.give_up_bad_spare();
        // Otherwise the manifest would keep listing the damaged bytes.
        writer.rewrite()?;
        notes::forget_verified(writer.layout())?;
    } else if writer.is_worth_repacking() {
        writer.repack()?;
    } else if writer.is_worth_rewriting() {
        writer.rewrite()?;
    }
    notes::write_synced(&writer, options.now)?;
    Ok(synced)
}

/// Reads changed files on all cores, and stores them.
fn read_all(
    writer: &mut Writer,
    work: &[Work],
    now: Timestamp,
    observer: &dyn Observer,
    synced: &mut SyncReport,
) -> Result<(), ArchiveError> {
    observer.start(work.iter().map(|work| work.file.stat.bytes).sum());
    let known: HashSet<Hash> = writer.state.spots.keys().copied().collect();
    let (sender, receiver) = sync_channel(4);
    std::thread::scope(|scope| {
        let known = &known;
        scope.spawn(move || {
            work.par_iter().with_max_len(1).for_each_init(
                || (sender.clone(), Reader::new(known, now)),
                |(sender, reader), work| reader.read(work, sender),
            );
        });
        let mut batch = Batch::new(writer, observer);
        for message in receiver {
            batch.take(message, synced)?;
        }
        batch.commit(synced)
    })
}

/// A file to read.
#[derive(Debug)]
struct Work {
    root: RootNumber,
    file: Candidate,
    before: Option<Box<Generation>>,
}

/// The changed files, largest first.
fn plan(
    writer: &mut Writer,
    options: &SyncOptions<'_>,
    lost: &HashSet<Hash>,
    synced: &mut SyncReport,
) -> Vec<Work> {
    let mut work = Vec::new();
    // Roots may overlap.
    let mut met = HashSet::new();
    let overlaps = options.areas.len() > 1 || options.only.is_some();
    for area in options.areas {
        let walk = options.only.map_or_else(|| area.walk(), |paths| area.scan_paths(paths));
        synced.links += walk.links;
        synced.read_errors.extend(walk.read_errors);
        let Some(path) = area.identity.to_str() else {
            let reason = "the path of this store is not UTF-8".to_owned();
            synced.read_errors.push((area.identity.clone(), reason));
            continue;
        };
        let root = writer.own_root(path);
        for file in walk.files {
            let key = (root, file.name.clone());
            if overlaps && !met.insert(key.clone()) {
                continue;
            }
            if !(options.admits)(&file) {
                synced.unwanted += 1;
                continue;
            }
            synced.files += 1;
            synced.bytes += file.stat.bytes;
            let before = writer.state.newest(&key);
            let is_lost = |frame: &Frame| lost.contains(&frame.hash);
            let has_lost = before.is_some_and(|before| before.frames.iter().any(is_lost));
            if has_lost || !before.is_some_and(|before| before.is_of(&file.stat)) {
                let before = before.cloned().map(Box::new);
                work.push(Work { root, file, before });
            }
        }
    }
    work.sort_by_key(|work| std::cmp::Reverse(work.file.stat.bytes));
    work
}

/// A message from a reader thread to the writer.
enum ReaderMessage {
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
    Trouble(PathBuf, io::Error),
}

/// Reads and compresses files, one after another.
struct Reader<'a> {
    known: &'a HashSet<Hash>,
    now: Timestamp,
    compressor: Option<FrameCompressor>,
    buffer: Vec<u8>,
}

impl<'a> Reader<'a> {
    fn new(known: &'a HashSet<Hash>, now: Timestamp) -> Self {
        Reader { known, now, compressor: None, buffer: Vec::new() }
    }

    fn read(&mut self, work: &Work, sender: &SyncSender<ReaderMessage>) {
        let message = self.read_new(work, sender);
        // If the writer is gone, it has failed and reported why.
        let _ = match message {
            Ok(Some(kept)) => sender.send(kept),
            Ok(None) => Ok(()),
            Err(error) => sender.send(ReaderMessage::Trouble(work.file.path.clone(), error)),
        };
        let _ = sender.send(ReaderMessage::Processed(work.file.stat.bytes));
    }

    fn read_new(
        &mut self,
        work: &Work,
        sender: &SyncSender<ReaderMessage>,
    ) -> io::Result<Option<ReaderMessage>> {
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
            session: is_flat_agent(&work.file.name)
                .then(|| store::flat_agent(&store::Files::disk(), &work.file.path)?.session_id)
                .flatten(),
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

/// Stored files that are not committed yet.
struct Batch<'a> {
    writer: &'a mut Writer,
    observer: &'a dyn Observer,
    files: Vec<NewlyArchived>,
    stored: usize,
    since: Instant,
}

impl<'a> Batch<'a> {
    fn new(writer: &'a mut Writer, observer: &'a dyn Observer) -> Self {
        Batch { writer, observer, files: Vec::new(), stored: 0, since: Instant::now() }
    }

    fn take(
        &mut self,
        message: ReaderMessage,
        synced: &mut SyncReport,
    ) -> Result<(), ArchiveError> {
        match message {
            ReaderMessage::Frame { stored, loose } => {
                if !self.writer.has(stored.frame.hash) {
                    synced.stored_bytes += stored.bytes.len() as u64;
                    self.stored += stored.bytes.len();
                }
                self.writer.store(&stored, loose)?;
            }
            ReaderMessage::FileRead { key, generation, from, frames, seen, file } => {
                if self.writer.keep(&key, generation, from, &frames, seen) {
                    self.files.push(file);
                } else {
                    let reason = "some of its stored frames are missing".to_owned();
                    synced.read_errors.push((file.path, reason));
                }
            }
            ReaderMessage::Processed(bytes) => self.observer.advance(bytes),
            ReaderMessage::Trouble(path, error) => {
                synced.read_errors.push((path, error.to_string()))
            }
        }
        let is_much = self.stored >= COMMIT_BYTES || self.files.len() >= COMMIT_FILES;
        if is_much || self.since.elapsed() >= COMMIT_EVERY {
            self.commit(synced)?;
        }
        Ok(())
    }

    fn commit(&mut self, synced: &mut SyncReport) -> Result<(), ArchiveError> {
        self.writer.commit()?;
        for file in &self.files {
            synced.changed += usize::from(file.new_bytes > 0 || file.bytes == 0);
            synced.rewritten += usize::from(file.is_rewritten);
            synced.new_bytes += file.new_bytes;
        }
        self.observer.kept(&self.files);
        self.files.clear();
        self.stored = 0;
        self.since = Instant::now();
        Ok(())
    }
}

/// Moves the ends of quiet files into the pack.
fn seal_quiet(writer: &mut Writer, now: Timestamp) -> Result<(), ArchiveError> {
    let mut ended = Vec::new();
    for (key, generations) in writer.state.files() {
        for (place, generation) in generations.iter().enumerate() {
            let Some(last) = generation.frames.last() else { continue };
            let spot = writer.state.spots.get(&last.hash);
            let is_loose = spot.is_some_and(|spot| spot.location == Location::Loose);
            let is_replaced = place + 1 < generations.len();
            let age = now.duration_since(generation.seen.modified);
            if is_loose && (is_replaced || age >= QUIET) {
                ended.push((key.clone(), generation.clone(), *last));
            }
        }
    }
    for (key, generation, last) in ended {
        // Unreadable frames stay where they are; verify reports them.
        let Some(spot) = writer.state.spots.get(&last.hash) else { continue };
        let Ok(bytes) = crate::archive::read_stored(writer.layout(), last.hash, spot) else {
            continue;
        };
        writer.store(&CompressedFrame { frame: last, bytes }, false)?;
        let from = generation.bytes() - last.length;
        // Its earlier lines remain valid in any case.
        let _ = writer.keep(&key, generation.number, from, &[last], generation.seen);
    }
    Ok(())
}
