//! Information about a process: whether it exists, when it started, and what it
//! runs.
//!
//! On macOS, and for processes of other users, only the existence is known.

use jiff::Timestamp;

/// An existing process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Process {
    /// When it started.
    pub(crate) started: Option<Timestamp>,
    /// Its command name, at most fifteen bytes.
    pub(crate) name: Option<String>,
    /// Whether it is a kernel thread.
    pub(crate) is_kernel: bool,
}

/// The process with this pid, if there is one.
pub(crate) fn find_process(pid: u32) -> Option<Process> {
    let raw = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw)?;
    match rustix::process::test_kill_process(raw) {
        // A process of another user exists too.
        Ok(()) | Err(rustix::io::Errno::PERM) => {}
        Err(_) => return None,
    }
    match read_status(pid) {
        Some(ProcessStatus::Zombie) => None,
        Some(ProcessStatus::Running(process)) => Some(process),
        None => Some(Process::default()),
    }
}

/// The status of an existing pid.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(any(target_os = "linux", test)), expect(dead_code, reason = "read on Linux only"))]
enum ProcessStatus {
    /// It has ended, but its parent has not waited for it yet.
    Zombie,
    /// It is running.
    Running(Process),
}

#[cfg(target_os = "linux")]
fn read_status(pid: u32) -> Option<ProcessStatus> {
    let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    let whole = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    let booted = whole.lines().find_map(|line| line.strip_prefix("btime ")?.trim().parse().ok());
    parse_stat(&String::from_utf8_lossy(&stat), booted, rustix::param::clock_ticks_per_second())
}

#[cfg(not(target_os = "linux"))]
fn read_status(_pid: u32) -> Option<ProcessStatus> {
    None
}

/// Parses `/proc/<pid>/stat`. The name in it may contain anything, including
/// brackets.
#[cfg(any(target_os = "linux", test))]
fn parse_stat(text: &str, booted: Option<i64>, ticks: u64) -> Option<ProcessStatus> {
    const KERNEL: u64 = 0x0020_0000;
    let (before, after) = text.rsplit_once(')')?;
    let name = before.split_once('(').map(|(_, name)| name.to_owned());
    let fields: Vec<&str> = after.split_ascii_whitespace().collect();
    if matches!(*fields.first()?, "Z" | "X" | "x") {
        return Some(ProcessStatus::Zombie);
    }
    let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
    let started = booted.zip(number(19)).and_then(|(booted, since)| {
        let seconds = i64::try_from(since / ticks.max(1)).ok()?;
        Timestamp::from_second(booted.checked_add(seconds)?).ok()
    });
    let is_kernel = number(6).is_some_and(|flags| flags & KERNEL != 0);
    Some(ProcessStatus::Running(Process { started, name, is_kernel }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_status_is_parsed_whatever_the_process_is_called() {
        let stat = |name: &str, state: &str, flags: u64| {
            format!("7 ({name}) {state} 1 7 7 0 -1 {flags} 1 2 3 4 5 6 7 8 20 0 1 0 250 99 98\n")
        };
        let runs = |name: &str, is_kernel| {
            let started = Timestamp::from_second(1_000_002).ok();
            Some(ProcessStatus::Running(Process {
                started,
                name: Some(name.to_owned()),
                is_kernel,
            }))
        };
        let table = [
            (stat("claude", "S", 4_194_304), runs("claude", false)),
            (stat("a) S (b", "R", 0), runs("a) S (b", false)),
            (stat("kworker/0:1", "I", 0x0020_8040), runs("kworker/0:1", true)),
            (stat("claude", "Z", 0), Some(ProcessStatus::Zombie)),
            ("nonsense".to_owned(), None),
            ("7 (claude)".to_owned(), None),
        ];
        for (text, expected) in table {
            assert_eq!(parse_stat(&text, Some(1_000_000), 100), expected, "{text}");
        }
        let odd = parse_stat("7 (x) S 1 7", Some(i64::MAX), 0);
        assert_eq!(
            odd,
            Some(ProcessStatus::Running(Process {
                name: Some("x".to_owned()),
                ..Process::default()
            }))
        );
    }

    #[test]
    fn this_process_exists_and_impossible_pids_do_not() {
        let own = find_process(std::process::id()).expect("this process");
        let now = Timestamp::now();
        assert!(own.started.is_none_or(|started| started <= now));
        assert!(cfg!(not(target_os = "linux")) || own.started.is_some() && own.name.is_some());
        for pid in [0, 4_000_000_000, u32::MAX] {
            assert_eq!(find_process(pid), None);
        }
    }
}
