//! A client of `codex app-server`, through which sessions can be forked, reverted, interrupted
//! and compacted, as the desktop program does it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

/// The longest wait for an answer or a notification.
const LONGEST: Duration = Duration::from_mins(2);

/// A running server. It ends when this is dropped.
#[derive(Debug)]
pub(super) struct AppServer {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Notifications that nobody has waited for yet.
    pending: Vec<Value>,
    calls: u64,
}

impl AppServer {
    /// Starts the server with a command that has its home and folder.
    pub(super) fn start(mut command: Command) -> Result<AppServer> {
        command.arg("app-server").stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::null());
        let mut child = command.spawn().context("cannot start codex app-server")?;
        let output = child.stdout.take().context("the server has no output")?;
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let Ok(message) = serde_json::from_str(&line) else { continue };
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        let mut server = AppServer { child, input, messages, pending: Vec::new(), calls: 0 };
        let client = json!({"name": "annals", "version": "1"});
        let capabilities = json!({"experimentalApi": true});
        server.call("initialize", &json!({"clientInfo": client, "capabilities": capabilities}))?;
        server.send(&json!({"method": "initialized"}))?;
        Ok(server)
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let input = self.input.as_mut().context("the server was ended")?;
        writeln!(input, "{message}").context("the server does not read")
    }

    fn receive(&mut self, end: Instant, what: &str) -> Result<Value> {
        let left = end.saturating_duration_since(Instant::now());
        self.messages.recv_timeout(left).with_context(|| format!("the server sent no {what}"))
    }

    /// Calls a method and returns its result.
    pub(super) fn call(&mut self, method: &str, parameters: &Value) -> Result<Value> {
        self.calls += 1;
        let id = self.calls;
        self.send(&json!({"id": id, "method": method, "params": parameters}))?;
        let end = Instant::now() + LONGEST;
        loop {
            let mut message = self.receive(end, method)?;
            let is_answer = message["id"] == id && message.get("method").is_none();
            if !is_answer {
                self.pending.push(message);
            } else if message.get("error").is_some() {
                bail!("{method} failed: {}", message["error"]);
            } else {
                return Ok(message["result"].take());
            }
        }
    }

    /// Waits for a notification about a thread and returns its parameters.
    pub(super) fn wait(
        &mut self,
        thread: &str,
        method: &str,
        is_wanted: impl Fn(&Value) -> bool,
    ) -> Result<Value> {
        let fits = |message: &Value| {
            let parameters = &message["params"];
            message["method"] == method && parameters["threadId"] == thread && is_wanted(parameters)
        };
        let end = Instant::now() + LONGEST;
        loop {
            if let Some(at) = self.pending.iter().position(&fits) {
                return Ok(self.pending.remove(at)["params"].take());
            }
            let message = self.receive(end, method)?;
            self.pending.push(message);
        }
    }
}

impl Drop for AppServer {
    fn drop(&mut self) {
        // Without input it ends by itself, with everything written.
        self.input = None;
        let end = Instant::now() + Duration::from_secs(10);
        while Instant::now() < end {
            if let Ok(Some(_)) = self.child.try_wait() {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
