//! The sessions of one owner, laid out from segments.

use crate::cache_files::{remove_folder, set_time, write_whole};
use crate::names::{Level, SegmentName, SessionId};
use crate::reading::engine::UnusableObject;
use crate::reading::layout::{OwnerLayout, SessionRows};
use crate::reading::segments::FetchedSegments;
use crate::segment::Format as _;
use crate::segment_file::ParquetFormat;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::io;

/// How many sessions are held in memory at once.
const SESSIONS_AT_ONCE: usize = 64;
/// The state of an owner's store. A new number lays everything out again.
const LAYOUT_VERSION: u32 = 3;

/// What an owner's store was made of.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct LaidOut {
    version: u32,
    segments: BTreeSet<SegmentName>,
    sessions: BTreeMap<SessionId, LaidOutSession>,
}

/// A session in a store.
#[derive(Debug, Deserialize, Serialize)]
struct LaidOutSession {
    /// The folder of its project.
    folder: String,
    /// The key of its project.
    project: String,
    /// How much of it is shared.
    level: Level,
}

impl LaidOut {
    pub(crate) fn count(&self) -> u64 {
        self.sessions.len() as u64
    }

    /// The sessions with the folders of their projects.
    pub(crate) fn sessions(&self) -> impl Iterator<Item = (&SessionId, &str)> {
        self.sessions.iter().map(|(session, own)| (session, own.folder.as_str()))
    }

    /// How many sessions are shared at least at this level.
    pub(crate) fn count_at(&self, level: Level) -> u64 {
        self.sessions.values().filter(|own| own.level >= level).count() as u64
    }

    /// The keys of projects by their folders.
    pub(crate) fn projects(&self) -> BTreeMap<String, String> {
        let own = self.sessions.values();
        own.map(|own| (own.folder.clone(), own.project.clone())).collect()
    }
}

/// Lays out the sessions of segments that are new or gone.
pub(crate) fn lay_out(
    layout: &OwnerLayout,
    fetched: &FetchedSegments,
    segments: &BTreeSet<SegmentName>,
    unusable: &mut Vec<UnusableObject>,
) -> io::Result<LaidOut> {
    let state = layout.root().join("lake.json");
    let known = fs::read(&state).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let mut known: LaidOut = known.unwrap_or_default();
    if known.version != LAYOUT_VERSION {
        remove_folder(layout.root())?;
        known = LaidOut { version: LAYOUT_VERSION, ..LaidOut::default() };
    }
    if known.segments == *segments {
        return Ok(known);
    }
    let mut sessions_of: HashMap<&SegmentName, Vec<SessionId>> = HashMap::new();
    for name in segments.union(&known.segments) {
        let Some(bytes) = fetched.get(name) else { continue };
        match fetched.guarded(name, || ParquetFormat.entries(name.table, &bytes)) {
            Ok(entries) => {
                let sessions = entries.into_iter().map(|entry| entry.session).collect();
                sessions_of.insert(name, sessions);
            }
            Err(reason) => {
                unusable.push(UnusableObject { name: name.to_string(), reason });
            }
        }
    }
    let changed: BTreeSet<&SessionId> = segments
        .symmetric_difference(&known.segments)
        .filter_map(|name| sessions_of.get(name))
        .flatten()
        .collect();
    let changed: Vec<&SessionId> = changed.into_iter().collect();
    for sessions in changed.chunks(SESSIONS_AT_ONCE) {
        let wanted: HashSet<&SessionId> = sessions.iter().copied().collect();
        let mut rows: HashMap<SessionId, SessionRows> = HashMap::new();
        for name in segments {
            let has =
                sessions_of.get(name).is_some_and(|has| has.iter().any(|id| wanted.contains(id)));
            if !has {
                continue;
            }
            let Some(bytes) = fetched.get(name) else { continue };
            match fetched.guarded(name, || ParquetFormat.decode(name.table, &bytes)) {
                Ok(pieces) => {
                    for piece in
                        pieces.into_iter().filter(|piece| wanted.contains(&piece.entry.session))
                    {
                        rows.entry(piece.entry.session).or_default().add(piece.rows);
                    }
                }
                Err(reason) => {
                    unusable.push(UnusableObject { name: name.to_string(), reason });
                }
            }
        }
        for session in sessions {
            let own = rows.remove(*session).unwrap_or_default();
            let before = known.sessions.remove(*session).map(|own| own.folder);
            if let Some(folder) = layout.lay_out(session, before.as_deref(), &own)? {
                let transcript = layout.root().join("projects").join(&folder);
                let transcript = transcript.join(format!("{session}.jsonl"));
                // Lists show and sort by it.
                if let Some(time) = own.last_time().filter(|_| transcript.exists()) {
                    set_time(&transcript, time)?;
                }
                let project = own.project().unwrap_or_default().to_owned();
                let own = LaidOutSession { folder, project, level: own.level() };
                known.sessions.insert((*session).clone(), own);
            }
        }
    }
    known.segments.clone_from(segments);
    let bytes = serde_json::to_vec(&known)?;
    write_whole(&state, &bytes)?;
    Ok(known)
}
