//! A client of `annals mcp` that exchanges single lines.

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Longer than any answer takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// A running server and its output lines.
pub(crate) struct Talk {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    next: u64,
}

impl Talk {
    /// Starts a server.
    pub(crate) fn start(command: &mut Command) -> Talk {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Talk { child, input, lines, next: 0 }
    }

    /// Starts a server and initializes it.
    pub(crate) fn greeted(command: &mut Command) -> Talk {
        let mut talk = Talk::start(command);
        let answer = talk.greet("2025-06-18");
        assert_eq!(answer["result"]["serverInfo"]["name"], "annals", "{answer}");
        talk
    }

    /// Initializes it with a protocol version.
    pub(crate) fn greet(&mut self, version: &str) -> Value {
        let client = json!({"name": "test", "version": "1"});
        let greeting =
            json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client});
        self.ask("initialize", &greeting)
    }

    /// Sends a raw line.
    pub(crate) fn say(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(format!("{line}\n").as_bytes()).unwrap();
        input.flush().unwrap();
    }

    /// Sends a notification.
    pub(crate) fn notify(&mut self, method: &str, parameters: &Value) {
        self.say(&json!({"jsonrpc": "2.0", "method": method, "params": parameters}).to_string());
    }

    /// Sends a request without waiting; returns its id.
    pub(crate) fn begin(&mut self, method: &str, parameters: &Value) -> u64 {
        self.next += 1;
        let (id, version) = (self.next, "2.0");
        let question =
            json!({"jsonrpc": version, "id": id, "method": method, "params": parameters});
        self.say(&question.to_string());
        id
    }

    /// Sends a request and waits for the answer.
    pub(crate) fn ask(&mut self, method: &str, parameters: &Value) -> Value {
        let id = self.begin(method, parameters);
        let answer = self.hear();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Calls a tool; returns its text and whether it is an error.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> (String, bool) {
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        assert!(result["structuredContent"].is_null(), "{answer}");
        assert_eq!(result["content"].as_array().map(Vec::len), Some(1), "{answer}");
        let text = result["content"][0]["text"].as_str().unwrap().to_owned();
        (text, result["isError"] == true)
    }

    /// The next raw line.
    pub(crate) fn hear_line(&mut self) -> String {
        self.lines.recv_timeout(PATIENCE).unwrap()
    }

    /// The next line as JSON.
    pub(crate) fn hear(&mut self) -> Value {
        let line = self.hear_line();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Its memory use in kB, if the system reports it.
    pub(crate) fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    /// Closes the input; returns the remaining output, the errors and the exit code.
    pub(crate) fn end(mut self) -> (Vec<String>, String, i32) {
        drop(self.input.take());
        let mut last = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            last.push(line);
        }
        let output = self.child.wait_with_output().unwrap();
        let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
        (last, complaints, output.status.code().unwrap())
    }
}
