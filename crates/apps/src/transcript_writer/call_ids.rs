//! The ids of calls.
//!
//! The engine takes two calls with the same id for one, and the last of two results for the
//! result. So each call and each result that has no open call gets an id that no other has; the
//! first one keeps its own.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The part of a session that a call or result belongs to: 0 for the conversation, another
/// number for each abandoned branch.
pub(crate) type BranchNumber = u64;

#[derive(Debug)]
struct OpenCall<'a> {
    id: Cow<'a, str>,
    branch: BranchNumber,
}

/// The ids of the calls and results of one transcript.
#[derive(Debug, Default)]
pub(crate) struct CallIds<'a> {
    used: HashSet<Cow<'a, str>>,
    /// How many ids were made from an id.
    made: HashMap<&'a str, u64>,
    /// The calls that wait for a result, by the app's id.
    open: HashMap<&'a str, OpenCall<'a>>,
}

impl<'a> CallIds<'a> {
    /// The id under which a call is written.
    pub(crate) fn call(&mut self, id: &'a str, branch: BranchNumber) -> Cow<'a, str> {
        let unique = self.unique(id);
        self.open.insert(id, OpenCall { id: unique.clone(), branch });
        unique
    }

    /// The id under which the result of a call is written. A result of the conversation does not
    /// answer a call of an abandoned branch, nor the other way round.
    pub(crate) fn result(&mut self, id: &'a str, branch: BranchNumber) -> Cow<'a, str> {
        if self.open.get(id).is_some_and(|call| call.branch == branch)
            && let Some(call) = self.open.remove(id)
        {
            return call.id;
        }
        self.unique(id)
    }

    fn unique(&mut self, id: &'a str) -> Cow<'a, str> {
        if !id.is_empty() && self.used.insert(Cow::Borrowed(id)) {
            return Cow::Borrowed(id);
        }
        let made = self.made.entry(id).or_insert(1);
        loop {
            *made += 1;
            let other = Cow::Owned(format!("{}~{made}", if id.is_empty() { "call" } else { id }));
            if self.used.insert(Cow::clone(&other)) {
                return other;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CallIds;

    #[test]
    fn a_result_answers_the_latest_open_call_of_its_branch() {
        let mut ids = CallIds::default();
        assert_eq!(ids.call("a", 0), "a");
        assert_eq!(ids.result("a", 0), "a");
        assert_eq!(ids.result("a", 0), "a~2");
        assert_eq!(ids.call("a", 0), "a~3");
        assert_eq!(ids.result("a", 1), "a~4");
        assert_eq!(ids.result("a", 0), "a~3");
        assert_eq!(ids.result("b", 0), "b");
        assert_eq!(ids.call("b", 0), "b~2");
    }

    #[test]
    fn made_ids_meet_no_id_of_the_app() {
        let mut ids = CallIds::default();
        assert_eq!(ids.call("a~2", 0), "a~2");
        assert_eq!((ids.call("a", 0), ids.call("a", 0)), ("a".into(), "a~3".into()));
        assert_eq!((ids.call("", 0), ids.call("", 0)), ("call~2".into(), "call~3".into()));
    }
}
