//! `annals hook`: archives sessions at Claude Code's events.
//!
//! Claude Code waits for the process that receives an event. [`receive`] checks
//! the input, puts a job into the spool and starts a worker process; the worker
//! does the jobs ([`work`]). Nothing here waits for the archive or the index
//! while Claude Code waits.
//!
//! Deliberately not here: standard input, the time limit and the exit code, which
//! the binary holds.

mod job;
mod log;
mod recall;
mod spool;
mod start_worker;
mod worker;

pub use start_worker::WorkerCommand;
pub use worker::{WorkerContext, work};

use crate::parse_object;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use job::{Event, Job};
use library::Library;
use redact::Level;
use serde_json::{Map, Value};
use std::path::Path;
use std::time::Instant;

/// The context of a hook, besides its standard input.
#[derive(Clone, Copy, Debug)]
pub struct HookContext<'i> {
    /// The stores; their text is not masked.
    pub library: &'i Library,
    /// The data folder of annals, outside of every store.
    pub data_home: &'i Path,
    /// The time of the event.
    pub now: Timestamp,
    /// The time zone of days in a recall.
    pub zone: &'i TimeZone,
    /// When the process started.
    pub began: Instant,
}

/// An event whose job is in the spool.
#[derive(Debug)]
pub struct ReceivedEvent {
    job: Job,
    members: Map<String, Value>,
}

/// Puts the job of an event into the spool and starts the worker. `None` if there is
/// no job: annals does not handle the event, or it refuses the input and logs why.
pub fn receive(
    input: &HookContext<'_>,
    bytes: &[u8],
    worker: &WorkerCommand<'_>,
) -> Option<ReceivedEvent> {
    let log = |event: &str, session: &str, outcome: &str| {
        log::append(input.data_home, input.now, event, session, outcome, input.began.elapsed());
    };
    let Some(members) = parse_object(bytes) else {
        log("-", "-", "refused: the input is not a JSON object");
        return None;
    };
    let job = match Job::from_members(&members, input.library, input.now) {
        Ok(job) => job?,
        Err(refusal) => {
            log(refusal.event, "-", &format!("refused: {}", refusal.reason));
            return None;
        }
    };
    let spooled = spool::put(input.data_home, &job).map_err(|error| format!("failed: {error}"));
    let started = spooled.and_then(|()| {
        // The next worker finds a job that stays in the spool.
        worker.start(input.data_home).map_err(|error| format!("postponed: {error}"))
    });
    if let Err(outcome) = started {
        log(job.event.name(), job.session_name(), &outcome);
    }
    Some(ReceivedEvent { job, members })
}

/// Logs that the settings are unusable, so that the event has no effect.
pub fn log_unusable_settings(data_home: &Path, now: Timestamp, began: Instant, error: &str) {
    log::append(data_home, now, "-", "-", &format!("failed: {error}"), began.elapsed());
}

/// Logs how a push to the lake ended, which the worker starts when a session has ended.
pub fn log_push(data_home: &Path, now: Timestamp, began: Instant, outcome: &str) {
    log::append(data_home, now, "LakePush", "-", outcome, began.elapsed());
}

impl ReceivedEvent {
    /// Whether a session starts.
    pub fn is_session_start(&self) -> bool {
        self.job.event == Event::SessionStart
    }

    /// The answer that describes the latest sessions of the project to the agent;
    /// `None` if there are none. Secrets are masked at this level.
    pub fn recall(&self, input: &HookContext<'_>, level: Level) -> Option<String> {
        let transcript = self.job.transcript.as_ref()?;
        let cwd = self.members.get("cwd").and_then(Value::as_str).filter(|cwd| !cwd.is_empty());
        recall::answer(input.library, transcript, cwd, level, input.zone)
    }
}
