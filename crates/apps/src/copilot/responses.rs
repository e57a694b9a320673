//! Which entries are one response of the model's API.
//!
//! A message names the call that it comes from, and so does the record of the call's usage, which
//! is written just before it. Without the name, the record next to the message is taken.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::Entry;

/// The responses so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Responses {
    /// What is open, by agent; under the empty name that of the session.
    open: HashMap<String, Open>,
    /// The calls whose messages have come.
    known: HashSet<String>,
}

/// What one agent's next event can belong to.
#[derive(Clone, Debug, Default)]
struct Open {
    /// A recorded call whose message has not come.
    recorded: Option<String>,
    /// The entries of a message that names no call, and of its reasoning.
    unnamed: Vec<Range<usize>>,
    /// The entry of reasoning that came before its message.
    reasoning: Option<usize>,
}

impl Responses {
    /// Notes that an agent calls the model anew.
    pub(crate) fn begin(&mut self, agent: &str) {
        self.open.remove(agent);
    }

    /// Gives the entries of reasoning a separate response until the message comes.
    pub(crate) fn note_reasoning(&mut self, entries: &mut [Entry], entry: usize, agent: &str) {
        let id = entries.get(entry).and_then(|entry| entry.id.clone());
        name(entries, entry..entry + 1, &id.unwrap_or_else(|| format!("reasoning:{entry}")));
        self.open.entry(agent.to_owned()).or_default().reasoning = Some(entry);
    }

    /// Names the response that the entries of a message are: `call` is what the message names,
    /// and `id` its own id.
    pub(crate) fn note_message(
        &mut self,
        entries: &mut [Entry],
        own: Range<usize>,
        agent: &str,
        call: Option<String>,
        id: Option<String>,
    ) {
        let open = self.open.entry(agent.to_owned()).or_default();
        let recorded = open.recorded.take();
        let named = call.or(recorded);
        let reasoning = open.reasoning.take().map(|entry| entry..entry + 1);
        let parts: Vec<Range<usize>> = reasoning.into_iter().chain([own.clone()]).collect();
        open.unnamed.clear();
        if named.is_none() {
            open.unnamed.clone_from(&parts);
        }
        let response = named.or(id).unwrap_or_else(|| format!("message:{}", own.start));
        for part in parts {
            name(entries, part, &response);
        }
        self.known.insert(response);
    }

    /// Notes the record of a call.
    pub(crate) fn note_record(&mut self, entries: &mut [Entry], agent: &str, key: &str) {
        if !self.known.contains(key) {
            let open = self.open.entry(agent.to_owned()).or_default();
            if open.unnamed.is_empty() {
                open.recorded = Some(key.to_owned());
            } else {
                self.known.insert(key.to_owned());
                for part in std::mem::take(&mut open.unnamed) {
                    name(entries, part, key);
                }
            }
        }
    }
}

fn name(entries: &mut [Entry], range: Range<usize>, response: &str) {
    for entry in entries.get_mut(range).unwrap_or_default() {
        entry.response = Some(response.to_owned());
    }
}
