//! Any bytes are a session and a sub-agent: both views answer, every message has
//! one state, and whatever line of it is told, it is told without a panic.

#![no_main]

use conversation::{Anatomy, Conversation, View};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for view in [View::App, View::Sdk] {
        for said in [Conversation::read(bytes, view), Conversation::read_agent(bytes, view)] {
            let told = said.tell();
            for call in told.calls.all() {
                let _ = (call.summary(), call.status(), call.milliseconds(), conversation::deeds(call));
            }
            for branch in &said.branches {
                let _ = said.tell_lines(&said.alternative(branch), said.is_agent);
            }
            for lines in said.generations() {
                let _ = said.tell_lines(lines, said.is_agent);
            }
            let _ = (Anatomy::of(&said), said.inline_agents());
            assert!(said.messages.iter().all(|message| said.state(message.node).is_some()));
        }
    }
});
