//! `sessions/<pid>.json`: the sessions that are running now.
//!
//! Claude Code leaves such a file behind when it is killed, and its pid may
//! belong to another process by then. This module reports what the system shows
//! about that and never guesses. The `.key` files beside them are secrets and
//! are never opened.

use crate::files::{FileEntry, Files};
use crate::platform::{FileSystems, Process, find_process};
use crate::session_folder::read_small;
use jiff::{SignedDuration, Timestamp};
use std::path::Path;
use transcript::{json, parse_timestamp};

/// A process that claims to be writing a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiveSession {
    /// Its pid.
    pub pid: u32,
    /// The session it writes.
    pub session_id: Option<String>,
    /// Where it runs.
    pub cwd: Option<String>,
    /// When it started.
    pub started_at: Option<Timestamp>,
    /// How it was started: `interactive`, ….
    pub kind: Option<String>,
    /// What it is doing: `busy`, `idle`, `waiting`, ….
    pub status: Option<String>,
    /// The session's name.
    pub name: Option<String>,
    /// Why it is not running, if it is not.
    pub stale: Option<StaleReason>,
}

impl LiveSession {
    /// Whether it is running, as far as the system shows.
    pub fn is_alive(&self) -> bool {
        self.stale.is_none()
    }
}

/// Why a recorded process is not running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StaleReason {
    /// There is no such process.
    Gone,
    /// Another process has this pid: it did not start when the file says.
    Reused,
    /// Another program has this pid.
    OtherProgram,
}

impl StaleReason {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            StaleReason::Gone => "process_gone",
            StaleReason::Reused => "pid_reused",
            StaleReason::OtherProgram => "other_program",
        }
    }

    /// The reason as a phrase.
    pub fn description(self) -> &'static str {
        match self {
            StaleReason::Gone => "its process is gone",
            StaleReason::Reused => "its process is gone, and another has its number",
            StaleReason::OtherProgram => "its number is that of another program",
        }
    }

    /// Compares a process with a session file written at `written`.
    fn of(
        process: Option<&Process>,
        written: Option<Timestamp>,
        now: Timestamp,
    ) -> Option<StaleReason> {
        // Clocks get adjusted, and the file is written shortly after the start.
        const CLOCK_TOLERANCE: SignedDuration = SignedDuration::from_secs(30);
        // Claude Code may ask something before it writes the file, and get the
        // answer hours later. A process with another name gets only this much
        // time.
        const STARTUP_TOLERANCE: SignedDuration = SignedDuration::from_mins(10);
        let Some(process) = process else { return Some(StaleReason::Gone) };
        let name = process.name.as_deref();
        let is_ahead = written.is_some_and(|written| written.duration_since(now) > CLOCK_TOLERANCE);
        let age =
            process.started.zip(written).map(|(began, written)| written.duration_since(began));
        if is_ahead || age.is_some_and(|age| age < -CLOCK_TOLERANCE) {
            return Some(StaleReason::Reused);
        }
        if process.is_kernel || name.is_some_and(|name| OTHER_PROGRAMS.contains(&name)) {
            return Some(StaleReason::OtherProgram);
        }
        let is_old = age.is_some_and(|age| age > STARTUP_TOLERANCE);
        (is_old && !name.is_none_or(is_claude_code_name)).then_some(StaleReason::Reused)
    }
}

/// Whether Claude Code's process can have this name: `claude`, its runtime, or
/// its version.
fn is_claude_code_name(name: &str) -> bool {
    ["claude", "node", "bun", "MainThread"].iter().any(|own| name.starts_with(own))
        || name.starts_with(|first: char| first.is_ascii_digit())
}

/// Long-running programs with low pids that are never Claude Code.
const OTHER_PROGRAMS: [&str; 24] = [
    "agetty",
    "bash",
    "cron",
    "crond",
    "dash",
    "dbus-daemon",
    "emacs",
    "fish",
    "init",
    "launchd",
    "less",
    "login",
    "nvim",
    "screen",
    "sh",
    "ssh",
    "ssh-agent",
    "sshd",
    "systemd",
    "tmux",
    "tmux: client",
    "tmux: server",
    "vim",
    "zsh",
];

/// The sessions that a configuration folder lists as running.
pub fn live_sessions(config: &Path) -> Vec<LiveSession> {
    let entries = Files::disk().list_real(&config.join("sessions"));
    if entries.is_empty() {
        return Vec::new();
    }
    live_entries(entries, FileSystems::read().is_windows_drive(config))
}

/// The sessions of these entries. On a drive of Windows the pids are those of Windows, whose
/// processes cannot be seen from here: nothing contradicts such an entry.
fn live_entries(entries: Vec<FileEntry>, is_windows: bool) -> Vec<LiveSession> {
    let mut live: Vec<LiveSession> = entries
        .into_iter()
        .filter_map(|entry| {
            let digits = entry.name().to_str()?.strip_suffix(".json")?;
            let pid = digits.bytes().all(|byte| byte.is_ascii_digit()).then_some(digits)?;
            let text = read_small(&Files::disk(), &entry.path)?;
            let pid = pid.parse().ok()?;
            let process = if is_windows { Some(Process::default()) } else { find_process(pid) };
            parse_live(pid, &text, process.as_ref())
        })
        .collect();
    live.sort_by_key(|live| live.pid);
    live
}

fn parse_live(pid: u32, text: &str, process: Option<&Process>) -> Option<LiveSession> {
    serde_json::from_str::<serde::de::IgnoredAny>(text).ok()?;
    let string = |key| {
        let decoded = json::member(text, key).and_then(json::decode_string)?;
        Some(decoded.text.into_owned()).filter(|text| !text.is_empty())
    };
    let started_at = json::member(text, "startedAt").and_then(parse_moment);
    Some(LiveSession {
        pid,
        session_id: string("sessionId"),
        cwd: string("cwd"),
        started_at,
        kind: string("kind"),
        status: string("status"),
        name: string("name"),
        stale: StaleReason::of(process, started_at, Timestamp::now()),
    })
}

/// A time in milliseconds, or as text.
fn parse_moment(value: &str) -> Option<Timestamp> {
    if let Some(text) = json::decode_string(value) {
        return parse_timestamp(&text.text);
    }
    let whole = value.split_once('.').map_or(value, |(whole, _)| whole);
    Timestamp::from_millisecond(whole.parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stale_entries_are_distinguished_from_running_ones() {
        let at = |seconds| Timestamp::from_second(seconds).ok();
        let process = |started, name: &str, is_kernel| {
            Some(Process { started, name: Some(name.to_owned()), is_kernel })
        };
        let table = [
            (None, at(100), Some(StaleReason::Gone)),
            (process(at(99), "claude", false), at(100), None),
            // A clock that was adjusted.
            (process(at(120), "node", false), at(100), None),
            (process(at(131), "claude", false), at(100), Some(StaleReason::Reused)),
            (process(at(9_999), "bash", false), at(100), Some(StaleReason::Reused)),
            (process(at(99), "bash", false), at(100), Some(StaleReason::OtherProgram)),
            (process(at(99), "kworker/0:1", true), at(100), Some(StaleReason::OtherProgram)),
            // A pid that another process already had long before.
            (process(at(100), "tini", false), at(700), None),
            (process(at(100), "tini", false), at(701), Some(StaleReason::Reused)),
            (process(at(100), "bash", false), at(701), Some(StaleReason::OtherProgram)),
            // The person took a while to answer the first question.
            (process(at(100), "claude", false), at(9_000), None),
            (process(at(100), "2.1.325", false), at(9_000), None),
            // Nothing can start in the future.
            (process(at(100), "claude", false), at(10_030), None),
            (process(at(100), "claude", false), at(10_031), Some(StaleReason::Reused)),
            (process(at(100), "bash", false), at(10_031), Some(StaleReason::Reused)),
            (Some(Process::default()), at(10_031), Some(StaleReason::Reused)),
            // Nothing is known that contradicts the file.
            (process(None, "2.1.325", false), at(100), None),
            (process(at(9_999), "claude", false), None, None),
            (Some(Process::default()), None, None),
        ];
        let now = Timestamp::from_second(10_000).unwrap();
        for (process, written, expected) in table {
            let stale = StaleReason::of(process.as_ref(), written, now);
            assert_eq!(stale, expected, "{process:?} {written:?}");
        }
    }

    #[test]
    fn every_member_of_an_entry_may_be_missing_or_nonsense() {
        let own = std::process::id();
        let now = Timestamp::now().as_millisecond();
        let whole = format!(
            r#"{{"pid":{own},"sessionId":"s","cwd":"/p","startedAt":{now},"kind":"interactive","status":"busy","name":"x"}}"#
        );
        let process = find_process(own);
        let parse_live = |pid, text: &str| parse_live(pid, text, process.as_ref());
        let live = parse_live(own, &whole).expect("an entry");
        assert_eq!(live.started_at.map(Timestamp::as_millisecond), Some(now));
        assert_eq!(
            [live.session_id, live.cwd, live.kind, live.status, live.name]
                .map(Option::unwrap_or_default),
            ["s", "/p", "interactive", "busy", "x"]
        );
        assert_eq!(live.stale, None);
        let nothing = LiveSession { pid: own, ..LiveSession::default() };
        for text in
            ["{}", r#"{"sessionId":7,"startedAt":{},"name":""}"#, r#"{"startedAt":1e999}"#, "[]"]
        {
            assert_eq!(parse_live(own, text).as_ref(), Some(&nothing), "{text}");
        }
        assert_eq!(parse_live(own, "{torn"), None);
        let moments = [r#""2026-01-02T03:04:05.678Z""#, "1767323045678", "1767323045678.9"];
        for moment in moments {
            assert_eq!(
                parse_moment(moment).map(Timestamp::as_millisecond),
                Some(1_767_323_045_678)
            );
        }
    }

    #[test]
    fn entries_on_a_windows_drive_are_not_compared_with_processes_of_this_system() {
        let sandbox = testkit::Sandbox::new();
        sandbox.write("sessions/4000000000.json", r#"{"sessionId":"s","startedAt":1767323045678}"#);
        let live = |is_windows| {
            let entries = Files::disk().list_real(&sandbox.config().join("sessions"));
            live_entries(entries, is_windows).pop().expect("an entry").stale
        };
        assert_eq!((live(false), live(true)), (Some(StaleReason::Gone), None));
    }
}
