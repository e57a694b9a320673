//! Events for people: a line each, in lanes, and the figures below.

use super::lanes::Lanes;
use crate::context::Context;
use conversation::{Outcome, Status, ToolCall};
use jiff::Timestamp;
use library::session::Session;
use library::watch::{Event, EventKind, MessageWritten, SessionEnd, UsageUpdate};
use render::{Style, untrusted};
use std::collections::{HashMap, HashSet};
use store::{Agent, LiveSession};
use transcript::{Block, Body, Record};

/// The number of lines of a shortened text.
const BRIEF: usize = 4;

/// Terminals narrower than this have no room for the time of day.
const NARROW: usize = 80;

/// Renders events, with the state that later events need.
pub(super) struct Shown<'c> {
    context: &'c Context,
    is_full: bool,
    lanes: Lanes,
    /// Working directories of sessions, to shorten paths.
    folders: HashMap<String, String>,
    figures: HashMap<String, UsageUpdate>,
    statuses: HashMap<String, String>,
    agents: HashSet<(String, String)>,
    /// The session whose figures are shown: that of the last event.
    session: Option<String>,
}

impl<'c> Shown<'c> {
    pub(super) fn new(context: &'c Context, is_full: bool) -> Self {
        Shown {
            context,
            is_full,
            lanes: Lanes::default(),
            folders: HashMap::new(),
            figures: HashMap::new(),
            statuses: HashMap::new(),
            agents: HashSet::new(),
            session: None,
        }
    }

    /// The lines of events.
    pub(super) fn text_of(&mut self, events: &[Event]) -> String {
        // A call that ended at once needs one line only.
        let ended: HashSet<(&str, &str)> = events
            .iter()
            .filter_map(|event| match &event.what {
                EventKind::CallEnded(called) => Some((&*event.session_id, &*called.id)),
                _ => None,
            })
            .collect();
        let mut text = String::new();
        for event in events {
            self.note(event);
            match &event.what {
                EventKind::CallStarted(called)
                    if ended.contains(&(&*event.session_id, &*called.id)) => {}
                _ => text += &self.lines(event),
            }
        }
        text
    }

    fn note(&mut self, event: &Event) {
        let id = &event.session_id;
        self.session = Some(id.clone());
        match &event.what {
            EventKind::SessionStarted { session, process } => {
                self.lanes.add_session(id);
                let folder = session.as_deref().and_then(|session| session.metadata.cwd.clone());
                let folder = folder.or_else(|| process.as_ref()?.cwd.clone());
                self.folders.extend(folder.map(|folder| (id.clone(), folder)));
                let status = process.as_ref().and_then(|process| process.status.clone());
                self.statuses.extend(status.map(|status| (id.clone(), status)));
            }
            EventKind::Status(Some(status)) => {
                self.statuses.insert(id.clone(), status.clone());
            }
            EventKind::Status(None) | EventKind::SessionEnded(_) => {
                self.statuses.remove(id);
            }
            EventKind::AgentStarted(agent) => {
                self.lanes.add_agent(id, &agent.id, name_of(agent));
                if !event.is_past {
                    self.agents.insert((id.clone(), agent.id.clone()));
                }
            }
            EventKind::AgentEnded(_) => {
                let agent = event.agent_id.clone().unwrap_or_default();
                self.agents.remove(&(id.clone(), agent));
            }
            EventKind::Usage(figures) => {
                self.figures.insert(id.clone(), (**figures).clone());
            }
            _ => {}
        }
    }

    fn lines(&self, event: &Event) -> String {
        match &event.what {
            EventKind::SessionStarted { session, process } => {
                let line = self.session_line(event, session.as_deref(), process.as_deref());
                self.line(event, None, "◆", Style::Heading, &line)
            }
            EventKind::SessionEnded(end) => {
                let line = match end {
                    SessionEnd::Process => "the session has ended",
                    SessionEnd::Deleted => "the transcript was deleted",
                };
                self.line(event, None, "■", Style::Heading, line)
            }
            EventKind::AgentStarted(agent) if !event.is_past => {
                let about = agent.meta.description.as_deref().unwrap_or(&agent.id);
                self.line(event, None, "◇", Style::Heading, &format!("started: {about}"))
            }
            EventKind::AgentEnded(outcome) if !event.is_past => {
                let style = if *outcome == Outcome::Done { Style::Good } else { Style::Warning };
                self.line(event, None, "◇", style, &format!("ended: {}", outcome.name()))
            }
            EventKind::Message(message) => self.message(event, message),
            EventKind::CallStarted(called) => {
                let line = called.read(|call| {
                    let title = render::call_title(call, self.folder(event));
                    self.line(event, call.origin.time, "▶", Style::Accent, &title)
                });
                line.unwrap_or_default()
            }
            EventKind::CallEnded(called) => {
                called.read(|call| self.call_ended(event, call)).unwrap_or_default()
            }
            EventKind::Retracted(back) if !back.uuids.is_empty() => {
                let count = render::counted(back.uuids.len(), "message");
                self.line(event, None, "⌫", Style::Warning, &format!("{count} retracted"))
            }
            EventKind::Rewound(back) => {
                let mut words = Vec::new();
                for (uuids, what) in [(&back.undone, "abandoned"), (&back.live, "restored")] {
                    if !uuids.is_empty() {
                        words.push(format!("{} {what}", render::counted(uuids.len(), "message")));
                    }
                }
                self.line(event, None, "↩", Style::Warning, &words.join(", "))
            }
            EventKind::Compacted(uuids) => {
                let count = render::counted(uuids.len(), "message");
                self.line(event, None, "⊙", Style::Heading, &format!("{count} compacted"))
            }
            EventKind::Replaced => {
                self.line(event, None, "⟳", Style::Dim, "the transcript file was replaced")
            }
            _ => String::new(),
        }
    }

    fn folder(&self, event: &Event) -> Option<&str> {
        self.folders.get(&event.session_id).map(String::as_str)
    }

    fn session_line(
        &self,
        event: &Event,
        session: Option<&Session>,
        process: Option<&LiveSession>,
    ) -> String {
        let id = document::short_id(&event.session_id);
        let named = process.and_then(|process| process.name.as_deref());
        let unnamed = if session.is_some() { "a session" } else { "new session, no messages yet" };
        let title = session.and_then(Session::heading).or(named).unwrap_or(unnamed);
        let project = session.and_then(|session| session.project.as_deref());
        let project = project.or_else(|| process?.cwd.as_deref());
        let branch = session.and_then(|session| session.metadata.branch.as_deref());
        let mut facts: Vec<String> = vec![id.to_owned()];
        facts.extend(project.map(|project| self.context.short_path(project)));
        facts.extend(branch.filter(|branch| !branch.is_empty()).map(str::to_owned));
        facts.extend(process.map(|process| format!("pid {}", process.pid)));
        format!("{title} ({})", facts.join(", "))
    }

    fn message(&self, event: &Event, message: &MessageWritten) -> String {
        let Some(record) = message.record() else { return String::new() };
        let time = record.time();
        if let Some(prompt) = prompt(&record, event.agent_id.is_some()) {
            return self.text(event, time, "❯", Style::Id, &prompt);
        }
        match &record.body {
            Body::User(user) if user.is_compact_summary => {
                self.line(event, time, "⊙", Style::Heading, "continues from a summary")
            }
            Body::User(user) => {
                let text = user.message.as_ref().map(|message| message.text()).unwrap_or_default();
                let first = text.trim().lines().next().unwrap_or_default();
                if first.is_empty() {
                    return String::new();
                }
                self.line(event, time, "·", Style::Dim, first)
            }
            Body::Assistant(assistant) => {
                let Some(message) = &assistant.message else { return String::new() };
                let mut text = String::new();
                let is_thought = |block: &Block<'_>| {
                    matches!(block, Block::Thinking { .. } | Block::RedactedThinking { .. })
                };
                if message.blocks().iter().any(is_thought) {
                    text += &self.line(event, time, "✻", Style::Dim, "thought");
                }
                let style = if assistant.is_api_error_message { Style::Bad } else { Style::Plain };
                text + &self.text(event, time, "●", style, &message.text())
            }
            _ => String::new(),
        }
    }

    fn call_ended(&self, event: &Event, call: &ToolCall<'_>) -> String {
        let status = call.status();
        let (mark, style) = match status {
            Status::Ok => ("✔", Style::Good),
            Status::Error => ("✘", Style::Bad),
            Status::Denied => ("⊘", Style::Warning),
            Status::Interrupted | Status::Missing => ("⏹", Style::Warning),
        };
        let mut line = render::call_title(call, self.folder(event));
        let took = call.milliseconds().map(render::milliseconds);
        let word = match status {
            Status::Ok | Status::Error => None,
            other => Some(other.name().to_owned()),
        };
        let facts: Vec<String> = took.into_iter().chain(word).collect();
        if !facts.is_empty() {
            let facts = facts.join(" · ");
            // The outcome stays visible, however long the title is.
            let room =
                self.room().map(|room| room.saturating_sub(render::columns(&facts) + 4).max(8));
            line = format!("{}  {facts}", render::cut(&line, room));
        }
        let time = call.answer.as_ref().and_then(|answer| answer.origin.time);
        let mut text = self.line(event, time, mark, style, &line);
        if status == Status::Error {
            let output = call.answer.as_ref().map(|answer| answer.text()).unwrap_or_default();
            if let Some(first) = output.lines().map(str::trim).find(|line| !line.is_empty()) {
                text += &self.line(event, time, " ", Style::Plain, first);
            }
        }
        text
    }

    /// The columns available for text.
    fn room(&self) -> Option<usize> {
        let width = self.context.output.width_now()?;
        let clock = if width < NARROW { 0 } else { 9 };
        Some(width.saturating_sub(Lanes::WIDTH + clock).max(16))
    }

    /// A text, complete or shortened.
    fn text(
        &self,
        event: &Event,
        time: Option<Timestamp>,
        mark: &str,
        style: Style,
        text: &str,
    ) -> String {
        let text = untrusted::text(text.trim());
        if text.is_empty() {
            return String::new();
        }
        let lines: Vec<String> = match self.room().filter(|_| self.is_full) {
            Some(room) => {
                let room = room.saturating_sub(3);
                text.lines().flat_map(|line| wrapped(line, room)).collect()
            }
            None => text.lines().map(str::to_owned).collect(),
        };
        let mut left = lines.iter().filter(|line| self.is_full || !line.trim().is_empty());
        let most = if self.is_full { usize::MAX } else { BRIEF };
        let mut shown: Vec<&str> = left.by_ref().take(most).map(String::as_str).collect();
        let more = left.count();
        let rest = format!("… {more} more {}", if more == 1 { "line" } else { "lines" });
        if more > 0 {
            shown.push(&rest);
        }
        let mut out = String::new();
        for (number, line) in shown.into_iter().enumerate() {
            let mark = if number == 0 { mark } else { " " };
            out += &self.line(event, time.filter(|_| number == 0), mark, style, line);
        }
        out
    }

    /// One line of a lane.
    fn line(
        &self,
        event: &Event,
        time: Option<Timestamp>,
        mark: &str,
        style: Style,
        text: &str,
    ) -> String {
        let paint = self.context.output.paint;
        let width = self.context.output.width_now();
        let clock = if width.is_some_and(|width| width < NARROW) {
            String::new()
        } else {
            let clock = time.map(|time| {
                time.to_zoned(self.context.settings.zone.clone()).strftime("%H:%M:%S").to_string()
            });
            paint.paint(Style::Dim, &format!("{:8} ", clock.unwrap_or_default()))
        };
        let lane = self.lanes.mark(paint, &event.session_id, event.agent_id.as_deref());
        let room = self.room().map(|room| room.saturating_sub(2));
        let text = render::cut(&untrusted::line(text), room);
        let is_plain = matches!(style, Style::Plain | Style::Good | Style::Accent | Style::Bad);
        let text = match (event.is_past, is_plain) {
            (true, _) => paint.paint(Style::Dim, &text),
            (false, true) => text,
            (false, false) => paint.paint(style, &text),
        };
        format!("{clock}{lane}{} {text}", paint.paint(style, mark)).trim_end().to_owned() + "\n"
    }

    /// The figures of the session of the last event.
    pub(super) fn status(&self) -> String {
        let Some(session) = &self.session else { return String::new() };
        let mut parts: Vec<String> = Vec::new();
        parts.extend(self.statuses.get(session).map(|status| untrusted::line(status).into_owned()));
        if let Some(figures) = self.figures.get(session) {
            if let Some(model) = &figures.model {
                let model = untrusted::line(model.strip_prefix("claude-").unwrap_or(model));
                parts.push(model.into_owned());
            }
            if let Some(window) = figures.window {
                let limit = figures.window_limit.map(|limit| format!("/{}", render::count(limit)));
                let share =
                    figures.window_share().map(|share| format!(" {}", render::percent(share)));
                parts.push(format!(
                    "context {}{}{}",
                    render::count(window),
                    limit.unwrap_or_default(),
                    share.unwrap_or_default()
                ));
            }
            let more = if figures.unpriced > 0 { "+" } else { "" };
            parts.push(render::money(figures.cost) + more);
            parts.extend(self.agents_at_work(session));
            let counters = &figures.counters;
            let written = counters.write_5m.saturating_add(counters.write_1h);
            parts.push(format!(
                "in {} out {} cache {} read {} written",
                render::count(counters.input),
                render::count(counters.output),
                render::count(counters.read),
                render::count(written)
            ));
        }
        parts.join(" · ")
    }
}

impl Shown<'_> {
    fn agents_at_work(&self, session: &str) -> Option<String> {
        let agents = self.agents.iter().filter(|(own, _)| own == session).count();
        (agents > 0).then(|| format!("{} running", render::counted(agents, "agent")))
    }
}

/// Wraps a line; an empty line stays one line.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    if line.is_empty() { vec![String::new()] } else { render::wrapped(line, width) }
}

/// The name of an agent.
fn name_of(agent: &Agent) -> &str {
    let names = [&agent.meta.name, &agent.meta.agent_type];
    names.into_iter().flatten().next().unwrap_or(&agent.id)
}

/// The prompt in a record: typed by the user, or given to an agent.
fn prompt(record: &Record<'_>, is_agent: bool) -> Option<String> {
    match &record.body {
        Body::Attachment(attachment) => Some(attachment.prompt.as_ref()?.text().into_owned()),
        Body::User(user) if is_agent => {
            let message = user.message.as_ref()?;
            let is_answer = message.tool_results().next().is_some();
            (!is_answer).then(|| message.text().into_owned())
        }
        _ => transcript::prompt::typed_prompt(record).map(std::borrow::Cow::into_owned),
    }
}
