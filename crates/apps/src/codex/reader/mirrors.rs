//! Messages that are written twice.
//!
//! Of the two, the one that comes first is shown and the other is silent. Prompts have one
//! more rule: Codex puts its own text into messages of the user, and only the event tells
//! which message a person typed. So what precedes the prompt of an event without having an
//! event itself is a notice, and so is what still has no event when the model goes on.

use std::collections::HashSet;

use crate::{Entry, EntryKind, EntryState, Lineage};

use super::{Position, Reader};
use crate::codex::content::request_of;

/// The most messages that wait for their twin: more never do in one turn.
const MOST_WAITING: usize = 64;

/// Entries of the current turn whose twin has not come yet.
#[derive(Debug, Default)]
pub(crate) struct Mirrors {
    prompt_items: Vec<usize>,
    prompt_events: Vec<usize>,
    text_items: Vec<usize>,
    text_events: Vec<usize>,
    /// The entry that is shown instead of the latest event.
    pub(crate) twin: Option<usize>,
    /// Thinking that was already shown in this turn.
    thoughts: HashSet<String>,
    /// Whether a compaction was shown in this turn.
    pub(crate) is_compacted: bool,
}

impl Mirrors {
    /// The state at the beginning of a turn.
    pub(crate) fn waiting_for(prompt_items: Vec<usize>) -> Mirrors {
        Mirrors { prompt_items, ..Mirrors::default() }
    }

    /// The items of prompts that came just before a turn began: the model has not written
    /// since.
    pub(crate) fn take_prompts_before_turn(&mut self, entries: &[Entry]) -> Vec<usize> {
        const MOST_ENTRIES: usize = 16;
        let recent = entries.iter().rev().take(MOST_ENTRIES).take_while(|entry| {
            !matches!(
                entry.kind,
                EntryKind::Text(_)
                    | EntryKind::Thinking(_)
                    | EntryKind::Call { .. }
                    | EntryKind::Result { .. }
            )
        });
        let start = entries.len() - recent.count();
        self.prompt_items.retain(|prompt| *prompt >= start);
        std::mem::take(&mut self.prompt_items)
    }
}

/// Which of the two forms a message has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Item,
    Event,
}

fn wait(waiting: &mut Vec<usize>, entry: usize) {
    if waiting.len() == MOST_WAITING {
        waiting.remove(0);
    }
    waiting.push(entry);
}

impl Reader {
    /// A message of the user that the program did not write itself, as far as its text tells.
    pub(super) fn push_prompt_item(&mut self, position: Position, id: Option<&str>, text: String) {
        if let Some(at) = self.find_waiting(&self.mirrors.prompt_events, &text) {
            self.mirrors.prompt_events.remove(at);
            self.push_silent(position, "message");
        } else {
            self.begin_turn_by_prompt();
            let entry = self.push_prompt(position, id, text);
            wait(&mut self.mirrors.prompt_items, entry);
        }
    }

    /// An event that says what the person typed.
    pub(super) fn push_prompt_event(
        &mut self,
        position: Position,
        id: Option<&str>,
        kind: &str,
        text: String,
    ) {
        self.has_prompt_events = true;
        if let Some(at) = self.find_waiting(&self.mirrors.prompt_items, &text) {
            let earlier: Vec<usize> = self.mirrors.prompt_items.drain(..=at).collect();
            let (twin, context) = earlier.split_last().map_or((0, &[][..]), |(t, c)| (*t, c));
            self.make_notices(context);
            self.note_first_prompt(twin);
            self.mirrors.twin = Some(twin);
            self.push_silent(position, kind);
        } else if let Some(twin) = self.mirrors.prompt_items.pop() {
            let context = std::mem::take(&mut self.mirrors.prompt_items);
            self.make_notices(&context);
            self.silence(twin, "message");
            self.forget_first_prompt(twin);
            self.push_prompt(position, id, text);
        } else {
            self.begin_turn_by_prompt();
            let entry = self.push_prompt(position, id, text);
            wait(&mut self.mirrors.prompt_events, entry);
        }
    }

    /// A prompt that has no twin.
    pub(super) fn push_single_prompt(
        &mut self,
        position: Position,
        id: Option<&str>,
        text: String,
    ) {
        self.begin_turn_by_prompt();
        self.push_prompt(position, id, text);
    }

    /// Notes that the model goes on: the event of a prompt would have come before.
    pub(super) fn settle_prompts(&mut self) {
        if self.has_prompt_events && !self.mirrors.prompt_items.is_empty() {
            let context = std::mem::take(&mut self.mirrors.prompt_items);
            self.make_notices(&context);
        }
    }

    fn push_prompt(&mut self, position: Position, id: Option<&str>, text: String) -> usize {
        let entry = self.push(position, id, EntryKind::Prompt(text));
        self.note_first_prompt(entry);
        entry
    }

    /// Text by the model.
    pub(super) fn push_text(
        &mut self,
        position: Position,
        id: Option<&str>,
        kind: &str,
        form: Form,
        text: String,
    ) {
        let twins = match form {
            Form::Item => &self.mirrors.text_events,
            Form::Event => &self.mirrors.text_items,
        };
        if let Some(at) = self.find_waiting(twins, &text) {
            match form {
                Form::Item => drop(self.mirrors.text_events.remove(at)),
                Form::Event => self.mirrors.twin = Some(self.mirrors.text_items.remove(at)),
            }
            self.push_silent(position, kind);
        } else {
            let entry = self.push(position, id, EntryKind::Text(text));
            let waiting = match form {
                Form::Item => &mut self.mirrors.text_items,
                Form::Event => &mut self.mirrors.text_events,
            };
            wait(waiting, entry);
        }
    }

    /// The model writes a summary as a message that no event shows; the line of the compaction
    /// ends with the same text.
    pub(super) fn silence_summary(&mut self, summary: &str) {
        let is_summary = |entry: &usize| {
            matches!(
                self.session.entries.get(*entry).map(|entry| &entry.kind),
                Some(EntryKind::Text(text)) if !text.is_empty() && summary.ends_with(text.as_str())
            )
        };
        if let Some(at) = self.mirrors.text_items.iter().rposition(is_summary) {
            let entry = self.mirrors.text_items.remove(at);
            self.silence(entry, "message");
        }
    }

    /// Thinking by the model: what was not yet shown in this turn.
    pub(super) fn push_thinking<'a>(
        &mut self,
        position: Position,
        id: Option<&str>,
        kind: &str,
        form: Form,
        texts: impl Iterator<Item = &'a str>,
    ) {
        let mut shown = String::new();
        let mut has_text = false;
        for text in texts.filter(|text| !text.trim().is_empty()) {
            has_text = true;
            if self.mirrors.thoughts.insert(text.to_owned()) {
                if !shown.is_empty() {
                    shown.push_str("\n\n");
                }
                shown.push_str(text);
            }
        }
        // An item without text is encrypted; an event without text says nothing.
        if shown.is_empty() && (has_text || form == Form::Event) {
            self.push_silent(position, kind);
        } else {
            self.push(position, id, EntryKind::Thinking(shown));
        }
    }

    fn find_waiting(&self, waiting: &[usize], text: &str) -> Option<usize> {
        waiting.iter().position(|entry| {
            matches!(
                self.session.entries.get(*entry).map(|entry| &entry.kind),
                Some(EntryKind::Prompt(other) | EntryKind::Text(other)) if other == text
            )
        })
    }

    fn make_notices(&mut self, entries: &[usize]) {
        for number in entries {
            let Some(entry) = self.session.entries.get_mut(*number) else { continue };
            if let EntryKind::Prompt(text) = &mut entry.kind {
                entry.kind = EntryKind::Notice("user".to_owned(), std::mem::take(text));
                self.forget_first_prompt(*number);
            }
        }
    }

    fn forget_first_prompt(&mut self, entry: usize) {
        if self.first_prompt == Some(entry) {
            self.first_prompt = None;
            self.session.header.first_prompt = None;
        }
    }

    /// Takes the prompt for the header, if it is the first. For an agent, one that is repeated
    /// from its parent counts only until it has one itself.
    fn note_first_prompt(&mut self, number: usize) {
        let entries = &self.session.entries;
        let state = |number: usize| entries.get(number).map(|entry| entry.state);
        let is_better = match self.first_prompt {
            None => true,
            Some(first) => {
                let lineage = &self.session.header.lineage;
                lineage.iter().any(|line| matches!(line, Lineage::Agent { .. }))
                    && state(first) == Some(EntryState::Replayed)
                    && state(number) != Some(EntryState::Replayed)
            }
        };
        if is_better
            && let Some(EntryKind::Prompt(text)) = entries.get(number).map(|entry| &entry.kind)
        {
            self.session.header.first_prompt = Some(request_of(text).to_owned());
            self.first_prompt = Some(number);
        }
    }
}
