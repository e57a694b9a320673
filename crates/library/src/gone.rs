//! Sessions of which only the prompts are left.
//!
//! The cleanup deletes transcripts and leaves `history.jsonl` alone.

use crate::Library;
use crate::session::{Presence, Session};
use jiff::Timestamp;
use std::collections::{HashMap, HashSet};
use store::{HistoryEntry, Root, is_session_id, read_history};

impl Library {
    /// Sessions that the history names and no root has, newest first.
    pub fn gone(&self, on_disk: &[Session]) -> Vec<Session> {
        let known: HashSet<&str> = on_disk.iter().map(|session| session.id.as_str()).collect();
        let mut gone: Vec<Session> = self
            .roots
            .iter()
            .flat_map(|root| self.remembered(root))
            .filter(|session| !known.contains(session.id.as_str()))
            .collect();
        gone.sort_by(|one, two| one.order().cmp(&two.order()));
        gone.dedup_by(|one, two| one.id == two.id);
        gone
    }

    fn remembered(&self, root: &Root) -> Vec<Session> {
        let entries =
            root.config().and_then(|config| read_history(config).ok()).unwrap_or_default().0;
        let mut sessions: HashMap<String, Vec<HistoryEntry>> = HashMap::new();
        for entry in entries {
            if let Some(id) = entry.session_id.clone().filter(|id| is_session_id(id)) {
                sessions.entry(id).or_default().push(entry);
            }
        }
        sessions
            .into_iter()
            .filter_map(|(id, entries)| self.remembered_session(root, id, &entries))
            .collect()
    }

    fn remembered_session(
        &self,
        root: &Root,
        id: String,
        entries: &[HistoryEntry],
    ) -> Option<Session> {
        let (first, last) = (entries.first()?, entries.last()?);
        let cwd = last.project.clone();
        if cwd.as_deref().is_some_and(|cwd| self.options.exclude.is_match(cwd)) {
            return None;
        }
        let modified = last.time.unwrap_or(Timestamp::UNIX_EPOCH);
        let mut facts = Session::remembered_facts(
            first.display.clone(),
            last.display.clone(),
            first.time,
            modified,
        );
        facts.cwd = cwd;
        Some(Session {
            is_current: self.options.current_session.as_ref() == Some(&id),
            id,
            root: root.path.clone(),
            folder: None,
            path: None,
            session_folder: None,
            presence: Presence::PromptsOnly,
            project: facts.cwd.as_deref().map(|cwd| self.today(cwd)),
            unlisted: None,
            facts,
            copies: Vec::new(),
            agents: 0,
        })
    }
}
