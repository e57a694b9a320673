//! The reader of one rollout file.
//!
//! Every object of the file gives at least one entry. Codex writes most things twice: once as
//! the item that it sends to the model (`response_item`), once as the event that its own
//! screens show (`event_msg`; in the paginated form `item_completed`). One of the two becomes
//! the content, the other is [`crate::EntryKind::Silent`]: see `mirrors.rs` and `tools.rs`.
//!
//! Deliberately not here: other files of the thread; see [`crate::codex::assemble()`].

mod events;
mod items;
mod messages;
mod meta;
mod mirrors;
mod responses;
mod tools;
mod turns;

use crate::{
    ApiCall, Entry, EntryKind, EntryState, Place, Problem, ProblemKind, Read, Session,
    large_line_bytes,
};
use jiff::Timestamp;
use memchr::memchr_iter;

use self::mirrors::Mirrors;
use self::responses::Responses;
use self::tools::Tools;
use self::turns::Turns;
use crate::codex::line::{Line, Peek, each_object};
use crate::codex::usage::{Change, UsageState};
use crate::codex::workplace::Workplaces;

/// Reads one rollout file, in parts or whole.
#[derive(Debug, Default)]
pub struct Reader {
    session: Session,
    /// Bytes and lines taken so far.
    offset: u64,
    lines: u64,
    /// The thread of the file and its path among agents, after the first `session_meta`.
    own: Option<String>,
    agent_path: Option<String>,
    /// Whether events tell what the person typed, as they do in all but the oldest files.
    has_prompt_events: bool,
    /// The entry that the header's first prompt comes from.
    first_prompt: Option<usize>,
    usage: UsageState,
    workplaces: Workplaces,
    responses: Responses,
    turns: Turns,
    mirrors: Mirrors,
    tools: Tools,
}

/// Where and when an entry was written.
#[derive(Clone, Copy)]
struct Position {
    place: Place,
    time: Option<Timestamp>,
}

impl Read for Reader {
    fn read_on(&mut self, bytes: &[u8]) -> usize {
        let mut start = 0;
        for end in memchr_iter(b'\n', bytes) {
            self.read_line(bytes.get(start..end).unwrap_or_default());
            self.end_line();
            start = end + 1;
        }
        start
    }

    fn read_last(&mut self, bytes: &[u8]) {
        self.read_line(bytes);
    }

    fn session(&self) -> &Session {
        &self.session
    }

    fn into_session(self) -> Session {
        self.session
    }
}

impl Reader {
    /// How many bytes were taken so far.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Passes over a line that does not matter to the caller, with what its first bytes tell.
    pub(crate) fn skip_line(&mut self, line: &[u8], peeked: Option<&Peek<'_>>) {
        self.lines += 1;
        self.offset += line.len() as u64;
        self.workplaces.note_passed(peeked);
    }

    /// Drops everything that is not needed to read the header of the lines that follow.
    pub(crate) fn drop_entries(&mut self) {
        let session = &mut self.session;
        if session.entries.is_empty() && session.problems.is_empty() {
            return;
        }
        session.entries = Vec::new();
        session.problems = Vec::new();
        session.api_calls = Vec::new();
        self.usage.forget_calls();
        self.responses = Responses::default();
        self.turns = Turns::default();
        self.mirrors = Mirrors::default();
        self.tools = Tools::default();
    }

    /// Takes the break after a line.
    pub(crate) fn end_line(&mut self) {
        self.offset += 1;
    }

    pub(crate) fn read_line(&mut self, line: &[u8]) {
        self.lines += 1;
        let place = Place { line: self.lines, offset: self.offset, bytes: line.len() as u64 };
        self.offset += place.bytes;
        if large_line_bytes(line).is_some() {
            let kind = ProblemKind::TooLarge;
            self.session.problems.push(Problem { line: place.line, kind });
            self.push(Position { place, time: None }, None, EntryKind::Unknown("line".to_owned()));
        } else if !line.trim_ascii().is_empty() {
            each_object(line, |object| match object {
                Ok(object) => self.read_object(place, &object),
                Err(kind) => {
                    self.session.problems.push(Problem { line: place.line, kind });
                    if !matches!(kind, ProblemKind::GluedObjects | ProblemKind::NotUtf8) {
                        let position = Position { place, time: None };
                        self.push(position, None, EntryKind::Unknown("line".to_owned()));
                    }
                }
            });
        }
    }

    fn read_object(&mut self, place: Place, object: &Line<'_>) {
        let time = object.timestamp.as_deref().and_then(|time| time.parse().ok());
        let position = Position { place, time };
        self.note_time(time);
        self.workplaces.note_time(time);
        let payload_kind = object.payload_kind();
        let payload_kind = payload_kind.as_deref().unwrap_or_default();
        let payload = object.payload.map_or("null", |payload| payload.get());
        let change = self.usage.read(&object.kind, payload_kind, payload);
        if self.session.header.model != self.usage.model {
            self.session.header.model.clone_from(&self.usage.model);
        }
        let turn = self.usage.turn.as_deref();
        self.workplaces.read(&object.kind, payload_kind, payload, turn);
        self.note_workplace();
        let before = self.session.entries.len();
        let done = match &*object.kind {
            "session_meta" => self.read_meta(position, payload),
            "turn_context" => {
                self.push_silent(position, "turn_context");
                Ok(())
            }
            "response_item" => self.read_item(position, payload_kind, payload),
            "event_msg" => self.read_event(position, payload_kind, payload),
            "compacted" => self.read_compacted(position, payload),
            "inter_agent_communication" => self.read_communication(position, payload),
            kind @ ("world_state"
            | "token_usage_record"
            | "inter_agent_communication_metadata"
            | "security_risk_score") => {
                self.push_silent(position, kind);
                Ok(())
            }
            kind => {
                self.push_unknown(position, kind.to_owned());
                Ok(())
            }
        };
        if done.is_err() {
            let kind = ProblemKind::UnexpectedShape;
            self.session.problems.push(Problem { line: place.line, kind });
            let separator = if payload_kind.is_empty() { "" } else { "/" };
            let name = format!("{}{separator}{payload_kind}", &*object.kind);
            self.push(position, None, EntryKind::Unknown(name));
        }
        self.apply(change, before, time);
    }

    /// Takes over what a line says about API calls.
    fn apply(&mut self, change: Option<Change>, entry: usize, time: Option<Timestamp>) {
        match change {
            Some(Change::Add { key, tokens }) => {
                self.note_report(&key);
                self.session.api_calls.push(ApiCall {
                    key,
                    entry,
                    time,
                    model: self.usage.model.clone(),
                    agent: None,
                    workplace: self.workplaces.current().cloned(),
                    tokens,
                    context_window: self.usage.context_window,
                    reported_pico_usd: None,
                });
            }
            Some(Change::Rekey { call, key }) => {
                self.name_response(call, &key);
                if let Some(call) = self.session.api_calls.get_mut(call) {
                    call.key = key;
                }
            }
            None => {}
        }
    }

    /// Takes over where the thread is now.
    fn note_workplace(&mut self) {
        let Some(own) = &self.workplaces.own else { return };
        let header = &mut self.session.header;
        if header.directory != own.directory || header.branch != own.branch {
            header.directory.clone_from(&own.directory);
            header.branch.clone_from(&own.branch);
        }
    }

    fn note_time(&mut self, time: Option<Timestamp>) {
        let Some(time) = time else { return };
        let header = &mut self.session.header;
        header.started = Some(header.started.map_or(time, |started| started.min(time)));
        header.ended = Some(header.ended.map_or(time, |ended| ended.max(time)));
    }

    /// Appends an entry and returns its number.
    fn push(&mut self, position: Position, id: Option<&str>, kind: EntryKind) -> usize {
        let by_model =
            matches!(kind, EntryKind::Text(_) | EntryKind::Thinking(_) | EntryKind::Call { .. });
        if by_model {
            self.settle_prompts();
        }
        self.end_response(&kind);
        let entry = Entry {
            place: position.place,
            id: id.map(str::to_owned),
            time: position.time,
            turn: self.usage.turn.clone(),
            agent: None,
            model: self.usage.model.clone().filter(|_| by_model),
            response: by_model.then(|| self.responses.id_at(position)),
            workplace: self.workplaces.current().cloned(),
            state: if self.workplaces.replay.is_active {
                EntryState::Replayed
            } else {
                EntryState::Live
            },
            kind,
        };
        self.session.entries.push(entry);
        self.session.entries.len() - 1
    }

    fn push_silent(&mut self, position: Position, kind: &str) {
        self.push(position, None, EntryKind::Silent(kind.to_owned()));
    }

    fn push_notice(&mut self, position: Position, id: Option<&str>, kind: &str, text: String) {
        self.push(position, id, EntryKind::Notice(kind.to_owned(), text));
    }

    fn push_unknown(&mut self, position: Position, kind: String) {
        self.session.unknown.add(&kind);
        self.push(position, None, EntryKind::Unknown(kind));
    }

    /// Makes an earlier entry silent, because a later one says the same better.
    fn silence(&mut self, entry: usize, kind: &str) {
        if let Some(entry) = self.session.entries.get_mut(entry) {
            entry.kind = EntryKind::Silent(kind.to_owned());
        }
    }
}

/// The result of reading a payload: an error means that it has an unexpected shape.
type Done = Result<(), serde_json::Error>;
