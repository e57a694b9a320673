//! Why a name does not select one session, with the sessions to suggest instead.
//!
//! Deliberately not here: how names are matched (`find`, `find_in`).

use crate::session::Session;

/// A session that a name may refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its id.
    pub id: String,
    /// Its title.
    pub heading: Option<String>,
}

/// Why a name does not select one session.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// The name is empty, or it could lead outside a root.
    #[error("invalid session name {name:?}: {reason}")]
    NotAName {
        /// The name.
        name: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// It names a file that cannot be read.
    #[error("cannot read {name:?}: {reason}")]
    Unreadable {
        /// The name.
        name: String,
        /// Why.
        reason: String,
    },
    /// No session matches the name.
    #[error("no session matches {name:?}")]
    NotFound {
        /// The name.
        name: String,
        /// Sessions with similar names.
        nearest: Vec<Candidate>,
    },
    /// Several sessions match the name.
    #[error("{name:?} is ambiguous ({} sessions)", candidates.len())]
    Ambiguous {
        /// The name.
        name: String,
        /// The sessions that match.
        candidates: Vec<Candidate>,
    },
}

fn candidate(session: &Session) -> Candidate {
    Candidate { id: session.id.clone(), heading: session.heading().map(str::to_owned) }
}

pub(crate) fn ambiguous(name: &str, sessions: &[&&Session]) -> FindError {
    let candidates = sessions.iter().map(|session| candidate(session)).collect();
    FindError::Ambiguous { name: name.to_owned(), candidates }
}

/// The sessions with the most similar ids: the longest common prefix, then the
/// fewest differing characters. Only ids that a slip of the finger explains.
pub(crate) fn nearest(wanted: &str, sessions: &[&Session]) -> Vec<Candidate> {
    const FEW: usize = 3;
    let distance = |session: &&&Session| {
        let id = session.id.to_ascii_lowercase();
        let common = id.bytes().zip(wanted.bytes()).take_while(|(one, two)| one == two).count();
        let differing = id.bytes().zip(wanted.bytes()).filter(|(one, two)| one != two).count();
        (std::cmp::Reverse(common), differing)
    };
    let is_near = |session: &&&Session| {
        let (std::cmp::Reverse(common), differing) = distance(session);
        wanted.len() >= 4 && (differing <= (wanted.len() / 4).min(2) || common >= 6)
    };
    let mut ranked: Vec<_> = sessions.iter().filter(is_near).collect();
    ranked.sort_by_key(distance);
    ranked.into_iter().take(FEW).map(|session| candidate(session)).collect()
}
