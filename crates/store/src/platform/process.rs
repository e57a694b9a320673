//! Information about a process: whether it exists, when it started, and what it
//! runs.
//!
//! Linux answers from `/proc`; elsewhere `ps` is asked, as safe Rust has no call for it. If
//! neither answers, only the existence is known.

use jiff::Timestamp;

/// An existing process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Process {
    /// When it started.
    pub(crate) started: Option<Timestamp>,
    /// Its command name; on Linux at most fifteen bytes.
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
fn read_status(pid: u32) -> Option<ProcessStatus> {
    ask_ps(pid)
}

/// Asks `ps`, in a locale and a time zone that are known.
#[cfg(any(not(target_os = "linux"), test))]
fn ask_ps(pid: u32) -> Option<ProcessStatus> {
    // Not searched for in `PATH`, which may contain anything.
    let output = std::process::Command::new("/bin/ps")
        .args(["-o", "stat=,lstart=,comm=", "-p", &pid.to_string()])
        .env_clear()
        .env("LC_ALL", "C")
        .env("TZ", "UTC")
        .stdin(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .output()
        .ok()?;
    parse_ps(&String::from_utf8_lossy(&output.stdout))
}

/// Parses one line of `ps -o stat=,lstart=,comm=`, for example
/// `S+   Mon Nov 16 09:12:33 2026     /opt/homebrew/bin/node`. On macOS the command is the path
/// of the program, and a login shell's begins with a dash.
#[cfg(any(not(target_os = "linux"), test))]
fn parse_ps(text: &str) -> Option<ProcessStatus> {
    let mut rest = text.lines().find(|line| !line.trim().is_empty())?.trim();
    let mut next = || {
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        rest = after.trim_start();
        word
    };
    let state = next();
    if state.starts_with('Z') {
        return Some(ProcessStatus::Zombie);
    }
    let [_weekday, month, day, time, year] = std::array::from_fn(|_| next());
    let moment = format!("{month} {day} {time} {year}");
    let started = jiff::civil::DateTime::strptime("%b %d %H:%M:%S %Y", moment).ok()?;
    let started = started.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp();
    let name = rest.rsplit('/').next().unwrap_or(rest).trim_start_matches('-');
    Some(ProcessStatus::Running(Process {
        started: Some(started),
        name: Some(name.to_owned()).filter(|name| !name.is_empty()),
        is_kernel: false,
    }))
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
    fn a_line_of_ps_is_parsed_as_macos_writes_it() {
        let runs = |seconds, name: &str| {
            Some(ProcessStatus::Running(Process {
                started: Timestamp::from_second(seconds).ok(),
                name: Some(name.to_owned()).filter(|name| !name.is_empty()),
                is_kernel: false,
            }))
        };
        let table = [
            ("S+   Mon Nov 16 09:12:33 2026     claude\n", runs(1_794_820_353, "claude")),
            (
                "Ss   Sun Nov  1 00:00:05 2026     /opt/homebrew/bin/node\n",
                runs(1_793_491_205, "node"),
            ),
            ("Ss   Fri Jan  2 03:04:05 2026     -zsh\n", runs(1_767_323_045, "zsh")),
            (
                "S    Fri Jan  2 03:04:05 2026     /Applications/Claude Code.app/Contents/MacOS/claude\n",
                runs(1_767_323_045, "claude"),
            ),
            ("Ss   Thu Jan  1 00:00:00 1970     /sbin/launchd\n", runs(0, "launchd")),
            ("R    Fri Jan  2 03:04:05 2026     \n", runs(1_767_323_045, "")),
            ("Z    Fri Jan  2 03:04:05 2026     (claude)\n", Some(ProcessStatus::Zombie)),
            ("Z+                                <defunct>\n", Some(ProcessStatus::Zombie)),
            // Another locale, which the environment of the call rules out.
            ("S    Fr.  2 Jan. 03:04:05 2026    node\n", None),
            ("", None),
            ("\n", None),
            ("S\n", None),
        ];
        for (text, expected) in table {
            assert_eq!(parse_ps(text), expected, "{text}");
        }
    }

    #[test]
    fn ps_and_proc_agree_about_this_process() {
        if !std::path::Path::new("/bin/ps").exists() {
            return;
        }
        let Some(ProcessStatus::Running(asked)) = ask_ps(std::process::id()) else {
            panic!("ps does not know this process");
        };
        let own = find_process(std::process::id()).expect("this process");
        let difference = asked.started.zip(own.started).map(|(one, two)| one.duration_since(two));
        assert!(difference.is_some_and(|it| it.as_secs().abs() <= 2), "{asked:?} {own:?}");
        // Linux shortens names.
        let start = own.name.expect("a name");
        assert!(asked.name.is_some_and(|name| name.starts_with(&start)), "{start}");
    }

    #[test]
    fn this_process_exists_and_impossible_pids_do_not() {
        let own = find_process(std::process::id()).expect("this process");
        let now = Timestamp::now();
        assert!(own.started.is_none_or(|started| started <= now));
        assert!(own.started.is_some() && own.name.is_some());
        for pid in [0, 4_000_000_000, u32::MAX] {
            assert_eq!(find_process(pid), None);
        }
    }
}
