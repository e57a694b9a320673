//! Strips all text from the line of an API call.
//!
//! The result lets a call be counted after its transcript is deleted. Values are copied
//! as written, including malformed ones, so that [`crate::read_line`] reads the same
//! from the result. Everything that could hold words of a person or a model is removed.
//! Only the app's own notice of a limit stays, because it has the time of the reset.

use crate::line::{UsageLine, read_objects};
use std::borrow::Cow;
use transcript::{JsonCursor, Line, LineEnd};

/// The members of a line that are copied if they are strings.
const STRINGS: [&str; 18] = [
    "type",
    "uuid",
    "parentUuid",
    "sessionId",
    "timestamp",
    "requestId",
    "cwd",
    "gitBranch",
    "version",
    "entrypoint",
    "userType",
    "sessionKind",
    "agentId",
    "effort",
    "attributionAgent",
    "attributionSkill",
    "attributionPlugin",
    "attributionMcpServer",
];

/// The line of an API call without text; `None` if it is not one, or so damaged that
/// text cannot be distinguished from the rest. Several objects on one line stay
/// together.
pub fn without_text(line: &[u8]) -> Option<String> {
    let line = Line { number: 1, offset: 0, bytes: line, end: LineEnd::Newline };
    let mut stripped = String::new();
    read_objects(line, |raw, read| {
        let UsageLine::Call(call) = read else { return };
        let mut object = Object::default();
        let notice = call.limit_notice.as_deref();
        if copy_line(&mut object, &mut JsonCursor::new(raw), notice).is_some() {
            stripped += &object.close();
        }
    });
    (!stripped.is_empty()).then_some(stripped)
}

fn copy_line(object: &mut Object, cursor: &mut JsonCursor<'_>, notice: Option<&str>) -> Option<()> {
    cursor.object(|key, cursor| {
        match key {
            b"isSidechain" | b"isApiErrorMessage" => {
                let value = if cursor.is_true()? { "true" } else { "false" };
                object.add(key, value);
            }
            b"costUSD" => object.add(key, &number(cursor)?),
            // Only its presence matters.
            b"forkedFrom" if cursor.peek()? != b'{' => {
                let value = if cursor.value()? == b"null" { "null" } else { "true" };
                object.add(key, value);
            }
            b"forkedFrom" => {
                let ids = ["sessionId", "messageUuid"];
                let mut from = Object::default();
                cursor.object(|key, cursor| from.add_strings(&ids, key, cursor))?;
                object.add(key, &from.close());
            }
            b"message" => object.add(key, &message(cursor, notice)?),
            b"data" => object.add(key, &progress(cursor, notice)?),
            _ => object.add_strings(&STRINGS, key, cursor)?,
        }
        Some(())
    })
}

/// The agent's line that a progress line repeats: `data.message`.
fn progress(cursor: &mut JsonCursor<'_>, notice: Option<&str>) -> Option<String> {
    let mut data = Object::default();
    cursor.object(|key, cursor| {
        if key != b"message" {
            return data.add_strings(&["type", "agentId"], key, cursor);
        }
        let mut own = Object::default();
        cursor.object(|key, cursor| {
            if key != b"message" {
                let names = ["type", "requestId", "uuid", "timestamp"];
                return own.add_strings(&names, key, cursor);
            }
            own.add(key, &message(cursor, notice)?);
            Some(())
        })?;
        data.add(key, &own.close());
        Some(())
    })?;
    Some(data.close())
}

fn message(cursor: &mut JsonCursor<'_>, notice: Option<&str>) -> Option<String> {
    let mut message = Object::default();
    cursor.object(|key, cursor| {
        match key {
            b"content" => {
                let mut blocks = Vec::new();
                cursor.list(|cursor| copy_block(&mut blocks, cursor, notice))?;
                message.add(key, &format!("[{}]", blocks.join(",")));
            }
            b"usage" => {
                let is_object = cursor.peek()? == b'{';
                let usage = String::from_utf8_lossy(cursor.value()?);
                message.add(key, if is_object { &usage } else { "null" });
            }
            _ => message.add_strings(&["id", "model", "role", "stop_reason"], key, cursor)?,
        }
        Some(())
    })?;
    Some(message.close())
}

/// Copies the names of called tools, and the app's notice.
fn copy_block(
    blocks: &mut Vec<String>,
    cursor: &mut JsonCursor<'_>,
    notice: Option<&str>,
) -> Option<()> {
    let mut kind = None;
    let [mut id, mut name, mut text] = ["null"; 3].map(Cow::Borrowed);
    cursor.object(|key, cursor| {
        match key {
            b"type" => kind = cursor.string()?,
            b"id" => id = string(cursor)?,
            b"name" => name = string(cursor)?,
            b"text" => text = string(cursor)?,
            _ => drop(cursor.value()?),
        }
        Some(())
    })?;
    match kind.as_deref() {
        Some(kind @ ("tool_use" | "server_tool_use")) => {
            blocks.push(format!(r#"{{"type":"{kind}","id":{id},"name":{name}}}"#));
        }
        Some("text") => {
            let decoded = JsonCursor::new(text.as_bytes()).string().flatten();
            if decoded.is_some() && decoded.as_deref() == notice {
                blocks.push(format!(r#"{{"type":"text","text":{text}}}"#));
            }
        }
        _ => {}
    }
    Some(())
}

/// A string as written; anything else becomes `null`.
fn string<'a>(cursor: &mut JsonCursor<'a>) -> Option<Cow<'a, str>> {
    let is_string = cursor.peek()? == b'"';
    let value = cursor.value()?;
    Some(if is_string { String::from_utf8_lossy(value) } else { "null".into() })
}

/// A number as written; anything else becomes an invalid number.
fn number<'a>(cursor: &mut JsonCursor<'a>) -> Option<Cow<'a, str>> {
    let value = cursor.value()?;
    let is_number = value.iter().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte));
    let is_valid = is_number || value == b"null";
    Some(if is_valid { String::from_utf8_lossy(value) } else { "\"?\"".into() })
}

/// An object that is being written. A value that is not an object becomes an empty
/// one.
#[derive(Default)]
struct Object(String);

impl Object {
    fn add(&mut self, key: &[u8], value: &str) {
        let before = if self.0.is_empty() { '{' } else { ',' };
        self.0 += &format!("{before}\"{}\":{value}", String::from_utf8_lossy(key));
    }

    /// Adds the member if it is one of `names`, else skips it.
    fn add_strings(
        &mut self,
        names: &[&str],
        key: &[u8],
        cursor: &mut JsonCursor<'_>,
    ) -> Option<()> {
        if names.iter().any(|name| name.as_bytes() == key) {
            self.add(key, &string(cursor)?);
        } else {
            cursor.value()?;
        }
        Some(())
    }

    fn close(self) -> String {
        if self.0.is_empty() { "{}".to_owned() } else { self.0 + "}" }
    }
}
