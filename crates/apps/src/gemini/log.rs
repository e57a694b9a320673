//! The log of operations, and the history that it leads to.

use std::collections::HashMap;

use crate::{
    ApiCall, Entry, EntryKind, EntryState, Header, JsonText, LineFormat, LineReader, Place, Session,
};

use crate::gemini::message::Message;

/// Reads a session's `.jsonl` file.
pub type Reader = LineReader<OperationLog>;

/// What the operations so far lead to.
#[derive(Clone, Debug, Default)]
pub struct OperationLog {
    /// Every message there was, in the order of its first line.
    messages: Vec<Recorded>,
    /// The new entries of messages that were replaced, until the session is settled.
    replaced: HashMap<usize, Vec<Entry>>,
    by_id: HashMap<String, usize>,
    /// The messages of the history as it stands, in its order.
    history: Vec<usize>,
    /// The calls whose result a message with tool calls has.
    answered: HashMap<String, usize>,
    api_calls: HashMap<String, usize>,
    /// The message of each API call.
    call_messages: Vec<usize>,
    /// Whether the session's first prompt is certain.
    has_prompt: bool,
}

/// A message, as the range of its entries.
#[derive(Clone, Debug)]
struct Recorded {
    first: usize,
    count: usize,
    is_in_history: bool,
}

impl LineFormat for OperationLog {
    fn read_value(&mut self, session: &mut Session, place: Place, value: JsonText<'_>) {
        if let Some(id) = value.string("$rewindTo") {
            self.rewind(session, &id);
            push_silent(session, place, "$rewindTo");
        } else if let Some(message) = Message::parse(value) {
            self.append(session, place, message);
        } else if let Some(changes) = value.get("$set") {
            push_silent(session, place, "$set");
            if let Some(messages) = changes.get("messages").filter(|list| list.is_list()) {
                self.replace_history(session, place, messages);
            }
            note_metadata(&mut session.header, changes);
        } else if value.get("sessionId").is_some() {
            push_silent(session, place, "metadata");
            note_metadata(&mut session.header, value);
            let messages = value.get("messages").into_iter().flat_map(JsonText::elements);
            for message in messages.filter_map(Message::parse) {
                self.append(session, place, message);
            }
        } else {
            let kind = if value.is_object() { "line" } else { "value" };
            session.unknown.add(kind);
            session.entries.push(Entry::new(place, EntryKind::Unknown(kind.to_owned())));
        }
    }

    fn settle(&mut self, session: &mut Session) {
        self.place_replaced(session);
        for (call, message) in session.api_calls.iter_mut().zip(&self.call_messages) {
            call.entry = self.messages[*message].first;
        }
    }
}

impl OperationLog {
    /// Takes a message that is a whole line.
    fn append(&mut self, session: &mut Session, place: Place, message: Message) {
        let number = self.record(session, place, message);
        self.enter_history(session, number);
    }

    /// Adds a message, or replaces the one with its id, and returns its number.
    fn record(&mut self, session: &mut Session, place: Place, mut message: Message) -> usize {
        if let Some(kind) = &message.unknown {
            session.unknown.add(kind);
        }
        note_message(&mut session.header, &message, &mut self.has_prompt);
        let known = self.by_id.get(&message.id).copied();
        let number = known.unwrap_or(self.messages.len());
        self.drop_answered(&mut message, number);
        let entries: Vec<Entry> = message.entries(place).collect();
        if known.is_some() {
            self.replace_entries(session, number, entries);
        } else {
            let (first, count) = (session.entries.len(), entries.len());
            self.messages.push(Recorded { first, count, is_in_history: false });
            self.by_id.insert(message.id.clone(), number);
            session.entries.extend(entries);
        }
        if let Some(call) = message.api_call(self.messages[number].first) {
            self.add_call(session, number, call);
        }
        number
    }

    /// Results that a tool call already has come again as a message to the model.
    fn drop_answered(&mut self, message: &mut Message, number: usize) {
        for kind in &mut message.kinds {
            let EntryKind::Result { call, .. } = kind else { continue };
            let first = *self.answered.entry(call.clone()).or_insert(number);
            if first != number {
                *kind = EntryKind::Silent("functionResponse".to_owned());
            }
        }
    }

    fn replace_entries(&mut self, session: &mut Session, number: usize, entries: Vec<Entry>) {
        let Recorded { first, count, .. } = self.messages[number];
        if entries.len() == count {
            self.replaced.remove(&number);
            session.entries.splice(first..first + count, entries);
        } else {
            self.replaced.insert(number, entries);
        }
    }

    /// Puts the new entries of replaced messages at the places of the old ones: all at once,
    /// because every one of them moves what follows.
    fn place_replaced(&mut self, session: &mut Session) {
        if self.replaced.is_empty() {
            return;
        }
        let mut old = std::mem::take(&mut session.entries).into_iter();
        let mut taken = 0;
        for (number, message) in self.messages.iter_mut().enumerate() {
            session.entries.extend(old.by_ref().take(message.first - taken));
            taken = message.first + message.count;
            message.first = session.entries.len();
            let own = old.by_ref().take(message.count);
            match self.replaced.remove(&number) {
                Some(entries) => {
                    own.for_each(drop);
                    message.count = entries.len();
                    session.entries.extend(entries);
                }
                None => session.entries.extend(own),
            }
        }
        session.entries.extend(old);
    }

    /// The entries of a message.
    fn entries<'s>(&'s self, session: &'s Session, number: usize) -> &'s [Entry] {
        let Recorded { first, count, .. } = self.messages[number];
        match self.replaced.get(&number) {
            Some(entries) => entries,
            None => &session.entries[first..first + count],
        }
    }

    fn add_call(&mut self, session: &mut Session, message: usize, call: ApiCall) {
        if let Some(number) = self.api_calls.get(&call.key) {
            session.api_calls[*number] = call;
            self.call_messages[*number] = message;
        } else {
            self.api_calls.insert(call.key.clone(), session.api_calls.len());
            session.api_calls.push(call);
            self.call_messages.push(message);
        }
    }

    /// Makes a message the last of the history, unless it is part of it.
    fn enter_history(&mut self, session: &mut Session, number: usize) {
        if !self.messages[number].is_in_history {
            self.messages[number].is_in_history = true;
            self.history.push(number);
        }
        self.set_state(session, number, EntryState::Live);
    }

    fn leave_history(&mut self, session: &mut Session, number: usize, state: EntryState) {
        self.messages[number].is_in_history = false;
        self.set_state(session, number, state);
    }

    fn set_state(&mut self, session: &mut Session, number: usize, state: EntryState) {
        let Recorded { first, count, .. } = self.messages[number];
        let entries = match self.replaced.get_mut(&number) {
            Some(entries) => entries,
            None => &mut session.entries[first..first + count],
        };
        for entry in entries {
            entry.state = state;
        }
    }

    /// Drops the history from a message on, or all of it if the message is not there: so does
    /// the program.
    fn rewind(&mut self, session: &mut Session, id: &str) {
        let target = self.by_id.get(id);
        let from = self.history.iter().position(|number| Some(number) == target).unwrap_or(0);
        for number in self.history.split_off(from) {
            self.leave_history(session, number, EntryState::Undone);
        }
    }

    /// Takes the messages of a new history. Those that are known stay as they were recorded:
    /// a history has them without their tokens, and with the times of a resume.
    fn replace_history(&mut self, session: &mut Session, place: Place, list: JsonText<'_>) {
        let mut messages: Vec<Message> = list.elements().filter_map(Message::parse).collect();
        let has_summary = mark_summary(&mut messages);
        // What a summary stands for is still the conversation.
        let state = if has_summary { EntryState::Live } else { EntryState::Left };
        let old = std::mem::take(&mut self.history);
        for number in &old {
            self.leave_history(session, *number, state);
        }
        let mut copied = old.into_iter().filter(|_| has_summary);
        for message in messages {
            let known = self.by_id.get(&message.id).copied();
            let number = match known {
                Some(number) if self.says_the_same(session, number, &message) => number,
                Some(_) => self.record_anew(session, place, message),
                None => match self.find_original(session, &mut copied, &message) {
                    Some(number) => number,
                    None => self.record_anew(session, place, message),
                },
            };
            self.enter_history(session, number);
        }
    }

    /// Finds the message of the old history that a compressed one has under a new id, and lets
    /// the new id mean it too.
    fn find_original(
        &mut self,
        session: &Session,
        old: &mut (impl Iterator<Item = usize> + Clone),
        message: &Message,
    ) -> Option<usize> {
        // Two summaries are two compactions, even in the same words.
        let is_summary = |kind: &EntryKind| matches!(kind, EntryKind::Compaction(_));
        if !message.kinds.iter().any(|kind| is_text(kind) || is_call(kind))
            || message.kinds.iter().any(is_summary)
        {
            return None;
        }
        let mut rest = old.clone();
        let number = rest.find(|number| {
            self.says_the_same(session, *number, message)
                && call_ids(kinds(self.entries(session, *number)))
                    .eq(call_ids(message.kinds.iter()))
        })?;
        *old = rest;
        self.by_id.insert(message.id.clone(), number);
        Some(number)
    }

    /// Adds a message of a new history under its id. An older one with other words stays in the
    /// session as a message that was left.
    fn record_anew(&mut self, session: &mut Session, place: Place, message: Message) -> usize {
        if let Some(number) = self.by_id.remove(&message.id) {
            self.set_state(session, number, EntryState::Left);
        }
        self.record(session, place, message)
    }

    /// Whether the prompt and the text of a message are those recorded.
    fn says_the_same(&self, session: &Session, number: usize, message: &Message) -> bool {
        let recorded = kinds(self.entries(session, number)).filter(|kind| is_text(kind));
        recorded.eq(message.kinds.iter().filter(|kind| is_text(kind)))
    }
}

fn kinds(entries: &[Entry]) -> impl Iterator<Item = &EntryKind> {
    entries.iter().map(|entry| &entry.kind)
}

fn is_text(kind: &EntryKind) -> bool {
    matches!(kind, EntryKind::Prompt(_) | EntryKind::Text(_) | EntryKind::Compaction(_))
}

fn is_call(kind: &EntryKind) -> bool {
    matches!(kind, EntryKind::Call { .. })
}

fn call_ids<'k>(kinds: impl Iterator<Item = &'k EntryKind>) -> impl Iterator<Item = &'k str> {
    kinds.filter_map(|kind| match kind {
        EntryKind::Call { id, .. } => Some(id.as_str()),
        _ => None,
    })
}

/// Finds the summary of a compressed history and marks it, and the program's own answer to it.
fn mark_summary(messages: &mut [Message]) -> bool {
    if let Some(answer) = messages.iter().position(Message::follows_summary)
        && let Some(summary) = answer.checked_sub(1)
    {
        if let [EntryKind::Prompt(text)] = messages[summary].kinds.as_slice() {
            messages[summary].kinds = vec![EntryKind::Compaction(text.clone())];
        }
        messages[answer].kinds = vec![EntryKind::Silent("answer to a summary".to_owned())];
    }
    let mut kinds = messages.iter().flat_map(|message| &message.kinds);
    kinds.any(|kind| matches!(kind, EntryKind::Compaction(_)))
}

fn push_silent(session: &mut Session, place: Place, kind: &str) {
    session.entries.push(Entry::new(place, EntryKind::Silent(kind.to_owned())));
}

/// Takes the facts of a metadata line, of `$set`, or of an older document.
pub(crate) fn note_metadata(header: &mut Header, metadata: JsonText<'_>) {
    if let Some(id) = metadata.filled("sessionId") {
        header.id = id;
    }
    if let Some(summary) = metadata.filled("summary") {
        header.title = Some(summary);
    }
    let mut directories = metadata.get("directories").into_iter().flat_map(JsonText::elements);
    if let Some(directory) = directories.next().and_then(JsonText::as_string) {
        header.directory = Some(directory.into_owned());
    }
    header.note_time(metadata.time("startTime"));
    header.note_time(metadata.time("lastUpdated"));
}

/// Takes the facts of a message.
fn note_message(header: &mut Header, message: &Message, has_prompt: &mut bool) {
    header.note_time(message.time);
    if message.model.is_some() {
        header.model.clone_from(&message.model);
    }
    match message.kinds.first() {
        // Commands of the program are not prompts, but better than nothing.
        Some(EntryKind::Prompt(text)) if !*has_prompt => {
            let is_command = text.trim_start().starts_with(['/', '?']);
            *has_prompt = !is_command;
            if !is_command || header.first_prompt.is_none() {
                header.first_prompt = Some(text.clone());
            }
        }
        Some(EntryKind::Notice(kind, text))
            if kind == "session_context" && header.directory.is_none() =>
        {
            header.directory = workspace_directory(text);
        }
        _ => {}
    }
}

/// The first directory that the program's own first message names. The file says it nowhere
/// else.
fn workspace_directory(context: &str) -> Option<String> {
    let (_, list) = context.split_once("**Workspace Directories:**")?;
    let first = list.lines().map(str::trim).find(|line| !line.is_empty())?;
    first.strip_prefix("- ").map(str::to_owned)
}
