//! The files that the index reads, with their stamps.

use crate::lines::ReadError;
use crate::search::Search;
use crate::session::Presence;
use crate::stores::text_files::walk::KnownSession;
use crate::stores::text_files::{TextReader, stamp, stamp_on_disk};
use index::Source;
use std::collections::HashSet;
use std::io::ErrorKind;
use store::ListedFolders;

/// The files that the index reads.
pub(crate) struct TextSources {
    pub(crate) sources: Vec<Source>,
    /// What could not be listed: those files may still exist.
    pub(crate) unlisted: Vec<ReadError>,
}

impl Search {
    /// Every file that the index reads.
    pub(crate) fn text_sources(
        &self,
        known_session: &KnownSession<'_>,
        listed: &ListedFolders,
    ) -> TextSources {
        let walk =
            self.stores.text_files(TextReader::Index).knowing(known_session).recording(listed);
        let (found, mut unlisted) = walk.gather(|file| {
            if let Some(stamped) = stamp(&self.stores.all, &file.path) {
                // Transcripts of apps are made from files, wherever these are.
                let presence = self.stores.app_presence(&file.path);
                return Some(Ok(Source {
                    path: file.path,
                    kind: file.kind.source_kind(),
                    session: file.session,
                    agent: file.agent,
                    stamp: stamped.stamp,
                    is_archive_only: presence
                        .map_or(stamped.is_archive_only, Presence::is_in_archive),
                }));
            }
            let error = stamp_on_disk(&file.path).err()?;
            let is_gone = matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory);
            (!is_gone).then(|| Err(ReadError::new(&file.path, &error)))
        });
        let mut sources: Vec<Source> = Vec::with_capacity(found.len());
        for found in found {
            match found {
                Ok(source) => sources.push(source),
                Err(read_error) => unlisted.push(read_error),
            }
        }
        let mut met = HashSet::new();
        sources.retain(|source| met.insert(source.path.clone()));
        if !self.stores.options.exclude.is_empty() {
            let excluded = self.catalog.all_sessions().excluded;
            sources.retain(|source| {
                !source.session.as_ref().is_some_and(|session| excluded.contains(session))
            });
        }
        TextSources { sources, unlisted }
    }
}
