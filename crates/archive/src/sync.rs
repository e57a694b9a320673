//! Archives new and changed files.
//!
//! A file whose stamp is unchanged is not opened. A file that grew is read from
//! the start of its last frame: those bytes prove that the archived part is
//! unchanged, and are stored again with the new ones. If the archived part has
//! changed, a new generation starts, which shares the unchanged frames.
//!
//! Files are read and compressed on all cores and passed to one writer through
//! a short channel, so memory use does not grow with the store ([`reader`] has
//! what happens to one file).

mod reader;

use self::reader::{Reader, ReaderMessage};
use crate::failure::ArchiveError;
use crate::frame::{CompressedFrame, Frame, Hash};
use crate::notes;
use crate::scope::{ArchiveRoot, Candidate};
use crate::state::{Generation, Location, RootNumber};
use crate::writer::Writer;
use jiff::{SignedDuration, Timestamp};
use rayon::prelude::*;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};
use store::progress::Progress;

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
    /// Changed files that were not archived because the sync was stopped.
    pub left_out: usize,
}

/// Archives new and changed files. `on_archived` receives files whose new
/// content is durable.
///
/// A sync that is stopped leaves a whole archive: files that were read to their
/// end are archived, the others are left for the next sync, which is due as if
/// this one had not run.
pub fn sync(
    folder: &Path,
    options: &SyncOptions<'_>,
    progress: &dyn Progress,
    on_archived: &dyn Fn(&[NewlyArchived]),
) -> Result<SyncReport, ArchiveError> {
    let mut writer = Writer::open(folder)?;
    let mut synced = SyncReport::default();
    // Damaged frames whose files are still on disk are stored again.
    let lost = writer.lost_frames();
    let work = plan(&mut writer, options, &lost, &mut synced);
    let distrusted = if work.is_empty() { Vec::new() } else { writer.distrust(&lost) };
    if !work.is_empty() {
        let observer = Observer { progress, on_archived };
        read_all(&mut writer, &work, options.now, observer, &mut synced)?;
    }
    synced.mended = writer.trust(distrusted);
    if synced.left_out > 0 {
        writer.finish()?;
        notes::follow(&writer)?;
        return Ok(synced);
    }
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

/// The caller's ends of a sync.
#[derive(Clone, Copy)]
struct Observer<'a> {
    progress: &'a dyn Progress,
    on_archived: &'a dyn Fn(&[NewlyArchived]),
}

/// Reads changed files on all cores, and stores them.
fn read_all(
    writer: &mut Writer,
    work: &[Work],
    now: Timestamp,
    observer: Observer<'_>,
    synced: &mut SyncReport,
) -> Result<(), ArchiveError> {
    let progress = observer.progress;
    progress.start(work.iter().map(|work| work.file.stat.bytes).sum());
    let known: HashSet<Hash> = writer.state.spots.keys().copied().collect();
    let (sender, receiver) = sync_channel(4);
    std::thread::scope(|scope| {
        let known = &known;
        scope.spawn(move || {
            work.par_iter().with_max_len(1).for_each_init(
                || (sender.clone(), Reader::new(known, now, progress)),
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

/// Stored files that are not committed yet.
struct Batch<'a> {
    writer: &'a mut Writer,
    observer: Observer<'a>,
    files: Vec<NewlyArchived>,
    stored: usize,
    since: Instant,
}

impl<'a> Batch<'a> {
    fn new(writer: &'a mut Writer, observer: Observer<'a>) -> Self {
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
            ReaderMessage::Processed(bytes) => self.observer.progress.advance(bytes),
            ReaderMessage::Failed(path, error) => {
                synced.read_errors.push((path, error.to_string()));
            }
            ReaderMessage::LeftOut => {
                synced.left_out += 1;
                self.observer.progress.leave_out();
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
        (self.observer.on_archived)(&self.files);
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
