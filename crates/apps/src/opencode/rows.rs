//! The rows of a document.

use std::collections::{HashMap, HashSet};

use crate::{
    ApiCall, Entry, EntryKind, EntryState, JsonText, LineFormat, LineReader, Lineage, Place,
    Problem, ProblemKind, Session,
};
use jiff::Timestamp;

use crate::opencode::document::Table;
use crate::opencode::part::{Author, parse_part};
use crate::opencode::usage::parse_api_call;

/// Reads a session's document.
pub type Reader = LineReader<RowLog>;

/// What has to be remembered from row to row.
#[derive(Clone, Debug, Default)]
pub struct RowLog {
    messages: HashMap<String, Message>,
    /// The message of the parts that follow it, for its turn.
    turn: Option<String>,
    created: Option<Timestamp>,
    revert: Option<Revert>,
    /// Whether the row that the revert names has come.
    is_reverted: bool,
    call_keys: HashSet<String>,
    /// The message whose error is the last entry.
    ended: Option<String>,
}

/// A message, for its parts.
#[derive(Clone, Debug)]
struct Message {
    author: Author,
    time: Option<Timestamp>,
    model: Option<String>,
    /// The response that an assistant's message is.
    response: Option<String>,
    turn: Option<String>,
    state: EntryState,
}

/// From where on a conversation is undone.
#[derive(Clone, Debug)]
struct Revert {
    message: String,
    part: Option<String>,
}

impl LineFormat for RowLog {
    fn read_value(&mut self, session: &mut Session, place: Place, value: JsonText<'_>) {
        let table = value.string("table").unwrap_or_default();
        let ended = self.ended.take();
        let row = Row { place, value, id: value.filled("id") };
        let Some(table) = Table::from_name(&table) else {
            session.unknown.add(&format!("table {table}"));
            session.entries.push(row.entry(EntryKind::Unknown(table)));
            return;
        };
        if table == Table::Session {
            self.read_session(session, &row);
            return;
        }
        let Some(data) = value.get("data").filter(|data| data.is_object()) else {
            let kind = ProblemKind::UnexpectedShape;
            session.problems.push(Problem { line: place.line, kind });
            session.entries.push(row.entry(EntryKind::Unknown(table.name().to_owned())));
            return;
        };
        if table == Table::Message {
            self.read_message(session, &row, data);
        } else {
            let is_ended = ended.is_some() && ended == value.filled("message_id");
            let error = is_ended.then(|| session.entries.pop()).flatten();
            self.read_part(session, &row, data);
            if let Some(error) = error {
                // What ended a message comes after its parts, and entries in the order of lines.
                let state = if self.is_reverted { EntryState::Undone } else { error.state };
                session.entries.push(Entry { place, state, ..error });
                self.ended = ended;
            }
        }
    }
}

struct Row<'a> {
    place: Place,
    value: JsonText<'a>,
    id: Option<String>,
}

impl Row<'_> {
    fn entry(&self, kind: EntryKind) -> Entry {
        Entry { id: self.id.clone(), ..Entry::new(self.place, kind) }
    }
}

impl RowLog {
    fn read_session(&mut self, session: &mut Session, row: &Row<'_>) {
        let value = row.value;
        let header = &mut session.header;
        header.id = row.id.clone().unwrap_or_default();
        header.title = value.filled("title");
        header.directory = value.filled("directory");
        header.version = value.filled("version");
        header.model = value.get("model").and_then(|model| model.filled("id"));
        self.created = value.time("time_created");
        header.note_time(self.created);
        header.note_time(value.time("time_updated"));
        header.lineage.clear();
        if let Some(of) = value.filled("parent_id") {
            header.lineage.push(Lineage::Agent { of, call: None });
            header.agent_name = value.filled("agent");
        }
        self.revert = value.get("revert").and_then(|revert| {
            Some(Revert { message: revert.filled("messageID")?, part: revert.filled("partID") })
        });
        session.entries.push(Entry {
            time: self.created,
            ..row.entry(EntryKind::Silent("session".to_owned()))
        });
    }

    fn read_message(&mut self, session: &mut Session, row: &Row<'_>, data: JsonText<'_>) {
        let id = row.id.clone().unwrap_or_default();
        let times = data.get("time");
        let time = times.and_then(|time| time.time("created"));
        let author = match data.string("role").as_deref() {
            Some("assistant") if data.is_true("summary") => Author::Summary,
            Some("assistant") => Author::Model,
            _ => Author::User,
        };
        if author == Author::User {
            self.turn = Some(id.clone());
        }
        let turn = data.filled("parentID").or_else(|| self.turn.clone());
        let model = data.filled("modelID");
        let header = &mut session.header;
        header.note_time(time);
        header.note_time(times.and_then(|time| time.time("completed")));
        if author == Author::Model && model.is_some() {
            header.model.clone_from(&model);
        }
        if !header.lineage.is_empty() && header.agent_name.is_none() {
            header.agent_name = data.filled("agent");
        }
        let reverts = |revert: &Revert| revert.part.is_none() && revert.message == id;
        self.is_reverted |= self.revert.as_ref().is_some_and(reverts);
        let is_copy = time.zip(self.created).is_some_and(|(time, created)| time < created);
        let state = match (self.is_reverted, is_copy) {
            (true, _) => EntryState::Undone,
            (false, true) => EntryState::Replayed,
            (false, false) => EntryState::Live,
        };
        let call = parse_api_call(data);
        let key = call.as_ref().map_or(&id, |call| &call.key);
        let response = (author != Author::User).then(|| key.clone());
        let message = Message { author, time, model, response, turn, state };
        if let Some(call) = call
            && self.call_keys.insert(call.key.clone())
        {
            let entry = session.entries.len();
            session.api_calls.push(ApiCall { entry, time, ..call });
        }
        let mut kinds = vec![EntryKind::Silent("message".to_owned())];
        let error = data.get("error").map(parse_error);
        self.ended = error.is_some().then(|| id.clone());
        kinds.extend(error);
        session.entries.extend(kinds.into_iter().map(|kind| message.complete(row.entry(kind))));
        self.messages.insert(id, message);
    }

    fn read_part(&mut self, session: &mut Session, row: &Row<'_>, data: JsonText<'_>) {
        let message_id = row.value.filled("message_id").unwrap_or_default();
        let reverts = |revert: &Revert| {
            revert.message == message_id && revert.part.is_some() && revert.part == row.id
        };
        self.is_reverted |= self.revert.as_ref().is_some_and(reverts);
        let orphan = Message {
            author: Author::Model,
            time: None,
            model: None,
            response: None,
            turn: None,
            state: EntryState::Live,
        };
        let message = self.messages.get(&message_id).unwrap_or(&orphan);
        let kinds = parse_part(data, message.author).unwrap_or_else(|unknown| {
            session.unknown.add(&unknown);
            vec![(EntryKind::Unknown(unknown), None)]
        });
        for (kind, time) in kinds {
            if let (EntryKind::Prompt(text), None) = (&kind, &session.header.first_prompt) {
                session.header.first_prompt = Some(text.clone());
            }
            session.header.note_time(time.filter(|_| message.state != EntryState::Replayed));
            let mut entry = message.complete(row.entry(kind));
            entry.time = time.or(entry.time);
            if self.is_reverted {
                entry.state = EntryState::Undone;
            }
            session.entries.push(entry);
        }
    }
}

impl Message {
    fn complete(&self, entry: Entry) -> Entry {
        Entry {
            time: self.time,
            model: self.model.clone(),
            response: self.response.clone(),
            turn: self.turn.clone(),
            state: self.state,
            ..entry
        }
    }
}

fn parse_error(error: JsonText<'_>) -> EntryKind {
    let name = error.string("name").unwrap_or_default();
    if name == "MessageAbortedError" {
        return EntryKind::Interruption;
    }
    let message = error.find(&["data", "message"]).and_then(JsonText::as_string);
    EntryKind::Error(message.map_or(name, std::borrow::Cow::into_owned))
}
