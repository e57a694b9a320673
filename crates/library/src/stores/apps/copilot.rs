//! Copilot CLI: a folder per session, with its events and a file that names it.

use crate::stores::apps::app_files::AppFiles;
use crate::stores::apps::head::read_header;
use crate::stores::apps::listings::{AppListings, SessionListing};
use crate::stores::apps::provider::{AppSession, Found, Provider, ReadSession, list_file};
use crate::stores::apps::whole::WholeReader;
use ::apps::copilot::{FileRole, Reader, SessionFile, parse_workspace};
use ::apps::{App, Header};
use memchr::memmem;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(super) struct Copilot {
    home: PathBuf,
    files: AppFiles,
}

impl Copilot {
    pub(super) fn new(home: PathBuf, files: AppFiles) -> Self {
        Copilot { home, files }
    }

    fn find_file(
        &self,
        listings: &AppListings,
        id: &str,
        path: &Path,
    ) -> io::Result<Option<AppSession>> {
        let listed = list_file(App::Copilot, &self.files, listings, path, || {
            let header = read_header::<Reader>(&mut self.files.open(path)?)?;
            let mut agents = BTreeSet::new();
            self.files.each_batch(path, self.files.open(path)?, |batch| {
                add_agents(batch, &mut agents);
                Ok(())
            })?;
            let inline_agents = agents.into_iter().collect();
            Ok(SessionListing { header, inline_agents, ..SessionListing::default() })
        })?;
        let Some((mut listing, stamp)) = listed else { return Ok(None) };
        self.complete(&mut listing.header, path);
        Ok(Some(AppSession::of_file(id.to_owned(), listing, path.to_owned(), stamp)))
    }

    /// Adds what `workspace.yaml` beside the events says.
    fn complete(&self, header: &mut Header, events: &Path) {
        let workspace = workspace_of(events).and_then(|path| self.files.read(&path).ok());
        if let Some(bytes) = workspace {
            parse_workspace(&bytes).complete(header);
        }
    }
}

/// The file beside a session's events that names it.
fn workspace_of(events: &Path) -> Option<PathBuf> {
    let is_own_folder = events.file_name().is_some_and(|name| name == "events.jsonl");
    is_own_folder.then(|| events.with_file_name("workspace.yaml"))
}

/// Adds the ids of sub-agents whose events are in some lines.
fn add_agents(bytes: &[u8], agents: &mut BTreeSet<String>) {
    const KEY: &[u8] = b"\"agentId\":\"";
    for at in memmem::find_iter(bytes, KEY) {
        let value = bytes.get(at + KEY.len()..).unwrap_or_default();
        let end = memchr::memchr2(b'"', b'\\', &value[..value.len().min(200)]);
        let id = end.and_then(|end| std::str::from_utf8(&value[..end]).ok());
        agents.extend(id.filter(|id| !id.is_empty()).map(str::to_owned));
    }
}

impl Provider for Copilot {
    fn app(&self) -> App {
        App::Copilot
    }

    fn home(&self) -> &Path {
        &self.home
    }

    fn files(&self) -> &AppFiles {
        &self.files
    }

    fn find(&self, listings: &AppListings) -> Found {
        let mut found = Found::default();
        let events = |below: &str| {
            SessionFile::parse(below).is_some_and(|file| file.role == FileRole::Events)
        };
        let files = self.files.sessions_below(&self.home, "session-state", &mut found, events);
        let read: Vec<_> = files
            .par_iter()
            .filter_map(|(below, path)| {
                let file = SessionFile::parse(below)?;
                Some((path, self.find_file(listings, file.id, path)))
            })
            .collect();
        for (path, session) in read {
            found.add(path, session);
        }
        found
    }

    fn read(&self, session: &AppSession) -> io::Result<ReadSession> {
        let path = session.files.last().ok_or(io::ErrorKind::NotFound)?;
        let mut read = WholeReader::new(&self.files).read::<Reader>(path)?;
        self.complete(&mut read.header, path);
        Ok(read.into())
    }

    fn files_to_archive(&self, session: &AppSession) -> Option<Vec<PathBuf>> {
        let beside = session.files.iter().filter_map(|events| workspace_of(events));
        Some(session.files.iter().cloned().chain(beside).collect())
    }

    fn resume_command(&self, session: &AppSession) -> Vec<OsString> {
        vec!["copilot".into(), format!("--resume={}", session.id).into()]
    }
}
