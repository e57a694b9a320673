//! Sessions of which only the prompts are left.
//!
//! The cleanup deletes transcripts but not `history.jsonl`. Sessions in the
//! archive are not among these.

use crate::catalog::Catalog;
use crate::catalog::list::SessionList;
use crate::lines::ReadError;
use crate::lines::damage::{Damage, LISTED_DAMAGE, UnlistedDamage};
use crate::session::inline_agents::InlineAgents;
use crate::session::{Presence, Session};
use crate::stores::Tier;
use jiff::Timestamp;
use std::collections::{HashMap, HashSet};
use store::{HistoryEntry, Root, SessionMetadata, is_session_id, read_history};
use transcript::Reason;

/// The prompt histories of all roots.
#[derive(Default)]
pub(crate) struct Histories<'a> {
    /// The prompts, each with its root.
    pub(crate) entries: Vec<(&'a Root, HistoryEntry)>,
    /// Lines that are not entries: at most the first thousand of a history.
    pub(crate) damage: Vec<Damage>,
    /// The histories with more.
    pub(crate) unlisted: Vec<UnlistedDamage>,
    /// What could not be read.
    pub(crate) read_errors: Vec<ReadError>,
}

impl Catalog {
    /// Sessions that are not on disk, newest first: archived ones, and those of
    /// which only the prompts are left. Those that may be on disk are not among them.
    pub fn deleted_from_disk(&self) -> (Vec<Session>, Vec<ReadError>) {
        let list = self.all_sessions();
        let (mut gone, unread) = self.prompts_only(&list);
        let kept = |session: &Session| session.presence == Presence::Archive;
        gone.extend(list.sessions.into_iter().filter(kept));
        gone.sort_by(|one, two| one.order().cmp(&two.order()));
        (gone, list.read_errors.into_iter().chain(unread).collect())
    }

    /// Sessions that the history names and that are neither on disk nor in the
    /// archive; newest first.
    pub fn prompts_only(&self, list: &SessionList) -> (Vec<Session>, Vec<ReadError>) {
        let (mut gone, read_errors) = self.remembered(list);
        if list.tier == Tier::Disk && self.stores.has_shelf() && !gone.is_empty() {
            let kept: HashSet<String> = self.ids(Tier::DiskAndArchive).into_iter().collect();
            gone.retain(|session| !kept.contains(&session.id));
        }
        (gone, read_errors)
    }
}

impl Catalog {
    /// Sessions that the history names and a list does not have, newest first.
    pub(crate) fn remembered(&self, list: &SessionList) -> (Vec<Session>, Vec<ReadError>) {
        let Histories { entries, read_errors, .. } = self.histories(list.tier);
        let mut sessions: HashMap<String, (&Root, Vec<HistoryEntry>)> = HashMap::new();
        for (root, entry) in entries {
            let id = entry.session_id.clone().filter(|id| is_session_id(id));
            let Some(id) = id.filter(|id| !list.excluded.contains(id)) else { continue };
            sessions.entry(id).or_insert_with(|| (root, Vec::new())).1.push(entry);
        }
        for session in &list.sessions {
            sessions.remove(&session.id);
        }
        let mut gone: Vec<Session> = sessions
            .into_iter()
            .filter_map(|(id, (root, entries))| self.remembered_session(root, id, &entries))
            .collect();
        gone.sort_by(|one, two| one.order().cmp(&two.order()));
        (gone, read_errors)
    }

    /// The prompt histories of all roots, each oldest first.
    pub(crate) fn histories(&self, tier: Tier) -> Histories<'_> {
        let mut histories = Histories::default();
        for (root, files) in self.stores.tier_roots(tier) {
            let Some(config) = root.config() else { continue };
            let path = config.join("history.jsonl");
            match read_history(&files, config) {
                Ok((read, unreadable)) => {
                    histories.entries.extend(read.into_iter().map(|entry| (root, entry)));
                    let count = unreadable.len().saturating_sub(LISTED_DAMAGE) as u64;
                    if count > 0 {
                        histories.unlisted.push(UnlistedDamage { path: path.clone(), count });
                    }
                    let listed = unreadable.into_iter().take(LISTED_DAMAGE);
                    histories.damage.extend(listed.map(|place| Damage {
                        path: path.clone(),
                        line: place.line,
                        offset: place.offset,
                        reason: Reason::NotJson("not an entry of the prompt history".to_owned()),
                    }));
                }
                Err(error) => histories.read_errors.push(ReadError::new(&path, &error)),
            }
        }
        histories
    }

    fn remembered_session(
        &self,
        root: &Root,
        id: String,
        entries: &[HistoryEntry],
    ) -> Option<Session> {
        let first = entries.iter().min_by_key(|entry| entry.time)?;
        let last = entries.iter().max_by_key(|entry| entry.time)?;
        let cwd = last.project.clone();
        if cwd.as_deref().is_some_and(|cwd| self.stores.options.exclude.is_match(cwd)) {
            return None;
        }
        let modified = last.time.unwrap_or(Timestamp::UNIX_EPOCH);
        let metadata = SessionMetadata {
            created: first.time,
            summary: Some(first.display.clone()),
            shown_title: Some(first.display.clone()),
            first_prompt: Some(first.display.clone()),
            last_prompt: Some(last.display.clone()),
            cwd,
            ..SessionMetadata::unknown(modified)
        };
        Some(self.redaction.masking_of_none().session(Session {
            is_current: self.stores.options.current_session.as_ref() == Some(&id),
            id,
            root: root.path.clone(),
            folder: None,
            path: None,
            session_folder: None,
            other_folders: Vec::new(),
            presence: Presence::PromptsOnly,
            owner: None,
            project: metadata.cwd.as_deref().map(|cwd| self.stores.resolve_alias(cwd)),
            unlisted: None,
            metadata,
            app_file: None,
            copies: Vec::new(),
            agents: 0,
            inline_agents: InlineAgents::default(),
            is_running: false,
        }))
    }
}
