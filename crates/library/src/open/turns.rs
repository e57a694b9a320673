//! A conversation told turn by turn, to whoever knows nothing of files.

use crate::Library;
use crate::catalog::content_filter::FlatAgents;
use crate::catalog::find::Found;
use crate::catalog::session::Session;
use crate::catalog::tier::Tier;
use crate::open::records::read_whole;
use crate::open::scan::Trouble;
use conversation::{Conversation, MessageState, Turns, View};
use std::collections::HashMap;
use transcript::{Block, Content};

impl Library {
    /// Tells all generations of a session's conversation, or of the sub-agent's that
    /// was named, oldest first.
    pub fn told<T>(
        &self,
        found: &Found,
        tell: impl FnOnce(&Conversation<'_>, &Turns<'_>) -> T,
    ) -> Result<T, Trouble> {
        let Some(path) = found.path() else {
            let reason = "the transcript is gone".to_owned();
            return Err(Trouble { path: found.session.root.clone(), reason });
        };
        let bytes = self.read_whole(path)?;
        let said = match found.agent {
            Some(_) => Conversation::read_agent(&bytes, View::App),
            None => Conversation::read(&bytes, View::App),
        };
        Ok(tell(&said, &said.all_turns()))
    }

    /// What became of the calls of tools in a session and its sub-agents, by the ids
    /// of the calls. What cannot be read is not known.
    pub fn states_of_calls(&self, session: &Session) -> HashMap<String, MessageState> {
        let mut states = HashMap::new();
        let agents = self.agent_files_of(session, &mut FlatAgents::new(), Tier::DiskAndArchive);
        let main = session.path.iter().map(|path| (path, false));
        for (path, is_agent) in main.chain(agents.iter().map(|agent| (&agent.path, true))) {
            let Ok(bytes) = read_whole(&self.all, path) else { continue };
            let said = if is_agent {
                Conversation::read_agent(&bytes, View::App)
            } else {
                Conversation::read(&bytes, View::App)
            };
            for node in said.graph.ids() {
                let Some(state) = said.state(node) else { continue };
                for entry in transcript::entries(said.graph.node(node).bytes) {
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
