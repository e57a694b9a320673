//! What can still be read from a line that is not JSON.
//!
//! A redactor or a crash can break a line in its middle and leave its ids intact. They
//! tell where in the conversation the line was. Inside a string a quote is escaped, so
//! a key with plain quotes is a key of the record or of an object in it.

use memchr::memmem;

/// The ids on a damaged line, as far as they can be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SalvagedIds {
    /// The values of `uuid`, in order. One is the record's own; objects in it can have
    /// others.
    pub uuids: Vec<String>,
    /// The parent; `Some(None)` if it is `null`, `None` if it cannot be read.
    pub parent_uuid: Option<Option<String>>,
    /// When it was written, as text.
    pub timestamp: Option<String>,
    /// Whether it belongs to a sub-agent.
    pub is_sidechain: bool,
}

/// How many values of `uuid` are read from one line.
const MAX_UUIDS: usize = 64;

/// The longest id or time that is read.
const MAX_LENGTH: usize = 128;

/// Reads the ids of a damaged line.
///
/// ```
/// let line = br#"{"parentUuid":"a","message":{"content":"cut [REDACTED]"uuid":"b"}"#;
/// let ids = transcript::salvage_ids(line);
/// assert_eq!(ids.uuids, ["b"]);
/// assert_eq!(ids.parent_uuid, Some(Some("a".to_owned())));
/// ```
pub fn salvage_ids(line: &[u8]) -> SalvagedIds {
    SalvagedIds {
        uuids: values(line, "uuid").filter_map(text).take(MAX_UUIDS).collect(),
        parent_uuid: values(line, "parentUuid").next().and_then(|value| {
            if value.starts_with(b"null") { Some(None) } else { text(value).map(Some) }
        }),
        timestamp: values(line, "timestamp").find_map(text),
        is_sidechain: values(line, "isSidechain").next().is_some_and(|it| it.starts_with(b"true")),
    }
}

/// The bytes after each occurrence of a key.
fn values<'l>(line: &'l [u8], key: &str) -> impl Iterator<Item = &'l [u8]> {
    let key = format!("\"{key}\"");
    let places: Vec<usize> = memmem::find_iter(line, &key).map(|at| at + key.len()).collect();
    places
        .into_iter()
        .filter_map(|at| Some(line[at..].trim_ascii_start().strip_prefix(b":")?.trim_ascii_start()))
}

/// A short string without escapes.
fn text(value: &[u8]) -> Option<String> {
    let rest = value.strip_prefix(b"\"")?;
    let length = rest.iter().take(MAX_LENGTH + 1).position(|byte| *byte == b'"')?;
    let text = str::from_utf8(&rest[..length]).ok()?;
    let is_plain = !text.is_empty() && !text.contains(['\\', '{', '}']);
    (is_plain && !text.contains(char::is_control)).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_from_the_intact_parts_of_a_line() {
        let ids = |line: &str| {
            let ids = salvage_ids(line.as_bytes());
            (ids.uuids.join(" "), ids.parent_uuid, ids.is_sidechain)
        };
        let some = |parent: &str| Some(Some(parent.to_owned()));
        let table = [
            (r#"{"parentUuid":null,"message":{"content":"x,"uuid":"b"}"#, ("b", Some(None), false)),
            (r#"{"parentUuid" : "a" , "isSidechain": true, "uuid" :"b""#, ("b", some("a"), true)),
            (r#"{"toolUseResult":{"uuid":"x"},"uuid":"b","#, ("x b", None, false)),
            (r#"{"content":"\"uuid\":\"quoted\"","uuid":"b","#, ("b", None, false)),
            (r#"{"parentUuid":"a"#, ("", None, false)),
            (r#"{"uuid":"","uuid":"\u0041","uuid":5,"uuid":"{""#, ("", None, false)),
            ("", ("", None, false)),
        ];
        for (line, (uuids, parent, is_sidechain)) in table {
            assert_eq!(ids(line), (uuids.to_owned(), parent, is_sidechain), "{line}");
        }
    }
}
