//! Entries → the records of one transcript.

use crate::transcript_writer::call_ids::CallIds;
use crate::transcript_writer::chain::{Chain, Stretch};
use crate::transcript_writer::envelope::{Envelope, push_id};
use crate::transcript_writer::file_changes::push_result;
use crate::transcript_writer::json_text::{
    push_json, push_member, push_number, push_string, push_usd,
};
use crate::transcript_writer::layout::Layout;
use crate::transcript_writer::lines::{Arrangement, Lines};
use crate::transcript_writer::record_ids::{RecordId, RecordIds};
use crate::transcript_writer::source::{SourceEntry, SourceSession};
use crate::transcript_writer::texts::{attachment_title, notice_text};
use crate::{ApiCall, App, CallInput, EntryKind, EntryState, Workplace};
use jiff::Timestamp;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use transcript::prompt::VERBATIM;

/// Claude Code's note that the person interrupted the model.
const INTERRUPTION: &str = "[Request interrupted by user]";

/// How the messages of the model and of the user begin.
const BEGIN_MODEL: &[u8] = br#""assistant","message":{"role":"assistant","content":["#;
const BEGIN_USER: &[u8] = br#""user","message":{"role":"user","content":["#;

/// Who wrote a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Author {
    Model,
    User,
}

/// The blocks that can be added to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Accepts {
    /// Words and calls of the model.
    Words,
    /// Attachments alone.
    Attachments,
    /// None: the engine takes the whole record for one text.
    Nothing,
}

/// A record that more blocks can be added to.
#[derive(Debug)]
struct OpenRecord<'a> {
    author: Author,
    id: RecordId,
    /// The source file and line.
    place: (usize, u64),
    state: EntryState,
    time: Option<Timestamp>,
    model: Option<&'a str>,
    /// The API response that it is part of, and whether that began in another stretch.
    response: Option<&'a str>,
    is_apart: bool,
    workplace: Option<&'a Arc<Workplace>>,
    call: Option<&'a ApiCall>,
    blocks: usize,
    /// What can still be added.
    accepts: Accepts,
    /// Members beside the message.
    beside: Vec<u8>,
}

/// Writes the transcript of a session, or of one of its sub-agents.
#[derive(Debug)]
pub(crate) struct Writer<'a> {
    app: App,
    layout: &'a Layout,
    is_agent: bool,
    envelope: Envelope,
    lines: Lines,
    ids: RecordIds,
    calls: CallIds<'a>,
    chain: Chain,
    /// The stretch in which each API response begins.
    responses: HashMap<&'a str, Stretch>,
    /// The folder of the session, if its records also name others.
    moved_to: Option<&'a str>,
    open: Option<OpenRecord<'a>>,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(
        source: &SourceSession<'a>,
        agent: Option<&'a str>,
        layout: &'a Layout,
    ) -> Writer<'a> {
        let arrangement = match (layout.is_aligned(agent.is_some()), layout.is_sorted) {
            (false, _) => Arrangement::OnePerLine,
            (true, true) => Arrangement::InOrder,
            (true, false) => Arrangement::AnyOrder,
        };
        Writer {
            app: source.app,
            layout,
            is_agent: agent.is_some(),
            moved_to: moved_to(source).filter(|_| agent.is_none()),
            envelope: Envelope::new(source, agent),
            lines: Lines::new(
                arrangement,
                if agent == source.agent { expected_bytes(source) } else { 0 },
            ),
            ids: RecordIds::new(source.id, agent, layout.is_sorted),
            calls: CallIds::default(),
            chain: Chain::default(),
            responses: HashMap::new(),
            open: None,
        }
    }

    /// Writes an entry. `agents` are the sub-agents that calls started, and `keys` the API calls
    /// that are written already.
    pub(crate) fn write(
        &mut self,
        entry: &SourceEntry<'a>,
        agents: &HashMap<&'a str, &'a str>,
        keys: &mut HashSet<&'a str>,
    ) {
        match &entry.entry.kind {
            EntryKind::Prompt(text) => {
                self.user_text(entry, text, Accepts::Attachments, b"");
                if let Some(open) = &mut self.open {
                    push_member(&mut open.beside, "promptSource", Some(VERBATIM));
                }
            }
            EntryKind::Text(text) => {
                self.continue_model(entry);
                self.text_block(text);
            }
            EntryKind::Thinking(text) => {
                self.continue_model(entry);
                self.block(b"{\"type\":\"thinking\",\"thinking\":");
                push_string(&mut self.lines.bytes, text);
                self.lines.bytes.push(b'}');
            }
            EntryKind::Call { id, tool, input } => self.call(entry, id, tool, input),
            EntryKind::Result { call, text, is_error, exit_code, changes } => {
                self.begin_result(entry);
                let id = self.calls.result(call, self.chain.branch());
                self.block(b"{\"type\":\"tool_result\",\"tool_use_id\":");
                push_string(&mut self.lines.bytes, &id);
                self.lines.bytes.extend_from_slice(b",\"content\":");
                push_string(&mut self.lines.bytes, text);
                let end: &[u8] = if *is_error { b",\"is_error\":true}" } else { b"}" };
                self.lines.bytes.extend_from_slice(end);
                if let Some(open) = &mut self.open {
                    let agent = agents.get(call.as_str()).copied();
                    push_result(&mut open.beside, self.app, agent, *exit_code, changes);
                }
            }
            EntryKind::Attachment { kind, bytes } => self.attachment(entry, kind, *bytes),
            EntryKind::Compaction(summary) => self.compaction(entry, summary),
            EntryKind::Interruption => {
                self.user_text(entry, INTERRUPTION, Accepts::Nothing, b"");
            }
            EntryKind::Error(text) => self.error(entry, text),
            EntryKind::Notice(kind, text) => {
                let text = notice_text(kind, text);
                self.user_text(entry, &text, Accepts::Attachments, self.app_origin());
            }
            // Nothing to show.
            _ => {}
        }
        for call in entry.calls.iter().copied().filter(|call| keys.insert(call.key.as_str())) {
            self.api_call(entry, call);
        }
    }

    /// The transcript.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.close();
        let mut last = Vec::new();
        if let Some(folder) = self.moved_to {
            last.extend_from_slice(b"{\"type\":\"relocated\"");
            push_member(&mut last, "relocatedCwd", Some(folder));
            last.push(b'}');
        }
        if self.is_agent {
            // The conversation of a sub-agent is what leads to its last message.
            if !self.chain.ends_live() {
                let id = self.ids.next(usize::MAX, 0);
                self.envelope.begin(&mut last, self.chain.leaf());
                last.extend_from_slice(BEGIN_MODEL);
                last.extend_from_slice(b"]}");
                self.envelope.end(&mut last, id, None, None, false);
            }
        } else if self.chain.is_end_hidden() {
            if !last.is_empty() {
                last.push(b'\n');
            }
            last.extend_from_slice(b"{\"type\":\"last-prompt\",\"leafUuid\":");
            push_id(&mut last, self.chain.leaf());
            last.extend_from_slice(b",\"explicit\":true}");
        }
        self.lines.finish(&last)
    }

    /// What distinguishes user records of the app from prompts. In the transcript of a sub-agent
    /// that is another member than in a session's.
    fn app_origin(&self) -> &'static [u8] {
        if self.is_agent {
            b",\"isMeta\":true,\"origin\":{\"kind\":\"app\"}"
        } else {
            b",\"origin\":{\"kind\":\"app\"}"
        }
    }

    /// Begins a record at the end of the conversation, or of the abandoned branch that an entry
    /// is on.
    fn begin(&mut self, entry: &SourceEntry<'a>, author: Author) {
        self.close();
        let place = (entry.file, entry.entry.place.line);
        let id = self.begin_line(entry);
        let parent = self.chain.add(id, entry, self.layout.line(entry));
        self.envelope.begin(&mut self.lines.bytes, parent);
        let response = entry.entry.response.as_deref().filter(|_| author == Author::Model);
        let is_apart = response.is_some_and(|response| self.began_elsewhere(response));
        self.lines.bytes.extend_from_slice(match author {
            Author::Model => BEGIN_MODEL,
            Author::User => BEGIN_USER,
        });
        self.open = Some(OpenRecord {
            author,
            id,
            place,
            state: entry.state,
            time: entry.entry.time.or_else(|| entry.calls.first()?.time),
            model: entry.entry.model.as_deref(),
            response,
            is_apart,
            workplace: entry.entry.workplace.as_ref(),
            call: None,
            blocks: 0,
            accepts: Accepts::Words,
            beside: Vec::new(),
        });
    }

    fn begin_line(&mut self, entry: &SourceEntry<'a>) -> RecordId {
        self.lines.begin(self.layout.line(entry));
        self.ids.next(entry.file, entry.entry.place.line)
    }

    /// Ends the open record.
    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        let bytes = &mut self.lines.bytes;
        bytes.push(b']');
        if open.author == Author::Model && !open.is_apart {
            let model = open.call.and_then(|call| call.model.as_deref()).or(open.model);
            push_member(bytes, "model", model);
        }
        let response = open.response.filter(|_| !open.is_apart);
        let id = open.call.map(|call| call.key.as_str()).or(response);
        let id = id.map(|id| format!("{}:{id}", self.app.name()));
        push_member(bytes, "id", id.as_deref());
        if let Some(call) = open.call {
            push_usage(bytes, call);
            bytes.push(b'}');
            push_member(bytes, "requestId", id.as_deref());
            if let Some(cost) = call.reported_cost() {
                bytes.extend_from_slice(b",\"costUSD\":");
                push_usd(bytes, cost);
            }
        } else {
            bytes.push(b'}');
        }
        bytes.extend_from_slice(&open.beside);
        let is_copy = open.state == EntryState::Replayed;
        self.envelope.end(bytes, open.id, open.time, open.workplace, is_copy);
    }

    /// Whether an API response began on another branch or in another generation. The engine takes
    /// the records of a response together, wherever they are; so records elsewhere do not name it,
    /// and have no model, like everything that is not a response by itself.
    fn began_elsewhere(&mut self, response: &'a str) -> bool {
        let stretch = self.chain.stretch();
        *self.responses.entry(response).or_insert(stretch) != stretch
    }

    /// Whether an entry can be added to the open record: it is of the same source line, branch
    /// and time.
    fn belongs_to_open(&self, entry: &SourceEntry<'a>) -> bool {
        self.open.as_ref().is_some_and(|open| {
            open.place == (entry.file, entry.entry.place.line)
                && open.state == entry.state
                && (open.time == entry.entry.time || entry.entry.time.is_none())
        })
    }

    /// Makes the open record one of the model.
    fn continue_model(&mut self, entry: &SourceEntry<'a>) {
        let is_same = self.belongs_to_open(entry)
            && self.open.as_ref().is_some_and(|open| {
                open.author == Author::Model
                    && open.accepts == Accepts::Words
                    && open.model == entry.entry.model.as_deref()
                    && open.response == entry.entry.response.as_deref()
            });
        if !is_same {
            self.begin(entry, Author::Model);
        }
    }

    /// Begins a block of the open record.
    fn block(&mut self, start: &[u8]) {
        if let Some(open) = &mut self.open {
            if open.blocks > 0 {
                self.lines.bytes.push(b',');
            }
            open.blocks += 1;
        }
        self.lines.bytes.extend_from_slice(start);
    }

    fn text_block(&mut self, text: &str) {
        self.block(b"{\"type\":\"text\",\"text\":");
        push_string(&mut self.lines.bytes, text);
        self.lines.bytes.push(b'}');
    }

    fn user_text(&mut self, entry: &SourceEntry<'a>, text: &str, accepts: Accepts, beside: &[u8]) {
        self.begin(entry, Author::User);
        self.text_block(text);
        self.complete(accepts, beside);
    }

    /// Says what can still be added, and adds members beside the message.
    fn complete(&mut self, accepts: Accepts, beside: &[u8]) {
        if let Some(open) = &mut self.open {
            open.accepts = accepts;
            open.beside.extend_from_slice(beside);
        }
    }

    fn call(&mut self, entry: &SourceEntry<'a>, id: &'a str, tool: &str, input: &CallInput) {
        self.continue_model(entry);
        let id = self.calls.call(id, self.chain.branch());
        self.block(b"{\"type\":\"tool_use\",\"id\":");
        let bytes = &mut self.lines.bytes;
        push_string(bytes, &id);
        push_member(bytes, "name", Some(tool));
        bytes.extend_from_slice(b",\"input\":");
        let text = match input {
            CallInput::Json(json) if push_json(bytes, json) => None,
            CallInput::Json(text) | CallInput::Text(text) => Some(text),
        };
        if let Some(text) = text {
            bytes.extend_from_slice(b"{\"input\":");
            push_string(bytes, text);
            bytes.push(b'}');
        }
        bytes.push(b'}');
    }

    /// Begins the record of a result. The engine takes a result right below the record of a call
    /// into the conversation, whatever branch it is on; so a branch does not begin with one.
    fn begin_result(&mut self, entry: &SourceEntry<'a>) {
        if self.chain.begins_branch(entry) {
            self.begin(entry, Author::Model);
        }
        self.begin(entry, Author::User);
        self.complete(Accepts::Attachments, b"");
    }

    fn attachment(&mut self, entry: &SourceEntry<'a>, kind: &str, bytes: u64) {
        let accepts = |open: &OpenRecord<'_>| open.accepts != Accepts::Nothing;
        if !self.belongs_to_open(entry) || !self.open.as_ref().is_some_and(accepts) {
            self.begin(entry, Author::User);
            self.complete(Accepts::Attachments, self.app_origin());
        }
        let title = attachment_title(kind, bytes);
        if kind.starts_with("image") {
            self.block(b"{\"type\":\"image\",\"source\":{\"type\":\"file\"");
            push_member(&mut self.lines.bytes, "media_type", Some(&title));
        } else {
            self.block(b"{\"type\":\"document\",\"title\":");
            push_string(&mut self.lines.bytes, &title);
            self.lines.bytes.extend_from_slice(b",\"source\":{\"type\":\"file\"");
        }
        self.lines.bytes.extend_from_slice(b"}}");
    }

    fn error(&mut self, entry: &SourceEntry<'a>, text: &str) {
        self.begin(entry, Author::Model);
        self.text_block(text);
        self.complete(Accepts::Nothing, b",\"isApiErrorMessage\":true");
        if let Some(open) = &mut self.open {
            open.model = Some("<synthetic>");
        }
    }

    /// Writes a boundary and the summary. On an abandoned branch, only the summary: a boundary
    /// begins a generation of the conversation.
    fn compaction(&mut self, entry: &SourceEntry<'a>, summary: &str) {
        if !Chain::is_abandoned(entry.state) {
            if self.chain.leaf().is_none() && !(self.layout.is_sorted && self.chain.is_empty()) {
                // The engine takes what is written before for the generation before.
                self.begin(entry, Author::Model);
            }
            self.boundary(entry);
        }
        self.user_text(entry, summary, Accepts::Nothing, b",\"isCompactSummary\":true");
    }

    fn boundary(&mut self, entry: &SourceEntry<'a>) {
        self.close();
        let before = self.chain.leaf();
        let id = self.begin_line(entry);
        self.chain.add(id, entry, self.layout.line(entry));
        self.chain.begin_generation();
        let bytes = &mut self.lines.bytes;
        self.envelope.begin(bytes, None);
        bytes.extend_from_slice(
            b"\"system\",\"subtype\":\"compact_boundary\",\"content\":\"Conversation compacted\",\
              \"compactMetadata\":{},\"logicalParentUuid\":",
        );
        push_id(bytes, before);
        let is_copy = entry.state == EntryState::Replayed;
        self.envelope.end(bytes, id, entry.entry.time, entry.entry.workplace.as_ref(), is_copy);
    }

    /// Adds an API call to the record of the model's words that it reports, or else writes a
    /// record without words.
    fn api_call(&mut self, entry: &SourceEntry<'a>, call: &'a ApiCall) {
        let is_free = self.belongs_to_open(entry)
            && self.open.as_ref().is_some_and(|open| {
                open.author == Author::Model
                    && open.accepts == Accepts::Words
                    && open.call.is_none()
                    && !open.is_apart
                    && open.response.is_none_or(|response| response == call.key)
            });
        if !is_free {
            self.begin(entry, Author::Model);
        }
        self.began_elsewhere(&call.key);
        if let Some(open) = &mut self.open {
            open.call = Some(call);
            open.workplace = call.workplace.as_ref().or(open.workplace);
        }
    }
}

/// About as many bytes as its source has, if that is plausible.
fn expected_bytes(source: &SourceSession<'_>) -> usize {
    const LARGEST: u64 = 16 << 20;
    let ends = source.entries.iter().map(|entry| {
        let place = entry.entry.place;
        place.offset.saturating_add(place.bytes)
    });
    usize::try_from(ends.max().unwrap_or_default().min(LARGEST)).unwrap_or_default()
}

fn push_usage(bytes: &mut Vec<u8>, call: &ApiCall) {
    let tokens = call.tokens;
    bytes.extend_from_slice(b",\"usage\":{\"input_tokens\":");
    push_number(bytes, tokens.input);
    bytes.extend_from_slice(b",\"cache_creation_input_tokens\":");
    push_number(bytes, tokens.cache_write);
    bytes.extend_from_slice(b",\"cache_read_input_tokens\":");
    push_number(bytes, tokens.cache_read);
    bytes.extend_from_slice(b",\"output_tokens\":");
    push_number(bytes, tokens.output);
    if tokens.reasoning > 0 {
        bytes.extend_from_slice(b",\"output_tokens_details\":{\"thinking_tokens\":");
        push_number(bytes, tokens.reasoning);
        bytes.push(b'}');
    }
    if let Some(window) = call.context_window {
        bytes.extend_from_slice(b",\"context_window\":");
        push_number(bytes, window);
    }
    bytes.push(b'}');
}

/// The folder of a session that began in another one. Otherwise the first record names it.
fn moved_to<'a>(source: &SourceSession<'a>) -> Option<&'a str> {
    let present = source.header.directory.as_deref()?;
    let mut workplaces = source.entries.iter().filter_map(|entry| entry.entry.workplace.as_ref());
    let is_other = |folder: &str| folder != present;
    let moved = workplaces.any(|workplace| workplace.directory.as_deref().is_some_and(is_other));
    moved.then_some(present)
}
