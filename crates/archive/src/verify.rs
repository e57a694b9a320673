//! Checks that everything archived is intact.
//!
//! Checks every line of the manifest, every stored byte, and the few files
//! beside them. A deep check also decompresses every frame. Writers may
//! continue meanwhile: frames that seem damaged are checked again if the
//! manifest has changed.

use crate::archive::{read_manifest, read_stored};
use crate::failure::{ArchiveError, Damage};
use crate::frame::{Frame, Hash, decompress};
use crate::layout::{Layout, read_file};
use crate::manifest::{DamagedManifestLine, ManifestContent};
use crate::name::Name;
use crate::notes::{self, SyncNote, VerifyNote};
use crate::scope::session_of;
use crate::session::owning_session;
use crate::state::{FileKey, Location, StoredBytes};
use jiff::Timestamp;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A damaged frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedFrame {
    /// Its hash.
    pub hash: Hash,
    /// The file of the archive that contains it.
    pub path: PathBuf,
    /// Its offset there.
    pub at: u64,
    /// What is wrong with it.
    pub damage: Damage,
}

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// Lines of the manifest.
    pub lines: usize,
    /// Archived files.
    pub files: usize,
    /// Frames.
    pub frames: usize,
    /// Stored bytes.
    pub stored: u64,
    /// Damaged lines.
    pub broken: Vec<DamagedManifestLine>,
    /// Damaged frames.
    pub damaged: Vec<DamagedFrame>,
    /// Other damaged files of the archive, and why.
    pub others: Vec<(PathBuf, String)>,
    /// The archived files that the damage affects.
    pub touched: BTreeSet<FileKey>,
    /// The sessions that they belong to.
    pub touched_sessions: BTreeSet<String>,
    /// Sessions without any damage.
    pub whole_sessions: BTreeSet<String>,
    /// Bytes left by interrupted writers; the next sync removes them.
    pub left_over: u64,
    /// Why the result could not be recorded, if it could not.
    pub unnoted: Option<String>,
}

impl VerifyReport {
    /// Whether nothing is damaged.
    pub fn is_whole(&self) -> bool {
        self.broken.is_empty() && self.damaged.is_empty() && self.others.is_empty()
    }
}

/// Checks the archive in a folder, and records the result.
pub fn verify(
    folder: &Path,
    deep: bool,
    now: Timestamp,
    advance: &(dyn Fn(u64) + Sync),
) -> Result<VerifyReport, ArchiveError> {
    // As often as a writer could plausibly interfere.
    const TRIES: usize = 10;
    let layout = Layout::new(folder);
    let mut input = CheckInput::at(&layout)?;
    let mut verified = check(&layout, &input, deep, None, advance);
    for _ in 1..TRIES {
        if verified.is_whole() {
            break;
        }
        let again = CheckInput::at(&layout)?;
        let (one, two) = (&again.content, &input.content);
        if (&one.last, one.lines) == (&two.last, two.lines) && again.note == input.note {
            break;
        }
        input = again;
        // Intact frames are not checked again: that would take long enough for
        // a busy writer to interfere every time.
        let suspects = verified.damaged.iter().map(|damaged| damaged.hash).collect();
        verified = check(&layout, &input, deep, Some(&suspects), &|_| {});
    }
    let damaged = verified.damaged.iter().map(|frame| frame.hash.to_string()).collect();
    let note = VerifyNote { at: now, deep, whole: verified.is_whole(), damaged };
    // The result is returned even if it cannot be recorded.
    verified.unnoted = notes::write_verified(&layout, &note).err().map(|error| error.to_string());
    Ok(verified)
}

/// What a check reads.
struct CheckInput {
    /// Read before the manifest, which may have grown since.
    note: Result<Option<SyncNote>, String>,
    content: ManifestContent,
}

impl CheckInput {
    fn at(layout: &Layout) -> Result<CheckInput, ArchiveError> {
        Ok(CheckInput { note: notes::read_synced(layout), content: read_manifest(layout)? })
    }
}

/// Checks everything, or only these frames.
fn check(
    layout: &Layout,
    input: &CheckInput,
    deep: bool,
    suspects: Option<&HashSet<Hash>>,
    advance: &(dyn Fn(u64) + Sync),
) -> VerifyReport {
    let content = &input.content;
    let state = &content.state;
    let lengths = state.needed();
    let mut spots: Vec<(Option<Frame>, StoredBytes)> = Vec::new();
    for (hash, spot) in &state.spots {
        let frame = lengths.get(hash).map(|length| Frame { hash: *hash, length: *length });
        // A frame that nothing needs is checked as a plain range of its pack.
        spots.push((frame, *spot));
    }
    spots.extend(state.spare.iter().map(|spot| (None, *spot)));
    spots.sort_by_key(|(_, spot)| match spot.location {
        Location::Loose => (0, 0),
        Location::Pack { number, at } => (number, at),
    });
    let checked: Vec<Option<DamagedFrame>> = spots
        .par_iter()
        .map(|(frame, spot)| {
            let hash = frame.map_or(Hash::of(b""), |frame| frame.hash);
            if suspects.is_some_and(|suspects| !suspects.contains(&hash)) {
                return None;
            }
            let stored = read_stored(layout, hash, spot);
            let outcome = stored.and_then(|stored| match frame {
                Some(frame) if deep => decompress(*frame, &stored).map(drop),
                _ => Ok(()),
            });
            advance(spot.stored);
            let (path, at) = match spot.location {
                Location::Loose => (layout.loose(hash), 0),
                Location::Pack { number, at } => (layout.pack(number), at),
            };
            outcome.err().map(|damage| DamagedFrame { hash, path, at, damage })
        })
        .collect();
    let mut damaged: Vec<DamagedFrame> = checked.into_iter().flatten().collect();
    for hash in lengths.keys().filter(|hash| !state.spots.contains_key(*hash)) {
        let (path, damage) = (layout.manifest(), Damage::Unplaced);
        damaged.push(DamagedFrame { hash: *hash, path, at: 0, damage });
    }
    let mut verified = VerifyReport {
        lines: content.lines,
        files: state.files().count(),
        frames: state.spots.len(),
        stored: spots.iter().map(|(_, spot)| spot.stored).sum(),
        broken: content.damaged.clone(),
        others: check_others(layout, input),
        left_over: content.unfinished + left_over(layout, &spots),
        damaged,
        ..VerifyReport::default()
    };
    verified.find_touched(content);
    verified
}

impl VerifyReport {
    fn find_touched(&mut self, content: &ManifestContent) {
        let damaged: BTreeSet<Hash> = self.damaged.iter().map(|damaged| damaged.hash).collect();
        let named: BTreeSet<&Name> =
            self.broken.iter().filter_map(|line| line.name.as_ref()).collect();
        let mut sessions = BTreeSet::new();
        for (key, generations) in content.state.files() {
            let mut frames = generations.iter().flat_map(|known| &known.frames);
            let session = owning_session(key, generations);
            sessions.extend(session.map(str::to_owned));
            let is_homeless = !content.state.roots.contains_key(&key.0);
            let is_named = named.contains(&key.1);
            if is_homeless || is_named || frames.any(|frame| damaged.contains(&frame.hash)) {
                self.touched.insert(key.clone());
                self.touched_sessions.extend(session.map(str::to_owned));
            }
        }
        // Some names may be only in damaged lines.
        let alone = named.iter().filter_map(|name| session_of(name));
        self.touched_sessions.extend(alone.map(str::to_owned));
        self.whole_sessions = sessions.difference(&self.touched_sessions).cloned().collect();
    }
}

/// Checks the files beside manifest and packs.
fn check_others(
    layout: &Layout,
    CheckInput { note: synced, content }: &CheckInput,
) -> Vec<(PathBuf, String)> {
    let mut others = Vec::new();
    let mut note = |path: PathBuf, reason: String| others.push((path, reason));
    match &content.begin {
        None => note(layout.manifest(), "its first line is missing".to_owned()),
        Some(begin) => match read_file(&layout.readme()) {
            Ok(text) if Hash::of(&text).to_string() == begin.readme => {}
            Ok(_) => note(layout.readme(), "its content has changed".to_owned()),
            Err(error) => note(layout.readme(), error.to_string()),
        },
    }
    match synced {
        Ok(Some(last)) if last.is_lost(content) => {
            note(layout.manifest(), "lines at its end are missing".to_owned());
        }
        Ok(_) => {}
        Err(reason) => note(layout.synced(), reason.clone()),
    }
    if let Err(reason) = notes::read::<VerifyNote>(&layout.verified()) {
        note(layout.verified(), reason);
    }
    others
}

/// Counts the stored bytes that no line lists.
fn left_over(layout: &Layout, spots: &[(Option<Frame>, StoredBytes)]) -> u64 {
    let mut named: BTreeMap<u32, u64> = BTreeMap::new();
    let mut loose: HashMap<PathBuf, u64> = HashMap::new();
    for (frame, spot) in spots {
        match spot.location {
            Location::Pack { number, .. } => *named.entry(number).or_default() += spot.stored,
            Location::Loose => {
                loose.extend(frame.map(|frame| (layout.loose(frame.hash), spot.stored)));
            }
        }
    }
    let lengths = |folder: PathBuf| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| Some((entry.path(), entry.metadata().ok()?.len())))
    };
    let known: HashMap<PathBuf, u64> = named
        .into_iter()
        .map(|(number, bytes)| (layout.pack(number), bytes))
        .chain(loose)
        .collect();
    let files = lengths(layout.packs()).chain(lengths(layout.loose_folder()));
    files
        .map(|(path, length)| length.saturating_sub(known.get(&path).copied().unwrap_or_default()))
        .sum()
}
