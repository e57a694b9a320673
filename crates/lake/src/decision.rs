//! What an owner decided about single sessions, and about everything.
//!
//! Decisions made on several machines meet in the owner's chains. Which one holds is
//! the same everywhere and in every order: the one with the higher counter, and of two
//! with the same counter the one that shows less. Nothing here has a clock: rows expire
//! when somebody says so, by the month they are about.
//!
//! An administrator decides for an owner by writing into the owner's chains, if the
//! storage allows that; the owner's machines obey like any other decision.

use crate::names::{Audience, Level, Month, SessionId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Who a session's text and metadata are for.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sharing {
    /// The lake holds nothing of the session, and never will again.
    Forgotten,
    /// These readers.
    With(Audience),
}

/// A decision about one session.
#[derive(Clone, Debug, Eq, PartialEq, Deserialize, Serialize)]
pub struct Decision {
    /// One more than the counter of the decision that this one replaced.
    pub counter: u32,
    /// What was decided.
    pub sharing: Sharing,
}

impl Decision {
    fn is_stronger_than(&self, other: &Decision) -> bool {
        match (&self.sharing, &other.sharing) {
            (Sharing::Forgotten, Sharing::Forgotten) => self.counter > other.counter,
            (Sharing::Forgotten, _) => true,
            (_, Sharing::Forgotten) => false,
            _ => {
                self.counter > other.counter
                    || (self.counter == other.counter && self.sharing < other.sharing)
            }
        }
    }
}

/// Whether the owner takes part in the lake.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Deserialize, Serialize)]
struct Membership {
    /// One more than the counter of the decision that this one replaced.
    counter: u32,
    has_left: bool,
}

/// All decisions of an owner.
#[derive(Clone, Debug, Default, Eq, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct Decisions {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    sessions: BTreeMap<SessionId, Decision>,
    /// Rows of a level or a higher one are gone if their month is before this one.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    expired: BTreeMap<Level, Month>,
    /// The keys of projects of which the lake takes nothing.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    projects: BTreeSet<String>,
    #[serde(skip_serializing_if = "is_default")]
    membership: Membership,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn is_default(membership: &Membership) -> bool {
    *membership == Membership::default()
}

impl Decisions {
    /// The decision about a session.
    pub fn get(&self, session: &SessionId) -> Option<&Decision> {
        self.sessions.get(session)
    }

    /// The decisions about single sessions.
    pub fn iter(&self) -> impl Iterator<Item = (&SessionId, &Decision)> {
        self.sessions.iter()
    }

    /// Whether nothing was decided.
    pub fn is_empty(&self) -> bool {
        *self == Decisions::default()
    }

    /// Decides anew, over everything that is known here.
    pub fn decide(&mut self, session: SessionId, sharing: Sharing) {
        let counter =
            self.sessions.get(&session).map_or(1, |known| known.counter.saturating_add(1));
        self.add(session, Decision { counter, sharing });
    }

    /// Forgets a session, if it is not forgotten already.
    pub fn forget(&mut self, session: SessionId) {
        if !self.has_forgotten(&session) {
            self.decide(session, Sharing::Forgotten);
        }
    }

    /// Whether a session is forgotten.
    pub fn has_forgotten(&self, session: &SessionId) -> bool {
        self.get(session).is_some_and(|known| known.sharing == Sharing::Forgotten)
    }

    /// Lets go of rows of a level and the higher ones whose month is before this one.
    pub fn expire(&mut self, level: Level, before: Month) {
        let known = self.expired.entry(level).or_insert(before);
        *known = before.max(*known);
    }

    /// Whether rows of a level and month must go.
    pub fn is_expired(&self, level: Level, month: Month) -> bool {
        self.expired.range(..=level).any(|(_, before)| month < *before)
    }

    /// Rows of a level or a higher one are gone if their month is before this one.
    pub fn expired(&self) -> impl Iterator<Item = (Level, Month)> {
        self.expired.iter().map(|(level, before)| (*level, *before))
    }

    /// Takes nothing of a project any more.
    pub fn forget_project(&mut self, key: &str) {
        self.projects.insert(key.to_owned());
    }

    /// Whether the lake takes nothing of a project.
    pub fn has_forgotten_project(&self, key: &str) -> bool {
        self.projects.contains(key)
    }

    /// The projects of which the lake takes nothing.
    pub fn forgotten_projects(&self) -> impl Iterator<Item = &str> {
        self.projects.iter().map(String::as_str)
    }

    /// Whether the owner has left: the lake must hold nothing and takes nothing.
    pub fn has_left(&self) -> bool {
        self.membership.has_left
    }

    /// Leaves, or joins again after leaving.
    pub fn set_left(&mut self, has_left: bool) {
        if self.membership.has_left != has_left {
            let counter = self.membership.counter.saturating_add(1);
            self.membership = Membership { counter, has_left };
        }
    }

    /// Takes over what others decided, where it is stronger.
    pub fn merge(&mut self, others: &Decisions) {
        for (session, decision) in &others.sessions {
            self.add(session.clone(), decision.clone());
        }
        for (level, before) in &others.expired {
            self.expire(*level, *before);
        }
        self.projects.extend(others.projects.iter().cloned());
        let strength = |membership: &Membership| (membership.counter, membership.has_left);
        if strength(&others.membership) > strength(&self.membership) {
            self.membership = others.membership;
        }
    }

    /// The decisions about some sessions alone.
    pub(crate) fn about<'s>(&self, sessions: impl Iterator<Item = &'s SessionId>) -> Decisions {
        let found = sessions.filter_map(|session| self.sessions.get_key_value(session));
        let sessions = found.map(|(session, decision)| (session.clone(), decision.clone()));
        Decisions { sessions: sessions.collect(), ..Decisions::default() }
    }

    fn add(&mut self, session: SessionId, decision: Decision) {
        match self.sessions.get_mut(&session) {
            Some(known) if decision.is_stronger_than(known) => *known = decision,
            Some(_) => {}
            None => drop(self.sessions.insert(session, decision)),
        }
    }
}
