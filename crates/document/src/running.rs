//! The sessions that processes write right now.

use crate::sessions::shown;
use crate::table::{Column, columns};
use crate::{Document, Keyword, MarkDocument, Moment, SessionDocument};
use library::catalog::RunningProcess;
use library::session::Session;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Processes of Claude Code, the last one started first, stale entries included.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RunningDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// How many processes match, before `--limit`.
    pub total: usize,
    /// The processes.
    pub running: Vec<RunningSessionDocument>,
}

impl Document for RunningDocument {
    const SCHEMA: &'static str = "annals/running/1";
    const COMMAND: &'static str = "`annals ls --live`";
    const ROWS: Option<&'static str> = Some("running");
    const COLUMNS: &'static [Column] = &columns([
        "session_id",
        "pid",
        "status",
        "kind",
        "name",
        "cwd",
        "started_at",
        "is_stale",
        "stale_reason",
    ]);
}

impl RunningDocument {
    /// The processes that are shown, out of `total`.
    pub fn new(total: usize, running: Vec<RunningSessionDocument>) -> Self {
        RunningDocument { schema: Self::SCHEMA.into(), total, running }
    }
}

/// A process, and the session it says it writes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RunningSessionDocument {
    /// The session's id.
    pub session_id: Option<String>,
    /// The process.
    pub pid: u32,
    /// What the process says it does: `busy`, `idle`, and others.
    pub status: Option<String>,
    /// The kind of session, as the process recorded it.
    pub kind: Option<String>,
    /// The session's name, as the process recorded it.
    pub name: Option<String>,
    /// The working directory, as the process recorded it.
    pub cwd: Option<String>,
    /// The store.
    pub root: String,
    /// When the process started, as it recorded it.
    pub started_at: Option<Moment>,
    /// Whether the entry outlived its process.
    pub is_stale: bool,
    /// `process_gone`; `pid_reused`: the process with this number did not start when the entry was written, or the entry is from the future; `other_program`: the process is not Claude Code.
    pub stale_reason: Option<Keyword>,
    /// The session; `null` while it has no transcript.
    pub session: Option<SessionDocument>,
}

impl RunningSessionDocument {
    /// A process, with the bookmarks that `marks` finds in its session.
    pub fn new(running: &RunningProcess, marks: impl Fn(&Session) -> Vec<MarkDocument>) -> Self {
        let process = running.process.clone();
        RunningSessionDocument {
            session_id: process.session_id,
            pid: process.pid,
            status: process.status,
            kind: process.kind,
            name: process.name,
            cwd: process.cwd,
            root: shown(&running.root),
            started_at: process.started_at.map(Moment),
            is_stale: process.stale.is_some(),
            stale_reason: process.stale.map(|stale| stale.name().into()),
            session: running
                .session
                .as_ref()
                .map(|session| SessionDocument::new(session, marks(session))),
        }
    }
}
