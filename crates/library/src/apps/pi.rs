//! pi: a file per session, in a folder per working directory.

use super::head::{open_regular, read_header};
use super::provider::{AppSession, Found, Provider, ReadSession, stamp_files};
use super::walk::files_below;
use ::app::{App, read_whole};
use ::pi::{Reader, SessionFile};
use rayon::prelude::*;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(super) struct Pi {
    home: PathBuf,
}

impl Pi {
    pub(super) fn new(home: PathBuf) -> Self {
        Pi { home }
    }
}

impl Provider for Pi {
    fn app(&self) -> App {
        App::Pi
    }

    fn home(&self) -> &Path {
        &self.home
    }

    fn find(&self) -> Found {
        let files = files_below(&self.home, "sessions");
        let read: Vec<_> = files
            .par_iter()
            .filter_map(|(below, path)| {
                let id = SessionFile::parse(below)?.id;
                let stamp = stamp_files(std::slice::from_ref(path))?;
                let header =
                    open_regular(path).and_then(|mut file| read_header::<Reader>(&mut file));
                Some((
                    path,
                    header.map(|header| {
                        AppSession::of_file(id.to_owned(), header, path.clone(), stamp)
                    }),
                ))
            })
            .collect();
        let mut found = Found::default();
        for (path, read) in read {
            match read {
                Ok(session) => found.sessions.push(session),
                Err(error) => found.errors.push((path.clone(), error.to_string())),
            }
        }
        found
    }

    fn read(&self, session: &AppSession) -> io::Result<ReadSession> {
        Ok(read_whole::<Reader>(&self.original(session)?).into())
    }

    fn resume_command(&self, session: &AppSession) -> Vec<OsString> {
        let file = session.files.last().map(|path| path.clone().into_os_string());
        ["pi".into(), "--session".into()].into_iter().chain(file).collect()
    }
}
