//! Finding the transcript of a session without the rest of the session.
//!
//! A session has agents, copies and folders elsewhere, and finding those takes longer than
//! reading the first lines of its transcript.

use crate::catalog::Catalog;
use crate::stores::Tier;
use std::path::PathBuf;
use store::is_session_id;

impl Catalog {
    /// The transcript of the session with a full id, without anything else of the session;
    /// `None` if only `find` can tell which file it is.
    pub fn find_transcript(&self, id: &str) -> Option<PathBuf> {
        // Whether a session is excluded depends on what its transcript says.
        if !is_session_id(id) || !self.stores.options.exclude.is_empty() {
            return None;
        }
        let mut found = Vec::new();
        for (root, files) in &self.stores.tier_roots(Tier::Disk) {
            if root.transcript().is_some() {
                return None;
            }
            let folders = root.folders_with(files, id).ok()?.into_iter();
            found.extend(folders.filter_map(|folder| Some(folder.find_session(files, id)?.path)));
        }
        // Which of several is the session, their metadata tell.
        found.pop().filter(|_| found.is_empty())
    }
}
