//! Where to go on, as words that mean nothing to others.
//!
//! Nothing is remembered between calls: a cursor names the place by ids, which stay
//! when sessions grow. It opens nothing: whatever it names is looked up like any
//! argument, within the scope. A checksum tells damage, not forgery.

use crate::answer::Complaint;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// Parts and checksum are told apart by this.
const SEPARATOR: char = '\u{1f}';

/// Longer ones were never given out.
const LONGEST: usize = 4_096;

/// What stands in a cursor for an id of a transcript, which may be of any length.
pub(crate) fn short(id: &str) -> String {
    format!("{:016x}", hash(id))
}

/// A number that tells texts apart.
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A cursor of a tool.
pub(crate) fn seal(tool: &str, parts: &[&str]) -> String {
    let mut text = tool.to_owned();
    for part in parts {
        text.push(SEPARATOR);
        text.extend(part.chars().filter(|character| *character != SEPARATOR));
    }
    let sum = hash(&text);
    URL_SAFE_NO_PAD.encode(format!("{text}{SEPARATOR}{sum:016x}"))
}

/// The parts of a cursor of a tool.
pub(crate) fn open<const PARTS: usize>(
    tool: &str,
    cursor: &str,
) -> Result<[String; PARTS], Complaint> {
    let damaged = || {
        Complaint::new(
            "the cursor is damaged: give it exactly as it was answered, or leave it out to begin again",
        )
    };
    if cursor.len() > LONGEST {
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
        return Err(Complaint::new(format!("the cursor is one of {known}, not of {tool}")));
    }
    let parts: Vec<String> = parts.collect();
    parts.try_into().map_err(|_| damaged())
}

/// A number in a cursor.
pub(crate) fn number<T: std::str::FromStr>(part: &str) -> Result<T, Complaint> {
    part.parse().map_err(|_| Complaint::new("the cursor is damaged: leave it out to begin again"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_what_it_was_or_nothing() {
        let cursor = seal("read_session", &["one", "two\u{1f}", ""]);
        let parts = open::<3>("read_session", &cursor).unwrap();
        assert_eq!(parts, ["one", "two", ""]);
        assert!(open::<2>("read_session", &cursor).is_err());
        assert!(open::<3>("get_message", &cursor).unwrap_err().text.contains("read_session"));
        for damaged in ["", "x", "🙂", &cursor[1..], &cursor.to_lowercase(), &format!("{cursor}A")]
        {
            assert!(open::<3>("read_session", damaged).is_err(), "{damaged}");
        }
        assert!(open::<1>("x", &"A".repeat(1 << 20)).is_err());
    }
}
