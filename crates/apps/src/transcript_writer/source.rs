//! What a transcript is written from, and the transcript.

use crate::{ApiCall, App, Entry, EntryState, Header, Session};
use std::collections::BTreeMap;

/// One entry of a session with where it comes from.
#[derive(Clone, Debug)]
pub struct SourceEntry<'a> {
    /// The entry.
    pub entry: &'a Entry,
    /// Its state in the session, which can differ from the entry's own.
    pub state: EntryState,
    /// The number of the source file; 0 if there is one.
    pub file: usize,
    /// The API calls that it reports; nearly always none or one.
    pub calls: Vec<&'a ApiCall>,
}

impl<'a> SourceEntry<'a> {
    /// The entries of a session of one file. Calls whose entry does not exist are reported by
    /// the last one.
    pub fn of(session: &'a Session) -> Vec<SourceEntry<'a>> {
        let entries = session.entries.iter();
        let mut entries: Vec<_> = entries
            .map(|entry| SourceEntry { entry, state: entry.state, file: 0, calls: Vec::new() })
            .collect();
        let Some(last) = entries.len().checked_sub(1) else { return entries };
        for call in &session.api_calls {
            entries[call.entry.min(last)].calls.push(call);
        }
        entries
    }
}

/// A session of another app.
#[derive(Clone, Copy, Debug)]
pub struct SourceSession<'a> {
    /// The app.
    pub app: App,
    /// The id that annals shows, such as `codex:019f…`.
    pub id: &'a str,
    /// What is known of the session as a whole.
    pub header: &'a Header,
    /// The entries, in the order of the conversation.
    pub entries: &'a [SourceEntry<'a>],
    /// The id of the sub-agent, if the whole session is shown as a sub-agent of another one.
    pub agent: Option<&'a str>,
}

impl<'a> SourceSession<'a> {
    /// A session that is shown as such.
    pub fn new(
        app: App,
        id: &'a str,
        header: &'a Header,
        entries: &'a [SourceEntry<'a>],
    ) -> SourceSession<'a> {
        SourceSession { app, id, header, entries, agent: None }
    }
}

/// A session as transcripts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionTranscript {
    /// The transcript of the session.
    pub main: Vec<u8>,
    /// The transcripts of the sub-agents that write into the same session, by id. Their lines
    /// are numbered as those of the session.
    pub agents: BTreeMap<String, Vec<u8>>,
    /// How many lines of the transcript come before those of each source file, in order: (the
    /// file, the lines). Empty where the lines of the transcript do not stand for lines of the
    /// source: where a source line holds very many entries, or lines are numbered implausibly.
    pub file_starts: Vec<(usize, u64)>,
}

impl SessionTranscript {
    /// The source file and the line in it that a line of the transcript stands for.
    pub fn source_line(&self, line: u64) -> Option<(usize, u64)> {
        let after = self.file_starts.partition_point(|(_, before)| *before < line);
        let (file, before) = self.file_starts.get(after.checked_sub(1)?)?;
        Some((*file, line - before))
    }
}
