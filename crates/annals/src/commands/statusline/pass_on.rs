//! Another status line command, which a person had before: it gets what we got, and
//! what it writes is shown as it is.
//!
//! It is the person's own command, from the argument; nothing of what Claude Code
//! tells comes near the shell. It may fail, write nothing or never end: our line is
//! shown all the same.

use std::io::{Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long it may take, all in all.
const PATIENCE: Duration = Duration::from_secs(1);

/// A status line is short.
const MOST: u64 = 64 * 1024;

/// A command that runs.
#[derive(Debug)]
pub(super) struct PassedOn {
    began: Instant,
    running: Option<(Child, Receiver<Vec<u8>>)>,
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
            let (sender, receiver) = channel();
            if let Some(stdout) = child.stdout.take() {
                std::thread::spawn(move || {
                    let mut output = Vec::new();
                    let mut piece = [0; 4096];
                    let mut stdout = stdout.take(MOST);
                    while let Ok(count @ 1..) = stdout.read(&mut piece) {
                        output.extend_from_slice(&piece[..count]);
                        // Nobody waits any more.
                        if sender.send(std::mem::take(&mut output)).is_err() {
                            break;
                        }
                    }
                });
            }
            (child, receiver)
        });
        PassedOn { began: Instant::now(), running }
    }

    /// What it has written when it has ended, or when it has taken too long.
    pub(super) fn finish(self) -> Vec<u8> {
        let Some((mut child, receiver)) = self.running else { return Vec::new() };
        let mut output = Vec::new();
        loop {
            let left = PATIENCE.saturating_sub(self.began.elapsed());
            match receiver.recv_timeout(left) {
                Ok(piece) => output.extend(piece),
                Err(_) => break,
            }
        }
        let group = rustix::process::Pid::from_child(&child);
        // One that has closed its output may still have something to write down.
        while matches!(child.try_wait(), Ok(None)) {
            if self.began.elapsed() >= PATIENCE {
                let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
                let _ = child.wait();
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        output
    }
}
