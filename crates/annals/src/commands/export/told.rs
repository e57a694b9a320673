//! The conversation of an agent, wherever it is written.

use super::cost::Costed;
use conversation::{Conversation, Message, NodeId, Turns};
use render::Chapter;

/// An agent's conversation.
pub(super) enum Told<'a> {
    /// In a file of its own.
    File(Box<Conversation<'a>>, &'a [u8]),
    /// Lines of the session's transcript.
    Lines(&'a Conversation<'a>, Vec<NodeId>),
}

impl<'a> Told<'a> {
    pub(super) fn tell(&self) -> Turns<'_> {
        match self {
            Told::File(said, _) => said.all_turns(),
            Told::Lines(said, lines) => said.turns_of(lines, true),
        }
    }

    /// Its messages, and the conversation they stand in.
    pub(super) fn messages(&self) -> (&Conversation<'a>, Vec<Message>) {
        match self {
            Told::File(said, _) => (said, said.full_chain().1),
            Told::Lines(said, lines) => (said, said.messages_on(lines, true)),
        }
    }

    pub(super) fn chapter(&'a self, telling: &'a Turns<'a>, own: &Costed<'a>) -> Chapter<'a> {
        let turns = telling.turns.iter().collect();
        match self {
            Told::File(said, bytes) => {
                Costed::new(said, bytes).chapter(&said.full_chain().0, telling, turns)
            }
            Told::Lines(_, lines) => own.chapter(lines, telling, turns),
        }
    }
}
