//! Finding a sub-agent that only the progress records of its session have, or those of
//! another agent of the session.

use crate::catalog::Catalog;
use crate::catalog::agent_files::FlatAgents;
use crate::catalog::find::FoundSession;
use crate::lines::repeated::nested_agents;
use crate::lines::scan::scan;
use crate::lines::whole::read_whole;
use crate::progress::NoProgress;
use crate::session::Session;
use crate::stores::Tier;
use memchr::memmem;
use std::path::PathBuf;
use store::Agent;
use transcript::parse_line;

impl Catalog {
    /// The first of these sessions whose progress records repeat the lines of this
    /// agent. This reads all their transcripts, so it is tried last, and only for
    /// names that are ids of such agents.
    pub(crate) fn find_repeated_agent(
        &self,
        id: &str,
        sessions: &[&Session],
    ) -> Option<FoundSession> {
        if !is_agent_id(id) {
            return None;
        }
        let mut flat = FlatAgents::new();
        let mut places: Vec<(&Session, Option<Agent>)> = Vec::new();
        for session in sessions {
            places.extend(session.path.is_some().then_some((*session, None)));
            let files = self.agent_files_of(session, &mut flat, Tier::DiskAndArchive);
            places.extend(files.into_iter().map(|file| (*session, Some(file))));
        }
        let path = |(session, host): &(&Session, Option<Agent>)| {
            host.as_ref().map(|host| host.path.clone()).or_else(|| session.path.clone())
        };
        let paths: Vec<PathBuf> = places.iter().filter_map(path).collect();
        let needle = memmem::Finder::new(id);
        let is_of_agent = |record: &transcript::Record<'_>| {
            record.agent_progress().is_some_and(|progress| progress.agent_id.as_str() == id)
        };
        let (found, _) = scan(
            &self.stores.all,
            &paths,
            &NoProgress,
            |_| false,
            |found, line| {
                *found |= needle.find(line.bytes).is_some()
                    && parse_line(line).any(|entry| is_of_agent(&entry.record));
                !*found
            },
        );
        let (session, host) = places.swap_remove(found.iter().position(|found| *found)?);
        let found = FoundSession::of(session.clone());
        let Some(host) = host else {
            return Some(FoundSession { inline_agent: Some(id.to_owned()), ..found });
        };
        let bytes = read_whole(&self.stores.all, &host.path).ok()?;
        let agent = nested_agents(&host, &bytes, |other| other != id).pop();
        agent.map(|agent| FoundSession { agent: Some(agent), ..found })
    }
}

/// Whether a name is an id as the versions gave it that repeated agents in progress
/// records: hexadecimal digits.
fn is_agent_id(name: &str) -> bool {
    const SHORTEST: usize = 7;
    name.len() >= SHORTEST && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
