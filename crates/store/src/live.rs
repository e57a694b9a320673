//! `sessions/<pid>.json`: the sessions that run right now.
//!
//! The `.key` files beside them are secrets and are never opened.

use crate::files::Files;
use crate::session_folder::read_small;
use std::path::Path;
use transcript::json;

/// A running process and its session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveSession {
    /// The process.
    pub pid: u32,
    /// The session it writes.
    pub session_id: Option<String>,
    /// Where it runs.
    pub cwd: Option<String>,
    /// What it is doing.
    pub status: Option<String>,
    /// Whether that process exists.
    pub alive: bool,
}

/// The sessions a configuration folder says are running.
pub fn live_sessions(config: &Path) -> Vec<LiveSession> {
    Files::disk()
        .list_real(&config.join("sessions"))
        .into_iter()
        .filter_map(|entry| {
            let pid = entry.name().to_str()?.strip_suffix(".json")?.parse().ok()?;
            let text = read_small(&Files::disk(), &entry.path)?;
            serde_json::from_str::<serde::de::IgnoredAny>(&text).ok()?;
            let string = |key| {
                let decoded = json::member(&text, key).and_then(json::decode_string)?;
                Some(decoded.text.into_owned())
            };
            Some(LiveSession {
                pid,
                session_id: string("sessionId"),
                cwd: string("cwd"),
                status: string("status"),
                alive: is_alive(pid),
            })
        })
        .collect()
}

fn is_alive(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    pid.is_some_and(|pid| {
        // A process of somebody else exists too.
        matches!(rustix::process::test_kill_process(pid), Ok(()) | Err(rustix::io::Errno::PERM))
    })
}
