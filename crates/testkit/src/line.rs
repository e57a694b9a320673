//! Lines of transcripts, with their keys in the app's order.

use serde_json::{Value, json};

/// A line in the making.
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

    /// Sets a top-level member, in place if it is there already.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        match self.members.iter_mut().find(|(name, _)| name == key) {
            Some((_, place)) => *place = value,
            None => self.members.push((key.to_owned(), value)),
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

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let members: Vec<_> =
            self.members.iter().map(|(key, value)| format!("{}:{value}", json!(key))).collect();
        write!(f, "{{{}}}", members.join(","))
    }
}

fn message_line(kind: &str, message: Value) -> Line {
    Line::new(&[
        ("parentUuid", Value::Null),
        ("isSidechain", json!(false)),
        ("userType", json!("external")),
        ("cwd", json!("/home/ada/tidepool")),
        ("sessionId", json!("00000001-0000-4000-8000-000000000001")),
        ("version", json!("2.1.80")),
        ("gitBranch", json!("main")),
        ("type", json!(kind)),
        ("message", message),
        ("uuid", json!("11111111-0000-4000-8000-000000000001")),
        ("timestamp", json!("2026-01-02T03:04:05.678Z")),
    ])
}

/// A prompt.
pub fn user(text: &str) -> Line {
    message_line("user", json!({"role": "user", "content": text}))
}

/// An answer in words.
pub fn assistant(text: &str) -> Line {
    let content = json!([{"type": "text", "text": text}]);
    message_line("assistant", answer(&content))
}

/// A call of a tool.
pub fn tool_use(id: &str, name: &str, input: &Value) -> Line {
    let content = json!([{"type": "tool_use", "id": id, "name": name, "input": input}]);
    message_line("assistant", answer(&content))
}

/// A tool's answer.
pub fn tool_result(id: &str, text: &str) -> Line {
    let content = json!([{"tool_use_id": id, "type": "tool_result", "content": text}]);
    message_line("user", json!({"role": "user", "content": content}))
}

/// A line that is not part of the conversation.
pub fn metadata(kind: &str, members: &[(&str, Value)]) -> Line {
    let mut line = Line::new(&[("type", json!(kind))]);
    for (key, value) in members {
        line = line.with(key, value.clone());
    }
    line
}

fn answer(content: &Value) -> Value {
    json!({
        "model": "claude-sonnet-5",
        "id": "msg_01",
        "type": "message",
        "role": "assistant",
        "content": content,
        "stop_reason": null,
        "usage": {"input_tokens": 3, "output_tokens": 5}
    })
}
