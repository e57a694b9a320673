//! Copilot CLI: a folder per session, with its events and a file that names it.

use super::head::{open_regular, read_header, read_regular};
use super::provider::{AppSession, Found, Provider, ReadSession, stamp_files};
use super::walk::files_below;
use ::app::{App, Header, read_whole};
use ::copilot::{FileRole, Reader, SessionFile, parse_workspace};
use memchr::memmem;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(super) struct Copilot {
    home: PathBuf,
}

impl Copilot {
    pub(super) fn new(home: PathBuf) -> Self {
        Copilot { home }
    }

    fn find_file(id: &str, path: PathBuf) -> io::Result<Option<AppSession>> {
        let Some(stamp) = stamp_files(std::slice::from_ref(&path)) else { return Ok(None) };
        let mut header = read_header::<Reader>(&mut open_regular(&path)?)?;
        complete(&mut header, &path);
        let agents = agents_in(&read_regular(&path)?);
        let mut session = AppSession::of_file(id.to_owned(), header, path, stamp);
        session.inline_agents = agents;
        Ok(Some(session))
    }
}

/// Adds what `workspace.yaml` beside the events says.
fn complete(header: &mut Header, events: &Path) {
    let is_own_folder = events.file_name().is_some_and(|name| name == "events.jsonl");
    let beside = events.with_file_name("workspace.yaml");
    if let Some(bytes) = is_own_folder.then(|| read_regular(&beside).ok()).flatten() {
        parse_workspace(&bytes).complete(header);
    }
}

/// The ids of sub-agents whose events are in a file.
fn agents_in(bytes: &[u8]) -> Vec<String> {
    const KEY: &[u8] = b"\"agentId\":\"";
    let mut agents = BTreeSet::new();
    for at in memmem::find_iter(bytes, KEY) {
        let value = bytes.get(at + KEY.len()..).unwrap_or_default();
        let end = memchr::memchr2(b'"', b'\\', &value[..value.len().min(200)]);
        let id = end.and_then(|end| std::str::from_utf8(&value[..end]).ok());
        agents.extend(id.filter(|id| !id.is_empty()).map(str::to_owned));
    }
    agents.into_iter().collect()
}

impl Provider for Copilot {
    fn app(&self) -> App {
        App::Copilot
    }

    fn home(&self) -> &Path {
        &self.home
    }

    fn find(&self) -> Found {
        let files = files_below(&self.home, "session-state");
        let read: Vec<_> = files
            .par_iter()
            .filter_map(|(below, path)| {
                let file = SessionFile::parse(below)?;
                (file.role == FileRole::Events)
                    .then(|| (path.clone(), Copilot::find_file(file.id, path.clone())))
            })
            .collect();
        let mut found = Found::default();
        for (path, read) in read {
            match read {
                Ok(session) => found.sessions.extend(session),
                Err(error) => found.errors.push((path, error.to_string())),
            }
        }
        found
    }

    fn read(&self, session: &AppSession) -> io::Result<ReadSession> {
        let mut read = read_whole::<Reader>(&self.original(session)?);
        if let Some(path) = session.files.last() {
            complete(&mut read.header, path);
        }
        Ok(read.into())
    }

    fn resume_command(&self, session: &AppSession) -> Vec<OsString> {
        vec!["copilot".into(), format!("--resume={}", session.id).into()]
    }
}
