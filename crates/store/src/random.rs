//! Bytes that nobody can foresee, from the system.
//!
//! What is made of them, names of files, keys, delimiters, is for others to say.

use std::fs::File;
use std::io::{self, Read as _};

/// So many bytes that nobody can foresee.
pub fn random_bytes<const COUNT: usize>() -> io::Result<[u8; COUNT]> {
    let mut bytes = [0; COUNT];
    // Every system has the device; a call for it Linux alone.
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_are_filled_and_never_the_same() {
        let (one, two) = (random_bytes::<64>().unwrap(), random_bytes::<64>().unwrap());
        assert_ne!(one, two);
        assert_ne!(one[32..], [0; 32]);
    }
}
