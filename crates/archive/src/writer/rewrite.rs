//! Rewrites the manifest without replaced lines, and packs without unneeded
//! bytes. This is how content is deleted from an archive.

use super::{PACK, Writer};
use crate::failure::ArchiveError;
use crate::frame::Hash;
use crate::layout::{open_file, open_own, remove, replace, sync_folder};
use crate::manifest::{self, ANNALS, Begin, Line, StoredBytesLine};
use crate::notes;
use crate::state::{FileKey, Generation, Location, StoredBytes};
use std::collections::HashSet;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

impl Writer {
    /// Whether more than half of the manifest is outdated.
    pub(crate) fn is_worth_rewriting(&self) -> bool {
        const FEW: usize = 256;
        let manifest = &self.manifest;
        manifest.replaced > FEW && manifest.replaced * 2 > manifest.lines && !self.is_damaged
    }

    /// Whether a third of the stored bytes is spare, or there are too many
    /// spare ranges.
    pub(crate) fn is_worth_repacking(&self) -> bool {
        const MANY: usize = 4096;
        let spare: u64 = self.state.spare.iter().map(|spot| spot.stored).sum();
        let stored: u64 = self.state.spots.values().map(|spot| spot.stored).sum();
        let is_much = spare > PACK && spare * 2 > stored;
        (is_much || self.state.spare.len() > MANY) && !self.is_damaged
    }

    /// Rewrites the manifest with only the current content.
    pub(crate) fn rewrite(&mut self) -> Result<(), ArchiveError> {
        self.store_all()?;
        // Pending lines are dropped, because everything is written again. Lines
        // created before versions were renumbered may be invalid.
        self.manifest.waiting.clear();
        self.manifest.last.clone_from(&self.manifest.written);
        self.state.drop_unneeded();
        let begin = Begin {
            replaces: self.manifest.last.clone(),
            annals: ANNALS.to_owned(),
            ..self.begin.clone()
        };
        let mut sheet = NewManifest::default();
        sheet.append_line(Line { archive: Some(begin), ..Line::default() });
        for root in self.state.roots.values() {
            sheet.append_line(Line { root: Some(root.clone()), ..Line::default() });
        }
        for (key, generations) in self.state.files() {
            for Generation { number, frames, seen } in generations {
                let keep = self.keep_line(key, *number, 0, frames, seen).ok_or_else(|| {
                    let folder = self.layout.folder().to_owned();
                    let reason = format!("it does not say where the frames of {} lie", key.1);
                    ArchiveError::NotAnArchive { folder, reason }
                })?;
                sheet.append_line(Line { keep: Some(keep), ..Line::default() });
            }
        }
        for spare in self.state.spare.iter().map(StoredBytesLine::of) {
            sheet.append_line(Line { spare: Some(spare), ..Line::default() });
        }
        for line in &mut self.manifest.unknown {
            if let Some(chained) = manifest::chain(line, &sheet.last) {
                sheet.take(&chained);
                *line = chained;
            }
        }
        notes::follow(self)?;
        let path = self.layout.manifest();
        replace(&path, sheet.text.as_bytes())?;
        let manifest = &mut self.manifest;
        manifest.file = open_own(&path)?;
        manifest.length = sheet.text.len() as u64;
        manifest.written.clone_from(&sheet.last);
        manifest.last = sheet.last;
        manifest.lines = sheet.lines;
        manifest.replaced = 0;
        Ok(())
    }

    /// Deletes files with everything that only they need. The bytes are gone
    /// from disk when this returns.
    pub(crate) fn forget(&mut self, keys: &[FileKey]) -> Result<(), ArchiveError> {
        for key in keys {
            self.state.files.remove(key);
        }
        self.repack()
    }

    /// Rewrites the packs that contain spare bytes, without them.
    pub(crate) fn repack(&mut self) -> Result<(), ArchiveError> {
        self.commit()?;
        if self.is_damaged {
            return Err(ArchiveError::NotAnArchive {
                folder: self.layout.folder().to_owned(),
                reason: "its manifest is damaged, so nothing can be taken out of it safely: \
                         see annals archive verify"
                    .to_owned(),
            });
        }
        self.state.drop_unneeded();
        let packs = self.state.spare.iter().filter_map(|spot| match spot.location {
            Location::Pack { number, .. } => Some(number),
            Location::Loose => None,
        });
        let packs: HashSet<u32> = packs.collect();
        self.pack = self.pack.take().filter(|pack| !packs.contains(&pack.number));
        let mut moving: Vec<(Hash, StoredBytes, u32, u64)> = Vec::new();
        for (hash, spot) in &self.state.spots {
            if let Location::Pack { number, at } = spot.location
                && packs.contains(&number)
            {
                moving.push((*hash, *spot, number, at));
            }
        }
        moving.sort_by_key(|(.., number, at)| (*number, *at));
        for (hash, spot, number, at) in moving {
            let path = self.layout.pack(number);
            let Some(bytes) = read_unchecked(&path, at, spot.stored)? else { continue };
            let location = self.append(&bytes)?;
            self.state.spots.insert(hash, StoredBytes { location, ..spot });
        }
        self.state.spare.clear();
        self.rewrite()?;
        self.drop_loose()?;
        for number in packs {
            remove(&self.layout.pack(number))?;
        }
        sync_folder(&self.layout.packs())
    }
}

/// A manifest being rewritten.
#[derive(Default)]
struct NewManifest {
    text: String,
    last: String,
    lines: usize,
}

impl NewManifest {
    fn append_line(&mut self, line: Line<'_>) {
        let line = manifest::write(line, &self.last);
        self.take(&line);
    }

    fn take(&mut self, line: &str) {
        crate::sealed::hash_of(line).clone_into(&mut self.last);
        self.text.push_str(line);
        self.text.push('\n');
        self.lines += 1;
    }
}

/// Stored bytes, unchecked: damaged ones may still be recoverable, and of a
/// truncated pack the rest. `None` if the pack is missing.
fn read_unchecked(path: &Path, at: u64, stored: u64) -> Result<Option<Vec<u8>>, ArchiveError> {
    let file = match open_file(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ArchiveError::io("read", path)(error)),
    };
    let mut bytes = vec![0; usize::try_from(stored).unwrap_or_default()];
    let mut held = 0;
    while held < bytes.len() {
        match file.read_at(&mut bytes[held..], at + held as u64) {
            Ok(0) => break,
            Ok(read) => held += read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(ArchiveError::io("read", path)(error)),
        }
    }
    Ok(Some(bytes))
}
