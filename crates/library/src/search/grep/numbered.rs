//! The text files that `grep` reads, with numbers for their sessions.
//!
//! Which files really belong to a session, and which are its copies, is decided
//! when it is listed: here a session may have too many files, but never too
//! few. Plans are not included: the session of a plan is known only after
//! reading transcripts.

use crate::lines::ReadError;
use crate::search::Search;
use crate::search::grep::GrepOptions;
use crate::stores::text_files::{TextKind, TextReader};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use transcript::Role;

/// A text file, with the number of its session.
pub(super) struct NumberedFile {
    pub(super) path: PathBuf,
    pub(super) session: usize,
    pub(super) bytes: u64,
    /// Whether it is plain text, not a transcript.
    pub(super) is_plain: bool,
}

/// The text files of all sessions.
#[derive(Default)]
pub(super) struct NumberedFiles {
    pub(super) files: Vec<NumberedFile>,
    /// The ids of the sessions, by number.
    pub(super) sessions: Vec<String>,
    /// What could not be listed, as the list of sessions reports it.
    pub(super) read_errors: Vec<ReadError>,
}

impl Search {
    /// Every text file of a session in which a search may find something.
    pub(super) fn numbered_files(&self, search: &GrepOptions<'_>) -> NumberedFiles {
        let is_any = |_: &str| true;
        let mut walk = self.stores.text_files(TextReader::Grep).of_sessions(&is_any);
        if !search.wants(Role::ToolResult) {
            walk = walk.without_outputs();
        }
        let (found, read_errors) = walk.gather(|file| {
            let is_plain = file.kind == TextKind::Output;
            let stat = self.stores.all.find(&file.path).map(|(stat, _)| stat);
            let modified = stat.map(|stat| stat.modified);
            if is_plain && !search.filter.admits_time(modified) {
                return None;
            }
            // A file without a size cannot be opened either, which is reported
            // then.
            let bytes = stat.map_or(0, |stat| stat.bytes);
            Some((file.session?, file.path, bytes, is_plain))
        });
        let mut numbered = NumberedFiles { read_errors, ..NumberedFiles::default() };
        let mut numbers: HashMap<String, usize> = HashMap::new();
        // Roots may overlap, and a file may belong to two sessions.
        let mut met = HashSet::new();
        for (id, path, bytes, is_plain) in found {
            let session = *numbers.entry(id).or_insert_with_key(|id| {
                numbered.sessions.push(id.clone());
                numbered.sessions.len() - 1
            });
            if met.insert((path.clone(), session)) {
                numbered.files.push(NumberedFile { path, session, bytes, is_plain });
            }
        }
        numbered
    }
}
