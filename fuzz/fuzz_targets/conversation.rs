//! Reads any bytes as a session and as a sub-agent: both views work, every message has
//! one state, and the turns of every chain are built without a panic.

#![no_main]

use conversation::{ContextUsage, Conversation, View};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for view in [View::App, View::Sdk] {
        for conversation in [Conversation::read(bytes, view), Conversation::read_agent(bytes, view)] {
            let turns = conversation.turns();
            for call in turns.calls.all() {
                let _ = (call.summary(), call.status(), call.milliseconds(), conversation::git_actions(call));
            }
            for branch in &conversation.branches {
                let _ = conversation.turns_of(&conversation.chain_of_branch(branch));
            }
            for lines in conversation.generations() {
                let _ = conversation.turns_of(lines);
            }
            let _ = (ContextUsage::of(&conversation), conversation.inline_agents());
            assert!(conversation.messages.iter().all(|message| conversation.state(message.node).is_some()));
        }
    }
});
