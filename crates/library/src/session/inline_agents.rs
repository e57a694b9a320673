//! The sub-agents of a session that have no file: those that early versions wrote into
//! the main transcript, and those that only progress records repeat, its own or those of
//! other agents.
//!
//! Lists count them, and counting them means reading the whole transcript. So only
//! transcripts that such versions wrote are read, as far as their ends tell, and the result
//! is stored with the metadata. Deliberately not here: which call started them; see
//! `sessions::agents`.

use crate::lines::scan::read_lines;
use crate::session::agent_counter::AgentCounter;
use index::Digest;
use memchr::memmem;
use std::collections::HashSet;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use store::{Files, HeadAndTail, SessionFolder, agents_below};

/// The sub-agents written into a main transcript.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InlineAgents {
    /// How many are written as separate lines.
    pub sidechains: u64,
    /// The ids of those that progress records repeat. Once the session's files are known:
    /// of those without a file.
    pub repeated: Vec<String>,
}

/// The first version that writes no agents into main transcripts, with a margin: the last
/// one seen to do so is 2.0.24.
const FIRST_WITHOUT_SIDECHAINS: Version = [2, 0, 40];

/// The versions that repeat agents in progress records, with a margin: those seen to do so
/// are 2.1.9 to 2.1.81.
const REPEATING: Range<Version> = [2, 1, 5]..[2, 1, 90];

/// Those of the transcripts that were asked for last, by what they were read from: a server
/// finds the same few sessions again and again, and an old transcript is searched as a whole.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecentInlineAgents(Arc<Mutex<Vec<(Digest, InlineAgents)>>>);

impl RecentInlineAgents {
    /// How many transcripts.
    const MOST: usize = 16;

    /// Those that were read from `origin`, or else what `read` returns.
    pub(crate) fn find_or_read(
        &self,
        origin: Digest,
        read: impl FnOnce() -> InlineAgents,
    ) -> InlineAgents {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = lock().iter().find(|(known, _)| *known == origin) {
            return known.clone();
        }
        let agents = read();
        let mut recent = lock();
        if recent.len() >= Self::MOST {
            recent.remove(0);
        }
        recent.push((origin, agents.clone()));
        agents
    }
}

impl InlineAgents {
    /// Whether the versions that wrote the transcript with these ends wrote such agents.
    pub(crate) fn are_possible(ends: &HeadAndTail) -> bool {
        !AgentTraces::of(ends).is_empty()
    }

    /// Reads them from a transcript with these ends. An unreadable transcript has none:
    /// the reader of its metadata reports that.
    pub(crate) fn read(files: &Files, path: &Path, ends: &HeadAndTail) -> InlineAgents {
        let traces = AgentTraces::of(ends);
        if traces.is_empty() {
            return InlineAgents::default();
        }
        let mut own = AgentCounter::new(true);
        if traces.may_be_in_file(files, path, ends).unwrap_or(true) {
            let _ = read_lines(files, path, |line| {
                if traces.may_be_in(line.bytes) {
                    own.note(line);
                }
                true
            });
        }
        let AgentCounter { sidechains, mut repeated, .. } = own;
        let folder = traces
            .progress
            .as_ref()
            .and_then(|_| SessionFolder::find(files, path.with_extension("")));
        for agent in folder.iter().flat_map(|folder| agents_below(files, folder)) {
            let mut nested = AgentCounter::new(false);
            let _ = read_lines(files, &agent.path, |line| {
                if traces.may_repeat(line.bytes) {
                    nested.note(line);
                }
                true
            });
            repeated.extend(nested.repeated);
        }
        let mut known = HashSet::new();
        repeated.retain(|id| known.insert(id.clone()));
        InlineAgents { sidechains, repeated }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        usize::try_from(self.sidechains).unwrap_or(usize::MAX).saturating_add(self.repeated.len())
    }
}

/// The bytes that lines of such agents have, as far as the versions that wrote a transcript
/// wrote such lines.
struct AgentTraces {
    progress: Option<memmem::Finder<'static>>,
    sidechain: Option<memmem::Finder<'static>>,
}

/// How many bytes of one block to search again with the next: more than the longest trace.
const OVERLAP: usize = 64;
const BLOCK: usize = 64 << 10;

impl AgentTraces {
    /// Those that a transcript with these ends may have. Versions only rise within a
    /// transcript; one whose versions are unknown may have all.
    fn of(ends: &HeadAndTail) -> Self {
        let first = first_version(ends.head());
        // A lower one is that of something else.
        let last = highest_version(ends.tail()).filter(|last| Some(*last) >= first);
        let repeats = first.is_none_or(|first| first < REPEATING.end)
            && last.is_none_or(|last| last >= REPEATING.start);
        let has_sidechains = first.is_none_or(|first| first < FIRST_WITHOUT_SIDECHAINS);
        AgentTraces {
            progress: repeats.then(|| memmem::Finder::new(b"\"agent_progress\"")),
            sidechain: has_sidechains.then(|| memmem::Finder::new(b"\"isSidechain\":")),
        }
    }

    fn is_empty(&self) -> bool {
        self.progress.is_none() && self.sidechain.is_none()
    }

    /// Whether the bytes may repeat a line of an agent.
    fn may_repeat(&self, bytes: &[u8]) -> bool {
        self.progress.as_ref().is_some_and(|progress| progress.find(bytes).is_some())
    }

    /// Whether the bytes have a trace, or end in the middle of one.
    fn may_be_in(&self, bytes: &[u8]) -> bool {
        self.may_repeat(bytes)
            || self.sidechain.as_ref().is_some_and(|sidechain| {
                sidechain.find_iter(bytes).any(|at| {
                    let value = bytes[at + sidechain.needle().len()..].trim_ascii_start();
                    b"true".starts_with(&value[..value.len().min(4)])
                })
            })
    }

    /// Whether a transcript has a trace. Nearly none has, so it is not divided into
    /// lines, and what was read of its ends is not read again.
    fn may_be_in_file(&self, files: &Files, path: &Path, ends: &HeadAndTail) -> io::Result<bool> {
        if let Some(whole) = ends.whole() {
            return Ok(self.may_be_in(whole));
        }
        if self.may_be_in(ends.head()) || self.may_be_in(ends.tail()) {
            return Ok(true);
        }
        let Range { start, end } = ends.between();
        let (start, end) = (start.saturating_sub(OVERLAP as u64), end + OVERLAP as u64);
        let mut file = files.open(path)?;
        file.seek(SeekFrom::Start(start))?;
        let mut between = file.take(end - start);
        let (mut block, mut kept) = (vec![0; BLOCK], 0);
        loop {
            let read = match between.read(&mut block[kept..]) {
                Ok(0) => return Ok(false),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            let held = kept + read;
            if self.may_be_in(&block[..held]) {
                return Ok(true);
            }
            kept = held.min(OVERLAP);
            block.copy_within(held - kept..held, 0);
        }
    }
}

/// A version of Claude Code.
type Version = [u64; 3];

/// The version of Claude Code that wrote the first line that names one.
fn first_version(head: &[u8]) -> Option<Version> {
    versions(head).next()?
}

/// The highest version that the end of a transcript names. Recorded output may name the
/// version of something else there, which is then no lower than the true one; `None` if one
/// of them is not a version.
fn highest_version(tail: &[u8]) -> Option<Version> {
    versions(tail).max_by_key(|version| version.unwrap_or([u64::MAX; 3]))?
}

fn versions(bytes: &[u8]) -> impl Iterator<Item = Option<Version>> {
    const KEY: &[u8] = b"\"version\":\"";
    memmem::find_iter(bytes, KEY).map(|at| {
        let behind = &bytes[at + KEY.len()..];
        let text = str::from_utf8(&behind[..memchr::memchr(b'"', behind)?]).ok()?;
        let mut parts = text.split('.').map(|part| part.parse().ok());
        Some([parts.next()??, parts.next()??, parts.next()??])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Library;

    #[test]
    fn agents_are_found_wherever_the_transcript_has_them() {
        let sandbox = testkit::Sandbox::new();
        let plain = testkit::user("hello").with("version", "1.0.3").with("isSidechain", false);
        let agent = testkit::user("task").link("s1", None).with("isSidechain", true);
        let agent = agent.with("version", "1.0.3");
        let (plain, agent) = (plain.to_string() + "\n", agent.to_string() + "\n");
        let spaced = agent.replace("\"isSidechain\":true", "\"isSidechain\":  true");
        assert_ne!(agent, spaced);
        let count = |text: &str| {
            let path = sandbox.write("a.jsonl", text);
            let files = Files::disk();
            let mut ends = HeadAndTail::default();
            ends.read(&mut files.open(&path).expect("a file")).expect("its ends");
            InlineAgents::read(&files, &path, &ends).sidechains
        };
        for lines in [10, 3000] {
            // Around every boundary between two reads, and at both ends.
            let whole = plain.repeat(lines);
            let near =
                [0, 64 << 10, 128 << 10, 192 << 10, whole.len() - (64 << 10).min(whole.len())];
            for at in near.into_iter().filter(|at| *at <= whole.len()) {
                let (before, after) = whole.split_at(at - at % plain.len());
                for line in [&agent, &spaced] {
                    for shift in 0..plain.len().min(40) {
                        let pad = " ".repeat(7 * shift);
                        assert_eq!(
                            count(&format!("{before}{pad}{line}{after}")),
                            1,
                            "{at}, {shift}"
                        );
                    }
                }
            }
            assert_eq!(count(&whole), 0);
        }
    }

    #[test]
    fn transcripts_are_searched_for_what_their_versions_wrote() {
        let sandbox = testkit::Sandbox::new();
        let traces = |first: &str, last: &str| {
            let line = |version: &str| testkit::user("x").with("version", version).to_string();
            let between = "x".repeat(1 << 18);
            let text = format!("{}\n{between}\n{}\n", line(first), line(last));
            let path = sandbox.write("a.jsonl", text);
            let mut ends = HeadAndTail::default();
            let mut file = Files::disk().open(&path).expect("a file");
            ends.read(&mut file).expect("its ends");
            let AgentTraces { progress, sidechain } = AgentTraces::of(&ends);
            (sidechain.is_some(), progress.is_some())
        };
        let (neither, repeating) = ((false, false), (false, true));
        for (first, last, expected) in [
            ("1.0.108", "2.0.24", (true, false)),
            ("1.0.108", "2.1.9", (true, true)),
            ("1.0.108", "2.1.325", (true, true)),
            ("2.0.60", "2.0.76", neither),
            ("2.0.60", "2.1.9", repeating),
            ("2.0.60", "2.1.325", repeating),
            ("2.1.9", "2.1.9", repeating),
            ("2.1.81", "2.1.325", repeating),
            ("2.1.100", "2.1.325", neither),
            ("unknown", "2.0.60", (true, false)),
            ("2.0.60", "unknown", repeating),
            ("2.0.60", "0.9.1", repeating),
            ("unknown", "unknown", (true, true)),
        ] {
            assert_eq!(traces(first, last), expected, "{first} to {last}");
        }
    }

    #[test]
    fn agents_of_a_transcript_that_grew_are_counted_again_and_others_are_not_read_again() {
        use crate::stores::Options;
        use store::RootOrigin;
        let sandbox = testkit::Sandbox::new();
        let id = "00000000-0000-4000-8000-000000000001";
        let plain = testkit::user("hello").with("version", "1.0.3").with("isSidechain", false);
        let agent = testkit::user("task").link("s1", None).with("isSidechain", true);
        let path = format!("projects/-a/{id}.jsonl");
        let roots = vec![(sandbox.config(), RootOrigin::Home)];
        let library = Library::open(Options { roots, ..Options::default() });
        let count = || {
            let session = library.reopened().catalog().find_id(id).expect("a session");
            session.inline_agents.sidechains
        };
        sandbox.write(&path, format!("{plain}\n"));
        assert_eq!(count(), 0);
        sandbox.write(&path, format!("{plain}\n{agent}\n"));
        assert_eq!(count(), 1);
        assert_eq!(count(), 1);
        let recent = library.catalog().recent_inline_agents.0.lock().unwrap();
        assert_eq!(recent.len(), 2, "one for each state of the file");
    }

    #[test]
    fn versions_are_compared_by_their_numbers() {
        let version = |text: &str| first_version(format!(r#"{{"version":"{text}"}}"#).as_bytes());
        assert_eq!(version("2.1.9"), Some([2, 1, 9]));
        assert!(REPEATING.contains(&version("2.1.81").unwrap()));
        assert!(!REPEATING.contains(&version("2.1.325").unwrap()));
        assert_eq!(version("2.1"), None);
        assert_eq!(version("newest"), None);
        assert_eq!(first_version(b"{\"version\":\"2.1"), None);
        let two = br#"{"version":"2.1.10"} {"version":"2.1.9"}"#;
        assert_eq!(highest_version(two), Some([2, 1, 10]));
        assert_eq!(highest_version(br#"{"version":"2.1.10"} {"version":"newest"}"#), None);
    }
}
