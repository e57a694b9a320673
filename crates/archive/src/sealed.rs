//! Lines that carry their own checksum.
//!
//! Manifest, ledger and notes are JSON lines of one form: an object whose first
//! member is the hash of everything behind it.
//!
//! ```text
//! {"hash":"1f2e…",REST
//! ```
//!
//! The 32 hex digits are the first 16 bytes of BLAKE3 over the bytes of `REST`,
//! which end before the newline. Nothing but `cut -c 44-` and `b3sum -l 16` is
//! needed to check one.

use std::fmt;

pub(crate) const OPENING: &str = "{\"hash\":\"";
const DIGITS: usize = 32;
const BEHIND: &str = "\",";

/// How many bytes stand before what is hashed.
pub(crate) const HEAD: usize = OPENING.len() + DIGITS + BEHIND.len();

/// Why a line does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SealError {
    /// It does not have the form.
    Format,
    /// Its hash is another.
    Checksum,
}

impl fmt::Display for SealError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            SealError::Format => "it is no line with a checksum",
            SealError::Checksum => "its checksum does not hold",
        })
    }
}

/// The hash of a line by its rest.
fn hash(rest: &[u8]) -> String {
    blake3::hash(rest).to_hex()[..DIGITS].to_owned()
}

/// The line of these members: the text of a JSON object behind its brace.
/// Without its newline.
pub(crate) fn seal(rest: &str) -> String {
    format!("{OPENING}{}{BEHIND}{rest}", hash(rest.as_bytes()))
}

/// The members of a line whose hash holds.
pub(crate) fn unseal(line: &[u8]) -> Result<&str, SealError> {
    let text = std::str::from_utf8(line).map_err(|_| SealError::Format)?;
    let digits = text.get(OPENING.len()..OPENING.len() + DIGITS).ok_or(SealError::Format)?;
    let rest = text.get(HEAD..).ok_or(SealError::Format)?;
    if !text.starts_with(OPENING) || !text[OPENING.len() + DIGITS..].starts_with(BEHIND) {
        return Err(SealError::Format);
    }
    if digits == hash(rest.as_bytes()) { Ok(rest) } else { Err(SealError::Checksum) }
}

/// The hash that a line begins with.
pub(crate) fn hash_of(line: &str) -> &str {
    line.get(OPENING.len()..OPENING.len() + DIGITS).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_gives_back_what_was_sealed() {
        let line = seal("\"v\":1}");
        assert_eq!(unseal(line.as_bytes()), Ok("\"v\":1}"));
        assert!(serde_json::from_str::<serde_json::Value>(&line).is_ok());
    }

    #[test]
    fn any_changed_byte_breaks_it() {
        let line = seal("\"v\":1,\"note\":\"é\"}");
        for at in 0..line.len() {
            for bit in 0..8 {
                let mut bytes = line.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                assert!(unseal(&bytes).is_err(), "byte {at}, bit {bit}");
            }
        }
        for length in 0..line.len() {
            assert!(unseal(&line.as_bytes()[..length]).is_err(), "cut to {length}");
        }
    }
}
