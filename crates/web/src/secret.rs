//! Random values that open the server, and how they are compared.
//!
//! Deliberately not here: where they are stored and who gets them.

use std::fmt::Write as _;
use std::io;

/// 256 random bits as lower-case hexadecimal digits.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A new random value.
    pub fn random() -> io::Result<Secret> {
        let bytes: [u8; 32] = library::random_bytes()?;
        Ok(Secret(hexadecimal(&bytes)))
    }

    /// A value from a file; `None` if it is not one.
    pub fn parse(text: &str) -> Option<Secret> {
        let is_hexadecimal = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        (text.len() == 64 && is_hexadecimal).then(|| Secret(text.to_owned()))
    }

    /// The value, for the header, cookie or file that carries it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether `given` is this value. Takes the same time for every `given` of the same
    /// length, so that an answer's delay says nothing about the value.
    pub fn matches(&self, given: &str) -> bool {
        equal_in_constant_time(self.0.as_bytes(), given.as_bytes())
    }
}

/// Never shows the value: it would end up in a log.
impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Bytes as lower-case hexadecimal digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Compares hashes of both sides: how far two hashes agree says nothing about the values,
/// and their comparison takes the same time for all of them.
fn equal_in_constant_time(one: &[u8], two: &[u8]) -> bool {
    // `blake3::Hash` compares in constant time.
    blake3::hash(one) == blake3::hash(two)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_matches_itself_and_nothing_else() {
        let secret = Secret::random().unwrap();
        let value = secret.expose().to_owned();
        assert_eq!(value.len(), 64);
        assert!(secret.matches(&value));
        for other in ["", "0", &value[1..], &format!("{value}0"), &value.to_uppercase()] {
            // Digits alone have no upper case.
            assert!(other == value || !secret.matches(other), "{other}");
        }
        assert!(!Secret::random().unwrap().matches(&value));
    }

    #[test]
    fn debugging_output_does_not_show_the_value() {
        let secret = Secret::random().unwrap();
        assert!(!format!("{secret:?}").contains(&secret.expose()[..8]));
    }
}
