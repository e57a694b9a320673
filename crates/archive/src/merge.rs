//! Copies one archive's files into another: export and import do this in
//! opposite directions.
//!
//! Nothing in either archive is lost. A version that the target has, or has
//! more of, is not copied again; one that differs becomes an additional
//! version. The source is untrusted: every frame is decompressed and checked
//! before it is stored.

use crate::archive::{Archive, read_stored};
use crate::failure::{ArchiveError, Damage};
use crate::frame::{CompressedFrame, Frame, Hash, decompress};
use crate::notes;
use crate::state::{FileKey, FileStamp, Generation};
use crate::writer::Writer;
use jiff::Timestamp;
use std::collections::HashMap;
use std::path::Path;

/// The result of a merge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeReport {
    /// Files examined.
    pub files: usize,
    /// Files with new content.
    pub changed: usize,
    /// Versions that were new or longer.
    pub generations: usize,
    /// Their bytes.
    pub bytes: u64,
    /// Files with a version that could not be copied, and why.
    pub damaged: Vec<(FileKey, String)>,
}

/// Copies an archive's files into the archive in a folder.
pub fn merge(
    from: &Archive,
    into: &Path,
    now: Timestamp,
    wanted: &dyn Fn(&FileKey, &[Generation]) -> bool,
    advance: &dyn Fn(u64),
) -> Result<MergeReport, ArchiveError> {
    const COMMIT_BYTES: u64 = 256 << 20;
    // The most memory a pending line may take, however empty the file is.
    const LINE: u64 = 4096;
    // A target created here is a copy of the source in another folder.
    let state = from.state();
    let id = Some(state.id.as_str()).filter(|id| !id.is_empty());
    let mut writer = Writer::open_as(into, id)?;
    let mut lengths = writer.state.needed();
    let mut merged = MergeReport::default();
    let mut out_of_order = false;
    let mut waiting = 0;
    for (key, generations) in state.files() {
        if !wanted(key, generations) {
            continue;
        }
        merged.files += 1;
        let Some((archive, path)) = state.root(key.0) else {
            merged.damaged.push((key.clone(), "its root is unknown".to_owned()));
            continue;
        };
        let own = (writer.root(archive, path), key.1.clone());
        let before = merged.generations;
        for (place_before, generation) in generations.iter().enumerate() {
            let known = writer.state.files.get(&own).map(Vec::as_slice).unwrap_or_default();
            if known.iter().any(|known| is_beginning(from, &writer, generation, known)) {
                continue;
            }
            if let Err(reason) = copy_frames(from, &mut writer, &mut lengths, generation)? {
                merged.damaged.push((key.clone(), reason));
                continue;
            }
            let before = place_before.checked_sub(1).map(|before| &generations[before]);
            let Some(moved) = place(from, &mut writer, &own, before, generation) else {
                merged.damaged.push((key.clone(), "it could not be recorded".to_owned()));
                continue;
            };
            out_of_order |= moved;
            merged.generations += 1;
            merged.bytes += generation.bytes();
            waiting += generation.bytes() + LINE;
        }
        merged.changed += usize::from(merged.generations > before);
        if waiting >= COMMIT_BYTES && !out_of_order {
            writer.commit()?;
            waiting = 0;
        }
        advance(generations.iter().map(Generation::bytes).sum());
    }
    if out_of_order {
        writer.rewrite()?;
    } else {
        writer.finish()?;
    }
    notes::write_synced(&writer, now)?;
    Ok(merged)
}

/// Stores the frames of a version. Returns the reason if that is impossible.
fn copy_frames(
    from: &Archive,
    writer: &mut Writer,
    lengths: &mut HashMap<Hash, u64>,
    generation: &Generation,
) -> Result<Result<(), String>, ArchiveError> {
    let state = from.state();
    for frame in &generation.frames {
        // An existing frame is not read, so the sizes recorded for it must
        // agree.
        match lengths.get(&frame.hash) {
            Some(length) if *length == frame.length => continue,
            Some(_) => {
                return Ok(Err(format!("one of its frames is damaged: {}", Damage::Content)));
            }
            None => {}
        }
        let Some(spot) = state.spots.get(&frame.hash) else {
            return Ok(Err("the manifest does not list one of its frames".to_owned()));
        };
        let stored = read_stored(from.layout(), frame.hash, spot)
            .and_then(|stored| decompress(*frame, &stored).map(|_| stored));
        match stored {
            Ok(bytes) => {
                writer.store(&CompressedFrame { frame: *frame, bytes }, false)?;
                lengths.insert(frame.hash, frame.length);
            }
            Err(damage) => return Ok(Err(format!("one of its frames is damaged: {damage}"))),
        }
    }
    Ok(Ok(()))
}

/// Inserts a version among the known ones: after the one it followed if that is
/// the newest here, otherwise by its time. Returns whether others were
/// renumbered; `None` if it could not be recorded.
fn place(
    from: &Archive,
    writer: &mut Writer,
    key: &FileKey,
    before: Option<&Generation>,
    generation: &Generation,
) -> Option<bool> {
    // A stat from another disk says nothing about a file here.
    let seen = FileStamp { identity: None, ..generation.seen.clone() };
    let Some(newest) = writer.state.newest(key).cloned() else {
        return writer.keep(key, generation.number, 0, &generation.frames, seen).then_some(false);
    };
    if is_beginning(from, writer, &newest, generation) {
        return writer.keep(key, newest.number, 0, &generation.frames, seen).then_some(false);
    }
    let follows = before.is_some_and(|before| is_beginning(from, writer, before, &newest));
    if follows || generation.seen.modified > newest.seen.modified {
        let number = newest.number.saturating_add(1);
        return writer.keep(key, number, 0, &generation.frames, seen).then_some(false);
    }
    if let Some(known) = writer.state.files.get_mut(key) {
        let older = known.iter().filter(|it| it.seen.modified <= generation.seen.modified).count();
        known.insert(older, Generation { seen, ..generation.clone() });
        for (number, known) in (1..).zip(known.iter_mut()) {
            known.number = number;
        }
    }
    Some(true)
}

/// Whether a version equals another or is its beginning.
fn is_beginning(from: &Archive, writer: &Writer, short: &Generation, long: &Generation) -> bool {
    let Some((last, before)) = short.frames.split_last() else { return true };
    if long.frames.len() < short.frames.len() || long.frames[..before.len()] != *before {
        return false;
    }
    let other = &long.frames[before.len()];
    if other == last {
        return true;
    }
    // The last frame of a file that grew starts with its earlier content.
    let read = |frame: Frame| {
        let own = writer.state.spots.get(&frame.hash);
        let own = own.and_then(|spot| read_stored(writer.layout(), frame.hash, spot).ok());
        own.and_then(|stored| decompress(frame, &stored).ok()).or_else(|| from.frame(frame).ok())
    };
    last.length < other.length
        && read(*other).zip(read(*last)).is_some_and(|(long, short)| long.starts_with(&short))
}
