//! What only the server of OpenCode can do: undo, compaction, interruption, commands of the
//! person, and forks in the middle. Its terminal program does them through the same server.

use std::io::{BufRead, BufReader, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};

/// How many calls of the model these sessions no longer record: the three of the turns that
/// were undone and then replaced, and one that was interrupted.
pub(super) const LOST_CALLS: usize = 4;

/// The longest wait for an answer.
const LONGEST: Duration = Duration::from_mins(2);

/// A running server. It ends when this is dropped.
#[derive(Debug)]
pub(super) struct Server {
    child: Child,
    address: String,
}

impl Server {
    /// Starts the server with a command that has its home and folder.
    pub(super) fn start(mut command: Command) -> Result<Server> {
        command.args(["serve", "--hostname", "127.0.0.1", "--port", "0"]);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().context("cannot start opencode serve")?;
        let output = child.stdout.take().context("the server has no output")?;
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        let address = lines.find_map(|line| line.split("http://").nth(1).map(str::to_owned));
        let address = address.context("the server does not say where it listens")?;
        // What it says later has to go somewhere.
        thread::spawn(move || lines.for_each(drop));
        Ok(Server { child, address: address.trim().to_owned() })
    }

    /// Has the model write all sessions.
    pub(super) fn write_sessions(&self) -> Result<()> {
        let undone = self.session()?;
        self.say(&undone, "First.\nRUN ls\nSAY One.")?;
        self.say(&undone, "Second.\nWRITE second.txt two\nSAY Two.")?;
        self.say(&undone, "Third.\nSAY Three.")?;
        self.undo_from(&undone, 1)?;
        self.say(&undone, "Instead.\nRUN pwd\nSAY Four.")?;
        let pending = self.session()?;
        self.say(&pending, "Kept.\nRUN ls\nSAY Kept.")?;
        self.say(&pending, "Undone.\nWRITE undone.txt text\nSAY Undone.")?;
        self.undo_from(&pending, 1)?;
        let restored = self.session()?;
        self.say(&restored, "One.\nSAY One.")?;
        self.say(&restored, "Two.\nSAY Two.")?;
        self.undo_from(&restored, 1)?;
        self.post(&format!("/session/{restored}/unrevert"), &json!({}))?;
        let compacted = self.session()?;
        self.say(&compacted, "Long.\nRUN ls\nSAY Long.")?;
        let model = json!({"providerID": "fake", "modelID": "fake-1"});
        self.post(&format!("/session/{compacted}/summarize"), &model)?;
        self.say(&compacted, "After the compaction.\nRUN ls\nSAY After.")?;
        let command = self.session()?;
        let shell = json!({"agent": "build", "command": "echo typed"});
        self.post(&format!("/session/{command}/shell"), &shell)?;
        self.say(&command, "After the command.\nSAY Yes.")?;
        let forked = self.session()?;
        self.say(&forked, "Before the fork.\nSAY Before.")?;
        self.say(&forked, "Not in the fork.\nSAY Not.")?;
        let message = &self.prompts(&forked)?[1];
        let fork = self.post(&format!("/session/{forked}/fork"), &json!({"messageID": message}))?;
        self.say(id_of(&fork)?, "In the fork.\nSAY Forked.")?;
        self.interrupt()
    }

    /// A session whose first turn is interrupted while a command runs.
    fn interrupt(&self) -> Result<()> {
        let session = self.session()?;
        thread::scope(|scope| -> Result<()> {
            let turn = scope.spawn(|| self.say(&session, "Wait.\nRUN sleep 60\nSAY Never said."));
            let end = std::time::Instant::now() + LONGEST;
            while !self.is_running_command(&session)? {
                ensure!(std::time::Instant::now() < end, "the command was not started");
                thread::sleep(Duration::from_millis(100));
            }
            self.post(&format!("/session/{session}/abort"), &json!({}))?;
            turn.join().map_err(|_| anyhow::anyhow!("the interrupted turn panicked"))?
        })?;
        self.say(&session, "After the interruption.\nSAY Still here.")
    }

    fn is_running_command(&self, session: &str) -> Result<bool> {
        let messages = self.request("GET", &format!("/session/{session}/message"), None)?;
        let parts = messages.as_array().into_iter().flatten();
        let mut parts = parts.flat_map(|message| message["parts"].as_array().into_iter().flatten());
        Ok(parts.any(|part| part["state"]["status"] == "running"))
    }

    fn session(&self) -> Result<String> {
        Ok(id_of(&self.post("/session", &json!({}))?)?.to_owned())
    }

    fn say(&self, session: &str, prompt: &str) -> Result<()> {
        let message = json!({"parts": [{"type": "text", "text": prompt}]});
        self.post(&format!("/session/{session}/message"), &message).map(drop)
    }

    /// Undoes the prompt with this number and everything after it.
    fn undo_from(&self, session: &str, prompt: usize) -> Result<()> {
        let message = &self.prompts(session)?[prompt];
        let undo = json!({"messageID": message});
        self.post(&format!("/session/{session}/revert"), &undo).map(drop)
    }

    /// The ids of the person's messages.
    fn prompts(&self, session: &str) -> Result<Vec<String>> {
        let messages = self.request("GET", &format!("/session/{session}/message"), None)?;
        let messages = messages.as_array().context("messages are not a list")?;
        let own = messages.iter().filter(|message| message["info"]["role"] == "user");
        own.map(|message| Ok(id_of(&message["info"])?.to_owned())).collect()
    }

    fn post(&self, path: &str, body: &Value) -> Result<Value> {
        self.request("POST", path, Some(body))
    }

    /// Sends one request, and returns the JSON of the answer.
    fn request(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value> {
        let mut stream = TcpStream::connect(&self.address).context("the server does not answer")?;
        stream.set_read_timeout(Some(LONGEST))?;
        let body = body.map(Value::to_string).unwrap_or_default();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len(),
        )?;
        let (head, content) = read_answer(&mut BufReader::new(stream))
            .with_context(|| format!("no answer to {method} {path}"))?;
        let status = head.split(' ').nth(1).unwrap_or_default();
        if !status.starts_with('2') {
            bail!("{method} {path}: {status}: {content}");
        }
        serde_json::from_str(&content)
            .with_context(|| format!("{method} {path}: unexpected JSON: {content}"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself; there is nothing else to do about a failure.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads the head and the content of an answer.
fn read_answer(stream: &mut impl BufRead) -> Result<(String, String)> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        ensure!(stream.read_line(&mut head)? > 0, "the answer ends in its head");
    }
    let member = |name: &str| {
        let lines = head.lines().filter_map(|line| line.split_once(':'));
        let mut named = lines.filter(|(own, _)| own.eq_ignore_ascii_case(name));
        named.next().map(|(_, value)| value.trim())
    };
    let mut content = Vec::new();
    if let Some(length) = member("content-length") {
        content.resize(length.parse()?, 0);
        stream.read_exact(&mut content)?;
    } else if member("transfer-encoding") == Some("chunked") {
        loop {
            let mut length = String::new();
            stream.read_line(&mut length)?;
            let length = usize::from_str_radix(length.trim(), 16)?;
            // After each chunk comes a line break.
            let start = content.len();
            content.resize(start + length + 2, 0);
            stream.read_exact(&mut content[start..])?;
            content.truncate(start + length);
            if length == 0 {
                break;
            }
        }
    } else {
        stream.read_to_end(&mut content)?;
    }
    Ok((head, String::from_utf8(content)?))
}

fn id_of(value: &Value) -> Result<&str> {
    value["id"].as_str().with_context(|| format!("no id in {value}"))
}
