//! Reads the `usage` object of an API message.

use crate::line::{AdvisorCall, Counters, Terms};
use std::borrow::Cow;
use transcript::JsonCursor;
use transcript::json::decode_string;

/// The `usage` object of a message.
#[derive(Default)]
pub(crate) struct UsageObject {
    input: u64,
    output: u64,
    thinking: u64,
    write: u64,
    /// By lifetime, if recorded.
    write_5m: Option<u64>,
    write_1h: Option<u64>,
    read: u64,
    web_searches: u64,
    pub(crate) terms: Terms,
    pub(crate) advisor_calls: Vec<AdvisorCall>,
    pub(crate) is_odd: bool,
}

impl UsageObject {
    pub(crate) fn read(&mut self, cursor: &mut JsonCursor<'_>) -> Option<()> {
        cursor.object(|key, cursor| match key {
            b"iterations" => cursor.list(|cursor| self.read_iteration(cursor)),
            _ => self.read_member(key, cursor),
        })
    }

    /// Reads any member except the requests: an advisor has none, and recursion would
    /// be as deep as the input asks for.
    fn read_member(&mut self, key: &[u8], cursor: &mut JsonCursor<'_>) -> Option<()> {
        match key {
            b"input_tokens" => self.input = self.count(cursor)?.0.unwrap_or(0),
            b"output_tokens" => self.output = self.count(cursor)?.0.unwrap_or(0),
            b"cache_creation_input_tokens" => self.write = self.count(cursor)?.0.unwrap_or(0),
            b"cache_read_input_tokens" => self.read = self.count(cursor)?.0.unwrap_or(0),
            b"cache_creation" => cursor.object(|key, cursor| {
                match key {
                    b"ephemeral_5m_input_tokens" => self.write_5m = self.count(cursor)?.0,
                    b"ephemeral_1h_input_tokens" => self.write_1h = self.count(cursor)?.0,
                    _ => drop(cursor.value()?),
                }
                Some(())
            })?,
            b"server_tool_use" => cursor.object(|key, cursor| {
                match key {
                    b"web_search_requests" => {
                        self.web_searches = self.count(cursor)?.0.unwrap_or(0);
                    }
                    _ => drop(cursor.value()?),
                }
                Some(())
            })?,
            b"output_tokens_details" => cursor.object(|key, cursor| {
                match key {
                    b"thinking_tokens" => self.thinking = self.count(cursor)?.0.unwrap_or(0),
                    _ => drop(cursor.value()?),
                }
                Some(())
            })?,
            b"speed" => self.terms.is_fast = cursor.string()?.as_deref() == Some("fast"),
            b"inference_geo" => self.terms.is_us = cursor.string()?.as_deref() == Some("us"),
            b"service_tier" => match cursor.string()?.as_deref() {
                None | Some("standard" | "") => {}
                Some("batch") => self.terms.is_batch = true,
                Some(other) => self.terms.unknown_tier = Some(other.to_owned()),
            },
            _ => drop(cursor.value()?),
        }
        Some(())
    }

    /// Reads a request within the call. Those of the model itself are included in the
    /// call's counts; those of an advisor are not.
    fn read_iteration(&mut self, cursor: &mut JsonCursor<'_>) -> Option<()> {
        let mut usage = UsageObject::default();
        let (mut kind, mut model) = (None, None);
        let mut inner = cursor.clone();
        cursor.object(|key, cursor| {
            match key {
                b"type" => kind = cursor.string()?.map(Cow::into_owned),
                b"model" => model = cursor.string()?.map(Cow::into_owned),
                _ => drop(cursor.value()?),
            }
            Some(())
        })?;
        if kind.as_deref() == Some("advisor_message") {
            inner.object(|key, cursor| usage.read_member(key, cursor))?;
            self.is_odd |= usage.is_odd;
            let model = model.unwrap_or_else(|| "(unknown)".to_owned());
            self.advisor_calls.push(AdvisorCall { model, counters: usage.counters() });
        }
        Some(())
    }

    fn count(&mut self, cursor: &mut JsonCursor<'_>) -> Option<(Option<u64>, bool)> {
        let counted = count(cursor.value()?);
        self.is_odd |= counted.1;
        Some(counted)
    }

    pub(crate) fn counters(&self) -> Counters {
        // Without a split by lifetime, all tokens were written for five minutes; so
        // were those that the split does not cover.
        let split = self.write_5m.unwrap_or(0).saturating_add(self.write_1h.unwrap_or(0));
        let unsplit = self.write.saturating_sub(split);
        Counters {
            input: self.input,
            output: self.output,
            thinking: self.thinking.min(self.output),
            write_5m: self.write_5m.unwrap_or(0).saturating_add(unsplit),
            write_1h: self.write_1h.unwrap_or(0),
            read: self.read,
            web_searches: self.web_searches,
        }
    }
}

/// The largest plausible count: more tokens than a day can have.
const MOST: f64 = 1e12;

/// A count as written, and whether it is malformed. `null` counts as absent; floats lose
/// their fraction; anything invalid counts as 0.
fn count(text: &[u8]) -> (Option<u64>, bool) {
    if !text.is_empty() && text.len() <= 12 && text.iter().all(u8::is_ascii_digit) {
        let number = text.iter().fold(0_u64, |number, digit| number * 10 + u64::from(digit - b'0'));
        return (Some(number), false);
    }
    let text = str::from_utf8(text).unwrap_or_default();
    if text == "null" {
        return (None, false);
    }
    // A string is decoded as JSON, including its escapes.
    let written = match decode_string(text) {
        Some(decoded) => decoded.text,
        None => Cow::Borrowed(text),
    };
    let number = written.trim().parse::<f64>().ok();
    match number.filter(|number| (0.0..=MOST).contains(number)) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "within bounds, and the fraction is dropped on purpose"
        )]
        Some(number) => (Some(number as u64), text.starts_with('"') || number.fract() != 0.0),
        None => (Some(0), true),
    }
}
