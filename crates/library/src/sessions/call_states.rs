//! The states of tool calls: whether each is still part of the conversation.
//!
//! Only ids leave this module, so nothing is masked.

use crate::catalog::agent_files::FlatAgents;
use crate::lines::whole::read_whole;
use crate::session::Session;
use crate::sessions::Sessions;
use crate::sessions::view::parse_conversation;
use crate::stores::Tier;
use conversation::{MessageState, View};
use std::collections::HashMap;
use transcript::{Block, Content};

impl Sessions {
    /// The state of each tool call in a session and its sub-agents, by call id.
    /// Calls in unreadable files are missing.
    pub fn call_states(&self, session: &Session) -> HashMap<String, MessageState> {
        let mut states = HashMap::new();
        let agents =
            self.catalog.agent_files_of(session, &mut FlatAgents::new(), Tier::DiskAndArchive);
        let main = session.path.iter().map(|path| (path, false));
        for (path, is_agent) in main.chain(agents.iter().map(|agent| (&agent.path, true))) {
            let Ok(bytes) = read_whole(&self.stores.all, path) else { continue };
            let conversation = parse_conversation(&bytes, is_agent, View::App);
            for node in conversation.graph.ids() {
                let Some(state) = conversation.state(node) else { continue };
                for entry in transcript::entries(conversation.graph.node(node).bytes) {
                    let message = entry.record.message();
                    let content = message.and_then(|message| message.content.as_ref());
                    let Some(Content::Blocks(blocks)) = content else { continue };
                    let calls = blocks.iter().filter_map(|block| match block {
                        Block::ToolUse(call) => call.id.as_ref(),
                        _ => None,
                    });
                    states.extend(calls.map(|id| (id.to_string(), state)));
                }
            }
        }
        states
    }
}
