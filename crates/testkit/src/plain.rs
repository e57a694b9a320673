//! Counts API calls in the simplest way: whole JSON values, one rule after the
//! other, without any of the program's own code.
//!
//! Tests compare the program's counts with these. This code is slow and keeps
//! everything in memory; it handles no damage except lines that are not JSON,
//! which it skips.

use jiff::Timestamp;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Input, output, thinking, written to the cache for five minutes, for an hour,
/// read from the cache, web searches.
pub type PlainCounts = [u64; 7];

/// A call, as one object describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlainLine {
    /// `message.id`.
    pub message_id: Option<String>,
    /// `requestId`.
    pub request_id: Option<String>,
    /// `uuid`.
    pub uuid: Option<String>,
    /// `timestamp`.
    pub time: Option<Timestamp>,
    /// `message.model`.
    pub model: Option<String>,
    /// Its token counts.
    pub counts: PlainCounts,
    /// Members of `usage` that change the price: fast, us, batch.
    pub terms: [bool; 3],
    /// Any other service tier.
    pub tier: Option<String>,
    /// Usage of advisors: (model, counts).
    pub advice: Vec<(String, PlainCounts)>,
    /// Tools: (id, name).
    pub tools: Vec<(String, String)>,
    /// `isSidechain`; always set for progress records.
    pub is_sidechain: bool,
    /// Whether it is marked as a copy: fork, background, progress.
    pub copy: [bool; 3],
    /// The number of the file.
    pub file: usize,
    /// The offset in the file.
    pub offset: usize,
}

/// A call: its lines, the line with its counts, and the line that determines
/// its owner.
#[derive(Clone, Debug, PartialEq)]
pub struct PlainCall {
    /// The id that its lines share.
    pub id: String,
    /// The line with its counts.
    pub chosen: PlainLine,
    /// The line that determines its owner.
    pub owner: PlainLine,
    /// The earliest time.
    pub time: Option<Timestamp>,
    /// The tools of all lines.
    pub tools: BTreeSet<(String, String)>,
    /// Whether all its lines belong to an agent.
    pub is_sidechain: bool,
    /// The number of lines.
    pub lines: usize,
}

impl PlainLine {
    /// Parses an object of a transcript; `None` if it is not a line of a call.
    pub fn read(object: &Value) -> Option<PlainLine> {
        let kind = object["type"].as_str();
        let is_progress = kind == Some("progress");
        let line = match kind {
            Some("progress") => &object["data"]["message"],
            Some("assistant") | None => object,
            Some(_) => return None,
        };
        let message = &line["message"];
        let usage = message["usage"].as_object().map(|_| &message["usage"])?;
        let name = |value: &Value| value.as_str().filter(|id| !id.is_empty()).map(str::to_owned);
        let either = |key: &str| name(&line[key]).or_else(|| name(&object[key]));
        let time = |value: &Value| value.as_str().and_then(|text| text.parse().ok());
        let tier = usage["service_tier"].as_str().filter(|tier| !tier.is_empty());
        let advisors =
            list(&usage["iterations"]).filter(|entry| entry["type"] == "advisor_message");
        let used = list(&message["content"])
            .filter(|block| matches!(block["type"].as_str(), Some("tool_use" | "server_tool_use")));
        let text = |value: &Value, other: &str| value.as_str().unwrap_or(other).to_owned();
        Some(PlainLine {
            message_id: name(&message["id"]),
            request_id: either("requestId"),
            uuid: either("uuid"),
            time: time(&line["timestamp"]).or_else(|| time(&object["timestamp"])),
            model: name(&message["model"]),
            counts: counts(usage),
            terms: [
                usage["speed"] == "fast",
                usage["inference_geo"] == "us",
                tier == Some("batch"),
            ],
            tier: tier.filter(|tier| !matches!(*tier, "standard" | "batch")).map(str::to_owned),
            advice: advisors
                .map(|entry| (text(&entry["model"], "(unknown)"), counts(entry)))
                .collect(),
            tools: used
                .map(|block| (text(&block["id"], ""), text(&block["name"], "(unnamed)")))
                .collect(),
            is_sidechain: object["isSidechain"] == true || is_progress,
            copy: [!object["forkedFrom"].is_null(), object["sessionKind"] == "bg", is_progress],
            file: 0,
            offset: 0,
        })
    }

    fn is_copy(&self) -> bool {
        self.copy.contains(&true)
    }

    /// Tokens of prompt and answer.
    pub fn total(&self) -> u64 {
        let [input, output, _, minutes, hour, read, _] = self.counts;
        input + output + minutes + hour + read
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn counts(usage: &Value) -> PlainCounts {
    let number = |value: &Value| count(value).unwrap_or(0);
    let output = number(&usage["output_tokens"]);
    let split = &usage["cache_creation"];
    let minutes = number(&split["ephemeral_5m_input_tokens"]);
    let hour = number(&split["ephemeral_1h_input_tokens"]);
    let unsaid = number(&usage["cache_creation_input_tokens"]).saturating_sub(minutes + hour);
    [
        number(&usage["input_tokens"]),
        output,
        number(&usage["output_tokens_details"]["thinking_tokens"]).min(output),
        minutes + unsaid,
        hour,
        number(&usage["cache_read_input_tokens"]),
        number(&usage["server_tool_use"]["web_search_requests"]),
    ]
}

fn count(value: &Value) -> Option<u64> {
    let number = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "within bounds, and the fraction is dropped on purpose"
    )]
    (0.0..=1e12).contains(&number).then_some(number as u64)
}

/// All lines of calls in these files, in order.
pub fn plain_lines(files: &[Vec<u8>]) -> Vec<PlainLine> {
    let mut found = Vec::new();
    for (file, bytes) in files.iter().enumerate() {
        let mut start = 0;
        for text in bytes.split(|byte| *byte == b'\n') {
            let mut values = serde_json::Deserializer::from_slice(text).into_iter::<Value>();
            let mut offset = start;
            while let Some(Ok(object)) = values.next() {
                found.extend(PlainLine::read(&object).map(|line| PlainLine {
                    file,
                    offset,
                    ..line
                }));
                offset = start + values.byte_offset();
            }
            start += text.len() + 1;
        }
    }
    found
}

/// The calls in these lines, by time, file and offset.
pub fn plain_calls(lines: &[PlainLine]) -> Vec<PlainCall> {
    // Lines without a message id are grouped by request, or else by themselves.
    type Requests<'a> = BTreeMap<Option<&'a String>, Vec<&'a PlainLine>>;
    let mut responses: BTreeMap<(u8, String), Requests<'_>> = BTreeMap::new();
    for line in lines {
        let key = match (&line.message_id, &line.request_id, &line.uuid) {
            (Some(id), _, _) => (0, id.clone()),
            (None, Some(id), _) => (1, id.clone()),
            (None, None, Some(id)) => (2, id.clone()),
            (None, None, None) => (3, format!("{}:{}", line.file, line.offset)),
        };
        let requests = responses.entry(key).or_default();
        requests.entry(line.request_id.as_ref()).or_default().push(line);
    }
    let mut calls = Vec::new();
    for ((_, id), mut requests) in responses {
        if requests.len() > 1
            && let Some(nameless) = requests.remove(&None)
        {
            requests.first_entry().expect("another").get_mut().extend(nameless);
        }
        let is_agents = |lines: &[&PlainLine]| lines.iter().all(|line| line.is_sidechain);
        let has_own = requests.values().any(|lines| !is_agents(lines));
        for lines in requests.into_values() {
            if has_own && is_agents(&lines) {
                continue;
            }
            calls.push(call(&id, &lines));
        }
    }
    calls.sort_by_key(|call| {
        (call.time, call.owner.file, call.chosen.file, call.chosen.offset, call.id.clone())
    });
    calls
}

fn call(id: &str, lines: &[&PlainLine]) -> PlainCall {
    let chosen = lines
        .iter()
        .max_by_key(|line| (line.counts[1], line.total(), line.time, line.file, line.offset))
        .expect("a line");
    let owner = lines
        .iter()
        .min_by_key(|line| (line.is_copy(), line.time.is_none(), line.time, line.file, line.offset))
        .expect("a line");
    PlainCall {
        id: id.to_owned(),
        chosen: (*chosen).clone(),
        owner: (*owner).clone(),
        time: lines.iter().filter_map(|line| line.time).min(),
        tools: lines.iter().flat_map(|line| line.tools.iter().cloned()).collect(),
        is_sidechain: lines.iter().all(|line| line.is_sidechain),
        lines: lines.len(),
    }
}
