//! Programs that are started to set something up: without a shell, without
//! input, and not for longer than they may.

use crate::commands::resume::find_program;
use crate::context::Context;
use rustix::process::{Pid, Signal, kill_process_group};
use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long one may take.
const PATIENCE: Duration = Duration::from_mins(1);
/// How much of what it says is told.
const MOST_SAID: u64 = 2000;

/// A command line, and what it needs in its environment.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) words: Vec<String>,
    pub(super) config: Option<String>,
    /// Whether it does no harm if it fails.
    pub(super) may_fail: bool,
}

impl Line {
    pub(super) fn new(words: &[&str]) -> Self {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        Line { words, config: None, may_fail: false }
    }

    /// As a person would type it.
    pub(super) fn shown(&self) -> String {
        let config = self
            .config
            .iter()
            .map(|config| format!("CLAUDE_CONFIG_DIR={}", render::shell_quoted(config)));
        let words = self.words.iter().map(|word| render::shell_quoted(word).into_owned());
        config.chain(words).collect::<Vec<_>>().join(" ")
    }

    /// Whether its program is on the search path.
    pub(super) fn is_there(&self, context: &Context) -> bool {
        self.words.first().is_some_and(|name| find_program(context, name).is_some())
    }

    /// Runs it; what went wrong is said with its own words.
    pub(super) fn run(&self, context: &Context) -> Result<(), String> {
        let Some((name, arguments)) = self.words.split_first() else { return Ok(()) };
        let failed = |reason: String| format!("{}: {reason}", self.shown());
        let program = find_program(context, name)
            .ok_or_else(|| failed(format!("there is no {name} on PATH")))?;
        let mut command = Command::new(program);
        command.args(arguments);
        if let Some(config) = &self.config {
            command.env("CLAUDE_CONFIG_DIR", config);
        }
        run(command, PATIENCE).map_err(failed)
    }
}

fn run(mut command: Command, patience: Duration) -> Result<(), String> {
    // A file, not a pipe: nobody has to read on while it runs.
    let mut said = tempfile::tempfile().map_err(|error| error.to_string())?;
    let copy = |file: &File| file.try_clone().map_err(|error| error.to_string());
    command.stdin(Stdio::null()).stdout(copy(&said)?).stderr(copy(&said)?);
    command.current_dir(Path::new("/")).process_group(0);
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break status,
            None if start.elapsed() > patience => {
                if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
                    let _ = kill_process_group(group, Signal::KILL);
                }
                let _ = child.wait();
                return Err(format!("it was ended after {} seconds", patience.as_secs()));
            }
            None => std::thread::sleep(Duration::from_millis(10)),
        }
    };
    if status.success() {
        return Ok(());
    }
    let mut words = Vec::new();
    let _ = said.rewind();
    let _ = said.take(MOST_SAID).read_to_end(&mut words);
    Err(format!("{status}: {}", String::from_utf8_lossy(&words).trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_fails_or_does_not_end_says_so() {
        let shell = |script: &str| {
            let mut command = Command::new("/bin/sh");
            command.args(["-c", script]);
            command
        };
        let second = Duration::from_secs(1);
        assert_eq!(run(shell("exit 0"), second), Ok(()));
        let failed = run(shell("echo out; echo no >&2; exit 3"), second).unwrap_err();
        assert!(failed.ends_with("3: out\nno"), "{failed}");
        let stuck = run(shell("sleep 60 & wait"), Duration::from_millis(50)).unwrap_err();
        assert!(stuck.contains("ended after"), "{stuck}");
        assert_eq!(run(shell("read line; test -z \"$line\""), second), Ok(()), "no input");
    }

    #[test]
    fn a_line_is_shown_as_a_shell_takes_it() {
        let mut line = Line::new(&["claude", "mcp", "add", "/a b/annals"]);
        assert_eq!(line.shown(), "claude mcp add '/a b/annals'");
        line.config = Some("/it's".to_owned());
        assert_eq!(line.shown(), r"CLAUDE_CONFIG_DIR='/it'\''s' claude mcp add '/a b/annals'");
    }
}
