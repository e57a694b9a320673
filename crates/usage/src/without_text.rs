//! What a line says of an API call, without what was said in it.
//!
//! For calls that must go on counting when the transcript they stand in is
//! gone. Values are copied as they are written, odd ones included, so that
//! [`crate::read_line`] reads the same of what is left; everything that could
//! hold a person's or a model's words is left out. Only the app's own notice of
//! a limit stays, because it says when the limit resets.

use crate::line::{Read, read_objects};
use std::borrow::Cow;
use transcript::{JsonCursor, Line, LineEnd};

/// Names and numbers that are kept of a line: strings or nothing.
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

/// The line of an API call, without text; nothing if it is none, or damaged so
/// that what stands for text cannot be told from the rest. Several objects glued
/// together stay so.
pub fn without_text(line: &[u8]) -> Option<String> {
    let line = Line { number: 1, offset: 0, bytes: line, end: LineEnd::Newline };
    let mut kept = String::new();
    read_objects(line, |raw, read| {
        let Read::Call(call) = read else { return };
        let mut object = Object::default();
        let notice = call.limit_notice.as_deref();
        if keep_line(&mut object, &mut JsonCursor::new(raw), notice).is_some() {
            kept += &object.close();
        }
    });
    (!kept.is_empty()).then_some(kept)
}

fn keep_line(object: &mut Object, cursor: &mut JsonCursor<'_>, notice: Option<&str>) -> Option<()> {
    cursor.object(|key, cursor| {
        match key {
            b"isSidechain" | b"isApiErrorMessage" => {
                let value = if cursor.is_true()? { "true" } else { "false" };
                object.add(key, value);
            }
            b"costUSD" => object.add(key, &number(cursor)?),
            // Whether it is there is what counts.
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

/// The agent's line that a sign of progress repeats: `data.message`.
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
                cursor.list(|cursor| keep_block(&mut blocks, cursor, notice))?;
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

/// Keeps which tool was called, and the app's notice.
fn keep_block(
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
            let said = JsonCursor::new(text.as_bytes()).string().flatten();
            if said.is_some() && said.as_deref() == notice {
                blocks.push(format!(r#"{{"type":"text","text":{text}}}"#));
            }
        }
        _ => {}
    }
    Some(())
}

/// A string as it is written; anything else is nothing.
fn string<'a>(cursor: &mut JsonCursor<'a>) -> Option<Cow<'a, str>> {
    let is_string = cursor.peek()? == b'"';
    let value = cursor.value()?;
    Some(if is_string { String::from_utf8_lossy(value) } else { "null".into() })
}

/// A number as it is written; what is none stays none.
fn number<'a>(cursor: &mut JsonCursor<'a>) -> Option<Cow<'a, str>> {
    let value = cursor.value()?;
    let is_number = value.iter().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte));
    let is_kept = is_number || value == b"null";
    Some(if is_kept { String::from_utf8_lossy(value) } else { "\"?\"".into() })
}

/// An object that is being written. What is no object is written as one with
/// nothing in it, which says as little.
#[derive(Default)]
struct Object(String);

impl Object {
    fn add(&mut self, key: &[u8], value: &str) {
        let before = if self.0.is_empty() { '{' } else { ',' };
        self.0 += &format!("{before}\"{}\":{value}", String::from_utf8_lossy(key));
    }

    /// Adds a member if it is one of these, and steps over it.
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
