//! The sub-agents of a session that have no file: those that early versions wrote into
//! the main transcript, and those that only progress records repeat, its own or those of
//! other agents.
//!
//! Lists count them, and counting them means reading the whole transcript. So only
//! transcripts that such versions began are read, and the result is stored with the
//! metadata. Deliberately not here: which call started them; see `open::agents`.

use crate::open::scan::read_lines;
use conversation::AgentScan;
use memchr::memmem;
use std::collections::HashSet;
use std::path::Path;
use store::{Files, SessionFolder, agents_below};
use transcript::parse_line;

/// The sub-agents written into a main transcript.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InlineAgents {
    /// How many are written as separate lines.
    pub sidechains: u64,
    /// The ids of those that progress records repeat. Once the session's files are known:
    /// of those without a file.
    pub repeated: Vec<String>,
}

/// The first version that neither writes agents into main transcripts nor repeats them
/// there, with a margin: the last one seen to do so is 2.1.81.
const FIRST_WITHOUT: [u64; 3] = [2, 1, 100];

impl InlineAgents {
    /// Reads them from a transcript that begins with `head`. An unreadable transcript
    /// has none: the reader of its metadata reports that.
    pub(crate) fn read(files: &Files, path: &Path, head: &[u8]) -> InlineAgents {
        if first_version(head).is_some_and(|version| version >= FIRST_WITHOUT) {
            return InlineAgents::default();
        }
        let progress = memmem::Finder::new(b"\"agent_progress\"");
        let sidechain = memmem::Finder::new(b"\"isSidechain\":");
        let is_sidechain = |bytes: &[u8]| {
            sidechain.find_iter(bytes).any(|at| {
                bytes[at + sidechain.needle().len()..].trim_ascii_start().starts_with(b"true")
            })
        };
        let mut scan = AgentScan::default();
        let _ = read_lines(files, path, |line| {
            if progress.find(line.bytes).is_some() || is_sidechain(line.bytes) {
                for entry in parse_line(line) {
                    scan.note(entry.line, &entry.record, true);
                }
            }
            true
        });
        let mut repeated = scan.repeated_agents();
        let folder = SessionFolder::find(files, path.with_extension(""));
        for agent in folder.iter().flat_map(|folder| agents_below(files, folder)) {
            let mut scan = AgentScan::default();
            let _ = read_lines(files, &agent.path, |line| {
                if progress.find(line.bytes).is_some() {
                    for entry in parse_line(line) {
                        scan.note(entry.line, &entry.record, false);
                    }
                }
                true
            });
            repeated.extend(scan.repeated_agents());
        }
        let mut known = HashSet::new();
        repeated.retain(|id| known.insert(id.clone()));
        InlineAgents { sidechains: scan.sidechain_agents(), repeated }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        usize::try_from(self.sidechains).unwrap_or(usize::MAX).saturating_add(self.repeated.len())
    }
}

/// The version of Claude Code that wrote the first line that names one.
fn first_version(head: &[u8]) -> Option<[u64; 3]> {
    const KEY: &[u8] = b"\"version\":\"";
    let behind = &head[memmem::find(head, KEY)? + KEY.len()..];
    let text = str::from_utf8(&behind[..memchr::memchr(b'"', behind)?]).ok()?;
    let mut parts = text.split('.').map(|part| part.parse().ok());
    Some([parts.next()??, parts.next()??, parts.next()??])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        let version = |text: &str| first_version(format!(r#"{{"version":"{text}"}}"#).as_bytes());
        assert_eq!(version("2.1.9"), Some([2, 1, 9]));
        assert!(version("2.1.81").unwrap() < FIRST_WITHOUT);
        assert!(version("2.1.325").unwrap() >= FIRST_WITHOUT);
        assert_eq!(version("2.1"), None);
        assert_eq!(version("newest"), None);
        assert_eq!(first_version(b"{\"version\":\"2.1"), None);
    }
}
