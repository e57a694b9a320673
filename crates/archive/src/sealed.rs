//! Lines with a checksum.
//!
//! Manifest, ledger and notes consist of JSON lines of one form: an object
//! whose first member is the hash of everything after it.
//!
//! ```text
//! {"hash":"1f2e…",REST
//! ```
//!
//! The 32 hex digits are the first 16 bytes of BLAKE3 over the bytes of `REST`,
//! without the newline. `cut -c 44-` and `b3sum -l 16` are enough to check one.

use std::fmt;

pub(crate) const OPENING: &str = "{\"hash\":\"";
const DIGITS: usize = 32;
const BEHIND: &str = "\",";

/// How many bytes precede the hashed part.
pub(crate) const HEAD: usize = OPENING.len() + DIGITS + BEHIND.len();

/// Why a line is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SealError {
    /// It does not have the expected form.
    Format,
    /// Its checksum does not match.
    Checksum,
}

impl fmt::Display for SealError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            SealError::Format => "it is not a line with a checksum",
            SealError::Checksum => "its checksum does not match",
        })
    }
}

/// The hash of the rest of a line.
fn hash(rest: &[u8]) -> String {
    blake3::hash(rest).to_hex()[..DIGITS].to_owned()
}

/// A sealed line from the text of a JSON object after its opening brace.
/// Without the newline.
pub(crate) fn seal(rest: &str) -> String {
    format!("{OPENING}{}{BEHIND}{rest}", hash(rest.as_bytes()))
}

/// The members of a line whose checksum matches.
pub(crate) fn unseal(line: &[u8]) -> Result<&str, SealError> {
    let text = std::str::from_utf8(line).map_err(|_| SealError::Format)?;
    let digits = text.get(OPENING.len()..OPENING.len() + DIGITS).ok_or(SealError::Format)?;
    let rest = text.get(HEAD..).ok_or(SealError::Format)?;
    if !text.starts_with(OPENING) || !text[OPENING.len() + DIGITS..].starts_with(BEHIND) {
        return Err(SealError::Format);
    }
    if digits == hash(rest.as_bytes()) { Ok(rest) } else { Err(SealError::Checksum) }
}

/// The hash at the start of a line.
pub(crate) fn hash_of(line: &str) -> &str {
    line.get(OPENING.len()..OPENING.len() + DIGITS).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_line_round_trips() {
        let line = seal("\"v\":1}");
        assert_eq!(unseal(line.as_bytes()), Ok("\"v\":1}"));
        assert!(serde_json::from_str::<serde_json::Value>(&line).is_ok());
    }

    #[test]
    fn any_changed_byte_invalidates_a_line() {
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
