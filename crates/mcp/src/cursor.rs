//! Cursors: opaque strings that say where the next page begins.
//!
//! The server stores nothing between calls. A cursor names its position by ids, which
//! do not change when sessions grow. It grants no access: everything it names is looked
//! up like any argument, within the scope. Its checksum detects damage, not forgery.

use crate::answer::ToolError;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// Separates the parts and the checksum.
const SEPARATOR: char = '\u{1f}';

/// The longest cursor that is accepted; the server creates none that are longer.
const MAX_LENGTH: usize = 4_096;

/// A hash of fixed length, used in place of an id from a transcript, which can have any
/// length.
pub(crate) fn short_hash(id: &str) -> String {
    format!("{:016x}", hash(id))
}

/// The 64-bit FNV-1a hash of a text.
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Encodes a cursor of a tool.
pub(crate) fn encode(tool: &str, parts: &[&str]) -> String {
    let mut text = tool.to_owned();
    for part in parts {
        text.push(SEPARATOR);
        text.extend(part.chars().filter(|character| *character != SEPARATOR));
    }
    let sum = hash(&text);
    URL_SAFE_NO_PAD.encode(format!("{text}{SEPARATOR}{sum:016x}"))
}

/// The parts of a cursor that [`encode`] made for the same tool.
pub(crate) fn decode<const PARTS: usize>(
    tool: &str,
    cursor: &str,
) -> Result<[String; PARTS], ToolError> {
    let damaged = || {
        ToolError::new(
            "damaged cursor: pass it exactly as the last answer gave it, or omit it to start again",
        )
    };
    if cursor.len() > MAX_LENGTH {
        return Err(damaged());
    }
    let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| damaged())?;
    let text = String::from_utf8(bytes).map_err(|_| damaged())?;
    let (body, sum) = text.rsplit_once(SEPARATOR).ok_or_else(damaged)?;
    if sum != format!("{:016x}", hash(body)) {
        return Err(damaged());
    }
    let mut parts = body.split(SEPARATOR).map(str::to_owned);
    let own = parts.next().ok_or_else(damaged)?;
    if own != tool {
        let known = crate::tools::find(&own).map_or("another tool", |tool| tool.name);
        return Err(ToolError::new(format!("this cursor belongs to {known}, not to {tool}")));
    }
    let parts: Vec<String> = parts.collect();
    parts.try_into().map_err(|_| damaged())
}

/// Parses a number in a cursor.
pub(crate) fn parse_number<T: std::str::FromStr>(part: &str) -> Result<T, ToolError> {
    part.parse().map_err(|_| ToolError::new("damaged cursor: omit it to start again"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_or_foreign_cursors_are_rejected() {
        let cursor = encode("read_session", &["one", "two\u{1f}", ""]);
        let parts = decode::<3>("read_session", &cursor).unwrap();
        assert_eq!(parts, ["one", "two", ""]);
        assert!(decode::<2>("read_session", &cursor).is_err());
        assert!(decode::<3>("get_message", &cursor).unwrap_err().text.contains("read_session"));
        for damaged in ["", "x", "🙂", &cursor[1..], &cursor.to_lowercase(), &format!("{cursor}A")]
        {
            assert!(decode::<3>("read_session", damaged).is_err(), "{damaged}");
        }
        assert!(decode::<1>("x", &"A".repeat(1 << 20)).is_err());
    }
}
