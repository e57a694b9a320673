//! Reads the API call from one line of a transcript.
//!
//! Only lines that contain `"usage"` are read, with a cursor that takes the needed
//! members and skips the rest; so gigabytes are counted in a second. A line that the
//! cursor cannot walk goes through the parser, which handles every kind of damage.

use crate::money::PicoUsd;
use crate::usage_object::UsageObject;
use jiff::Timestamp;
use std::borrow::Cow;
use transcript::{JsonCursor, Line, RecordKind, parse_line, parse_timestamp};

/// The text that every line of a call contains.
pub const NEEDLE: &str = "\"usage\"";

/// The token counts of an API call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Counters {
    /// Prompt tokens outside the cache.
    pub input: u64,
    /// Output tokens.
    pub output: u64,
    /// Of these, thinking tokens.
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

    /// The sum of both.
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

/// The terms that change the price of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Answered in fast mode.
    pub is_fast: bool,
    /// Processed in the United States.
    pub is_us: bool,
    /// Answered in a batch.
    pub is_batch: bool,
    /// A service tier whose price is unknown.
    pub unknown_tier: Option<String>,
}

/// A call of an advisor model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AdvisorCall {
    /// The advisor model.
    pub model: String,
    /// Its token counts.
    pub counters: Counters,
}

/// The origin of a line, as recorded in it.
#[derive(Clone, Debug, Default)]
pub struct LineOrigin<'a> {
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
    /// The effort level of the model.
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
    /// Whether it is marked as copied from another session.
    pub is_fork: bool,
    /// Whether it was replayed in the background.
    pub is_background: bool,
    /// Whether it repeats a sub-agent's line as progress.
    pub is_progress: bool,
}

/// The API call in one line.
#[derive(Clone, Debug, Default)]
pub struct CallLine<'a> {
    /// The id of the API response.
    pub message_id: Option<Cow<'a, str>>,
    /// The id of the API request.
    pub request_id: Option<Cow<'a, str>>,
    /// The uuid of the line.
    pub uuid: Option<Cow<'a, str>>,
    /// When it was written.
    pub time: Option<Timestamp>,
    /// The model that answered.
    pub model: Option<Cow<'a, str>>,
    /// The token counts so far.
    pub counters: Counters,
    /// The terms that change the price.
    pub terms: Terms,
    /// The cost as logged by old versions of the app.
    pub cost: Option<PicoUsd>,
    /// Calls of advisor models within it.
    pub advisor_calls: Vec<AdvisorCall>,
    /// The tools it called: (id, name).
    pub tools: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    /// Its origin.
    pub origin: LineOrigin<'a>,
    /// The offset of the line in its file.
    pub offset: u64,
    /// Whether a count is invalid or not whole, or the time is invalid or missing.
    /// The valid parts are still counted.
    pub is_odd: bool,
    /// The app's notice that a limit was reached.
    pub limit_notice: Option<Cow<'a, str>>,
}

/// A line that contains `"usage"`.
#[derive(Debug)]
pub enum UsageLine<'a> {
    /// A line of a call.
    Call(Box<CallLine<'a>>),
    /// Something else, for example a tool result that mentions usage.
    Other,
    /// Not readable; with its offset.
    Damaged(u64),
}

/// Reads a line that holds `"usage"`. Several objects glued together are read
/// one by one.
pub fn read_line<'a>(line: Line<'a>, mut each: impl FnMut(UsageLine<'a>)) {
    read_objects(line, |_, read| each(read));
}

/// The same, with the bytes of each object.
pub(crate) fn read_objects<'a>(line: Line<'a>, mut each: impl FnMut(&'a [u8], UsageLine<'a>)) {
    if let Some(read) = walk(line.bytes, line.offset) {
        each(line.bytes, read);
        return;
    }
    for entry in parse_line(line) {
        let read = match entry.record.kind {
            RecordKind::Blank => continue,
            RecordKind::Damaged => UsageLine::Damaged(entry.offset),
            // The parser accepted it, so the cursor can walk the object itself.
            _ => walk(entry.record.raw, entry.offset).unwrap_or(UsageLine::Damaged(entry.offset)),
        };
        each(entry.record.raw, read);
    }
}

/// Reads one object; `None` if it is not one.
fn walk(bytes: &[u8], offset: u64) -> Option<UsageLine<'_>> {
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
        // A line without a type is recognized by its members.
        Some("assistant") | None => {}
        Some("progress") => {
            let repeated = repeated.unwrap_or_default();
            line.origin.is_progress = true;
            line.request_id = repeated.request_id.or(line.request_id);
            line.uuid = repeated.uuid.or(line.uuid);
            line.time = repeated.time.or(line.time);
            message = repeated.message;
        }
        Some(_) => return Some(UsageLine::Other),
    }
    if !message.has_usage {
        return Some(UsageLine::Other);
    }
    line.is_odd |= line.time.is_none();
    line.message_id = message.id;
    line.model = message.model;
    line.counters = message.counters;
    line.terms = message.terms;
    line.advisor_calls = message.advisor_calls;
    line.tools = message.tools;
    line.is_odd |= message.is_odd;
    let text = message.text.filter(|text| mentions_limit(text));
    line.limit_notice = text.filter(|_| line.model.as_deref() == Some("<synthetic>"));
    Some(UsageLine::Call(Box::new(line)))
}

fn mentions_limit(text: &str) -> bool {
    text.contains("limit reached")
        || text.contains("out of extra usage")
        || text.contains("hit your")
}

impl CallLine<'_> {
    /// An owned copy.
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
            origin: LineOrigin {
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
            advisor_calls: self.advisor_calls,
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

/// Reads an id; an empty one counts as missing.
fn read_name<'a>(place: &mut Option<Cow<'a, str>>, cursor: &mut JsonCursor<'a>) -> Option<()> {
    *place = cursor.string()?.filter(|id| !id.is_empty());
    Some(())
}

fn read_time(place: &mut Option<Timestamp>, cursor: &mut JsonCursor<'_>) -> Option<()> {
    *place = cursor.string()?.as_deref().and_then(parse_timestamp);
    Some(())
}

/// The agent's line that a progress line repeats: `data.message`.
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

impl<'a> LineOrigin<'a> {
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
    advisor_calls: Vec<AdvisorCall>,
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
                    let mut usage = UsageObject::default();
                    usage.read(cursor)?;
                    self.is_odd |= usage.is_odd;
                    self.counters = usage.counters();
                    self.terms = usage.terms;
                    self.advisor_calls = usage.advisor_calls;
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
                // Only short texts can be notices.
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
