//! Another status line command, which the user had before: it gets the same input,
//! and its output is shown unchanged.
//!
//! The command comes from the user's own argument; Claude Code's input reaches it
//! only on its standard input, never through the shell. It may fail, write nothing
//! or never end: annals' own line is shown in any case.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{Read as _, Take, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// The time limit.
const TIME_LIMIT: Duration = Duration::from_secs(1);

/// Shown behind what it wrote, if it was ended at the time limit.
const LATE: &[u8] = b"annals: the command of --then did not end within 1 s\n";

/// How long its output may stay open after it has ended: a background process may
/// hold it open for hours.
const GRACE: Duration = Duration::from_millis(20);

/// How often its state is checked.
const TICK: Duration = Duration::from_millis(1);

/// The longest output that is read.
const MOST: u64 = 64 * 1024;

/// A running command.
#[derive(Debug)]
pub struct ChainedCommand {
    began: Instant,
    running: Option<(Child, Option<Output>)>,
}

impl ChainedCommand {
    /// Starts it, with this standard input.
    pub fn start(command: &str, input: Vec<u8>) -> ChainedCommand {
        let started = Command::new("sh")
            .args(["-c", command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // In its own group, so that everything it started can be killed with it.
            .process_group(0)
            .spawn();
        let running = started.ok().map(|mut child| {
            if let Some(mut stdin) = child.stdin.take() {
                // A command that does not read its input must not block this process.
                std::thread::spawn(move || stdin.write_all(&input));
            }
            let output = child.stdout.take().map(|stdout| Output(stdout.take(MOST)));
            (child, output)
        });
        ChainedCommand { began: Instant::now(), running }
    }

    /// Its output when it has ended, or at the time limit.
    pub fn finish(self) -> Vec<u8> {
        let Some((mut child, mut output)) = self.running else { return Vec::new() };
        let mut written = Vec::new();
        let mut until = self.began + TIME_LIMIT;
        let mut is_running = true;
        loop {
            // Checked first: once it has ended, all its output is ready to be read.
            if is_running && !matches!(child.try_wait(), Ok(None)) {
                is_running = false;
                until = until.min(Instant::now() + GRACE);
            }
            output = output.and_then(|output| output.read_into(&mut written));
            // A command that has closed its output may still be running.
            let is_over = !is_running && output.is_none();
            if is_over || Instant::now() >= until {
                break;
            }
            match &output {
                Some(output) => _ = output.is_ready(TICK),
                None => std::thread::sleep(TICK),
            }
        }
        if is_running {
            let group = rustix::process::Pid::from_child(&child);
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
            let _ = child.wait();
            if written.last().is_some_and(|last| *last != b'\n') {
                written.push(b'\n');
            }
            written.extend_from_slice(LATE);
        }
        written
    }
}

/// The output of a command.
#[derive(Debug)]
struct Output(Take<ChildStdout>);

impl Output {
    /// Reads the available bytes without waiting; `None` at the end of the output.
    fn read_into(mut self, written: &mut Vec<u8>) -> Option<Output> {
        let mut piece = [0; 4096];
        while self.is_ready(Duration::ZERO) {
            let count = self.0.read(&mut piece).ok().filter(|count| *count > 0)?;
            written.extend_from_slice(&piece[..count]);
        }
        Some(self)
    }

    /// Whether there is something to read, or the end, within this time.
    fn is_ready(&self, within: Duration) -> bool {
        let within = Timespec::try_from(within).ok();
        let mut waiting = [PollFd::new(self.0.get_ref(), PollFlags::IN)];
        matches!(poll(&mut waiting, within.as_ref()), Ok(1..))
    }
}
