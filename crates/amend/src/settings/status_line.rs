//! The status line in the settings.

use super::SettingsError;
use super::members::{expect, only, top, without_member};
use crate::json_text::{members, replaced_by};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The installed status line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct InstalledStatusLine {
    pub(super) command: String,
    /// The JSON of the previous command; `None` if there was no status line.
    pub(super) replaced: Option<String>,
}

/// The command of a status line, and the range of its string.
pub(super) struct StatusLine {
    pub(super) command: String,
    pub(super) value: Range<usize>,
}

pub(super) fn status_line_in(text: &str) -> Result<Option<StatusLine>, SettingsError> {
    let Some(member) = only(&top(text), "statusLine")? else { return Ok(None) };
    expect(text, &member.value, "statusLine", "an object")?;
    let fields = members(text, &member.value);
    let string = |key: &str| -> Result<(String, Range<usize>), SettingsError> {
        let name = format!("statusLine.{key}");
        let wrong = |found| SettingsError::Unexpected {
            member: name.clone(),
            expected: if key == "type" { "\"command\"" } else { "a string" },
            found,
        };
        let value = only(&fields, key)?.ok_or_else(|| wrong("missing"))?.value;
        expect(text, &value, &name, "a string")?;
        let decoded = serde_json::from_str(&text[value.clone()]);
        Ok((decoded.map_err(|_| wrong("invalid text"))?, value))
    };
    if string("type")?.0 != "command" {
        let member = "statusLine.type".to_owned();
        let (expected, found) = ("\"command\"", "another string");
        return Err(SettingsError::Unexpected { member, expected, found });
    }
    let (command, value) = string("command")?;
    Ok(Some(StatusLine { command, value }))
}

pub(super) fn take_status_line(text: &str, installed: &InstalledStatusLine) -> Option<String> {
    let line = status_line_in(text).ok().flatten()?;
    if line.command != installed.command {
        return None;
    }
    if let Some(former) = &installed.replaced {
        return Some(replaced_by(text, &line.value, former));
    }
    without_member(text, "statusLine")
}
