//! Writes an archive.
//!
//! One writer at a time. Stored frames become part of the archive with
//! [`Writer::commit`], in this order, each step durable before the next: stored
//! bytes, names of new files, lines of the manifest. After an interruption,
//! leftovers are not listed by any line, and the next writer removes them.
//!
//! If a line of the manifest is damaged or lost, nothing is removed, truncated
//! or rewritten any more: the bytes that the line listed may be the only copy
//! of something. New files are still archived.

mod lost_frames;
mod rewrite;

use crate::failure::ArchiveError;
use crate::frame::{CompressedFrame, Frame, Hash, StoredChecksum};
use crate::layout::{Layout, UNFINISHED, open_own, remove, replace, sync_folder};
use crate::manifest::{self, Begin, FORMAT, FrameLine, KeepLine, Line, RootLine, StoredBytesLine};
use crate::state::{FileKey, FileStamp, Location, RootNumber, State, StoredBytes};
use crate::{archive, lock, notes, readme};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use store::{make_content_durable, random_bytes};

/// A pack of this size takes no more frames.
const PACK: u64 = 64 << 20;

/// How many bytes are buffered before they are written to the pack.
const BUFFER: usize = 1 << 20;

/// Writes into an archive.
#[derive(Debug)]
pub(crate) struct Writer {
    layout: Layout,
    _lock: File,
    pub(crate) state: State,
    begin: Begin,
    manifest: Manifest,
    pack: Option<Pack>,
    last_pack: u32,
    /// Whether frames may have become unneeded since the last commit.
    has_replaced: bool,
    has_new_loose: bool,
    is_damaged: bool,
    /// A line that was written earlier and is now missing.
    lost: Option<String>,
}

#[derive(Debug)]
struct Manifest {
    file: File,
    length: u64,
    /// The hash of the last line.
    last: String,
    /// The hash of the last written line.
    written: String,
    /// Lines that are not written yet.
    waiting: String,
    lines: usize,
    replaced: usize,
    /// Lines of newer versions.
    unknown: Vec<String>,
}

#[derive(Debug)]
struct Pack {
    number: u32,
    file: File,
    /// The offset at which the buffer will be written.
    end: u64,
    buffer: Vec<u8>,
    is_new: bool,
    is_dirty: bool,
}

impl Writer {
    /// Opens the archive in a folder for writing; creates it if there is none.
    pub(crate) fn open(folder: &Path) -> Result<Writer, ArchiveError> {
        Writer::open_as(folder, None)
    }

    /// Like [`Writer::open`]; a new archive gets this id.
    pub(crate) fn open_as(folder: &Path, id: Option<&str>) -> Result<Writer, ArchiveError> {
        let layout = Layout::new(folder);
        layout.create()?;
        let taken = lock::take(&layout.lock(), lock::PATIENCE)
            .map_err(ArchiveError::io("lock", &layout.lock()))?;
        let lock = taken.ok_or_else(|| ArchiveError::Busy { folder: folder.to_owned() })?;
        let there = archive::read_manifest(&layout);
        if matches!(there, Err(ArchiveError::Missing { .. })) {
            remove(&layout.synced())?;
            let text = readme::TEXT;
            replace(&layout.readme(), text.as_bytes())?;
            let begin = Begin {
                format: FORMAT,
                id: id.map_or_else(|| new_id(folder), |id| Ok(id.to_owned()))?,
                readme: Hash::of(text.as_bytes()).to_string(),
                replaces: String::new(),
                annals: manifest::ANNALS.to_owned(),
            };
            let line = Line { archive: Some(begin), ..Line::default() };
            replace(&layout.manifest(), (manifest::write(line, "") + "\n").as_bytes())?;
        }
        let content = match there {
            Err(ArchiveError::Missing { .. }) => archive::read_manifest(&layout)?,
            there => there?,
        };
        let note = notes::read_synced(&layout).ok().flatten();
        let lost = note.filter(|note| note.is_lost(&content)).map(|note| note.manifest);
        let is_damaged = content.is_damaged() || lost.is_some();
        let is_mended = !is_damaged && !content.damaged.is_empty();
        let path = layout.manifest();
        let file = open_own(&path)?;
        let mut manifest = Manifest {
            file,
            length: content.length,
            written: content.last.clone(),
            last: content.last,
            waiting: String::new(),
            lines: content.lines,
            replaced: content.replaced,
            unknown: content.unknown,
        };
        if content.unfinished > 0 {
            if is_damaged {
                manifest.length += content.unfinished;
                manifest.waiting.push('\n');
            } else {
                manifest.file.set_len(content.length).map_err(ArchiveError::io("cut", &path))?;
            }
        }
        let mut writer = Writer {
            layout,
            _lock: lock,
            state: content.state,
            begin: content.begin.unwrap_or_default(),
            manifest,
            pack: None,
            last_pack: 0,
            has_replaced: false,
            has_new_loose: false,
            is_damaged,
            lost,
        };
        writer.tidy()?;
        if is_mended {
            writer.rewrite()?;
        }
        Ok(writer)
    }

    /// The hash of the last line that was committed.
    pub(crate) fn last(&self) -> &str {
        &self.manifest.last
    }

    /// A line that the last sync wrote and that is now missing.
    pub(crate) fn lost_line(&self) -> Option<&str> {
        self.lost.as_deref()
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Removes leftovers of interrupted writers, and finds the pack to
    /// continue.
    fn tidy(&mut self) -> Result<(), ArchiveError> {
        let mut ends: BTreeMap<u32, u64> = BTreeMap::new();
        for spot in self.state.spots.values().chain(&self.state.spare) {
            if let Location::Pack { number, at } = spot.location {
                let end = ends.entry(number).or_default();
                *end = (*end).max(at + spot.stored);
            }
        }
        let mut on_disk = Vec::new();
        for (path, name) in listed(&self.layout.packs())? {
            match name.strip_suffix(".zst").and_then(|number| number.parse().ok()) {
                Some(number) if ends.contains_key(&number) || self.is_damaged => {
                    on_disk.push(number);
                }
                Some(_) if !self.is_damaged => remove(&path)?,
                _ => {}
            }
        }
        self.last_pack = on_disk.iter().chain(ends.keys()).copied().max().unwrap_or_default();
        if self.is_damaged {
            return Ok(());
        }
        for (path, name) in listed(&self.layout.loose_folder())? {
            let hash = name.strip_suffix(".zst").and_then(Hash::parse);
            let spot = hash.and_then(|hash| self.state.spots.get(&hash));
            let is_needed = spot.is_some_and(|spot| spot.location == Location::Loose);
            if (hash.is_some() && !is_needed) || name.ends_with(UNFINISHED) {
                remove(&path)?;
            }
        }
        if let Some((number, end)) = ends.last_key_value().map(|(number, end)| (*number, *end))
            && end < PACK
        {
            let path = self.layout.pack(number);
            let length = fs::metadata(&path).map(|metadata| metadata.len());
            // A truncated pack is left for later repair.
            if length.is_ok_and(|length| length >= end) {
                let file = open_own(&path)?;
                file.set_len(end).map_err(ArchiveError::io("cut", &path))?;
                self.pack = Some(Pack::new(number, file, end));
            }
        }
        Ok(())
    }

    /// The number of a root of this machine.
    pub(crate) fn own_root(&mut self, path: &str) -> RootNumber {
        let id = self.begin.id.clone();
        self.root(&id, path)
    }

    /// The number of a root, which is recorded if it is new.
    pub(crate) fn root(&mut self, archive: &str, path: &str) -> RootNumber {
        let known = self.state.roots.values();
        if let Some(root) = known.clone().find(|root| root.archive == archive && root.path == path)
        {
            return root.number;
        }
        let number = self.state.roots.keys().max().map_or(1, |last| last + 1);
        let root = RootLine { number, archive: archive.to_owned(), path: path.to_owned() };
        self.state.roots.insert(number, root.clone());
        self.append_line(Line { root: Some(root), ..Line::default() });
        number
    }

    /// Whether a frame is already stored.
    pub(crate) fn has(&self, hash: Hash) -> bool {
        self.state.spots.contains_key(&hash)
    }

    /// Whether a line of the manifest is damaged.
    pub(crate) fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// Stores a frame that is not stored yet. A loose frame that should no
    /// longer be loose moves into the pack.
    pub(crate) fn store(
        &mut self,
        stored: &CompressedFrame,
        loose: bool,
    ) -> Result<(), ArchiveError> {
        let frame = stored.frame;
        match self.state.spots.get(&frame.hash).map(|spot| spot.location) {
            Some(Location::Pack { .. }) => return Ok(()),
            Some(Location::Loose) if loose => return Ok(()),
            Some(Location::Loose) => self.has_replaced = true,
            None => {}
        }
        let location = if loose {
            replace(&self.layout.loose(frame.hash), &stored.bytes)?;
            self.has_new_loose = true;
            Location::Loose
        } else {
            self.append(&stored.bytes)?
        };
        let spot = StoredBytes {
            location,
            stored: stored.bytes.len() as u64,
            sum: StoredChecksum::of(&stored.bytes),
        };
        self.state.place(frame, spot);
        Ok(())
    }

    fn append(&mut self, bytes: &[u8]) -> Result<Location, ArchiveError> {
        if self.pack.as_ref().is_none_or(|pack| pack.end + pack.buffer.len() as u64 >= PACK) {
            self.finish_pack()?;
            let number = self.last_pack + 1;
            let path = self.layout.pack(number);
            let file = open_own(&path)?;
            file.set_len(0).map_err(ArchiveError::io("cut", &path))?;
            self.last_pack = number;
            self.pack = Some(Pack { is_new: true, ..Pack::new(number, file, 0) });
        }
        let Some(pack) = &mut self.pack else { unreachable!("a pack was just opened") };
        let location =
            Location::Pack { number: pack.number, at: pack.end + pack.buffer.len() as u64 };
        pack.buffer.extend_from_slice(bytes);
        if pack.buffer.len() >= BUFFER {
            pack.flush(&self.layout)?;
        }
        Ok(location)
    }

    fn finish_pack(&mut self) -> Result<(), ArchiveError> {
        let Some(pack) = &mut self.pack else { return Ok(()) };
        pack.flush(&self.layout)?;
        if pack.is_dirty {
            let path = self.layout.pack(pack.number);
            make_content_durable(&pack.file).map_err(ArchiveError::io("make durable", &path))?;
            pack.is_dirty = false;
        }
        if pack.is_new {
            sync_folder(&self.layout.packs())?;
            pack.is_new = false;
        }
        Ok(())
    }

    /// Records the content of a version from a byte on. Returns whether that
    /// succeeded: not if one of its frames is not stored, or the part before it
    /// is missing. Then it must not be reported as archived.
    #[must_use]
    pub(crate) fn keep(
        &mut self,
        key: &FileKey,
        number: u32,
        from: u64,
        frames: &[Frame],
        seen: FileStamp,
    ) -> bool {
        let Some(line) = self.keep_line(key, number, from, frames, &seen) else { return false };
        match self.state.keep(key.clone(), number, from, frames, seen) {
            Some(true) => {}
            Some(false) => {
                self.manifest.replaced += 1;
                self.has_replaced = true;
            }
            None => return false,
        }
        self.append_line(Line { keep: Some(line), ..Line::default() });
        true
    }

    fn keep_line(
        &self,
        (root, name): &FileKey,
        generation: u32,
        from: u64,
        frames: &[Frame],
        seen: &FileStamp,
    ) -> Option<KeepLine<'static>> {
        let frames = frames.iter().map(|frame| {
            let spot = StoredBytesLine::of(self.state.spots.get(&frame.hash)?);
            Some(FrameLine { hash: frame.hash.to_string().into(), length: frame.length, spot })
        });
        Some(KeepLine {
            root: *root,
            name: name.to_string().into(),
            generation,
            from,
            frames: frames.collect::<Option<_>>()?,
            modified: seen.modified,
            kept: seen.kept,
            seen: seen.identity,
            session: seen.session.clone(),
        })
    }

    fn append_line(&mut self, line: Line<'_>) {
        self.manifest.append_line(line);
    }

    /// Makes everything since the last commit part of the archive. Deletes
    /// nothing: a frame that no line lists yet may belong to a file that is
    /// still being read.
    pub(crate) fn commit(&mut self) -> Result<(), ArchiveError> {
        self.store_all()?;
        self.manifest.write(&self.layout.manifest())
    }

    /// Makes the stored bytes durable.
    fn store_all(&mut self) -> Result<(), ArchiveError> {
        self.finish_pack()?;
        if self.has_new_loose {
            sync_folder(&self.layout.loose_folder())?;
            self.has_new_loose = false;
        }
        Ok(())
    }

    /// Commits, once a line lists everything that was stored, and deletes what
    /// later lines replaced.
    pub(crate) fn finish(&mut self) -> Result<(), ArchiveError> {
        self.commit()?;
        if std::mem::take(&mut self.has_replaced) {
            self.state.drop_unneeded();
            self.drop_loose()?;
        }
        Ok(())
    }

    /// Removes unneeded loose frames.
    fn drop_loose(&self) -> Result<(), ArchiveError> {
        if self.is_damaged {
            return Ok(());
        }
        for (path, name) in listed(&self.layout.loose_folder())? {
            let hash = name.strip_suffix(".zst").and_then(Hash::parse);
            let is_needed = |hash| {
                let spot: Option<&StoredBytes> = self.state.spots.get(&hash);
                spot.is_some_and(|spot| spot.location == Location::Loose)
            };
            if hash.is_some_and(|hash| !is_needed(hash)) {
                remove(&path)?;
            }
        }
        Ok(())
    }
}

impl Manifest {
    fn append_line(&mut self, line: Line<'_>) {
        let line = manifest::write(line, &self.last);
        crate::sealed::hash_of(&line).clone_into(&mut self.last);
        self.waiting.push_str(&line);
        self.waiting.push('\n');
        self.lines += 1;
    }

    fn write(&mut self, path: &Path) -> Result<(), ArchiveError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let written = self
            .file
            .write_all_at(self.waiting.as_bytes(), self.length)
            .and_then(|()| make_content_durable(&self.file));
        if let Err(error) = written {
            // The written part lists bytes that exist, but was never reported
            // as archived.
            drop(self.file.set_len(self.length));
            return Err(ArchiveError::io("write", path)(error));
        }
        self.length += self.waiting.len() as u64;
        self.waiting.clear();
        self.written.clone_from(&self.last);
        Ok(())
    }
}

impl Pack {
    fn new(number: u32, file: File, end: u64) -> Pack {
        Pack { number, file, end, buffer: Vec::new(), is_new: false, is_dirty: false }
    }

    fn flush(&mut self, layout: &Layout) -> Result<(), ArchiveError> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let path = layout.pack(self.number);
        let written = self.file.write_all_at(&self.buffer, self.end);
        written.map_err(ArchiveError::io("write", &path))?;
        self.end += self.buffer.len() as u64;
        self.buffer.clear();
        self.is_dirty = true;
        Ok(())
    }
}

/// 128 random bits in hex, for a new archive in `folder`.
fn new_id(folder: &Path) -> Result<String, ArchiveError> {
    let bytes = random_bytes().map_err(ArchiveError::io("make a random id for", folder))?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

/// The files of a folder, with their names.
fn listed(folder: &Path) -> Result<Vec<(std::path::PathBuf, String)>, ArchiveError> {
    let entries = fs::read_dir(folder).map_err(ArchiveError::io("list", folder))?;
    let entries = entries.flatten();
    let named = entries.map(|entry| (entry.path(), entry.file_name().to_string_lossy().into()));
    Ok(named.collect())
}
