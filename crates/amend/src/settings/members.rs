//! Top-level members of the settings, and checks of their types.

use super::SettingsError;
use crate::json_text::{Member, members, without_child};
use std::ops::Range;

/// The range of the top-level object, in checked text.
pub(super) fn root(text: &str) -> Range<usize> {
    let start = text.find('{').unwrap_or(0);
    start..text.rfind('}').map_or(text.len(), |end| end + 1)
}

pub(super) fn top(text: &str) -> Vec<Member> {
    members(text, &root(text))
}

/// The member with this name, if there is only one.
pub(super) fn only(members: &[Member], key: &str) -> Result<Option<Member>, SettingsError> {
    let mut named = members.iter().filter(|member| member.key == key);
    let first = named.next().cloned();
    match named.next() {
        Some(_) => Err(SettingsError::Twice(key.to_owned())),
        None => Ok(first),
    }
}

/// The type of a value, as a phrase.
pub(super) fn kind(text: &str, value: &Range<usize>) -> &'static str {
    match text.as_bytes().get(value.start) {
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b'"') => "a string",
        Some(b't' | b'f') => "true or false",
        Some(b'n') => "null",
        Some(b'-') => "a negative number",
        _ => "a number",
    }
}

/// Checks that a member's value has the expected type.
pub(super) fn expect(
    text: &str,
    value: &Range<usize>,
    member: &str,
    expected: &'static str,
) -> Result<(), SettingsError> {
    let found = kind(text, value);
    if found == expected {
        return Ok(());
    }
    Err(SettingsError::Unexpected { member: member.to_owned(), expected, found })
}

pub(super) fn without_member(text: &str, key: &str) -> Option<String> {
    let members = top(text);
    let index = members.iter().position(|member| member.key == key)?;
    let wholes: Vec<_> = members.into_iter().map(|member| member.whole).collect();
    Some(without_child(text, &root(text), &wholes, index))
}
