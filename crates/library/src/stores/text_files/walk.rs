//! Listing the text files of all roots, folder by folder and in parallel.

use crate::lines::ReadError;
use crate::session::{UnlistedReason, own_folder};
use crate::stores::foreign::{FOREIGN, foreign_transcripts, single};
use crate::stores::text_files::{TextFile, TextKind, TextReader, stamp};
use crate::stores::{Stores, Tier};
use index::Stamp;
use rayon::prelude::*;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use store::{
    Files, Folder, ListedFolders, Root, RootOrigin, SessionFile, SessionFolder, ShelfStat,
    agent_id_of, agent_paths, flat_agent, plan_files,
};

/// The session of a flat agent, if the caller knows it for a file with this
/// stamp. The inner `None` is an agent that names no session.
pub(crate) type KnownSession<'k> = dyn Fn(&Path, &Stamp) -> Option<Option<String>> + Sync + 'k;

/// The text files that one reader reads.
pub(crate) struct TextFiles<'l> {
    stores: &'l Stores,
    reader: TextReader,
    tier: Tier,
    with_outputs: bool,
    is_wanted: Option<&'l (dyn Fn(&str) -> bool + Sync)>,
    known_session: Option<&'l KnownSession<'l>>,
    listed_folders: Option<&'l ListedFolders>,
}

impl Stores {
    /// The text files that a reader reads, on disk and in the archive.
    pub(crate) fn text_files(&self, reader: TextReader) -> TextFiles<'_> {
        TextFiles {
            stores: self,
            reader,
            tier: Tier::DiskAndArchive,
            with_outputs: true,
            is_wanted: None,
            known_session: None,
            listed_folders: None,
        }
    }

    /// The plan files of a tier, each once.
    pub(crate) fn plan_files(&self, tier: Tier) -> Vec<(TextFile, ShelfStat)> {
        let mut seen = HashSet::new();
        let plans = self.text_files(TextReader::Grep).in_tier(tier).plans().into_iter();
        let plans = plans.filter(|plan| seen.insert(plan.path.clone())).filter_map(|plan| {
            let (stat, _) = self.tier_files(tier).find(&plan.path)?;
            Some((plan, stat))
        });
        plans.collect()
    }
}

impl<'l> TextFiles<'l> {
    /// The same, in one tier.
    pub(crate) fn in_tier(self, tier: Tier) -> Self {
        TextFiles { tier, ..self }
    }

    /// The same, for these sessions only, and without plans.
    pub(crate) fn of_sessions(self, is_wanted: &'l (dyn Fn(&str) -> bool + Sync)) -> Self {
        TextFiles { is_wanted: Some(is_wanted), ..self }
    }

    /// The same without outputs, whose folders are then not listed.
    pub(crate) fn without_outputs(self) -> Self {
        TextFiles { with_outputs: false, ..self }
    }

    /// The same, opening only flat agents whose sessions are not known.
    pub(crate) fn knowing(self, known_session: &'l KnownSession<'l>) -> Self {
        TextFiles { known_session: Some(known_session), ..self }
    }

    /// The same, recording every folder that is listed.
    pub(crate) fn recording(self, listed: &'l ListedFolders) -> Self {
        TextFiles { listed_folders: Some(listed), ..self }
    }

    /// Lists all files and returns the results of `take`, root by root and in a
    /// fixed order, and what could not be listed. Folders are listed in
    /// parallel, and `take` runs in those threads. A file can occur twice: if
    /// roots overlap, or as a foreign agent.
    pub(crate) fn gather<T: Send>(
        &self,
        take: impl Fn(TextFile) -> Option<T> + Sync,
    ) -> (Vec<T>, Vec<ReadError>) {
        let places = self.walked_roots();
        let mut read_errors = Vec::new();
        let mut folders = Vec::new();
        for (number, place) in places.iter().enumerate() {
            match place.root.folders(&place.named) {
                Ok((found, _)) => folders.extend(found.into_iter().map(|folder| (number, folder))),
                Err(error) => read_errors.push(ReadError::new(&place.root.path, &error)),
            }
        }
        let listed: Vec<(usize, Result<Vec<T>, ReadError>)> = folders
            .par_iter()
            .map(|(number, folder)| {
                let mut found = Vec::new();
                let mut put = |file: TextFile| found.extend(take(file));
                let listed = places[*number].list_folder(folder, &mut put);
                (*number, listed.map(|()| found))
            })
            .collect();
        let mut listed = listed.into_iter().peekable();
        let mut found = Vec::new();
        for (number, place) in places.iter().enumerate() {
            while let Some((_, listed)) = listed.next_if(|(of, _)| *of == number) {
                match listed {
                    Ok(files) => found.extend(files),
                    Err(read_error) => read_errors.push(read_error),
                }
            }
            let mut put = |file: TextFile| found.extend(take(file));
            place.list_outside_projects(&mut put);
            place.list_plans(&mut put);
        }
        (found, read_errors)
    }

    /// Only the plans, which are listed without looking at sessions.
    pub(crate) fn plans(&self) -> Vec<TextFile> {
        let mut plans = Vec::new();
        for place in self.walked_roots() {
            place.list_plans(&mut |file| plans.push(file));
        }
        plans
    }

    fn walked_roots(&self) -> Vec<WalkedRoot<'_>> {
        let below = self.recorded(self.stores.tier_files(self.tier));
        let places =
            self.stores.tier_roots(self.tier).into_iter().map(|(root, files)| WalkedRoot {
                walk: self,
                root,
                named: self.recorded(&files),
                below: below.clone(),
                is_known: self.stores.is_known_root(root),
            });
        places.collect()
    }

    fn recorded(&self, files: &Files) -> Files {
        self.listed_folders.map_or_else(|| files.clone(), |listed| files.recording(listed))
    }

    fn wants(&self, session: &str) -> bool {
        self.is_wanted.is_none_or(|is_wanted| is_wanted(session))
    }

    fn reads_outputs(&self) -> bool {
        self.with_outputs && TextKind::Output.is_read_by(self.reader)
    }
}

/// A root, with the file access for listing it.
struct WalkedRoot<'w> {
    walk: &'w TextFiles<'w>,
    root: &'w Root,
    /// Lists the sessions that count here: for a root that only the archive
    /// names, those in the archive.
    named: Files,
    /// Lists the contents of those sessions' folders.
    below: Files,
    /// Whether another root is the same folder.
    is_known: bool,
}

/// Receives a text file.
type Put<'p> = dyn FnMut(TextFile) + 'p;

impl WalkedRoot<'_> {
    /// Passes a file on if this reader reads it.
    fn put(&self, put: &mut Put<'_>, file: TextFile) {
        let walk = self.walk;
        let is_wanted = match &file.session {
            Some(session) => walk.wants(session),
            None => walk.is_wanted.is_none(),
        };
        if is_wanted
            && file.kind.is_read_by(walk.reader)
            && !walk.stores.is_excluded(&file.path, None)
            // Files on disk were listed under the other path.
            && (!self.is_known || self.below.is_archive_only(&file.path))
        {
            put(file);
        }
    }

    fn list_folder(&self, folder: &Folder, put: &mut Put<'_>) -> Result<(), ReadError> {
        let mut listing =
            folder.list(&self.named).map_err(|error| ReadError::new(&folder.path, &error))?;
        let is_one = self.root.transcript().is_some();
        if let Some(only) = self.root.transcript() {
            listing.sessions = single(&self.named, only).into_iter().collect();
            listing.orphans.clear();
        }
        for path in &listing.agents {
            let of = is_one.then_some(listing.sessions.as_slice());
            self.put_flat_agent(path, of, put);
        }
        if self.root.origin == RootOrigin::Archive {
            // Written since its session was archived.
            let named: HashSet<&PathBuf> = listing.agents.iter().collect();
            let on_disk = folder.list(&self.below).map(|listing| listing.agents);
            for path in on_disk.unwrap_or_default().iter().filter(|path| !named.contains(path)) {
                self.put_flat_agent(path, Some(&listing.sessions), put);
            }
        }
        for file in listing.sessions {
            if let Some(own) = &file.folder {
                self.put_own_folder(own, put);
            }
            let (path, session) = (file.path, Some(file.id));
            self.put(put, TextFile { path, kind: TextKind::Main, session, agent: None });
        }
        for own in &listing.orphans {
            self.put_own_folder(own, put);
        }
        Ok(())
    }

    /// The files in a session's folder.
    fn put_own_folder(&self, own: &SessionFolder, put: &mut Put<'_>) {
        let id = own.session_id();
        if !self.walk.wants(&id) {
            return;
        }
        let mut agents = agent_paths(&self.below, own);
        agents.sort_by(|one, two| one.1.cmp(&two.1));
        for (agent, path) in agents {
            if own_folder(&path, &id) != Some(own.path()) {
                self.put_outputs_above(&path, &id, put);
            }
            let (session, agent) = (Some(id.clone().into_owned()), Some(agent));
            self.put(put, TextFile { path, kind: TextKind::Agent, session, agent });
        }
        self.put_outputs(own, &id, put);
    }

    /// An agent beside transcripts; only if it belongs to one of these
    /// sessions, if any are given.
    fn put_flat_agent(&self, path: &Path, of: Option<&[SessionFile]>, put: &mut Put<'_>) {
        let session = self.session_of(path);
        let is_wanted = of.is_none_or(|files| {
            files.iter().any(|file| session.as_ref().is_some_and(|session| *session == file.id))
        });
        if is_wanted {
            let kind = match session {
                Some(_) => TextKind::FlatAgent,
                None => TextKind::UnclaimedAgent,
            };
            self.put_agent_beside(path, kind, session, put);
        }
    }

    /// The session that the lines of an agent name.
    fn session_of(&self, path: &Path) -> Option<String> {
        let known = self.walk.known_session.and_then(|known_session| {
            let stamped = stamp(&self.below, path)?;
            known_session(path, &stamped.stamp)
        });
        known.unwrap_or_else(|| flat_agent(&self.below, path)?.session_id)
    }

    fn put_agent_beside(
        &self,
        path: &Path,
        kind: TextKind,
        session: Option<String>,
        put: &mut Put<'_>,
    ) {
        if let Some(session) = session.as_deref().filter(|session| self.walk.wants(session)) {
            self.put_outputs_above(path, session, put);
        }
        let agent = agent_id_of(path).map(str::to_owned);
        self.put(put, TextFile { path: path.to_owned(), kind, session, agent });
    }

    /// The outputs in the nearest folder above an agent that is named like its
    /// session: if nothing else is left of a session, that is its folder.
    fn put_outputs_above(&self, agent: &Path, session: &str, put: &mut Put<'_>) {
        let own = own_folder(agent, session).filter(|_| self.walk.reads_outputs());
        if let Some(own) = own.and_then(|own| SessionFolder::find(&self.below, own.to_owned())) {
            self.put_outputs(&own, session, put);
        }
    }

    fn put_outputs(&self, own: &SessionFolder, session: &str, put: &mut Put<'_>) {
        if !self.walk.reads_outputs() {
            return;
        }
        for (path, _) in own.tool_result_files(&self.below) {
            let (kind, session) = (TextKind::Output, Some(session.to_owned()));
            self.put(put, TextFile { path, kind, session, agent: None });
        }
    }

    /// The transcripts that a configuration folder has outside `projects/`.
    fn list_outside_projects(&self, put: &mut Put<'_>) {
        let Some(config) = self.root.config() else { return };
        let reader = self.walk.reader;
        for unlisted in FOREIGN {
            let kind = match unlisted {
                UnlistedReason::PreCompactCopy => TextKind::Copy,
                _ => TextKind::Foreign,
            };
            if !kind.is_read_by(reader) {
                continue;
            }
            for (session, path) in foreign_transcripts(&self.named, config, unlisted) {
                if TextKind::ForeignAgent.is_read_by(reader)
                    && agent_id_of(&path).is_some()
                    && let Some(session) = self.session_of(&path)
                {
                    self.put_agent_beside(&path, TextKind::ForeignAgent, Some(session), put);
                }
                self.put(put, TextFile { path, kind, session: Some(session), agent: None });
            }
        }
    }

    fn list_plans(&self, put: &mut Put<'_>) {
        let is_read = TextKind::Plan.is_read_by(self.walk.reader) && self.walk.is_wanted.is_none();
        let Some(config) = self.root.config().filter(|_| is_read) else { return };
        for plan in plan_files(&self.named, config) {
            let (path, agent) = (plan.path, plan.agent_id);
            self.put(put, TextFile { path, kind: TextKind::Plan, session: None, agent });
        }
    }
}
