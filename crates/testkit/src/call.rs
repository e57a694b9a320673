//! Lines of API calls, and the ways in which transcripts repeat them.

use crate::line::{Line, line};
use serde_json::{Value, json};

/// A line of an API call with these token counts: input, output, written to the
/// cache, read from it. Its request id is `req_` and its line's uuid `line_`,
/// each followed by the call's id.
pub fn call(id: &str, [input, output, written, read]: [u64; 4]) -> Line {
    let message = json!({
        "model": "claude-sonnet-5",
        "id": id,
        "type": "message",
        "role": "assistant",
        "content": [{"type": "text", "text": "Certainly."}],
        "stop_reason": null,
        "usage": {
            "input_tokens": input,
            "cache_creation_input_tokens": written,
            "cache_read_input_tokens": read,
            "output_tokens": output,
            "service_tier": "standard"
        }
    });
    let line = line("assistant", "message", message);
    line.with("requestId", format!("req_{id}")).with("uuid", format!("line_{id}"))
}

impl Line {
    /// Sets a member of the message's `usage`.
    #[must_use]
    pub fn usage(self, key: &str, value: impl Into<Value>) -> Self {
        let mut usage = self.member("message")["usage"].clone();
        usage[key] = value.into();
        self.message("usage", usage)
    }

    /// Sets the model.
    #[must_use]
    pub fn model(self, model: &str) -> Self {
        self.message("model", model)
    }

    /// Sets the session the line names.
    #[must_use]
    pub fn session(self, id: &str) -> Self {
        self.with("sessionId", id)
    }

    /// Replaces the text with calls of these tools: (id, name).
    #[must_use]
    pub fn calls_tools(self, tools: &[(&str, &str)]) -> Self {
        let blocks = tools.iter().map(
            |(id, name)| json!({"type": "tool_use", "id": id, "name": name, "input": {"id": null}}),
        );
        self.message("content", blocks.collect::<Value>())
    }

    /// The line as `/branch` copies it into another session: unchanged, with a
    /// note of its origin.
    #[must_use]
    pub fn forked_into(self, session: &str) -> Self {
        let from =
            json!({"sessionId": self.member("sessionId"), "messageUuid": self.member("uuid")});
        self.with("forkedFrom", from).session(session)
    }

    /// The line as a background session replays it.
    #[must_use]
    pub fn replayed_in(self, session: &str) -> Self {
        self.with("sessionKind", "bg").session(session)
    }

    /// The line as a sub-agent writes it.
    #[must_use]
    pub fn of_agent(self, id: &str) -> Self {
        self.with("isSidechain", true).with("agentId", id)
    }

    /// The progress record that repeats the line in the agent's parent; the agent is
    /// `a1`, unless the line names another.
    #[must_use]
    pub fn as_progress(self) -> Self {
        let own = ["type", "timestamp", "message", "requestId", "uuid"];
        let members = own.map(|key| (key.to_owned(), self.member(key)));
        let repeated: serde_json::Map<String, Value> =
            members.into_iter().filter(|(_, value)| !value.is_null()).collect();
        let agent = self.member("agentId");
        let agent = agent.as_str().unwrap_or("a1");
        let data = json!({"type": "agent_progress", "message": repeated, "agentId": agent});
        let uuid = format!("progress_{}", self.member("uuid").as_str().unwrap_or_default());
        line("progress", "data", data)
            .with("toolUseID", "agent_msg_1")
            .with("timestamp", self.member("timestamp"))
            .session(self.member("sessionId").as_str().unwrap_or_default())
            .with("uuid", uuid)
    }
}
