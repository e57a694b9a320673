//! Cryptographically random bytes from the system.
//!
//! Callers turn them into file names, keys or delimiters.

use std::fs::File;
use std::io::{self, Read as _};

/// `COUNT` random bytes.
pub fn random_bytes<const COUNT: usize>() -> io::Result<[u8; COUNT]> {
    let mut bytes = [0; COUNT];
    // Every supported system has this device; only Linux has a system call.
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_are_filled_and_differ_every_time() {
        let (one, two) = (random_bytes::<64>().unwrap(), random_bytes::<64>().unwrap());
        assert_ne!(one, two);
        assert_ne!(one[32..], [0; 32]);
    }
}
