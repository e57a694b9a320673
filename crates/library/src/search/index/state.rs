//! The states and turns of messages, found when hits are shown.

use crate::parallel::par_map;
use crate::search::Search;
use crate::search::index::search::NearbyMessage;
use crate::sessions::turns::LineTurns;
use crate::sessions::view::parse_conversation;
use conversation::{MessageState, TurnNumber, View};
use index::{IndexError, LineStates, Searcher};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use transcript::role;

/// The longest text to show around a hit.
const LONGEST: usize = 240;

/// The states and turns of the messages of some transcripts: stored in the index, else
/// from their conversations.
#[derive(Default)]
pub(super) struct States {
    /// By the ids of the files; `None` if the index stores none.
    stored: HashMap<i64, Option<LineStates>>,
    read: HashMap<PathBuf, (HashMap<String, MessageState>, LineTurns)>,
}

impl States {
    /// Whether the index stores the states of a transcript. If not, its conversation has
    /// to be read.
    pub(super) fn has_stored(
        &mut self,
        searcher: &Searcher,
        file: i64,
    ) -> Result<bool, IndexError> {
        let known = match self.stored.entry(file) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => unknown.insert(searcher.line_states(file)?),
        };
        Ok(known.is_some())
    }

    /// Reads the conversations of transcripts that are not known yet, each with
    /// whether it is a sub-agent's. Unreadable ones stay unknown.
    pub(super) fn learn(&mut self, search: &Search, files: HashSet<(PathBuf, bool)>) {
        let unknown = files.into_iter().filter(|(path, _)| !self.read.contains_key(path));
        let read = par_map(unknown.collect(), |(path, is_agent)| {
            let bytes = search.redaction.read_whole(&path).ok()?;
            let conversation = parse_conversation(&bytes, is_agent, View::App);
            let graph = &conversation.graph;
            let states = graph
                .ids()
                .filter_map(|id| Some((graph.node(id).uuid.to_string(), conversation.state(id)?)));
            Some((path, (states.collect(), LineTurns::of(&conversation))))
        });
        self.read.extend(read.into_iter().flatten());
    }

    /// The state of a message.
    pub(super) fn state(&self, file: i64, path: &Path, uuid: &str) -> Option<MessageState> {
        match self.stored.get(&file).and_then(Option::as_ref) {
            Some(stored) => stored.state(uuid),
            None => self.read.get(path)?.0.get(uuid).copied(),
        }
    }

    /// The turn of a line.
    pub(super) fn turn(&self, file: i64, path: &Path, line: u64) -> Option<TurnNumber> {
        match self.stored.get(&file).and_then(Option::as_ref) {
            Some(stored) => stored.turn(line),
            None => self.read.get(path)?.1.at_line(line),
        }
    }
}

/// The texts around hits.
pub(super) struct NearbyMessages {
    files: HashMap<PathBuf, Vec<NearbyMessage>>,
    around: usize,
}

impl NearbyMessages {
    /// Reads the transcripts of hits, if surrounding texts are requested.
    pub(super) fn read(search: &Search, files: HashSet<PathBuf>, around: usize) -> Self {
        let files = if around == 0 { Vec::new() } else { files.into_iter().collect() };
        let read = par_map(files, |path| {
            let bytes = search.redaction.read_whole(&path).ok()?;
            Some((path, texts_of(&bytes)))
        });
        NearbyMessages { files: read.into_iter().flatten().collect(), around }
    }

    /// The texts before and after a line.
    pub(super) fn around(
        &self,
        path: &Path,
        line: u64,
    ) -> (Vec<NearbyMessage>, Vec<NearbyMessage>) {
        let Some(texts) = self.files.get(path) else { return (Vec::new(), Vec::new()) };
        let at = texts.partition_point(|texts| texts.line < line);
        let behind = texts.partition_point(|texts| texts.line <= line);
        let before = texts[at.saturating_sub(self.around)..at].to_vec();
        let end = behind.saturating_add(self.around).min(texts.len());
        (before, texts[behind..end].to_vec())
    }
}

/// The beginning of every text in a transcript.
fn texts_of(bytes: &[u8]) -> Vec<NearbyMessage> {
    let mut texts = Vec::new();
    for entry in transcript::entries(bytes) {
        if entry.record.message().is_none() {
            continue;
        }
        for piece in transcript::text::of_record(&entry.record) {
            let role = role::of_block(&entry.record, piece.block).role;
            let text = piece.text.split_whitespace().collect::<Vec<_>>().join(" ");
            if text.is_empty() {
                continue;
            }
            let end = text.floor_char_boundary(LONGEST);
            let text = if end < text.len() { format!("{}…", &text[..end]) } else { text };
            texts.push(NearbyMessage { role, line: entry.line, text });
        }
    }
    texts
}
