//! The states and turns of messages, found when hits are shown.

use super::search::Around;
use crate::Library;
use crate::open::turns::LineTurns;
use crate::open::view::parse_conversation;
use crate::parallel::par_map;
use conversation::{MessageState, TurnNumber, View};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use transcript::role;

/// The longest text to show around a hit.
const LONGEST: usize = 240;

/// The states and turns of the messages of some transcripts.
#[derive(Default)]
pub(super) struct States(HashMap<PathBuf, (HashMap<String, MessageState>, LineTurns)>);

impl States {
    /// Reads the conversations of transcripts that are not known yet, each with
    /// whether it is a sub-agent's. Unreadable ones stay unknown.
    pub(super) fn learn(&mut self, library: &Library, files: HashSet<(PathBuf, bool)>) {
        let unknown = files.into_iter().filter(|(path, _)| !self.0.contains_key(path));
        let read = par_map(unknown.collect(), |(path, is_agent)| {
            let bytes = library.read_whole(&path).ok()?;
            let conversation = parse_conversation(&bytes, is_agent, View::App);
            let graph = &conversation.graph;
            let states = graph
                .ids()
                .filter_map(|id| Some((graph.node(id).uuid.to_string(), conversation.state(id)?)));
            Some((path, (states.collect(), LineTurns::of(&conversation))))
        });
        self.0.extend(read.into_iter().flatten());
    }

    /// The state of a message.
    pub(super) fn state(&self, path: &Path, uuid: &str) -> Option<MessageState> {
        self.0.get(path)?.0.get(uuid).copied()
    }

    /// The turn of a line.
    pub(super) fn turn(&self, path: &Path, line: u64) -> Option<TurnNumber> {
        self.0.get(path)?.1.at_line(line)
    }
}

/// The texts around hits.
pub(super) struct Surroundings {
    files: HashMap<PathBuf, Vec<Around>>,
    around: usize,
}

impl Surroundings {
    /// Reads the transcripts of hits, if surrounding texts are requested.
    pub(super) fn read(library: &Library, files: HashSet<PathBuf>, around: usize) -> Self {
        let files = if around == 0 { Vec::new() } else { files.into_iter().collect() };
        let read = par_map(files, |path| {
            let bytes = library.read_whole(&path).ok()?;
            Some((path, texts_of(&bytes)))
        });
        Surroundings { files: read.into_iter().flatten().collect(), around }
    }

    /// The texts before and after a line.
    pub(super) fn around(&self, path: &Path, line: u64) -> (Vec<Around>, Vec<Around>) {
        let Some(texts) = self.files.get(path) else { return (Vec::new(), Vec::new()) };
        let at = texts.partition_point(|texts| texts.line < line);
        let behind = texts.partition_point(|texts| texts.line <= line);
        let before = texts[at.saturating_sub(self.around)..at].to_vec();
        let end = behind.saturating_add(self.around).min(texts.len());
        (before, texts[behind..end].to_vec())
    }
}

/// The beginning of every text in a transcript.
fn texts_of(bytes: &[u8]) -> Vec<Around> {
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
            texts.push(Around { role, line: entry.line, text });
        }
    }
    texts
}
