//! All sessions of all roots as one list.
//!
//! Folders are read in parallel; then files with the same id become one
//! session: the newest file that the app would list is the session, the others
//! are its copies. A file on disk always comes before an archived one.

use crate::catalog::Catalog;
use crate::catalog::agent_files::FlatAgents;
use crate::catalog::metadata::MetadataReader;
use crate::catalog::settle::{settle, sorted};
use crate::lines::ReadError;
use crate::session::inline_agents::InlineAgents;
use crate::session::{Session, UnlistedReason};
use crate::stores::{FOREIGN, Tier, foreign_folder, foreign_transcripts, single};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use store::{
    Files, Folder, HeadAndTail, HiddenReason, LiveSession, Root, RootOrigin, SessionFile,
    SessionFolder, SessionKind, SessionMetadata, StrayFile, flat_agent, live_sessions,
};

/// The sessions, and what could not be listed.
#[derive(Debug, Default)]
pub struct SessionList {
    /// The sessions, newest first, including those the app does not list.
    pub sessions: Vec<Session>,
    /// Files and folders that are not sessions, and why.
    pub strays: Vec<StrayFile>,
    /// What could not be read.
    pub read_errors: Vec<ReadError>,
    /// Sessions that exist but are excluded by configuration.
    pub(crate) excluded: HashSet<String>,
    /// Session folders without a transcript beside them.
    folders_alone: Vec<SessionFolder>,
    /// The tier that was listed.
    pub(crate) tier: Tier,
    /// The ids that were listed, if not all were.
    pub(crate) only: Option<HashSet<String>>,
}

impl SessionList {
    /// The sessions the app lists.
    pub fn listed(&self) -> impl Iterator<Item = &Session> {
        self.sessions.iter().filter(|session| session.unlisted.is_none())
    }

    /// Whether an id was to be listed.
    pub(crate) fn looks_for(&self, id: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(id))
    }

    /// Whether a session exists but is excluded by configuration.
    pub fn excludes(&self, id: &str) -> bool {
        self.excluded.contains(id)
    }

    fn absorb(&mut self, other: SessionList) {
        self.sessions.extend(other.sessions);
        self.strays.extend(other.strays);
        self.read_errors.extend(other.read_errors);
        self.excluded.extend(other.excluded);
        self.folders_alone.extend(other.folders_alone);
    }
}

impl Catalog {
    /// Lists every session on disk, reading only the ends of files and their
    /// stat.
    pub fn sessions(&self) -> SessionList {
        self.list(Tier::Disk)
    }

    /// Lists every session, on disk or in the archive.
    pub fn all_sessions(&self) -> SessionList {
        self.list(Tier::DiskAndArchive)
    }
}

impl Catalog {
    /// Lists the sessions, so that what writes an answer masks the values in their names: for
    /// answers with names of sessions that were not opened or listed for them.
    pub(crate) fn note_names(&self) {
        if self.stores.redactor.is_some() {
            let _ = self.all_sessions();
        }
    }

    pub(crate) fn list(&self, tier: Tier) -> SessionList {
        self.list_into(SessionList { tier, ..SessionList::default() })
    }

    /// Lists only the sessions with these ids, as the full list has them.
    pub(crate) fn list_only(&self, tier: Tier, ids: HashSet<String>) -> SessionList {
        self.list_into(SessionList { tier, only: Some(ids), ..SessionList::default() })
    }

    fn list_into(&self, mut list: SessionList) -> SessionList {
        let tier = list.tier;
        let places = self.stores.tier_roots(tier);
        let mut folders = Vec::new();
        for (root, files) in &places {
            match root.folders(files) {
                Ok((found, strays)) => {
                    folders.extend(found.into_iter().map(|folder| (*root, files, folder)));
                    list.strays.extend(strays);
                }
                Err(error) => list.read_errors.push(ReadError::new(&root.path, &error)),
            }
        }
        let metadata = match list.only {
            None => MetadataReader::new(self),
            Some(_) => MetadataReader::of_few(self),
        };
        // Sessions are wide: each is moved once, not at every step of a reduction.
        let read: Vec<SessionList> = folders
            .par_iter()
            .map_init(HeadAndTail::default, |chunks, (root, files, folder)| {
                let is_wanted = |id: &str| list.looks_for(id);
                self.list_folder(root, files, folder, &is_wanted, &metadata, chunks)
            })
            .collect();
        metadata.store();
        list.sessions.reserve(read.iter().map(|read| read.sessions.len()).sum());
        for read in read {
            list.absorb(read);
        }
        for (root, files) in &places {
            self.list_foreign(root, files, &mut list);
        }
        list.sessions = settle(list.sessions);
        self.assign_folders(&mut list);
        self.list_copies(&mut list);
        self.mark_running(&mut list.sessions);
        list.sessions = sorted(list.sessions, |one, two| one.order().cmp(&two.order()));
        list.strays.sort();
        list
    }

    /// Lists the sessions of a folder that have the wanted ids.
    pub(crate) fn list_folder(
        &self,
        root: &Root,
        files: &Files,
        folder: &Folder,
        is_wanted: &(dyn Fn(&str) -> bool + Sync),
        metadata: &MetadataReader<'_>,
        chunks: &mut HeadAndTail,
    ) -> SessionList {
        let mut list = SessionList::default();
        let mut listing = match folder.list(files) {
            Ok(listing) => listing,
            Err(error) => {
                list.read_errors.push(ReadError::new(&folder.path, &error));
                return list;
            }
        };
        if let Some(only) = root.transcript() {
            listing.sessions = single(files, only).into_iter().collect();
            listing.strays.clear();
        }
        let (wanted, others): (Vec<_>, Vec<_>) =
            listing.sessions.into_iter().partition(|file| is_wanted(&file.id));
        let mut flat: HashMap<String, usize> = HashMap::new();
        for path in listing.agents.iter().filter(|_| !wanted.is_empty()) {
            if let Some(session) = flat_agent(files, path).and_then(|agent| agent.session_id) {
                *flat.entry(session).or_default() += 1;
            }
        }
        for file in wanted {
            match metadata.read(files, &file.path, file.folder.as_ref(), chunks) {
                Ok((metadata, inline)) => {
                    if self.stores.is_excluded(&file.path, metadata.cwd.as_deref()) {
                        list.excluded.insert(file.id);
                        continue;
                    }
                    let flat = flat.get(&file.id).copied().unwrap_or_default();
                    let session = self.session(root, files, folder, file, metadata, flat);
                    list.sessions.push(session.with_inline_agents(inline));
                }
                Err(error) => {
                    list.read_errors.push(ReadError::new(&file.path, &error));
                    // An archived session with damaged frames is still listed.
                    if let Some(metadata) = metadata_of_damaged(files, &file.path) {
                        let flat = flat.get(&file.id).copied().unwrap_or_default();
                        list.sessions.push(self.session(root, files, folder, file, metadata, flat));
                    }
                }
            }
        }
        hide_continued(&mut list.sessions, |id| {
            others.iter().filter(|file| file.id == id).any(|file| {
                SessionMetadata::read(files, &file.path, file.folder.as_ref(), chunks)
                    .is_ok_and(|metadata| metadata.has_messages)
            })
        });
        list.strays = listing.strays;
        list.folders_alone = listing.orphans;
        list
    }

    /// Assigns session folders without a transcript beside them to sessions
    /// that are elsewhere. The others are strays.
    fn assign_folders(&self, list: &mut SessionList) {
        let mut alone: HashMap<String, Vec<SessionFolder>> = HashMap::new();
        for folder in std::mem::take(&mut list.folders_alone) {
            alone.entry(folder.session_id().into_owned()).or_default().push(folder);
        }
        let mut flat = FlatAgents::new();
        for session in &mut list.sessions {
            self.add_folders(session, alone.remove(&session.id).unwrap_or_default());
            self.count_agents_elsewhere(session, &mut flat, list.tier);
        }
        let strays = alone.into_values().flatten().map(|folder| StrayFile {
            path: folder.path().to_owned(),
            reason: "a session folder without a transcript",
        });
        list.strays.extend(strays);
    }

    /// Adds folders to a session that lie in other project folders.
    pub(crate) fn add_folders(&self, session: &mut Session, folders: Vec<SessionFolder>) {
        let own = session.session_folder.as_ref();
        let others = folders.into_iter().filter(|folder| own != Some(folder));
        session.other_folders.extend(others);
        session.other_folders.sort_by(|one, two| one.path().cmp(two.path()));
        session.other_folders.dedup();
        session.other_folders.retain(|folder| !self.stores.is_excluded(folder.path(), None));
    }

    /// Counts the agents of a session again if it has folders elsewhere, which
    /// may hold copies of the same agents, or progress records, which may repeat
    /// agents that have files.
    pub(crate) fn count_agents_elsewhere(
        &self,
        session: &mut Session,
        flat: &mut FlatAgents,
        tier: Tier,
    ) {
        if !session.other_folders.is_empty() || !session.inline_agents.repeated.is_empty() {
            let agents = self.agent_files_of(session, flat, tier);
            // The file is the agent: the progress records only repeat it.
            let has_file: HashSet<&str> = agents.iter().map(|agent| agent.id.as_str()).collect();
            session.inline_agents.repeated.retain(|id| !has_file.contains(id.as_str()));
            session.agents = agents.len() + session.inline_agents.count();
        }
    }

    /// Builds a session from everything known of it.
    pub(crate) fn session(
        &self,
        root: &Root,
        files: &Files,
        folder: &Folder,
        file: SessionFile,
        metadata: SessionMetadata,
        flat_agents: usize,
    ) -> Session {
        let nested = file.folder.as_ref().map_or(0, |own| own.count_agents(files));
        let folder_of_work = || {
            let cwd = metadata.original_cwd.as_ref().or(metadata.cwd.as_ref());
            cwd.map(|cwd| self.stores.resolve_alias(cwd))
        };
        let key = self.stores.project_key(&file.path).map(str::to_owned);
        let project = key.or_else(folder_of_work);
        let owner = self.stores.owner_of(&file.path).map(str::to_owned);
        // The folder in which the sessions of an app are shown is in the app's own.
        let of_app = root.path.parent().filter(|_| root.origin == RootOrigin::App);
        self.redaction.masking_of(&file.path).session(Session {
            owner,
            presence: self.stores.presence(&file.path, file.is_archive_only),
            is_current: self.stores.options.current_session.as_ref() == Some(&file.id),
            id: file.id,
            root: of_app.unwrap_or(&root.path).to_owned(),
            folder: of_app.is_none().then(|| folder.name.clone()),
            app_file: self.stores.apps().file(&file.path).map(|file| file.path),
            path: Some(file.path),
            session_folder: file.folder,
            other_folders: Vec::new(),
            unlisted: metadata.hidden.map(UnlistedReason::Hidden),
            project,
            metadata,
            copies: Vec::new(),
            agents: nested + flat_agents,
            inline_agents: InlineAgents::default(),
            is_running: false,
        })
    }

    /// Marks the sessions that live processes have registered as writing.
    pub(crate) fn mark_running(&self, sessions: &mut [Session]) {
        let configs = self.stores.disk_roots().filter_map(Root::config);
        let live = configs.flat_map(live_sessions).filter(LiveSession::is_alive);
        let running: HashSet<String> = live.filter_map(|live| live.session_id).collect();
        for session in sessions {
            session.is_running = running.contains(&session.id);
        }
    }

    /// Transcripts outside `projects/`: those of other tools, and copies.
    fn list_foreign(&self, root: &Root, files: &Files, list: &mut SessionList) {
        let Some(config) = root.config() else { return };
        let mut chunks = HeadAndTail::default();
        for unlisted in FOREIGN {
            let folder = foreign_folder(config, unlisted);
            if folder.path.is_symlink() {
                list.strays
                    .push(StrayFile { path: folder.path, reason: "a symbolic link, not followed" });
                continue;
            }
            for (id, path) in foreign_transcripts(files, config, unlisted) {
                if !list.looks_for(&id) {
                    continue;
                }
                let is_archive_only = files.is_archive_only(&path);
                let file = SessionFile { id, path, folder: None, is_archive_only };
                let inline = |chunks: &HeadAndTail| InlineAgents::read(files, &file.path, chunks);
                match SessionMetadata::read(files, &file.path, None, &mut chunks) {
                    Ok(metadata)
                        if self.stores.is_excluded(&file.path, metadata.cwd.as_deref()) => {}
                    Ok(mut metadata) => {
                        if metadata.first_prompt.is_none() {
                            metadata.first_prompt =
                                transcript::entries(chunks.head()).find_map(|entry| {
                                    transcript::prompt::typed_prompt(&entry.record)
                                        .map(std::borrow::Cow::into_owned)
                                });
                        }
                        if metadata.shown_title.is_none() {
                            metadata.shown_title.clone_from(&metadata.first_prompt);
                        }
                        let inline = inline(&chunks);
                        let session = self.session(root, files, &folder, file, metadata, 0);
                        let mut session = session.with_inline_agents(inline);
                        session.unlisted = Some(unlisted);
                        list.sessions.push(session);
                    }
                    Err(error) => list.read_errors.push(ReadError::new(&file.path, &error)),
                }
            }
        }
    }

    /// Lists pre-compaction copies of sessions of which nothing else is left.
    /// The shelf is read only if there are such copies on disk.
    fn list_copies(&self, list: &mut SessionList) {
        let is_alone = |session: &&mut Session| {
            session.unlisted == Some(UnlistedReason::PreCompactCopy)
                && session.metadata.hidden != Some(HiddenReason::Sidechain)
                && (session.metadata.summary.is_some() || session.metadata.first_prompt.is_some())
                && !list.excluded.contains(&session.id)
        };
        let mut kept = None;
        for session in list.sessions.iter_mut().filter(is_alone) {
            let is_archive_only = list.tier == Tier::Disk
                && self.stores.has_shelf()
                && kept
                    .get_or_insert_with(|| HashSet::<_>::from_iter(self.ids(Tier::DiskAndArchive)))
                    .contains(&session.id);
            if !is_archive_only {
                session.unlisted = None;
                session.metadata.kind = SessionKind::PreCompactCopy;
            }
        }
    }
}

/// The metadata of an archived transcript that cannot be read.
pub(crate) fn metadata_of_damaged(files: &Files, path: &Path) -> Option<SessionMetadata> {
    let (stat, is_archive_only) = files.find(path)?;
    is_archive_only
        .then(|| SessionMetadata { bytes: stat.bytes, ..SessionMetadata::unknown(stat.modified) })
}

/// Hides sessions that are continued by another one in the same folder: one of
/// these, or one that `lives_unlisted` knows.
fn hide_continued(sessions: &mut [Session], mut lives_unlisted: impl FnMut(&str) -> bool) {
    let living: HashSet<String> = sessions
        .iter()
        .filter(|session| session.metadata.has_messages)
        .map(|session| session.id.clone())
        .collect();
    for session in sessions {
        let mut lives = |next: &String| living.contains(next) || lives_unlisted(next);
        if session.unlisted.is_none()
            && session.metadata.continued_in.as_ref().is_some_and(&mut lives)
        {
            session.unlisted = Some(UnlistedReason::Hidden(HiddenReason::Continued));
        }
    }
}
