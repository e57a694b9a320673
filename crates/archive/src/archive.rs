//! ManifestReader an archive.
//!
//! Readers hold no lock: they work from what the manifest said when they opened
//! it. If meanwhile a writer moved frames, the manifest is read again.

use crate::failure::{ArchiveError, Damage};
use crate::frame::{Frame, Hash, StoredChecksum, decompress};
use crate::layout::{Layout, open_file};
use crate::manifest::{FORMAT, ManifestContent, ManifestReader};
use crate::state::{Generation, Location, State, StoredBytes};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::{Arc, RwLock};

/// An archive, opened for reading.
#[derive(Debug)]
pub struct Archive {
    layout: Layout,
    broken: usize,
    state: RwLock<Arc<State>>,
}

impl Archive {
    /// Opens the archive in a folder. Damage in it is not an error here: what
    /// still holds can be read, and [`crate::verify()`] tells the rest.
    pub fn open(folder: &Path) -> Result<Archive, ArchiveError> {
        let layout = Layout::new(folder);
        let content = read_manifest(&layout)?;
        let broken = content.broken.iter().filter(|line| !line.is_mended).count();
        Ok(Archive { layout, broken, state: RwLock::new(Arc::new(content.state)) })
    }

    /// Its paths.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// How many lines of its manifest could not be read.
    pub fn broken_lines(&self) -> usize {
        self.broken
    }

    /// What is kept.
    pub fn state(&self) -> Arc<State> {
        let state = self.state.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        Arc::clone(&state)
    }

    /// The bytes of a version of a file, to be read like a file.
    pub fn read(self: &Arc<Self>, generation: &Generation) -> ArchivedFile {
        let frames = generation.frames.clone();
        ArchivedFile { archive: Arc::clone(self), frames, at: 0, held: None }
    }

    /// What a frame decompresses to.
    pub(crate) fn frame(&self, frame: Frame) -> io::Result<Vec<u8>> {
        let read = |state: &State| {
            let spot = state.spots.get(&frame.hash).ok_or(Damage::Unplaced)?;
            let stored = read_stored(&self.layout, frame.hash, spot)?;
            decompress(frame, &stored)
        };
        read(&self.state()).or_else(|_| {
            // It may have been moved since.
            let fresh = Arc::new(read_manifest(&self.layout).map_err(io::Error::other)?.state);
            let again = read(&fresh)?;
            *self.state.write().unwrap_or_else(std::sync::PoisonError::into_inner) = fresh;
            Ok(again)
        })
    }
}

/// Reads the manifest of an archive.
pub(crate) fn read_manifest(layout: &Layout) -> Result<ManifestContent, ArchiveError> {
    let path = layout.manifest();
    let folder = layout.folder().to_owned();
    let content = match read_lines(&path) {
        Ok(content) => content,
        Err(error) if error.kind() == io::ErrorKind::NotFound => ManifestContent::default(),
        Err(error) => return Err(ArchiveError::io("read", &path)(error)),
    };
    if content.length + content.unfinished == 0 {
        // The first line is there before anything is stored: this one was lost.
        // To begin anew would be to remove what it named.
        return Err(if layout.holds_frames() {
            let reason = "its manifest is gone, and what is stored cannot be content without it; \
                          put the manifest back, or move the folder away to begin anew";
            ArchiveError::NotAnArchive { folder, reason: reason.to_owned() }
        } else {
            ArchiveError::Missing { folder }
        });
    }
    match &content.begin {
        Some(begin) if begin.format > FORMAT => {
            Err(ArchiveError::Newer { folder, format: begin.format })
        }
        // One flipped bit in the first line does not make everything else void.
        None if content.is_void() => Err(ArchiveError::NotAnArchive {
            folder,
            reason: "no line of its manifest holds".to_owned(),
        }),
        _ => Ok(content),
    }
}

fn read_lines(path: &Path) -> io::Result<ManifestContent> {
    const PIECE: usize = 1 << 20;
    let mut file = open_file(path)?;
    let mut piece = vec![0; PIECE];
    let mut reading = ManifestReader::default();
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok(reading.finish()),
            Ok(read) => reading.more(&piece[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The stored bytes of a frame, if they are what was stored.
pub(crate) fn read_stored(
    layout: &Layout,
    hash: Hash,
    spot: &StoredBytes,
) -> Result<Vec<u8>, Damage> {
    let length = usize::try_from(spot.stored).map_err(|_| Damage::Impossible)?;
    let (path, at) = match spot.location {
        Location::Loose => (layout.loose(hash), 0),
        Location::Pack { number, at } => (layout.pack(number), at),
    };
    let file = open_file(&path).map_err(|_| Damage::Missing)?;
    // A manifest may say anything: no more is asked for than is there.
    let there = file.metadata().map_err(|_| Damage::Missing)?.len();
    if at.checked_add(spot.stored).is_none_or(|end| end > there) {
        return Err(Damage::Missing);
    }
    let mut stored = vec![0; length];
    file.read_exact_at(&mut stored, at).map_err(|_| Damage::Missing)?;
    if StoredChecksum::of(&stored) == spot.sum { Ok(stored) } else { Err(Damage::Stored) }
}

/// A kept file, read frame by frame.
#[derive(Debug)]
pub struct ArchivedFile {
    archive: Arc<Archive>,
    frames: Vec<Frame>,
    at: u64,
    /// The frame last read: where it begins, and its bytes.
    held: Option<(u64, Vec<u8>)>,
}

impl ArchivedFile {
    fn length(&self) -> u64 {
        self.frames.iter().map(|frame| frame.length).sum()
    }

    /// The bytes of the frame that the position lies in, from the position on.
    fn rest(&mut self) -> io::Result<&[u8]> {
        let holds = |(start, bytes): &(u64, Vec<u8>)| {
            (*start..start + bytes.len() as u64).contains(&self.at)
        };
        if !self.held.as_ref().is_some_and(holds) {
            let mut start = 0;
            let frame = self.frames.iter().find(|frame| {
                let here = self.at < start + frame.length;
                start += if here { 0 } else { frame.length };
                here
            });
            let Some(frame) = frame else { return Ok(&[]) };
            self.held = Some((start, self.archive.frame(*frame)?));
        }
        let Some((start, bytes)) = &self.held else { return Ok(&[]) };
        let skip = usize::try_from(self.at - start).unwrap_or(usize::MAX);
        Ok(bytes.get(skip..).unwrap_or_default())
    }
}

impl Read for ArchivedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = self.rest()?;
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for ArchivedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.length().checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = target.ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidInput, "a place before the beginning")
        })?;
        Ok(self.at)
    }
}
