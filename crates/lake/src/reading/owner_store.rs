//! The sessions of one owner, laid out from segments.
//!
//! The rows of a few sessions are in memory at once, of one if it is large. Objects are hostile
//! input: those that cannot be read, or would need more memory, are refused, and the answer
//! names them each time until they are gone.

use crate::cache_files::{remove_folder, set_time, write_whole};
use crate::names::{Level, SegmentName, SessionId};
use crate::reading::engine::UnusableObject;
use crate::reading::layout::{OwnerLayout, SessionRows};
use crate::reading::segments::FetchedSegments;
use crate::segment::{Entry, Format as _};
use crate::segment_file::{ParquetFormat, ROW_OVERHEAD};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::io;

/// How many sessions are held in memory at once.
const SESSIONS_AT_ONCE: usize = 64;
/// The memory for their rows.
const MAX_SESSION_BYTES: u64 = 192 << 20;
/// The state of an owner's store. A new number lays everything out again.
const LAYOUT_VERSION: u32 = 4;

/// What an owner's store was made of.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct LaidOut {
    version: u32,
    segments: BTreeSet<SegmentName>,
    sessions: BTreeMap<SessionId, LaidOutSession>,
    /// Segments that were not read, or not all of them, and why.
    refused: BTreeMap<SegmentName, String>,
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
    lay_out_within(MAX_SESSION_BYTES, layout, fetched, segments, unusable)
}

/// The same with another limit for the rows that are in memory.
fn lay_out_within(
    memory: u64,
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
    if known.segments != *segments {
        let mut change = Change { memory, fetched, segments, refused: BTreeMap::new() };
        change.lay_out(layout, &mut known)?;
        known.segments.clone_from(segments);
        known.refused.retain(|name, _| segments.contains(name));
        known.refused.append(&mut change.refused);
        write_whole(&state, &serde_json::to_vec(&known)?)?;
    }
    let refused = known.refused.iter();
    unusable.extend(
        refused.map(|(name, reason)| UnusableObject {
            name: name.to_string(),
            reason: reason.clone(),
        }),
    );
    Ok(known)
}

type RowsBySession = HashMap<SessionId, SessionRows>;

/// Lays out what changed.
struct Change<'a> {
    /// How many bytes the rows of sessions may take at once.
    memory: u64,
    fetched: &'a FetchedSegments,
    segments: &'a BTreeSet<SegmentName>,
    refused: BTreeMap<SegmentName, String>,
}

impl Change<'_> {
    fn lay_out(&mut self, layout: &OwnerLayout, known: &mut LaidOut) -> io::Result<()> {
        let before = std::mem::take(&mut known.segments);
        let mut sessions_of: HashMap<&SegmentName, Vec<SessionId>> = HashMap::new();
        for name in self.segments.union(&before) {
            let Some(bytes) = self.fetched.get(name) else { continue };
            match self.fetched.guarded(name, || ParquetFormat.entries(name.table, &bytes)) {
                Ok(entries) => {
                    let sessions = entries.into_iter().map(|entry| entry.session).collect();
                    sessions_of.insert(name, sessions);
                }
                Err(reason) => drop(self.refused.insert(name.clone(), reason)),
            }
        }
        let changed: BTreeSet<&SessionId> = self
            .segments
            .symmetric_difference(&before)
            .filter_map(|name| sessions_of.get(name))
            .flatten()
            .collect();
        let changed: Vec<&SessionId> = changed.into_iter().collect();
        let mut groups: Vec<&[&SessionId]> = changed.chunks(SESSIONS_AT_ONCE).rev().collect();
        while let Some(sessions) = groups.pop() {
            let Some(mut rows) = self.rows(sessions, &sessions_of, known) else {
                // Fewer at once need less memory.
                let (some, others) = sessions.split_at(sessions.len() / 2);
                groups.extend([others, some]);
                continue;
            };
            for session in sessions {
                let own = rows.remove(*session).unwrap_or_default();
                lay_out_session(layout, known, session, &own)?;
            }
        }
        Ok(())
    }

    /// The rows of some sessions. `None` if they take too much memory. A single session gets
    /// the rows of the objects that fit, and the others are refused.
    fn rows(
        &mut self,
        sessions: &[&SessionId],
        sessions_of: &HashMap<&SegmentName, Vec<SessionId>>,
        known: &mut LaidOut,
    ) -> Option<RowsBySession> {
        let wanted: HashSet<&SessionId> = sessions.iter().copied().collect();
        let mut left = self.memory;
        let mut rows = RowsBySession::new();
        for name in self.segments {
            let has =
                sessions_of.get(name).is_some_and(|has| has.iter().any(|id| wanted.contains(id)));
            if !has {
                continue;
            }
            let Some(bytes) = self.fetched.get(name) else { continue };
            let is_wanted = |entry: &Entry| wanted.contains(&entry.session);
            let read = self
                .fetched
                .guarded(name, || ParquetFormat::decode_some(name.table, &bytes, left, &is_wanted));
            match read {
                Ok(Some(pieces)) => {
                    known.refused.remove(name);
                    for piece in pieces {
                        let overhead = piece.rows.len() as u64 * ROW_OVERHEAD;
                        left = left.saturating_sub(piece.rows.size() + overhead);
                        rows.entry(piece.entry.session).or_default().add(piece.rows);
                    }
                }
                Ok(None) if sessions.len() > 1 => return None,
                Ok(None) => {
                    let reason = format!(
                        "it is too large: the rows of a session take more than {} MiB",
                        self.memory >> 20
                    );
                    self.refused.insert(name.clone(), reason);
                }
                Err(reason) => drop(self.refused.insert(name.clone(), reason)),
            }
        }
        Some(rows)
    }
}

fn lay_out_session(
    layout: &OwnerLayout,
    known: &mut LaidOut,
    session: &SessionId,
    own: &SessionRows,
) -> io::Result<()> {
    let before = known.sessions.remove(session).map(|own| own.folder);
    let Some(folder) = layout.lay_out(session, before.as_deref(), own)? else { return Ok(()) };
    let transcript = layout.root().join("projects").join(&folder);
    let transcript = transcript.join(format!("{session}.jsonl"));
    // Lists show and sort by it.
    if let Some(time) = own.last_time().filter(|_| transcript.exists()) {
        set_time(&transcript, time)?;
    }
    let project = own.project().unwrap_or_default().to_owned();
    let own = LaidOutSession { folder, project, level: own.level() };
    known.sessions.insert(session.clone(), own);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::{ManifestNumber, Month, Table};
    use crate::rows::{LineRow, Rows};
    use crate::segment::Piece;
    use testkit::Sandbox;

    /// A segment with a line of each session.
    fn segment(fetched: &FetchedSegments, sessions: &[&str], text: &str) -> SegmentName {
        let piece = |session: &&str| {
            let row = LineRow {
                session_id: (*session).to_owned(),
                app: "claude".to_owned(),
                project: "p".to_owned(),
                agent_id: None,
                line: text.len() as u64,
                uuid: None,
                time: None,
                text: text.to_owned(),
                rules: 1,
            };
            let session = session.parse().unwrap();
            let entry =
                Entry { session, source: String::new(), from: 0, to: 1, digest: 1, rules: 1 };
            Piece { entry, rows: Rows::Lines(vec![row]) }
        };
        let pieces: Vec<Piece<Rows>> = sessions.iter().map(piece).collect();
        let bytes = ParquetFormat.encode(Table::Lines, &pieces).unwrap();
        let name = SegmentName::of(ManifestNumber::FIRST, Table::Lines, Month::FIRST, &bytes);
        fetched.keep(&name, &bytes).unwrap();
        name
    }

    #[test]
    fn session_that_needs_too_much_memory_is_named_each_time_and_the_others_are_laid_out() {
        let sandbox = Sandbox::new();
        let fetched = FetchedSegments::new(sandbox.path().join("view/segments"));
        let layout = OwnerLayout::new(sandbox.path().join("view/stores/eve"));
        let small = segment(&fetched, &["s1", "s2", "s3"], "small");
        let large = segment(&fetched, &["s2"], &"x".repeat(3 << 20));
        let mut segments = BTreeSet::from([small.clone(), large.clone()]);
        let count_and_refused = |segments: &BTreeSet<SegmentName>| {
            let mut unusable = Vec::new();
            let laid_out = lay_out_within(1 << 20, &layout, &fetched, segments, &mut unusable);
            (laid_out.unwrap().count(), unusable)
        };
        for _ in 0..2 {
            let (count, unusable) = count_and_refused(&segments);
            assert_eq!(count, 3, "of the second, the rows that fit");
            let [object] = &unusable[..] else { panic!("{unusable:?}") };
            assert_eq!(object.name, large.to_string());
            assert!(object.reason.contains("too large"), "{}", object.reason);
        }
        segments.remove(&large);
        assert_eq!(
            count_and_refused(&segments),
            (3, Vec::new()),
            "when it is gone, nothing is said"
        );
    }

    #[test]
    fn sessions_that_are_too_large_together_are_laid_out_one_after_the_other() {
        let sandbox = Sandbox::new();
        let fetched = FetchedSegments::new(sandbox.path().join("view/segments"));
        let layout = OwnerLayout::new(sandbox.path().join("view/stores/eve"));
        let names = ["s1", "s2", "s3", "s4", "s5"];
        let segments = BTreeSet::from([segment(&fetched, &names, &"x".repeat(700 << 10))]);
        let mut unusable = Vec::new();
        let laid_out = lay_out_within(1 << 20, &layout, &fetched, &segments, &mut unusable);
        assert_eq!((laid_out.unwrap().count(), unusable), (5, Vec::new()));
    }
}
