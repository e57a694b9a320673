//! pi: a file per session, in a folder per working directory.

use crate::stores::apps::app_files::AppFiles;
use crate::stores::apps::head::read_header;
use crate::stores::apps::listings::AppListings;
use crate::stores::apps::provider::{AppSession, Found, Provider, ReadSession, list_file};
use crate::stores::apps::whole::WholeReader;
use ::apps::App;
use ::apps::pi::{Reader, SessionFile};
use rayon::prelude::*;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(super) struct Pi {
    home: PathBuf,
    files: AppFiles,
}

impl Pi {
    pub(super) fn new(home: PathBuf, files: AppFiles) -> Self {
        Pi { home, files }
    }
}

impl Provider for Pi {
    fn app(&self) -> App {
        App::Pi
    }

    fn home(&self) -> &Path {
        &self.home
    }

    fn files(&self) -> &AppFiles {
        &self.files
    }

    fn find(&self, listings: &AppListings) -> Found {
        let mut found = Found::default();
        let files = self.files.sessions_below(&self.home, "sessions", &mut found, |below| {
            SessionFile::parse(below).is_some()
        });
        let read: Vec<_> = files
            .par_iter()
            .filter_map(|(below, path)| {
                let id = SessionFile::parse(below)?.id;
                let header = || read_header::<Reader>(&mut self.files.open(path)?);
                let read = || Ok(header()?.into());
                let listed = list_file(App::Pi, &self.files, listings, path, read);
                Some((path, id, listed))
            })
            .collect();
        for (path, id, listed) in read {
            let session = listed.map(|listed| {
                let (listing, stamp) = listed?;
                Some(AppSession::of_file(id.to_owned(), listing, path.clone(), stamp))
            });
            found.add(path, session);
        }
        found
    }

    fn read(&self, session: &AppSession) -> io::Result<ReadSession> {
        let path = session.files.last().ok_or(io::ErrorKind::NotFound)?;
        WholeReader::new(&self.files).read::<Reader>(path).map(ReadSession::from)
    }

    fn resume_command(&self, session: &AppSession) -> Vec<OsString> {
        let file = session.files.last().map(|path| path.clone().into_os_string());
        ["pi".into(), "--session".into()].into_iter().chain(file).collect()
    }
}
