//! The API calls of a conversation.
//!
//! A call is written as several lines with one message id, and its usage is
//! repeated and grows: the line with the highest counts represents the call. A call
//! can be several requests, one after another. Its usage is their sum, but the
//! model was given one window at a time, so the window is that of the last request.

use crate::turn::{count_in, is_advisor_call};
use jiff::Timestamp;
use std::collections::HashMap;
use transcript::{Body, Count, Json, Record, Usage, json};

/// One API call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// Its message id; old lines may have none.
    pub message_id: Option<String>,
    /// Its first line.
    pub line: u64,
    /// When that was written.
    pub timestamp: Option<Timestamp>,
    /// The model that answered.
    pub model: Option<String>,
    /// The model that was asked for, where the line has it.
    pub requested_model: Option<String>,
    /// The size of the model's context window, where the line has it.
    pub recorded_window: Option<u64>,
    /// The generation it was made in, from 0.
    pub generation: usize,
    /// How many requests it consists of; the input counts are those of the last.
    pub requests: u64,
    /// Tokens neither read from nor written to the cache.
    pub input_tokens: u64,
    /// Tokens read from the cache.
    pub cache_read_tokens: u64,
    /// Tokens written to the cache.
    pub cache_write_tokens: u64,
    /// Of these, tokens written for an hour.
    pub cache_write_1h_tokens: u64,
    /// Output tokens of all requests.
    pub output_tokens: u64,
}

impl Call {
    /// The tokens that the model was given.
    pub fn window(&self) -> u64 {
        self.input_tokens
            .saturating_add(self.cache_read_tokens)
            .saturating_add(self.cache_write_tokens)
    }

    /// The share of them that came from the cache.
    pub fn hit_rate(&self) -> Option<f64> {
        share(self.cache_read_tokens, self.window())
    }

    /// The order that decides which line represents the call.
    fn fullness(&self) -> (u64, u64) {
        (self.output_tokens, self.window())
    }
}

/// The share that a part has of `whole`.
#[expect(clippy::cast_precision_loss, reason = "a share")]
pub(super) fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The figures of one generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Generation {
    /// How many calls were made.
    pub calls: u64,
    /// The largest window.
    pub peak_window: u64,
    /// The last window.
    pub last_window: u64,
}

/// Collects the calls.
#[derive(Default)]
pub(super) struct Calls {
    calls: Vec<Call>,
    by_key: HashMap<String, usize>,
    generations: usize,
}

impl Calls {
    /// Begins a generation.
    pub(super) fn begin(&mut self, number: usize) {
        self.generations = number + 1;
    }

    /// Adds a line. Returns the number of the call if it is new.
    pub(super) fn note(&mut self, record: &Record<'_>, line: u64) -> Option<usize> {
        let Body::Assistant(assistant) = &record.body else { return None };
        let message = assistant.message.as_deref()?;
        let usage = message.usage.as_deref()?;
        // Text that the app writes as the model is not a call.
        if assistant.is_api_error_message || message.model.as_deref() == Some("<synthetic>") {
            return None;
        }
        let input = LastInput::of(usage);
        let call = Call {
            message_id: message.id.as_ref().map(ToString::to_string),
            line,
            timestamp: record.time(),
            model: message.model.as_deref().map(str::to_owned),
            requested_model: assistant.requested_model.as_deref().map(str::to_owned),
            recorded_window: usage.context_window.map(|count| count.0).filter(|size| *size > 0),
            generation: self.generations.saturating_sub(1),
            requests: input.requests,
            input_tokens: input.input,
            cache_read_tokens: input.read,
            cache_write_tokens: input.write,
            cache_write_1h_tokens: input.write_1h,
            output_tokens: usage.output_tokens.unwrap_or_default().0,
        };
        let uuid = || record.envelope.uuid.as_ref().map(ToString::to_string);
        let key = call.message_id.clone().or_else(uuid).unwrap_or_else(|| format!("line {line}"));
        if let Some(number) = self.by_key.get(&key) {
            let known = &mut self.calls[*number];
            if call.fullness() >= known.fullness() {
                // A call keeps the position of its first line.
                let (line, timestamp, generation) = (known.line, known.timestamp, known.generation);
                *known = Call { line, timestamp, generation, ..call };
            }
            return None;
        }
        self.by_key.insert(key, self.calls.len());
        self.calls.push(call);
        Some(self.calls.len() - 1)
    }

    /// The calls, and the figures of each generation.
    pub(super) fn finish(self) -> (Vec<Call>, Vec<Generation>) {
        let mut generations = vec![Generation::default(); self.generations];
        for call in self.calls.iter().filter(|call| call.window() > 0) {
            let Some(generation) = generations.get_mut(call.generation) else { continue };
            generation.calls += 1;
            generation.peak_window = generation.peak_window.max(call.window());
            generation.last_window = call.window();
        }
        (self.calls, generations)
    }
}

/// The API call of a line; `None` if it is not a call, or does not record its tokens.
pub fn call_of(record: &Record<'_>) -> Option<Call> {
    let mut calls = Calls::default();
    calls.note(record, 0)?;
    calls.calls.pop().filter(|call| call.window() > 0)
}

/// The input of the last request of a call.
struct LastInput {
    requests: u64,
    input: u64,
    read: u64,
    write: u64,
    write_1h: u64,
}

impl LastInput {
    fn of(usage: &Usage<'_>) -> LastInput {
        let list = usage.iterations.as_ref().map(Json::as_str).unwrap_or_default();
        // An advisor has a separate window.
        let requests: Vec<&str> =
            json::elements(list).filter(|request| !is_advisor_call(request)).collect();
        if let [_, .., last] = requests[..] {
            let split = json::member(last, "cache_creation").unwrap_or_default();
            return LastInput {
                requests: requests.len() as u64,
                input: count_in(last, "input_tokens"),
                read: count_in(last, "cache_read_input_tokens"),
                write: count_in(last, "cache_creation_input_tokens"),
                write_1h: count_in(split, "ephemeral_1h_input_tokens"),
            };
        }
        let count = |count: Option<Count>| count.unwrap_or_default().0;
        let hour = usage.cache_creation.as_ref().and_then(|split| split.ephemeral_1h_input_tokens);
        LastInput {
            requests: 1,
            input: count(usage.input_tokens),
            read: count(usage.cache_read_input_tokens),
            write: count(usage.cache_creation_input_tokens),
            write_1h: count(hour),
        }
    }
}
