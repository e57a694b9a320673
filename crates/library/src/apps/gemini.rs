//! Gemini CLI: logs of operations and older documents, in a folder per project.

use super::head::{open_regular, read_header, read_regular};
use super::provider::{AppSession, Found, Provider, ReadSession, stamp_files};
use super::walk::files_below;
use ::app::{App, Header, Lineage, Session, read_whole};
use ::gemini::{FileForm, Reader, SessionFile, newest_twin, parse_projects, read_document};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(super) struct Gemini {
    home: PathBuf,
}

impl Gemini {
    pub(super) fn new(home: PathBuf) -> Self {
        Gemini { home }
    }

    /// The working directories of projects, by the names of their folders.
    fn projects(&self) -> HashMap<String, String> {
        let projects = read_regular(&self.home.join("projects.json"));
        let projects = projects.map(|bytes| parse_projects(&bytes)).unwrap_or_default();
        projects.into_iter().map(|(directory, slug)| (slug, directory)).collect()
    }

    /// The working directory of a project's folder, as the folder itself says.
    fn noted_directory(&self, slug: &str) -> Option<String> {
        let path = self.home.join("tmp").join(slug).join(".project_root");
        let text = String::from_utf8(read_regular(&path).ok()?).ok()?;
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    }
}

fn is_document(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json")
}

fn read_file(path: &Path) -> io::Result<Session> {
    let bytes = read_regular(path)?;
    Ok(if is_document(path) { read_document(&bytes) } else { read_whole::<Reader>(&bytes) })
}

fn header_of(path: &Path) -> io::Result<Header> {
    if is_document(path) {
        return read_file(path).map(|session| session.header);
    }
    read_header::<Reader>(&mut open_regular(path)?)
}

impl Provider for Gemini {
    fn app(&self) -> App {
        App::Gemini
    }

    fn home(&self) -> &Path {
        &self.home
    }

    fn find(&self) -> Found {
        let files = files_below(&self.home, "tmp");
        let read: Vec<_> = files
            .par_iter()
            .filter_map(|(below, path)| {
                let file = SessionFile::parse(below.strip_prefix("tmp/")?)?;
                // A document is read whole: only names of sessions are opened.
                debug_assert_eq!(file.form == FileForm::Document, is_document(path));
                Some((file, path, header_of(path)))
            })
            .collect();
        let projects = self.projects();
        let mut found = Found::default();
        let mut sessions: BTreeMap<String, AppSession> = BTreeMap::new();
        for (file, path, header) in read {
            let (mut header, stamp) = match (header, stamp_files(std::slice::from_ref(path))) {
                (Ok(header), Some(stamp)) => (header, stamp),
                (Err(error), _) => {
                    found.errors.push((path.clone(), error.to_string()));
                    continue;
                }
                (_, None) => continue,
            };
            let id = if header.id.is_empty() { file.id.to_owned() } else { header.id.clone() };
            header.directory = header
                .directory
                .or_else(|| projects.get(file.slug).cloned())
                .or_else(|| self.noted_directory(file.slug));
            header.lineage.extend(file.lineage());
            let parent = header.lineage.iter().find_map(|lineage| match lineage {
                Lineage::Agent { of, .. } => Some(of.clone()),
                _ => None,
            });
            let next = AppSession {
                parent,
                ..AppSession::of_file(id.clone(), header, path.clone(), stamp)
            };
            match sessions.entry(id) {
                std::collections::btree_map::Entry::Vacant(place) => drop(place.insert(next)),
                std::collections::btree_map::Entry::Occupied(mut known) => {
                    join(known.get_mut(), next);
                }
            }
        }
        found.sessions = sessions.into_values().collect();
        found
    }

    fn read(&self, session: &AppSession) -> io::Result<ReadSession> {
        let twins = session.files.iter().map(|path| read_file(path));
        let twins = twins.collect::<io::Result<Vec<Session>>>()?;
        let newest = newest_twin(&twins).cloned().unwrap_or_default();
        let mut read = ReadSession::from(newest);
        read.header.directory = session.header.directory.clone().or(read.header.directory);
        Ok(read)
    }

    fn resume_command(&self, session: &AppSession) -> Vec<OsString> {
        ["gemini", "--resume", &session.id].map(OsString::from).to_vec()
    }
}

/// Adds another file of the same session.
fn join(known: &mut AppSession, next: AppSession) {
    known.bytes = known.bytes.saturating_add(next.bytes);
    known.modified = known.modified.max(next.modified);
    known.header.title = known.header.title.take().or(next.header.title);
    known.header.first_prompt = known.header.first_prompt.take().or(next.header.first_prompt);
    known.files.extend(next.files);
    known.files.sort();
}
