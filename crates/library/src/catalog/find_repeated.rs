//! Finding a sub-agent that only the progress records of its session have.

use crate::Library;
use crate::catalog::find::FoundSession;
use crate::catalog::session::Session;
use crate::open::scan::scan;
use crate::progress::NoProgress;
use memchr::memmem;
use std::path::PathBuf;
use transcript::parse_line;

impl Library {
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
        let with_paths =
            sessions.iter().filter_map(|session| Some((session, session.path.clone()?)));
        let (sessions, paths): (Vec<&&Session>, Vec<PathBuf>) = with_paths.unzip();
        let needle = memmem::Finder::new(id);
        let is_of_agent = |record: &transcript::Record<'_>| {
            record.agent_progress().is_some_and(|progress| progress.agent_id.as_str() == id)
        };
        let (found, _) = scan(
            &self.all,
            &paths,
            &NoProgress,
            |_| false,
            |found, line| {
                *found |= needle.find(line.bytes).is_some()
                    && parse_line(line).any(|entry| is_of_agent(&entry.record));
                !*found
            },
        );
        let session = sessions[found.iter().position(|found| *found)?];
        Some(FoundSession {
            inline_agent: Some(id.to_owned()),
            ..FoundSession::of((*session).clone())
        })
    }
}

/// Whether a name is an id as the versions gave it that repeated agents in progress
/// records: hexadecimal digits.
fn is_agent_id(name: &str) -> bool {
    const SHORTEST: usize = 7;
    name.len() >= SHORTEST && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
