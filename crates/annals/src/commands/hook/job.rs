//! What a hook is told, and the job that is made of it.
//!
//! Members may be missing, empty or of another type, and there may be more of them.
//! What a job holds was checked: an event that is known, the id of a session, a
//! path that the library admits.

use jiff::Timestamp;
use library::{Admitted, Library};
use serde_json::{Map, Value, json};
use std::path::Path;

/// An event that there is something to do at.
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

/// Something to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Job {
    pub(super) event: Event,
    /// When it was told.
    pub(super) at: Timestamp,
    /// The session.
    pub(super) id: Option<String>,
    /// Its transcript, where that is known and admitted.
    pub(super) place: Option<Admitted>,
}

/// Why there is no job.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) event: &'static str,
    pub(super) why: String,
}

impl Job {
    /// The job that is told; nothing for an event that is nothing to us.
    pub(super) fn of_told(
        told: &Map<String, Value>,
        library: &Library,
        now: Timestamp,
    ) -> Result<Option<Job>, Refusal> {
        let text =
            |key: &str| told.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        let Some(event) = text("hook_event_name").and_then(Event::named) else { return Ok(None) };
        let refusal = |why: String| Refusal { event: event.name(), why };
        let id = text("session_id").map(str::to_owned);
        if id.as_ref().is_some_and(|id| !store::is_session_id(id)) {
            return Err(refusal("the session's id is no UUID".to_owned()));
        }
        let place = text("transcript_path").map(|path| library.admit(Path::new(path)));
        let place = place.transpose().map_err(|error| refusal(error.to_string()))?;
        if let (Some(id), Some(place)) = (&id, &place)
            && !id.eq_ignore_ascii_case(&place.id)
        {
            return Err(refusal("the transcript is another session's".to_owned()));
        }
        let id = id.or_else(|| place.as_ref().map(|place| place.id.clone()));
        if id.is_none() && event != Event::SessionStart {
            return Err(refusal("no session is named".to_owned()));
        }
        Ok(Some(Job { event, at: now, id, place }))
    }

    /// The session as the log names it.
    pub(super) fn session_name(&self) -> &str {
        self.id.as_deref().unwrap_or("-")
    }

    /// As the spool holds it.
    pub(super) fn to_json(&self) -> String {
        let transcript = self.place.as_ref().map(|place| place.transcript.to_string_lossy());
        json!({
            "hook_event_name": self.event.name(),
            "at": self.at.to_string(),
            "session_id": self.id,
            "transcript_path": transcript,
        })
        .to_string()
    }

    /// From the spool, checked as if it came from outside.
    pub(super) fn of_json(bytes: &[u8], library: &Library) -> Option<Job> {
        let told = crate::told_input::object(bytes)?;
        let at = told.get("at").and_then(Value::as_str)?.parse().ok()?;
        Job::of_told(&told, library, at).ok().flatten()
    }
}
