//! The path below which everything is served.
//!
//! Browsers send a cookie to every port of a host. The cookie of this server is limited to
//! a path that only this installation knows, so that a server of another program on
//! 127.0.0.1 never receives it.

use crate::secret::hexadecimal;
use std::{fmt, io};

/// `/<32 hexadecimal digits>/`: 128 random bits, the same for every server of an
/// installation, so that bookmarks last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BasePath(String);

impl BasePath {
    /// A new random path.
    pub fn random() -> io::Result<BasePath> {
        let bytes: [u8; 16] = library::random_bytes()?;
        Ok(BasePath(format!("/{}/", hexadecimal(&bytes))))
    }

    /// The path with these 32 digits, as they are stored.
    pub fn parse(digits: &str) -> Option<BasePath> {
        let is_hexadecimal =
            digits.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'));
        (digits.len() == 32 && is_hexadecimal).then(|| BasePath(format!("/{digits}/")))
    }

    /// The digits, to be stored.
    pub fn digits(&self) -> &str {
        self.0.trim_matches('/')
    }

    /// The path, with a slash at both ends.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BasePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_32_hexadecimal_digits_are_a_path() {
        let base = BasePath::random().unwrap();
        assert_eq!(BasePath::parse(base.digits()), Some(base.clone()));
        assert_eq!(base.as_str().len(), 34);
        for wrong in ["", "..", "0123", &"A".repeat(32), &"0".repeat(31), &"g".repeat(32)] {
            assert_eq!(BasePath::parse(wrong), None, "{wrong}");
        }
    }
}
