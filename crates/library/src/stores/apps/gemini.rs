//! Gemini CLI: logs of operations and older documents, in a folder per project.

use crate::stores::apps::app_files::AppFiles;
use crate::stores::apps::head::read_header;
use crate::stores::apps::listings::AppListings;
use crate::stores::apps::provider::{AppSession, Found, Provider, ReadSession, list_file};
use crate::stores::apps::whole::WholeReader;
use ::apps::gemini::{
    FileForm, Reader, SessionFile, newest_twin, parse_projects, read_document_while,
};
use ::apps::{App, Header, Session};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// Where Gemini CLI keeps the working directories of projects.
const PROJECTS: &str = "projects.json";

#[derive(Debug)]
pub(super) struct Gemini {
    home: PathBuf,
    files: AppFiles,
}

impl Gemini {
    pub(super) fn new(home: PathBuf, files: AppFiles) -> Self {
        Gemini { home, files }
    }

    /// The working directories of projects, by the names of their folders.
    fn projects(&self) -> HashMap<String, String> {
        let versions = self.files.versions(&self.home.join(PROJECTS));
        let projects = versions.iter().flat_map(|bytes| parse_projects(bytes));
        projects.map(|(directory, slug)| (slug, directory)).collect()
    }

    /// The working directory of a project's folder, as the folder itself says.
    fn noted_directory(&self, slug: &str) -> Option<String> {
        let path = self.home.join("tmp").join(slug).join(".project_root");
        let text = String::from_utf8(self.files.versions(&path).pop()?).ok()?;
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    }
}

/// The parts of a session file's path below the app's folder.
fn parse_path(below: &str) -> Option<SessionFile<'_>> {
    SessionFile::parse(below.strip_prefix("tmp/")?)
}

fn is_document(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json")
}

fn read_file(whole: &mut WholeReader<'_>, files: &AppFiles, path: &Path) -> io::Result<Session> {
    if !is_document(path) {
        return whole.read::<Reader>(path);
    }
    let bytes = files.read_document(path)?;
    let mut checked = Ok(());
    let session = read_document_while(&bytes, |session| {
        whole.expect(session.count(), bytes.len() as u64);
        checked = whole.check(session.count());
        checked.is_ok()
    });
    checked.map(|()| session)
}

fn header_of(files: &AppFiles, path: &Path) -> io::Result<Header> {
    if is_document(path) {
        let mut whole = WholeReader::new(files);
        return read_file(&mut whole, files, path).map(|session| session.header);
    }
    read_header::<Reader>(&mut files.open(path)?)
}

impl Provider for Gemini {
    fn app(&self) -> App {
        App::Gemini
    }

    fn home(&self) -> &Path {
        &self.home
    }

    fn files(&self) -> &AppFiles {
        &self.files
    }

    fn find(&self, listings: &AppListings) -> Found {
        let mut found = Found::default();
        let files = self
            .files
            .sessions_below(&self.home, "tmp", &mut found, |below| parse_path(below).is_some());
        let read: Vec<_> = files
            .par_iter()
            .filter_map(|(below, path)| {
                let file = parse_path(below)?;
                // A document is read whole: only names of sessions are opened.
                debug_assert_eq!(file.form == FileForm::Document, is_document(path));
                let header = || header_of(&self.files, path);
                let read = || Ok(header()?.into());
                let listed = list_file(App::Gemini, &self.files, listings, path, read);
                Some((file, path, listed))
            })
            .collect();
        let projects = self.projects();
        let mut sessions: BTreeMap<String, AppSession> = BTreeMap::new();
        for (file, path, listed) in read {
            let (mut listing, stamp) = match listed {
                Ok(Some(listed)) => listed,
                Ok(None) => continue,
                Err(error) => {
                    found.add(path, Err(error));
                    continue;
                }
            };
            let header = &mut listing.header;
            let id = if header.id.is_empty() { file.id.to_owned() } else { header.id.clone() };
            header.directory = header
                .directory
                .take()
                .or_else(|| projects.get(file.slug).cloned())
                .or_else(|| self.noted_directory(file.slug));
            header.lineage.extend(file.lineage());
            let next = AppSession::of_file(id.clone(), listing, path.clone(), stamp);
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
        let mut whole = WholeReader::new(&self.files);
        let twins = session.files.iter().map(|path| read_file(&mut whole, &self.files, path));
        let twins = twins.collect::<io::Result<Vec<Session>>>()?;
        let newest = newest_twin(&twins).cloned().unwrap_or_default();
        let mut read = ReadSession::from(newest);
        read.header.directory = session.header.directory.clone().or(read.header.directory);
        Ok(read)
    }

    fn side_files(&self) -> Vec<PathBuf> {
        // Folders that cannot be listed were noted when the sessions were looked for.
        let noted = self.files.below(&self.home, "tmp", &mut Found::default());
        let noted = noted.into_iter().map(|(_, path)| path);
        let noted =
            noted.filter(|path| path.file_name().is_some_and(|name| name == ".project_root"));
        [self.home.join(PROJECTS)].into_iter().chain(noted).collect()
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
