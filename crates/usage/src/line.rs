//! What one line of a transcript says of an API call.
//!
//! Lines are looked at only where `"usage"` stands in them, and then with a
//! cursor that takes what is needed and steps over the rest: this is what makes
//! gigabytes count in a second. A line that the cursor cannot walk goes through
//! the parser, which knows every damage.

use crate::money::PicoUsd;
use jiff::Timestamp;
use std::borrow::Cow;
use transcript::json::decode_string;
use transcript::{JsonCursor, Line, RecordKind, parse_line, parse_timestamp};

/// What stands in every line that speaks of a call.
pub const NEEDLE: &str = "\"usage\"";

/// What an API call used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Counters {
    /// Prompt tokens outside the cache.
    pub input: u64,
    /// Tokens answered.
    pub output: u64,
    /// Those of them that were thought.
    pub thinking: u64,
    /// Tokens written to the cache for five minutes.
    pub write_5m: u64,
    /// Tokens written to the cache for an hour.
    pub write_1h: u64,
    /// Tokens read from the cache.
    pub read: u64,
    /// Web searches.
    pub web_searches: u64,
}

impl Counters {
    /// The whole prompt.
    pub fn prompt(&self) -> u64 {
        let written = self.write_5m.saturating_add(self.write_1h);
        self.input.saturating_add(self.read).saturating_add(written)
    }

    /// Every token.
    pub fn total(&self) -> u64 {
        self.prompt().saturating_add(self.output)
    }

    /// Both together.
    #[must_use]
    pub fn plus(&self, other: &Counters) -> Counters {
        Counters {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            thinking: self.thinking.saturating_add(other.thinking),
            write_5m: self.write_5m.saturating_add(other.write_5m),
            write_1h: self.write_1h.saturating_add(other.write_1h),
            read: self.read.saturating_add(other.read),
            web_searches: self.web_searches.saturating_add(other.web_searches),
        }
    }
}

/// What changes the price of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Answered fast, at a price.
    pub is_fast: bool,
    /// Kept in the United States.
    pub is_us: bool,
    /// Answered in a batch.
    pub is_batch: bool,
    /// A tier whose price nobody knows.
    pub unknown_tier: Option<String>,
}

/// A call another model made to advise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Advice {
    /// That model.
    pub model: String,
    /// What it used.
    pub counters: Counters,
}

/// Where a line comes from, as far as it says so itself.
#[derive(Clone, Debug, Default)]
pub struct Origin<'a> {
    /// The session it names.
    pub session: Option<Cow<'a, str>>,
    /// The working directory.
    pub cwd: Option<Cow<'a, str>>,
    /// The git branch.
    pub branch: Option<Cow<'a, str>>,
    /// The version of Claude Code.
    pub version: Option<Cow<'a, str>>,
    /// How Claude Code was started.
    pub entrypoint: Option<Cow<'a, str>>,
    /// How hard the model was asked to try.
    pub effort: Option<Cow<'a, str>>,
    /// The type of sub-agent it is charged to.
    pub agent: Option<Cow<'a, str>>,
    /// The skill it is charged to.
    pub skill: Option<Cow<'a, str>>,
    /// The plugin it is charged to.
    pub plugin: Option<Cow<'a, str>>,
    /// The MCP server it is charged to.
    pub mcp: Option<Cow<'a, str>>,
    /// Whether it belongs to a sub-agent.
    pub is_sidechain: bool,
    /// Whether it was copied from another session, which it says.
    pub is_fork: bool,
    /// Whether it was replayed in the background.
    pub is_background: bool,
    /// Whether it repeats a sub-agent's line as a sign of progress.
    pub is_progress: bool,
}

/// What one line says of an API call.
#[derive(Clone, Debug, Default)]
pub struct CallLine<'a> {
    /// The API response.
    pub message_id: Option<Cow<'a, str>>,
    /// The API request.
    pub request_id: Option<Cow<'a, str>>,
    /// The line.
    pub uuid: Option<Cow<'a, str>>,
    /// When it was written.
    pub time: Option<Timestamp>,
    /// The model that answered.
    pub model: Option<Cow<'a, str>>,
    /// What was used so far.
    pub counters: Counters,
    /// What changes the price.
    pub terms: Terms,
    /// Old lines: what the app thought it cost.
    pub cost: Option<PicoUsd>,
    /// Calls of other models beside it.
    pub advice: Vec<Advice>,
    /// Tools it called: (id, name).
    pub tools: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    /// Where it comes from.
    pub origin: Origin<'a>,
    /// Where in its file the line begins.
    pub offset: u64,
    /// Whether a count or a time in it is none or not whole, or there is no
    /// time: it was counted as far as it goes.
    pub is_odd: bool,
    /// What the app says of a limit that was reached.
    pub limit_notice: Option<Cow<'a, str>>,
}

/// What a line that speaks of usage turned out to be.
#[derive(Debug)]
pub enum Read<'a> {
    /// A line of a call.
    Call(Box<CallLine<'a>>),
    /// Something else: a tool's answer that speaks of usage.
    Other,
    /// Not readable: where it begins.
    Damaged(u64),
}

/// Reads a line that holds `"usage"`. Several objects glued together are read
/// one by one.
pub fn read_line<'a>(line: Line<'a>, mut each: impl FnMut(Read<'a>)) {
    read_objects(line, |_, read| each(read));
}

/// The same, with the bytes of each object.
pub(crate) fn read_objects<'a>(line: Line<'a>, mut each: impl FnMut(&'a [u8], Read<'a>)) {
    if let Some(read) = walk(line.bytes, line.offset) {
        each(line.bytes, read);
        return;
    }
    for entry in parse_line(line) {
        let read = match entry.record.kind {
            RecordKind::Blank => continue,
            RecordKind::Damaged => Read::Damaged(entry.offset),
            // The parser took it, so it is an object the cursor can walk, but
            // for what stands around it.
            _ => walk(entry.record.raw, entry.offset).unwrap_or(Read::Damaged(entry.offset)),
        };
        each(entry.record.raw, read);
    }
}

/// Walks one object; `None` where it is none.
fn walk(bytes: &[u8], offset: u64) -> Option<Read<'_>> {
    let mut cursor = JsonCursor::new(bytes);
    if cursor.peek()? != b'{' {
        return None;
    }
    let mut line = CallLine { offset, ..CallLine::default() };
    let mut kind = None;
    let mut message = Message::default();
    let mut repeated = None;
    cursor.object(|key, cursor| {
        match key {
            b"type" => kind = cursor.string()?,
            b"message" => message.read(cursor)?,
            b"requestId" => read_name(&mut line.request_id, cursor)?,
            b"uuid" => read_name(&mut line.uuid, cursor)?,
            b"timestamp" => read_time(&mut line.time, cursor)?,
            b"data" => read_progress(&mut repeated, cursor)?,
            b"costUSD" => line.read_cost(cursor)?,
            _ => line.origin.read(key, cursor)?,
        }
        Some(())
    })?;
    if !cursor.is_done() {
        return None;
    }
    match kind.as_deref() {
        // A line that lost its type is known by what it holds.
        Some("assistant") | None => {}
        Some("progress") => {
            let repeated = repeated.unwrap_or_default();
            line.origin.is_progress = true;
            line.request_id = repeated.request_id.or(line.request_id);
            line.uuid = repeated.uuid.or(line.uuid);
            line.time = repeated.time.or(line.time);
            message = repeated.message;
        }
        Some(_) => return Some(Read::Other),
    }
    if !message.has_usage {
        return Some(Read::Other);
    }
    line.is_odd |= line.time.is_none();
    line.message_id = message.id;
    line.model = message.model;
    line.counters = message.counters;
    line.terms = message.terms;
    line.advice = message.advice;
    line.tools = message.tools;
    line.is_odd |= message.is_odd;
    let text = message.text.filter(|text| speaks_of_limit(text));
    line.limit_notice = text.filter(|_| line.model.as_deref() == Some("<synthetic>"));
    Some(Read::Call(Box::new(line)))
}

fn speaks_of_limit(text: &str) -> bool {
    text.contains("limit reached")
        || text.contains("out of extra usage")
        || text.contains("hit your")
}

impl CallLine<'_> {
    /// The same, no longer borrowing from the line.
    pub fn into_owned(self) -> CallLine<'static> {
        let owned = |text: Option<Cow<'_, str>>| text.map(|text| Cow::Owned(text.into_owned()));
        CallLine {
            message_id: owned(self.message_id),
            request_id: owned(self.request_id),
            uuid: owned(self.uuid),
            model: owned(self.model),
            limit_notice: owned(self.limit_notice),
            tools: self
                .tools
                .into_iter()
                .map(|(id, name)| (Cow::Owned(id.into_owned()), Cow::Owned(name.into_owned())))
                .collect(),
            origin: Origin {
                session: owned(self.origin.session),
                cwd: owned(self.origin.cwd),
                branch: owned(self.origin.branch),
                version: owned(self.origin.version),
                entrypoint: owned(self.origin.entrypoint),
                effort: owned(self.origin.effort),
                agent: owned(self.origin.agent),
                skill: owned(self.origin.skill),
                plugin: owned(self.origin.plugin),
                mcp: owned(self.origin.mcp),
                ..self.origin
            },
            time: self.time,
            counters: self.counters,
            terms: self.terms,
            cost: self.cost,
            advice: self.advice,
            offset: self.offset,
            is_odd: self.is_odd,
        }
    }
}

impl<'a> CallLine<'a> {
    fn read_cost(&mut self, cursor: &mut JsonCursor<'a>) -> Option<()> {
        let text = str::from_utf8(cursor.value()?).unwrap_or_default();
        self.cost = PicoUsd::parse(text).filter(|cost| cost.0 >= 0);
        self.is_odd |= self.cost.is_none() && text != "null";
        Some(())
    }
}

/// Reads an id; what is empty names nothing.
fn read_name<'a>(place: &mut Option<Cow<'a, str>>, cursor: &mut JsonCursor<'a>) -> Option<()> {
    *place = cursor.string()?.filter(|id| !id.is_empty());
    Some(())
}

fn read_time(place: &mut Option<Timestamp>, cursor: &mut JsonCursor<'_>) -> Option<()> {
    *place = cursor.string()?.as_deref().and_then(parse_timestamp);
    Some(())
}

/// The agent's line that a sign of progress repeats: `data.message`.
#[derive(Default)]
struct Repeated<'a> {
    message: Message<'a>,
    request_id: Option<Cow<'a, str>>,
    uuid: Option<Cow<'a, str>>,
    time: Option<Timestamp>,
}

fn read_progress<'a>(
    place: &mut Option<Box<Repeated<'a>>>,
    cursor: &mut JsonCursor<'a>,
) -> Option<()> {
    cursor.object(|key, cursor| match key {
        b"message" => {
            let own = place.get_or_insert_default();
            cursor.object(|key, cursor| match key {
                b"message" => own.message.read(cursor),
                b"requestId" => read_name(&mut own.request_id, cursor),
                b"uuid" => read_name(&mut own.uuid, cursor),
                b"timestamp" => read_time(&mut own.time, cursor),
                _ => cursor.value().map(drop),
            })
        }
        _ => cursor.value().map(drop),
    })
}

impl<'a> Origin<'a> {
    fn read(&mut self, key: &[u8], cursor: &mut JsonCursor<'a>) -> Option<()> {
        let place = match key {
            b"isSidechain" => {
                self.is_sidechain = cursor.is_true()?;
                return Some(());
            }
            b"forkedFrom" => {
                self.is_fork = cursor.value()? != b"null";
                return Some(());
            }
            b"sessionKind" => {
                self.is_background = cursor.string()?.as_deref() == Some("bg");
                return Some(());
            }
            b"sessionId" => &mut self.session,
            b"cwd" => &mut self.cwd,
            b"gitBranch" => &mut self.branch,
            b"version" => &mut self.version,
            b"entrypoint" => &mut self.entrypoint,
            b"effort" => &mut self.effort,
            b"attributionAgent" => &mut self.agent,
            b"attributionSkill" => &mut self.skill,
            b"attributionPlugin" => &mut self.plugin,
            b"attributionMcpServer" => &mut self.mcp,
            _ => return cursor.value().map(drop),
        };
        read_name(place, cursor)
    }
}

/// The API message of a line.
#[derive(Default)]
struct Message<'a> {
    id: Option<Cow<'a, str>>,
    model: Option<Cow<'a, str>>,
    counters: Counters,
    terms: Terms,
    advice: Vec<Advice>,
    tools: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    /// The first text block.
    text: Option<Cow<'a, str>>,
    has_usage: bool,
    is_odd: bool,
}

impl<'a> Message<'a> {
    fn read(&mut self, cursor: &mut JsonCursor<'a>) -> Option<()> {
        cursor.object(|key, cursor| {
            match key {
                b"id" => read_name(&mut self.id, cursor)?,
                b"model" => read_name(&mut self.model, cursor)?,
                b"content" => cursor.list(|cursor| self.read_block(cursor))?,
                b"usage" => {
                    self.has_usage = cursor.peek()? == b'{';
                    let mut usage = Usage::default();
                    usage.read(cursor)?;
                    self.is_odd |= usage.is_odd;
                    self.counters = usage.counters();
                    self.terms = usage.terms;
                    self.advice = usage.advice;
                }
                _ => drop(cursor.value()?),
            }
            Some(())
        })
    }

    fn read_block(&mut self, cursor: &mut JsonCursor<'a>) -> Option<()> {
        let mut kind: Option<Cow<'a, str>> = None;
        let (mut id, mut name, mut text) = (None, None, None);
        cursor.object(|key, cursor| {
            match key {
                b"type" => kind = cursor.string()?,
                b"id" => id = cursor.string()?,
                b"name" => name = cursor.string()?,
                // Long texts are only looked at where they are short notices.
                b"text" => {
                    let raw = cursor.value()?;
                    text = Some(raw).filter(|raw| raw.len() < 400);
                }
                _ => drop(cursor.value()?),
            }
            Some(())
        })?;
        match kind.as_deref() {
            Some("tool_use" | "server_tool_use") => {
                let name = name.unwrap_or(Cow::Borrowed("(unnamed)"));
                self.tools.push((id.unwrap_or_default(), name));
            }
            Some("text") if self.text.is_none() => {
                self.text = text.and_then(|raw| JsonCursor::new(raw).string().flatten());
            }
            _ => {}
        }
        Some(())
    }
}

/// The `usage` object of a message.
#[derive(Default)]
struct Usage {
    input: u64,
    output: u64,
    thinking: u64,
    write: u64,
    /// By lifetime, where that is said.
    write_5m: Option<u64>,
    write_1h: Option<u64>,
    read: u64,
    web_searches: u64,
    terms: Terms,
    advice: Vec<Advice>,
    is_odd: bool,
}

impl Usage {
    fn read(&mut self, cursor: &mut JsonCursor<'_>) -> Option<()> {
        cursor.object(|key, cursor| match key {
            b"iterations" => cursor.list(|cursor| self.read_iteration(cursor)),
            _ => self.read_member(key, cursor),
        })
    }

    /// All but the requests within it: an advisor has none, and a walk that
    /// looked for them would go as deep as somebody likes.
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

    /// A request within the call. Those of the model itself are in the call's
    /// counts; an advisor's are not.
    fn read_iteration(&mut self, cursor: &mut JsonCursor<'_>) -> Option<()> {
        let mut usage = Usage::default();
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
            self.advice.push(Advice { model, counters: usage.counters() });
        }
        Some(())
    }

    fn count(&mut self, cursor: &mut JsonCursor<'_>) -> Option<(Option<u64>, bool)> {
        let counted = count(cursor.value()?);
        self.is_odd |= counted.1;
        Some(counted)
    }

    fn counters(&self) -> Counters {
        // Without a split all of it was written for five minutes; what a split
        // leaves over was too.
        let split = self.write_5m.unwrap_or(0).saturating_add(self.write_1h.unwrap_or(0));
        let unsaid = self.write.saturating_sub(split);
        Counters {
            input: self.input,
            output: self.output,
            thinking: self.thinking.min(self.output),
            write_5m: self.write_5m.unwrap_or(0).saturating_add(unsaid),
            write_1h: self.write_1h.unwrap_or(0),
            read: self.read,
            web_searches: self.web_searches,
        }
    }
}

/// A count of more than this is none: a day has not that many tokens.
const MOST: f64 = 1e12;

/// A counter as written, and whether it is written oddly. Absent is nothing;
/// floats lose their fraction; what no counter can be counts as 0.
fn count(text: &[u8]) -> (Option<u64>, bool) {
    if !text.is_empty() && text.len() <= 12 && text.iter().all(u8::is_ascii_digit) {
        let number = text.iter().fold(0_u64, |so_far, digit| so_far * 10 + u64::from(digit - b'0'));
        return (Some(number), false);
    }
    let text = str::from_utf8(text).unwrap_or_default();
    if text == "null" {
        return (None, false);
    }
    // A string is read as JSON reads it: what is escaped in it counts as what it stands for.
    let written = match decode_string(text) {
        Some(decoded) => decoded.text,
        None => Cow::Borrowed(text),
    };
    let number = written.trim().parse::<f64>().ok();
    match number.filter(|number| (0.0..=MOST).contains(number)) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "within bounds, and the fraction is meant to go"
        )]
        Some(number) => (Some(number as u64), text.starts_with('"') || number.fract() != 0.0),
        None => (Some(0), true),
    }
}
