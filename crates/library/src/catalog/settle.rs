//! One session of the files with the same id, and the order of sessions.
//!
//! The newest file that the app would list is the session, the others are its copies. A
//! file on disk always comes before an archived one.

use crate::session::{Session, UnlistedReason};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// Makes one session of the files with the same id.
pub(crate) fn settle(sessions: Vec<Session>) -> Vec<Session> {
    // Live transcripts before pre-compaction copies, disk before archive,
    // listed before hidden, then newest, then by path.
    let sessions = sorted(sessions, |one, two| {
        let rank = |session: &Session| {
            let modified = std::cmp::Reverse(session.metadata.modified.as_millisecond());
            (
                session.unlisted == Some(UnlistedReason::PreCompactCopy),
                session.presence.is_in_archive(),
                session.unlisted.is_some(),
                modified,
            )
        };
        (rank(one), &one.path).cmp(&(rank(two), &two.path))
    });
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut settled: Vec<Session> = Vec::with_capacity(sessions.len());
    for session in sessions {
        if let Some(place) = places.get(&session.id) {
            let kept = &mut settled[*place];
            // Roots may overlap: a file is not a copy of itself.
            if !is_same_file(kept.path.as_deref(), session.path.as_deref()) {
                kept.copies.extend(session.path);
                kept.other_folders.extend(session.session_folder);
            }
        } else {
            places.insert(session.id.clone(), settled.len());
            settled.push(session);
        }
    }
    settled
}

/// Sessions in another order. They are wide, so their numbers are sorted.
pub(super) fn sorted(
    sessions: Vec<Session>,
    compare: impl Fn(&Session, &Session) -> std::cmp::Ordering,
) -> Vec<Session> {
    let mut order: Vec<usize> = (0..sessions.len()).collect();
    order.sort_by(|one, two| compare(&sessions[*one], &sessions[*two]));
    let mut sessions: Vec<Option<Session>> = sessions.into_iter().map(Some).collect();
    order.into_iter().filter_map(|number| sessions[number].take()).collect()
}

fn is_same_file(one: Option<&Path>, two: Option<&Path>) -> bool {
    one == two
        || one.zip(two).is_some_and(|(one, two)| {
            // A file that is gone from disk has no other path.
            fs::canonicalize(one).is_ok_and(|one| fs::canonicalize(two).is_ok_and(|two| one == two))
        })
}
