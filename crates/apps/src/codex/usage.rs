//! API calls: which lines report one, and when two lines report the same one.
//!
//! `token_count` events carry the total of the thread so far and what the last call used. Codex
//! writes such an event again whenever its rate limits change, and a fork may begin with all
//! events of its parent. Newer versions write a `token_usage_record` with the id of the
//! response beside the event. So a call is recognised by that id, or else by the total at
//! its end, together with the turn; turns keep their ids in a fork. Threads older than the ids
//! of turns are recognised by the oldest thread that is known to hold the call. One file may
//! not know the oldest one, if it is a migrated fork of a fork; see [`follow_forks`].
//!
//! [`usage_of`] reads nothing but these lines. [`crate::codex::Reader`] uses the same state, so both
//! give the same calls.
//!
//! Deliberately not here: sums, prices, and calls that several files share. Equal keys are one
//! call; adding up is the caller's work.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::{Place, TokenCounts, Workplace};
use jiff::Timestamp;
use memchr::{memchr_iter, memmem};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::codex::line::{Peek, START, each_object, peek};
use crate::codex::text::Text;
use crate::codex::workplace::Workplaces;

/// An API call as a rollout file records it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedCall {
    /// The line that reports it.
    pub place: Place,
    /// Equal keys are the same call, also in other files.
    pub key: String,
    /// When it was recorded. A fork gives its own start to the calls that it repeats.
    pub time: Option<Timestamp>,
    /// The model.
    pub model: Option<String>,
    /// Where it was made.
    pub workplace: Option<Arc<Workplace>>,
    /// What it used.
    pub tokens: TokenCounts,
    /// The size of the model's context window.
    pub context_window: Option<u64>,
}

/// The API calls of a file, as [`crate::codex::Reader`] finds them, without reading anything else.
pub fn usage_of(bytes: &[u8]) -> Vec<RecordedCall> {
    let mut reader = UsageReader::default();
    reader.read_on(bytes);
    reader.calls
}

/// Reads the API calls of a file, in parts or whole.
#[derive(Debug, Default)]
pub struct UsageReader {
    /// The calls so far.
    pub calls: Vec<RecordedCall>,
    state: UsageState,
    workplaces: Workplaces,
    /// Bytes and lines taken so far.
    offset: u64,
    lines: u64,
}

impl UsageReader {
    /// Takes whole lines, which follow those taken before. Only the last line of the file may lack
    /// its line break.
    pub fn read_on(&mut self, bytes: &[u8]) {
        let mut objects = memmem::find_iter(bytes, START).peekable();
        let mut start = 0;
        for end in memchr_iter(b'\n', bytes).chain([bytes.len()]) {
            if start == bytes.len() {
                break;
            }
            while objects.next_if(|object| *object <= start).is_some() {}
            let holds_another = objects.peek().is_some_and(|object| *object < end);
            self.read_line(bytes.get(start..end).unwrap_or_default(), holds_another);
            self.offset += 1;
            start = end + 1;
        }
    }

    fn read_line(&mut self, line: &[u8], holds_another: bool) {
        self.lines += 1;
        let place = Place { line: self.lines, offset: self.offset, bytes: line.len() as u64 };
        self.offset += place.bytes;
        let UsageReader { calls, state, workplaces, .. } = self;
        let peeked = peek(line);
        workplaces.note_passed(peeked.as_ref());
        if line.is_empty() || !(holds_another || may_matter(peeked.as_ref(), state)) {
            return;
        }
        each_object(line, |object| {
            let Ok(object) = object else { return };
            let Some(payload) = object.payload else { return };
            let kind = object.payload_kind();
            let kind = kind.as_deref().unwrap_or_default();
            let time = object.timestamp.and_then(|time| time.parse().ok());
            workplaces.note_time(time);
            let change = state.read(&object.kind, kind, payload.get());
            workplaces.read(&object.kind, kind, payload.get(), state.turn.as_deref());
            match change {
                Some(Change::Add { key, tokens }) => calls.push(RecordedCall {
                    place,
                    key,
                    time,
                    model: state.model.clone(),
                    workplace: workplaces.current().cloned(),
                    tokens,
                    context_window: state.context_window,
                }),
                Some(Change::Rekey { call, key }) => {
                    if let Some(call) = calls.get_mut(call) {
                        call.key = key;
                    }
                }
                None => {}
            }
        });
    }
}

/// Completes the key of a call: a key that names a thread is changed to name the thread that
/// this one was forked from, and so on. `parent` gives the thread that a thread was forked
/// from. Keys of newer versions name no thread and stay as they are.
pub fn follow_forks<'a>(key: &str, parent: impl Fn(&str) -> Option<&'a str>) -> String {
    const MOST_FORKS: usize = 100;
    let Some((thread, total)) = key.strip_prefix("thread:").and_then(|key| key.rsplit_once(':'))
    else {
        return key.to_owned();
    };
    let mut root = thread.to_owned();
    for _ in 0..MOST_FORKS {
        let Some(next) = parent(&root) else { break };
        next.clone_into(&mut root);
    }
    format!("thread:{root}:{total}")
}

/// Whether a line may change the state, by its first bytes.
fn may_matter(peeked: Option<&Peek<'_>>, state: &UsageState) -> bool {
    let Some(peeked) = peeked else { return true };
    match peeked.kind {
        b"session_meta" | b"turn_context" | b"token_usage_record" => true,
        b"response_item" => state.waits_for_output(),
        b"event_msg" => peeked.payload.is_none_or(|kind| {
            matches!(
                kind,
                b"token_count" | b"task_started" | b"turn_started" | b"thread_settings_applied"
            )
        }),
        _ => false,
    }
}

/// Tokens as Codex writes them. Cached and written input is part of the input, reasoning part
/// of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
struct Counts {
    input_tokens: Option<i64>,
    cached_input_tokens: Option<i64>,
    cache_write_input_tokens: Option<i64>,
    output_tokens: Option<i64>,
    reasoning_output_tokens: Option<i64>,
}

impl Counts {
    fn tokens(self) -> TokenCounts {
        let number = |count: Option<i64>| u64::try_from(count.unwrap_or(0)).unwrap_or(0);
        let all_input = number(self.input_tokens);
        let cache_read = number(self.cached_input_tokens).min(all_input);
        let cache_write = number(self.cache_write_input_tokens).min(all_input - cache_read);
        let output = number(self.output_tokens);
        TokenCounts {
            input: all_input - cache_read - cache_write,
            cache_read,
            cache_write,
            output,
            reasoning: number(self.reasoning_output_tokens).min(output),
        }
    }
}

/// What one total has more than another.
fn difference(total: TokenCounts, before: TokenCounts) -> TokenCounts {
    TokenCounts {
        input: total.input.saturating_sub(before.input),
        cache_read: total.cache_read.saturating_sub(before.cache_read),
        cache_write: total.cache_write.saturating_sub(before.cache_write),
        output: total.output.saturating_sub(before.output),
        reasoning: total.reasoning.saturating_sub(before.reasoning),
    }
}

/// What a line changes about the calls so far.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// One more call.
    Add { key: String, tokens: TokenCounts },
    /// An earlier call, by its number, has a better key.
    Rekey { call: usize, key: String },
}

/// What has to be remembered between lines.
#[derive(Debug, Default)]
pub(crate) struct UsageState {
    /// The thread of the file.
    own: Option<String>,
    /// The oldest thread that is known to hold calls of this file.
    root: String,
    /// Whether the thread began before this file.
    has_earlier_history: bool,
    /// Whether the model has written anything in this file; watched only with earlier history.
    has_output: bool,
    /// The current turn.
    pub(crate) turn: Option<String>,
    /// The current model.
    pub(crate) model: Option<String>,
    /// The size of its context window.
    pub(crate) context_window: Option<u64>,
    /// The totals so far, with the number of the call that each ended.
    totals: HashMap<TokenKey, Option<usize>>,
    latest_total: TokenCounts,
    responses: HashSet<String>,
    calls: usize,
}

/// Token counts as a key of a map.
type TokenKey = (u64, u64, u64, u64, u64);

fn token_key(tokens: TokenCounts) -> TokenKey {
    (tokens.input, tokens.cache_read, tokens.cache_write, tokens.output, tokens.reasoning)
}

impl UsageState {
    /// Forgets which calls there were, for a caller that does not need them.
    pub(crate) fn forget_calls(&mut self) {
        self.totals.clear();
        self.responses.clear();
    }

    /// Whether it matters that the model writes something.
    fn waits_for_output(&self) -> bool {
        self.has_earlier_history && !self.has_output
    }

    /// Takes one object: the type of its line and of its payload, and the payload.
    pub(crate) fn read(&mut self, kind: &str, payload_kind: &str, payload: &str) -> Option<Change> {
        match (kind, payload_kind) {
            ("session_meta", _) => self.read_meta(payload),
            ("turn_context", _) | ("event_msg", "task_started" | "turn_started") => {
                self.read_turn(payload);
            }
            ("event_msg", "thread_settings_applied") => self.read_settings(payload),
            ("event_msg", "token_count") => return self.read_count(payload),
            ("token_usage_record", _) => return self.read_record(payload),
            ("response_item", _) if self.waits_for_output() => {
                self.has_output = is_output(payload_kind, payload);
            }
            _ => {}
        }
        None
    }

    fn read_meta(&mut self, payload: &str) {
        #[derive(Deserialize)]
        struct Meta<'a> {
            #[serde(borrow)]
            id: Text<'a>,
            #[serde(borrow)]
            forked_from_id: Option<Text<'a>>,
            history_base: Option<IgnoredAny>,
        }
        let Ok(meta) = serde_json::from_str::<Meta<'_>>(payload) else { return };
        if self.own.as_deref() == Some(&*meta.id) {
            return;
        }
        self.has_earlier_history |=
            self.own.is_some() || meta.forked_from_id.is_some() || meta.history_base.is_some();
        let id = meta.id.into_string();
        self.root = meta.forked_from_id.map_or_else(|| id.clone(), Text::into_string);
        self.own.get_or_insert(id);
    }

    fn read_turn(&mut self, payload: &str) {
        #[derive(Deserialize)]
        struct Turn<'a> {
            #[serde(borrow)]
            turn_id: Option<Text<'a>>,
            #[serde(borrow)]
            model: Option<Text<'a>>,
            model_context_window: Option<i64>,
        }
        let Ok(turn) = serde_json::from_str::<Turn<'_>>(payload) else { return };
        if let Some(id) = turn.turn_id {
            replace(&mut self.turn, &id);
        }
        if let Some(model) = turn.model {
            replace(&mut self.model, &model);
        }
        self.note_window(turn.model_context_window);
    }

    fn note_window(&mut self, tokens: Option<i64>) {
        if let Some(tokens) = tokens {
            // Codex writes 0 for a model that it does not know.
            self.context_window = u64::try_from(tokens).ok().filter(|tokens| *tokens > 0);
        }
    }

    fn read_settings(&mut self, payload: &str) {
        #[derive(Deserialize)]
        struct Applied<'a> {
            #[serde(borrow)]
            thread_settings: Settings<'a>,
        }
        #[derive(Deserialize)]
        struct Settings<'a> {
            #[serde(borrow)]
            model: Option<Text<'a>>,
        }
        if let Ok(Applied { thread_settings: Settings { model: Some(model) } }) =
            serde_json::from_str(payload)
        {
            replace(&mut self.model, &model);
        }
    }

    fn read_count(&mut self, payload: &str) -> Option<Change> {
        #[derive(Deserialize)]
        struct Event {
            info: Option<Info>,
        }
        #[derive(Deserialize)]
        struct Info {
            total_token_usage: Option<Counts>,
            last_token_usage: Option<Counts>,
            model_context_window: Option<i64>,
        }
        let info = serde_json::from_str::<Event>(payload).ok()?.info?;
        self.note_window(info.model_context_window);
        // Without a total nothing tells a new call from a repetition.
        let total = info.total_token_usage?.tokens();
        if self.totals.contains_key(&token_key(total)) {
            return None;
        }
        let last = match info.last_token_usage {
            Some(last) => last.tokens(),
            None => difference(total, self.latest_total),
        };
        self.latest_total = total;
        // A fork begins by repeating the total of what came before it.
        let is_repetition = self.waits_for_output() && last != total;
        if is_repetition || last.total() == 0 {
            self.totals.insert(token_key(total), None);
            return None;
        }
        self.totals.insert(token_key(total), Some(self.calls));
        let key = self.key_of(total);
        self.calls += 1;
        Some(Change::Add { key, tokens: last })
    }

    fn read_record(&mut self, payload: &str) -> Option<Change> {
        #[derive(Deserialize)]
        struct Record<'a> {
            #[serde(borrow)]
            response_id: Text<'a>,
            usage: Counts,
            thread_token_usage: Option<Counts>,
        }
        let record = serde_json::from_str::<Record<'_>>(payload).ok()?;
        let response = record.response_id.into_string();
        let key = format!("response:{response}");
        if !self.responses.insert(response) {
            return None;
        }
        // The event of the same call has the same total, before the record or after it.
        if let Some(total) = record.thread_token_usage.map(Counts::tokens) {
            if let Some(Some(call)) = self.totals.insert(token_key(total), None) {
                return Some(Change::Rekey { call, key });
            }
            self.latest_total = total;
        }
        let tokens = record.usage.tokens();
        if tokens.total() == 0 {
            return None;
        }
        self.calls += 1;
        Some(Change::Add { key, tokens })
    }

    fn key_of(&self, total: TokenCounts) -> String {
        let (input, cache_read, cache_write, output, reasoning) = token_key(total);
        let total = format!("{input},{cache_read},{cache_write},{output},{reasoning}");
        match self.turn.as_deref().filter(|turn| is_uuid(turn)) {
            Some(turn) => format!("turn:{turn}:{total}"),
            None => format!("thread:{}:{total}", self.root),
        }
    }
}

/// Replaces the text, keeping its memory.
fn replace(target: &mut Option<String>, text: &str) {
    let target = target.get_or_insert_default();
    if target != text {
        target.clear();
        target.push_str(text);
    }
}

/// Whether a response item was written by the model.
fn is_output(kind: &str, payload: &str) -> bool {
    #[derive(Deserialize)]
    struct Message<'a> {
        #[serde(borrow)]
        role: Text<'a>,
    }
    if kind == "message" {
        return serde_json::from_str::<Message<'_>>(payload)
            .is_ok_and(|message| &*message.role == "assistant");
    }
    kind == "reasoning" || kind.ends_with("_call")
}

/// Older versions number their turns; such ids are not unique.
fn is_uuid(id: &str) -> bool {
    id.len() == 36
        && id.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

#[cfg(test)]
mod tests;
