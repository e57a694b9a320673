//! The job that an event's input describes.
//!
//! Members of the input may be missing, empty or of another type, and there may be
//! more of them. A job holds only checked values: a known event, a session id, and
//! a path that the library accepts.

use crate::parse_object;
use jiff::Timestamp;
use library::Library;
use library::catalog::HookTranscript;
use serde_json::{Map, Value, json};
use std::path::Path;

/// An event that has a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    SessionStart,
    SessionEnd,
    PreCompact,
    SubagentStop,
}

impl Event {
    const ALL: [Event; 4] =
        [Event::SessionStart, Event::SessionEnd, Event::PreCompact, Event::SubagentStop];

    pub(super) fn name(self) -> &'static str {
        match self {
            Event::SessionStart => "SessionStart",
            Event::SessionEnd => "SessionEnd",
            Event::PreCompact => "PreCompact",
            Event::SubagentStop => "SubagentStop",
        }
    }

    fn named(name: &str) -> Option<Event> {
        Event::ALL.into_iter().find(|event| event.name() == name)
    }
}

/// A session to archive, after an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Job {
    pub(super) event: Event,
    /// The time of the event.
    pub(super) at: Timestamp,
    /// The session.
    pub(super) id: Option<String>,
    /// Its transcript, if known and accepted.
    pub(super) transcript: Option<HookTranscript>,
}

/// The reason why an input is refused.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) event: &'static str,
    pub(super) reason: String,
}

impl Job {
    /// The job of an event; `None` for an event without one.
    pub(super) fn from_members(
        members: &Map<String, Value>,
        library: &Library,
        now: Timestamp,
    ) -> Result<Option<Job>, Refusal> {
        let text =
            |key: &str| members.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        let Some(event) = text("hook_event_name").and_then(Event::named) else { return Ok(None) };
        let refusal = |reason: String| Refusal { event: event.name(), reason };
        let id = text("session_id").map(str::to_owned);
        if id.as_ref().is_some_and(|id| !store::is_session_id(id)) {
            return Err(refusal("the session id is not a UUID".to_owned()));
        }
        let transcript =
            text("transcript_path").map(|path| library.catalog().hook_transcript(Path::new(path)));
        let transcript = transcript.transpose().map_err(|error| refusal(error.to_string()))?;
        if let (Some(id), Some(transcript)) = (&id, &transcript)
            && !id.eq_ignore_ascii_case(&transcript.id)
        {
            return Err(refusal("the transcript belongs to another session".to_owned()));
        }
        let id = id.or_else(|| transcript.as_ref().map(|transcript| transcript.id.clone()));
        if id.is_none() && event != Event::SessionStart {
            return Err(refusal("the input names no session".to_owned()));
        }
        Ok(Some(Job { event, at: now, id, transcript }))
    }

    /// The session as the log names it.
    pub(super) fn session_name(&self) -> &str {
        self.id.as_deref().unwrap_or("-")
    }

    /// The text of the job in the spool.
    pub(super) fn to_json(&self) -> String {
        let transcript = self.transcript.as_ref().map(|found| found.transcript.to_string_lossy());
        json!({
            "hook_event_name": self.event.name(),
            "at": self.at.to_string(),
            "session_id": self.id,
            "transcript_path": transcript,
        })
        .to_string()
    }

    /// Reads the text of the spool, checked like input.
    pub(super) fn from_json(bytes: &[u8], library: &Library) -> Option<Job> {
        let members = parse_object(bytes)?;
        let at = members.get("at").and_then(Value::as_str)?.parse().ok()?;
        Job::from_members(&members, library, at).ok().flatten()
    }
}
