//! The turns that prompts begin.
//!
//! Only the conversation tells them, so they are read from the whole transcript, once:
//! then they are facts.

use crate::facts::of_files::FileFacts;
use crate::lines::ReadError;
use crate::lines::whole::read_whole;
use crate::packing::{Packer, Unpacker};
use crate::parallel::par_map;
use crate::progress::Progress;
use crate::prompts::{Prompt, Prompts, TranscriptPrompts};
use crate::sessions::turns::LineTurns;
use crate::sessions::view::parse_conversation;
use crate::stores::Tier;
use conversation::{TurnNumber, View};
use index::FactKind;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use store::Files;

/// The turns of the prompts of a transcript, by the offsets of the records with the
/// prompts' ids.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PromptTurns(HashMap<u64, TurnNumber>);

impl PromptTurns {
    /// The turn of the prompt whose id is recorded at an offset.
    pub(super) fn at(&self, offset: u64) -> Option<TurnNumber> {
        self.0.get(&offset).copied()
    }

    fn read(bytes: &[u8]) -> PromptTurns {
        let turns = LineTurns::of(&parse_conversation(bytes, false, View::App));
        let mut prompts = TranscriptPrompts::default();
        for line in transcript::lines(bytes) {
            prompts.note_line(line);
        }
        let turns = prompts.merged().into_iter().filter_map(|placed| {
            let turn = turns.of_uuid(placed.prompt.uuid.as_deref()?)?;
            Some((placed.uuid_offset.unwrap_or(placed.offset), turn))
        });
        PromptTurns(turns.collect())
    }

    fn pack(self) -> Packer {
        let mut turns: Vec<(u64, TurnNumber)> = self.0.into_iter().collect();
        turns.sort_by_key(|(offset, _)| *offset);
        let mut packer = Packer::default();
        for (offset, turn) in turns {
            packer.number(offset);
            packer.turn(turn);
        }
        packer
    }
}

impl FileFacts for PromptTurns {
    const KIND: FactKind = FactKind::PromptTurns;

    fn derive(
        files: &Files,
        paths: &[PathBuf],
        progress: &dyn Progress,
    ) -> (Vec<Packer>, Vec<ReadError>) {
        let read = |path: &PathBuf| {
            if progress.is_late() {
                return Ok(PromptTurns::default());
            }
            read_whole(files, path).map(|bytes| PromptTurns::read(&bytes))
        };
        let mut read_errors = Vec::new();
        let turns = par_map(paths.iter().collect(), read).into_iter().map(|turns| {
            let turns = turns.map_err(|read_error| read_errors.push(read_error));
            turns.unwrap_or_default().pack()
        });
        (turns.collect(), read_errors)
    }

    fn unpack(bytes: &[u8]) -> Option<PromptTurns> {
        let mut unpacker = Unpacker::new(bytes)?;
        let mut turns = HashMap::new();
        while !unpacker.is_done() {
            turns.insert(unpacker.number()?, unpacker.turn()?);
        }
        Some(PromptTurns(turns))
    }
}

impl Prompts {
    /// The turns of the prompts of transcripts, by their paths.
    pub(super) fn known_turns<'p>(
        &self,
        paths: impl IntoIterator<Item = &'p Path>,
        progress: &dyn Progress,
    ) -> HashMap<PathBuf, PromptTurns> {
        let paths: Vec<PathBuf> = paths.into_iter().map(Path::to_owned).collect();
        // A transcript that cannot be read is reported with its texts.
        let (turns, _) = self.facts.file_facts(&paths, progress);
        paths.into_iter().zip(turns).collect()
    }

    /// Finds the turns of prompts by reading the transcripts of their sessions.
    pub(super) fn read_prompt_turns(&self, prompts: &mut [Prompt]) {
        let has_uuid = |prompt: &&Prompt| prompt.uuid.is_some();
        let ids = prompts.iter().filter(has_uuid).filter_map(|prompt| prompt.session_id.clone());
        let ids: HashSet<String> = ids.collect();
        // One after another, each would be looked for in every folder.
        let sessions = self.catalog.list_only(Tier::DiskAndArchive, ids).sessions;
        let turns = par_map(sessions, |session| {
            let turns = self.sessions.line_turns(session.path.as_deref()?, false);
            Some((session.id, turns))
        });
        let turns: HashMap<String, LineTurns> = turns.into_iter().flatten().collect();
        for prompt in prompts {
            let own = prompt.session_id.as_ref().and_then(|id| turns.get(id));
            prompt.turn = own.zip(prompt.uuid.as_deref()).and_then(|(own, uuid)| own.of_uuid(uuid));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn turns() -> impl Strategy<Value = TurnNumber> {
        (0..3_u8, any::<u32>(), any::<u32>()).prop_map(|(kind, part, turn)| match kind {
            0 => TurnNumber::Main(turn),
            1 => TurnNumber::Branch { branch: part, turn },
            _ => TurnNumber::Orphan { segment: part, turn },
        })
    }

    proptest! {
        #[test]
        fn turns_are_unpacked_as_they_were_packed(
            turns in prop::collection::hash_map(any::<u64>(), turns(), 0..9),
        ) {
            let packed = PromptTurns(turns.clone()).pack().finish();
            prop_assert_eq!(PromptTurns::unpack(&packed), Some(PromptTurns(turns)));
        }
    }
}
