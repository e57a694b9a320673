//! Programs that setup starts, such as `claude` and `systemctl`: without a shell,
//! without input, and with a time limit.

use crate::SearchPath;
use rustix::process::{Pid, Signal, kill_process_group};
use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The time limit.
const TIME_LIMIT: Duration = Duration::from_mins(1);
/// How much of its output an error quotes.
const MOST_OUTPUT: u64 = 2000;

/// A command line and its environment variables.
#[derive(Clone, Debug)]
pub(super) struct ExternalCommand {
    pub(super) words: Vec<String>,
    pub(super) config: Option<String>,
    /// Whether a failure with this description is ignored.
    pub(super) forgives: fn(&str) -> bool,
}

impl ExternalCommand {
    pub(super) fn new(words: &[&str]) -> Self {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        ExternalCommand { words, config: None, forgives: |_| false }
    }

    /// The command as typed in a shell.
    pub(super) fn shown(&self) -> String {
        let config = self
            .config
            .iter()
            .map(|config| format!("CLAUDE_CONFIG_DIR={}", render::shell_quoted(config)));
        let words = self.words.iter().map(|word| render::shell_quoted(word).into_owned());
        config.chain(words).collect::<Vec<_>>().join(" ")
    }

    /// Whether its program is on the search path.
    pub(super) fn is_installed(&self, search_path: &SearchPath) -> bool {
        self.words.first().is_some_and(|name| search_path.find_program(name).is_some())
    }

    /// Runs it; an error quotes its output.
    pub(super) fn run(&self, search_path: &SearchPath) -> Result<(), String> {
        let Some((name, arguments)) = self.words.split_first() else { return Ok(()) };
        let failed = |reason: String| format!("{}: {reason}", self.shown());
        let program = search_path
            .find_program(name)
            .ok_or_else(|| failed(format!("{name} is not on PATH")))?;
        let mut command = Command::new(program);
        command.args(arguments);
        if let Some(config) = &self.config {
            command.env("CLAUDE_CONFIG_DIR", config);
        }
        run(command, TIME_LIMIT).map_err(failed)
    }
}

fn run(mut command: Command, limit: Duration) -> Result<(), String> {
    // A file, not a pipe: nothing has to be read while the command runs.
    let mut output = tempfile::tempfile().map_err(|error| error.to_string())?;
    let copy = |file: &File| file.try_clone().map_err(|error| error.to_string());
    command.stdin(Stdio::null()).stdout(copy(&output)?).stderr(copy(&output)?);
    command.current_dir(Path::new("/")).process_group(0);
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break status,
            None if start.elapsed() > limit => {
                if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
                    let _ = kill_process_group(group, Signal::KILL);
                }
                let _ = child.wait();
                return Err(format!("stopped after {} seconds", limit.as_secs()));
            }
            None => std::thread::sleep(Duration::from_millis(10)),
        }
    };
    if status.success() {
        return Ok(());
    }
    let mut text = Vec::new();
    let _ = output.rewind();
    let _ = output.take(MOST_OUTPUT).read_to_end(&mut text);
    Err(format!("{status}: {}", String::from_utf8_lossy(&text).trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_quotes_the_output_or_names_the_time_limit() {
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
        assert!(stuck.contains("stopped after"), "{stuck}");
        assert_eq!(run(shell("read line; test -z \"$line\""), second), Ok(()), "no input");
    }

    #[test]
    fn a_command_is_shown_quoted_for_a_shell() {
        let mut command = ExternalCommand::new(&["claude", "mcp", "add", "/a b/annals"]);
        assert_eq!(command.shown(), "claude mcp add '/a b/annals'");
        command.config = Some("/it's".to_owned());
        assert_eq!(command.shown(), r"CLAUDE_CONFIG_DIR='/it'\''s' claude mcp add '/a b/annals'");
    }
}
