//! Every file that holds text of sessions, without opening any.

use crate::Library;
use crate::catalog::list::all_pre_compact_copies;
use crate::catalog::tier::Tier;
use crate::open::scan::Trouble;
use index::{Source, SourceKind, Stamp};
use std::collections::HashSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use store::{
    FileStat, Files, ListedFolders, SessionFolder, agent_id_of, agent_paths, flat_agent, plan_files,
};

/// The files that hold text.
pub(super) struct TextSources {
    pub(super) sources: Vec<Source>,
    /// What could not be listed: what was there may be there still.
    pub(super) unlisted: Vec<Trouble>,
}

/// How a file looks now, and whether it is only kept.
pub(crate) fn stamp(files: &Files, path: &Path) -> Option<(Stamp, bool)> {
    match on_disk(path) {
        Ok(stamp) => stamp.map(|stamp| (stamp, false)),
        Err(_) => files.find(path).map(|(stat, is_kept)| (stat.into(), is_kept)),
    }
}

/// How a file on disk looks now; nothing if it is none.
fn on_disk(path: &Path) -> io::Result<Option<Stamp>> {
    let metadata = fs::symlink_metadata(path)?;
    Ok(metadata.is_file().then(|| FileStat::of(&metadata).into()))
}

/// The session a file was found to belong to, if it looks the same as then.
pub(super) type KnownSession<'k> = dyn Fn(&Path, &Stamp) -> Option<Option<String>> + 'k;

struct Gathered<'g> {
    library: &'g Library,
    known_session: &'g KnownSession<'g>,
    sources: Vec<Source>,
    met: HashSet<PathBuf>,
    /// What could not be looked at.
    unlisted: Vec<Trouble>,
}

impl Gathered<'_> {
    fn add(
        &mut self,
        files: &Files,
        path: PathBuf,
        kind: SourceKind,
        session: Option<String>,
        agent: Option<String>,
    ) {
        if self.library.is_excluded(&path, None) || self.met.contains(&path) {
            return;
        }
        let Some((stamp, is_kept)) = stamp(files, &path) else {
            if let Err(error) = on_disk(&path)
                && !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
            {
                self.unlisted.push(Trouble::new(&path, &error));
            }
            return;
        };
        self.met.insert(path.clone());
        self.sources.push(Source { path, kind, session, agent, stamp, is_kept });
    }

    fn add_folder(&mut self, files: &Files, id: &str, folder: &SessionFolder) {
        for (agent, path) in agent_paths(files, folder) {
            self.add(files, path, SourceKind::Agent, Some(id.to_owned()), Some(agent));
        }
        for (path, _) in folder.tool_result_files(files) {
            self.add(files, path, SourceKind::Output, Some(id.to_owned()), None);
        }
    }

    /// An agent beside the transcripts: its own lines say whose it is, which is
    /// looked up only when it changed.
    fn add_flat_agent(&mut self, files: &Files, path: PathBuf) {
        let known = stamp(files, &path).and_then(|(stamp, _)| (self.known_session)(&path, &stamp));
        let session =
            known.unwrap_or_else(|| flat_agent(files, &path).and_then(|agent| agent.session_id));
        let agent = agent_id_of(&path).map(str::to_owned);
        self.add(files, path, SourceKind::Agent, session, agent);
    }
}

impl Library {
    /// Every file that holds text of sessions.
    pub(super) fn text_sources(
        &self,
        known_session: &KnownSession<'_>,
        notes: &ListedFolders,
    ) -> TextSources {
        let mut unlisted = Vec::new();
        let mut gathered = Gathered {
            library: self,
            known_session,
            sources: Vec::new(),
            met: HashSet::new(),
            unlisted: Vec::new(),
        };
        for (root, files) in self.places(Tier::DiskAndArchive) {
            let files = files.recording(notes);
            let before = gathered.sources.len();
            let folders = match root.folders(&files) {
                Ok((folders, _)) => folders,
                Err(error) => {
                    unlisted.push(Trouble::new(&root.path, &error));
                    continue;
                }
            };
            for folder in folders {
                let mut listing = match folder.list(&files) {
                    Ok(listing) => listing,
                    Err(error) => {
                        unlisted.push(Trouble::new(&folder.path, &error));
                        continue;
                    }
                };
                if let Some(only) = root.transcript() {
                    listing.sessions.retain(|session| session.path == only);
                    listing.orphans.clear();
                }
                for session in listing.sessions {
                    let id = session.id;
                    gathered.add(&files, session.path, SourceKind::Main, Some(id.clone()), None);
                    if let Some(folder) = &session.folder {
                        gathered.add_folder(&files, &id, folder);
                    }
                }
                for orphan in listing.orphans {
                    gathered.add_folder(&files, &orphan.session_id(), &orphan);
                }
                for path in listing.agents {
                    gathered.add_flat_agent(&files, path);
                }
            }
            if let Some(config) = root.config() {
                for (id, path) in all_pre_compact_copies(&files, config) {
                    gathered.add(&files, path, SourceKind::Copy, Some(id), None);
                }
                for plan in plan_files(&files, config) {
                    gathered.add(&files, plan.path, SourceKind::Plan, None, plan.agent_id);
                }
            }
            if self.is_known_place(root) {
                // What is on disk was met by its other path.
                let met = gathered.sources.split_off(before);
                gathered.sources.extend(met.into_iter().filter(|source| source.is_kept));
            }
        }
        unlisted.extend(gathered.unlisted);
        let mut sources = gathered.sources;
        if !self.options.exclude.is_empty() {
            let excluded = self.all_sessions().excluded;
            sources.retain(|source| {
                !source.session.as_ref().is_some_and(|session| excluded.contains(session))
            });
        }
        TextSources { sources, unlisted }
    }
}
