//! Finding a session by its name: an id, a path, a title, or `@`.
//!
//! Names are tried in this order: `@` and `@2` (the latest sessions of a
//! project), a path to a transcript, a full id (its path is computed, nothing
//! is searched), the prefix of an id, the id of a sub-agent, words of a title.
//! The archive is searched only if nothing on disk matches. A name that could
//! lead outside a root opens nothing.

use crate::catalog::Catalog;
use crate::catalog::agent_files::FlatAgents;
use crate::catalog::find_error::{Candidate, FindError, ambiguous, nearest};
use crate::catalog::list::metadata_of_damaged;
use crate::catalog::project::ProjectScope;
use crate::catalog::settle::settle;
use crate::lines::scan::scan;
use crate::progress::NoProgress;
use crate::session::inline_agents::InlineAgents;
use crate::session::{Presence, Session, UnlistedReason};
use crate::stores::Tier;
use crate::stores::foreign::pre_compact_copies;
use ::apps::App;
use memchr::memmem;
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use store::{
    Agent, Files, Folder, HeadAndTail, HiddenReason, Root, RootKind, RootOrigin, SessionFolder,
    SessionMetadata, SessionPlaces, agents_below, flat_agent, is_session_id,
};
use transcript::parse_line;

/// The session that a name matches.
#[derive(Clone, Debug)]
pub struct FoundSession {
    /// The session.
    pub session: Session,
    /// The sub-agent that the name matches, if it names one.
    pub agent: Option<Agent>,
    /// The sub-agent that the name matches, if it is written into the main
    /// transcript: the uuid of its first line, or its id in progress records.
    pub inline_agent: Option<String>,
}

impl FoundSession {
    pub(crate) fn of(session: Session) -> Self {
        FoundSession { session, agent: None, inline_agent: None }
    }

    /// The id of the sub-agent, if the name matches one.
    pub fn agent_id(&self) -> Option<&str> {
        let agent = self.agent.as_ref().map(|agent| agent.id.as_str());
        agent.or(self.inline_agent.as_deref())
    }

    /// The id of the sub-agent if the name matches one, else of the session.
    pub fn id(&self) -> &str {
        self.agent_id().unwrap_or(&self.session.id)
    }

    /// Why the official reader's view cannot show it, if so: that reads only what Claude Code
    /// wrote. `option` is how the view was asked for.
    pub fn refusal_of_sdk_view(&self, option: &str) -> Option<String> {
        let (id, app) = (self.id(), self.session.app());
        (app != App::Claude)
            .then(|| format!("{option} is for sessions of Claude Code; {id} is of {}", app.title()))
    }

    /// The transcript of the sub-agent if the name matches one, else of the
    /// session.
    pub fn path(&self) -> Option<&Path> {
        self.agent.as_ref().map(|agent| agent.path.as_path()).or(self.session.path.as_deref())
    }
}

impl Catalog {
    /// Finds the session that matches `name`. `here` is the project that `@`
    /// refers to.
    pub fn find(&self, name: &str, here: Option<&ProjectScope>) -> Result<FoundSession, FindError> {
        // Tables cut long names at an ellipsis, which is pasted with the rest.
        let name = name.trim_end_matches('…');
        let refuse = |reason| Err(FindError::NotAName { name: name.to_owned(), reason });
        if name.is_empty() {
            return refuse("it is empty");
        }
        if name.contains('\0') {
            return refuse("it contains a NUL byte");
        }
        if let Some(number) = name.strip_prefix('@') {
            let number: Option<usize> =
                if number.is_empty() { Some(1) } else { number.parse().ok() };
            return match number {
                Some(number) if number > 0 => {
                    self.find_twice(|tier| self.find_latest(name, number, here, tier))
                }
                _ => refuse("use @, @2, @3 and so on"),
            };
        }
        let is_transcript =
            Path::new(name).extension().is_some_and(|extension| extension == "jsonl");
        if name.contains(['/', '\\']) || (is_transcript && Path::new(name).is_file()) {
            if !is_transcript {
                return refuse("a name with `/` must be the path of a .jsonl file");
            }
            return self.find_twice(|tier| self.find_path(name, tier));
        }
        // A full id needs no search, in the archive either.
        if is_session_id(name)
            && let Some(session) = self.find_id(name)
        {
            return Ok(FoundSession::of(session));
        }
        if is_session_id(name) {
            let find = |tier| {
                let inline = || self.find_inline(name, tier);
                let remains = || self.find_remains(name, tier).or_else(inline);
                self.find_elsewhere(name, tier).or_else(|error| remains().ok_or(error))
            };
            // Remains of it on disk: it is not in the archive.
            return match find(Tier::Disk) {
                Err(FindError::NotFound { .. }) if self.stores.has_shelf() => {
                    find(Tier::DiskAndArchive)
                }
                on_disk => on_disk,
            };
        }
        self.find_twice(|tier| {
            self.find_elsewhere(name, tier).or_else(|error| match error {
                FindError::NotFound { .. } => {
                    let remains = self.find_remains(name, tier);
                    let repeated = || self.find_in_progress_records(name, tier);
                    remains.or_else(repeated).ok_or(error)
                }
                other => Err(other),
            })
        })
    }

    /// A session by its full id, on disk or else in the archive.
    pub fn find_id(&self, id: &str) -> Option<Session> {
        self.find_id_within(id, Tier::Disk).or_else(|| {
            if self.stores.has_shelf() {
                self.find_id_within(id, Tier::DiskAndArchive)
            } else {
                None
            }
        })
    }
}

impl Catalog {
    /// Looks on disk, and also in the archive if the disk has nothing of the
    /// session.
    fn find_twice(
        &self,
        find: impl Fn(Tier) -> Result<FoundSession, FindError>,
    ) -> Result<FoundSession, FindError> {
        let on_disk = find(Tier::Disk);
        let is_certain = match &on_disk {
            // The archive may have the transcript that a copy was made of.
            Ok(FoundSession { session, .. }) => {
                session.presence != Presence::PromptsOnly
                    && session.unlisted != Some(UnlistedReason::PreCompactCopy)
            }
            Err(error) => !matches!(error, FindError::NotFound { .. }),
        };
        if is_certain || !self.stores.has_shelf() {
            return on_disk;
        }
        match (on_disk, find(Tier::DiskAndArchive)) {
            (Ok(found), Err(FindError::NotFound { .. })) => Ok(found),
            (_, found) => found,
        }
    }

    /// The session of which only agents are left, by its id or a prefix of it.
    fn find_remains(&self, name: &str, tier: Tier) -> Option<FoundSession> {
        // Shorter prefixes are taken for words.
        const SHORTEST: usize = 4;
        let remains = self.sessions_without_transcript(&self.list(tier)).into_iter();
        let mut found =
            remains.filter(|remains| name.len() >= SHORTEST && remains.id.starts_with(name));
        found.next().filter(|_| found.next().is_none()).map(FoundSession::of)
    }

    /// The session whose progress records repeat the lines of this agent.
    fn find_in_progress_records(&self, id: &str, tier: Tier) -> Option<FoundSession> {
        let list = self.list(tier);
        self.find_repeated_agent(id, &list.sessions.iter().collect::<Vec<_>>())
    }

    /// The session with a sidechain that begins with this line: an agent as
    /// early versions wrote them. This reads all transcripts, so it is tried
    /// last.
    fn find_inline(&self, uuid: &str, tier: Tier) -> Option<FoundSession> {
        let mut list = self.list(tier);
        if tier == Tier::DiskAndArchive {
            // The others were searched before.
            list.sessions.retain(|session| session.presence.is_in_archive());
        }
        let paths: Vec<PathBuf> =
            list.sessions.iter().filter_map(|session| session.path.clone()).collect();
        let needle = memmem::Finder::new(uuid);
        let (found, _) = scan(
            &self.stores.all,
            &paths,
            &NoProgress,
            |_| false,
            |found, line| {
                *found |= needle.find(line.bytes).is_some()
                    && parse_line(line).any(|entry| {
                        let envelope = &entry.record.envelope;
                        envelope.is_sidechain
                            && envelope.uuid.as_ref().is_some_and(|own| own.as_str() == uuid)
                    });
                !*found
            },
        );
        let path = found.iter().position(|found| *found).map(|place| &paths[place])?;
        let session = list.sessions.iter().find(|session| session.path.as_ref() == Some(path))?;
        Some(FoundSession {
            inline_agent: Some(uuid.to_owned()),
            ..FoundSession::of(session.clone())
        })
    }

    fn find_latest(
        &self,
        name: &str,
        number: usize,
        here: Option<&ProjectScope>,
        tier: Tier,
    ) -> Result<FoundSession, FindError> {
        let list = self.list(tier);
        let listed = |sessions: Vec<Session>| {
            let listed = sessions.into_iter().filter(|session| session.unlisted.is_none());
            listed.filter(|session| here.is_none_or(|here| here.holds_session(session)))
        };
        // Archived sessions are numbered only if none is on disk: otherwise the
        // same number would mean another session tomorrow.
        let on_disk = |session: &Session| session.presence == Presence::Disk;
        let is_all_archived = tier == Tier::DiskAndArchive
            && !listed(list.sessions.clone()).any(|session| on_disk(&session));
        let mut listed =
            listed(list.sessions).filter(|session| on_disk(session) || is_all_archived);
        match listed.nth(number - 1) {
            Some(session) => Ok(FoundSession::of(session)),
            None => Err(FindError::NotFound { name: name.to_owned(), nearest: Vec::new() }),
        }
    }

    /// A transcript given by its path is a root by itself.
    fn find_path(&self, name: &str, tier: Tier) -> Result<FoundSession, FindError> {
        let files = self.stores.tier_files(tier);
        let missing = || FindError::NotFound { name: name.to_owned(), nearest: Vec::new() };
        let path = std::path::absolute(name).map_err(|_| missing())?;
        let root = Root::open(files, &path, RootOrigin::Flag).map_err(|_| missing())?;
        if root.kind != RootKind::Transcript {
            return Err(missing());
        }
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("agent-")) {
            return self.find_agent_path(&path, files).ok_or_else(missing);
        }
        let folder = Folder::new(path.parent().unwrap_or(Path::new("/")).to_owned());
        let file = crate::stores::foreign::single(files, &path).ok_or_else(missing)?;
        let mut chunks = HeadAndTail::default();
        let metadata =
            SessionMetadata::read(files, &path, file.folder.as_ref(), &mut chunks).map_err(
                |error| FindError::Unreadable { name: name.to_owned(), reason: error.to_string() },
            )?;
        if self.stores.is_excluded(&path, metadata.cwd.as_deref()) {
            return Err(missing());
        }
        let flat = folder.agents_of(files, &file.id).len();
        let inline = InlineAgents::read(files, &path, &chunks);
        let session = self.session(&root, files, &folder, file, metadata, flat);
        let mut session = session.with_inline_agents(inline);
        self.count_agents_elsewhere(&mut session, &mut FlatAgents::new(), Tier::DiskAndArchive);
        Ok(FoundSession::of(session))
    }

    fn find_agent_path(&self, path: &Path, files: &Files) -> Option<FoundSession> {
        let above = path.ancestors().find(|folder| {
            folder.file_name().is_some_and(|name| is_session_id(&name.to_string_lossy()))
        });
        let agent = match above {
            Some(folder) => {
                let folder = SessionFolder::find(files, folder.to_owned())?;
                agents_below(files, &folder).into_iter().find(|agent| agent.path == path)?
            }
            None => flat_agent(files, path)?,
        };
        let session = self.find_id(agent.session_id.as_deref()?)?;
        Some(FoundSession { agent: Some(agent), ..FoundSession::of(session) })
    }

    /// A session by its full id. Each folder is asked for one file name, so the
    /// number of sessions does not matter.
    fn find_id_within(&self, id: &str, tier: Tier) -> Option<Session> {
        let mut chunks = HeadAndTail::default();
        let (mut found, mut own_folders) = (Vec::new(), Vec::new());
        let places = self.stores.tier_roots(tier);
        for (root, files) in &places {
            if let Some(path) = root.transcript() {
                let file = crate::stores::foreign::single(files, path).filter(|file| file.id == id);
                found.extend(file.map(|file| {
                    (*root, files, Folder::new(path.parent().unwrap_or(path).to_owned()), file)
                }));
                continue;
            }
            let SessionPlaces { folders, session_folders } = root.session_places(files, id);
            own_folders.extend(session_folders);
            for folder in folders {
                if let Some(file) = folder.find_session(files, id) {
                    found.push((*root, files, folder, file));
                }
            }
        }
        let sessions = found.into_iter().filter_map(|(root, files, folder, file)| {
            let of_app = self.stores.app_metadata(&file.path);
            let is_of_app = of_app.is_some();
            let metadata = of_app.or_else(|| {
                let folder = file.folder.as_ref();
                SessionMetadata::read(files, &file.path, folder, &mut chunks).ok()
            });
            let metadata = metadata.or_else(|| metadata_of_damaged(files, &file.path))?;
            if self.stores.is_excluded(&file.path, metadata.cwd.as_deref()) {
                return None;
            }
            let continued = metadata.continued_in.as_ref();
            let continued = continued.is_some_and(|next| has_live_session(files, &folder, next));
            let flat = folder.agents_of(files, id).len();
            let inline = if is_of_app {
                InlineAgents::default()
            } else {
                self.inline_agents(files, &file.path, file.folder.as_ref(), &chunks)
            };
            let session = self.session(root, files, &folder, file, metadata, flat);
            let mut session = session.with_inline_agents(inline);
            if session.unlisted.is_none() && continued {
                session.unlisted = Some(UnlistedReason::Hidden(HiddenReason::Continued));
            }
            Some(session)
        });
        let mut settled = settle(sessions.collect());
        self.mark_running(&mut settled);
        let mut session = settled.into_iter().next()?;
        // Tool results expire separately: the folder may be left only in the
        // archive.
        if session.session_folder.is_none()
            && let Some(path) = session.path.as_deref().filter(|_| self.stores.has_shelf())
        {
            session.session_folder = SessionFolder::find(&self.stores.all, path.with_extension(""));
            let archived = session.session_folder.as_ref();
            session.agents += archived.map_or(0, |folder| folder.count_agents(&self.stores.all));
        }
        self.add_folders(&mut session, own_folders);
        self.count_agents_elsewhere(&mut session, &mut FlatAgents::new(), tier);
        let configs = places.iter().filter_map(|(root, files)| Some((root.config()?, files)));
        let copies = configs.flat_map(|(config, files)| pre_compact_copies(files, config, id));
        session.copies.extend(copies);
        Some(session)
    }

    /// The kinds of names that have to be compared with every session.
    fn find_elsewhere(&self, name: &str, tier: Tier) -> Result<FoundSession, FindError> {
        let wanted = name.to_ascii_lowercase();
        let begins = |id: &String| begins_with(id, &wanted);
        let mut ids: BTreeSet<String> = self.ids(tier).into_iter().filter(begins).collect();
        let remembered =
            self.histories(tier).entries.into_iter().filter_map(|(_, entry)| entry.session_id);
        ids.extend(remembered.filter(begins));
        // Only one id matches and its session exists: no need to look at
        // others.
        if let Some(id) = ids.iter().next().filter(|_| ids.len() == 1)
            && let Some(session) = self.find_id_within(id, tier)
        {
            return Ok(FoundSession::of(session));
        }
        let list = self.list(tier);
        let gone = self.remembered(&list).0;
        let all: Vec<&Session> = list.sessions.iter().chain(&gone).collect();
        let by_id: Vec<&&Session> =
            all.iter().filter(|session| begins_with(&session.id, &wanted)).collect();
        let by_id = self.without_archived(by_id, tier);
        let is_exact = |id: &str| {
            id.eq_ignore_ascii_case(name) || App::split_id(id).1.eq_ignore_ascii_case(name)
        };
        if let Some(exact) = by_id.iter().find(|session| is_exact(&session.id)) {
            return Ok(FoundSession::of((**exact).clone()));
        }
        match by_id[..] {
            [session] => return Ok(FoundSession::of((*session).clone())),
            [] => {}
            _ => return Err(ambiguous(name, &by_id)),
        }
        let agents = self.agents_named(App::split_id(name).1, tier);
        match &agents[..] {
            [] => {}
            [agent] => {
                let id = agent
                    .session_id
                    .as_deref()
                    .filter(|id| is_session_id(id) || App::split_id(id).0.is_some())
                    .filter(|id| !list.excluded.contains(*id));
                let remembered = |id: &str| gone.iter().find(|gone| gone.id == id).cloned();
                // The cleanup may have left nothing of the session but this.
                let session = id.map(|id| {
                    self.find_id_within(id, tier)
                        .or_else(|| remembered(id))
                        .unwrap_or_else(|| Session::left_by(&self.stores.all, agent))
                });
                if let Some(session) = session {
                    return Ok(FoundSession {
                        agent: Some(agent.clone()),
                        ..FoundSession::of(session)
                    });
                }
            }
            several => {
                let candidates = several
                    .iter()
                    .map(|agent| Candidate {
                        id: agent.id.clone(),
                        heading: agent.meta.description.clone(),
                    })
                    .collect();
                return Err(FindError::Ambiguous { name: name.to_owned(), candidates });
            }
        }
        let by_title: Vec<&&Session> =
            all.iter().filter(|session| has_words(session, name)).collect();
        let by_title = self.without_archived(by_title, tier);
        match by_title[..] {
            [session] => Ok(FoundSession::of((*session).clone())),
            [] => {
                Err(FindError::NotFound { name: name.to_owned(), nearest: nearest(&wanted, &all) })
            }
            _ => Err(ambiguous(name, &by_title)),
        }
    }

    /// Drops archived sessions from the matches on disk. The history has their
    /// prompts too, but the archive has more than that.
    fn without_archived<'a>(
        &self,
        mut matched: Vec<&'a &'a Session>,
        tier: Tier,
    ) -> Vec<&'a &'a Session> {
        let is_prompts_only = |session: &&Session| session.presence == Presence::PromptsOnly;
        let is_open = tier == Tier::Disk && self.stores.has_shelf();
        if is_open && matched.iter().any(|session| is_prompts_only(session)) {
            let archived: HashSet<String> = self.ids(Tier::DiskAndArchive).into_iter().collect();
            matched.retain(|session| !is_prompts_only(session) || !archived.contains(&session.id));
        }
        matched
    }

    /// The ids of all transcripts, without opening any.
    pub(crate) fn ids(&self, tier: Tier) -> Vec<String> {
        let mut ids = Vec::new();
        for (root, files) in &self.stores.tier_roots(tier) {
            if let Some(path) = root.transcript() {
                ids.extend(crate::stores::foreign::single(files, path).map(|file| file.id));
                continue;
            }
            let listings = root
                .folders(files)
                .unwrap_or_default()
                .0
                .into_iter()
                .filter_map(|folder| folder.list(files).ok());
            ids.extend(listings.flat_map(|listing| listing.sessions).map(|file| file.id));
        }
        ids
    }

    /// Agents whose id is `name`, or else begins with it.
    fn agents_named(&self, name: &str, tier: Tier) -> Vec<Agent> {
        let mut agents = self.all_agents(tier);
        agents.retain(|agent| agent.id.starts_with(name));
        if agents.iter().any(|agent| agent.id == name) {
            agents.retain(|agent| agent.id == name);
        }
        // A backup holds every agent a second time: the newest counts.
        agents.sort_by_key(|agent| std::cmp::Reverse(agent.modified));
        let mut seen = std::collections::HashSet::new();
        agents.retain(|agent| seen.insert((agent.id.clone(), agent.session_id.clone())));
        agents
    }
}

/// Whether an id begins with a name in lower case. The name of an app before the id may be left
/// out.
fn begins_with(id: &str, wanted: &str) -> bool {
    let id = id.to_ascii_lowercase();
    id.starts_with(wanted) || App::split_id(&id).1.starts_with(wanted)
}

/// Whether a session's title has all words of a name.
pub(crate) fn has_words(session: &Session, name: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let text = text.to_lowercase();
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    };
    let wanted = words(name);
    // Both the title that annals shows and the line in Claude Code's own list.
    let titles = [session.heading(), session.metadata.summary.as_deref()];
    titles.into_iter().flatten().any(|title| {
        let title = words(title);
        !wanted.is_empty() && wanted.iter().all(|word| title.contains(word))
    })
}

/// Whether a folder has a session with this id that has messages.
fn has_live_session(files: &Files, folder: &Folder, id: &str) -> bool {
    let file = folder.find_session(files, id);
    let file = file.filter(|file| folder.loose || is_session_id(&file.id));
    let metadata = file.and_then(|file| {
        SessionMetadata::read(files, &file.path, None, &mut HeadAndTail::default()).ok()
    });
    metadata.is_some_and(|metadata| metadata.has_messages)
}
