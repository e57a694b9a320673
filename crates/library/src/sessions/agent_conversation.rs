//! The conversation of a sub-agent, wherever it is written.

use crate::redaction::masking::MaskedLine;
use crate::sessions::view::ConversationView;
use conversation::{Conversation, Message, NodeId, TurnNumbers, Turns};
use std::borrow::Cow;
use std::collections::HashMap;
use usage::PicoUsd;

/// The conversation of a sub-agent.
#[derive(Clone, Debug)]
pub enum AgentConversation<'s> {
    /// In a separate file.
    File {
        /// The conversation.
        view: &'s ConversationView,
        /// What was masked in them.
        masked: &'s [MaskedLine],
    },
    /// Lines of its session's transcript.
    Lines {
        /// The session's conversation.
        view: &'s ConversationView,
        /// The agent's lines in it.
        lines: Vec<NodeId>,
    },
}

impl<'s> AgentConversation<'s> {
    /// The conversation that its lines belong to.
    pub fn conversation(&self) -> &'s Conversation<'s> {
        match self {
            AgentConversation::File { view, .. } | AgentConversation::Lines { view, .. } => {
                view.conversation()
            }
        }
    }

    /// The costs of its lines.
    pub fn line_costs(&self) -> &'s HashMap<NodeId, PicoUsd> {
        match self {
            AgentConversation::File { view, .. } | AgentConversation::Lines { view, .. } => {
                view.line_costs()
            }
        }
    }

    /// What was masked in its file.
    pub fn masked(&self) -> &'s [MaskedLine] {
        match self {
            AgentConversation::File { masked, .. } => masked,
            AgentConversation::Lines { .. } => &[],
        }
    }

    /// The numbers of the turns of its lines.
    pub fn turn_numbers(&self) -> Cow<'s, TurnNumbers> {
        match self {
            AgentConversation::File { view, .. } => {
                Cow::Borrowed(view.conversation().turn_numbers())
            }
            AgentConversation::Lines { view, lines } => {
                Cow::Owned(view.conversation().inline_turn_numbers(lines))
            }
        }
    }

    /// The turns of its current generation.
    pub fn present_turns(&self) -> Turns<'s> {
        match self {
            AgentConversation::File { view, .. } => view.conversation().turns(),
            AgentConversation::Lines { view, lines } => view.conversation().inline_turns(lines),
        }
    }

    /// The messages of its current generation.
    pub fn present_messages(&self) -> Vec<Message> {
        match self {
            AgentConversation::File { view, .. } => view.conversation().messages.clone(),
            AgentConversation::Lines { view, lines } => {
                view.conversation().messages_on(lines, true)
            }
        }
    }

    /// The turns of all its generations.
    pub fn whole_turns(&self) -> Cow<'s, Turns<'s>> {
        match self {
            AgentConversation::File { view, .. } => Cow::Borrowed(&view.whole().turns),
            AgentConversation::Lines { .. } => Cow::Owned(self.present_turns()),
        }
    }

    /// The messages of all its generations.
    pub fn whole_messages(&self) -> Vec<Message> {
        match self {
            AgentConversation::File { view, .. } => view.conversation().full_chain().1,
            AgentConversation::Lines { .. } => self.present_messages(),
        }
    }

    /// The lines of all its generations.
    pub fn whole_lines(&self) -> Vec<NodeId> {
        match self {
            AgentConversation::File { view, .. } => view.whole().chain.clone(),
            AgentConversation::Lines { lines, .. } => lines.clone(),
        }
    }
}
