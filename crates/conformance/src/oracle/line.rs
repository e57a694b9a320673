//! The lines of made-up transcripts, key by key in the order Claude Code
//! writes them.
//!
//! Readers check how a line begins and which key comes first, so nothing here uses a map
//! that sorts its keys. The cases and the generator decide which lines a session has.

use std::fmt;

use serde_json::Value;

use super::random::Random;

/// The time of every made-up line that does not set one.
const TIME: &str = "2026-01-02T03:04:05.678Z";

/// One object, its keys in the order they were given.
#[derive(Debug, Clone)]
pub(super) struct Line {
    members: Vec<(String, String)>,
}

impl Line {
    /// A record of this type and nothing else.
    pub(super) fn of(kind: &str) -> Self {
        Self { members: Vec::new() }.with("type", kind)
    }

    /// Sets a key; an existing key keeps its position.
    pub(super) fn with(self, key: &str, value: impl Into<Value>) -> Self {
        self.with_json(key, value.into().to_string())
    }

    /// Sets a key to a raw JSON value.
    pub(super) fn with_json(mut self, key: &str, json: impl Into<String>) -> Self {
        let json = json.into();
        match self.members.iter_mut().find(|(name, _)| name == key) {
            Some((_, old)) => *old = json,
            None => self.members.push((key.to_owned(), json)),
        }
        self
    }

    /// Removes a key.
    pub(super) fn without(mut self, key: &str) -> Self {
        self.members.retain(|(name, _)| name != key);
        self
    }

    /// The same line with its keys in reverse order.
    pub(super) fn reversed(mut self) -> Self {
        self.members.reverse();
        self
    }
}

/// The line without its newline.
impl fmt::Display for Line {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let members: Vec<String> =
            self.members.iter().map(|(key, json)| format!("{}:{json}", quoted(key))).collect();
        write!(formatter, "{{{}}}", members.join(","))
    }
}

pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// A typed prompt, as plain text.
pub(super) fn user(text: &str) -> Line {
    message("user", &quoted(text))
}

/// A user's line whose content is this list of blocks.
pub(super) fn user_blocks(blocks: &str) -> Line {
    message("user", blocks)
}

pub(super) fn assistant(text: &str) -> Line {
    message("assistant", &format!("[{}]", text_block(text)))
}

pub(super) fn text_block(text: &str) -> String {
    format!(r#"{{"type":"text","text":{}}}"#, quoted(text))
}

fn message(kind: &str, content: &str) -> Line {
    // A different number for every text, and the same one in every run.
    let seed = content.bytes().fold(1, |sum: u64, byte| sum.rotate_left(5) ^ u64::from(byte));
    Line { members: Vec::new() }
        .with("parentUuid", Value::Null)
        .with("isSidechain", false)
        .with("userType", "external")
        .with("cwd", "/p/q")
        .with("sessionId", "S")
        .with("version", "2.1.0")
        .with("gitBranch", "main")
        .with("type", kind)
        .with_json("message", format!(r#"{{"role":"user","content":{content}}}"#))
        .with("uuid", Random::new(seed).uuid())
        .with("timestamp", TIME)
}

/// A line of a conversation that follows another, without content yet.
pub(super) fn follower(kind: &str, uuid: &str, parent: Option<&str>) -> Line {
    Line { members: Vec::new() }
        .with("parentUuid", parent)
        .with("isSidechain", false)
        .with("type", kind)
        .with("uuid", uuid)
}

pub(super) fn title(text: &str) -> Line {
    Line::of("custom-title").with("customTitle", text)
}

pub(super) fn ai_title(text: &str) -> Line {
    Line::of("ai-title").with("aiTitle", text)
}

pub(super) fn last_prompt(text: &str) -> Line {
    Line::of("last-prompt").with("lastPrompt", text)
}

pub(super) fn summary(text: &str) -> Line {
    Line::of("summary").with("summary", text)
}

pub(super) fn tag(text: &str) -> Line {
    Line::of("tag").with("tag", text)
}

pub(super) fn relocated(cwd: &str) -> Line {
    Line::of("relocated").with("relocatedCwd", cwd)
}

pub(super) fn continued_in(session: &str) -> Line {
    Line::of("continued-in").with("continuedInSessionId", session)
}

/// A record of an unknown type, to push others out of the part that a reader checks.
pub(super) fn padding(bytes: usize) -> Line {
    Line::of("pad").with("x", "y".repeat(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_their_order_and_a_key_set_twice_keeps_its_place() {
        let line = title("A").with("b", 1).with("type", "z");
        assert_eq!(line.to_string(), r#"{"type":"z","customTitle":"A","b":1}"#);
        assert_eq!(line.reversed().to_string(), r#"{"b":1,"customTitle":"A","type":"z"}"#);
    }
}
