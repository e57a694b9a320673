//! Lines of transcripts, with their keys in Claude Code's order.

use serde_json::{Value, json};

/// A line under construction.
#[derive(Clone, Debug)]
pub struct Line {
    members: Vec<(String, Value)>,
}

impl Line {
    fn new(members: &[(&str, Value)]) -> Self {
        let members =
            members.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        Line { members }
    }

    /// Sets a top-level member, keeping its position if it exists.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        match self.members.iter_mut().find(|(name, _)| name == key) {
            Some((_, place)) => *place = value,
            None => self.members.push((key.to_owned(), value)),
        }
        self
    }

    /// Removes a top-level member.
    #[must_use]
    pub fn without(mut self, key: &str) -> Self {
        self.members.retain(|(name, _)| name != key);
        self
    }

    /// A top-level member.
    pub(crate) fn member(&self, key: &str) -> Value {
        let found = self.members.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    }

    /// Sets a member of the line's message, keeping its position if it exists.
    #[must_use]
    pub fn message(mut self, key: &str, value: impl Into<Value>) -> Self {
        if let Some((_, message)) = self.members.iter_mut().find(|(name, _)| name == "message") {
            message[key] = value.into();
        }
        self
    }

    /// Sets the line's uuid and its parent's.
    #[must_use]
    pub fn link(self, uuid: &str, parent: Option<&str>) -> Self {
        self.with("uuid", uuid).with("parentUuid", parent)
    }

    /// Sets the time.
    #[must_use]
    pub fn at(self, timestamp: &str) -> Self {
        self.with("timestamp", timestamp)
    }

    /// Sets the working directory.
    #[must_use]
    pub fn cwd(self, cwd: &str) -> Self {
        self.with("cwd", cwd)
    }
}

impl Line {
    /// Whether it is an answer with the default id.
    fn is_answer(&self) -> bool {
        self.member("type") == "assistant" && self.member("message")["id"] == ANSWER_ID
    }
}

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let members: Vec<_> =
            self.members.iter().map(|(key, value)| format!("{}:{value}", json!(key))).collect();
        write!(f, "{{{}}}", members.join(","))
    }
}

fn message_line(kind: &str, message: Value) -> Line {
    line(kind, "message", message)
}

/// A line of the conversation's chain, with the member that determines its
/// kind.
pub(crate) fn line(kind: &str, key: &str, value: Value) -> Line {
    Line::new(&[
        ("parentUuid", Value::Null),
        ("isSidechain", json!(false)),
        ("userType", json!("external")),
        ("cwd", json!("/home/ada/tidepool")),
        ("sessionId", json!("00000001-0000-4000-8000-000000000001")),
        ("version", json!("2.1.80")),
        ("gitBranch", json!("main")),
        ("type", json!(kind)),
        (key, value),
        ("uuid", json!("11111111-0000-4000-8000-000000000001")),
        ("timestamp", json!("2026-01-02T03:04:05.678Z")),
    ])
}

/// A prompt.
pub fn user(text: &str) -> Line {
    message_line("user", json!({"role": "user", "content": text}))
}

/// A text answer.
pub fn assistant(text: &str) -> Line {
    let content = json!([{"type": "text", "text": text}]);
    message_line("assistant", answer(&content))
}

/// A tool call.
pub fn tool_use(id: &str, name: &str, input: &Value) -> Line {
    let content = json!([{"type": "tool_use", "id": id, "name": name, "input": input}]);
    message_line("assistant", answer(&content))
}

/// Lines that follow each other, with the uuids `u1`, `u2`, …; each answer of
/// the model is a separate response: `m1`, `m2`, ….
pub fn chained(lines: impl IntoIterator<Item = Line>) -> Vec<Line> {
    let linked = (1..).zip(lines).map(|(number, line): (usize, Line)| {
        let parent = (number > 1).then(|| format!("u{}", number - 1));
        let line = line.link(&format!("u{number}"), parent.as_deref());
        if line.is_answer() { line.message("id", format!("m{number}")) } else { line }
    });
    linked.collect()
}

/// The bytes of a transcript.
pub fn file(lines: &[Line]) -> Vec<u8> {
    lines.iter().fold(String::new(), |text, line| text + &line.to_string() + "\n").into_bytes()
}

/// A tool call and its result, with Claude Code's structured result.
pub fn answered(id: &str, tool: &str, input: &Value, answer: &str, structured: Value) -> [Line; 2] {
    [tool_use(id, tool, input), tool_result(id, answer).with("toolUseResult", structured)]
}

/// A tool result.
pub fn tool_result(id: &str, text: &str) -> Line {
    let content = json!([{"tool_use_id": id, "type": "tool_result", "content": text}]);
    message_line("user", json!({"role": "user", "content": content}))
}

/// A tool result that reports an error.
pub fn tool_error(id: &str, text: &str) -> Line {
    let content =
        json!([{"tool_use_id": id, "type": "tool_result", "content": text, "is_error": true}]);
    message_line("user", json!({"role": "user", "content": content}))
}

/// A system record between messages.
pub fn system(subtype: &str) -> Line {
    line("system", "subtype", json!(subtype))
}

/// An attachment that Claude Code added to the context.
pub fn attachment(attachment: &Value) -> Line {
    line("attachment", "attachment", attachment.clone())
}

/// A line that is not part of the conversation.
pub fn metadata(kind: &str, members: &[(&str, Value)]) -> Line {
    let mut line = Line::new(&[("type", json!(kind))]);
    for (key, value) in members {
        line = line.with(key, value.clone());
    }
    line
}

/// The default id of an answer.
const ANSWER_ID: &str = "msg_01";

fn answer(content: &Value) -> Value {
    json!({
        "model": "claude-sonnet-5",
        "id": ANSWER_ID,
        "type": "message",
        "role": "assistant",
        "content": content,
        "stop_reason": null,
        "usage": {"input_tokens": 3, "output_tokens": 5}
    })
}
