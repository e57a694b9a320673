//! Every file in which a hit of a session can be, listed without reading any.
//!
//! Which of them belong to a session in the end, and which are its copies, is
//! settled by listing it: here a file may be given to a session that does not have
//! it, but none that it has is left out. Only an agent beside the transcripts has to
//! be opened, because its own lines say whose it is. Plans are no part of this: they
//! belong to sessions by what these say.

use super::GrepOptions;
use crate::Library;
use crate::catalog::list::{FOREIGN, foreign_folder, foreign_transcripts};
use crate::catalog::session::own_folder;
use crate::catalog::tier::Tier;
use crate::open::scan::ReadError;
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use store::{Files, Folder, Root, RootOrigin, SessionFolder, agent_paths, flat_agent};
use transcript::Role;

/// A file that holds text.
pub(super) struct TextFile {
    pub(super) path: PathBuf,
    /// The number of its session.
    pub(super) session: usize,
    pub(super) bytes: u64,
    /// Whether it is all text, and no transcript.
    pub(super) is_plain: bool,
}

/// The files that hold text.
pub(super) struct TextFiles {
    pub(super) files: Vec<TextFile>,
    /// The ids of the sessions they belong to.
    pub(super) sessions: Vec<String>,
    /// What could not be listed, as the list of sessions says it.
    pub(super) troubles: Vec<ReadError>,
}

/// A file with the id of its session.
struct Found {
    id: String,
    path: PathBuf,
    is_plain: bool,
    /// Whether it is gone from disk.
    is_kept: bool,
    bytes: u64,
}

/// What is found in one folder.
struct Gathered<'a> {
    /// What sessions are read through, wherever their names come from.
    files: &'a Files,
    search: &'a GrepOptions<'a>,
    found: Vec<Found>,
}

impl Gathered<'_> {
    fn add(&mut self, id: &str, path: PathBuf, is_plain: bool) {
        // What cannot be looked at cannot be opened, which is for others to say.
        let (bytes, is_kept) =
            self.files.find(&path).map_or((0, false), |(stat, is_kept)| (stat.bytes, is_kept));
        self.found.push(Found { id: id.to_owned(), path, is_plain, is_kept, bytes });
    }

    /// What lies in a session's own folder.
    fn add_own(&mut self, own: &SessionFolder) {
        let id = own.session_id();
        for (_, path) in agent_paths(self.files, own) {
            if own_folder(&path, &id) != Some(own.path()) {
                self.add_outputs_of_left(&path, &id);
            }
            self.add(&id, path, false);
        }
        self.add_outputs(&id, own);
    }

    fn add_outputs(&mut self, id: &str, own: &SessionFolder) {
        if !self.search.wants(Role::ToolResult) {
            return;
        }
        for (path, stat) in own.tool_result_files(self.files) {
            if self.search.filter.admits_time(Some(stat.modified)) {
                self.add(id, path, true);
            }
        }
    }

    /// An agent beside the transcripts.
    fn add_flat(&mut self, path: PathBuf) {
        // Nobody looks into one that cannot be read.
        let Some(agent) = flat_agent(self.files, &path) else { return };
        let id = agent.session_id.unwrap_or_default();
        self.add_outputs_of_left(&path, &id);
        self.add(&id, path, false);
    }

    /// The outputs that a session has if nothing but this agent is left of it.
    fn add_outputs_of_left(&mut self, agent: &Path, id: &str) {
        let own = own_folder(agent, id).map(Path::to_owned);
        if let Some(own) = own.and_then(|own| SessionFolder::find(self.files, own)) {
            self.add_outputs(id, &own);
        }
    }
}

/// A root, with what the names in it are listed through.
struct Place<'a> {
    root: &'a Root,
    files: Files,
    /// Whether what of it is on disk was met by another path.
    is_known: bool,
}

impl Library {
    /// Every file that holds text of a session.
    pub(super) fn text_files(&self, search: &GrepOptions<'_>) -> TextFiles {
        let places = self.places(Tier::DiskAndArchive).into_iter().map(|(root, files)| Place {
            root,
            files,
            is_known: self.is_known_place(root),
        });
        let places: Vec<Place<'_>> = places.collect();
        let mut troubles = Vec::new();
        let mut folders = Vec::new();
        for place in &places {
            match place.root.folders(&place.files) {
                Ok((found, _)) => folders.extend(found.into_iter().map(|folder| (place, folder))),
                Err(error) => troubles.push(ReadError::new(&place.root.path, &error)),
            }
        }
        let read: Vec<Result<Vec<Found>, ReadError>> = folders
            .par_iter()
            .map(|(place, folder)| self.text_files_in(place, folder, search))
            .collect();
        let mut numbered = Numbered::default();
        for read in read {
            match read {
                Ok(found) => numbered.add(found),
                Err(trouble) => troubles.push(trouble),
            }
        }
        for place in &places {
            numbered.add(self.foreign_text_files(place, search));
        }
        let Numbered { files, sessions, .. } = numbered;
        TextFiles { files, sessions, troubles }
    }

    /// The files of the sessions in a folder.
    fn text_files_in(
        &self,
        place: &Place<'_>,
        folder: &Folder,
        search: &GrepOptions<'_>,
    ) -> Result<Vec<Found>, ReadError> {
        let listing =
            folder.list(&place.files).map_err(|error| ReadError::new(&folder.path, &error))?;
        let mut gathered = Gathered { files: &self.all, search, found: Vec::new() };
        for session in listing.sessions {
            gathered.add(&session.id, session.path, false);
            if let Some(own) = &session.folder {
                gathered.add_own(own);
            }
        }
        for own in &listing.orphans {
            gathered.add_own(own);
        }
        // The agents of a session are looked for on disk too, even if only its own
        // name was asked for.
        let agents = match place.root.origin {
            RootOrigin::Archive => self.flat_agents(folder),
            _ => listing.agents,
        };
        for path in agents {
            gathered.add_flat(path);
        }
        Ok(place.new_of(gathered))
    }

    /// The files of sessions outside `projects/`.
    fn foreign_text_files(&self, place: &Place<'_>, search: &GrepOptions<'_>) -> Vec<Found> {
        let mut gathered = Gathered { files: &self.all, search, found: Vec::new() };
        for (config, unlisted) in
            place.root.config().into_iter().flat_map(|config| FOREIGN.map(|kind| (config, kind)))
        {
            let transcripts = foreign_transcripts(&place.files, config, unlisted);
            if !transcripts.is_empty() {
                for path in self.flat_agents(&foreign_folder(config, unlisted)) {
                    gathered.add_flat(path);
                }
            }
            for (id, path) in transcripts {
                gathered.add(&id, path, false);
            }
        }
        place.new_of(gathered)
    }

    fn flat_agents(&self, folder: &Folder) -> Vec<PathBuf> {
        folder.list(&self.all).map(|listing| listing.agents).unwrap_or_default()
    }
}

impl Place<'_> {
    fn new_of(&self, gathered: Gathered<'_>) -> Vec<Found> {
        let mut found = gathered.found;
        found.retain(|file| file.is_kept || !self.is_known);
        found
    }
}

/// Files whose sessions have numbers.
#[derive(Default)]
struct Numbered {
    files: Vec<TextFile>,
    sessions: Vec<String>,
    numbers: HashMap<String, usize>,
    /// Roots may overlap, and a file may be of two sessions.
    met: HashSet<(PathBuf, usize)>,
}

impl Numbered {
    fn add(&mut self, found: Vec<Found>) {
        for Found { id, path, is_plain, bytes, .. } in found {
            let session = *self.numbers.entry(id).or_insert_with_key(|id| {
                self.sessions.push(id.clone());
                self.sessions.len() - 1
            });
            if self.met.insert((path.clone(), session)) {
                self.files.push(TextFile { path, session, bytes, is_plain });
            }
        }
    }
}
