//! Finding a session in a given set, for callers that may see only those.
//!
//! Other sessions have no influence: not on which session a name matches,
//! whether it is ambiguous, or which names are suggested. Paths are not
//! accepted.

use crate::catalog::Catalog;
use crate::catalog::agent_files::FlatAgents;
use crate::catalog::find::{FoundSession, has_words};
use crate::catalog::find_error::{FindError, ambiguous, nearest};
use crate::session::Session;
use crate::stores::Tier;
use store::Agent;

/// Shorter prefixes of agent ids are taken for words.
const SHORTEST: usize = 6;

impl Catalog {
    /// Finds the session that matches `name` among these, newest first: by `@`
    /// and `@2`, its id or a prefix, the id of a sub-agent, or words of its
    /// title.
    pub fn find_in(&self, name: &str, sessions: &[&Session]) -> Result<FoundSession, FindError> {
        if name.trim().is_empty() {
            let reason = "it is empty";
            return Err(FindError::NotAName { name: name.to_owned(), reason });
        }
        let wanted = name.to_ascii_lowercase();
        let missing =
            || FindError::NotFound { name: name.to_owned(), nearest: nearest(&wanted, sessions) };
        if let Some(number) = name.strip_prefix('@') {
            let number = if number.is_empty() { Some(1) } else { number.parse::<usize>().ok() };
            let mut listed = sessions.iter().filter(|session| session.unlisted.is_none());
            let place = number.and_then(|number| number.checked_sub(1));
            let found = place.and_then(|place| listed.nth(place));
            return found.map(|found| FoundSession::of((*found).clone())).ok_or_else(missing);
        }
        let begins = |session: &&&Session| session.id.to_ascii_lowercase().starts_with(&wanted);
        let by_id: Vec<&&Session> = sessions.iter().filter(begins).collect();
        if let Some(found) = chosen(name, &by_id)? {
            return Ok(FoundSession::of(found.clone()));
        }
        if let Some(found) = self.agent_among(name, sessions)? {
            return Ok(found);
        }
        let by_title = sessions.iter().filter(|session| has_words(session, name));
        let by_title: Vec<&&Session> = by_title.collect();
        if let Some(found) = chosen(name, &by_title)? {
            return Ok(FoundSession::of(found.clone()));
        }
        self.find_repeated_agent(name, sessions).ok_or_else(missing)
    }
}

impl Catalog {
    /// The session that has a sub-agent with this id or prefix.
    fn agent_among(
        &self,
        id: &str,
        sessions: &[&Session],
    ) -> Result<Option<FoundSession>, FindError> {
        if id.len() < SHORTEST || !id.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-') {
            return Ok(None);
        }
        let mut flat = FlatAgents::new();
        let mut found: Vec<(&&Session, Agent)> = Vec::new();
        for session in sessions {
            let agents = self.agent_files_of(session, &mut flat, Tier::DiskAndArchive).into_iter();
            found.extend(
                agents.filter(|agent| agent.id.starts_with(id)).map(|agent| (session, agent)),
            );
        }
        if found.iter().any(|(_, agent)| agent.id == id) {
            found.retain(|(_, agent)| agent.id == id);
        }
        let owners: Vec<&&Session> = found.iter().map(|(session, _)| *session).collect();
        if owners.len() > 1 {
            return Err(ambiguous(id, &owners));
        }
        let found = found.into_iter().next();
        Ok(found.map(|(session, agent)| FoundSession {
            agent: Some(agent),
            ..FoundSession::of((*session).clone())
        }))
    }
}

/// The one session that matches a name, if any does.
fn chosen<'s>(name: &str, matched: &[&'s &'s Session]) -> Result<Option<&'s Session>, FindError> {
    if let Some(exact) = matched.iter().find(|session| session.id.eq_ignore_ascii_case(name)) {
        return Ok(Some(exact));
    }
    match matched {
        [] => Ok(None),
        [session] => Ok(Some(session)),
        _ => Err(ambiguous(name, matched)),
    }
}
