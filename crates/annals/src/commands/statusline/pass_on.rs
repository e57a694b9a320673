//! Another status line command, which a person had before: it gets what we got, and
//! what it writes is shown as it is.
//!
//! It is the person's own command, from the argument; nothing of what Claude Code
//! tells comes near the shell. It may fail, write nothing or never end: our line is
//! shown all the same.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{Read as _, Take, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// How long it may take, all in all.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long others may write to its output when it has ended: what it started in
/// the background may hold that for hours.
const GRACE: Duration = Duration::from_millis(20);

/// How often it is looked after.
const TICK: Duration = Duration::from_millis(1);

/// A status line is short.
const MOST: u64 = 64 * 1024;

/// A command that runs.
#[derive(Debug)]
pub(super) struct PassedOn {
    began: Instant,
    running: Option<(Child, Option<Output>)>,
}

impl PassedOn {
    /// Starts it.
    pub(super) fn start(command: &str, input: Vec<u8>) -> PassedOn {
        let started = Command::new("sh")
            .args(["-c", command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // With a group of its own, all that it started can be ended with it.
            .process_group(0)
            .spawn();
        let running = started.ok().map(|mut child| {
            if let Some(mut stdin) = child.stdin.take() {
                // One that does not read it must not hold us.
                std::thread::spawn(move || stdin.write_all(&input));
            }
            let output = child.stdout.take().map(|stdout| Output(stdout.take(MOST)));
            (child, output)
        });
        PassedOn { began: Instant::now(), running }
    }

    /// What it has written when it has ended, or when it has taken too long.
    pub(super) fn finish(self) -> Vec<u8> {
        let Some((mut child, mut output)) = self.running else { return Vec::new() };
        let mut written = Vec::new();
        let mut until = self.began + PATIENCE;
        let mut is_running = true;
        loop {
            // Asked first: when it has ended, all that it wrote is there to be read.
            if is_running && !matches!(child.try_wait(), Ok(None)) {
                is_running = false;
                until = until.min(Instant::now() + GRACE);
            }
            output = output.and_then(|output| output.read_into(&mut written));
            // One that has closed its output may still have something to write down.
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
        }
        written
    }
}

/// What a command writes to.
#[derive(Debug)]
struct Output(Take<ChildStdout>);

impl Output {
    /// Takes what is there, without waiting; nothing is left of an output that ended.
    fn read_into(mut self, written: &mut Vec<u8>) -> Option<Output> {
        let mut piece = [0; 4096];
        while self.is_ready(Duration::ZERO) {
            let count = self.0.read(&mut piece).ok().filter(|count| *count > 0)?;
            written.extend_from_slice(&piece[..count]);
        }
        Some(self)
    }

    /// Whether there is something to read, or the end, by then.
    fn is_ready(&self, within: Duration) -> bool {
        let within = Timespec::try_from(within).ok();
        let mut waiting = [PollFd::new(self.0.get_ref(), PollFlags::IN)];
        matches!(poll(&mut waiting, within.as_ref()), Ok(1..))
    }
}
