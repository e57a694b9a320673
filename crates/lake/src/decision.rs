//! What an owner decided about single sessions.
//!
//! Decisions made on several machines meet in the owner's chains. Which one holds is
//! the same everywhere and in every order: the one with the higher counter, and of two
//! with the same counter the one that shows less. Nothing here has a clock.

use crate::names::{Audience, SessionId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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

/// The decisions about all sessions that have one.
#[derive(Clone, Debug, Default, Eq, PartialEq, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Decisions(BTreeMap<SessionId, Decision>);

impl Decisions {
    /// The decision about a session.
    pub fn get(&self, session: &SessionId) -> Option<&Decision> {
        self.0.get(session)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&SessionId, &Decision)> {
        self.0.iter()
    }

    /// Decides anew, over everything that is known here.
    pub fn decide(&mut self, session: SessionId, sharing: Sharing) {
        let counter = self.0.get(&session).map_or(1, |known| known.counter.saturating_add(1));
        self.add(session, Decision { counter, sharing });
    }

    /// Takes over what others decided, where it is stronger.
    pub fn merge(&mut self, others: &Decisions) {
        for (session, decision) in &others.0 {
            self.add(session.clone(), decision.clone());
        }
    }

    /// The decisions about some sessions.
    pub(crate) fn about<'s>(&self, sessions: impl Iterator<Item = &'s SessionId>) -> Decisions {
        let found = sessions.filter_map(|session| self.0.get_key_value(session));
        Decisions(found.map(|(session, decision)| (session.clone(), decision.clone())).collect())
    }

    fn add(&mut self, session: SessionId, decision: Decision) {
        match self.0.get_mut(&session) {
            Some(known) if decision.is_stronger_than(known) => *known = decision,
            Some(_) => {}
            None => drop(self.0.insert(session, decision)),
        }
    }
}
