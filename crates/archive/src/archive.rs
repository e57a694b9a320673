//! Reads an archive.
//!
//! Readers take no lock: they work from the manifest as it was when they opened
//! it. If a writer has moved frames since, they read the manifest again.

use crate::failure::{ArchiveError, Damage};
use crate::frame::{Frame, Hash, StoredChecksum, decompress};
use crate::layout::{Layout, open_file};
use crate::manifest::{FORMAT, ManifestContent, ManifestReader};
use crate::state::{Generation, Location, State, StoredBytes};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::{Arc, RwLock};

/// An archive, open for reading.
#[derive(Debug)]
pub struct Archive {
    layout: Layout,
    broken: usize,
    state: RwLock<Arc<State>>,
}

impl Archive {
    /// Opens the archive in a folder. Damage is not an error here: intact files
    /// can be read, and [`crate::verify()`] reports the rest.
    pub fn open(folder: &Path) -> Result<Archive, ArchiveError> {
        let layout = Layout::new(folder);
        let content = read_manifest(&layout)?;
        let broken = content.damaged.iter().filter(|line| !line.is_mended).count();
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

    /// The archived files.
    pub fn state(&self) -> Arc<State> {
        let state = self.state.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        Arc::clone(&state)
    }

    /// Opens a version of a file for reading.
    pub fn read(self: &Arc<Self>, generation: &Generation) -> ArchivedFile {
        let frames = generation.frames.clone();
        ArchivedFile { archive: Arc::clone(self), frames, at: 0, held: None }
    }

    /// Reads and decompresses a frame.
    pub(crate) fn frame(&self, frame: Frame) -> io::Result<Vec<u8>> {
        let read = |state: &State| {
            let spot = state.spots.get(&frame.hash).ok_or(Damage::Unplaced)?;
            let stored = read_stored(&self.layout, frame.hash, spot)?;
            decompress(frame, &stored)
        };
        read(&self.state()).or_else(|_| {
            // A writer may have moved it since.
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
        // A new archive gets its first line before anything is stored, so this
        // manifest was lost. Starting a new one would delete the frames it
        // listed.
        return Err(if layout.holds_frames() {
            let reason = "its manifest is missing, and the stored files cannot be listed without it\n\
                          hint: put the manifest back, or move the folder away to start a new archive";
            ArchiveError::NotAnArchive { folder, reason: reason.to_owned() }
        } else {
            ArchiveError::Missing { folder }
        });
    }
    match &content.begin {
        Some(begin) if begin.format > FORMAT => {
            let annals = Some(begin.annals.clone()).filter(|it| !it.is_empty());
            Err(ArchiveError::Newer { folder, format: begin.format, annals })
        }
        // One flipped bit in the first line does not invalidate everything
        // else.
        None if content.is_void() => Err(ArchiveError::NotAnArchive {
            folder,
            reason: "its manifest has no valid line".to_owned(),
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

/// Reads the stored bytes of a frame and checks them.
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
    // A manifest may claim any size: never allocate more than the file has.
    let there = file.metadata().map_err(|_| Damage::Missing)?.len();
    if at.checked_add(spot.stored).is_none_or(|end| end > there) {
        return Err(Damage::Missing);
    }
    let mut stored = vec![0; length];
    file.read_exact_at(&mut stored, at).map_err(|_| Damage::Missing)?;
    if StoredChecksum::of(&stored) == spot.sum { Ok(stored) } else { Err(Damage::Stored) }
}

/// An archived file, read frame by frame.
#[derive(Debug)]
pub struct ArchivedFile {
    archive: Arc<Archive>,
    frames: Vec<Frame>,
    at: u64,
    /// The last frame read: its offset and its bytes.
    held: Option<(u64, Vec<u8>)>,
}

impl ArchivedFile {
    fn length(&self) -> u64 {
        self.frames.iter().map(|frame| frame.length).sum()
    }

    /// The bytes from the current position to the end of its frame.
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
            io::Error::new(io::ErrorKind::InvalidInput, "cannot seek before the beginning")
        })?;
        Ok(self.at)
    }
}
