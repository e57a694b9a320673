//! `sessions/<pid>.json`: the sessions that run right now.
//!
//! Claude Code leaves such a file behind when it is killed, and its number may
//! be another process's by then: what can be told of that is said, never
//! guessed. The `.key` files beside them are secrets and are never opened.

use crate::files::Files;
use crate::platform::{Process, find_process};
use crate::session_folder::read_small;
use jiff::{SignedDuration, Timestamp};
use std::path::Path;
use transcript::{json, parse_timestamp};

/// A process that says which session it writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiveSession {
    /// The process.
    pub pid: u32,
    /// The session it writes.
    pub session_id: Option<String>,
    /// Where it runs.
    pub cwd: Option<String>,
    /// When it began.
    pub started_at: Option<Timestamp>,
    /// How it was started: `interactive`, ….
    pub kind: Option<String>,
    /// What it is doing: `busy`, `idle`, `waiting`, ….
    pub status: Option<String>,
    /// What it is called.
    pub name: Option<String>,
    /// Why it does not run, if it does not.
    pub stale: Option<StaleReason>,
}

impl LiveSession {
    /// Whether it really runs, as far as can be told.
    pub fn is_alive(&self) -> bool {
        self.stale.is_none()
    }
}

/// Why a process that is written down does not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StaleReason {
    /// There is no such process.
    Gone,
    /// The process of that number did not begin when the file says.
    Reused,
    /// The process of that number is plainly no Claude Code.
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

    /// The same in words.
    pub fn description(self) -> &'static str {
        match self {
            StaleReason::Gone => "its process is gone",
            StaleReason::Reused => "its process is gone, and another has its number",
            StaleReason::OtherProgram => "its number is that of another program",
        }
    }

    /// What the process of the number tells about a file that was written when
    /// `written` says.
    fn of(
        process: Option<&Process>,
        written: Option<Timestamp>,
        now: Timestamp,
    ) -> Option<StaleReason> {
        // Clocks are put right, and the file is written a moment after the start.
        const A_LITTLE: SignedDuration = SignedDuration::from_secs(30);
        // Claude Code may ask something before it writes the file, and be answered
        // hours later; of what goes by another name that is not believed.
        const A_WHILE: SignedDuration = SignedDuration::from_mins(10);
        let Some(process) = process else { return Some(StaleReason::Gone) };
        let name = process.name.as_deref();
        let is_ahead = written.is_some_and(|written| written.duration_since(now) > A_LITTLE);
        let age =
            process.started.zip(written).map(|(began, written)| written.duration_since(began));
        if is_ahead || age.is_some_and(|age| age < -A_LITTLE) {
            return Some(StaleReason::Reused);
        }
        if process.is_kernel || name.is_some_and(|name| OTHER_PROGRAMS.contains(&name)) {
            return Some(StaleReason::OtherProgram);
        }
        let is_old = age.is_some_and(|age| age > A_WHILE);
        (is_old && !name.is_none_or(is_name_of_the_app)).then_some(StaleReason::Reused)
    }
}

/// Whether Claude Code may go by a name: `claude`, what runs it, or its version.
fn is_name_of_the_app(name: &str) -> bool {
    ["claude", "node", "bun", "MainThread"].iter().any(|own| name.starts_with(own))
        || name.starts_with(|first: char| first.is_ascii_digit())
}

/// Programs that live long, have low numbers and are never Claude Code.
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

/// The sessions a configuration folder says are running.
pub fn live_sessions(config: &Path) -> Vec<LiveSession> {
    let mut live: Vec<LiveSession> = Files::disk()
        .list_real(&config.join("sessions"))
        .into_iter()
        .filter_map(|entry| {
            let digits = entry.name().to_str()?.strip_suffix(".json")?;
            let pid = digits.bytes().all(|byte| byte.is_ascii_digit()).then_some(digits)?;
            let text = read_small(&Files::disk(), &entry.path)?;
            parse_live(pid.parse().ok()?, &text)
        })
        .collect();
    live.sort_by_key(|live| live.pid);
    live
}

fn parse_live(pid: u32, text: &str) -> Option<LiveSession> {
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
        stale: StaleReason::of(find_process(pid).as_ref(), started_at, Timestamp::now()),
    })
}

/// A time in milliseconds, or in words.
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
    fn stale_entries_are_told_from_running_ones() {
        let at = |seconds| Timestamp::from_second(seconds).ok();
        let process = |started, name: &str, is_kernel| {
            Some(Process { started, name: Some(name.to_owned()), is_kernel })
        };
        let table = [
            (None, at(100), Some(StaleReason::Gone)),
            (process(at(99), "claude", false), at(100), None),
            // A clock that was put right.
            (process(at(120), "node", false), at(100), None),
            (process(at(131), "claude", false), at(100), Some(StaleReason::Reused)),
            (process(at(9_999), "bash", false), at(100), Some(StaleReason::Reused)),
            (process(at(99), "bash", false), at(100), Some(StaleReason::OtherProgram)),
            (process(at(99), "kworker/0:1", true), at(100), Some(StaleReason::OtherProgram)),
            // A number that belonged to another long before.
            (process(at(100), "tini", false), at(700), None),
            (process(at(100), "tini", false), at(701), Some(StaleReason::Reused)),
            (process(at(100), "bash", false), at(701), Some(StaleReason::OtherProgram)),
            // Somebody took time to answer the first question.
            (process(at(100), "claude", false), at(9_000), None),
            (process(at(100), "2.1.325", false), at(9_000), None),
            // Nothing began after now.
            (process(at(100), "claude", false), at(10_030), None),
            (process(at(100), "claude", false), at(10_031), Some(StaleReason::Reused)),
            (process(at(100), "bash", false), at(10_031), Some(StaleReason::Reused)),
            (Some(Process::default()), at(10_031), Some(StaleReason::Reused)),
            // Nothing is known that speaks against it.
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
}
