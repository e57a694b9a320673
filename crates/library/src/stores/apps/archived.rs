//! Archiving the sessions of apps: the bytes of their files, and one document for each session
//! that consists of rows. They are read back with the same providers.
//!
//! Deliberately not here: restoring. Nothing is ever written into the folder of another app.

use crate::stores::Stores;
use crate::stores::apps::provider::AppSession;
use crate::stores::apps::sessions::FoundApp;
use crate::stores::apps::unread::UnreadScope;
use crate::stores::apps::view_path::root_of;
use archive::{ArchiveRoot, Documents, State};
use std::io::{self, Read as _};
use std::path::PathBuf;

/// The folder below an app's folder, in the archive alone, in which documents are.
pub(super) const DOCUMENTS: &str = "annals-documents";

/// The folder in annals' own for documents while they are archived.
const PRIVATE: &str = "documents";

/// The files of other apps to archive.
#[derive(Debug, Default)]
pub(crate) struct AppAreas {
    pub(crate) areas: Vec<ArchiveRoot>,
    /// Sessions that cannot be read, and why.
    pub(crate) errors: Vec<(PathBuf, String)>,
    /// Documents among them, which exist as long as this does.
    _documents: Option<Documents>,
}

impl Stores {
    /// The files of other apps to archive, without documents.
    pub(crate) fn app_files_to_archive(&self) -> Vec<ArchiveRoot> {
        let found = self.apps.iter().flat_map(|apps| apps.sessions.found());
        found.map(FoundApp::area).collect()
    }

    /// The files of other apps to archive, with a document for each session of rows that changed
    /// since it was archived.
    pub(crate) fn app_areas(&self, state: &State) -> AppAreas {
        let mut all = AppAreas::default();
        let Some(home) = &self.options.home else { return all };
        let documents = Documents::new(home.join(PRIVATE));
        for found in self.apps.iter().flat_map(|apps| apps.sessions.found()) {
            let mut area = found.area();
            for session in found.sessions.values().filter(|session| found.is_of_rows(session)) {
                let as_path = found.document_path(session);
                let is_known = state.root_of(&area).zip(area.name(&as_path)).is_some_and(|key| {
                    let kept = state.newest(&key);
                    kept.is_some_and(|kept| kept.seen.modified == session.modified)
                });
                if is_known {
                    continue;
                }
                match found.write_document(session, &documents) {
                    Ok(path) => area.add_file(&as_path, path, Some(found.archived_id(session))),
                    Err(error) => all.errors.push((as_path, error.to_string())),
                }
            }
            all.areas.push(area);
        }
        AppAreas { _documents: Some(documents), ..all }
    }
}

impl Stores {
    /// The paths that show an archived session and its sub-agents.
    pub(crate) fn archived_app_transcripts(&self, id: &str) -> Vec<PathBuf> {
        let apps = self.archived_apps.as_ref();
        let found = apps.and_then(|apps| apps.sessions.session(id));
        let Some((found, session)) = found else { return Vec::new() };
        let root = root_of(found.provider.home());
        let agents = found.agents_of(session).into_iter();
        let agents =
            agents.map(|agent| root.join(id).join(format!("subagents/agent-{agent}.jsonl")));
        [root.join(format!("{id}.jsonl"))].into_iter().chain(agents).collect()
    }
}

impl FoundApp {
    /// The app's folder with the files of its sessions.
    fn area(&self) -> ArchiveRoot {
        let home = self.provider.home();
        let mut area = ArchiveRoot::of_app(self.provider.app().name(), home);
        for path in self.provider.side_files() {
            area.add_file(&path, path.clone(), None);
        }
        for session in self.sessions.values() {
            for path in self.provider.files_to_archive(session).into_iter().flatten() {
                area.add_file(&path, path.clone(), Some(self.archived_id(session)));
            }
        }
        // The bytes are kept also where the session they belong to is unknown.
        for unread in self.unread.iter().filter(|unread| unread.scope == UnreadScope::File) {
            area.add_file(&unread.path, unread.path.clone(), None);
        }
        area
    }

    fn is_of_rows(&self, session: &AppSession) -> bool {
        self.provider.files_to_archive(session).is_none()
    }

    /// Where the document of a session would be, if it were in the app's folder.
    fn document_path(&self, session: &AppSession) -> PathBuf {
        self.provider.home().join(DOCUMENTS).join(format!("{}.jsonl", session.id))
    }

    /// Writes the document of a session, with the session's time.
    fn write_document(&self, session: &AppSession, into: &Documents) -> io::Result<PathBuf> {
        let mut bytes = Vec::new();
        self.provider.open_original(session)?.read_to_end(&mut bytes)?;
        into.write(&format!("{}.jsonl", session.id), &bytes, session.modified)
    }
}
