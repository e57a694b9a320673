//! The agents of sessions, and the sessions of which only agents or outputs are
//! left.

use crate::catalog::Catalog;
use crate::catalog::list::SessionList;
use crate::session::{Session, own_folder};
use crate::stores::Tier;
use crate::stores::text_files::{TextFile, TextKind, TextReader};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use store::{Agent, Folder, SessionFolder, agents_below, flat_agent, flat_agent_of, nested_agent};

/// The flat agents of folders already listed, by session; without a folder, all
/// agents.
pub(crate) type FlatAgents = HashMap<(Option<PathBuf>, bool), HashMap<String, Vec<Agent>>>;

fn by_session(agents: impl IntoIterator<Item = Agent>) -> HashMap<String, Vec<Agent>> {
    let mut by_session: HashMap<String, Vec<Agent>> = HashMap::new();
    for agent in agents {
        by_session.entry(agent.session_id.clone().unwrap_or_default()).or_default().push(agent);
    }
    by_session
}

impl Catalog {
    /// The sessions of which only agents or outputs are left; if the list has
    /// only some ids, only sessions with those ids.
    pub fn sessions_without_transcript(&self, list: &SessionList) -> Vec<Session> {
        let mut known: HashSet<String> =
            list.sessions.iter().map(|session| session.id.clone()).collect();
        known.extend(list.excluded.iter().cloned());
        if list.only.as_ref().is_some_and(|only| only.is_subset(&known)) {
            return Vec::new();
        }
        let is_wanted = |id: &str| list.looks_for(id) && !known.contains(id);
        let walk =
            self.stores.text_files(TextReader::Grep).in_tier(list.tier).of_sessions(&is_wanted);
        let (mut files, _) = walk.gather(|file| {
            let is_left =
                matches!(file.kind, TextKind::Agent | TextKind::FlatAgent | TextKind::Output);
            is_left.then_some(file)
        });
        // Outputs represent a session only if it has no agents.
        files.sort_by_key(|file| file.kind == TextKind::Output);
        let mut left = Vec::new();
        let mut folders: HashMap<String, BTreeSet<PathBuf>> = HashMap::new();
        for file in &files {
            let own = file.session.as_ref().and_then(|id| Some((id, own_folder(&file.path, id)?)));
            if let Some((id, own)) = own {
                folders.entry(id.clone()).or_default().insert(own.to_owned());
            }
        }
        for TextFile { path, kind, session, .. } in files {
            let Some(id) = session.filter(|id| !known.contains(id)) else { continue };
            let Some((stat, _)) = self.stores.tier_files(list.tier).find(&path) else { continue };
            known.insert(id.clone());
            let agents = usize::from(kind != TextKind::Output);
            let own = folders.remove(&id).unwrap_or_default().into_iter();
            let own = own.filter_map(|path| SessionFolder::find(&self.stores.all, path));
            let session = Session::left_with(&self.stores.all, &path, id, stat.modified);
            let mut session = Session { agents, ..session };
            self.add_folders(&mut session, own.collect());
            left.push(session);
        }
        left
    }
}

impl Catalog {
    /// The agents of a session that have separate files. For an archived
    /// session, the archive is searched too, whatever the tier.
    pub(crate) fn agent_files_of(
        &self,
        session: &Session,
        flat: &mut FlatAgents,
        tier: Tier,
    ) -> Vec<Agent> {
        if session.path.is_none() {
            // Only its remaining files show where it was. There may be many
            // such sessions: everything is listed once for all of them.
            let listed = flat
                .entry((None, tier == Tier::DiskAndArchive))
                .or_insert_with(|| by_session(self.all_agents(tier)));
            return listed.get(&session.id).cloned().unwrap_or_default();
        }
        let files = self.stores.files_of(session, tier);
        // Archived agents are in another list than those on disk.
        let is_archive_only = session.presence.is_in_archive();
        let mut flat_in = |folder: &Path| {
            let listed =
                flat.entry((Some(folder.to_owned()), is_archive_only)).or_insert_with(|| {
                    let listing = Folder::new(folder.to_owned()).list(files);
                    let paths = listing.map(|listing| listing.agents).unwrap_or_default();
                    by_session(paths.iter().filter_map(|path| flat_agent(files, path)))
                });
            listed.get(&session.id).cloned().unwrap_or_default()
        };
        let own = session.session_folder.iter();
        let mut agents: Vec<Agent> = own.flat_map(|own| agents_below(files, own)).collect();
        let beside = session.path.as_deref().and_then(Path::parent);
        agents.extend(beside.map(&mut flat_in).unwrap_or_default());
        for folder in &session.other_folders {
            // Copied with its project folder: the nearer one counts.
            let known: HashSet<String> = agents.iter().map(|agent| agent.id.clone()).collect();
            let project = folder.path().parent().filter(|project| Some(*project) != beside);
            let mut others = agents_below(files, folder);
            others.extend(project.map(&mut flat_in).unwrap_or_default());
            agents.extend(others.into_iter().filter(|agent| !known.contains(&agent.id)));
        }
        agents.retain(|agent| !self.stores.is_excluded(&agent.path, None));
        agents
    }

    /// The outputs in a session's folders.
    pub(crate) fn output_files_of(&self, session: &Session, tier: Tier) -> Vec<PathBuf> {
        let files = self.stores.files_of(session, tier);
        let own = session.folders();
        own.flat_map(|own: &SessionFolder| own.tool_result_files(files))
            .map(|(path, _)| path)
            .collect()
    }

    /// All agents of all roots that have separate files and are not excluded,
    /// including those whose sessions are gone.
    pub(crate) fn all_agents(&self, tier: Tier) -> Vec<Agent> {
        let files = self.stores.tier_files(tier);
        // Usage reads every agent, including those that name no session.
        let walk = self.stores.text_files(TextReader::Usage).in_tier(tier);
        let (agents, _) = walk.gather(|file| match file.kind {
            TextKind::Agent => nested_agent(files, file.path, file.session),
            TextKind::FlatAgent | TextKind::UnclaimedAgent => {
                flat_agent_of(files, &file.path, file.session)
            }
            _ => None,
        });
        agents
    }
}
